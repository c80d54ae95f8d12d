# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges of integers, kept for both readings of the bits: unsigned and signed.

Both pairs of bounds hold for a value; either may be the tighter one. The arithmetic is that of
MLIR's integer range inference, so that both find the same bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
