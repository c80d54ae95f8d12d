# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cp.reduce.async.bulk.tensor`: a box in shared memory is combined with a tensor, element by
element, as its tensor map says of what type they are."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests.support.driver_calls import Calls, pointers
from tests.support.some_cases import short
from xgpu.runtime.cuda.results import Result

_PTX = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry reduce(.param .align 64 .b8 map[128], .param .u64 from, .param .u32 x,
                       .param .u32 y, .param .u32 bytes)
{
  .reg .pred %p; .reg .u64 %rd<5>; .reg .u32 %r<7>; .reg .u16 %h;
  .shared .align 128 .b8 tile[1024];
  ld.param.u64 %rd1, [from]; ld.param.u32 %r1, [x]; ld.param.u32 %r2, [y];
  ld.param.u32 %r3, [bytes]; mov.u32 %r4, 0; mov.u32 %r5, tile;
NEXT:
  cvt.u64.u32 %rd2, %r4; add.u64 %rd3, %rd1, %rd2; ld.global.u16 %h, [%rd3];
  add.u32 %r6, %r5, %r4; st.shared.u16 [%r6], %h;
  add.u32 %r4, %r4, 2; setp.lt.u32 %p, %r4, %r3;
  @%p bra NEXT;
  mov.u64 %rd4, map; cvta.param.u64 %rd4, %rd4;
  cp.reduce.async.bulk.tensor.2d.global.shared::cta.KIND.tile.bulk_group [%rd4, {%r1, %r2}], [%r5];
  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
  ret;
}"""
_TYPES = {
    "uint32": 2, "int32": 3, "uint64": 4, "int64": 5, "float16": 6, "float32": 7, "float64": 8,
}  # fmt: skip


@pytest.fixture(scope="module")
def calls():
    made = Calls()
    made.begin()
    yield made
    made.close()


def reduced(calls, kind, tensor, box, x, y):
    """The tensor after a box was reduced into it at a corner."""
    module = calls.get("cuModuleLoadData", _PTX.replace("KIND", kind))
    kernel = calls.get("cuModuleGetFunction", module, "reduce")
    memory, given = calls.get("cuMemAlloc", tensor.nbytes), calls.get("cuMemAlloc", box.nbytes)
    for there, here in ((memory, tensor), (given, box)):
        calls.do("cuMemcpyHtoD", there, here.ctypes.data, here.nbytes)
    room = (ctypes.c_uint8 * 256)()
    at = -(-ctypes.addressof(room) // 64) * 64
    sizes, strides = (ctypes.c_uint64 * 2)(*tensor.shape[::-1]), ctypes.c_uint64(tensor.strides[0])
    boxes, steps = (ctypes.c_uint32 * 2)(*box.shape[::-1]), (ctypes.c_uint32 * 2)(1, 1)
    number = _TYPES[tensor.dtype.name]
    calls.do(
        "cuTensorMapEncodeTiled", at, number, 2, memory, sizes, strides, boxes, steps, 0, 0, 0, 0
    )
    numbers = map(ctypes.c_uint32, (x, y, box.nbytes))
    values = pointers((ctypes.c_uint8 * 128).from_address(at), ctypes.c_uint64(given), *numbers)
    calls.do("cuLaunchKernel", kernel, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
    result, found = calls("cuCtxSynchronize"), np.zeros_like(tensor)
    if result == 0:
        calls.do("cuMemcpyDtoH", found.ctypes.data, memory, tensor.nbytes)
    return result, found


def _incremented(a, b):
    return np.where(a >= b, 0, a + 1)


def _decremented(a, b):
    return np.where((a == 0) | (a > b), b, a - 1)


_KINDS = {
    "add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor, "inc": _incremented, "dec": _decremented,
}  # fmt: skip
_CASES = [
    ("add", "uint32"), ("add", "int64"), ("add", "float16"), ("add", "float32"), ("add", "float64"),
    ("min", "int32"), ("min", "uint64"), ("max", "uint32"), ("max", "float16"), ("and", "uint64"),
    ("or", "int32"), ("xor", "uint32"), ("inc", "uint32"), ("dec", "uint32"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), short(_CASES, ("add", "float16"), ("inc", "uint32")))
def test_reductions(calls, kind, name):
    random = np.random.default_rng(1)
    if name.startswith("float"):
        tensor, box = (random.normal(size=shape).astype(name) for shape in ((8, 16), (4, 8)))
    else:
        whole = np.iinfo(name)
        low, high = (0, 9) if kind in ("inc", "dec") else (whole.min, whole.max)
        tensor, box = (random.integers(low, high, s, dtype=name) for s in ((8, 16), (4, 8)))
    wanted = tensor.copy()
    # What lies outside the tensor is dropped.
    wanted[6:8, 12:16] = _KINDS[kind](tensor[6:8, 12:16], box[:2, :4])
    result, found = reduced(calls, kind, tensor, box, 12, 6)
    assert result == 0
    np.testing.assert_array_equal(found, wanted)


def test_an_operation_that_the_type_does_not_have(capfd):
    calls = Calls()
    calls.begin()
    zeros = np.zeros((8, 16), np.int64)
    result, _ = reduced(calls, "inc", zeros, zeros[:4, :8].copy(), 0, 0)
    assert result == Result.LAUNCH_FAILED
    words = (
        "runs cp.reduce.async.bulk.tensor with an operation that the tensor's type does not have"
    )
    assert words in capfd.readouterr().err
    calls.close()
