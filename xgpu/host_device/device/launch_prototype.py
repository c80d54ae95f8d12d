# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launches of a kernel with the same sizes have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.host_device.compiler import record_classes


_SLOWEST = 1 << 31  # nanoseconds of 1024 groups: enough to ask all for help
# Nanoseconds of work for each helper. One that waits comes in some 10 microseconds; additions of
# vectors that take 80, 100 and 130 alone take 62, 70 and 91 with one (AMD EPYC, two cores).
WORTH = 75_000
_WORTH_1024 = WORTH * 1024
_SHORTEST = 5_000  # nanoseconds of what a worker takes at a time


class Prototype:
    """What launches of a kernel with the same sizes have in common. What is asked for with each of
    them is here too: after a kernel that fills the caches a field of a record is expensive."""

    __slots__ = ("groups", "is_independent", "pace", "record", "suspending", "worth")

    def __init__(self, record: record_classes.Launch) -> None:
        self.record = record
        self.groups = record.groups
        self.suspending = record.suspending
        #: Blocks may be taken in parts and in any order: they wait for no others.
        self.is_independent = record.most > 1
        #: Nanoseconds of 1024 groups, as far as is known.
        self.pace = 0
        #: How many helpers are worth it: that takes each so long.
        self.worth = 0

    def set_pace(self, pace: int) -> bool:
        """Let the next launches know how long 1024 groups take, in nanoseconds; False if what is
        known is good enough, so that nothing changes."""
        if abs(pace - self.pace) * 8 <= self.pace:
            return False
        self.pace = pace = min(pace, _SLOWEST)
        self.record.least = 1 + _SHORTEST * 1024 // pace
        self.worth = pace * self.groups // _WORTH_1024
        return True
