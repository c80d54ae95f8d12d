# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs and scenes of `injection` over the library of xgpu's CUDA driver, through
cuda-bindings as they are; each `step`th call fails. In a process of its own, which has no other
driver.

    python -m tests.support.machine_runs 29
"""

from __future__ import annotations

import contextlib
import gc
import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.support.driver_bindings import DriverBindings
from tests.support.injection import MODES, calls_of, check_failures, first_of
from xgpu import cuda_driver


class Library:
    """The library of this process, over the driver of one run after the other."""

    def __init__(self) -> None:
        self._found = cuda_driver.connect()

    def use(self, bindings: DriverBindings) -> None:
        self._found.serve(bindings.driver)


def _tool(library: Library, file: Path, bindings: DriverBindings) -> list[str]:
    from xgpu.tools import xgpu_runner

    library.use(bindings)
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        code = xgpu_runner.main(
            ["--device=cuda", "-O0", "--entry-point-result=void", str(file)]
        )  # fmt: skip
        _give_back()
    bindings.close()
    errors = [line for line in said.getvalue().splitlines() if "error: " in line]
    assert code in (0, 1), said.getvalue()
    assert len(errors) == code, said.getvalue()
    return errors


def _scene(library: Library, name: str, bindings: DriverBindings) -> list[str]:
    from tests.unit.api.test_cuda_failures import SCENES
    from xgpu.api.devices import registry
    from xgpu.core.ir.errors import DeviceError
    from xgpu.driver.engine import ProgramError

    library.use(bindings)
    problems: list[str] = []
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            SCENES[name]()
        except (DeviceError, ProgramError) as raised:
            problems.append(str(raised))
        gc.collect()
        registry.remove("cuda:1")
        _give_back()
    bindings.close()
    return problems


def _give_back() -> None:
    """What the end of a process does; the next run begins with `cuInit`, as a process does."""
    from xgpu.runtime.cuda.driver import load_driver

    if load_driver.cache_info().currsize:
        load_driver().drop_all()
        load_driver.cache_clear()


def main(step: int) -> None:
    from tests.support.cuda_programs import PROGRAMS
    from tests.unit.api.test_cuda_failures import SCENES
    from tests.unit.tools.test_runner_failures import lowered
    from xgpu.api import views

    views._cuda_device = lambda address: "cuda:1"
    runs = 0
    with tempfile.TemporaryDirectory() as folder:
        library = Library()
        jobs: dict[str, Callable[[DriverBindings], list[str]]] = {}
        for name in PROGRAMS:
            file = Path(folder) / f"{name}.mlir"
            file.write_text(lowered(name))
            jobs[f"runner, {name}"] = lambda made, file=file: _tool(library, file, made)
        for name in SCENES:
            jobs[f"python, {name}"] = lambda made, name=name: _scene(library, name, made)
        for name, run in jobs.items():
            calls = calls_of(run)
            for mode in MODES:
                runs += check_failures(
                    name, run, mode, calls, first_of(name + mode, step), step
                )  # fmt: skip
            print(f"{name}: {calls} calls", flush=True)
    print(f"{runs} failures")


if __name__ == "__main__":
    main(int(sys.argv[1]))
