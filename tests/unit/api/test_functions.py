# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of programs from Python: arrays and numbers in and out."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import numpy as np
import pytest

import xgpu
from xgpu.core.ir.errors import DeviceError
from xgpu.driver.engine import ProgramError

EXAMPLES = Path(__file__).parents[3] / "examples"
PROGRAM = """
module attributes {gpu.container_module} {
  memref.global "private" @table : memref<3xi32> = dense<[4, 5, 6]>
  memref.global "private" @count : memref<i32> = dense<0>
  func.func @numbers(%a: i32, %b: f64, %c: i1, %d: f32, %e: index)
      -> (i1, i32, f64, f32, index, i8) {
    %byte = arith.constant -2 : i8
    return %c, %a, %b, %d, %e, %byte : i1, i32, f64, f32, index, i8
  }
  func.func @fresh(%n: index) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloc(%n) : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      %v = arith.index_cast %i : index to i32
      %f = arith.sitofp %v : i32 to f32
      memref.store %f, %m[%i] : memref<?xf32>
    }
    return %m : memref<?xf32>
  }
  func.func @row(%a: memref<4x5xf64>, %i: index) -> memref<5xf64, strided<[1], offset: ?>> {
    %r = memref.subview %a[%i, 0] [1, 5] [1, 1]
        : memref<4x5xf64> to memref<5xf64, strided<[1], offset: ?>>
    return %r : memref<5xf64, strided<[1], offset: ?>>
  }
  func.func @constants() -> memref<3xi32> {
    %t = memref.get_global @table : memref<3xi32>
    return %t : memref<3xi32>
  }
  func.func @twice(%n: index) -> (memref<?xi8>, memref<?xi8>) {
    %m = memref.alloc(%n) : memref<?xi8>
    return %m, %m : memref<?xi8>, memref<?xi8>
  }
  func.func @counted() -> i32 {
    %one = arith.constant 1 : i32
    %c = memref.get_global @count : memref<i32>
    %v = memref.load %c[] : memref<i32>
    %w = arith.addi %v, %one : i32
    memref.store %w, %c[] : memref<i32>
    return %w : i32
  }
  func.func @rank(%a: memref<*xf32>) -> index {
    %r = memref.rank %a : memref<*xf32>
    return %r : index
  }
  func.func @divide(%a: i32, %b: i32) -> i32 {
    %q = arith.divsi %a, %b : i32
    return %q : i32
  }
  func.func @double(%a: memref<?xf32>, %n: index, %t: !gpu.async.token) -> !gpu.async.token {
    %c1 = arith.constant 1 : index
    %u = gpu.launch_func async [%t] @kernels::@double blocks in (%c1, %c1, %c1)
        threads in (%n, %c1, %c1) args(%a : memref<?xf32>)
    return %u : !gpu.async.token
  }
  func.func @on_device(%n: index) -> memref<?xf32> {
    %c1 = arith.constant 1 : index
    %z = arith.constant 3.0 : f32
    %t = gpu.wait async
    %m, %u = gpu.alloc async [%t] (%n) : memref<?xf32>
    %v = gpu.memset async [%u] %m, %z : memref<?xf32>, f32
    %w = gpu.launch_func async [%v] @kernels::@double blocks in (%c1, %c1, %c1)
        threads in (%n, %c1, %c1) args(%m : memref<?xf32>)
    gpu.wait [%w]
    return %m : memref<?xf32>
  }
  func.func @fault(%a: memref<?xf32>, %far: index) {
    %c1 = arith.constant 1 : index
    %t = gpu.wait async
    %w = gpu.launch_func async [%t] @kernels::@far blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%a : memref<?xf32>, %far : index)
    gpu.wait [%w]
    return
  }
  func.func private @hidden() { return }
  gpu.module @kernels {
    gpu.func @double(%a: memref<?xf32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<?xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%i] : memref<?xf32>
      gpu.return
    }
    gpu.func @far(%a: memref<?xf32>, %i: index) kernel {
      %x = arith.constant 1.0 : f32
      memref.store %x, %a[%i] : memref<?xf32>
      gpu.return
    }
  }
}
"""


@pytest.fixture(scope="module")
def program():
    return xgpu.load(PROGRAM, "host")


def test_which_functions_there_are(program):
    assert "hidden" not in program.functions
    row = program.functions["row"]
    assert repr(row) == (
        "<xgpu.Function row(a: memref<4x5xf64>, i: index) -> "
        "memref<5xf64, strided<[1], offset: ?>>>"
    )


def test_numbers(program):
    given = program.functions["numbers"](-5, 2.5, True, 0.5, 7)
    assert given == (True, -5, 2.5, 0.5, 7, -2)
    assert [type(v) for v in given] == [bool, int, float, float, int, int]


def test_memory_that_the_program_made_is_given_back(program):
    made = program.functions["fresh"](5)
    assert made.numpy().tolist() == [0, 1, 2, 3, 4]
    address = made.address
    heap = program._program.engine().heap
    assert heap.size_at(address) == 20
    del made
    gc.collect()
    assert heap.size_at(address) is None


def test_a_view_of_an_argument(program):
    a = np.arange(20.0).reshape(4, 5)
    row = program.functions["row"](a, 2)
    assert row.numpy().tolist() == a[2].tolist()
    assert row.address == a[2].ctypes.data
    np.asarray(row)[:] = -1
    assert a[2].tolist() == [-1] * 5


def test_globals_are_not_given_back_and_keep_their_values(program):
    for _ in range(2):
        assert program.functions["constants"]().numpy().tolist() == [4, 5, 6]
    counted = program.functions["counted"]
    before = counted()
    assert counted() == before + 1


def test_one_allocation_in_two_results_goes_back_once(program):
    first, second = program.functions["twice"](10)
    assert first.address == second.address
    heap = program._program.engine().heap
    address = first.address
    del first
    gc.collect()
    assert heap.size_at(address) == 10
    del second
    gc.collect()
    assert heap.size_at(address) is None


def test_unranked_memrefs(program):
    assert program.functions["rank"](np.zeros((2, 3, 4), np.float32)) == 3


def test_device_memory_and_tokens(program):
    device = program.functions["on_device"](6)
    assert device.numpy().tolist() == [6] * 6
    assert program.functions["double"](device, 6, None) is None
    assert device.numpy().tolist() == [12] * 6
    host = np.arange(6, dtype=np.float32)
    stream = xgpu.Stream("host")
    assert program.functions["double"](host, 6, stream.record()) is None
    assert host.tolist() == [0, 2, 4, 6, 8, 10]
    session = program._program._device.session
    assert session.counts["events"].alive == 0
    with pytest.raises(
        TypeError, match=r"'t' .*: expected an event or None, but 3 of type int was"
    ):
        program.functions["double"](host, 6, 3)


def test_results_may_die_in_any_thread(program):
    """In one of the device's own too, which must not wait for itself."""
    made = program.functions["on_device"](4)
    address = made.address
    device = program._program._device
    holder = [made]
    del made
    stream = device._open_stream()
    operation = device.enqueue(stream, "collect", holder.clear)
    operation.wait()
    assert holder == []
    assert device.memory.size_at(address) is not None
    program.functions["counted"]()
    assert device.memory.size_at(address) is None


def test_errors_end_the_call_and_not_the_program(program):
    with pytest.raises(ProgramError, match="integer division by zero"):
        program.functions["divide"](1, 0)
    assert program.functions["divide"](7, 2) == 3
    far = "kernel 'far', argument 'a' of function 'fault': store to element 1099511627776 of"
    with pytest.raises(DeviceError, match=far):
        program.functions["fault"](np.zeros(1, np.float32), 1 << 40)
    assert program.functions["on_device"](2).numpy().tolist() == [6, 6]
    with pytest.raises(TypeError, match="function 'divide' takes 2 arguments"):
        program.functions["divide"](1)


def test_a_matrix_product_and_its_arrays():
    matmuls = xgpu.load(EXAMPLES / "two_matmuls.mlir", "host").functions["two_matmuls"]
    random = np.random.default_rng(0)
    a = random.random((256, 1024), np.float32)
    b = random.random((1024, 256), np.float32)
    a.flags.writeable = False  # the program only reads it
    c = matmuls(a, b)
    assert c.shape == (256, 256)
    assert np.allclose(c.numpy(), 2 * (a @ b), rtol=1e-4)
    with pytest.raises(ValueError, match=r"argument 'lhs' .*expected the shape \(256, 1024\)"):
        matmuls(b, a)


def test_programs_run_beside_each_other():
    """Each in a thread of its own, with a device of its own."""
    text = """
    module attributes {gpu.container_module} {
      func.func @f(%n: index) -> memref<8xi32> {
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c0 = arith.constant 0 : index
        %m = gpu.alloc host_shared () : memref<8xi32>
        scf.for %i = %c0 to %n step %c1 {
          %t = gpu.wait async
          %w = gpu.launch_func async [%t] @k::@k blocks in (%c1, %c1, %c1)
              threads in (%c8, %c1, %c1) args(%m : memref<8xi32>)
          gpu.wait [%w]
        }
        return %m : memref<8xi32>
      }
      gpu.module @k { gpu.func @k(%m: memref<8xi32>) kernel {
        %v = arith.constant VALUE : i32
        %i = gpu.thread_id x
        memref.store %v, %m[%i] : memref<8xi32>
        gpu.return
      } }
    }
    """
    functions = [xgpu.load(text.replace("VALUE", str(i)), "host").functions["f"] for i in range(4)]
    wrong: list[object] = []

    def work(i: int) -> None:
        try:
            for _ in range(10):
                found = functions[i](20).numpy().tolist()
                if found != [i] * 8:
                    wrong.append((i, found))
        except BaseException as problem:
            wrong.append(problem)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_one_program_that_fails_does_not_stop_another(program):
    other = xgpu.load(PROGRAM, "host")
    wrong: list[object] = []

    def fail() -> None:
        for _ in range(10):
            try:
                other.functions["fault"](np.zeros(1, np.float32), 1 << 40)
                wrong.append("no error")
            except DeviceError:
                pass

    thread = threading.Thread(target=fail)
    thread.start()
    for _ in range(20):
        assert program.functions["on_device"](3).numpy().tolist() == [6, 6, 6]
    thread.join()
    assert wrong == []


def test_functions_come_after_launches_without_a_stream():
    """A launch of arrays of ours does not wait; the function's own streams know nothing of it."""
    module = xgpu.load(
        """
        module attributes {gpu.container_module} {
          gpu.module @m {
            gpu.func @slow(%a: memref<?xi64>, %n: index) kernel {
              %c0 = arith.constant 0 : index
              %c1 = arith.constant 1 : index
              %one = arith.constant 1 : i64
              %b = gpu.block_id x
              scf.for %i = %c0 to %n step %c1 {
                %v = memref.atomic_rmw addi %one, %a[%b] : (i64, memref<?xi64>) -> i64
              }
              gpu.return
            }
          }
          func.func @at(%a: memref<?xi64>, %i: index) -> i64 {
            %v = memref.load %a[%i] : memref<?xi64>
            return %v : i64
          }
        }""",
        "host",
    )
    at, count = module.functions["at"], 100_000
    a = xgpu.zeros(count, "int64", "host")
    assert at(a, count - 1) == 0
    module.kernels["slow"][count, 1](a, 500)
    assert at(a, count - 1) == 500


def test_a_declaration_that_nobody_uses_needs_no_definition():
    """As in mlir-runner; one that is called does."""
    text = """
    func.func private @hidden()
    func.func @f() -> i32 {
      %c = arith.constant 7 : i32
      CALL
      return %c : i32
    }"""
    assert xgpu.load(text.replace("CALL", ""), "host").functions["f"]() == 7
    called = xgpu.load(text.replace("CALL", "func.call @hidden() : () -> ()"), "host")
    with pytest.raises(ProgramError, match="undefined symbol 'hidden'"):
        called.functions["f"]()


@pytest.mark.parametrize("called", [False, True])
def test_functions_of_a_module_that_is_closed(called):
    module = xgpu.load("func.func @f() { return }", "host")
    f = module.functions["f"]
    if called:
        f()
    module.close()
    module.close()
    with pytest.raises(ValueError, match="the module is closed"):
        f()


def test_complex_arguments_and_results() -> None:
    """Beside others: each part of a struct lies where C puts it."""
    text = """
    func.func @f(%x: complex<f64>, %i: i8, %y: complex<f32>, %t: !gpu.async.token)
        -> (i8, complex<f32>, complex<f64>, f32, complex<f32>) {
      %c = complex.add %x, %x : complex<f64>
      %d = complex.mul %y, %y : complex<f32>
      %r = complex.re %y : complex<f32>
      return %i, %d, %c, %r, %y : i8, complex<f32>, complex<f64>, f32, complex<f32>
    }
    func.func @one(%x: complex<f32>) -> complex<f32> { return %x : complex<f32> }
    """
    with xgpu.load(text, "host") as module:
        given = module.functions["f"](1 + 2j, 3, np.complex64(2 - 1j), None)
        assert given == (3, 3 - 4j, 2 + 4j, 2.0, 2 - 1j)
        assert module.functions["one"](np.float32(1.5)) == 1.5 + 0j
        with pytest.raises(TypeError, match="argument 'x' of type complex<f32>: expected a number"):
            module.functions["one"]("a")
