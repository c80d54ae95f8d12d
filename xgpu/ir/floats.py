# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floating point literals, read and printed with MLIR's rules (`APFloat`'s)."""

from __future__ import annotations

import math
import struct
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    FloatAttr,
    FloatData,
)
from xdsl.ir import Attribute


def float_literal(
    parser: Any, text: str, negative: bool, type: AnyFloat, position: int
) -> Attribute:
    """A float attribute from a decimal literal, or from the bits that a hexadecimal one gives."""
    if "." in text:
        value = round_to(-float(text) if negative else float(text), type)
    else:
        value = bits_literal(parser, text, negative, type, position)
    return FloatAttr.new([FloatData(value), type])


def bits_literal(parser: Any, text: str, negative: bool, type: AnyFloat, position: int) -> float:
    """The value of an integer literal where a float belongs: hexadecimal bits only."""
    if text[1:2] != "x":
        raise parser.error_at(
            position,
            "unexpected decimal integer literal for a floating point value",
            [(parser.location_at(position), "add a trailing dot to make the literal a float")],
        )
    if negative:
        raise parser.error_at(position, "hexadecimal float literal should not have a leading minus")
    bits = int(text, 16)
    if bits >> type.bitwidth:
        raise parser.error_at(position, "hexadecimal float constant out of range for type")
    return from_bits(bits, type)


def from_bits(bits: int, type: AnyFloat) -> float:
    """The value of a bit pattern of `type`. A NaN that is not the usual one keeps its pattern in
    the low bits of the double's."""
    if isinstance(type, Float80Type):
        value = _wide_from_bits(bits, 15, 64, True)
    elif isinstance(type, Float128Type):
        return _wide_from_bits(bits, 15, 112, False)
    elif isinstance(type, Float64Type):
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    else:
        value = type.unpack(bits.to_bytes(type.compile_time_size, "little"), 1)[0]
    if value != value and type.bitwidth <= 32:
        if bits == _plain_bits(math.nan, type):
            return math.nan
        return struct.unpack("<d", struct.pack("<Q", _NAN_MARK | bits))[0]
    return value


#: A quiet NaN whose low 32 bits are the bit pattern of a NaN of a smaller type.
_NAN_MARK = 0x7FF8_0100_0000_0000


def to_bits(value: float, type: AnyFloat) -> int:
    """The bit pattern of a value of `type`."""
    if value != value and type.bitwidth <= 32:
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        if bits & ~0xFFFF_FFFF == _NAN_MARK:
            return bits & ((1 << type.bitwidth) - 1)
        if bits >> 63 and type.bitwidth < 32:
            return _plain_bits(math.nan, type) | 1 << (type.bitwidth - 1)
    return _plain_bits(value, type)


def _plain_bits(value: float, type: AnyFloat) -> int:
    if isinstance(type, Float80Type):
        return _wide_to_bits(value, 15, 63, True)
    if isinstance(type, Float128Type):
        return _wide_to_bits(value, 15, 112, False)
    return int.from_bytes(type.pack((value,)), "little")


def _wide_from_bits(bits: int, exponent_bits: int, mantissa_bits: int, explicit: bool) -> float:
    """x87's and IEEE's wide formats as a double: what does not fit is rounded."""
    mantissa = bits & ((1 << mantissa_bits) - 1)
    exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1)
    sign = -1.0 if bits >> (mantissa_bits + exponent_bits) & 1 else 1.0
    fraction_bits = mantissa_bits - 1 if explicit else mantissa_bits
    if exponent == (1 << exponent_bits) - 1:
        fraction = mantissa & ((1 << fraction_bits) - 1)
        return math.copysign(math.nan if fraction else math.inf, sign)
    if not explicit and exponent:
        mantissa |= 1 << mantissa_bits
    power = max(exponent, 1) - ((1 << (exponent_bits - 1)) - 1) - fraction_bits
    try:
        return sign * math.ldexp(float(mantissa), power)
    except OverflowError:
        return sign * math.inf


def _wide_to_bits(value: float, exponent_bits: int, fraction_bits: int, explicit: bool) -> int:
    sign = int(math.copysign(1.0, value) < 0)
    bias = (1 << (exponent_bits - 1)) - 1
    top = (1 << exponent_bits) - 1
    one = 1 << fraction_bits
    if math.isnan(value) or math.isinf(value):
        exponent = top
        mantissa = one if explicit else 0
        if math.isnan(value):
            mantissa |= one >> 1
    elif value == 0:
        exponent, mantissa = 0, 0
    else:
        fraction, power = math.frexp(abs(value))
        exponent = power - 1 + bias
        mantissa = int(math.ldexp(fraction, 53)) << (fraction_bits + 1 - 53)
        if not explicit:
            mantissa &= one - 1
    width = fraction_bits + (1 if explicit else 0)
    return (sign << (width + exponent_bits)) | (exponent << width) | mantissa


def round_to(value: float, type: AnyFloat) -> float:
    """`value` rounded to the nearest of `type`, to infinity where it is too large."""
    if isinstance(type, Float64Type | Float80Type | Float128Type):
        return value
    if isinstance(type, Float32Type):
        try:
            return struct.unpack("<f", struct.pack("<f", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    if isinstance(type, Float16Type):
        try:
            return struct.unpack("<e", struct.pack("<e", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    rounded = type.unpack(type.pack((value,)), 1)[0]
    # Types without infinities overflow to a NaN of the number's sign.
    return math.copysign(math.nan, value) if rounded != rounded else rounded


#: Bits of the significand of each type, the hidden one included.
_PRECISION = {
    "f16": 11,
    "bf16": 8,
    "f32": 24,
    "f64": 53,
    "f80": 64,
    "f128": 113,
    "tf32": 11,
    "f8E5M2": 3,
    "f8E5M2FNUZ": 3,
    "f8E4M3": 4,
    "f8E4M3FN": 4,
    "f8E4M3FNUZ": 4,
    "f8E4M3B11FNUZ": 4,
    "f8E3M4": 5,
    "f8E8M0FNU": 1,
    "f6E2M3FN": 4,
    "f6E3M2FN": 3,
    "f4E2M1FN": 2,
}

_known: dict[tuple[float, str], str] = {}


def float_text(value: float, type: AnyFloat) -> str:
    """A value as MLIR prints it: six digits if they say it exactly, else all that it takes, else
    its bits."""
    key = (value, type.name)
    text = _known.get(key)
    if text is None or not value:
        text = _float_text(value, type)
        if value == value:
            _known[key] = text
    return text


def _float_text(value: float, type: AnyFloat) -> str:
    if math.isinf(value) or math.isnan(value):
        return f"0x{to_bits(value, type):X}"
    text = decimal_text(value, 6, 0)
    if isinstance(type, Float80Type | Float128Type):
        from fractions import Fraction

        exact = Fraction(text) == Fraction(value)
    else:
        exact = round_to(float(text), type) == value
    if exact:
        return text
    text = decimal_text(value, 2 + _PRECISION[type.name] * 59 // 196, 3)
    return text if "." in text else f"0x{to_bits(value, type):X}"


def decimal_text(value: float, precision: int, padding: int) -> str:
    """`APFloat::toString`: at most `precision` digits; scientific if `padding` is 0 or not enough
    zeros to write the number without exponent. Its rounding is its own: digits beyond what the
    precision may need are cut off first, and what is left is rounded half up."""
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if not value:
        return f"{sign}0.{'0' * precision}e+00" if not padding else f"{sign}0"
    significand, denominator = abs(value).as_integer_ratio()
    exponent = -(denominator.bit_length() - 1)
    if exponent < 0:
        significand *= 5**-exponent
    extra = significand.bit_length() - (precision * 196 + 58) // 59
    tens = extra * 59 // 196 if extra > 0 else 0
    if tens:
        exponent += tens
        significand //= 10**tens
    digits = str(significand)
    exponent += len(digits) - len(digits.rstrip("0"))
    digits = digits.rstrip("0")
    if len(digits) > precision:
        cut = len(digits) - precision
        head = int(digits[:precision]) + (digits[precision] >= "5")
        exponent += cut
        digits = str(head)
        exponent += len(digits) - len(digits.rstrip("0"))
        digits = digits.rstrip("0")
    count = len(digits)
    most = exponent + count - 1
    if padding:
        if exponent >= 0:
            scientific = exponent > padding or count + exponent > precision
        else:
            scientific = most < 0 and -most > padding
        if not scientific:
            if exponent >= 0:
                return sign + digits + "0" * exponent
            whole = exponent + count
            if whole > 0:
                return f"{sign}{digits[:whole]}.{digits[whole:]}"
            return f"{sign}0.{'0' * -whole}{digits}"
        tail = digits[1:] or "0"
        return f"{sign}{digits[0]}.{tail}E{'-' if most < 0 else '+'}{abs(most)}"
    tail = digits[1:].ljust(precision, "0")
    return f"{sign}{digits[0]}.{tail}e{'-' if most < 0 else '+'}{abs(most):02d}"
