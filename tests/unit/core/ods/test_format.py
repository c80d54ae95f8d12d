# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formats: spacing, groups, directives, types that are inferred, round trips."""

import sys
from io import StringIO
from pathlib import Path

import pytest
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, UnitAttr, f32, i32, i64
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError

from xgpu.core.ods import registry
from xgpu.core.ods.dialect import make_dialect
from xgpu.core.ods.spec import OPTIONAL, VARIADIC, OpSpec
from xgpu.core.syntax.formats.format_parser import FormatError, Group, parse_format

sys.path.insert(0, str(Path(__file__).parent))
import sample
from sample import ANY, ANY_ATTR, INDEX, UNIT, Constraint, attr, field

INTS = Constraint("Ints", "ints", lambda a: True, "dense-array", element=i64)
KIND = Constraint("Kind", "kind", lambda a: True, "int-enum", type=i32, cases={"lt": 0, "gt": 1})
I64 = sample.I64


def parse_pair(parser, state, values, count):
    parser.parse_punctuation("<")
    values.set([parser.parse_unresolved_operand()])
    parser.parse_punctuation(">")
    count.set(IntegerAttr(len(values.get()), i64))


def print_pair(printer, op, values, count):
    assert count.value.data == 1
    printer.print_string("<")
    printer.print_ssa_value(values[0])
    printer.print_string(">")


SPECS = (
    OpSpec("f.src", results=(field("out", ANY),), format="attr-dict `:` type($out)"),
    OpSpec(
        "f.group",
        operands=(field("token", INDEX, OPTIONAL), field("more", INDEX, VARIADIC)),
        attrs=(attr("flag", UNIT, True), attr("align", I64, default="8")),
        traits=("AttrSizedOperandSegments",),
        format=(
            "(`async` `[` $token^ `]`)? (`flag` $flag^)? `(` $more `)` "
            "(`align` `=` $align^)? attr-dict"
        ),
    ),
    OpSpec(
        "f.otherwise",
        operands=(field("value", ANY, OPTIONAL),),
        format="($value^ `:` type($value)):(`none`)? attr-dict",
    ),
    OpSpec(
        "f.attrs",
        attrs=(attr("kind", KIND), attr("sizes", INTS), attr("any", ANY_ATTR, True)),
        format="$kind `,` $sizes (`with` $any^)? attr-dict-with-keyword",
    ),
    OpSpec(
        "f.func",
        operands=(field("args", ANY, VARIADIC),),
        results=(field("outs", ANY, VARIADIC),),
        format="`(` operands `)` attr-dict `:` functional-type(operands, results)",
    ),
    OpSpec(
        "f.order",
        operands=(field("a", INDEX, OPTIONAL), field("b", INDEX, OPTIONAL)),
        attrs=(attr("fast", UNIT, True),),
        traits=("AttrSizedOperandSegments",),
        format="oilist(`a` $a | `b` $b | `fast` $fast) attr-dict",
    ),
    OpSpec(
        "f.custom",
        operands=(field("value", INDEX, VARIADIC),),
        attrs=(attr("count", I64),),
        format="`do` custom<Pair>($value, $count) attr-dict",
    ),
    OpSpec("f.end", traits=("Terminator",), format="attr-dict"),
    OpSpec(
        "f.loop",
        regions=(field("body"),),
        traits=("SingleBlock", ("SingleBlockImplicitTerminator", "f.end")),
        format="$body attr-dict",
    ),
    OpSpec("f.jump", successors=(field("dest"),), traits=("Terminator",), format="$dest attr-dict"),
)


@pytest.fixture
def roundtrip(monkeypatch):
    registry.register(*SPECS)
    monkeypatch.setitem(
        registry._HOOKS, ("f", "syntax", "DIRECTIVES"), {"Pair": (parse_pair, print_pair)}
    )
    ctx = sample.context()
    ctx.register_dialect("f", lambda: make_dialect("f", [s.name for s in SPECS], []))

    def run(text):
        text = "%i = f.src : index\n%x = f.src : f32\n" + text
        module = Parser(ctx, text).parse_module()
        module.verify()
        out = StringIO()
        Printer(stream=out).print_op(module)
        lines = [line.strip() for line in out.getvalue().splitlines()][3:-1]
        return "\n".join(lines), module.body.block.last_op

    return run


@pytest.mark.parametrize(
    "text",
    [
        "f.group(%i, %i)",
        "f.group async[%i] flag() align = 4",
        "f.group flag(%i)",
        "f.otherwise %x : f32",
        "f.otherwise none",
        "f.attrs lt, [1, -2]",
        "f.attrs gt, [] with 5 : i32 attributes {x}",
        "%0 = f.func(%i, %x) : (index, f32) -> i32",
        "f.func() {y = 1 : i32} : () -> ()",
        "f.order",
        "f.order a %i b %i fast",
        "f.custom do <%i>",
        "f.loop {\n}",
    ],
)
def test_round_trip(roundtrip, text):
    assert roundtrip(text)[0] == text


def test_what_is_read(roundtrip):
    _, op = roundtrip("f.group async [%i] flag (%i, %i) {x}")
    assert op.token is not None
    assert len(op.more) == 2
    assert op.flag == UnitAttr()
    assert op.align == IntegerAttr(8, i64)
    assert "x" in op.attributes
    _, op = roundtrip("f.attrs gt, [3]")
    assert op.kind == IntegerAttr(1, i32)
    assert op.sizes == DenseArrayBase.from_list(i64, [3])
    _, op = roundtrip("f.order fast b %i")
    assert op.a is None
    assert op.b is not None


def test_inherent_attributes_in_the_dictionary(roundtrip):
    text, op = roundtrip("f.group () {align = 16 : i64, z}")
    assert op.align == IntegerAttr(16, i64)
    assert text == "f.group() align = 16 {z}"


def test_implicit_terminator(roundtrip):
    _, op = roundtrip("f.loop {\n}")
    assert op.body.first_block.last_op.name == "f.end"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f.group", "Expected '('"),
        ("f.attrs eq, []", "for attribute 'kind' .lt, gt."),
        ("f.order fast fast", "can appear at most once"),
        ("f.func(%i) : () -> ()", "expected 0 operand types but had 1"),
    ],
)
def test_errors(roundtrip, text, message):
    with pytest.raises(ParseError, match=message.replace("(", r"\(")):
        roundtrip(text)


def test_format_trees():
    group = parse_format("(`a` $b^ `]`)?")[0]
    assert isinstance(group, Group)
    assert group.anchor is group.then[1]
    with pytest.raises(FormatError, match="without anchor"):
        parse_format("(`a` $b)?")


def test_types_follow_from_a_trait():
    ctx = sample.context()
    text = (
        '%m, %i = "t.source"() : () -> (memref<?xf32>, index)\n'
        "%v = t.load %m[%i] nontemporal : memref<?xf32>"
    )
    op = Parser(ctx, text).parse_module().body.block.last_op
    assert op.result.type == f32
    assert op.nontemporal == UnitAttr()
