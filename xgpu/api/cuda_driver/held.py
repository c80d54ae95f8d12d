# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What handles stand for: the base of all, what programs give back, and memory pools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

#: CUmemAllocationType, CUmemLocationType, and the location's number.
PoolPlace = tuple[int, int, int]
#: CUmemPool_attribute: how many bytes a pool keeps of what is given back.
RELEASE_THRESHOLD = 4


class Held:
    """Something that programs have a handle of; `kinds` are its types in C."""

    kinds: tuple[str, ...] = ()
    handle = 0
    #: The handle that it must have, if not any will do.
    own_handle = 0
    #: It belongs to another object, with which it ends.
    is_own = False
    #: What the sanitizer calls it, which tells of those that are never destroyed; empty for others.
    leaks_as = ""

    def destroy(self) -> None:
        """It ends with its context."""


#: What programs give back, by types in C.
_GIVEN_BACK = (
    "CUmodule", "CUlibrary", "CUstream", "CUevent", "CUmemoryPool", "CUgraph", "CUgraphExec",
    "CUlinkState", "CUgreenCtx", "CUcontext", "CUmemGenericAllocationHandle", "CUuserObject",
    "CUarray", "CUtexObject", "CUsurfObject",
)  # fmt: skip


def counted(values: Iterable[Held], memory: Iterable[str]) -> Counter[str]:
    """How many there are of what programs give back, by types in C; `memory` are the kinds of
    allocations."""
    found: Counter[str] = Counter()
    for value in values:
        kind = next((k for k in _GIVEN_BACK if k in value.kinds), None)
        if kind is not None and not value.is_own:
            found[kind] += 1
    if count := sum(kind not in ("variable", "array") for kind in memory):
        found["memory"] = count
    return found


class Pool(Held):
    """A memory pool. `memory` is the kind of its allocations: device, managed or host; `device` is
    the ordinal of the device where they are, None for no device in particular.

    The counts are the driver's: `used` bytes are allocated, `reserved` includes what the pool keeps
    of memory that was given back, at most its threshold. A GPU's pool releases the rest at the next
    synchronization, this one at once. The memory itself is given back always: a use of it after
    that is an error that can be reported."""

    kinds = ("CUmemoryPool",)

    def __init__(self, device: int | None, *, is_own: bool, memory: str = "device") -> None:
        self.device, self.memory = device, memory
        self.is_own = is_own
        #: CUmemPool_attribute: what may be set.
        self.attributes = {1: 1, 2: 1, 3: 1, RELEASE_THRESHOLD: 0}
        self.used = self.most = 0
        self.reserved = self.most_reserved = 0
        self.access: dict[int, int] = {} if device is None else {device: 3}

    def count(self, size: int) -> None:
        """So many bytes more are allocated from it."""
        self.used += size
        self.most = max(self.most, self.used)
        self.reserved = max(self.reserved, self.used)
        self.most_reserved = max(self.most_reserved, self.reserved)

    def give_back(self, size: int) -> None:
        """So many bytes of it are free."""
        self.used -= size
        self.trim(self.attributes[RELEASE_THRESHOLD])

    def reset_high(self, *, reserved: bool) -> None:
        """Lets the most that was reserved, or allocated, begin with what is now."""
        if reserved:
            self.most_reserved = self.reserved
        else:
            self.most = self.used

    def trim(self, keep: int) -> None:
        """What it reserves is at most `keep` bytes, or what is allocated."""
        self.reserved = max(self.used, min(self.reserved, keep))
