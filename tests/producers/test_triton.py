# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of Triton: their PTX on the host device, against NumPy."""

from __future__ import annotations

import ctypes
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("triton", reason="Triton is not installed: pip install triton")

import triton.language as tl

import xgpu
from tests.producers import triton_kernels as kernels
from tests.producers.triton_kernels import Compiled, compiled
from tests.support import processes
from xgpu.host_device.device.memory_functions import encode_tensor_map

RNG = np.random.default_rng(11)
FLOATS = "*fp32:16 "
MATMUL = "i32 i32:16 i32:16 i32:16 i32:16 i32:16"


def launch(made: Compiled, grid: Any, *arguments: Any) -> None:
    """Runs the kernel. The two pointers that Triton adds are to memory for the whole launch."""
    module = xgpu.load(made.text, device="host", filename=f"{made.name}.ptx")
    blocks = grid if isinstance(grid, tuple) else (grid,)
    scratch = np.zeros(max(made.scratch * int(np.prod(blocks)), 1) + 128, np.uint8)
    start = -scratch.ctypes.data % 128
    kernel = module.kernels[made.name]
    kernel[grid, made.threads, None, made.shared](*arguments, scratch[start:], scratch[start:])


def normal(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


def brain(values: Any) -> Any:
    """Floats as the bits of bf16, rounded to the nearest even."""
    bits = values.view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def widened(bits: Any) -> Any:
    return (bits.astype(np.uint32) << 16).view(np.float32)


#: The values of the finite numbers of e4m3 by their bits.
E4M3 = np.array([
    (-1.0 if bits & 128 else 1.0)
    * ((bits & 7) / 8 + ((bits & 120) != 0)) * 2.0 ** (max(bits >> 3 & 15, 1) - 7)
    for bits in range(256)
], np.float32)  # fmt: skip


def product(a: Any, b: Any) -> Any:
    return a.astype(np.float32) @ b.astype(np.float32)


def tensor_map(made: Compiled, number: int, array: Any) -> Any:
    """The tensor map that a parameter takes."""
    meta = made.tensor_maps[number]
    rank = array.ndim
    record = (ctypes.c_int64 * (3 + 2 * rank))(array.address, array.address, 0)
    record[3 : 3 + rank] = array.shape
    record[3 + rank :] = array.strides
    box = (ctypes.c_int64 * rank)(*meta["block_size"])
    encoded = encode_tensor_map(
        rank, ctypes.addressof(record), meta["elem_type"], 0, meta["swizzle"], 0,
        ctypes.addressof(box),
    )  # fmt: skip
    return np.frombuffer(bytes(encoded).ljust(128, b"\0"), np.uint8).copy()


def test_add() -> None:
    x, y = normal(2, 5000)
    out = np.full(5100, -1, np.float32)
    made = compiled(kernels.add, "sm_80", FLOATS * 3 + "i32", {"BLOCK": 1024})
    launch(made, 5, x, y, out, 5000)
    np.testing.assert_array_equal(out[:5000], x + y)
    assert (out[5000:] == -1).all()


def test_softmax() -> None:
    x = normal(5, 1000)
    out = np.zeros_like(x)
    made = compiled(kernels.softmax, "sm_80", FLOATS * 2 + "i32 i32", {"BLOCK": 1024})
    launch(made, 5, out, x, 1000, 1000)
    powers = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(out, powers / powers.sum(1, keepdims=True), rtol=1e-5)


def test_layer_norm() -> None:
    x = normal(4, 700).astype(np.float16)
    weight, bias = normal(2, 700)
    out, mean = np.zeros_like(x), np.zeros(4, np.float32)
    types = "*fp16:16 *fp32:16 *fp32:16 *fp16:16 *fp32:16 i32 fp32"
    launch(compiled(kernels.layer_norm, "sm_90a", types, {"BLOCK": 256}),
           4, x, weight, bias, out, mean, 700, 1e-5)  # fmt: skip
    wide = x.astype(np.float64)
    centred = wide - wide.mean(1, keepdims=True)
    expected = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * weight + bias
    np.testing.assert_allclose(mean, wide.mean(1), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(out, expected, rtol=2e-3, atol=2e-3)


def matmul(chip: str, kind: str, a: Any, b: Any, out: Any, tile: tuple[int, int, int],
           ty: Any = tl.float32, result: str = "fp32") -> None:  # fmt: skip
    m, n, k = a.shape[0], b.shape[1], a.shape[1]
    constants = dict(zip(("BM", "BN", "BK"), tile, strict=True), TYPE=ty)
    made = compiled(kernels.matmul, chip, f"*{kind}:16 *{kind}:16 *{result}:16 {MATMUL}", constants)
    grid = -(-m // tile[0]), -(-n // tile[1])
    launch(made, grid, a, b, out, m, n, k, k, n, n)


def test_products_of_halves() -> None:
    a, b = normal(100, 80).astype(np.float16), normal(80, 96).astype(np.float16)
    out = np.zeros((100, 96), np.float16)
    matmul("sm_80", "fp16", a, b, out, (64, 64, 32), result="fp16")
    np.testing.assert_allclose(out, product(a, b), rtol=2e-3, atol=2e-3)


def test_products_in_tf32() -> None:
    a, b = normal(48, 80), normal(80, 48)
    out = np.zeros((48, 48), np.float32)
    matmul("sm_80", "fp32", a, b, out, (32, 32, 32))
    np.testing.assert_allclose(out, a @ b, rtol=1e-2, atol=1e-2)


def test_products_of_bytes() -> None:
    a = RNG.integers(-128, 128, (48, 96), np.int8)
    b = RNG.integers(-128, 128, (96, 48), np.int8)
    out = np.zeros((48, 48), np.int32)
    matmul("sm_80", "i8", a, b, out, (32, 32, 64), tl.int32, "i32")
    np.testing.assert_array_equal(out, a.astype(np.int32) @ b.astype(np.int32))


@pytest.mark.long
def test_products_of_bf16_by_warpgroups() -> None:
    a, b = brain(normal(80, 144)), brain(normal(144, 80))
    out = np.zeros((80, 80), np.float32)
    matmul("sm_90a", "bf16", a, b, out, (64, 64, 64))
    np.testing.assert_allclose(out, widened(a) @ widened(b), rtol=1e-5, atol=1e-4)


@pytest.mark.long
def test_products_of_fp8_by_warpgroups() -> None:
    a = (RNG.integers(0, 2, (64, 128)) * 128 + RNG.integers(0, 80, (64, 128))).astype(np.uint8)
    b = (RNG.integers(0, 2, (128, 64)) * 128 + RNG.integers(0, 80, (128, 64))).astype(np.uint8)
    out = np.zeros((64, 64), np.float32)
    matmul("sm_90a", "fp8e4nv", a, b, out, (64, 64, 64))
    np.testing.assert_allclose(out, E4M3[a] @ E4M3[b], rtol=1e-3, atol=1e-2)


@pytest.mark.long
def test_products_in_tensor_memory() -> None:
    a, b = normal(128, 128).astype(np.float16), normal(128, 64).astype(np.float16)
    out = np.zeros((128, 64), np.float32)
    matmul("sm_100a", "fp16", a, b, out, (128, 64, 64))
    np.testing.assert_allclose(out, product(a, b), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(("chip", "rows"), [("sm_90a", 64), ("sm_100a", 128)])
def test_products_by_tensor_maps(chip: str, rows: int) -> None:
    a, b = normal(2 * rows, 192).astype(np.float16), normal(192, 128).astype(np.float16)
    out = np.zeros((2 * rows, 128), np.float16)
    tiles = (f"[{rows},64]", "[64,64]", f"[{rows},64]")
    types = " ".join(f"tensordesc<fp16{tile}>" for tile in tiles) + " i32"
    made = compiled(kernels.matmul_descriptors, chip, types, {"BM": rows, "BN": 64, "BK": 64})
    given: list[Any] = []
    arrays = [xgpu.asarray(array, device="host") for array in (a, b, out)]
    for number, array in enumerate(arrays):
        # Behind the map: shape and strides, which this kernel does not read.
        given += [tensor_map(made, number, array), *array.shape, array.shape[1], 1]
    launch(made, (2, 2), *given, 192)
    out = arrays[2].numpy()
    np.testing.assert_allclose(out, product(a, b), rtol=2e-3, atol=2e-3)


@pytest.mark.long
@pytest.mark.parametrize(("chip", "rows"), [("sm_90a", 64), ("sm_100a", 128)])
def test_products_by_tensor_maps_of_the_kernel(chip: str, rows: int) -> None:
    a, b = normal(2 * rows, 128).astype(np.float16), normal(128, 128).astype(np.float16)
    out = np.zeros((2 * rows, 128), np.float16)
    made = compiled(kernels.matmul_device_descriptors, chip,
                    "*fp16:16 *fp16:16 *fp16:16 i32 i32:16 i32:16",
                    {"BM": rows, "BN": 64, "BK": 64})  # fmt: skip
    launch(made, (2, 2), a, b, out, 2 * rows, 128, 128)
    np.testing.assert_allclose(out, product(a, b), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize(
    ("chip", "rows"),
    [
        ("sm_80", 64),
        pytest.param("sm_90a", 64, marks=pytest.mark.long),
        pytest.param("sm_100a", 128, marks=pytest.mark.long),
    ],
)
def test_attention(chip: str, rows: int) -> None:
    length = 2 * rows
    q, k, v = normal(3, 2, length, 64).astype(np.float16)
    out = np.zeros((2, length, 64), np.float32)
    made = compiled(kernels.attention, chip, "*fp16:16 *fp16:16 *fp16:16 *fp32:16 fp32 i32:16",
                    {"DIM": 64, "BM": rows, "BN": 32 if chip == "sm_80" else 64})  # fmt: skip
    scale = 0.125
    launch(made, (2, 2), q, k, v, out, scale * np.log2(np.e), length)
    scores = q.astype(np.float32) @ k.astype(np.float32).transpose(0, 2, 1) * scale
    scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
    powers = np.exp(scores - scores.max(2, keepdims=True))
    expected = powers / powers.sum(2, keepdims=True) @ v.astype(np.float32)
    np.testing.assert_allclose(out, expected, rtol=5e-3, atol=5e-3)


def test_histogram() -> None:
    x = RNG.integers(0, 128, 3000).astype(np.int32)
    out = np.zeros(128, np.int32)
    types = "*i32:16 *i32:16 i32"
    launch(compiled(kernels.histogram, "sm_80", types, {"BINS": 128, "BLOCK": 1024}),
           3, x, out, 3000)  # fmt: skip
    np.testing.assert_array_equal(out, np.bincount(x, minlength=128))


def test_sort() -> None:
    x = normal(2, 256)
    out = np.zeros_like(x)
    launch(compiled(kernels.sort, "sm_90a", FLOATS * 2, {"BLOCK": 256}), 2, x, out)
    np.testing.assert_array_equal(out, np.sort(x))


def test_scans() -> None:
    x = normal(512)
    sums, states = np.zeros((2, 512), np.float32)
    launch(compiled(kernels.scans, "sm_80", FLOATS * 3, {"BLOCK": 512}), 1, x, sums, states)
    np.testing.assert_allclose(sums, np.cumsum(x.astype(np.float64)), rtol=1e-4, atol=1e-4)
    state, expected = 0.0, []
    for value in x:
        state = state * 0.5 + value
        expected.append(state)
    np.testing.assert_allclose(states, expected, rtol=1e-4, atol=1e-5)


def test_largest_and_where() -> None:
    x = normal(8, 100)
    values, places = np.zeros(8, np.float32), np.zeros(8, np.int32)
    types = "*fp32:16 *fp32:16 *i32:16 i32"
    launch(compiled(kernels.extremes, "sm_80", types, {"ROWS": 4, "BLOCK": 128}),
           2, x, values, places, 100)  # fmt: skip
    np.testing.assert_array_equal(values, x.max(1))
    np.testing.assert_array_equal(places, x.argmax(1))


def philox(seed: int, counter: Any) -> Any:
    """The first number of Philox 4x32 with ten rounds."""
    c = [counter.astype(np.uint64), *np.zeros((3, len(counter)), np.uint64)]
    low = np.uint64(0xFFFFFFFF)
    keys = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        first, third = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(third >> np.uint64(32)) ^ c[1] ^ np.uint64(keys[0]), third & low,
             (first >> np.uint64(32)) ^ c[3] ^ np.uint64(keys[1]), first & low]  # fmt: skip
        keys = [(keys[0] + 0x9E3779B9) & 0xFFFFFFFF, (keys[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0].astype(np.uint32)


def test_dropout() -> None:
    x = normal(1000)
    out, random = np.zeros_like(x), np.zeros(1000, np.int32)
    types = "*fp32:16 *fp32:16 *i32:16 i32 fp32 i32"
    launch(compiled(kernels.dropout, "sm_80", types, {"BLOCK": 512}),
           2, x, out, random, 1000, 0.5, 1234)  # fmt: skip
    bits = philox(1234, np.arange(1000))
    np.testing.assert_array_equal(random.view(np.uint32), bits)
    signed = bits.view(np.int32)
    uniform = np.where(signed < 0, -signed - 1, signed) * np.float32(4.6566127342e-10)
    np.testing.assert_array_equal(out, np.where(uniform > 0.5, x / 0.5, 0))


def test_atomics() -> None:
    n = 900
    x = RNG.random(n, np.float32)
    sums, halves = np.zeros(7, np.float32), np.zeros(5, np.float16)
    most, places = np.full(1, -1, np.int32), np.full(n, -1, np.int32)
    types = "*fp32:16 *fp32:16 *fp16:16 *i32:16 *i32:16 i32"
    launch(compiled(kernels.atomics, "sm_90a", types, {"BLOCK": 512}),
           2, x, sums, halves, most, places, n)  # fmt: skip
    at = np.arange(n)
    np.testing.assert_allclose(sums, [x[at % 7 == i].sum() for i in range(7)], rtol=1e-5)
    quarters = (x * 4).astype(int)
    np.testing.assert_array_equal(halves, [quarters[at % 5 == i].sum() for i in range(5)])
    assert most[0] == int((x * np.float32(1000)).max())
    np.testing.assert_array_equal(places, at)


def test_lock() -> None:
    x = RNG.integers(0, 100, (4, 256)).astype(np.float32)
    lock, total = np.zeros(1, np.int32), np.zeros(1, np.float32)
    made = compiled(kernels.locked, "sm_90a", "*i32:16 *fp32:16 *fp32:16", {"BLOCK": 256})
    launch(made, 4, lock, total, x)
    assert total[0] == x.sum()
    assert lock[0] == 0


def test_transposed() -> None:
    x = normal(112, 80).astype(np.float16)
    out = np.zeros((80, 112), np.float16)
    types = "*fp16:16 *fp16:16 i32:16 i32:16"
    launch(compiled(kernels.transposed, "sm_100a", types, {"BM": 64, "BN": 64}),
           (2, 2), x, out, 112, 80)  # fmt: skip
    np.testing.assert_array_equal(out, x.T)


def test_gathered() -> None:
    x, indices = normal(16, 32), RNG.integers(0, 32, (16, 32)).astype(np.int32)
    out = np.zeros_like(x)
    launch(compiled(kernels.gathered, "sm_80", "*fp32:16 *i32:16 *fp32:16",
                    {"ROWS": 16, "COLUMNS": 32}), 1, x, indices, out)  # fmt: skip
    np.testing.assert_array_equal(out, np.take_along_axis(x, indices, 1))


def test_functions() -> None:
    import math

    n = 400
    x = RNG.random(n, np.float32) * 3 + np.float32(0.01)
    out = np.zeros((8, n), np.float32)
    launch(compiled(kernels.functions, "sm_80", FLOATS * 2 + "i32", {"BLOCK": 256}), 2, x, out, n)
    wide = x.astype(np.float64)
    expected = [
        np.exp(wide), np.log(wide), np.sin(wide) + np.cos(wide), np.sqrt(wide) + 1 / np.sqrt(wide),
        np.array([math.erf(v) for v in wide]), np.floor(wide) + np.ceil(wide) + wide,
        wide / (wide + 2), wide * wide - wide,
    ]  # fmt: skip
    for found, wanted in zip(out, expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=2e-5)


def test_integers() -> None:
    n = 300
    x = RNG.integers(-(2**62), 2**62, n)
    y = RNG.integers(1, 2**40, n) * RNG.choice([-1, 1], n)
    out = np.zeros((4, n), np.int64)
    types = "*i64:16 *i64:16 *i64:16 i32"
    launch(compiled(kernels.integers, "sm_80", types, {"BLOCK": 256}), 2, x, y, out, n)
    quotient = np.array([int(abs(int(a)) // abs(int(b))) * (1 if (a < 0) == (b < 0) else -1)
                         for a, b in zip(x, y, strict=True)])  # fmt: skip
    np.testing.assert_array_equal(out[0], quotient)
    np.testing.assert_array_equal(out[1], x - quotient * y)
    high = [(int(a) % 2**64) * (int(b) % 2**64) >> 64 for a, b in zip(x, y, strict=True)]
    np.testing.assert_array_equal(out[2].view(np.uint64), np.array(high, np.uint64))
    np.testing.assert_array_equal(out[3], (x << (y & 31)) ^ (x >> 3) | (~y & 255))


def test_conversions() -> None:
    n = 300
    x = (RNG.standard_normal(n) * 30).astype(np.float32)
    halves, brains = np.zeros(n, np.float16), np.zeros(n, np.uint16)
    fives, small, back = np.zeros(n, np.uint8), np.zeros(n, np.int8), np.zeros(n, np.float32)
    types = "*fp32:16 *fp16:16 *bf16:16 *u8:16 *i8:16 *fp32:16 i32"
    launch(compiled(kernels.conversions, "sm_90a", types, {"BLOCK": 256}),
           2, x, halves, brains, fives, small, back, n)  # fmt: skip
    np.testing.assert_array_equal(halves, x.astype(np.float16))
    np.testing.assert_array_equal(brains, brain(x))
    np.testing.assert_array_equal(small, np.trunc(x).astype(np.int8))
    bits = halves.view(np.uint16)
    fives_of = (fives.astype(np.uint16) << 8).view(np.float16).astype(np.float32)
    assert (np.abs(fives_of - x) <= np.abs(x) / 8 + 2.0**-17).all()
    assert (fives >> 7 == bits >> 15).all()
    np.testing.assert_array_equal(back, fives_of + halves.astype(np.float32))


def test_inline_assembly() -> None:
    x, y = RNG.integers(-(2**31), 2**31, (2, 256)).astype(np.int32)
    out = np.zeros(256, np.int32)
    made = compiled(kernels.assembled, "sm_80", "*i32:16 *i32:16 *i32:16", {"BLOCK": 256})
    launch(made, 1, x, y, out)
    a, b = x.view(np.uint8).reshape(-1, 4), y.view(np.uint8).reshape(-1, 4)
    expected = np.stack([a[:, 0], b[:, 0], a[:, 1], b[:, 1]], 1).copy().view(np.uint32)[:, 0]
    np.testing.assert_array_equal(out.view(np.uint32), expected + np.uint32(1))


@pytest.mark.long
@pytest.mark.parametrize("chip", ["sm_90a", "sm_100a"])
def test_scaled_products(chip: str) -> None:
    m, n, k = 128, 64, 128
    a, b = RNG.integers(0, 96, (m, k), np.uint8), RNG.integers(0, 96, (k, n), np.uint8)
    a_scale = RNG.integers(122, 130, (m, 4), np.uint8)
    b_scale = RNG.integers(122, 130, (n, 4), np.uint8)
    out = np.zeros((m, n), np.float32)
    types = "*fp8e4nv:16 *u8:16 *fp8e4nv:16 *u8:16 *fp32:16"
    made = compiled(kernels.scaled_products, chip, types, {"M": m, "N": n, "K": k})
    launch(made, 1, a, a_scale, b, b_scale, out)
    x = E4M3[a] * np.repeat(2.0 ** (a_scale.astype(np.float64) - 127), 32, axis=1)
    y = E4M3[b] * np.repeat(2.0 ** (b_scale.astype(np.float64) - 127), 32, axis=1).T
    np.testing.assert_allclose(out, x @ y, rtol=1e-4, atol=1e-3)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("gcc") is None, reason="Triton compiles its launcher by gcc")
def test_programs_over_the_driver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What Triton's tutorials do, by its own launcher, autotuner and queries."""
    pytest.importorskip("cuda.bindings", reason="cuda-bindings is not installed")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    command = [
        sys.executable, "-m", "xgpu.tools.xgpu_cuda", sys.executable, "-m",
        "tests.producers.triton_programs",
    ]  # fmt: skip
    done = processes.run(command, capture_output=True, text=True, seconds=600)
    names = ("add", "softmax", "matmul", "layer_norm", "attention")
    assert done.stdout == "".join(f"{name} True\n" for name in names), done.stderr
