# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dominators, also of blocks that cannot be reached; and what the verifier makes of them."""

from __future__ import annotations

import pytest

from xgpu.core.ir.dominance import Dominators, reverse_post_order
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax import parse_module
from xgpu.core.syntax.verify import verify_module

DIAMOND = """
func.func @f(%p: i1) {
  cf.cond_br %p, ^left, ^right
^left:
  cf.br ^end
^right:
  cf.cond_br %p, ^end, ^right
^end:
  return
^nowhere:
  cf.br ^further
^further:
  cf.br ^end
}
"""


def blocks_of(text):
    (function,) = parse_module(text).body.block.ops
    region = function.regions[0]
    return region, list(region.blocks)


def test_a_diamond_with_a_loop():
    region, (entry, left, right, end, *_) = blocks_of(DIAMOND)
    tree = Dominators(region)
    assert tree.order[0] is entry
    assert {b for b in (entry, left, right, end) if tree.dominates(entry, b)} == {
        entry, left, right, end
    }  # fmt: skip
    assert tree.dominates(right, right)
    assert not tree.dominates(left, end)
    assert not tree.dominates(right, end)
    assert not tree.dominates(end, entry)
    assert set(tree.children()[entry]) == {left, right, end}


def test_a_loop_of_two_blocks_with_two_entries():
    """Neither block of the loop dominates the other: control comes to both from outside."""
    region, (entry, first, second) = blocks_of(
        """
        func.func @f(%p: i1) {
          cf.cond_br %p, ^first, ^second
        ^first:
          cf.br ^second
        ^second:
          cf.br ^first
        }
        """
    )
    tree = Dominators(region)
    assert tree.parent(first) is entry
    assert tree.parent(second) is entry


def test_blocks_that_cannot_be_reached():
    """Every way to such a block leads through any block, there being none; it is on no way."""
    region, (entry, left, _, end, nowhere, further) = blocks_of(DIAMOND)
    tree = Dominators(region)
    assert nowhere not in reverse_post_order(region)
    assert tree.dominates(left, nowhere)
    assert tree.dominates(nowhere, further)
    assert not tree.dominates(nowhere, end)
    assert not tree.dominates(further, entry)


def verified(text):
    module = parse_module(text)
    verify_module(module)


def test_uses_in_blocks_that_cannot_be_reached_are_free():
    verified(
        """
        func.func @f() -> i32 {
          %c = arith.constant 1 : i32
          return %c : i32
        ^nowhere:
          %0 = arith.addi %1, %1 : i32
          %1 = arith.addi %0, %0 : i32
          cf.br ^further
        ^further:
          %2 = arith.addi %1, %3 : i32
          %3 = arith.addi %2, %2 : i32
          return %3 : i32
        }
        """
    )


def test_what_cannot_be_reached_defines_nothing():
    with pytest.raises(DiagnosticError, match="operand #0 does not dominate this use"):
        verified(
            """
            func.func @f() -> i32 {
              cf.br ^end
            ^nowhere:
              %0 = arith.constant 1 : i32
              cf.br ^end
            ^end:
              return %0 : i32
            }
            """
        )


def test_a_value_of_one_branch_is_not_there_behind_both():
    with pytest.raises(DiagnosticError, match="operand #0 does not dominate this use"):
        verified(
            """
            func.func @f(%p: i1) -> i32 {
              cf.cond_br %p, ^left, ^end
            ^left:
              %0 = arith.constant 1 : i32
              cf.br ^end
            ^end:
              return %0 : i32
            }
            """
        )
