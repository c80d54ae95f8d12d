# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a program's text stands in a Python file: for messages about texts that have no name.

    KERNEL = \"\"\"
    gpu.module @m { ...          -> softmax.py:12:1
    \"\"\"
    module = xgpu.load(KERNEL)

`remember` notes which files called, which costs a few microseconds. The literal is looked for in
them only when there is something to say of it. A text that Python has computed is in none.
"""

from __future__ import annotations

import ast
import os
import sys
from typing import NamedTuple

#: Texts whose callers are remembered, and files of callers that are looked at.
MOST_TEXTS, MOST_FILES = 64, 4

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_callers: dict[str, tuple[str, ...]] = {}
_found: dict[str, Literal | None] = {}


class Literal(NamedTuple):
    """A text's place: the file, the line of its first line (from 1), and what stands before each
    of its lines there, in characters."""

    filename: str
    line: int
    offsets: tuple[int, ...]

    def place(self, line: int, column: int) -> tuple[str, int, int]:
        """File, line and column of a line and column of the text, all counted from 1."""
        offset = self.offsets[line - 1] if 0 < line <= len(self.offsets) else 0
        return self.filename, self.line + line - 1, column + offset


def remember(text: str) -> None:
    """Note which files call xgpu with a text."""
    if text in _callers:
        return
    files: dict[str, None] = {}
    frame = sys._getframe(1)
    while frame is not None and len(files) < MOST_FILES:
        name = frame.f_code.co_filename
        if not name.startswith(_PACKAGE):
            files[name] = None
        frame = frame.f_back
    while len(_callers) >= MOST_TEXTS:
        first = next(iter(_callers))
        del _callers[first]
        _found.pop(first, None)
    _callers[text] = tuple(files)


def literal_of(text: str) -> Literal | None:
    """Where a text that was remembered stands in the files of its callers; None if it does not, or
    not line by line."""
    files = _callers.get(text)
    if files is None:
        return None
    if text not in _found:
        _found[text] = next((found for name in files if (found := _find(text, name))), None)
    return _found[text]


def shown(text: str | None, location: str) -> str:
    """`file:line:column` in a text, as messages have it: of one without a name by the Python file
    in which it is a literal."""
    if text is None or not location.startswith("-:") or location.count(":") != 2:
        return location
    found = literal_of(text)
    if found is None:
        return location
    _, line, column = location.split(":")
    return "{}:{}:{}".format(*found.place(int(line), int(column)))


def _find(text: str, filename: str) -> Literal | None:
    import linecache

    lines = linecache.getlines(filename)  # it knows the cells of notebooks, too
    if not lines:
        return None
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):  # a notebook's magic, for one
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value == text and isinstance(node.value, str):
            offsets = _offsets(text, lines[node.lineno - 1 :], node.col_offset)
            if offsets is not None:
                return Literal(_shown(filename), node.lineno, offsets)
    return None


def _offsets(text: str, lines: list[str], begin: int) -> tuple[int, ...] | None:
    """What stands before each line of a text in lines of a file, the first of which it begins in;
    None where the lines are not those of the text."""
    found: list[int] = []
    own = text.split("\n")
    if own[-1] == "":
        own.pop()
    if len(own) > len(lines):
        return None
    for number, (line, there) in enumerate(zip(own, lines, strict=False)):
        at = there.find(line, begin if number == 0 else 0)
        if at < 0:
            return None
        found.append(at if line else 0)
    return tuple(found)


def _shown(filename: str) -> str:
    """A file's name for messages; of a notebook's cell what the notebook calls it."""
    if "IPython" not in sys.modules:
        return filename
    try:
        from IPython import get_ipython  # type: ignore[import-not-found]

        kind, name = get_ipython().compile.format_code_name(filename)
    except Exception:  # whatever an interactive shell lacks, the file's name will do
        return filename
    return f"{kind} {name}" if kind == "Cell" else filename
