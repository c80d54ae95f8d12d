# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a tool's start costs, counted in modules, expressions and compilations, and not in time."""

from __future__ import annotations

import importlib
import importlib.util
import json
import marshal
import os
import pathlib
import py_compile
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import PathFinder, SourceFileLoader
from types import CodeType, SimpleNamespace
from typing import Any

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
    # Of some environments; what who writes to the cache loads by chance.
    by_chance = ("_distutils_hack", "xgpu.core.support.cache_upkeep")
    modules = [name for name in modules if name not in by_chance]
    assert len([name for name in modules if name.startswith("xgpu")]) <= 131
    assert len(modules) <= 245
    rare = {
        "llvmlite",
        "pkgutil",
        "inspect",
        "ast",
        "ctypes",
        "string",
        "copy",
        "importlib.util",
        "hashlib",
        "tempfile",
        "random",
        "subprocess",
    }
    assert not rare & set(modules)
    # LLVM's end need not be caught where there is no LLVM, nor passes run where there are none.
    assert "xgpu.backend.llvm_ir.containment" not in modules
    assert "xgpu.core.passes.manager" not in modules
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
    # Else Python's own byte code would be compared by the second.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    found = tmp_path / "package"
    found.mkdir()
    return found


def value(folder: pathlib.Path, name: str = "m") -> object:
    """What `x` is in a module, in a process of its own as far as the cache and Python know."""
    importlib.invalidate_caches()
    image = bytecode.Image(str(folder))
    found = load(image, folder, name)
    image.store()
    return found


def load(image: bytecode.Image, folder: pathlib.Path, name: str) -> object:
    """What `x` is in a module that is found by `image`."""
    spec = image.find_spec(f"xgpu.{name}", [str(folder)])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.__file__ == spec.origin == str(spec.loader.path)  # pyright: ignore
    return module.x


def core(folder: pathlib.Path, *names: str, others: tuple[str, ...] = ()) -> list[object]:
    """Values in modules, the first of which are what every run needs."""
    importlib.invalidate_caches()
    image = bytecode.Image(str(folder))
    found = [load(image, folder, name) for name in names]
    image.mark_core()
    found += [load(image, folder, name) for name in others]
    image.store()
    return found


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are compiled from now on."""
    found: list[str] = []
    plain = bytecode.SourceFileLoader.source_to_code

    def noting(self: object, data: object, path: str, **options: object) -> object:
        found.append(os.path.basename(path))
        return plain(self, data, path, **options)  # pyright: ignore

    monkeypatch.setattr(bytecode.SourceFileLoader, "source_to_code", noting)
    return found


def test_kept_code_is_that_of_the_file(folder: pathlib.Path) -> None:
    """Also of a file that was changed to a text as long, with the time put back."""
    path = folder / "m.py"
    path.write_text("x = 1")
    status = path.stat()
    assert value(folder) == 1
    for text in ("x = 2", "x = 3"):
        path.write_text(text)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert value(folder) == int(text[-1])


def test_code_is_found_again(folder: pathlib.Path, compiled: list[str]) -> None:
    (folder / "m.py").write_text("x = 1")
    (folder / "other.py").write_text("x = 2")
    assert value(folder) == 1
    assert value(folder, "other") == 2
    assert value(folder) == 1
    assert value(folder, "other") == 2
    assert compiled == ["m.py", "other.py"]


def test_a_package_takes_the_place_of_a_module(folder: pathlib.Path) -> None:
    """As Python's search would have it, whatever was kept of the module."""
    (folder / "m.py").write_text("x = 1")
    assert value(folder) == 1
    package = folder / "m"
    package.mkdir()
    (package / "__init__.py").write_text("x = 2")
    assert value(folder) == 2
    spec = bytecode.Image(str(folder)).find_spec("xgpu.m", [str(folder)])
    assert spec is not None
    assert spec.submodule_search_locations == [str(package)]
    (package / "__init__.py").unlink()
    package.rmdir()
    assert value(folder) == 1
    (folder / "m.py").unlink()
    assert bytecode.Image(str(folder)).find_spec("xgpu.m", [str(folder)]) is None


@pytest.mark.parametrize("where", [0.05, 0.5, 0.97])
def test_damage_is_compiled_again(folder: pathlib.Path, compiled: list[str], where: float) -> None:
    (folder / "m.py").write_text("x = 1\n" + "y = 'a longer text'\n" * 50)
    assert value(folder) == 1
    (kept,) = (folder.parent / "cache" / "xgpu").iterdir()
    data = bytearray(kept.read_bytes())
    data[int(len(data) * where)] ^= 0x10
    kept.write_bytes(data)
    assert value(folder) == 1
    assert value(folder) == 1
    assert compiled == ["m.py"] * 2


def test_what_python_keeps_is_taken_as_it_is(
    folder: pathlib.Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte code that Python keeps is not made anew; what it kept of another text is not taken."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = folder / "m.py"
    path.write_text("x = 1")
    importlib.invalidate_caches()
    py_compile.compile(str(path), doraise=True)
    compiled.clear()
    written: list[object] = []
    stand_in = SimpleNamespace(dumps=noting(written), loads=marshal.loads)
    monkeypatch.setattr(bytecode, "marshal", stand_in)
    assert value(folder) == 1
    assert compiled == []
    assert not any(isinstance(what, CodeType) for what in written)
    assert value(folder) == 1
    path.write_text("x = 22")
    for _ in range(2):
        assert value(folder) == 22
    assert compiled == ["m.py"]


def noting(written: list[object]) -> Callable[[Any], bytes]:
    """What `marshal.dumps` does, which notes what it is given."""

    def dumps(what: Any) -> bytes:
        written.append(what)
        return marshal.dumps(what)

    return dumps


def test_errors_name_the_file(folder: pathlib.Path) -> None:
    path = folder / "m.py"
    path.write_text("def f(): return 1 / 0\nx = f()")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) as caught:
            value(folder)
        assert str(caught.traceback[-1].path) == str(path)


def kept_file(folder: pathlib.Path) -> pathlib.Path:
    (kept,) = (folder.parent / "cache" / "xgpu").iterdir()
    return kept


def test_the_core_is_found_again(folder: pathlib.Path, compiled: list[str]) -> None:
    for name in "abcd":
        (folder / f"{name}.py").write_text(f"x = '{name}'")
    assert core(folder, "a", "b", others=("c",)) == ["a", "b", "c"]
    first = kept_file(folder).stat().st_ino
    assert core(folder, "a", "b", others=("c",)) == ["a", "b", "c"]
    assert core(folder, "b") == ["b"]
    assert kept_file(folder).stat().st_ino == first  # nothing to write
    assert core(folder, "a", "c", others=("d",)) == ["a", "c", "d"]
    second = kept_file(folder).stat().st_ino
    assert core(folder, "a", "b", "c", others=("d",)) == ["a", "b", "c", "d"]
    assert kept_file(folder).stat().st_ino == second
    assert compiled == ["a.py", "b.py", "c.py", "d.py"]


def test_a_changed_module_of_the_core(folder: pathlib.Path, compiled: list[str]) -> None:
    for name in "ab":
        (folder / f"{name}.py").write_text("x = 1")
    core(folder, "a", "b")
    (folder / "a.py").write_text("x = 2")
    assert core(folder, "a", "b") == [2, 1]
    assert core(folder, "a", "b") == [2, 1]
    assert compiled == ["a.py", "b.py", "a.py"]


@pytest.mark.parametrize("where", [0.05, 0.5, 0.97])
def test_a_damaged_core(folder: pathlib.Path, where: float) -> None:
    for name in "ab":
        (folder / f"{name}.py").write_text(f"x = '{name}'\n" + "y = 'a longer text'\n" * 50)
    core(folder, "a", "b")
    data = bytearray(kept_file(folder).read_bytes())
    data[int(len(data) * where)] ^= 0x10
    kept_file(folder).write_bytes(data)
    for _ in range(2):
        assert core(folder, "a", "b") == ["a", "b"]


@pytest.mark.parametrize("name", ["m", "p"])
def test_a_kept_module_says_of_itself_what_python_says(folder: pathlib.Path, name: str) -> None:
    (folder / "m.py").write_text("x = 1")
    (folder / "p").mkdir()
    (folder / "p" / "__init__.py").write_text("x = 1")
    value(folder, name)
    kept = bytecode.Image(str(folder)).find_spec(f"xgpu.{name}", [str(folder)])
    own = PathFinder.find_spec(f"xgpu.{name}", [str(folder)])
    assert kept is not None
    assert own is not None
    for fact in (
        "name",
        "origin",
        "cached",
        "parent",
        "has_location",
        "submodule_search_locations",
    ):
        assert getattr(kept, fact) == getattr(own, fact)
    assert isinstance(kept.loader, SourceFileLoader)
    assert isinstance(own.loader, SourceFileLoader)
    assert vars(own.loader).items() <= vars(kept.loader).items()
    assert kept.loader.get_source(kept.name) == "x = 1"
    assert kept.loader.is_package(kept.name) == (name == "p")


def test_another_place_is_no_place_of_a_kept_module(
    folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    (folder / "m.py").write_text("x = 1")
    assert value(folder) == 1
    other = tmp_path / "other"
    other.mkdir()
    (other / "m.py").write_text("x = 2")
    image = bytecode.Image(str(folder))
    assert load(image, other, "m") == 2
    image.store()
    assert load(bytecode.Image(str(folder)), other, "m") == 2
    assert load(bytecode.Image(str(folder)), folder, "m") == 1
