# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How text looks: colors of tokens, what folds, indentation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xgpu.tools.lsp.document import Chunk, Document, Record, Token

#: Kinds of tokens, of the protocol's; a token's kind is an index.
KINDS = (
    "variable", "parameter", "function", "keyword", "type", "macro", "label", "string", "number",
    "comment", "property",
)  # fmt: skip
#: Modifiers, as bits.
MODIFIERS = ("definition",)

_BUILTIN_TYPES = frozenset(
    ("index", "none", "memref", "tensor", "vector", "tuple", "complex", "bf16", "tf32")
)
_INDENT = 2


class Colored(NamedTuple):
    """A token: its offset in the chunk, its length, its kind, its modifiers."""

    start: int
    length: int
    kind: str
    modifiers: int = 0


def colored(chunk: Chunk) -> Iterator[Colored]:
    """The tokens of a chunk that have a kind, and its comments, in order."""
    names = {record.name_at for record in chunk.records}
    end = 0
    last = ""
    for index, token in enumerate(chunk.tokens):
        yield from _comments(chunk, end, token.start)
        kind, modifiers = _kind(chunk, index, token, last, names)
        if kind:
            yield Colored(token.start, len(token.text), kind, modifiers)
        end, last = token.end, token.text
    yield from _comments(chunk, end, len(chunk.text))


def _comments(chunk: Chunk, begin: int, end: int) -> Iterator[Colored]:
    """The comments between two tokens."""
    text = chunk.text
    at = text.find("//", begin, end)
    while at >= 0:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        yield Colored(at, len(text[at:stop].rstrip()), "comment")
        at = text.find("//", stop, end)


def _kind(chunk: Chunk, index: int, token: Token, last: str, names: set[int]) -> tuple[str, int]:
    text = token.text
    first = text[0]
    if token.start in names:
        return "keyword", 0
    if first == "%":
        found = chunk.definition(token)
        if found is None:
            return "variable", 0
        is_argument = bool(found.values) and not hasattr(found.values[0], "op")
        return "parameter" if is_argument else "variable", int(found.start == token.start)
    if first == "^":
        return "label", 0
    if first == "@":
        return "function", 0
    if first == "!":
        return "type", 0
    if first == "#":
        return "macro", 0
    if first == '"':
        return "string", 0
    if first.isdigit():
        return "number", 0
    if not first.isalpha() and first != "_":
        return "", 0
    if text in _BUILTIN_TYPES or _is_scalar(text):
        return "type", 0
    after = chunk.tokens[index + 1].text if index + 1 < len(chunk.tokens) else ""
    if after == "=" and last in ("{", ",", "<"):
        return "property", 0
    return "keyword", 0


def _is_scalar(text: str) -> bool:
    """Whether a word is `i32`, `si8`, `f16`, `f8E4M3FN` and so on."""
    if text[0] == "f":
        return text[1:2].isdigit()
    digits = text[2:] if text[:2] in ("si", "ui") else text[1:]
    return text[0] in "isu" and digits.isdigit()


# -- folding


def foldings(document: Document) -> Iterator[tuple[int, int, str]]:
    """First and last line, and kind, of what can be folded: brackets over several lines, and
    comments of several lines."""
    for chunk in document.chunks:
        open_: list[int] = []
        for token in chunk.tokens:
            if token.text in ("{", "[", "("):
                open_.append(document.position(chunk.offset + token.start)[0])
            elif token.text in ("}", "]", ")") and open_:
                first = open_.pop()
                last = document.position(chunk.offset + token.start)[0] - 1
                if last > first:
                    yield first, last, "region"
    yield from _comment_blocks(document)


def _comment_blocks(document: Document) -> Iterator[tuple[int, int, str]]:
    first: int | None = None
    lines = document.text.split("\n")
    for number, line in enumerate([*lines, ""]):
        if line.lstrip().startswith("//"):
            first = number if first is None else first
            continue
        if first is not None and number - first > 1:
            yield first, number - 1, "comment"
        first = None


# -- formatting


def formatted(document: Document) -> dict[int, str]:
    """The lines that get another text, by number: each operation is indented by its depth, what
    continues it moves with it, and no blank stands at an end. Comments at the beginning of a line
    stay there. Chunks with errors stay as they are."""
    found: dict[int, str] = {}
    for chunk in document.chunks:
        if chunk.module is None:
            continue
        indents = _Indents(document, chunk)
        for number, text in indents.lines():
            if text != document.line(number):
                found[number] = text
    return found


class _Indents:
    """The indentation of the lines of a chunk."""

    def __init__(self, document: Document, chunk: Chunk) -> None:
        self.document = document
        self.chunk = chunk
        self.first = document.position(chunk.offset)[0]
        end = chunk.offset + len(chunk.text)
        self.last = document.position(end)[0]
        #: The marker of the next chunk stands in the last line.
        self.is_cut = end < len(document.text)
        self._shifts: dict[int, int] = {}

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbers and texts of the lines, from the last one up."""
        stop = self.last - self.is_cut
        below = 0
        # The rest of a marker's line belongs to the marker.
        for number in range(stop, self.first - (self.chunk.offset == 0), -1):
            old = self.document.line(number)
            text = old.strip()
            if not text:
                yield number, ""
                continue
            indent, below = self._indent(number, old, text, below)
            yield number, " " * indent + text

    def _indent(self, number: int, old: str, text: str, below: int) -> tuple[int, int]:
        """The indentation of a line, and the one for comments above it."""
        now = len(old) - len(old.lstrip())
        if text.startswith("//"):
            return (below if now else 0), below
        offset = self.document.source.line_starts[number] + now - self.chunk.offset
        record = self.chunk.record_at(offset)
        if record is None:
            return 0, 0
        depth = _INDENT * _depth(record)
        if text[0] in "})":
            return depth, depth + _INDENT
        if record.start == offset:
            return depth, depth
        if text[0] == "^" and record.op.regions:
            return depth, depth + _INDENT
        return max(0, now + self._shift(record)), depth + _INDENT

    def _shift(self, record: Record) -> int:
        """How far the first line of an operation moves."""
        found = self._shifts.get(record.start)
        if found is None:
            line, _ = self.document.position(self.chunk.offset + record.start)
            text = self.document.line(line)
            now = len(text) - len(text.lstrip())
            begin = self.document.source.line_starts[line] + now - self.chunk.offset
            holder = record
            while holder.start > begin and holder.parent is not None:
                holder = holder.parent
            found = _INDENT * _depth(holder) - now if holder.start == begin else 0
            self._shifts[record.start] = found
        return found


def _depth(record: Record) -> int:
    """How many operations are around one."""
    depth = 0
    while record.parent is not None:
        depth += 1
        record = record.parent
    return depth
