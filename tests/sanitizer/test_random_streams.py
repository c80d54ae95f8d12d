# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of arrays, launches, streams and waits in Python: the sanitizer reports a race
where a plain model of streams has one, for launches that are watched and for those that are known
before they run."""

from __future__ import annotations

import ctypes
import random
import time
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import xgpu
from tests.support.driver_calls import Calls
from tests.support.some_cases import short
from xgpu.host_device.device import launch

_COUNT = 64
_TEXT = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @add(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %z: f32) kernel {
      %i = gpu.global_id x
      %in = arith.cmpi ult, %i, %n : index
      scf.if %in {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = arith.addf %x, %z : f32
        memref.store %y, %b[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
}
"""
_HOST, _DEFAULT, _FIRST = "host", 1, 2
_STREAMS = 2
_STEPS = (
    *("own",) * 2, "numpy", "part", "drop", *("launch",) * 2, *("in a stream",) * 3, "write",
    "wait", "wait for all", "event",
)  # fmt: skip

Clock = dict[object, int]


class _Streams:
    """The order of what lanes do, by vector clocks, and whether there is a race. The host is a
    lane, each stream is one, and each branch of a launch of a graph."""

    def __init__(self) -> None:
        self.clocks: defaultdict[object, Clock] = defaultdict(dict)
        self._count = 0
        #: Of each access its lane, its number, its bytes, and whether it writes.
        self._accesses: list[tuple[object, int, range, bool]] = []
        self.has_race = False

    def access(self, lane: object, reads: range, writes: range) -> None:
        """A lane reads and writes at a time."""
        clock = self.clocks[lane]
        self._count += 1
        new = [(lane, self._count, reads, False), (lane, self._count, writes, True)]
        for other, number, used, wrote in self._accesses:
            for _, _, mine, write in new:
                meets = used.start < mine.stop and mine.start < used.stop
                if meets and (wrote or write) and clock.get(other, 0) < number:
                    self.has_race = True
        self._accesses += new
        clock[lane] = self._count

    def launch(self, lane: object, reads: range, writes: range) -> None:
        """The host has a lane do that."""
        self.join(lane, _HOST)
        self.access(lane, reads, writes)

    def join(self, lane: object, *others: object) -> None:
        """What a lane does next comes after all that others have done."""
        for other in others:
            self.join_clock(lane, self.clocks[other])

    def join_clock(self, lane: object, clock: Clock) -> None:
        into = self.clocks[lane]
        for other, number in clock.items():
            into[other] = max(into.get(other, 0), number)


class _Program:
    """One random program. Memory has made-up addresses in the model, of one element or of several:
    some arrays are longer than a page."""

    def __init__(self, kernel: xgpu.Kernel, seed: int) -> None:
        self.model = _Streams()
        self._kernel = kernel
        self._random = random.Random(seed)
        self._each = self._random.choice([1, 1, 40])  # elements
        self._streams = [xgpu.Stream(device="host") for _ in range(_STREAMS)]
        self._arrays: list[tuple[Any, range]] = []
        self._made = 0

    def run(self) -> None:
        for _ in range(self._random.randrange(8, 30)):
            self._step(self._random.choice(_STEPS))
        self._wait_for_all()

    def _step(self, what: str) -> None:
        match what:
            case "own":
                self._add(xgpu.empty(_COUNT * self._each, "float32", device="host").fill(0))
                self.model.join(_HOST, _DEFAULT)  # as the fill does
            case "numpy":
                self._add(np.zeros(_COUNT * self._each, np.float32))
            case "wait":
                self._wait(self._random.randrange(_STREAMS))
            case "wait for all":
                self._wait_for_all()
            case "event":
                self._streams[1].wait(self._streams[0].record())
                self.model.join(_FIRST + 1, _FIRST)
            case _ if self._arrays:
                self._use(what)
            case _:
                pass

    def _add(self, array: Any) -> None:
        begin = self._made * 2 * _COUNT
        self._arrays.append((array, range(begin, begin + _COUNT)))
        self._made += 1

    def _use(self, what: str) -> None:
        array, where = self._random.choice(self._arrays)
        is_numpy = isinstance(array, np.ndarray)
        if what == "part" and is_numpy and len(where) > 16:
            part = slice(self._random.randrange(8), self._random.randrange(9, len(where)))
            elements = slice(part.start * self._each, part.stop * self._each)
            self._arrays.append((array[elements], where[part]))
        elif what == "drop":
            self._arrays = [entry for entry in self._arrays if entry[0] is not array]
        elif what == "write" and is_numpy:
            self._wait_for_all()
            array[:] = self._random.random()
        elif what in ("launch", "in a stream"):
            self._launch(what == "in a stream", array, where, *self._random.choice(self._arrays))

    def _launch(self, in_stream: bool, a: Any, reads: range, b: Any, writes: range) -> None:
        if reads.start // (2 * _COUNT) == writes.start // (2 * _COUNT):
            return  # within one launch threads would race
        n = min(len(reads), len(writes))
        number = self._random.random()  # no two stores are of one value
        reads, writes = reads[:n], writes[:n]
        grid, n = 2 * self._each, n * self._each
        if in_stream:
            which = self._random.randrange(_STREAMS)
            self.model.launch(_FIRST + which, reads, writes)
            self._kernel[grid, 32, self._streams[which]](a, b, n, number)
            return
        self.model.launch(_DEFAULT, reads, writes)
        self._kernel[grid, 32](a, b, n, number)
        if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
            self.model.join(_HOST, _DEFAULT)

    def _wait(self, which: int) -> None:
        self._streams[which].synchronize()
        self.model.join(_HOST, _FIRST + which)

    def _wait_for_all(self) -> None:
        for which in range(_STREAMS):
            self._wait(which)


@pytest.fixture(scope="module")
def kernel() -> Iterator[xgpu.Kernel]:
    with xgpu.load(_TEXT, "host") as module:
        yield module.kernels["add"]


@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize("first", short(range(0, 1000, 20), 0))
def test_races_are_those_of_a_model(
    kernel: xgpu.Kernel, first: int, is_known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "WORTH_KNOWING", -1 if is_known else 1 << 62)
    for seed in range(first, first + 20):
        with xgpu.sanitized(["race"]) as watched:
            program = _Program(kernel, seed)
            program.run()
        assert bool(watched.findings()) == program.model.has_race, (seed, watched.findings())


@pytest.mark.parametrize("waited", [0, 1])
def test_a_write_that_waits_for_one_of_two_reads_races_with_the_other(
    kernel: xgpu.Kernel, waited: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of the two launches comes last, it does not stand for the other one."""
    monkeypatch.setattr(launch, "WORTH_KNOWING", -1)
    for _ in range(20):
        with xgpu.sanitized(["race"]) as watched:
            shared, *own = (xgpu.empty(_COUNT, "float32", device="host").fill(0) for _ in range(3))
            streams = [xgpu.Stream(device="host") for _ in range(2)]
            kernel[2, 32, streams[0]](own[0], shared, _COUNT, 0.0)
            streams[0].synchronize()
            for stream, target in zip(streams, own, strict=True):
                kernel[2, 32, stream](shared, target, _COUNT, 1.0)
            kernel[2, 32, streams[waited]](own[waited], shared, _COUNT, 2.0)
            for stream in streams:
                stream.synchronize()
        assert [finding.kind for finding in watched.findings()] == ["race"]


def _within_a_minute(is_so: Callable[[], object]) -> None:
    """Wait without a word to the device, which would order what follows."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_arrays_over_one_another_are_one_piece_of_memory(kernel: xgpu.Kernel) -> None:
    """An array of several pages is registered, and then one that lies over a part of it: what has
    been done to the first one is known still."""
    with xgpu.sanitized(["race"]) as watched:
        whole, source = (np.zeros(4096, np.float32) for _ in range(2))
        streams = [xgpu.Stream(device="host") for _ in range(2)]
        kernel[128, 32, streams[0]](source[:3000], whole[:3000], 3000, 1.0)
        _within_a_minute(lambda: whole[2999])
        kernel[128, 32, streams[1]](source[2000:], whole[2000:], 2096, 2.0)
        for stream in streams:
            stream.synchronize()
    assert [finding.kind for finding in watched.findings()] == ["race"]


@pytest.mark.parametrize("count", [_COUNT, 40 * _COUNT])
def test_an_array_in_the_memory_of_one_that_is_gone_is_another(
    kernel: xgpu.Kernel, count: int
) -> None:
    """A launch keeps its arrays until it is over, so what has the memory next comes behind it."""
    grid = count // 32
    with xgpu.sanitized(["race"]) as watched:
        source, array = (np.zeros(count, np.float32) for _ in range(2))
        address, is_there = array.ctypes.data, weakref.ref(array)
        streams = [xgpu.Stream(device="host") for _ in range(2)]
        kernel[grid, 32, streams[0]](source, array, count, 1.0)
        del array
        _within_a_minute(lambda: is_there() is None)
        others = [np.zeros(count, np.float32)]
        while others[-1].ctypes.data != address:
            others.append(np.zeros(count, np.float32))
            assert len(others) < 10_000
        kernel[grid, 32, streams[1]](source, others[-1], count, 2.0)
        for stream in streams:
            stream.synchronize()
    assert not watched.findings()


# -- through the driver: streams that wait for the legacy one or do not, events, graphs

_BYTES, _PLACES, _MOST_WORDS = 256, 7, 25
_CALLS = (
    *("fill",) * 3, *("copy",) * 4, "record", "wait", "wait for a stream", "wait for an event",
    "wait for all", "capture", "graph", *("word",) * 3,
)  # fmt: skip
_LEGACY = 0


class _DriverProgram:
    """One random program. Its memory begins at 0 in the model."""

    def __init__(self, calls: Calls, seed: int) -> None:
        self.model = _Streams()
        self._calls = calls
        self._random = random.Random(seed)
        self._memory = calls.get("cuMemAlloc", _BYTES * (_PLACES + 1))
        self._blocking: list[int] = []
        self._streams = [_LEGACY]
        for _ in range(self._random.randrange(1, 4)):
            flags = self._random.randrange(2)
            self._streams.append(calls.get("cuStreamCreate", flags))
            if flags == 0:
                self._blocking.append(self._streams[-1])
        self._captured = [calls.get("cuStreamCreate", 1) for _ in range(2)]
        self._events: list[tuple[int, Clock]] = []
        self._graphs: list[tuple[int, list[tuple[int, range, range]]]] = []
        self._launched = 0
        #: Words that streams wait for, one for each wait.
        self._words = calls.get("cuMemAlloc", 8 * _MOST_WORDS)
        self._waits = 0
        calls.do("cuMemsetD32", self._words, 0, 2 * _MOST_WORDS)
        calls.do("cuCtxSynchronize")

    def run(self) -> None:
        for _ in range(self._random.randrange(5, 25)):
            self._step(self._random.choice(_CALLS), self._random.choice(self._streams))
        self._calls.do("cuCtxSynchronize")

    def _step(self, what: str, stream: int) -> None:
        model, calls = self.model, self._calls
        match what:
            case "fill" | "copy":
                used = self._used(what == "copy", stream)
                self._begin(stream)
                model.access(stream, *used)
            case "record":
                event = self._event(stream)
                self._begin(stream)
                self._events.append((event, dict(model.clocks[stream])))
            case "wait" if self._events:
                event, clock = self._random.choice(self._events)
                calls.do("cuStreamWaitEvent", stream, event, 0)
                self._begin(stream)
                model.join_clock(stream, clock)
            case "wait for an event" if self._events:
                event, clock = self._random.choice(self._events)
                calls.do("cuEventSynchronize", event)
                model.join_clock(_HOST, clock)
            case "wait for a stream":
                calls.do("cuStreamSynchronize", stream)
                self._begin(stream)
                model.join(_HOST, stream)
            case "wait for all":
                calls.do("cuCtxSynchronize")
                model.join(_HOST, *self._streams)
            case "capture" if not self._graphs:
                self._capture()
            case "graph" if self._graphs:
                self._launch_graph(stream)
            case "word":
                self._wait_for_word(stream)
            case _:
                pass

    def _wait_for_word(self, writer: int) -> None:
        """A stream that is ordered with no other waits for what another writes: before it is
        written, with work that waits behind it, or later."""
        apart = [s for s in self._streams if s not in (*self._blocking, _LEGACY, writer)]
        if not apart or self._waits == _MOST_WORDS:
            return
        word = self._words + 8 * self._waits
        self._waits += 1
        waiter, bits = self._random.choice(apart), self._random.choice([32, 64])
        is_early, orders = self._random.randrange(2), self._random.randrange(4) > 0
        self._begin(writer)
        if orders:
            self.model.join(waiter, writer)
        if not is_early:
            self._calls.do(f"cuStreamWriteValue{bits}", writer, word, 3, int(not orders))
        self._calls.do(f"cuStreamWaitValue{bits}", waiter, word, 2, 0)
        for _ in range(self._random.randrange(3)):
            used = self._used(True, waiter)
            self._begin(waiter)
            self.model.access(waiter, *used)
        if is_early:
            self._calls.do(f"cuStreamWriteValue{bits}", writer, word, 3, int(not orders))

    def _begin(self, stream: int) -> None:
        """What a stream gets comes after what the host knows; the legacy one and those that are
        not apart from it wait for each other."""
        self.model.join(stream, _HOST)
        if stream == _LEGACY:
            self.model.join(stream, *self._blocking)
        elif stream in self._blocking:
            self.model.join(stream, _LEGACY)

    def _event(self, stream: int) -> int:
        event = self._calls.get("cuEventCreate", 0)
        self._calls.do("cuEventRecord", event, stream)
        return event

    def _used(self, is_copy: bool, stream: int) -> tuple[range, range]:
        """Have a stream copy or fill, and what that reads and writes."""
        to, origin = (self._random.randrange(_PLACES) * _BYTES for _ in range(2))
        to += self._random.choice([0, 0, _BYTES // 2])
        if is_copy and abs(to - origin) >= _BYTES:
            self._calls.do(
                "cuMemcpyDtoDAsync", self._memory + to, self._memory + origin, _BYTES, stream
            )
            return range(origin, origin + _BYTES), range(to, to + _BYTES)
        value = self._random.randrange(1 << 30)
        self._calls.do("cuMemsetD32Async", self._memory + to, value, _BYTES // 4, stream)
        return range(0), range(to, to + _BYTES)

    def _capture(self) -> None:
        """A graph of two branches, between a beginning and an end."""
        calls, (main, other) = self._calls, self._captured
        calls.do("cuStreamBeginCapture", main, 2)
        nodes = [(0, *self._used(True, main))]
        calls.do("cuStreamWaitEvent", other, self._event(main), 0)
        for _ in range(self._random.randrange(1, 4)):
            branch = self._random.randrange(2)
            nodes.append((1 + branch, *self._used(True, self._captured[branch])))
        calls.do("cuStreamWaitEvent", main, self._event(other), 0)
        nodes.append((3, *self._used(True, main)))
        graph, executable = ctypes.c_uint64(), ctypes.c_uint64()
        calls.do("cuStreamEndCapture", main, graph)
        calls.do("cuGraphInstantiateWithFlags", executable, graph.value, 0)
        self._graphs.append((executable.value, nodes))

    def _launch_graph(self, stream: int) -> None:
        executable, nodes = self._random.choice(self._graphs)
        self._calls.do("cuGraphLaunch", executable, stream)
        model = self.model
        self._begin(stream)
        model.join(stream, executable)  # launches of one follow one another
        self._launched += 1
        lanes = [(self._launched, which) for which in ("main", "main", "other", "main")]
        model.join(lanes[0], stream)
        for part in range(4):
            if part == 1:
                model.join(lanes[2], lanes[0])
            if part == 3:
                model.join(lanes[0], lanes[2])
            for branch, reads, writes in nodes:
                if branch == part:
                    model.access(lanes[part], reads, writes)
        model.join(stream, lanes[0])
        model.join(executable, stream)


@pytest.mark.parametrize("first", short(range(0, 600, 20), 0))
def test_races_through_the_driver_are_those_of_a_model(first: int) -> None:
    for seed in range(first, first + 20):
        with xgpu.sanitized(["race"]) as watched:
            calls = Calls()
            calls.begin()
            program = _DriverProgram(calls, seed)
            program.run()
            found = watched.findings()
            calls.close()
        assert bool(found) == program.model.has_race, (seed, found)


@pytest.mark.parametrize("flags", [0, 1])
@pytest.mark.parametrize("bytes", [4, 8])
def test_a_word_that_a_stream_writes_is_written(bytes: int, flags: int) -> None:
    with xgpu.sanitized(["race", "init", "memory"]) as watched:
        calls = Calls()
        calls.begin()
        memory, values = calls.get("cuMemAlloc", 16), (ctypes.c_uint32 * 4)()
        calls.do(f"cuStreamWriteValue{8 * bytes}", _LEGACY, memory + 8, 7, flags)
        calls.do("cuMemcpyDtoH", values, memory + 8, bytes)
        assert not watched.findings()
        calls.do("cuMemcpyDtoH", values, memory, 16)
        found = watched.findings()
        calls.close()
    assert values[2] == 7
    assert [finding.kind for finding in found] == ["init"]
