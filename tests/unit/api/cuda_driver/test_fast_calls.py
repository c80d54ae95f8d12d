# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions without Python between: they give what the functions in Python give."""

from __future__ import annotations

import ctypes
import random
import threading
from types import SimpleNamespace

import pytest

from tests.support.driver_calls import PTX, Calls, pointers
from xgpu.api.cuda_driver.fast_calls import NAMES, FastCalls
from xgpu.api.cuda_driver.table import FUNCTIONS, made_call
from xgpu.host_device.native.signals import caught_faults
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


# -- memory at rest, and small copies


class Memory:
    """Memory of `fast`'s driver by the functions of machine code: `asked` says whether the last
    call was left to Python."""

    def __init__(self, fast):
        self.fast = fast
        self.context = fast.calls.begin()
        self.asked = 0
        self.settle()

    def settle(self):
        """Nothing is under way, and the driver knows."""
        self.fast.calls.do("cuCtxSynchronize")

    def __call__(self, name, *arguments):
        symbol = name + "_v2" if name + "_v2" in NAMES else name
        call = FUNCTIONS[name].prototype(self.fast._fast.addresses[symbol])
        before = self.fast.asked
        words = [ctypes.addressof(a) if hasattr(a, "_length_") else a for a in arguments]
        result = call(*words)
        self.asked = self.fast.asked - before
        return result

    def new(self, size):
        into = (ctypes.c_uint64 * 1)()
        assert self("cuMemAlloc", into, size) == 0
        return into[0]

    def left(self):
        into = (ctypes.c_uint64 * 2)()
        assert self("cuMemGetInfo", into, ctypes.addressof(into) + 8) == 0
        assert not self.asked
        return into[0]

    def number(self, address):
        """The buffer's, which no other has."""
        into = (ctypes.c_uint64 * 1)()
        assert self("cuPointerGetAttribute", into, 7, address) == 0
        return into[0]


@pytest.fixture
def memory(fast):
    return Memory(fast)


def test_memory_serves_again(memory):
    first = memory.new(1000)
    assert memory.asked
    number = memory.number(first)
    begin = memory.left()
    assert memory("cuMemFree", first) == 0
    assert not memory.asked
    assert memory("cuMemFree", first) == Result.INVALID_VALUE  # which releases it
    first = memory.new(1000)
    assert memory("cuMemFree", first) == 0
    assert memory.new(1025) != first  # of another size in whole units
    assert memory.asked
    again = memory.new(600)
    assert (again, memory.asked) == (first, 0)
    assert memory.left() == begin - 1025 + 400
    assert memory.number(again) > number
    both = ctypes.c_uint64(), ctypes.c_uint64()
    memory.fast.calls.do("cuMemGetAddressRange", *both, again + 599)
    assert [word.value for word in both] == [first, 600]
    assert memory.fast.calls("cuMemGetAddressRange", *both, again + 600) == Result.NOT_FOUND
    assert memory("cuMemFree", again) == 0
    assert memory.fast.calls.driver.leftovers()["memory"] == 1


def test_what_is_said_of_memory_ends_with_it(memory):
    first = memory.new(256)
    one = (ctypes.c_uint32 * 1)(1)
    memory.fast.calls.do("cuPointerSetAttribute", one, 6, first)
    assert memory("cuMemFree", first) == 0
    assert memory.asked
    for _ in range(6):  # released pages serve again
        assert memory("cuPointerGetAttribute", one, 6, memory.new(256)) == 0
        assert one[0] == 0


def test_memory_at_rest_is_of_no_use(memory):
    """A kernel that uses it faults, as it does behind a release by Python."""
    calls = memory.fast.calls
    kernel = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", PTX), "fault")
    first = memory.new(256)
    assert memory("cuMemFree", first) == 0
    assert not memory.asked
    calls.do("cuLaunchKernel", kernel, 1, 1, 1, 1, 1, 1, 0, 0, pointers(ctypes.c_uint64(first)), 0)
    assert calls("cuCtxSynchronize") == Result.ILLEGAL_ADDRESS
    assert memory("cuMemFree", first) == Result.ILLEGAL_ADDRESS


def test_nothing_is_done_beside_work(memory):
    """What a stream has not done yet may use the memory."""
    calls, first = memory.fast.calls, memory.new(1 << 20)
    host = (ctypes.c_uint8 * 64)()
    may_end, ended = threading.Event(), []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def work(_):
        may_end.wait(10)
        ended.append(1)

    stream = calls.get("cuStreamCreate", 1)
    calls.do("cuLaunchHostFunc", stream, ctypes.cast(work, ctypes.c_void_p).value, 0)
    threading.Timer(0.05, may_end.set).start()
    assert memory("cuMemcpyHtoD", first, host, 64) == 0
    assert memory.asked
    assert memory("cuMemFree", first) == 0
    assert memory.asked
    assert ended  # cuMemFree has waited
    first = memory.new(64)
    assert memory("cuMemFree", first) == 0
    assert not memory.asked


def test_nothing_is_done_in_a_capture(memory):
    calls, first = memory.fast.calls, memory.new(64)
    stream = calls.get("cuStreamCreate", 1)
    calls.do("cuStreamBeginCapture_v2", stream, 2)
    host = (ctypes.c_uint8 * 64)()
    for call in (("cuMemcpyHtoDAsync", first, host, 64, stream), ("cuMemFree", first)):
        memory(*call)
        assert memory.asked
    calls.do("cuStreamEndCapture", stream, ctypes.c_uint64())


def test_what_kernels_print_comes_before_what_is_copied(memory):
    device = memory.fast.calls.driver.devices[0]
    first, host = memory.new(64), (ctypes.c_uint8 * 64)()
    assert memory("cuMemcpyDtoH", host, first, 64) == 0
    assert not memory.asked
    texts = []
    device.host.printed._write = texts.append
    record = SimpleNamespace(said=0)
    launch = SimpleNamespace(name="k", printed=0, unprinted=0, record=record)
    device.host.printed.add(launch, "text")
    assert memory("cuMemcpyDtoH", host, first, 64) == 0
    assert memory.asked
    assert texts == ["text"]


def test_copies(memory):
    """Of whole allocations and the first bytes of them, to and from plain memory of the host."""
    first, second = memory.new(1000), memory.new(2000)
    source, back = (ctypes.c_uint8 * 1000)(*range(0, 250)), (ctypes.c_uint8 * 1000)()
    stream = memory.fast.calls.get("cuStreamCreate", 1)
    for name, to, origin, *more in (
        ("cuMemcpyHtoD", first, source), ("cuMemcpyDtoD", second, first),
        ("cuMemcpyDtoH", back, second), ("cuMemcpy", first, source), ("cuMemcpy", back, first),
        ("cuMemcpyHtoDAsync", first, source, stream), ("cuMemcpyDtoDAsync", second, first, 1),
        ("cuMemcpyDtoHAsync", back, second, 2), ("cuMemcpyAsync", first, source, 0),
    ):  # fmt: skip
        ctypes.memset(back, 0, 1000)
        assert memory(name, to, origin, 1000, *more) == 0
        assert not memory.asked, name
        if to is back:
            assert bytes(back) == bytes(source)
    for name, to, origin, size, result in (
        ("cuMemcpyHtoD", first, source, 1001, Result.INVALID_VALUE),
        ("cuMemcpyHtoD", source, source, 8, Result.INVALID_VALUE),
        ("cuMemcpyDtoH", back, source, 8, Result.INVALID_VALUE),
        ("cuMemcpyDtoD", first, source, 8, Result.INVALID_VALUE),
        ("cuMemcpyHtoD", first, 0, 8, Result.INVALID_VALUE),
        ("cuMemcpyHtoD", first, source, 0, 0),
        ("cuMemcpyHtoD", first + 8, source, 8, 0),
    ):
        assert memory(name, to, origin, size) == result, name
        assert memory.asked
    assert memory("cuMemcpyHtoDAsync", first, source, 8, 0x123) == Result.INVALID_HANDLE
    large = (ctypes.c_uint8 * 100_000)()
    assert memory("cuMemcpyHtoD", memory.new(100_000), large, 100_000) == 0
    assert memory.asked


def test_fills(memory):
    first, back = memory.new(1000), (ctypes.c_uint8 * 1000)()
    for name, value, width, *more in (
        ("cuMemsetD8", 0x81, 1), ("cuMemsetD32", 0x8182FF03, 4), ("cuMemsetD8Async", 3, 1, 0),
        ("cuMemsetD32Async", 5, 4, 1),
    ):  # fmt: skip
        assert memory(name, first, value, 1000 // width, *more) == 0
        assert not memory.asked, name
        assert memory("cuMemcpyDtoH", back, first, 1000) == 0
        assert bytes(back) == value.to_bytes(width, "little") * (1000 // width)
        assert memory(name, first, value, 1000 // width + 1, *more) == Result.INVALID_VALUE
        assert memory(name, 0, value, 1, *more) == Result.INVALID_VALUE
        assert memory(name, first, value, 0, *more) == 0
        assert memory.asked
    assert memory("cuMemsetD8Async", first, 1, 8, 0x123) == Result.INVALID_HANDLE


def test_memory_of_the_host_that_the_driver_knows(memory):
    """Its bounds are looked at."""
    pinned, first = memory.fast.calls.get("cuMemAllocHost", 512), memory.new(1024)
    assert memory("cuMemcpyHtoD", first, pinned, 512) == 0
    assert memory.asked
    assert memory("cuMemcpyHtoD", first, pinned, 513) == Result.INVALID_VALUE


def test_a_bad_address_is_an_error(memory):
    with caught_faults():
        assert memory("cuMemcpyHtoD", memory.new(64), 0x1000, 64) == Result.ILLEGAL_ADDRESS
    assert memory.asked


def test_more_than_the_table_holds(memory):
    made = [memory.new(64) for _ in range(100)]
    left = memory.left()
    asked = 0
    for address in made:
        assert memory("cuMemFree", address) == 0
        asked += memory.asked
    assert asked == 1  # the 65th releases all
    assert memory.left() == left + 6400


def test_memory_of_another_context(memory):
    calls, first = memory.fast.calls, memory.new(64)
    other = calls.get("cuCtxCreate_v4", 0, 0, 0)
    assert memory("cuMemFree", first) == 0
    assert memory.asked
    calls.do("cuCtxDestroy", other)


def test_in_any_order(memory):
    """Allocations, releases, copies and launches by chance: contents are those of a model."""
    seed = random.Random(4)
    calls = memory.fast.calls
    kernel = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", PTX), "add")
    model = {}
    without_python = 0
    for _ in range(1500):
        what = seed.random()
        if what < 0.3 and len(model) < 40:
            size = seed.choice((64, 100, 512, 513, 1000))
            address = memory.new(size)
            assert all(not a - size < address < a + len(b) for a, b in model.items())
            content = seed.randbytes(size)
            assert memory("cuMemcpyHtoD", address, (ctypes.c_uint8 * size)(*content), size) == 0
            model[address] = content
        elif not model:
            continue
        elif what < 0.6:
            address = seed.choice(list(model))
            del model[address]
            assert memory("cuMemFree", address) == 0
        elif what < 0.8:
            address, content = seed.choice(list(model.items()))
            back = (ctypes.c_uint8 * len(content))()
            assert memory("cuMemcpyDtoH", back, address, len(content)) == 0
            assert bytes(back) == content
        elif what < 0.95:
            to, origin = seed.choice(list(model)), seed.choice(list(model))
            size = min(len(model[to]), len(model[origin]))
            assert memory("cuMemcpyDtoD", to, origin, size) == 0
            model[to] = model[origin][:size] + model[to][size:]
        else:
            zeros = memory.new(64)
            one = seed.choice(list(model))
            words = [ctypes.c_uint64(a) for a in (one, one, zeros)]
            calls.do(
                "cuLaunchKernel", kernel, 1, 1, 1, 16, 1, 1, 0, 0,
                pointers(*words, ctypes.c_uint32(0)), 0,
            )  # fmt: skip
            assert memory("cuMemFree", zeros) == 0
            memory.settle()
        without_python += not memory.asked
    assert without_python > 1000
    for address in model:
        assert memory("cuMemFree", address) == 0
    assert "memory" not in calls.driver.leftovers()


def test_in_several_threads(memory):
    problems = []

    def work(number):
        memory.fast.calls.do("cuCtxSetCurrent", memory.context)
        content = bytes([number]) * 256
        source, back = (ctypes.c_uint8 * 256)(*content), (ctypes.c_uint8 * 256)()
        for _ in range(300):
            address = memory.new(256)
            memory("cuMemcpyHtoD", address, source, 256)
            memory("cuMemcpyDtoH", back, address, 256)
            if bytes(back) != content or memory("cuMemFree", address) != 0:
                problems.append(number)
                return

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert "memory" not in memory.fast.calls.driver.leftovers()
