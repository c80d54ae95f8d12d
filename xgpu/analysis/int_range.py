# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges of integers, kept for both readings of the bits: unsigned and signed.

Both pairs of bounds hold for a value; either may be the tighter one. The arithmetic is that of
MLIR's integer range inference, so that both find the same bounds.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, SSAValue

from xgpu.core.ir.constants import element_type

Fold = Callable[[int, int], int | None]

#: The widths that `index` may have.
INDEX_MIN_WIDTH, INDEX_WIDTH = 32, 64


def to_signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if width and value >> (width - 1) else value


class IntRange:
    """What is known of an integer of `width` bits; all bounds belong to the range."""

    __slots__ = ("smax", "smin", "umax", "umin", "width")

    def __init__(self, width: int, umin: int, umax: int, smin: int, smax: int) -> None:
        self.width = width
        self.umin, self.umax, self.smin, self.smax = umin, umax, smin, smax

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IntRange) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"unsigned [{self.umin}, {self.umax}] signed [{self.smin}, {self.smax}]"

    def _key(self) -> tuple[int, ...]:
        return self.width, self.umin, self.umax, self.smin, self.smax

    @property
    def constant(self) -> int | None:
        """The only value that is possible, as a signed number, or None."""
        if self.umin == self.umax:
            return to_signed(self.umin, self.width)
        return self.smin if self.smin == self.smax else None

    def union(self, other: IntRange) -> IntRange:
        return IntRange(
            self.width,
            min(self.umin, other.umin),
            max(self.umax, other.umax),
            min(self.smin, other.smin),
            max(self.smax, other.smax),
        )

    def intersection(self, other: IntRange) -> IntRange:
        return IntRange(
            self.width,
            max(self.umin, other.umin),
            min(self.umax, other.umax),
            max(self.smin, other.smin),
            min(self.smax, other.smax),
        )


# --- making ------------------------------------------------------------------------------------
def max_unsigned(width: int) -> int:
    return (1 << width) - 1


def max_signed(width: int) -> int:
    return (1 << (width - 1)) - 1 if width else 0


def min_signed(width: int) -> int:
    return -(1 << (width - 1)) if width else 0


def full(width: int) -> IntRange:
    """All values of `width` bits."""
    return IntRange(width, 0, max_unsigned(width), min_signed(width), max_signed(width))


def constant(width: int, value: int) -> IntRange:
    u, s = value & max_unsigned(width), to_signed(value, width)
    return IntRange(width, u, u, s, s)


def from_unsigned(width: int, umin: int, umax: int) -> IntRange:
    """The range between unsigned bounds (modulo 2**width)."""
    umin, umax = umin & max_unsigned(width), umax & max_unsigned(width)
    smin, smax = to_signed(umin, width), to_signed(umax, width)
    if (smin < 0) != (smax < 0):
        smin, smax = min_signed(width), max_signed(width)
    return IntRange(width, umin, umax, smin, smax)


def from_signed(width: int, smin: int, smax: int) -> IntRange:
    """The range between signed bounds (modulo 2**width)."""
    smin, smax = to_signed(smin, width), to_signed(smax, width)
    if (smin < 0) == (smax < 0):
        return IntRange(width, smin & max_unsigned(width), smax & max_unsigned(width), smin, smax)
    return IntRange(width, 0, max_unsigned(width), smin, smax)


def between(width: int, low: int, high: int, signed: bool) -> IntRange:
    return from_signed(width, low, high) if signed else from_unsigned(width, low, high)


# --- width -------------------------------------------------------------------------------------
def extend(r: IntRange, width: int) -> IntRange:
    """Each pair of bounds extended in its own reading."""
    return IntRange(width, r.umin, r.umax, r.smin, r.smax)


def extend_unsigned(r: IntRange, width: int) -> IntRange:
    return from_unsigned(width, r.umin, r.umax)


def extend_signed(r: IntRange, width: int) -> IntRange:
    return from_signed(width, r.smin, r.smax)


def truncate(r: IntRange, width: int) -> IntRange:
    """The low `width` bits; bounds survive only if no value between them rolls over."""
    mask = max_unsigned(width)
    if r.umin >> width != r.umax >> width:
        umin, umax = 0, mask
    else:
        umin, umax = r.umin & mask, r.umax & mask
    low, high = r.smin >> (width - 1), r.smax >> (width - 1)
    if low == high or (low == -1 and high == 0):
        smin, smax = to_signed(r.smin, width), to_signed(r.smax, width)
    else:
        smin, smax = min_signed(width), max_signed(width)
    return IntRange(width, umin, umax, smin, smax)


# --- computing with bounds ---------------------------------------------------------------------
def by_bounds(
    fold: Fold, width: int, low: tuple[int, int], high: tuple[int, int], signed: bool
) -> IntRange:
    """The range from `fold(*low)` to `fold(*high)`; all values if either overflows."""
    minimum, maximum = fold(*low), fold(*high)
    if minimum is None or maximum is None:
        return full(width)
    return between(width, minimum, maximum, signed)


def min_max(
    fold: Fold, width: int, left: Sequence[int], right: Sequence[int], signed: bool
) -> IntRange:
    """The least and the greatest of `fold` on all pairs; all values if any overflows."""
    found: list[int] = []
    for a in left:
        for b in right:
            value = fold(a, b)
            if value is None:
                return full(width)
            found.append(value)
    return between(width, min(found), max(found), signed)


def unsigned_fold(fold: Callable[[int, int], int], width: int, saturate: bool) -> Fold:
    """`fold` on unsigned numbers; None, or the nearest value, where the result does not fit."""
    top = max_unsigned(width)

    def apply(a: int, b: int) -> int | None:
        value = fold(a, b)
        if 0 <= value <= top:
            return value
        return min(max(value, 0), top) if saturate else None

    return apply


def signed_fold(fold: Callable[[int, int], int], width: int, saturate: bool) -> Fold:
    """`fold` on signed numbers; None, or the nearest value, where the result does not fit."""
    low, high = min_signed(width), max_signed(width)

    def apply(a: int, b: int) -> int | None:
        value = fold(a, b)
        if low <= value <= high:
            return value
        return min(max(value, low), high) if saturate else None

    return apply


def divide(a: int, b: int) -> int:
    """Division that rounds toward zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def remainder(a: int, b: int) -> int:
    """What `divide` leaves; it has the sign of `a`."""
    return a - b * divide(a, b)


# -- What rules of integer ranges work with.


Ranges = list[IntRange | None]


#: Tells of the ranges of results and region arguments, given those of the operands.
Rule = Callable[..., dict[SSAValue, IntRange]]


def storage_width(type_: Attribute) -> int:
    """The bits of an integer, or of the integers in a vector or tensor; 0 for other types."""
    inner = element_type(type_)
    if isinstance(inner, IndexType):
        return 64
    return inner.width.data if isinstance(inner, IntegerType) else 0


# -- Ranges of the results of integer operations, from those of the operands.
#
# Functions take the ranges of both operands; those for operations that may be declared not to wrap
# also take `nuw` and `nsw`.


Binary = Callable[[IntRange, IntRange], IntRange]


def add(a: IntRange, b: IntRange, nuw: bool = False, nsw: bool = False) -> IntRange:
    w = a.width
    u = unsigned_fold(operator.add, w, nuw)
    s = signed_fold(operator.add, w, nsw)
    return by_bounds(u, w, (a.umin, b.umin), (a.umax, b.umax), False).intersection(
        by_bounds(s, w, (a.smin, b.smin), (a.smax, b.smax), True)
    )


def sub(a: IntRange, b: IntRange, nuw: bool = False, nsw: bool = False) -> IntRange:
    w = a.width
    u = unsigned_fold(operator.sub, w, nuw)
    s = signed_fold(operator.sub, w, nsw)
    return by_bounds(u, w, (a.umin, b.umax), (a.umax, b.umin), False).intersection(
        by_bounds(s, w, (a.smin, b.smax), (a.smax, b.smin), True)
    )


def mul(a: IntRange, b: IntRange, nuw: bool = False, nsw: bool = False) -> IntRange:
    return _four_corners(
        a,
        (b.umin, b.umax),
        (b.smin, b.smax),
        unsigned_fold(operator.mul, a.width, nuw),
        signed_fold(operator.mul, a.width, nsw),
    )


def shl(a: IntRange, b: IntRange, nuw: bool = False, nsw: bool = False) -> IntRange:
    w = a.width
    return _four_corners(
        a,
        (b.umin, b.umax),
        (b.umin, b.umax),
        _shift(unsigned_fold(int.__lshift__, w, nuw), w, nuw),
        _shift(signed_fold(int.__lshift__, w, nsw), w, nsw),
    )


def _shift(fold: Fold, width: int, saturate: bool) -> Fold:
    """A shift by the width or more overflows, whatever is shifted."""

    def apply(a: int, b: int) -> int | None:
        if b >= width:
            return fold(a, width) if saturate else None
        return fold(a, b)

    return apply


def _four_corners(
    a: IntRange, unsigned: tuple[int, int], signed: tuple[int, int], u: Fold, s: Fold
) -> IntRange:
    return min_max(u, a.width, (a.umin, a.umax), unsigned, False).intersection(
        min_max(s, a.width, (a.smin, a.smax), signed, True)
    )


# --- division ----------------------------------------------------------------------------------
def _div_unsigned(a: IntRange, b: IntRange, fold: Fold) -> IntRange:
    w = a.width
    if b.umin != 0 and b.umax != 0:
        return min_max(fold, w, (a.umin, a.umax), (b.umin, b.umax), False)
    low = a.umin // b.umax if b.umax != 0 and a.umin >= b.umax else 0
    return from_unsigned(w, low, a.umax)


def div_u(a: IntRange, b: IntRange) -> IntRange:
    return _div_unsigned(a, b, int.__floordiv__)


def ceildiv_u(a: IntRange, b: IntRange) -> IntRange:
    return _div_unsigned(a, b, unsigned_fold(lambda x, y: -(-x // y), a.width, False))


def _div_signed(a: IntRange, b: IntRange, fold: Fold) -> IntRange:
    if b.smin > 0 or b.smax < 0:
        return min_max(fold, a.width, (a.smin, a.smax), (b.smin, b.smax), True)
    return full(a.width)


def div_s(a: IntRange, b: IntRange) -> IntRange:
    return _div_signed(a, b, signed_fold(divide, a.width, False))


def floordiv_s(a: IntRange, b: IntRange) -> IntRange:
    return _div_signed(a, b, signed_fold(int.__floordiv__, a.width, False))


def ceildiv_s(a: IntRange, b: IntRange) -> IntRange:
    return _div_signed(a, b, signed_fold(lambda x, y: -(-x // y), a.width, False))


def rem_s(a: IntRange, b: IntRange) -> IntRange:
    w = a.width
    smin, smax = min_signed(w), max_signed(w)
    if b.smin > 0 or b.smax < 0:
        divisor = b.smax if b.smin > 0 else abs(b.smin)
        smin = -(divisor - 1) if a.smin < 0 else 0
        smax = divisor - 1 if a.smax > 0 else 0
        if b.smin == b.smax and a.smax - a.smin < divisor:
            low, high = remainder(a.smin, divisor), remainder(a.smax, divisor)
            if low <= high:
                smin, smax = low, high
    return from_signed(w, smin, smax)


def rem_u(a: IntRange, b: IntRange) -> IntRange:
    w = a.width
    umin = 0
    umax = min((b.umax - 1) & ((1 << w) - 1), a.umax)
    if b.umin != 0 and b.umin == b.umax and a.umax - a.umin < b.umax:
        low, high = a.umin % b.umax, a.umax % b.umax
        if low <= high:
            umin, umax = low, high
    return from_unsigned(w, umin, umax)


# --- order -------------------------------------------------------------------------------------
def max_s(a: IntRange, b: IntRange) -> IntRange:
    return from_signed(a.width, max(a.smin, b.smin), max(a.smax, b.smax))


def max_u(a: IntRange, b: IntRange) -> IntRange:
    return from_unsigned(a.width, max(a.umin, b.umin), max(a.umax, b.umax))


def min_s(a: IntRange, b: IntRange) -> IntRange:
    return from_signed(a.width, min(a.smin, b.smin), min(a.smax, b.smax))


def min_u(a: IntRange, b: IntRange) -> IntRange:
    return from_unsigned(a.width, min(a.umin, b.umin), min(a.umax, b.umax))


# --- bits --------------------------------------------------------------------------------------
def _varying(r: IntRange) -> int:
    """The bits that are not the same in all values of the range."""
    return (1 << (r.umin ^ r.umax).bit_length()) - 1


def _widened(r: IntRange) -> tuple[int, int]:
    mask = _varying(r)
    return r.umin & ~mask, r.umax | mask


def and_(a: IntRange, b: IntRange) -> IntRange:
    return min_max(int.__and__, a.width, _widened(a), _widened(b), False)


def or_(a: IntRange, b: IntRange) -> IntRange:
    return min_max(int.__or__, a.width, _widened(a), _widened(b), False)


def xor(a: IntRange, b: IntRange) -> IntRange:
    mask = _varying(a) | _varying(b)
    value = a.umin ^ b.umin
    return from_unsigned(a.width, value & ~mask, value | mask)


def shr_s(a: IntRange, b: IntRange) -> IntRange:
    w = a.width
    return min_max(_right(w), w, (a.smin, a.smax), (b.umin, b.umax), True)


def shr_u(a: IntRange, b: IntRange) -> IntRange:
    w = a.width
    return min_max(_right(w), w, (a.umin, a.umax), (b.umin, b.umax), False)


def _right(width: int) -> Fold:
    return lambda x, y: None if y >= width else x >> y


# --- comparison --------------------------------------------------------------------------------
#: Predicates by number, as in arith.cmpi and index.cmp below.
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_INVERSE = {
    "eq": "ne",
    "ne": "eq",
    "slt": "sge",
    "sle": "sgt",
    "sgt": "sle",
    "sge": "slt",
    "ult": "uge",
    "ule": "ugt",
    "ugt": "ule",
    "uge": "ult",
}


def _always(predicate: str, a: IntRange, b: IntRange) -> bool:
    if predicate == "eq":
        return a.constant is not None and a.constant == b.constant
    if predicate == "ne":
        return (_always("slt", a, b) or _always("sgt", a, b)) and (
            _always("ult", a, b) or _always("ugt", a, b)
        )
    signed = predicate[0] == "s"
    order = predicate[1:]
    if order[0] == "g":
        a, b = b, a
    high, low = (a.smax, b.smin) if signed else (a.umax, b.umin)
    return high < low if order[1] == "t" else high <= low


def evaluate(predicate: str, a: IntRange, b: IntRange) -> bool | None:
    """Whether the comparison holds for all values, for none (False), or for some (None)."""
    if _always(predicate, a, b):
        return True
    return False if _always(_INVERSE[predicate], a, b) else None


def truth(value: bool | None) -> IntRange:
    """The range of an i1."""
    if value is None:
        return from_unsigned(1, 0, 1)
    return from_unsigned(1, int(value), int(value))


# --- index -------------------------------------------------------------------------------------
def on_index(infer: Binary, mode: str) -> Binary:
    """`infer` for `index`, of which it is not known whether it has 32 or 64 bits.

    If the results for both widths agree in the bounds that `mode` names ("signed", "unsigned",
    "both"), that for 64 bits holds; else the union of both.
    """

    def apply(a: IntRange, b: IntRange) -> IntRange:
        wide = infer(a, b)
        narrow = infer(truncate(a, INDEX_MIN_WIDTH), truncate(b, INDEX_MIN_WIDTH))
        cut = truncate(wide, INDEX_MIN_WIDTH)
        agree = True
        if mode != "unsigned":
            agree = narrow.smin == cut.smin and narrow.smax == cut.smax
        if mode != "signed":
            agree = agree and narrow.umin == cut.umin and narrow.umax == cut.umax
        return wide if agree else wide.union(extend(narrow, INDEX_WIDTH))

    return apply
