# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of arith's casts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ContainerType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir import float_arithmetic as floats
from xgpu.core.ir.constants import (
    element_type,
    format_of,
    is_poison,
    map_elements,
    poison,
    width_of,
)
from xgpu.core.ir.float_formats import from_bits, to_bits
from xgpu.core.ir.floats import float_attribute
from xgpu.core.ir.integer_arithmetic import signed, unsigned

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.dialects.builtin import TensorType

    from xgpu.dialects.hook_types import Folder


Constants = list[Attribute | None]
Folded = list[SSAValue | Attribute] | bool | None


def _inner(op: Operation, *names: str) -> Operation | None:
    owner = op.operands[0].owner
    return owner if isinstance(owner, Operation) and owner.name in names else None


def _constant(
    op: Operation, constants: Constants, compute: Callable[..., int | float | None]
) -> Folded:
    found = map_elements(constants, op.results[0].type, compute)
    return None if found is None else [found]


def _extend(op: Operation, constants: Constants) -> Folded:
    source = width_of(op.operands[0].type)
    inner = _inner(op, op.name)
    if inner is not None:
        op.operands[0] = inner.operands[0]
        return True
    number = unsigned if op.name == "arith.extui" else signed
    return _constant(op, constants, lambda a: number(a, source))


def _trunci(op: Operation, constants: Constants) -> Folded:
    inner = _inner(op, "arith.extui", "arith.extsi")
    if inner is not None:
        source = inner.operands[0]
        to, from_ = width_of(op.results[0].type), width_of(source.type)
        if source.type == op.results[0].type:
            return [source]
        if to < from_:
            op.operands[0] = source
            return True
    inner = _inner(op, "arith.trunci")
    if inner is not None:
        op.operands[0] = inner.operands[0]
        return True
    return _constant(op, constants, lambda a: a)


def _extf(op: Operation, constants: Constants) -> Folded:
    inner = _inner(op, "arith.truncf")
    if inner is not None:
        flags = getattr(op.properties.get("fastmath"), "flags", ())
        before = getattr(inner.properties.get("fastmath"), "flags", ())
        allowed = {"contract", "fast"}
        if (
            inner.operands[0].type == op.results[0].type
            and allowed & set(flags)
            and allowed & set(before)
        ):
            return [inner.operands[0]]
    return _convert(op, constants)


def _truncf(op: Operation, constants: Constants) -> Folded:
    inner = _inner(op, "arith.extf")
    if inner is not None:
        source = inner.operands[0]
        if source.type == op.results[0].type:
            return [source]
        to, from_ = element_type(op.results[0].type), element_type(source.type)
        if getattr(to, "bitwidth", 0) < getattr(from_, "bitwidth", 0):
            op.operands[0] = source
            return True
    return _convert(op, constants)


def _convert(op: Operation, constants: Constants) -> Folded:
    """MLIR leaves what would be rounded, or is a signaling NaN."""
    form = format_of(op.results[0].type)
    if form is None:
        return None
    return _constant(op, constants, lambda a: a if floats.is_exact_in(a, form) else None)


def _int_to_float(op: Operation, constants: Constants) -> Folded:
    source = width_of(op.operands[0].type)
    number = unsigned if op.name == "arith.uitofp" else signed
    form = format_of(op.results[0].type)
    if form is None:
        return None
    return _constant(op, constants, lambda a: floats.from_int(number(a, source), form))


def _float_to_int(op: Operation, constants: Constants) -> Folded:
    width = width_of(op.results[0].type)
    is_signed = op.name == "arith.fptosi"
    return _constant(op, constants, lambda a: floats.to_int(a, width, is_signed=is_signed))


def _index_cast(op: Operation, constants: Constants) -> Folded:
    source = width_of(op.operands[0].type)
    number = unsigned if op.name == "arith.index_castui" else signed
    return _constant(op, constants, lambda a: number(a, source))


def _bits(attr: Attribute | None) -> tuple[int, int] | None:
    """A scalar constant's bits and how many they are."""
    if isinstance(attr, IntegerAttr):
        width = width_of(attr.type)
        return unsigned(attr.value.data, width), width
    if isinstance(attr, FloatAttr) and (form := format_of(attr.type)) is not None:
        return to_bits(attr.value.data, form), form.width
    return None


def _bitcast(op: Operation, constants: Constants) -> Folded:
    to = op.results[0].type
    if op.operands[0].type == to:
        return [op.operands[0]]
    if is_poison(constants[0]) and not isinstance(to, ContainerType):
        return [poison()]
    if isinstance(constants[0], DenseIntOrFPElementsAttr):
        return _bitcast_elements(constants[0], to)
    found = _bits(constants[0])
    if found is None:
        return None
    bits, width = found
    if isinstance(to, IntegerType) and to.width.data == width:
        return [IntegerAttr(signed(bits, width), to)]
    form = format_of(to)
    if form is not None and form.width == width and isinstance(to, AnyFloat):
        return [float_attribute(from_bits(bits, form), to)]
    return None


def _bitcast_elements(attr: DenseIntOrFPElementsAttr, to: Attribute) -> Folded:
    """Elements are kept as their bytes, whatever their type; those of less than one are not."""

    to = cast("TensorType[IntegerType | AnyFloat]", to)
    width = to.element_type.bitwidth
    if width % 8 or width > 64:
        return None
    return [DenseIntOrFPElementsAttr(to, attr.data)]


CASTS: dict[str, Folder] = {
    "arith.bitcast": _bitcast,
    "arith.extf": _extf,
    "arith.extsi": _extend,
    "arith.extui": _extend,
    "arith.fptosi": _float_to_int,
    "arith.fptoui": _float_to_int,
    "arith.index_cast": _index_cast,
    "arith.index_castui": _index_cast,
    "arith.sitofp": _int_to_float,
    "arith.truncf": _truncf,
    "arith.trunci": _trunci,
    "arith.uitofp": _int_to_float,
}
