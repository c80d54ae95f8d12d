# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files and modules that docstrings and comments of `xgpu/` and `tools/` name exist."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from documents import ROOT, UNUSUAL, statements, tokens, unusual_words, words_of_sources

FOLDERS = ("xgpu", "tools")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))

_FILE = re.compile(r"(?<![\w/.<>*{}-])(?:[\w./-]*\w\.(?:py|txt|md)|[\w./-]+/\w+\.mlir)\b(?!\.?\w)")
_MODULE = re.compile(r"`(xgpu(?:\.\w+)+)`?")
#: Modules without the package that all lie in. Names of packages that are also those of libraries,
#: variables or places in text are left out.
_AMBIGUOUS = {"kernels", "numba", "tools"}
_PACKAGES = {path.parent.name for path in (ROOT / "xgpu").glob("*/__init__.py")} - _AMBIGUOUS
_WITHOUT_PACKAGE = re.compile(rf"`((?:{'|'.join(sorted(_PACKAGES))})(?!\.py\b)(?:\.\w+)+)`")

#: Of the form that a text explains, and a user's.
_EXAMPLES = {"gpu.own.txt", "softmax.py"}
#: Attributes of IR.
_ATTRIBUTES = {"xgpu.own", "xgpu.circular_buffer"}
#: An instruction that the reader of inline PTX makes of several.
_INSTRUCTIONS = {"xgpu.wait"}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Docstrings and comments with their lines."""
    source = path.read_text()
    for node in statements(ast.parse(source)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            continue
        if (text := ast.get_docstring(node, clean=False)) is not None:
            yield node.body[0].lineno, text
    for start, kind, text in tokens(source):
        if kind == "comment":
            yield source.count("\n", 0, start) + 1, text


@cache
def all_texts() -> dict[Path, list[tuple[int, str]]]:
    return {path: list(texts(path)) for path in FILES}


PATHS = {
    f"/{path.relative_to(ROOT).as_posix()}"
    for folder in ("xgpu", "tools", "tests", "benchmarks", "examples", "docs")
    for path in (ROOT / folder).rglob("*.*")
} | {f"/{path.name}" for path in ROOT.glob("*.*")}
#: Every end of a path with a folder: `b/c.py` of `/a/b/c.py`.
ENDS = {
    path[at + 1 :] for path in PATHS for at, letter in enumerate(path) if letter == "/"
}  # fmt: skip
#: What a name without a folder may mean anywhere: a file at the root, of a dialect, of the tools.
COMMON = ("/xgpu/dialects/", "/tools/", "/docs/")


def is_there(name: str, path: Path) -> bool:
    """Whether a docstring of the file at `path` may name `name`: the end of a path with its folder,
    or a file of the same package."""
    if name in _EXAMPLES or (ROOT / name).exists():
        return True
    if "/" in name:
        return name in ENDS
    package = "/".join(path.relative_to(ROOT).parts[:2])
    places = (f"/{package}/", *COMMON)
    return any(found.endswith(f"/{name}") and found.startswith(places) for found in PATHS)


@pytest.mark.long
def test_files_exist() -> None:
    missing = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path, found in all_texts().items()
        for line, text in found
        for name in _FILE.findall(text)
        if not is_there(name, path)
    ]
    assert not missing, "\n".join(missing)


def exists(name: str) -> bool:
    parts = name.split(".")
    for index in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:index]))
        except ImportError:
            continue
        for part in parts[index:]:
            if isinstance(found, type) and part in getattr(found, "__slots__", ()):
                return True
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


#: Names in examples, LLVM's, and libdevice's.
_ELSEWHERE = {"c5_i32", "c4_vscale", "float2int_rz", "nvvm_barrier0"}


@pytest.mark.long
def test_names_exist() -> None:
    """What stands in backticks and has the form of a module's or a function's name is one."""
    known = words_of_sources() | _ELSEWHERE
    missing = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path, found in all_texts().items()
        for line, text in found
        for name in re.findall(r"`([a-z]\w*_\w+)`", text)
        if name not in known
    ]
    assert not missing, "\n".join(missing)


def test_modules_exist() -> None:
    # Of few files, which alone are parsed.
    naming = (path for path in FILES if _MODULE.search(path.read_text()))
    named = {
        name
        for path in naming
        for _, text in texts(path)
        for name in _MODULE.findall(text)
        if name not in _ATTRIBUTES | _INSTRUCTIONS
        if not name.endswith((".py", ".txt", ".md", ".mlir"))
    }
    assert len(named) > 10
    assert [name for name in sorted(named) if not exists(name)] == []


def test_modules_are_named_in_full() -> None:
    found = {name for path in FILES for name in _WITHOUT_PACKAGE.findall(path.read_text())}
    assert sorted(found) == []


def test_words_are_plain() -> None:
    # Few files are taken apart: those that have such a word anywhere.
    suspects = [path for path in FILES if UNUSUAL.search(path.read_text().lower())]
    assert [
        f"{path}:{line}: {word}"
        for path in suspects
        for line, text in texts(path)
        for word in unusual_words(text)
    ] == []
