# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory on the cuda device: allocating, copying, filling, registering, tensor maps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xgpu.ir.errors import DeviceError
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.cuda.tensor_map import encode_tiled
from xgpu.runtime.session import Session


class MemoryFunctions:
    """The memory functions of the cuda device."""

    session: Session
    _driver: Driver
    _call: Callable[..., Any]
    _operate: Callable[..., Any]
    _release: Callable[..., None]
    _memory: dict[int, tuple[int, bool]]  # size, and whether managed
    _registered: set[int]

    def mgpuMemAlloc(self, size: int, stream: int, host_shared: int) -> int:
        if host_shared:
            flag = self._driver.bindings.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL
            return self._allocate("cuMemAllocManaged", size, flag)
        if stream:
            return self.mgpuMemAllocAsync(size, stream)
        return self._allocate("cuMemAlloc", size)

    def mgpuMemAllocAsync(self, size: int, stream: int) -> int:
        return self._allocate("cuMemAllocAsync", size, stream)

    def _allocate(self, function: str, size: int, *rest: Any) -> int:
        if size == 0:
            return 0
        doing = f"gpu.alloc of {size & (2**64 - 1)} bytes"
        if size < 0:
            raise DeviceError(f"out of memory: {doing}")
        address = int(self._call(function, size, *rest, doing=doing))
        self._memory[address] = (size, function == "cuMemAllocManaged")
        self.session.create("bytes", size)
        return address

    def mgpuMemFree(self, address: int, stream: int) -> None:
        known = self._take(address)
        if known is None:
            return
        size, managed = known
        if stream and not managed:
            self._release("cuMemFreeAsync", address, stream)
        else:
            self._release("cuMemFree", address)
        self.session.destroy("bytes", size)

    def mgpuMemFreeAsync(self, address: int, stream: int) -> None:
        known = self._take(address)
        if known is None:
            return
        size, managed = known
        if managed:
            # The driver frees managed memory at once: what may use it must be done.
            self._call("cuStreamSynchronize", stream, doing="waiting for a stream")
            self._release("cuMemFree", address)
        else:
            self._release("cuMemFreeAsync", address, stream)
        self.session.destroy("bytes", size)

    def _take(self, address: int) -> tuple[int, bool] | None:
        """Forget an allocation: its size, and whether it is managed. None: there is none."""
        if not address:
            return None
        known = self._memory.pop(address, None)
        if known is None and not self.session.failed:
            raise DeviceError(
                f"gpu.dealloc of 0x{address:x}, which is not allocated (freed twice, or host "
                "memory)"
            )
        return known

    def mgpuMemcpy(self, target: int, source: int, size: int, stream: int) -> None:
        doing = f"gpu.memcpy of {size} bytes from 0x{source:x} to 0x{target:x}"
        self._operate(
            "memcpy", "memory", stream, "cuMemcpyAsync", target, source, size, stream,
            doing=doing, bytes=size,
        )  # fmt: skip

    def mgpuMemset8(self, target: int, value: int, count: int, stream: int) -> None:
        self._fill("cuMemsetD8Async", stream, count, target, value & 0xFF, count, stream)

    def mgpuMemset16(self, target: int, value: int, count: int, stream: int) -> None:
        self._fill("cuMemsetD16Async", stream, 2 * count, target, value & 0xFFFF, count, stream)

    def mgpuMemset32(self, target: int, value: int, count: int, stream: int) -> None:
        self._fill("cuMemsetD32Async", stream, 4 * count, target, value & 0xFFFFFFFF, count, stream)

    def mgpuMemset64(self, target: int, value: int, count: int, stream: int) -> None:
        """The driver has no 64-bit fill: each half of the pattern is a column of 4-byte rows."""
        for half in (0, 1):
            word = value >> 32 * half & 0xFFFFFFFF
            self._fill(
                "cuMemsetD2D32Async", stream, 4 * count, target + 4 * half, 8, word, 1, count,
                stream,
            )  # fmt: skip

    def _fill(self, name: str, stream: int, size: int, *arguments: int) -> None:
        self._operate(
            "memset", "memory", stream, name, *arguments, doing="gpu.memset", bytes=size
        )  # fmt: skip

    def mgpuMemHostRegister(self, address: int, size: int) -> None:
        if size <= 0:
            return
        doing = f"gpu.host_register of {size} bytes at 0x{address:x}"
        self._call("cuMemHostRegister", address, size, 0, doing=doing)
        self._registered.add(address)

    def mgpuMemHostUnregister(self, address: int) -> None:
        if address in self._registered:
            self._registered.discard(address)
            self._release("cuMemHostUnregister", address)

    def mgpuMemHostRegisterMemRef(self, rank: int, descriptor: int, element_bytes: int) -> None:
        address, size = _dense_range(rank, descriptor, element_bytes)
        self.mgpuMemHostRegister(address, size)

    def mgpuMemHostUnregisterMemRef(self, rank: int, descriptor: int, element_bytes: int) -> None:
        self.mgpuMemHostUnregister(_dense_range(rank, descriptor, element_bytes)[0])

    def mgpuTensorMapEncodeTiledMemref(
        self, rank: int, descriptor: int, dtype: int, interleave: int, swizzle: int, l2: int,
        fill: int, box: int,
    ) -> int:  # fmt: skip
        image = encode_tiled(
            self._driver, rank, descriptor, dtype, interleave, swizzle, l2, fill, box
        )
        address = int(self._call("cuMemAlloc", len(image), doing="a tensor map"))
        self._memory[address] = (len(image), False)
        self._call("cuMemcpyHtoD", address, image, len(image))
        return address


def _dense_range(rank: int, descriptor: int, element_bytes: int) -> tuple[int, int]:
    """Address and bytes of a memref without gaps."""
    from xgpu.runtime.runner_utils.memrefs import MemRef

    memref = MemRef(rank, descriptor)
    expected = 1
    for size, stride in reversed(list(zip(memref.sizes, memref.strides, strict=True))):
        if stride != expected and size != 1:
            raise DeviceError("gpu.host_register of a memref with gaps between its elements")
        expected *= size
    return memref.base + memref.offset * element_bytes, expected * element_bytes
