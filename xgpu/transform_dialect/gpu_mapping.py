# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mapping one scf.forall to processors: its body, with ids instead of induction variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.transform_dialect.failures import definite
from xgpu.transform_dialect.forall import is_normalized, mapping, trip_counts
from xgpu.transform_dialect.gpu_ids import LINEAR, MAX_LINEAR, IdBuilder
from xgpu.transform_dialect.tracking import TrackingRewriter

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.core.ods.attributes import EnumAttr
    from xgpu.dialects import gpu

    pass

_THREAD_KINDS = frozenset(("gpu.thread", "gpu.warp", "gpu.warpgroup", "gpu.lane"))
_KINDS = frozenset(("gpu.block", *_THREAD_KINDS))

#: Makes the error of the transform operation.
Fail = "Callable[[str], DiagnosticError]"


def is_linear(attr: Attribute) -> bool:
    return cast("EnumAttr", attr).value >= LINEAR


def split_mapping(forall: Operation) -> tuple[list[Attribute], int | None]:
    """The mapping attributes of `forall`, and its mask."""
    attrs = mapping(forall) or []
    masks = [a for a in attrs if a.name == "gpu.mask"]
    mask = cast("gpu.MaskAttr", masks[0]).data[0] if masks else None
    value = getattr(getattr(mask, "value", mask), "data", getattr(mask, "value", mask))
    return [a for a in attrs if a.name != "gpu.mask"], value


def check(op: Operation, forall: Operation, *, blocks: bool) -> tuple[list[Attribute], int | None]:
    """The mapping of `forall`, if it can be mapped to blocks or to what a block consists of."""
    if mapping(forall) is None:
        raise definite(op, "scf.forall op requires a mapping attribute")
    attrs, mask = split_mapping(forall)
    kinds = {a.name for a in attrs} & _KINDS
    if len(kinds) > 1:
        raise definite(op, "cannot mix different mapping types, use nesting")
    if blocks and "gpu.block" not in kinds:
        raise definite(op, "scf.forall op requires a mapping attribute of kind 'block'")
    if not blocks and not kinds & _THREAD_KINDS:
        raise definite(op, "scf.forall op requires a mapping attribute of kind 'thread' or 'warp'")
    if len(set(attrs)) != len(attrs):
        raise definite(op, "duplicate attribute, cannot map different loops to the same mapping id")
    linear = [is_linear(a) for a in attrs]
    if any(linear) and not all(linear):
        raise definite(op, "cannot mix linear and non-linear mapping modes")
    if mask is not None and not any(linear):
        raise definite(op, "device masking is only available in linear mapping mode")
    if not is_normalized(forall):
        raise definite(op, "unsupported non-normalized loops")
    if forall.results:
        raise definite(op, "only bufferized scf.forall can be mapped")
    rank = len(forall.regions[0].block.args)
    most = MAX_LINEAR - LINEAR + 1 if linear[0] else LINEAR
    if rank > most:
        raise definite(
            op,
            f"scf.forall with rank > {most} does not lower for the specified mapping attribute "
            "type",
        )
    if trip_counts(forall) is None:
        raise definite(op, "requires statically sized, normalized forall op")
    return attrs, mask


def rewrite(
    op: Operation,
    forall: Operation,
    mapped: Sequence[Attribute],
    builder: IdBuilder,
    available: Sequence[int],
    rw: TrackingRewriter,
) -> list[int]:
    """Replaces `forall` by its body; returns the sizes of the loops, ordered by mapping id.

    `available` are the sizes of the grid or block; empty if the loop determines them.
    """
    attrs = [cast("EnumAttr", attr) for attr in mapped]
    counts = trip_counts(forall)
    assert counts is not None
    sized = {attr.value: count for attr, count in zip(attrs, counts, strict=True)}
    largest = max(sized)
    for mapping_id in builder.mapping_ids:
        if not (is_linear_id(largest) and mapping_id > largest):
            sized.setdefault(mapping_id, 1)
    sizes = [sized[i] for i in sorted(sized)]
    basis = list(available) or [*sizes, *[1] * (3 - len(sizes))]
    rw.location = forall.location
    rw.before(forall)
    built = builder.build(rw, sizes, basis)
    if built.problem:
        raise definite(op, built.problem)
    block: Block = forall.regions[0].block
    values = [built.ids[a.value - LINEAR if is_linear(a) else a.value] for a in attrs]
    predicate = _all_of(rw, built.predicates) if available else None
    terminator = block.last_op
    assert terminator is not None
    rw.erase(terminator)
    for argument, value in zip(list(block.args), values, strict=True):
        rw.state.value_replaced(argument, value)
        argument.replace_all_uses_with(value)
    body = list(block.ops)
    if predicate is not None:
        inner = Block()
        rw.create("scf.if", [predicate], (), regions=[Region(inner), Region()])
        for moved in body:
            moved.detach()
            inner.add_op(moved)
        rw.at_end(inner)
        rw.create("scf.yield")
    else:
        for moved in body:
            moved.detach()
            cast("Block", forall.parent).insert_op_before(moved, forall)
    rw.after(forall)
    rw.erase(forall)
    return sizes


def is_linear_id(mapping_id: int) -> bool:
    return mapping_id >= LINEAR


def _all_of(rw: TrackingRewriter, predicates: Sequence[SSAValue]) -> SSAValue | None:
    result: SSAValue | None = None
    for predicate in predicates:
        result = predicate if result is None else rw.value("arith.andi", [result, predicate], i1)
    return result
