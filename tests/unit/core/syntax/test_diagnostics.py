# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is wrong with a text, in MLIR's words and at MLIR's place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.locations import callers_of, source_location
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, diagnostics, parse_module, print_module
from xgpu.core.syntax.verify import verify_module


def first_error(text: str) -> Diagnostic:
    with pytest.raises(DiagnosticError) as caught:
        verify_module(parse_module(text, "f", allow_unregistered=True))
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('"a.b"(%x) : (i32) -> ()', (1, 7), "use of undeclared SSA value name"),
        ('"a.b"() : () -> (', (1, 16), "expected non-function type"),
        ('"a.b"(', (1, 6), "expected ')' to end operand list"),
        ('"a.b"() {a = 1, a = 2} : () -> ()', (1, 17), "duplicate key 'a' in dictionary attribute"),
        ('%0 = "a.b"() : () -> ()', (1, 1), "cannot name an operation with no results"),
        ("foo.bar", (1, 1), "Dialect `foo' not found for custom op 'foo.bar' "),
        (
            '"a.b"() {a = 300 : i8} : () -> ()',
            (1, 14),
            "integer constant out of range for attribute",
        ),
        ('"a.b"() {a = #m} : () -> ()', (1, 16), "undefined symbol alias id 'm'"),
        ("#a = #m\n#m = 1", (1, 8), "undefined symbol alias id 'm'"),
        ('"a.b"() : () -> !gpu.x', (1, 22), "unknown gpu type: x"),
        ('"a.b"() : () -> !nvgpu.x', (1, 24), "unknown  type `x` in dialect `nvgpu`"),
        ('"a.b"() : () -> !scf.x', (1, 22), "dialect 'scf' provides no type parsing hook"),
        ('"a.b"() {a = #gpu.x} : () -> ()', (1, 19), "unknown attribute `x` in dialect `gpu`"),
        ('"a.b"()[^x] : () -> ()', (1, 9), "reference to an undefined block"),
        ("func.func @f() {\n}", (1, 16), "custom op 'func.func' expected non-empty function body"),
        (
            '"a.b"() : () -> !gpu.mma_matrix<16xf16, "AOp">',
            (1, 22),
            "MMAMatrixType must have exactly two dimensions",
        ),
        (
            "%a = gpu.thread_id x\n%b = gpu.all_reduce add %a {} : () -> index",
            (2, 6),
            "custom op 'gpu.all_reduce' number of operands and types do not match: "
            "got 1 operands and 0 types",
        ),
        (
            "%a = gpu.thread_id x\nfunc.call @f(%a, %a) : (index) -> ()",
            (2, 14),
            "custom op 'func.call' number of operands and types do not match: "
            "got 2 operands and 1 types",
        ),
        (
            "%a = gpu.thread_id x\n%b = scf.for %j = %a to %a step %a iter_args() -> (f32) { }",
            (2, 6),
            "custom op 'scf.for' mismatch in number of loop-carried values and defined values",
        ),
        ("#a = array<i8: true>", (1, 16), "expected i1 type for 'true' or 'false' values"),
        ("{-# dialect_resources: { foo: {} } #-}", (1, 26), "dialect 'foo' is unknown"),
        (
            '{-# dialect_resources: { gpu: { a: "0x08000000" } } #-}',
            (1, 33),
            "unexpected 'resource' section for dialect 'gpu'",
        ),
        (
            "{-# dialect_resources: { builtin: { a: true } } #-}",
            (1, 40),
            "expected hex string blob for key 'a'",
        ),
        (
            "{-# external_resources: { foo: { a: 10 } } #-}",
            (1, 37),
            "expected string value for key 'a'",
        ),
        ("gpu.thread_÷", (1, 12), "unexpected character"),
        (
            "%n = gpu.thread_id x\nscf.forall (%i) in (%n) shared_outs(%a = %n) -> () {}",
            (2, 25),
            "custom op 'scf.forall' number of operands and types do not match: "
            "got 1 operands and 0 types",
        ),
        (
            '"x.y"() ({\n  memref.alloca() : memref<1xf32>\n}) : () -> ()',
            (2, 3),
            "'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait",
        ),
        (
            "gpu.module @m {\n  gpu.func @k() {\n  }\n}",
            (2, 3),
            "'gpu.func' op expected body with at least one block",
        ),
        (
            "gpu.module @m {\n  gpu.func @k() kernel attributes {gpu.kernel} { gpu.return }\n}",
            (2, 3),
            "custom op 'gpu.func' attribute 'gpu.kernel' occurs more than once in the attribute "
            "list",
        ),
    ],
)
def test_syntax(text: str, place: tuple[int, int], message: str) -> None:
    if "^x" in text:
        text = '"o.p"() ({\n' + text + "\n}) : () -> ()"
        place = (2, 9)
    error = first_error(text)
    assert error.message == message
    assert source_location(error.location) == ("f", *place)


@pytest.mark.parametrize(
    ("text", "column", "what"),
    [
        ("#zz.a", 9, '#"zz"<"a"> : \'none\' attribute'),
        ("#zz<a>", 5, '#"zz"<"a"> : \'none\' attribute'),
        ("#zz.a<b> : i32", 9, '#"zz"<"a<b>"> : \'i32\' attribute'),
        ("!zz.t", 9, '`!"zz"<"t">` type'),
    ],
)
def test_unregistered_dialects(text: str, column: int, what: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_module(f"{text[0]}a = {text}", "f")
    (found,) = caught.value.diagnostics
    assert found.message.startswith(f"{what} created with unregistered dialect.")
    assert (place := source_location(found.location)) is not None
    assert (place.line, place.column) == (1, column + 1)


def test_type_of_a_use() -> None:
    error = first_error('%0 = "a.b"() : () -> i32\n"c.d"(%0) : (f32) -> ()')
    assert error.message == (
        "use of value '%0' expects different type than prior uses: 'f32' vs 'i32'"
    )
    assert [note.message for note in error.notes] == ["prior use here"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%0 = arith.addi %1, %a : i32\n%1 = arith.addi %a, %a : i32\nreturn",
            "operand #0 does not dominate this use",
        ),
        ("%0 = arith.addi %a, %a : i32", "block with no terminator, has %0 = "),
        (
            'return\n"x.y"() : () -> ()',
            "'func.return' op must be the last operation in the parent block",
        ),
        # Types come before regions.
        (
            '%i = index.constant 0\n"scf.for"(%i, %a, %i) ({}) : (index, i32, index) -> ()\nreturn',
            "'scf.for' op failed to verify that all of {lowerBound, upperBound, step} have same "
            "type",
        ),
    ],
)
def test_structure(body: str, message: str) -> None:
    error = first_error("func.func @f(%a: i32) {\n" + body + "\n}")
    assert error.message.startswith(message)


def test_dominance_between_blocks() -> None:
    text = """
    func.func @f(%c: i1) -> i32 {
      cf.cond_br %c, ^a, ^b
    ^a:
      %0 = "x.y"() : () -> i32
      cf.br ^b
    ^b:
      return %0 : i32
    }"""
    assert first_error(text).message == "operand #0 does not dominate this use"
    verify_module(
        parse_module(
            text.replace("^a, ^b", "^a, ^a").replace("cf.br ^b", "cf.br ^b"),
            allow_unregistered=True,
        )
    )


def test_symbols() -> None:
    error = first_error("func.func private @f()\nfunc.func private @f()")
    assert error.message == "redefinition of symbol named 'f'"
    assert error.notes[0].message == "see existing symbol definition here"


def test_rendering_shows_the_line_and_the_operation() -> None:
    text = "func.func private @f()\n\tfunc.func private @f()"
    shown = diagnostics.render(first_error(text), {"f": text}).splitlines()
    assert shown[:3] == [
        "f:2:2: error: redefinition of symbol named 'f'",
        "        func.func private @f()",
        "        ^",
    ]
    assert shown[3].startswith("f:2:2: note: see current operation: ")


EXPECTED = """
// expected-error@+1 {{first}}
one // expected-warning {{second}}
// expected-note-re@below {{th{{i|o}}rd}}
// expected-remark@above {{fourth}}
two
// expected-error@unknown {{fifth}}
"""


def at(line: int, severity: str, message: str) -> Diagnostic:
    from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

    place = FileLineColLoc(StringAttr("f"), IntAttr(line), IntAttr(1))
    return Diagnostic(severity, message, place if line else None)


def test_expected_diagnostics() -> None:
    given = [
        at(3, "error", "the first"),
        at(3, "warning", "second"),
        at(6, "note", "a third"),
        at(3, "remark", "fourth"),
        at(0, "error", "fifth"),
    ]
    assert diagnostics.check_expected(EXPECTED, "f", given) == []
    missing = diagnostics.check_expected(EXPECTED, "f", given[1:])
    assert [d.message for d in missing] == ['expected error "first" was not produced']
    # As in mlir-opt, an expectation takes every message that it matches.
    assert diagnostics.check_expected(EXPECTED, "f", [*given, at(3, "error", "first")]) == []
    surplus = diagnostics.check_expected(EXPECTED, "f", [*given, at(3, "error", "last")])
    assert [d.message for d in surplus] == ["unexpected error: last"]


def run_nothing(op: Any) -> None:
    parse_pipeline("builtin.module()").run(op, context())


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        (parse_module, b"", "text is bytes, expected str: decode it first"),
        (parse_module, None, "text is NoneType, expected str"),
        (print_module, None, "op is NoneType, expected an operation"),
        (verify_module, "text", "op is str, expected an operation"),
        (run_nothing, "text", "op is str, expected an operation"),
    ],
)
def test_what_is_no_module(function: Callable[[Any], object], given: object, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        function(given)


def test_callers_of_a_location_whose_parts_are_shared() -> None:
    """Each level mentions the one before twice: all ways through them are too many to follow."""
    levels = [f'#l{i + 1} = loc(fused[#l{i}, "b{i}"(#l{i})])' for i in range(60)]
    module = parse_module("\n".join([
        '#l0 = loc("a":1:1)', *levels,
        '"test.op"() : () -> () loc(#l60)',
        '"test.op"() : () -> () loc(fused[#l60, callsite(#l60 at "c")])',
    ]), allow_unregistered=True)  # fmt: skip
    without, called = (callers_of(op.location) for op in module.body.block.ops)
    assert without == []
    assert [str(caller) for caller in called] == ['loc("c"(unknown))']


def test_the_operation_is_shown_as_in_what_is_isolated_around_it() -> None:
    """Of an error in generic form, as it may be invalid; else in its own. Numbers begin anew in
    each function."""
    text = """func.func @before(%a: i32) -> i32 {
      %0 = arith.addi %a, %a : i32
      return %0 : i32
    }
    func.func @f(%a: i32) {
      %0 = arith.addi %a, %a : i32
      %1 = arith.muli %0, %a : i32
      return
    }"""
    product = next(op for op in parse_module(text, "f").walk() if op.name == "arith.muli")
    for severity, shown in (
        ("error", '"arith.muli"(%0, %arg0) <{overflowFlags = #arith.overflow<none>}>'),
        ("remark", "arith.muli %0, %arg0 : i32"),
    ):
        note = diagnostics.current_operation_note(
            Diagnostic(severity, "here", product.location, op=product)
        )
        assert note is not None
        assert note.message.startswith(f"see current operation: %1 = {shown}")
