# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the vector dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from xgpu.dialects.vector import mask_folding
from xgpu.dialects.vector.fold_slices import constant_slice, is_same_splat
from xgpu.dialects.vector.mask_folding import fold_create_mask
from xgpu.rewriting.greedy import GreedyRewriter

if TYPE_CHECKING:
    from collections.abc import Sequence

_DYNAMIC = -(1 << 63)


def _is_scalable(ty: Any) -> bool:
    return any(bool(s.value.data) for s in ty.scalable_dims.data)


def _position(op: Operation) -> list[int] | None:
    """Where a vector.insert inserts, or None if that is not known."""
    attr: Any = op.properties["static_position"]
    position = list(attr.get_values())
    return None if _DYNAMIC in position else position


def _chain(op: Operation) -> list[Operation] | None:
    """`op` and the inserts that it builds on, last first; None if one has a position that is not
    known or other users."""
    for use in op.results[0].uses:
        if use.operation.name == "vector.insert" and use.index == 1:
            return None
    chain: list[Operation] = []
    current = op
    while True:
        if _position(current) is None:
            return None
        chain.append(current)
        owner = current.operands[1].owner
        if not isinstance(owner, Operation) or owner.name != "vector.insert":
            return chain
        if not owner.results[0].has_one_use():
            return None
        current = owner


def insert_chain(op: Operation, rw: GreedyRewriter) -> bool:
    """Inserts that together fill a vector -> vector.from_elements"""
    ty: Any = op.results[0].type
    if _is_scalable(ty):
        return False
    chain = _chain(op)
    if chain is None:
        return False
    shape = list(ty.get_shape())
    places: list[tuple[Operation, int, int]] = []
    filled: set[int] = set()
    for insert in chain:
        start, size = _range(shape, _position(insert) or [])
        places.append((insert, start, size))
        filled.update(range(start, start + size))
    total = 1
    for extent in shape:
        total *= extent
    if len(filled) != total:
        return False
    rw.before(op)
    rw.location = op.location
    # The insert that comes last says what an element is.
    sources: list[tuple[Operation, int] | None] = [None] * total
    for insert, start, size in places:
        for i in range(start, start + size):
            if sources[i] is None:
                sources[i] = (insert, i - start)
    pieces: dict[Operation, Sequence[SSAValue]] = {}
    elements: list[SSAValue] = []
    for source in sources:
        assert source is not None
        insert, i = source
        if insert not in pieces:
            pieces[insert] = _pieces(insert.operands[0], rw)
        elements.append(pieces[insert][i])
    rw.replace(op, [rw.value("vector.from_elements", elements, ty)])
    return True


def _range(shape: Sequence[int], position: Sequence[int]) -> tuple[int, int]:
    """First element and number of elements of the part of a vector at `position`."""
    size = 1
    for extent in shape[len(position) :]:
        size *= extent
    start = 0
    for extent, index in zip(shape, position, strict=False):
        start = start * extent + index
    return start * size, size


def _pieces(value: SSAValue, rw: GreedyRewriter) -> Sequence[SSAValue]:
    ty = value.type
    if not isinstance(ty, VectorType):
        return [value]
    count = 1
    for extent in ty.get_shape():
        count *= extent
    return rw.create("vector.to_elements", [value], [ty.element_type] * count).results


def splat_elements(op: Operation, rw: GreedyRewriter) -> bool:
    """vector.from_elements %a, %a, %a -> vector.broadcast %a"""
    first = op.operands[0]
    if any(v is not first for v in op.operands):
        return False
    rw.before(op)
    rw.location = op.location
    rw.replace(op, [rw.value("vector.broadcast", [first], op.results[0].type)])
    return True


def insert_same_splat(op: Operation, rw: GreedyRewriter) -> bool:
    """insert_strided_slice(splat c, splat c) -> splat c"""
    if not is_same_splat(op):
        return False
    rw.replace(op, [op.operands[1]])
    return True


def insert_constant_slice(op: Operation, rw: GreedyRewriter) -> bool:
    """insert_strided_slice of two constants -> constant"""
    constant = constant_slice(op)
    if constant is None:
        return False
    rw.replace_with(op, "arith.constant", (), (op.results[0].type,), {"value": constant})
    return True


PATTERNS = {
    **mask_folding.PATTERNS,
    "vector.create_mask": (fold_create_mask,),
    "vector.from_elements": (splat_elements,),
    "vector.insert": (insert_chain,),
    "vector.insert_strided_slice": (insert_same_splat, insert_constant_slice),
}
