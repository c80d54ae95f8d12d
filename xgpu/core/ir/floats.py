# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floating point literals, read and printed with MLIR's rules (`APFloat`'s)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import AnyFloat, FloatAttr, FloatData
from xdsl.ir import Attribute

from xgpu.core.ir import float_formats
from xgpu.core.ir.float_formats import FORMATS, WideFloat, from_decimal, is_negative

if TYPE_CHECKING:
    from xdsl.parser import Parser


def float_literal(
    parser: Parser, text: str, negative: bool, type: AnyFloat, position: int
) -> Attribute:
    """A float attribute from a decimal literal, or from the bits that a hexadecimal one gives."""
    if "." in text:
        value = round_to(-float(text) if negative else float(text), type)
    else:
        value = bits_literal(parser, text, negative, type, position)
    return float_attribute(value, type)


class _OpenToSubclasses:
    """xDSL closes its attributes; what has one more kind of data under the same checks is open."""

    def __init_subclass__(cls) -> None:
        pass


class WideFloatData(_OpenToSubclasses, FloatData):
    """The value of an f80 or f128 that no double is: equal to none that has the same double."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WideFloatData):
            return False
        return _wide_key(self.data) == _wide_key(other.data)

    def __hash__(self) -> int:
        return hash(_wide_key(self.data))


def _wide_key(value: Any) -> tuple[bool, bool, int, int]:
    return is_negative(value), math.isnan(value), value.significand, value.exponent


def float_attribute(value: float, type: AnyFloat) -> FloatAttr:
    """The attribute of a value that is one of `type`."""
    data = WideFloatData(value) if isinstance(value, WideFloat) else FloatData(value)
    return FloatAttr.new([data, type])


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
    """The value of a bit pattern of `type`."""
    return float_formats.from_bits(bits, FORMATS[type.name])


def to_bits(value: float, type: AnyFloat) -> int:
    """The bit pattern of a value of `type`."""
    return float_formats.to_bits(value, FORMATS[type.name])


def round_to(value: float, type: AnyFloat) -> float:
    """`value` rounded to the nearest of `type`; what is too large becomes infinity, else NaN, else
    the largest."""
    return float_formats.round_to(value, FORMATS[type.name])


_known: dict[tuple[float, str], str] = {}


def float_text(value: float, type: AnyFloat) -> str:
    """A value as MLIR prints it: six digits if they say it exactly, else all that it takes, else
    its bits. MLIR also prints digits of an f80 or f128 that no double is, but reads them as one."""
    key = (value, type.name)
    text = _known.get(key)
    if text is None or not value:
        text = _float_text(value, type)
        if value == value:
            _known[key] = text
    return text


def _float_text(value: float, type: AnyFloat) -> str:
    if math.isinf(value) or math.isnan(value) or isinstance(value, WideFloat):
        return f"0x{to_bits(value, type):X}"
    form = FORMATS[type.name]
    text = decimal_text(value, 6, 0)
    if from_decimal(text, form) == value:
        return text
    text = decimal_text(value, 2 + form.precision * 59 // 196, 3)
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
