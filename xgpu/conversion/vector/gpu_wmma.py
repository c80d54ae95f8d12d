# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-vector-to-gpu: vectors that are factors and sums of products as `gpu.mma_matrix`.

Source: MLIR 22.1 VectorToGPU.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, Signedness, UnitAttr
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineConstantExpr

from xgpu.conversion.vector.gpu_loops import Matrices, NoMatrix, convert_for, convert_yield
from xgpu.conversion.vector.gpu_slices import (
    CONTRACT,
    ELEMENTWISE,
    is_transposed_map,
    operations_to_convert,
    row_stride,
    users,
)
from xgpu.core import ods
from xgpu.core.ir.constants import constant_value, make, splat_value
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.transforms.vector.transfers import READ, WRITE, Transfer

if TYPE_CHECKING:
    from xdsl.dialects.builtin import VectorType

    from xgpu.dialects.gpu.attributes import MMAMatrixType


_INDEX = IndexType()


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


def _read(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
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


def _write(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
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


def _contract(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    operands = [matrices[value] for value in op.operands[:3]]
    matrices[op.results[0]] = rw.value("gpu.subgroup_mma_compute", operands, operands[2].type)


def _constant(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
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


_CONVERT: dict[str, Callable[[Operation, Rewriter, Matrices], None]] = {
    READ: _read,
    WRITE: _write,
    CONTRACT: _contract,
    "arith.constant": _constant,
    "arith.extsi": _nothing,
    "arith.extui": _nothing,
    "scf.for": convert_for,
    "scf.yield": convert_yield,
    "vector.broadcast": _broadcast,
}


def convert(root: Operation) -> None:
    """Converts what can be converted in `root`; the vectors are left, mostly without uses."""
    matrices = Matrices()
    for op in operations_to_convert(root, use_nvgpu=False):
        # What depends on a vector from elsewhere, such as an argument, stays.
        with suppress(NoMatrix):
            _CONVERT.get(op.name, _elementwise)(op, Rewriter(op), matrices)
