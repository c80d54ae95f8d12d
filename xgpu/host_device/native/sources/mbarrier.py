# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mbarrier objects.

A 64-bit word in shared memory (PTX ISA 9.7.13.15 leaves its layout open; this is ours): bits 0-19
pending arrivals, 20-39 expected arrivals, 40-62 pending bytes (transaction count, signed), 63 the
phase. A phase is complete when both pendings are zero; the phase bit then flips. A word of zero is
an mbarrier that has not been initialized: static shared memory is cleared for each block.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import MISUSE_MBARRIER, MISUSE_RANK, NOTICE_OVERRUN
from xgpu.host_device.native.prelude import Ptr, advance, i1, i32, i64, lshr, ptr, ult, zext64
from xgpu.host_device.native.records import STATE_MBARRIER, STATE_READY, Thread
from xgpu.host_device.native.sources.barriers import xgpu_on_notice, xgpu_yield
from xgpu.host_device.native.sources.device_functions import misuse
from xgpu.host_device.native.sources.guards import xgpu_fault_place

FIELD = 1048575
TX_FIELD = 8388607


def xgpu_mbarrier_init(t: Thread, bar: Ptr[i64], count: i32) -> None:
    n = zext64(count) & FIELD
    bar[0] = n | (n << 20)
    wake(t, bar, 0)


def wake(t: Thread, bar: Ptr[i64], phase: i64) -> None:
    """Let those go on who wait for a phase other than the current one, `phase`."""
    g = t.block.group
    for i in range(g.count * g.cluster_size):
        other = g.threads[i]
        waits_here = other.state == STATE_MBARRIER and i64(other.address) == i64(bar)
        if waits_here and other.phase != phase:
            other.state = STATE_READY


def initialized(t: Thread, bar: Ptr[i64]) -> i64:
    """The word of an mbarrier; without `mbarrier.init` the kernel fails."""
    word = bar[0]
    if word == 0:
        misuse(t, MISUSE_MBARRIER)
    return word


def pending_bytes(word: i64) -> i64:
    """The signed 23-bit field at bit 40."""
    return (word << 1) >> 41


def settle(t: Thread, bar: Ptr[i64], pending: i64, expected: i64, bytes: i64) -> None:
    """Store the new counts; at zero the phase is complete and who waited for it goes on.

    A phase that gets more bytes than were announced is complete as its transaction count passes
    through zero, for copies take their time; what is too much counts for the next phase. We copy
    at once: then the last arrival finds the count below zero.
    """
    phase = lshr(bar[0], 63)
    if pending == 0 and bytes <= 0:
        if bytes < 0:
            xgpu_on_notice(t, NOTICE_OVERRUN, -bytes)
        phase = phase ^ 1
        bar[0] = expected | (expected << 20) | ((bytes & TX_FIELD) << 40) | (phase << 63)
        wake(t, bar, phase)
    else:
        bar[0] = pending | (expected << 20) | ((bytes & TX_FIELD) << 40) | (phase << 63)


def xgpu_mbarrier_arrive(t: Thread, bar: Ptr[i64], count: i32) -> i64:
    """Arrive `count` times; the result is the state before, for test_wait."""
    word = initialized(t, bar)
    settle(t, bar, (word & FIELD) - i64(count), lshr(word, 20) & FIELD, pending_bytes(word))
    return word


def xgpu_mbarrier_arrive_drop(t: Thread, bar: Ptr[i64], count: i32) -> i64:
    word = initialized(t, bar)
    n = i64(count)
    settle(t, bar, (word & FIELD) - n, (lshr(word, 20) & FIELD) - n, pending_bytes(word))
    return word


def xgpu_mbarrier_expect_tx(t: Thread, bar: Ptr[i64], bytes: i32) -> None:
    word = initialized(t, bar)
    tx = pending_bytes(word) + i64(bytes)
    bar[0] = (
        (word & FIELD) | (word & (FIELD << 20)) | ((tx & TX_FIELD) << 40) | (lshr(word, 63) << 63)
    )


def xgpu_mbarrier_complete_tx(t: Thread, bar: Ptr[i64], bytes: i32) -> None:
    word = initialized(t, bar)
    settle(t, bar, word & FIELD, lshr(word, 20) & FIELD, pending_bytes(word) - i64(bytes))


def xgpu_mbarrier_pending(state: i64) -> i32:
    return i32(state & FIELD)


def xgpu_mbarrier_test(bar: Ptr[i64], phase: i32) -> i1:
    """Whether the phase of parity `phase` is over. Who comes before mbarrier.init waits for it."""
    return bar[0] != 0 and lshr(bar[0], 63) != (zext64(phase) & 1)


def xgpu_mbarrier_wait(t: Thread, bar: Ptr[i64], phase: i32) -> i1:
    """Wait until the phase of parity `phase` is over; true: it is."""
    if xgpu_mbarrier_test(bar, phase):
        return True
    t.state = STATE_MBARRIER
    t.address = bar
    t.phase = zext64(phase) & 1
    return False


def xgpu_mapa(t: Thread, address: ptr, rank: i32, file: ptr, line: i32, column: i32) -> ptr:
    """The same place in the shared memory of block `rank` of the cluster of `t`; the rest is where
    it is asked for in the source."""
    g = t.block.group
    if rank < 0 or rank >= g.cluster_size:
        place = xgpu_fault_place()
        place[3] = i64(file)
        place[4] = i64(line)
        place[5] = i64(column)
        place[6] = i64(rank)
        misuse(t, MISUSE_RANK)
    other = g.threads[rank * g.count].block
    return advance(other.shared, i64(address) - i64(t.block.shared))


def xgpu_mbarrier_poll(t: Thread, bar: Ptr[i64], phase: i32) -> i1:
    """If the phase is not over, let the others go first; where the launch has an order, only every
    other time, so that a single test may fail."""
    if xgpu_mbarrier_test(bar, phase):
        return True
    t.asked = t.asked ^ 1
    if t.block.launch.order != 0 and t.asked != 0:
        return True
    return xgpu_yield(t, 0)


def xgpu_getctarank(t: Thread, address: ptr) -> i32:
    """Which block of the cluster an address in shared memory belongs to."""
    g = t.block.group
    for rank in range(1, g.cluster_size):
        start = i64(g.threads[rank * g.count].block.shared)
        if ult(i64(address), start):
            return rank - 1
    return g.cluster_size - 1
