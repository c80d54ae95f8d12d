# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is wrong with a document, what may mend it, and what can be run from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import Attribute

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError
from xgpu.core.ir.locations import SourceLoc, source_location
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import diagnostics
from xgpu.core.syntax.table_context import TableContext
from xgpu.tools.lsp.completion import nearest_operations

if TYPE_CHECKING:
    from xgpu.tools.lsp.document import Chunk, Document, Token

_RUN = re.compile(r"^\s*//\s*RUN:\s*(.*)$", re.MULTILINE)
_PIPELINE = re.compile(r"^\s*//\s*xgpu-lsp-pipeline:[ \t]*(.+?)[ \t]*$", re.MULTILINE)


class Problem(NamedTuple):
    """A message about `[start, end)` of the document; notes have places of their own."""

    severity: str
    message: str
    start: int
    end: int
    notes: list[tuple[str, int, int]]


class Fix(NamedTuple):
    """A change that mends a problem: `[start, end)` of the document becomes `text`."""

    title: str
    start: int
    end: int
    text: str
    is_preferred: bool = False


class Lens(NamedTuple):
    """A command that a line of the document offers."""

    line: int
    title: str
    command: str


# -- problems


def problems(document: Document, pipeline: str = "") -> list[Problem]:
    """What reading and verifying the document finds, and after that what the passes of `pipeline`,
    or of a comment `// xgpu-lsp-pipeline: builtin.module(...)`, say."""
    found = [
        _problem(document, chunk, diagnostic)
        for chunk in document.chunks
        for diagnostic in chunk.problems
    ]
    named = _PIPELINE.search(document.text)
    text = pipeline if named is None else named[1]
    if not text or any(problem.severity == "error" for problem in found):
        return found
    begin = 0 if named is None else named.start(1)
    return found + list(_of_passes(document, text, begin))


def _of_passes(document: Document, text: str, begin: int) -> Iterator[Problem]:
    """What a pipeline says of each chunk."""
    for chunk in document.chunks:
        if chunk.module is None:
            continue
        module = chunk.module.clone()
        with diagnostics.collect() as collected:
            try:
                parse_pipeline(text).run(module, TableContext(True))
            except DiagnosticError as error:
                collected.extend(error.diagnostics)
            except UsageError as error:
                first = str(error).partition("\n")[0]
                yield Problem("error", first, begin, begin + len(text) * (begin > 0), [])
                return
        for diagnostic in collected:
            yield _problem(document, chunk, diagnostic)


def _problem(document: Document, chunk: Chunk, diagnostic: Diagnostic) -> Problem:
    start, end = _place(document, chunk, diagnostic.location)
    notes = [
        (note.message, *_place(document, chunk, note.location or diagnostic.location))
        for note in diagnostic.notes
    ]
    return Problem(diagnostic.severity, diagnostic.message, start, end, notes)


def _place(document: Document, chunk: Chunk, location: Attribute | None) -> tuple[int, int]:
    """The part of the document that a location names: a token."""
    offset = chunk.offset
    if isinstance(location, SourceLoc) and location.source is chunk.source:
        offset += location.position
    else:
        found = source_location(location)
        if found is None or found.file != document.source.filename or not found.line:
            return offset, offset
        # Lines of a location are those of the file; a chunk counts its own.
        first = document.position(chunk.offset)[0] if isinstance(location, SourceLoc) else 0
        line = document.line(min(first + found.line - 1, len(document.source.line_starts) - 1))
        before = line.encode("utf-8", "surrogatepass")[: max(found.column - 1, 0)]
        starts = document.source.line_starts
        offset = starts[min(first + found.line - 1, len(starts) - 1)]
        offset += len(before.decode("utf-8", "ignore"))
    token = chunk.token_at(offset - chunk.offset)
    if token is None or token.end == offset - chunk.offset:
        return offset, min(offset + 1, len(document.text))
    return offset, chunk.offset + token.end


# -- what mends them


def fixes(document: Document, start: int, end: int) -> Iterator[tuple[Problem, Fix]]:
    """Changes for the problems in `[start, end]` of the document: names that are near to one that
    is unknown, and a comment that expects the message."""
    for chunk in document.chunks:
        for diagnostic in chunk.problems:
            problem = _problem(document, chunk, diagnostic)
            if problem.start > end or problem.end < start:
                continue
            token = chunk.token_at(problem.start - chunk.offset)
            if token is not None:
                for number, name in enumerate(_near(chunk, token)):
                    first = chunk.offset + token.start
                    title = f"Change to '{name}'"
                    yield problem, Fix(title, first, first + len(token.text), name, number == 0)
            yield problem, _expectation(document, problem)


def _near(chunk: Chunk, token: Token) -> list[str]:
    """Names that may have been meant by one that is not known."""
    sigil = token.text[0]
    if sigil in "%^@#!":
        if chunk.definition(token) is not None:
            return []
        if sigil == "@":
            names = [t.text for r in chunk.records if (t := chunk.symbol_token(r)) is not None]
        else:
            names = [d.name for d in chunk.visible(token.start) if d.name[0] == sigil]
        return get_close_matches(token.text, [n for n in names if n != token.text], 3, 0.5)
    text = token.text.strip('"')
    record = chunk.record_at(token.start)
    if not text[:1].isalpha() or (record is not None and record.name_at == token.start):
        return []
    quote = '"' if token.text[0] == '"' else ""
    return [f"{quote}{name}{quote}" for name in nearest_operations(text, record)]


def _expectation(document: Document, problem: Problem) -> Fix:
    """A line above that expects the message, as `--verify-diagnostics` reads it."""
    line, _ = document.position(problem.start)
    text = document.line(line)
    indent = text[: len(text) - len(text.lstrip())]
    at = document.source.line_starts[line]
    comment = f"{indent}// expected-{problem.severity} @+1 {{{{{problem.message}}}}}\n"
    return Fix(f"Expect this {problem.severity} in a comment", at, at, comment)


# -- what can be run


def lenses(document: Document) -> Iterator[Lens]:
    """Commands on lines: to run a RUN line, and on the first one to open the explorer."""
    for number, found in enumerate(_RUN.finditer(document.text)):
        line, _ = document.position(found.start(1))
        yield Lens(line, "Run", "xgpu.run")
        if not number:
            yield Lens(line, "Explore", "xgpu.explore")


def run_command(document: Document, line: int) -> str | None:
    """The command of the RUN line at `line`, with the lines that continue it."""
    commands: list[str] = []
    open_ = False
    for found in _RUN.finditer(document.text):
        text = found[1].strip()
        number, _ = document.position(found.start(1))
        commands = [*commands, text] if open_ else [text]
        open_ = text.endswith("\\")
        if number >= line and not open_:
            return " ".join(part.removesuffix("\\").strip() for part in commands)
    return None


def allows_unregistered(text: str, default: bool) -> bool:
    """Whether operations of no dialect are no errors: as the RUN lines say, if there are any."""
    found = [match[1] for match in _RUN.finditer(text)]
    if not found:
        return default
    return any("allow-unregistered-dialect" in command for command in found)
