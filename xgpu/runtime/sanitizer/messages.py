# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sanitizer's reports in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.backend.host.instrument.records import CODE_NAMES, KIND_NAMES
from xgpu.backend.host.instrument.sites import Site
from xgpu.runtime.sanitizer.actors import (
    Actor,
    bytes_text,
    did_text,
    dims_text,
    is_of_mbarrier,
    sanitizer_state,
)
from xgpu.runtime.sanitizer.findings import Finding, Side
from xgpu.runtime.sanitizer.knowledge import Allocation, Knowledge

if TYPE_CHECKING:
    from xgpu.backend.host.instrument.record_classes import SanReport


_WRITE, _ATOMIC = 1, 2
_FILL = {"memset": "fill", "memcpy": "copy", "free": "release", "alloc": "allocation"}


# -- reports of native code


def native_findings(sanitizer: Knowledge) -> list[Finding]:
    """What native code has found."""
    state = sanitizer.record("SanState", sanitizer_state())
    found: list[Finding] = []
    for i in range(state.report_count):
        report = sanitizer.record("SanReport", state.reports, i)
        if report.count:
            if _is_one_place(sanitizer, cast("SanReport", report)):
                continue
            finding = _WORDS[CODE_NAMES[report.code]](sanitizer, cast("SanReport", report))
            finding.count = report.count
            found.append(finding)
    return found


def _is_one_place(sanitizer: Knowledge, report: SanReport) -> bool:
    """Whether lanes that are said to be apart are at one operation, of which there are copies."""
    if CODE_NAMES[report.code] != "APART":
        return False
    return sanitizer.site(report.site).location == sanitizer.site(report.other_site).location


def _kind(report: SanReport) -> str:
    return KIND_NAMES[report.kind.bit_length() - 1]


def _first(sanitizer: Knowledge, report: SanReport) -> tuple[Actor, Site]:
    return Actor(sanitizer, report.context, report.agent), sanitizer.site(report.site)


def _last_sync(sanitizer: Knowledge, report: SanReport) -> str:
    site = sanitizer.site(report.synced)
    return f", last ordered by {site.name} at {site.location}" if report.synced else ""


def _accessed(report: SanReport) -> str:
    return f"{'write' if report.flags & _WRITE else 'read'} of {bytes_text(report.size)}"


def _by(sanitizer: Knowledge, report: SanReport, message: str, hint: str = "") -> Finding:
    """A finding with one side."""
    actor, site = _first(sanitizer, report)
    where = f" in kernel '{site.kernel}'" if site.kernel else ""
    did = f"{actor.text()} did it{where} ({site.name})"
    return Finding(_kind(report), message, [actor.side(site, did)], hint)


def _outside(sanitizer: Knowledge, report: SanReport) -> Finding:
    at, extent = report.extra >> 32, report.extra & 0xFFFFFFFF
    if at < 0:
        where = f"{bytes_text(-at)} before"
    elif at >= extent:
        where = f"{_behind(at - extent)} the end of"
    else:
        where = f"{bytes_text(at + report.size - extent)} over the end of"
    site = sanitizer.site(report.site)
    what = "variable" if site.kernel else "memory"
    return _by(sanitizer, report, f"{_accessed(report)}, {where} a {what} of {bytes_text(extent)}")


def _beyond(sanitizer: Knowledge, report: SanReport) -> Finding:
    if report.allocation == -2:
        limit = report.extra
        return _by(
            sanitizer, report,
            f"{_accessed(report)} outside of the block's {bytes_text(limit)} of workgroup memory",
        )  # fmt: skip
    found = _allocation(sanitizer, report.allocation)
    if found is None:
        return _wild(sanitizer, report)
    finding = _by(sanitizer, report, f"{_accessed(report)}, {_distance(report, found)}")
    finding.sides.append(_made(found))
    return finding


def _behind(count: int) -> str:
    return f"{bytes_text(count)} behind" if count else "right behind"


def _distance(report: SanReport, found: Allocation) -> str:
    end = found.address + found.size
    what = "array" if found.kind in _ARRAYS else "allocation"
    name = f"an {what} of {bytes_text(found.size)}"
    if report.address < found.address:
        return f"{bytes_text(found.address - report.address)} before {name}"
    if report.address >= end:
        return f"{_behind(report.address - end)} the end of {name}"
    return f"{bytes_text(report.address + report.size - end)} over the end of {name}"


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
        return Side("", "array", f"it is {_ARRAYS[found.kind]} of {bytes_text(found.size)}")
    what = {"device": "gpu.alloc", "managed": "gpu.alloc host_shared", "host": "gpu.host_register",
            "heap": "malloc of a kernel"}[found.kind]  # fmt: skip
    did = f"{bytes_text(found.size)} come from here ({what})"
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
    did = f"{first.text()} {did_text(report.flags, site)}{_last_sync(sanitizer, report)}"
    before = f"{other.text()} {did_text(report.other_flags, there)}"
    return Finding(_kind(report), message, [first.side(site, did), other.side(there, before)], hint)


def _race(sanitizer: Knowledge, report: SanReport) -> Finding:
    here, there = sanitizer.site(report.site), sanitizer.site(report.other_site)
    first = Actor(sanitizer, report.context, report.agent)
    other = Actor(sanitizer, report.other_context, report.other_agent)
    who = f"{other.text()} {did_text(report.other_flags, there)}"
    if is_of_mbarrier(here) or is_of_mbarrier(there):
        message = (
            f"{first.text()} {did_text(report.flags, here)} and {who}, and nothing orders the two"
        )
    else:
        what = f"{did_text(report.flags, here)} {bytes_text(report.size)}"
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


def _apart(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    there = sanitizer.site(report.other_site)
    lane = report.extra % 32
    return Finding(
        _kind(report),
        f"lanes of one warp execute {site.name} at two places: what they get of one another is "
        "undefined",
        [first.side(site, f"{first.text()}, lane {report.agent % 32} of its warp, waits here"),
         Side(there.location, there.name, f"lane {lane} waits here", there.kernel)],
        "the mask has to name the lanes that execute it, and no others",
    )  # fmt: skip


def _unfinished(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    there = sanitizer.site(report.other_site)
    return Finding(
        _kind(report), "results of a product of matrices are used before its group has been waited "
        "for",
        [first.side(site, f"{first.text()} used them"),
         Side(there.location, there.name, "the product", there.kernel)],
        "no nvvm.wgmma.wait.group.sync.aligned of the product's group between",
    )  # fmt: skip


def _initialized(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    there = sanitizer.site(report.other_site)
    return Finding(
        _kind(report), f"{site.name} of an mbarrier that is one already",
        [first.side(site, f"{first.text()} did {site.name}"),
         Side(there.location, there.name, "it was initialized here", there.kernel)],
        "nvvm.mbarrier.inval has to end the one before",
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
        f"{other.text()} may still {what} shared memory of block {dims_text(block or (0, 0, 0))} "
        "when that block ends"
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
    "ENDED": _ended, "NOT_ALLOCATED": _not_allocated, "APART": _apart,
    "INITIALIZED": _initialized, "UNFINISHED": _unfinished,
}  # fmt: skip


# -- what Python has found


def copy_finding(
    name: str, location: str | None, address: int, size: int, does: str, found: Allocation
) -> Finding:
    """A copy or fill that does not fit."""
    what = _FILL.get(name, name)
    if found.ended:
        message = f"a {what} {does} {bytes_text(size)} in memory that has been released"
        sides = [Side(found.freed_location or "", "gpu.dealloc", "it was released here")]
    else:
        over = address + size - found.address - found.size
        message = (
            f"a {what} {does} {bytes_text(size)}, {bytes_text(over)} over the end of an "
            f"allocation of {bytes_text(found.size)}"
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
            message = f"{bytes_text(a.size)} of device memory are never released"
            found.append(
                Finding("leak", message, [Side(a.location or "", "gpu.alloc", "made here")])
            )
    for what, location in objects.values():
        article = "an" if what[0] in "aeiou" else "a"
        message = f"{article} {what} is never destroyed"
        found.append(Finding("leak", message, [Side(location or "", what, "made here")]))
    return found
