# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels at every block size, on several processors, against numpy and the plain model.

Where a value lies that crosses a barrier depends on the size of a block, and what LLVM makes of a
claim on the processor: a defect of one of them must not need it to be found.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.fuzz import kernel_runs
from tests.support.host_targets import LEVELS, PROCESSORS, missing
from tests.support.kernel_launch import host_object
from tests.support.some_cases import long_each, long_first, short
from tests.support.strategy_codes import STRATEGIES, StrategyCodes
from tests.support.typed_kernels import TypedKernel
from xgpu.host_device.machine.cpu import HostTarget, compile_ir, host_target, made_for

SIZES = range(32, 1025, 32)
SHORT = (32, 160, 1024)
#: All of them but those that are named where they are used.
MORE_SIZES = [size for size in SIZES if size not in (96, 256, 480, 1024)]


def _kernel(body: str, shared: str = "") -> str:
    return f"""
    module attributes {{gpu.container_module}} {{
      gpu.module @m {{
        gpu.func @k(%in: memref<?xf32>, %out: memref<?xf32>) {shared} kernel {{
          %i = gpu.thread_id x
          %n = gpu.block_dim x
          %b = gpu.block_id x
          %first = arith.muli %b, %n : index
          %at = arith.addi %first, %i : index
          %x = memref.load %in[%at] : memref<?xf32>
          {body}
          gpu.return
        }}
      }}
    }}
    """


#: x - sum(x), and the sum of that: a mask of lanes lives across the barriers.
TWO_SUMS = _kernel("""
          %s = gpu.all_reduce add %x uniform {} : (f32) -> f32
          %d = arith.subf %x, %s : f32
          %t = gpu.all_reduce add %d uniform {} : (f32) -> f32
          memref.store %t, %out[%at] : memref<?xf32>""")
#: The softmax of a block's elements.
SOFTMAX = _kernel("""
          %m = gpu.all_reduce maximumf %x uniform {} : (f32) -> f32
          %d = arith.subf %x, %m : f32
          %e = math.exp %d : f32
          %s = gpu.all_reduce add %e uniform {} : (f32) -> f32
          %q = arith.divf %e, %s : f32
          memref.store %q, %out[%at] : memref<?xf32>""")
#: What differs among lanes and lives across barriers: i1, i8, i16, i64, f16, a pair.
TYPES = _kernel("""
          %zero = arith.constant 0.0 : f32
          %hundred = arith.constant 100.0 : f32
          %c = arith.cmpf ogt, %x, %zero : f32
          %y = arith.mulf %x, %hundred : f32
          %w = arith.fptosi %y : f32 to i32
          %i8 = arith.trunci %w : i32 to i8
          %i16 = arith.trunci %w : i32 to i16
          %i64 = arith.extsi %w : i32 to i64
          %f16 = arith.truncf %x : f32 to f16
          %p = vector.from_elements %x, %y : vector<2xf32>
          gpu.barrier
          %a = arith.extsi %i8 : i8 to i32
          %e = arith.extsi %i16 : i16 to i32
          %f = arith.trunci %i64 : i64 to i32
          %g = arith.extf %f16 : f16 to f32
          %h = vector.extract %p[1] : f32 from vector<2xf32>
          %ae = arith.addi %a, %e : i32
          %aef = arith.addi %ae, %f : i32
          %number = arith.sitofp %aef : i32 to f32
          gpu.barrier
          %chosen = arith.select %c, %g, %h : f32
          %sum = arith.addf %number, %chosen : f32
          memref.store %sum, %out[%at] : memref<?xf32>""")


#: The sum and the largest of the numbers of threads: exact, and each thread counts.
REDUCED = _kernel("""
          %w = arith.index_cast %i : index to i32
          %s = gpu.all_reduce add %w uniform {} : (i32) -> i32
          %l = gpu.all_reduce maxsi %w uniform {} : (i32) -> i32
          %sl = arith.addi %s, %l : i32
          %f = arith.sitofp %sl : i32 to f32
          memref.store %f, %out[%at] : memref<?xf32>""")


def _two_sums(x: Any) -> Any:
    s = x.sum(axis=1, keepdims=True)
    return np.broadcast_to((x - s).sum(axis=1, keepdims=True), x.shape)


def _softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _types(x: Any) -> Any:
    y = x * np.float32(100)
    w = y.astype(np.int32)
    number = w.astype(np.int8).astype(np.int32) + w.astype(np.int16) + w
    chosen = np.where(x > 0, x.astype(np.float16).astype(np.float32), y)
    return number.astype(np.float32) + chosen


def _reduced(x: Any) -> Any:
    numbers = np.arange(x.shape[1])
    return np.full(x.shape, numbers.sum() + numbers[-1], np.float32)


KERNELS = {"two sums": (TWO_SUMS, _two_sums), "softmax": (SOFTMAX, _softmax),
           "types": (TYPES, _types)}  # fmt: skip
_objects: dict[str, bytes] = {}


def codes_of(name: str, size: int) -> StrategyCodes:
    return _codes(KERNELS[name][0], size)


def _codes(text: str, size: int) -> StrategyCodes:
    data = _objects.get(text)
    if data is None:
        data = _objects[text] = host_object(text)
    return StrategyCodes(data, "k", (size, 1, 1))


def check(name: str, size: int, strategies: tuple[str, ...] = STRATEGIES, level: int = 2) -> None:
    """The kernel's results for two blocks of that size in each strategy."""
    given = np.random.default_rng(size).uniform(-1, 1, (2, size)).astype(np.float32)
    wanted = KERNELS[name][1](given.astype(np.float64) if name != "types" else given)
    codes = codes_of(name, size)
    for strategy in strategies:
        found = np.full(2 * size, np.nan, np.float32)
        codes.launch(strategy, level, 2, given.reshape(-1).copy(), found)
        np.testing.assert_allclose(
            found.reshape(2, size), wanted, rtol=2e-5, atol=2e-5 * size, err_msg=strategy
        )


@pytest.mark.parametrize(
    ("name", "size"),
    short(product(KERNELS, SIZES), *((name, 160) for name in KERNELS), ("two sums", 32),
          ("softmax", 1024)),
)  # fmt: skip
def test_every_size(name: str, size: int) -> None:
    check(name, size, STRATEGIES if size in SHORT[:2] else STRATEGIES[:2])


@pytest.mark.parametrize("subgroups", [3, *long_each([1, 2, *range(4, 33)], 4)])
def test_reductions_of_any_number_of_subgroups(subgroups: int) -> None:
    """The threads of the first subgroup that reduce the others' results differ in what they have:
    the one with all of it stores it."""
    size = 32 * subgroups
    codes = _codes(REDUCED, size)
    for strategy in STRATEGIES:
        found = np.full(2 * size, np.nan, np.float32)
        codes.launch(strategy, 0, 2, np.zeros(2 * size, np.float32), found)
        rows = found.reshape(2, size)
        np.testing.assert_array_equal(rows, _reduced(rows), strategy)


@pytest.mark.parametrize("size", [96, *long_each((size for size in SIZES if size != 96), 5)])
def test_every_size_against_the_model(size: int) -> None:
    kernel = TypedKernel(size, (size, 1, 1))
    found = kernel_runs.check_kernel(kernel.text, kernel, size, 1)
    assert found is None, kernel.text


def _made_for(processor: str) -> HostTarget:
    if why := missing(processor):
        pytest.skip(why)
    return host_target()._replace(processor=processor)


@pytest.mark.parametrize("size", [96, *long_first([480, 1024, 256, *MORE_SIZES], 2)])
@pytest.mark.parametrize("processor", short(PROCESSORS[1:], PROCESSORS[1]))
def test_every_processor(processor: str, size: int) -> None:
    with made_for(_made_for(processor)):
        for name in KERNELS:
            check(name, size, STRATEGIES[:2])


@pytest.mark.parametrize("processor", PROCESSORS[1:])
@pytest.mark.parametrize("first", long_first(range(0, 200, 20)))
def test_random_kernels_on_every_processor(processor: str, first: int) -> None:
    with made_for(_made_for(processor)):
        for seed in range(first, first + 20):
            text = kernel_runs.text_of(seed)
            assert kernel_runs.check(text, seed) is None, text


@pytest.mark.parametrize("processor", LEVELS)
def test_code_is_made_for_every_processor(processor: str) -> None:
    """Whether this machine runs it or not."""
    import platform

    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip(f"LLVM makes code for {platform.machine()}")
    # Each kernel for one processor, and all strategies for each: LLVM is what is looked at.
    name = list(KERNELS)[list(LEVELS).index(processor) % len(KERNELS)]
    texts = [codes_of(name, 160)._text(strategy)[0] for strategy in STRATEGIES[:2]]
    with made_for(HostTarget(processor)):
        found = [compile_ir(text, 2) for text in texts]
    assert all(code.startswith(b"\x7fELF") for code in found) or platform.system() != "Linux"


def test_what_code_is_made_for_is_part_of_keys() -> None:
    from xgpu.host_device.machine.cpu import description

    described = {description()}
    for target in (HostTarget("x86-64-v2"), HostTarget("x86-64-v3"), HostTarget("", True),
                   HostTarget("x86-64-v2", True)):  # fmt: skip
        with made_for(target):
            described.add(description())
    assert len(described) == (4 if host_target().is_checked else 5)
    assert HostTarget.named("checked,x86-64-v3") == HostTarget("x86-64-v3", True)
    assert HostTarget.named("") == HostTarget("", False)
