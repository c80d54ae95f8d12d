# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of arith's casts."""

from __future__ import annotations

import math
import struct
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.ir.constants import element_type, map_elements, round_float, signed, unsigned, width_of

Constants = list[Attribute | None]
Folded = list[SSAValue | Attribute] | bool | None

_MANTISSA = {Float16Type: 11, BFloat16Type: 8, Float32Type: 24, Float64Type: 53}


def _inner(op: Operation, *names: str) -> Operation | None:
    owner = op.operands[0].owner
    return owner if isinstance(owner, Operation) and owner.name in names else None


def _constant(op: Operation, constants: Constants, compute: Any) -> Folded:
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
    to = element_type(op.results[0].type)
    return _constant(op, constants, lambda a: round_float(a, to))


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
    to = element_type(op.results[0].type)
    # MLIR leaves what would be rounded.
    return _constant(op, constants, lambda a: a if round_float(a, to) == a else None)


def _int_to_float(op: Operation, constants: Constants) -> Folded:
    source = width_of(op.operands[0].type)
    number = unsigned if op.name == "arith.uitofp" else signed
    to = element_type(op.results[0].type)
    digits = _MANTISSA.get(type(to))  # type: ignore[arg-type]
    if digits is None:
        return None
    return _constant(op, constants, lambda a: _round_int(number(a, source), digits, to))


def _round_int(value: int, digits: int, to: Attribute) -> float | None:
    """An integer rounded once to a float type: through a double only what is exact in it."""
    size = abs(value).bit_length()
    if size > digits:
        drop = size - digits
        sign, magnitude = (-1 if value < 0 else 1), abs(value)
        low = magnitude & ((1 << drop) - 1)
        magnitude >>= drop
        half = 1 << (drop - 1)
        if low > half or (low == half and magnitude & 1):
            magnitude += 1
        value = sign * (magnitude << drop)
    return round_float(float(value), to)


def _float_to_int(op: Operation, constants: Constants) -> Folded:
    width = width_of(op.results[0].type)
    if op.name == "arith.fptoui":
        low, high = 0, (1 << width) - 1
    else:
        low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1

    def convert(value: float) -> int | None:
        if math.isnan(value) or math.isinf(value):
            return None
        whole = math.trunc(value)
        return whole if low <= whole <= high else None

    return _constant(op, constants, convert)


def _index_cast(op: Operation, constants: Constants) -> Folded:
    source = width_of(op.operands[0].type)
    number = unsigned if op.name == "arith.index_castui" else signed
    found = _constant(op, constants, lambda a: number(a, source))
    if found is not None:
        return found
    inner = _inner(op, op.name)
    if inner is not None and inner.operands[0].type == op.results[0].type:
        middle = width_of(inner.results[0].type)
        if middle >= width_of(op.results[0].type):
            return [inner.operands[0]]
    return None


_FORMATS = {Float16Type: "<e", Float32Type: "<f", Float64Type: "<d"}
_INTS = {16: "<H", 32: "<I", 64: "<Q"}


def _bits(attr: Attribute | None) -> tuple[int, int] | None:
    """A scalar constant's bits and how many they are."""
    if isinstance(attr, IntegerAttr):
        width = width_of(attr.type)
        return unsigned(attr.value.data, width), width
    if isinstance(attr, FloatAttr):
        if isinstance(attr.type, BFloat16Type):
            return struct.unpack("<I", struct.pack("<f", attr.value.data))[0] >> 16, 16
        form = _FORMATS.get(type(attr.type))  # type: ignore[arg-type]
        if form is not None:
            width = attr.type.bitwidth
            return struct.unpack(_INTS[width], struct.pack(form, attr.value.data))[0], width
    return None


def _bitcast(op: Operation, constants: Constants) -> Folded:
    to = op.results[0].type
    if op.operands[0].type == to:
        return [op.operands[0]]
    if isinstance(constants[0], DenseIntOrFPElementsAttr):
        return _bitcast_elements(constants[0], to)
    found = _bits(constants[0])
    if found is None:
        return None
    bits, width = found
    if isinstance(to, IntegerType) and to.width.data == width:
        return [IntegerAttr(signed(bits, width), to)]
    if isinstance(to, BFloat16Type):
        return [FloatAttr(struct.unpack("<f", struct.pack("<I", bits << 16))[0], to)]
    form = _FORMATS.get(type(to))  # type: ignore[arg-type]
    if form is not None and isinstance(to, AnyFloat) and to.bitwidth == width:
        return [FloatAttr(struct.unpack(form, struct.pack(_INTS[width], bits))[0], to)]
    return None


def _bitcast_elements(attr: DenseIntOrFPElementsAttr, to: Any) -> Folded:
    """Elements are kept as their bytes, whatever their type; those of less than one are not."""
    element: Any = to.element_type
    width: int = element.bitwidth
    if width % 8 or width > 64:
        return None
    return [DenseIntOrFPElementsAttr(to, attr.data)]


CASTS: dict[str, Any] = {
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
