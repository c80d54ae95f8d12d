# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of blocks are used up (`sanitizer_renewal`): launches are screened as before, and what
memory holds is known as before."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from xgpu.host_device.device import launch
from xgpu.host_device.sanitizer.reports.findings import sanitizer_state
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

_LAST = 8388608
_TEXT = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @fill(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) kernel {
      %i = gpu.global_id x
      %few = arith.cmpi ult, %i, %n : index
      scf.if %few {
        %one = arith.constant 1.0 : f32
        memref.store %one, %a[%i] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @copy(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) kernel {
      %i = gpu.global_id x
      %few = arith.cmpi ult, %i, %n : index
      scf.if %few {
        %v = memref.load %a[%i] : memref<?xf32>
        memref.store %v, %b[%i] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @racy(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) kernel {
      %i = gpu.global_id x
      %r = arith.subi %n, %i : index
      %v = memref.load %a[%r] : memref<?xf32>
      %one = arith.constant 1.0 : f32
      %w = arith.addf %v, %one : f32
      memref.store %w, %a[%i] : memref<?xf32>
      gpu.return
    }
  }
}
"""
_COUNT = 4096


class _Program:
    """Two arrays in device memory, and launches of 64 blocks."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self.sanitizer = Sanitizer(kinds)
        self.launcher = Launcher(host_object(_TEXT), sanitizer=self.sanitizer)
        self.arrays = [self._allocated() for _ in range(2)]

    def _allocated(self) -> np.ndarray:
        address = self.launcher.device.mgpuMemAlloc(_COUNT * 4, 0, 0)
        return np.ctypeslib.as_array((ctypes.c_float * _COUNT).from_address(address))

    def launch(self, name: str, n: int) -> str:
        """What became of it."""
        self.launcher.launch(name, 64, 64, *self.arrays, ctypes.c_int64(n))
        return self.sanitizer.screens[-1]

    def use_up(self) -> None:
        self._state().context_count = _LAST - 32

    def contexts(self) -> int:
        return self._state().context_count

    def _state(self) -> Any:
        return self.sanitizer.record("SanState", sanitizer_state())


@pytest.fixture(autouse=True)
def screened(monkeypatch: pytest.MonkeyPatch) -> None:
    """No launch is known before it runs."""
    monkeypatch.setattr(launch, "WORTH_KNOWING", 1 << 62)


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Iterator[_Program]:
    made = _Program(request.param)
    yield made
    made.launcher.close()


@pytest.mark.parametrize("program", [("race",), ("race", "init"), ("init",)], indirect=True)
def test_launches_go_on_being_screened(program: _Program) -> None:
    assert program.launch("fill", _COUNT) == "clean"
    for _ in range(3):
        program.use_up()
        assert program.launch("copy", _COUNT) == "clean"
        assert program.contexts() < 1000
        assert program.launch("fill", _COUNT) == "clean"
    assert not program.sanitizer.findings()


@pytest.mark.parametrize("program", [("race",)], indirect=True)
def test_races_are_found_behind_it(program: _Program) -> None:
    assert program.launch("fill", _COUNT) == "clean"
    program.use_up()
    program.launch("racy", _COUNT - 1)
    assert [f.kind for f in program.sanitizer.findings()] == ["race"]
    assert program.contexts() < 1000


@pytest.mark.parametrize("program", [("init",), ("race", "init")], indirect=True)
def test_what_nobody_wrote_is_known_behind_it(program: _Program) -> None:
    assert program.launch("fill", 1500) == "clean"
    program.use_up()
    assert program.launch("copy", 1500) == "clean"
    program.use_up()
    program.launch("copy", 1501)
    (found,) = program.sanitizer.findings()
    assert (found.kind, found.count) == ("init", 1)


def test_another_program_begins_anew() -> None:
    first = _Program(("race",))
    first.use_up()
    second = _Program(("race",))
    assert second.contexts() < 10
    assert second.launch("fill", _COUNT) == "clean"
    for made in (first, second):
        made.launcher.close()
