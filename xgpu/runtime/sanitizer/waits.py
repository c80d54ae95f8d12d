# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Waits that cannot end, and mbarriers that are used wrongly, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.backend.host.structs import NAMED_BARRIERS, STATE_NAMES, WARP_OPERATIONS
from xgpu.runtime.host_device import reports as device_reports
from xgpu.runtime.native.codes import NOTICE_EXITED
from xgpu.runtime.sanitizer.actors import bytes_text, dims_text, is_of_mbarrier
from xgpu.runtime.sanitizer.findings import Finding, Side
from xgpu.runtime.sanitizer.knowledge import Knowledge
from xgpu.runtime.sanitizer.places import Place, Used

if TYPE_CHECKING:
    import ctypes

    from xgpu.backend.host.record_classes import Thread


def _of_thread(
    sanitizer: Knowledge, thread: ctypes.Structure, did: str = "waits here"
) -> tuple[Side, str]:
    """Where a thread waits, by the last operation that it told of, and the mbarrier there, as the
    program's text calls it."""
    block = sanitizer.record("Block", thread.block)
    site = sanitizer.site(0)
    if block.sanitizer:
        known = sanitizer.record("SanBlock", block.sanitizer)
        own = sanitizer.record("SanThread", known.threads, thread.linear)
        site = sanitizer.site(own.place if _is_of_warp(thread) else own.site)
    at = block.ctaid_x, block.ctaid_y, block.ctaid_z
    tid = thread.tid_x, thread.tid_y, thread.tid_z
    name = sanitizer.texts.name(site)
    did = f"thread {dims_text(tid)} of block {dims_text(at)} {did}"
    side = Side(sanitizer.texts.shown(site.location), name, did, site.kernel, at, tid)
    if is_of_mbarrier(site):
        place = Place(None)
        if STATE_NAMES[thread.state] == "MBARRIER":
            place = Place.in_workgroup(site, thread.address - block.shared)
        side.buffer = Used(sanitizer, place, site, 0).element
    return side, side.buffer


def _is_of_warp(record: ctypes.Structure) -> bool:
    """Whether a thread waits for others of its warp or warpgroup at what only they do together."""
    thread = cast("Thread", record)
    state = STATE_NAMES[thread.state]
    if state == "BARRIER":
        return thread.wait_id >= NAMED_BARRIERS
    return state == "WARP" and thread.wait_id != WARP_OPERATIONS["WARP_SYNC"]


def stuck_findings(sanitizer: Knowledge, worker_address: int) -> list[Finding]:
    """A cluster whose threads wait for ever: one finding for each location of a wait."""
    worker = sanitizer.record("Worker", worker_address)
    first = sanitizer.record("Block", worker.blocks)
    waiting: dict[str, list[ctypes.Structure]] = {}
    sides: dict[str, Side] = {}
    exited = 0
    for i in range(first.count * first.cluster_size):
        thread = sanitizer.record("Thread", worker.threads, i)
        if STATE_NAMES[thread.state] == "DONE":
            exited += 1
            continue
        side, mbarrier = _of_thread(sanitizer, thread)
        what = device_reports.waits_for(cast("Thread", thread), mbarrier)
        waiting.setdefault(what, []).append(thread)
        sides.setdefault(what, side)
    for what, threads in waiting.items():
        more = f", with {len(threads) - 1} more" if len(threads) > 1 else ""
        sides[what].did += f"{more}, {what}"
    hint = "no thread is left that could let them go on"
    if exited:
        hint = f"{exited} {'thread has' if exited == 1 else 'threads have'} exited"
    found = Finding("sync", "threads wait for ever", list(sides.values()), hint)
    return [found] if sides else []


def misuse_finding(sanitizer: Knowledge, thread_address: int) -> Finding:
    thread = sanitizer.record("Thread", thread_address)
    side, mbarrier = _of_thread(sanitizer, thread, "used it")
    what = f"mbarrier {mbarrier}" if mbarrier else "an mbarrier"
    return Finding("sync", f"{what} is used before mbarrier.init", [side])


def notice_finding(
    sanitizer: Knowledge, thread_address: int, kind: int, amount: int
) -> Finding | None:
    if kind == NOTICE_EXITED:
        return None  # GPUs count who has exited as one who has come
    thread = sanitizer.record("Thread", thread_address)
    side, mbarrier = _of_thread(sanitizer, thread, "was the last to arrive")
    what = f"mbarrier {mbarrier}" if mbarrier else "an mbarrier"
    return Finding(
        "sync", f"a phase of {what} got {bytes_text(amount)} more than were announced", [side],
        "mbarrier.arrive.expect_tx has to announce the bytes of all copies of the phase",
    )  # fmt: skip
