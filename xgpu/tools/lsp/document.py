# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A document of MLIR text: positions, and what stands at them.

The text is cut at `// -----` into chunks, each of which is a program. A chunk is read by the parser
of the package, which records here what it defines and where. After an error the parser goes on
with the next operation of the block, so that the rest of a file that is half written is known too.
Names resolve by tokens and scopes: the parser need not record each use.

Offsets are those of characters in the text of a chunk, unless a name says otherwise. Lines and
characters count from 0; characters are those of the encoding that client and server agree on.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar, overload

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser as XdslParser
from xdsl.utils.exceptions import ParseError

from xgpu.core.ir.construction import append_operation, last_operation
from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.locations import SourceLoc
from xgpu.core.ir.source import SPLIT_MARKER, Source
from xgpu.core.ir.symbols import is_symbol_table, symbol_name
from xgpu.core.syntax import diagnostics
from xgpu.core.syntax.lexer import explode, is_composite, tokenize
from xgpu.core.syntax.parser import Parser
from xgpu.core.syntax.table_context import TableContext
from xgpu.core.syntax.verify import verify_definitions, verify_module

T = TypeVar("T")

#: Bytes of a unit of `character`, by encoding.
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Token(NamedTuple):
    """A token and its offset."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Tokens(Sequence[Token]):
    """The tokens of a text, each made when it is asked for: of a long text few are."""

    __slots__ = ("_texts", "starts")

    def __init__(self, texts: list[str], starts: list[int]) -> None:
        self._texts = texts
        self.starts = starts

    @overload
    def __getitem__(self, index: int) -> Token: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Token]: ...

    def __getitem__(self, index: int | slice) -> Token | Sequence[Token]:
        if isinstance(index, slice):
            return Tokens(self._texts[index], self.starts[index])
        return Token(self._texts[index], self.starts[index])

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[Token]:
        return map(Token, self._texts, self.starts)


class Scope:
    """A region of the text in which names are defined: `[begin, end)`. `isolated` says that values
    from outside are not seen in it."""

    __slots__ = ("begin", "depth", "end", "isolated")

    def __init__(self, begin: int, end: int, depth: int, isolated: bool) -> None:
        self.begin = begin
        self.end = end
        self.depth = depth
        self.isolated = isolated

    def holds(self, offset: int) -> bool:
        return self.begin <= offset < self.end


class Definition(NamedTuple):
    """Where a value (`%x`), a block (`^bb`), a symbol (`@f`) or an alias (`#a`, `!t`) is defined.
    `values` are the SSA values that the name stands for; `target` is the block, the operation or
    the attribute. Both are empty where the text is wrong."""

    name: str
    start: int
    scope: Scope
    values: tuple[SSAValue, ...] = ()
    target: Block | Operation | Attribute | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.name)


class Record:
    """An operation in the text: `[start, end)` with its results, its name at `name_at`."""

    __slots__ = ("children", "end", "name_at", "op", "parent", "start", "symbols")

    def __init__(self, op: Operation, start: int, name_at: int, end: int) -> None:
        self.op = op
        self.start = start
        self.name_at = name_at
        self.end = end
        self.parent: Record | None = None
        self.children: list[Record] = []
        #: Of a symbol table: the operations that define its symbols.
        self.symbols: dict[str, Record] = {}


class _Recorder(Parser):
    """The parser, which records definitions, regions and operations, and recovers from errors."""

    def __init__(self, ctx: TableContext, source: Source) -> None:
        super().__init__(ctx, source)
        whole = Scope(0, len(source.text) + 1, 0, True)
        self.scopes = [whole]
        self._open = [whole]
        self.definitions: list[Definition] = []
        self.records: list[Record] = []
        self._name_at: dict[Operation, int] = {}
        #: Errors, and the isolated scopes in which they are.
        self.errors: list[tuple[DiagnosticError, Scope]] = []

    # -- recording

    def _define(self, name: str, values: Sequence[SSAValue], position: int) -> None:
        super()._define(name, values, position)
        self.definitions.append(Definition(name, position, self._open[-1], tuple(values)))

    def _parse_alias_def(self) -> None:
        name, start = self._text, self.pos
        super()._parse_alias_def()
        target = self.attribute_aliases[name]
        self.definitions.append(Definition(name, start, self._open[0], (), target))

    def _parse_block_into(self, region: Region) -> Block:
        name, start, scope = self._texts[self._at], self.pos, self._open[-1]
        at = len(self.definitions)
        block = super()._parse_block_into(region)
        self.definitions.insert(at, Definition(name, start, scope, (), block))
        return block

    def _parse_region(
        self, arguments: Iterable[XdslParser.Argument] | None, isolated: bool
    ) -> Region:
        begin = self._starts[self._at]
        scope = Scope(begin, len(self.source.text) + 1, len(self._open), isolated)
        self.scopes.append(scope)
        self._open.append(scope)
        region = super()._parse_region(arguments, isolated)
        self._open.pop()
        scope.end = self._last_end()
        return region

    def _parse_custom(self, as_text: str) -> Operation:
        position = self._starts[self._at]
        op = super()._parse_custom(as_text)
        self._name_at[op] = position
        return op

    def _parse_generic(self, literal: str) -> Operation:
        position = self._starts[self._at]
        op = super()._parse_generic(literal)
        self._name_at[op] = position
        return op

    def parse_operation(self) -> Operation:
        start = self._starts[self._at]
        op = super().parse_operation()
        self.records.append(Record(op, start, self._name_at[op], self._last_end()))
        return op

    def _last_end(self) -> int:
        """Where the token before the current one ends."""
        at = self._at - 1
        return self._starts[at] + len(self._texts[at])

    # -- errors

    def _isolated_scope(self) -> Scope:
        return next(scope for scope in reversed(self._open) if scope.isolated)

    def add_error(self, error: DiagnosticError) -> None:
        self.errors.append((error, self._isolated_scope()))

    def _check_blocks(self) -> None:
        try:
            super()._check_blocks()
        except DiagnosticError as error:
            self.add_error(error)

    def _parse_block_body(self, block: Block) -> None:
        last = last_operation(block)
        while True:
            text = self._texts[self._at]
            if text == "}" or text[:1] == "^":
                return
            if not text:
                self.expected("expected '}' to end a region")
            op = self._recovering(self.parse_operation)
            if op is not None:
                append_operation(block, last, op)
                last = op

    def read(self) -> ModuleOp | None:
        """The program; None where it has errors."""
        ops: list[Operation] = []
        while text := self._texts[self._at]:
            if text[0] in "#!":
                self._recovering(self._parse_alias_def)
            elif text == "{-#":
                self._recovering(self._parse_metadata)
            else:
                op = self._recovering(self.parse_operation)
                ops += () if op is None else (op,)
        if not self.errors:
            self._recovering(self._finish)
        if self.errors:
            return None
        module = ops[0] if len(ops) == 1 else None
        return module if isinstance(module, ModuleOp) else ModuleOp(ops)

    def _parse_metadata(self) -> None:
        from xgpu.core.syntax.resources import read_metadata

        read_metadata(self)

    def _recovering(self, parse: Callable[[], T]) -> T | None:
        """What `parse` reads; after an error None, and the cursor stands behind what is wrong."""
        start = self._at
        position = self._starts[start]
        named, definitions, isolated = self._named, self._definitions, self._isolated
        blocks, forward, name = self.blocks, self.forward_block_references, self._op_name
        dialects = self._parser_state.dialect_stack
        depths = len(self._open), len(self._scopes), len(dialects)
        try:
            return parse()
        except (DiagnosticError, ParseError) as problem:
            error = problem
        for names in self._scopes[depths[1] :]:
            for defined in names:
                named.pop(defined, None)
        inner = self._open[depths[0] :]
        del self._open[depths[0] :], self._scopes[depths[1] :], dialects[depths[2] :]
        self._named, self._definitions, self._isolated = named, definitions, isolated
        self.blocks, self.forward_block_references, self._op_name = blocks, forward, name
        if isinstance(error, ParseError):
            error = self.error_at(error.span.start, error.msg)
        self.add_error(error)
        self._skip(position)
        for scope in inner:
            scope.end = self._starts[self._at]
        return None

    def _skip(self, position: int) -> None:
        """Moves to the next operation or to the end of the region around: the first token on a line
        behind the cursor that is in no more brackets than what begins at `position`."""
        stopped = self._starts[self._at]
        text, starts = self.source.text, self._starts
        at = bisect_left(starts, position)
        depth = 0
        while token := self._texts[at]:
            if depth == 0 and token in ("}", ")"):
                break
            is_first = not text[text.rfind("\n", 0, starts[at]) + 1 : starts[at]].strip()
            if depth == 0 and is_first and starts[at] > max(position, stopped - 1):
                break
            depth += (token in _OPEN) - (token in _CLOSE)
            at += 1
        if self._texts[at] == ")" or (self._texts[at] == "}" and len(self._open) == 1):
            at += 1
        self._at = at


_OPEN = frozenset("({[")
_CLOSE = frozenset(")}]")


class Chunk:
    """A program of a document: its text and what it says. `offset` and `line` are where it begins
    in the document."""

    def __init__(self, source: Source, offset: int, *, allow_unregistered: bool) -> None:
        self.source = source
        self.text = source.text
        self.offset = offset
        #: Errors, warnings and remarks.
        self.problems: list[Diagnostic] = []
        self.module: ModuleOp | None = None
        parser = _Recorder(TableContext(allow_unregistered), source)
        with diagnostics.collect() as collected:
            try:
                self.module = parser.read()
                self.problems += _first_errors(parser.errors)
                if self.module is not None:
                    self.problems += _verified(self.module)
            except RecursionError:
                self.module = None
                at = SourceLoc(source, 0)
                self.problems.append(Diagnostic("error", "operations are nested too deeply", at))
        self.problems += collected
        self.scopes = parser.scopes
        self._definitions = parser.definitions
        self.records = sorted(parser.records, key=lambda r: (r.start, -r.end))
        self.top = self._nest()

    def _nest(self) -> list[Record]:
        """Gives the records their parents and children; those at the top."""
        top: list[Record] = []
        open_: list[Record] = []
        for record in self.records:
            while open_ and open_[-1].end <= record.start:
                open_.pop()
            if open_:
                record.parent = open_[-1]
                record.parent.children.append(record)
            else:
                top.append(record)
            open_.append(record)
            if (name := symbol_name(record.op)) is None:
                continue
            table = record.parent
            while table is not None and not is_symbol_table(table.op):
                table = table.parent
            if table is not None:
                table.symbols.setdefault(name, record)
        return top

    # -- tokens

    @cached_property
    def tokens(self) -> Tokens:
        """All tokens, those of types one by one; without the end."""
        texts: list[str] = []
        starts: list[int] = []
        for text, start in zip(*tokenize(self.text), strict=True):
            if is_composite(text):
                parts, places = explode(text, start)
                texts += parts
                starts += places
            elif text:
                texts.append(text)
                starts.append(start)
        return Tokens(texts, starts)

    def token_index(self, offset: int) -> int:
        """The index of the last token that begins at or before `offset`; -1 before the first."""
        return bisect_right(self.tokens.starts, offset) - 1

    def token_at(self, offset: int) -> Token | None:
        """The token that `offset` is in, or right behind."""
        index = self.token_index(offset)
        if index < 0:
            return None
        token = self.tokens[index]
        if offset < token.end:
            return token
        if offset > token.end:
            return None
        return token

    def next_token(self, token: Token) -> Token | None:
        """The token behind `token`."""
        index = self.token_index(token.start) + 1
        return self.tokens[index] if index < len(self.tokens) else None

    # -- definitions

    @cached_property
    def definitions(self) -> list[Definition]:
        """Of values, blocks and aliases; in a text with errors also those of operations that could
        not be read."""
        found = list(self._definitions)
        if self.module is not None:
            return found
        known = {definition.start for definition in found}
        for index, token in enumerate(self.tokens):
            if token.text[:1] != "%" or token.start in known or not self._is_defined(index):
                continue
            found.append(Definition(token.text, token.start, self.scope_at(token.start)))
        return found

    def _is_defined(self, index: int) -> bool:
        """Whether the name at `index` is one of the results in `%a, %b:2 = ...` on its line."""
        begin = self.text.rfind("\n", 0, self.tokens[index].start) + 1
        first = bisect_left(self.tokens.starts, begin)
        at = first
        while at < len(self.tokens) and (
            self.tokens[at].text[:1] in ("%", ",", ":") or self.tokens[at].text.isdigit()
        ):
            at += 1
        return index < at < len(self.tokens) and self.tokens[at].text == "="

    @cached_property
    def _by_name(self) -> dict[str, list[Definition]]:
        found: dict[str, list[Definition]] = {}
        for definition in self.definitions:
            found.setdefault(definition.name, []).append(definition)
        return found

    def scope_at(self, offset: int) -> Scope:
        """The innermost region around an offset."""
        return max((s for s in self.scopes if s.holds(offset)), key=lambda s: s.depth)

    def visible(self, offset: int) -> Iterator[Definition]:
        """The values, blocks and aliases whose names mean something at `offset`."""
        for definition in self.definitions:
            if definition.scope.holds(offset):
                yield definition

    def definition(self, token: Token) -> Definition | None:
        """What a name refers to."""
        first = token.text[:1]
        if first == "@":
            return self._symbol(token)
        if first not in ("%", "^", "#", "!"):
            return None
        found: Definition | None = None
        for candidate in self._by_name.get(token.text, ()):
            if candidate.start == token.start:
                return candidate
            if not candidate.scope.holds(token.start):
                continue
            if found is None or candidate.scope.depth > found.scope.depth:
                found = candidate
        return found

    def uses(self, definition: Definition) -> Iterator[Token]:
        """The tokens that refer to a definition, itself included."""
        for token in self.tokens:
            if token.text != definition.name:
                continue
            found = self.definition(token)
            if found is not None and found.start == definition.start:
                yield token

    def result_number(self, token: Token) -> int:
        """The number behind the name of several results, `%a#1`; 0 where there is none."""
        after = self.next_token(token)
        if after is None or after.start != token.end or after.text[:1] != "#":
            return 0
        return int(after.text[1:]) if after.text[1:].isdigit() else 0

    # -- operations

    def record_at(self, offset: int) -> Record | None:
        """The innermost operation around an offset."""
        found: Record | None = None
        records = self.top
        while True:
            index = bisect_right(records, offset, key=lambda r: r.start) - 1
            if index < 0 or offset > records[index].end:
                return found
            found = records[index]
            records = found.children

    def record_of(self, op: Operation) -> Record | None:
        """The record of an operation."""
        return self._by_operation.get(op)

    @cached_property
    def _by_operation(self) -> dict[Operation, Record]:
        return {record.op: record for record in self.records}

    # -- symbols

    def symbol_token(self, record: Record) -> Token | None:
        """The name of the symbol that an operation defines, `@f`, where the text has it."""
        name = symbol_name(record.op)
        end = record.children[0].start if record.children else record.end
        index = self.token_index(record.name_at)
        for token in self.tokens[index:]:
            if token.start >= end:
                return None
            if token.text[:1] == "@" and token.text[1:].strip('"') == name:
                return token
        return None

    def _symbol(self, token: Token) -> Definition | None:
        """What a symbol refers to; of `@a::@b` each part."""
        record = self.record_at(token.start)
        if record is None:
            return None
        own = self.symbol_token(record)
        if own is not None and own.start == token.start:
            return self._symbol_definition(record)
        path = [token]
        index = self.token_index(token.start)
        while index >= 3 and self.tokens[index - 1].text == self.tokens[index - 2].text == ":":
            index -= 3
            path.insert(0, self.tokens[index])
        table: Record | None = record
        root = path[0].text[1:].strip('"')
        while table is not None and root not in table.symbols:
            table = table.parent
        if table is None:
            # Operations without a module around them are in the one that the parser makes.
            tops = (r for r in self.top if symbol_name(r.op) == root)
            found = next(tops, None)
        else:
            found = table.symbols[root]
        for part in path[1:]:
            found = None if found is None else found.symbols.get(part.text[1:].strip('"'))
        return None if found is None else self._symbol_definition(found)

    def _symbol_definition(self, record: Record) -> Definition | None:
        token = self.symbol_token(record)
        if token is None:
            return None
        return Definition(token.text, token.start, self.scopes[0], (), record.op)


def _first_errors(errors: list[tuple[DiagnosticError, Scope]]) -> list[Diagnostic]:
    """The errors of the first operation that is wrong in each isolated region: later ones may be
    its consequences."""
    seen: set[int] = set()
    found: list[Diagnostic] = []
    for error, scope in errors:
        if id(scope) not in seen:
            seen.add(id(scope))
            found += error.diagnostics
    return found


def _verified(module: ModuleOp) -> list[Diagnostic]:
    """What the verifier says of a module, and of each operation in it where it is wrong."""
    try:
        verify_module(module)
        return []
    except DiagnosticError as error:
        found = list(error.diagnostics)
    try:
        verify_definitions(module)
    except DiagnosticError:
        return found  # checks of other operations may rest on the one that is wrong
    known = {(d.message, d.location) for d in found}
    for block in module.regions[0].blocks:
        for op in block.ops:
            try:
                verify_module(op)
            except DiagnosticError as error:
                found += [d for d in error.diagnostics if (d.message, d.location) not in known]
    return found


class Document:
    """A text that an editor has open. `name` is what diagnostics call it."""

    def __init__(
        self, text: str, name: str = "-", *, allow_unregistered: bool = True,
        encoding: str = "utf-16", before: Document | None = None,
    ) -> None:  # fmt: skip
        """`before` is the document before a change: chunks that are the same are not read again."""
        self.source = Source(text, name)
        self.text = text
        self._encoding, self._unit = _UNITS[encoding]
        self._allow_unregistered = allow_unregistered
        self._known: dict[str, Chunk] = {}
        if before is not None and before._allow_unregistered == allow_unregistered:
            self._known = {chunk.text: chunk for chunk in before.__dict__.get("chunks", ())}

    @cached_property
    def chunks(self) -> list[Chunk]:
        """The programs in the text."""
        found: list[Chunk] = []
        offset = 0
        for text in self.text.split(SPLIT_MARKER):
            chunk = self._known.pop(text, None)
            if chunk is None:
                source = Source(text, self.source.filename)
                chunk = Chunk(source, offset, allow_unregistered=self._allow_unregistered)
            chunk.offset = offset
            found.append(chunk)
            offset += len(text) + len(SPLIT_MARKER)
        return found

    def at(self, line: int, character: int) -> tuple[Chunk, int]:
        """The chunk at a position, and the offset in it."""
        offset = self.offset(line, character)
        chunk = next(c for c in reversed(self.chunks) if c.offset <= offset or not c.offset)
        return chunk, min(offset - chunk.offset, len(chunk.text))

    def offset(self, line: int, character: int) -> int:
        """The offset of a position in the document; what is beyond a line is its end."""
        starts = self.source.line_starts
        if line >= len(starts):
            return len(self.text)
        text = self.line(line)
        if not text.isascii():
            raw = text.encode(self._encoding, "surrogatepass")[: character * self._unit]
            text = raw.decode(self._encoding, "ignore")
            return starts[line] + len(text)
        return starts[line] + min(character, len(text))

    def position(self, offset: int) -> tuple[int, int]:
        """The line and character of an offset in the document."""
        starts = self.source.line_starts
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(starts, offset) - 1
        text = self.text[starts[line] : offset]
        if text.isascii():
            return line, len(text)
        return line, len(text.encode(self._encoding, "surrogatepass")) // self._unit

    def line(self, line: int) -> str:
        """The text of a line without its end."""
        starts = self.source.line_starts
        end = starts[line + 1] - 1 if line + 1 < len(starts) else len(self.text)
        return self.text[starts[line] : end]
