# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory on the cuda device: allocating, copying, filling, registering, tensor maps."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import SupportsInt

from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.cuda.driver import ABSENT, Context, CudaError, Driver
from xgpu.runtime.runner_utils import MemRef
from xgpu.runtime.session import Session, negative_size

TENSOR_MAP_BYTES = 128
_ALIGNMENT = 64  # of a CUtensorMap

# Bytes of an element, in the order of CUtensorMapDataType.
ELEMENT_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)

_I, _P = ctypes.c_uint32, ctypes.c_void_p
# map, type, rank, address, sizes, strides, box, element strides, interleave, swizzle, L2
# promotion, fill
_ENCODE = ctypes.CFUNCTYPE(ctypes.c_int, _P, _I, _I, _P, _P, _P, _P, _P, _I, _I, _I, _I)

# Elements of 8 bytes that fills of columns write before copies of what is filled take over.
_FILLED_FIRST = 4096


@dataclass(frozen=True, slots=True)
class Allocation:
    """Memory of `size` bytes. `kind`: ordered (of a stream's order), plain, managed, or mapped
    (the host's own, which the device reads and writes).
    """

    size: int
    kind: str
    home: int
    is_ending: bool = False  # freed by the program, and still used by what its stream holds

    @property
    def is_shared(self) -> bool:
        """Whether the host sees it, so that the driver frees it at once."""
        return self.kind in ("managed", "mapped")


@dataclass(slots=True)
class Registration:
    """Memory of the host that the driver knows, and how many times it was registered."""

    size: int
    count: int = 1


class MemoryFunctions:
    """The memory functions of the cuda device."""

    session: Session
    _driver: Driver
    _ordinal: int
    _call: Callable[..., SupportsInt]
    _context: Callable[..., Context]
    _current: Callable[..., AbstractContextManager[None]]
    _home: Callable[[int], int]
    _placed: Callable[[int], int]
    _serving: Callable[[int, int], int]
    _now: dict[int, int]
    _new_event: Callable[[int], int]
    _drop_event: Callable[[int, int], None]
    _operate: Callable[..., object]
    _release: Callable[..., None]
    _attribute: Callable[..., int]

    def __init__(self) -> None:
        self._memory: dict[int, Allocation] = {}
        self._registered: dict[int, Registration] = {}
        # An event, its device, and what may be freed after it.
        self._ending: list[tuple[int, int, int]] = []

    # -- allocating

    def mgpuMemAlloc(self, size: int, stream: int, host_shared: int) -> int:
        if not host_shared:
            return self.mgpuMemAllocAsync(size, stream) if stream else self._plain(size)
        self._free_ended()
        if self._attribute("CONCURRENT_MANAGED_ACCESS"):
            flag = self._driver.bindings.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL
            return self._allocate("managed", size, "cuMemAllocManaged", flag)
        # Where the host must not touch managed memory while anything runs (WSL, Windows, Jetson).
        return self._allocate("mapped", size, "cuMemHostAlloc", _PORTABLE | _MAPPED)

    def _plain(self, size: int) -> int:
        return self._allocate("plain", size, "cuMemAlloc")

    def mgpuMemAllocAsync(self, size: int, stream: int) -> int:
        stream = self._placed(stream)
        home = self._home(stream)
        if not self._attribute("MEMORY_POOLS_SUPPORTED", home):
            return self._plain(size)
        pool = self._context(home).pool()
        if pool is None:
            return self._allocate("ordered", size, "cuMemAllocAsync", stream, on=home)
        return self._allocate("ordered", size, "cuMemAllocFromPoolAsync", pool, stream, on=home)

    def _allocate(
        self, kind: str, size: int, function: str, *rest: object, on: int | None = None
    ) -> int:
        if size == 0:
            return 0
        if not 0 <= size < 1 << 63:
            raise DeviceError(negative_size(size))
        doing = f"gpu.alloc of {size} bytes"
        address = int(self._call(function, size, *rest, doing=doing, on=on))
        home = self._ordinal if on is None else on
        self._memory[address] = Allocation(size, kind, home)
        self.session.create("bytes", size)
        return address

    def mgpuMemFree(self, address: int, stream: int) -> None:
        self._free(address, stream, wait=False)

    def mgpuMemFreeAsync(self, address: int, stream: int) -> None:
        self._free(address, stream, wait=True)

    def _free(self, address: int, stream: int, *, wait: bool) -> None:
        """Free in the order of `stream` (of all that runs, if that is null and none of `wait`)."""
        known = self._known(address)
        if known is None:
            return
        if known.is_shared:
            self._end(address, stream, known, wait=wait)
            return
        has_pools = self._attribute("MEMORY_POOLS_SUPPORTED", known.home)
        in_order = has_pools and (stream or wait)
        serving = self._serving(stream, known.home) if in_order else 0
        del self._memory[address]
        if in_order:
            self._release("cuMemFreeAsync", address, serving, on=known.home)
        else:
            self._release("cuMemFree", address, on=known.home)  # waits for all that runs
        self.session.destroy("bytes", known.size)

    def _end(self, address: int, stream: int, known: Allocation, *, wait: bool) -> None:
        """Free memory that the host sees, which the driver would do at once: after what `stream`
        holds now, at the next call.
        """
        self._free_ended()
        stream = self._now.get(stream, stream)
        if wait:
            home = self._home(stream)
            event = self._new_event(home)
            try:
                self._call("cuEventRecord", event, stream, on=home)
            except CudaError:
                self._drop_event(event, home)
                raise
            self._ending.append((event, home, address))
            self._memory[address] = replace(known, is_ending=True)
        else:
            self._free_shared(address, known)
        self.session.destroy("bytes", known.size)

    def _free_ended(self) -> None:
        """Free what nothing uses any more."""
        while self._ending:
            event, home, address = self._ending[0]
            known = self._memory[address]
            try:
                self._call("cuEventQuery", event, on=home)
            except CudaError as problem:
                if problem.result == "CUDA_ERROR_NOT_READY":
                    return
                if problem.result not in ABSENT:
                    raise
                self._call("cuEventSynchronize", event, on=home)
            del self._ending[0]
            self._drop_event(event, home)
            self._free_shared(address, known)

    def _free_shared(self, address: int, known: Allocation) -> None:
        name = "cuMemFree" if known.kind == "managed" else "cuMemFreeHost"
        del self._memory[address]
        self._release(name, address, on=known.home)

    def _known(self, address: int) -> Allocation | None:
        """The allocation at an address; None for null, or once the program has failed."""
        if not address:
            return None
        known = self._memory.get(address)
        if known is not None and not known.is_ending:
            return known
        if not self.session.failed:
            raise DeviceError(
                f"gpu.dealloc of 0x{address:x}, which is not allocated (freed twice, or host "
                "memory)"
            )
        return None

    def _release_memory(self) -> None:
        with contextlib.suppress(DeviceError):
            for event, home, _ in self._ending:
                self._release("cuEventDestroy", event, on=home)
        for address, known in list(self._memory.items()):
            with contextlib.suppress(DeviceError):
                name = "cuMemFreeHost" if known.kind == "mapped" else "cuMemFree"
                self._release(name, address, on=known.home)
        for address in self._registered:
            with contextlib.suppress(DeviceError):
                self._release("cuMemHostUnregister", address)
        self._ending.clear()
        self._memory.clear()
        self._registered.clear()

    def allocation_size(self, address: int) -> int | None:
        """Bytes of the live allocation that starts at `address`, None if there is none."""
        known = self._memory.get(address)
        return None if known is None or known.is_ending else known.size

    # -- copying and filling

    def mgpuMemcpy(self, target: int, source: int, size: int, stream: int) -> None:
        doing = f"gpu.memcpy of {size} bytes from 0x{source:x} to 0x{target:x}"
        if size < 0:
            raise DeviceError(f"{doing}: the size is negative")
        stream = self._placed(stream)
        self._operate(
            "memcpy", "memory", stream, "cuMemcpyAsync", target, source, size, stream,
            doing=doing, bytes=size,
        )  # fmt: skip

    def copy_rows(
        self, target: tuple[int, int, bool], source: tuple[int, int, bool], width: int, rows: int,
        stream: int,
    ) -> None:  # fmt: skip
        """Copy `rows` rows of `width` bytes; `target` and `source` are an address, the bytes from
        one row to the next, and whether that is memory of the host."""
        kinds = self._driver.bindings.CUmemorytype
        params = self._driver.bindings.CUDA_MEMCPY2D()
        for end, (address, pitch, is_host) in (("dst", target), ("src", source)):
            kind = kinds.CU_MEMORYTYPE_HOST if is_host else kinds.CU_MEMORYTYPE_DEVICE
            setattr(params, f"{end}MemoryType", kind)
            setattr(params, f"{end}{'Host' if is_host else 'Device'}", address)
            setattr(params, f"{end}Pitch", max(pitch, width))
        params.WidthInBytes, params.Height = width, rows
        doing = f"a copy of {rows} rows of {width} bytes from 0x{source[0]:x} to 0x{target[0]:x}"
        self._operate(
            "memcpy", "memory", stream, "cuMemcpy2DAsync", params, stream, doing=doing,
            bytes=rows * width,
        )  # fmt: skip

    def mgpuMemset8(self, target: int, value: int, count: int, stream: int) -> None:
        stream = self._placed(stream)
        self._fill("cuMemsetD8Async", stream, count, target, value & 0xFF, count, stream)

    def mgpuMemset16(self, target: int, value: int, count: int, stream: int) -> None:
        stream = self._placed(stream)
        self._fill("cuMemsetD16Async", stream, 2 * count, target, value & 0xFFFF, count, stream)

    def mgpuMemset32(self, target: int, value: int, count: int, stream: int) -> None:
        stream = self._placed(stream)
        self._fill("cuMemsetD32Async", stream, 4 * count, target, value & 0xFFFFFFFF, count, stream)

    def mgpuMemset64(self, target: int, value: int, count: int, stream: int) -> None:
        """The driver has no 64-bit fill: two equal halves are 32-bit values; of others each half
        is a column of 4-byte rows, and since such rows are slow, many are copied from the first.
        """
        low, high = value & 0xFFFFFFFF, value >> 32 & 0xFFFFFFFF
        if low == high:
            self.mgpuMemset32(target, low, 2 * count, stream)
            return
        stream = self._placed(stream)
        done = min(count, _FILLED_FIRST)
        for at, word in ((target, low), (target + 4, high)):
            self._fill("cuMemsetD2D32Async", stream, 4 * done, at, 8, word, 1, done, stream)
        while done < count:
            more = min(done, count - done)
            arguments = (target + 8 * done, target, 8 * more, stream)
            self._fill("cuMemcpyAsync", stream, 8 * more, *arguments)
            done += more

    def _fill(self, name: str, stream: int, size: int, *arguments: int) -> None:
        if size < 0:
            raise DeviceError(f"gpu.memset of {size} bytes: the size is negative")
        self._operate(
            "memset", "memory", stream, name, *arguments, doing="gpu.memset", bytes=size
        )  # fmt: skip

    # -- memory of the host

    def mgpuMemHostRegister(self, address: int, size: int) -> None:
        if size <= 0:
            return
        doing = f"gpu.host_register of {size} bytes at 0x{address:x}"
        known = self._registered.get(address)
        if known is not None and size <= known.size:
            known.count += 1
            return
        if not self._attribute("CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM"):
            raise DeviceError(
                f"{doing}: this device does not see memory of the host at the host's addresses; "
                "use gpu.alloc host_shared instead"
            )
        self._call("cuMemHostRegister", address, size, 0, doing=doing)
        self._registered[address] = Registration(size)

    def mgpuMemHostUnregister(self, address: int) -> None:
        known = self._registered.get(address)
        if known is None:
            return
        known.count -= 1
        if not known.count:
            del self._registered[address]
            self._release("cuMemHostUnregister", address)

    def mgpuMemHostRegisterMemRef(self, rank: int, descriptor: int, element_bytes: int) -> None:
        address, size = _dense_range(rank, descriptor, element_bytes)
        self.mgpuMemHostRegister(address, size)

    def mgpuMemHostUnregisterMemRef(self, rank: int, descriptor: int, element_bytes: int) -> None:
        self.mgpuMemHostUnregister(_dense_range(rank, descriptor, element_bytes)[0])

    # -- tensor maps

    def mgpuTensorMapEncodeTiledMemref(
        self, rank: int, descriptor: int, dtype: int, interleave: int, swizzle: int, l2: int,
        fill: int, box: int,
    ) -> int:  # fmt: skip
        with self._current():
            image = encode_tiled(
                self._driver, rank, descriptor, dtype, interleave, swizzle, l2, fill, box
            )
        address = int(self._call("cuMemAlloc", len(image), doing="a tensor map"))
        self._memory[address] = Allocation(len(image), "plain", self._ordinal)
        self._call("cuMemcpyHtoD", address, image, len(image))
        # A copy from pageable memory may return before it is done, and our streams, which do not
        # wait for the null stream, would not wait for it.
        self._call("cuStreamSynchronize", 0, doing="waiting for a tensor map")
        return address


_PORTABLE, _MAPPED = 1, 2  # CU_MEMHOSTALLOC_PORTABLE, CU_MEMHOSTALLOC_DEVICEMAP


def _dense_range(rank: int, descriptor: int, element_bytes: int) -> tuple[int, int]:
    """Address and bytes of a memref without gaps."""
    memref = MemRef(rank, descriptor)
    expected = 1
    for size, stride in reversed(list(zip(memref.sizes, memref.strides, strict=True))):
        if stride != expected and size != 1:
            raise DeviceError("gpu.host_register of a memref with gaps between its elements")
        expected *= size
    return memref.base + memref.offset * element_bytes, expected * element_bytes


def encode_tiled(
    driver: Driver, rank: int, descriptor: int, dtype: int, interleave: int, swizzle: int, l2: int,
    fill: int, box: int,
) -> bytes:  # fmt: skip
    """The 128 bytes of a tensor map for TMA, from a memref descriptor (cuTensorMapEncodeTiled). The
    driver wants dimensions innermost first, strides in bytes, and a map at a multiple of 64 bytes,
    where the bindings' own objects are not.
    """
    if not 1 <= rank <= 5:
        raise DeviceError(f"tensor map of rank {rank}: it must be 1 to 5")
    if not 0 <= dtype < len(ELEMENT_BYTES):
        raise DeviceError(f"tensor map of unknown data type {dtype}")
    memref = MemRef(rank, descriptor)
    size = ELEMENT_BYTES[dtype]
    boxes = list((ctypes.c_int64 * rank).from_address(box))
    storage = ctypes.create_string_buffer(TENSOR_MAP_BYTES + _ALIGNMENT)
    aligned = -(-ctypes.addressof(storage) // _ALIGNMENT) * _ALIGNMENT
    result = _ENCODE(driver.entry("cuTensorMapEncodeTiled"))(
        aligned, dtype, rank, memref.base + memref.offset * size,
        _words(ctypes.c_uint64, memref.sizes[::-1]),
        _words(ctypes.c_uint64, [s * size for s in memref.strides[-2::-1]]),
        _words(ctypes.c_uint32, boxes[::-1]), _words(ctypes.c_uint32, [1] * rank),
        interleave, swizzle, l2, fill,
    )  # fmt: skip
    sizes = "x".join(map(str, memref.sizes))
    driver.check(result, "cuTensorMapEncodeTiled", f"tensor map of a {sizes} memref")
    return ctypes.string_at(aligned, TENSOR_MAP_BYTES)


def _words(
    kind: type[ctypes.c_uint32 | ctypes.c_uint64], values: Sequence[int]
) -> ctypes.Array[ctypes.c_uint32] | ctypes.Array[ctypes.c_uint64]:
    return (kind * max(len(values), 1))(*values)
