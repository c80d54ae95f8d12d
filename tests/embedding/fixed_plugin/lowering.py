# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `convert-to-llvm` has to know: types and operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Attribute, SSAValue

from fixed_plugin.dialect import ConstantOp, MulOp, NumberType
from xgpu.plugins import register_memref_element, register_operation, register_type

if TYPE_CHECKING:
    from xgpu.plugins import Conversion, TypeConverter


def number(type: NumberType, types: TypeConverter) -> Attribute:
    """!fixed.number<4> -> i32"""
    return i32


def constant(op: ConstantOp, operands: Sequence[SSAValue], rewriter: Conversion) -> list[SSAValue]:
    """%c = fixed.constant 24 : !fixed.number<4>      %c = llvm.mlir.constant(24 : i32) : i32"""
    return [rewriter.value("llvm.mlir.constant", (), i32, {"value": op.value})]


def product(op: MulOp, operands: Sequence[SSAValue], rewriter: Conversion) -> list[SSAValue]:
    """The product in 64 bits, moved back to where the point was."""
    shift = IntegerAttr(op.result.type.fraction.data, 64)
    wide = [rewriter.value("llvm.sext", (value,), i64) for value in operands]
    whole = rewriter.value("llvm.mul", wide, i64)
    by = rewriter.value("llvm.mlir.constant", (), i64, {"value": shift})
    moved = rewriter.value("llvm.ashr", (whole, by), i64)
    return [rewriter.value("llvm.trunc", (moved,), i32)]


def register() -> None:
    """Makes the rules known."""
    register_memref_element(NumberType.name)
    register_type(NumberType.name, "llvm", number)
    register_operation(ConstantOp.name, {"conversions": {"llvm": constant}})
    register_operation(MulOp.name, {"conversions": {"llvm": product}})
