# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics: collecting them while a tool works, and showing them as mlir-opt does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from xgpu.errors import Diagnostic

_collectors: list[list[Diagnostic]] = []


def emit(diagnostic: Diagnostic) -> None:
    """Says something that is no reason to stop: a warning or a remark."""
    if _collectors:
        _collectors[-1].append(diagnostic)


@contextmanager
def collect() -> Iterator[list[Diagnostic]]:
    """Collects what is emitted inside."""
    found: list[Diagnostic] = []
    _collectors.append(found)
    try:
        yield found
    finally:
        _collectors.remove(found)


def render(diagnostic: Diagnostic, sources: Mapping[str, str]) -> str:
    """`file:line:col: error: message`, the line and a caret, then the notes."""
    from xgpu.text.locations import place_of

    lines: list[str] = []
    for d in (diagnostic, *diagnostic.notes):
        place = place_of(d.location) if d.location is not None else None
        at = f"{place[0]}:{place[1]}:{place[2]}" if place is not None else "<unknown>:0"
        lines.append(f"{at}: {d.severity}: {d.message}")
        if place is not None and place[0] in sources:
            text = sources[place[0]].splitlines()
            if 0 < place[1] <= len(text):
                lines += [text[place[1] - 1], " " * (place[2] - 1) + "^"]
    return "\n".join(lines)
