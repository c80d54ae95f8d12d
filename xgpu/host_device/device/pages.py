# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the host device's memory comes from: pages of its own, apart from the process's heap.

An allocation ends where its pages end (rounded up to what cuMemAlloc aligns to), and before them
and behind them is a page without access; what has been released has none either.
What a program itself allocates comes from here too, where it is not small (`host_heap`). Device
memory that is not the host's lies apart from all else (`xgpu.host_device.abi.addresses`). So a
kernel that leaves its memory, or uses it too late, is caught by the processor and cannot corrupt
the process. Released pages serve again, the oldest first, when a few of their size have gathered
(large ones at once): the kernel of the operating system clears fresh ones, which takes longer than
most of our kernels.

Behind an allocation there may be memory in the last unit of the device (`units`).

What is left of the pages, at most one before an allocation and less than ALIGNMENT bytes behind it,
holds marks: who stores there is found when his kernel is over, or the memory is released.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from bisect import bisect_right, insort
from collections import deque
from contextlib import suppress
from functools import cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import new_lock
from xgpu.host_device.abi.addresses import DEVICE, DEVICE_BIT, is_device
from xgpu.host_device.device.units import units

if TYPE_CHECKING:
    from ctypes import CDLL


ALIGNMENT = 256  # as cuMemAlloc
MARK = 0xC5  # what the rest of an allocation's pages holds, which is unused
_NEAR = 256  # bytes before an allocation that are looked at after each launch
_MARKS = bytes([MARK]) * mmap.PAGESIZE
#: Released regions of one size that are kept from use, where they have less than so many bytes:
#: the system takes longer to clear large ones than most kernels to use them.
_RESTING, _LARGE = 4, 4 << 20
#: Of released memory in all: a sixteenth of what the machine has, within bounds.
_MOST_BYTES = min(
    max(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 16, 256 << 20), 1 << 30
)

_NONE, _ALL = 0, mmap.PROT_READ | mmap.PROT_WRITE
_DONT_NEED = 4  # madvise: what was there is lost, and zeros come


# Bytes beside an allocation, and what they hold if nothing was stored there.
Margins = tuple[tuple["ctypes.Array[ctypes.c_char]", bytes], ...]


def _filled(*places: tuple[int, int]) -> list[tuple[int, int]]:
    return [place for place in places if place[0] < place[1]]


def _range(place: tuple[int, int]) -> ctypes.Array[ctypes.c_char]:
    """Memory from one address to another."""
    return (ctypes.c_char * (place[1] - place[0])).from_address(place[0])


class Region:
    """Pages of one allocation: `begin` to `guard` may be used, `address` is where it starts. The
    dialect `maker` has allocated it. Up to `end` there is what the last unit of the device has."""

    __slots__ = (
        "_beside",
        "address",
        "begin",
        "end",
        "guard",
        "kind",
        "length",
        "maker",
        "margins",
        "near",
        "released",
        "size",
        "unit",
    )

    def __init__(self, begin: int, guard: int, end: int, is_apart: bool) -> None:
        self.maker = "gpu"
        self.begin = begin
        self.guard = guard
        self.end = end
        self.length = guard - begin
        #: What regions that can stand for one another have in common.
        self.kind: Kind = self.length, end - guard, is_apart
        #: The entry of what is behind it (`units`), while it is live.
        self.unit: int | None = None
        self.address = begin
        self.size = 0
        self.released = False
        #: What lies before and behind it in its pages, and what of it lies near by.
        self.margins: tuple[ctypes.Array[ctypes.c_char], ...] = ()
        self._beside = self.margins
        self.near: Margins = ()

    def take(self, size: int, maker: str) -> int:
        """Let it be an allocation of `size` bytes, at its end; where that begins."""
        if size != self.size:
            self._fit(size)
        self.maker = maker
        self.released = False
        self.margins = self._beside
        for margin in self.margins:
            ctypes.memset(margin, MARK, len(margin))
        if self.end > self.guard:
            self.unit = units().add(self.guard, self.end - self.guard)
        return self.address

    def _fit(self, size: int) -> None:
        """Where an allocation of `size` bytes begins, and what lies beside it."""
        bytes = -(-size // ALIGNMENT) * ALIGNMENT
        self.address = self.guard - bytes
        self.size = size
        behind = self.address + size, self.guard
        near = max(self.begin, self.address - _NEAR), self.address
        self._beside = tuple(map(_range, _filled((self.begin, self.address), behind)))
        self.near = tuple(
            (_range(place), _MARKS[: place[1] - place[0]]) for place in _filled(near, behind)
        )

    def use_behind(self) -> str:
        """Which memory behind the allocation was used, in words; empty if none was. It is said
        once."""
        first = 0 if self.unit is None else units().first_use(self.unit)
        if not first:
            return ""
        distance = first - self.address - self.size
        return f"memory {distance} bytes behind {self.size} bytes of {self.maker}.alloc"

    def leave(self) -> None:
        """It is no allocation any more: what is behind it is as it was at first."""
        self.released = True
        if self.unit is None:
            return
        if units().is_used(self.unit):
            behind = self.end - self.guard
            _libc().madvise(self.guard, behind, _DONT_NEED)
            _protect(self.guard, behind, _NONE)
        units().remove(self.unit)
        self.unit = None

    def trespass(self) -> str:
        """What was stored beside the allocation, in words; empty if nothing was. It is
        said once."""
        for margin in self.margins:
            if margin.raw != _MARKS[: len(margin)]:
                return self._trespass(margin)
        return ""

    def _trespass(self, margin: ctypes.Array[ctypes.c_char]) -> str:
        held = margin.raw
        at = [i for i, byte in enumerate(held) if byte != MARK]
        ctypes.memset(margin, MARK, len(margin))
        begin = ctypes.addressof(margin)
        made = f"{self.size} bytes of {self.maker}.alloc"
        if begin < self.address:
            first = held.rfind(MARK, 0, at[-1]) + 1
            return f"a store {self.address - begin - first} bytes before {made}"
        return f"a store {begin + at[0] - self.address - self.size} bytes behind {made}"


# Bytes of a region, those behind it that may be used, and whether it lies apart.
Kind = tuple[int, int, bool]


class Pages:
    """Allocates regions; may be used by several threads."""

    def __init__(self) -> None:
        self._lock = new_lock()
        self._live: dict[int, Region] = {}
        #: What lies near allocations, by where they begin.
        self.near: dict[int, Margins] = {}
        # Released ones by their kind: those without access, those with access.
        self._resting: dict[Kind, deque[Region]] = {}
        self._open: dict[Kind, list[Region]] = {}
        self._idle_bytes = 0
        self._abandoned: SimpleQueue[tuple[int, ...]] = SimpleQueue()
        self._next_apart = DEVICE << DEVICE_BIT
        self._begins: list[int] = []  # of all regions, with the page before them, in order
        self._regions: dict[int, Region] = {}  # by where the page before them begins

    def allocate(
        self, size: int, maker: str = "gpu", *, is_apart: bool = False, unit: int = 0
    ) -> int:
        """Memory of `size` bytes, or 0 where the system has none. Its content is anything. Device
        memory `is_apart` from the host's, unless the system does not let us choose; what the host
        shares has no marks beside it, for it could not be said who has stored there. What is
        behind it up to a multiple of `unit` bytes may be used too (`use_behind`)."""
        length = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        kind = length, -length % unit if unit else 0, is_apart
        self._release_abandoned()
        with self._lock:
            region = self._rested(kind) or self._mapped(kind)
            if region is None:
                self._trim(0)
                region = self._mapped(kind)
            if region is None:
                return 0
            address = region.take(size, maker)
            self._live[address] = region
            if maker == "gpu" and not is_apart:
                region.margins = ()
            else:
                self.near[address] = region.near
            return address

    def trespass(self, address: int) -> str:
        """What was stored beside the allocation that begins at `address`, in words."""
        region = self._live.get(address)
        return region.trespass() if region is not None and region.margins else ""

    def use_behind(self, address: int) -> str:
        """Which memory behind the allocation that begins at `address` was used, in words."""
        region = self._live.get(address)
        return region.use_behind() if region is not None else ""

    def show(self, address: int) -> None:
        """Let live memory have access that machine code has taken from it."""
        region = self._live[address]
        _protect(region.begin, region.length, _ALL)

    def release(self, address: int, *, at_once: bool = False) -> None:
        """Give memory back. A use of it from here on faults, unless it may serve `at_once`."""
        with self._lock:
            region = self._live.pop(address)
            self.near.pop(address, None)
            region.leave()
            if at_once:
                self._open.setdefault(region.kind, []).append(region)
            else:
                _protect(region.begin, region.length, _NONE)
                self._resting.setdefault(region.kind, deque()).append(region)
            self._idle_bytes += region.length
            self._trim(_MOST_BYTES)

    def release_later(self, addresses: tuple[int, ...]) -> None:
        """Give memory back with the next allocation; takes no lock."""
        self._abandoned.put(addresses)

    def _release_abandoned(self) -> None:
        if self._abandoned.empty():
            return
        with suppress(Empty):
            while True:
                for address in self._abandoned.get_nowait():
                    self.release(address, at_once=True)

    def describe(self, address: int) -> str:
        """What an address that faulted is, in words; empty where we do not know it."""
        with self._lock:
            at = bisect_right(self._begins, address) - 1
            region = self._regions[self._begins[at]] if at >= 0 else None
        if region is None or address >= region.end + mmap.PAGESIZE:
            return ""
        if region.released:
            return f"0x{address:x} lies in memory that {region.maker}.dealloc has released"
        made = f"{region.size} bytes of {region.maker}.alloc"
        if address >= region.guard:
            end = region.address + region.size
            return f"0x{address:x} lies {address - end} bytes behind {made}"
        if address < region.begin:
            return f"0x{address:x} lies {region.address - address} bytes before {made}"
        return ""

    def describe_device(self, address: int) -> str:
        """Which device memory an address is of, in words."""
        with self._lock:
            at = bisect_right(self._begins, address) - 1
            region = self._regions[self._begins[at]] if at >= 0 else None
        if region is None or not region.address <= address < region.address + region.size:
            return self.describe(address) or f"0x{address:x}"
        if region.released:
            return self.describe(address)
        size = f"{region.size} bytes of {region.maker}.alloc"
        return f"0x{address:x} lies {address - region.address} bytes into {size}"

    def maker_at(self, address: int) -> str:
        """Who has made the live memory that holds an address ("gpu", "memref"), empty where none
        is there."""
        with self._lock:
            at = bisect_right(self._begins, address) - 1
            region = self._regions[self._begins[at]] if at >= 0 else None
        if region is None or region.released:
            return ""
        is_there = region.address <= address < region.address + max(region.size, 1)
        return region.maker if is_there else ""

    def _rested(self, kind: Kind) -> Region | None:
        """A released region that may serve again."""
        if self._open.get(kind):
            region = self._open[kind].pop()
        elif len(self._resting.get(kind, ())) > (_RESTING if kind[0] < _LARGE else 0):
            region = self._resting[kind].popleft()
            _protect(region.begin, region.length, _ALL)
        else:
            return None
        self._idle_bytes -= region.length
        return region

    def _mapped(self, kind: Kind) -> Region | None:
        length, behind, is_apart = kind
        whole = length + behind + 2 * mmap.PAGESIZE
        base = _map(whole, self._next_apart if is_apart else None)
        if base is None:
            return None
        begin = base + mmap.PAGESIZE
        if _libc().mprotect(begin, length, _ALL):
            _libc().munmap(base, whole)
            return None
        if is_apart:
            self._next_apart = _apart_behind(base + whole)
        if length >= _LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
            # Advice: the first use of each page takes the system longer than most kernels take.
            _libc().madvise(begin, length, mmap.MADV_HUGEPAGE)
        region = Region(begin, begin + length, begin + length + behind, is_apart)
        self._regions[base] = region
        insort(self._begins, base)
        return region

    def _trim(self, most: int) -> None:
        """Give released regions, the largest first, back to the system until few bytes are left."""
        while self._idle_bytes > most:
            kind = max(
                k for d in (self._open, self._resting) for k, regions in d.items() if regions
            )
            if self._open.get(kind):
                region = self._open[kind].pop()
            else:
                region = self._resting[kind].popleft()
            length = region.length
            self._idle_bytes -= length
            base = region.begin - mmap.PAGESIZE
            del self._regions[base]
            del self._begins[bisect_right(self._begins, base) - 1]
            _libc().munmap(base, region.end + mmap.PAGESIZE - base)


@cache
def _libc() -> CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    word, number = ctypes.c_void_p, ctypes.c_int
    libc.mmap.argtypes = [word, ctypes.c_size_t, number, number, number, ctypes.c_int64]
    libc.mmap.restype = ctypes.c_ssize_t
    libc.mprotect.argtypes = [word, ctypes.c_size_t, number]
    libc.munmap.argtypes = [word, ctypes.c_size_t]
    libc.madvise.argtypes = [word, ctypes.c_size_t, number]
    return libc


def _apart_behind(end: int) -> int:
    """Where device memory goes next: behind what it had last, or from the beginning again. (The
    system takes another place if there is something.)"""
    return end if is_device(end + _MOST_BYTES) else DEVICE << DEVICE_BIT


def _map(length: int, hint: int | None = None) -> int | None:
    """Addresses without access."""
    begin: int = _libc().mmap(hint, length, _NONE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    return None if begin == -1 else begin


def _protect(begin: int, length: int, allowed: int) -> None:
    if _libc().mprotect(begin, length, allowed):
        raise DeviceError(f"out of memory: mprotect: {os.strerror(ctypes.get_errno())}")


@cache
def pages() -> Pages:
    """The pages of this process."""
    return Pages()
