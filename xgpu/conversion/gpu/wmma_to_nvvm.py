# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subgroup matrices as nvvm.wmma: a matrix is the struct of the fragments that a lane holds.

Source: MLIR 22.1 WmmaOpsToNvvm.cpp, NVVMDialect.cpp (inferMMAType); PTX ISA, wmma.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    Signedness,
    VectorType,
    f16,
    f32,
    f64,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.memref.descriptor import element_pointer
from xgpu.core import ods
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.gpu.attributes import MMAMatrixType
from xgpu.dialects.llvm.builders import (
    attribute_constant,
    binary,
    comparison_type,
    constant,
    extract,
    index_constant,
    insert,
    poison,
)
from xgpu.dialects.llvm.types import LLVMStructType

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AnyFloat, MemRefType

    from xgpu.conversion.llvm_types import LLVMConversion
    from xgpu.core.rewriting.driver import Conversion
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects import gpu


_FRAGMENTS = {"AOp": "a", "BOp": "b", "COp": "c"}
#: Element type -> the (m, n, k) that PTX has.
_SHAPES_16 = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
_SHAPES: dict[str, tuple[tuple[int, int, int], ...]] = {
    "f16": _SHAPES_16,
    "f32": _SHAPES_16,
    "s8": _SHAPES_16,
    "u8": _SHAPES_16,
    "s32": _SHAPES_16,
    "tf32": ((16, 16, 8),),
    "f64": ((8, 8, 4),),
}


def element_kind(ty: MMAMatrixType) -> str:
    """The PTX type of the elements: nvvm.mma_type's keyword."""
    element = ty.element_type
    if isinstance(element, Float16Type):
        return "f16"
    if isinstance(element, Float32Type):
        return "f32" if ty.operand == "COp" else "tf32"
    if isinstance(element, Float64Type):
        return "f64"
    if isinstance(element, IntegerType) and element.width.data == 8:
        return "u8" if element.signedness.data is Signedness.UNSIGNED else "s8"
    return "s32"


def fragment_type(ty: MMAMatrixType) -> Attribute:
    """What a lane holds of a matrix: a struct, or one f64."""
    kind = element_kind(ty)
    is_accumulator = ty.operand == "COp"
    if kind == "f16":
        return LLVMStructType([VectorType(f16, [2])] * (4 if is_accumulator else 8))
    if kind == "f32":
        return LLVMStructType([f32] * 8)
    if kind == "f64":
        return LLVMStructType([f64] * 2) if is_accumulator else f64
    if kind == "tf32":
        return LLVMStructType([i32] * 4)
    if kind == "s32":
        return LLVMStructType([i32] * 8)
    parallel = ty.shape[0] if ty.operand == "AOp" else ty.shape[1]
    return LLVMStructType([i32] * {16: 2, 8: 1, 32: 4}.get(parallel, 1))


def _third_dimension(ty: MMAMatrixType, kind: str) -> tuple[int, int, int]:
    """(m, n, k) of the wmma shape that has a fragment of this type."""
    first, second = ty.shape
    for m, n, k in _SHAPES[kind]:
        shape = {"AOp": (m, k), "BOp": (k, n), "COp": (m, n)}[ty.operand]
        if shape == (first, second):
            return m, n, k
    raise NoMatch("wmma has no such shape")


def _shape(m: int, n: int, k: int) -> dict[str, Attribute]:
    return {key: IntegerAttr(value, i32) for key, value in (("m", m), ("n", n), ("k", k))}


def _layout(is_transposed: bool) -> Attribute:
    return ods.enum("nvvm.mma_layout", "col" if is_transposed else "row")


def _kind(kind: str) -> Attribute:
    return ods.enum("nvvm.mma_type", kind)


def lower_load(
    op: gpu.SubgroupMmaLoadMatrixOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    ty = op.results[0].type
    properties = op.properties
    kind = element_kind(ty)
    shape = _shape(*_third_dimension(ty, kind))
    memref_type = cast("MemRefType", op.operands[0].type)
    pointer = element_pointer(rw, rw.types, memref_type, operands[0], operands[1:], flags=0)
    leading = index_constant(rw, properties["leadDimension"].value.data, i32)
    return [
        rw.value(
            "nvvm.wmma.load",
            (pointer, leading),
            fragment_type(ty),
            {
                **shape,
                "layout": _layout("transpose" in properties),
                "eltype": _kind(kind),
                "frag": ods.enum("nvvm.mma_frag", _FRAGMENTS[ty.operand]),
            },
        )
    ]


def _members(rw: Rewriter, value: SSAValue) -> list[SSAValue]:
    if not isinstance(value.type, LLVMStructType):
        return [value]
    return [extract(rw, value, i) for i in range(len(value.type.body))]


def lower_store(
    op: gpu.SubgroupMmaStoreMatrixOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    ty = op.src.type
    properties = op.properties
    kind = element_kind(ty)
    shape = _shape(*_third_dimension(ty, kind))
    values = _members(rw, operands[0])
    memref_type = cast("MemRefType", op.operands[1].type)
    pointer = element_pointer(rw, rw.types, memref_type, operands[1], operands[2:], flags=0)
    leading = index_constant(rw, properties["leadDimension"].value.data, i32)
    rw.create(
        "nvvm.wmma.store",
        (pointer, *values, leading),
        (),
        {**shape, "layout": _layout("transpose" in properties), "eltype": _kind(kind)},
    )
    return []


def lower_compute(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    a, _, c = (operand.type for operand in op.operands)
    values = [member for operand in operands for member in _members(rw, operand)]
    source, target = element_kind(a), element_kind(c)  # pyright: ignore
    m, k = a.shape  # pyright: ignore
    n = c.shape[1]  # pyright: ignore
    if (m, n, k) not in _SHAPES[source]:
        raise NoMatch("wmma has no such shape")
    properties = op.properties
    return [
        rw.value(
            "nvvm.wmma.mma",
            values,
            fragment_type(c),  # pyright: ignore
            {
                **_shape(m, n, k),
                "layoutA": _layout("a_transpose" in properties),
                "layoutB": _layout("b_transpose" in properties),
                "eltypeA": _kind(source),
                "eltypeB": _kind(target),
            },
        )
    ]


def lower_constant(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """Every member is the value; of f16, a vector of two of them."""
    ty = fragment_type(op.results[0].type)  # pyright: ignore
    (value,) = operands
    if not isinstance(ty, LLVMStructType):
        return [value]
    if isinstance(ty.body[0], VectorType):
        vector = poison(rw, ty.body[0])
        for i in range(ty.body[0].get_shape()[0]):
            position = constant(rw, i, i32)
            vector = rw.value("llvm.insertelement", (vector, value, position), ty.body[0])
        value = vector
    matrix = poison(rw, ty)
    for i in range(len(ty.body)):
        matrix = insert(rw, matrix, value, i)
    return [matrix]


_BINARY = {
    "addf": "fadd",
    "mulf": "fmul",
    "subf": "fsub",
    "divf": "fdiv",
    "addi": "add",
    "muli": "mul",
    "subi": "sub",
    "divs": "sdiv",
    "divu": "udiv",
}
_FCMP = {"olt": 4, "ogt": 2, "uno": 14}


def lower_elementwise(
    op: gpu.SubgroupMmaElementwiseOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    ty = fragment_type(op.results[0].type)  # pyright: ignore
    kind = op.properties["opType"]
    if not isinstance(ty, LLVMStructType):
        return [_apply(rw, kind.data, list(operands), ty)]
    result = poison(rw, ty)
    for i, member in enumerate(ty.body):
        values = [extract(rw, operand, i) for operand in operands]
        result = insert(rw, result, _apply(rw, kind.data, values, member), i)
    return [result]


def _apply(rw: Conversion, kind: str, values: list[SSAValue], ty: Attribute) -> SSAValue:
    if kind in _BINARY:
        name = _BINARY[kind]
        overflow = 0 if name in ("add", "sub", "mul") else None
        return binary(rw, name, values[0], values[1], overflow)
    if kind in ("minf", "maxf"):
        return _min_max(rw, values[0], values[1], is_min=kind == "minf")
    if kind == "negatef":
        return rw.value("llvm.fneg", (values[0],), ty)
    if kind == "negates":
        return binary(rw, "sub", constant(rw, 0, ty), values[0], 0)
    if kind == "extf":
        return rw.value("llvm.fpext", (values[0],), ty)
    raise NoMatch("unsupported op")


def _min_max(rw: Conversion, left: SSAValue, right: SSAValue, *, is_min: bool) -> SSAValue:
    """The smaller (greater) of two; NaN if either is, as arith.minimumf has it."""

    def compare(predicate: str) -> SSAValue:
        return rw.value(
            "llvm.fcmp",
            (left, right),
            comparison_type(left.type),
            {"predicate": IntegerAttr(_FCMP[predicate], IntegerType(64))},
        )

    def select(condition: SSAValue, then: SSAValue, otherwise: SSAValue) -> SSAValue:
        return rw.value("llvm.select", (condition, then, otherwise), then.type)

    chosen = select(compare("olt" if is_min else "ogt"), left, right)
    unordered = compare("uno")
    return select(
        unordered,
        attribute_constant(rw, _nan(cast("AnyFloat | VectorType[AnyFloat]", left.type)), left.type),
        chosen,
    )


def _nan(ty: AnyFloat | VectorType[AnyFloat]) -> Attribute:
    from xdsl.dialects.builtin import FloatAttr

    # A vector's constant is told by the value of each of its elements.
    return FloatAttr(float("nan"), ty.element_type if isinstance(ty, VectorType) else ty)


RULES = {
    "gpu.subgroup_mma_load_matrix": lower_load,
    "gpu.subgroup_mma_store_matrix": lower_store,
    "gpu.subgroup_mma_compute": lower_compute,
    "gpu.subgroup_mma_constant_matrix": lower_constant,
    "gpu.subgroup_mma_elementwise": lower_elementwise,
}
