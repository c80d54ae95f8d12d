# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The async runtime: lowered async programs run over native threads."""

from __future__ import annotations

import ctypes

import pytest

from xgpu.conversion.async_runtime.async_to_llvm import FUNCTIONS
from xgpu.driver.engine import HostProgram, ProgramError
from xgpu.driver.program import Program
from xgpu.host_device.device.device import HostDevice
from xgpu.host_device.native.library import native_library
from xgpu.host_device.native.parts import ASYNC_FUNCTIONS
from xgpu.runtime.session import Session


def run(text, opt_level=2):
    """What the program returns and prints, and how many async objects it left behind."""
    session = Session()
    printed = []
    session.output = printed.append
    device = HostDevice(session)
    try:
        lowered = Program(text, opt_level=opt_level).lower(device)
        program = HostProgram(
            lowered, "main", "auto", session=session, device=device, opt_level=opt_level
        )
        value = program.run()
    finally:
        device.close()
    return value, "".join(printed), program.async_alive


def test_the_runtime_has_every_function_that_the_lowering_declares():
    assert sorted(ASYNC_FUNCTIONS) == sorted(name for name, _, _ in FUNCTIONS)
    assert all(native_library().symbols[name] for name in ASYNC_FUNCTIONS)


SUM = """
func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 500 : index
  %m = memref.alloc() : memref<500xi64>
  %g = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %t, %v = async.execute -> !async.value<i64> {
      %x = arith.index_cast %i : index to i64
      async.yield %x : i64
    }
    %t2 = async.execute [%t] (%v as %w : !async.value<i64>) {
      %y = arith.muli %w, %w : i64
      memref.store %y, %m[%i] : memref<500xi64>
      async.yield
    }
    %k = async.add_to_group %t2, %g : !async.token
  }
  async.await_all %g
  %z = arith.constant 0 : i64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> i64 {
    %e = memref.load %m[%i] : memref<500xi64>
    %b = arith.addi %a, %e : i64
    scf.yield %b : i64
  }
  memref.dealloc %m : memref<500xi64>
  return %s : i64
}
"""


@pytest.mark.parametrize("opt_level", [0, 2])
def test_tasks_values_and_groups(opt_level):
    value, _, alive = run(SUM, opt_level)
    assert value == sum(i * i for i in range(500))
    assert alive == 0


ERRORS = """
func.func private @printI64(i64)
func.func @show(%e: i1) {
  %x = arith.extui %e : i1 to i64
  call @printI64(%x) : (i64) -> ()
  return
}
func.func @main() {
  %no = arith.constant false
  %n = arith.constant 2 : index
  %bad = async.execute {
    cf.assert %no, "an error of the task, not the end of the program"
    async.yield
  }
  %after = async.execute [%bad] { async.yield }
  %good = async.execute { async.yield }
  %g = async.create_group %n : !async.group
  %0 = async.add_to_group %after, %g : !async.token
  %1 = async.add_to_group %good, %g : !async.token
  async.runtime.await %g : !async.group
  %eg = async.runtime.is_error %g : !async.group
  func.call @show(%eg) : (i1) -> ()
  %ea = async.runtime.is_error %after : !async.token
  func.call @show(%ea) : (i1) -> ()
  %eo = async.runtime.is_error %good : !async.token
  func.call @show(%eo) : (i1) -> ()
  return
}
"""


def test_errors_travel_along_dependencies():
    assert run(ERRORS)[1] == "110"


FIBONACCI = """
func.func @fib(%n: i64) -> i64 {
  %c2 = arith.constant 2 : i64
  %c1 = arith.constant 1 : i64
  %small = arith.cmpi slt, %n, %c2 : i64
  cf.cond_br %small, ^end(%n : i64), ^split
^split:
  %m1 = arith.subi %n, %c1 : i64
  %m2 = arith.subi %n, %c2 : i64
  %t, %v = async.execute -> !async.value<i64> {
    %x = func.call @fib(%m1) : (i64) -> i64
    async.yield %x : i64
  }
  %y = func.call @fib(%m2) : (i64) -> i64
  %z = async.await %v : !async.value<i64>
  %s = arith.addi %z, %y : i64
  cf.br ^end(%s : i64)
^end(%r: i64):
  return %r : i64
}
func.func @main() -> i64 {
  %n = arith.constant 15 : i64
  %r = func.call @fib(%n) : (i64) -> i64
  return %r : i64
}
"""


def test_tasks_that_block_do_not_starve_the_program():
    assert run(FIBONACCI)[0] == 610


CHAIN = """
func.func @link(%m: memref<1xi64>, %t: !async.token, %n: i64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %next = async.execute [%t] {
    %a = memref.load %m[%c0] : memref<1xi64>
    %b = arith.addi %a, %one : i64
    memref.store %b, %m[%c0] : memref<1xi64>
    async.yield
  }
  %left = arith.subi %n, %one : i64
  %more = arith.cmpi ne, %left, %zero : i64
  cf.cond_br %more, ^again, ^end
^again:
  func.call @link(%m, %next, %left) : (memref<1xi64>, !async.token, i64) -> ()
  cf.br ^done
^end:
  async.await %next : !async.token
  cf.br ^done
^done:
  return
}
func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %n = arith.constant 20000 : i64
  %m = memref.alloc() : memref<1xi64>
  memref.store %zero, %m[%c0] : memref<1xi64>
  %first = async.execute {
    func.call @wait() : () -> ()
    async.yield
  }
  func.call @link(%m, %first, %n) : (memref<1xi64>, !async.token, i64) -> ()
  %r = memref.load %m[%c0] : memref<1xi64>
  memref.dealloc %m : memref<1xi64>
  return %r : i64
}
func.func @wait() {
  %time = llvm.mlir.constant(200000 : i32) : i32
  %r = llvm.call @usleep(%time) : (i32) -> i32
  return
}
llvm.func @usleep(i32) -> i32
"""


def test_a_long_chain_runs_in_constant_stack():
    """All links wait when the first ends: each resumes the next."""
    value, _, alive = run(CHAIN)
    assert (value, alive) == (20000, 0)


STUCK = """
func.func @main() {
  %n = arith.constant 2 : index
  %t = async.execute { async.yield }
  %g = async.create_group %n : !async.group
  %a = async.add_to_group %t, %g : !async.token
  async.await_all %g
  return
}
"""


def test_waiting_for_ever_is_told():
    with pytest.raises(ProgramError, match="waits for ever"):
        run(STUCK)
    assert run(SUM)[0] == sum(i * i for i in range(500))


FAULT = """
func.func @main() {
  %z = arith.constant 16 : i64
  %t = async.execute {
    %p = llvm.inttoptr %z : i64 to !llvm.ptr
    %v = llvm.mlir.constant(1 : i64) : i64
    llvm.store volatile %v, %p : i64, !llvm.ptr
    async.yield
  }
  async.await %t : !async.token
  return
}
"""


def test_a_fault_in_a_task_is_the_programs():
    with pytest.raises(ProgramError, match="illegal memory access"):
        run(FAULT)
    assert run(SUM)[0] == sum(i * i for i in range(500))


FUNCTION = """
async.func @double(%x: i64) -> !async.value<i64> {
  %y = arith.addi %x, %x : i64
  return %y : i64
}
async.func @quadruple(%x: i64) -> (!async.token, !async.value<i64>) {
  %d = async.call @double(%x) : (i64) -> !async.value<i64>
  %y = async.await %d : !async.value<i64>
  %e = async.call @double(%y) : (i64) -> !async.value<i64>
  %z = async.await %e : !async.value<i64>
  return %z : i64
}
func.func @main() -> i64 {
  %x = arith.constant 5 : i64
  %t, %v = async.call @quadruple(%x) : (i64) -> (!async.token, !async.value<i64>)
  %r = async.await %v : !async.value<i64>
  return %r : i64
}
"""


@pytest.mark.parametrize("opt_level", [0, 2])
def test_async_functions(opt_level):
    value, _, alive = run(FUNCTION, opt_level)
    assert (value, alive) == (20, 0)


def test_a_program_ends_after_its_tasks():
    """The entry returns at once; what it started still runs to its end."""
    text = """
func.func private @printI64(i64)
func.func @main() {
  %c = arith.constant 7 : i64
  %t = async.execute { async.yield }
  %u = async.execute [%t] {
    func.call @printI64(%c) : (i64) -> ()
    async.yield
  }
  return
}
"""
    assert run(text)[1:] == ("7", 0)


def test_storage_of_values_is_aligned():
    library = native_library()
    create = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)(
        library.symbols["mlirAsyncRuntimeCreateValue"]
    )
    storage = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(
        library.symbols["mlirAsyncRuntimeGetValueStorage"]
    )
    drop = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(
        library.symbols["mlirAsyncRuntimeDropRef"]
    )
    value = create(100)
    assert storage(value) % 64 == 0
    drop(value, 2)
