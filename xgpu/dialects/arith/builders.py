# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Making operations of arith on scalars and vectors alike."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    FloatAttr,
    IndexType,
    IntegerAttr,
    TensorType,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xgpu.core.ir.constants import make
from xgpu.core.ir.elements import dense_of

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Builder

INDEX = IndexType()
CMPI = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
CMPF = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)

Flags = Mapping[str, "Attribute"]
_NO_FLAGS: Flags = MappingProxyType({})


def like(ty: Attribute, element: Attribute) -> VectorType | TensorType | Attribute:
    """`element`, or a vector or tensor of it of the shape of `ty`."""
    if isinstance(ty, VectorType):
        return VectorType(element, ty.shape.data, ty.scalable_dims)
    if isinstance(ty, TensorType):
        return TensorType(element, ty.shape.data, ty.encoding)
    return element


def element_of(ty: Attribute) -> Attribute:
    """The type of the elements of a vector or tensor, or of a scalar itself."""
    return ty.element_type if isinstance(ty, VectorType | TensorType) else ty


def constant(rw: Builder, value: int | float, ty: Attribute) -> SSAValue:
    """A number of type `ty`, in a vector or a tensor of known shape in every place."""
    element = element_of(ty)
    attr = make(element, value)
    assert attr is not None, "there are constants of integers, indices and floats"
    if element is not ty and isinstance(attr, IntegerAttr | FloatAttr):
        attr = dense_of(ty, [attr.value.data])
    return attribute_constant(rw, attr, ty)


def attribute_constant(rw: Builder, value: Attribute, ty: Attribute) -> SSAValue:
    """`arith.constant value : ty`"""
    return rw.value("arith.constant", (), ty, {"value": value})


def index_constant(rw: Builder, value: int) -> SSAValue:
    return attribute_constant(rw, IntegerAttr(value, INDEX), INDEX)


def binary(
    rw: Builder, name: str, lhs: SSAValue, rhs: SSAValue, flags: Flags = _NO_FLAGS
) -> SSAValue:
    """`arith.<name>` of two values of one type."""
    return rw.value(f"arith.{name}", (lhs, rhs), lhs.type, dict(flags))


def cast(
    rw: Builder, name: str, value: SSAValue, element: Attribute, flags: Flags = _NO_FLAGS
) -> SSAValue:
    """`arith.<name>` of a value to a type of the same shape."""
    return rw.value(f"arith.{name}", (value,), like(value.type, element), dict(flags))


def cmpi(rw: Builder, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    properties = {"predicate": IntegerAttr(CMPI.index(predicate), i64)}
    return rw.value("arith.cmpi", (lhs, rhs), like(lhs.type, i1), properties)


def cmpf(
    rw: Builder, predicate: str, lhs: SSAValue, rhs: SSAValue, flags: Flags = _NO_FLAGS
) -> SSAValue:
    properties = {"predicate": IntegerAttr(CMPF.index(predicate), i64), **flags}
    return rw.value("arith.cmpf", (lhs, rhs), like(lhs.type, i1), properties)


def select(rw: Builder, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
    return rw.value("arith.select", (condition, yes, no), yes.type)
