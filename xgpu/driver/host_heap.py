# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""malloc and free of host programs that are run many times, or whose functions are called.

Memory shows when it exists, as the device's does, and is given back when the run is over: a copy
of the device into memory that the host has freed too early must change the result, not the heap.
"""

from __future__ import annotations

import ctypes
from bisect import bisect_right, insort
from collections import deque
from collections.abc import Callable
from ctypes import CDLL
from functools import cache

from xgpu.core.support.forks import new_lock
from xgpu.host_device.device.pages import pages

ALLOCATED, FREED = 0xA5, 0xDB
_MOST_FREED = 10_000  # blocks that are kept


_GUARDED = 4096  # bytes, from which on an allocation has pages of its own
_MARK, _MARKS = 0xC5, 64  # what lies behind smaller ones, and how much of it


@cache
def _libc() -> CDLL:
    libc = ctypes.CDLL(None)
    libc.malloc.argtypes = [ctypes.c_size_t]
    libc.malloc.restype = ctypes.c_void_p
    libc.free.argtypes = [ctypes.c_void_p]
    libc.free.restype = None
    return libc


class HostHeap:
    """`malloc` and `free` are C functions for a program."""

    def __init__(self) -> None:
        self._sizes: dict[int, int] = {}
        self._freed: deque[int] = deque()
        self.malloc = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64)(self._malloc)
        self.free = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(self._free)

    def _malloc(self, size: int) -> int:
        address: int = _libc().malloc(size) or 0
        if address:
            self._sizes[address] = size
            ctypes.memset(address, ALLOCATED, size)
        return address

    def _free(self, address: int) -> None:
        size = self._sizes.pop(address, None)
        if size is None:
            if address and address not in self._freed:
                _libc().free(address)  # a library has allocated it
            return
        ctypes.memset(address, FREED, size)
        self._freed.append(address)
        if len(self._freed) > _MOST_FREED:
            _libc().free(self._freed.popleft())

    def release(self) -> None:
        """The run is over: give back what it has freed; what it leaked stays leaked."""
        while self._freed:
            _libc().free(self._freed.popleft())
        self._sizes.clear()


class GuardedHeap:
    """`malloc` and `free` of a program that runs once, on the host device: it is known what is
    allocated, so that copies can be checked; and what is not small has pages of its own, with pages
    around it that must not be accessed (`xgpu.host_device.device.pages`). Behind what is small lie
    marks, so that a store there does no harm, and is reported to `fail` when the memory is
    released; so is a release of the device's memory, with its address.
    """

    def __init__(self, fail: Callable[[str, int], None]) -> None:
        self._fail = fail
        self._sizes: dict[int, int] = {}
        self._starts: list[int] = []  # in order
        self._own: set[int] = set()
        self._lock = new_lock()
        self.malloc = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64)(self._malloc)
        self.free = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(self._free)

    def _malloc(self, size: int) -> int:
        guarded = size >= _GUARDED
        address: int = (pages().allocate(size, "memref") if guarded else _marked(size)) or 0
        if address:
            with self._lock:
                self._sizes[address] = size
                insort(self._starts, address)
                if guarded:
                    self._own.add(address)
        return address

    def _free(self, address: int) -> None:
        if address not in self._sizes and pages().maker_at(address) == "gpu":
            what = pages().describe_device(address).removeprefix(f"0x{address:x} ")
            why = f"memref.dealloc of device memory, which {what}: gpu.dealloc releases it"
            self._fail(why, address)
            return
        with self._lock:
            size = self._sizes.pop(address, None)
            if size is not None:
                self._check(address, size)
                del self._starts[bisect_right(self._starts, address) - 1]
            guarded = address in self._own
            self._own.discard(address)
        if guarded:
            pages().release(address)
        else:
            _libc().free(address)

    def _check(self, address: int, size: int) -> None:
        """Report what was stored beside memory."""
        if address in self._own:
            trespass = pages().trespass(address)
        else:
            at = next((i for i, b in enumerate(_marks(address, size)) if b != _MARK), None)
            made = f"{size} bytes of memref.alloc"
            trespass = "" if at is None else f"a store {at} bytes behind {made}"
        if trespass:
            self._fail(f"{trespass}, which is released here", 0)

    def range_at(self, address: int) -> tuple[int, int] | None:
        """Begin and end of the allocation that holds an address."""
        with self._lock:
            at = bisect_right(self._starts, address) - 1
            if at < 0 or address >= self._starts[at] + self._sizes[self._starts[at]]:
                return None
            return self._starts[at], self._starts[at] + self._sizes[self._starts[at]]

    def release(self) -> None:
        """The program is over: pages that it has leaked serve again."""
        for address in self._own:
            pages().release(address, at_once=True)
        self._own.clear()
        self._sizes.clear()
        self._starts.clear()


def _marked(size: int) -> int | None:
    """Memory of `size` bytes with marks behind it."""
    address: int | None = _libc().malloc(size + _MARKS)
    if address:
        ctypes.memset(address + size, _MARK, _MARKS)
    return address


def _marks(address: int, size: int) -> bytes:
    return ctypes.string_at(address + size, _MARKS)


class LastingHeap:
    """`malloc` and `free` of a program whose functions return memory: it is known what is
    allocated, so that its receiver can give it back.
    """

    def __init__(self) -> None:
        self._sizes: dict[int, int] = {}
        self.malloc = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64)(self._malloc)
        self.free = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(self.release_one)

    def _malloc(self, size: int) -> int:
        address: int = _libc().malloc(size) or 0
        if address:
            self._sizes[address] = size
        return address

    def size_at(self, address: int) -> int | None:
        """Bytes of what is allocated at `address`, None if nothing is."""
        return self._sizes.get(address)

    def release_one(self, address: int) -> None:
        """Free memory that the program or a library has allocated."""
        self._sizes.pop(address, None)
        _libc().free(address)

    def release(self) -> None:
        """A call is over; what it has allocated stays."""
