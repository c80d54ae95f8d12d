# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A text and its name, and the way from a position in it to a line and a column."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.core.support.literals import Literal

#: Between the chunks of a file that tools treat one by one; see `xgpu.tools.files.split_chunks`.
SPLIT_MARKER = "// -----"


class Source:
    """A named text. Splitting a file into pieces cuts off `line_offset` lines above a piece, and
    `before` from its first line."""

    __slots__ = ("_line_starts", "before", "filename", "line_offset", "text")

    def __init__(
        self, text: str, filename: str = "-", line_offset: int = 0, before: str = ""
    ) -> None:
        self.text = text
        self.filename = filename
        self.line_offset = line_offset
        self.before = before
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
            column = _bytes_of(text[start:position]) + 1
        if line == 1:
            column += _bytes_of(self.before)
        return line + self.line_offset, column

    def start(self) -> tuple[int, int]:
        """Line and column of what is around the text: where a piece begins, (0, 0) of a whole."""
        is_whole = not self.line_offset and not self.before
        return (0, 0) if is_whole else self.line_and_column(0)

    def in_place(self) -> str:
        """The text with blanks and empty lines in place of what was cut off."""
        return "\n" * self.line_offset + " " * _bytes_of(self.before) + self.text

    def literal(self) -> Literal | None:
        """If the text has no name, where it is a literal of the Python file that gave it, if it is:
        for messages only, for what is compiled does not depend on that file."""
        if self.filename != "-":
            return None
        from xgpu.core.support.literals import literal_of  # not for texts without a mistake

        return literal_of(self.text)

    def line(self, number: int) -> str | None:
        """The text of line `number` (counted from 1) without its end, or None if there is none."""
        number -= self.line_offset
        starts = self.line_starts
        if not 1 <= number <= len(starts):
            return None
        start = starts[number - 1]
        end = self.text.find("\n", start)
        found = self.text[start:] if end < 0 else self.text[start:end]
        return found if start else self.before + found


def _bytes_of(text: str) -> int:
    """The bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))
