# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that are made again and again: the same results, failures and waits as any others."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.support import processes
from tests.support.processor_time import limit_progress
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.device.launch import Launch
from xgpu.host_device.device.operations import Operation, Stream
from xgpu.host_device.device.repeated_launches import RepeatedLaunch
from xgpu.host_device.native.signals import caught_faults

if TYPE_CHECKING:
    from tests.unit.host_device.device.conftest import Kernels

# Counts in words; block `fault` stores where nothing is; block `long` takes `much` steps more. No
# block waits for another.
SOURCE = """
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
define ptx_kernel void @count(ptr %out, i32 %steps, i32 %fault, i32 %long, i64 %much) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %grid = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %x = phi i32 [ %b, %0 ], [ %y, %loop ]
  %m = mul i32 %x, 1664525
  %y = add i32 %m, 1013904223
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %steps
  br i1 %more, label %loop, label %done
done:
  %at = getelementptr i32, ptr %out, i32 %b
  %old = load i32, ptr %at
  %rare = icmp eq i32 %y, 123456789
  %one = select i1 %rare, i32 2, i32 1
  %new = add i32 %old, %one
  store i32 %new, ptr %at
  %faults = icmp eq i32 %b, %fault
  br i1 %faults, label %wrong, label %right
wrong:
  store i32 7, ptr inttoptr (i64 64 to ptr)
  br label %right
right:
  %is.long = icmp eq i32 %b, %long
  br i1 %is.long, label %again, label %end
again:
  %j = phi i64 [ 0, %right ], [ %j.next, %again ]
  %p = phi i32 [ %b, %right ], [ %r, %again ]
  %q = mul i32 %p, 1664525
  %r = add i32 %q, 1013904223
  %j.next = add i64 %j, 1
  %j.more = icmp slt i64 %j.next, %much
  br i1 %j.more, label %again, label %store
store:
  %last = getelementptr i32, ptr %out, i32 %grid
  store i32 %r, ptr %last
  br label %end
end:
  ret void
}
"""
BLOCKS, STEPS = 400, 5_000
FOR_EVER = 1 << 62
Make = Callable[..., "Kernels"]


class Repeated:
    """The kernel with arguments that can be changed between launches."""

    def __init__(self, make: Make, cores: int = 2) -> None:
        self.kernels = make(SOURCE, cores=cores)
        self.device = device = self.kernels.device
        self.out = np.zeros(BLOCKS + 1, np.int32)
        self.counts = self.out[:BLOCKS]
        self.much = ctypes.c_int64(FOR_EVER)
        self.numbers = [ctypes.c_int32(n) for n in (STEPS, -1, -1)]
        self.steps, self.fault, self.long = self.numbers
        self.order = (ctypes.c_void_p(self.out.ctypes.data), *self.numbers, self.much)
        self.own = (ctypes.c_void_p * 5)(*map(ctypes.addressof, self.order))
        self.stream = Stream(0)
        self.kernel = device.kernel(self.kernels.function("count"))
        again = device.repeated(self.stream, self.launch())
        assert isinstance(again, RepeatedLaunch)
        self.again = again

    def launch(self) -> Launch:
        return Launch(self.kernel, ((BLOCKS, 1, 1), (1, 1, 1), (1, 1, 1), 0), 0, self.own)

    def queue(self) -> None:
        launch = self.launch()
        self.device.enqueue(
            self.stream, "count", lambda: self.device.run_launch(launch), launch, quick=True
        )

    def warm(self) -> int:
        """Launch until launches are made again; how many there were."""
        for count in range(1, 40):
            if self.again():
                return count
            self.queue()
        p = self.again._prototype
        raise AssertionError(
            ("never made again", p.is_independent, p.worth, p.pace, self.device._helpers.pool)
        )


@pytest.fixture(autouse=True)
def faults() -> Iterator[None]:
    with caught_faults():
        yield


@pytest.fixture
def repeated(kernels: Make) -> Repeated:
    return Repeated(kernels)


def test_what_has_shown_to_be_long_is_made_again(repeated: Repeated) -> None:
    assert not repeated.again()
    assert repeated.counts[0] == 0
    count = repeated.warm()
    assert count > 2
    for _ in range(20):
        assert repeated.again()
    assert list(repeated.counts) == [count + 20] * BLOCKS
    assert repeated.device.running() == []


def test_one_that_is_short_is_done_at_once(kernels: Make) -> None:
    """By who does not wait for it too, and without a trace in the stream."""
    repeated = Repeated(kernels)
    repeated.steps.value = 1
    for _ in range(40):  # one whose thread another process displaces takes long
        if repeated.again(waits=False):
            break
        repeated.queue()
    before, count = repeated.stream.frontier, repeated.counts[0]
    made_again = sum(repeated.again(waits=False) for _ in range(20))
    assert made_again > 10
    assert repeated.stream.frontier is before
    assert list(repeated.counts) == [count + made_again] * BLOCKS


def test_one_that_is_short_waits_for_its_turn(kernels: Make) -> None:
    repeated = Repeated(kernels)
    repeated.again._prototype.set_pace(1)
    assert repeated.again(waits=False)
    repeated.stream.frontier = (Operation("copy", 0),)
    assert not repeated.again(waits=False)
    assert list(repeated.counts) == [1] * BLOCKS


def test_one_that_is_short_no_longer_is_left_to_others(kernels: Make) -> None:
    repeated = Repeated(kernels)
    repeated.again._prototype.set_pace(1)
    made = [repeated.again(waits=False) for _ in range(6)]
    assert made == [True] * 3 + [False] * 3


def test_one_that_is_short_and_fails_says_so(kernels: Make) -> None:
    repeated = Repeated(kernels)
    repeated.again._prototype.set_pace(1)
    repeated.fault.value = 3
    assert repeated.again(waits=False)
    error = repeated.device.session.error
    assert error is not None
    assert "kernel 'count'" in str(error)


def test_one_core_has_nobody_to_share_with(kernels: Make) -> None:
    repeated = Repeated(kernels, cores=1)
    for _ in range(12):
        assert not repeated.again()
        repeated.queue()


@pytest.mark.parametrize("block", [0, BLOCKS - 1])
def test_a_fault_is_told_and_the_next_one_is_well(repeated: Repeated, block: int) -> None:
    """The calling thread begins with the first blocks, a helper with the last."""
    count = repeated.warm()
    session = repeated.kernels.session
    for _ in range(3):
        repeated.fault.value = block
        assert repeated.again()
        assert isinstance(session.error, DeviceError)
        assert f"illegal memory access in block ({block}, 0, 0)" in str(session.error)
        assert not repeated.again()
        repeated.queue()  # is skipped: the stream has failed
        before = repeated.counts.copy()
        session.error = None
        repeated.fault.value = -1
        assert repeated.again()
        assert np.array_equal(repeated.counts, before + 1)
    assert count


def test_it_waits_for_what_is_before_it_and_others_for_it(repeated: Repeated) -> None:
    repeated.warm()
    device, order = repeated.device, list[str]()
    began, goes_on = threading.Event(), threading.Event()
    stream = device.stream(device.mgpuStreamCreate())
    again = device.repeated(stream, repeated.launch())
    assert again is not None

    def slow() -> None:
        began.set()
        goes_on.wait(300)
        order.append("first")

    device.enqueue(stream, "slow", slow)
    began.wait(300)
    assert not again()
    goes_on.set()
    for operation in stream.frontier:
        operation.wait()
    repeated.long.value, repeated.much.value = 0, 1_000_000_000
    thread = threading.Thread(target=again)
    thread.start()
    while not device.running():
        time.sleep(0.001)
    device.enqueue(stream, "last", lambda: order.append("last"), quick=True)
    assert not again(), "it runs, and something is behind it"
    assert order == ["first"]
    assert repeated.out[BLOCKS] == 0
    thread.join(300)
    assert repeated.out[BLOCKS] != 0
    for operation in stream.frontier:
        operation.wait()
    assert order == ["first", "last"]


def test_one_that_does_not_end_is_ended(kernels: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_progress(monkeypatch, 0.5)
    repeated = Repeated(kernels)
    repeated.warm()
    repeated.long.value = 3
    assert repeated.again()
    assert "no progress in 0.5 seconds" in str(repeated.kernels.session.error)
    repeated.kernels.session.error = None
    repeated.long.value = -1
    assert repeated.again()
    assert repeated.kernels.session.error is None


def test_ctrl_c_ends_it(repeated: Repeated) -> None:
    with processes.interruptible():
        check_ctrl_c(repeated)


def check_ctrl_c(repeated: Repeated) -> None:
    repeated.warm()
    repeated.long.value = 3

    def interrupt() -> None:
        while not repeated.device.running():
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        repeated.again()
    thread.join(processes.TIMEOUT)
    assert repeated.device.running() == []
    repeated.long.value = -1
    repeated.kernels.session.error = None
    before = repeated.counts.copy()
    assert repeated.again()
    assert np.array_equal(repeated.counts, before + 1)


def test_a_child_process_queues_them(repeated: Repeated) -> None:
    """Its parent's helpers are not there."""
    repeated.warm()
    child = os.fork()
    if child == 0:
        processes.limit_child()
        os._exit(int(repeated.again()))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert repeated.again()


def test_who_records_events_sees_each(repeated: Repeated) -> None:
    repeated.warm()
    repeated.kernels.session.events = []
    assert not repeated.again()
