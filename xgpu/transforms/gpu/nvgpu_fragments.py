# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which elements of a matrix each lane of a warp holds for `nvgpu.mma.sync`.

A warp-wide matrix consists of tiles of 8 rows of 128, 256 or 512 bits; four lanes share a row.
Source: MLIR 22.1 NVGPU MMAUtils.cpp, and the PTX ISA on mma fragments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xgpu.core.ir.affine import add, floordiv, mod, mul

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AnyFloat


_LANES_OF_A_ROW = 4
_ROWS_OF_A_TILE = 8
_LANE, _VALUE = AffineDimExpr(0), AffineDimExpr(1)


def _number(value: int) -> AffineConstantExpr:
    return AffineConstantExpr(value)


def element_bits(kind: Attribute) -> int:
    return kind.width.data if isinstance(kind, IntegerType) else cast("AnyFloat", kind).bitwidth


class Fragment:
    """A lane's part of a matrix: `registers` of `per_register` elements each."""

    __slots__ = ("element", "kind", "line_bits", "per_register", "registers", "role")

    def __init__(self, kind: VectorType, role: str) -> None:
        #: The matrix's type, and whether it is factor "A", "B" or the sum "C".
        self.kind, self.role = kind, role
        self.element: Attribute = kind.element_type
        bits = element_bits(self.element)
        accumulates = role == "C"
        if bits == 64:
            self.line_bits = 512 if accumulates else 256
        else:
            self.line_bits = 256 if accumulates and bits == 32 else 128
        self.per_register = self._elements(accumulates)
        rows, columns = kind.get_shape()
        self.registers = rows // _ROWS_OF_A_TILE * (columns * bits) // self.line_bits

    def _elements(self, accumulates: bool) -> int:
        element = self.element
        if isinstance(element, Float16Type):
            return 2
        if isinstance(element, Float32Type | Float64Type):
            return 2 if accumulates else 1
        if isinstance(element, IntegerType):
            return {4: 8, 8: 4, 32: 2}.get(element.width.data, 0)
        return 0

    @property
    def is_known(self) -> bool:
        """Whether there are fragments of this element type."""
        return self.per_register > 0

    @property
    def vector_type(self) -> VectorType:
        return VectorType(self.element, [self.registers, self.per_register])

    @property
    def loaded_type(self) -> VectorType:
        """What one register holds."""
        return VectorType(self.element, [self.per_register])

    def coordinates(self) -> AffineMap:
        """(lane, number of the element) -> (row, column)"""
        bits = element_bits(self.element)
        per_line = self.line_bits // bits
        rows = self.kind.get_shape()[0] // _ROWS_OF_A_TILE
        register = floordiv(_VALUE, _number(self.per_register))
        tile_row = mul(mod(register, _number(rows)), _number(_ROWS_OF_A_TILE))
        tile_column = mul(floordiv(register, _number(rows)), _number(per_line))
        lanes = _number(_LANES_OF_A_ROW)
        row = add(tile_row, floordiv(_LANE, lanes))
        column = add(
            add(tile_column, mul(mod(_LANE, lanes), _number(self.per_register))),
            mod(_VALUE, _number(self.per_register)),
        )
        return AffineMap(2, 0, (row, column))


def fragment_of(op: Operation) -> Fragment:
    """The fragment of the matrix that `op` gives, or writes."""
    if op.name == "vector.transfer_write":
        return Fragment(cast("VectorType", op.operands[0].type), "C")
    result = op.results[0]
    role = "C"
    for use in result.uses:
        user = use.operation
        if user.name == "vector.contract":
            if user.operands[0] is result:
                role = "A"
            elif user.operands[1] is result:
                role = "B"
            break
    return Fragment(cast("VectorType", result.type), role)


def ldmatrix_tiles(kind: VectorType, transposed: bool) -> int:
    """How many tiles of 8 rows of 128 bits a matrix has in memory."""
    rows, columns = kind.get_shape()
    if transposed:
        rows, columns = columns, rows
    return rows // _ROWS_OF_A_TILE * (columns * element_bits(kind.element_type) // 128)


def ldmatrix_coordinates(kind: VectorType, transposed: bool) -> AffineMap:
    """(lane) -> the coordinates of the row that the lane gives the address of."""
    strided_size = kind.get_shape()[1 if transposed else 0]
    per_row = 128 // element_bits(kind.element_type)
    strided = mod(_LANE, _number(strided_size))
    contiguous = mul(floordiv(_LANE, _number(strided_size)), _number(per_row))
    return AffineMap(1, 0, (contiguous, strided) if transposed else (strided, contiguous))
