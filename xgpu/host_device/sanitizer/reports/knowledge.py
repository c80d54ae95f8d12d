# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of a run under the sanitizer: allocations, operations of the host, locations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.host_device.compiler.structs import ctypes_struct, size_of
from xgpu.host_device.sanitizer.instrument.sites import Site, SiteTable

if TYPE_CHECKING:
    import ctypes

    from xgpu.host_device.sanitizer.reports.program_text import ProgramTexts


class Allocation:
    """Memory that kernels may use: where it was made, and released (None: it is alive)."""

    __slots__ = ("address", "ended", "freed_location", "kind", "location", "number", "size")

    def __init__(
        self, number: int, address: int, size: int, kind: str, location: str | None
    ) -> None:
        self.number = number
        self.address = address
        self.size = size
        self.kind = kind
        self.location = location
        self.freed_location: str | None = None
        self.ended = False


class HostOperation:
    """A launch, a copy or a fill: its name and location, and for a launch its sizes."""

    __slots__ = ("block", "grid", "location", "name")

    def __init__(self, name: str, location: str | None, what: object) -> None:
        self.name = name
        self.location = location
        record = getattr(what, "record", None)
        self.block = self.grid = (1, 1, 1)
        if record is not None:
            self.block = (record.block_x, record.block_y, record.block_z)
            self.grid = (record.grid_x, record.grid_y, record.grid_z)


class Knowledge:
    """The tables that reports are written from."""

    def __init__(self) -> None:
        self.sites = SiteTable()
        self.allocations: list[Allocation] = []
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
        return self.allocations[number] if 0 <= number < len(self.allocations) else None

    def allocation_at(self, address: int) -> Allocation | None:
        """The allocation that holds an address, the newest first."""
        for found in reversed(self.allocations):
            if found.address <= address < found.address + found.size:
                return found
        return None
