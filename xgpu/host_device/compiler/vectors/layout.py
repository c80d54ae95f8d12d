# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which threads of a block are the lanes of which vector.

`linear`: vectors of 32 threads that follow one another, the warps. `rows`: for kernels in which no
thread sees its warp, vectors lie along x, so that rows that are no multiple of 32 long have affine
addresses too: a block of 16 x 16 threads is 16 vectors of 16 lanes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.host_device.compiler.vectors import shapes
from xgpu.host_device.compiler.vectors.shapes import BLOCK, WARP, Shape

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.host_device.compiler.vectors.emission import Builder


WARP_SIZE = 32
_SHORTEST_ROW = 4


class Layout:
    """`groups` vectors of `width` lanes; `columns` of them make a row of the block.

    `lanes(g, b)` below: `b` builds i32 arithmetic
    (`xgpu.host_device.compiler.vectors.emission.Builder`).
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
            return shapes.number(known[name])
        if name in ("tid.x", "tid.y", "tid.z"):
            return self._thread_index("xyz".index(name[-1]))
        if name == "linear":
            return self._linear()
        if name in ("ctaid.x", "nctaid.x") and self.is_small:
            most = ((1 << 31) - 1) // x
            return shapes.ranged(BLOCK, 0, most - (name == "ctaid.x"))
        if name == "laneid":
            return shapes.vector(tuple(range(self.width)))
        if name == "warpid":
            return shapes.ranged(WARP if self.groups > 1 else BLOCK, 0, self.groups - 1)
        if name.startswith("lanemask."):
            return shapes.VARIES
        return None

    def _iota(self) -> tuple[int, ...]:
        return tuple(range(self.width))

    def _linear(self) -> Shape:
        if self.groups == 1:
            return shapes.vector(self._iota())
        align = 1 if self.rows else WARP_SIZE
        return shapes.affine(self._iota(), None, 0, self.threads - 1, align, True)

    def _thread_index(self, axis: int) -> Shape:
        size = self.block[axis]
        if size == 1:
            return shapes.number(0)
        if self.rows:
            return self._row_index(axis)
        x = self.block[0]
        if self.groups == 1:
            return shapes.vector(tuple(index(self.block, axis, lane) for lane in range(32)))
        if self.is_varying(axis):
            return shapes.varying(0, size - 1)
        if axis == 0 and x % WARP_SIZE and self.threads != x:
            return shapes.vector(tuple(lane % x for lane in range(32)))
        if axis == 0:
            return shapes.affine(self._iota(), None, 0, size - 1, WARP_SIZE, True)
        if axis == 1 and x < WARP_SIZE:
            offsets = tuple(lane // x for lane in range(32))
            return shapes.affine(offsets, None, 0, size - 1, WARP_SIZE // x, True)
        return shapes.ranged(WARP, 0, size - 1)

    def _row_index(self, axis: int) -> Shape:
        size = self.block[axis]
        if axis:
            return shapes.ranged(WARP, 0, size - 1)
        if self.columns == 1:
            return shapes.vector(self._iota())
        return shapes.affine(self._iota(), None, 0, size - 1, self.width, True)

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
