# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What people expect around kernels: help, profiles, tuning, exploration, notebooks."""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import pydoc
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import xgpu
from tests.support import processes
from xgpu.api import progress
from xgpu.api.magic import run_cell
from xgpu.core.ir.errors import DeviceError, UsageError

TILED = """
gpu.module @m {
  gpu.func @scale(%a: memref<?xf32>, %f: f32) kernel {
    %block = gpu.block_id x
    %size = gpu.block_dim x
    %thread = gpu.thread_id x
    %base = arith.muli %block, %size : index
    %i = arith.addi %base, %thread : index
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %f : f32
    memref.store %y, %a[%i] : memref<?xf32>
    gpu.return
  }
}
"""

RACE = """
module attributes {gpu.container_module} {
  func.func @f() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %m = gpu.alloc host_shared () : memref<1xi32>
    memref.store %one, %m[%c0] : memref<1xi32>
    %t = gpu.wait async
    %u = gpu.wait async
    %a = gpu.launch_func async [%t] @k::@add blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%m : memref<1xi32>)
    %b = gpu.launch_func async [DEPENDS] @k::@double blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%m : memref<1xi32>)
    gpu.wait [%a, %b]
    %r = memref.load %m[%c0] : memref<1xi32>
    gpu.dealloc %m : memref<1xi32>
    return %r : i32
  }
  gpu.module @k {
    gpu.func @add(%m: memref<1xi32>) kernel {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %x = memref.load %m[%c0] : memref<1xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %m[%c0] : memref<1xi32>
      gpu.return
    }
    gpu.func @double(%m: memref<1xi32>) kernel {
      %c0 = arith.constant 0 : index
      %x = memref.load %m[%c0] : memref<1xi32>
      %y = arith.addi %x, %x : i32
      memref.store %y, %m[%c0] : memref<1xi32>
      gpu.return
    }
  }
}
"""


def test_help_shows_what_there_is():
    text = pydoc.plain(pydoc.render_doc(xgpu))
    for name in ("load", "empty", "asarray", "Stream", "Event", "autotune", "profile", "explore"):
        assert name in dir(xgpu)
        assert name in text
    for name in xgpu.__all__:
        value = getattr(xgpu, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name


def test_a_profile(add):
    a = xgpu.zeros(1000, "float32", "host")
    with xgpu.profile() as p:
        for _ in range(3):
            add[4, 256](a, a, a, 1000)
        a.numpy()
        xgpu.asarray(np.zeros(4), "host", copy=True)
        with pytest.raises(UsageError, match="there is a profile already"), xgpu.profile():
            pass
    rows = {row.name: row for row in p.rows}
    assert (rows["add"].calls, rows["add"].kind) == (3, "kernel")
    assert rows["add"].shortest <= rows["add"].mean <= rows["add"].longest
    assert rows["memcpy"].calls == 1
    assert "add " in repr(p)
    assert p._repr_html_().count("<svg") == 1
    add[4, 256](a, a, a, 1000)
    a.numpy()
    assert len(p.events) == sum(row.calls for row in p.rows)


def test_a_profile_of_functions_and_its_files(tmp_path):
    program = xgpu.load(RACE.replace("DEPENDS", "%a"), "host")
    program.functions["f"]()
    with xgpu.profile() as p:
        assert program.functions["f"]() == 4
    assert {row.name for row in p.rows} >= {"add", "double"}
    for suffix, begin in ((".svg", "<svg"), (".html", "<!doctype html>"), (".json", "{")):
        path = tmp_path / f"run{suffix}"
        p.save(path)
        assert path.read_text().lower().startswith(begin)
    assert json.loads((tmp_path / "run.json").read_text())["traceEvents"]
    with pytest.raises(UsageError, match=r"expected .svg, .html or .json"):
        p.save("run.txt")


def scale(module, a, f, block):
    module.kernels["scale"][a.size // block, block](a, f)


def wrong(module, a, f, block):
    blocks = max(a.size // block, 1)
    module.kernels["scale"][blocks, block](a, f if block != 64 else 0.0)


def test_autotune(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    a = np.arange(1024, dtype=np.float32)
    parameters = {"block": [32, 64, 2048], "opt_level": [2]}
    run = {"launch": wrong, "device": "host"}
    tuned = xgpu.autotune(TILED, {"opt_level": [1, 2]}, (a, 3.0), device="host",
                          launch=lambda m, a, f, opt_level: scale(m, a, f, 64))  # fmt: skip
    assert tuned.best["opt_level"] in (1, 2)
    assert [why for _, _, why in tuned.results] == ["", ""]
    assert a[1] == 1.0  # the inputs are copied
    again = xgpu.autotune(TILED, {"opt_level": [1, 2]}, (a, 3.0), device="host",
                          launch=lambda m, a, f, opt_level: scale(m, a, f, 64))  # fmt: skip
    assert again.from_cache
    assert again.best == tuned.best

    def source(block):
        return TILED

    tuned = xgpu.autotune(source, parameters, (a, 3.0), keep=False, **run)
    assert [why for _, _, why in tuned.results][1:] == [
        "gives something else than the first variant",
        "DeviceError: kernel 'scale': invalid configuration: block of 2048 x 1 x 1 = 2048 threads, "
        "the limit is 1024",
    ]
    assert tuned.best["block"] == 32
    assert "block" in repr(tuned)


def test_autotune_changes_attributes():
    text = """
    func.func @f() -> i64 {
      %c = "arith.constant"() {value = 4 : i64, tile = 8 : i64} : () -> i64
      return %c : i64
    }
    """
    tuned = xgpu.autotune(text, {"value": [4, 5]}, device="host", keep=False)
    assert tuned.results[0][1] is not None
    assert tuned.results[1][2] == "gives something else than the first variant"
    with pytest.raises(UsageError, match="no operation has an integer attribute 'no'"):
        xgpu.autotune(text, {"no": [1]}, device="host", keep=False)
    with pytest.raises(UsageError, match="there are no variants"):
        xgpu.autotune(text, {"value": []}, device="host")
    with pytest.raises(DeviceError, match="no variant can run; the first: TypeError: expected one"):
        xgpu.autotune(TILED, {"opt_level": [1]}, device="host", keep=False)


def test_exploration_with_executors():
    plain = xgpu.explore(RACE.replace("DEPENDS", "%u"), "f", schedules=20)
    assert plain.seed is not None
    assert plain.natural == 4
    assert plain.difference.startswith("result: 4")
    with ThreadPoolExecutor(1) as executor:
        threads = xgpu.explore(RACE.replace("DEPENDS", "%u"), "f", schedules=20, executor=executor)
    assert (threads.seed, threads.difference) == (plain.seed, plain.difference)
    ordered_text = RACE.replace("DEPENDS", "%a")
    ordered = xgpu.explore(ordered_text, "f", schedules=20)
    assert ordered.seed is None
    with pytest.raises(UsageError, match="schedules is -1"):
        xgpu.explore(RACE, "f", schedules=-1)
    with pytest.raises(UsageError, match=r"executor is 5, expected one of concurrent\.futures"):
        xgpu.explore(ordered_text, "f", executor=5)
    for given, why in ({"output": 5}, "output is 5"), ({"libraries": ["x.so"]}, "has 'x.so'"):
        with pytest.raises(UsageError, match=why):
            xgpu.load(ordered_text, "host", **given)


@pytest.mark.long
def test_exploration_in_other_processes():
    text = RACE.replace("DEPENDS", "%u")
    plain = xgpu.explore(text, "f", schedules=20)
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        found = xgpu.explore(text, "f", schedules=20, executor=executor)
    assert (found.seed, found.difference) == (plain.seed, plain.difference)


@pytest.mark.long
def test_exploration_with_dask():
    distributed = pytest.importorskip("distributed", reason="needs Dask")
    text = RACE.replace("DEPENDS", "%u")
    plain = xgpu.explore(text, "f", schedules=20)
    with distributed.Client(n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        found = xgpu.explore(text, "f", schedules=20, executor=client.get_executor())
    assert (found.seed, found.difference) == (plain.seed, plain.difference)


MPI = """
from concurrent.futures import Executor
from mpi4py.futures import MPIPoolExecutor
import xgpu

if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        assert isinstance(executor, Executor)
        found = xgpu.explore({text!r}, "f", schedules=20, executor=executor)
    print(found.seed, found.difference)
"""


@pytest.mark.long
def test_exploration_with_mpi(tmp_path):
    """By `mpiexec`, which starts all processes at once: to start more later is not for every MPI,
    and without `mpiexec` MPICH waits for them for ever."""
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    mpiexec = shutil.which("mpiexec", path=places)
    if importlib.util.find_spec("mpi4py") is None or mpiexec is None:
        pytest.skip("needs mpi4py and mpiexec")
    text = RACE.replace("DEPENDS", "%u")
    plain = xgpu.explore(text, "f", schedules=20)
    script = tmp_path / "explored.py"
    script.write_text(MPI.format(text=text))
    done = processes.run(
        [mpiexec, "-n", "2", sys.executable, "-m", "mpi4py.futures", str(script)],
        capture_output=True, text=True, env=os.environ | processes.MPI_AS_ROOT,
    )  # fmt: skip
    assert done.stdout.strip() == f"{plain.seed} {plain.difference}", done.stderr


def test_cells(capsys):
    names: dict[str, object] = {}
    loaded = run_cell(names, "scaled --device=host", TILED)
    assert names == {"scaled": loaded}
    assert list(loaded.kernels) == ["scale"]
    program = RACE.replace("DEPENDS", "%a")
    assert run_cell(names, "--device=host --entry=f", program) == 4
    assert run_cell(names, "--device=host", "func.func @f() {\n  oops\n}") is None
    shown = capsys.readouterr().err
    assert "<cell>:2:3" in shown
    assert "\x1b[" in shown
    assert run_cell(names, "--what", TILED) is None
    assert "unknown option '--what'" in capsys.readouterr().err
    assert run_cell(names, "3x", TILED) is None
    assert "'3x' is no name for a module" in capsys.readouterr().err


def test_the_magic_is_registered():
    seen = []

    class Shell:
        user_ns: dict[str, object] = {}

        def register_magic_function(self, function, kind, name):
            seen.append((kind, name, function("m --device=host", TILED)))

    xgpu.load_ipython_extension(Shell())
    assert seen[0][:2] == ("cell", "mlir")
    assert Shell.user_ns == {"m": seen[0][2]}


def test_bars_are_shown_to_those_who_watch(monkeypatch):
    steps = []

    class Bar:
        def __init__(self, **how):
            steps.append(how["total"])

        def update(self, n):
            steps.append(n)

        def close(self):
            steps.append("closed")

    fake = type(sys)("tqdm.auto")
    fake.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm", type(sys)("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", fake)
    with progress.bar(2, "work") as step:
        step()
    assert steps == []
    monkeypatch.setattr(progress, "_is_watched", lambda: True)
    with progress.bar(2, "work") as step:
        step()
    assert steps == [2, 1, "closed"]
    steps.clear()
    xgpu.load(TILED.replace("@scale", "@other"), "host", filename="bars", chip=None)
    assert steps == [] or steps[-1] == "closed"


@pytest.mark.parametrize(
    ("argument", "example"),
    [
        ("passes", "a pipeline such as 'builtin.module(cse)'"),
        ("pipeline", "options such as 'opt-level=3'"),
    ],
)
def test_what_is_no_pipeline(argument: str, example: str) -> None:
    with pytest.raises(TypeError) as caught:
        xgpu.load("module {}", device="host", **{argument: ["cse"]})  # type: ignore[arg-type]
    assert str(caught.value) == f"{argument} must be a str, {example}, but is list ['cse']"
