# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of operations."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ModuleOp

from xgpu.core.ir.construction import clone_operation, nested_operations
from xgpu.core.syntax import parse_module, print_module

# A use before its definition in the text, a loop of blocks, arguments with locations, regions.
_PROGRAM = """\
func.func @f(%x: i32 loc("x"), %c: i1) -> i32 {
  cf.br ^later(%x : i32)
^early(%a: i32 loc("a")):
  %s = arith.addi %y, %a : i32 loc("sum")
  return %s : i32
^later(%b: i32):
  %y = arith.muli %b, %b : i32
  %z = scf.if %c -> i32 {
    scf.yield %y : i32
  } else {
    scf.yield %b : i32
  } loc("if")
  cf.cond_br %c, ^early(%z : i32), ^later(%y : i32)
} loc("f")
"""


def test_a_copy_prints_as_its_original_and_shares_nothing_with_it() -> None:
    module = parse_module(_PROGRAM)
    text = print_module(module, debuginfo=True)
    copy = cast("ModuleOp", clone_operation(module))
    assert print_module(copy, debuginfo=True) == text
    copy.verify()
    assert not set(nested_operations(copy)) & set(nested_operations(module))
    for op in nested_operations(copy):  # nothing of the original is used or reached
        op.attributes["copied"] = op.location
    assert print_module(module, debuginfo=True) == text
    module.erase()
    copy.verify()


def test_uses_of_a_copy_are_in_the_order_of_the_original() -> None:
    module = parse_module(_PROGRAM)
    copy = clone_operation(module)
    for old, new in zip(nested_operations(module), nested_operations(copy), strict=True):
        for a, b in zip(old.results, new.results, strict=True):
            users = [use.operation.name for use in a.uses]
            assert [use.operation.name for use in b.uses] == users


def test_operands_are_replaced_and_results_noted() -> None:
    module = parse_module(_PROGRAM)
    add = next(op for op in nested_operations(module) if op.name == "arith.addi")
    multiply = next(op for op in nested_operations(module) if op.name == "arith.muli")
    values = {add.operands[0]: add.operands[1]}
    copy = clone_operation(add, values)
    assert list(copy.operands) == [add.operands[1], add.operands[1]]
    assert values[add.results[0]] is copy.results[0]
    other = clone_operation(add)
    assert list(other.operands) == [multiply.results[0], add.operands[1]]
