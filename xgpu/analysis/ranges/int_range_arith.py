# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges of the results of integer operations, from those of the operands.

Functions take the ranges of both operands; those for operations that may be declared not to wrap
also take `nuw` and `nsw`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from xgpu.analysis.ranges.int_range import (
    INDEX_MIN_WIDTH,
    INDEX_WIDTH,
    Fold,
    IntRange,
    by_bounds,
    divide,
    extend,
    from_signed,
    from_unsigned,
    full,
    max_signed,
    min_max,
    min_signed,
    remainder,
    signed_fold,
    truncate,
    unsigned_fold,
)

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
