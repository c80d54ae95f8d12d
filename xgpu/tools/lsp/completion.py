# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What may be written at a place, and the syntax of the operation that is being written.

The place is known by the line up to the cursor, which need not be MLIR yet. Names come from the
chunk, which may be that of the text before the last change: in a long file a completion does not
wait until all of it is read again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import TypeAttribute

from xgpu.core.ir.errors import UsageError, shown
from xgpu.core.ods.docstrings import cases, docstring
from xgpu.core.ods.registry import (
    attr_spec,
    attribute_names,
    hooks,
    op_spec,
    operation_names,
)
from xgpu.core.ods.spec import OpSpec
from xgpu.core.passes.registry import PASSES, PIPELINES, pass_class, pipeline_class
from xgpu.core.syntax.table_context import DEFAULT_DIALECTS, dialect_names
from xgpu.tools.command_line import FLAGS

if TYPE_CHECKING:
    from xgpu.core.passes.base import Pass
    from xgpu.tools.lsp.document import Chunk, Record

_TYPES = (
    *("i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"),
    *("memref", "tensor", "vector", "complex", "tuple", "none"),
)
_WORD = re.compile(r"[%^@#!]?[\w.$-]*$", re.ASCII)
#: `%a, %b:2 = ` in front of an operation.
_RESULTS = re.compile(r"\s*(?:%[\w.$-]+(?::\d+)?\s*,\s*)*%[\w.$-]+(?::\d+)?\s*=\s*", re.ASCII)
_STATEMENT = re.compile(r'\s*("?)([A-Za-z_][\w.$]*)', re.ASCII)
_RUN = re.compile(r"\s*//\s*RUN:")
_SIZES = re.compile(r"^\d*x(?:\d+x)*", re.ASCII)
#: Types are written behind a colon or an arrow, and as elements of other types.
_BEFORE_TYPE = re.compile(
    r"(?::|->|\bto|[\d?\]]x|(?:\b(?:complex|memref|tensor|tuple|vector)|![\w.$]+)<|:[^{}]*,)$",
    re.ASCII,
)
_LITERAL = re.compile(r"`([A-Za-z_][\w-]*)`")
_PLACEHOLDER = re.compile(r"\$\w+|attr-dict|type\([^)]*\)|`[^`]*`|[^\s`$]+")
#: So many completions are listed.
_MOST = 400


class Item(NamedTuple):
    """A completion: what is inserted in the place of the last `length` characters."""

    label: str
    kind: str
    detail: str = ""
    length: int = 0


class Signature(NamedTuple):
    """The syntax of an operation: `parameters` are parts of `label`, of which one is active."""

    label: str
    documentation: str
    parameters: list[tuple[int, int]]
    active: int


def completions(chunk: Chunk | None, offset: int, before: str) -> list[Item]:
    """What may stand at `offset` of the chunk; `before` is the line up to there."""
    if _RUN.match(before):
        return list(_run_line(before))
    if "//" in before:
        return []
    found = _WORD.search(before)
    word = found[0] if found is not None else ""
    if before[: len(before) - len(word)].endswith(("<", "?", "]")):
        word = _SIZES.sub("", word)  # of `4x8xf`, `f` is the word
    items = _items(chunk, offset, before[: len(before) - len(word)], word)
    plain = word.casefold()
    matching = (item for item in items if item.label.casefold().startswith(plain))
    unique = {item.label: item for item in matching}.values()
    return [item._replace(length=len(word)) for item in islice(unique, _MOST)]


def _items(chunk: Chunk | None, offset: int, before: str, word: str) -> Iterable[Item]:
    sigil = word[:1]
    if sigil in ("%", "^") and sigil:
        return _names(chunk, offset, sigil)
    if sigil == "@":
        return _symbols(chunk, offset)
    if sigil in ("!", "#") and sigil:
        return (*_names(chunk, offset, sigil), *_dialect_names(word, is_type=sigil == "!"))
    if _is_operation(before):
        return _operations(chunk, offset, word)
    spec = _statement(chunk, offset, before)
    names = tuple(_attributes(spec, before))
    if _is_type(before) and not names:
        return (*(Item(name, "type") for name in _TYPES), *_words(spec))
    return (*names, *_words(spec))


# -- names


def _names(chunk: Chunk | None, offset: int, sigil: str) -> Iterator[Item]:
    """Values, blocks or aliases that are seen at an offset."""
    if chunk is None:
        return
    seen: set[str] = set()
    for found in chunk.visible(min(offset, len(chunk.text))):
        if found.name[0] != sigil or found.name in seen:
            continue
        # The name that is written stands at the offset; a value is used behind its definition.
        if sigil == "%" and found.end >= offset:
            continue
        seen.add(found.name)
        kind = {"%": "variable", "^": "label"}.get(sigil, "type" if sigil == "!" else "macro")
        if len(found.values) > 1:
            for number, value in enumerate(found.values):
                yield Item(f"{found.name}#{number}", kind, shown(value.type))
            continue
        yield Item(found.name, kind, shown(found.values[0].type) if found.values else "")


def _symbols(chunk: Chunk | None, offset: int) -> Iterator[Item]:
    """The symbols that are seen at an offset, innermost first."""
    if chunk is None:
        return
    record = chunk.record_at(min(offset, len(chunk.text)))
    holders: list[Iterable[Record]] = []
    while record is not None:
        holders.append(record.symbols.values())
        record = record.parent
    for records in (*holders, chunk.top):
        for found in records:
            token = chunk.symbol_token(found)
            if token is not None:
                yield Item(token.text, "function", found.op.name)
                yield from (
                    Item(f"{token.text}::{inner.text}", "function", nested.op.name)
                    for nested in found.symbols.values()
                    if (inner := chunk.symbol_token(nested)) is not None
                )


def _dialect_names(word: str, *, is_type: bool) -> Iterator[Item]:
    """Types or attributes of the dialect that is written, or the dialects."""
    dialect, dot, _ = word[1:].partition(".")
    for name in dialect_names():
        if dot and name != dialect:
            continue
        if not dot:
            yield Item(f"{word[0]}{name}.", "dialect")
            continue
        kind = "type" if is_type else "macro"
        for found in attribute_names(name):
            spec = attr_spec(found)
            if spec is not None and spec.is_type is is_type:
                yield Item(word[0] + found.lstrip("!"), kind, spec.summary)
        for table in ("ATTRIBUTES", "TYPES"):
            for found, cls in hooks(name, "attributes", table).items():
                if issubclass(cls, TypeAttribute) is is_type:
                    yield Item(word[0] + found, kind)


# -- operations


def _is_operation(before: str) -> bool:
    """Whether the name of an operation may stand behind `before`."""
    results = _RESULTS.match(before)
    rest = before if results is None else before[results.end() :]
    return rest.strip() in ("", "{", '"')


def _is_type(before: str) -> bool:
    """Whether a type may stand behind `before`."""
    return _BEFORE_TYPE.search(before.rstrip()) is not None


def _operation_items(dialect: str) -> Iterator[Item]:
    return (Item(name, "operation") for name in operation_names(dialect))


def _operations(chunk: Chunk | None, offset: int, word: str) -> Iterator[Item]:
    """Operations by name; those of the dialect around without its prefix, besides."""
    dialect, dot, _ = word.partition(".")
    if dot:
        yield from _operation_items(dialect) if dialect in dialect_names() else ()
        return
    around = _default_dialect(chunk, offset)
    for item in _operation_items(around) if around else ():
        yield item._replace(label=item.label.partition(".")[2], detail=item.label)
    for name in dialect_names():
        yield Item(f"{name}.", "dialect")
    if word:
        for name in dialect_names():
            yield from _operation_items(name)


def _default_dialect(chunk: Chunk | None, offset: int) -> str:
    """The dialect whose operations need no prefix at an offset."""
    record = None if chunk is None else chunk.record_at(min(offset, len(chunk.text)))
    while record is not None:
        if record.op.regions and record.op.name in DEFAULT_DIALECTS:
            return DEFAULT_DIALECTS[record.op.name]
        record = record.parent
    return "func" if chunk is not None and chunk.module is None else ""


def _statement(chunk: Chunk | None, offset: int, before: str) -> OpSpec | None:
    """The definition of the operation that `before` begins."""
    results = _RESULTS.match(before)
    found = _STATEMENT.match(before, 0 if results is None else results.end())
    if found is None:
        return None
    name = found[2]
    if "." not in name:
        name = f"{_default_dialect(chunk, offset) or 'builtin'}.{name}"
    return op_spec(name)


def _words(spec: OpSpec | None) -> Iterator[Item]:
    """The keywords of an operation's syntax and of its enumerations."""
    if spec is None:
        return
    for field in spec.attrs:
        for word in cases(field.constraint):
            yield Item(word, "enum", field.name)
    for word in dict.fromkeys(_LITERAL.findall(spec.format or "")):
        yield Item(word, "keyword")


def _attributes(spec: OpSpec | None, before: str) -> Iterator[Item]:
    """The names of attributes in a dictionary."""
    inside = before.count("{") > before.count("}")
    if spec is None or not inside or before.rstrip()[-1:] not in ("{", ","):
        return
    for field in spec.attrs:
        yield Item(field.name, "property", field.constraint.summary or field.constraint.name)


# -- RUN lines


def _run_line(before: str) -> Iterator[Item]:
    """Tools, options, passes, and inside of a pipeline passes and their options."""
    open_ = _pipeline_begin(before)
    if open_ is not None:
        yield from _pipeline(before[open_:])
        return
    word = re.search(r"[^\s|]*$", before)
    text = word[0] if word is not None else ""
    command = re.split(r"[|;]|&&|RUN:", before)[-1].split()
    if not command or (len(command) == 1 and text):
        for tool in ("xgpu-opt", "xgpu-runner", "xgpu-translate", "mlir-opt", "FileCheck"):
            if tool.startswith(text):
                yield Item(tool, "function", length=len(text))
        return
    if not text.startswith("-") or command[0] not in ("xgpu-opt", "mlir-opt"):
        return
    inside = re.match(r"--?([\w-]+)=[\"']?(?:.*[\s\"'])?([\w-]*)$", text)
    for item in _option_items(inside[1]) if inside is not None else _flag_items():
        start = inside[2] if inside is not None else text
        if item.label.startswith(start):
            yield item._replace(length=len(start))


def _pipeline_begin(before: str) -> int | None:
    """Where the pipeline begins that the line ends in."""
    found = list(re.finditer(r"-pass-pipeline=([\"']?)", before))
    if not found:
        return None
    quote, begin = found[-1][1], found[-1].end()
    closed = quote in before[begin:] if quote else " " in before[begin:]
    return None if closed else begin


def _pipeline(text: str) -> Iterator[Item]:
    """Passes, operations that passes run on, or options of a pass, inside of a pipeline."""
    word = re.search(r"[\w.-]*$", text)
    start = word[0] if word is not None else ""
    if text.count("{") > text.count("}"):
        owner = re.search(r"([\w.-]+)\{[^{}]*$", text)
        items = _option_items(owner[1]) if owner is not None else ()
    elif "(" not in text:
        items = (Item("builtin.module", "module"), Item("any", "module"))
    else:
        anchors = ("func.func", "gpu.module", "gpu.func", "llvm.func", "any")
        items = (*(Item(name, "module") for name in anchors), *_pass_items())
    for item in items:
        if item.label.startswith(start):
            yield item._replace(length=len(start))


def _pass_items() -> Iterator[Item]:
    return (Item(name, "function") for name in sorted({*PASSES, *PIPELINES}))


def _flag_items() -> tuple[Item, ...]:
    flags = (Item(f"--{name}", "property", flag.summary) for name, flag in FLAGS.items())
    passes = (item._replace(label=f"--{item.label}") for item in _pass_items())
    return (*flags, *passes)


def documentation(label: str) -> str:
    """What a completion is, for the one that is chosen in a list: reading all definitions and
    passes would take seconds."""
    name = label.removeprefix("--")
    if name in PASSES:
        return pass_class(name).summary
    if name in PIPELINES:
        return pipeline_class(name).summary
    spec = op_spec(label) if "." in label and not label.endswith(".") else None
    return "" if spec is None else docstring(spec)


def _option_items(name: str) -> Iterator[Item]:
    """The options of a pass."""
    found: type[Pass] | None = None
    with suppress(UsageError):
        found = pass_class(name) if name in PASSES else pipeline_class(name)  # type: ignore
    for option in () if found is None else found.options:
        yield Item(option.name, "property", option.summary)


# -- signatures


def signature(chunk: Chunk | None, offset: int, before: str) -> Signature | None:
    """The syntax of the operation whose line `before` begins."""
    spec = _statement(chunk, offset, before)
    if spec is None or spec.format is None:
        return None
    label = f"{spec.name} {spec.format}"
    begin = len(spec.name) + 1
    parameters = [
        (begin + part.start(), begin + part.end())
        for part in _PLACEHOLDER.finditer(spec.format)
        if part[0].startswith("$")
    ]
    results = _RESULTS.match(before)
    written = before[0 if results is None else results.end() :].count("%")
    active = min(max(written - 1, 0), max(len(parameters) - 1, 0))
    return Signature(label, docstring(spec), parameters, active)


def nearest_operations(name: str, record: Record | None) -> list[str]:
    """The names of operations that are near to one that is unknown."""
    from difflib import get_close_matches

    dialect, dot, own = name.partition(".")
    if not dot:
        around = record
        while around is not None and around.op.name not in DEFAULT_DIALECTS:
            around = around.parent
        dialect, own = (DEFAULT_DIALECTS[around.op.name] if around else "func"), name
    names = operation_names(dialect) if dialect in dialect_names() else ()
    known = {op.partition(".")[2]: op for op in names}
    found = get_close_matches(own, known, 3, 0.6)
    if found:
        return [word if not dot else known[word] for word in found]
    near = get_close_matches(dialect, dialect_names(), 3, 0.6)
    return [f"{other}.{own}" for other in near if f"{other}.{own}" in operation_names(other)]
