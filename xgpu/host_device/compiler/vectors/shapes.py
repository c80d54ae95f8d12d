# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of how a value differs among the threads of a vector.

    BLOCK    the same in all threads of the block
    WARP     the same in all lanes of a vector
    AFFINE   base + offsets[lane], the offsets known when the kernel is compiled
    VARYING  nothing

A shape speaks of the lanes that run where the value is used. Integers and pointers may be affine.
`base` is what the base is where that is known: then the value is a constant vector. `low` and
`high` bound the value in all lanes, as a signed number, where known: from them follows that sums do
not wrap, so that the affine form survives a change of width.
"""

from __future__ import annotations

BLOCK, WARP, AFFINE, VARYING = range(4)
LEVEL_NAMES = ("block", "warp", "affine", "varying")


class Shape:
    """A shape. `align` divides the base of an affine integer (or the value of a uniform one)."""

    __slots__ = ("align", "base", "exact", "high", "level", "low", "offsets")

    def __init__(
        self,
        level: int,
        offsets: tuple[int, ...] | None = None,
        base: int | None = None,
        low: int | None = None,
        high: int | None = None,
        align: int = 1,
        exact: bool = False,
    ) -> None:
        self.level = level
        self.offsets = offsets
        self.base = base
        self.low = low
        self.high = high
        self.align = align
        #: base + offset is the value as a signed number: nothing wraps.
        self.exact = exact

    @property
    def is_uniform(self) -> bool:
        return self.level <= WARP

    @property
    def constant(self) -> int | None:
        """The value, if it is one known number in all lanes."""
        return self.base if self.level <= WARP else None

    @property
    def is_known(self) -> bool:
        """Whether the value of each lane is known."""
        return self.base is not None and self.level <= AFFINE

    def lane(self, index: int) -> int:
        """The value of a lane of a known shape."""
        assert self.base is not None
        return self.base + (self.offsets[index] if self.offsets is not None else 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shape) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[int | tuple[int, ...] | None, ...]:
        return (
            self.level, self.offsets, self.base, self.low, self.high, self.align, self.exact
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"Shape({self})"

    def __str__(self) -> str:
        if self.level == VARYING:
            return "varying"
        if self.level == AFFINE:
            assert self.offsets is not None
            return f"affine {offsets_text(self.offsets)}"
        name = LEVEL_NAMES[self.level]
        return f"{name} {self.base}" if self.base is not None else name


def offsets_text(offsets: tuple[int, ...]) -> str:
    """`0+4*lane` for a stride, else the offsets."""
    if len(offsets) > 1:
        step = offsets[1] - offsets[0]
        if all(offsets[i] == offsets[0] + i * step for i in range(len(offsets))):
            return f"{offsets[0]}+{step}*lane"
    return ",".join(map(str, offsets))


UNIFORM = Shape(BLOCK)
WARP_UNIFORM = Shape(WARP)
VARIES = Shape(VARYING)


def uniform(level: int) -> Shape:
    return WARP_UNIFORM if level == WARP else UNIFORM


def number(value: int) -> Shape:
    """The shape of a constant."""
    return Shape(BLOCK, None, value, value, value, _alignment(value), True)


def ranged(level: int, low: int, high: int, align: int = 1) -> Shape:
    """A uniform integer between bounds."""
    if low == high:
        return Shape(level, None, low, low, high, _alignment(low), True)
    return Shape(level, None, None, low, high, align, True)


def affine(
    offsets: tuple[int, ...],
    base: int | None = None,
    low: int | None = None,
    high: int | None = None,
    align: int = 1,
    exact: bool = False,
    level: int = WARP,
) -> Shape:
    """base + offsets, normalized: uniform where all offsets are equal (then zero)."""
    if not any(offsets):
        return Shape(level, None, base, low, high, align, exact)
    return Shape(AFFINE, offsets, base, low, high, align, exact)


def vector(values: tuple[int, ...]) -> Shape:
    """The shape of a vector of known numbers."""
    if all(v == values[0] for v in values):
        return Shape(BLOCK, None, values[0], values[0], values[0], _alignment(values[0]), True)
    return Shape(AFFINE, values, 0, min(values), max(values), 1 << 62, True)


def varying(low: int | None = None, high: int | None = None) -> Shape:
    return VARIES if low is None else Shape(VARYING, None, None, low, high)


def _alignment(value: int) -> int:
    return value & -value if value else 1 << 62


def offsets_of(shape: Shape, width: int) -> tuple[int, ...]:
    return shape.offsets if shape.offsets is not None else (0,) * width


def join(a: Shape, b: Shape) -> Shape:
    """What holds of a value that is one of two."""
    if a is b or a == b:
        return a
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    if low is None or high is None:
        low = high = None
    if a.level == VARYING or b.level == VARYING or a.offsets != b.offsets:
        return varying(low, high)
    base = a.base if a.base == b.base else None
    align = min(a.align, b.align)
    return Shape(
        max(a.level, b.level), a.offsets, base, low, high, align, a.exact and b.exact
    )  # fmt: skip


def widen(old: Shape, new: Shape) -> Shape:
    """A join that gives bounds up where they moved, so that loops come to an end."""
    joined = join(old, new)
    if joined.low == old.low and joined.high == old.high:
        return joined
    return Shape(joined.level, joined.offsets, joined.base, None, None, joined.align, False)


def at_least(shape: Shape, level: int) -> Shape:
    """`shape`, raised by control flow that differs among warps or lanes."""
    if level <= shape.level or level == BLOCK:
        return shape
    if level == WARP:
        return Shape(
            WARP, None, shape.base, shape.low, shape.high, shape.align, shape.exact
        )  # fmt: skip
    return varying(shape.low, shape.high)
