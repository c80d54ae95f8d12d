# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operation classes: creation, accessors, generic form, verification."""

import sys
from pathlib import Path

import pytest
from xdsl.dialects.builtin import IndexType, IntegerAttr, StringAttr, i32, i64
from xdsl.dialects.test import TestOp
from xdsl.ir import Block, Region
from xdsl.parser import Parser
from xdsl.traits import IsTerminator

from xgpu.core import ods
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax import parse_module, print_module

sys.path.insert(0, str(Path(__file__).parent))
import sample


@pytest.fixture
def ctx():
    return sample.context()


def values(*types):
    return TestOp(result_types=types).results


def test_create_and_accessors(ctx):
    a, b = values(i32, i32)
    op = ods.create("t.add", (a, b), (i32,))
    assert op.lhs is a
    assert op.rhs is b
    assert op.result is op.results[0]
    assert ods.op_class("t.add") is type(op)
    assert op.name == "t.add"
    op.verify()


def test_segments_and_defaults(ctx):
    a, b, c = values(i32, i64, i32)
    op = ods.create("t.many", ([a, b], None, c))
    assert op.a == [a, b]
    assert op.maybe is None
    assert op.last is c
    assert op.properties["operandSegmentSizes"].get_values() == (2, 0, 1)
    assert op.count == IntegerAttr(4, i64)


def test_unknown_operation(ctx):
    with pytest.raises(KeyError):
        ods.op_class("t.nothing")
    assert ods.op_spec("t.nothing") is None


def test_generic_form(ctx):
    text = (
        '%0, %1 = "test.op"() : () -> (i32, index)\n'
        '"t.many"(%0, %1, %0) {operandSegmentSizes = array<i32: 1, 1, 1>, x} '
        ": (i32, index, i32) -> ()"
    )
    module = Parser(ctx, text).parse_module()
    op = module.body.block.last_op
    assert op.maybe.type == IndexType()
    assert set(op.properties) == {"operandSegmentSizes", "count"}
    assert set(op.attributes) == {"x"}
    module.verify()
    assert "<{count = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1>}> {x}" in str(module)


def test_sizes_of_groups_that_are_not_given_are_zeros(ctx):
    """As MLIR's properties have them."""
    module = parse_module('%0 = "memref.alloc"() : () -> memref<4xf32>', "-")
    assert "<{operandSegmentSizes = array<i32: 0, 0>}>" in print_module(module, generic=True)
    op = Parser(ctx, '"t.many"() : () -> ()').parse_module().body.block.last_op
    assert op.properties["operandSegmentSizes"].get_values() == (0, 0, 0)


def error_of(op):
    with pytest.raises(DiagnosticError) as caught:
        op.verify()
    return caught.value.message


def test_verifier_words(ctx):
    a, b, x = values(i32, i64, IndexType())
    assert error_of(ods.create("t.add", (a,), (i32,))) == (
        "'t.add' op expected 2 operands, but found 1"
    )
    assert error_of(ods.create("t.add", (a, x), (i32,))) == (
        "'t.add' op operand #1 must be integer, but got 'index'"
    )
    assert error_of(ods.create("t.add", (a, b), (i32,))) == (
        "'t.add' op requires the same type for all operands and results"
    )
    assert error_of(ods.create("t.many", (a, None, b), (), {"count": StringAttr("x")})) == (
        "'t.many' op attribute 'count' failed to satisfy constraint: "
        "64-bit signless integer attribute"
    )
    assert error_of(ods.create("t.load", (a,), (i32,))) == (
        "'t.load' op operand #0 must be memref of any type values, but got 'i32'"
    )


def test_terminator_and_region(ctx):
    end = ods.op_class("t.end")
    assert end.has_trait(IsTerminator)
    box = ods.create("t.box", regions=[Region(Block([end.create()]))])
    box.verify()
    source = TestOp(result_types=(i32,))
    last = ods.create("t.add", (source.results[0], source.results[0]), (i32,))
    stray = ods.create("t.box", regions=[Region(Block([source, last]))])
    assert "block with no terminator" in error_of(stray)
