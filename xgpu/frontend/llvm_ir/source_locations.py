# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where something of LLVM's own text stands in what the user wrote.

LLVM's text is what is read, and it has other lines than the file it came from. An instruction is
found again by what it says, inside of the function that it stands in; failing that, the function is
the location, and failing that, the file. Bitcode has no lines at all.
"""

from __future__ import annotations

import re
from functools import cached_property

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

_COMMENT = re.compile(r"\s*;.*$|,?\s*![\w.]+ !\d+|#\d+")


def _gist(line: str) -> str:
    """A line without what LLVM may write otherwise: blanks, comments, metadata, groups."""
    return re.sub(r"[\s,]+", "", _COMMENT.sub("", line))


class SourceLocations:
    """Finds locations in the file `name`, whose text is None for bitcode."""

    def __init__(self, name: str, text: str | None) -> None:
        self._name = name
        self._text = text

    def file(self) -> FileLineColLoc:
        return self._location(0, 0)

    def _location(self, line: int, column: int) -> FileLineColLoc:
        return FileLineColLoc(StringAttr(self._name), IntAttr(line), IntAttr(column))

    @cached_property
    def _lines(self) -> list[str]:
        return (self._text or "").split("\n")

    def find(self, text: str, token: int, line: str) -> FileLineColLoc:
        """The location of the token of LLVM's `text` that stands in `line`."""
        if self._text is None:
            return self.file()
        gist = _gist(line)
        start = self._function_line(text, token)
        for number in range(start, len(self._lines)):
            own = self._lines[number]
            if gist and _gist(own).startswith(gist):
                return self._location(number + 1, len(own) - len(own.lstrip()) + 1)
        return self._location(start + 1, 1) if start else self.file()

    def _function_line(self, text: str, token: int) -> int:
        """The line, counted from 0, of the function around the token; 0 if there is none."""
        from xgpu.frontend.llvm_ir.lexer import Cursor

        tokens = Cursor(text).tokens
        while token >= 0 and tokens[token] != "define":
            token -= 1
        while token >= 0 and tokens[token][:1] != "@":
            token += 1
        if token < 0:
            return 0
        pattern = re.compile(rf"\s*define\b.*{re.escape(tokens[token])}\s*\(")
        for number, line in enumerate(self._lines):
            if pattern.match(line):
                return number
        return 0
