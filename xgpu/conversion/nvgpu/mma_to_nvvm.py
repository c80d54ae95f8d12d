# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.mma.sync, mma.sp.sync, ldmatrix and rcp as nvvm operations.

A matrix is a vector of 32-bit registers (vectors); nvvm takes and gives single registers.
Source: MLIR 22.1 NVGPUToNVVM.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    VectorType,
    f16,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xgpu.conversion.memref.descriptor import element_pointer
from xgpu.core import ods
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm.builders import constant, extract, insert, poison
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.conversion.llvm_types import LLVMConversion
    from xgpu.core.rewriting.driver import Conversion
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects import nvgpu


def ptx_type(element: Attribute) -> str:
    """nvvm.mma_type of a factor's elements."""
    if isinstance(element, IntegerType) and element.width.data in (4, 8):
        return f"s{element.width.data}"
    for cls, name in (
        (Float16Type, "f16"),
        (BFloat16Type, "bf16"),
        (Float64Type, "f64"),
        (Float32Type, "tf32"),
    ):
        if isinstance(element, cls):
            return name
    raise NoMatch("failed to deduce operand PTX types")


def accumulator_type(element: Attribute) -> str:
    """nvvm.mma_type of the accumulator's elements."""
    for cls, name in ((Float16Type, "f16"), (Float32Type, "f32"), (Float64Type, "f64")):
        if isinstance(element, cls):
            return name
    if isinstance(element, IntegerType) and element.width.data == 32:
        return "s32"
    raise NoMatch("could not infer the PTX type for the accumulator/result")


def unpack(rw: Conversion, value: SSAValue, kind: str) -> list[SSAValue]:
    """The registers of a matrix: small integers and tf32 as i32, f64, f32 and i32 one by one."""
    array = cast("LLVMArrayType", value.type)
    found: list[SSAValue] = []
    for i in range(array.size):
        register = extract(rw, value, i)
        ty = register.type
        if kind in ("s8", "s4") or (kind == "tf32" and isinstance(ty, VectorType)):
            found.append(rw.value("llvm.bitcast", (register,), i32))
        elif kind in ("f32", "f64", "s32"):
            for j in range(cast("VectorType", ty).get_shape()[0]):
                position = constant(rw, j, i64)
                found.append(
                    rw.value(
                        "llvm.extractelement",
                        (register, position),
                        cast("VectorType", ty).element_type,
                    )
                )
        else:
            found.append(register)
    return found


def intrinsic_result(array: Attribute) -> LLVMStructType:
    """The struct that the instruction gives for a result of this (converted) type."""
    if not isinstance(array, LLVMArrayType):
        raise NoMatch("expected an array of vectors")
    element = cast("VectorType", array.element_type)
    if element == VectorType(f16, [2]):
        return LLVMStructType([element] * array.size)
    if element.element_type in (f32, f64, i32):
        return LLVMStructType([element.element_type] * (array.size * element.get_shape()[0]))
    raise NoMatch("unsupported result type")


def pack(rw: Rewriter, value: SSAValue, array: LLVMArrayType) -> SSAValue:
    """The array of vectors from what the instruction gave."""
    struct = cast("LLVMStructType", value.type)
    element = cast("VectorType", array.element_type)
    rows: list[SSAValue] = []
    if struct.body[0] == element:
        rows = [extract(rw, value, i) for i in range(array.size)]
    else:
        width = element.get_shape()[0]
        for i in range(array.size):
            row = poison(rw, element)
            members = [extract(rw, value, width * i + j) for j in range(width)]
            for j, member in enumerate(members):
                row = rw.value("llvm.insertelement", (row, member, constant(rw, j, i32)), element)
            rows.append(row)
    result = poison(rw, array)
    for i, row in enumerate(rows):
        result = insert(rw, result, row, i)
    return result


def _shape(op: nvgpu.MmaSpSyncOp | nvgpu.MmaSyncOp) -> tuple[int, int, int]:
    m, n, k = (item.value.data for item in op.mma_shape.data)
    return m, n, k


def _factors(
    op: nvgpu.MmaSpSyncOp | nvgpu.MmaSyncOp, operands: Sequence[SSAValue], rw: Conversion
) -> tuple[str, str, list[list[SSAValue]]]:
    element = op.matrix_a.type.element_type
    if isinstance(element, Float32Type) and "tf32Enabled" not in op.properties:
        raise NoMatch("f32 needs tf32Enabled")
    source = ptx_type(element)
    target = accumulator_type(op.matrix_c.type.element_type)
    kinds = (source, source, target)
    return (
        source,
        target,
        [unpack(rw, v, kind) for v, kind in zip(operands[:3], kinds, strict=True)],
    )


#: What nvvm.mma.sync infers from its operands; other factors are named.
_INFERRED = frozenset({"f16", "f64"})


def lower_mma_sync(
    op: nvgpu.MmaSyncOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    source, _, registers = _factors(op, operands, rw)
    array = rw.convert_type(op.results[0].type)
    m, n, k = _shape(op)
    properties: dict[str, Attribute] = {
        "shape": ods.attr_class("nvvm.shape")(m, n, k),  # pyright: ignore
        "layoutA": ods.enum("nvvm.mma_layout", "row"),
        "layoutB": ods.enum("nvvm.mma_layout", "col"),
        "multiplicandAPtxType": ods.enum("nvvm.mma_type", source),
        "multiplicandBPtxType": ods.enum("nvvm.mma_type", source),
    }
    if isinstance(op.matrix_a.type.element_type, IntegerType):
        properties["intOverflowBehavior"] = ods.enum("nvvm.mma_int_overflow", "satfinite")
    result = rw.create("nvvm.mma.sync", registers, (intrinsic_result(array),), properties)
    return [pack(rw, result.results[0], array)]


def lower_mma_sp_sync(
    op: nvgpu.MmaSpSyncOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """mma.sp.sync as inline assembly."""
    source, target, (a, b, c) = _factors(op, operands, rw)
    array = rw.convert_type(op.results[0].type)
    metadata = rw.value("llvm.bitcast", (operands[3],), i32)
    m, n, k = _shape(op)
    selector = cast("IntegerAttr | None", op.properties.get("sparsitySelector"))
    overflow = "satfinite." if isinstance(op.matrix_a.type.element_type, IntegerType) else ""
    text = (
        f"mma.sp.sync.aligned.m{m}n{n}k{k}.row.col.{overflow}{target}.{source}.{source}.{target} "
    )
    position = 0
    for count in (len(c), len(a), len(b), len(c)):
        text += "{" + ",".join(f"${position + i}" for i in range(count)) + "},"
        position += count
    text += f"${position},0x{0 if selector is None else selector.value.data};"
    inputs = len(a) + len(b) + len(c) + 1
    result = rw.value(
        "llvm.inline_asm",
        (*a, *b, *c, metadata),
        intrinsic_result(array),
        {
            "asm_dialect": IntegerAttr(0, i64),
            "asm_string": StringAttr(text),
            "constraints": StringAttr(",".join(["=r"] * len(c) + ["r"] * inputs)),
            "has_side_effects": UnitAttr(),
        },
    )
    return [pack(rw, result, array)]


def lower_ldmatrix(
    op: nvgpu.LdmatrixOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    ty = op.results[0].type
    registers, width = ty.get_shape()
    inner = VectorType(ty.element_type, [width])
    properties = op.properties
    pointer = element_pointer(rw, rw.types, op.src_memref.type, operands[0], operands[1:], flags=0)
    is_single = registers == 1
    is_transposed = properties["transpose"].value.data != 0
    loaded = rw.value(
        "nvvm.ldmatrix",
        (pointer,),
        i32 if is_single else LLVMStructType([i32] * registers),
        {
            "num": properties["numTiles"],
            "layout": ods.enum("nvvm.mma_layout", "col" if is_transposed else "row"),
            "shape": ods.attr_class("nvvm.ld_st_matrix_shape")(8, 8),  # pyright: ignore
            "eltType": ods.enum("nvvm.ld_st_matrix_elt_type", "b16"),
        },
    )
    result = poison(rw, rw.convert_type(ty))
    for i in range(registers):
        register = loaded if is_single else extract(rw, loaded, i)
        result = insert(rw, result, rw.value("llvm.bitcast", (register,), inner), i)
    return [result]


def lower_rcp(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """Each element with rcp.approx.ftz."""
    (value,) = operands
    return [_rcp(rw, value)]


def _rcp(rw: Conversion, value: SSAValue) -> SSAValue:
    ty = cast("VectorType", value.type)
    result = poison(rw, ty)
    if isinstance(ty, LLVMArrayType):
        for i in range(ty.size):
            result = insert(rw, result, _rcp(rw, extract(rw, value, i)), i)
        return result
    for i in range(ty.get_shape()[0]):
        position = constant(rw, i, i64)
        element = rw.value("llvm.extractelement", (value, position), f32)
        element = rw.value("nvvm.rcp.approx.ftz.f", (element,), f32)
        result = rw.value("llvm.insertelement", (result, element, position), ty)
    return result


RULES = {
    "nvgpu.mma.sync": lower_mma_sync,
    "nvgpu.mma.sp.sync": lower_mma_sp_sync,
    "nvgpu.ldmatrix": lower_ldmatrix,
    "nvgpu.rcp": lower_rcp,
}
