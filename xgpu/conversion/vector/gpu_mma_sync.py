# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-vector-to-gpu, use-nvgpu: vectors distributed to the lanes of a warp for `mma.sync`.

Each lane loads its elements, with `nvgpu.ldmatrix` where the matrix is in shared memory and its
tiles allow it. Source: MLIR 22.1 VectorToGPU.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.conversion.vector.gpu_loops import Matrices, NoMatrix, convert_for, convert_yield
from xgpu.conversion.vector.gpu_slices import CONTRACT, SLICE, defining, operations_to_convert
from xgpu.conversion.vector.scf_bounds import composed_apply
from xgpu.core.ir import affine
from xgpu.core.ir.constants import constant_value, make, splat_value
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import attribute_constant, index_constant
from xgpu.dialects.memref.layout import has_workgroup_attribute
from xgpu.dialects.vector.syntax import is_minor_identity
from xgpu.transforms.gpu.nvgpu_optimize_shared_memory import (
    Fragment,
    element_bits,
    fragment_of,
    ldmatrix_coordinates,
    ldmatrix_tiles,
)
from xgpu.transforms.vector.transfers import READ, WRITE, Transfer, broadcast, extract, insert

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType

    from xgpu.dialects import vector


_INDEX = IndexType()


def _fragment(op: Operation) -> Fragment:
    fragment = fragment_of(op)
    if not fragment.is_known:
        raise NoMatrix
    return fragment


def _indices(
    rw: Rewriter, transfer: Transfer, offsets: AffineMap, values: Sequence[SSAValue]
) -> list[SSAValue]:
    """The indices of `transfer` plus offsets, one for each dimension that it runs along."""
    indices = list(transfer.indices)
    at = 0
    previous = AffineDimExpr(offsets.num_dims)
    for dim in range(len(transfer.map.results)):
        place = transfer.memory_dim(dim)
        if place is None:
            continue
        expr = affine.add(previous, offsets.results[at])
        total = AffineMap(offsets.num_dims + 1, 0, (expr,))
        indices[place] = composed_apply(rw, total, [*values, indices[place]])
        at += 1
    return indices


def _lane(rw: Rewriter) -> SSAValue:
    return rw.value("gpu.lane_id", (), _INDEX)


# --- loads and stores ----------------------------------------------------------------------------
def _read(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    read = Transfer(op)
    fragment = fragment_of(op)
    bits = element_bits(fragment.element)
    in_tiles = has_workgroup_attribute(read.base.type) and fragment.line_bits == 128
    rows, columns = read.shape
    if not is_minor_identity(read.map) and (bits != 16 or columns < 8 or rows * bits < 128):
        in_tiles = False
    build = _ldmatrix if in_tiles else _loads
    matrices[op.results[0]] = build(op, rw, read)


def _ldmatrix(op: Operation, rw: Rewriter, read: Transfer) -> SSAValue:
    fragment = _fragment(op)
    places = [read.memory_dim(0), read.memory_dim(1)]
    if places[0] is None or places[1] is None:
        raise NoMatrix
    transposed = places[0] > places[1]
    tiles = ldmatrix_tiles(fragment.kind, transposed)
    if tiles == 0:
        raise error(
            op,
            "failed to convert vector.transfer_read to ldmatrix. Op should likely not be "
            "converted to a nvgpu.ldmatrix call.",
        )
    lane = _lane(rw)
    offsets = ldmatrix_coordinates(fragment.kind, transposed)
    indices = _indices(rw, read, offsets, [lane])
    properties: dict[str, Attribute] = {
        "transpose": BoolAttr.from_bool(transposed),
        "numTiles": IntegerAttr(tiles, i32),
    }
    return rw.value("nvgpu.ldmatrix", [read.base, *indices], fragment.vector_type, properties)


def _loads(op: Operation, rw: Rewriter, read: Transfer) -> SSAValue:
    """Loads of whole registers, or of single elements if those are not adjacent."""
    fragment = _fragment(op)
    lane = _lane(rw)
    zero = make(fragment.element, 0)
    assert zero is not None
    fill = attribute_constant(rw, zero, fragment.element)
    result = broadcast(rw, fill, fragment.vector_type)
    coordinates = fragment.coordinates()
    whole = is_minor_identity(read.map)
    for register in range(fragment.registers):
        first = register * fragment.per_register
        if whole:
            number = index_constant(rw, first)
            indices = _indices(rw, read, coordinates, [lane, number])
            part = rw.value("vector.load", [read.base, *indices], fragment.loaded_type)
            result = insert(rw, part, result, register)
            continue
        for inner in range(fragment.per_register):
            number = index_constant(rw, first + inner)
            indices = _indices(rw, read, coordinates, [lane, number])
            part = rw.value("memref.load", [read.base, *indices], fragment.element)
            result = insert(rw, part, result, register, inner)
    return result


def _write(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    write = Transfer(op)
    fragment = _fragment(op)
    matrix = matrices[write.vector]
    lane = _lane(rw)
    coordinates = fragment.coordinates()
    for register in range(fragment.registers):
        number = index_constant(rw, register * fragment.per_register)
        part = extract(rw, matrix, register)
        indices = _indices(rw, write, coordinates, [lane, number])
        rw.create("vector.store", [part, write.base, *indices])
    rw.erase(op)


# --- the others ----------------------------------------------------------------------------------
def _i64_list(values: Sequence[int]) -> Attribute:
    return ArrayAttr([IntegerAttr(value, i64) for value in values])


def _contract(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    lhs, rhs, acc = (matrices[value] for value in op.operands[:3])
    lhs_type = cast("VectorType", op.operands[0].type)
    rhs_type = cast("MemRefType", op.operands[1].type)
    (m, k), (n, _) = lhs_type.get_shape(), rhs_type.get_shape()
    matrices[op.results[0]] = rw.value(
        "nvgpu.mma.sync", [lhs, rhs, acc], acc.type, {"mmaShape": _i64_list((m, n, k))}
    )


def _constant(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    kind = _fragment(op).vector_type
    number = splat_value(constant_value(op))
    value = make(kind, number) if number is not None else None
    if value is None:
        raise NoMatrix
    matrices[op.results[0]] = attribute_constant(rw, value, kind)


def _slice(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    """A slice of what was read: some registers of its fragment."""
    fragment = _fragment(op)
    read = defining(op.operands[0], READ)
    if read is None:
        raise NoMatrix
    _fragment(read)
    offsets = [attr.value.data for attr in cast("vector.ExtractStridedSliceOp", op).offsets.data]
    if offsets[0] and offsets[1]:
        raise error(op, "Slicing fragments in 2D is not supported. ")
    # As MLIR counts them: right for halves of the vector.
    shape = cast("VectorType", op.operands[0].type).get_shape()
    start = 0
    if offsets[0]:
        start = shape[0] // offsets[0]
    elif offsets[1]:
        start = shape[1] // offsets[1]
    size = (fragment.registers, fragment.per_register)
    matrices[op.results[0]] = rw.value(
        SLICE,
        [matrices[read.results[0]]],
        VectorType(fragment.element, list(size)),
        {
            "offsets": _i64_list((start, 0)),
            "sizes": _i64_list(size),
            "strides": _i64_list((1, 1)),
        },
    )


_CONVERT: dict[str, Callable[[Operation, Rewriter, Matrices], None]] = {
    READ: _read,
    WRITE: _write,
    CONTRACT: _contract,
    SLICE: _slice,
    "arith.constant": _constant,
    "scf.for": convert_for,
    "scf.yield": convert_yield,
}


def convert(root: Operation) -> None:
    """Converts what can be converted in `root`; the vectors are left, mostly without uses."""
    matrices = Matrices()
    for op in operations_to_convert(root, use_nvgpu=True):
        handler = _CONVERT.get(op.name)
        if handler is None:
            raise error(op, f"unhandled vector to mma type: {op.name}")
        try:
            handler(op, Rewriter(op), matrices)
        except NoMatrix:
            raise error(op, f"failed to convert op {op.name}") from None
