# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who took part in what the sanitizer reports, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.host_device.sanitizer.instrument.records import BULK_AGENTS
from xgpu.host_device.sanitizer.instrument.sites import Site
from xgpu.host_device.sanitizer.reports.findings import Side
from xgpu.host_device.sanitizer.reports.knowledge import Knowledge

if TYPE_CHECKING:
    from xgpu.host_device.sanitizer.reports.knowledge import HostOperation

_WRITE, _ATOMIC = 1, 2
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
        block = f"block {dims_text(self.block)}"
        if self.group == 5:
            return f"a product of matrices of warp {self.warp} of {block}"
        if self.thread is None:
            return f"a bulk copy of {block}"
        thread = f"thread {dims_text(self.thread)} of {block}"
        return {0: thread, 1: f"cp.async of {thread}"}.get(self.group, f"a bulk copy of {thread}")

    def side(self, site: Site, did: str, name: str = "") -> Side:
        """Its part in a finding, at an operation that the text calls `name`."""
        location = site.location
        if not location and self.operation is not None:
            location = self.operation.location or ""
        location = self._texts.shown(location)
        return Side(location, name or site.name, did, site.kernel, self.block, self.thread)

    @property
    def is_of_kernel(self) -> bool:
        return self.block is not None


def _is_launch(operation: HostOperation) -> bool:
    return operation.name not in ("memcpy", "memset", "free", "alloc", "gpu.dealloc", "code")


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
    if "cp.async" in site.name and flags & _ATOMIC:
        return "arrived at " + (what or "the mbarrier")
    # A plain write that the thread's own atomic one has hidden is kept as one that has read.
    verb = "wrote" if flags & _WRITE or site.name == "llvm.store" else "read"
    verb = f"atomically {verb}" if flags & _ATOMIC else verb
    return f"{verb} {what}" if what else verb


def bytes_text(count: int) -> str:
    return f"{count} byte" if count == 1 else f"{count} bytes"
