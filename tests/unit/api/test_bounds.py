# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on the host device are kept in the arrays that Python gives them."""

from __future__ import annotations

import array
import os
import pathlib
import random
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import xgpu
from tests.support import processes
from tests.support.bounded_kernels import INDEX, STORE, X, floats, launch, loaded, missed, untouched
from tests.support.kernel_launch import host_object
from tests.support.some_cases import each
from tests.support.strategy_codes import StrategyCodes
from xgpu.core.ir.errors import DeviceError, UsageError

# -- what is said


def test_a_store_behind_the_end() -> None:
    x = floats(1000)
    said = missed(X, STORE, x)
    assert said.startswith(
        "kernel 'k', argument 'x': store to element 1000 of memref<?xf32> of 1000 elements, by "
        "thread (232, 0, 0) of block (3, 0, 0) (k.mlir:"
    )
    line = int(re.findall(r"k\.mlir:(\d+):\d+", said)[0])
    assert STORE in loaded(X, STORE).source.splitlines()[line - 1]
    assert untouched(x)


def test_a_load_behind_the_end() -> None:
    body = "%v = memref.load %x[%i] : memref<?xf32>\n memref.store %v, %y[%i] : memref<?xf32>"
    said = missed(f"{X}, %y: memref<?xf32>", body, floats(1000), floats(1024))
    assert "argument 'x': load from element 1000 of memref<?xf32> of 1000 elements" in said


def test_an_array_of_the_device() -> None:
    kernel = loaded(X, STORE).kernels["k"]
    x = xgpu.zeros((1000,), "float32", device="host")
    kernel[4, 256](x)
    with pytest.raises(DeviceError, match="argument 'x': store to element 1000 of memref"):
        x.numpy()
    kernel[4, 250](x)  # the stream serves again
    assert x.numpy().sum() == 1000


def test_other_arrays() -> None:
    assert "element 100 of" in missed(X, STORE, array.array("f", [0] * 100), grid=1)
    torch = pytest.importorskip("torch")
    assert "element 100 of" in missed(X, STORE, torch.zeros(100), grid=1)


@pytest.mark.parametrize(
    ("by", "index"), [(-1, -1), (-1000, -1000), (1 << 40, 1 << 40), (-(1 << 40), -(1 << 40))]
)
def test_by_one_and_by_far(by: int, index: int) -> None:
    body = f"""
    %by = arith.constant {by} : index
    %j = arith.addi %i, %by : index
    memref.store %one, %x[%j] : memref<?xf32>"""
    x = floats(1024)
    assert f"store to element {index} of" in missed(X, body, x)
    assert untouched(x)


ELEMENTS = [("i1", "bool"), ("i8", "int8"), ("i16", "int16"), ("i32", "int32"), ("i64", "int64"),
            ("f16", "float16"), ("f32", "float32"), ("f64", "float64")]  # fmt: skip


@pytest.mark.parametrize(("type", "dtype"), ELEMENTS)
def test_element_types(type: str, dtype: str) -> None:
    one = "true" if type == "i1" else "1.0" if type.startswith("f") else "1"
    literal = one if type == "i1" else f"{one} : {type}"
    body = f"""
    %v = arith.constant {literal}
    memref.store %v, %a[%i] : memref<?x{type}>"""
    kernel = loaded(f"%a: memref<?x{type}>", body).kernels["k"]
    whole = np.zeros(2000, dtype)
    kernel[4, 256](whole[:1024])
    assert whole.sum() == 1024
    whole[:] = 0
    with pytest.raises(DeviceError, match="store to element 1023 of"):
        kernel[4, 256](whole[:1023])
    assert not whole[1023:].any()


def test_two_dimensions() -> None:
    body = """
    %w = arith.constant 16 : index
    %r = arith.divui %i, %w : index
    %c = arith.remui %i, %w : index
    memref.store %one, %x[%r, %c] : memref<?x16xf32>"""
    launch("%x: memref<?x16xf32>", body, np.zeros((64, 16), np.float32))
    said = missed("%x: memref<?x16xf32>", body, np.zeros((63, 16), np.float32))
    assert "element [63, 0] of memref<?x16xf32> of 63x16 elements" in said


STRIDED = "strided<[?, ?], offset: ?>"


def test_strided_views() -> None:
    ty = f"memref<?x?xf32, {STRIDED}>"
    body = f"""
    %w = arith.constant 16 : index
    %r = arith.divui %i, %w : index
    %c = arith.remui %i, %w : index
    memref.store %one, %x[%r, %c] : {ty}"""
    whole = np.zeros((70, 40), np.float32)
    launch(f"%x: {ty}", body, whole[:64, :32:2])
    assert whole.sum() == 1024
    assert "element [63, 0]" in missed(f"%x: {ty}", body, whole[:63, :32:2])
    assert "element [63, 0]" in missed(f"%x: {ty}", body, whole[:63].T[:32:2].T)
    assert "element [63, 0]" in missed(f"%x: {ty}", body, whole[69:6:-1, 31::-2])


def test_a_view_that_goes_backwards() -> None:
    ty = "memref<?xf32, strided<[?], offset: ?>>"
    body = f"memref.store %one, %x[%i] : {ty}"
    whole = np.zeros(4000, np.float32)
    launch(f"%x: {ty}", body, whole[3000:952:-2])
    assert whole[954:3001:2].sum() == 1024
    said = missed(f"%x: {ty}", body, whole[3000:1000:-2])
    assert "store to element 1000 of" in said


def test_vectors_of_elements() -> None:
    body = """
    %c4 = arith.constant 4 : index
    %j = arith.muli %i, %c4 : index
    %v = vector.load %x[%j] : memref<?xf32>, vector<4xf32>
    vector.store %v, %x[%j] : memref<?xf32>, vector<4xf32>"""
    launch(X, body, floats(4096))
    assert "load of 16 bytes at element 4092 of" in missed(X, body, floats(4094))


def test_atomic_operations() -> None:
    body = "%old = memref.atomic_rmw addf %one, %x[%i] : (f32, memref<?xf32>) -> f32"
    launch(X, body, floats(1024))
    assert "atomic operation on element 1000 of" in missed(X, body, floats(1000))


def test_an_index_from_memory() -> None:
    body = """
    %j = memref.load %n[%i] : memref<?xi64>
    %k = arith.index_cast %j : i64 to index
    memref.store %one, %x[%k] : memref<?xf32>"""
    indices = np.arange(1024)[::-1].copy()
    launch(f"{X}, %n: memref<?xi64>", body, floats(1024), indices)
    indices[700] = -3
    x = floats(1024)
    said = missed(f"{X}, %n: memref<?xi64>", body, x, indices)
    assert "store to element -3" in said
    assert "thread (188, 0, 0) of block (2, 0, 0)" in said
    assert untouched(x)


POINTER = """
    %j = arith.index_cast %i : index to i64
    %p = llvm.getelementptr %x[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
"""


def test_pointers() -> None:
    body = POINTER + "llvm.store %one, %p : f32, !llvm.ptr"
    launch("%x: !llvm.ptr", body, floats(1024))
    said = missed("%x: !llvm.ptr", body, floats(1000))
    assert "argument 'x': store to element 1000 of an array of 1000 elements" in said
    x = floats(1000)
    launch("%x: !llvm.ptr", body, x.ctypes.data)  # an address has no bounds
    assert x.base[5096:5120].all()


def test_inline_assembly() -> None:
    asm = 'llvm.inline_asm has_side_effects "st.global.f32 [$0], $1;", "l,f" %p, %one'
    body = f"{POINTER} {asm} : (!llvm.ptr, f32) -> ()"
    launch("%x: !llvm.ptr", body, floats(1024))
    assert "store to element 1000" in missed("%x: !llvm.ptr", body, floats(1000))
    integers = f"""
    %j = arith.index_cast %i : index to i64
    %c4 = arith.constant 4 : i64
    %far = arith.muli %j, %c4 : i64
    %begin = llvm.ptrtoint %x : !llvm.ptr to i64
    %p = arith.addi %begin, %far : i64
    {asm} : (i64, f32) -> ()"""
    launch("%x: !llvm.ptr", integers, floats(1024))
    assert "store to element 1000" in missed("%x: !llvm.ptr", integers, floats(1000))


def test_ranges_of_bytes() -> None:
    copy = """
    %n = arith.constant 64 : i64
    "llvm.intr.memcpy"(%x, %y, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()"""
    both = "%x: !llvm.ptr, %y: !llvm.ptr"
    launch(both, copy, floats(16), floats(16), grid=1, block=1)
    said = missed(both, copy, floats(16), floats(15), grid=1, block=1)
    assert "argument 'y': load of 64 bytes at element 0 of an array of 15 elements" in said
    fill = """
    %z = arith.constant 0 : i8
    "llvm.intr.memset"(%x, %z, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()"""
    given = "%x: !llvm.ptr, %n: i64"
    launch(given, fill, floats(16), 64, block=32)
    launch(given, fill, floats(0), 0, block=32)
    assert "store of 65 bytes at element 0" in missed(given, fill, floats(16), 65, block=32)
    assert "store of" in missed(given, fill, floats(16), -1, block=32)


SHARED = "memref<1024xf32, #gpu.address_space<workgroup>>"


def test_copies_that_come_later() -> None:
    body = f"""
    %s = memref.get_global @s : {SHARED}
    %c4 = arith.constant 4 : index
    %j = arith.muli %t, %c4 : index
    %token = nvgpu.device_async_copy %x[%j], %s[%j], 4 : memref<?xf32> to {SHARED}
    %group = nvgpu.device_async_create_group %token
    nvgpu.device_async_wait %group {{numGroups = 0 : i32}}
    gpu.barrier
    %v = memref.load %s[%t] : {SHARED}
    memref.store %v, %y[%t] : memref<?xf32>"""
    before = f"memref.global @s : {SHARED}"
    both = f"{X}, %y: memref<?xf32>"
    kernel = loaded(both, body, before).kernels["k"]
    kernel[1, 256](floats(1024), floats(256))
    with pytest.raises(DeviceError, match=r"'x': copy of 16 bytes at element 1020 of .*255, 0, 0"):
        kernel[1, 256](floats(1020), floats(256))


def test_tensor_cores() -> None:
    matrix = '!gpu.mma_matrix<16x16xf16, "COp">'
    body = f"""
    %m = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {{leadDimension = 16 : index}}
      : memref<?x16xf16> -> {matrix}
    gpu.subgroup_mma_store_matrix %m, %y[%c0, %c0] {{leadDimension = 16 : index}}
      : {matrix}, memref<?x16xf16>"""
    kernel = loaded("%x: memref<?x16xf16>, %y: memref<?x16xf16>", body).kernels["k"]
    whole, less = np.ones((16, 16), np.float16), np.zeros((15, 16), np.float16)
    kernel[1, 32](whole, np.zeros((16, 16), np.float16))
    with pytest.raises(DeviceError, match="'x': load of 512 bytes at element"):
        kernel[1, 32](less, whole)
    with pytest.raises(DeviceError, match="'y': store of 512 bytes at element"):
        kernel[1, 32](whole, less)


def test_functions_that_kernels_call() -> None:
    before = """
  func.func @put(%a: memref<?xf32>, %i: index, %b: memref<?xf32>) attributes {no_inline} {
    %v = memref.load %b[%i] : memref<?xf32>
    memref.store %v, %a[%i] : memref<?xf32>
    return
  }"""
    body = "func.call @put(%y, %i, %x) : (memref<?xf32>, index, memref<?xf32>) -> ()"
    kernel = loaded(f"{X}, %y: memref<?xf32>", body, before).kernels["k"]
    kernel[4, 256](floats(1024), floats(1024))
    with pytest.raises(DeviceError, match="'y': store to element 1000 of"):
        kernel[4, 256](floats(1024), floats(1000))
    with pytest.raises(DeviceError, match="'x': load from element 1000 of"):
        kernel[4, 256](floats(1000), floats(1024))


def test_addresses_share_what_they_are_computed_from() -> None:
    """What computes an address moves before the first access, in its order: `%u` has been left
    behind by the first move and goes with the second."""
    body = """
    %first = memref.load %x[%i] : memref<?xf32>
    %a = arith.addi %i, %c1 : index
    %a2 = arith.muli %a, %c2 : index
    %a3 = arith.subi %a2, %i : index
    %a4 = arith.subi %a3, %c2 : index
    %u = arith.muli %i, %c3 : index
    %second = memref.load %y[%a4] : memref<?xf32>
    %w = arith.subi %u, %i : index
    %w2 = arith.subi %w, %i : index
    %sum = arith.addf %first, %second : f32
    memref.store %sum, %z[%w2] : memref<?xf32>"""
    constants = "%c2 = arith.constant 2 : index\n    %c3 = arith.constant 3 : index"
    arrays = f"{X}, %y: memref<?xf32>, %z: memref<?xf32>"
    x, y, z = (floats(128) for _ in range(3))
    x[:], y[:] = range(128), 1
    loaded(arrays, f"    {constants}{body}").kernels["k"][4, 32](x, y, z)
    assert z.tolist() == (x + 1).tolist()


# -- where arrays meet


def test_one_of_two_arrays() -> None:
    body = """
    %odd = arith.andi %i, %c1 : index
    %even = arith.cmpi eq, %odd, %c0 : index
    %m = arith.select %even, %x, %y : memref<?xf32>
    memref.store %one, %m[%i] : memref<?xf32>"""
    both = f"{X}, %y: memref<?xf32>"
    launch(both, body, floats(1023), floats(1024))
    said = missed(both, body, floats(1023), floats(1001))
    assert "argument 'y': store to element 1001" in said


def test_two_arrays_in_turns() -> None:
    body = """
    %c4 = arith.constant 4 : index
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%p = %x, %q = %y)
        -> (memref<?xf32>, memref<?xf32>) {
      %v = memref.load %p[%i] : memref<?xf32>
      memref.store %v, %q[%i] : memref<?xf32>
      scf.yield %q, %p : memref<?xf32>, memref<?xf32>
    }"""
    both = f"{X}, %y: memref<?xf32>"
    launch(both, body, floats(1024), floats(1024))
    assert "argument 'y': store to element 1001" in missed(both, body, floats(1024), floats(1001))
    assert "argument 'x': load from element 1001" in missed(both, body, floats(1001), floats(1024))


def test_integers_between_arrays_are_no_error() -> None:
    body = """
    %a = llvm.ptrtoint %x : !llvm.ptr to i64
    %far = memref.load %n[%c0] : memref<?xi64>
    %z = arith.addi %a, %far : i64
    %q = llvm.inttoptr %z : i64 to !llvm.ptr
    %j = arith.index_cast %i : index to i64
    %p = llvm.getelementptr %q[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %one, %p : f32, !llvm.ptr"""
    x, y = floats(64), floats(1024)
    far = np.array([y.ctypes.data - x.ctypes.data])
    launch("%x: !llvm.ptr, %n: memref<?xi64>", body, x, far)
    assert y.sum() == 1024


# -- what is right


GUARDED = """
    %n = memref.dim %x, %c0 : memref<?xf32>
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %w = arith.addf %v, %one : f32
      memref.store %w, %x[%i] : memref<?xf32>
    }"""


@pytest.mark.parametrize("count", [1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1000, 1023, 1024])
def test_guarded_kernels(count: int) -> None:
    x = floats(count)
    launch(X, GUARDED, x)
    assert (x == 1).all()
    assert untouched(x)


def test_an_address_beside_an_array() -> None:
    """Of what is accessed together, one may have bounds and another none."""
    body = """
    %n = memref.dim %x, %c0 : memref<?xf32>
    %inside = arith.cmpi ult, %i, %n : index
    %j = arith.index_cast %i : index to i64
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %q = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %w = llvm.load %q : !llvm.ptr -> f32
      %s = arith.addf %v, %w : f32
      memref.store %s, %x[%i] : memref<?xf32>
    }"""
    x, y = floats(1000), np.ones(1000, np.float32)
    launch(f"{X}, %p: !llvm.ptr", body, x, y.ctypes.data)
    assert (x == 1).all()
    assert untouched(x)


def test_a_guard_that_is_off_by_one() -> None:
    said = missed(X, GUARDED.replace("ult", "ule"), floats(1000))
    assert "element 1000" in said
    assert "thread (232, 0, 0) of block (3, 0, 0)" in said


def test_neighbours_under_a_guard() -> None:
    body = """
    %n = memref.dim %x, %c0 : memref<?xf32>
    %last = arith.subi %n, %c1 : index
    %p = arith.cmpi ugt, %i, %c0 : index
    %q = arith.cmpi ult, %i, %last : index
    %in = arith.andi %p, %q : i1
    scf.if %in {
      %l = arith.subi %i, %c1 : index
      %r = arith.addi %i, %c1 : index
      %u = memref.load %x[%l] : memref<?xf32>
      %v = memref.load %x[%r] : memref<?xf32>
      %w = arith.addf %u, %v : f32
      memref.store %w, %y[%i] : memref<?xf32>
    }"""
    both = f"{X}, %y: memref<?xf32>"
    for count in (3, 31, 64, 65, 1000):
        x, y = floats(count), floats(count)
        x[:] = 1
        launch(both, body, x, y)
        assert (y[1:-1] == 2).all()
        assert untouched(y)
    assert "element 1000" in missed(both, body.replace("%last :", "%n :"), floats(1000),
                                    floats(1000))  # fmt: skip


# -- counters of loops


def counted(first: str = "%t", bound: str = "%c1000", step: int = 64) -> str:
    """A store in each iteration of a loop; the name of its counter is free in the operands."""
    return f"""
    %step = arith.constant {step} : index
    %c1000 = arith.constant 1000 : index
    %seven = arith.constant 7 : index
    %below = arith.subi %t, %seven : index
    scf.for %j = {first} to {bound} step %step {{
      memref.store %one, %x[%j] : memref<?xf32>
    }}"""


@pytest.mark.parametrize(
    ("body", "is_before"),
    [(counted(), True), (counted("%c0"), True), (counted(bound="%n"), False)],
    ids=["from the thread", "from zero", "to an argument"],
)
def test_counters_with_a_greatest_value(body: str, is_before: bool) -> None:
    """Whether they stay in the array is known before the loop over the vectors of a block."""
    text = "module attributes {gpu.container_module} { gpu.module @m {"
    text += f"gpu.func @k({X}, %n: index) kernel {{ {INDEX} {body} gpu.return }} }} }}"
    codes = StrategyCodes(host_object(text), "k", (64, 1, 1))
    module = codes._source.specialized_ir("block-loops", "k", (64, 1, 1), checks=[])
    tests = [op for op in module.walk() if "branch_weights" in op.properties]
    outer = [op for op in tests if op.operands[0].owner.parent is not op.parent]
    assert bool(outer) is is_before


@pytest.mark.parametrize("first", ["%t", "%c0", "%below"])
def test_counters_that_leave_an_array(first: str) -> None:
    """In the last iteration, or in the first."""
    x = floats(1000)
    if first != "%below":
        launch(X, counted(first), x, grid=1, block=64)
        assert (x == 1).all() if first == "%t" else (x[::64] == 1).all()
        last = floats(999 if first == "%t" else 960)
        assert f"element {len(last)}" in missed(X, counted(first), last, grid=1, block=64)
        assert untouched(last)
    else:
        assert "element -7" in missed(X, counted(first), x, grid=1, block=64)
    assert untouched(x)


# -- strategies


BARRIER = """
    %low = arith.cmpi ult, %t, %c1 : index
    scf.if %low { gpu.barrier }
"""


def test_threads_that_wait() -> None:
    launch(X, f"gpu.barrier\n{STORE}", floats(1024))
    assert "store to element 1000" in missed(X, f"gpu.barrier\n{STORE}", floats(1000))
    with pytest.raises(DeviceError, match="store to element 1000"):
        launch(X, f"{BARRIER}\n{STORE}", floats(1000))


def test_each_strategy() -> None:
    from tests.support.kernel_launch import Launcher, host_object

    body = f"{INDEX} gpu.barrier\n{GUARDED}"
    text = f"gpu.module @m {{ gpu.func @k({X}) kernel {{ {body} gpu.return }} }}"
    wrong = text.replace("ult", "ule")
    for strategy in ("block-loops", "warps", "threads"):
        launcher = Launcher(host_object(text), strategy, bounds=True)
        x = floats(1000)
        launcher.at_once("k", 4, 256, x)()
        assert (x == 1).all()
        launcher.close()
        launcher = Launcher(host_object(wrong), strategy, bounds=True)
        with pytest.raises(DeviceError, match=r"load from element 1000 .*thread \(232, 0, 0\)"):
            launcher.at_once("k", 4, 256, x)()
        launcher.close()


def test_threads_of_three_dimensions() -> None:
    body = """
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %tz, %c5 : index
    %q = arith.addi %p, %ty : index
    %r = arith.muli %q, %c3 : index
    %s = arith.addi %r, %t : index
    memref.store %one, %x[%s] : memref<?xf32>"""
    launch(X, body, floats(60), grid=1, block=(3, 5, 4))
    said = missed(X, body, floats(50), grid=1, block=(3, 5, 4))
    assert "store to element 50" in said
    assert "thread (2, 1, 3) of block (0, 0, 0)" in said


def test_empty_arrays() -> None:
    launch(X, GUARDED, floats(0))
    assert "element 0 of memref<?xf32> of 0 elements" in missed(X, STORE, floats(0), grid=1)


# -- doors


def test_launches_that_are_repeated() -> None:
    launch = loaded(X, STORE).kernels["k"][4096, 256]
    count = 4096 * 256
    whole = np.zeros(count + 64, np.float32)
    for _ in range(20):
        launch(whole[:count])
        with pytest.raises(DeviceError, match=f"element {count - 1} of"):
            launch(whole[: count - 1])
        launch(whole[64:])
    mine = [xgpu.zeros((n,), "float32", device="host") for n in (count, count - 5, count)]
    for _ in range(5):
        launch(mine[0])
        launch(mine[2])
        launch(mine[1])
        with pytest.raises(DeviceError, match=f"element {count - 5} of"):
            mine[1].numpy()


def test_streams() -> None:
    stream = xgpu.Stream("host")
    kernel = loaded(X, STORE).kernels["k"]
    kernel[4, 256, stream](floats(1000))
    with pytest.raises(DeviceError, match="element 1000 of"):
        stream.synchronize()


PROGRAM = """
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @k(%x: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    memref.store %one, %x[%i] : memref<?xf32>
    gpu.return
  }
}
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
    args(%b : memref<?xf32>)
  return
}
func.func @own(%n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %x = gpu.alloc (%m) : memref<?xf32>
  gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
    args(%x : memref<?xf32>)
  gpu.dealloc %x : memref<?xf32>
  return
}
}
"""


def test_functions() -> None:
    program = xgpu.load(PROGRAM, device="host", filename="p.mlir")
    a, b = floats(300), floats(100)
    program.functions["f"](a, b, 100)
    assert b.sum() == 100
    said = "kernel 'k', argument 'b' of function 'f': store to element 100 of memref<.xf32> of 100"
    with pytest.raises(DeviceError, match=said):
        program.functions["f"](a, b, 128)
    assert untouched(b)
    program.functions["own"](64, 64)
    whole = np.zeros(100, np.float32)
    program.functions["f"](whole[50:], whole[:50], 50)
    with pytest.raises(DeviceError, match="element 50 of"):
        program.functions["f"](whole[50:], whole[:50], 51)


def test_arrays_that_overlap_are_one() -> None:
    program = xgpu.load(PROGRAM, device="host")
    whole = np.zeros(400, np.float32)
    # The pointer may be computed from either.
    program.functions["f"](whole[:300], whole[200:250], 100)
    assert whole[200:300].all()


# -- switches


def test_the_option() -> None:
    x = floats(1000)
    launch(X, STORE, x, bounds=False)
    assert x.base[5096:5120].all()
    with pytest.raises(UsageError, match="bounds is 3, expected"):
        loaded(X, STORE, bounds=3)


SCRIPT = f"""
import numpy as np, xgpu
text = '''gpu.module @m {{ gpu.func @k({X}) kernel {{ {INDEX} {STORE} gpu.return }} }}'''
whole = np.zeros(2048, np.float32)
kernel = xgpu.load(text, device="host", filename="k.mlir").kernels["k"]
try:
    kernel[4, 256](whole[:1000])
except xgpu.DeviceError as error:
    print(error)
print(int(whole.sum()))
"""


def in_process(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return processes.run(
        [sys.executable, "-c", script], capture_output=True, text=True,
        env={**os.environ, **environment}, check=False,
    )  # fmt: skip


def test_the_environment() -> None:
    assert in_process(SCRIPT, XGPU_BOUNDS="0").stdout == "1024\n"
    assert "store to element 1000" in in_process(SCRIPT, XGPU_BOUNDS="1").stdout
    wrong = in_process(SCRIPT, XGPU_BOUNDS="no")
    assert wrong.stderr.splitlines()[-1].endswith("XGPU_BOUNDS is 'no', expected 0 or 1")


def test_the_sanitizer_by_the_environment() -> None:
    found = in_process(SCRIPT, XGPU_SANITIZE="memory")
    assert found.returncode == 1
    assert found.stdout == "1000\n"
    assert re.match(r"k\.mlir:\d+:\d+: error: memory: .*array of 4000 bytes", found.stderr)
    assert in_process(SCRIPT, XGPU_SANITIZE="race").returncode == 0
    assert in_process(SCRIPT, XGPU_SANITIZE="0").returncode == 0
    wrong = in_process(SCRIPT, XGPU_SANITIZE="race,time")
    assert wrong.returncode == 1
    assert wrong.stderr.splitlines()[-1].endswith(
        "XGPU_SANITIZE has 'time', expected 1, all, or some of memory, race, sync, init, "
        "leak, volatile"
    )


def test_the_end_of_a_process_with_findings() -> None:
    """Functions for the end that were registered after the import run, and output is written."""
    script = SCRIPT.replace("xgpu\n", "xgpu, atexit\natexit.register(print, 'last', end='')\n", 1)
    found = in_process(script, XGPU_SANITIZE="memory")
    assert (found.returncode, found.stdout) == (1, "1000\nlast")
    # Where the script sets the variable itself, too.
    script = script.replace("text =", "import os; os.environ['XGPU_SANITIZE'] = 'memory'\ntext =")
    found = in_process(script)
    assert (found.returncode, found.stdout.splitlines()[0]) == (1, "1000")


WRONG_PROGRAM = """
func.func @main() {
  %c1 = arith.constant 1 : index
  %c65 = arith.constant 65 : index
  %x = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
             threads(%i, %j, %k) in (%l = %c65, %m = %c1, %n = %c1) {
    %one = arith.constant 1.0 : f32
    memref.store %one, %x[%i] : memref<64xf32>
    gpu.terminator
  }
  gpu.dealloc %x : memref<64xf32>
  return
}
"""


def test_programs_and_the_environment(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "wrong.mlir"
    path.write_text(WRONG_PROGRAM)
    runner = f"""
import sys
from xgpu.tools.xgpu_runner import main
sys.exit(main(["--device=host", "--entry-point-result=void", {str(path)!r}]))"""
    found = in_process(runner, XGPU_SANITIZE="1")
    assert found.returncode == 1
    assert "error: memory: write of %x[64] (4 bytes" in found.stderr
    script = f"import xgpu\nxgpu.run({WRONG_PROGRAM!r}, device='host')\nprint('on')"
    found = in_process(script, XGPU_SANITIZE="memory,race")
    assert (found.returncode, found.stdout) == (1, "on\n")
    assert "error: memory: write of %x[64] (4 bytes" in found.stderr


def test_an_explicit_watch_wins() -> None:
    script = SCRIPT.replace("try:", "try:\n  with xgpu.sanitized(['race']) as watched:").replace(
        "\n    kernel", "\n     kernel"
    )
    found = in_process(script, XGPU_SANITIZE="memory")
    assert found.returncode == 0, found.stderr


# -- a plain model


def model(rng: random.Random) -> tuple[str, str, Any, int, list[int]]:
    """A kernel with an access at a random affine index under a random guard: parameters, body,
    the array, threads, and the element that each thread accesses (-1 << 62 for none)."""
    factor, by = rng.choice([1, 1, 1, 2, 3, -1]), rng.randrange(-3, 40)
    threads = rng.choice([1, 31, 32, 33, 96, 100, 256])
    guard = rng.choice([None, rng.randrange(1, threads + 1)])
    of = [t * factor + by for t in range(threads)]
    used = [n for t, n in enumerate(of) if guard is None or t < guard]
    size = rng.choice([max(*used, 0, by) + 1 + rng.randrange(-1, 2), rng.randrange(1, 300)])
    guarded = (
        ""
        if guard is None
        else f"""
    %g = arith.constant {guard} : index
    %in = arith.cmpi ult, %t, %g : index
    scf.if %in {{"""
    )
    kind = rng.choice(["store", "load", "atomic"])
    access = {
        "store": "memref.store %one, %x[%j] : memref<?xf32>",
        "load": """%v = memref.load %x[%j] : memref<?xf32>
          memref.store %v, %y[%t] : memref<?xf32>""",
        "atomic": "%old = memref.atomic_rmw addf %one, %x[%j] : (f32, memref<?xf32>) -> f32",
    }[kind]
    body = f"""
    %f = arith.constant {factor} : index
    %by = arith.constant {by} : index
    %far = arith.muli %t, %f : index
    %j = arith.addi %far, %by : index {guarded}
    {access} {"" if guard is None else "}"}"""
    return f"{X}, %y: memref<?xf32>", body, floats(max(size, 0)), threads, used


@pytest.mark.parametrize("seed", each(range(40), 4))
def test_random_kernels(seed: int) -> None:
    parameters, body, x, threads, used = model(random.Random(seed))
    wrong = [n for n in used if not 0 <= n < len(x)]
    kernel = loaded(parameters, body).kernels["k"]
    if not wrong:
        kernel[1, threads](x, floats(threads))
    else:
        with pytest.raises(DeviceError, match=f"element {wrong[0]} of memref.*of {len(x)} elem"):
            kernel[1, threads](x, floats(threads))
    assert untouched(x)


def test_the_first_thread_that_leaves_an_array_is_named() -> None:
    """LLVM 22.1 takes the mask of lanes from a wrong register where AVX512VL has 32 of them."""
    kernel = loaded(f"{X}, %y: memref<?xf32>", """
    %f = arith.constant 2 : index
    %by = arith.constant -3 : index
    %far = arith.muli %t, %f : index
    %j = arith.addi %far, %by : index
    %g = arith.constant 30 : index
    %in = arith.cmpi ult, %t, %g : index
    scf.if %in {
      %v = memref.load %x[%j] : memref<?xf32>
      memref.store %v, %y[%t] : memref<?xf32>
    }""").kernels["k"]  # fmt: skip
    memory = floats(128)
    for begin in range(64):
        with pytest.raises(DeviceError, match=r"element -3 of memref.*by thread \(0, 0, 0\)"):
            kernel[1, 31](memory[begin : begin + 57], floats(31))
