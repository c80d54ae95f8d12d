# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lies behind allocations on a device that has memory in units.

A GPU maps 2 MiB at a time: a kernel that leaves a small allocation by a little uses other memory,
and does not fault. So there may be memory behind an allocation, up to a multiple of the unit. It
has no access until it is used: then the handler of faults (`native.sources.guards`) finds it in the
table here, opens it and notes the address.
"""

from __future__ import annotations

import ctypes
from functools import cache

from xgpu.host_device.abi.codes import SAID, UNIT_WORDS
from xgpu.host_device.native.library import native_library

_FIRST_ENTRIES = 256


class Units:
    """A table of memory that may be used from its first use on. The caller has a lock."""

    def __init__(self) -> None:
        self._words = (ctypes.c_uint64 * (UNIT_WORDS * _FIRST_ENTRIES))()
        self._old: list[ctypes.Array[ctypes.c_uint64]] = []
        self._free: list[int] = []
        self._count = 0

    def add(self, begin: int, bytes: int) -> int:
        """There is such memory from now on; the result is its entry."""
        if self._free:
            entry = self._free.pop()
        else:
            entry = self._count
            if UNIT_WORDS * entry == len(self._words):
                self._grow()
            self._count += 1
        at = UNIT_WORDS * entry
        self._words[at], self._words[at + 2] = begin, 0
        self._words[at + 1] = bytes
        native_library().tell_units(ctypes.addressof(self._words), self._count)
        return entry

    def remove(self, entry: int) -> None:
        """There is no such memory any more."""
        self._words[UNIT_WORDS * entry + 1] = 0
        self._free.append(entry)

    def first_use(self, entry: int) -> int:
        """The first address there that was used; 0 if none was. It is said once."""
        at = UNIT_WORDS * entry + 2
        found = self._words[at]
        if found in (0, SAID):
            return 0
        self._words[at] = SAID
        return found

    def is_used(self, entry: int) -> bool:
        """Whether something there was used."""
        return self._words[UNIT_WORDS * entry + 2] != 0

    def _grow(self) -> None:
        # A handler may read the old one.
        self._old.append(self._words)
        larger = (ctypes.c_uint64 * (2 * len(self._words)))()
        larger[: len(self._words)] = self._words[:]
        self._words = larger


@cache
def units() -> Units:
    """The table of this process."""
    return Units()
