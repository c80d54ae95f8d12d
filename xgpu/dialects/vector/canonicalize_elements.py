# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of vector.extract, insert, from_elements and to_elements.

Source: MLIR 22.1 VectorOps.cpp; the order of the rules is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from xgpu.dialects.syntax_helpers import i64_array, scalable_dims
from xgpu.dialects.vector.infer import vector_type
from xgpu.dialects.vector.shapes import (
    POISON_INDEX,
    broadcast_like,
    count,
    defining,
    is_broadcastable,
    is_scalable,
    is_vector,
    place,
    position_of,
    rank,
    shape,
    splat_source,
    static_position,
)

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import vector


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
