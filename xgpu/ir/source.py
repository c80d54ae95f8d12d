# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A text and its name, and the way from a position in it to a line and a column."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.support.literals import Literal


class Source:
    """A named text. `line_offset` is what splitting a file into pieces cut off above it."""

    __slots__ = ("_line_starts", "filename", "line_offset", "text")

    def __init__(self, text: str, filename: str = "-", line_offset: int = 0) -> None:
        self.text = text
        self.filename = filename
        self.line_offset = line_offset
        self._line_starts: list[int] | None = None

    @property
    def line_starts(self) -> list[int]:
        """The position of the first character of each line; found when first asked for."""
        starts = self._line_starts
        if starts is None:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._line_starts = starts
        return starts

    def line_and_column(self, position: int) -> tuple[int, int]:
        """Line and column, both counted from 1, the column in bytes of UTF-8 as LLVM counts."""
        starts = self.line_starts
        line = bisect_right(starts, position)
        start = starts[line - 1]
        column = position - start + 1
        text = self.text
        if not text.isascii():
            column = len(text[start:position].encode("utf-8", "surrogateescape")) + 1
        return line + self.line_offset, column

    def literal(self) -> Literal | None:
        """If the text has no name, where it is a literal of the Python file that gave it, if it is:
        for messages only, for what is compiled does not depend on that file."""
        if self.filename != "-":
            return None
        from xgpu.support.literals import literal_of  # not for texts without a mistake

        return literal_of(self.text)

    def line(self, number: int) -> str | None:
        """The text of line `number` (counted from 1) without its end, or None if there is none."""
        number -= self.line_offset
        starts = self.line_starts
        if not 1 <= number <= len(starts):
            return None
        start = starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]
