# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations whose text is plain are read with less work, and as any others, mistakes included."""

from __future__ import annotations

import pytest

from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ods.registry import op_spec
from xgpu.core.syntax import parse_module, print_module
from xgpu.core.syntax.formats import parser, parser_finish
from xgpu.core.syntax.formats.fast_path import Part, plain_form
from xgpu.core.syntax.formats.fields import Fields
from xgpu.core.syntax.formats.format_parser import parse_format

HEAD = "func.func @f(%a: i32, %b: i64, %m: memref<4x?xi32>, %i: index) {\n"
TAIL = "  return\n}\n"


def parts_of(name: str) -> list[Part] | None:
    spec = op_spec(name)
    assert spec is not None
    assert spec.format is not None
    return plain_form(spec, Fields(spec), parse_format(spec.format))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("arith.muli", [None, ",", None, ":", 1]),
        ("memref.store", [None, ",", None, "[", 2, "]", ":", 1]),
        ("arith.extsi", [None, ":", 1, "to", 1]),
        # A predicate is an attribute, parts of a launch are not plain, a branch has successors.
        ("arith.cmpi", None),
        ("gpu.launch_func", None),
        ("cf.br", None),
        # The text has the index before the count, the operation the other way round.
        ("nvgpu.mbarrier.init", None),
    ],
)
def test_parts(name: str, parts: list[Part] | None) -> None:
    assert parts_of(name) == parts


def test_steps_run_once_for_a_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps are asked for the first `addi` of i32 and of i64, and where there is more text."""
    made: list[str] = []
    compile_finish = parser_finish.compile_finish

    def counting(cls, fields, elements):  # pyright: ignore
        finish = compile_finish(cls, fields, elements)

        def counted(parser, state):  # pyright: ignore
            made.append(cls.name)
            return finish(parser, state)

        return counted

    monkeypatch.setattr(parser, "compile_finish", counting)
    from xgpu.core.ods.registry import op_class

    cls = op_class("arith.addi")
    monkeypatch.setattr(cls, "_reader", None)
    lines = [
        *["  %x = arith.addi %a, %a : i32\n"] * 3,
        *["  %x = arith.addi %b, %b : i64\n"] * 3,
        "  %x = arith.addi %a, %a overflow<nsw> : i32\n",
        "  %x = arith.addi %a, %a {note} : i32\n",
    ]
    text = "".join(line.replace("%x", f"%x{n}") for n, line in enumerate(lines))
    module = parse_module(HEAD + text + TAIL)
    assert made[:4] == ["arith.addi"] * 4
    assert "arith.addi" not in made[4:]
    printed = print_module(module)
    assert printed.count("overflow<nsw>") == printed.count("{note}") == 1
    assert printed.count("arith.addi") == 8


def test_properties_are_each_operations_own() -> None:
    text = "  %0 = arith.addi %a, %a : i32\n  %1 = arith.addi %a, %a : i32\n"
    module = parse_module(HEAD + text + TAIL)
    first, second, _ = module.body.block.first_op.regions[0].block.ops  # pyright: ignore
    assert first.properties == second.properties
    assert first.properties is not second.properties
    assert first.attributes is not second.attributes


GOOD = (
    "  %0 = arith.muli %a, %a : i32\n"
    "  memref.store %a, %m[%i, %i] : memref<4x?xi32>\n"
    "  %1 = arith.extsi %a : i32 to i64\n"
)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            "  %2 = arith.muli %a, %b : i32\n",
            5,
            "use of value '%b' expects different type than prior uses: 'i32' vs 'i64'",
        ),
        ("  %2 = arith.muli %a, %none : i32\n", 5, "use of undeclared SSA value name"),
        ("  %2 = arith.muli %a#1, %a : i32\n", 5, "reference to invalid result number"),
        ("  %2 = arith.muli %a %a : i32\n", 5, "expected ','"),
        ("  memref.store %a, %m[%i,] : memref<4x?xi32>\n", 5, "expected SSA operand"),
        ("  memref.store %b, %m[%i, %i] : memref<4x?xi32>\n", 5, "'i32' vs 'i64'"),
        ("  %2 = arith.extsi %a : i32 to", 5, "expected non-function type"),
        ("  %2 = arith.extsi %a :", 5, "expected non-function type"),
        ("  %2 = arith.muli", 5, "expected SSA operand"),
    ],
)
def test_mistakes_after_good_ones(text: str, line: int, message: str) -> None:
    """What was read before does not hide a mistake, or change what is said of it."""
    found: list[str] = []
    for before in (GOOD, "  %0 = arith.constant 1 : i32\n\n\n"):
        with pytest.raises(DiagnosticError) as caught:
            parse_module(HEAD + before + text + ("" if not text.endswith("\n") else TAIL))
        found.append(f"{caught.value.diagnostics[0].location}: {caught.value.message}")
    assert message in found[0]
    assert str(line) in found[0]
    assert found[0].partition(": ")[2] == found[1].partition(": ")[2]


def test_a_name_that_comes_later() -> None:
    text = (
        "func.func @f(%a: i32) {\n  cf.br ^b\n^c:\n  %1 = arith.muli %a, %a : i32\n"
        "  %2 = arith.muli %x, %1 : i32\n  return\n^b:\n  %x = arith.constant 1 : i32\n"
        "  cf.br ^c\n}\n"
    )
    printed = print_module(parse_module(text))
    assert print_module(parse_module(printed)) == printed


def test_operands_keep_their_places() -> None:
    """Also where the text has them in another order than the operation."""
    line = "  nvgpu.mbarrier.init %b[%i], %n : !nvgpu.mbarrier.group<memorySpace = 3>\n"
    head = "func.func @f(%b: !nvgpu.mbarrier.group<memorySpace = 3>, %i: index, %n: index) {\n"
    first, second, _ = parse_module(head + line * 2 + TAIL).body.block.first_op.regions[0].block.ops  # pyright: ignore
    assert first.operands == second.operands
