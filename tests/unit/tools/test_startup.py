# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a tool's start costs, counted in modules, expressions and compilations, and not in time."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest

from xgpu.tools import bytecode

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

#: Runs the console script, and says at its end what was loaded and compiled until then.
PROGRAM = """
import atexit, json, os, re, sys
*_, text, out = sys.argv
compiled, expressions = [], []
def hear(event, arguments):
    if event == "compile" and os.sep + "xgpu" + os.sep in str(arguments[1]):
        compiled.append(str(arguments[1]))
sys.addaudithook(hear)
plain = re._compiler.compile
def note(pattern, flags=0):
    expressions.append(str(pattern))
    return plain(pattern, flags)
re._compiler.compile = note
def tell():
    with open(out, "w") as file:
        json.dump({"modules": sorted(sys.modules), "compiled": compiled,
                   "expressions": expressions}, file)
atexit.register(tell)
sys.argv[1:] = [text]
from xgpu.tools.xgpu_opt import console
console()
"""


def start(tmp_path: pathlib.Path, **variables: str) -> dict[str, list[str]]:
    text, out = tmp_path / "a.mlir", tmp_path / "out.json"
    text.write_text(TEXT)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(text), str(out)], capture_output=True, text=True,
        timeout=300, env={**os.environ, **variables},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "scf.for" in done.stdout
    return json.loads(out.read_text())


def test_modules_that_a_short_text_needs(tmp_path: pathlib.Path) -> None:
    """Raise this only for what every text needs: a module costs as much as 300 lines of one."""
    modules = start(tmp_path)["modules"]
    assert len([name for name in modules if name.startswith("xgpu")]) <= 123
    assert len(modules) <= 256
    rare = {"llvmlite", "pkgutil", "importlib.util", "hashlib", "tempfile", "random", "subprocess"}
    assert not rare & set(modules)
    # LLVM's end need not be caught where there is no LLVM, nor passes run where there are none.
    assert "xgpu.backend.llvm_ir.containment" not in modules
    assert "xgpu.passes.manager" not in modules
    assert not [name for name in modules if name.startswith("xgpu.dialects.affine")]


def test_expressions_that_a_short_text_needs(tmp_path: pathlib.Path) -> None:
    assert len(start(tmp_path)["expressions"]) <= 20


def test_byte_code_is_kept_where_python_keeps_none(tmp_path: pathlib.Path) -> None:
    places = {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "nothing"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XGPU_NO_CACHE": "",
    }
    first = start(tmp_path, **places)["compiled"]
    second = start(tmp_path, **places)["compiled"]
    assert len(first) > 90
    assert len(second) <= 10  # what comes before anything can be asked
    assert not (tmp_path / "nothing").exists()


def test_no_byte_code_is_kept_without_a_cache(tmp_path: pathlib.Path) -> None:
    places = {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "nothing"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XGPU_NO_CACHE": "1",
    }
    assert len(start(tmp_path, **places)["compiled"]) > 90
    assert not (tmp_path / "cache").exists()


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("XGPU_NO_CACHE", raising=False)
    found = tmp_path / "package"
    found.mkdir()
    return found


def value(path: pathlib.Path, source: str) -> object:
    """What `x` is in a module of this text, in a process of its own as far as the cache knows."""
    folders = bytecode.Folders()
    code = bytecode.Loader("m", str(path), folders).source_to_code(source.encode(), str(path))
    folders.store()
    scope: dict[str, object] = {}
    exec(code, scope)
    return scope["x"]


def test_kept_code_is_that_of_the_text(folder: pathlib.Path) -> None:
    """A file that was changed within the same second to a text as long is another text."""
    path = folder / "m.py"
    assert value(path, "x = 1") == 1
    assert value(path, "x = 2") == 2
    assert value(path, "x = 1") == 1


def test_code_is_found_again(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "m.py"
    assert value(path, "x = 1") == 1

    def never(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(bytecode.SourceFileLoader, "source_to_code", never)
    assert value(path, "x = 1") == 1
    with pytest.raises(AssertionError, match="compiled again"):
        value(folder / "other.py", "x = 1")


def test_errors_name_the_file(folder: pathlib.Path) -> None:
    path = folder / "m.py"
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) as caught:
            value(path, "def f(): return 1 / 0\nx = f()")
        assert str(caught.traceback[-1].path) == str(path)
