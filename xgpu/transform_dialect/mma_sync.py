# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matmul of the size of one mma.sync becomes that instruction, with its loads and stores.

Which element a lane holds is NVIDIA's layout of the fragments (PTX ISA, "Matrix Fragments for
mma.m16n8k4 / m16n8k16").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    Float16Type,
    Float32Type,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    VectorType,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from xgpu.core import ods
from xgpu.core.ir import affine
from xgpu.dialects.affine.index_math import apply, as_value
from xgpu.dialects.affine.maps import constant as literal
from xgpu.dialects.affine.maps import symbol
from xgpu.dialects.syntax_helpers import i64_array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute

    from xgpu.core.rewriting.rewriter import Rewriter

_GROUP = affine.floordiv(symbol(0), literal(4))
_IN_GROUP = affine.mod(symbol(0), literal(4))
Place = tuple[AffineExpr, AffineExpr]


def _plus(expr: AffineExpr, value: int) -> AffineExpr:
    return affine.add(expr, literal(value)) if value else expr


def _pair(offset: int) -> AffineExpr:
    """Twice the lane's number in its group, and `offset`."""
    return _plus(affine.mul(_IN_GROUP, literal(2)), offset)


def _rows_of_pairs(columns: tuple[int, ...]) -> list[Place]:
    """Two neighbours in each of the rows g and g + 8, for each block of columns."""
    return [
        (_plus(_GROUP, row), _pair(start + index))
        for start in columns
        for row in (0, 8)
        for index in (0, 1)
    ]


class _Instruction:
    """Where the elements of the operands are, and the shapes of their fragments."""

    __slots__ = ("places", "shapes", "tf32")

    def __init__(self, places: list[list[Place]], shapes: list[list[int]], tf32: bool) -> None:
        self.places = places
        self.shapes = shapes
        self.tf32 = tf32


def _instruction(shape: list[int], elements: Sequence[Attribute]) -> _Instruction | None:
    result = _rows_of_pairs((0,))
    if shape == [16, 8, 4] and all(isinstance(e, Float32Type) for e in elements):
        lhs = [(_GROUP, _IN_GROUP), (_plus(_GROUP, 8), _IN_GROUP)]
        rhs = [(_IN_GROUP, _GROUP)]
        return _Instruction([lhs, rhs, result], [[2, 1], [1, 1], [2, 2]], True)
    if shape == [16, 8, 16] and all(isinstance(e, Float16Type) for e in elements):
        lhs = _rows_of_pairs((0, 8))
        rhs = [(_pair(start + index), _GROUP) for start in (0, 8) for index in (0, 1)]
        return _Instruction([lhs, rhs, result], [[4, 2], [2, 2], [2, 2]], False)
    return None


def rewrite_matmul(rw: Rewriter, op: Operation) -> bool:
    """Replaces the linalg.matmul `op`; whether there is an instruction for it."""
    memrefs = list(op.operands[:3])
    types = [v.type for v in memrefs if isinstance(v.type, MemRefType)]
    if len(types) != len(memrefs) or not all(len(t.get_shape()) == 2 for t in types):
        return False
    shape = [types[0].get_shape()[0], types[1].get_shape()[1], types[0].get_shape()[1]]
    found = _instruction(shape, [t.element_type for t in types])
    rw.before(op)
    rw.location = op.location
    if found is None:
        return False
    lane = rw.value("gpu.thread_id", (), IndexType(), {"dimension": ods.enum("gpu.dim", "x")})
    operands = [
        _load(rw, lane, memref, places, sizes)
        for memref, places, sizes in zip(memrefs, found.places, found.shapes, strict=True)
    ]
    properties: dict[str, Attribute] = {
        "mmaShape": ArrayAttr([IntegerAttr(size, i64) for size in shape])
    }
    if found.tf32:
        properties["tf32Enabled"] = UnitAttr()
    result = rw.value("nvgpu.mma.sync", operands, operands[2].type, properties)
    _store(rw, lane, result, memrefs[2], found.places[2], found.shapes[2])
    rw.erase(op)
    return True


def _index(rw: Rewriter, lane: SSAValue, place: Place) -> list[SSAValue]:
    return [as_value(rw, apply(rw, expr, [lane])) for expr in place]


def _positions(sizes: list[int]) -> list[list[int]]:
    return [[row, column] for row in range(sizes[0]) for column in range(sizes[1])]


def _load(
    rw: Rewriter, lane: SSAValue, memref: SSAValue, places: list[Place], sizes: list[int]
) -> SSAValue:
    ty = cast("MemRefType", memref.type)
    element = ty.element_type
    loads = [
        rw.value("memref.load", [memref, *_index(rw, lane, place)], element) for place in places
    ]
    vector = VectorType(element, sizes)
    value = rw.value("vector.broadcast", [loads[0]], vector)
    for loaded, position in zip(loads, _positions(sizes), strict=True):
        properties = {"static_position": i64_array(position)}
        value = rw.value("vector.insert", [loaded, value], vector, properties)
    return value


def _store(
    rw: Rewriter,
    lane: SSAValue,
    vector: SSAValue,
    memref: SSAValue,
    places: list[Place],
    sizes: list[int],
) -> None:
    ty = cast("MemRefType", memref.type)
    values = [
        rw.value(
            "vector.extract", [vector], ty.element_type, {"static_position": i64_array(position)}
        )
        for position in _positions(sizes)
    ]
    for value, place in zip(values, places, strict=True):
        rw.create("memref.store", [value, memref, *_index(rw, lane, place)])
