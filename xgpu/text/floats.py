# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floating point literals, read and printed with MLIR's rules (`APFloat`'s)."""

from __future__ import annotations

import math
import struct
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
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


def bits_literal(
    parser: Any, text: str, negative: bool, type: AnyFloat, position: int
) -> float:
    """The value of an integer literal where a float belongs: hexadecimal bits only."""
    if text[1:2] != "x":
        raise parser.error_at(
            position, "unexpected decimal integer literal for a floating point value",
            [(parser.location_at(position), "add a trailing dot to make the literal a float")],
        )
    if negative:
        raise parser.error_at(
            position, "hexadecimal float literal should not have a leading minus"
        )
    bits = int(text, 16)
    if bits >> type.bitwidth:
        raise parser.error_at(
            position, "hexadecimal float constant out of range for type"
        )
    return from_bits(bits, type)


def from_bits(bits: int, type: AnyFloat) -> float:
    """The value of a bit pattern of `type`."""
    if isinstance(type, Float80Type):
        return _wide_from_bits(bits, 15, 64, True)
    if isinstance(type, Float128Type):
        return _wide_from_bits(bits, 15, 112, False)
    size = (type.bitwidth + 7) // 8
    return type.unpack(bits.to_bytes(max(size, type.compile_time_size), "little"), 1)[0]


def to_bits(value: float, type: AnyFloat) -> int:
    """The bit pattern of a value of `type`."""
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
    return type.unpack(type.pack((value,)), 1)[0]


#: Decimal digits that tell all values of the type apart, as APFloat counts them.
_PRECISION = {Float32Type: 9, Float64Type: 17, Float16Type: 5, BFloat16Type: 4}


def float_text(value: float, type: AnyFloat) -> str:
    """A value as MLIR prints it: six digits if they say it exactly, else all that it takes, else
    its bits."""
    if math.isinf(value) or math.isnan(value):
        return f"0x{to_bits(value, type):X}"
    text = _scientific(value, 6)
    if round_to(float(text), type) == value:
        return text
    digits = _shortest(value, type)
    if "." in digits:
        return digits
    return f"0x{to_bits(value, type):X}"


def _scientific(value: float, digits: int) -> str:
    """APFloat's toString with `digits` digits and no padding room: always scientific."""
    text = f"{value:.{digits - 1}e}"
    mantissa, exponent = text.split("e")
    if "." not in mantissa:
        mantissa += "."
    return f"{mantissa}0e{exponent}" if digits == 6 else f"{mantissa}e{exponent}"


def _shortest(value: float, type: AnyFloat) -> str:
    """APFloat's default toString: enough digits to round-trip, plain up to three zeros of padding,
    else scientific with an upper-case E."""
    precision = _PRECISION.get(type.__class__)
    if precision is None:
        precision = 17 if type.bitwidth > 64 else 2 + type.bitwidth * 59 // 196
    text = f"{abs(value):.{precision - 1}e}"
    mantissa, exponent_text = text.split("e")
    digits = mantissa.replace(".", "").rstrip("0") or "0"
    exponent = int(exponent_text)
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    last = exponent - (len(digits) - 1)
    # Plain if the number is an integer without padding, or if few zeros follow the point.
    if last >= 0:
        if last == 0 or last + len(digits) <= precision and last <= 3:
            return sign + digits + "0" * last
    else:
        lead = exponent
        if lead >= 0:
            return f"{sign}{digits[: lead + 1]}.{digits[lead + 1 :]}"
        if -lead - 1 < 3:
            return f"{sign}0.{'0' * (-lead - 1)}{digits}"
    head = digits[0] + "." + (digits[1:] or "0")
    return f"{sign}{head}E{'+' if exponent >= 0 else '-'}{abs(exponent)}"
