# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sanitizer's reports in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.backend.host.instrument.records import BULK_AGENTS, CODE_NAMES, KIND_NAMES
from xgpu.backend.host.instrument.sites import Site
from xgpu.backend.host.structs import STATE_NAMES
from xgpu.runtime.host_device import reports as device_reports
from xgpu.runtime.native.codes import NOTICE_EXITED
from xgpu.runtime.sanitizer.findings import Finding, Side
from xgpu.runtime.sanitizer.knowledge import Allocation, Knowledge

if TYPE_CHECKING:
    import ctypes

    from xgpu.backend.host.record_classes import SanReport, Thread
    from xgpu.runtime.sanitizer.knowledge import HostOperation


_WRITE, _ATOMIC = 1, 2
_FILL = {"memset": "fill", "memcpy": "copy", "free": "release", "alloc": "allocation"}
Dims = tuple[int, int, int]


# -- who did what


def _unravel(index: int, sizes: Dims) -> Dims:
    x, y, _ = sizes
    return index % x, index // x % y, index // (x * y)


class Actor:
    """An agent of a context."""

    def __init__(self, sanitizer: Knowledge, context: int, agent: int) -> None:
        state = sanitizer.record("SanState", sanitizer_state())
        record = sanitizer.record("SanContext", state.contexts, context)
        self.operation = sanitizer.operations.get(record.operation)
        self.block: Dims | None = None
        self.thread: Dims | None = None
        self.group = 0
        self.warp = -1
        if self.operation is None or not _is_launch(self.operation):
            return
        count = self.operation.block[0] * self.operation.block[1] * self.operation.block[2]
        self.block = record.x, record.y, record.z
        self.group = min(agent // count, 4)
        self.warp = agent - 4 * count - BULK_AGENTS
        if self.group == 4 and self.warp >= 0:
            self.group = 5
        if self.group < 4:
            self.thread = _unravel(agent % count, self.operation.block)

    def text(self) -> str:
        """Who it was."""
        if self.operation is None:
            return "the program before"
        if self.block is None:
            return f"the host's {_FILL.get(self.operation.name, self.operation.name)}"
        block = f"block {_dims(self.block)}"
        if self.group == 5:
            return f"a product of matrices of warp {self.warp} of {block}"
        if self.thread is None:
            return f"a bulk copy of {block}"
        thread = f"thread {_dims(self.thread)} of {block}"
        return {0: thread, 1: f"cp.async of {thread}"}.get(self.group, f"a bulk copy of {thread}")

    def side(self, site: Site, did: str) -> Side:
        location = site.location
        if not location and self.operation is not None:
            location = self.operation.location or ""
        return Side(location, site.name, did, site.kernel, self.block, self.thread)


def _is_launch(operation: HostOperation) -> bool:
    return operation.name not in ("memcpy", "memset", "free", "alloc", "gpu.dealloc", "code")


def _dims(dims: Dims) -> str:
    return "({}, {}, {})".format(*dims)


def sanitizer_state() -> int:
    from xgpu.runtime.sanitizer.library import sanitizer_library

    return sanitizer_library().state


def _is_of_mbarrier(site: Site) -> bool:
    return "mbarrier" in site.name and not site.name.startswith(("cp.", "nvvm.cp."))


def _did(flags: int, site: Site) -> str:
    if _is_of_mbarrier(site):
        return f"did {site.name}"
    if "cp.async" in site.name and flags & _ATOMIC:
        return "arrived at the mbarrier"
    # A plain write that the thread's own atomic one has hidden is kept as one that has read.
    verb = "wrote" if flags & _WRITE or site.name == "llvm.store" else "read"
    return f"atomically {verb}" if flags & _ATOMIC else verb


# -- reports of native code


def native_findings(sanitizer: Knowledge) -> list[Finding]:
    """What native code has found."""
    state = sanitizer.record("SanState", sanitizer_state())
    found: list[Finding] = []
    for i in range(state.report_count):
        report = sanitizer.record("SanReport", state.reports, i)
        if report.count:
            finding = _WORDS[CODE_NAMES[report.code]](sanitizer, cast("SanReport", report))
            finding.count = report.count
            found.append(finding)
    return found


def _kind(report: SanReport) -> str:
    return KIND_NAMES[report.kind.bit_length() - 1]


def _first(sanitizer: Knowledge, report: SanReport) -> tuple[Actor, Site]:
    return Actor(sanitizer, report.context, report.agent), sanitizer.site(report.site)


def _last_sync(sanitizer: Knowledge, report: SanReport) -> str:
    site = sanitizer.site(report.synced)
    return f", last ordered by {site.name} at {site.location}" if report.synced else ""


def _accessed(report: SanReport) -> str:
    return f"{'write' if report.flags & _WRITE else 'read'} of {_bytes(report.size)}"


def _bytes(count: int) -> str:
    return f"{count} byte" if count == 1 else f"{count} bytes"


def _by(sanitizer: Knowledge, report: SanReport, message: str, hint: str = "") -> Finding:
    """A finding with one side."""
    actor, site = _first(sanitizer, report)
    where = f" in kernel '{site.kernel}'" if site.kernel else ""
    did = f"{actor.text()} did it{where} ({site.name})"
    return Finding(_kind(report), message, [actor.side(site, did)], hint)


def _outside(sanitizer: Knowledge, report: SanReport) -> Finding:
    at, extent = report.extra >> 32, report.extra & 0xFFFFFFFF
    if at < 0:
        where = f"{_bytes(-at)} before"
    elif at >= extent:
        where = f"{_behind(at - extent)} the end of"
    else:
        where = f"{_bytes(at + report.size - extent)} over the end of"
    site = sanitizer.site(report.site)
    what = "variable" if site.kernel else "memory"
    return _by(sanitizer, report, f"{_accessed(report)}, {where} a {what} of {_bytes(extent)}")


def _beyond(sanitizer: Knowledge, report: SanReport) -> Finding:
    if report.allocation == -2:
        limit = report.extra
        return _by(
            sanitizer, report,
            f"{_accessed(report)} outside of the block's {_bytes(limit)} of workgroup memory",
        )  # fmt: skip
    found = _allocation(sanitizer, report.allocation)
    if found is None:
        return _wild(sanitizer, report)
    finding = _by(sanitizer, report, f"{_accessed(report)}, {_distance(report, found)}")
    finding.sides.append(_made(found))
    return finding


def _behind(count: int) -> str:
    return f"{_bytes(count)} behind" if count else "right behind"


def _distance(report: SanReport, found: Allocation) -> str:
    end = found.address + found.size
    what = "array" if found.kind in _ARRAYS else "allocation"
    name = f"an {what} of {_bytes(found.size)}"
    if report.address < found.address:
        return f"{_bytes(found.address - report.address)} before {name}"
    if report.address >= end:
        return f"{_behind(report.address - end)} the end of {name}"
    return f"{_bytes(report.address + report.size - end)} over the end of {name}"


def _allocation(sanitizer: Knowledge, number: int) -> Allocation | None:
    if 0 <= number < len(sanitizer.allocations):
        return sanitizer.allocations[number]
    return None


#: What Python's arrays are called.
_ARRAYS = {
    "owned": "an xgpu.Array", "exposed": "an xgpu.Array", "array": "an array of another library",
}  # fmt: skip


def _made(found: Allocation) -> Side:
    if found.kind in _ARRAYS:
        return Side("", "array", f"it is {_ARRAYS[found.kind]} of {_bytes(found.size)}")
    what = {"device": "gpu.alloc", "managed": "gpu.alloc host_shared", "host": "gpu.host_register",
            "heap": "malloc of a kernel"}[found.kind]  # fmt: skip
    did = f"{_bytes(found.size)} come from here ({what})"
    return Side(found.location or "", what, did)


def _wild(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _by(
        sanitizer, report,
        f"{_accessed(report)} at 0x{report.address & (2**64 - 1):x}, where a kernel has no memory",
        "kernels reach what gpu.alloc gives, and host memory only behind gpu.host_register",
    )  # fmt: skip


def _freed(sanitizer: Knowledge, report: SanReport) -> Finding:
    found = _allocation(sanitizer, report.allocation)
    finding = _by(sanitizer, report, f"{_accessed(report)} in memory that has been released")
    if found is not None:
        finding.sides.append(
            Side(found.freed_location or "", "gpu.dealloc", "it was released here")
        )
        finding.sides.append(_made(found))
    return finding


def _misaligned(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _by(
        sanitizer, report,
        f"{_accessed(report)} at an address that is {report.address % report.extra} bytes behind a "
        f"multiple of {report.extra}, its alignment",
    )  # fmt: skip


def _host_space(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _by(
        sanitizer, report,
        f"{_accessed(report)} of host memory that no gpu.host_register covers",
    )  # fmt: skip


def _device_space(sanitizer: Knowledge, report: SanReport) -> Finding:
    message = f"{_accessed(report)} of device memory by the host's code"
    return _by(sanitizer, report, message, "gpu.memcpy moves it, and host_shared memory is of both")


def _two_sides(sanitizer: Knowledge, report: SanReport, message: str, hint: str) -> Finding:
    first, site = _first(sanitizer, report)
    other = Actor(sanitizer, report.other_context, report.other_agent)
    there = sanitizer.site(report.other_site)
    did = f"{first.text()} {_did(report.flags, site)}{_last_sync(sanitizer, report)}"
    before = f"{other.text()} {_did(report.other_flags, there)}"
    return Finding(_kind(report), message, [first.side(site, did), other.side(there, before)], hint)


def _race(sanitizer: Knowledge, report: SanReport) -> Finding:
    here, there = sanitizer.site(report.site), sanitizer.site(report.other_site)
    first = Actor(sanitizer, report.context, report.agent)
    other = Actor(sanitizer, report.other_context, report.other_agent)
    who = f"{other.text()} {_did(report.other_flags, there)}"
    if _is_of_mbarrier(here) or _is_of_mbarrier(there):
        message = f"{first.text()} {_did(report.flags, here)} and {who}, and nothing orders the two"
    else:
        what = f"{_did(report.flags, here)} {_bytes(report.size)}"
        message = f"{first.text()} {what} that {who}, and nothing orders the two"
    return _two_sides(
        sanitizer, report, message, _remedy(first, other, sanitizer.site(report.other_site))
    )


def _remedy(first: Actor, other: Actor, there: Site) -> str:
    """What would have ordered two agents."""
    if other.operation is not None and first.operation is not other.operation:
        return "no dependency between the two operations: a token, an event or a wait orders them"
    if first.block != other.block:
        return "no atomic operation with release and acquire at device scope between the two blocks"
    if other.group == 1:
        return "no nvvm.cp.async.wait.group of the copy's group, and a barrier behind it, between"
    if other.group == 4:
        return "no wait for the phase of the copy's mbarrier between"
    if other.group == 5 and "tcgen05" in there.name:
        return "no tcgen05.commit to an mbarrier behind it, and a wait for its phase, between"
    if other.group == 5:
        return (
            "no nvvm.wgmma.wait.group.sync.aligned of the product's group in its warp, and a "
            "barrier behind it, between"
        )
    if other.group in (2, 3):
        return "no nvvm.cp.async.bulk.wait_group of the copy's group between"
    return "no barrier between the two"


def _proxy(sanitizer: Knowledge, report: SanReport) -> Finding:
    there = sanitizer.site(report.other_site)
    other = Actor(sanitizer, report.other_context, report.other_agent)
    product = Actor(sanitizer, report.context, report.agent).group == 5
    who = "a product of matrices" if product else "an asynchronous copy"
    if "mbarrier.init" in there.name:
        message = f"{who} uses an mbarrier that {other.text()} has initialized"
        fence = "nvvm.fence.mbarrier.init"
    else:
        message = f"{who} uses what {other.text()} wrote"
        fence = "nvvm.fence.proxy async"
    return _two_sides(
        sanitizer, report, f"{message}, with no fence of proxies between",
        f"no {fence} between the write and the {'product' if product else 'copy'}",
    )  # fmt: skip


def _scope(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _two_sides(
        sanitizer, report, "two atomic accesses of different blocks, at least one of which is "
        "atomic for its own block only", "the scope of both has to be the device",
    )  # fmt: skip


def _unwritten(sanitizer: Knowledge, report: SanReport) -> Finding:
    where = " of private memory" if report.allocation == -3 else ""
    if report.allocation == _TENSOR:
        where = f" of tensor memory, {_in_tensor(report)},"
    finding = _by(sanitizer, report, f"{_accessed(report)}{where} that nothing has written")
    found = sanitizer.allocation_at(report.address) if report.allocation >= -2 else None
    if found is not None:
        finding.sides.append(_made(found))
    return finding


_TENSOR = -4


def _in_tensor(report: SanReport) -> str:
    return f"lane {report.extra >> 32}, column {report.extra & 0xFFFF}"


def _not_allocated(sanitizer: Knowledge, report: SanReport) -> Finding:
    did = f"{_accessed(report)} of tensor memory, {_in_tensor(report)}"
    return _by(sanitizer, report, f"{did}, which no tcgen05.alloc of the block has given")


def _poisoned(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    other = Actor(sanitizer, report.other_context, report.other_agent)
    there = sanitizer.site(report.other_site)
    return Finding(
        _kind(report), f"{_accessed(report)} that nothing has written: a copy brought it",
        [first.side(site, f"{first.text()} read"),
         other.side(there, f"{other.text()} copied memory here that nothing had written")],
    )  # fmt: skip


def _diverged(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    there = sanitizer.site(report.other_site)
    return Finding(
        _kind(report),
        f"lanes of one warp wait at two places for barrier {report.extra}",
        [first.side(site, f"{first.text()} waits here"),
         Side(there.location, there.name, "another lane of its warp waits here", there.kernel)],
        "all lanes of a warp have to come to the same barrier",
    )  # fmt: skip


def _twice(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _by(
        sanitizer, report,
        f"a wait for phase {report.extra} of an mbarrier, which this thread has waited for before: "
        "it says nothing of the phase behind it",
        "the parity has to change with each phase",
    )  # fmt: skip


_ENDS = (
    ("read", "no nvvm.cp.async.bulk.wait_group in the thread that asked for it, before it exits"),
    ("write", "nobody waits for the phase of its mbarrier before the block ends"),
    ("use", "no cluster barrier between the access and the end of the block"),
)


def _ended(sanitizer: Knowledge, report: SanReport) -> Finding:
    block = Actor(sanitizer, report.context, 0).block
    other = Actor(sanitizer, report.other_context, report.other_agent)
    site = sanitizer.site(report.site)
    what, hint = _ENDS[report.extra]
    message = (
        f"{other.text()} may still {what} shared memory of block {_dims(block or (0, 0, 0))} when "
        "that block ends"
    )
    return Finding(_kind(report), message, [other.side(site, f"{other.text()} did it")], hint)


def _unfenced(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _by(
        sanitizer, report, "a product of matrices with no wgmma.fence before it",
        "the first one needs nvvm.wgmma.fence.aligned, and each one behind a change of its "
        "registers",
    )  # fmt: skip


_WORDS = {
    "OUTSIDE": _outside, "BEYOND": _beyond, "WILD": _wild, "FREED": _freed,
    "MISALIGNED": _misaligned, "HOST_SPACE": _host_space, "RACE": _race, "PROXY": _proxy,
    "SCOPE": _scope, "UNWRITTEN": _unwritten, "POISONED": _poisoned, "DIVERGED": _diverged,
    "TWICE": _twice, "DEVICE_SPACE": _device_space, "UNFENCED": _unfenced,
    "ENDED": _ended, "NOT_ALLOCATED": _not_allocated,
}  # fmt: skip


# -- what Python has found


def copy_finding(
    name: str, location: str | None, address: int, size: int, does: str, found: Allocation
) -> Finding:
    """A copy or fill that does not fit."""
    what = _FILL.get(name, name)
    if found.ended:
        message = f"a {what} {does} {_bytes(size)} in memory that has been released"
        sides = [Side(found.freed_location or "", "gpu.dealloc", "it was released here")]
    else:
        over = address + size - found.address - found.size
        message = (
            f"a {what} {does} {_bytes(size)}, {_bytes(over)} over the end of an allocation of "
            f"{_bytes(found.size)}"
        )
        sides: list[Side] = []
    own = Side(location or "", name, f"the host's {what}")
    return Finding("memory", message, [own, *sides, _made(found)])


def leak_findings(
    allocations: list[Allocation], objects: dict[int, tuple[str, str | None]]
) -> list[Finding]:
    """What is still alive at the end."""
    found: list[Finding] = []
    for a in allocations:
        if not a.ended and a.kind in ("device", "managed"):
            message = f"{_bytes(a.size)} of device memory are never released"
            found.append(
                Finding("leak", message, [Side(a.location or "", "gpu.alloc", "made here")])
            )
    for what, location in objects.values():
        article = "an" if what[0] in "aeiou" else "a"
        message = f"{article} {what} is never destroyed"
        found.append(Finding("leak", message, [Side(location or "", what, "made here")]))
    return found


# -- waits without end


def _of_thread(sanitizer: Knowledge, thread: ctypes.Structure) -> tuple[Site, Side]:
    """Where a thread waits, by the last operation that it told of."""
    block = sanitizer.record("Block", thread.block)
    name, site = "", sanitizer.site(0)
    if block.sanitizer:
        known = sanitizer.record("SanBlock", block.sanitizer)
        own = sanitizer.record("SanThread", known.threads, thread.linear)
        site = sanitizer.site(own.site)
        name = site.kernel
    at = block.ctaid_x, block.ctaid_y, block.ctaid_z
    tid = thread.tid_x, thread.tid_y, thread.tid_z
    return site, Side(
        site.location,
        site.name,
        f"thread {_dims(tid)} of block {_dims(at)} waits here",
        name,
        at,
        tid,
    )


def stuck_findings(sanitizer: Knowledge, worker_address: int) -> list[Finding]:
    """A cluster whose threads wait for ever: one finding for each location of a wait."""
    worker = sanitizer.record("Worker", worker_address)
    first = sanitizer.record("Block", worker.blocks)
    waiting: dict[str, list[ctypes.Structure]] = {}
    exited = 0
    for i in range(first.count * first.cluster_size):
        thread = sanitizer.record("Thread", worker.threads, i)
        if STATE_NAMES[thread.state] == "DONE":
            exited += 1
            continue
        waiting.setdefault(device_reports.waits_for(cast("Thread", thread)), []).append(thread)
    sides: list[Side] = []
    for what, threads in waiting.items():
        _, side = _of_thread(sanitizer, threads[0])
        more = f", with {len(threads) - 1} more" if len(threads) > 1 else ""
        side.did += f"{more}, {what}"
        sides.append(side)
    message = "threads wait for ever"
    hint = f"{exited} threads have exited" if exited else "nobody is left who could let them go on"
    return [Finding("sync", message, sides, hint)] if sides else []


def misuse_finding(sanitizer: Knowledge, thread_address: int) -> Finding:
    thread = sanitizer.record("Thread", thread_address)
    _, side = _of_thread(sanitizer, thread)
    side.did = side.did.replace("waits here", "used it")
    return Finding("sync", "an mbarrier is used before mbarrier.init", [side])


def notice_finding(
    sanitizer: Knowledge, thread_address: int, kind: int, amount: int
) -> Finding | None:
    if kind == NOTICE_EXITED:
        return None  # GPUs count who has exited as one who has come
    thread = sanitizer.record("Thread", thread_address)
    _, side = _of_thread(sanitizer, thread)
    side.did = side.did.replace("waits here", "was the last to arrive")
    return Finding(
        "sync", f"a phase of an mbarrier got {_bytes(amount)} more than were announced", [side],
        "mbarrier.arrive.expect_tx has to announce the bytes of all copies of the phase",
    )  # fmt: skip
