# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What passes remark about the code that they optimize, as MLIR's remark engine has it.

A pass says what it has done, has not done, could not do or has found:

    remarks.passed(op.location, "Streams", "async-tokens", "uses two streams", streams=2)

Nothing happens unless remarks of that kind and category are `collected`. `xgpu-opt
--remarks-filter=.*` prints them or writes them to a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from xgpu.core.ir.locations import source_location

if TYPE_CHECKING:
    from xdsl.ir import Attribute

PASSED, MISSED, FAILED, ANALYSIS = "Passed", "Missed", "Failure", "Analysis"
KINDS = (PASSED, MISSED, FAILED, ANALYSIS)


class Remark(NamedTuple):
    """What a pass says. `arguments` are texts by their keys, in the order of a file."""

    kind: str
    name: str
    category: str
    function: str
    location: Attribute | None
    arguments: dict[str, str]

    def message(self) -> str:
        """The words of the diagnostic."""
        parts = [self.name]
        parts += [f"Category:{self.category}"] if self.category else []
        parts += [f"Function={self.function}"] if self.function else []
        found = ", ".join(f"{key}={_quoted(self.arguments[key])}" for key in sorted(self.arguments))
        return f"[{self.kind}] {' | '.join([*parts, found])}"

    def yaml(self) -> str:
        """A document as LLVM's serializer of remarks writes it."""
        lines = [
            f"--- !{self.kind}",
            _field("Pass", self.category),
            _field("Name", self.name),
            _place(self.location),
            _field("Function", self.function or "<unknown function>"),
        ]
        if self.arguments:
            lines.append("Args:")
            lines += [f"  - {_field(key, value)}" for key, value in self.arguments.items()]
        return "\n".join([*lines, "...\n"])


def _quoted(text: str) -> str:
    return f'"{text}"' if re.search("[ ,{}]", text) else text


# -- Collecting


class Collector:
    """What is told of remarks. `filters` are patterns of categories by kind, each of which is to
    match a whole category; an empty pattern matches none. With `is_final` the last of several
    remarks with a name, category and place counts, and is told at the end."""

    def __init__(
        self, filters: Mapping[str, str], tell: Callable[[Remark], None], *, is_final: bool = False
    ) -> None:
        self._filters = {kind: _pattern(text) for kind, text in filters.items() if text}
        self._tell = tell
        self._final: dict[tuple[object, ...], Remark] | None = {} if is_final else None

    def wants(self, kind: str, category: str) -> bool:
        """Whether remarks of a kind and category are told."""
        pattern = self._filters.get(kind)
        return pattern is not None and pattern.search(category) is not None

    def add(self, remark: Remark) -> None:
        """Takes a remark."""
        if self._final is None:
            self._tell(remark)
            return
        self._final[remark.name, remark.category, remark.location] = remark

    def finish(self) -> None:
        """Tells what has waited for the end."""
        for remark in (self._final or {}).values():
            self._tell(remark)


def _pattern(text: str) -> re.Pattern[str] | None:
    """A pattern for whole categories; None where it is none, as in MLIR."""
    stripped = text.strip()
    whole = text if stripped.startswith("^") and stripped.endswith("$") else f"^({text})$"
    try:
        return re.compile(whole)
    except re.error:
        return None


_collector: Collector | None = None


@contextmanager
def collected(collector: Collector) -> Generator[None]:
    """Remarks within are told to `collector`."""
    global _collector
    before, _collector = _collector, collector
    try:
        yield
    finally:
        _collector = before
        collector.finish()


# -- Saying something


def passed(
    location: Attribute | None, name: str, category: str, text: str, *, reason: str = "",
    suggestion: str = "", function: str = "", **metrics: object,
) -> None:  # fmt: skip
    """Remarks that an optimization `name` was done. `category` is what filters select by, mostly
    the name of the pass; `metrics` are further keys with values."""
    _say(PASSED, location, name, category, text, reason, suggestion, function, metrics)


def missed(
    location: Attribute | None, name: str, category: str, text: str, *, reason: str = "",
    suggestion: str = "", function: str = "", **metrics: object,
) -> None:  # fmt: skip
    """Remarks that an optimization was not done, and why."""
    _say(MISSED, location, name, category, text, reason, suggestion, function, metrics)


def failed(
    location: Attribute | None, name: str, category: str, text: str, *, reason: str = "",
    suggestion: str = "", function: str = "", **metrics: object,
) -> None:  # fmt: skip
    """Remarks that an optimization that was asked for could not be done."""
    _say(FAILED, location, name, category, text, reason, suggestion, function, metrics)


def analysis(
    location: Attribute | None, name: str, category: str, text: str, *, reason: str = "",
    suggestion: str = "", function: str = "", **metrics: object,
) -> None:  # fmt: skip
    """Remarks what was found out."""
    _say(ANALYSIS, location, name, category, text, reason, suggestion, function, metrics)


def _say(
    kind: str, location: Attribute | None, name: str, category: str, text: str, reason: str,
    suggestion: str, function: str, metrics: Mapping[str, object],
) -> None:  # fmt: skip
    if _collector is None or not _collector.wants(kind, category):
        return
    words = {"Remark": text, "Reason": reason, "Suggestion": suggestion}
    arguments = {key: value for key, value in words.items() if value}
    arguments |= {key: str(value) for key, value in metrics.items()}
    _collector.add(Remark(kind, name, category, function, location, arguments))


# -- YAML as LLVM writes it

#: The column behind which a flow mapping goes on in the next line, and that of values.
_WRAP = 70
_VALUES = 17


def _field(key: str, value: str) -> str:
    return f"{f'{key}: '.ljust(_VALUES)}{_scalar(value)}"


def _place(location: Attribute | None) -> str:
    found = source_location(location)
    file, line, column = ("<unknown file>", 0, 0) if found is None else found
    text = f"{'DebugLoc: '.ljust(_VALUES)}{{ "
    entries = (f"File: {_scalar(file)}", f"Line: {line}", f"Column: {column}")
    start = 0
    for number, entry in enumerate(entries):
        text += ", " if number else ""
        if len(text) - start > _WRAP:
            start = len(text) + 1
            text += "\n" + " " * (_VALUES + 2)
        text += entry
    return f"{text} }}"


_PLAIN = r"[A-Za-z0-9_^.][A-Za-z0-9_\-^.,\t ]*"
#: What a reader of YAML takes for something else than a text.
_WORDS = (
    r"~|null|Null|NULL|true|True|TRUE|false|False|FALSE"
    r"|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_ESCAPES = {
    "\\": "\\\\", '"': '\\"', "\0": "\\0", "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n",
    "\v": "\\v", "\f": "\\f", "\r": "\\r", "\x1b": "\\e",
}  # fmt: skip


def _scalar(text: str) -> str:
    """A text as a scalar: plain, in single quotes, or in double ones where it is to be escaped."""
    if any((c < " " and c != "\t") or c >= "\x7f" for c in text):
        return f'"{"".join(_escaped(c) for c in text)}"'
    is_plain = re.fullmatch(_PLAIN, text) is not None and not text[-1].isspace()
    if is_plain and re.fullmatch(_WORDS, text) is None:
        return text
    return "'" + text.replace("'", "''") + "'"


def _escaped(character: str) -> str:
    known = _ESCAPES.get(character)
    if known is not None:
        return known
    code = ord(character)
    if 0x20 <= code < 0x7F:
        return character
    if code < 0x80:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
