# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program on its way from its source to its result."""

from __future__ import annotations

import gc
import pathlib

import pytest

import xgpu
from xgpu.core.syntax import print_module
from xgpu.driver.host_source import LoweredProgram
from xgpu.driver.program import Program
from xgpu.driver.sanitizer import open_sanitized
from xgpu.host_device.compiler.objects import CompiledModule, find_module
from xgpu.host_device.device.device import HostDevice
from xgpu.host_device.sanitizer.reports.library import sanitizer_library
from xgpu.runtime.session import Session


def test_tensors_that_are_left() -> None:
    text = "func.func @g(%t: tensor<?xf32>) -> tensor<?xf32> { return %t : tensor<?xf32> }"
    with pytest.raises(xgpu.DiagnosticError, match="it has tensors, which passes before must make"):
        xgpu.load(text, device="host")


SOURCE = """
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %out = gpu.alloc host_shared () : memref<8xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %i = arith.index_cast %t : index to i32
    %v = arith.addi %i, %i : i32
    memref.store %v, %out[%t] : memref<8xi32>
    gpu.terminator
  }
  %r = memref.load %out[%c1] : memref<8xi32>
  %z = arith.divsi %r, %r : i32
  %s = arith.addi %r, %z : i32
  return %s : i32
}
"""


@pytest.fixture(scope="module")
def sanitizer() -> None:
    """Its library is there, which takes seconds to make without the cache."""
    sanitizer_library()


@pytest.fixture
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XGPU_NO_CACHE", "1")


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, no kernel module is read from text."""

    def fail(*_: object) -> None:
        raise AssertionError("a kernel module is read")

    monkeypatch.setattr("xgpu.core.syntax.parse_module", fail)


def host() -> tuple[Session, HostDevice]:
    session = Session()
    return session, HostDevice(session)


def only_module(program: Program) -> CompiledModule:
    assert program.lowered is not None
    (module,) = program.lowered.kernels
    return module


def test_kernels_that_were_compiled_here_are_not_read_again(
    no_cache: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(SOURCE, entry="main")
    session, device = host()
    program.lower(device)
    forbid_reading(monkeypatch)
    assert program.run(session, device) == 3


def test_kernels_of_a_loaded_module_are_not_read_again(
    no_cache: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
    gpu.module @m {
      gpu.func @fill(%a: memref<?xi32>, %v: i32) kernel {
        %i = gpu.thread_id x
        memref.store %v, %a[%i] : memref<?xi32>
        gpu.return
      }
    }
    """
    module = xgpu.load(text, "host")
    forbid_reading(monkeypatch)
    array = xgpu.zeros(4, "int32", "host")
    module.kernels["fill"][1, 4](array, 7)
    assert array.numpy().tolist() == [7] * 4


def test_the_program_owns_its_kernels(no_cache: None) -> None:
    program = Program(SOURCE, entry="main")
    _, device = host()
    program.lower(device)
    text = only_module(program).text
    assert find_module(text) is only_module(program)
    device.close()
    del program
    gc.collect()
    assert find_module(text) is None


def test_what_is_only_printed_owns_none(no_cache: None) -> None:
    module = xgpu.compile(SOURCE, format="host").module
    assert "gpu.binary" in print_module(module)
    program = Program(SOURCE, entry="main")
    _, device = host()
    program.lower(device)
    text = only_module(program).text
    del program
    gc.collect()
    assert find_module(text) is None
    device.close()


def test_whoever_changes_kernels_changes_its_own(sanitizer: None, no_cache: None) -> None:
    """The sanitizer's device instruments them; other devices have the same operation."""
    program = Program(SOURCE, entry="main")
    session, device = host()
    program.lower(device)
    before = print_module(only_module(program).operation, debuginfo=True)
    watched_session = Session()
    watched, _ = open_sanitized(("memory", "race"), watched_session)
    try:
        assert program.load(watched_session, watched).run() == 3
    finally:
        watched.close()
    assert print_module(only_module(program).operation, debuginfo=True) == before
    assert program.run(session, device) == 3


def test_a_lowered_program_as_text() -> None:
    program = Program(SOURCE, "a.mlir", entry="main")
    session, device = host()
    made = program.lower(device)
    text = made.to_json()
    read = LoweredProgram.from_json(text.encode())
    assert read.to_json() == text
    assert read.kernels == ()
    assert read.parts.definitions["main"].result == "i32"
    assert "a.mlir:15:8" in read.locations.texts
    program.lowered = read
    assert program.run(session, device) == 3


def test_the_cache_has_programs_that_came_as_text(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("XGPU_NO_CACHE", raising=False)
    session, device = host()
    program = Program(SOURCE, entry="main")
    assert not program.restore(device)
    program.lower(device)
    program.store(device)
    again = Program(SOURCE, entry="main")
    assert again.restore(device)
    assert again.module is None
    assert not Program(SOURCE, entry="main", opt_level=1).restore(device)
    assert not Program(SOURCE, "b.mlir", entry="main").restore(device)
    relaxed = Program(SOURCE, entry="main", options="relaxed-float-atomics=1")
    assert not relaxed.restore(device)
    module = Program(program.parse(), entry="main")
    module.lower(device)
    module.store(device)
    assert not module.restore(device)
    assert again.run(session, device) == 3


def test_a_library_has_no_entry() -> None:
    text = "func.func @f(%x: i32) -> i32 { return %x : i32 }"
    program = Program(text, entry="main", may_be_library=True)
    program.parse()
    assert program.entry is None
    with pytest.raises(xgpu.ProgramError, match="entry point 'main' not found"):
        Program(text, entry="main").parse()
