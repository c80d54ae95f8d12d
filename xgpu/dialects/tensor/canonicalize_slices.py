# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of tensor.extract_slice, insert_slice and parallel_insert_slice.

Constants become static offsets, sizes and strides, in the type of what is put there as well; and
casts that forget sizes are looked through. What would be outside of the tensor stays as it is:
nobody may run it, but it has to stay valid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.slices import (
    kept_dimensions,
    known,
    mixed,
    not_negative,
    out_of_bounds,
    reduced_dims,
    settle,
    slice_operands,
    static_sizes,
)
from xgpu.dialects.tensor.casts import (
    cast_to,
    keeps_sizes,
    made_by,
    may_be_cast,
    shape_of,
    uncast,
    with_shape,
)
from xgpu.dialects.tensor.fold_slices import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects.slices import Mixed

Place = tuple["Mixed", "Mixed", "Mixed"]


def make_extract(
    rw: GreedyRewriter, source: SSAValue, kind: Attribute, place: Sequence[Mixed]
) -> SSAValue:
    """Creates an extract_slice."""
    groups, properties = slice_operands(place)
    return rw.value("tensor.extract_slice", (source, *groups), kind, properties)


def _insert(
    rw: GreedyRewriter, like: Operation, source: SSAValue, dest: SSAValue, place: Place
) -> None:
    """Replaces `like`, an insertion, with one of these."""
    groups, properties = slice_operands(place)
    kinds = [dest.type] if like.results else []
    new = rw.create(like.name, (source, dest, *groups), kinds, properties)
    rw.replace(like, [cast_to(rw, new.results[0], like.results[0].type)] if kinds else [])


def _fits(tensor: SSAValue, place: Place) -> bool:
    return out_of_bounds(shape_of(tensor), [known(entries) for entries in place]) is None


def _settled(op: Operation) -> Place | None:
    """The place of a slice with the constants among offsets as numbers, else among sizes, else
    among strides; None if there are none."""
    offsets, sizes, strides = place_of(op)
    new = settle(offsets, not_negative)
    if new != offsets:
        return new, sizes, strides
    new = settle(sizes, not_negative)
    if new != sizes:
        return offsets, new, strides
    new = settle(strides)
    return (offsets, sizes, new) if new != strides else None


def extract_constants(op: Operation, rw: GreedyRewriter) -> bool:
    """extract_slice with constant offsets, sizes or strides -> cast(extract_slice, static ones)"""
    place = _settled(op)
    source, result = op.operands[0], op.results[0]
    if place is None or not _fits(source, place):
        return False
    kept = kept_dimensions(mixed(op, "sizes"), shape_of(result))
    sizes = static_sizes(place[1])
    kind = with_shape(source.type, [sizes[dim] for dim in kept])
    if len(kept) < len(sizes):
        kind = TensorType(kind.element_type, kind.get_shape())  # with no encoding, as in MLIR
    rw.replace(op, [cast_to(rw, make_extract(rw, source, kind, place), result.type)])
    return True


def _has_constants(op: Operation) -> bool:
    """Whether an operand is a constant index, for other patterns to go first."""
    return any(int_of(value) is not None for value in op.operands if not _is_tensor(value))


def _is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)


def extract_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """extract_slice(cast %t) -> extract_slice %t where the cast forgets sizes"""
    if _has_constants(op):
        return False
    source, place = uncast(op.operands[0]), place_of(op)
    if source is None or not _fits(source, place):
        return False
    rw.replace(op, [make_extract(rw, source, op.results[0].type, place)])
    return True


def cast_of_extract(op: Operation, rw: GreedyRewriter) -> bool:
    """cast(extract_slice %t) -> extract_slice %t of the sizes that the cast tells"""
    inner = made_by(op.operands[0], "tensor.extract_slice")
    kind = op.results[0].type
    if inner is None or not keeps_sizes(op.operands[0].type, kind):
        return False
    before, after = shape_of(op.operands[0]), shape_of(op.results[0])
    if before == after:
        return False
    offsets, sizes, strides = place_of(inner)
    dropped = reduced_dims(static_sizes(sizes), before) or ()
    kept = (dim for dim in range(len(sizes)) if dim not in dropped)
    for dim, size in zip(kept, after, strict=True):
        if size != DYNAMIC_INDEX:
            sizes[dim] = size
    place = offsets, sizes, strides
    if not _fits(inner.operands[0], place):
        return False
    rw.replace(op, [make_extract(rw, inner.operands[0], kind, place)])
    return True


# --- insertions ------------------------------------------------------------------------------
def insert_constants(op: Operation, rw: GreedyRewriter) -> bool:
    """insert_slice with constant offsets, sizes or strides -> insert_slice with static ones"""
    source, dest = op.operands[0], op.operands[1]
    place = _settled(op)
    if place is None or not _fits(dest, place):
        return False
    kind = _source_type(op, source, dest, static_sizes(place[1]))
    if not may_be_cast(source.type, kind):
        return False
    _insert(rw, op, _cast_source(rw, op, source, kind), dest, place)
    return True


def _source_type(op: Operation, source: SSAValue, dest: SSAValue, sizes: list[int]) -> Attribute:
    """The type of what is put into a slice of `sizes`, with as many dimensions as `source`.

    The first dimensions of size 1 are left out, unless `source` has left out others.
    """
    kind = with_shape(dest.type, sizes)
    count = len(sizes) - len(shape_of(source))
    if count <= 0:
        return kind
    units = [dim for dim, size in enumerate(sizes) if size == 1][:count]
    reduced = TensorType(
        kind.element_type, [size for dim, size in enumerate(sizes) if dim not in units]
    )
    if may_be_cast(source.type, reduced):
        return reduced
    kept = kept_dimensions(mixed(op, "sizes"), shape_of(source))
    return TensorType(kind.element_type, [sizes[dim] for dim in kept])


def _cast_source(rw: GreedyRewriter, op: Operation, source: SSAValue, kind: Attribute) -> SSAValue:
    """`source` as a tensor of type `kind`, before `op`, or what `op` is one of the parallel
    insertions of: there is no place for a cast among those."""
    parent = op.parent_op()
    if (
        source.type == kind
        or parent is None
        or "InParallelOpInterface" not in traits_of(parent.name)
    ):
        return cast_to(rw, source, kind)
    rw.before(parent)
    value = cast_to(rw, source, kind)
    rw.before(op)
    return value


def insert_of_casts(op: Operation, rw: GreedyRewriter) -> bool:
    """insert_slice (cast %s) into (cast %t) -> cast(insert_slice %s into %t)"""
    if _has_constants(op):
        return False
    small, large = uncast(op.operands[0]), uncast(op.operands[1])
    if small is None and large is None:
        return False
    source = op.operands[0] if small is None else small
    dest = op.operands[1] if large is None else large
    offsets, sizes, strides = place_of(op)
    shape = shape_of(source)
    dropped = reduced_dims(static_sizes(sizes), shape, match_dynamic=True)
    if dropped is None:
        return False
    at = 0
    for dim in range(len(sizes)):
        if dim not in dropped and at < len(shape) and shape[at] != DYNAMIC_INDEX:
            sizes[dim] = shape[at]
            at += 1
    place = offsets, sizes, strides
    if reduced_dims(static_sizes(sizes), shape) is None or not _fits(dest, place):
        return False
    _insert(rw, op, source, dest, place)
    return True


_INSERT: tuple[Pattern, ...] = (insert_constants, insert_of_casts)
SLICE_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.extract_slice": (extract_constants, extract_of_cast),
    "tensor.insert_slice": _INSERT,
    "tensor.parallel_insert_slice": _INSERT,
}
