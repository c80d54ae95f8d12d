# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The floating-point types: which numbers they have, as what bits, and rounding to them.

Rounding is to nearest, ties to even, once, from any exact number. Source of the parameters: LLVM's
`APFloat` semantics; the OCP specifications for 8 bits and for microscaling (MX) formats.
"""

from __future__ import annotations

import math
import struct
import sys
from enum import Enum

# -- Numbers of f80 and f128 that no double is.
#
# A floating-point constant is a Python float everywhere in xgpu: a double holds each number of each
# smaller type exactly, and its NaN holds theirs, left-aligned as conversions between types align
# them. What f80 and f128 have beyond that is a `WideFloat`: the nearest double that is finite and
# not zero, with the exact number beside it for this module and `float_arithmetic`. It compares as
# the exact number; arithmetic with Python's operators is that of the double, and has no place in a
# fold.


#: A NaN's payload: 112 bits of fraction, left-aligned; above them, whether x87's integer bit lacks.
PAYLOAD_BITS = 112
_MOST_BITS = sys.float_info.mant_dig
_TINIEST = math.ldexp(1.0, -1074)


class WideFloat(float):
    """`significand` * 2**`exponent`, of the sign that the float has; the significand is odd.

    A NaN has its payload as significand.
    """

    __slots__ = ("exponent", "significand")
    significand: int
    exponent: int

    def __new__(
        cls, negative: bool, significand: int, exponent: int, *, is_nan: bool = False
    ) -> WideFloat:
        near = math.nan if is_nan else _nearest_double(significand, exponent)
        found = super().__new__(cls, -near if negative else near)
        found.significand = significand
        found.exponent = exponent
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (is_negative(self), self.significand, self.exponent, math.isnan(self))

    def __deepcopy__(self, memo: object) -> WideFloat:
        return self

    def as_integer_ratio(self) -> tuple[int, int]:
        whole = -self.significand if is_negative(self) else self.significand
        return (whole << self.exponent, 1) if self.exponent >= 0 else (whole, 1 << -self.exponent)

    def __neg__(self) -> WideFloat:
        negative = not is_negative(self)
        return WideFloat(negative, self.significand, self.exponent, is_nan=math.isnan(self))

    def __abs__(self) -> WideFloat:
        return -self if is_negative(self) else self

    def _key(self) -> tuple[bool, int, int]:
        return is_negative(self), self.significand, self.exponent

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WideFloat) or math.isnan(self):
            return False  # it is no double, and no integer that a double is
        return self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._key())

    def __lt__(self, other: float) -> bool:
        return _less(self, other)

    def __gt__(self, other: float) -> bool:
        return _less(other, self)

    def __le__(self, other: float) -> bool:
        return self == other or _less(self, other)

    def __ge__(self, other: float) -> bool:
        return self == other or _less(other, self)


def _again(negative: bool, significand: int, exponent: int, is_nan: bool) -> WideFloat:
    return WideFloat(negative, significand, exponent, is_nan=is_nan)


def is_negative(value: float) -> bool:
    """Whether the sign is set, of zeros and NaN too."""
    return math.copysign(1.0, value) < 0


def _nearest_double(significand: int, exponent: int) -> float:
    extra = significand.bit_length() - _MOST_BITS - 2
    if extra > 0:
        # Two bits more than a double has, and whether anything follows: what rounding asks for.
        cut = significand & ((1 << extra) - 1)
        significand = significand >> extra << 1 | (1 if cut else 0)
        exponent += extra - 1
    try:
        return math.ldexp(significand, exponent) or _TINIEST
    except OverflowError:
        return sys.float_info.max


def _less(a: float, b: float) -> bool:
    if math.isnan(a) or math.isnan(b):
        return False
    if math.isinf(a) or math.isinf(b) or is_negative(a) != is_negative(b):
        return float.__lt__(a, b)
    (x, p), (y, q) = a.as_integer_ratio(), b.as_integer_ratio()
    return x * q < y * p


def exact_float(negative: bool, significand: int, exponent: int) -> float:
    """`significand` * 2**`exponent`, exactly: a double where one is that number."""
    if not significand:
        return -0.0 if negative else 0.0
    zeros = (significand & -significand).bit_length() - 1
    significand >>= zeros
    exponent += zeros
    length = significand.bit_length()
    top = exponent + length - 1
    if length > _MOST_BITS or top > 1023 or exponent < -1074:
        return WideFloat(negative, significand, exponent)
    value = math.ldexp(significand, exponent)
    return -value if negative else value


def parts(value: float) -> tuple[bool, int, int]:
    """Sign, significand and exponent of a finite number."""
    if isinstance(value, WideFloat):
        return is_negative(value), value.significand, value.exponent
    fraction, exponent = math.frexp(value)
    return is_negative(value), int(math.ldexp(abs(fraction), _MOST_BITS)), exponent - _MOST_BITS


class Special(Enum):
    """What a type has besides finite numbers."""

    IEEE = "infinities and many NaN, in the largest exponent"
    ALL_ONES = "one NaN of each sign, all bits ones; no infinity"
    NEGATIVE_ZERO = "one NaN, where the negative zero would be; no infinity"
    FINITE = "nothing"


class FloatFormat:
    """A floating-point type: a normal number is 1.f * 2**e, f of `precision` - 1 bits."""

    __slots__ = (
        "explicit_bit",
        "max_exponent",
        "max_significand",
        "min_exponent",
        "name",
        "precision",
        "special",
        "width",
    )

    def __init__(
        self,
        name: str,
        width: int,
        precision: int,
        min_exponent: int,
        max_exponent: int,
        special: Special = Special.IEEE,
    ) -> None:
        self.name = name
        #: bits in memory
        self.width = width
        #: bits of the significand, the first one included
        self.precision = precision
        self.min_exponent = min_exponent
        self.max_exponent = max_exponent
        self.special = special
        #: whether the significand's first bit is kept (x87)
        self.explicit_bit = name == "f80"
        #: the significand of the largest number
        self.max_significand = (1 << precision) - 1
        if special is Special.ALL_ONES and precision > 1:
            self.max_significand -= 1  # with all ones it would be the NaN

    @property
    def has_zero(self) -> bool:
        """f8E8M0FNU is all exponent: powers of two, without zero and without sign."""
        return self.precision > 1

    @property
    def has_infinity(self) -> bool:
        return self.special is Special.IEEE

    @property
    def has_nan(self) -> bool:
        return self.special is not Special.FINITE

    @property
    def fraction_bits(self) -> int:
        """The bits below the exponent, without x87's explicit one."""
        return self.precision - 1

    @property
    def exponent_bits(self) -> int:
        return self.width - self.stored_bits - (1 if self.has_zero else 0)

    @property
    def stored_bits(self) -> int:
        """The bits below the exponent."""
        return self.fraction_bits + (1 if self.explicit_bit else 0)


FORMATS: dict[str, FloatFormat] = {
    f.name: f
    for f in (
        FloatFormat("f16", 16, 11, -14, 15),
        FloatFormat("bf16", 16, 8, -126, 127),
        FloatFormat("f32", 32, 24, -126, 127),
        FloatFormat("f64", 64, 53, -1022, 1023),
        FloatFormat("f80", 80, 64, -16382, 16383),
        FloatFormat("f128", 128, 113, -16382, 16383),
        FloatFormat("tf32", 19, 11, -126, 127),
        FloatFormat("f8E5M2", 8, 3, -14, 15),
        FloatFormat("f8E5M2FNUZ", 8, 3, -15, 15, Special.NEGATIVE_ZERO),
        FloatFormat("f8E4M3", 8, 4, -6, 7),
        FloatFormat("f8E4M3FN", 8, 4, -6, 8, Special.ALL_ONES),
        FloatFormat("f8E4M3FNUZ", 8, 4, -7, 7, Special.NEGATIVE_ZERO),
        FloatFormat("f8E4M3B11FNUZ", 8, 4, -10, 4, Special.NEGATIVE_ZERO),
        FloatFormat("f8E3M4", 8, 5, -2, 3),
        FloatFormat("f8E8M0FNU", 8, 1, -127, 127, Special.ALL_ONES),
        FloatFormat("f6E3M2FN", 6, 3, -2, 4, Special.FINITE),
        FloatFormat("f6E2M3FN", 6, 4, 0, 2, Special.FINITE),
        FloatFormat("f4E2M1FN", 4, 2, 0, 2, Special.FINITE),
    )
}

F32 = FORMATS["f32"]
F64 = FORMATS["f64"]
#: What `struct` packs: the integers and floats of the same bits.
_STRUCT = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}


# --- rounding ------------------------------------------------------------------------------------
def round_exact(negative: bool, significand: int, exponent: int, to: FloatFormat) -> float:
    """`significand` * 2**`exponent` rounded to the numbers of `to`.

    Code that has more bits than it passes on sets the last one if any that follows is set,
    at least two bits below those that stay.
    """
    if not significand:
        return _zero(negative, to)
    top = exponent + significand.bit_length() - 1
    drop = max(top, to.min_exponent) - to.fraction_bits - exponent
    if drop > 0:
        kept = significand >> drop
        rest, half = significand & ((1 << drop) - 1), 1 << (drop - 1)
        kept += rest > half or (rest == half and kept & 1)
        significand, exponent = kept, exponent + drop
        if not kept:
            return _zero(negative, to)
        top = exponent + significand.bit_length() - 1
    if top > to.max_exponent or (top == to.max_exponent and _is_past(significand, to)):
        return overflow(negative, to)
    return exact_float(negative, significand, exponent)


def _is_past(significand: int, to: FloatFormat) -> bool:
    """Whether a significand, rounded already, is greater than the largest number's."""
    if to.special is not Special.ALL_ONES:
        return False
    shift = to.precision - significand.bit_length()
    aligned = significand << shift if shift >= 0 else significand >> -shift
    return aligned > to.max_significand


def _zero(negative: bool, to: FloatFormat) -> float:
    if not to.has_zero:
        return exact_float(negative, 1, to.min_exponent)
    return -0.0 if negative and to.special is not Special.NEGATIVE_ZERO else 0.0


def overflow(negative: bool, to: FloatFormat) -> float:
    """What a number that is too large becomes: infinity, NaN, or the largest there is."""
    if to.has_infinity:
        return -math.inf if negative else math.inf
    if to.has_nan:
        return nan(to, negative=negative)
    return exact_float(negative, to.max_significand, to.max_exponent - to.fraction_bits)


def nan(to: FloatFormat, *, negative: bool = False) -> float:
    """The usual quiet NaN of a type that has one."""
    if to.special is Special.ALL_ONES and to.fraction_bits:
        ones = (1 << to.fraction_bits) - 1
        return make_nan(negative, ones << (PAYLOAD_BITS - to.fraction_bits))
    return -math.nan if negative and to.special is not Special.NEGATIVE_ZERO else math.nan


def round_to(value: float, to: FloatFormat) -> float:
    """`value`, of any type, rounded to `to`; a NaN stays one as far as `to` has it."""
    if value != value:
        return _convert_nan(value, to) if to.has_nan else _zero(is_negative(value), to)
    if math.isinf(value):
        return overflow(value < 0, to)
    if value.__class__ is float:
        if to.precision == 53 or to.name in ("f80", "f128"):
            return value
        if not value and to.has_zero:
            return _zero(is_negative(value), to)
        if to.name in ("f32", "f16"):
            code, _ = _STRUCT[to.name]
            try:
                return struct.unpack(code, struct.pack(code, value))[0]
            except OverflowError:
                return math.copysign(math.inf, value)
    return round_exact(*parts(value), to)


def from_decimal(text: str, to: FloatFormat) -> float:
    """The number `[-]d.ddde[+-]dd` rounded once."""
    if to is F64:
        return float(text)
    head, _, power = text.partition("e")
    whole, _, fraction = head.lstrip("-").partition(".")
    negative, digits, tens = text[0] == "-", int(whole + fraction), int(power or 0) - len(fraction)
    if tens >= 0:
        return round_exact(negative, digits * 10**tens, 0, to)
    return round_ratio(negative, digits, 10**-tens, to)


def round_ratio(negative: bool, numerator: int, denominator: int, to: FloatFormat) -> float:
    """A quotient of natural numbers rounded once."""
    # As many bits as the type has and two more, the last for all that follow.
    shift = max(to.precision + 3 + denominator.bit_length() - numerator.bit_length(), 0)
    whole, rest = divmod(numerator << shift, denominator)
    return round_exact(negative, whole << 1 | (1 if rest else 0), -shift - 1, to)


# --- bits ----------------------------------------------------------------------------------------
def from_bits(bits: int, of: FloatFormat) -> float:
    """The value of a bit pattern."""
    codes = _STRUCT.get(of.name)
    if codes is not None:
        value = struct.unpack(codes[0], struct.pack(codes[1], bits))[0]
        if value == value:
            return value
    negative = of.has_zero and bool(bits >> (of.width - 1) & 1)
    stored = bits & ((1 << of.stored_bits) - 1)
    field = bits >> of.stored_bits & ((1 << of.exponent_bits) - 1)
    if of.special is Special.NEGATIVE_ZERO and negative and not field | stored:
        return math.nan
    if field == (1 << of.exponent_bits) - 1:
        if of.special is Special.IEEE:
            return _special_from_bits(negative, stored, of)
        if of.special is Special.ALL_ONES and stored == (1 << of.stored_bits) - 1:
            return nan(of, negative=negative)
    if not of.has_zero:
        return math.ldexp(1.0, field + of.min_exponent)
    if of.explicit_bit:
        if field and not stored >> of.fraction_bits:
            return _nan_of_fraction(negative, stored, of)  # x87 takes these for invalid
    elif field:
        stored |= 1 << of.fraction_bits
    return exact_float(negative, stored, max(field, 1) - 1 + of.min_exponent - of.fraction_bits)


def _special_from_bits(negative: bool, stored: int, of: FloatFormat) -> float:
    infinity = 1 << of.fraction_bits if of.explicit_bit else 0
    if stored == infinity:
        return -math.inf if negative else math.inf
    return _nan_of_fraction(negative, stored, of)


def _nan_of_fraction(negative: bool, stored: int, of: FloatFormat) -> float:
    fraction = stored & ((1 << of.fraction_bits) - 1)
    payload = fraction << (PAYLOAD_BITS - of.fraction_bits)
    if of.explicit_bit and not stored >> of.fraction_bits:
        payload |= 1 << PAYLOAD_BITS
    return make_nan(negative, payload)


def make_nan(negative: bool, payload: int) -> float:
    """The NaN with the 112 bits of fraction `payload`; not 0."""
    low = PAYLOAD_BITS - F64.fraction_bits
    if payload >> PAYLOAD_BITS or payload & ((1 << low) - 1):
        return WideFloat(negative, payload, 0, is_nan=True)
    bits = int(negative) << 63 | 0x7FF << 52 | payload >> low
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def nan_payload(value: float) -> int:
    """The 112 bits of fraction of a NaN, left-aligned, and x87's integer bit inverted above."""
    if isinstance(value, WideFloat):
        return value.significand
    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
    return (bits & ((1 << 52) - 1)) << (PAYLOAD_BITS - F64.fraction_bits)


def quiet(value: float) -> float:
    """A NaN as a quiet one, other values as they are."""
    if value == value:
        return value
    payload = nan_payload(value)
    top = 1 << (PAYLOAD_BITS - 1)
    return value if payload & top else make_nan(is_negative(value), payload | top)


def is_signaling(value: float) -> bool:
    """Whether a value is a NaN without the bit that makes it quiet."""
    return value != value and not nan_payload(value) >> (PAYLOAD_BITS - 1) & 1


def _convert_nan(value: float, to: FloatFormat) -> float:
    """A NaN's fraction is cut off where the type ends; what nothing is left of becomes quiet."""
    if not to.has_infinity:
        return nan(to, negative=is_negative(value))
    payload = nan_payload(value)
    if not to.explicit_bit:
        payload &= (1 << PAYLOAD_BITS) - 1
    cut = PAYLOAD_BITS - to.fraction_bits
    payload = payload >> cut << cut
    return make_nan(is_negative(value), payload or 1 << (PAYLOAD_BITS - 1))


def to_bits(value: float, of: FloatFormat) -> int:
    """The bit pattern of `value`, which is rounded to the type if it is none of its numbers."""
    codes = _STRUCT.get(of.name)
    if codes is not None and value == value and value.__class__ is float:
        try:
            return struct.unpack(codes[1], struct.pack(codes[0], value))[0]
        except OverflowError:
            value = math.copysign(math.inf, value)
    value = round_to(value, of)
    negative = is_negative(value)
    sign = int(negative) << (of.width - 1) if of.has_zero else 0
    if value != value:
        return _nan_bits(value, sign, of)
    if math.isinf(value):
        bits = ((1 << of.exponent_bits) - 1) << of.stored_bits
        return sign | bits | (1 << of.fraction_bits if of.explicit_bit else 0)
    _, significand, exponent = parts(value)
    if not significand:
        return sign
    top = exponent + significand.bit_length() - 1
    if not of.has_zero:
        return top - of.min_exponent
    field = max(top - of.min_exponent + 1, 0)
    shift = exponent - (max(field, 1) - 1 + of.min_exponent - of.fraction_bits)
    stored = significand << shift if shift >= 0 else significand >> -shift
    if not of.explicit_bit:
        stored &= (1 << of.fraction_bits) - 1
    return sign | field << of.stored_bits | stored


def _nan_bits(value: float, sign: int, of: FloatFormat) -> int:
    if of.special is Special.NEGATIVE_ZERO:
        return 1 << (of.width - 1)
    if of.special is Special.ALL_ONES:
        return sign | ((1 << (of.width - (1 if of.has_zero else 0))) - 1)
    payload = nan_payload(value)
    bits = ((1 << of.exponent_bits) - 1) << of.stored_bits
    if of.explicit_bit and not payload >> PAYLOAD_BITS:
        bits |= 1 << of.fraction_bits
    fraction = payload & ((1 << PAYLOAD_BITS) - 1)
    return sign | bits | fraction >> (PAYLOAD_BITS - of.fraction_bits)


#: So many characters behind a literal are searched for its type.
_TYPE_IS_WITHIN = 2000


def special_text(word: str, negative: bool, before: str, behind: str) -> str:
    """What is said of `inf` or `nan` where a number belongs: MLIR writes its bits.

    The type is the first of floats that follows, or that an array<..> around it begins with; f32
    where neither is there.
    """
    import re  # only a mistake pays for this

    names = "|".join(sorted(FORMATS, key=len, reverse=True))
    found = re.search(rf"array<\s*({names})\s*:[^<>]*$", before[-_TYPE_IS_WITHIN:])
    found = found or re.search(rf"(?<![A-Za-wyz_])({names})\b", behind[:_TYPE_IS_WITHIN])
    format = FORMATS[found[1]] if found is not None else FORMATS["f32"]
    is_nan = word.lower() == "nan"
    shown = f"{'-' if negative else ''}{'nan' if is_nan else 'inf'}"
    value = nan(format, negative=negative) if is_nan else -math.inf if negative else math.inf
    if is_nan and format.special is Special.FINITE:
        return f"; {format.name} has no NaN"
    if not is_nan and format.special is not Special.IEEE:
        return f"; {format.name} has no infinity"
    bits = f"0x{to_bits(value, format):0{-(-format.width // 4)}X}"
    typed = f" : {format.name}" if behind.lstrip()[:1] == ":" else ""
    return f"; {shown} of {format.name} is written as its bits, {bits}{typed}"
