# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers of any size: to text and back, and what fits into how many bits.

Python refuses to convert more than 4,300 decimal digits at once (`sys.set_int_max_str_digits`,
which is the process's and not ours to change). MLIR's integers have up to 16,777,215 bits, five
million digits, so long ones go through their halves.
"""

from __future__ import annotations

#: Python's limit is never set below 640 digits.
_DIGITS = 600


def integer_value(literal: str) -> int:
    """The value of a literal, `0x` and hexadecimal or decimal digits."""
    if literal[1:2] == "x":
        return int(literal, 16)
    return _from_decimal(literal)


def _from_decimal(digits: str) -> int:
    if len(digits) <= _DIGITS:
        return int(digits)
    low = len(digits) // 2
    return _from_decimal(digits[:-low]) * 10**low + _from_decimal(digits[-low:])


def integer_text(value: int) -> str:
    """`value` in decimal."""
    # A bit is less than a third of a digit.
    if value.bit_length() <= 3 * _DIGITS:
        return str(value)
    import decimal

    # Decimal multiplies in less than quadratic time, and writes numbers of any length.
    exact = decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
    powers: dict[int, decimal.Decimal] = {}

    def convert(part: int, bits: int) -> decimal.Decimal:
        if bits <= 3 * _DIGITS:
            return decimal.Decimal(part)
        low = bits // 2
        if low not in powers:
            powers[low] = exact.power(2, low)
        high = exact.multiply(convert(part >> low, bits - low), powers[low])
        return exact.add(high, convert(part & ((1 << low) - 1), low))

    sign = "-" if value < 0 else ""
    return sign + f"{convert(abs(value), value.bit_length()):f}"


def fits(value: int, bits: int, signed: bool = True) -> bool:
    """Whether `value` is a two's complement number, or an unsigned one, of so many bits."""
    if signed:
        return -(1 << bits >> 1) <= value < 1 << bits >> 1
    return 0 <= value < 1 << bits


def wrapped(value: int, bits: int = 64) -> int:
    """The two's complement number of so many bits that `value` is modulo 2**bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value
