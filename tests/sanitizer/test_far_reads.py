# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads that stride through an allocation, forwards and backwards: windows have all of it
(`sanitizer_windows.reach`), and what nobody wrote is found wherever it lies."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

import xgpu
from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import some
from xgpu.host_device.sanitizer.reports.findings import sanitizer_state
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

pytestmark = pytest.mark.sampled(2)

_ROWS, _WIDTH = 32, 8192  # eight pages a row
_COUNT = _ROWS * _WIDTH
_BLOCK = 64
_TEXT = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @fill(%a: memref<?xf32>, %hole: index) kernel {
      %i = gpu.global_id x
      %other = arith.cmpi ne, %i, %hole : index
      scf.if %other {
        %one = arith.constant 1.0 : f32
        memref.store %one, %a[%i] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @sum(%a: memref<?xf32>, %b: memref<?xf32>, %first: index, %step: index) kernel {
      %i = gpu.global_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %rows = arith.constant ROWS : index
      %zero = arith.constant 0.0 : f32
      %start = arith.addi %first, %i : index
      %s, %end = scf.for %r = %c0 to %rows step %c1 iter_args(%x = %zero, %at = %start)
          -> (f32, index) {
        %v = memref.load %a[%at] : memref<?xf32>
        %y = arith.addf %x, %v : f32
        %next = arith.addi %at, %step : index
        scf.yield %y, %next : f32, index
      }
      memref.store %s, %b[%i] : memref<?xf32>
      gpu.return
    }
  }
}
""".replace("ROWS", str(_ROWS))


class _Program:
    """An array in device memory of which one word, or none, has not been written."""

    def __init__(self, kinds: tuple[str, ...], hole: int) -> None:
        self.sanitizer = Sanitizer(kinds)
        self.launcher = Launcher(host_object(_TEXT), sanitizer=self.sanitizer)
        self.a = self.allocated()
        self.b = np.zeros(_WIDTH, np.float32)
        self.launcher.device.mgpuMemHostRegister(self.b.ctypes.data, self.b.nbytes)
        self.launcher.launch("fill", _COUNT // _BLOCK, _BLOCK, self.a, ctypes.c_int64(hole))

    def allocated(self) -> np.ndarray:
        address = self.launcher.device.mgpuMemAlloc(_COUNT * 4, 0, 0)
        return np.ctypeslib.as_array((ctypes.c_float * _COUNT).from_address(address))

    def sum(self, backwards: bool, columns: int = _WIDTH) -> None:
        first, step = (_COUNT - _WIDTH, -_WIDTH) if backwards else (0, _WIDTH)
        places = ctypes.c_int64(first), ctypes.c_int64(step)
        self.launcher.launch("sum", columns // _BLOCK, _BLOCK, self.a, self.b, *places)

    def widest(self) -> int:
        """Bytes of the widest window."""
        state = self._record("SanState", sanitizer_state())
        screen = self._record("SanScreen", state.screen)
        windows = [self._record("SanWindow", screen.windows, i) for i in range(screen.window_count)]
        return max(w.high - w.low for w in windows if w.high)

    def _record(self, name: str, address: Any, index: int = 0) -> Any:
        return self.sanitizer.record(name, address, index)

    def close(self) -> None:
        self.launcher.close()


@pytest.mark.parametrize("backwards", [False, True])
def test_a_location_that_strides_has_all_of_an_allocation(backwards: bool) -> None:
    program = _Program(("memory", "init"), _COUNT)
    try:
        for _ in range(2):
            program.sum(backwards)
            assert program.sanitizer.screens[-1] == "clean"
            assert program.widest() == program.a.nbytes
        np.testing.assert_array_equal(program.b, np.full(_WIDTH, _ROWS, np.float32))
        assert not program.sanitizer.findings()
    finally:
        program.close()


@pytest.mark.parametrize("kinds", [("init",), ("memory", "init"), ("memory", "race", "init")])
@pytest.mark.parametrize(
    ("hole", "backwards"),
    some([0, 1023, 5 * _WIDTH + 77, 17 * _WIDTH + 4096, _COUNT - 1], [False, True]),
)
def test_one_word_that_nobody_wrote(hole: int, backwards: bool, kinds: tuple[str, ...]) -> None:
    program = _Program(kinds, hole)
    try:
        program.sum(backwards)
        (found,) = program.sanitizer.findings()
        assert (found.kind, found.count) == ("init", 1)
    finally:
        program.close()


@pytest.mark.parametrize("kinds", [("init",), ("memory", "race", "init")])
@pytest.mark.parametrize("clean", [0, 1, 2])
def test_what_was_written_is_known_behind_a_launch_that_is_undone(
    clean: int, kinds: tuple[str, ...]
) -> None:
    """The launch that wrote it is known by states alone, which the others change."""
    program = _Program(kinds, _COUNT - 1)
    try:
        for _ in range(clean):
            program.sum(False, _WIDTH - _BLOCK)
        assert not program.sanitizer.findings()
        for count in (1, 2):
            program.sum(False)
            assert program.sanitizer.screens[-1] == "undone"
            assert [(f.kind, f.count) for f in program.sanitizer.findings()] == [("init", count)]
    finally:
        program.close()


@pytest.mark.parametrize("kinds", [("init",), ("memory", "race", "init")])
@pytest.mark.parametrize("hole", [_COUNT, _COUNT - 1])
def test_what_was_written_is_known_to_a_copy_behind_launches_that_read(
    hole: int, kinds: tuple[str, ...]
) -> None:
    """In a page with a hole each word has a state of its own, which says who reads it."""
    program = _Program(kinds, hole)
    device, source = program.launcher.device, program.a
    try:
        program.sum(False, _WIDTH - _BLOCK)
        program.launcher.launch("sum", 1, _BLOCK - 1, source, program.b, *_last_columns())
        program.a = program.allocated()
        device.mgpuMemcpy(program.a.ctypes.data, source.ctypes.data, source.nbytes, 0)
        program.sum(True, _WIDTH - _BLOCK)
        assert not program.sanitizer.findings()
        program.sum(True)
        assert len(program.sanitizer.findings()) == (hole < _COUNT)
    finally:
        program.close()


def _last_columns() -> tuple[ctypes.c_int64, ctypes.c_int64]:
    """A first element and a step: the last block of columns, all but the last of them."""
    return ctypes.c_int64(_WIDTH - _BLOCK), ctypes.c_int64(_WIDTH)


_ASTRAY = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x i32>
    llvm.func @keep(%p: !llvm.ptr) attributes {no_inline} {
      llvm.return
    }
    llvm.func @k(%a: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      %seven = llvm.mlir.constant(7 : i32) : i32
      %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
      %s = llvm.mlir.addressof @shared : !llvm.ptr<3>
      %g = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
      llvm.store %seven, %PLACE : i32, !llvm.ptr
      llvm.call @keep(%x) : (!llvm.ptr) -> ()
      nvvm.barrier0
      %from = llvm.ptrtoint %a : !llvm.ptr to i64
      %to = llvm.ptrtoint %PLACE : !llvm.ptr to i64
      %far = llvm.sub %to, %from : i64
      %p = llvm.getelementptr %a[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.store %v, %out : i32, !llvm.ptr
      llvm.return
    }
  }
}
"""


@pytest.mark.parametrize(("place", "kept"), [("x", "x"), ("g", "x"), ("g", None)])
def test_an_array_is_not_left_into_memory_of_the_block(place: str, kept: str | None) -> None:
    """An index that is far too large may meet a thread's own variables, or workgroup memory: what
    is there would be any number, a loop's bound for instance."""
    text = _ASTRAY.replace("PLACE", place)
    if kept is None:  # it can be screened then
        text = "\n".join(line for line in text.splitlines() if "call @keep" not in line)
    kernel = xgpu.load(text, "host").kernels["k"]
    a, out = np.zeros(64, np.int32), np.ones(1, np.int32)
    with xgpu.sanitized() as watched:
        kernel[1, 1](a, out)
    (found,) = watched.findings()
    assert (found.kind, found.sides[0].operation) == ("memory", "llvm.load")
    assert "an array of 256 bytes" in found.message
    assert out[0] == 0
