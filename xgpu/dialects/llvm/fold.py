# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the llvm dialect."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import constant_of, int_value, make, width_of
from xgpu.core.ir.elements import element_size, unpack, values_of
from xgpu.core.ir.integers import BINARY, dense_array, integers_of, unsigned
from xgpu.dialects.interfaces import Constants, Folded, Folder
from xgpu.dialects.llvm.attributes import DYNAMIC_INDEX


def _inner(value: SSAValue, name: str) -> Operation | None:
    op = value.owner
    return op if isinstance(op, Operation) and op.name == name else None


def _position(op: Operation) -> tuple[int, ...]:
    return integers_of(op.properties["position"])


def _element(attr: Attribute | None, position: tuple[int, ...]) -> Attribute | None:
    """The constant at a position in a constant aggregate."""
    for depth, at in enumerate(position):
        if attr is None:
            return None
        if attr.name in ("llvm.poison", "llvm.undef", "llvm.zero"):
            return attr
        if isinstance(attr, DenseIntOrFPElementsAttr) or attr.name == "builtin.sparse":
            return _dense_element(attr, position[depth:])
        if not isinstance(attr, ArrayAttr) or at >= len(attr.data):
            return None
        attr = attr.data[at]
    return attr


def _dense_element(attr: Attribute, position: tuple[int, ...]) -> Attribute | None:
    """The element of a dense or sparse attribute of one dimension; of a complex one its part."""
    attr = cast("DenseIntOrFPElementsAttr", attr)
    shape = cast("TensorType", attr.type).get_shape()
    if len(shape) != 1 or position[0] >= shape[0]:
        return None
    at, *rest = position
    element = cast("TensorType", attr.type).element_type
    size = element_size(element)
    data = _sparse_bytes(attr, at) if attr.name == "builtin.sparse" else attr.data.data
    if attr.name != "builtin.sparse":
        data = data[at * size : (at + 1) * size]
    if isinstance(element, ComplexType):
        if len(rest) != 1:
            return None
        element, size = element.element_type, size // 2
        data = data[rest[0] * size : (rest[0] + 1) * size]
    elif rest:
        return None
    (value,) = unpack(data, element)
    return make(element, value)


def _sparse_bytes(attr: Any, at: int) -> bytes:
    """The bytes of an element of a sparse attribute of one dimension."""
    indices, values, kind = attr.data
    size = element_size(kind.element_type)
    places = list(values_of(indices))
    if at not in places:
        return bytes(size)
    row = len(places) - 1 - places[::-1].index(at)
    return values.data.data[row * size : (row + 1) * size]


def _extractvalue(op: Operation, constants: Constants) -> Folded:
    position = _position(op)
    outer = _inner(op.operands[0], "llvm.extractvalue")
    if outer is not None:
        op.properties["position"] = dense_array(64, (*_position(outer), *position))
        op.operands[0] = outer.operands[0]
        return True
    constant = _element(constants[0], position)
    if constant is not None and (
        not isinstance(constant, IntegerAttr | FloatAttr | ArrayAttr)
        or (not isinstance(constant, ArrayAttr) and constant.type == op.results[0].type)
    ):
        return [constant]
    return _through_inserts(op, position)


def _through_inserts(op: Operation, position: tuple[int, ...]) -> Folded:
    """What was inserted at `position`; else the container gets rid of inserts next to it.

    Once the search has gone into an inserted aggregate it finds the value itself or nothing: an
    extraction from what was inserted is not made.
    """
    is_inside = changed = False
    insert = _inner(op.operands[0], "llvm.insertvalue")
    while insert is not None:
        inserted = _position(insert)
        if inserted == position:
            return [insert.operands[1]]
        if position[: len(inserted)] == inserted:
            position = position[len(inserted) :]
            is_inside = True
            source = insert.operands[1]
            constant = _element(constant_of(source), position)
            if constant is not None:
                return [constant]
        elif inserted[: len(position)] == position:
            break  # it changes a part of what is extracted
        else:
            source = insert.operands[0]
            if not is_inside:
                op.operands[0] = source
                changed = True
        insert = _inner(source, "llvm.insertvalue")
    return changed or None


def _getelementptr(op: Operation, constants: Constants) -> Folded:
    raw = cast("DenseArrayBase[IntegerType]", op.properties["rawConstantIndices"])
    indices = list(raw.get_values())
    base = op.operands[0]
    if base.type == op.results[0].type and len(indices) == 1:
        only = int_value(constants[1]) if indices[0] == DYNAMIC_INDEX else indices[0]
        if only == 0:
            return [base]
    kept: list[SSAValue] = [base]
    at = 1
    for i, index in enumerate(indices):
        if index != DYNAMIC_INDEX:
            continue
        value = int_value(constants[at])
        if value is not None and -(1 << 30) <= value < 1 << 30:
            indices[i] = value
        else:
            kept.append(op.operands[at])
        at += 1
    if len(kept) == len(op.operands):
        return None
    op.properties["rawConstantIndices"] = DenseArrayBase.from_list(i32, indices)
    op.operands = kept
    return True


def _same_type_cast(op: Operation, constants: Constants) -> Folded:
    """cast(x) -> x, cast(cast(x)) -> x where that is the type of x"""
    source = op.operands[0]
    if source.type == op.results[0].type:
        return [source]
    inner = _inner(source, op.name)
    if inner is None:
        return None
    if inner.operands[0].type == op.results[0].type:
        return [inner.operands[0]]
    op.operands[0] = inner.operands[0]
    return True


def _zext(op: Operation, constants: Constants) -> Folded:
    value = int_value(constants[0])
    if value is None or not isinstance(op.results[0].type, IntegerType):
        return None
    found = make(op.results[0].type, unsigned(value, width_of(op.operands[0].type)))
    return None if found is None else [found]


def _both(op: Operation, constants: Constants) -> Folded:
    """The operation of two constants; an identity like `x << 0` is not folded, as in MLIR."""
    a, b = int_value(constants[0]), int_value(constants[1])
    if a is None or b is None:
        return None
    value = BINARY[op.name.removeprefix("llvm.")](a, b, width_of(op.results[0].type))
    found = None if value is None else make(op.results[0].type, value)
    return None if found is None else [found]


def _icmp(op: Operation, constants: Constants) -> Folded:
    predicate: Any = op.properties["predicate"]
    number = predicate.value.data if isinstance(predicate, IntegerAttr) else predicate.value
    if number not in (0, 1):
        return None
    lhs, rhs = op.operands
    answer: bool | None = None
    if lhs is rhs:
        answer = number == 0
    elif _is_null(rhs) and _inner(lhs, "llvm.alloca") is not None:
        answer = number == 1
    elif _is_null(lhs) and _inner(rhs, "llvm.alloca") is not None:
        op.operands = [rhs, lhs]  # null goes to the right
        return True
    if answer is None:
        return None
    found = make(op.results[0].type, int(answer))
    return None if found is None else [found]


def _shufflevector(op: Operation, constants: Constants) -> Folded:
    """Of vectors of one element, the first."""
    ty = cast("VectorType", op.operands[0].type)
    mask = cast("DenseArrayBase[IntegerType]", op.properties["mask"])
    if ty.name != "vector" or ty.get_shape() != (1,) or tuple(mask.get_values()) != (0,):
        return None
    return [op.operands[0]]


def _is_null(value: SSAValue) -> bool:
    return _inner(value, "llvm.mlir.zero") is not None


FOLD: dict[str, Folder] = {
    "llvm.addrspacecast": _same_type_cast,
    "llvm.bitcast": _same_type_cast,
    "llvm.extractvalue": _extractvalue,
    "llvm.getelementptr": _getelementptr,
    "llvm.icmp": _icmp,
    "llvm.or": _both,
    "llvm.shl": _both,
    "llvm.shufflevector": _shufflevector,
    "llvm.zext": _zext,
}
