# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of the host device: what is allocated, tensor maps, and the memory functions of the
ABI."""

from __future__ import annotations

import ctypes
import os
from bisect import bisect_right, insort
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import new_lock
from xgpu.host_device.compiler.address_spaces import FAULT_BASE
from xgpu.host_device.compiler.structs import ctypes_struct
from xgpu.host_device.device.operations import Operation, Order, Stream, Transfer
from xgpu.host_device.device.pages import pages
from xgpu.host_device.native.codes import SIGNAL_CODE
from xgpu.host_device.native.library import native_library
from xgpu.runtime.runner_utils import MemRef
from xgpu.runtime.session import Session, negative_size

if TYPE_CHECKING:
    from xgpu.host_device.compiler.record_classes import TensorMap
    from xgpu.host_device.sanitizer.reports.monitor import Sanitizer


# -- Where copies of a kernel's parameters lie.


Word = ctypes.c_uint64


class ParameterLayout:
    """Where copies of a kernel's parameters lie, with the bounds of those that are pointers where
    the kernel `has_bounds`: `words` there are."""

    __slots__ = ("fields", "pointers", "storage", "words")

    def __init__(self, sizes: list[int], pointers: Sequence[int], has_bounds: bool) -> None:
        #: Offsets, the bytes that are copied, None for a word, and whether that is a pointer.
        self.fields: list[tuple[int, type[ctypes.Array[ctypes.c_uint8]] | None, bool]] = []
        total = 0
        for number, size in enumerate(sizes):
            total = -(-total // 16) * 16
            kind = None if size == 8 else ctypes.c_uint8 * size
            self.fields.append((total, kind, number in pointers))
            total += size
        self.pointers = ctypes.c_uint64 * len(sizes)
        #: Pointers to parameters, and one to all bounds.
        self.words = len(sizes) + has_bounds
        bounds = 2 * len(sizes) if has_bounds else 0
        self.storage = ctypes.c_uint64 * (self.words + -(-total // 8) + 2 + bounds)


_MOST_FREED = 1024  # allocations that have been released, which errors speak of
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
        self.capacity = capacity if capacity is not None else _physical_memory()

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
            address = pages().allocate(size, is_apart=not is_shared)
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

    def release_all(self) -> None:
        """Give leaked memory back to the process. It stays leaked in the report."""
        with self._lock:
            for address in (*self._sizes, *self._quarantine):
                pages().release(address, at_once=True)
            self._quarantine.clear()
            self._sizes.clear()
            self._starts.clear()
            self._in_use = 0


def _physical_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def transfer(target: int, source: int, count: int, value: int = 0, value_bytes: int = 0) -> None:
    """Copy `count` bytes, or fill with `count` values. An address that is not there is an error."""
    record = ctypes_struct("Transfer")()
    record.target, record.source, record.count = target, source, count
    record.value, record.value_bytes = value, value_bytes
    native = native_library()
    code = native.guard(native.symbols["xgpu_transfer"], ctypes.addressof(record))
    if code >= SIGNAL_CODE:
        what = (
            f"gpu.memset of 0x{target:x}"
            if value_bytes
            else (f"gpu.memcpy of {count} bytes from 0x{source:x} to 0x{target:x}")
        )
        raise DeviceError(f"{what}: illegal memory access")


# -- Tensor maps of the host device, with the checks that the CUDA driver makes of them.


# Bytes of an element, in the order of CUtensorMapDataType.
ELEMENT_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)
SWIZZLE_BYTES = (0, 32, 64, 128)


def encode_tensor_map(
    rank: int, descriptor: int, dtype: int, interleave: int, swizzle: int, fill: int, box: int
) -> TensorMap:
    """The record of a tiled tensor map (CUDA driver API, cuTensorMapEncodeTiled)."""
    if not 1 <= rank <= 5:
        raise DeviceError(f"tensor map of rank {rank}: it must be 1 to 5")
    if not 0 <= dtype < len(ELEMENT_BYTES):
        raise DeviceError(f"tensor map of unknown data type {dtype}")
    if interleave:
        raise DeviceError("interleaved tensor maps are not supported on the host device")
    if not 0 <= swizzle < len(SWIZZLE_BYTES):
        raise DeviceError(f"tensor map of unknown swizzle {swizzle}")
    memref = MemRef(rank, descriptor)
    size = ELEMENT_BYTES[dtype]
    boxes = list((ctypes.c_int64 * rank).from_address(box))[::-1]
    if any(not 1 <= b <= 256 for b in boxes):
        raise DeviceError(f"tensor map: box sizes must be 1 to 256, they are {boxes[::-1]}")
    if swizzle and boxes[0] * size > SWIZZLE_BYTES[swizzle]:
        raise DeviceError(
            f"tensor map: the box's innermost dimension is {boxes[0] * size} bytes, the swizzle "
            f"allows {SWIZZLE_BYTES[swizzle]}"
        )
    encoded = ctypes_struct("TensorMap")()
    encoded.base = memref.base + memref.offset * size
    encoded.rank, encoded.element_bytes = rank, size
    encoded.swizzle, encoded.fill = swizzle, fill
    for i, extent in enumerate(reversed(memref.sizes)):
        encoded.sizes[i] = extent
        encoded.box[i] = boxes[i]
    for i, stride in enumerate(reversed(memref.strides[:-1])):
        if stride * size % 16:
            raise DeviceError(f"tensor map: stride of {stride * size} bytes, not a multiple of 16")
        encoded.strides[i] = stride * size
    return encoded


# -- The memory functions of the host device: allocation, copies, fills, tensor maps.


_SMALLEST_ADDRESS = 1 << 20
#: How far behind its base a registered part of a variable may begin.
_STATIC_BYTES = 1 << 20
_QUICK_BYTES = 65536  # up to which CUDA's copies from pageable memory do not wait for the device


class MemoryFunctions:
    """The memory functions of the host device."""

    _memory: Memory
    _natural: bool
    _order: Order
    _stream: Callable[[int], Stream]
    _enqueue: Callable[..., Operation]
    _tensor_maps: list[ctypes.Structure]
    _registered: dict[int, int]
    sanitizer: Sanitizer | None
    current_location: Callable[[], str | None]

    def mgpuMemAlloc(self, size: int, stream: int, host_shared: int) -> int:
        if stream and not host_shared:
            return self.mgpuMemAllocAsync(size, stream)
        return self._allocate(size, bool(host_shared))

    def _allocate(self, size: int, shared: bool) -> int:
        address = self._memory.allocate(size, is_shared=shared)
        if address and self.sanitizer is not None:
            kind = "managed" if shared else "device"
            self.sanitizer.allocated(address, size, kind, self.current_location())
        return address

    def mgpuMemAllocAsync(self, size: int, stream: int) -> int:
        where = self._stream(stream)
        address = self._allocate(size, shared=False)
        if address and self._memory.visible_lifetimes:
            self._enqueue(
                where, "alloc", lambda: self._memory.begin(address, size),
                Transfer("alloc", address, 0, size, 0),
            )  # fmt: skip
        return address

    def mgpuMemFree(self, address: int, stream: int) -> None:
        if stream:
            self.mgpuMemFreeAsync(address, stream)
        elif address and self._may_be_released(address):
            if self._natural:
                # What uses the memory without having been waited for is an error of the program;
                # here it must not corrupt the process.
                self._order.wait_all()
            if self.sanitizer is not None:
                self.sanitizer.released(address, self.current_location())
            self._free(address)

    def _may_be_released(self, address: int) -> bool:
        """Whether gpu.dealloc may have an address. If not, it is a finding of the sanitizer, where
        one looks for such, else raises `DeviceError`."""
        why = self._memory.why_not_released(address)
        if why is None:
            return True
        sanitizer = self.sanitizer
        if sanitizer is None or not sanitizer.refused(why, address, self.current_location()):
            raise DeviceError(why)
        return False

    def _free(self, address: int) -> None:
        trespass = pages().trespass(address)
        self._memory.free(address)
        if trespass and self.sanitizer is None:
            raise DeviceError(f"{trespass}, which is released here")

    def mgpuMemFreeAsync(self, address: int, stream: int) -> None:
        where = self._stream(stream)
        if not address or not self._may_be_released(address):
            return
        self._memory.doom(address)
        begin, end = self._memory.range_at(address) or (address, address)
        self._enqueue(
            where, "free", lambda: self._free(address),
            Transfer("free", begin, 0, end - begin, 0), always=True,
        )  # fmt: skip

    def mgpuMemcpy(self, target: int, source: int, size: int, stream: int) -> None:
        copy = self._transfer("memcpy", stream, target, source, size, 0, 0)
        # (Elsewhere an exploration asks what a program relies on.)
        as_cuda = self._natural or self.sanitizer is not None
        if as_cuda and (self._is_pageable(target) or self._is_pageable(source)):
            # As on a GPU: the driver copies such memory by way of its own buffers, and the call
            # returns when it is done. Programs rely on it.
            self._order.wait((copy,))
            if self.sanitizer is not None:
                self.sanitizer.host_waits((copy,))

    def _is_pageable(self, address: int) -> bool:
        """Whether `address` is host memory that was not registered."""
        if self._memory.range_at(address) is not None:
            return False
        return not any(begin <= address < end for begin, end in self._registered.items())

    def reaches(self, address: int) -> bool:
        """Whether kernels may follow a pointer, or it is none: to device or shared memory, to what
        the host has registered all or parts of, and to tensor maps."""
        if address < _SMALLEST_ADDRESS or self._memory.range_at(address) is not None:
            return True
        if any(ctypes.addressof(t) == address for t in self._tensor_maps):
            return True
        begin, end = self._memory.host_range_at(address) or (address, address + _STATIC_BYTES)
        return any(b < end and begin < e for b, e in self._registered.items())

    def mgpuMemset8(self, target: int, value: int, count: int, stream: int) -> None:
        self._transfer("memset", stream, target, 0, count, value, 1)

    def mgpuMemset16(self, target: int, value: int, count: int, stream: int) -> None:
        self._transfer("memset", stream, target, 0, count, value, 2)

    def mgpuMemset32(self, target: int, value: int, count: int, stream: int) -> None:
        self._transfer("memset", stream, target, 0, count, value, 4)

    def mgpuMemset64(self, target: int, value: int, count: int, stream: int) -> None:
        self._transfer("memset", stream, target, 0, count, value, 8)

    def _transfer(
        self, name: str, stream: int, target: int, source: int, count: int, value: int, width: int
    ) -> Operation:
        def act() -> None:
            size = count * max(width, 1)
            self._memory.check_range(target, size, f"gpu.{name} writes")
            if not width:
                self._memory.check_range(source, size, f"gpu.{name} reads")
            transfer(target, source, count, value, width)

        return self._enqueue(
            self._stream(stream), name, act,
            Transfer(name, target, source, count, width),
            quick=count * max(width, 1) <= _QUICK_BYTES,
        )  # fmt: skip

    def mgpuMemHostRegister(self, address: int, size: int) -> None:
        """Kernels reach host memory anyway; copies of it no longer make the host wait."""
        self._registered[address] = address + size
        if self.sanitizer is not None:
            self.sanitizer.allocated(address, size, "host", self.current_location())

    def mgpuMemHostUnregister(self, address: int) -> None:
        self._registered.pop(address, None)
        if self.sanitizer is not None:
            self.sanitizer.unregistered(address, self.current_location())

    def mgpuMemHostRegisterMemRef(self, rank: int, descriptor: int, element_bytes: int) -> None:
        memref = MemRef(rank, descriptor)
        steps = zip(memref.sizes, memref.strides, strict=True)
        count = 1 + sum((size - 1) * stride for size, stride in steps)
        begin = memref.base + memref.offset * element_bytes
        self.mgpuMemHostRegister(begin, count * element_bytes)

    def mgpuMemHostUnregisterMemRef(self, rank: int, descriptor: int, element_bytes: int) -> None:
        memref = MemRef(rank, descriptor)
        self.mgpuMemHostUnregister(memref.base + memref.offset * element_bytes)

    def mgpuSetDefaultDevice(self, device: int) -> None:
        if device != 0:
            raise DeviceError(f"no device {device}: the host device is number 0 and the only one")

    def mgpuTensorMapEncodeTiledMemref(
        self, rank: int, descriptor: int, dtype: int, interleave: int, swizzle: int, l2: int,
        fill: int, box: int,
    ) -> int:  # fmt: skip
        encoded = encode_tensor_map(rank, descriptor, dtype, interleave, swizzle, fill, box)
        if self._memory.is_apart and self.sanitizer is None and not self.reaches(encoded.base):
            encoded.base |= FAULT_BASE
        self._tensor_maps.append(encoded)
        return ctypes.addressof(encoded)
