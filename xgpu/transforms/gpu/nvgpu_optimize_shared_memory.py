# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nvgpu-optimize-shared-memory`, and which elements of a matrix each lane of a warp holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xgpu.core.ir.affine import add, floordiv, mod, mul
from xgpu.core.ir.effects import effects
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.memref_layout import is_workgroup_memory

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.ods.operation import OdsOperation


# --- nvgpu fragments -----------------------------------------------------------------------------
# Which elements of a matrix each lane of a warp holds for `nvgpu.mma.sync`.
#
# A warp-wide matrix consists of tiles of 8 rows of 128, 256 or 512 bits; four lanes share a row.
# Source: MLIR 22.1 NVGPU MMAUtils.cpp, and the PTX ISA on mma fragments.


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


# --- nvgpu optimize shared memory ----------------------------------------------------------------
# nvgpu-optimize-shared-memory: rows of shared memory are permuted, against bank conflicts.
#
# In units of 128 bits, the place in a row is combined by xor with bits of the row's number, for all
# that is written and read alike. Source: MLIR 22.1 OptimizeSharedMemory.cpp.


_LINE_BYTES = 128
_VECTOR_BITS = 128
_INDEX = IndexType()

#: Where the indices into shared memory are: the group of operands.
_READS = {"memref.load": 1, "vector.load": 1, "nvgpu.ldmatrix": 1}
_WRITES = {"memref.store": 2, "vector.store": 2, "nvgpu.device_async_copy": 1}


def _log2(value: int) -> int:
    return value.bit_length() - 1


def _permuted(rw: Rewriter, row: SSAValue, column: SSAValue, kind: MemRefType) -> SSAValue:
    """`column` with its number of the vector combined with bits of `row`."""
    size = kind.get_shape()[-1]
    bits = element_bits(kind.element_type)
    # Several short rows make a line of shared memory; those are permuted alike.
    rows_per_line = max(1, _LINE_BYTES // (size * bits // 8))
    in_vector = _log2(_VECTOR_BITS // bits)
    mask = (1 << (_log2(size) - in_vector)) - 1
    shift = in_vector
    if rows_per_line > 1:
        mask <<= _log2(rows_per_line)
        shift -= _log2(rows_per_line)
    source = rw.value("arith.andi", [row, index_constant(rw, mask)], _INDEX)
    if shift:
        amount = index_constant(rw, abs(shift))
        name = "arith.shli" if shift > 0 else "arith.shrui"
        source = rw.value(name, [source, amount], _INDEX)
    return rw.value("arith.xori", [column, source], _INDEX)


def _accesses(root: Operation, memory: SSAValue) -> tuple[list[OdsOperation], list[OdsOperation]]:
    """The operations that read `memory`, and those that write it."""
    reads: list[OdsOperation] = []
    writes: list[OdsOperation] = []
    for op in root.walk():
        kinds = {
            effect.kind
            for effect in ([] if op.regions else effects(op)) or []
            if effect.value is memory
        }
        if "read" in kinds:
            reads.append(cast("OdsOperation", op))
        elif "write" in kinds:
            writes.append(cast("OdsOperation", op))
    return reads, writes


def optimize_shared_memory(root: Operation, memory: SSAValue) -> bool:
    """Permutes the accesses in `root` to the buffer `memory`; whether it did."""
    kind = cast("MemRefType", memory.type)
    if not is_workgroup_memory(kind) or any(op.name == "memref.subview" for op in root.walk()):
        return False
    shape = kind.get_shape()
    bits = getattr(kind.element_type, "bitwidth", 0)
    if len(shape) < 2 or shape[-1] in (0, DYNAMIC_INDEX) or not 0 < bits <= _VECTOR_BITS:
        return False
    rows_per_line = 8 * _LINE_BYTES // bits // shape[-1]
    lanes = 1 << (7 - _log2(_VECTOR_BITS // 8))
    if rows_per_line >= lanes:
        return False
    reads, writes = _accesses(root, memory)
    if not reads or not writes:
        return False
    for ops, groups in ((reads, _READS), (writes, _WRITES)):
        for op in ops:
            group = groups.get(op.name)
            if group is None or len(op.operand_group(group)) < 2:
                return False
    for ops, groups in ((writes, _WRITES), (reads, _READS)):
        for op in reversed(ops):
            indices = op.operand_group(groups[op.name])
            row, column = indices[-2], indices[-1]
            at = sum(len(op.operand_group(g)) for g in range(groups[op.name] + 1)) - 1
            op.operands[at] = _permuted(Rewriter(op), row, column, kind)
    return True


class OptimizeSharedMemory(Pass):
    """Permutes the accesses to all buffers in shared memory."""

    name = "nvgpu-optimize-shared-memory"
    summary = "Optimizes accesses to shard memory memrefs in order to reduce bank conflicts."

    def run(self, op: Operation, ctx: Context) -> None:
        buffers = [
            inner.results[0]
            for inner in op.walk()
            if inner.name == "memref.alloc" and is_workgroup_memory(inner.results[0].type)
        ]
        for buffer in buffers:
            if not optimize_shared_memory(op, buffer):
                return
