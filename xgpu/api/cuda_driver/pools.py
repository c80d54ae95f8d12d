# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: memory pools, of devices and of the host."""

from __future__ import annotations

import ctypes

from xgpu.api.cuda_driver.header import (
    AccessDescription,
    Location,
    PoolProperties,
    Result,
    require,
)
from xgpu.api.cuda_driver.held import Pool, PoolPlace
from xgpu.api.cuda_driver.state import Device, Driver
from xgpu.api.cuda_driver.table import Needs, entry

PINNED, MANAGED = 1, 2  # CUmemAllocationType
DEVICE_LOCATION, _ON_HOST, _NUMA, _MOST_LOCATION = 1, 2, 3, 4  # CUmemLocationType
_HOST_LOCATIONS = range(_ON_HOST, _MOST_LOCATION + 1)
_READ_AND_WRITE = 3  # CUmemAccess_flags
_WORD = ctypes.c_uint64


def default_pool(device: Device) -> Pool:
    """The device's own."""
    if device.default_pool is None:
        device.default_pool = device.pool = Pool(device.ordinal, is_own=True)
        device.driver.make(device.default_pool)
    return device.default_pool


def pool_of(device: Device) -> Pool:
    """The pool that a device allocates from."""
    own = default_pool(device)
    return device.pool or own


@entry(
    "cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)", needs=Needs.INIT, since=11020
)
def get_default_pool(driver: Driver, device: Device) -> int:
    return default_pool(device).handle


@entry(
    "cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation location[1], "
    "CUmemAllocationType type)", needs=Needs.INIT, since=13000,
)  # fmt: skip
def get_default_pool_of(driver: Driver, where: int, type: int) -> int:
    return _default_pool_at(driver, where, type).handle


@entry(
    "cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation location[1], CUmemAllocationType type)",
    needs=Needs.INIT, since=13000,
)  # fmt: skip
def get_pool_of(driver: Driver, where: int, type: int) -> int:
    place = _place(driver, where, type)
    if place[:2] == (PINNED, DEVICE_LOCATION):
        return pool_of(driver.device(place[2])).handle
    return (driver.pools.get(place) or _default_pool_at(driver, where, type)).handle


@entry(
    "cuMemSetMemPool(CUmemLocation location[1], CUmemAllocationType type, CUmemoryPool pool)",
    needs=Needs.INIT, since=13000,
)  # fmt: skip
def set_pool_of(driver: Driver, where: int, type: int, pool: Pool) -> None:
    place = _place(driver, where, type)
    if place[:2] == (PINNED, DEVICE_LOCATION):
        set_pool(driver, driver.device(place[2]), pool)
    else:
        require(pool.memory == _memory_at(place), "a pool of another kind of memory")
        driver.pools[place] = pool


def _place(driver: Driver, where: int, type: int) -> PoolPlace:
    """The place of a pool. Raises `Refused`."""
    location = Location.from_address(where)
    require(type in (PINNED, MANAGED), f"no type {type} of allocations")
    require(location.type <= _MOST_LOCATION, f"no type {location.type} of locations")
    require(type == MANAGED or location.type, "page-locked memory has a location")
    if location.type == DEVICE_LOCATION:
        return type, location.type, driver.device(location.id).ordinal
    return type, location.type, location.id if location.type == _NUMA else 0


def _memory_at(place: PoolPlace) -> str:
    """The kind of a pool's allocations."""
    type, location, _ = place
    return "managed" if type == MANAGED else "device" if location == DEVICE_LOCATION else "host"


def _pool_at(driver: Driver, place: PoolPlace, *, is_own: bool) -> Pool:
    device = place[2] if place[1] == DEVICE_LOCATION else None
    made = Pool(device, is_own=is_own, memory=_memory_at(place))
    driver.make(made)
    return made


def _default_pool_at(driver: Driver, where: int, type: int) -> Pool:
    place = _place(driver, where, type)
    if place[:2] == (PINNED, DEVICE_LOCATION):
        return default_pool(driver.device(place[2]))
    found = driver.default_pools.get(place)
    if found is None:
        found = driver.default_pools[place] = _pool_at(driver, place, is_own=True)
    return found


@entry("cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)", needs=Needs.INIT, since=11020)
def get_pool(driver: Driver, device: Device) -> int:
    return pool_of(device).handle


@entry("cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)", needs=Needs.INIT, since=11020)
def set_pool(driver: Driver, device: Device, pool: Pool) -> None:
    is_of_device = pool.device == device.ordinal and pool.memory == "device"
    require(is_of_device, "a pool of another device")
    device.pool = pool


@entry(
    "cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties)", needs=Needs.INIT,
    since=11020,
)  # fmt: skip
def create_pool(driver: Driver, properties: PoolProperties) -> int:
    place = _place(driver, ctypes.addressof(properties.location), properties.type)
    require(properties.handles == 0, "pools cannot be shared", Result.NOT_SUPPORTED)
    return _pool_at(driver, place, is_own=False).handle


@entry("cuMemPoolDestroy(CUmemoryPool pool)", needs=Needs.INIT, since=11020)
def destroy_pool(driver: Driver, pool: Pool) -> None:
    require(not pool.is_own, "the pool is the device's own")
    if pool.device is not None:
        device = driver.device(pool.device)
        if device.pool is pool:
            device.pool = device.default_pool
    for place in [place for place, used in driver.pools.items() if used is pool]:
        del driver.pools[place]
    driver.end(pool)


@entry("cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)", needs=Needs.INIT, since=11020)
def trim_pool(driver: Driver, pool: Pool, keep: int) -> None:
    pool.trim(keep)


_INTEGERS = (1, 2, 3)  # attributes of pools that are ints; others have 64 bits


@entry(
    "cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)",
    needs=Needs.INIT, since=11020,
)  # fmt: skip
def pool_attribute(driver: Driver, pool: Pool, number: int, value: int) -> None:
    require(1 <= number <= 8, f"no attribute {number}")
    used = {5: pool.reserved, 6: pool.most_reserved, 7: pool.used, 8: pool.most}
    known = {**pool.attributes, **used}
    kind = ctypes.c_int32 if number in _INTEGERS else _WORD
    kind.from_address(value).value = known[number]


@entry(
    "cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)",
    needs=Needs.INIT, since=11020,
)  # fmt: skip
def set_pool_attribute(driver: Driver, pool: Pool, number: int, value: int) -> None:
    if number in (6, 8):
        require(_WORD.from_address(value).value == 0, "a high mark can only be set to 0")
        pool.reset_high(reserved=number == 6)
        return
    require(number in pool.attributes, f"the attribute {number} cannot be set")
    kind = ctypes.c_int32 if number in _INTEGERS else _WORD
    pool.attributes[number] = kind.from_address(value).value


@entry(
    "cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc descriptions[], size_t count)",
    needs=Needs.INIT, since=11020,
)  # fmt: skip
def set_pool_access(driver: Driver, pool: Pool, descriptions: int, count: int) -> None:
    given = (AccessDescription * count).from_address(descriptions)
    for one in given:
        require(one.location.type == DEVICE_LOCATION, "the location is no device")
        device = driver.device(one.location.id)
        own = device.ordinal == pool.device and one.flags == 0
        require(one.flags in (0, 3) and not own, f"access {one.flags}")
    for one in given:
        pool.access[one.location.id] = one.flags


@entry(
    "cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location)",
    needs=Needs.INIT, since=11020,
)  # fmt: skip
def pool_access(driver: Driver, pool: Pool, location: Location) -> int:
    if location.type in _HOST_LOCATIONS:
        return 0 if pool.memory == "device" else _READ_AND_WRITE
    require(location.type == DEVICE_LOCATION, "the location is no device")
    known = _READ_AND_WRITE if pool.memory == "managed" else 0
    return pool.access.get(driver.device(location.id).ordinal, known)
