# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buffer-deallocation-simplification`: fewer questions about who owns what when the program runs.

What is known of where memrefs come from takes memrefs and conditions out of
`bufferization.dealloc`, and splits one that frees memory of different origins.
Source: MLIR 22.1 BufferDeallocationSimplification.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.passes.base import Pass
from xgpu.dialects.bufferization.canonicalize import (
    PATTERNS,
    BufferOrigins,
    boolean,
    dealloc,
    is_allocated,
    update,
    view_base,
)

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Block

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import bufferization


class BufferDeallocationSimplificationPass(Pass):
    """Simplifies deallocs by where memrefs come from."""

    name = "buffer-deallocation-simplification"
    summary = "Optimizes `bufferization.dealloc` operation for more efficient codegen"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns

        patterns = _Patterns(BufferOrigins(op))
        own = (
            patterns.remove_retained,
            patterns.remove_not_aliasing,
            patterns.split,
            patterns.remove_always_freed,
        )
        name = "bufferization.dealloc"
        apply_patterns(op, {name: (*own, *PATTERNS[name])}, simplify="normal")


def _metadata_source(memref: SSAValue) -> SSAValue | None:
    owner = memref.owner
    if isinstance(owner, Operation) and owner.name == "memref.extract_strided_metadata":
        return owner.operands[0]
    return None


def _is_inside(op: Operation | None, block: Block) -> bool:
    while op is not None:
        if op.parent is block:
            return True
        op = op.parent_op()
    return False


def _distinct(first: SSAValue, second: SSAValue) -> bool:
    """Whether one is allocated, and the other an argument of a block around the allocation."""
    a, b = view_base(first), view_base(second)
    return any(
        is_allocated(one)
        and isinstance(other, BlockArgument)
        and isinstance(one.owner, Operation)
        and _is_inside(one.owner, other.block)
        for one, other in ((a, b), (b, a))
    )


class _Patterns:
    """The patterns, with what is known of origins."""

    def __init__(self, origins: BufferOrigins) -> None:
        self.origins = origins

    def _may_alias(self, others: Iterable[SSAValue], memref: SSAValue) -> bool:
        return any(
            not _distinct(other, memref)
            and self.origins.same_allocation(other, memref) is not False
            for other in others
        )

    def remove_retained(self, op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
        """What is retained for sure is not freed; its result is true where its condition is."""
        retained = list(op.retained)
        if len(set(retained)) != len(retained):
            return False
        memrefs: list[SSAValue] = []
        conditions: list[SSAValue] = []
        for memref, condition in zip(op.memrefs, op.conditions, strict=True):
            if self._pass_on(op, rw, memref, condition):
                continue
            source = _metadata_source(memref)
            if source is not None and self._pass_on(op, rw, source, condition):
                continue
            memrefs.append(memref)
            conditions.append(condition)
        return update(op, rw, memrefs, conditions)

    def _pass_on(
        self, op: bufferization.DeallocOp, rw: GreedyRewriter, memref: SSAValue, condition: SSAValue
    ) -> bool:
        same = [self.origins.same_allocation(value, memref) for value in op.retained]
        if None in same or True not in same:
            return False
        rw.after(op)
        for result, is_same in zip(op.results, same, strict=True):
            if not is_same:
                continue
            both = rw.value("arith.ori", (result, condition), i1)
            for use in list(result.uses):
                if use.operation is not both.owner:
                    rw.set_operand(use.operation, use.index, both)
        return True

    def remove_not_aliasing(self, op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
        """A retained memref that is none of those to free: its result is false."""
        kept = [value for value in op.retained if self._may_alias(op.memrefs, value)]
        if len(kept) == len(op.retained):
            return False
        falses = {
            index: boolean(rw, False)
            for index, value in enumerate(op.retained)
            if not self._may_alias(op.memrefs, value)
        }
        new = iter(dealloc(rw, op.memrefs, op.conditions, kept).results)
        rw.replace(op, [falses[i] if i in falses else next(new) for i in range(len(op.results))])
        return True

    def split(self, op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
        """A memref that is none of the others is freed by itself."""
        memrefs, conditions = list(op.memrefs), list(op.conditions)
        if len(memrefs) <= 1:
            return False
        rest: list[int] = []
        alone: list[Operation] = []
        for index, memref in enumerate(memrefs):
            others = memrefs[:index] + memrefs[index + 1 :]
            if self._may_alias(others, memref):
                rest.append(index)
            else:
                alone.append(dealloc(rw, [memref], [conditions[index]], op.retained))
        if not alone:
            return False
        new = dealloc(rw, [memrefs[i] for i in rest], [conditions[i] for i in rest], op.retained)
        values: list[SSAValue] = list(new.results)
        for other in alone:
            for index, result in enumerate(other.results):
                values[index] = rw.value("arith.ori", (values[index], result), i1)
        rw.replace(op, values)
        return True

    def remove_always_freed(self, op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
        """Retained memrefs that are surely among those that are surely owned: all are owned."""
        retained = list(op.retained)
        owned: set[int] = set()
        memrefs: list[SSAValue] = []
        conditions: list[SSAValue] = []
        for memref, condition in zip(op.memrefs, op.conditions, strict=True):
            found = set()
            if int_of(condition) not in (None, 0):
                source = _metadata_source(memref)
                found = {
                    index
                    for index, value in enumerate(retained)
                    if self.origins.same_allocation(value, memref)
                    or (source is not None and self.origins.same_allocation(value, source))
                }
            for index in found:
                rw.replace_all_uses(op.results[index], condition)
            owned |= found
            if not found:
                memrefs.append(memref)
                conditions.append(condition)
        return len(owned) == len(retained) and update(op, rw, memrefs, conditions)
