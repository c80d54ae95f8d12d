# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What has no meaning in a kernel ends the kernel, at every level, and never the process."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.native.library import native_library

pytestmark = pytest.mark.sampled(2)


def program(body, threads=64):
    return f"""
func.func @main() -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {threads} : index
  %zero = arith.constant 0 : i32
  %out = gpu.alloc host_shared () : memref<{threads}xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {{
    %i = arith.index_cast %t : index to i32
    %seven = arith.constant 7 : i32
    %min = arith.constant -2147483648 : i32
{body}
    memref.store %r, %out[%t] : memref<{threads}xi32>
    gpu.terminator
  }}
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {{
    %x = memref.load %out[%k] : memref<{threads}xi32>
    %y = arith.addi %s, %x : i32
    scf.yield %y : i32
  }}
  return %sum : i32
}}"""


LEVELS = pytest.mark.parametrize("opt_level", [0, 1, 2, 3])


@LEVELS
@pytest.mark.parametrize("operation", ["divsi", "divui", "remsi", "remui"])
def test_division_by_zero(operation, opt_level):
    text = program(f"    %r = arith.{operation} %seven, %i : i32")
    what = (
        "-:8:3: error: kernel 'main_kernel': integer division by zero in block (0, 0, 0), "
        "thread (0, 0, 0)"
    )
    with pytest.raises(DeviceError) as caught:
        xgpu.run(text, device="host", opt_level=opt_level)
    assert str(caught.value) == f"{what}\n-:13:10: note: the division is here"
    # A traceback's last line says what is wrong.
    assert caught.value.__notes__ == [what]


@LEVELS
def test_division_that_overflows(opt_level):
    body = """
    %eight = arith.constant 8 : i32
    %d = arith.subi %i, %eight : i32
    %q = arith.divsi %min, %d : i32
    %r = arith.addi %q, %i : i32"""
    with pytest.raises(DeviceError, match="kernel 'main_kernel': integer division overflows"):
        xgpu.run(program(body, threads=8), device="host", opt_level=opt_level)


@pytest.mark.parametrize("wait", ["", "    gpu.barrier"])
@pytest.mark.parametrize("run", [xgpu.run, xgpu.sanitize])
def test_the_thread_and_the_line_are_named(run, wait):
    """Of a vector of threads that divide by what they load, the one that divides by zero."""
    body = f"""
    %where = arith.constant 37 : i32
    %k = arith.subi %i, %where : i32
    memref.store %k, %out[%t] : memref<64xi32>
{wait}
    %d = memref.load %out[%t] : memref<64xi32>
    %r = arith.divsi %seven, %d : i32"""
    message = r"division by zero in block \(0, 0, 0\), thread \(37, 0, 0\)\n-:19:10: note"
    options = {"device": "host"} if run is xgpu.run else {}
    with pytest.raises(DeviceError, match=message):
        run(program(body), **options)


def test_an_earlier_false_claim_does_not_hide_the_thread(monkeypatch):
    """The checked build reads at the last fault's address, which is of an earlier kernel."""
    monkeypatch.setattr(type(native_library()), "false_claim", lambda _: "align 4 of 'load i32'")
    test_the_thread_and_the_line_are_named(xgpu.run, "")


@LEVELS
def test_only_threads_that_divide_count(opt_level):
    body = """
    %some = arith.cmpi ne, %i, %zero : i32
    %r = scf.if %some -> (i32) {
      %q = arith.divsi %seven, %i : i32
      scf.yield %q : i32
    } else {
      scf.yield %seven : i32
    }"""
    result = xgpu.run(program(body), device="host", opt_level=opt_level).value
    assert result == 7 + sum(7 // i for i in range(1, 64))


@LEVELS
def test_threads_that_wait_divide_too(kernels, opt_level):
    text = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @divide(ptr %out, i32 %from) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = sub i32 %t, %from
  %v = insertelement <2 x i32> splat (i32 6), i32 %d, i32 1
  %q = sdiv <2 x i32> splat (i32 12), %v
  %a = extractelement <2 x i32> %q, i32 0
  %b = extractelement <2 x i32> %q, i32 1
  %sum = add i32 %a, %b
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %sum, ptr %at
  ret void
}"""
    k = kernels(text, opt_level)
    out = np.zeros(4, np.int32)
    k.run("divide", 1, 4, out, -1)
    assert out.tolist() == [14, 8, 6, 5]
    with pytest.raises(DeviceError, match="integer division by zero"):
        k.run("divide", 1, 4, out, 2)


@LEVELS
def test_a_kernel_without_meaning_traps(kernels, opt_level):
    """LLVM makes nothing at all of it; there is still code, and it does not run into other code."""
    k = kernels(
        """
define ptx_kernel void @null() {
  store i32 1, ptr null
  ret void
}
define ptx_kernel void @other(ptr %out) {
  store i32 1, ptr %out
  ret void
}""",
        opt_level,
    )
    with pytest.raises(DeviceError, match="kernel 'null': illegal"):
        k.run("null", 1, 1)
    assert k.session.error is not None
