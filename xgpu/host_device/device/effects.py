# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an operation does, as traces show it and as the exploration of orders needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.host_device.device.memory import Memory

Range = tuple[int, int, bool]  # begin, end, whether it is written


class Effect:
    """What an operation does: `kind` is its category in traces."""

    kind = "host"

    def details(self) -> dict[str, object]:
        """What a trace tells besides name, place and times."""
        return {}

    def touches(self, memory: Memory) -> tuple[Range, ...]:
        """The ranges of memory that it may use, as far as they are known."""
        return ()

    def warnings(self) -> tuple[str, ...]:
        """What was seen while it ran that deserves a word."""
        return ()


class Transfer(Effect):
    """A copy, a fill (`width` bytes a value), an allocation or a release. A copy may have `rows`:
    how many, of how many bytes, and the bytes from one to the next in target and source."""

    __slots__ = ("count", "name", "rows", "source", "target", "width")
    kind = "memory"

    def __init__(
        self, name: str, target: int, source: int, count: int, width: int,
        rows: tuple[int, int, int, int] | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.target = target
        self.source = source
        self.count = count
        self.width = width
        self.rows = rows

    def parts(self) -> list[tuple[int, int, int]]:
        """Target, source and bytes of each of the pieces of memory."""
        if self.rows is None:
            return [(self.target, self.source, self.count * max(self.width, 1))]
        count, width, to, origin = self.rows
        return [(self.target + i * to, self.source + i * origin, width) for i in range(count)]

    def details(self) -> dict[str, object]:
        return {"bytes": self.count * max(self.width, 1)}

    def touches(self, memory: Memory) -> tuple[Range, ...]:
        size = self.count * max(self.width, 1)
        written = (self.target, self.target + size, True)
        if not self.source:
            return (written,)
        return written, (self.source, self.source + size, False)
