# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of arrays, launches, streams and waits in Python: the sanitizer reports a race
where a plain model of streams has one, for launches that are watched and for those that are known
before they run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import xgpu
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
_HOST, _DEFAULT, _FIRST = 0, 1, 2
_STREAMS = 2
_STEPS = (
    *("own",) * 2, "numpy", "part", "drop", *("launch",) * 2, *("in a stream",) * 3, "write",
    "wait", "wait for all", "event",
)  # fmt: skip

Clock = dict[int, int]


class _Streams:
    """The order of what streams and the host do, by vector clocks, and whether there is a race."""

    def __init__(self) -> None:
        self.clocks: list[Clock] = [{} for _ in range(_FIRST + _STREAMS)]
        self._count = 0
        #: Of each access its lane, its number there, its bytes, and whether it writes.
        self._accesses: list[tuple[int, int, range, bool]] = []
        self.has_race = False

    def launch(self, lane: int, reads: range, writes: range) -> None:
        clock = self.clocks[lane]
        self._join(clock, self.clocks[_HOST])
        self._count += 1
        new = [(lane, self._count, reads, False), (lane, self._count, writes, True)]
        for other, number, used, wrote in self._accesses:
            for _, _, mine, write in new:
                meets = used.start < mine.stop and mine.start < used.stop
                if meets and (wrote or write) and clock.get(other, 0) < number:
                    self.has_race = True
        self._accesses += new
        clock[lane] = self._count

    def wait(self, lane: int) -> None:
        self._join(self.clocks[_HOST], self.clocks[lane])

    def wait_in(self, lane: int, other: int) -> None:
        self._join(self.clocks[lane], self.clocks[other])

    @staticmethod
    def _join(into: Clock, clock: Clock) -> None:
        for lane, number in clock.items():
            into[lane] = max(into.get(lane, 0), number)


class _Program:
    """One random program. Memory has made-up addresses in the model, of elements."""

    def __init__(self, kernel: xgpu.Kernel, seed: int) -> None:
        self.model = _Streams()
        self._kernel = kernel
        self._random = random.Random(seed)
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
                self._add(xgpu.empty(_COUNT, "float32", device="host").fill(0))
                self.model.wait(_DEFAULT)  # as the fill does
            case "numpy":
                self._add(np.zeros(_COUNT, np.float32))
            case "wait":
                self._wait(self._random.randrange(_STREAMS))
            case "wait for all":
                self._wait_for_all()
            case "event":
                self._streams[1].wait(self._streams[0].record())
                self.model.wait_in(_FIRST + 1, _FIRST)
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
            self._arrays.append((array[part], where[part]))
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
        if in_stream:
            which = self._random.randrange(_STREAMS)
            self.model.launch(_FIRST + which, reads, writes)
            self._kernel[2, 32, self._streams[which]](a, b, n, number)
            return
        self.model.launch(_DEFAULT, reads, writes)
        self._kernel[2, 32](a, b, n, number)
        if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
            self.model.wait(_DEFAULT)

    def _wait(self, which: int) -> None:
        self._streams[which].synchronize()
        self.model.wait(_FIRST + which)

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
