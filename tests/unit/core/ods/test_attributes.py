# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attribute and type classes made from definitions."""

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, IntegerAttr, i32
from xdsl.ir import TypeAttribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from xgpu.core import ods
from xgpu.core.ods import registry
from xgpu.core.ods.dialect import make_dialect
from xgpu.core.ods.spec import AttrSpec, EnumSpec, Parameter

DIM = EnumSpec({"x": 0, "y": 1})
FLAGS = EnumSpec({"none": 0, "a": 1, "b": 2, "all": 3}, True, ",")

SPECS = (
    AttrSpec(
        "e.dim",
        parameters=(Parameter("value", "enum", enum=DIM),),
        enum=DIM,
        format="$value",
    ),
    AttrSpec(
        "e.flags",
        parameters=(Parameter("value", "enum", enum=FLAGS),),
        enum=FLAGS,
        format="`<` $value `>`",
    ),
    AttrSpec(
        "e.target",
        parameters=(
            Parameter("O", "int", default="2"),
            Parameter("chip", "StringRef", default='"sm_50"'),
            Parameter("extra", "Attribute", optional=True),
        ),
        format="(`<` struct($O, $chip, $extra)^ `>`)?",
    ),
    AttrSpec("e.token", is_type=True),
    AttrSpec(
        "e.list",
        is_type=True,
        parameters=(Parameter("element", "Type"), Parameter("sizes", "ArrayRef<int64_t>")),
        format="`<` $element `,` `[` $sizes `]` `>`",
    ),
    AttrSpec(
        "e.params",
        parameters=(Parameter("dim", "Dim", enum=DIM), Parameter("on", "bool")),
        format="`<` params `>`",
    ),
)


@pytest.fixture
def ctx():
    registry.register_attr(*SPECS)
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.register_dialect("e", lambda: make_dialect("e", [], [s.name for s in SPECS]))
    return ctx


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("#e<dim x>", "x"),
        ("#e.flags<a>", "a"),
        ("#e.flags<all>", "all"),
        ("#e.target", (2, "sm_50", None)),
        ('#e.target<chip = "sm_90">', (2, "sm_90", None)),
        ("#e.target<O = 3, extra = 1 : i32>", (3, "sm_50", IntegerAttr(1, i32))),
        ("#e.params<y, true>", ("y", True)),
    ],
)
def test_attribute_text(ctx, text, data):
    attr = Parser(ctx, text).parse_attribute()
    assert attr.data == data
    assert str(attr) == text
    assert attr == Parser(ctx, text).parse_attribute()
    assert hash(attr) == hash(Parser(ctx, text).parse_attribute())


def test_types(ctx):
    assert str(Parser(ctx, "!e.token").parse_type()) == "!e.token"
    kind = Parser(ctx, "!e.list<i32, [1, 2]>").parse_type()
    assert isinstance(kind, TypeAttribute)
    assert kind.element == i32
    assert kind.sizes == (1, 2)
    assert str(kind) == "!e.list<i32, [1, 2]>"


def test_enum(ctx):
    dim = ods.enum("e.dim", "y")
    assert dim.value == 1
    assert dim != ods.enum("e.dim", "x")
    with pytest.raises(VerifyException, match="no case 'z'"):
        ods.enum("e.dim", "z")
    flags = ods.enum("e.flags", ("b",))
    assert flags.flags == ("b",)
    assert ods.enum("e.flags", "a, b").data == "all"
    assert ods.attr_class("e.flags").of_value(0).data == "none"


def test_constructor_defaults(ctx):
    target = ods.attr_class("e.target")(3)
    assert (target.o, target.chip, target.extra) == (3, "sm_50", None)
