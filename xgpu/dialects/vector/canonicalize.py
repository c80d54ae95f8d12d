# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the vector dialect.

Those of masks, memory accesses and reductions are in `canonicalize_memory.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, VectorType, i64
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import constant_of, int_value, is_poison, make, width_of
from xgpu.core.ir.construction import defining
from xgpu.dialects import vector
from xgpu.dialects.syntax_helpers import i64_array, scalable_dims
from xgpu.dialects.vector import canonicalize_memory, fold
from xgpu.dialects.vector.builders import merge
from xgpu.dialects.vector.fold import is_order_preserving, transpose_twice
from xgpu.dialects.vector.fold_elements import MOST_ELEMENTS, constant_insert_slice
from xgpu.dialects.vector.ops import (
    POISON_INDEX,
    broadcast_like,
    count,
    integers,
    is_broadcastable,
    is_scalable,
    is_vector,
    place,
    position_of,
    rank,
    shape,
    splat_source,
    static_position,
    vector_type,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter


# -- Canonicalization patterns of vector.extract, insert, from_elements and to_elements.
#
# Source: MLIR 22.1 VectorOps.cpp; the order of the rules is the same.


def broadcast(op: Operation, rw: GreedyRewriter, source: SSAValue) -> bool:
    """Replaces `op` by a broadcast."""
    rw.replace(op, [rw.value("vector.broadcast", (source,), op.results[0].type)])
    return True


def reshape(op: Operation, rw: GreedyRewriter, source: SSAValue) -> bool:
    """Replaces `op` by a cast of a vector with as many elements."""
    rw.replace(op, [rw.value("vector.shape_cast", (source,), op.results[0].type)])
    return True


def extract(rw: GreedyRewriter, source: SSAValue, position: Sequence[int]) -> SSAValue:
    """The part of `source` at a known position; `source` itself for none."""
    if not position:
        return source
    kind = cast("VectorType", source.type)
    left = kind.element_type
    if len(position) < rank(source):
        at = len(position)
        left = vector_type(left, shape(kind)[at:], scalable_dims(kind)[at:])
    return rw.value("vector.extract", (source,), left, {"static_position": i64_array(position)})


# --- extract -------------------------------------------------------------------------------------
def extract_of_broadcast(op: vector.ExtractOp, rw: GreedyRewriter) -> bool:
    """extract(broadcast %a) -> broadcast %a"""
    maker, result = broadcast_like(op.operands[0]), op.results[0].type
    if not is_vector(result) or maker is None:
        return False
    source = maker.operands[0]
    return is_broadcastable(source.type, cast("VectorType", result)) and broadcast(op, rw, source)


def extract_of_cast(op: vector.ExtractOp, rw: GreedyRewriter) -> bool:
    """extract(shape_cast %a) -> shape_cast %a, where all elements are extracted"""
    cast, result = defining(op.operands[0], "vector.shape_cast"), op.results[0].type
    if cast is None or not is_vector(result):
        return False
    source = cast.operands[0]
    return count(source.type) == count(result) and reshape(op, rw, source)


def extract_of_elements(op: vector.ExtractOp, rw: GreedyRewriter) -> bool:
    """A vector from a vector.from_elements -> vector.from_elements"""
    maker, result = defining(op.operands[0], "vector.from_elements"), op.results[0].type
    position = static_position(op)
    if maker is None or position is None or not is_vector(result):
        return False
    first = place(position, shape(op.operands[0].type))
    elements = list(maker.operands)[first : first + count(result)]
    rw.replace(op, [rw.value("vector.from_elements", elements, result)])
    return True


# --- from_elements, to_elements ------------------------------------------------------------------
def splat_elements(op: Operation, rw: GreedyRewriter) -> bool:
    """vector.from_elements %a, %a, %a -> vector.broadcast %a"""
    first = op.operands[0]
    return all(value is first for value in op.operands) and broadcast(op, rw, first)


def elements_of_one(op: vector.FromElementsOp, rw: GreedyRewriter) -> bool:
    """Elements extracted from one vector, in its order and without gaps -> shape_cast of a part"""
    if len(op.operands) == 1:
        return False
    first = defining(op.operands[0], "vector.extract")
    if first is None:
        return False
    source = first.operands[0]
    sizes, start = shape(source.type), static_position(first)
    if start is None:
        return False
    # The trailing dimensions that the elements fill.
    filled, lead = 1, len(sizes)
    while lead and start[lead - 1] == 0 and filled < len(op.operands):
        lead -= 1
        filled *= sizes[lead]
    if filled != len(op.operands) or is_scalable(source.type):
        return False
    at = place(start, sizes)
    for i, value in enumerate(op.operands):
        owner = defining(value, "vector.extract")
        if owner is None or owner.operands[0] is not source:
            return False
        if static_position(owner) != position_of(at + i, sizes):
            return False
    return reshape(op, rw, extract(rw, source, start[:lead]))


def elements_of_broadcast(op: vector.ToElementsOp, rw: GreedyRewriter) -> bool:
    """to_elements(broadcast %a) -> %a, or the elements of %a, as often as they are there"""
    maker = defining(op.operands[0], "vector.broadcast")
    if maker is None:
        return False
    source = maker.operands[0]
    if not is_vector(source.type):
        rw.replace(op, [source] * len(op.results))
        return True
    kind = cast("VectorType", source.type)
    if is_scalable(kind):
        return False
    parts = rw.create("vector.to_elements", (source,), [kind.element_type] * count(kind)).results
    inner, outer = shape(kind), shape(op.operands[0].type)
    lead = len(outer) - len(inner)
    values: list[SSAValue] = []
    for at in range(len(op.results)):
        position = position_of(at, outer)[lead:]
        kept = [0 if size == 1 else p for p, size in zip(position, inner, strict=True)]
        values.append(parts[place(kept, inner)])
    rw.replace(op, values)
    return True


# --- insert --------------------------------------------------------------------------------------
def insert_of_all(op: vector.InsertOp, rw: GreedyRewriter) -> bool:
    """An insert of as many elements as there are -> broadcast"""
    value = op.operands[0]
    if not is_vector(value.type) or count(value.type) != count(op.results[0].type):
        return False
    return broadcast(op, rw, value)


def insert_splat(op: Operation, rw: GreedyRewriter) -> bool:
    """insert(broadcast %a, broadcast %a) -> broadcast %a"""
    scalar = splat_source(op.operands[0])
    if scalar is None or splat_source(op.operands[1]) is not scalar:
        return False
    return broadcast(op, rw, scalar)


def _chain(op: vector.InsertOp) -> list[vector.InsertOp] | None:
    """The inserts that make a vector, the last first, as far back as all elements are there; None
    if elements are left, if a position is not known, or where a vector in between has other uses.
    """
    for use in op.results[0].uses:
        if use.operation.name == "vector.insert" and use.index == 1:
            return None
    chain: list[vector.InsertOp] = []
    current: vector.InsertOp | None = op
    while current is not None:
        position = static_position(current)
        if position is None or POISON_INDEX in position:
            return None
        chain.append(current)
        current = defining(current.operands[1], "vector.insert")
        if current is not None and not current.results[0].has_one_use():
            return None
    total = count(op.results[0].type)
    filled: set[int] = set()
    for length, insert in enumerate(chain, 1):
        filled.update(_filled(insert))
        if len(filled) == total:
            return chain[:length]
    return None


def _filled(insert: vector.InsertOp) -> range:
    """The elements that an insert writes."""
    first = place(static_position(insert) or [], shape(insert.results[0].type))
    return range(first, first + count(insert.operands[0].type))


def insert_chain(op: vector.InsertOp, rw: GreedyRewriter) -> bool:
    """Inserts that together fill a vector -> vector.from_elements"""
    kind = op.results[0].type
    chain = None if is_scalable(kind) else _chain(op)
    if chain is None:
        return False
    elements: dict[int, SSAValue] = {}
    for insert in reversed(chain):
        elements.update(zip(_filled(insert), _pieces(insert.operands[0], rw), strict=True))
    ordered = [elements[at] for at in range(count(kind))]
    rw.replace(op, [rw.value("vector.from_elements", ordered, kind)])
    return True


def _pieces(value: SSAValue, rw: GreedyRewriter) -> Sequence[SSAValue]:
    kind = value.type
    if not isinstance(kind, VectorType):
        return [value]
    return rw.create("vector.to_elements", [value], [kind.element_type] * count(kind)).results


ELEMENT_PATTERNS = {
    "vector.extract": (extract_of_broadcast, extract_of_cast, extract_of_elements),
    "vector.from_elements": (splat_elements, elements_of_one),
    "vector.insert": (insert_of_all, insert_splat, insert_chain),
    "vector.to_elements": (elements_of_broadcast,),
}


# -- Canonicalization patterns of vector.broadcast, shape_cast, shuffle and transpose.
#
# Source: MLIR 22.1 VectorOps.cpp; the order of the rules is the same.


def broadcast_twice(op: Operation, rw: GreedyRewriter) -> bool:
    """broadcast(broadcast %a) -> broadcast %a"""
    inner = defining(op.operands[0], "vector.broadcast")
    return inner is not None and broadcast(op, rw, inner.operands[0])


def cast_of_broadcast(op: vector.ShapeCastOp, rw: GreedyRewriter) -> bool:
    """shape_cast(broadcast %a) -> shape_cast %a, or broadcast %a"""
    inner = cast("vector.BroadcastOp | None", defining(op.operands[0], "vector.broadcast"))
    if inner is None:
        return False
    source, result = inner.operands[0], op.results[0].type
    if is_vector(source.type) and count(source.type) == count(result):
        return reshape(op, rw, source)
    return is_broadcastable(source.type, result) and broadcast(op, rw, source)


# --- transpose -----------------------------------------------------------------------------------
def transpose_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """transpose(shape_cast %a) -> shape_cast %a, where elements keep their order"""
    cast = defining(op.operands[0], "vector.shape_cast")
    return cast is not None and is_order_preserving(op) and reshape(op, rw, cast.operands[0])


def transpose_of_broadcast(op: vector.TransposeOp, rw: GreedyRewriter) -> bool:
    """transpose(broadcast %a) -> broadcast %a, where it moves only what is repeated.

    Dimensions between two that the source has may change places."""
    inner = defining(op.operands[0], "vector.broadcast")
    if inner is None:
        return False
    source = inner.operands[0]
    sizes = shape(source.type)
    lead = rank(op.operands[0]) - len(sizes)
    permutation = list(op.properties["permutation"].get_values())
    low = 0
    for i, size in enumerate(sizes):
        if size == 1 and (i == 0 or sizes[i - 1] == 1):
            continue
        high = i + lead
        if any(not low <= p < high for p in permutation[low:high]):
            return False
        low = high
    return broadcast(op, rw, source)


def transpose_of_elements(op: vector.TransposeOp, rw: GreedyRewriter) -> bool:
    """transpose(from_elements) -> from_elements in their new order"""
    maker = defining(op.operands[0], "vector.from_elements")
    if maker is None:
        return False
    before, after = shape(op.operands[0].type), shape(op.results[0].type)
    permutation = op.properties["permutation"].get_values()
    moved: list[SSAValue] = []
    for at in range(len(maker.operands)):
        source = [0] * len(before)
        for dim, here in zip(permutation, position_of(at, after), strict=True):
            source[dim] = here
        moved.append(maker.operands[place(source, before)])
    rw.replace(op, [rw.value("vector.from_elements", moved, op.results[0].type)])
    return True


# --- shuffle -------------------------------------------------------------------------------------
def shuffle_splat(op: Operation, rw: GreedyRewriter) -> bool:
    """shuffle(broadcast %a, broadcast %a) -> broadcast %a"""
    scalar = splat_source(op.operands[0])
    if scalar is None or splat_source(op.operands[1]) is not scalar:
        return False
    return broadcast(op, rw, scalar)


def shuffle_interleave(op: vector.ShuffleOp, rw: GreedyRewriter) -> bool:
    """shuffle %a, %b [0, n, 1, n + 1, ...] -> interleave %a, %b"""
    first, second = op.operands
    result = op.results[0]
    if rank(result) != 1 or first.type != second.type:
        return False
    size = count(first.type)
    if list(op.properties["mask"].get_values()) != [n for i in range(size) for n in (i, size + i)]:
        return False
    rw.replace(op, [rw.value("vector.interleave", (first, second), result.type)])
    return True


def shuffle_scalars(op: vector.ShuffleOp, rw: GreedyRewriter) -> bool:
    """A shuffle that makes one element of vectors without dimensions -> broadcast"""
    mask = list(op.properties["mask"].get_values())
    if rank(op.operands[0]) or len(mask) != 1:
        return False
    return broadcast(op, rw, op.operands[0 if mask[0] == 0 else 1])


SHAPE_PATTERNS = {
    "vector.broadcast": (broadcast_twice,),
    "vector.shape_cast": (cast_of_broadcast,),
    "vector.shuffle": (shuffle_splat, shuffle_interleave, shuffle_scalars),
    "vector.transpose": (
        transpose_of_cast,
        transpose_twice,
        transpose_of_broadcast,
        transpose_of_elements,
    ),
}


# -- Canonicalization patterns of vector.extract_strided_slice and insert_strided_slice.
#
# Source: MLIR 22.1 VectorOps.cpp; the order of the rules is the same.


def slice_of_broadcast(op: vector.ExtractStridedSliceOp, rw: GreedyRewriter) -> bool:
    """extract_strided_slice(broadcast %a) -> broadcast of a slice of %a, or of %a"""
    inner = defining(op.operands[0], "vector.broadcast")
    if inner is None:
        return False
    source = inner.operands[0]
    sizes, result = shape(source.type), shape(op.results[0].type)
    lead = len(result) - len(sizes)
    kept = [size if size == 1 else left for size, left in zip(sizes, result[lead:], strict=True)]
    if tuple(kept) != sizes:
        source = _slice(op, rw, source, lead, kept)
    return broadcast(op, rw, source)


def _slice(
    op: Operation, rw: GreedyRewriter, source: SSAValue, lead: int, kept: list[int]
) -> SSAValue:
    """The same slice of what was broadcast, which has `lead` dimensions less."""
    sizes = shape(source.type)
    kind = cast("VectorType", source.type)
    offsets = integers(cast("ArrayAttr[IntegerAttr]", op.properties["offsets"]))[lead:]
    starts = [0 if size == 1 else at for at, size in zip(offsets, sizes, strict=False)]
    numbers = {
        "offsets": starts,
        "sizes": kept[: len(starts)],
        "strides": integers(cast("ArrayAttr[IntegerAttr]", op.properties["strides"]))[lead:],
    }
    return rw.value(
        "vector.extract_strided_slice",
        (source,),
        vector_type(kind.element_type, kept, scalable_dims(kind)),
        {
            name: ArrayAttr([IntegerAttr(n, i64) for n in values])
            for name, values in numbers.items()
        },
    )


def slice_of_rows(op: vector.ExtractStridedSliceOp, rw: GreedyRewriter) -> bool:
    """A slice without gaps, whose leading dimensions are 1 and the others whole -> shape_cast of an
    extract"""
    source = op.operands[0]
    whole, sizes = shape(source.type), integers(op.sizes)
    if is_scalable(source.type) or not whole:
        return False
    if any(stride != 1 for stride in integers(op.strides)):
        return False
    lead = len(sizes)
    while lead and sizes[lead - 1] == whole[lead - 1]:
        lead -= 1
    if lead in (0, len(whole)) or any(size != 1 for size in sizes[:lead]):
        return False
    # Leading dimensions of 1 would only make the cast harder.
    while lead < len(sizes) - 1 and sizes[lead] == 1:
        lead += 1
    offsets = integers(op.offsets)
    return reshape(op, rw, extract(rw, source, offsets[:lead]))


def insert_slice_splat(op: Operation, rw: GreedyRewriter) -> bool:
    """insert_strided_slice(broadcast %a, broadcast %a) -> the destination"""
    value, dest = op.operands
    scalar = splat_source(value)
    if scalar is None or splat_source(dest) is not scalar:
        return False
    rw.replace(op, [dest])
    return True


def insert_slice_back(op: Operation, rw: GreedyRewriter) -> bool:
    """insert_strided_slice of what extract_strided_slice took from there -> the destination"""
    value, dest = op.operands
    piece = defining(value, "vector.extract_strided_slice")
    if piece is None or piece.operands[0] is not dest or rank(value) != rank(dest):
        return False
    if any(piece.properties[name] != op.properties[name] for name in ("offsets", "strides")):
        return False
    rw.replace(op, [dest])
    return True


def insert_slice_constant(op: vector.InsertStridedSliceOp, rw: GreedyRewriter) -> bool:
    """insert_strided_slice of constants -> a constant"""
    value, dest = op.operands
    first, second = constant_of(value), constant_of(dest)
    if first is None or second is None or is_poison(first) or is_poison(second):
        return False
    if count(dest.type) > MOST_ELEMENTS and not dest.has_one_use():
        return False
    made = constant_insert_slice(op, first, second)
    if made is None:
        return False
    rw.replace(op, [rw.value("arith.constant", (), op.results[0].type, {"value": made})])
    return True


EXTRACT = (slice_of_broadcast, slice_of_rows)
INSERT = (insert_slice_splat, insert_slice_back, insert_slice_constant)


# -- Comparisons of vector.step that come out the same for all elements.


#: By predicate of arith.cmpi (on numbers without signs): what all elements of a step give where the
#: constant at its right is at least its size, or at least its last element.
_FROM_SIZE = {0: False, 1: True, 6: True, 9: False}
_FROM_LAST = {7: True, 8: False}
#: Predicates with the sides changed.
_CHANGED = {6: 8, 7: 9, 8: 6, 9: 7}


def compare_step(op: vector.StepOp, rw: GreedyRewriter) -> bool:
    """arith.cmpi of 0, 1, ..., n - 1 and a constant that is no less than they -> a constant"""
    result = op.results[0]
    size = shape(result.type)[0]
    width = width_of(result.type)
    if is_scalable(result.type) or size > 1 << width:
        return False
    for use in result.uses:
        compare = use.operation
        if compare.name != "arith.cmpi":
            continue
        bound = int_value(constant_of(compare.operands[1 - use.index]))
        if bound is None:
            continue
        predicate = cast("IntegerAttr", compare.properties["predicate"]).value.data
        if use.index == 1:
            predicate = _CHANGED.get(predicate, predicate)
        answer = _answer(predicate, bound & ((1 << width) - 1), size)
        if answer is None:
            continue
        made = make(compare.results[0].type, int(answer))
        assert made is not None
        rw.at(compare)
        constant = rw.value("arith.constant", (), compare.results[0].type, {"value": made})
        rw.replace(compare, [constant])
        return True
    return False


def _answer(predicate: int, bound: int, size: int) -> bool | None:
    """What all of 0, 1, ..., size - 1 give; None where that is not known."""
    if bound >= size and predicate in _FROM_SIZE:
        return _FROM_SIZE[predicate]
    return _FROM_LAST.get(predicate) if bound >= size - 1 else None


STEP_PATTERNS = {"vector.step": (compare_step,)}


# -- The table of patterns.


PATTERNS = merge(
    {
        "vector.create_mask": (fold.fold_create_mask,),
        "vector.extract": (canonicalize_memory.extract_of_mask,),
        "vector.extract_strided_slice": (
            canonicalize_memory.slice_of_created,
            fold.slice_of_mask,
            *EXTRACT,
        ),
        "vector.insert_strided_slice": INSERT,
        "vector.mask": (canonicalize_memory.masked_all, canonicalize_memory.masked_nothing),
        "vector.shape_cast": (canonicalize_memory.cast_of_mask,),
        "vector.transpose": (canonicalize_memory.transpose_of_mask,),
    },
    fold.ACCESSES,
    ELEMENT_PATTERNS,
    canonicalize_memory.MEMORY_PATTERNS,
    canonicalize_memory.REDUCTION_PATTERNS,
    SHAPE_PATTERNS,
    STEP_PATTERNS,
    canonicalize_memory.TRANSFER_PATTERNS,
)
