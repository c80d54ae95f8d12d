# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the sanitizer has found, for people (text), programs (JSON) and reviewers (SARIF)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence


class Side:
    """Who took part: an operation of a thread, a copy, or the host, and what it did. `buffer` is
    the element that it used, as the program's text calls it: `%s[1, 3]`, empty if not known."""

    __slots__ = (
        "block", "buffer", "column", "did", "file", "kernel", "line", "operation", "thread",
    )  # fmt: skip

    def __init__(
        self, location: str, operation: str, did: str, kernel: str = "",
        block: tuple[int, int, int] | None = None, thread: tuple[int, int, int] | None = None,
    ) -> None:  # fmt: skip
        self.file, self.line, self.column = split_location(location)
        self.operation = operation
        self.did = did
        self.kernel = kernel
        self.block = block
        self.thread = thread
        self.buffer = ""

    @property
    def location(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.file else ""

    def to_json(self) -> dict[str, object]:
        return {
            "file": self.file, "line": self.line, "column": self.column,
            "operation": self.operation, "did": self.did, "kernel": self.kernel,
            "block": self.block, "thread": self.thread, "buffer": self.buffer,
        }  # fmt: skip


class Finding:
    """One mistake: `kind` is memory, race, sync, init or leak; `sides` who took part, the one that
    is reported first; `hint` what would have made it right; `count` how often it was seen; `seed`
    of the first order of the program that showed it, 0 for the natural one."""

    __slots__ = ("count", "hint", "is_of_pair", "kind", "message", "seed", "sides")

    def __init__(
        self, kind: str, message: str, sides: Sequence[Side], hint: str = "", count: int = 1,
        *, is_of_pair: bool = False,
    ) -> None:  # fmt: skip
        self.kind = kind
        self.message = message
        self.sides = list(sides)
        self.hint = hint
        self.count = count
        #: Whether it is the same mistake with the first two sides exchanged.
        self.is_of_pair = is_of_pair or kind == "race"
        self.seed = 0

    @property
    def file(self) -> str:
        return self.sides[0].file

    @property
    def line(self) -> int:
        return self.sides[0].line

    @property
    def column(self) -> int:
        return self.sides[0].column

    def headline(self) -> str:
        """`FILE:LINE:COL: error: KIND: ...`"""
        location = self.sides[0].location
        text = f"error: {self.kind}: {self.message}"
        return f"{location}: {text}" if location else text

    def text(self, sources: Mapping[str, str] | None = None) -> str:
        """The report, with lines of the source: of `sources` by file, else from disk."""
        from xgpu.core.syntax.diagnostics import with_source_line

        known = dict(sources or {})
        parts = [with_source_line(f"{self.headline()}", known)]
        for number, side in enumerate(self.sides):
            note = f"note: {side.did}"
            if number == 0:
                parts.append(f"{side.location}: {note}" if side.location else note)
            elif side.location:
                parts.append(with_source_line(f"{side.location}: {note}", known))
            else:
                parts.append(note)
        if self.hint:
            parts.append(f"note: {self.hint}")
        if self.seed:
            parts.append(f"note: in another order (--schedules=1 --seed={self.seed} replays it)")
        if self.count > 1:
            parts.append(f"note: seen {self.count} times")
        return "\n".join(part.rstrip("\n") for part in parts)

    def to_json(self) -> dict[str, object]:
        return {
            "kind": self.kind, "message": self.message, "hint": self.hint, "count": self.count,
            "seed": self.seed, "sides": [side.to_json() for side in self.sides],
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<Finding {self.headline()}>"


def split_location(location: str) -> tuple[str, int, int]:
    """`file:line:column` in parts; an empty file where it is not known."""
    if location.count(":") < 2:
        return "", 0, 0
    file, line, column = location.rsplit(":", 2)
    return file, int(line), int(column)


def as_json(findings: Sequence[Finding]) -> str:
    return json.dumps({"findings": [f.to_json() for f in findings]}, indent=1) + "\n"


_RULES = {
    "memory": "An access outside of memory that may be used",
    "race": "Two accesses that nothing orders",
    "sync": "A barrier or wait that is used wrongly",
    "init": "A read of what nothing has written",
    "leak": "Something that is never given back",
}


def as_sarif(findings: Sequence[Finding]) -> str:
    """SARIF 2.1.0, as code reviews show it."""
    from xgpu.version import __version__

    rules = [{"id": k, "shortDescription": {"text": text}} for k, text in _RULES.items()]
    driver = {"name": "xgpu-sanitizer", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(f) for f in findings]}
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(document, indent=1) + "\n"


def _result(finding: Finding) -> dict[str, object]:
    text = finding.message + (f" ({finding.hint})" if finding.hint else "")
    result: dict[str, object] = {
        "ruleId": finding.kind, "level": "error", "message": {"text": text},
        "occurrenceCount": finding.count,
        "locations": [_location(finding.sides[0])] if finding.file else [],
    }  # fmt: skip
    others = [s for s in finding.sides[1:] if s.file]
    if others:
        result["relatedLocations"] = [
            {"id": i, **_location(s), "message": {"text": s.did}} for i, s in enumerate(others)
        ]
    return result


def _location(side: Side) -> dict[str, object]:
    region = {"startLine": max(side.line, 1), "startColumn": max(side.column, 1)}
    return {"physicalLocation": {"artifactLocation": {"uri": side.file}, "region": region}}
