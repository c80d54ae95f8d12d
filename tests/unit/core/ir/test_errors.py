# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What exceptions and diagnostics say of themselves."""

from __future__ import annotations

import copy
import pickle

import pytest

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, words_of
from xgpu.core.syntax import parse_module
from xgpu.core.syntax.diagnostics import NOTE_LINES, render, with_source_line
from xgpu.core.syntax.verify import verify_module

TEXT = """func.func @f() {
  %0 = arith.constant 1 : i32
  %1 = arith.addf %0, %0 : i32
  return
}
"""


def error_of(text: str, name: str = "f.mlir") -> DiagnosticError:
    with pytest.raises(DiagnosticError) as caught:
        verify_module(parse_module(text, name, allow_unregistered=True))
    return caught.value


def test_an_exception_shows_the_place() -> None:
    problem = error_of(TEXT)
    message = "'arith.addf' op operand #0 must be floating-point-like, but got 'i32'"
    assert str(problem) == (
        f"f.mlir:3:8: error: {message}\n  %1 = arith.addf %0, %0 : i32\n       ^"
    )
    assert problem.message == message
    assert words_of(problem) == message
    assert words_of(ValueError("v")) == "v"


def test_an_exception_travels() -> None:
    """From a worker of an executor: words and places, without the program."""
    problem = error_of(TEXT)
    for other in (pickle.loads(pickle.dumps(problem)), copy.copy(problem)):
        assert type(other) is type(problem)
        assert (str(other), other.message) == (str(problem), problem.message)
        (one,) = other.diagnostics
        assert repr(one) == repr(problem.diagnostics[0])
        assert one.op is None
    text = '%0 = "a.b"() : () -> i32\n"a.b"(%0) : (f32) -> ()\n'
    noted = pickle.loads(pickle.dumps(error_of(text)))
    assert [note.is_hint for note in noted.diagnostics[0].notes] == [False]
    near = pickle.loads(pickle.dumps(error_of("arith.adf\n")))
    assert [note.is_hint for note in near.diagnostics[0].notes] == [True]


def test_an_exception_shows_its_notes() -> None:
    text = '%0 = "a.b"() : () -> i32\n"a.b"(%0) : (f32) -> ()\n'
    assert str(error_of(text)).splitlines() == [
        "f.mlir:2:7: error: use of value '%0' expects different type than prior uses: "
        "'f32' vs 'i32'",
        '"a.b"(%0) : (f32) -> ()',
        "      ^",
        "f.mlir:1:1: note: prior use here",
        '%0 = "a.b"() : () -> i32',
        "^",
    ]


def test_several_errors() -> None:
    problem = error_of('"a.b"(%0) : (i32) -> ()\n"a.b"(%1) : (i32) -> ()\n')
    assert str(problem).count("use of undeclared SSA value name") == 2
    assert problem.message.count("\n") == 1


def test_no_place() -> None:
    assert str(DiagnosticError(Diagnostic("error", "m"))) == "<unknown>:0: error: m"


def test_a_diagnostic_shows_itself() -> None:
    (diagnostic,) = error_of(TEXT).diagnostics
    assert repr(diagnostic).startswith("<error at f.mlir:3:8: 'arith.addf' op operand #0 must be")
    noted = Diagnostic("warning", "m", None, [Diagnostic("note", "n")])
    assert repr(noted) == "<warning: m, 1 notes>"


def long_function(count: int) -> str:
    body = "\n".join(f"  %{n} = arith.constant {n} : i32" for n in range(count))
    return f"func.func @f() attributes {{no_inline = 3 : i32}} {{\n{body}\n  return\n}}\n"


def test_notes_are_short() -> None:
    """An operation with much inside is shown without it."""
    (diagnostic,) = error_of(long_function(1000)).diagnostics
    lines = render(diagnostic).splitlines()
    assert len(lines) < NOTE_LINES
    assert "({...})" in lines[-1]
    (diagnostic,) = error_of(long_function(3)).diagnostics
    assert "arith.constant" in render(diagnostic)


def test_notes_are_narrow() -> None:
    values = ", ".join(map(str, range(5000)))
    text = f'"test.op"() ({{\n  func.return {{a = [{values}]}}\n}}) : () -> ()\n'
    (diagnostic,) = error_of(text).diagnostics
    assert max(map(len, render(diagnostic).splitlines()[3:])) < 1500


def test_source_lines_of_other_messages() -> None:
    sources = {"f.mlir": TEXT}
    shown = with_source_line("f.mlir:3:8: error: kernel 'k': stuck\nat a barrier", sources)
    assert shown.splitlines() == [
        "f.mlir:3:8: error: kernel 'k': stuck",
        "  %1 = arith.addf %0, %0 : i32",
        "       ^",
        "at a barrier",
    ]
    assert with_source_line("no place", sources) == "no place"
    assert with_source_line("g.mlir:3:8: error: m", sources) == "g.mlir:3:8: error: m"
