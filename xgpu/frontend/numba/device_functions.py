# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions for kernels in Python that numba has in Python too: random numbers, reductions.

The generator is xoroshiro128+ of Blackman and Vigna, seeded by splitmix64. Each state of an array
lies 2^64 numbers behind the one before it, so that threads do not meet.

What kernels call is made with the decorator of `xgpu.numba`, which stands above this package.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

#: The state of a generator.
STATE = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)

_JUMP = (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922)  # 2^64 steps
_BITS = 64
_WORD = (1 << _BITS) - 1
_States = npt.NDArray[np.uint64]  # (2, states): s0 and s1


def seeded(seed: int) -> tuple[int, int]:
    """The first state: a number of splitmix64, twice."""
    z = (seed + 0x9E3779B97F4A7C15) & _WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    z ^= z >> 31
    return z, z


def _rotated(x: npt.NDArray[np.uint64], k: int) -> npt.NDArray[np.uint64]:
    return (x << np.uint64(k)) | (x >> np.uint64(_BITS - k))


def _jumped(states: _States) -> _States:
    """The states 2^64 numbers later."""
    s0, s1 = states
    found = np.zeros_like(states)
    for word in _JUMP:
        for bit in range(_BITS):
            if word >> bit & 1:
                found ^= (s0, s1)
            mixed = s0 ^ s1
            s0 = _rotated(s0, 55) ^ mixed ^ (mixed << np.uint64(14))
            s1 = _rotated(mixed, 36)
    return found


def _as_bits(states: _States) -> npt.NDArray[np.float32]:
    """(states, 128) zeros and ones."""
    data = np.ascontiguousarray(states.T).view(np.uint8)
    return np.unpackbits(data, axis=1, bitorder="little").astype(np.float32)


def _as_states(bits: npt.NDArray[np.floating]) -> _States:
    parity = bits.astype(np.int32).astype(np.uint8) & 1
    return np.ascontiguousarray(np.packbits(parity, axis=1, bitorder="little").view(np.uint64).T)


def states(count: int, seed: int, start: int = 0) -> npt.NDArray[np.void]:
    """The states of `count` generators, the first `start` jumps behind that of the seed.

    A jump is linear in the bits of a state, so its matrix over the field of two elements, squared
    again and again, doubles how many states are known.
    """
    matrix = _as_bits(_jumped(_as_states(np.eye(2 * _BITS, dtype=np.float32))))
    known = _as_bits(np.array([[word] for word in seeded(seed)], np.uint64))
    bits, power = start, matrix
    while bits:
        if bits & 1:
            known = known @ power % 2
        power = power @ power % 2
        bits >>= 1
    while len(known) < count:
        known = np.concatenate([known, known @ matrix % 2])
        matrix = matrix @ matrix % 2
    made = np.empty(count, STATE)
    made["s0"], made["s1"] = _as_states(known[:count])
    return made


def random_functions(jit: Callable[..., Any], types: Any) -> SimpleNamespace:
    """The generator's functions for kernels. `types` has numba's types."""
    uint64, float32, float64 = types.uint64, types.float32, types.float64
    unit, turn = 2.0**-53, 2 * math.pi

    @jit(device=True)
    def xoroshiro128p_next(states, index):  # pyright: ignore
        s0 = states[index]["s0"]
        s1 = states[index]["s1"]
        result = s0 + s1
        s1 ^= s0
        states[index]["s0"] = ((s0 << uint64(55)) | (s0 >> uint64(9))) ^ s1 ^ (s1 << uint64(14))
        states[index]["s1"] = (s1 << uint64(36)) | (s1 >> uint64(28))
        return result

    @jit(device=True)
    def xoroshiro128p_uniform_float64(states, index):  # pyright: ignore
        return float64(xoroshiro128p_next(states, index) >> uint64(11)) * float64(unit)

    @jit(device=True)
    def xoroshiro128p_uniform_float32(states, index):  # pyright: ignore
        return float32(xoroshiro128p_uniform_float64(states, index))

    @jit(device=True)
    def xoroshiro128p_normal_float64(states, index):  # pyright: ignore
        u1 = xoroshiro128p_uniform_float64(states, index)
        u2 = xoroshiro128p_uniform_float64(states, index)
        return math.sqrt(float64(-2.0) * math.log(u1)) * math.cos(float64(turn) * u2)

    @jit(device=True)
    def xoroshiro128p_normal_float32(states, index):  # pyright: ignore
        u1 = xoroshiro128p_uniform_float32(states, index)
        u2 = xoroshiro128p_uniform_float32(states, index)
        return math.sqrt(float32(-2.0) * math.log(u1)) * math.cos(float32(turn) * u2)

    return SimpleNamespace(
        xoroshiro128p_dtype=STATE, xoroshiro128p_next=xoroshiro128p_next,
        xoroshiro128p_uniform_float32=xoroshiro128p_uniform_float32,
        xoroshiro128p_uniform_float64=xoroshiro128p_uniform_float64,
        xoroshiro128p_normal_float32=xoroshiro128p_normal_float32,
        xoroshiro128p_normal_float64=xoroshiro128p_normal_float64,
    )  # fmt: skip


#: Threads of a block that reduces, and the most blocks.
THREADS, BLOCKS = 128, 64


def reduction(
    cuda: ModuleType, function: Callable[..., object], element: object
) -> Callable[..., object]:
    """The kernel by which each block reduces a part of an array to one value of `partial`.

    kernel[blocks, THREADS](values, size, partial); no block is without values.
    """
    combined = cuda.jit(device=True)(function)
    threads = THREADS

    @cuda.jit
    def reduced(values, size, partial):  # pyright: ignore
        held = cuda.shared.array(threads, element)
        thread = cuda.threadIdx.x
        at = cuda.grid(1)
        step = cuda.gridsize(1)
        if at < size:
            total = values[at]
            at += step
            while at < size:
                total = combined(total, values[at])
                at += step
            held[thread] = total
        width = min(threads, size - cuda.blockIdx.x * threads)
        while width > 1:
            half = (width + 1) // 2
            cuda.syncthreads()
            if thread + half < width:
                held[thread] = combined(held[thread], held[thread + half])
            width = half
        if thread == 0:
            partial[cuda.blockIdx.x] = held[0]

    return reduced
