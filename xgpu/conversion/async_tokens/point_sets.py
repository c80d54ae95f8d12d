# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sets of a function's points, as the bits of integers, where ways meet and loops are left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Exit(NamedTuple):
    """Control that leaves: what the host has waited for, what the values imply, what has run."""

    done: int
    values: Sequence[int]
    reached: int


class Loop:
    """A loop: the range of its numbers, the bits that iterations pass on, and what those carry."""

    __slots__ = ("carries", "left", "mask", "members")

    def __init__(self, mask: int) -> None:
        self.mask = mask
        #: What the last iteration may have run, whichever way it left.
        self.left = 0
        self.members: list[int] = []
        self.carries: list[int] = []

    def earlier(self, bits: int) -> int:
        """What of all earlier iterations is done when `bits` are."""
        found = 0
        for member, carried in zip(self.members, self.carries, strict=True):
            if bits & member:
                found |= carried
        return found

    def outside(self, bits: int, reached: int) -> int:
        """`bits` after the loop; the last iteration ran what `reached` has."""
        inside = (bits | (self.mask & ~reached)) & self.earlier(bits) & self.mask
        return (bits & ~self.mask) | inside


def meet(exits: Sequence[Exit], count: int) -> Exit:
    """What holds whichever way control came."""
    if not exits:
        return Exit(0, [0] * count, 0)
    if len(exits) == 1:
        return exits[0]
    reached = 0
    for way in exits:
        reached |= way.reached
    done, values = -1, [-1] * count
    for way in exits:
        absent = reached & ~way.reached
        done &= way.done | absent
        for i in range(count):
            values[i] &= way.values[i] | absent
    return Exit(done, values, reached)


def mask_of(span: tuple[int, int]) -> int:
    """The bits of a range of numbers."""
    first, end = span
    return (1 << end) - (1 << first)


def leave(loop: Loop, way: Exit, reached: int) -> Exit:
    """A way out of a loop, seen from outside; `reached` is what may have run by then."""
    return Exit(
        loop.outside(way.done, way.reached),
        [loop.outside(v, way.reached) for v in way.values],
        reached,
    )
