# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of the host device: what is allocated, tensor maps, and the memory functions of the
ABI."""

from __future__ import annotations

import ctypes
import mmap
import os
from bisect import bisect_right, insort
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Thread

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import new_lock
from xgpu.host_device.abi.codes import SIGNAL_CODE
from xgpu.host_device.abi.structs import WORKSPACE_BYTES, ctypes_struct
from xgpu.host_device.device.pages import pages
from xgpu.host_device.native.library import native_library
from xgpu.runtime.session import Session, negative_size

_MOST_FREED = 1024  # allocations that have been released, which errors speak of
WORKSPACES = 4096  # bytes of grids' workspaces that are allocated at a time
#: Bytes that a thread copies at least, and threads that copy at most: they wait for memory.
_PART, _MOST_THREADS = 8 << 20, 4
ALLOCATED, FREED = 0xA5, 0xDB  # what memory with visible lifetimes holds


class Memory:
    """Allocations by address.

    With `visible_lifetimes` a use outside the time in which the memory exists shows: memory holds
    one pattern when its allocation runs and another from when its release runs, and no address is
    given out again.
    """

    def __init__(
        self, session: Session, capacity: int | None = None, *, visible_lifetimes: bool = False
    ) -> None:
        self._session = session
        self.visible_lifetimes = visible_lifetimes
        self._quarantine: list[int] = []
        self._doomed: set[int] = set()
        self._lock = new_lock()
        self._sizes: dict[int, int] = {}
        self._starts: list[int] = []  # of live allocations, in order
        self._freed: dict[int, int] = {}  # sizes of the last that were released, in order
        self._in_use = 0
        #: Begin and end of what the program itself has allocated at an address, if that is known.
        self.host_range_at: Callable[[int], tuple[int, int] | None] = lambda _: None
        #: Whether kernels can use nothing of the host's but what is registered: it is known then.
        self.is_apart = False
        #: Bytes that the device maps at a time: what is behind an allocation, up to a multiple, may
        #: be used.
        self.unit = 0
        self.capacity = capacity if capacity is not None else _physical_memory()
        self.workspaces = Workspaces()

    @property
    def in_use(self) -> int:
        """Bytes that are allocated."""
        return self._in_use

    def allocate(self, size: int, *, is_shared: bool = False) -> int:
        """Allocate `size` bytes; 0 bytes give the null pointer. The host may use what it shares."""
        if size == 0:
            return 0
        with self._lock:
            if not 0 <= size < 1 << 63:
                raise DeviceError(negative_size(size))
            if self._in_use + size > self.capacity:
                raise DeviceError(
                    f"out of memory: gpu.alloc of {size} bytes, {self._in_use} of "
                    f"{self.capacity} bytes are in use"
                )
            address = pages().allocate(
                size, is_apart=not is_shared, unit=0 if is_shared else self.unit
            )
            if not address:
                raise DeviceError(f"out of memory: the host has no {size} bytes left")
            self._sizes[address] = size
            self._freed.pop(address, None)
            insort(self._starts, address)
            self._in_use += size
        self._session.create("bytes", size)
        if self.visible_lifetimes:
            self.begin(address, size)
        return address

    def begin(self, address: int, size: int) -> None:
        """The allocation of memory takes effect: what was there before is lost."""
        if address:
            ctypes.memset(address, ALLOCATED, size)

    def end(self, address: int, size: int) -> None:
        """The release of memory takes effect: its content is lost."""
        ctypes.memset(address, FREED, size)

    def range_at(self, address: int) -> tuple[int, int] | None:
        """Begin and end of the live allocation that holds `address`."""
        with self._lock:
            size = self._sizes.get(address)
            if size is not None:
                return address, address + size
            at = bisect_right(self._starts, address) - 1
            if at >= 0:
                start = self._starts[at]
                if address < start + self._sizes[start]:
                    return start, start + self._sizes[start]
        return None

    def check_range(self, address: int, size: int, what: str) -> None:
        """Raise if `size` bytes at `address` begin in an allocation and leave it."""
        found = self.range_at(address) or self.host_range_at(address)
        if found is not None and address + size > found[1]:
            raise DeviceError(
                f"{what} {size} bytes, {address + size - found[1]} bytes over the end of an "
                f"allocation of {found[1] - found[0]} bytes"
            )

    def size_at(self, address: int) -> int | None:
        """Bytes of the live allocation that starts at `address`, None if there is none."""
        with self._lock:
            return self._sizes.get(address)

    def why_not_released(self, address: int) -> str | None:
        """Why `address` cannot be given to gpu.dealloc; None where it is the start of an allocation
        whose release has not been asked for."""
        with self._lock:
            if address in self._doomed:
                size = self._sizes.get(address, 0)
                return (
                    f"gpu.dealloc of {size} bytes of gpu.alloc, whose release is queued already, "
                    "or is a graph's to do"
                )
            if address in self._sizes:
                return None
            freed = self._freed.get(address)
        if freed is not None:
            return f"gpu.dealloc of {freed} bytes of gpu.alloc, which have been released before"
        found = self.range_at(address)
        if found is not None:
            return (
                f"gpu.dealloc of what lies {address - found[0]} bytes into {found[1] - found[0]} "
                "bytes of gpu.alloc: only the whole can be released"
            )
        found = self.host_range_at(address)
        if found is not None:
            return (
                f"gpu.dealloc of host memory, {found[1] - found[0]} bytes of memref.alloc: "
                "memref.dealloc releases it"
            )
        return f"gpu.dealloc of 0x{address:x}, which gpu.alloc has not given: no device memory"

    def doom(self, address: int) -> None:
        """A release of `address` has been queued: there must not be a second one."""
        with self._lock:
            self._doomed.add(address)

    def free(self, address: int) -> None:
        with self._lock:
            self._doomed.discard(address)
            size = self._sizes.pop(address, None)
            if size is None:
                return
            self._freed.pop(address, None)
            self._freed[address] = size
            if len(self._freed) > _MOST_FREED:
                del self._freed[next(iter(self._freed))]
            del self._starts[bisect_right(self._starts, address) - 1]
            self._in_use -= size
            if self.visible_lifetimes:
                self.end(address, size)
                self._quarantine.append(address)
            else:
                pages().release(address)
        self._session.destroy("bytes", size)

    def abandon(self) -> None:
        """The device is gone, and with it all who could use its memory."""
        pages().release_later((*self._sizes, *self._quarantine, *self.workspaces.pages))

    def release_all(self) -> None:
        """Give leaked memory back to the process. It stays leaked in the report."""
        with self._lock:
            for address in (*self._sizes, *self._quarantine, *self.workspaces.pages):
                pages().release(address, at_once=True)
            self.workspaces = Workspaces()
            self._quarantine.clear()
            self._sizes.clear()
            self._starts.clear()
            self._in_use = 0


class Workspaces:
    """Workspaces of cooperative grids (`structs.WORKSPACE_BYTES`), one for each that runs. None of
    them is counted as allocated."""

    def __init__(self) -> None:
        #: The memory that they are in, `WORKSPACES` bytes each.
        self.pages: list[int] = []
        self._free: deque[int] = deque()

    @contextmanager
    def one(self, begin: Callable[[int, int], None]) -> Generator[int]:
        """The address of one, whose counter is zero. `begin` gets address and bytes of memory that
        is new. The one that was used longest ago is next: who meets at one is ordered, and grids
        that follow each other in different streams are not."""
        if not self._free:
            self._allocate(begin)
        address = self._free.popleft()
        ctypes.c_uint64.from_address(address).value = WORKSPACE_BYTES
        try:
            yield address
        finally:
            self._free.append(address)

    def _allocate(self, begin: Callable[[int, int], None]) -> None:
        address = pages().allocate(WORKSPACES, is_apart=True)
        if not address:
            raise DeviceError("out of memory: no room for a grid's workspace")
        begin(address, WORKSPACES)
        self.pages.append(address)
        self._free.extend(range(address, address + WORKSPACES, WORKSPACE_BYTES))


def _physical_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def transfer(target: int, source: int, count: int, value: int = 0, value_bytes: int = 0) -> None:
    """Copy `count` bytes, or fill with `count` values. An address that is not there is an error.
    What is large takes several threads."""
    step = value_bytes or 1
    threads = count * step // _PART
    if threads > 1:
        threads = min(threads, len(os.sched_getaffinity(0)), _MOST_THREADS)
    if threads < 2:
        _transferred(target, source, count, value, value_bytes)
        return
    # A multiple of whole pages, so that each page is touched by one thread.
    part = -(-count // threads // mmap.PAGESIZE) * mmap.PAGESIZE
    problems: list[DeviceError] = []

    def copy(first: int) -> None:
        try:
            size = min(part, count - first)
            _transferred(target + first * step, source + first, size, value, value_bytes)
        except DeviceError as problem:
            problems.append(problem)

    others = [
        Thread(target=copy, args=(first,), name="xgpu copy") for first in range(part, count, part)
    ]
    for other in others:
        other.start()
    try:
        copy(0)
    finally:
        for other in others:
            other.join()
    if problems:
        raise problems[0]


def _transferred(target: int, source: int, count: int, value: int, value_bytes: int) -> None:
    record = ctypes_struct("Transfer")(target, source, count, value, value_bytes)
    native = native_library()
    code = native.guard(native.symbols["xgpu_transfer"], ctypes.addressof(record))
    if code >= SIGNAL_CODE:
        what = (
            f"gpu.memset of 0x{target:x}"
            if value_bytes
            else (f"gpu.memcpy of {count} bytes from 0x{source:x} to 0x{target:x}")
        )
        raise DeviceError(f"{what}: illegal memory access")
