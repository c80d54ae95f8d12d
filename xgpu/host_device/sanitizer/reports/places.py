# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the address of a report lies, and what the program's text calls that element."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xgpu.host_device.sanitizer.instrument.records import CODE_NAMES
from xgpu.host_device.sanitizer.reports.actors import bytes_text, is_of_mbarrier

if TYPE_CHECKING:
    from xgpu.host_device.sanitizer.instrument.record_classes import SanReport
    from xgpu.host_device.sanitizer.instrument.sites import Site
    from xgpu.host_device.sanitizer.reports.knowledge import Knowledge
    from xgpu.host_device.sanitizer.reports.program_text import Buffer

_WRITE, _ATOMIC = 1, 2
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
    writes = bool(flags & _WRITE) or site.name == "llvm.store"
    mbarrier = is_of_mbarrier(site) or ("cp.async" in site.name and bool(flags & _ATOMIC))
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
