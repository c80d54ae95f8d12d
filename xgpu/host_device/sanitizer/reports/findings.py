# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the sanitizer has found, where and by which agents: as text, JSON and SARIF."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from xgpu.host_device.abi.sanitizer_records import (
    BULK_AGENTS,
    CODE_NAMES,
    FLAG_ATOMIC,
    FLAG_WRITE,
)
from xgpu.host_device.abi.structs import ctypes_struct, size_of
from xgpu.host_device.device.operations import Communication
from xgpu.host_device.sanitizer.instrument.calls import Site, SiteTable

if TYPE_CHECKING:
    import ctypes

    from xgpu.host_device.abi.record_classes import SanReport
    from xgpu.host_device.sanitizer.reports.coverage import Coverage
    from xgpu.host_device.sanitizer.reports.program_text import Buffer, ProgramTexts


# -- Where the address of a report lies, and what the program's text calls that element.


#: Kinds of memory that a report's `allocation` stands for.
_PRIVATE, _TENSOR = -3, -4


class Place(NamedTuple):
    """An address: its offset in the buffer that holds it, None where that is not known; where that
    is a block's workgroup memory, the symbol of the variable there, and the offset in all of it."""

    offset: int | None
    symbol: str = ""
    in_block: int | None = None

    @classmethod
    def of(cls, sanitizer: Knowledge, report: SanReport) -> Place:
        """That of a report."""
        if CODE_NAMES[report.code] == "OUTSIDE":
            return cls(report.extra >> 32)
        if report.allocation == _PRIVATE:
            return cls(report.extra)
        if report.allocation == _TENSOR or not report.address:
            return cls(None)
        if report.offset >= 0:
            return cls.in_workgroup(sanitizer.site(report.site), report.offset)
        found = sanitizer.allocation(report.allocation)
        if found is None:
            found = sanitizer.allocation_at(report.address)
        return cls(None if found is None else report.address - found.address)

    @classmethod
    def in_workgroup(cls, site: Site, offset: int) -> Place:
        """A byte of a block's workgroup memory."""
        found = site.workgroup.at(offset) if site.workgroup is not None else None
        if found is None:
            return cls(None, "", offset)
        return cls(offset - found[1], found[0], offset)

    def offset_in(self, buffer: Buffer, site: Site) -> int | None:
        """The offset in what the text says that is used, which need not hold the address."""
        if self.in_block is None or site.workgroup is None:
            return self.offset
        begin = site.workgroup.offset_of(buffer.symbol)
        return self.offset if begin is None else self.in_block - begin


class Used:
    """What the operation at a site uses at a place: `element` is `%s[1, 3]`, empty where nothing is
    known of it; `argument` the kernel's argument that the buffer is, as the text calls it."""

    def __init__(self, sanitizer: Knowledge, place: Place, site: Site, flags: int) -> None:
        self._buffer = _buffer(sanitizer, place, site, flags)
        self.element = _element(sanitizer, self._buffer, place, site)

    @property
    def argument(self) -> str:
        buffer = self._buffer
        return buffer.name if buffer is not None and buffer.argument is not None else ""

    def text(self, size: int) -> str:
        """The element and the bytes that were used from it on, or the bytes alone."""
        if not self.element:
            return bytes_text(size)
        elements = self._buffer.elements if self._buffer is not None else None
        if elements is not None and size > elements.size:
            return f"{bytes_text(size)} at {self.element}"
        return f"{self.element} ({bytes_text(size)})"


def _buffer(sanitizer: Knowledge, place: Place, site: Site, flags: int) -> Buffer | None:
    from xgpu.host_device.sanitizer.reports.program_text import used_buffer, variable_of

    op = sanitizer.texts.operation_at(site)
    if op is None:
        return None
    writes = bool(flags & FLAG_WRITE) or site.name == "llvm.store"
    mbarrier = is_of_mbarrier(site) or ("cp.async" in site.name and bool(flags & FLAG_ATOMIC))
    found = used_buffer(op, writes=writes, mbarrier=mbarrier)
    if found is None and place.symbol:
        found = variable_of(op, place.symbol)
    return found


def _element(sanitizer: Knowledge, buffer: Buffer | None, place: Place, site: Site) -> str:
    from xgpu.host_device.sanitizer.reports.program_text import uses_memory

    if buffer is not None:
        offset = place.offset_in(buffer, site)
        return buffer.name if offset is None else buffer.element(offset)
    op = sanitizer.texts.operation_at(site)
    if op is not None and place.symbol and not uses_memory(op) and not op.name.startswith("llvm."):
        return f"the workgroup memory of {op.name}"
    return ""


# -- What is known of a run under the sanitizer: allocations, operations of the host, locations.


class Allocation:
    """Memory that kernels may use: where it was made, and released (None: it is alive)."""

    __slots__ = (
        "address", "ended", "freed_location", "kind", "location", "name", "number", "size",
    )  # fmt: skip

    def __init__(
        self, number: int, address: int, size: int, kind: str, location: str | None, name: str = ""
    ) -> None:
        self.number = number
        self.address = address
        self.size = size
        self.kind = kind
        self.location = location
        #: A variable's name.
        self.name = name
        self.freed_location: str | None = None
        self.ended = False


class HostOperation:
    """A launch, a copy, a fill or communication: its name and location, and for a launch its
    sizes; `whose` it is otherwise."""

    __slots__ = ("block", "grid", "is_launch", "location", "name", "whose")

    def __init__(self, name: str, location: str | None, what: object) -> None:
        self.name = name
        self.location = location
        record = getattr(what, "record", None)
        self.is_launch = record is not None
        self.whose = "the ranks'" if isinstance(what, Communication) else "the host's"
        self.block = self.grid = (1, 1, 1)
        if record is not None:
            self.block = (record.block_x, record.block_y, record.block_z)
            self.grid = (record.grid_x, record.grid_y, record.grid_z)


class Knowledge:
    """The tables that reports are written from."""

    def __init__(self) -> None:
        self.sites = SiteTable()
        #: By their numbers, without what kernels allocate themselves.
        self.allocations: dict[int, Allocation] = {}
        self.operations: dict[int, HostOperation] = {}
        #: The texts of what runs, by the names of their files.
        self.sources: dict[str, str] = {}
        self._texts: ProgramTexts | None = None

    @property
    def texts(self) -> ProgramTexts:
        """What the texts call things; read when there is something to report."""
        if self._texts is None:
            from xgpu.host_device.sanitizer.reports.program_text import ProgramTexts

            self._texts = ProgramTexts(self.sources)
        return self._texts

    def site(self, number: int) -> Site:
        return self.sites[number]

    def record(self, struct: str, address: int, index: int = 0) -> ctypes.Structure:
        """A record of native code."""
        return ctypes_struct(struct).from_address(address + index * size_of(struct))

    def allocation(self, number: int) -> Allocation | None:
        """An allocation by its number."""
        found = self.allocations.get(number)
        if found is not None or number < 0:
            return found
        state = self.record("SanState", sanitizer_state())
        record = self.record("SanAllocation", state.allocations, number)
        made = self.site(record.made_site).location if record.made_site else None
        return Allocation(number, record.begin, record.size, "heap", made)

    def allocation_at(self, address: int) -> Allocation | None:
        """The allocation that holds an address, the newest first."""
        for found in reversed(self.allocations.values()):
            if found.address <= address < found.address + found.size:
                return found
        return None


# -- Who took part in what the sanitizer reports, in words.


_FILL = {"memset": "fill", "memcpy": "copy", "free": "release", "alloc": "allocation"}
Dims = tuple[int, int, int]


def _unravel(index: int, sizes: Dims) -> Dims:
    x, y, _ = sizes
    return index % x, index // x % y, index // (x * y)


class Actor:
    """An agent of a context."""

    def __init__(self, sanitizer: Knowledge, context: int, agent: int) -> None:
        state = sanitizer.record("SanState", sanitizer_state())
        record = sanitizer.record("SanContext", state.contexts, context)
        self._texts = sanitizer.texts
        self.operation = sanitizer.operations.get(record.operation)
        self.block: Dims | None = None
        self.thread: Dims | None = None
        self.group = 0
        self.product_warp = -1
        if self.operation is None or not self.operation.is_launch:
            return
        count = self.operation.block[0] * self.operation.block[1] * self.operation.block[2]
        self.block = record.x, record.y, record.z
        self.group = min(agent // count, 4)
        self.product_warp = agent - 4 * count - BULK_AGENTS
        if self.group == 4 and self.product_warp >= 0:
            self.group = 5
        if self.group < 4:
            self.thread = _unravel(agent % count, self.operation.block)

    def text(self) -> str:
        """Who it was."""
        if self.operation is None:
            return "the program before"
        if self.block is None:
            return f"{self.operation.whose} {_FILL.get(self.operation.name, self.operation.name)}"
        block = f"block {dims_text(self.block)}"
        if self.group == 5:
            return f"a product of matrices of warp {self.product_warp} of {block}"
        if self.thread is None:
            return f"a bulk copy of {block}"
        thread = f"thread {dims_text(self.thread)} of {block}"
        return {0: thread, 1: f"cp.async of {thread}"}.get(self.group, f"a bulk copy of {thread}")

    def side(self, site: Site, did: str, name: str = "") -> Side:
        """Its part in a finding, at an operation that the text calls `name`."""
        if site.location or self.operation is None:
            return Side.of(self._texts, site, did, name or site.name, self.block, self.thread)
        location = self.operation.location or ""
        location = self._texts.shown(location)
        return Side(location, name or site.name, did, site.kernel, self.block, self.thread)

    @property
    def is_of_kernel(self) -> bool:
        return self.block is not None


def dims_text(dims: Dims) -> str:
    return "({}, {}, {})".format(*dims)


def sanitizer_state() -> int:
    from xgpu.host_device.sanitizer.reports.library import sanitizer_library

    return sanitizer_library().state


def is_of_mbarrier(site: Site) -> bool:
    return "mbarrier" in site.name and not site.name.startswith(("cp.", "nvvm.cp."))


def did_text(flags: int, site: Site, name: str = "", what: str = "") -> str:
    """What an operation did; `name` is what the text calls it, `what` the mbarrier or the memory
    that it used, empty where that is not known."""
    if is_of_mbarrier(site):
        return f"did {name or site.name}" + (f" of {what}" if what else "")
    if "cp.async" in site.name and flags & FLAG_ATOMIC:
        return "arrived at " + (what or "the mbarrier")
    # A plain write that the thread's own atomic one has hidden is kept as one that has read.
    verb = "wrote" if flags & FLAG_WRITE or site.name == "llvm.store" else "read"
    verb = f"atomically {verb}" if flags & FLAG_ATOMIC else verb
    return f"{verb} {what}" if what else verb


def bytes_text(count: int) -> str:
    return f"{count} byte" if count == 1 else f"{count} bytes"


class Side:
    """Who took part: an operation of a thread, a copy, or the host, and what it did. `buffer` is
    the element that it used, as the program's text calls it: `%s[1, 3]`, empty if not known."""

    __slots__ = (
        "block", "buffer", "callers", "column", "did", "file", "kernel", "line", "operation",
        "thread",
    )  # fmt: skip

    def __init__(
        self, location: str, operation: str, did: str, kernel: str = "",
        block: tuple[int, int, int] | None = None, thread: tuple[int, int, int] | None = None,
    ) -> None:  # fmt: skip
        self.file, self.line, self.column = split_location(location)
        self.operation = operation
        self.did = did
        self.kernel = kernel
        self.block = block
        self.thread = thread
        self.buffer = ""
        #: Where the function was called from that has become part of the kernel, and so on.
        self.callers: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, texts: ProgramTexts, site: Site, did: str, name: str = "",
        block: tuple[int, int, int] | None = None, thread: tuple[int, int, int] | None = None,
    ) -> Side:  # fmt: skip
        """That of the operation at a site, which the text calls `name`."""
        name = name or texts.name(site)
        side = cls(texts.shown(site.location), name, did, site.kernel, block, thread)
        side.callers = tuple(map(texts.shown, site.callers))
        return side

    @property
    def location(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.file else ""

    def to_json(self) -> dict[str, object]:
        return {
            "file": self.file, "line": self.line, "column": self.column,
            "operation": self.operation, "did": self.did, "kernel": self.kernel,
            "block": self.block, "thread": self.thread, "buffer": self.buffer,
            "callers": list(self.callers),
        }  # fmt: skip


class Finding:
    """One mistake: `kind` is memory, race, sync, init or leak; `sides` who took part, the one that
    is reported first; `hint` what would have made it right; `count` how often it was seen; `seed`
    of the first order of the program that showed it, 0 for the natural one."""

    __slots__ = (
        "count", "hint", "is_never_written", "is_of_pair", "kind", "message", "seed", "sides",
    )  # fmt: skip

    def __init__(
        self, kind: str, message: str, sides: Sequence[Side], hint: str = "", count: int = 1,
        *, is_of_pair: bool = False,
    ) -> None:  # fmt: skip
        self.kind = kind
        self.message = message
        self.sides = list(sides)
        self.hint = hint
        self.count = count
        #: Whether it is the same mistake with the first two sides exchanged.
        self.is_of_pair = is_of_pair or kind == "race"
        #: Of a read of what nothing has written: whether no write comes later, unordered, either.
        self.is_never_written = False
        self.seed = 0

    @property
    def file(self) -> str:
        return self.sides[0].file

    @property
    def line(self) -> int:
        return self.sides[0].line

    @property
    def column(self) -> int:
        return self.sides[0].column

    def key(self) -> tuple[object, ...]:
        """What is alike where the same mistake is seen again."""
        places = [(side.location, side.callers) for side in self.sides]
        return (self.kind, self.message, *places)

    def copy(self) -> Finding:
        """Another one, whose words and count can change."""
        made = copy.copy(self)
        made.sides = [copy.copy(side) for side in self.sides]
        return made

    def headline(self) -> str:
        """`FILE:LINE:COL: error: KIND: ...`"""
        location = self.sides[0].location
        text = f"error: {self.kind}: {self.message}"
        return f"{location}: {text}" if location else text

    def text(self, sources: Mapping[str, str] | None = None) -> str:
        """The report, with lines of the source: of `sources` by file, else from disk."""
        from xgpu.core.syntax.diagnostics import with_source_line

        known = dict(sources or {})
        parts = [with_source_line(f"{self.headline()}", known)]
        for number, side in enumerate(self.sides):
            note = f"note: {side.did}"
            if not side.did:
                continue
            if number == 0:
                parts.append(f"{side.location}: {note}" if side.location else note)
            elif side.location:
                parts.append(with_source_line(f"{side.location}: {note}", known))
            else:
                parts.append(note)
            parts += (with_source_line(f"{c}: note: called from", known) for c in side.callers)
        if self.hint:
            parts.append(f"note: {self.hint}")
        if self.seed:
            parts.append(f"note: in another order (--schedules=1 --seed={self.seed} replays it)")
        if self.count > 1:
            parts.append(f"note: seen {self.count} times")
        return "\n".join(part.rstrip("\n") for part in parts)

    def to_json(self) -> dict[str, object]:
        return {
            "kind": self.kind, "message": self.message, "hint": self.hint, "count": self.count,
            "seed": self.seed, "sides": [side.to_json() for side in self.sides],
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<Finding {self.headline()}>"


def split_location(location: str) -> tuple[str, int, int]:
    """`file:line:column` in parts; an empty file where it is not known."""
    if location.count(":") < 2:
        return "", 0, 0
    file, line, column = location.rsplit(":", 2)
    return file, int(line), int(column)


def as_json(findings: Sequence[Finding], coverage: Coverage | None = None) -> str:
    document: dict[str, object] = {"findings": [f.to_json() for f in findings]}
    if coverage is not None:
        document["watched"] = coverage.to_json()
    return json.dumps(document, indent=1) + "\n"


_RULES = {
    "memory": "An access outside of memory that may be used",
    "race": "Two accesses that nothing orders",
    "sync": "A barrier or wait that is used wrongly",
    "init": "A read of what nothing has written",
    "leak": "Something that is never given back",
}


def as_sarif(findings: Sequence[Finding], coverage: Coverage | None = None) -> str:
    """SARIF 2.1.0, as code reviews show it. What was watched is a property of the run."""
    from xgpu.version import __version__

    rules = [{"id": k, "shortDescription": {"text": text}} for k, text in _RULES.items()]
    driver = {"name": "xgpu-sanitizer", "version": __version__, "rules": rules}
    run: dict[str, object] = {
        "tool": {"driver": driver}, "results": [_result(f) for f in findings],
    }  # fmt: skip
    if coverage is not None:
        run["properties"] = {"watched": coverage.to_json()}
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(document, indent=1) + "\n"


def _result(finding: Finding) -> dict[str, object]:
    text = finding.message + (f" ({finding.hint})" if finding.hint else "")
    result: dict[str, object] = {
        "ruleId": finding.kind, "level": "error", "message": {"text": text},
        "occurrenceCount": finding.count,
        "locations": [_location(finding.sides[0])] if finding.file else [],
    }  # fmt: skip
    others = [s for s in finding.sides[1:] if s.file]
    if others:
        result["relatedLocations"] = [
            {"id": i, **_location(s), "message": {"text": s.did}} for i, s in enumerate(others)
        ]
    return result


def _location(side: Side) -> dict[str, object]:
    region = {"startLine": max(side.line, 1), "startColumn": max(side.column, 1)}
    return {"physicalLocation": {"artifactLocation": _artifact(side.file), "region": region}}


def _artifact(file: str) -> dict[str, object]:
    """A file as a URI: below the working directory relative to it, as code reviews want it."""
    path = Path(file)
    if not path.is_absolute():
        return {"uri": quote(file)}
    if path.is_relative_to(Path.cwd()):
        return {"uri": quote(str(path.relative_to(Path.cwd()))), "uriBaseId": "%SRCROOT%"}
    return {"uri": path.as_uri()}


#: Of findings at one place, those that may be the cause of others come first.
_CAUSES = ("memory", "sync", "race", "volatile", "init", "leak")


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in the order of the source."""
    return sorted(findings, key=lambda f: (f.file, f.line, f.column, _CAUSES.index(f.kind)))


#: How messages begin: threads are missing in a reduction of a block, or have gone around a barrier.
PART_OF_A_BLOCK = "part of a block executes an operation of the whole block"
LEFT_OUT = "a barrier that part of a block does not reach"


def distinct(found: list[Finding]) -> list[Finding]:
    """Findings without those that say of another one's mistake the same, or what follows from it;
    equal ones become one with the sum of their counts."""
    # What a race lets come too late is not missing; what nothing writes at all is.
    racing = {side.location for f in found if _is_late(f) for side in f.sides}
    found = [
        f for f in found
        if f.kind != "init" or f.is_never_written or f.sides[0].location not in racing
    ]  # fmt: skip
    found = _once_for_a_barrier(_once_for_a_pair(found))
    unique: dict[tuple[object, ...], Finding] = {}
    for finding in found:
        known = unique.setdefault(finding.key(), finding)
        if known is not finding:
            known.count += finding.count
    return list(unique.values())


def _is_late(finding: Finding) -> bool:
    """Whether a finding says why something is not written yet."""
    return finding.kind == "race" or finding.message.startswith(PART_OF_A_BLOCK)


def _once_for_a_barrier(found: list[Finding]) -> list[Finding]:
    """Where lanes of a warp wait apart at a barrier, that others have left it out says no more."""
    pairs = [f for f in found if f.is_of_pair and f.kind == "sync"]
    apart = {side.location for f in pairs for side in f.sides}
    return [
        f for f in found
        if not f.message.startswith(LEFT_OUT) or f.sides[0].location not in apart
    ]  # fmt: skip


def _once_for_a_pair(found: list[Finding]) -> list[Finding]:
    """Of two locations that race in either direction, or at which lanes of a warp wait for one
    another, one finding: at the later location."""
    kept: dict[object, Finding] = {}
    for number, finding in enumerate(found):
        locations = {side.location for side in finding.sides}
        pair = finding.is_of_pair and len(locations) > 1
        key = (finding.kind, frozenset(locations)) if pair else number
        other = kept.get(key)
        if other is None:
            kept[key] = finding
            continue
        first, second = sorted((other, finding), key=lambda f: (f.file, f.line, f.column))
        second.count += first.count
        kept[key] = second
    return list(kept.values())
