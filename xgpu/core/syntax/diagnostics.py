# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics: collecting them, and writing them as mlir-opt does.

Warnings and remarks are `emit`ted while work goes on and gathered by `collect`;
errors travel as `DiagnosticError`. The engine of `--verify-diagnostics` is in `expectations`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.errors import Diagnostic
from xgpu.core.ir.locations import SourceLoc, SourceLocation, callers_of, source_location
from xgpu.core.ir.source import Source

_collectors: list[list[Diagnostic]] = []


def emit(diagnostic: Diagnostic) -> None:
    """Reports a diagnostic and goes on; to standard error outside of `collect`."""
    if _collectors:
        _collectors[-1].append(diagnostic)
    else:
        sys.stderr.write(render(diagnostic) + "\n")


@contextmanager
def collect() -> Generator[list[Diagnostic]]:
    """The list that gathers what is emitted within."""
    found: list[Diagnostic] = []
    _collectors.append(found)
    try:
        yield found
    finally:
        # By identity: another list may hold the same.
        _collectors[:] = [other for other in _collectors if other is not found]


#: A note shows this many lines of an operation in full; of a longer one not what is inside.
NOTE_LINES = 20

#: A line of a note is cut after so many characters.
NOTE_WIDTH = 1000


def current_operation_note(diagnostic: Diagnostic) -> Diagnostic | None:
    """`see current operation: ...` for what an operation reported, as mlir-opt adds it: in generic
    form for an error, as it may be invalid. What is inside of a long operation is left out."""
    op = diagnostic.op
    if op is None:
        return None
    from xgpu.core.syntax.printer import print_op

    skip = _has_more_operations(op, NOTE_LINES)
    generic = diagnostic.severity == "error"
    text = print_op(op, generic=generic, local_scope=True, skip_regions=skip, elide_elements=16)
    lines = [f"{n[:NOTE_WIDTH]}..." if len(n) > NOTE_WIDTH else n for n in text.split("\n")]
    # An operation of several lines begins on a line of its own.
    space = "\n" if len(lines) > 1 else ""
    text = "\n".join(lines)
    return Diagnostic("note", f"see current operation: {space}{text}", diagnostic.location)


def _has_more_operations(op: Operation, limit: int) -> bool:
    """Whether there are more than `limit` operations in `op`; looks at no more of them."""
    return any(count > limit for count, _ in enumerate(op.walk()))


def render(
    diagnostic: Diagnostic,
    sources: Mapping[str, str | Source] | None = None,
    *,
    operation: bool = True,
    color: bool = False,
) -> str:
    """A diagnostic with its source line, the callers of its location, and its notes.

    `sources` are the texts that locations may name; others are the ones that were read, or files.
    With `operation` a note shows the operation that reported it. `color` is for terminals.

    An operation without a location is where what it is in is. Where that is a file without a line,
    as of a module from LLVM IR, the message names the file alone. MLIR's own messages about a file
    keep MLIR's form, `file:0:0`.
    """
    texts = _Texts(sources or {})
    location = diagnostic.location
    op = diagnostic.op
    inherits = op is not None and isinstance(op.location, UnknownLoc)

    def message(
        severity: str, words: str, where: Attribute | None, show_source: bool = True
    ) -> str:
        may_lack_line = inherits and where is location
        return _message(severity, words, where, texts, show_source, color, may_lack_line)

    lines = [message(diagnostic.severity, diagnostic.message, location)]
    last = location
    for last in callers_of(location):
        lines.append(message("note", "called from", last))
    notes = list(diagnostic.notes)
    current = current_operation_note(diagnostic) if operation else None
    if current is not None:
        notes.insert(0, current)
    for note in notes:
        show = note.location is not None and note.location is not last and note.location != last
        lines.append(message("note", note.message, note.location or location, show))
        if note.location is not None:
            last = note.location
    return "\n".join(lines)


def with_source_line(text: str, sources: Mapping[str, str | Source]) -> str:
    """A message `file:line:column: error: ...` with the line of the source behind its first line;
    as it is where it names no such location."""
    match = re.match(_PLACE, text)
    if match is None:
        return text
    texts = _Texts(sources)
    found = SourceLocation(match[1], int(match[2]), int(match[3]))
    line = texts.line(found.file, found.line)
    if line is None:
        return text
    file, number, column, line = _in_literal(texts, found, line)
    first, newline, rest = text[match.end(3) :].partition("\n")
    assert line is not None
    head = f"{file}:{number}:{column}{first}"
    return f"{head}\n{_expand(line)}\n{_caret(line, column)}{newline}{rest}"


#: Compiled when there is something to say: every run imports this file.
_PLACE = r"(.+?):([0-9]+):([0-9]+): (?:error|warning|note): "


class _Texts:
    """The texts of files by name."""

    def __init__(self, known: Mapping[str, str | Source]) -> None:
        self.known: dict[str, Source | None] = {
            name: text if isinstance(text, Source) else Source(text, name)
            for name, text in known.items()
        }

    def add(self, source: Source) -> None:
        """A text that a location knows."""
        self.known.setdefault(source.filename, source)

    def line(self, filename: str, number: int) -> str | None:
        if filename not in self.known:
            self.known[filename] = _read(filename)
        source = self.known[filename]
        return None if source is None else source.line(number)


def _read(filename: str) -> Source | None:
    if not os.path.isfile(filename):
        return None
    try:
        with open(filename, encoding="utf-8", errors="surrogateescape") as file:
            return Source(file.read(), filename)
    except OSError:
        return None


def _message(
    severity: str,
    message: str,
    location: Attribute | None,
    texts: _Texts,
    show_source: bool,
    color: bool,
    may_lack_line: bool,
) -> str:
    paint = _paint if color else _plain
    found = source_location(location)
    if found is None:
        if location is not None and not isinstance(location, UnknownLoc):
            from xgpu.core.syntax.printer import attribute_text

            message = f"{attribute_text(location)}: {message}"
        return paint("<unknown>:0:", severity, message)
    filename, line, column = found
    if isinstance(location, SourceLoc):
        texts.add(location.source)
    text = texts.line(filename, line) if show_source and line else None
    filename, line, column, text = _in_literal(texts, found, text)
    place = f"{filename}:{line}:{column}:" if line or not may_lack_line else f"{filename}:"
    head = paint(place, severity, message)
    if text is None:
        return head
    caret = _caret(text, column)
    return f"{head}\n{_expand(text)}\n{_green(caret) if color else caret}"


def _in_literal(
    texts: _Texts, found: SourceLocation, text: str | None
) -> tuple[str, int, int, str | None]:
    """A location and its line, as the Python file has them in which the text is a literal."""
    source = texts.known.get(found.file)
    literal = source.literal() if source is not None else None
    if literal is None:
        return found.file, found.line, found.column, text
    file, line, column = literal.place(found.line, found.column)
    indented = None if text is None else " " * (column - found.column) + text
    return file, line, column, indented


def _plain(location: str, severity: str, message: str) -> str:
    return f"{location} {severity}: {message}"


#: What LLVM paints the words of a severity with: bold red, magenta, blue, black.
_COLORS = {"error": "0;1;31", "warning": "0;1;35", "remark": "0;1;34", "note": "0;1;30"}


def _paint(location: str, severity: str, message: str) -> str:
    """As LLVM's source manager writes to a terminal."""
    word = f"\x1b[{_COLORS[severity]}m{severity}: \x1b[0m"
    return f"\x1b[1m{location} \x1b[0m{word}\x1b[1m{message}\x1b[0m"


def _green(caret: str) -> str:
    return f"\x1b[0;1;32m{caret}\x1b[0m"


def _expand(line: str) -> str:
    """The line with tabs as spaces, stops at multiples of eight, as LLVM shows it."""
    return line.rstrip("\r\n").expandtabs(8)


def _caret(line: str, column: int) -> str:
    before = line.encode("utf-8", "surrogateescape")[: column - 1].decode("utf-8", "replace")
    return " " * len(before.ljust(column - 1 if before.isascii() else 0).expandtabs(8)) + "^"


def check_expected(
    text: str,
    filename: str,
    diagnostics: list[Diagnostic],
    *,
    only_expected: bool = False,
) -> list[Diagnostic]:
    """What `--verify-diagnostics` complains about: see `xgpu.core.syntax.expectations`."""
    from xgpu.core.syntax.expectations import check

    return check(text, filename, diagnostics, only_expected=only_expected)
