# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reserved addresses, and memory that is mapped there."""

from __future__ import annotations

import ctypes
import itertools
import os

import numpy as np
import pytest

import xgpu
from tests.support.driver_calls import PTX, Calls, pointers
from xgpu.api.cuda_driver.header import AccessDescription, AllocationProperties, Result
from xgpu.api.cuda_driver.virtual_memory import GRANULARITY as SIZE
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

READ_WRITE = 3
ONE = 0x3F800000  # as a float


def properties(handles=0, location=1):
    made = AllocationProperties(1, handles)
    made.location.type = location
    return made


def access(flags, device=0):
    made = AccessDescription()
    made.location.type, made.location.id, made.flags = 1, device, flags
    return made


def test_memory_at_two_addresses(calls):
    """What a kernel writes at one is there at the other, and stays where its handle is released."""
    assert calls.get("cuMemGetAllocationGranularity", properties(), 0) == SIZE
    memory = calls.get("cuMemCreate", SIZE, properties(), 0)
    first, second = (calls.get("cuMemAddressReserve", SIZE, 0, 0, 0) for _ in range(2))
    for address in (first, second):
        calls.do("cuMemMap", address, SIZE, 0, memory, 0)
        calls.do("cuMemSetAccess", address, SIZE, access(READ_WRITE), 1)
    calls.do("cuMemRelease", memory)
    given = np.arange(64, dtype="f")
    calls.do("cuMemcpyHtoD", first, ctypes.c_void_p(given.ctypes.data), 0)
    calls.do("cuMemcpyHtoD", first, (ctypes.c_float * 64)(*given), 256)
    add = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", PTX), "add")
    places = [ctypes.c_uint64(second)] * 3
    calls.do(
        "cuLaunchKernel", add, 1, 1, 1, 64, 1, 1, 0, 0,
        pointers(*places, ctypes.c_uint32(64)), 0,
    )  # fmt: skip
    out = (ctypes.c_float * 64)()
    calls.do("cuMemcpyDtoH", out, first, 256)
    assert list(out) == list(given * 2)
    kind = ctypes.c_uint32()
    calls.do("cuPointerGetAttribute", kind, 2, first + 8)
    assert kind.value == 2
    again = calls.get("cuMemRetainAllocationHandle", second + 5)
    for address in (first, second):
        calls.do("cuMemUnmap", address, SIZE)
        calls.do("cuMemAddressFree", address, SIZE)
    assert calls.driver.leftovers()["CUmemGenericAllocationHandle"] == 1
    calls.do("cuMemRelease", again)
    assert not calls.driver.leftovers().keys() & {"memory", "CUmemGenericAllocationHandle"}


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_mappings_side_by_side_are_one_piece(order):
    """Copies, fills and kernels go from one to the next, in whatever order they came, and not
    beyond; where one is unmapped, the two beside it are pieces of their own."""
    calls = Calls()
    with xgpu.sanitized(["memory"]) as watched:
        calls.begin()
        begin = calls.get("cuMemAddressReserve", 4 * SIZE, 0, 0, 0)
        for place in order:
            memory = calls.get("cuMemCreate", SIZE, properties(), 0)
            calls.do("cuMemMap", begin + place * SIZE, SIZE, 0, memory, 0)
            calls.do("cuMemSetAccess", begin + place * SIZE, SIZE, access(READ_WRITE), 1)
            calls.do("cuMemRelease", memory)
        calls.do("cuMemsetD32", begin, ONE, 3 * SIZE // 4)
        assert calls("cuMemsetD32", begin, ONE, 3 * SIZE // 4 + 1) == Result.INVALID_VALUE
        add = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", PTX), "add")

        def launch(first, count):
            values = pointers(*[ctypes.c_uint64(first)] * 3, ctypes.c_uint32(count))
            sizes = (-(-count // 64), 1, 1, 64, 1, 1)
            calls.do("cuLaunchKernel", add, *sizes, 0, 0, values, 0)
            calls.do("cuCtxSynchronize")

        launch(begin, 3 * SIZE // 4)
        out = (ctypes.c_float * (3 * SIZE // 4))()
        calls.do("cuMemcpyDtoH", out, begin, 3 * SIZE)
        assert {*out} == {2.0}
        assert not watched.findings()
        calls.do("cuMemUnmap", begin + SIZE, SIZE)
        for place in (0, 2):
            calls.do("cuMemsetD32", begin + place * SIZE, ONE, SIZE // 4)
            across = calls("cuMemsetD32", begin + place * SIZE, ONE, SIZE // 4 + 1)
            assert across == Result.INVALID_VALUE
            launch(begin + place * SIZE, SIZE // 4)
        assert not watched.findings()
        launch(begin + 2 * SIZE, SIZE // 4 + 1)
        found = [finding.headline() for finding in watched.findings()]
        assert found
        assert all("behind the end of an allocation" in line for line in found)
        calls.close()


def test_what_lies_beside_a_mapping_may_be_unknown_to_a_run_that_began_anew():
    sanitizer = Sanitizer(["memory"])
    sanitizer.allocated_over(16 * SIZE, 2 * SIZE, [17 * SIZE], "host")
    assert sanitizer.allocation_at(17 * SIZE).size == 2 * SIZE


def test_no_file_stays_open(calls):
    before = len(os.listdir("/proc/self/fd"))
    address = calls.get("cuMemAddressReserve", SIZE, 4 * SIZE, 0, 0)
    assert address % (4 * SIZE) == 0
    for _ in range(3):
        memory = calls.get("cuMemCreate", SIZE, properties(handles=1), 0)
        file = ctypes.c_int32()
        calls.do("cuMemExportToShareableHandle", file, memory, 1, 0)
        os.close(file.value)
        calls.do("cuMemMap", address, SIZE, 0, memory, 0)
        calls.do("cuMemUnmap", address, SIZE)
        calls.do("cuMemRelease", memory)
    assert len(os.listdir("/proc/self/fd")) == before


def test_what_may_not_be_reached(calls):
    """Without access a copy is a fault."""
    memory = calls.get("cuMemCreate", SIZE, properties(), 0)
    address = calls.get("cuMemAddressReserve", SIZE, 0, 0, 0)
    calls.do("cuMemMap", address, SIZE, 0, memory, 0)
    location = access(0).location
    assert calls.get("cuMemGetAccess", location, address) == 0
    calls.do("cuMemSetAccess", address, SIZE, access(READ_WRITE), 1)
    assert calls.get("cuMemGetAccess", location, address) == READ_WRITE
    calls.do("cuMemsetD8", address, 1, SIZE)
    calls.do("cuMemSetAccess", address, SIZE, access(0), 1)
    code = calls("cuMemsetD8", address, 1, 8) or calls("cuCtxSynchronize")
    assert code == Result.ILLEGAL_ADDRESS


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("cuMemAddressReserve", ("out", SIZE + 1, 0, 0, 0)),
        ("cuMemAddressReserve", ("out", SIZE, 3, 0, 0)),
        ("cuMemAddressReserve", ("out", SIZE, 0, 0, 1)),
        ("cuMemAddressFree", ("free", 2 * SIZE)), ("cuMemAddressFree", ("used", SIZE)),
        ("cuMemCreate", ("out", 5, properties(), 0)),
        ("cuMemCreate", ("out", SIZE, properties(), 1)),
        ("cuMemRelease", (0x123,)), ("cuMemRetainAllocationHandle", ("out", "free")),
        ("cuMemMap", ("used", SIZE, 0, "memory", 0)), ("cuMemMap", ("free", SIZE, 0, 0x123, 0)),
        ("cuMemMap", ("free", SIZE, SIZE, "memory", 0)), ("cuMemMap", (SIZE, SIZE, 0, "memory", 0)),
        ("cuMemUnmap", ("free", SIZE)), ("cuMemUnmap", ("used", 2 * SIZE)),
        ("cuMemSetAccess", ("free", SIZE, access(3), 1)),
        ("cuMemSetAccess", ("used", SIZE, access(2), 1)),
        ("cuMemSetAccess", ("used", SIZE, access(3), 0)),
        ("cuMemExportToShareableHandle", ("out", "memory", 1, 0)), ("cuMemFree", ("used",)),
    ],
)  # fmt: skip
def test_what_is_refused(calls, name, arguments):
    memory = calls.get("cuMemCreate", SIZE, properties(), 0)
    free, used = (calls.get("cuMemAddressReserve", SIZE, 0, 0, 0) for _ in range(2))
    calls.do("cuMemMap", used, SIZE, 0, memory, 0)
    known = {"out": ctypes.c_uint64(), "memory": memory, "free": free, "used": used}
    given = [known.get(a, a) if isinstance(a, str) else a for a in arguments]
    assert calls(name, *given) == Result.INVALID_VALUE


def test_where_memory_cannot_be(calls):
    out = ctypes.c_uint64()
    assert calls("cuMemCreate", out, SIZE, properties(location=2), 0) == Result.NOT_SUPPORTED
    assert calls("cuMemCreate", out, SIZE, properties(handles=8), 0) == Result.NOT_SUPPORTED
    assert calls("cuMemCreate", out, 1 << 60, properties(), 0) == Result.OUT_OF_MEMORY
