# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants: reading them from operations, computing with them, making operations of them.

A constant is an attribute: `IntegerAttr`, `FloatAttr`, dense elements, `#ub.poison`, ...
Integers are kept as MLIR prints them: signed, `true` is -1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    VectorType,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.traits import HasFolder

from xgpu.core.ir.elements import Repeated, dense, element_size, is_splat, pack, repeated, unpack
from xgpu.core.ir.float_formats import FORMATS, FloatFormat
from xgpu.core.ir.floats import float_attribute
from xgpu.core.ir.integers import signed, unsigned
from xgpu.core.ir.services import definitions

INDEX_WIDTH = 64

#: Operations that are constants, and the property that holds the value.
CONSTANT_VALUE: dict[str, str] = {
    "arith.constant": "value",
    "complex.constant": "value",
    "func.constant": "value",
    "index.bool.constant": "value",
    "index.constant": "value",
    "llvm.dso_local_equivalent": "function_name",
    "llvm.mlir.addressof": "global_name",
    "llvm.mlir.constant": "value",
    "shape.const_shape": "shape",
    "shape.const_size": "value",
    "shape.const_witness": "passing",
    "ub.poison": "value",
    "tosa.const": "value",
}
#: Constants of the llvm dialect whose value is their kind.
CONSTANT_KIND: dict[str, str] = {
    "llvm.mlir.none": "llvm.none",
    "llvm.mlir.poison": "llvm.poison",
    "llvm.mlir.undef": "llvm.undef",
    "llvm.mlir.zero": "llvm.zero",
}


#: In place of a property: the operation's own folder says what the value is.
_FOLDS = ""


def register_constant(name: str, attribute: str = _FOLDS) -> None:
    """States that the operation `name`, of another project, is a constant, and which property or
    attribute of it is the value; without one its class is xDSL's `HasFolder` and tells."""
    CONSTANT_VALUE[name] = attribute


def is_constant_op(op: Operation) -> bool:
    """Whether `op` is a constant: MLIR's trait ConstantLike."""
    return op.name in CONSTANT_VALUE or op.name in CONSTANT_KIND


def constant_value(op: Operation) -> Attribute | None:
    """The value of a constant operation, or None if `op` is none."""
    name = CONSTANT_VALUE.get(op.name)
    if name == _FOLDS:
        return _folded(op)
    if name is not None:
        value = op.properties.get(name)  # an IntegerAttr of 0 is false: no `or` here
        return value if value is not None else op.attributes.get(name)
    kind = CONSTANT_KIND.get(op.name)
    if kind == "llvm.zero":
        ty = op.results[0].type
        if isinstance(ty, IntegerType):
            return IntegerAttr(0, ty)
        if isinstance(ty, AnyFloat):
            return FloatAttr(0.0, ty)
    if kind is not None:
        cls = definitions().optional_attr_class(kind)
        return cls() if cls is not None else None
    return None


def _folded(op: Operation) -> Attribute | None:
    """The value of a constant as its folder, in xDSL's terms, has it."""
    trait = op.get_trait(HasFolder)
    values = None if trait is None else trait.fold(op)
    return values[0] if values and isinstance(values[0], Attribute) else None


def constant_of(value: SSAValue) -> Attribute | None:
    """The constant that `value` is, or None."""
    if type(value) is not OpResult:
        return None
    op = value.op
    name = op.name
    # Most values are none: asked first, without more calls.
    if name not in CONSTANT_VALUE and name not in CONSTANT_KIND:
        return None
    return constant_value(op)


def is_poison(attr: Attribute | None) -> bool:
    return attr is not None and attr.name == "ub.poison"


def poison() -> Attribute:
    cls = definitions().attr_class("ub.poison")
    return cls()


# --- reading -----------------------------------------------------------------------------------
def splat_value(attr: Attribute | None) -> int | float | None:
    """The number that a scalar or splat constant consists of, or None."""
    if attr is None:
        return None
    if attr.__class__ is IntegerAttr or attr.__class__ is FloatAttr:
        return attr.value.data  # pyright: ignore
    if isinstance(attr, DenseIntOrFPElementsAttr):
        size = element_size(attr.get_element_type())
        data: bytes = attr.data.data
        if not is_splat(data, size):
            return None
        first = unpack(data[:size], attr.get_element_type())[0]
        return first if isinstance(first, int | float) else None
    return None


def int_value(attr: Attribute | None) -> int | None:
    """The signed integer that a scalar or splat constant consists of, or None."""
    value = splat_value(attr)
    if type(value) is int:
        return value
    # What xDSL makes of False keeps it, a bool.
    return int(value) if value is False or value is True else None


def int_of(value: SSAValue) -> int | None:
    """The signed integer that `value` is known to be, or None."""
    return int_value(constant_of(value))


def element_type(type_: Attribute) -> Attribute:
    """The type itself, or that of its elements."""
    inner: Attribute | None = getattr(type_, "element_type", None)
    return type_ if inner is None else inner


def width_of(type_: Attribute) -> int:
    """The bits of an integer or index type, or of a shaped type's elements."""
    inner = element_type(type_)
    return inner.width.data if isinstance(inner, IntegerType) else INDEX_WIDTH


def format_of(type_: Attribute) -> FloatFormat | None:
    """The format of a float type or of a shaped type's elements; None for other types."""
    return FORMATS.get(element_type(type_).name)


# --- making ------------------------------------------------------------------------------------
def make(type_: Attribute, value: int | float) -> Attribute | None:
    """The constant `value` of `type_`: scalar, or a splat of a static shape; None if there is none.

    Integers wrap to the type's width; a float must be a value of the type.
    """
    inner = element_type(type_)
    if isinstance(inner, IntegerType | IndexType):
        number: int | float = wrapped(int(value), inner)
    elif isinstance(inner, AnyFloat):
        number = float(value) if value.__class__ is int else value
    else:
        return None
    if inner is type_:
        if isinstance(inner, AnyFloat):
            return float_attribute(number, inner)
        return IntegerAttr(int(number), inner)
    shape: Callable[[], Sequence[int]] | None = getattr(type_, "get_shape", None)
    if shape is None or any(d < 0 for d in shape()):
        return None
    count = math.prod(shape())
    return dense(type_, repeated(pack([number], inner), count) if count else b"")


def wrapped(value: int, type_: Attribute) -> int:
    """`value` as attributes of the integer type hold it."""
    if isinstance(type_, IntegerType) and type_.signedness.data is Signedness.UNSIGNED:
        return unsigned(value, type_.width.data)
    return signed(value, width_of(type_))


def make_dense(type_: Attribute, values: Sequence[float | int]) -> Attribute:
    """The dense constant of `type_` with these elements."""
    kind = cast("VectorType", type_)
    return dense(kind, pack(values, kind.element_type))


def map_elements(
    constants: Sequence[Attribute | None],
    type_: Attribute,
    compute: Callable[..., Any],
) -> Attribute | None:
    """Computes a constant of `type_` from constants, element by element.

    `compute` takes numbers and returns a number, or None where there is no result. The result is
    None if any constant is missing; poison if any is poison.
    """
    if any(is_poison(c) for c in constants):
        return poison()
    if any(c is None for c in constants):
        return None
    splats = [splat_value(c) for c in constants]
    if all(s is not None for s in splats):
        value = compute(*splats)
        return None if value is None else make(type_, value)
    columns: list[Sequence[int]] = []
    for c in constants:
        if not isinstance(c, DenseIntOrFPElementsAttr) or isinstance(c.data.data, Repeated):
            return None  # no elements, or too many to be held one by one
        columns.append(unpack(c.data.data, c.get_element_type()))
    if len({len(c) for c in columns}) != 1:
        return None
    results: list[int] = []
    inner = element_type(type_)
    is_integer = isinstance(inner, IntegerType | IndexType)
    for row in zip(*columns, strict=True):
        value = compute(*row)
        if value is None:
            return None
        results.append(wrapped(value, inner) if is_integer else value)
    return make_dense(type_, results)
