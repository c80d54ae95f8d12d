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

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.host_device.compiler.emission import Builder


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


# -- Which threads of a block are the lanes of which vector.
#
# `linear`: vectors of 32 threads that follow one another, the warps. `rows`: for kernels in which
# no thread sees its warp, vectors lie along x, so that rows that are no multiple of 32 long have
# affine addresses too: a block of 16 x 16 threads is 16 vectors of 16 lanes.


WARP_SIZE = 32
_SHORTEST_ROW = 4


class Layout:
    """`groups` vectors of `width` lanes; `columns` of them make a row of the block.

    `lanes(g, b)` below: `b` builds i32 arithmetic
    (`xgpu.host_device.compiler.emission.Builder`).
    """

    __slots__ = ("block", "columns", "groups", "is_small", "rows", "threads", "width")

    def __init__(
        self, block: tuple[int, int, int], sees_warps: bool, is_small: bool = True
    ) -> None:
        x, y, z = block
        self.block = block
        #: Along x the grid has so few threads that their number is an i32.
        self.is_small = is_small
        self.threads = x * y * z
        self.width = WARP_SIZE
        self.rows = not sees_warps and y * z > 1 and x % WARP_SIZE != 0 and x >= _SHORTEST_ROW
        if self.rows:
            self.width = _row_width(x)
            self.columns = -(-x // self.width)
            self.groups = self.columns * y * z
        else:
            self.groups = -(-self.threads // WARP_SIZE)
            self.columns = self.groups

    @property
    def is_full(self) -> bool:
        """Whether every lane of every vector is a thread."""
        if self.rows:
            return self.block[0] % self.width == 0
        return self.threads % self.width == 0

    def register(self, name: str) -> Shape | None:
        """The shape of a special register that depends on the thread; None for another."""
        x, y, z = self.block
        known = {"ntid.x": x, "ntid.y": y, "ntid.z": z, "warpsize": WARP_SIZE}
        known["nwarpid"] = -(-self.threads // WARP_SIZE)
        if name in known:
            return number(known[name])
        if name in ("tid.x", "tid.y", "tid.z"):
            return self._thread_index("xyz".index(name[-1]))
        if name == "linear":
            return self._linear()
        if name in ("ctaid.x", "nctaid.x") and self.is_small:
            most = ((1 << 31) - 1) // x
            return ranged(BLOCK, 0, most - (name == "ctaid.x"))
        if name == "laneid":
            return vector(tuple(range(self.width)))
        if name == "warpid":
            return ranged(WARP if self.groups > 1 else BLOCK, 0, self.groups - 1)
        if name.startswith("lanemask."):
            return VARIES
        return None

    def _iota(self) -> tuple[int, ...]:
        return tuple(range(self.width))

    def _linear(self) -> Shape:
        if self.groups == 1:
            return vector(self._iota())
        align = 1 if self.rows else WARP_SIZE
        return affine(self._iota(), None, 0, self.threads - 1, align, True)

    def _thread_index(self, axis: int) -> Shape:
        size = self.block[axis]
        if size == 1:
            return number(0)
        if self.rows:
            return self._row_index(axis)
        x = self.block[0]
        if self.groups == 1:
            return vector(tuple(index(self.block, axis, lane) for lane in range(32)))
        if self.is_varying(axis):
            return varying(0, size - 1)
        if axis == 0 and x % WARP_SIZE and self.threads != x:
            return vector(tuple(lane % x for lane in range(32)))
        if axis == 0:
            return affine(self._iota(), None, 0, size - 1, WARP_SIZE, True)
        if axis == 1 and x < WARP_SIZE:
            offsets = tuple(lane // x for lane in range(32))
            return affine(offsets, None, 0, size - 1, WARP_SIZE // x, True)
        return ranged(WARP, 0, size - 1)

    def _row_index(self, axis: int) -> Shape:
        size = self.block[axis]
        if axis:
            return ranged(WARP, 0, size - 1)
        if self.columns == 1:
            return vector(self._iota())
        return affine(self._iota(), None, 0, size - 1, self.width, True)

    def is_varying(self, axis: int) -> bool:
        """Whether a linear layout has a thread index that must be computed lane by lane."""
        x, y, z = self.block
        if self.rows or self.groups == 1 or self.block[axis] == 1:
            return False
        if axis == 0:
            return self.threads != x and x % WARP_SIZE != 0 and WARP_SIZE % x != 0
        if x % WARP_SIZE == 0:
            return False
        if axis == 2:
            return x * y % WARP_SIZE != 0
        return WARP_SIZE % x != 0 or (z != 1 and x * y % WARP_SIZE != 0)

    # -- code: the base of each register in vector `g`

    def base(self, b: Builder, name: str, g: SSAValue) -> SSAValue:
        """The base of an affine register, or a uniform one, as an i32."""
        x, y, z = self.block
        if self.rows:
            column, row = b.rem(g, self.columns), b.div(g, self.columns)
            if name == "tid.x":
                return b.mul(column, self.width)
            if name == "linear":
                return b.add(b.mul(row, x), b.mul(column, self.width))
            return b.rem(row, y) if name == "tid.y" else b.div(row, y)
        if name == "warpid":
            return g
        first = b.mul(g, WARP_SIZE)
        if name == "tid.x" and self.threads != x:
            return b.rem(first, x)
        if name in ("tid.x", "linear"):
            return first
        if name == "tid.y":
            return b.rem(b.div(first, x), y) if z > 1 else b.div(first, x)
        return b.div(first, x * y)


def index(block: tuple[int, int, int], axis: int, linear: int) -> int:
    """The thread index along an axis of the thread number `linear` of a block."""
    x, y, _ = block
    if axis == 0:
        return linear % x
    return linear // x % y if axis == 1 else linear // (x * y)


def _row_width(x: int) -> int:
    """Lanes of the vectors of a row of x threads: a divisor where there is a good one."""
    for width in (32, 16, 8):
        if x % width == 0:
            return width
    return WARP_SIZE if x > WARP_SIZE else 1 << (x - 1).bit_length()
