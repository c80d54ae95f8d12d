# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of tensor.extract_slice, insert_slice and parallel_insert_slice.

Constants become static offsets, sizes and strides, in the type of what is put there as well; and
casts that drop sizes are looked through. What would be out of bounds of the tensor stays as it
is: it may never run, but it has to stay valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir import affine
from xgpu.core.ir.constants import constant_of, int_of
from xgpu.core.ir.construction import defining
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.affine.index_math import folded_apply
from xgpu.dialects.affine.maps import symbol
from xgpu.dialects.reshapes import (
    Mixed,
    kept_dimensions,
    known,
    mixed,
    not_negative,
    out_of_bounds,
    parts,
    reduced_dims,
    settle,
    slice_operands,
    static_sizes,
)
from xgpu.dialects.tensor.casts import (
    cast_to,
    keeps_sizes,
    may_be_cast,
    shape_of,
    uncast,
    with_shape,
)
from xgpu.dialects.tensor.fold import place_of

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


MixedSlice = tuple["Mixed", "Mixed", "Mixed"]


def make_extract(
    rw: GreedyRewriter, source: SSAValue, kind: Attribute, place: Sequence[Mixed]
) -> SSAValue:
    """Creates an extract_slice."""
    groups, properties = slice_operands(place)
    return rw.value("tensor.extract_slice", (source, *groups), kind, properties)


def _insert(
    rw: GreedyRewriter, like: Operation, source: SSAValue, dest: SSAValue, place: MixedSlice
) -> None:
    """Replaces `like`, an insertion, with one of these."""
    groups, properties = slice_operands(place)
    kinds = [dest.type] if like.results else []
    new = rw.create(like.name, (source, dest, *groups), kinds, properties)
    rw.replace(like, [cast_to(rw, new.results[0], like.results[0].type)] if kinds else [])


def _fits(tensor: SSAValue, place: MixedSlice) -> bool:
    return out_of_bounds(shape_of(tensor), [known(entries) for entries in place]) is None


def _settled(op: Operation) -> MixedSlice | None:
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
    """cast(extract_slice %t) -> extract_slice %t of the sizes that the cast has"""
    inner = defining(op.operands[0], "tensor.extract_slice")
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


# -- Canonicalization patterns of tensor.pad.


def _low(op: Operation) -> Mixed:
    return mixed(op, "low")


def _high(op: Operation) -> Mixed:
    return mixed(op, "high")


def _is_zero(entries: Sequence[int | SSAValue]) -> bool:
    return all(entry == 0 for entry in settle(entries))


def _sums(source: SSAValue, low: Sequence[int], high: Sequence[int]) -> list[int]:
    """The sizes of a tensor that is padded, where all that they are the sum of is known."""
    pairs = zip(low, shape_of(source), high, strict=True)
    return [DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else sum(sizes) for sizes in pairs]


def _pad(
    rw: GreedyRewriter, like: Operation, source: SSAValue, kind: Attribute, low: Mixed, high: Mixed
) -> SSAValue:
    """A padding with what `like` pads with. It takes the region of `like`, which has to go."""
    low_values, static_low = parts(low)
    high_values, static_high = parts(high)
    properties: dict[str, Attribute] = {"static_low": static_low, "static_high": static_high}
    if "nofold" in like.properties:
        properties["nofold"] = like.properties["nofold"]
    region = like.detach_region(0)
    new = rw.create(
        like.name,
        (source, low_values, high_values),
        (kind,),
        properties,
        dict(like.attributes),
        [region],
    )
    return new.results[0]


def pad_by_nothing(op: Operation, rw: GreedyRewriter) -> bool:
    """pad by zeros -> cast, unless it is nofold"""
    if "nofold" in op.properties or not _is_zero(_low(op)) or not _is_zero(_high(op)):
        return False
    rw.replace_with(op, "tensor.cast", [op.operands[0]], [op.results[0].type])
    return True


def pad_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """pad(cast %t) -> pad %t, or cast(pad %t) if the result then has more static sizes"""
    source, old = uncast(op.operands[0]), op.results[0].type
    if source is None:
        return False
    low, high = _low(op), _high(op)
    sums = _sums(source, static_sizes(low), static_sizes(high))
    sizes = [
        b if a == DYNAMIC_INDEX else a for a, b in zip(sums, shape_of(op.results[0]), strict=True)
    ]
    kind = TensorType(cast("TensorType", old).element_type, sizes)
    if not may_be_cast(kind, old):
        return False  # sizes that contradict each other, in code that never runs
    if kind == old:
        rw.set_operand(op, 0, source)
        return True
    rw.replace(op, [cast_to(rw, _pad(rw, op, source, kind, low, high), old)])
    return True


def cast_of_pad(op: Operation, rw: GreedyRewriter) -> bool:
    """cast(pad) -> pad of the sizes that the cast has, if it is the only use"""
    result = op.results[0]
    use = result.first_use
    if use is None or not result.has_one_use():
        return False
    user = use.operation
    if user.name != "tensor.cast" or not keeps_sizes(result.type, user.results[0].type):
        return False
    new = _pad(rw, op, op.operands[0], user.results[0].type, _low(op), _high(op))
    rw.replace(user, [new])
    rw.erase(op)
    return True


def pad_constants(op: Operation, rw: GreedyRewriter) -> bool:
    """pad by constants -> cast(pad by numbers), where the result's size is known by them"""
    low, high = settle(_low(op)), settle(_high(op))
    old = cast("TensorType", op.results[0].type)
    before = shape_of(op.results[0])
    sums = _sums(op.operands[0], static_sizes(low), static_sizes(high))
    sizes = [b if a == DYNAMIC_INDEX else a for a, b in zip(before, sums, strict=True)]
    if sizes == before or all(size == DYNAMIC_INDEX for size in sizes):
        return False
    pairs = zip(sizes, sums, strict=True)
    if any(size < 0 and size != DYNAMIC_INDEX for size in sizes) or any(
        known not in (size, DYNAMIC_INDEX) for size, known in pairs
    ):
        return False  # more is taken away than there is, or another size is stated
    kind = TensorType(old.element_type, sizes)
    new = _pad(rw, op, op.operands[0], kind, low, high)
    rw.replace_with(op, "tensor.cast", [new], [old])
    return True


# --- paddings in a row -----------------------------------------------------------------------
def padding_value(op: Operation) -> SSAValue | None:
    """What is padded with, if it is the same everywhere: a constant, or a value from above."""
    block = op.regions[0].block
    end = block.last_op
    if end is None or end.name != "tensor.yield":
        return None
    value = end.operands[0]
    if constant_of(value) is not None:
        return value
    owner = value.owner
    inside = owner is block or getattr(owner, "parent", None) is block
    return None if inside else value


def pad_of_pad(op: Operation, rw: GreedyRewriter) -> bool:
    """pad(pad %t) with one value -> pad %t by the sums"""
    inner = defining(op.operands[0], op.name)
    if inner is None or "nofold" in op.properties or "nofold" in inner.properties:
        return False
    value = padding_value(op)
    if value is None or value is not padding_value(inner):
        return False
    total = affine.add(symbol(0), symbol(1))
    high, low = (
        [
            folded_apply(rw, total, pair)
            for pair in zip(mixed(op, name), mixed(inner, name), strict=True)
        ]
        for name in ("high", "low")
    )
    kind = op.results[0].type
    rw.replace(op, [_pad(rw, op, inner.operands[0], kind, low, high)])
    return True


def _padded(op: Operation) -> set[int]:
    """The dimensions that are padded, as far as is known."""
    entries = zip(settle(_low(op)), settle(_high(op)), strict=True)
    return {dim for dim, pair in enumerate(entries) if pair != (0, 0)}


def pad_of_slice_of_pad(op: Operation, rw: GreedyRewriter) -> bool:
    """pad(slice(pad(slice %t))) that pads other dimensions each time -> pad(slice %t)

    Where both only pad behind, with one constant, by slices of steps of one, and in each dimension
    one slice begins at the start and the padding beside it does nothing.
    """
    chain = _slice_pad_slice(op)
    if chain is None:
        return False
    inner_slice, outer, outer_slice = chain
    inner_dims, outer_dims = _padded(op), _padded(outer)
    if inner_dims & outer_dims:
        return False
    offsets = _joint_offsets(inner_slice, outer_slice, inner_dims, outer_dims)
    if offsets is None:
        return False
    sizes = mixed(inner_slice, "sizes")
    outer_sizes, whole = mixed(outer_slice, "sizes"), shape_of(outer.results[0])
    for dim in outer_dims:
        if settle(sizes)[dim] != whole[dim]:
            return False  # it takes not all of what was padded
        sizes[dim] = outer_sizes[dim]
    source = outer_slice.operands[0]
    place = offsets, sizes, mixed(inner_slice, "strides")
    kind = with_shape(source.type, static_sizes(sizes))
    own, other = _high(op), _high(outer)
    high: Mixed = [
        own[dim] if dim in inner_dims else other[dim] if dim in outer_dims else 0
        for dim in range(len(sizes))
    ]
    taken = make_extract(rw, source, kind, place)
    rw.replace(op, [_pad(rw, op, taken, op.results[0].type, _low(op), high)])
    return True


def _slice_pad_slice(op: Operation) -> tuple[Operation, Operation, Operation] | None:
    """What a padding of a slice of a padding of a slice is made of, where they may be one."""
    inner_slice = defining(op.operands[0], "tensor.extract_slice")
    outer = None if inner_slice is None else defining(inner_slice.operands[0], op.name)
    if inner_slice is None or outer is None or "nofold" in outer.properties:
        return None
    outer_slice = defining(outer.operands[0], "tensor.extract_slice")
    if outer_slice is None:
        return None
    rank = len(shape_of(op.operands[0]))
    if any(len(shape_of(s.operands[0])) != rank for s in (inner_slice, outer_slice)):
        return None
    if any(stride != 1 for s in (inner_slice, outer_slice) for stride in place_of(s)[2]):
        return None
    if not _is_zero(_low(op)) or not _is_zero(_low(outer)):
        return None
    values = [padding_value(pad) for pad in (op, outer)]
    constants = [None if value is None else constant_of(value) for value in values]
    if constants[0] is None or constants[0] != constants[1]:
        return None
    return inner_slice, outer, outer_slice


def _joint_offsets(
    inner: Operation, outer: Operation, inner_dims: set[int], outer_dims: set[int]
) -> Mixed | None:
    offsets: Mixed = []
    pairs = zip(mixed(inner, "offsets"), mixed(outer, "offsets"), strict=True)
    for dim, (mine, theirs) in enumerate(pairs):
        if dim not in inner_dims and settle([mine]) == [0]:
            offsets.append(theirs)
        elif dim not in outer_dims and settle([theirs]) == [0]:
            offsets.append(mine)
        else:
            return None
    return offsets


PAD_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.pad": (
        pad_by_nothing,
        pad_of_cast,
        cast_of_pad,
        pad_of_slice_of_pad,
        pad_constants,
        pad_of_pad,
    ),
}
