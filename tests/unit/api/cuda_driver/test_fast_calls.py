# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions without Python between: they give what the functions in Python give."""

from __future__ import annotations

import ctypes
import threading

import pytest

from tests.support.driver_calls import PTX, Calls, pointers
from xgpu.api.cuda_driver.fast_calls import NAMES, FastCalls
from xgpu.api.cuda_driver.table import FUNCTIONS, made_call
from xgpu.runtime.cuda.results import Result


class Fast:
    """Both kinds of functions over one driver; `asked` counts calls of those in Python."""

    def __init__(self):
        self.calls = Calls()
        self.asked = 0
        self._of_symbol = {s: f for f in FUNCTIONS.values() for s in f.symbols}
        self._made = {name: self._python(name) for name in NAMES}
        python = {n: ctypes.cast(f, ctypes.c_void_p).value for n, f in self._made.items()}
        self._fast = FastCalls(self.calls.driver.mirror, python)

    def _python(self, name):
        call = made_call(self._of_symbol[name], self.calls.driver, False)

        def counted(*given):
            self.asked += 1
            return call(*given)

        return self._of_symbol[name].prototype(counted)

    def both(self, name, *arguments):
        """What the two write and give must be equal; whether Python was asked."""
        seen = []
        fast = self._of_symbol[name].prototype(self._fast.addresses[name])
        for call in (fast, self._made[name]):
            out = (ctypes.c_uint64 * 8)(*[0x55] * 8)
            where = ctypes.addressof(out)
            given = [where + 8 * a.at if isinstance(a, Out) else a for a in arguments]
            before = self.asked
            result = call(*given)
            seen.append((result, list(out), self.asked - before))
        assert seen[0][:2] == seen[1][:2], (name, arguments)
        return bool(seen[0][2])


class Out:
    """Where a result goes: a word of the results."""

    def __init__(self, at=0):
        self.at = at


OUT = Out()


@pytest.fixture
def fast():
    made = Fast()
    yield made
    made.calls.close()


def test_before_the_driver_begins(fast):
    assert fast.both("cuCtxGetCurrent", OUT)
    assert fast.both("cuDeviceGetAttribute", OUT, 75, 0)
    assert fast.both("cuCtxSetCurrent", 0x123)


def test_memory_that_is_left(fast):
    assert fast.both("cuMemGetInfo_v2", OUT, Out(1))
    fast.calls.begin()
    calls, whole, left = fast.calls, ctypes.c_uint64(), ctypes.c_uint64()
    for made, size in ((("cuMemAlloc", 1000), 1000), (("cuMemAllocManaged", 24, 1), 24)):
        calls.do("cuMemGetInfo", whole, left)
        address = calls.get(*made)
        assert not fast.both("cuMemGetInfo_v2", OUT, Out(1))
        calls.do("cuMemGetInfo", left, ctypes.c_uint64())
        assert whole.value - left.value == size
        calls.do("cuMemFree", address)
        calls.do("cuMemGetInfo", left, ctypes.c_uint64())
        assert whole.value == left.value
    calls.get("cuMemAllocHost", 64)  # is none of the device's
    calls.do("cuMemGetInfo", left, ctypes.c_uint64())
    assert whole.value == left.value
    assert fast.both("cuMemGetInfo_v2", 0, OUT)


def test_contexts(fast):
    context = fast.calls.begin()
    assert not fast.both("cuCtxGetCurrent", OUT)
    assert not fast.both("cuCtxSetCurrent", context)
    assert not fast.both("cuCtxGetDevice", OUT)
    assert fast.both("cuCtxGetCurrent", 0)
    assert fast.both("cuCtxSetCurrent", 0x123)
    seen = []

    def other():
        seen.append(fast.both("cuCtxGetCurrent", OUT))
        fast.calls.do("cuCtxPushCurrent", context)
        seen.append(fast.both("cuCtxGetCurrent", OUT))
        fast.calls.do("cuCtxPopCurrent", 0)
        seen.append(fast.both("cuCtxGetCurrent", OUT))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [True, False, True]
    fast.calls.do("cuDevicePrimaryCtxRelease", 0)
    for name in ("cuCtxGetCurrent", "cuCtxGetDevice"):
        assert fast.both(name, OUT)
    assert fast.both("cuCtxSetCurrent", context)


def test_attributes_of_devices(fast):
    fast.calls.begin()
    for attribute in (1, 75, 76, 131, 148):
        assert not fast.both("cuDeviceGetAttribute", OUT, attribute, 0)
    for attribute, device in ((0, 0), (149, 0), (159, 0), (160, 0), (-1, 0), (75, 1), (75, -1)):
        assert fast.both("cuDeviceGetAttribute", OUT, attribute, device)
    assert fast.both("cuDeviceGetAttribute", 0, 75, 0)


def test_captures(fast):
    fast.calls.begin()
    stream = fast.calls.get("cuStreamCreate", 1)
    for handle in (0, 1, 2, stream):
        assert not fast.both("cuStreamIsCapturing", handle, OUT)
    assert fast.both("cuStreamIsCapturing", 0x123, OUT)
    assert fast.both("cuStreamIsCapturing", stream, 0)
    fast.calls.do("cuStreamBeginCapture_v2", stream, 0)
    assert fast.both("cuStreamIsCapturing", stream, OUT)
    out = ctypes.c_uint64()
    fast.calls.do("cuStreamEndCapture", stream, out)
    assert not fast.both("cuStreamIsCapturing", stream, OUT)
    fast.calls.do("cuStreamDestroy", stream)
    assert fast.both("cuStreamIsCapturing", stream, OUT)


@pytest.mark.parametrize("kind", ["cuMemAlloc", "cuMemAllocHost", "cuMemAllocManaged"])
def test_pointers(fast, kind):
    fast.calls.begin()
    memory = fast.calls.get(kind, 256, *[1] * (kind == "cuMemAllocManaged"))
    for attribute in (1, 2, 3, 8, 9):
        assert not fast.both("cuPointerGetAttribute", OUT, attribute, memory)
    for attribute, address in ((4, memory), (11, memory), (3, memory + 8), (3, 0), (99, memory)):
        assert fast.both("cuPointerGetAttribute", OUT, attribute, address)
    assert fast.both("cuPointerGetAttribute", 0, 3, memory)
    assert not _many(fast, (1, 2, 3, 8, 9), memory)
    assert _many(fast, (1, 2, 11, 9), memory)
    assert _many(fast, (1, 2, 9), 0x10)
    assert _many(fast, (), memory)
    fast.calls.do("cuMemFreeHost" if kind == "cuMemAllocHost" else "cuMemFree", memory)
    assert fast.both("cuPointerGetAttribute", OUT, 3, memory)


def _many(fast, attributes, address):
    kinds = (ctypes.c_uint32 * 8)(*attributes)
    values = [(ctypes.c_uint64 * 8)() for _ in range(2)]
    seen = []
    name = "cuPointerGetAttributes"
    fast_call = FUNCTIONS[name].prototype(fast._fast.addresses[name])
    before = fast.asked
    for call, into in zip((fast_call, fast._made[name]), values, strict=True):
        places = (ctypes.c_uint64 * 8)(*(ctypes.addressof(into) + 8 * i for i in range(8)))
        where = ctypes.addressof(kinds), ctypes.addressof(places)
        seen.append(call(len(attributes), *where, address))
    assert seen[0] == seen[1]
    assert list(values[0]) == list(values[1])
    return fast.asked - before == 2


def test_after_a_fault(fast):
    """What needs a sound context gives the fault; what asks which is current does not."""
    calls = fast.calls
    calls.begin()
    memory = calls.get("cuMemAlloc", 256)
    kernel = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", PTX), "fault")
    calls.do("cuLaunchKernel", kernel, 1, 1, 1, 1, 1, 1, 0, 0, pointers(ctypes.c_uint64(64)), 0)
    assert calls("cuCtxSynchronize") == Result.ILLEGAL_ADDRESS
    assert fast.both("cuStreamIsCapturing", 0, OUT)
    assert fast.both("cuPointerGetAttribute", OUT, 3, memory)
    assert not fast.both("cuCtxGetCurrent", OUT)


@pytest.mark.parametrize("name", ["cuGetErrorName", "cuGetErrorString"])
def test_words(fast, name):
    for result in Result:
        seen = []
        for address in (fast._fast.addresses[name], fast._made[name]):
            text = ctypes.c_char_p()
            call = FUNCTIONS[name].prototype(address)
            seen.append((call(result, ctypes.addressof(text)), text.value))
        assert seen[0] == seen[1]
    assert fast.both(name, 12345, OUT)
    assert fast.both(name, 1, 0)


def test_a_forked_process_asks_python(fast):
    fast.calls.begin()
    fast.calls.driver.begin_anew()
    assert fast.both("cuCtxGetCurrent", OUT)
