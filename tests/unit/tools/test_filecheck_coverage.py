# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operation and every pass has a FileCheck test.

An operation is tested if a CHECK line has its name in a file under `tests/filecheck/dialects` that
reads it in pretty form, and in generic form (`--mlir-print-op-generic %s | xgpu-opt | filecheck`).
A pass is tested if a RUN line with filecheck (or with diagnostics to expect) runs it, in a file
that is no example.
"""

from __future__ import annotations

import functools
import pathlib
import re
import shlex
import sys

import pytest

from tests.support import processes
from xgpu.core.ods.table_parser import dialect_names, dialect_ops
from xgpu.core.passes.registry import PASSES, PIPELINES, pass_class

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "filecheck"
#: Dialects that are only as complete as passes need them, and how many of their operations are
#: without a test. No number may grow.
UNTESTED = {"bufferization": 7, "linalg": 99, "transform": 148}

#: Dialects whose name MLIR leaves out in their own functions (`return`).
SHORT = ("async", "builtin", "func", "shape")
RUN = re.compile(r"^\s*//\s*RUN:\s*(.*)$", re.MULTILINE)
CHECKED = re.compile(r"^\s*//\s*CHECK(?:-NEXT|-SAME|-DAG|-LABEL)?:(.*)$", re.MULTILINE)
WORD = re.compile(r"(?<![\w.$#!%@])[a-z_]\w*(?:\.[\w$]+)*")


@functools.cache
def run_lines(path: pathlib.Path) -> tuple[str, ...]:
    """The RUN lines of a test, continued ones joined."""
    text = re.sub(r"\\\s*\n\s*//\s*RUN:", " ", path.read_text(encoding="utf-8"))
    return tuple(match.group(1) for match in RUN.finditer(text))


def is_pretty(line: str) -> bool:
    """Whether a RUN line checks what our pretty form is read and printed as."""
    return bool(
        re.fullmatch(r"xgpu-opt (?!.*generic)[^|]*%s[^|]*(\| xgpu-opt )?\| filecheck.*", line)
    )


def is_generic(line: str) -> bool:
    """Whether a RUN line checks what our generic form is read as."""
    return bool(
        re.fullmatch(
            r"xgpu-opt [^|]*--mlir-print-op-generic[^|]*\| xgpu-opt[^|]*\| filecheck.*", line
        )
    )


@functools.cache
def checked_words() -> frozenset[str]:
    """The names in CHECK lines of tests that go both ways."""
    found: set[str] = set()
    places = ("dialects", "core/ir")  # the second has `builtin`, whose classes are xDSL's
    for path in (path for place in places for path in (FOLDER / place).rglob("*.mlir")):
        lines = run_lines(path)
        if any(map(is_pretty, lines)) and any(map(is_generic, lines)):
            for match in CHECKED.finditer(path.read_text(encoding="utf-8")):
                found |= {word.group() for word in WORD.finditer(match.group(1))}
    return frozenset(found)


def spellings(name: str) -> set[str]:
    """How an operation can be spelled in the pretty form."""
    dialect, _, rest = name.partition(".")
    return {name, rest} if dialect in SHORT else {name}


@pytest.mark.parametrize("dialect", dialect_names())
def test_every_operation_has_a_test(dialect: str) -> None:
    untested = [name for name in dialect_ops(dialect) if not spellings(name) & checked_words()]
    if len(untested) > UNTESTED.get(dialect, 0):
        pytest.fail(f"no round trip in tests/filecheck/dialects for: {', '.join(untested)}")


@pytest.mark.parametrize("dialect", ["gpu", "nvgpu"])
def test_every_transform_operation_has_a_test(dialect: str) -> None:
    names = [name for name in dialect_ops("transform") if f".{dialect}." in name]
    assert [name for name in names if name not in checked_words()] == []


@functools.cache
def pass_runs() -> tuple[str, ...]:
    """The command lines of xgpu-opt and xgpu-reduce in RUN lines that check what comes out. Those
    of the examples do not count: each is one case, chosen for readers."""
    found: list[str] = []
    for path in FOLDER.rglob("*.mlir"):
        for line in () if "examples" in path.parts else run_lines(path):
            if "filecheck" in line or "--verify-diagnostics" in line:
                parts = [part.strip() for part in line.removeprefix("not ").split("|")]
                found += [part for part in parts if part.startswith(("xgpu-opt", "xgpu-reduce"))]
    return tuple(found)


@pytest.mark.parametrize("name", [*PASSES, *PIPELINES])
def test_every_pass_has_a_test(name: str) -> None:
    names_pass = re.compile(rf"(?<![\w-])(--?)?{re.escape(name)}(?![\w-])")
    assert any(names_pass.search(run) for run in pass_runs()), f"no RUN line runs {name}"


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_has_the_name_that_it_is_asked_for_by(name: str) -> None:
    """`--dump-pass-pipeline` prints the class's name: it must read back."""
    assert pass_class(name).name == name


def test_passes_are_in_alphabetical_order() -> None:
    assert list(PASSES) == sorted(PASSES)


@functools.cache
def all_options() -> dict[str, list[str]]:
    """The options of each pass in all command lines: of an argument of its own, or in a pipeline.
    The lines are split once for all passes: that takes most of the time."""
    own = re.compile(r"--?([\w-]+)=(.*)", re.DOTALL)
    nested = re.compile(r"(?<![\w-])([\w-]+)\{([^}]*)\}")
    found: dict[str, list[str]] = {}
    for argument in {argument for run in pass_runs() for argument in shlex.split(run)}:
        if (match := own.fullmatch(argument)) is not None:
            found.setdefault(match[1], []).append(match[2])
        for name, options in nested.findall(argument):
            found.setdefault(name, []).append(options)
    return found


@pytest.mark.parametrize("name", PASSES)
def test_every_option_of_a_pass_has_a_test(name: str) -> None:
    given = "\n".join(all_options().get(name, []))
    options = [option.name for option in pass_class(name).options]
    untested = [o for o in options if not re.search(rf"(?<![\w-]){re.escape(o)}(?![\w-])", given)]
    assert not untested, f"no RUN line gives {name} the option {', '.join(untested)}"


def test_checks_are_written_for_files_alone() -> None:
    """A folder is refused before anything is written, with what to do."""
    root = FOLDER.parents[1]
    folder = FOLDER / "dialects" / "nvvm"
    done = processes.run(
        [sys.executable, "tools/write_checks.py", str(folder)],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == f"{folder} is no file; name the tests to write: {folder}/*.mlir\n"
