# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that help launches: they share blocks, fail as the first thread does, and go on."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.device import launch
from xgpu.host_device.device.helpers import Seats
from xgpu.host_device.device.modules import WORTH

if TYPE_CHECKING:
    from tests.unit.host_device.device.conftest import Kernels

SOURCE = """
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @together(ptr %count, ptr %out, i32 %fault) {
  %old = atomicrmw add ptr %count, i32 1 seq_cst
  br label %loop
loop:
  %now = load atomic i32, ptr %count seq_cst, align 4
  %here = icmp sge i32 %now, 2
  br i1 %here, label %both, label %loop
both:
  %far = sext i32 %fault to i64
  %to = getelementptr i32, ptr %out, i64 %far
  store i32 7, ptr %to
  ret void
}
define ptx_kernel void @slow(ptr %out, i32 %steps) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
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
  store i32 %y, ptr %at
  ret void
}
"""

# Two blocks that meet; who comes second does something long.
SECOND = """
define ptx_kernel void @meet(ptr %count, ptr %out) {
  %old = atomicrmw add ptr %count, i32 1 seq_cst
  %second = icmp eq i32 %old, 1
  br label %wait
wait:
  %now = load atomic i32, ptr %count seq_cst, align 4
  %both = icmp sge i32 %now, 2
  br i1 %both, label %met, label %wait
met:
  br i1 %second, label %loop, label %done
loop:
  %i = phi i32 [ 0, %met ], [ %next, %loop ]
  %x = load volatile i32, ptr %out
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 300000000
  br i1 %more, label %loop, label %end
end:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}
"""

Make = Callable[..., "Kernels"]


def expected(blocks: int, steps: int) -> np.ndarray:
    found = np.arange(blocks, dtype=np.uint32)
    for _ in range(steps):
        found = found * np.uint32(1664525) + np.uint32(1013904223)
    return found


def test_a_fault_in_a_helper_is_told_and_the_helper_goes_on(kernels: Make) -> None:
    """Two blocks that wait for each other run in two threads; both store where nothing is."""
    k = kernels(SOURCE, cores=2)
    out = np.zeros(4, np.int32)
    with pytest.raises(DeviceError, match=r"kernel 'together': illegal memory access in block"):
        k.run("together", 2, 1, np.zeros(1, np.int32), out, -(1 << 30))
    k.session.error = None
    k.run("together", 2, 1, np.zeros(1, np.int32), out, 1)
    assert list(out) == [0, 7, 0, 0]


def test_a_launch_of_some_length_is_shared(kernels: Make) -> None:
    k = kernels(SOURCE, cores=3)
    out = np.zeros(2000, np.uint32)
    k.run("slow", 2000, 1, out, 20_000)
    assert np.array_equal(out, expected(2000, 20_000))
    assert k.device._helpers.pool


def test_short_launches_get_threads_when_there_were_some(kernels: Make, monkeypatch) -> None:
    """Threads take longer to make than one such launch: eight of them pay."""
    k = kernels(SOURCE, cores=2)
    out = np.zeros(400, np.uint32)
    ticks = itertools.count(0, WORTH)  # each launch takes what pays with threads that are there
    monkeypatch.setattr(launch, "time", SimpleNamespace(thread_time_ns=lambda: next(ticks)))
    monkeypatch.setattr(launch, "_ALONE", 10**12)
    had = []
    for _ in range(12):
        k.run("slow", 400, 1, out, 1)
        had.append(bool(k.device._helpers.pool))
    assert had == [False] * 7 + [True] * 5
    assert np.array_equal(out, expected(400, 1))


def test_launches_of_several_streams_share_helpers(kernels: Make) -> None:
    k = kernels(SOURCE, cores=3)
    streams = [k.device.mgpuStreamCreate() for _ in range(5)]
    outs = [np.zeros(300, np.uint32) for _ in streams]
    for _ in range(4):
        for stream, out in zip(streams, outs, strict=True):
            k.launch("slow", 300, 1, out, 5000, stream=stream)
        for stream in streams:
            k.device.mgpuStreamSynchronize(stream)
    assert k.session.error is None
    for out in outs:
        assert np.array_equal(out, expected(300, 5000))
    for stream in streams:
        k.device.mgpuStreamDestroy(stream)


def test_a_launch_ends_when_all_have_left_who_joined(kernels: Make) -> None:
    """On one core there are no helpers; the block that the first one waits for gets a thread."""
    k = kernels(SECOND, cores=1)
    out = np.zeros(1, np.int32)
    k.run("meet", 2, 1, np.zeros(1, np.int32), out)
    assert out[0] == 7


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="threads cannot be bound to processors, or there is one processor only",
)
def test_a_helper_that_begins_late_keeps_off_the_leaders_processor() -> None:
    """Else it is woken there, and waits until the launch that it was to help is over."""
    seats = Seats()
    everywhere = os.sched_getaffinity(0)
    seats.leave()
    found: list[set[int]] = []

    def begin() -> None:
        seats.join()
        found.append(os.sched_getaffinity(0))

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
    assert len(found[0]) == len(everywhere) - 1
    assert os.sched_getaffinity(0) == everywhere
