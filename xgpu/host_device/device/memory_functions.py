# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory functions of the host device: allocation, copies, fills, tensor maps."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.abi.addresses import FAULT_BASE
from xgpu.host_device.abi.structs import ctypes_struct
from xgpu.host_device.device.memory import Memory, transfer
from xgpu.host_device.device.operations import Operation, Order, Stream, Transfer
from xgpu.host_device.device.pages import pages
from xgpu.runtime.runner_utils import MemRef

if TYPE_CHECKING:
    from xgpu.host_device.abi.record_classes import TensorMap
    from xgpu.host_device.device.sanitizer_interface import Sanitizer
    from xgpu.runtime.session import Session


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
    encoded.rank, encoded.element_bytes, encoded.element_type = rank, size, dtype
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
    session: Session
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

    def free_unused(self, address: int) -> None:
        """Release memory that nothing has used since nothing was under way."""
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

    def warn_of_use_behind(self, address: int) -> None:
        """Warn if memory behind an allocation was used, where there is some (`Memory.unit`)."""
        behind = pages().use_behind(address)
        if behind:
            self.session.warn(
                f"{behind} was used: a GPU has memory there, for it maps 2 MiB at a time. "
                "`--sanitize=memory` says which line uses it", "",
            )  # fmt: skip

    def _free(self, address: int) -> None:
        trespass = pages().trespass(address)
        self.warn_of_use_behind(address)
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

    def register_over(self, address: int, size: int, others: Sequence[int]) -> None:
        """Register memory of the host in one piece, parts of which, at `others`, are registered."""
        for other in others:
            self._registered.pop(other, None)
        self._registered[address] = address + size
        if self.sanitizer is not None:
            where = self.current_location()
            self.sanitizer.allocated_over(address, size, others, "host", where)

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
