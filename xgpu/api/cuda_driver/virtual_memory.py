# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: ranges of addresses, and memory that is mapped there.

Memory is a file in memory of the process's own (memfd), of which one part may be at several
addresses. A reserved range is a mapping that nothing may reach; what is mapped there takes its
place, and may be reached as far as `cuMemSetAccess` says.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from functools import cache
from typing import TYPE_CHECKING

from xgpu.api.cuda_driver.header import (
    AccessDescription,
    AllocationProperties,
    Location,
    Refused,
    Result,
    require,
)
from xgpu.api.cuda_driver.state import Allocation, Context, Driver, Held, Mapping
from xgpu.api.cuda_driver.table import Needs, entry

if TYPE_CHECKING:
    from xgpu.host_device.device.device import HostDevice

GRANULARITY = 2 << 20
_PINNED, _DEVICE_LOCATION = 1, 1
_NO_HANDLE, _FILE = 0, 1  # CUmemAllocationHandleType
_MAP_FIXED, _MAP_NORESERVE = 0x10, 0x4000
_PROTECTIONS = {0: 0, 1: mmap.PROT_READ, 3: mmap.PROT_READ | mmap.PROT_WRITE}


@cache
def _process() -> ctypes.CDLL:
    """The C library's functions of the same names."""
    found = ctypes.CDLL(None, use_errno=True)
    word = ctypes.c_size_t
    found.mmap.restype = word
    found.mmap.argtypes = [word, word, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int64]
    found.munmap.argtypes = [word, word]
    found.mprotect.argtypes = [word, word, ctypes.c_int]
    return found


def _mapped(at: int, size: int, flags: int, file: int, offset: int = 0) -> int:
    """Addresses that nothing may reach yet. Raises `Refused`."""
    found = _process().mmap(at, size, _PROTECTIONS[0], flags, file, offset)
    require(found != ctypes.c_size_t(-1).value, "no addresses are left", Result.OUT_OF_MEMORY)
    return found


def _cleared(at: int, size: int) -> None:
    """Let nothing be at reserved addresses."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE | _MAP_FIXED
    _mapped(at, size, flags, -1)


class Physical(Held):
    """Memory that has no address of its own. It is there as long as a handle or a mapping is."""

    kinds = ("CUmemGenericAllocationHandle",)

    def __init__(self, size: int, properties: AllocationProperties, file: int) -> None:
        self.size, self.file = size, file
        self.properties = AllocationProperties.from_buffer_copy(properties)
        #: How often the handle has to be released, and in how many places it is mapped.
        self.count, self.mappings = 1, 0

    def drop(self) -> None:
        """Give it back unless something has it."""
        if not self.count and not self.mappings:
            os.close(self.file)


def _check(driver: Driver, properties: AllocationProperties) -> None:
    require(properties.type == _PINNED, "the type of allocations must be pinned")
    is_device = properties.location.type == _DEVICE_LOCATION
    require(is_device, "the location is no device", Result.NOT_SUPPORTED)
    kinds = (_NO_HANDLE, _FILE)
    require(properties.handles in kinds, "handles are files alone", Result.NOT_SUPPORTED)
    driver.device(properties.location.id)


def _found(driver: Driver, handle: int) -> Physical:
    found = driver.handles.get(handle)
    if not isinstance(found, Physical):
        raise Refused(Result.INVALID_VALUE, f"0x{handle:x} is no live memory")
    return found


def _check_range(address: int, size: int) -> None:
    require(size and size % GRANULARITY == 0, f"a size of {size} bytes")
    require(address % GRANULARITY == 0, f"an address of 0x{address:x}")


@entry(
    "cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties, "
    "CUmemAllocationGranularity_flags option)", needs=Needs.INIT, since=10020,
)  # fmt: skip
def granularity(driver: Driver, properties: AllocationProperties, option: int) -> int:
    require(option <= 1, f"no option {option}")
    _check(driver, properties)
    return GRANULARITY


@entry(
    "cuMemAddressReserve(CUdeviceptr *address, size_t size, size_t alignment, CUdeviceptr hint, "
    "unsigned long long flags)", needs=Needs.INIT, since=10020,
)  # fmt: skip
def reserve(driver: Driver, size: int, alignment: int, hint: int, flags: int) -> int:
    _check_range(0, size)
    require(flags == 0, "flags must be 0")
    require(alignment & (alignment - 1) == 0, f"an alignment of {alignment} bytes")
    aligned = max(alignment, GRANULARITY)
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
    begin = _mapped(0, size + aligned, flags, -1)
    address = -(-begin // aligned) * aligned
    if address > begin:
        _process().munmap(begin, address - begin)
    _process().munmap(address + size, begin + aligned - address)
    driver.reserved[address] = size
    return address


@entry("cuMemAddressFree(CUdeviceptr address, size_t size)", needs=Needs.INIT, since=10020)
def free_addresses(driver: Driver, address: int, size: int) -> None:
    require(driver.reserved.get(address) == size, "no such range is reserved")
    is_used = any(address <= at < address + size for at in driver.mapped)
    require(not is_used, "memory is mapped there")
    del driver.reserved[address]
    _process().munmap(address, size)


@entry(
    "cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, "
    "const CUmemAllocationProp *properties, unsigned long long flags)", needs=Needs.INIT,
    since=10020,
)  # fmt: skip
def create(driver: Driver, size: int, properties: AllocationProperties, flags: int) -> int:
    _check_range(0, size)
    require(flags == 0, "flags must be 0")
    _check(driver, properties)
    capacity = driver.device(properties.location.id).host.memory.capacity
    require(size <= capacity, "more than there is", Result.OUT_OF_MEMORY)
    file = os.memfd_create("xgpu")
    os.ftruncate(file, size)
    return driver.make(Physical(size, properties, file))


@entry("cuMemRelease(CUmemGenericAllocationHandle handle)", needs=Needs.INIT, since=10020)
def release_memory(driver: Driver, handle: int) -> None:
    found = _found(driver, handle)
    found.count -= 1
    if not found.count:
        driver.end(found)
        found.drop()


@entry(
    "cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)",
    needs=Needs.INIT, since=11000,
)  # fmt: skip
def retain(driver: Driver, address: int) -> int:
    found, _ = _mapping(driver, address)
    found.count += 1
    return found.handle if found.count > 1 else driver.make(found)


def _mapping(driver: Driver, address: int) -> tuple[Physical, dict[int, int]]:
    """The memory that is mapped at an address, and what devices may do with it."""
    for at, found in driver.mapped.items():
        if at <= address < at + found.size and isinstance(found.memory, Physical):
            return found.memory, found.access
    raise Refused(Result.INVALID_VALUE, f"nothing is mapped at 0x{address:x}")


@entry(
    "cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties, "
    "CUmemGenericAllocationHandle handle)", needs=Needs.INIT, since=10020,
)  # fmt: skip
def properties_of(driver: Driver, into: AllocationProperties, handle: int) -> None:
    found = _found(driver, handle)
    ctypes.memmove(
        ctypes.addressof(into), ctypes.addressof(found.properties), ctypes.sizeof(into)
    )  # fmt: skip


@entry(
    "cuMemMap(CUdeviceptr address, size_t size, size_t offset, "
    "CUmemGenericAllocationHandle handle, unsigned long long flags)", since=10020,
)  # fmt: skip
def map_memory(
    context: Context, address: int, size: int, offset: int, handle: int, flags: int
) -> None:
    driver = context.driver
    _check_range(address, size)
    require(offset == 0 and flags == 0, "the offset and flags must be 0")
    found = _found(driver, handle)
    require(size == found.size, "memory is mapped as a whole")
    is_reserved = any(
        at <= address and address + size <= at + length for at, length in driver.reserved.items()
    )
    require(is_reserved, "the addresses are not reserved")
    is_free = all(
        address + size <= at or at + made.size <= address for at, made in driver.mapped.items()
    )
    require(is_free, "memory is mapped there")
    _mapped(address, size, mmap.MAP_SHARED | _MAP_FIXED, found.file)
    found.mappings += 1
    driver.mapped[address] = Mapping(found, size, {})
    driver.ranges.add(Allocation(address, size, "mapped", context, next(driver.numbers)))
    piece = _piece(driver, context.host, address)
    others = {piece[0], address + size} & {*piece} - {address}
    _register(driver, context.host, piece, sorted(others))


def _piece(driver: Driver, host: HostDevice, address: int) -> list[int]:
    """Where mappings of a device begin that lie side by side with the one at an address, in order.
    Kernels and copies go from one to the next."""
    ends: dict[int, int] = {}
    for at, made in driver.mapped.items():
        allocation = driver.ranges.at(at)
        if allocation is not None and allocation.context.host is host:
            ends[at] = at + made.size
    starts = {end: at for at, end in ends.items()}
    piece = [address]
    while piece[0] in starts:
        piece.insert(0, starts[piece[0]])
    while ends[piece[-1]] in ends:
        piece.append(ends[piece[-1]])
    return piece


def _register(driver: Driver, host: HostDevice, piece: list[int], others: list[int]) -> None:
    size = piece[-1] + driver.mapped[piece[-1]].size - piece[0]
    host.register_over(piece[0], size, others)


@entry("cuMemUnmap(CUdeviceptr address, size_t size)", since=10020)
def unmap(context: Context, address: int, size: int) -> None:
    driver = context.driver
    starts = [at for at in driver.mapped if address <= at < address + size]
    whole = sum(driver.mapped[at].size for at in starts)
    require(starts and whole == size, "mappings end as a whole")
    context.synchronize()
    rest: dict[int, HostDevice] = {}
    for at in starts:
        allocation = driver.ranges.at(at)
        if allocation is not None:
            host = allocation.context.host
            piece = _piece(driver, host, at)
            host.mgpuMemHostUnregister(piece[0])
            rest.update((other, host) for other in piece if other not in starts)
            driver.ranges.remove(at)
        made = driver.mapped.pop(at)
        _cleared(at, made.size)
        if isinstance(made.memory, Physical):
            made.memory.mappings -= 1
            made.memory.drop()
    while rest:
        at, host = rest.popitem()
        piece = _piece(driver, host, at)
        _register(driver, host, piece, [])
        for other in piece:
            rest.pop(other, None)


@entry(
    "cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc descriptions[], "
    "size_t count)", needs=Needs.INIT, since=10020,
)  # fmt: skip
def set_access(driver: Driver, address: int, size: int, descriptions: int, count: int) -> None:
    made = [(at, m) for at, m in driver.mapped.items() if address <= at < address + size]
    require(made and sum(m.size for _, m in made) == size, "mappings are meant as a whole")
    require(count, "no descriptions")
    given = list((AccessDescription * count).from_address(descriptions))
    for one in given:
        require(one.location.type == _DEVICE_LOCATION, "the location is no device")
        require(one.flags in _PROTECTIONS, f"access {one.flags}")
        driver.device(one.location.id)
    for at, mapping in made:
        mapping.access.update((one.location.id, one.flags) for one in given)
        # All devices are this process's: what one of them may do, each can.
        _process().mprotect(at, mapping.size, _PROTECTIONS[max(mapping.access.values())])


@entry(
    "cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, "
    "CUdeviceptr address)", needs=Needs.INIT, since=10020,
)  # fmt: skip
def get_access(driver: Driver, location: Location, address: int) -> int:
    require(location.type == _DEVICE_LOCATION, "the location is no device")
    device = driver.device(location.id)
    return _mapping(driver, address)[1].get(device.ordinal, 0)


@entry(
    "cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle, "
    "CUmemAllocationHandleType type, unsigned long long flags)", needs=Needs.INIT, since=10020,
)  # fmt: skip
def export(driver: Driver, into: int, handle: int, kind: int, flags: int) -> None:
    found = _found(driver, handle)
    require(flags == 0, "flags must be 0")
    require(kind == _FILE == found.properties.handles, "the memory has no such handle")
    ctypes.c_int32.from_address(into).value = os.dup(found.file)
