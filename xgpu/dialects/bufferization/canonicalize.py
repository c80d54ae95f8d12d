# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the bufferization dialect.

Source: MLIR 22.1 BufferizationOps.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i1, i32
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.effects import effects
from xgpu.dialects.bufferization import canonicalize_buffers
from xgpu.dialects.bufferization.origin import has_effect, is_allocated, view_base
from xgpu.dialects.memref.verify import can_cast

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects import bufferization


def boolean(rw: GreedyRewriter | Rewriter, value: bool) -> SSAValue:
    """A constant i1."""
    return rw.value("arith.constant", (), i1, {"value": IntegerAttr(-1 if value else 0, i1)})


def update(
    op: bufferization.DeallocOp,
    rw: GreedyRewriter,
    memrefs: Sequence[SSAValue],
    conditions: Sequence[SSAValue],
) -> bool:
    """Gives a dealloc other memrefs and conditions; whether they are others."""
    if list(op.memrefs) == list(memrefs) and list(op.conditions) == list(conditions):
        return False
    retained = list(op.retained)
    rw.set_operands(op, [*memrefs, *conditions, *retained])
    sizes = [len(memrefs), len(conditions), len(retained)]
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
    return True


def dealloc(
    rw: GreedyRewriter | Rewriter,
    memrefs: Sequence[SSAValue],
    conditions: Sequence[SSAValue],
    retained: Sequence[SSAValue],
) -> Operation:
    """Creates a dealloc."""
    return rw.create(
        "bufferization.dealloc",
        (list(memrefs), list(conditions), list(retained)),
        [i1] * len(retained),
    )


def _merge_memrefs(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    """A memref that is there twice is freed if one of its conditions holds."""
    found: dict[SSAValue, SSAValue] = {}
    for memref, condition in zip(op.memrefs, op.conditions, strict=True):
        known = found.get(memref)
        if known is not None and known is not condition:
            condition = rw.value("arith.ori", (known, condition), i1)
        found[memref] = condition
    return update(op, rw, list(found), list(found.values()))


def _merge_retained(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    places: dict[SSAValue, int] = {}
    for value in op.retained:
        places.setdefault(value, len(places))
    if len(places) == len(op.retained):
        return False
    new = dealloc(rw, op.memrefs, op.conditions, list(places))
    rw.replace(op, [new.results[places[value]] for value in op.retained])
    return True


def _erase_empty(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    if op.memrefs:
        return False
    false = boolean(rw, False)
    rw.replace(op, [false] * len(op.results))
    return True


def _drop_never_freed(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    pairs = [
        (memref, condition)
        for memref, condition in zip(op.memrefs, op.conditions, strict=True)
        if int_of(condition) != 0
    ]
    return update(op, rw, [memref for memref, _ in pairs], [condition for _, condition in pairs])


def _skip_metadata(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    """The base of what an operation allocates is what it allocates."""
    memrefs: list[SSAValue] = []
    for memref in op.memrefs:
        owner = memref.owner
        if isinstance(owner, Operation) and owner.name == "memref.extract_strided_metadata":
            source = owner.operands[0]
            memrefs.append(source if is_allocated(source) else memref)
        else:
            memrefs.append(memref)
    return update(op, rw, memrefs, op.conditions)


def _drop_unused_allocations(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    """What is allocated and freed, and nothing else, need not be."""
    memrefs: list[SSAValue] = []
    conditions: list[SSAValue] = []
    unused: list[Operation] = []
    for memref, condition in zip(op.memrefs, op.conditions, strict=True):
        owner = memref.owner
        if (
            isinstance(owner, Operation)
            and is_allocated(memref)
            and len(effects(owner) or ()) == 1
            and memref.has_one_use()
        ):
            unused.append(owner)
        else:
            memrefs.append(memref)
            conditions.append(condition)
    if not update(op, rw, memrefs, conditions):
        return False
    for allocation in unused:
        if all(result.first_use is None for result in allocation.results):
            rw.erase(allocation)
    return True


def _free_of(value: SSAValue) -> tuple[bool, Operation | None]:
    """(whether at most one operation frees `value`, that operation)."""
    found: Operation | None = None
    for use in value.uses:
        if has_effect(use.operation, "free", value):
            # What frees by giving another buffer cannot go.
            if found is not None or use.operation.results:
                return False, None
            found = use.operation
    return True, found


def _simplify_clone(op: Operation, rw: GreedyRewriter) -> bool:
    """A clone whose original is freed before it, or the other way round, is the original."""
    source, clone = op.operands[0], op.results[0]
    if clone.first_use is None:
        rw.erase(op)
        return True
    if source.type != clone.type and not can_cast(source.type, clone.type):
        return False
    one, free_of_clone = _free_of(clone)
    other, free_of_source = _free_of(view_base(source))
    if not one or not other:
        return False
    both = free_of_clone is not None and free_of_source is not None
    if both and free_of_clone.parent is free_of_source.parent:  # pyright: ignore
        return False
    redundant = next(
        (f for f in (free_of_clone, free_of_source) if f is not None and f.parent is op.parent),
        None,
    )
    if redundant is None:
        return False
    between = op.next_op
    while between is not redundant:
        if between is None or has_effect(between, "free"):
            return False
        between = between.next_op
    if source.type != clone.type:
        source = rw.value("memref.cast", (source,), clone.type)
    rw.replace(op, [source])
    rw.erase(redundant)
    return True


PATTERNS = {
    **canonicalize_buffers.BUFFER_PATTERNS,
    "bufferization.clone": (_simplify_clone,),
    "bufferization.dealloc": (
        _merge_memrefs,
        _merge_retained,
        _erase_empty,
        _drop_never_freed,
        _skip_metadata,
        _drop_unused_allocations,
    ),
}
