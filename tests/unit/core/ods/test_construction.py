# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fast ways to make and change operations do what xDSL's own do."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects.builtin import UNKNOWN_LOC, MemRefType, i32
from xdsl.ir import Block, Region

from xgpu.core import ods
from xgpu.core.ir.construction import (
    drop_operands,
    erase_operation,
    insert_before,
    nested_operations,
    operations_of,
    replace_all_uses,
    set_operands,
)
from xgpu.dialects import gpu


def block_of_three() -> tuple[Block, Any, Any, Any]:
    """%0 = a + b; %1 = %0 + %0; %2 = %0 * b"""
    block = Block(arg_types=(i32, i32))
    a, b = block.args
    first = ods.create("arith.addi", (a, b), (i32,))
    second = ods.create("arith.addi", (first, first), (i32,))
    third = ods.create("arith.muli", (first, b), (i32,))
    block.add_ops((first, second, third))
    return block, first, second, third


def users(value: Any) -> list[tuple[Any, int]]:
    return [(use.operation.name, use.index) for use in value.uses]


def test_replacing_uses_keeps_the_order_that_xdsl_gives() -> None:
    block, first, *_ = block_of_three()
    other, theirs, *_ = block_of_three()
    replace_all_uses(first.results[0], block.args[1])
    theirs.results[0].replace_all_uses_with(other.args[1])
    assert users(block.args[1]) == users(other.args[1])
    assert first.results[0].first_use is None
    for op in operations_of(block):
        for index, operand in enumerate(op.operands):
            assert (op, index) in [(u.operation, u.index) for u in operand.uses]


def test_replacing_uses_carries_the_name_over() -> None:
    block, first, *_ = block_of_three()
    first.results[0].name_hint = "sum"
    replace_all_uses(first.results[0], block.args[0])
    assert block.args[0].name_hint == "sum"


def test_erasing_relinks_block_and_uses() -> None:
    block, first, second, third = block_of_three()
    erase_operation(second)
    assert operations_of(block) == [first, third]
    assert users(first.results[0]) == [("arith.muli", 0)]
    with pytest.raises(ValueError, match="still has uses"):
        erase_operation(first)


def test_inserting() -> None:
    block, first, second, third = block_of_three()
    new = ods.create("arith.addi", block.args, (i32,))
    insert_before(block, new, first)
    last = ods.create("arith.addi", block.args, (i32,))
    insert_before(block, last, None)
    assert operations_of(block) == list(block.ops) == [new, first, second, third, last]
    assert block.first_op is new
    assert block.last_op is last
    with pytest.raises(ValueError, match="already attached"):
        insert_before(block, new, third)
    with pytest.raises(ValueError, match="not in current block"):
        insert_before(Block(), ods.create("arith.addi", block.args, (i32,)), third)


def test_setting_and_dropping_operands() -> None:
    block, first, second, _ = block_of_three()
    set_operands(second, block.args)
    assert list(second.operands) == list(block.args)
    assert (second.name, 0) in users(block.args[0])
    drop_operands(second)
    assert list(second.operands) == list(block.args)
    assert users(first.results[0]) == [("arith.muli", 0)]


def test_nested_operations_are_outer_before_inner() -> None:
    block, first, second, third = block_of_three()
    holder = ods.create("func.func", regions=(Region(block),))
    module = ods.create("gpu.module", regions=(Region(Block([holder])),))
    assert nested_operations(module) == [holder, first, second, third]
    assert nested_operations(module) == list(module.walk())[1:]


def test_created_operations_are_as_xdsl_makes_them() -> None:
    _, first, *_ = block_of_three()
    assert first.location is UNKNOWN_LOC
    assert first.operands[1] is first.operands[-1]
    assert tuple(first.operands[0:2]) == tuple(first.operands)
    assert first.results.types == (i32,)
    assert "overflowFlags" in first.properties


@pytest.mark.parametrize(("group", "kind"), [(True, "list"), (False, "NoneType")])
def test_a_group_where_an_operation_has_none_is_refused(group: bool, kind: str) -> None:
    """`gpu.wait` has one variadic operand, so no segment sizes: its operands are one flat list."""
    token = ods.create("gpu.wait", (), (gpu.AsyncTokenType(),))
    with pytest.raises(ValueError, match="flat list") as caught:
        ods.create("gpu.wait", (token, [token] if group else None))
    assert str(caught.value) == (
        f"operand 1 of gpu.wait is {kind}, expected a value: the operation has no "
        "operandSegmentSizes, so its operands are one flat list"
    )
    assert len(ods.create("gpu.wait", (token, token)).operands) == 2
    copy = ods.create("memref.alloc", ([], ()), (MemRefType(i32, [4]),))
    assert copy.properties["operandSegmentSizes"].get_values() == (0, 0)
