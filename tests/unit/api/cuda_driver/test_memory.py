# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory, pools, pointers, copies and fills."""

from __future__ import annotations

import ctypes
import inspect
import threading

import pytest

import xgpu
from tests.support.driver_calls import Calls
from xgpu.api.cuda_driver.header import (
    AccessDescription,
    Copy2D,
    Copy3D,
    Location,
    PoolProperties,
    Result,
)
from xgpu.host_device.device.pages import Region

HOST, DEVICE, ARRAY, UNIFIED = 1, 2, 3, 4


def buffer(count, start=0):
    return (ctypes.c_uint8 * count)(*((start + i) % 256 for i in range(count)))


def test_there_and_back(calls):
    source, target = buffer(100, 3), buffer(100)
    address = calls.get("cuMemAlloc", 100)
    calls.do("cuMemcpyHtoD", address, source, 100)
    calls.do("cuMemcpyDtoH", target, address, 100)
    assert bytes(source) == bytes(target)
    calls.do("cuMemFree", address)
    assert calls("cuMemFree", address) == Result.INVALID_VALUE
    assert calls.driver.leftovers() == {"CUcontext": 1}
    calls.do("cuMemFree", 0)


def test_sizes(calls):
    out = ctypes.c_uint64()
    assert calls("cuMemAlloc", out, 0) == Result.INVALID_VALUE
    assert calls("cuMemAlloc", out, 1 << 60) == Result.OUT_OF_MEMORY
    calls.do("cuCtxSynchronize")  # which is no error of the context
    free, total = ctypes.c_uint64(), ctypes.c_uint64()
    address = calls.get("cuMemAlloc", 1 << 20)
    calls.do("cuMemGetInfo", free, total)
    assert total.value - free.value == 1 << 20
    base, size = ctypes.c_uint64(), ctypes.c_uint64()
    calls.do("cuMemGetAddressRange", base, size, address + 77)
    assert (base.value, size.value) == (address, 1 << 20)
    assert calls("cuMemGetAddressRange", base, size, 64) == Result.NOT_FOUND


@pytest.mark.parametrize(
    ("make", "free", "wrong"),
    [
        (("cuMemAlloc", 64), "cuMemFree", "cuMemFreeHost"),
        (("cuMemAllocManaged", 64, 1), "cuMemFree", "cuMemFreeHost"),
        (("cuMemAllocHost", 64), "cuMemFreeHost", "cuMemFree"),
        (("cuMemHostAlloc", 64, 2), "cuMemFreeHost", "cuMemFree"),
    ],
)
def test_each_kind_is_given_back_by_its_own_function(calls, make, free, wrong):
    address = calls.get(*make)
    assert calls(wrong, address) == Result.INVALID_VALUE
    assert calls(free, address + 8) == Result.INVALID_VALUE
    calls.do(free, address)
    assert "memory" not in calls.driver.leftovers()


def test_a_finalizer_within_a_call(calls, monkeypatch):
    """Python collects garbage while a call holds a lock; the finalizer gives memory back."""
    first, context = calls.get("cuMemAlloc", 64), calls.get("cuCtxCreate", 0, 0)
    second, third = calls.get("cuMemAlloc", 64), []
    calls.do("cuCtxPopCurrent", ctypes.c_uint64())
    make, results = Region.take, []

    def take(self, *given):
        calls.do("cuCtxPushCurrent", context)
        results.append(calls("cuMemFree", second))
        calls.do("cuCtxPopCurrent", ctypes.c_uint64())
        results.append(calls("cuMemFree", first))
        assert calls.driver.ranges.at(first) is not None  # not yet
        return make(self, *given)

    def run():
        calls.do("cuCtxSetCurrent", calls.driver.ranges.at(first).context.handle)
        third.append(calls.get("cuMemAlloc", 64))

    monkeypatch.setattr(Region, "take", take)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(20)
    monkeypatch.undo()
    assert third, "the thread waits for itself"
    assert results == [Result.SUCCESS, Result.SUCCESS]
    assert [calls.driver.ranges.at(a) is None for a in (first, second, third[0])] == [
        True, True, False,
    ]  # fmt: skip
    calls.do("cuCtxDestroy", context)


def test_flags(calls):
    out = ctypes.c_uint64()
    assert calls("cuMemAllocManaged", out, 64, 0) == Result.INVALID_VALUE
    assert calls("cuMemHostAlloc", out, 64, 64) == Result.INVALID_VALUE
    address = calls.get("cuMemHostAlloc", 64, 2)
    assert calls.get("cuMemHostGetFlags", address) == 2
    assert calls.get("cuMemHostGetDevicePointer", address, 0) == address


def test_registered_memory(calls):
    memory = buffer(256)
    at = ctypes.addressof(memory)
    calls.do("cuMemHostRegister", at, 256, 0)
    assert calls("cuMemHostRegister", at + 8, 8, 0) == Result.HOST_MEMORY_ALREADY_REGISTERED
    assert calls.get("cuMemHostGetDevicePointer", at + 16, 0) == at + 16
    assert calls("cuMemHostUnregister", at + 16) == Result.INVALID_VALUE
    calls.do("cuMemHostUnregister", at)
    assert calls("cuMemHostUnregister", at) == Result.HOST_MEMORY_NOT_REGISTERED
    assert calls("cuMemHostGetDevicePointer", ctypes.c_uint64(), at, 0) == Result.INVALID_VALUE


def test_rows(calls):
    address, pitch = ctypes.c_uint64(), ctypes.c_uint64()
    calls.do("cuMemAllocPitch", address, pitch, 100, 5, 4)
    assert pitch.value == 512
    assert calls("cuMemAllocPitch", address, pitch, 100, 5, 3) == Result.INVALID_VALUE
    source, target = buffer(500, 9), buffer(500)
    copy = Copy2D(
        source_type=HOST, source_host=ctypes.addressof(source), source_pitch=100,
        target_type=DEVICE, target_device=address.value, target_pitch=512, width=100, height=5,
    )  # fmt: skip
    calls.do("cuMemcpy2D", copy)
    back = Copy2D(
        source_type=UNIFIED, source_device=address.value, source_pitch=512, source_x=4, source_y=1,
        target_type=HOST, target_host=ctypes.addressof(target), target_pitch=100, width=96,
        height=4,
    )  # fmt: skip
    calls.do("cuMemcpy2DAsync", back, 0)
    for row in range(4):
        begin = 100 * (row + 1) + 4
        assert bytes(target)[100 * row :][:96] == bytes(source)[begin : begin + 96]
    copy.target_pitch = 50
    assert calls("cuMemcpy2D", copy) == Result.INVALID_VALUE
    copy.target_pitch, copy.height = 512, 6
    assert calls("cuMemcpy2D", copy) == Result.INVALID_VALUE
    copy.target_type = ARRAY
    assert calls("cuMemcpy2D", copy) == Result.INVALID_VALUE  # no array
    copy.target_type = 9
    assert calls("cuMemcpy2D", copy) == Result.INVALID_VALUE


def test_slices(calls):
    source, target = buffer(2 * 3 * 8, 5), buffer(2 * 3 * 8)
    address = calls.get("cuMemAlloc", 2 * 4 * 16)
    copy = Copy3D(
        source_type=HOST, source_host=ctypes.addressof(source), source_pitch=8, source_height=3,
        target_type=DEVICE, target_device=address, target_pitch=16, target_height=4, width=8,
        height=3, depth=2,
    )  # fmt: skip
    calls.do("cuMemcpy3D", copy)
    back = Copy3D(
        source_type=DEVICE, source_device=address, source_pitch=16, source_height=4,
        target_type=HOST, target_host=ctypes.addressof(target), target_pitch=8, target_height=3,
        width=8, height=3, depth=2,
    )  # fmt: skip
    calls.do("cuMemcpy3DAsync", back, 0)
    assert bytes(source) == bytes(target)


@pytest.mark.parametrize(("bits", "value"), [(8, 0xAB), (16, 0xABCD), (32, 0x89ABCDEF)])
def test_fills(calls, bits, value):
    bytes_, target = bits // 8, buffer(256)
    word = value.to_bytes(bytes_, "little")
    address = calls.get("cuMemAlloc", 256)
    calls.do("cuMemsetD8", address, 0, 256)
    calls.do(f"cuMemsetD{bits}", address, value, 10)
    calls.do(f"cuMemsetD2D{bits}Async", address + 128, 64, value, 3, 2, 0)
    calls.do("cuMemcpyDtoH", target, address, 256)
    expected = bytearray(256)
    expected[: 10 * bytes_] = word * 10
    for row in range(2):
        begin = 128 + 64 * row
        expected[begin : begin + 3 * bytes_] = word * 3
    assert bytes(target) == bytes(expected)
    assert calls(f"cuMemsetD{bits}", address, value, 257) == Result.INVALID_VALUE
    if bytes_ > 1:
        assert calls(f"cuMemsetD{bits}", address + 1, value, 1) == Result.INVALID_VALUE


@pytest.mark.parametrize("name", ["cuMemcpyHtoD", "cuMemcpyDtoH", "cuMemcpyDtoD", "cuMemcpy"])
def test_a_copy_beyond_an_allocation_is_refused(calls, name):
    address, other = calls.get("cuMemAlloc", 64), calls.get("cuMemAlloc", 64)
    ends = {"cuMemcpyHtoD": (address, buffer(128)), "cuMemcpyDtoH": (buffer(128), address)}
    assert calls(name, *ends.get(name, (address, other)), 65) == Result.INVALID_VALUE
    calls.do(name, *ends.get(name, (address, other)), 64)


def test_a_copy_of_host_memory_to_the_device_needs_both(calls):
    address = calls.get("cuMemAlloc", 64)
    assert calls("cuMemcpyHtoD", address, 0, 8) == Result.INVALID_VALUE
    assert calls("cuMemcpyHtoD", buffer(64), buffer(64), 8) == Result.INVALID_VALUE
    calls.do("cuMemcpy", buffer(64), buffer(64), 8)


def test_memory_of_a_pool(calls):
    pool = calls.get("cuDeviceGetDefaultMemPool", 0)
    assert calls.get("cuDeviceGetMemPool", 0) == pool
    stream = calls.get("cuStreamCreate", 0)
    address = calls.get("cuMemAllocAsync", 128, stream)
    used = ctypes.c_uint64()
    calls.do("cuMemPoolGetAttribute", pool, 7, used)
    assert used.value == 128
    assert calls("cuMemFreeHost", address) == Result.INVALID_VALUE
    calls.do("cuMemFreeAsync", address, stream)
    assert calls("cuMemFreeAsync", address, stream) == Result.INVALID_VALUE
    calls.do("cuStreamSynchronize", stream)
    calls.do("cuMemPoolGetAttribute", pool, 7, used)
    assert used.value == 0
    calls.do("cuMemPoolGetAttribute", pool, 8, used)
    assert used.value == 128
    assert calls("cuMemPoolDestroy", pool) == Result.INVALID_VALUE


@pytest.mark.parametrize("threshold", [0, 100, 1 << 20])
def test_what_a_pool_reserves(calls, threshold):
    pool = calls.get("cuDeviceGetDefaultMemPool", 0)
    calls.do("cuMemPoolSetAttribute", pool, 4, ctypes.c_uint64(threshold))

    def counts() -> list[int]:
        """Bytes: reserved, the most of these, allocated, the most of these."""
        value = ctypes.c_uint64()
        found: list[int] = []
        for attribute in (5, 6, 7, 8):
            calls.do("cuMemPoolGetAttribute", pool, attribute, value)
            found.append(value.value)
        return found

    first, second = (calls.get("cuMemAllocAsync", size, 0) for size in (256, 64))
    assert counts() == [320, 320, 320, 320]
    calls.do("cuMemFreeAsync", first, 0)
    calls.do("cuStreamSynchronize", 0)
    kept = min(320, max(64, threshold))
    assert counts() == [kept, 320, 64, 320]
    for attribute in (6, 8):
        calls.do("cuMemPoolSetAttribute", pool, attribute, ctypes.c_uint64(0))
    assert counts() == [kept, kept, 64, 64]
    calls.do("cuMemPoolTrimTo", pool, 80)
    assert counts() == [min(kept, 80), kept, 64, 64]
    third = calls.get("cuMemAllocAsync", 16, 0)
    assert counts() == [80, max(kept, 80), 80, 80]
    for address in (second, third):
        calls.do("cuMemFreeAsync", address, 0)
    calls.do("cuMemPoolTrimTo", pool, 0)
    assert counts() == [0, max(kept, 80), 0, 80]


def test_a_pool_of_ones_own(calls):
    properties = PoolProperties(type=1, location=Location(1, 0))
    pool = calls.get("cuMemPoolCreate", properties)
    threshold = ctypes.c_uint64(1 << 20)
    calls.do("cuMemPoolSetAttribute", pool, 4, threshold)
    seen = ctypes.c_uint64()
    calls.do("cuMemPoolGetAttribute", pool, 4, seen)
    assert seen.value == 1 << 20
    assert calls("cuMemPoolSetAttribute", pool, 5, seen) == Result.INVALID_VALUE
    address = calls.get("cuMemAllocFromPoolAsync", 64, pool, 0)
    owner = ctypes.c_uint64()
    calls.do("cuPointerGetAttribute", owner, 17, address)
    assert owner.value == pool
    calls.do("cuMemPoolTrimTo", pool, 0)
    calls.do("cuMemFree", address)
    access = AccessDescription(Location(1, 0), 3)
    calls.do("cuMemPoolSetAccess", pool, access, 1)
    assert calls.get("cuMemPoolGetAccess", pool, Location(1, 0)) == 3
    calls.do("cuDeviceSetMemPool", 0, pool)
    calls.do("cuMemPoolDestroy", pool)
    assert calls.get("cuDeviceGetMemPool", 0) == calls.get("cuDeviceGetDefaultMemPool", 0)
    properties.location.id = 7
    assert calls("cuMemPoolCreate", ctypes.c_uint64(), properties) == Result.INVALID_DEVICE


@pytest.mark.parametrize(
    ("type_", "location", "known", "managed"),
    [(2, (0, 0), 2, 1), (2, (1, 0), 2, 1), (1, (2, 0), 1, 0), (1, (3, 0), 1, 0)],
)
def test_pools_of_managed_memory_and_of_the_host(calls, type_, location, known, managed):
    before = calls.driver.leftovers()
    pool = calls.get("cuMemPoolCreate", PoolProperties(type=type_, location=Location(*location)))
    address, number = calls.get("cuMemAllocFromPoolAsync", 64, pool, 0), ctypes.c_uint32()
    for attribute, value in ((2, known), (8, managed)):
        calls.do("cuPointerGetAttribute", number, attribute, address)
        assert number.value == value
    ctypes.memset(address, 5, 64)
    assert calls.get("cuMemPoolGetAccess", pool, Location(2, 0)) == 3
    calls.do("cuMemFreeAsync", address, 0)
    default = calls.get("cuMemGetDefaultMemPool", Location(*location), type_)
    assert calls.get("cuMemGetMemPool", Location(*location), type_) == default
    calls.do("cuMemSetMemPool", Location(*location), type_, pool)
    assert calls.get("cuMemGetMemPool", Location(*location), type_) == pool
    assert calls("cuMemSetMemPool", Location(1, 0), 1, pool) == Result.INVALID_VALUE
    calls.do("cuMemPoolDestroy", pool)
    assert calls.get("cuMemGetMemPool", Location(*location), type_) == default
    assert calls("cuMemPoolDestroy", default) == Result.INVALID_VALUE
    for made, free in (("cuMemAllocManaged", "cuMemFree"), ("cuMemAllocHost", "cuMemFreeHost")):
        own = calls.get(made, 64, *([1] if made == "cuMemAllocManaged" else []))
        assert calls("cuMemFreeAsync", own, 0) == Result.INVALID_VALUE  # is of no pool
        calls.do(free, own)
    assert calls.driver.leftovers() == before


@pytest.mark.parametrize(
    ("make", "type_", "managed"),
    [
        (("cuMemAlloc", 64), 2, 0), (("cuMemAllocManaged", 64, 1), 2, 1),
        (("cuMemAllocHost", 64), 1, 0),
    ],
)  # fmt: skip
def test_what_is_known_of_pointers(calls, make, type_, managed):
    address = calls.get(*make)
    number = ctypes.c_uint32()
    calls.do("cuPointerGetAttribute", number, 2, address + 5)
    assert number.value == type_
    calls.do("cuPointerGetAttribute", number, 8, address)
    assert number.value == managed
    word = ctypes.c_uint64()
    calls.do("cuPointerGetAttribute", word, 11, address + 5)
    assert word.value == address
    calls.do("cuPointerGetAttribute", word, 1, address)
    assert word.value == calls.get("cuCtxGetCurrent")
    assert calls("cuPointerGetAttribute", word, 99, address) == Result.INVALID_VALUE


def test_pointers_that_nothing_is_known_of(calls):
    memory = buffer(64)
    at = ctypes.addressof(memory)
    number, ordinal, word = ctypes.c_uint32(5), ctypes.c_int32(5), ctypes.c_uint64(5)
    assert calls("cuPointerGetAttribute", number, 2, at) == Result.INVALID_VALUE
    kinds = (ctypes.c_uint32 * 3)(2, 9, 1)
    into = (ctypes.c_uint64 * 3)(*map(ctypes.addressof, (number, ordinal, word)))
    calls.do("cuPointerGetAttributes", 3, kinds, into, at)
    assert (number.value, ordinal.value, word.value) == (0, -2, 0)


def test_pointers_are_known_without_a_context(calls):
    address, context = calls.get("cuMemAlloc", 64), calls.get("cuCtxGetCurrent")
    calls.do("cuCtxSetCurrent", 0)
    kind, into = ctypes.c_uint32(2), ctypes.c_uint64()
    calls.do("cuPointerGetAttributes", 1, kind, ctypes.c_uint64(ctypes.addressof(into)), address)
    assert into.value == 2
    calls.do("cuPointerGetAttribute", into, 1, address)
    assert into.value == context


def test_an_ordered_allocation_of_nothing(calls):
    before = calls.driver.leftovers()
    assert calls.get("cuMemAllocAsync", 0, 0) == 0
    calls.do("cuMemFreeAsync", 0, 0)
    assert calls.driver.leftovers() == before


def test_advice_is_for_managed_memory(calls):
    managed, plain = calls.get("cuMemAllocManaged", 4096, 1), calls.get("cuMemAlloc", 4096)
    calls.do("cuMemPrefetchAsync", managed, 4096, 0, 0)
    calls.do("cuMemAdvise", managed, 4096, 1, 0)
    assert calls("cuMemPrefetchAsync", plain, 64, 0, 0) == Result.INVALID_VALUE
    assert calls("cuMemAdvise", managed, 4097, 1, 0) == Result.INVALID_VALUE
    assert calls("cuMemAdvise", managed, 64, 9, 0) == Result.INVALID_VALUE


def in_range(calls, attribute, address, size, count=1):
    found = (ctypes.c_int32 * count)()
    calls.do("cuMemRangeGetAttribute", found, 4 * count, attribute, address, size)
    return list(found)


def test_what_is_said_of_managed_memory(calls):
    memory, host = calls.get("cuMemAllocManaged", 4096, 1), 2
    assert [in_range(calls, a, memory, 4096)[0] for a in range(1, 9)] == [
        0, -2, -2, -2, 0, -2, 0, -2,
    ]  # fmt: skip
    calls.do("cuMemAdvise", memory, 1024, 1, 0)  # mostly read
    assert in_range(calls, 1, memory, 1024) == [1]
    assert in_range(calls, 1, memory, 1025) == [0]
    calls.do("cuMemAdvise", memory + 512, 1024, 2, 0)
    assert [in_range(calls, 1, memory, n)[0] for n in (512, 513)] == [1, 0]
    calls.do("cuMemAdvise", memory, 4096, 3, -1)  # it should lie at the host
    assert [in_range(calls, a, memory, 4096)[0] for a in (2, 5)] == [-1, host]
    calls.do("cuMemAdvise_v2", memory, 2048, 3, 3 | 5 << 32)  # at the host's node 5
    assert [in_range(calls, a, memory, 2048)[0] for a in (2, 5, 6)] == [-1, 3, 5]
    assert [in_range(calls, a, memory, 4096)[0] for a in (2, 5)] == [-2, 0]
    calls.do("cuMemAdvise", memory, 4096, 4, 0)
    assert in_range(calls, 2, memory, 4096) == [-2]
    calls.do("cuMemAdvise", memory, 4096, 5, 0)  # who accesses it
    calls.do("cuMemAdvise", memory, 2048, 5, -1)
    assert in_range(calls, 3, memory, 2048, 3) == [0, -1, -2]  # the host last
    assert in_range(calls, 3, memory, 4096, 2) == [0, -2]
    calls.do("cuMemAdvise", memory, 4096, 6, 0)
    assert in_range(calls, 3, memory, 2048, 2) == [-1, -2]
    calls.do("cuMemPrefetchAsync", memory, 4096, 0, 0)
    found, kinds = (ctypes.c_int32 * 2)(), (ctypes.c_uint32 * 2)(4, 7)
    at = ctypes.addressof(found)
    into, rooms = (ctypes.c_uint64 * 2)(at, at + 4), (ctypes.c_uint64 * 2)(4, 4)
    calls.do("cuMemRangeGetAttributes", into, rooms, kinds, 2, memory, 4096)
    assert list(found) == [0, 1]
    for room, attribute, size in ((8, 1, 64), (6, 3, 64), (4, 9, 64), (4, 1, 4097), (4, 1, 0)):
        wrong = calls("cuMemRangeGetAttribute", found, room, attribute, memory, size)
        assert wrong == Result.INVALID_VALUE
    assert calls("cuMemAdvise_v2", memory, 64, 5, 3) == Result.INVALID_VALUE  # a node's access
    assert calls("cuMemAdvise", memory, 64, 3, 9) == Result.INVALID_DEVICE


def test_managed_memory_goes_to_the_host(calls):
    memory = calls.get("cuMemAllocManaged", 64, 1)
    for target in (0, -1):
        calls.do("cuMemPrefetchAsync", memory, 64, target, 0)
    assert calls("cuMemPrefetchAsync", memory, 64, 9, 0) == Result.INVALID_DEVICE
    assert calls("cuMemPrefetchAsync", memory, 64, -2, 0) == Result.INVALID_DEVICE


def test_pools_by_location(calls):
    """The same pools as by the device."""
    device = Location(1, 0)
    own = calls.get("cuDeviceGetDefaultMemPool", 0)
    assert calls.get("cuMemGetDefaultMemPool", device, 1) == own
    properties = PoolProperties(type=1)
    properties.location.type = 1
    made = calls.get("cuMemPoolCreate", properties)
    calls.do("cuMemSetMemPool", device, 1, made)
    assert calls.get("cuMemGetMemPool", device, 1) == made
    assert calls.get("cuDeviceGetMemPool", 0) == made
    assert calls.get("cuMemGetDefaultMemPool", device, 1) == own
    out = ctypes.c_uint64()
    assert calls("cuMemGetMemPool", out, device, 9) == Result.INVALID_VALUE
    assert calls("cuMemGetMemPool", out, Location(7, 0), 1) == Result.INVALID_VALUE
    assert calls("cuMemGetMemPool", out, Location(0, 0), 1) == Result.INVALID_VALUE
    assert calls("cuMemGetMemPool", out, Location(1, 9), 1) == Result.INVALID_DEVICE


# -- under the sanitizer


def test_what_leaks_has_the_line_that_made_it():
    with xgpu.sanitized(("leak",)) as watched:
        calls = Calls()
        calls.begin()
        calls.get("cuMemAlloc", 100)
        calls.get("cuEventCreate", 0)
        found = watched.findings()
        calls.close()
    _, line = inspect.getsourcelines(Calls.__call__)
    assert [(f.message, f.sides[0].operation) for f in found] == [
        ("100 bytes of device memory are never released", "cuMemAlloc"),
        ("an event is never destroyed", "event"),
    ]
    for finding in found:
        assert finding.file == inspect.getsourcefile(Calls)
        assert line < finding.line < line + 20
        assert finding.column > 1
