# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams, events, calls of the host."""

from __future__ import annotations

import ctypes
import struct
import threading
import time

import pytest

from xgpu.runtime.cuda.results import Result

HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Gate:
    """What a stream waits at until it is opened."""

    def __init__(self, calls, stream):
        self._event = threading.Event()
        self._call = HOST_FUNCTION(lambda data: self._event.wait(600) and None)
        address = ctypes.cast(self._call, ctypes.c_void_p).value
        calls.do("cuLaunchHostFunc", stream, address, 0)

    def open(self):
        self._event.set()


@pytest.mark.parametrize("flags", [0, 1])
def test_a_stream_runs_in_order(calls, flags):
    stream = calls.get("cuStreamCreate", flags)
    address, found = calls.get("cuMemAlloc", 4), ctypes.c_uint32()
    gate = Gate(calls, stream)
    for value in range(5):
        calls.do("cuMemsetD32Async", address, value, 1, stream)
    assert calls("cuStreamQuery", stream) == Result.NOT_READY
    gate.open()
    calls.do("cuStreamSynchronize", stream)
    calls.do("cuStreamQuery", stream)
    calls.do("cuMemcpyDtoH", found, address, 4)
    assert found.value == 4
    calls.do("cuStreamDestroy", stream)
    assert calls("cuStreamSynchronize", stream) == Result.INVALID_HANDLE


def test_the_legacy_stream_waits_for_blocking_ones(calls):
    blocking, other = calls.get("cuStreamCreate", 0), calls.get("cuStreamCreate", 1)
    gates = [Gate(calls, blocking), Gate(calls, other)]
    done = ctypes.c_uint64(calls.get("cuEventCreate", 0)).value
    calls.do("cuEventRecord", done, 0)
    assert calls("cuEventQuery", done) == Result.NOT_READY
    gates[0].open()
    calls.do("cuEventSynchronize", done)  # the other one still waits
    assert calls("cuStreamQuery", other) == Result.NOT_READY
    gates[1].open()
    calls.do("cuCtxSynchronize")


def test_blocking_streams_wait_for_the_legacy_stream(calls):
    blocking, other = calls.get("cuStreamCreate", 0), calls.get("cuStreamCreate", 1)
    gate = Gate(calls, 0)
    address = calls.get("cuMemAlloc", 8)
    calls.do("cuMemsetD32Async", address, 1, 1, blocking)
    calls.do("cuMemsetD32Async", address + 4, 1, 1, other)
    calls.do("cuStreamSynchronize", other)
    assert calls("cuStreamQuery", blocking) == Result.NOT_READY
    gate.open()
    calls.do("cuStreamSynchronize", blocking)


def test_threads_have_streams_of_their_own(calls):
    gate = Gate(calls, 2)
    assert calls("cuStreamQuery", 2) == Result.NOT_READY
    assert calls("cuStreamQuery_ptsz", 0) == Result.NOT_READY
    context, seen = calls.get("cuCtxGetCurrent"), []

    def other():
        calls.do("cuCtxSetCurrent", context)
        seen.append(calls("cuStreamQuery", 2))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [Result.SUCCESS]
    gate.open()
    calls.do("cuStreamSynchronize", 2)


def test_a_stream_waits_for_an_event(calls):
    first, second = calls.get("cuStreamCreate", 1), calls.get("cuStreamCreate", 1)
    event = calls.get("cuEventCreate", 0)
    calls.do("cuStreamWaitEvent", second, event, 0)  # nothing is recorded: no wait
    calls.do("cuStreamSynchronize", second)
    gate = Gate(calls, first)
    calls.do("cuEventRecord", event, first)
    calls.do("cuStreamWaitEvent", second, event, 0)
    address = calls.get("cuMemAlloc", 4)
    calls.do("cuMemsetD32Async", address, 7, 1, second)
    assert calls("cuStreamQuery", second) == Result.NOT_READY
    gate.open()
    calls.do("cuStreamSynchronize", second)
    calls.do("cuEventQuery", event)
    assert calls("cuStreamWaitEvent", second, event, 9) == Result.INVALID_VALUE


def test_times(calls):
    stream = calls.get("cuStreamCreate", 0)
    begin, end = calls.get("cuEventCreate", 0), calls.get("cuEventCreate", 0)
    elapsed = ctypes.c_float()
    assert calls("cuEventElapsedTime", elapsed, begin, end) == Result.INVALID_HANDLE
    first = time.perf_counter()
    calls.do("cuEventRecord", begin, stream)
    calls.do("cuEventSynchronize", begin)
    gate = Gate(calls, stream)
    calls.do("cuEventRecord", end, stream)
    assert calls("cuEventElapsedTime", elapsed, begin, end) == Result.NOT_READY
    time.sleep(0.02)
    gate.open()
    calls.do("cuEventSynchronize", end)
    last = time.perf_counter()
    calls.do("cuEventElapsedTime", elapsed, begin, end)
    assert 19 <= elapsed.value <= (last - first) * 1000 + 1
    untimed = calls.get("cuEventCreate", 2)
    calls.do("cuEventRecord", untimed, stream)
    calls.do("cuEventSynchronize", untimed)
    assert calls("cuEventElapsedTime", elapsed, begin, untimed) == Result.INVALID_HANDLE


def test_flags_of_events(calls):
    out = ctypes.c_uint64()
    assert calls("cuEventCreate", out, 8) == Result.INVALID_VALUE
    assert calls("cuEventCreate", out, 4) == Result.INVALID_VALUE
    assert calls("cuEventCreate", out, 6) == Result.NOT_SUPPORTED


def test_facts_of_streams(calls):
    least, greatest = ctypes.c_int32(), ctypes.c_int32()
    calls.do("cuCtxGetStreamPriorityRange", least, greatest)
    assert (least.value, greatest.value) == (0, -5)
    stream = calls.get("cuStreamCreateWithPriority", 1, -9)
    found, flags = ctypes.c_int32(), ctypes.c_uint32()
    calls.do("cuStreamGetPriority", stream, found)
    assert found.value == -5
    calls.do("cuStreamGetFlags", stream, flags)
    assert flags.value == 1
    word = ctypes.c_uint64()
    calls.do("cuStreamGetCtx", stream, word)
    assert word.value == calls.get("cuCtxGetCurrent")
    assert calls("cuStreamCreate", word, 2) == Result.INVALID_VALUE
    assert calls("cuStreamDestroy", 0) == Result.INVALID_HANDLE
    assert calls("cuStreamDestroy", 2) == Result.INVALID_HANDLE


def test_callbacks_are_called_in_order(calls):
    seen = []
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
    callback = kind(lambda stream, status, data: seen.append((stream, status, data)))
    function = HOST_FUNCTION(seen.append)
    stream = calls.get("cuStreamCreate", 0)
    address = ctypes.cast(function, ctypes.c_void_p).value
    calls.do("cuLaunchHostFunc", stream, address, 11)
    calls.do("cuStreamAddCallback", stream, ctypes.cast(callback, ctypes.c_void_p).value, 22, 0)
    calls.do("cuStreamSynchronize", stream)
    assert seen == [11, (stream, 0, 22)]
    assert calls("cuLaunchHostFunc", stream, 0, 0) == Result.INVALID_VALUE


def test_values_in_memory(calls):
    first, second = calls.get("cuStreamCreate", 1), calls.get("cuStreamCreate", 1)
    flag = calls.get("cuMemAlloc", 8)
    calls.do("cuMemsetD32", flag, 0, 2)
    calls.do("cuStreamWaitValue32", first, flag, 3, 1)
    assert calls("cuStreamQuery", first) == Result.NOT_READY
    calls.do("cuStreamWriteValue32", second, flag, 3, 0)
    calls.do("cuStreamSynchronize", first)
    assert calls("cuStreamWaitValue32", first, flag + 1, 0, 0) == Result.INVALID_VALUE
    assert calls("cuStreamWriteValue64", first, 64, 0, 0) == Result.INVALID_VALUE


def test_a_wait_in_the_legacy_stream_lies_between_blocking_streams(calls):
    first, second, apart = (calls.get("cuStreamCreate", flags) for flags in (0, 0, 1))
    flag, event = calls.get("cuMemAlloc", 4), calls.get("cuEventCreate", 0)
    calls.do("cuMemsetD32", flag, 0, 1)
    calls.do("cuEventRecord", event, apart)
    calls.do("cuStreamWaitValue32", first, flag, 1, 1)
    calls.do("cuStreamWaitEvent", 0, event, 0)
    seen = []
    function = HOST_FUNCTION(seen.append)
    calls.do("cuLaunchHostFunc", second, ctypes.cast(function, ctypes.c_void_p).value, 5)
    time.sleep(0.05)
    early = list(seen)
    calls.do("cuStreamWriteValue32", apart, flag, 1, 0)  # or nothing ends
    calls.do("cuStreamSynchronize", second)
    assert (early, seen) == ([], [5])


def test_eight_threads(calls):
    context = calls.get("cuCtxGetCurrent")
    problems = []

    def work():
        try:
            calls.do("cuCtxSetCurrent", context)
            for value in range(30):
                stream, event = calls.get("cuStreamCreate", 1), calls.get("cuEventCreate", 2)
                address, found = calls.get("cuMemAllocAsync", 64, stream), ctypes.c_uint32()
                calls.do("cuMemsetD32Async", address, value, 16, stream)
                calls.do("cuEventRecord", event, stream)
                calls.do("cuMemcpyDtoHAsync", found, address, 4, stream)
                calls.do("cuMemFreeAsync", address, stream)
                calls.do("cuStreamSynchronize", stream)
                assert found.value == value
                calls.do("cuEventDestroy", event)
                calls.do("cuStreamDestroy", stream)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert calls.driver.leftovers() == {"CUcontext": 1}


def test_what_is_short_waits_for_what_the_stream_has(calls):
    """A copy, a fill and an event are done at once in a stream that is idle, and in no other."""
    stream, event = calls.get("cuStreamCreate", 1), calls.get("cuEventCreate", 0)
    memory, seen = calls.get("cuMemAllocHost", 64), (ctypes.c_uint32 * 16)()
    ctypes.memset(memory, 0, 64)
    words = (ctypes.c_uint32 * 16).from_address(memory)
    source = calls.get("cuMemAlloc", 64)
    calls.do("cuMemsetD32", source, 7, 16)
    calls.do("cuMemcpyAsync", memory + 4, source, 4, stream)
    calls.do("cuEventRecord", event, stream)
    calls.do("cuEventQuery", event)
    assert list(words[:4]) == [0, 7, 0, 0]
    calls.do("cuStreamWaitValue32", stream, memory, 5, 1)
    calls.do("cuMemcpyAsync", memory + 8, source, 4, stream)
    calls.do("cuMemsetD32Async", memory + 12, 9, 1, stream)
    calls.do("cuEventRecord", event, stream)
    before = calls("cuEventQuery", event), list(words[:4])
    words[0] = 5  # the stream waits no longer, whatever is asserted
    assert before == (Result.NOT_READY, [0, 7, 0, 0])
    calls.do("cuEventSynchronize", event)
    assert list(words[:4]) == [5, 7, 7, 9]
    calls.do("cuMemcpyDtoH", seen, memory, 64)
    assert list(seen) == list(words)


@pytest.mark.parametrize(("number", "value"), [
    (3, struct.pack("I", 4)), (8, struct.pack("i", -3)), (9, bytes((1, 0))),
    (10, struct.pack("I", 1)), (1, struct.pack("QQfII", 4096, 0, 0.5, 2, 1)),
])  # fmt: skip
def test_attributes(calls, number, value):
    """What is set is found, and another stream gets it."""
    stream, other = calls.get("cuStreamCreate", 0), calls.get("cuStreamCreate", 0)
    given = ctypes.create_string_buffer(value, 64)
    calls.do("cuStreamSetAttribute", stream, number, given)
    calls.do("cuStreamCopyAttributes", other, stream)
    for made in (stream, other):
        found = ctypes.create_string_buffer(64)
        calls.do("cuStreamGetAttribute", made, number, found)
        assert found.raw == given.raw


@pytest.mark.parametrize(("number", "value"), [
    (3, struct.pack("I", 0)), (3, struct.pack("I", 5)), (9, bytes((0, 9))),
    (10, struct.pack("I", 2)), (1, struct.pack("QQfII", 0, 1, 0.5, 2, 1)),
    (1, struct.pack("QQfII", 0, 0, 1.5, 2, 1)), (1, struct.pack("QQfII", 0, 0, 0.5, 2, 2)),
    (1, struct.pack("QQfII", 0, 0, 0.5, 3, 0)), (4, b""), (0, b""), (99, b""),
])  # fmt: skip
def test_wrong_attributes(calls, number, value):
    stream = calls.get("cuStreamCreate", 0)
    given = ctypes.create_string_buffer(value, 64)
    assert calls("cuStreamSetAttribute", stream, number, given) == Result.INVALID_VALUE


def test_attributes_before_they_are_set(calls):
    stream, found = calls.get("cuStreamCreateWithPriority", 0, -2), (ctypes.c_int32 * 16)()
    expected = {3: 1, 8: -2, 9: 0x100, 10: 0}
    for number, value in expected.items():
        calls.do("cuStreamGetAttribute", stream, number, found)
        assert list(found) == [value] + [0] * 15
    assert calls("cuStreamGetAttribute", stream, 4, found) == Result.INVALID_VALUE
