# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Waits that cannot end, and mbarriers that are used wrongly, in words."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, cast

from xgpu.host_device.abi.codes import NOTICE_ABSENT, NOTICE_EXITED
from xgpu.host_device.abi.structs import STATE_NAMES
from xgpu.host_device.device import reports as device_reports
from xgpu.host_device.device.watchdog import found_text, is_spinning, threads_of
from xgpu.host_device.sanitizer.instrument.calls import Site
from xgpu.host_device.sanitizer.reports.findings import (
    LEFT_OUT,
    PART_OF_A_BLOCK,
    Finding,
    Knowledge,
    Place,
    Side,
    Used,
    bytes_text,
    dims_text,
    is_of_mbarrier,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xgpu.host_device.abi.record_classes import Thread, Worker


def _of_thread(
    sanitizer: Knowledge, thread: ctypes.Structure, did: str = "waits here", *, waits: bool = False
) -> tuple[Site, Side]:
    """Where a thread is, by the last operation that it told of, or where it `waits`; the side's
    buffer is the mbarrier there, as the program's text calls it."""
    block = sanitizer.record("Block", thread.block)
    site = sanitizer.site(0)
    if block.sanitizer:
        known = sanitizer.record("SanBlock", block.sanitizer)
        own = _known_of(sanitizer, known, thread.linear)
        site = sanitizer.site((own.waits or own.site) if waits else own.site)
    at = block.ctaid_x, block.ctaid_y, block.ctaid_z
    tid = thread.tid_x, thread.tid_y, thread.tid_z
    name = sanitizer.texts.name(site)
    did = f"thread {dims_text(tid)} of block {dims_text(at)} {did}"
    side = Side.of(sanitizer.texts, site, did, name, at, tid)
    if is_of_mbarrier(site):
        place = Place(None)
        if STATE_NAMES[thread.state] == "MBARRIER":
            place = Place.in_workgroup(site, thread.address - block.shared)
        side.buffer = Used(sanitizer, place, site, 0).element
    return site, side


def _known_of(sanitizer: Knowledge, block: ctypes.Structure, linear: int) -> ctypes.Structure:
    """The record with what a thread knows, which may be that of another lane of its warp."""
    first = linear & -32
    group = ctypes.c_int32.from_address(block.groups + first // 32 * 4).value
    if group >> linear % 32 & 1:
        linear = first + (group & -group).bit_length() - 1
    return sanitizer.record("SanThread", block.threads, linear)


def stuck_findings(sanitizer: Knowledge, worker_address: int) -> list[Finding]:
    """A cluster whose threads wait for ever: one finding for each location of a wait."""
    worker = sanitizer.record("Worker", worker_address)
    first = sanitizer.record("Block", worker.blocks)
    waiting: dict[tuple[str, str], list[ctypes.Structure]] = {}
    outside: dict[str, list[ctypes.Structure]] = {}
    exited = 0
    for i in range(first.count * first.cluster_size):
        thread = sanitizer.record("Thread", worker.threads, i)
        if STATE_NAMES[thread.state] == "DONE":
            exited += 1
            continue
        site, side = _of_thread(sanitizer, thread, waits=True)
        if device_reports.is_outside(cast("Thread", thread)):
            outside.setdefault(side.location, []).append(thread)
            continue
        what = device_reports.waits_for(cast("Thread", thread), side.operation, side.buffer)
        waiting.setdefault((site.location, what), []).append(thread)
    if outside:
        return [_outside(sanitizer, threads) for threads in outside.values()]
    sides: list[Side] = []
    for (_, what), threads in waiting.items():
        _, side = _of_thread(sanitizer, threads[0], waits=True)
        side.did += f"{_with_more(threads)}, {what}"
        sides.append(side)
    hint = "no thread is left that could let them go on"
    if exited:
        hint = f"{exited} {'thread has' if exited == 1 else 'threads have'} exited"
    return [Finding("sync", "threads wait for ever", sides, hint)] if sides else []


def _with_more(threads: list[ctypes.Structure]) -> str:
    return f", with {len(threads) - 1} more" if len(threads) > 1 else ""


def _outside(sanitizer: Knowledge, threads: list[ctypes.Structure]) -> Finding:
    """Lanes that execute a collective whose mask does not name them."""
    first = threads[0]
    _, side = _of_thread(sanitizer, first, waits=True)
    lane = first.linear % 32
    side.did = side.did.replace("waits here", f"is lane {lane} of its warp") + _with_more(threads)
    return Finding(
        "sync", f"lane {lane} of a warp executes {side.operation} with mask "
        f"0x{first.mask & 0xFFFFFFFF:08x}, which does not name that lane: what that gives is "
        "undefined", [side], "the mask has to name the lanes that execute it, and no others",
        len(threads),
    )  # fmt: skip


def misuse_finding(sanitizer: Knowledge, thread_address: int) -> Finding:
    thread = sanitizer.record("Thread", thread_address)
    _, side = _of_thread(sanitizer, thread, "used it")
    what = f"mbarrier {side.buffer}" if side.buffer else "an mbarrier"
    return Finding("sync", f"{what} is used before mbarrier.init", [side])


def notice_finding(
    sanitizer: Knowledge, thread_address: int, kind: int, amount: int
) -> Finding | None:
    thread = sanitizer.record("Thread", thread_address)
    if kind == NOTICE_EXITED:
        return _left_out(sanitizer, thread)
    if kind == NOTICE_ABSENT:
        return _absent(sanitizer, thread, amount)
    _, side = _of_thread(sanitizer, thread, "was the last to arrive")
    what = f"mbarrier {side.buffer}" if side.buffer else "an mbarrier"
    return Finding(
        "sync", f"a phase of {what} got {bytes_text(amount)} more than were announced", [side],
        "mbarrier.arrive.expect_tx has to announce the bytes of all copies of the phase",
    )  # fmt: skip


def notice_place(sanitizer: Knowledge, thread_address: int, kind: int) -> str:
    """Where what deserves a word and is no finding has happened, empty if that is not known."""
    thread = sanitizer.record("Thread", thread_address)
    if kind == NOTICE_EXITED:
        block = sanitizer.record("Block", thread.block)
        threads = (sanitizer.record("Thread", block.threads, i) for i in range(block.count))
        waits = next((t for t in threads if STATE_NAMES[t.state] == "BARRIER"), None)
        if waits is None:
            return ""
        thread = waits
    return _of_thread(sanitizer, thread, waits=True)[1].location


def _absent(sanitizer: Knowledge, thread: ctypes.Structure, lane: int) -> Finding:
    """A shuffle from a lane that has exited, is none of the block's or is not in the mask. The
    message names no lane: what several lanes do at a place is one mistake."""
    _, side = _of_thread(sanitizer, thread, waits=True)
    mask = f"0x{thread.mask & 0xFFFFFFFF:08x}"
    side.did = side.did.replace(
        "waits here", f"is lane {thread.linear % 32}, and reads from lane {lane}"
    )
    return Finding(
        "sync", f"{side.operation} with mask {mask} reads from a lane that does not take part: "
        "what that gives is undefined", [side],
        "the lane has exited, or the mask does not name it",
    )  # fmt: skip


def _left_out(sanitizer: Knowledge, first: ctypes.Structure) -> Finding | None:
    """A barrier that goes on without threads that have exited, the first of whose block is given:
    a mistake where one of them has gone around it and done what comes behind it, or where it is
    part of a reduction of the whole block. GPUs count others as those who have come."""
    block = sanitizer.record("Block", first.block)
    if not block.sanitizer:
        return None
    known = sanitizer.record("SanBlock", block.sanitizer)
    threads = [sanitizer.record("Thread", block.threads, i) for i in range(block.count)]
    waits = [t for t in threads if STATE_NAMES[t.state] == "BARRIER"]
    exited = [t for t in threads if STATE_NAMES[t.state] == "DONE"]
    if not waits or not exited:
        return None
    own = sanitizer.record("SanThread", known.threads, waits[0].linear)
    is_collective = _known_of(sanitizer, known, waits[0].linear).collective
    _, side = _of_thread(sanitizer, waits[0], waits=True)
    side.did += _with_more(waits)
    for thread in exited:
        other = sanitizer.record("SanThread", known.threads, thread.linear)
        if own.reached & other.left_out:
            return _skipped(sanitizer, side, thread, other.left_at, len(exited))
    if not is_collective:
        return None
    return Finding(
        "sync", f"{PART_OF_A_BLOCK}: {_count(exited)} exited", [side],
        f"all threads of the block have to execute {side.operation}",
    )  # fmt: skip


def _skipped(
    sanitizer: Knowledge, waits: Side, thread: ctypes.Structure, site: int, count: int
) -> Finding:
    place = sanitizer.site(site)
    _, other = _of_thread(sanitizer, thread)
    who = other.did.removesuffix(" waits here")
    more = f", of {count} that have not come," if count > 1 else ""
    did = Side.of(
        sanitizer.texts, place, f"{who}{more} went on here", "", other.block, other.thread
    )
    return Finding(
        "sync", f"{LEFT_OUT}: threads have left it out and gone on", [waits, did],
        "all threads of the block have to come to it, or return at once",
    )  # fmt: skip


def _count(threads: list[ctypes.Structure]) -> str:
    return "1 thread has" if len(threads) == 1 else f"{len(threads)} threads have"


def spin_findings(sanitizer: Knowledge, workers: Iterable[Worker]) -> list[Finding]:
    """Threads that wait for ever for memory to change: one finding, with a side for each location
    of a wait and each address."""
    waiting: dict[tuple[str, int], list[ctypes.Structure]] = {}
    for worker in workers:
        for thread in threads_of(worker):
            if STATE_NAMES[thread.state] == "DONE":
                continue
            site, _ = _of_thread(sanitizer, thread, waits=True)
            address = thread.spin_address if is_spinning(thread) else 0
            waiting.setdefault((site.location, address), []).append(thread)
    sides: list[Side] = []
    for (_, address), threads in sorted(waiting.items(), key=lambda item: not item[0][1]):
        thread = cast("Thread", threads[0])
        _, side = _of_thread(sanitizer, threads[0], waits=True)
        what = f"where {found_text(thread)}" if address else device_reports.waits_for(thread)
        side.did += f"{_with_more(threads)}, {what}"
        sides.append(side)
    message = "threads wait for ever for memory to change, and no thread is left to write there"
    return [Finding("sync", message, sides, "")] if sides else []
