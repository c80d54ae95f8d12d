# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds that go into elements: constants of tensors, and tensors that are made of elements."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)

from xgpu.core.ir.constants import int_of, int_value, make, splat_value
from xgpu.core.ir.dense_parts import element_at, is_dense, of_splat
from xgpu.core.ir.elements import (
    dense,
    element_count,
    element_size,
    is_splat,
    pack,
    unpack,
    values_of,
)
from xgpu.core.ir.splats import repeated
from xgpu.core.syntax.builtin_attributes import SparseElementsAttr
from xgpu.dialects.tensor.casts import is_static, made_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import FloatData
    from xdsl.ir import Attribute, Operation, SSAValue

Constants = list["Attribute | None"]
Folded = list["SSAValue | Attribute"] | bool | None
#: A number, or the real and the imaginary part of one.
Number = int | float | tuple[float, float]


def _number(constant: Attribute | None) -> Number | None:
    """The number that a constant of a scalar is."""
    if isinstance(constant, IntegerAttr | FloatAttr):
        return cast("FloatData", constant.value).data
    if not isinstance(constant, ArrayAttr) or len(constant.data) != 2:
        return None
    real, imaginary = (_number(part) for part in constant.data)
    if isinstance(real, int | float) and isinstance(imaginary, int | float):
        return real, imaginary
    return None


def _scalar(kind: Attribute, data: bytes) -> Attribute | None:
    """The constant of a scalar type with the bytes `data`."""
    if not isinstance(kind, IntegerType | IndexType | AnyFloat | ComplexType):
        return None
    (value,) = unpack(data, kind)
    if not isinstance(kind, ComplexType):
        return make(kind, value)
    parts = [make(kind.element_type, part) for part in value]
    return None if None in parts else ArrayAttr([part for part in parts if part is not None])


def fold_extract(op: Operation, constants: Constants) -> Folded:
    """An element of a constant, of elements, or one that was just put there."""
    kind = op.results[0].type
    constant = constants[0] if is_dense(constants[0]) else None
    if constant is not None:
        size = element_size(kind)
        data: bytes = constant.data.data
        if len(data) and is_splat(data, size):
            return _given(_scalar(kind, data[:size]))
    position = [int_value(index) for index in constants[1:]]
    known = [at for at in position if at is not None]
    if len(known) != len(position):
        return None
    made = made_by(op.operands[0], "tensor.from_elements")
    if made is not None:
        return _element(made, known)
    if constant is not None:
        data = element_at(constant, known) or b""
        return _given(_scalar(kind, data)) if data else None
    if isinstance(constants[0], SparseElementsAttr):
        return _given(_scalar(kind, _sparse_element(constants[0], known)))
    put = made_by(op.operands[0], "tensor.insert")
    if put is not None and put.operands[0].type == kind:
        indices = [int_of(index) for index in put.operands[2:]]
        return [put.operands[0]] if indices == known else None
    return None


def _sparse_element(constant: SparseElementsAttr, position: list[int]) -> bytes:
    """The bytes of an element of a sparse constant: those stated for its place, or zeros."""
    indices, stated, _ = cast("tuple[DenseIntOrFPElementsAttr, ...]", constant.data)
    places, rank = list(values_of(indices)), len(position)
    size = element_size(stated.get_element_type())
    for at in range(element_count(stated)):
        if places[at * rank : (at + 1) * rank] == position:
            return bytes(stated.data.data[at * size : (at + 1) * size])
    return bytes(size)


def _given(made: Attribute | None) -> Folded:
    return None if made is None else [made]


def _element(made: Operation, position: Sequence[int]) -> Folded:
    flat = 0
    shape = cast("TensorType", made.results[0].type).get_shape()
    for at, extent in zip(position, shape, strict=True):
        flat = flat * extent + at
    # Outside of the tensor in code that nobody runs.
    return [made.operands[flat]] if 0 <= flat < len(made.operands) else None


def fold_from_elements(op: Operation, constants: Constants) -> Folded:
    """Constants as elements."""
    kind = cast("TensorType", op.results[0].type)
    values = [value for value in map(_number, constants) if value is not None]
    if len(values) != len(constants):
        return None
    return [dense(kind, pack(values, kind.element_type))]


def fold_splat(op: Operation, constants: Constants) -> Folded:
    """A constant everywhere in a static shape."""
    kind = cast("TensorType", op.results[0].type)
    value = constants[0]
    if not isinstance(value, IntegerAttr | FloatAttr) or not is_static(kind):
        return None
    number = splat_value(value)
    count = math.prod(kind.get_shape())
    return [dense(kind, repeated(pack([number], kind.element_type), count))]


def fold_insert(op: Operation, constants: Constants) -> Folded:
    """What a splat consists of, put into it."""
    scalar, dest = _number(constants[0]), constants[1]
    if scalar is None or not isinstance(dest, DenseIntOrFPElementsAttr):
        return None
    element = dest.get_element_type()
    size = element_size(element)
    data: bytes = dest.data.data
    same = len(data) and is_splat(data, size) and data[:size] == pack([scalar], element)
    return [dest] if same else None


def splat_as(constant: Attribute | None, kind: Attribute) -> Folded:
    """A constant of one value everywhere, in another static shape."""
    if not is_dense(constant) or not is_static(kind):
        return None
    return _given(of_splat(constant, kind))
