# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of tinygrad: their PTX on the host device, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad", reason="tinygrad is not installed: pip install tinygrad")

import xgpu
from tests.producers import tinygrad_kernels as kernels

RNG = np.random.default_rng(3)


def computed(
    build: Callable[..., Any], *arrays: Any, chip: str = "sm_80", kernels_at_least: int = 1
) -> Any:
    """What `build` makes of tensors, as bytes of the result, by the kernels that it becomes."""
    tensors = [kernels.tensor(array) for array in arrays]
    result = build(*tensors).contiguous()
    steps = kernels.steps_of(result, chip)
    assert len(steps) >= kernels_at_least
    memory = {kernels.key_of(t): array for t, array in zip(tensors, arrays, strict=True)}
    for step in steps:
        given = [memory.setdefault(key, kernels.array_of(key)) for key in step.buffers]
        module = xgpu.load(step.text, device="host", filename=f"{step.name}.ptx")
        module.kernels[step.name][step.grid, step.block](*given)
    return memory[kernels.key_of(result)]


def floats(*shape: int, dtype: Any = np.float32) -> Any:
    return RNG.standard_normal(shape).astype(dtype)


def near(found: Any, wanted: Any, dtype: Any = np.float32, tolerance: float = 1e-5) -> None:
    found = found.view(dtype).reshape(wanted.shape)
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


def equal(found: Any, wanted: Any) -> None:
    np.testing.assert_array_equal(found.view(wanted.dtype).reshape(wanted.shape), wanted)


def test_elementwise() -> None:
    a, b = floats(2, 1000)
    near(computed(lambda x, y: (x + y) * 2 - x.maximum(y), a, b), (a + b) * 2 - np.maximum(a, b))


def test_sum() -> None:
    a = floats(100, 257)
    near(computed(lambda x: x.sum(1), a), a.sum(1), tolerance=1e-4)
    near(computed(lambda x: x.sum(), a), np.array([a.sum()]), tolerance=1e-3)


def test_sum_in_groups() -> None:
    """A long row by the threads of a block, through shared memory."""
    a = floats(2, 16384)
    near(computed(lambda x: x.sum(1), a), a.sum(1), tolerance=1e-3)


def test_softmax() -> None:
    a = floats(16, 300)
    powers = np.exp(a - a.max(1, keepdims=True))
    near(computed(lambda x: x.softmax(1), a), powers / powers.sum(1, keepdims=True))


def test_layer_norm() -> None:
    a = floats(12, 128)
    centred = a - a.mean(1, keepdims=True)
    expected = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
    near(computed(lambda x: x.layernorm(), a), expected, tolerance=1e-4)


def test_matmul() -> None:
    a, b = floats(96, 64), floats(64, 80)
    near(computed(lambda x, y: x @ y, a, b), a @ b, tolerance=1e-4)


def test_matmul_by_tensor_cores() -> None:
    a, b = floats(64, 64, dtype=np.float16), floats(64, 64, dtype=np.float16)
    seen: list[str] = []

    def product(x: Any, y: Any) -> Any:
        result = x.matmul(y, dtype=kernels.dtypes.float)
        seen.extend(step.text for step in kernels.steps_of(result, "sm_80"))
        return x.matmul(y, dtype=kernels.dtypes.float)

    near(computed(product, a, b), a.astype(np.float32) @ b.astype(np.float32), tolerance=1e-4)
    assert "mma.sync.aligned.m16n8k16" in seen[0]


def test_matrix_by_vector() -> None:
    a, v = floats(128, 256), floats(256)
    near(computed(lambda x, y: x @ y, a, v), a @ v, tolerance=1e-4)


def test_convolution() -> None:
    x, w = floats(2, 3, 12, 12), floats(4, 3, 3, 3)
    expected = np.zeros((2, 4, 10, 10), np.float32)
    for i in range(3):
        for j in range(3):
            expected += np.einsum("bchw,oc->bohw", x[:, :, i : i + 10, j : j + 10], w[:, :, i, j])
    near(computed(lambda a, b: a.conv2d(b), x, w), expected, tolerance=1e-4)


def test_pooling() -> None:
    x = floats(2, 3, 8, 8)
    expected = x.reshape(2, 3, 4, 2, 4, 2).max((3, 5))
    near(computed(lambda a: a.max_pool2d(), x), expected)


def test_padding_and_strides() -> None:
    x = floats(10, 14)
    expected = np.pad(x, ((1, 2), (3, 0)))[::-1, ::2]
    equal(computed(lambda a: a.pad(((1, 2), (3, 0))).flip(0)[:, ::2], x), expected)


def test_transpose_and_reshape() -> None:
    x = floats(6, 8, 10)
    equal(computed(lambda a: a.permute(2, 0, 1).reshape(20, 24), x),
          np.ascontiguousarray(x.transpose(2, 0, 1)).reshape(20, 24))  # fmt: skip


def test_running_sum() -> None:
    x = floats(5, 700)
    near(computed(lambda a: a.cumsum(1), x), x.cumsum(1), tolerance=1e-3)


def test_largest_and_where() -> None:
    x = floats(9, 50)
    equal(computed(lambda a: a.argmax(1), x), x.argmax(1).astype(np.int32))


def test_gather() -> None:
    x, at = floats(40, 7), RNG.integers(0, 40, 25).astype(np.int32)
    equal(computed(lambda a, i: a[i], x, at), x[at])


def test_one_hot_and_where() -> None:
    x = RNG.integers(0, 10, 33).astype(np.int32)
    equal(computed(lambda a: (a.one_hot(10) == 1).where(3, -1).cast(kernels.dtypes.int), x),
          np.where(np.eye(10)[x] == 1, 3, -1).astype(np.int32))  # fmt: skip


def test_functions() -> None:
    x = RNG.random(500, np.float32) * 4 + np.float32(0.1)
    wide = x.astype(np.float64)
    expected = np.exp(-wide) + np.log(wide) + np.sin(wide) + np.sqrt(wide) + 1 / wide
    found = computed(lambda a: (-a).exp() + a.log() + a.sin() + a.sqrt() + 1 / a, x)
    near(found, expected, tolerance=1e-4)


def test_gelu_and_sigmoid() -> None:
    x = floats(400)
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    expected = 0.5 * x * (1 + np.tanh(inner)) + 1 / (1 + np.exp(-x))
    near(computed(lambda a: a.gelu() + a.sigmoid(), x), expected)


def test_integers() -> None:
    x = RNG.integers(-1000, 1000, 300).astype(np.int32)
    y = RNG.integers(1, 50, 300).astype(np.int32)
    equal(computed(lambda a, b: (a // b) * 3 + a % b - (a & b) + (a ^ 5), x, y),
          (x // y) * 3 + x % y - (x & y) + (x ^ 5))  # fmt: skip


def test_long_integers_and_shifts() -> None:
    x = RNG.integers(-(2**40), 2**40, 200)
    equal(computed(lambda a: (a * 3 + 1) // 7 + (a < 0).cast(kernels.dtypes.long), x),
          (x * 3 + 1) // 7 + (x < 0))  # fmt: skip


def test_bytes() -> None:
    x = RNG.integers(0, 256, 500).astype(np.uint8)
    equal(computed(lambda a: (a + 7) * 2, x), (x + np.uint8(7)) * np.uint8(2))
    equal(computed(lambda a: a.cast(kernels.dtypes.char), x), x.astype(np.int8))


def test_bools() -> None:
    x, y = floats(2, 300)
    equal(computed(lambda a, b: (a > b) & (a != 0) | ~(b < 0), x, y), (x > y) & (x != 0) | ~(y < 0))


def test_halves() -> None:
    x, y = floats(2, 300, dtype=np.float16)
    near(computed(lambda a, b: a * b + a, x, y), x * y + x, np.float16, tolerance=2e-3)


def test_doubles() -> None:
    x = floats(300, dtype=np.float64)
    near(computed(lambda a: a * a + 1 / (a * a + 1), x), x * x + 1 / (x * x + 1), np.float64, 1e-12)


def test_attention() -> None:
    q, k, v = floats(3, 2, 16, 32)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(32)
    powers = np.exp(scores - scores.max(2, keepdims=True))
    expected = powers / powers.sum(2, keepdims=True) @ v
    found = computed(lambda a, b, c: a.scaled_dot_product_attention(b, c), q, k, v)
    near(found, expected, tolerance=1e-4)


def test_sort() -> None:
    x = floats(3, 16)
    equal(computed(lambda a: a.sort(1)[0], x, kernels_at_least=2), np.sort(x, 1))
