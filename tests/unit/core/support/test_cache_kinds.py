# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whatever becomes of kept files, of every kind: processes give the right result, say nothing,
and the files are there again.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping

import pytest

from tests.support import processes
from tests.support.clang import missing_clang
from tests.support.some_cases import long_first
from xgpu.core.support import cache
from xgpu.core.support.cache import CUDA_HEADERS, CUDA_PROGRAM, CUDA_SOURCE, KINDS, Kind

ROOT = pathlib.Path(__file__).parents[4]

CUDA = "__global__ void once(float *x) { x[threadIdx.x] += 1; }"

#: Writes something of each kind, and prints what it computed with it.
PROGRAM = f"""
CLANG, CUDA = {not missing_clang()}, {CUDA!r}
"""
PROGRAM += """
import contextlib, os, sys
import numpy as np

with contextlib.redirect_stdout(sys.stderr):
    import xgpu
    from xgpu.driver.cuda_functions import machine_code
    from xgpu.host_device.sanitizer.reports import library
    from xgpu.tools.xgpu_runner import main

    # All of its source takes half of the program's time.
    library.source_text = lambda: "define void @nothing() { ret void }"
    assert library._machine_code()

def launch(module, a):
    module.kernels["twice"][2, 32](a)

source = open(sys.argv[1]).read()
module = xgpu.load(source, "host")
a = np.arange(64, dtype=np.float32)
xgpu.autotune(source, {"opt_level": [1, 2]}, (a,), launch=launch, device="host", repeats=1)
launch(module, a)
if CLANG:
    from xgpu.frontend.cuda.programs import program_image

    assert xgpu.load(CUDA, "host").kernels
    whole = sys.argv[1] + ".cu"
    if not os.path.exists(whole):
        with open(whole, "w") as file:
            file.write(CUDA + "int main() { return 0; }")
    assert program_image([whole])
ptx = xgpu.compile(source, chip="sm_90").kernels["m"]
assert b".entry twice" in ptx
code = main(["--device=host", "--entry-point=start", sys.argv[1]])
print(a.sum(), len(machine_code()) > 1000, code)
"""

KERNEL = """
gpu.module @m {
  gpu.func @twice(%a: memref<?xf32>) kernel {
    %b = gpu.block_id x
    %s = gpu.block_dim x
    %t = gpu.thread_id x
    %f = arith.muli %b, %s : index
    %i = arith.addi %f, %t : index
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<?xf32>
    gpu.return
  }
}
func.func @start() {
  return
}
"""
WANTED = "4032.0 True 0\n"


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the program, and a cache that one run has filled."""
    folder = tmp_path_factory.mktemp("kinds")
    folder.joinpath("program.py").write_text(PROGRAM)
    folder.joinpath("kernel.mlir").write_text(KERNEL)
    check(run(folder, {"XDG_CACHE_HOME": str(folder / "full")}))
    return folder


def start(folder: pathlib.Path, environment: Mapping[str, str]) -> subprocess.Popen[str]:
    clean = {k: v for k, v in os.environ.items() if k not in ("XGPU_NO_CACHE", "XDG_CACHE_HOME")}
    return processes.start(
        [sys.executable, "program.py", str(folder / "kernel.mlir")], cwd=folder, text=True,
        env={**clean, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def run(folder: pathlib.Path, environment: Mapping[str, str]) -> subprocess.Popen[str]:
    return start(folder, environment)


def check(process: subprocess.Popen[str]) -> None:
    out, problems = process.communicate(timeout=processes.TIMEOUT)
    assert (process.returncode, out, problems) == (0, WANTED, "")


def all_kinds() -> set[str]:
    without = {CUDA_HEADERS, CUDA_PROGRAM, CUDA_SOURCE} if missing_clang() else set()
    return {kind.name for kind in KINDS if kind not in without}


def kinds_in(folder: pathlib.Path) -> set[str]:
    return {path.name.rpartition("-")[0] for path in folder.iterdir()}


@pytest.mark.long
def test_the_program_keeps_something_of_each_kind(scene: pathlib.Path) -> None:
    """A new kind has to be added to the program here."""
    assert kinds_in(scene / "full" / "xgpu") == all_kinds()


def test_kinds_are_named_in_the_table_alone() -> None:
    found: set[str] = set()
    for path in (ROOT / "xgpu").rglob("*.py"):
        calls = r"\bcache\.(?:get|put)(?:_parts)?\(\s*\"([\w-]+)\""
        found.update(re.findall(calls, path.read_text()))
    assert not found


def test_a_key_has_all_parts_of_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = Kind("some", "a thing", "toolchain", "one", "two")
    key = kind.key(one=1, two=["\udc80"])
    assert key == kind.key(two=["\udc80"], one=1)
    assert key != kind.key(one=2, two=["\udc80"])
    for parts in ({"one": 1}, {"one": 1, "two": 2, "three": 3}):
        with pytest.raises(TypeError, match="key of 'some': expected"):
            kind.key(**parts)
    monkeypatch.setattr(cache, "toolchain", lambda: ("another",))
    assert key != kind.key(one=1, two=["\udc80"])


def test_the_table_in_the_documents_is_the_one_here() -> None:
    text = ROOT.joinpath("docs/internals/core.md").read_text()
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*?) \| (.*?) \|$", text, re.M)
    assert rows == [(kind.name, kind.content, ", ".join(kind.parts)) for kind in KINDS]


def _half(path: pathlib.Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _start_only(path: pathlib.Path) -> None:
    """Less than what a file begins with."""
    path.write_bytes(path.read_bytes()[:5])


def _empty(path: pathlib.Path) -> None:
    path.write_bytes(b"")


def _zero(path: pathlib.Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _flip(path: pathlib.Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[len(raw) * 2 // 3] ^= 0x10
    path.write_bytes(raw)


def _give_away(path: pathlib.Path) -> None:
    """What another user put there, with a sum that is right."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(path, 12345, 12345)


#: What may be wrong with a file. With --long all are tried at once, and the first ones alone.
WAYS = (_half, _flip, _empty, _zero, _start_only, _give_away)


@pytest.mark.parametrize("damage", long_first(WAYS, 2))
def test_damaged_files_are_made_again(
    scene: pathlib.Path, tmp_path: pathlib.Path, damage: Callable[[pathlib.Path], None]
) -> None:
    shutil.copytree(scene / "full", tmp_path / "cache")
    folder = tmp_path / "cache" / "xgpu"
    folder.chmod(0o700)
    before: dict[str, tuple[int, bytes]] = {}
    for path in folder.iterdir():
        damage(path)
        before[path.name] = path.stat().st_uid, path.read_bytes()
    check(run(scene, {"XDG_CACHE_HOME": str(tmp_path / "cache")}))
    assert kinds_in(folder) == all_kinds()
    left = [
        path.name
        for path in folder.iterdir()
        if before.get(path.name) == (path.stat().st_uid, path.read_bytes())
    ]
    assert left == []


@pytest.mark.parametrize(
    "environment",
    [
        # The tools have more of them in their short form (test_process.py).
        pytest.param({"XDG_CACHE_HOME": "cache", "HOME": "home"}, marks=pytest.mark.long),
        pytest.param({"XDG_CACHE_HOME": "", "HOME": "/nowhere/at/all"}, marks=pytest.mark.long),
        pytest.param({"XDG_CACHE_HOME": "/dev/null"}, marks=pytest.mark.long),
    ],
)
def test_no_home(scene: pathlib.Path, environment: dict[str, str]) -> None:
    before = sorted(path.name for path in scene.iterdir())
    check(run(scene, environment))
    assert sorted(path.name for path in scene.iterdir()) == before
    assert not pathlib.Path("/nowhere").exists()


@pytest.mark.parametrize("count", long_first([3, 8]))
def test_several_at_once(scene: pathlib.Path, tmp_path: pathlib.Path, count: int) -> None:
    """All of them begin with an empty cache."""
    started = [start(scene, {"XDG_CACHE_HOME": str(tmp_path)}) for _ in range(count)]
    for process in started:
        check(process)
    assert kinds_in(tmp_path / "xgpu") == all_kinds()
    check(run(scene, {"XDG_CACHE_HOME": str(tmp_path)}))


@pytest.mark.parametrize("count", long_first([2, 8]))
def test_several_at_once_over_damaged_files(
    scene: pathlib.Path, tmp_path: pathlib.Path, count: int
) -> None:
    """Each file is damaged in another way than the one beside it."""
    shutil.copytree(scene / "full", tmp_path / "cache")
    folder = tmp_path / "cache" / "xgpu"
    folder.chmod(0o700)
    ways = WAYS if os.geteuid() == 0 else WAYS[:-1]
    for number, path in enumerate(sorted(folder.iterdir())):
        ways[number % len(ways)](path)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    started = [start(scene, {"XDG_CACHE_HOME": str(tmp_path / "cache")}) for _ in range(count)]
    for process in started:
        check(process)
    assert kinds_in(folder) == all_kinds()
    given = {
        name for number, name in enumerate(sorted(before)) if ways[number % len(ways)] is _give_away
    }
    left = {path.name for path in folder.iterdir() if path.read_bytes() == before.get(path.name)}
    assert left <= given  # what was given away was whole
    assert {path.stat().st_uid for path in folder.iterdir()} == {os.geteuid()}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
# Without --long, test_cache.py has a folder that others write in.
@pytest.mark.parametrize("owner", long_first(["any", "another"], 2))
def test_a_folder_that_others_write_in(
    scene: pathlib.Path, tmp_path: pathlib.Path, owner: str
) -> None:
    """Nothing is read there, nothing is written, and nothing is said."""
    folder = tmp_path / "cache" / "xgpu"
    shutil.copytree(scene / "full", tmp_path / "cache")
    for path in folder.iterdir():
        path.write_bytes(b"not what was put there")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    if owner == "another":
        os.chown(folder, 12345, 12345)
    else:
        folder.chmod(0o777)
    check(run(scene, {"XDG_CACHE_HOME": str(tmp_path / "cache")}))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
