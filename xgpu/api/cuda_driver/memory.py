# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: memory, and what is known of pointers."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from xgpu.api.cuda_driver.fast_calls import GRANULE
from xgpu.api.cuda_driver.header import (
    AccessDescription,
    AllocationNode,
    Refused,
    Result,
    require,
)
from xgpu.api.cuda_driver.held import Pool
from xgpu.api.cuda_driver.pools import DEVICE_LOCATION, PINNED, pool_of
from xgpu.api.cuda_driver.state import (
    ALLOCATE,
    FREE,
    ON_DEVICE,
    ON_HOST,
    Allocation,
    Context,
    Driver,
    NodeWork,
    Part,
    Stream,
    release,
)
from xgpu.api.cuda_driver.table import Needs, entry
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.device.operations import Transfer

_PITCH = 512  # bytes that rows of pitched memory begin at a multiple of
_WORD = ctypes.c_uint64
ATTACH = (1, 2, 4)  # flags of managed memory
_HOST_FLAGS, _REGISTER_FLAGS = 7, 15


# -- allocation


def allocate(
    context: Context, size: int, kind: str, flags: int = 0, pool: Pool | None = None
) -> Allocation:
    """Memory that the context owns. Raises `Refused`."""
    require(size, "an allocation of nothing")
    host = context.host
    # A program that uses the rest of the last unit runs on a GPU, so it does here; the sanitizer
    # sees the size that was asked for.
    whole = size if host.sanitizer is not None else -(-size // GRANULE) * GRANULE
    is_shared = int(kind not in ("device", "array"))
    try:
        try:
            address = host.mgpuMemAlloc(whole, 0, is_shared)
        except DeviceError:
            if not context.driver.mirror.rests.value:
                raise
            context.driver.settle_memory()
            address = host.mgpuMemAlloc(whole, 0, is_shared)
    except DeviceError as problem:
        raise Refused(Result.OUT_OF_MEMORY, str(problem)) from None
    number = next(context.driver.numbers)
    made = Allocation(address, size, kind, context, number, flags, pool)
    context.driver.ranges.add(made)
    return made


def allocated(context: Context, address: int, *kinds: str) -> Allocation:
    """The allocation that begins at an address. Raises `Refused`."""
    found = context.driver.ranges.at(address)
    if found is None or found.kind not in kinds:
        raise Refused(Result.INVALID_VALUE, f"0x{address:x} is no memory of {' or '.join(kinds)}")
    return found


@entry("cuMemAlloc(CUdeviceptr *address, size_t size)", since=2000, v2=3020, settles=False)
def allocate_plain(context: Context, size: int) -> int:
    address = allocate(context, size, "device").address
    context.driver.mirror.may_rest(address, size)
    return address


@entry(
    "cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, "
    "unsigned int element)", since=2000, v2=3020,
)  # fmt: skip
def allocate_rows(context: Context, width: int, height: int, element: int) -> tuple[int, int]:
    require(element in (4, 8, 16), "elements have 4, 8 or 16 bytes")
    require(width and height, "an allocation of nothing")
    pitch = -(-width // _PITCH) * _PITCH
    return allocate(context, pitch * height, "device").address, pitch


@entry("cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned int flags)", since=6000)
def allocate_managed(context: Context, size: int, flags: int) -> int:
    require(flags in ATTACH, f"flags are {flags}")
    return allocate(context, size, "managed", flags).address


@entry("cuMemAllocHost(void **address, size_t size)", since=2000, v2=3020)
def allocate_host(context: Context, size: int) -> int:
    return allocate(context, size, "host").address


@entry("cuMemHostAlloc(void **address, size_t size, unsigned int flags)", since=2020)
def allocate_host_with(context: Context, size: int, flags: int) -> int:
    require(flags & ~_HOST_FLAGS == 0, f"flags are {flags}")
    return allocate(context, size, "host", flags).address


@entry("cuMemFree(CUdeviceptr address)", since=2000, v2=3020)
def free(context: Context, address: int) -> None:
    if not address:
        return
    found = allocated(context, address, "device", "managed", "host")
    is_host = found.kind == "host" and found.pool is None
    require(not is_host, f"0x{address:x} is page-locked memory of the host")
    found.context.synchronize()
    if found.is_of_graph:
        for _, action, _ in _given_back(found):
            action()
    else:
        _end(found)


def _given_back(found: Allocation) -> Sequence[Part]:
    """What is done where a program frees memory of a graph itself. Raises `Refused`."""
    if found.is_given_back:
        raise Refused(Result.INVALID_VALUE, f"0x{found.address:x} is freed already")
    return FreeWork(found).parts()


def _end(allocation: Allocation) -> None:
    if allocation.pool is not None:
        allocation.pool.give_back(allocation.size)
    release(allocation)


@entry("cuMemFreeHost(void *address)", since=2000)
def free_host(context: Context, address: int) -> None:
    found = allocated(context, address, "host")
    found.context.synchronize()
    release(found)


@entry("cuMemHostRegister(void *address, size_t size, unsigned int flags)", since=4000, v2=6050)
def register(context: Context, address: int, size: int, flags: int) -> None:
    require(size, "a registration of nothing")
    require(flags & ~_REGISTER_FLAGS == 0, f"flags are {flags}")
    ranges = context.driver.ranges
    for known in (ranges.around(address), ranges.around(address + size - 1)):
        require(known is None, "registered already", Result.HOST_MEMORY_ALREADY_REGISTERED)
    context.host.mgpuMemHostRegister(address, size)
    number = next(context.driver.numbers)
    ranges.add(Allocation(address, size, "registered", context, number, flags))


@entry("cuMemHostUnregister(void *address)", since=4000)
def unregister(context: Context, address: int) -> None:
    found = context.driver.ranges.around(address)
    if found is None or found.kind != "registered":
        raise Refused(Result.HOST_MEMORY_NOT_REGISTERED, f"0x{address:x} is not registered")
    require(found.address == address, f"0x{address:x} is within a registration")
    found.context.synchronize()
    release(found)


@entry(
    "cuMemHostGetDevicePointer(CUdeviceptr *address, void *host, unsigned int flags)",
    since=2020, v2=3020,
)  # fmt: skip
def device_pointer(context: Context, host: int, flags: int) -> int:
    require(flags == 0, "flags must be 0")
    _host_memory(context, host)
    return host


@entry("cuMemHostGetFlags(unsigned int *flags, void *host)", since=2030)
def host_flags(context: Context, host: int) -> int:
    return _host_memory(context, host).flags


def _host_memory(context: Context, address: int) -> Allocation:
    found = context.driver.ranges.around(address)
    if found is None or found.kind not in ("host", "registered"):
        raise Refused(Result.INVALID_VALUE, f"0x{address:x} is no page-locked memory")
    return found


@entry("cuMemGetInfo(size_t *free, size_t *total)", since=2000, v2=3020)
def information(context: Context) -> tuple[int, int]:
    capacity = context.host.memory.capacity
    used = context.driver.mirror.used_of(context.device.ordinal)
    return max(capacity - used, 0), capacity


@entry(
    "cuMemGetAddressRange(CUdeviceptr *base?, size_t *size?, CUdeviceptr address)",
    since=2000,
    v2=3020,
)
def address_range(context: Context, address: int) -> tuple[int, int]:
    found = context.driver.ranges.around(address)
    if found is None:
        raise Refused(Result.NOT_FOUND, f"0x{address:x} is no memory of the device")
    return found.address, found.size


# -- memory in the order of a stream


@entry("cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream)", since=11020)
def allocate_ordered(context: Context, size: int, stream: Stream) -> int:
    return _ordered(context, size, pool_of(context.device), stream)


@entry(
    "cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, CUmemoryPool pool, "
    "CUstream stream)", since=11020,
)  # fmt: skip
def allocate_from_pool(context: Context, size: int, pool: Pool, stream: Stream) -> int:
    return _ordered(context, size, pool, stream)


def _ordered(context: Context, size: int, pool: Pool, stream: Stream) -> int:
    if not size:
        return 0  # as CUDA does: nothing is allocated, and freeing it does nothing
    if stream.capture is not None:
        return stream.capture.allocate(context, stream, size)
    made = allocate(context, size, pool.memory, int(pool.memory == "managed"), pool)
    pool.count(size)
    memory = context.host.memory
    if memory.visible_lifetimes:
        stream.enqueue(
            "alloc", lambda: memory.begin(made.address, size),
            Transfer("alloc", made.address, 0, size, 0),
        )  # fmt: skip
    return made.address


@entry("cuMemFreeAsync(CUdeviceptr address, CUstream stream)", since=11020)
def free_ordered(context: Context, address: int, stream: Stream) -> None:
    if not address:
        return
    if stream.capture is not None:
        stream.capture.free(stream, address)
        return
    found = allocated(context, address, "device", "managed", "host")
    is_ordered = found.kind == "device" or found.pool is not None or found.is_of_graph
    require(is_ordered, f"0x{address:x} is of no pool")
    if found.is_of_graph:
        for part in _given_back(found):
            stream.enqueue(*part)
        return
    stream.enqueue(*_freed(found), always=True, quick=True)


def _freed(found: Allocation) -> Part:
    """The program cannot use memory any more; what gives it back in the order of a stream."""
    address, memory = found.address, found.context.host.memory
    found.context.driver.ranges.remove(address)
    if found.pool is not None:
        found.pool.give_back(found.size)
    memory.doom(address)
    return "free", lambda: memory.free(address), Transfer("free", address, 0, found.size, 0)


# -- memory of graphs


class AllocationWork(NodeWork):
    """An allocation of a graph: the memory is there as long as the graph is."""

    kind = ALLOCATE

    def __init__(self, made: Allocation, given: AllocationNode | None = None) -> None:
        kept = AllocationNode()
        kept.pool.type, kept.pool.location.type = PINNED, DEVICE_LOCATION
        kept.pool.location.id = made.context.device.ordinal
        if given is not None:
            kept = AllocationNode.from_buffer_copy(given)
        access = (AccessDescription * kept.access_count)()
        if kept.access_count:
            ctypes.memmove(access, kept.access, ctypes.sizeof(access))
            kept.access = ctypes.addressof(access)
        kept.size, kept.address = made.size, made.address
        super().__init__(kept)
        self.made, self._access = made, access

    def parts(self) -> Sequence[Part]:
        made, memory = self.made, self.made.context.host.memory
        made.is_given_back = False  # to the program, which frees it behind this launch

        def begin() -> None:
            if memory.visible_lifetimes:
                memory.begin(made.address, made.size)

        return (("alloc", begin, Transfer("alloc", made.address, 0, made.size, 0)),)


class FreeWork(NodeWork):
    kind = FREE

    def __init__(self, made: Allocation) -> None:
        super().__init__()
        self.made = made

    def parts(self) -> Sequence[Part]:
        made, memory = self.made, self.made.context.host.memory
        if not made.is_of_graph and made.context.driver.ranges.at(made.address) is made:
            return (_freed(made),)  # the graph that has allocated it is destroyed
        made.is_given_back = True

        def end() -> None:
            if memory.visible_lifetimes:
                memory.end(made.address, made.size)

        return (("free", end, Transfer("free", made.address, 0, made.size, 0)),)


# -- what is known of pointers


Number = type[ctypes.c_int32] | type[ctypes.c_uint32] | type[ctypes.c_uint64]


class Unknown(Exception):
    """The driver knows nothing of an address, or nothing of that kind."""


def _attribute(driver: Driver, attribute: int, address: int) -> tuple[Number, int]:
    """The type and the value of an attribute."""
    found = driver.ranges.around(address)
    if attribute == 19:  # whether the range is known (MAPPED)
        return ctypes.c_int32, int(found is not None)
    if found is None:
        raise Unknown
    on_host = found.is_on_host
    context = found.context
    times = driver.mirror.times(found.address)
    if times > found.times:  # it is another one by now
        found.times, found.number = times, next(driver.numbers)
    known: dict[int, tuple[Number, int]] = {
        1: (_WORD, context.handle), 2: (ctypes.c_uint32, ON_HOST if on_host else ON_DEVICE),
        3: (_WORD, address), 6: (ctypes.c_uint32, found.sync_operations), 7: (_WORD, found.number),
        8: (ctypes.c_uint32, int(found.kind == "managed")),
        9: (ctypes.c_int32, context.device.ordinal), 10: (ctypes.c_uint32, 0),
        11: (_WORD, found.address), 12: (_WORD, found.size), 13: (ctypes.c_uint32, 1),
        14: (_WORD, 0), 15: (ctypes.c_uint32, 0), 16: (ctypes.c_uint32, 3),
        17: (_WORD, 0 if found.pool is None else found.pool.handle), 20: (_WORD, found.number),
    }  # fmt: skip
    if on_host or found.kind == "managed":
        known[4] = (_WORD, address)
    if attribute not in known:
        raise Unknown
    return known[attribute]


@entry(
    "cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address)",
    needs=Needs.INIT, since=4000,
)  # fmt: skip
def pointer_attribute(driver: Driver, value: int, attribute: int, address: int) -> None:
    driver.check()
    try:
        kind, found = _attribute(driver, attribute, address)
    except Unknown:
        raise Refused(
            Result.INVALID_VALUE, f"nothing is known of 0x{address:x} (attribute {attribute})"
        ) from None
    kind.from_address(value).value = found


@entry(
    "cuPointerGetAttributes(unsigned int count, CUpointer_attribute attributes[], void *values[], "
    "CUdeviceptr address)", needs=Needs.INIT, since=7000,
)  # fmt: skip
def pointer_attributes(
    driver: Driver, count: int, attributes: int, values: int, address: int
) -> None:
    driver.check()
    require(count, "no attributes")
    numbers = (ctypes.c_uint32 * count).from_address(attributes)
    for number, where in zip(numbers, (_WORD * count).from_address(values), strict=True):
        require(where, "a pointer is null")
        try:
            kind, found = _attribute(driver, number, address)
        except Unknown:  # as the driver documents it: zeros, and device -2
            is_small = number in (2, 6, 8, 9, 10, 13, 15, 16)
            kind, found = (ctypes.c_int32 if is_small else _WORD), -2 if number == 9 else 0
        kind.from_address(where).value = found


@entry(
    "cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr address)",
    since=6000,
)  # fmt: skip
def set_pointer_attribute(context: Context, value: int, attribute: int, address: int) -> None:
    require(attribute == 6, f"the attribute {attribute} cannot be set")
    found = context.driver.ranges.around(address)
    if found is None:
        raise Refused(Result.INVALID_VALUE, f"nothing is known of 0x{address:x}")
    found.sync_operations = ctypes.c_uint32.from_address(value).value
    context.driver.mirror.must_not_rest(found.address)
