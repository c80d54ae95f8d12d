# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pytest --xgpu-sanitize`, the marker and the fixture, as a project would use them."""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from planted import Planted

from tests.sanitizer.test_orders import LOCK
from tests.support import processes

ROOT = Path(__file__).resolve().parents[2]
_CASE = Planted(
    "racy", "race", """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %s[%t] : memref<64xf32, #wg>
      gpu.barrier // GOOD
      %k = arith.subi %c63, %t : index
      %w = memref.load %s[%k] : memref<64xf32, #wg>
      memref.store %w, %out[%t] : memref<256xf32>
""", workgroup="%s: memref<64xf32, #wg>",
)  # fmt: skip
_TEST = """
import pathlib
import pytest
import xgpu

HERE = pathlib.Path(__file__).parent

def test_run():
    xgpu.run(HERE / "{name}", device="host")

@pytest.mark.xgpu_sanitize("race")
def test_marked():
    xgpu.run(HERE / "{name}", device="host")

@pytest.mark.xgpu_sanitize("memory")
def test_marked_for_other_things():
    xgpu.run(HERE / "{name}", device="host")

def test_fixture(xgpu_sanitize):
    xgpu_sanitize(HERE / "{name}")
"""

_KERNEL = """
import numpy as np
import pytest
import xgpu

@pytest.fixture(scope="module")
def copy():
    text = '''gpu.module @m {
      gpu.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) kernel {
        %t = gpu.thread_id x
        %x = memref.load %a[%t] : memref<?xf32>
        memref.store %x, %b[%t] : memref<?xf32>
        gpu.return
      }
    }'''
    return xgpu.load(text, "host").kernels["copy"]

@pytest.mark.parametrize("size", [32, 31])
def test_copy(copy, size):
    copy[1, 32](np.ones(size, np.float32), np.zeros(32, np.float32))

@pytest.fixture
def around(copy, request):
    copy[1, 32](np.ones(request.param[0], np.float32), np.zeros(32, np.float32))
    yield
    copy[1, 32](np.ones(request.param[1], np.float32), np.zeros(32, np.float32))

@pytest.mark.parametrize("around", [(30, 32), (32, 29)], indirect=True)
def test_between(around):
    pass
"""


def _pytest(folder: Path, *options: str) -> tuple[int, str]:
    """The exit code and what is printed, with a line for each test."""
    done = processes.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", *processes.ONLY_OUR_PLUGIN, *options, "."],
        cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def _outcomes(out: str) -> dict[str, list[str]]:
    """The tests with each outcome; those of each file in order."""
    found: dict[str, list[str]] = {}
    for outcome, name in re.findall(r"^(PASSED|FAILED|ERROR) (\S+)", out, re.MULTILINE):
        found.setdefault(outcome, []).append(name)
    return found


def test_installed_projects_get_the_plugin() -> None:
    found = [e.value for e in entry_points(group="pytest11") if e.name == "xgpu"]
    if not found:
        pytest.skip("xgpu is not installed")
    assert found == ["xgpu.tools.pytest_plugin"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "racy.mlir").write_text(_CASE.text(True))
    (tmp_path / "fine.mlir").write_text(_CASE.text(False))
    return tmp_path


def test_findings_fail_the_tests_that_are_watched(folder: Path):
    (folder / "test_it.py").write_text(_TEST.format(name="racy.mlir"))
    code, out = _pytest(folder)
    assert code == 1
    assert "2 failed, 2 passed" in out
    assert "error: race: " in out
    assert "nothing orders the two" in out


def test_the_option_watches_every_test(folder: Path):
    (folder / "test_it.py").write_text(_TEST.format(name="racy.mlir"))
    code, out = _pytest(folder, "--xgpu-sanitize", "--xgpu-sanitize-kinds=race")
    assert code == 1
    assert "3 failed, 1 passed" in out


_ORDERS = """
import pathlib
import numpy as np
import pytest
import xgpu

def _launch():
    text = (pathlib.Path(__file__).parent / "lock.txt").read_text()
    xgpu.load(text, "host").kernels["k"][2, 1](np.zeros(1, np.int32))

def test_orders_of_the_option():
    _launch()

@pytest.mark.xgpu_sanitize("race", schedules=0)
def test_the_natural_order_alone():
    _launch()

@pytest.mark.xgpu_sanitize("race", schedules=-1)
def test_no_number_of_orders():
    _launch()
"""


def test_kernels_programs_and_orders_are_watched(folder: Path) -> None:
    """What is correct passes; a finding fails the phase of a test that it is in; launches run in
    other orders, if a test does not say otherwise."""
    (folder / "test_correct.py").write_text(_TEST.format(name="fine.mlir"))
    (folder / "test_kernels.py").write_text(_KERNEL)
    (folder / "test_orders.py").write_text(_ORDERS)
    (folder / "lock.txt").write_text(LOCK.replace("FIRST", "0"))
    code, out = _pytest(folder, "--xgpu-sanitize", "--xgpu-sanitize-schedules=1")
    assert code == 1
    assert _outcomes(out) == {
        "PASSED": [
            "test_correct.py::test_run", "test_correct.py::test_marked",
            "test_correct.py::test_marked_for_other_things", "test_correct.py::test_fixture",
            "test_kernels.py::test_copy[32]", "test_kernels.py::test_between[around1]",
            "test_orders.py::test_the_natural_order_alone",
        ],
        "FAILED": [
            "test_kernels.py::test_copy[31]", "test_orders.py::test_orders_of_the_option",
            "test_orders.py::test_no_number_of_orders",
        ],
        "ERROR": [
            "test_kernels.py::test_between[around0]", "test_kernels.py::test_between[around1]",
        ],
    }  # fmt: skip
    for first, phase in (("31", ""), ("30", "ERROR at setup of"), ("29", "ERROR at teardown of")):
        assert phase in out
        assert f"memory: read of %a[{first}] (4 bytes), right behind the end of an array of" in out
    assert "error: race: " in out
    assert "xgpu_sanitize: schedules is -1, expected a number that is 0 or more" in out
