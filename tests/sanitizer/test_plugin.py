# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pytest --xgpu-sanitize`, the marker and the fixture, as a project would use them."""

from __future__ import annotations

import os
import sys
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
    plugin = [] if _is_installed() else ["-p", "xgpu.tools.pytest_plugin"]
    done = processes.run(
        [sys.executable, "-m", "pytest", "-q", *processes.WITHOUT_PLUGINS, *plugin, *options, "."],
        cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def _is_installed() -> bool:
    from importlib.metadata import entry_points

    return any(e.name == "xgpu" for e in entry_points(group="pytest11"))


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


def test_kernels_that_python_launches_are_watched(tmp_path: Path):
    (tmp_path / "test_it.py").write_text(_KERNEL)
    code, out = _pytest(tmp_path, "--xgpu-sanitize")
    assert code == 1
    assert "1 failed, 2 passed, 2 errors" in out
    for first, phase in (("31", ""), ("30", "ERROR at setup of"), ("29", "ERROR at teardown of")):
        assert phase in out
        assert f"memory: read of %a[{first}] (4 bytes), right behind the end of an array of" in out


def test_correct_programs_pass(folder: Path):
    (folder / "test_it.py").write_text(_TEST.format(name="fine.mlir"))
    code, out = _pytest(folder, "--xgpu-sanitize")
    assert code == 0, out


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


def test_launches_in_other_orders(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(_ORDERS)
    (tmp_path / "lock.txt").write_text(LOCK.replace("FIRST", "0"))
    code, out = _pytest(tmp_path, "--xgpu-sanitize", "--xgpu-sanitize-schedules=1")
    assert code == 1
    assert "2 failed, 1 passed" in out
    assert "error: race: " in out
    assert "xgpu_sanitize: schedules is -1, expected a number that is 0 or more" in out
