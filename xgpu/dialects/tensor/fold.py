# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the tensor dialect: sizes that are known, slices of everything, constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IndexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.ir.constants import int_value, make, splat_value
from xgpu.ir.dense_parts import element_at, is_dense, of_splat, reshaped
from xgpu.ir.elements import dense, pack, unpack

if TYPE_CHECKING:
    from xdsl.dialects.builtin import (
        DenseArrayBase,
        DenseIntOrFPElementsAttr,
        FloatData,
        IntegerType,
    )


Constants = list[Attribute | None]
Folded = list[SSAValue | Attribute] | bool | None


def _dim(op: Operation, constants: Constants) -> Folded:
    dim = int_value(constants[1])
    kind = op.operands[0].type
    if dim is None or not isinstance(kind, TensorType):
        return None
    shape = list(kind.get_shape())
    if not 0 <= dim < len(shape) or shape[dim] == DYNAMIC_INDEX:
        return None
    return [IntegerAttr(shape[dim], IndexType())]


def _cast(op: Operation, constants: Constants) -> Folded:
    return [op.operands[0]] if op.operands[0].type == op.results[0].type else None


def _is_everything(op: Operation, whole_type: Attribute) -> bool:
    """Whether a slice of static sizes is all of a tensor of type `whole`."""
    whole = cast("TensorType", whole_type)
    if DYNAMIC_INDEX in whole.get_shape():
        return False
    offsets, sizes, strides = (
        list(cast("DenseArrayBase[IntegerType]", op.properties[f"static_{name}"]).get_values())
        for name in ("offsets", "sizes", "strides")
    )
    return (
        all(n == 0 for n in offsets)
        and sizes == list(whole.get_shape())
        and all(n == 1 for n in strides)
    )


def _extract_slice(op: Operation, constants: Constants) -> Folded:
    source = op.operands[0]
    same = source.type == op.results[0].type
    if same and _is_everything(op, source.type):
        return [source]
    constant = constants[0]
    made = of_splat(constant, op.results[0].type) if is_dense(constant) else None
    return None if made is None else [made]


def _insert_slice(op: Operation, constants: Constants) -> Folded:
    source = op.operands[0]
    same = source.type == op.results[0].type
    return [source] if same and _is_everything(op, source.type) else None


def _is_static(kind: Attribute) -> bool:
    return all(extent >= 0 for extent in cast("TensorType", kind).get_shape())


def _reshape(op: Operation, constants: Constants) -> Folded:
    """Constants have the same elements in any shape."""
    constant, kind = constants[0], cast("TensorType", op.results[0].type)
    if not is_dense(constant) or not _is_static(kind):
        return None
    return [reshaped(constant, kind)]


def _extract(op: Operation, constants: Constants) -> Folded:
    """An element of a constant."""
    constant = cast("DenseIntOrFPElementsAttr", constants[0])
    if not is_dense(constant):
        return None
    splat = splat_value(constant)
    position = [int_value(index) for index in constants[1:]]
    known = [at for at in position if at is not None]
    if splat is None and len(known) == len(position):
        data = element_at(constant, known)
        splat = unpack(data, constant.get_element_type())[0] if data is not None else None
    made = make(op.results[0].type, splat) if splat is not None else None
    return None if made is None else [made]


def _elements(op: Operation, constants: Constants) -> Folded:
    """Constants as elements."""
    kind = cast("TensorType", op.results[0].type)
    values = [
        cast("FloatData", c.value).data for c in constants if isinstance(c, IntegerAttr | FloatAttr)
    ]
    if len(values) != len(constants):
        return None
    return [dense(kind, pack(values, kind.element_type))]


def _splat(op: Operation, constants: Constants) -> Folded:
    """A constant everywhere in a static shape."""
    value, kind = splat_value(constants[0]), op.results[0].type
    made = make(kind, value) if value is not None and _is_static(kind) else None
    return None if made is None else [made]


FOLD = {
    "tensor.cast": _cast,
    "tensor.collapse_shape": _reshape,
    "tensor.dim": _dim,
    "tensor.expand_shape": _reshape,
    "tensor.extract": _extract,
    "tensor.extract_slice": _extract_slice,
    "tensor.from_elements": _elements,
    "tensor.insert_slice": _insert_slice,
    "tensor.reshape": _reshape,
    "tensor.splat": _splat,
}
