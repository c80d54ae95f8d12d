# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of memref.alloca_scope.

A scope frees at its end what was allocated on the stack in it. It may go where that changes
nothing: if nothing in it can allocate, or if the scope around it ends right after it. An operation
whose effects nobody states may allocate, so a call keeps the scope around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation, Region, SSAValue

from xgpu.core.ir.effects import effects
from xgpu.core.ir.op_info import traits_of

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter

SCOPE = "AutomaticAllocationScope"
#: What allocates on the stack for certain.
_ALLOCATIONS = frozenset({"memref.alloca", "llvm.alloca"})


def is_scope(op: Operation | None) -> bool:
    """Whether what is allocated on the stack in `op` is freed at its end."""
    return op is not None and SCOPE in traits_of(op.name)


def _may_allocate(op: Operation) -> bool:
    """Whether `op` itself, its regions aside, may allocate on the stack."""
    traits = traits_of(op.name)
    if "RecursiveMemoryEffects" in traits:
        return False
    if op.name in _ALLOCATIONS:
        return True
    return "MemoryEffectOpInterface" not in traits and effects(op) is None


def _something_may_allocate(region: Region) -> bool:
    for block in region.blocks:
        for op in block.ops:
            if _may_allocate(op):
                return True
            if not is_scope(op) and any(map(_something_may_allocate, op.regions)):
                return True
    return False


def _is_last(op: Operation) -> bool:
    """Whether only a terminator follows `op`, in a region of one block."""
    block = op.parent
    region = block.parent if block is not None else None
    return (
        block is not None
        and region is not None
        and region.first_block is region.last_block
        and op.next_op is not None
        and op.next_op is block.last_op
        and _may_end_block(op.next_op)
    )


def _may_end_block(op: Operation) -> bool:
    traits = traits_of(op.name)
    return not traits or "Terminator" in traits


def inline_scope(op: Operation, rw: GreedyRewriter) -> bool:
    """alloca_scope around nothing that it could free, or at the end of another scope -> inlined"""
    region = op.regions[0]
    if region.first_block is not region.last_block:
        return False
    if _something_may_allocate(region) and not (is_scope(op.parent_op()) and _is_last(op)):
        return False
    terminator = region.blocks[0].last_op
    assert terminator is not None
    results = list(terminator.operands)
    rw.inline_block(region.blocks[0], op)
    rw.replace(op, results)
    rw.erase(terminator)
    return True


def hoist_allocations(op: Operation, rw: GreedyRewriter) -> bool:
    """Allocations move out of a scope that ends together with the one around it"""
    outermost = op.parent_op()
    if outermost is None or is_scope(outermost) or not _is_last(op) or not _is_last(outermost):
        return False
    while not is_scope(outermost.parent_op()):
        outermost = outermost.parent_op()
        if outermost is None or not _is_last(outermost):
            return False
    inside = next(r for r in outermost.regions if r.is_ancestor(op))
    found = [
        inner
        for inner in op.walk()
        if inner.name in _ALLOCATIONS and not any(_defined_in(inside, v) for v in inner.operands)
    ]
    for inner in found:
        rw.before(outermost)
        copy = rw.insert(inner.clone())
        rw.replace(inner, copy.results)
    return bool(found)


def _defined_in(region: Region, value: SSAValue) -> bool:
    owner = value.owner
    return region.is_ancestor(owner)
