# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers of any size: to text and back, and what fits into how many bits.

Python refuses to convert more than 4,300 decimal digits at once (`sys.set_int_max_str_digits`,
which is the process's and not ours to change). MLIR's integers have up to 16,777,215 bits, five
million digits, so long ones go through their halves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, IntegerType

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


# -- Exact arithmetic on integers of a width: the one definition of each integer operation.
#
# A function takes the operands, any integers that agree with the values modulo 2**width, and the
# width in bits; its result is an integer that agrees with the value modulo 2**width, or None where
# the operation has no defined result. `signed` and `unsigned` choose the representative.


Binary = Callable[[int, int, int], "int | None"]


def signed(value: int, width: int) -> int:
    """`value` modulo 2**width, between -2**(width-1) and 2**(width-1)-1."""
    value &= (1 << width) - 1
    return value - (1 << width) if width and value >> (width - 1) else value


def unsigned(value: int, width: int) -> int:
    """`value` modulo 2**width, not negative."""
    return value & ((1 << width) - 1)


def smallest(width: int) -> int:
    """The least signed integer."""
    return -(1 << width - 1) if width else 0


def largest(width: int) -> int:
    """The greatest signed integer."""
    return (1 << width - 1) - 1 if width else 0


def quotient(a: int, b: int) -> int:
    """a / b cut off towards zero; `b` is not zero."""
    whole = abs(a) // abs(b)
    return whole if (a < 0) == (b < 0) else -whole


def division_overflows(a: int, b: int, width: int) -> bool:
    """Whether a signed division has no result that fits: by zero, or the smallest by -1."""
    b = signed(b, width)
    return b == 0 or (b == -1 and width > 0 and signed(a, width) == smallest(width))


def udiv(a: int, b: int, width: int) -> int | None:
    b = unsigned(b, width)
    return unsigned(a, width) // b if b else None


def urem(a: int, b: int, width: int) -> int | None:
    b = unsigned(b, width)
    return unsigned(a, width) % b if b else None


def sdiv(a: int, b: int, width: int) -> int | None:
    if division_overflows(a, b, width):
        return None
    return quotient(signed(a, width), signed(b, width))


def srem(a: int, b: int, width: int) -> int | None:
    """The remainder with the sign of `a`; 0 for the smallest by -1."""
    a, b = signed(a, width), signed(b, width)
    return a - quotient(a, b) * b if b else None


def ceildivu(a: int, b: int, width: int) -> int | None:
    b = unsigned(b, width)
    return -(-unsigned(a, width) // b) if b else None


def ceildivs(a: int, b: int, width: int) -> int | None:
    if division_overflows(a, b, width):
        return None
    return -(-signed(a, width) // signed(b, width))


def floordivs(a: int, b: int, width: int) -> int | None:
    if division_overflows(a, b, width):
        return None
    return signed(a, width) // signed(b, width)


def _shift(compute: Binary) -> Binary:
    """A shift: none by as many bits as there are, or more."""

    def checked(a: int, b: int, width: int) -> int | None:
        amount = unsigned(b, width)
        return compute(a, amount, width) if amount < width else None

    return checked


def ctlz(a: int, width: int) -> int:
    """The zeros before the first one."""
    return width - unsigned(a, width).bit_length()


def cttz(a: int, width: int) -> int:
    """The zeros behind the last one; the width if there is none."""
    bits = unsigned(a, width)
    return (bits & -bits).bit_length() - 1 if bits else width


def ctpop(a: int, width: int) -> int:
    """How many bits are one."""
    return unsigned(a, width).bit_count()


def power(base: int, exponent: int, width: int) -> int | None:
    """A power of signed integers, towards zero; None for zero to a negative power."""
    base, exponent = signed(base, width), signed(exponent, width)
    if exponent >= 0:
        return pow(base, exponent, 1 << width)
    if base == 0:
        return None
    if abs(base) == 1:
        return base if exponent % 2 else 1
    return 0


#: Operations of two integers, by LLVM's names and, for what LLVM lacks, MLIR's.
BINARY: dict[str, Binary] = {
    "add": lambda a, b, w: a + b,
    "sub": lambda a, b, w: a - b,
    "mul": lambda a, b, w: a * b,
    "and": lambda a, b, w: a & b,
    "or": lambda a, b, w: a | b,
    "xor": lambda a, b, w: a ^ b,
    "shl": _shift(lambda a, b, w: a << b),
    "lshr": _shift(lambda a, b, w: unsigned(a, w) >> b),
    "ashr": _shift(lambda a, b, w: signed(a, w) >> b),
    "udiv": udiv,
    "urem": urem,
    "sdiv": sdiv,
    "srem": srem,
    "ceildivs": ceildivs,
    "ceildivu": ceildivu,
    "floordivs": floordivs,
    "smax": lambda a, b, w: max(signed(a, w), signed(b, w)),
    "smin": lambda a, b, w: min(signed(a, w), signed(b, w)),
    "umax": lambda a, b, w: max(unsigned(a, w), unsigned(b, w)),
    "umin": lambda a, b, w: min(unsigned(a, w), unsigned(b, w)),
}

#: Comparisons by their names, in the order of MLIR's numbers for them.
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
#: Those that hold of equal operands.
TRUE_ON_EQUAL = frozenset(("eq", "sle", "sge", "ule", "uge"))
#: What holds of (b, a) where the predicate holds of (a, b).
SWAPPED = {
    "eq": "eq",
    "ne": "ne",
    "slt": "sgt",
    "sle": "sge",
    "sgt": "slt",
    "sge": "sle",
    "ult": "ugt",
    "ule": "uge",
    "ugt": "ult",
    "uge": "ule",
}

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def compare(predicate: str, a: int, b: int, width: int) -> bool:
    """Whether the comparison `predicate` ("eq", "ult", ...) holds."""
    convert = unsigned if predicate[0] == "u" else signed
    return _COMPARE[predicate[-2:]](convert(a, width), convert(b, width))


# -- Lists of integers as attributes, `array<i64: 1, 2>`, and their values.
#
# The same few lists of sizes, indices and positions recur in a module: each is made once, and
# unpacked from its bytes once.


@lru_cache(maxsize=4096)
def dense_array(bits: int, values: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    """The attribute with these values of a signless type of so many bits."""
    return DenseArrayBase.from_list(_type(bits), values)


def integers_of(attr: Any) -> tuple[int, ...]:
    """The values of an attribute of integers."""
    return _unpacked(attr.elt_type.width.data, attr.data.data)


@lru_cache(maxsize=4096)
def _unpacked(bits: int, data: bytes) -> tuple[int, ...]:
    element = _type(bits)  # not the key: hashing a type takes longer than unpacking
    return element.unpack(data, len(data) // element.compile_time_size)


@lru_cache(maxsize=64)
def _type(bits: int) -> IntegerType:
    return IntegerType(bits)
