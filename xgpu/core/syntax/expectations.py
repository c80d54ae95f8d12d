# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--verify-diagnostics`: comments that say which diagnostics a text must cause.

    // expected-error@+1 {{substring of the message}}
    // expected-note-re@below {{with a {{regular|expression}} in it}}

Lines: none (this one), `@+n`, `@-n`, `@above` and `@below` (the nearest line that holds no such
comment), `@unknown` (a diagnostic without a location).
"""

from __future__ import annotations

import re

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from xgpu.core.ir.errors import Diagnostic
from xgpu.core.ir.locations import source_location

_PATTERN = re.compile(
    r"expected-(error|note|remark|warning)(-re)? *"
    r"(@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}"
)


class Expectation:
    """One expected diagnostic; `line` is 0 for one without a location."""

    __slots__ = ("column", "found", "line", "pattern", "severity", "text", "written")

    def __init__(self, severity: str, text: str, line: int, written: int, column: int) -> None:
        self.severity = severity
        self.text = text
        self.line = line
        self.written = written
        self.column = column
        self.pattern: re.Pattern[str] | None = None
        self.found = False

    def matches(self, message: str) -> bool:
        if self.pattern is not None:
            return self.pattern.search(message) is not None
        return self.text in message


def expectations(text: str) -> list[Expectation]:
    """The expectations that a text holds."""
    found: list[Expectation] = []
    waiting: list[Expectation] = []
    last_plain = 0
    for number, line in enumerate(text.splitlines(), start=1):
        match = _PATTERN.search(line) if "expected-" in line else None
        if match is None:
            last_plain = number
            for expectation in waiting:
                expectation.line = number
            waiting.clear()
            continue
        severity, is_regex, _, which, message = match.groups()
        expectation = Expectation(severity, message, number, number, match.start() + 1)
        if is_regex:
            expectation.pattern = _regex(message)
        if which is None:
            # A comment behind code: the line is one that `@above` and `@below` may mean.
            if line[: match.start()].strip(" /"):
                last_plain = number
        elif which == "unknown":
            expectation.line = 0
        elif which == "above":
            expectation.line = last_plain
        elif which == "below":
            waiting.append(expectation)
        else:
            expectation.line = number + int(which)
        found.append(expectation)
    return found


def _regex(text: str) -> re.Pattern[str]:
    """A message in which `{{...}}` are regular expressions."""
    pieces: list[str] = []
    at = 0
    while (start := text.find("{{", at)) >= 0:
        end = text.find("}}", start)
        if end < 0:
            break
        pieces.append(re.escape(text[at:start]))
        pieces.append(f"({text[start + 2 : end]})")
        at = end + 2
    pieces.append(re.escape(text[at:]))
    return re.compile("".join(pieces))


def check(
    text: str, filename: str, diagnostics: list[Diagnostic], *, only_expected: bool = False
) -> list[Diagnostic]:
    """Diagnostics for what was not expected, and for what was and did not come."""
    wanted = expectations(text)
    by_line: dict[int, list[Expectation]] = {}
    for expectation in wanted:
        by_line.setdefault(expectation.line, []).append(expectation)
    complaints: list[Diagnostic] = []
    for diagnostic in diagnostics:
        for one in (diagnostic, *diagnostic.notes):
            if one.message.startswith("see current operation:"):
                continue
            location = one.location if one.location is not None else diagnostic.location
            found = source_location(location)
            line = 0 if found is None else found.line
            if found is not None and found.file != filename:
                candidates: list[Expectation] = []
            else:
                candidates = by_line.get(line, [])
            # As in mlir-opt one expectation takes all that it matches, however often that comes.
            for expectation in candidates:
                if expectation.severity == one.severity and expectation.matches(one.message):
                    expectation.found = True
                    break
            else:
                if not only_expected and not one.is_hint:
                    complaints.append(
                        Diagnostic("error", f"unexpected {one.severity}: {one.message}", location)
                    )
    for expectation in wanted:
        if not expectation.found:
            location = FileLineColLoc(
                StringAttr(filename), IntAttr(expectation.written), IntAttr(expectation.column)
            )
            message = f'expected {expectation.severity} "{expectation.text}" was not produced'
            complaints.append(Diagnostic("error", message, location))  # pyright: ignore
    return complaints
