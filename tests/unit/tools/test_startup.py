# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the start of a tool costs: the modules that it loads, and its time beside xDSL's import."""

from __future__ import annotations

import json
import os
import pathlib
import resource
import sys

import pytest

from tests.support import processes
from tests.support.processor_time import least_ratio
from xgpu.api.cuda_driver.library_file import is_possible

TEXT = """func.func @scale(%a: f32, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = arith.mulf %a, %0 : f32
    memref.store %1, %x[%i] : memref<?xf32>
  }
  return
}
"""

#: Runs the console script; writes the names of all modules that are loaded at its end.
PROGRAM = """
import atexit, json, sys
*_, text, out = sys.argv
def write():
    with open(out, "w") as file:
        json.dump(sorted(sys.modules), file)
atexit.register(write)
sys.argv[1:] = [text]
from xgpu.tools.xgpu_opt import console
console()
"""

#: The part of a start that xDSL takes, with the exit that the tools have.
XDSL = """
import gc, os
gc.disable()
import xdsl.context, xdsl.dialects.builtin, xdsl.parser, xdsl.printer
os._exit(0)
"""
TOOL = "from xgpu.tools.xgpu_opt import console; console()"


@pytest.fixture
def text(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "a.mlir"
    path.write_text(TEXT)
    return path


def modules_of(text: pathlib.Path) -> set[str]:
    out = text.with_suffix(".json")
    done = processes.run(
        [sys.executable, "-c", PROGRAM, str(text), str(out)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "scf.for" in done.stdout
    return set(json.loads(out.read_text()))


def test_modules_that_a_short_text_needs(text: pathlib.Path) -> None:
    """Raise the count only for what every text needs: a module costs as much as 300 lines of a
    text."""
    modules = modules_of(text)
    assert len([name for name in modules if name.startswith("xgpu")]) <= 105
    assert not {name.partition(".")[0] for name in modules} & {"llvmlite", "cuda", "numpy"}
    # Exits of LLVM are caught only where LLVM is loaded; passes run only where some are asked for.
    assert "xgpu.backend.llvm_ir.containment" not in modules
    assert "xgpu.core.passes.manager" not in modules
    assert not [name for name in modules if name.startswith("xgpu.dialects.affine")]


def test_importing_the_package_loads_none_of_its_parts() -> None:
    program = "import json, sys, xgpu; print(json.dumps(sorted(sys.modules)))"
    done = processes.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    modules: list[str] = json.loads(done.stdout)
    heavy = {"xdsl", "llvmlite", "cuda", "numpy", "dataclasses", "inspect"}
    assert not {name.partition(".")[0] for name in modules} & heavy


#: Runs a command as xgpu-cuda does, then initializes the CUDA driver in this process; writes which
#: of xDSL and LLVM are loaded after each.
DRIVER = """
import sys
from xgpu.tools.xgpu_cuda import main
assert main(["true"]) == 0
print([name for name in ("xdsl.ir", "llvmlite", "numpy") if name in sys.modules])
import ctypes
from xgpu import cuda_driver
assert cuda_driver.connect().library.cuInit(0) == 0
print([name for name in ("xdsl.ir", "llvmlite.binding") if name in sys.modules])
"""


@pytest.mark.skipif(not is_possible(), reason="xgpu-cuda needs Linux on x86-64")
def test_modules_that_the_cuda_driver_needs() -> None:
    """What compiles kernels is loaded where there are some."""
    done = processes.run([sys.executable, "-c", DRIVER], capture_output=True, text=True)
    if not done.stdout.startswith("[]"):  # LLVM has written the library
        done = processes.run([sys.executable, "-c", DRIVER], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["[]", "[]"]


def seconds(*arguments: str) -> float:
    """Processor time of a Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as packages are installed
    processes.run(
        [sys.executable, "-c", *arguments],
        check=True, capture_output=True, env=environment,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_time_of_a_short_text(text: pathlib.Path) -> None:
    """A tool takes little more than the import of xDSL, which it cannot do without."""
    ratio = least_ratio(lambda: seconds(TOOL, str(text)), lambda: seconds(XDSL), 1.4)
    assert ratio < 1.4
