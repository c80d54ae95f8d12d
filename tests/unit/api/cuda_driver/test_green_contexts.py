# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Green contexts: parts of a device's multiprocessors, their contexts and streams."""

from __future__ import annotations

import ctypes
from ctypes import c_uint32

import pytest

from tests.support.driver_calls import Calls
from xgpu.api.cuda_driver.header import DevResource, Result
from xgpu.api.cuda_driver.settings import Settings

_NON_BLOCKING = 1


def _whole(calls: Calls) -> DevResource:
    found = DevResource()
    calls.do("cuDeviceGetDevResource", 0, found, 1)
    return found


def _green(calls: Calls, *resources: DevResource) -> int:
    given = (DevResource * len(resources))(*resources)
    description = calls.get("cuDevResourceGenerateDesc", given, len(resources))
    return calls.get("cuGreenCtxCreate", description, 0, 1)


def test_structures_are_cudas() -> None:
    assert ctypes.sizeof(DevResource) == 144
    assert DevResource.count.offset == 96


@pytest.mark.parametrize(
    ("chip", "total", "least", "wanted", "size"),
    [("sm_75", 72, 2, 3, 4), ("sm_80", 108, 4, 5, 6), ("sm_89", 84, 4, 1, 4),
     ("sm_90a", 132, 8, 9, 16), ("sm_103a", 148, 8, 8, 8)],
)  # fmt: skip
def test_parts(chip: str, total: int, least: int, wanted: int, size: int) -> None:
    calls = Calls(Settings(chips=(chip,)))
    calls.begin()
    whole = _whole(calls)
    assert (whole.count, whole.least) == (total, least)
    count = c_uint32(0)
    calls.do("cuDevSmResourceSplitByCount", 0, count, whole, 0, 0, wanted)
    assert count.value == whole.count // size
    count.value = 2
    parts, rest = (DevResource * 2)(), DevResource()
    calls.do("cuDevSmResourceSplitByCount", parts, count, whole, rest, 0, wanted)
    assert count.value == 2
    assert [part.count for part in parts] == [size, size]
    assert rest.count == whole.count - 2 * size
    count.value = 1000
    many = (DevResource * 1000)()
    calls.do("cuDevSmResourceSplitByCount", many, count, whole, rest, 0, wanted)
    assert count.value == whole.count // size
    assert many[count.value].type == 0
    assert rest.count == whole.count % size
    assert rest.type == int(rest.count > 0)
    calls.close()


def test_what_is_no_resource(calls: Calls) -> None:
    count, whole = c_uint32(1), _whole(calls)
    parts = (DevResource * 1)()
    assert calls("cuDeviceGetDevResource", 0, whole, 1000) == Result.INVALID_RESOURCE_TYPE

    def split(resource: DevResource, flags: int, least: int) -> Result:
        return calls("cuDevSmResourceSplitByCount", parts, count, resource, 0, flags, least)

    assert split(DevResource(), 0, 1) == Result.INVALID_RESOURCE_TYPE
    assert split(DevResource(type=1), 0, 1) == Result.INVALID_RESOURCE_CONFIGURATION
    assert split(whole, 0, whole.count + 1) == Result.INVALID_RESOURCE_CONFIGURATION
    assert split(whole, 4, 1) == Result.INVALID_VALUE
    assert split(whole, 1, 1) == Result.SUCCESS
    assert parts[0].count == 2
    both = (DevResource * 2)(whole, whole)
    wrong = Result.INVALID_RESOURCE_CONFIGURATION
    assert calls("cuDevResourceGenerateDesc", ctypes.c_uint64(), both, 2) == wrong


def test_a_context(calls: Calls) -> None:
    count, parts, rest = c_uint32(2), (DevResource * 2)(), DevResource()
    calls.do("cuDevSmResourceSplitByCount", parts, count, _whole(calls), rest, 0, 8)
    green = _green(calls, *parts)
    context = calls.get("cuCtxFromGreenCtx", green)
    assert context == calls.get("cuCtxFromGreenCtx", green) != green
    one, other = ctypes.c_uint64(), ctypes.c_uint64()
    calls.do("cuGreenCtxGetId", green, one)
    calls.do("cuCtxGetId", context, other)
    assert one.value == other.value > 0
    found = DevResource()
    calls.do("cuGreenCtxGetDevResource", green, found, 1)
    assert found.count == 16
    calls.do("cuCtxGetDevResource", context, found, 1)
    assert found.count == 16
    calls.do("cuCtxGetDevResource", calls.get("cuCtxGetCurrent"), found, 1)
    assert found.count == _whole(calls).count
    assert calls("cuCtxDestroy", context) == Result.INVALID_CONTEXT

    calls.do("cuCtxPushCurrent", context)
    stream = calls.get("cuGreenCtxStreamCreate", green, _NON_BLOCKING, -1)
    assert calls("cuGreenCtxStreamCreate", ctypes.c_uint64(), green, 0, 0) == Result.INVALID_VALUE
    calls.do("cuStreamGetGreenCtx", stream, one)
    calls.do("cuStreamGetCtx", stream, other)
    assert (one.value, other.value) == (green, context)
    memory, flag = calls.get("cuMemAlloc", 16), calls.get("cuMemAlloc", 4)
    calls.do("cuMemsetD32", flag, 0, 1)
    event = calls.get("cuEventCreate", 0)
    calls.do("cuStreamWaitValue32", stream, flag, 1, 1)
    calls.do("cuMemsetD32Async", memory, 7, 4, stream)
    calls.do("cuGreenCtxRecordEvent", green, event)
    assert calls("cuEventQuery", event) == Result.NOT_READY
    calls.do("cuGreenCtxWaitEvent", green, event)
    apart = calls.get("cuGreenCtxStreamCreate", green, _NON_BLOCKING, 0)
    calls.do("cuStreamWriteValue32", apart, flag, 1, 0)
    calls.do("cuCtxSynchronize")
    values = (c_uint32 * 4)()
    calls.do("cuMemcpyDtoH", values, memory, 16)
    assert list(values) == [7] * 4
    calls.do("cuCtxPopCurrent", ctypes.c_uint64())
    calls.do("cuStreamGetGreenCtx", calls.get("cuStreamCreate", 0), one)
    assert one.value == 0
    assert calls.driver.leftovers()["CUgreenCtx"] == 1
    calls.do("cuGreenCtxDestroy", green)
    left = calls.driver.leftovers()
    assert not left.keys() & {"CUgreenCtx", "memory", "CUevent"}
    assert calls("cuCtxPushCurrent", context) == Result.CONTEXT_IS_DESTROYED
    assert calls("cuGreenCtxDestroy", green) == Result.INVALID_HANDLE
