# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks that wait for one another, and launches that never end."""

from __future__ import annotations

import ctypes
import re
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.processor_time import least, seconds
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.abi.structs import ctypes_struct
from xgpu.host_device.device import watchdog
from xgpu.host_device.device.exploration import Exploration, Policy
from xgpu.host_device.device.launch import Launch
from xgpu.host_device.device.modules import KernelStrategies
from xgpu.host_device.device.watchdog import Watchdog, _State, foreign_threads
from xgpu.host_device.native import signals

SOURCE = """
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
define ptx_kernel void @meet(ptr %count) {
  %all = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %old = atomicrmw add ptr %count, i32 1 seq_cst
  br label %loop
loop:
  %now = load atomic i32, ptr %count seq_cst, align 4
  %here = icmp sge i32 %now, %all
  br i1 %here, label %done, label %loop
done:
  ret void
}
define ptx_kernel void @first_waits_for_second(ptr %flag) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %loop, label %set
set:
  store atomic i32 1, ptr %flag seq_cst, align 4
  br label %done
loop:
  %now = load atomic i32, ptr %flag seq_cst, align 4
  %there = icmp eq i32 %now, 1
  br i1 %there, label %done, label %loop
done:
  ret void
}
define ptx_kernel void @counts(ptr %number) {
  br label %loop
loop:
  %n = load volatile i32, ptr %number
  %m = or i32 %n, 1
  store volatile i32 %m, ptr %number
  %over = icmp eq i32 %m, 0
  br i1 %over, label %done, label %loop
done:
  ret void
}
define ptx_kernel void @tickets(ptr %lock, ptr %sum) {
entry:
  %serving = getelementptr i32, ptr %lock, i32 1
  br label %round
round:
  %n = phi i32 [0, %entry], [%m, %held]
  %mine = atomicrmw add ptr %lock, i32 1 monotonic
  br label %wait
wait:
  %now = load atomic i32, ptr %serving acquire, align 4
  %turn = icmp eq i32 %now, %mine
  br i1 %turn, label %held, label %wait
held:
  %old = load i32, ptr %sum
  %new = add i32 %old, 1
  store i32 %new, ptr %sum
  %next = add i32 %now, 1
  store atomic i32 %next, ptr %serving release, align 4
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, 1000
  br i1 %more, label %round, label %done
done:
  ret void
}
define ptx_kernel void @second_waits(ptr %flag) {
  call void @llvm.nvvm.barrier0()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %second = icmp eq i32 %t, 1
  br i1 %second, label %loop, label %done
loop:
  %now = load atomic i32, ptr %flag seq_cst, align 4
  %there = icmp eq i32 %now, 1
  br i1 %there, label %done, label %loop
done:
  call void @llvm.nvvm.barrier0()
  ret void
}
define ptx_kernel void @store(ptr %out) {
  store i32 5, ptr %out
  ret void
}
"""


@pytest.mark.parametrize("cores", [1, 2])
def test_blocks_wait_for_blocks_that_have_not_begun(kernels, cores):
    """A barrier of the whole grid: sixteen blocks, all of which must be there at once."""
    k = kernels(SOURCE, cores=cores)
    count = np.zeros(1, np.int32)
    k.run("meet", 16, 1, count)
    assert count[0] == 16


@pytest.mark.parametrize(("blocks", "threads"), [(64, 1), (64, 64), (300, 32)])
def test_a_barrier_of_many_blocks_takes_as_long_as_its_threads_take_to_begin(
    kernels, blocks, threads
):
    """Each block is a thread of the machine. The watchdog, which gives a launch one more at a time,
    took seconds for 64 blocks and never came to 300."""
    k = kernels(SOURCE, cores=2)
    k.run("meet", 2, threads, np.zeros(1, np.int32))
    counts = []

    def meet():
        counts.append(np.zeros(1, np.int32))
        k.run("meet", blocks, threads, counts[-1])

    assert least(lambda: seconds(meet), 0.25) < 0.25
    assert {int(count[0]) for count in counts} == {blocks * threads}


def test_blocks_that_take_turns_at_a_lock_need_no_more_threads(kernels, monkeypatch):
    """Two workers that hand a lock to one another both sleep at times. With a thread for each block
    the one whose turn it is comes last."""
    widened: list[Launch] = []
    monkeypatch.setattr(Launch, "widen", lambda launch: widened.append(launch))
    k = kernels(SOURCE, cores=2)
    for _ in range(3):
        lock, total = np.zeros(2, np.int32), np.zeros(1, np.int32)
        k.run("tickets", 16, 1, lock, total)
        assert (lock.tolist(), total[0]) == ([16000, 16000], 16000)
    assert not widened


class Stuck:
    """A launch of which no block has ended."""

    caller = 0
    aborted = None

    def __init__(self, awaiting: int) -> None:
        self.record = SimpleNamespace(groups=64, next=2, awaiting=awaiting)
        self.added = 0
        self.ended: list[str] = []

    def abort(self, why: str) -> None:
        self.ended.append(why)

    def begun(self) -> int:
        return 2

    def add_threads(self, count: int) -> bool:
        self.added += count
        return True


@pytest.mark.parametrize(("awaiting", "added"), [(0, 0), (1, 8)])
def test_blocks_that_take_long_and_do_not_wait_get_no_more_threads(awaiting, added):
    launch, watchdog = Stuck(awaiting), Watchdog()
    state = _State(0.0, signals.count())
    for tenths in range(9):
        watchdog._look(launch, state, tenths / 10)
    assert launch.added == added


def test_a_launch_that_is_to_end_is_ended_until_it_has():
    """A thread that is in the C library then goes on."""
    launch, watchdog = Stuck(0), Watchdog()
    launch.aborted = "interrupted"
    for tenths in range(3):
        watchdog._look(launch, _State(0.0, signals.count()), tenths / 10)
    assert launch.ended == ["interrupted"] * 3


def test_blocks_get_on_under_explored_orders_too(kernels):
    k = kernels(SOURCE, order=Exploration(Policy(0)))
    count = np.zeros(1, np.int32)
    k.run("meet", 4, 1, count)
    assert count[0] == 4


def test_a_launch_that_never_ends_is_an_error(kernels, monkeypatch):
    monkeypatch.setenv("XGPU_WATCHDOG", "0.5")
    k = kernels(SOURCE)
    number, out = np.zeros(1, np.int32), np.zeros(1, np.int32)
    with pytest.raises(DeviceError) as caught:
        k.run("counts", 1, 2, number)
    assert str(caught.value).startswith(
        "kernel 'counts': no progress in 0.5 seconds: threads that wait"
    )
    assert str(caught.value).split("\n")[1:] == ["  it was in block (0, 0, 0)"]
    monkeypatch.delenv("XGPU_WATCHDOG")
    kernels(SOURCE).run("store", 1, 1, out)
    assert out[0] == 5


def test_the_error_says_which_thread_waits(kernels, monkeypatch):
    """For memory of the host, where something else may write: only the limit ends that."""
    monkeypatch.setenv("XGPU_WATCHDOG", "0.5")
    flag = np.zeros(1, np.int32)
    with pytest.raises(DeviceError) as caught:
        kernels(SOURCE, strategies=KernelStrategies("threads")).run("second_waits", 1, 4, flag)
    assert str(caught.value).split("\n")[1:] == [
        "  it was in block (0, 0, 0), thread (1, 0, 0)",
        f"  thread (1, 0, 0) of block (0, 0, 0), where 4 bytes at 0x{flag.ctypes.data:x} hold 0",
    ]


def test_a_few_of_many_blocks_are_named(kernels, monkeypatch):
    monkeypatch.setenv("XGPU_WATCHDOG", "0.5")
    with pytest.raises(DeviceError) as caught:
        kernels(SOURCE).run("second_waits", 9, 4, np.zeros(1, np.int32))
    lines = str(caught.value).split("\n")[1:]
    assert len(lines) in range(1, 5)
    assert all(re.fullmatch(r"  it was in block \([0-8], 0, 0\)", line) for line in lines)


def test_a_thread_that_waits_for_the_next_one(kernels, monkeypatch):
    monkeypatch.setenv("XGPU_WATCHDOG", "20")
    flag = np.zeros(1, np.int32)
    kernels(SOURCE).run("first_waits_for_second", 1, 2, flag)
    assert flag[0] == 1


def test_the_limit_is_a_number(kernels, monkeypatch):
    monkeypatch.setenv("XGPU_WATCHDOG", "soon")
    with pytest.raises(DeviceError, match="XGPU_WATCHDOG is 'soon', expected a number of seconds"):
        kernels(SOURCE)


def test_waits_for_ever_are_seen_on_a_busy_machine(monkeypatch):
    """Where workers make fewer rounds between two looks than a look needs."""
    monkeypatch.setattr(watchdog, "_is_own_memory", lambda worker: True)
    workers = [ctypes_struct("Worker")(), ctypes_struct("Worker")()]
    record = SimpleNamespace(next=2, groups=2)
    launch = SimpleNamespace(
        record=record, all_workers=lambda: workers, is_alone=lambda: True
    )  # fmt: skip
    watch = watchdog.SpinWatch()

    def looks(*rounds: int) -> bool:
        for worker, count in zip(workers, rounds, strict=True):
            worker.rounds += count
        return watch.look(launch)

    assert [looks(3, 4) for _ in range(9)] == [False] * 9
    assert looks(3, 4)
    workers[1].progress += 1
    assert [looks(3, 0) for _ in range(99)] == [False] * 99  # one of them does not run
    assert [looks(9, 9) for _ in range(3)] == [False, False, True]
    record.next = 1
    assert not looks(9, 9)


def test_a_thread_of_c_that_has_ended_is_none():
    """Python keeps what stands for it."""
    libc = ctypes.CDLL(None)
    known, may_end = threading.Event(), threading.Event()

    @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
    def work(_):
        threading.current_thread()
        known.set()
        may_end.wait(10)

    thread = ctypes.c_ulong()
    assert libc.pthread_create(ctypes.byref(thread), None, work, None) == 0
    assert known.wait(10)
    assert foreign_threads()
    may_end.set()
    assert libc.pthread_join(thread, None) == 0
    assert not foreign_threads()
