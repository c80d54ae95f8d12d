# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sanitizer's reports in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.host_device.abi.sanitizer_records import (
    CODE_NAMES,
    FLAG_MODIFY,
    FLAG_WRITE,
    KIND_NAMES,
)
from xgpu.host_device.sanitizer.instrument.calls import Site
from xgpu.host_device.sanitizer.reports.findings import (
    Actor,
    Allocation,
    Finding,
    Knowledge,
    Place,
    Side,
    Used,
    bytes_text,
    did_text,
    dims_text,
    is_of_mbarrier,
    sanitizer_state,
)
from xgpu.host_device.sanitizer.reports.remedies import Conflict

if TYPE_CHECKING:
    from xgpu.host_device.abi.record_classes import SanReport


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
            finding.is_never_written = report.cells > 0
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
    if not report.synced:
        return ""
    return (
        f", last ordered by {sanitizer.texts.name(site)} at {sanitizer.texts.shown(site.location)}"
    )


def _used(sanitizer: Knowledge, report: SanReport) -> Used:
    """The memory of a report, as the first operation calls it."""
    return Used(sanitizer, Place.of(sanitizer, report), sanitizer.site(report.site), report.flags)


def _accessed(sanitizer: Knowledge, report: SanReport) -> str:
    verb = "write" if report.flags & FLAG_WRITE else "read"
    return f"{verb} of {_used(sanitizer, report).text(report.size)}"


def _by(sanitizer: Knowledge, report: SanReport, message: str, hint: str = "") -> Finding:
    """A finding with one side."""
    actor, site = _first(sanitizer, report)
    where = f" in kernel '{site.kernel}'" if site.kernel else ""
    name = sanitizer.texts.name(site)
    side = actor.side(site, f"{actor.text()} did it{where} ({name})", name)
    side.buffer = _used(sanitizer, report).element
    return Finding(_kind(report), message, [side], hint)


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
    return _by(
        sanitizer,
        report,
        f"{_accessed(sanitizer, report)}, {where} a {what} of {bytes_text(extent)}",
    )


def _beyond(sanitizer: Knowledge, report: SanReport) -> Finding:
    if report.allocation == -2:
        limit = report.extra
        return _by(
            sanitizer, report,
            f"{_accessed(sanitizer, report)} outside of the block's {bytes_text(limit)} of "
            "workgroup memory",
        )  # fmt: skip
    found = sanitizer.allocation(report.allocation)
    if found is None:
        return _wild(sanitizer, report)
    finding = _by(sanitizer, report, f"{_accessed(sanitizer, report)}, {_distance(report, found)}")
    finding.sides.append(_made(sanitizer, found, _used(sanitizer, report).argument))
    return finding


def _behind(count: int) -> str:
    return f"{bytes_text(count)} behind" if count else "right behind"


def _distance(report: SanReport, found: Allocation) -> str:
    end = found.address + found.size
    what = "an array" if found.kind in _ARRAYS else "an allocation"
    if found.name:
        what = f"variable '{found.name}'"
    name = f"{what} of {bytes_text(found.size)}"
    if report.address < found.address:
        return f"{bytes_text(found.address - report.address)} before {name}"
    if report.address >= end:
        return f"{_behind(report.address - end)} the end of {name}"
    return f"{bytes_text(report.address + report.size - end)} over the end of {name}"


#: What Python's arrays are called.
_ARRAYS = {
    "owned": "an xgpu.Array", "exposed": "an xgpu.Array", "array": "an array of another library",
}  # fmt: skip


def _made(sanitizer: Knowledge, found: Allocation, argument: str = "") -> Side:
    """Where memory comes from; `argument` is the kernel's that it was given for."""
    if found.kind in _ARRAYS:
        name = f"argument {argument}" if argument else "it"
        return Side("", "array", f"{name} is {_ARRAYS[found.kind]} of {bytes_text(found.size)}")
    if found.name:
        did = f"{bytes_text(found.size)} are variable '{found.name}' of the module"
        return Side("", found.kind, did)
    what = {"device": "gpu.alloc", "managed": "gpu.alloc host_shared", "host": "gpu.host_register",
            "heap": "malloc of a kernel"}[found.kind]  # fmt: skip
    made = sanitizer.texts.result(found.location)
    did = f"{bytes_text(found.size)} come from here ({what}{f' of {made}' if made else ''})"
    return Side(sanitizer.texts.shown(found.location), what, did)


def _wild(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _by(
        sanitizer, report,
        f"{_accessed(sanitizer, report)} at 0x{report.address & (2**64 - 1):x}, which no "
        "allocation contains",
        "kernels reach what gpu.alloc gives, and host memory only after gpu.host_register",
    )  # fmt: skip


def _freed(sanitizer: Knowledge, report: SanReport) -> Finding:
    found = sanitizer.allocation(report.allocation)
    finding = _by(
        sanitizer, report, f"{_accessed(sanitizer, report)} in memory that has been released"
    )
    if found is not None:
        finding.sides.append(
            Side(sanitizer.texts.shown(found.freed_location), "gpu.dealloc", "it was released here")
        )
        finding.sides.append(_made(sanitizer, found, _used(sanitizer, report).argument))
    return finding


def _heap_freed(sanitizer: Knowledge, report: SanReport) -> Finding:
    message = f"{_accessed(sanitizer, report)} in memory that a kernel has freed"
    finding = _by(sanitizer, report, message)
    finding.sides += _heap_sides(sanitizer, report)
    return finding


def _heap_free(sanitizer: Knowledge, report: SanReport) -> Finding:
    message = (
        "free of memory that is freed already" if report.extra else
        f"free of 0x{report.address & (2**64 - 1):x}, which no malloc of a kernel has given"
    )  # fmt: skip
    finding = _by(sanitizer, report, message)
    finding.sides += _heap_sides(sanitizer, report)
    return finding


def _heap_sides(sanitizer: Knowledge, report: SanReport) -> list[Side]:
    """Where a kernel has freed memory, and where it comes from."""
    sides: list[Side] = []
    for number, name, did in (
        (report.extra & 0xFFFFFFFF, "free", "it was freed here"),
        (report.extra >> 32, "malloc", "it comes from here (malloc of a kernel)"),
    ):
        if number:
            site = sanitizer.site(number)
            sides.append(Side.of(sanitizer.texts, site, did, name))
    return sides


def _misaligned(sanitizer: Knowledge, report: SanReport) -> Finding:
    found = sanitizer.allocation_at(report.address)
    hint = ""
    begin = found.address if found is not None and found.kind == "array" else 0
    if begin and (report.address - begin) % report.extra == 0:
        hint = (
            f"the array itself begins {begin % report.extra} bytes behind such a multiple: "
            "xgpu.asarray(array, copy=True) is aligned, as is the copy that a GPU gets"
        )
    return _by(
        sanitizer, report,
        f"{_accessed(sanitizer, report)} at an address that is {report.address % report.extra} "
        f"bytes behind a multiple of {report.extra}, its alignment", hint,
    )  # fmt: skip


def _uneven(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _by(
        sanitizer, report,
        f"a bulk copy of {bytes_text(report.size)}: its size has to be a multiple of "
        f"{report.extra}",
    )  # fmt: skip


def _no_block(sanitizer: Knowledge, report: SanReport) -> Finding:
    rank = (report.extra & 0xFFFFFFFF ^ 0x80000000) - 0x80000000
    return _by(sanitizer, report, f"mapa names block {rank} of a cluster of {report.extra >> 32}")


def _constant(sanitizer: Knowledge, report: SanReport) -> Finding:
    what = _accessed(sanitizer, report)
    return _by(
        sanitizer, report, f"{what} to a variable that is constant, which kernels cannot change"
    )


def _host_space(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _by(
        sanitizer, report,
        f"{_accessed(sanitizer, report)} of host memory that no gpu.host_register covers",
    )  # fmt: skip


def _device_space(sanitizer: Knowledge, report: SanReport) -> Finding:
    message = f"{_accessed(sanitizer, report)} of device memory by the host's code"
    return _by(sanitizer, report, message, "gpu.memcpy moves it, and host_shared memory is of both")


def _two_sides(
    sanitizer: Knowledge, report: SanReport, message: str, hint: str,
    conflict: Conflict | None = None,
) -> Finding:  # fmt: skip
    conflict = conflict or Conflict(sanitizer, report)
    first, other = conflict.first, conflict.other
    here, there = conflict.here, conflict.there
    did = f"{first.text()} {conflict.first_did()}{_last_sync(sanitizer, report)}"
    before = f"{other.text()} {conflict.other_did()}"
    sides = [
        first.side(here, did, sanitizer.texts.name(here)),
        other.side(there, before, sanitizer.texts.name(there)),
    ]
    sides[0].buffer, sides[1].buffer = conflict.first_used.element, conflict.other_used.element
    return Finding(_kind(report), message, [*sides, *conflict.launches()], hint)


def _race(sanitizer: Knowledge, report: SanReport) -> Finding:
    conflict = Conflict(sanitizer, report)
    first, other = conflict.whose()
    used = conflict.first_used
    here, there = conflict.here, conflict.there
    if is_of_mbarrier(here) or is_of_mbarrier(there):
        message = f"{first} {conflict.first_did()} and {other} {conflict.other_did()}"
    else:
        did = did_text(report.flags, here, what=used.text(report.size))
        message = f"{first} {did} that {other} {did_text(report.other_flags, there)}"
    message += f", and nothing orders the two{conflict.iterations()}"
    return _two_sides(sanitizer, report, message, conflict.remedy(), conflict)


def _proxy(sanitizer: Knowledge, report: SanReport) -> Finding:
    there = sanitizer.site(report.other_site)
    other = Actor(sanitizer, report.other_context, report.other_agent)
    product = Actor(sanitizer, report.context, report.agent).group == 5
    who = "a product of matrices" if product else "an asynchronous copy"
    used = Conflict(sanitizer, report).other_used
    if "mbarrier.init" in there.name:
        what = f"mbarrier {used.element}" if used.element else "an mbarrier"
        message = f"{who} uses {what} that {other.text()} has initialized"
        fence = "nvvm.fence.mbarrier.init"
    else:
        message = f"{who} uses {used.element or 'what'}{', which' * bool(used.element)} "
        message += f"{other.text()} wrote"
        fence = "nvvm.fence.proxy async"
    return _two_sides(
        sanitizer, report, f"{message}, with no fence of proxies between",
        f"no {fence} between the write and the {'product' if product else 'copy'}",
    )  # fmt: skip


def _scope(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _two_sides(
        sanitizer, report, "two atomic accesses of different blocks, at least one of which is "
        "atomic for its own block or cluster only", "the scope of both has to be the device",
    )  # fmt: skip


def _widths(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _two_sides(
        sanitizer, report, "two atomic accesses of different sizes that overlap in part",
        "accesses are atomic for one another only if they are of the same bytes",
    )  # fmt: skip


def _unwritten(sanitizer: Knowledge, report: SanReport) -> Finding:
    where = " of private memory" if report.allocation == -3 else ""
    if report.allocation == _TENSOR:
        where = f" of tensor memory, {_in_tensor(report)},"
    what = _accessed(sanitizer, report)
    if report.flags & FLAG_MODIFY:
        what = f"atomic update of {_used(sanitizer, report).text(report.size)}"
    finding = _by(sanitizer, report, f"{what}{where} that nothing has written")
    found = sanitizer.allocation(report.allocation)
    if found is None and report.allocation >= -2:
        found = sanitizer.allocation_at(report.address)
    if found is not None:
        finding.sides.append(_made(sanitizer, found, _used(sanitizer, report).argument))
        if found.kind == "heap":
            finding.hint = (
                "malloc, and memref.alloc of any address space, give each thread memory of its "
                "own: threads of a block share __shared__ variables and attributions of gpu.func"
            )
    return finding


_TENSOR = -4


def _in_tensor(report: SanReport) -> str:
    return f"lane {report.extra >> 32}, column {report.extra & 0xFFFF}"


def _not_allocated(sanitizer: Knowledge, report: SanReport) -> Finding:
    did = f"{_accessed(sanitizer, report)} of tensor memory, {_in_tensor(report)}"
    return _by(sanitizer, report, f"{did}, which no tcgen05.alloc of the block has given")


def _poisoned(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    other = Actor(sanitizer, report.other_context, report.other_agent)
    there = sanitizer.site(report.other_site)
    return Finding(
        _kind(report),
        f"{_accessed(sanitizer, report)} that nothing has written: a copy brought it",
        [first.side(site, f"{first.text()} read", sanitizer.texts.name(site)),
         other.side(there, f"{other.text()} copied memory here that nothing had written",
                    sanitizer.texts.name(there))],
    )  # fmt: skip


def _diverged(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    there = sanitizer.site(report.other_site)
    names = sanitizer.texts.name(site), sanitizer.texts.name(there)
    return Finding(
        _kind(report),
        f"lanes of one warp wait at two places for barrier {report.extra}",
        [first.side(site, f"{first.text()} waits here", names[0]),
         Side(sanitizer.texts.shown(there.location), names[1],
              "another lane of its warp waits here", there.kernel)],
        "all lanes of a warp have to come to the same barrier", is_of_pair=True,
    )  # fmt: skip


def _twice(sanitizer: Knowledge, report: SanReport) -> Finding:
    phase = report.extra
    used = _used(sanitizer, report)
    name = f"mbarrier {used.element}" if used.element else "an mbarrier"
    return _by(
        sanitizer, report,
        f"a wait for phase {phase} of {name} (parity {phase & 1}), which this thread has waited "
        f"for before: the mbarrier is in phase {phase + 1}, of which that says nothing",
        "the parity has to change with each phase",
    )  # fmt: skip


def _apart(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    lane, name = report.extra % 32, sanitizer.texts.name(site)
    did = f"{first.text()}, lane {report.agent % 32} of its warp, waits here"
    return Finding(
        _kind(report),
        f"lanes of one warp execute {name} at two places: what they get of one another is "
        "undefined",
        [first.side(site, did, name), _there(sanitizer, report, f"lane {lane} waits here")],
        "the mask has to name the lanes that execute it, and no others",
    )


def _unfinished(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    did = f"{first.text()} used them"
    return Finding(
        _kind(report), "results of a product of matrices are used before its group has been waited "
        "for",
        [first.side(site, did, sanitizer.texts.name(site)),
         _there(sanitizer, report, "the product")],
        "no nvvm.wgmma.wait.group.sync.aligned of the product's group between",
    )  # fmt: skip


def _initialized(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    name, used = sanitizer.texts.name(site), _used(sanitizer, report)
    what = f"mbarrier {used.element}" if used.element else "an mbarrier"
    return Finding(
        _kind(report), f"{name} of {what} that is one already",
        [first.side(site, f"{first.text()} did {name}", name),
         _there(sanitizer, report, "it was initialized here")],
        "nvvm.mbarrier.inval has to end the one before",
    )  # fmt: skip


def _uninitialized_barrier(sanitizer: Knowledge, report: SanReport) -> Finding:
    first, site = _first(sanitizer, report)
    name, used = sanitizer.texts.name(site), _used(sanitizer, report)
    what = f"mbarrier {used.element}" if used.element else "an mbarrier"
    sides = [first.side(site, f"{first.text()} did {name}", name)]
    if report.other_site:
        sides.append(_there(sanitizer, report, "it was invalidated here"))
    return Finding(
        _kind(report), f"{name} of {what} that is not initialized", sides,
        "nvvm.mbarrier.init has to come before, and a barrier behind it for other threads",
    )  # fmt: skip


def _there(sanitizer: Knowledge, report: SanReport, did: str) -> Side:
    """The other operation of a report."""
    site = sanitizer.site(report.other_site)
    return Side.of(sanitizer.texts, site, did)


_ENDS = (
    ("read", "no nvvm.cp.async.bulk.wait_group in the thread that asked for it, before it exits"),
    ("write", "no wait for the phase of its mbarrier before the block ends"),
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
    side = other.side(site, f"{other.text()} did it", sanitizer.texts.name(site))
    return Finding(_kind(report), message, [side], hint)


def _unfenced(sanitizer: Knowledge, report: SanReport) -> Finding:
    return _by(
        sanitizer, report, "a product of matrices with no wgmma.fence before it",
        "the first one needs nvvm.wgmma.fence.aligned, and each one behind a change of its "
        "registers",
    )  # fmt: skip


_WORDS = {
    "OUTSIDE": _outside, "BEYOND": _beyond, "WILD": _wild, "FREED": _freed,
    "MISALIGNED": _misaligned, "HOST_SPACE": _host_space, "RACE": _race, "PROXY": _proxy,
    "SCOPE": _scope, "WIDTHS": _widths, "UNWRITTEN": _unwritten, "POISONED": _poisoned,
    "DIVERGED": _diverged, "TWICE": _twice, "DEVICE_SPACE": _device_space, "UNFENCED": _unfenced,
    "UNEVEN": _uneven, "CONSTANT": _constant, "NO_BLOCK": _no_block,
    "ENDED": _ended, "NOT_ALLOCATED": _not_allocated, "APART": _apart,
    "INITIALIZED": _initialized, "UNINITIALIZED_BARRIER": _uninitialized_barrier,
    "UNFINISHED": _unfinished, "HEAP_FREED": _heap_freed,
    "HEAP_FREE": _heap_free,
}  # fmt: skip


# -- what Python has found


def copy_finding(
    sanitizer: Knowledge,
    name: str,
    location: str | None,
    address: int,
    size: int,
    does: str,
    found: Allocation,
) -> Finding:
    """A copy or fill that does not fit."""
    what = _FILL.get(name, name)
    if found.ended:
        message = f"a {what} {does} {bytes_text(size)} in memory that has been released"
        freed = sanitizer.texts.shown(found.freed_location)
        sides = [Side(freed, "gpu.dealloc", "it was released here")]
    else:
        over = address + size - found.address - found.size
        message = (
            f"a {what} {does} {bytes_text(size)}, {bytes_text(over)} over the end of an "
            f"allocation of {bytes_text(found.size)}"
        )
        sides: list[Side] = []
    own = Side(sanitizer.texts.shown(location), name, f"the host's {what}")
    return Finding("memory", message, [own, *sides, _made(sanitizer, found)])


def refused_finding(
    sanitizer: Knowledge, why: str, location: str | None, found: Allocation | None
) -> Finding:
    """A release of what cannot be released; `found` is the last allocation at that address."""
    sides = [Side(sanitizer.texts.shown(location), "gpu.dealloc", "the release")]
    if found is not None and found.ended:
        freed = sanitizer.texts.shown(found.freed_location)
        sides.append(Side(freed, "gpu.dealloc", "it was released here for the first time"))
    if found is not None:
        sides.append(_made(sanitizer, found))
    return Finding("memory", why, sides)


def unwritten_copy_finding(
    sanitizer: Knowledge, name: str, location: str | None, size: int, missing: int, begin: int,
    found: Allocation,
) -> Finding:  # fmt: skip
    """A copy to the host of what nothing has written; `begin` is where that begins."""
    who = "numpy()" if name == "numpy" else "a copy to the host"
    part = "nothing of which has been written"
    if missing < size:
        at = begin - found.address
        part = (
            f"of which {bytes_text(missing)} nothing has written: "
            f"the first at byte {at} of {bytes_text(found.size)}"
        )
    own = Side(sanitizer.texts.shown(location), name, f"{who} reads device memory")
    message = f"{who} of {bytes_text(size)}, {part}"
    return Finding("init", message, [own, _made(sanitizer, found)])


def leak_findings(
    sanitizer: Knowledge, objects: dict[int, tuple[str, str | None]]
) -> list[Finding]:
    """What is still alive at the end."""
    found: list[Finding] = []
    shown = sanitizer.texts.shown
    for a in sanitizer.allocations.values():
        if not a.ended and a.kind in ("device", "managed"):
            message = f"{bytes_text(a.size)} of device memory are never released"
            found.append(Finding("leak", message, [_made_at(shown(a.location), "gpu.alloc")]))
    for what, location in objects.values():
        article = "an" if what[0] in "aeiou" else "a"
        message = f"{article} {what} is never destroyed"
        found.append(Finding("leak", message, [_made_at(shown(location), what)]))
    return found


def _made_at(location: str, operation: str) -> Side:
    """Who has made what leaks: a program in machine code does not say where."""
    return Side(location, operation, "made here" if location else "")
