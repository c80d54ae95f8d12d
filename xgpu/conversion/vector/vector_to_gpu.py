# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-vector-to-gpu`: products of matrices become matrix operations of a subgroup, or
`mma.sync` of a warp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xgpu.conversion.vector.gpu_slices import (
    CONTRACT,
    ELEMENTWISE,
    SLICE,
    Matrices,
    NoMatrix,
    convert_for,
    convert_yield,
    is_transposed_map,
    operations_to_convert,
    preparing_patterns,
    row_stride,
    users,
)
from xgpu.conversion.vector.scf_transfers import composed_apply
from xgpu.core import ods
from xgpu.core.ir import affine
from xgpu.core.ir.constants import constant_value, make, splat_value
from xgpu.core.ir.construction import defining
from xgpu.core.ir.errors import error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import vector
from xgpu.dialects.arith.builders import attribute_constant, index_constant
from xgpu.dialects.memref_layout import has_workgroup_attribute
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
    from xdsl.context import Context

    from xgpu.dialects.gpu.attributes import MMAMatrixType


# --- gpu mma sync --------------------------------------------------------------------------------
# convert-vector-to-gpu, use-nvgpu: vectors distributed to the lanes of a warp for `mma.sync`.
#
# Each lane loads its elements, with `nvgpu.ldmatrix` where the matrix is in shared memory and its
# tiles allow it. Source: MLIR 22.1 VectorToGPU.cpp.


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


def convert_to_mma_sync(root: Operation) -> None:
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


# --- gpu wmma ------------------------------------------------------------------------------------
# convert-vector-to-gpu: vectors that are factors and sums of products as `gpu.mma_matrix`.
#
# Source: MLIR 22.1 VectorToGPU.cpp.


def _role(op: Operation) -> str:
    """How a contract uses the result of `op`, over operations on single elements."""
    uses = users(op)
    if len(uses) == 1 and "Elementwise" in traits_of(uses[0].name):
        return _role(uses[0])
    for user in uses:
        if user.name == CONTRACT:
            if user.operands[0] is op.results[0]:
                return "AOp"
            if user.operands[1] is op.results[0]:
                return "BOp"
    return "COp"


def _matrix_type(kind: VectorType, role: str, element: Attribute | None = None) -> Attribute:
    cls = ods.attr_class("gpu.mma_matrix")
    return cls(tuple(kind.get_shape()), element or kind.element_type, role)


def _stride(transfer: Transfer, stride: int) -> dict[str, Attribute]:
    return {"leadDimension": IntegerAttr(stride, _INDEX)}


def _read_matrix(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    read = Transfer(op)
    stride = row_stride(read.base.type, read.map)
    transposed = is_transposed_map(read.map)
    if isinstance(read.map.results[1 if transposed else 0], AffineConstantExpr):
        stride = 0  # the same row again and again
    assert stride is not None
    role = _role(op)
    element: Attribute = read.vector_type.element_type
    result = op.results[0]
    uses = users(op)
    if len(uses) == 1 and uses[0].name in ("arith.extsi", "arith.extui"):
        sign = Signedness.SIGNED if uses[0].name == "arith.extsi" else Signedness.UNSIGNED
        assert isinstance(element, IntegerType)
        element = IntegerType(element.width.data, sign)
        result = uses[0].results[0]
    properties = _stride(read, stride)
    if transposed:
        properties["transpose"] = UnitAttr()
    matrices[result] = rw.value(
        "gpu.subgroup_mma_load_matrix",
        [read.base, *read.indices],
        _matrix_type(read.vector_type, role, element),
        properties,
    )


def _write_matrix(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    write = Transfer(op)
    stride = row_stride(write.base.type, write.map)
    assert stride is not None
    rw.create(
        "gpu.subgroup_mma_store_matrix",
        [matrices[write.vector], write.base, *write.indices],
        (),
        _stride(write, stride),
    )
    rw.erase(op)


def _multiply_matrices(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    operands = [matrices[value] for value in op.operands[:3]]
    matrices[op.results[0]] = rw.value("gpu.subgroup_mma_compute", operands, operands[2].type)


def _constant_matrix(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    kind = cast("VectorType", op.results[0].type)
    number = splat_value(constant_value(op))
    assert number is not None
    splat = make(kind.element_type, number)
    assert splat is not None
    scalar = attribute_constant(rw, splat, kind.element_type)
    matrices[op.results[0]] = rw.value(
        "gpu.subgroup_mma_constant_matrix", [scalar], _matrix_type(kind, _role(op))
    )


def _broadcast(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    kind = op.results[0].type
    matrices[op.results[0]] = rw.value(
        "gpu.subgroup_mma_constant_matrix",
        [op.operands[0]],
        _matrix_type(cast("VectorType", kind), _role(op)),
    )


def _elementwise(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    operands = [matrices[value] for value in op.operands]
    result = cast("MMAMatrixType", operands[0].type)
    if op.name == "arith.extf":
        kind = cast("VectorType", op.results[0].type)
        result = _matrix_type(kind, result.operand)
    matrices[op.results[0]] = rw.value(
        "gpu.subgroup_mma_elementwise",
        operands,
        result,
        {"opType": ods.enum("gpu.mma_element_wise", ELEMENTWISE[op.name])},
    )


def _nothing(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    """The read before has done it."""


_CONVERT_TO_WMMA: dict[str, Callable[[Operation, Rewriter, Matrices], None]] = {
    READ: _read_matrix,
    WRITE: _write_matrix,
    CONTRACT: _multiply_matrices,
    "arith.constant": _constant_matrix,
    "arith.extsi": _nothing,
    "arith.extui": _nothing,
    "scf.for": convert_for,
    "scf.yield": convert_yield,
    "vector.broadcast": _broadcast,
}


def convert_to_wmma(root: Operation) -> None:
    """Converts what can be converted in `root`; the vectors are left, mostly without uses."""
    matrices = Matrices()
    for op in operations_to_convert(root, use_nvgpu=False):
        # What depends on a vector from elsewhere, such as an argument, stays.
        with suppress(NoMatrix):
            _CONVERT_TO_WMMA.get(op.name, _elementwise)(op, Rewriter(op), matrices)


# --- vector to gpu -------------------------------------------------------------------------------
# `convert-vector-to-gpu`: products of matrices become matrix operations of a subgroup.


class ConvertVectorToGPU(Pass):
    """Lowers contracts and transfers to `gpu.subgroup_mma_*` or `nvgpu.mma.sync`."""

    name = "convert-vector-to-gpu"
    summary = "Lower the operations from the vector dialect into the GPU dialect"
    options = (Option("use-nvgpu", bool, False, "convert to NvGPU ops instead of GPU dialect ops"),)
    use_nvgpu: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns

        apply_patterns(op, preparing_patterns(self.use_nvgpu))
        if self.use_nvgpu:
            convert_to_mma_sync(op)
        convert_to_wmma(op)
