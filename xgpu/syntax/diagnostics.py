# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics: collecting them, and writing them as mlir-opt does.

Warnings and remarks are `emit`ted while work goes on and gathered by whoever called `collect`;
errors travel as `DiagnosticError`. The engine of `--verify-diagnostics` is in `expectations`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from xdsl.dialects.builtin import CallSiteLoc, FusedLoc, NameLoc, UnknownLoc

from xgpu.ir.errors import Diagnostic
from xgpu.ir.locations import place_of
from xgpu.ir.source import Source

#: MLIR shows at most this many callers of a call site.
CALL_STACK_LIMIT = 10

_collectors: list[list[Diagnostic]] = []


def emit(diagnostic: Diagnostic) -> None:
    """Reports a diagnostic and goes on; to standard error if nobody collects."""
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
        _collectors.remove(found)


def current_operation_note(diagnostic: Diagnostic) -> Diagnostic | None:
    """`see current operation: ...` for an error that an operation reported, as mlir-opt adds it."""
    op = getattr(diagnostic, "op", None)
    if op is None:
        return None
    from xgpu.syntax.printer import print_op

    text = print_op(op, generic=True, local_scope=True)
    # An operation of several lines begins on a line of its own.
    space = "\n" if "\n" in text else ""
    return Diagnostic("note", f"see current operation: {space}{text}", diagnostic.location)


def render(diagnostic: Diagnostic, sources: Mapping[str, str | Source] | None = None) -> str:
    """A diagnostic with its source line, the callers of its place, and its notes.

    `sources` are the texts that locations may name; other files are read where they exist.
    """
    texts = _Texts(sources or {})
    location = diagnostic.location
    lines = [_message(diagnostic.severity, diagnostic.message, location, texts)]
    last = location
    call = _call_site(location)
    for _ in range(CALL_STACK_LIMIT):
        if call is None:
            break
        last = call.caller
        lines.append(_message("note", "called from", last, texts))
        call = _call_site(last)
    notes = list(diagnostic.notes)
    current = current_operation_note(diagnostic)
    if current is not None:
        notes.insert(0, current)
    for note in notes:
        show = note.location is not None and note.location != last
        lines.append(_message("note", note.message, note.location or location, texts, show))
        if note.location is not None:
            last = note.location
    return "\n".join(lines)


class _Texts:
    """The texts of files by name."""

    def __init__(self, known: Mapping[str, str | Source]) -> None:
        self.known: dict[str, Source | None] = {
            name: text if isinstance(text, Source) else Source(text, name)
            for name, text in known.items()
        }

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


def _call_site(location: Any) -> CallSiteLoc | None:
    if isinstance(location, NameLoc):
        return _call_site(location.location)
    if isinstance(location, CallSiteLoc):
        return location
    if isinstance(location, FusedLoc):
        for part in location.locations.data:  # pyright: ignore
            if (found := _call_site(part)) is not None:
                return found
    return None


def _message(
    severity: str, message: str, location: Any, texts: _Texts, show_source: bool = True
) -> str:
    place = place_of(location)
    if place is None:
        if location is not None and not isinstance(location, UnknownLoc):
            from xgpu.syntax.printer import attribute_text

            message = f"{attribute_text(location)}: {message}"
        return f"<unknown>:0: {severity}: {message}"
    filename, line, column = place
    head = f"{filename}:{line}:{column}: {severity}: {message}"
    text = texts.line(filename, line) if show_source and line else None
    if text is None:
        return head
    return f"{head}\n{_expand(text)}\n{_caret(text, column)}"


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
    """What `--verify-diagnostics` complains about: see `xgpu.syntax.expectations`."""
    from xgpu.syntax.expectations import check

    return check(text, filename, diagnostics, only_expected=only_expected)
