# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The generators of `curand_kernel.h`: known answers, and the polynomials of its jumps."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

import xgpu
from tests.support.clang import needs_clang
from tools import generate_curand_jumps as curand_jumps

_TEXT = """
#include <curand_kernel.h>
__global__ void numbers(float *uniform, unsigned *words) {
  curandState xorwow;
  curand_init(1234, threadIdx.x, 0, &xorwow);
  uniform[threadIdx.x] = curand_uniform(&xorwow);
  curandStatePhilox4_32_10_t philox;
  curand_init(0, 0, threadIdx.x, &philox);
  words[threadIdx.x] = curand(&philox);
}
"""
#: Of XORWOW with the seed 1234, in cuRAND's guide; of Philox4x32-10 with zeros, in Random123.
_UNIFORM = (0.1455, 0.8202, 0.5504, 0.2948, 0.9147, 0.8690, 0.3219, 0.7829, 0.0113, 0.2854)
_WORDS = (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)


@needs_clang
def test_generators_give_known_numbers(tmp_path: Path) -> None:
    path = tmp_path / "numbers.cu"
    path.write_text(_TEXT)
    uniform, words = np.zeros(10, np.float32), np.zeros(10, np.uint32)
    xgpu.load(str(path), "host").kernels["numbers"][1, 10](uniform, words)
    assert np.abs(uniform - np.array(_UNIFORM)).max() < 1e-4
    assert words[:4].tolist() == list(_WORDS)


def _jumped(polynomial: int, state: list[int]) -> list[int]:
    total = [0] * curand_jumps.WORDS
    for i in range(curand_jumps.BITS):
        if polynomial >> i & 1:
            total = [a ^ b for a, b in zip(total, state, strict=True)]
        state = curand_jumps.step(state)
    return total


def test_jumps_are_as_many_steps() -> None:
    state = [123, 456, 789, 1011, 1213]
    polynomials = list(curand_jumps.jumps(curand_jumps.SEQUENCE + 64))
    for k, polynomial in enumerate(polynomials[:7]):
        expected = state
        for _ in range(1 << k):
            expected = curand_jumps.step(expected)
        assert _jumped(polynomial, state) == expected
    for half, whole in pairwise(polynomials[60:71]):
        assert _jumped(whole, state) == _jumped(half, _jumped(half, state))


def test_the_header_is_what_the_tool_writes() -> None:
    assert (curand_jumps.HEADER / "curand_jumps.h").read_text() == curand_jumps.header()
