# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches, waits and events that machine code does, as long as nothing says that Python must."""

from __future__ import annotations

import ctypes
import threading
import time

import pytest

from tests.support.driver_calls import HEAD, Calls, pointers
from xgpu.api.cuda_driver.fast_calls import NAMES, REST_LOCK, WORKER_THREAD, FastCalls
from xgpu.api.cuda_driver.launches_again import settler
from xgpu.api.cuda_driver.native import address
from xgpu.api.cuda_driver.shared_object import CALL_SHIFT, INTERRUPTED, WORKING
from xgpu.api.cuda_driver.table import FUNCTIONS, LOOKS, failure_of, made_call
from xgpu.runtime.cuda.results import Result

# `add` adds n to a word, and stores 0 at a word beside; `say` prints where n is 7.
_PTX = (
    HEAD
    + """
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[7] = {115, 101, 118, 101, 110, 10, 0};
.visible .entry add(.param .u64 a, .param .u32 n, .param .u64 beside)
{
  .reg .pred %p; .reg .u64 %rd<4>; .reg .u32 %r<4>;
  ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; ld.param.u64 %rd2, [beside];
  ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, %r1; st.global.u32 [%rd1], %r2;
  setp.eq.u64 %p, %rd2, 0;
  @%p ret;
  add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], 0;
  ret;
}
.visible .entry share(.param .u64 a, .param .u32 n)
{
  .reg .u64 %rd<4>; .reg .u32 %r<4>;
  .shared .align 4 .b8 word[4];
  ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n];
  st.shared.u32 [word], %r1; bar.sync 0; ld.shared.u32 %r2, [word];
  mov.u32 %r3, %ctaid.y; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
.visible .entry say(.param .u64 a, .param .u32 n)
{
  .reg .pred %p; .reg .u64 %rd<4>; .reg .u32 %r<3>;
  ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; st.global.u32 [%rd1], %r1;
  setp.ne.u32 %p, %r1, 7;
  @%p ret;
  mov.u64 %rd2, text; cvta.global.u64 %rd2, %rd2; mov.u64 %rd3, 0;
  { .param .b64 f; .param .b64 v; .param .b32 r;
    st.param.b64 [f], %rd2; st.param.b64 [v], %rd3; call.uni (r), vprintf, (f, v); }
  ret;
}
"""
)


class Hastened(Calls):
    """A driver whose functions are those of the library, machine code where there is some: `asked`
    has the names of those that Python was asked for. Python's are counted as the library does."""

    def __init__(self):
        super().__init__()
        self.word, self.asked, self._python = ctypes.c_uint64(), [], {}
        self.driver.mirror.connect(self.word)
        self._settle = settler(
            self.driver, lambda p: failure_of(p, FUNCTIONS["cuLaunchKernel"], self.driver)
        )
        self.driver.mirror.hasten(address(self._settle))
        functions = {s: f for f in FUNCTIONS.values() for s in f.symbols}
        prototypes = {name: functions[name].prototype for name in NAMES}
        self._kept = {name: prototypes[name](self._of_python(name)) for name in NAMES}
        self._fast = FastCalls(self.driver.mirror, {n: address(f) for n, f in self._kept.items()})
        for name in NAMES:
            self._calls[name] = prototypes[name](self._fast.addresses[name])

    def __call__(self, name, *arguments):
        self._calls.setdefault(name, self._of_python(name))
        return super().__call__(name, *arguments)

    def _of_python(self, name):
        if name not in self._python:
            functions = {s: f for f in FUNCTIONS.values() for s in f.symbols}
            call = made_call(functions[name], self.driver, False)
            begun = 1 if LOOKS.match(name) else 1 + (1 << CALL_SHIFT)

            def counted(*given):
                self.asked.append(name)
                self.word.value += begun
                try:
                    return call(*given)
                finally:
                    self.word.value -= 1

            self._python[name] = counted
        return self._python[name]

    def is_asked(self, name, *arguments):
        """Make a call, which must succeed; whether Python was asked."""
        del self.asked[:]
        self.do(name, *arguments)
        return bool(self.asked)

    def kernel(self, name):
        return self.get("cuModuleGetFunction", self.module, name)

    def launch(self, kernel, *values, stream=0, grid=(1, 1), block=1):
        """Whether Python was asked."""
        given = pointers(*values)
        sizes = *grid, 1, block, 1, 1, 0
        return self.is_asked("cuLaunchKernel", kernel, *sizes, stream, given, 0)

    def warm(self, kernel, *values, **how):
        """Launch until machine code does."""
        for _ in range(200):
            if not self.launch(kernel, *values, **how):
                return
            time.sleep(0.001)  # what is in the stream runs in another thread
        raise AssertionError("machine code makes no launch")

    def word_at(self, place):
        found = ctypes.c_uint32()
        self.do("cuMemcpyDtoH_v2", found, place, 4)
        return found.value


@pytest.fixture(scope="module")
def made():
    found = Hastened()
    found.begin()
    found.module = found.get("cuModuleLoadData", _PTX)
    yield found
    found.close()


@pytest.fixture
def calls(made):
    made.do("cuCtxSynchronize")
    yield made
    assert made.word.value & (1 << CALL_SHIFT) - 1 == 0  # none is under way


@pytest.fixture
def memory(calls):
    found = calls.get("cuMemAlloc", 100)
    calls.do("cuMemsetD8", found, 0, 100)
    yield found
    calls("cuMemFree", found)


def _of(place, number, beside=0):
    return ctypes.c_uint64(place), ctypes.c_uint32(number), ctypes.c_uint64(beside)


def test_a_launch_that_was_made_before(calls, memory):
    add, other = calls.kernel("add"), calls.get("cuMemAlloc", 4)
    calls.do("cuMemsetD8", other, 0, 4)
    calls.warm(add, *_of(other, 0))
    assert [calls.launch(add, *_of(p, n)) for p, n in ((memory, 3), (other, 9))] == [False] * 2
    assert not calls.launch(add, *_of(memory + 4, 5))
    assert calls.word_at(memory) == 3
    assert calls.word_at(memory + 4) == 5
    assert calls.word_at(other) == 9
    assert not calls.launch(add, *_of(memory, 1))  # copies change nothing
    calls.do("cuFuncSetCacheConfig", add, 0)
    assert calls.launch(add, *_of(memory, 1))
    large = calls.get("cuMemAlloc", 1024)
    calls.warm(add, *_of(memory, 0))
    assert calls.launch(add, *_of(large + 256, 0))  # may be an allocation's, and is none's
    assert calls.launch(add, *_of(memory, 0), grid=(2, 1))  # another size
    for made in (other, large):
        calls.do("cuMemFree", made)
    calls.warm(add, *_of(memory, 0))


def test_kernels_that_take_turns(calls, memory):
    """One after the other, as often as nothing else is asked of Python."""
    add, share = calls.kernel("add"), calls.kernel("share")

    def both():
        given = _of(memory, 3)
        return [calls.launch(add, *given), calls.launch(share, *given[:2], block=32)]

    for _ in range(2):
        calls.do("cuFuncSetCacheConfig", add, 0)
        for _ in range(200):
            if both() == [False, False]:
                break
            time.sleep(0.001)
        assert [both() for _ in range(3)] == [[False, False]] * 3
        calls.do("cuMemsetD8", memory, 0, 4)  # machine code does that, too
        assert both() == [False, False]
        assert calls.word_at(memory) == 3  # `share` is the second
    calls.do("cuFuncSetCacheConfig", share, 0)
    assert both() == [True, True]
    assert both() == [True, False]  # what came behind another call has no note


def test_rows_of_blocks_with_shared_memory(calls, memory):
    """Few blocks of a row are taken at a time, but they wait for no others."""
    share = calls.kernel("share")
    calls.warm(share, *_of(memory, 3)[:2], grid=(1, 16), block=32)
    assert not calls.launch(share, *_of(memory, 9)[:2], grid=(1, 16), block=32)
    assert [calls.word_at(memory + 4 * row) for row in range(17)] == [9] * 16 + [0]


def test_with_a_configuration(calls, memory):
    add = calls.kernel("add")
    stream = calls.get("cuStreamCreate", 1)
    config = (ctypes.c_uint32 * 14)(1, 1, 1, 1, 1, 1, 0, 0)
    ctypes.c_uint64.from_buffer(config, 32).value = stream
    given = config, add, pointers(*_of(memory, 2)), 0
    seen = [calls.is_asked("cuLaunchKernelEx", *given) for _ in range(5)]
    assert seen[0]
    assert not seen[-1]
    assert calls.word_at(memory) == 10


def test_streams_are_followed(calls, memory):
    """A launch comes behind what its stream has to do, and behind what the stream waits for."""
    add, stream = calls.kernel("add"), calls.get("cuStreamCreate", 0)
    event, go = calls.get("cuEventCreate", 0), threading.Event()
    for handle in (0, stream):
        calls.warm(add, *_of(memory, 0), stream=handle)
    assert not calls.is_asked("cuStreamQuery", stream)
    wait = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: go.wait(10) and None)
    calls.do("cuLaunchHostFunc", stream, address(wait), 0)
    assert calls("cuStreamQuery", stream) == Result.NOT_READY
    for handle in (0, stream):  # the legacy stream waits for it
        assert calls.launch(add, *_of(memory, 1), stream=handle)
    assert calls.is_asked("cuEventRecord", event, stream)
    assert calls("cuEventQuery", event) == Result.NOT_READY
    assert calls("cuStreamQuery", 0) == Result.NOT_READY
    go.set()
    assert calls.is_asked("cuStreamSynchronize", stream)
    assert calls.word_at(memory) == 2


def test_what_is_done_is_known(calls, memory):
    stream, event, later = (
        calls.get("cuStreamCreate", 1),
        *(calls.get("cuEventCreate", 0) for _ in range(2)),
    )
    large = calls.get("cuMemAlloc", 1 << 20)  # to fill it is queued
    for name, *given in (("cuStreamSynchronize", stream), ("cuCtxSynchronize",)):
        calls.do("cuMemsetD8Async", large, 1, 1 << 20, stream)
        assert calls.is_asked(name, *given)
        assert not calls.is_asked(name, *given)
    begin = time.perf_counter_ns()
    assert not calls.is_asked("cuEventRecord", event, stream)
    time.sleep(0.01)
    assert not calls.is_asked("cuEventRecord", later, stream)
    took = time.perf_counter_ns() - begin
    assert not calls.is_asked("cuEventQuery", event)
    assert not calls.is_asked("cuEventSynchronize", event)
    assert not calls.is_asked("cuStreamWaitEvent", stream, event, 0)
    passed = ctypes.c_float()
    calls.do("cuEventElapsedTime", passed, event, later)
    assert 10 <= passed.value <= took / 1e6
    assert not calls.is_asked("cuEventRecord", event, stream)
    assert calls("cuEventElapsedTime", passed, event, later) == 0
    assert passed.value < 0  # the earlier recording does not count
    calls.do("cuMemsetD8Async", large, 1, 1 << 20, stream)
    assert calls.is_asked("cuEventRecord", event, stream)
    calls.do("cuEventSynchronize", event)


def test_an_event_of_a_capture(calls):
    stream, event = calls.get("cuStreamCreate", 1), calls.get("cuEventCreate", 0)
    calls.do("cuStreamSynchronize", stream)
    assert not calls.is_asked("cuEventRecord", event, stream)
    calls.do("cuStreamBeginCapture_v2", stream, 0)
    assert calls.is_asked("cuEventRecord", event, stream)
    assert calls("cuEventQuery", event) == Result.CAPTURED_EVENT
    assert calls("cuStreamQuery", stream) == Result.STREAM_CAPTURE_UNSUPPORTED
    calls("cuStreamEndCapture", stream, ctypes.c_uint64())
    calls.do("cuStreamSynchronize", stream)
    assert not calls.is_asked("cuEventRecord", event, stream)
    calls.do("cuEventQuery", event)
    assert calls("cuEventQuery", calls.get("cuStreamCreate", 0)) == Result.INVALID_HANDLE


def test_what_a_kernel_has_printed_is_shown(calls, memory, capfd):
    """Machine code knows of no stream that nothing is left then."""
    say, add = calls.kernel("say"), calls.kernel("add")
    calls.warm(add, *_of(memory, 0))
    calls.launch(say, *_of(memory, 7)[:2])
    assert capfd.readouterr().out == ""
    assert calls.is_asked("cuStreamSynchronize", 0)
    assert capfd.readouterr().out == "seven\n"
    assert not calls.is_asked("cuStreamSynchronize", 0)


def test_a_series_that_ends(calls, memory):
    """What notes name may be gone: none of them holds, whatever the call that comes next."""
    add = calls.kernel("add")
    for stream in (0, 1):  # two notes of one launch, by handles of one stream
        calls.warm(add, *_of(memory, 0), stream=stream)
    calls.driver.mirror.end_series()
    assert [calls.launch(add, *_of(memory, 1), stream=s) for s in (0, 1)] == [True, True]
    calls.warm(add, *_of(memory, 0), stream=0)
    assert calls.word_at(memory) == 2


def test_a_call_in_another_thread(calls, memory):
    """While Python is in one, machine code makes no launch; and Python waits for machine code."""
    add = calls.kernel("add")
    calls.warm(add, *_of(memory, 0))
    calls.word.value += 1
    assert calls.launch(add, *_of(memory, 1))
    calls.word.value -= 1
    calls.word.value |= WORKING
    seen = []
    thread = threading.Thread(target=lambda: seen.append(calls("cuDeviceGetCount", count)))
    count = ctypes.c_uint32()
    thread.start()
    time.sleep(0.02)
    assert not seen
    calls.word.value &= ~WORKING
    thread.join()
    assert seen == [0]


def test_a_finalizer_in_a_launch_waits(calls):
    """A kernel that machine code runs may call Python, which may collect garbage."""
    memory, mirror = calls.get("cuMemAlloc", 4), calls.driver.mirror
    calls.word.value |= WORKING
    mirror.words[WORKER_THREAD] = threading.get_ident()
    calls.do("cuMemFree", memory)
    assert calls.driver.ranges.at(memory) is not None
    mirror.words[WORKER_THREAD] = 0
    calls.word.value &= ~WORKING
    calls.do("cuCtxGetFlags", ctypes.c_uint32())  # of Python's
    assert calls.driver.ranges.at(memory) is None


def test_ctrl_c_in_a_call(calls, monkeypatch):
    """The library interrupts the program when the function in Python has returned."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(FUNCTIONS["cuDeviceGetCount"], "run", interrupted)
    call = made_call(FUNCTIONS["cuDeviceGetCount"], calls.driver, False)
    assert call(ctypes.addressof(ctypes.c_uint32())) == Result.LAUNCH_FAILED | INTERRUPTED
    assert ctypes.c_int32(Result.LAUNCH_FAILED | INTERRUPTED).value == Result.LAUNCH_FAILED


def test_in_another_thread(calls, memory):
    add = calls.kernel("add")
    calls.warm(add, *_of(memory, 0))
    context, seen = calls.get("cuCtxGetCurrent"), []

    def other():
        calls.do("cuCtxSetCurrent", context)
        seen.extend(calls.launch(add, *_of(memory, 1)) for _ in range(3))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [True, True, False]
    assert calls.word_at(memory) == 3


@pytest.mark.parametrize(
    ("beside", "wanted"), [(1 << 40, Result.ILLEGAL_ADDRESS), (-4, Result.LAUNCH_FAILED)]
)
def test_a_launch_that_goes_wrong(beside, wanted):
    """It stores where nothing is, or beside its memory; it is the context's error, as any."""
    calls = Hastened()
    calls.begin()
    calls.module = calls.get("cuModuleLoadData", _PTX)
    memory, function = calls.get("cuMemAlloc", 100), calls.kernel("add")
    calls.warm(function, *_of(memory, 0))
    assert not calls.launch(function, *_of(memory, 7, beside))
    assert calls("cuStreamSynchronize", 0) == wanted
    assert calls("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, 0, pointers(), 0) == wanted
    assert calls.word.value & (1 << CALL_SHIFT) - 1 == 0
    calls.close()


def _access(place):
    """What the process may do at an address."""
    with open("/proc/self/maps", encoding="ascii", errors="replace") as maps:
        for line in maps:
            begin, end = (int(n, 16) for n in line.split()[0].split("-"))
            if begin <= place < end:
                return line.split()[1]
    return ""


def test_memory_that_is_released_has_no_access(calls, memory):
    """A kernel may have its address from memory; and it serves again."""
    add, stale = calls.kernel("add"), calls.get("cuMemAlloc", 5000)
    calls.warm(add, *_of(memory, 0))
    assert not calls.is_asked("cuMemFree_v2", stale)
    assert _access(stale) == "rw-p"
    assert not calls.launch(add, *_of(memory, 1))
    assert _access(stale) == "---p"
    again = calls.get("cuMemAlloc_v2", 4900)
    assert again == stale
    calls.do("cuMemsetD8_v2", again, 0, 64)
    assert not calls.launch(add, *_of(again, 5))
    assert calls.word_at(again) == 5
    assert not calls.is_asked("cuMemFree_v2", again)
    assert not calls.launch(add, *_of(memory, 1))
    assert _access(stale) == "---p"
    calls.driver.leftovers()  # all is released
    assert calls.driver.ranges.at(stale) is None
    assert calls.word_at(memory) == 2


def test_a_forked_process_waits_for_no_thread():
    """One of its parent's was in a launch by machine code."""
    calls = Hastened()
    calls.begin()
    calls.word.value |= WORKING
    calls.driver.mirror.words[REST_LOCK] = 1
    calls.driver.begin_anew()
    assert calls("cuCtxGetFlags", ctypes.c_uint32()) == Result.NOT_INITIALIZED
    assert list(calls.driver.mirror.begin_rests()) == []
    calls.driver.mirror.end_rests()
    calls.close()
