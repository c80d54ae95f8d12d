# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dominators, also of blocks that cannot be reached; and what the verifier makes of them."""

from __future__ import annotations

import pytest

from xgpu.core.ir.dominance import (
    ControlFlowGraph,
    Dominators,
    immediate_post_dominators,
    program_order,
    reachable_blocks,
    reached,
    reverse_post_order,
)
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


NESTED = """
func.func @f(%p: i1) {
  cf.br ^outer
^outer:
  cf.cond_br %p, ^inner, ^end
^inner:
  cf.cond_br %p, ^inner, ^latch
^latch:
  cf.br ^outer
^end:
  return
}
"""


def test_loops_in_loops():
    region, blocks = blocks_of(NESTED)
    graph = ControlFlowGraph(region)
    assert graph.blocks == program_order(region) == blocks  # in the order of the branches
    outer, inner = graph.loops
    assert (outer.header, outer.blocks, outer.latches, outer.exits) == (1, {1, 2, 3}, [3], [(1, 1)])
    assert (inner.header, inner.blocks, inner.latches, inner.exits) == (2, {2}, [2], [(2, 1)])
    assert (inner.parent, inner.depth, outer.parent) == (outer, 2, None)
    assert list(graph.loops_around(2)) == [inner, outer]
    assert graph.irreducible is None
    assert graph.idom == [0, 0, 1, 2, 1]
    assert graph.children() == [[1], [2, 4], [3], [], []]
    assert graph.frontiers() == [set(), {1}, {1, 2}, {1}, set()]


def test_a_cycle_that_is_entered_at_two_blocks_is_no_loop():
    graph = ControlFlowGraph(blocks_of(DIAMOND.replace("cf.br ^end", "cf.br ^right", 1))[0])
    assert graph.irreducible is None
    text = DIAMOND.replace("cf.br ^end", "cf.br ^right", 1).replace("^end, ^right", "^end, ^left")
    graph = ControlFlowGraph(blocks_of(text)[0])
    assert graph.irreducible is not None
    assert graph.loops == []


def test_what_control_comes_to():
    region, (entry, left, right, end, nowhere, further) = blocks_of(DIAMOND)
    assert reachable_blocks(region) == {entry, left, right, end}
    edges = {1: [2, 3], 2: [4], 3: [], 4: [1]}
    assert reached([2], edges.__getitem__) == {1, 2, 3, 4}
    assert reached([2], edges.__getitem__, avoiding=(1,)) == {2, 4}
    assert {nowhere, further}.isdisjoint(reachable_blocks(region))


def test_post_dominators():
    # 0 -> 1 -> {0, 2}, 2 -> end
    assert immediate_post_dominators([[1], [0, 2], []]) == [1, 2, 3]
    # No way leads from 1 to the end; it goes there for the purpose of this.
    assert immediate_post_dominators([[1, 2], [1], []]) == [3, 3, 3]
