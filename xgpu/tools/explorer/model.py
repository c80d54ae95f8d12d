# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an explorer page shows, as data: texts of IR, the passes between them, device code, a run.

A line of IR knows the number of its operation and its location. Numbers stay with operations
through all passes; an operation that replaces another one has its location. `Exploration.to_json`
is what the page reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, NamedTuple

from xgpu.core.ir.locations import SourceLocation

#: Of the JSON in the page.
FORMAT = 1

#: For a line without an operation or without a location.
NONE = -1

#: Strings, comments, and as the first group names of values and blocks. The page has the same.
NAMES = re.compile(r'"(?:[^"\\]|\\.)*"|//.*|(%[\w.$-]+(?:#\d+)?|\^bb\d+)', re.ASCII)


class Line(NamedTuple):
    """A line of IR: its operation's number, the index of its location, and for each name of a
    value or a block in it (`NAMES`) the number of what it names, `~number` where the line defines
    it."""

    text: str
    operation: int
    location: int
    named: tuple[int, ...] = ()


class Change(NamedTuple):
    """Lines `[before_begin, before_end)` became `[after_begin, after_end)`.

    `kind` is "equal", which includes lines in which only numbers of values differ, "changed" (as
    many lines on both sides, in pairs), "removed" or "added".
    """

    kind: str
    before_begin: int
    before_end: int
    after_begin: int
    after_end: int


@dataclass(slots=True)
class Step:
    """A pass that has changed something, or failed: its options, the operation that it ran on,
    and the texts before and after, by number."""

    name: str
    options: str
    scope: str
    seconds: float
    before: int
    after: int
    changes: list[Change]
    failed: bool = False

    @property
    def removed(self) -> int:
        """How many lines were removed or changed."""
        return sum(c.before_end - c.before_begin for c in self.changes if c.kind != "equal")

    @property
    def added(self) -> int:
        """How many lines were added or changed."""
        return sum(c.after_end - c.after_begin for c in self.changes if c.kind != "equal")


class CodeLine(NamedTuple):
    """A line of LLVM IR, PTX or SASS and the index of the location that it comes from."""

    text: str
    location: int


@dataclass(slots=True)
class KernelFacts:
    """What a kernel takes of a processor: registers a thread and bytes of spills, None without
    ptxas; bytes of static shared memory a block; and by threads of a block the part of a
    multiprocessor's threads that such blocks keep busy."""

    name: str
    registers: int | None
    spilled: int | None
    shared: int
    occupancy: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])


@dataclass(slots=True)
class DeviceCode:
    """A gpu.module for one target: LLVM IR as the back end gets it, PTX, SASS where there is a
    disassembler, and what each kernel takes. `problem` says why something is missing."""

    module: str
    target: str
    llvm: list[CodeLine] = field(default_factory=list[CodeLine])
    ptx: list[CodeLine] = field(default_factory=list[CodeLine])
    sass: list[CodeLine] = field(default_factory=list[CodeLine])
    kernels: list[KernelFacts] = field(default_factory=list[KernelFacts])
    problem: str = ""


@dataclass(slots=True)
class Tokens:
    """The token graph of the program as it was read: a picture (SVG), a text, and what
    `--explain-overlap` says."""

    picture: str
    text: str
    overlap: str


@dataclass(slots=True)
class Run:
    """What happened when the program ran: the timeline (SVG) and its operations, each with the
    numbers of those that it waited for, rows of `--report`, what the sanitizer found, the
    strategies of kernels on the host device, and with `--profile` their roofline (SVG)."""

    picture: str = ""
    events: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    report: list[list[str]] = field(default_factory=list[list[str]])
    findings: list[dict[str, Any]] | None = None
    strategies: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    roofline: str = ""


@dataclass(slots=True)
class Exploration:
    """All that a page shows. `unchanged` counts the passes that have changed nothing, which took
    `unchanged_seconds`; `sources` are texts by name; `final` is the number of the last text."""

    title: str
    sources: dict[str, str] = field(default_factory=dict[str, str])
    locations: list[SourceLocation] = field(default_factory=list[SourceLocation])
    texts: list[list[Line]] = field(default_factory=list[list[Line]])
    steps: list[Step] = field(default_factory=list[Step])
    unchanged: int = 0
    unchanged_seconds: float = 0.0
    final: int = NONE
    device_code: list[DeviceCode] = field(default_factory=list[DeviceCode])
    tokens: Tokens | None = None
    run: Run | None = None
    _indices: dict[SourceLocation, int] = field(default_factory=dict[SourceLocation, int])

    def location_index(self, location: SourceLocation | None) -> int:
        """The index of a location, which is added where it is new."""
        if location is None:
            return NONE
        index = self._indices.setdefault(location, len(self.locations))
        if index == len(self.locations):
            self.locations.append(location)
        return index

    def to_json(self) -> dict[str, Any]:
        """The data of the page. Strings stand once, and a text says how it differs from the one
        before it."""
        strings: dict[str, int] = {}
        files = {file: at for at, file in enumerate(dict.fromkeys(p.file for p in self.locations))}
        texts = list(_encoded_texts(self.texts, strings))
        device_code = [
            {
                **asdict(code),
                "llvm": _encoded_code(code.llvm, strings),
                "ptx": _encoded_code(code.ptx, strings),
                "sass": _encoded_code(code.sass, strings),
            }
            for code in self.device_code
        ]
        return {
            "format": FORMAT,
            "title": self.title,
            "sources": self.sources,
            "files": list(files),
            "locations": [[files[p.file], p.line, p.column] for p in self.locations],
            "strings": list(strings),
            "texts": texts,
            "steps": [
                {**asdict(step), "removed": step.removed, "added": step.added}
                for step in self.steps
            ],
            "unchanged": self.unchanged,
            "unchanged_seconds": self.unchanged_seconds,
            "final": self.final,
            "device_code": device_code,
            "tokens": None if self.tokens is None else asdict(self.tokens),
            "run": None if self.run is None else asdict(self.run),
        }


# -- Texts in the page


def _encoded_texts(
    texts: Sequence[Sequence[Line]], strings: dict[str, int]
) -> Iterator[list[list[Any]]]:
    """For each text the lines of the text before it that are replaced, `[begin, end, strings,
    operations, locations, names]`, from the top."""
    last: Sequence[Line] = ()
    for text in texts:
        edits: list[list[Any]] = []
        for begin, end, new_begin, new_end in _replaced(last, text):
            lines = text[new_begin:new_end]
            edits.append(
                [
                    begin,
                    end,
                    [strings.setdefault(line.text, len(strings)) for line in lines],
                    [line.operation for line in lines],
                    [line.location for line in lines],
                    [line.named for line in lines],
                ]
            )
        yield edits
        last = text


def _replaced(before: Sequence[Line], after: Sequence[Line]) -> Iterator[tuple[int, int, int, int]]:
    """The parts of `before` that are others in `after`."""
    at, new_at = 0, 0
    pairs = [(i, j) for i, j in _same_operations(before, after) if before[i] == after[j]]
    for i, j in [*pairs, (len(before), len(after))]:
        if i > at or j > new_at:
            yield at, i, new_at, j
        at, new_at = i + 1, j + 1


def _encoded_code(code: Sequence[CodeLine], strings: dict[str, int]) -> list[list[int]]:
    """Strings and locations of the lines."""
    return [
        [strings.setdefault(line.text, len(strings)) for line in code],
        [line.location for line in code],
    ]


# -- Differences

#: Lines that are no longer in an operation of both texts are compared by their words, up to so many
#: pairs.
_MOST_PAIRS = 250_000


def compare(before: Sequence[Line], after: Sequence[Line]) -> list[Change]:
    """What became of each line of `before`. Lines of one operation are compared with one another,
    others by their words."""
    changes: list[Change] = []
    at, new_at = 0, 0
    for i, j in [*_same_operations(before, after), (len(before), len(after))]:
        changes += _compared_by_words(before, after, at, i, new_at, j)
        if i < len(before):
            kind = "equal" if _is_equal(before[i], after[j]) else "changed"
            changes.append(Change(kind, i, i + 1, j, j + 1))
        at, new_at = i + 1, j + 1
    return _merged(changes)


def _is_equal(before: Line, after: Line) -> bool:
    """Whether a line is as it was: its values may have got other numbers."""
    if before.text == after.text:
        return True
    if before.operation != after.operation or before.named != after.named:
        return False
    return _without_names(before.text) == _without_names(after.text)


def _without_names(text: str) -> str:
    return NAMES.sub(lambda found: "%" if found[1] else found[0], text)


def _keys(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """The operation of each line, and which of its lines it is."""
    counts: dict[int, int] = {}
    keys: list[tuple[int, int]] = []
    for line in lines:
        number = counts.get(line.operation, 0)
        counts[line.operation] = number + 1
        keys.append((line.operation, number))
    return keys


def _same_operations(before: Sequence[Line], after: Sequence[Line]) -> list[tuple[int, int]]:
    """Pairs of lines of the same operations that stand in the same order: as many as there are,
    and of operations that changed places rather those whose lines are equal."""
    places = {key: at for at, key in enumerate(_keys(after)) if key[0] != NONE}
    pairs = [(i, j) for i, key in enumerate(_keys(before)) if (j := places.get(key)) is not None]
    if all(one[1] < other[1] for one, other in pairwise(pairs)):
        return pairs
    # The heaviest sequence of increasing places in `after`, with the heaviest one up to each place
    # in a Fenwick tree.
    size = len(after)
    heaviest = [(0, NONE)] * (size + 1)
    previous: list[int] = []
    for number, (i, j) in enumerate(pairs):
        at, found = j, (0, NONE)
        while at > 0:
            found = max(found, heaviest[at])
            at &= at - 1
        previous.append(found[1])
        entry = (found[0] + (3 if _is_equal(before[i], after[j]) else 2), number)
        at = j + 1
        while at <= size:
            heaviest[at] = max(heaviest[at], entry)
            at += at & -at
    chosen: list[tuple[int, int]] = []
    at, last = size, (0, NONE)
    while at > 0:
        last = max(last, heaviest[at])
        at &= at - 1
    number = last[1]
    while number != NONE:
        chosen.append(pairs[number])
        number = previous[number]
    chosen.reverse()
    return chosen


def _compared_by_words(
    before: Sequence[Line], after: Sequence[Line], begin: int, end: int, new_begin: int,
    new_end: int,
) -> Iterator[Change]:  # fmt: skip
    """The changes of a part without operations that are in both texts."""
    pairs = (end - begin) * (new_end - new_begin)
    if not 0 < pairs <= _MOST_PAIRS:
        yield Change("removed", begin, end, new_begin, new_begin)
        yield Change("added", end, end, new_begin, new_end)
        return
    old = [_without_names(line.text) for line in before[begin:end]]
    new = [_without_names(line.text) for line in after[new_begin:new_end]]
    for kind, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        a, b = begin + i, new_begin + j
        if kind != "equal":
            yield Change("removed", a, begin + i_end, b, b)
            yield Change("added", begin + i_end, begin + i_end, b, new_begin + j_end)
            continue
        for k in range(i_end - i):
            kind = "equal" if before[a + k].text == after[b + k].text else "changed"
            yield Change(kind, a + k, a + k + 1, b + k, b + k + 1)


def _merged(changes: Sequence[Change]) -> list[Change]:
    """Neighbours of one kind as one, without empty ones."""
    found: list[Change] = []
    for change in changes:
        if change.before_begin == change.before_end and change.after_begin == change.after_end:
            continue
        if found and found[-1].kind == change.kind:
            last = found[-1]
            found[-1] = Change(
                last.kind, last.before_begin, change.before_end, last.after_begin, change.after_end
            )
        else:
            found.append(change)
    return found
