# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading bytecode: versions 0 to 6, as mlir-opt 22.1 reads them.

Attributes and types are read when an operation, or one of them, first refers to them. An operation
is there before what is in its regions, so the uses of a value come in the order of the program; a
value that is used before its definition has a placeholder until then. Files are not trusted: no
number of things is believed that the remaining bytes could not hold, and whatever is wrong is one
diagnostic with the offset in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    NoneType,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue, TypeAttribute, Use
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from xgpu.core.bytecode import builtin, builtin_types, llvm
from xgpu.core.bytecode.encoding import (
    DIALECT_VERSIONS,
    ELIDED_ARGUMENT_LOCATIONS,
    ISOLATED_SECTIONS,
    MAGIC,
    NATIVE_PROPERTIES,
    USE_LIST_ORDERS,
    VERSION,
    Cursor,
    Part,
    ResourceKind,
    Section,
)
from xgpu.core.bytecode.properties import layout_of, read_properties
from xgpu.core.ir.construction import (
    append_operation,
    nested_operations,
    next_use,
    replace_all_uses,
    set_arguments,
    set_uses,
    using_operation,
)
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, words_of
from xgpu.core.ir.locations import LOCATIONS, build
from xgpu.core.syntax.parser import parse_alone
from xgpu.core.syntax.parser_base import ForwardValue
from xgpu.core.syntax.resources import Blob
from xgpu.core.syntax.table_context import TableContext

_REQUIRED = (
    Section.STRING,
    Section.DIALECT,
    Section.ATTR_TYPE,
    Section.ATTR_TYPE_OFFSET,
    Section.IR,
)
#: Kinds of resources, in the order in which they are printed.
_RESOURCES = ("dialect_resources", "external_resources")
_NO_TYPE = NoneType()
_LOCATIONS = frozenset(LOCATIONS)
#: How the encoding of a place in a file begins: its code.
_FILE_LOCATION = b"\x17"
#: Attributes in attributes are read at most so deep at once; what is deeper is read first.
_MOST_DEPTH = 64


def read(data: bytes, filename: str, context: Context) -> ModuleOp:
    """See `xgpu.core.bytecode.read_bytecode`."""
    assert isinstance(context, TableContext)
    cursor = Cursor(data, filename)
    reader = _Reader(cursor, context)
    try:
        return reader.module()
    except RecursionError:
        raise cursor.error("the input is nested too deeply") from None
    except DiagnosticError as problem:
        reader.add_note(problem)
        raise


class _Entry:
    """An attribute or type: its dialect, its place in the file, and its value if it was read."""

    __slots__ = ("dialect", "end", "has_encoding", "is_open", "is_type", "start", "value")

    def __init__(
        self, dialect: str, start: int, end: int, has_encoding: bool, is_type: bool
    ) -> None:
        self.dialect = dialect
        self.start = start
        self.end = end
        self.has_encoding = has_encoding
        self.is_type = is_type
        self.is_open = False
        self.value: Any = None


class _TooDeep(Exception):
    """An attribute that is to be read before the one that refers to it."""

    def __init__(self, entry: _Entry) -> None:
        super().__init__()
        self.entry = entry


class _Entries:
    """Strings, attributes, types and resources by number: the `Entries` of attributes and types."""

    def __init__(self, cursor: Cursor, context: TableContext) -> None:
        self.cursor = cursor
        self.context = context
        self.strings: list[str] = []
        self.attributes: list[_Entry] = []
        self.types: list[_Entry] = []
        self.resources: list[str] = []
        self._numbers: dict[int, IntAttr] = {}
        self._depth = 0
        self._distinct = 0
        self._texts = 0

    def string(self, cursor: Cursor) -> str:
        return self.strings[cursor.entry(self.strings, "string")]

    def resource(self, cursor: Cursor) -> str:
        return self.resources[cursor.entry(self.resources, "resource")]

    def number(self, value: int) -> IntAttr:
        found = self._numbers.get(value)
        if found is None:
            found = self._numbers[value] = IntAttr(value)
        return found

    def new_distinct(self) -> int:
        self._distinct += 1
        return self._distinct - 1

    def attribute(self, cursor: Cursor) -> Attribute:
        entry = self.attributes[cursor.entry(self.attributes, "attribute")]
        return entry.value if entry.value is not None else self._read(entry)

    def optional_attribute(self, cursor: Cursor) -> Attribute | None:
        at = cursor.at
        number, is_there = cursor.flagged()
        if not is_there:
            return None
        if number >= len(self.attributes):
            cursor.fail(f"invalid attribute index: {number}", at)
        entry = self.attributes[number]
        return entry.value if entry.value is not None else self._read(entry)

    def type(self, cursor: Cursor) -> TypeAttribute:
        entry = self.types[cursor.entry(self.types, "type")]
        return entry.value if entry.value is not None else self._read(entry)

    def type_at(self, number: int) -> TypeAttribute:
        entry = self.types[number]
        return entry.value if entry.value is not None else self._read(entry)

    def _read(self, entry: _Entry) -> Any:
        if self._depth >= _MOST_DEPTH:
            raise _TooDeep(entry)
        if self.cursor.data[entry.start : entry.start + 1] == _FILE_LOCATION:
            entry.value = self._file_location(entry)
            if entry.value is not None:
                return entry.value
        if self._depth:
            self._decode(entry)
            return entry.value
        pending = [entry]
        while pending:
            try:
                self._decode(pending[-1])
                pending.pop()
            except _TooDeep as deep:
                if deep.entry in pending:
                    self._refers_to_itself(deep.entry)
                pending.append(deep.entry)
        return entry.value

    def _file_location(self, entry: _Entry) -> Attribute | None:
        """The place in a file that `entry` is, as nearly all attributes are; None if it is none, or
        if the name of its file was not read yet."""
        if entry.is_type or not entry.has_encoding or entry.dialect != "builtin":
            return None
        cursor = self.cursor.part(entry.start + 1, entry.end)
        filename = self.attributes[cursor.entry(self.attributes, "attribute")].value
        if filename.__class__ is not StringAttr:
            return None
        line, column = self.number(cursor.varint()), self.number(cursor.varint())
        cursor.expect_end("a location")
        return build(FileLineColLoc, filename=filename, line=line, column=column)

    def _refers_to_itself(self, entry: _Entry) -> None:
        self.cursor.fail("attribute or type refers to itself", entry.start)

    def _decode(self, entry: _Entry) -> None:
        if entry.value is not None:
            return
        if entry.is_open:
            self._refers_to_itself(entry)
        entry.is_open = True
        self._depth += 1
        cursor = self.cursor.part(entry.start, entry.end)
        try:
            if not entry.has_encoding:
                entry.value = self._parse(entry, cursor)
                return
            entry.value = self._reader_of(entry, cursor)(cursor, self)
            cursor.expect_end("an attribute or type")
        except VerifyException as problem:
            if isinstance(problem, DiagnosticError):
                raise
            raise cursor.error(words_of(problem), entry.start) from None
        finally:
            entry.is_open = False
            self._depth -= 1

    def _reader_of(self, entry: _Entry, cursor: Cursor) -> Callable[[Cursor, _Entries], Any]:
        if entry.dialect == "builtin":
            return builtin_types.read_type if entry.is_type else builtin.read_attribute
        if entry.dialect == "llvm" and not entry.is_type:
            return llvm.read_attribute
        what = "types" if entry.is_type else "attributes"
        cursor.fail(f"dialect '{entry.dialect}' has no encoding for {what} here")

    def _parse(self, entry: _Entry, cursor: Cursor) -> Attribute:
        """The attribute or type that is there as text, which ends with a null character."""
        text = cursor.bytes(entry.end - entry.start)
        if not text.endswith(b"\0"):
            cursor.fail("expected a null-terminated attribute or type", entry.start)
        self._texts += 1
        try:
            # Distinct attributes of different texts are different, whatever their numbers.
            return parse_alone(
                text[:-1].decode("utf-8", "surrogateescape"),
                "<bytecode>",
                self.context,
                is_type=entry.is_type,
                first_distinct=self._texts << 64,
            )
        except DiagnosticError as problem:
            shown = text[:-1].decode("utf-8", "replace")
            what = "type" if entry.is_type else "attribute"
            message = f"invalid {what} '{shown}': {problem.message}"
            raise cursor.error(message, entry.start) from None


class _Name:
    """The name of an operation, and what is the same for all operations of it."""

    __slots__ = ("cls", "name", "properties", "was_registered")

    def __init__(self, name: str, was_registered: bool) -> None:
        self.name = name
        self.was_registered = was_registered
        self.cls: type[Operation] | None = None
        #: Those that were read, by their number.
        self.properties: dict[int, dict[str, Attribute]] = {}


class _Reader:
    """One file."""

    def __init__(self, cursor: Cursor, context: TableContext) -> None:
        self._cursor = cursor
        self._context = context
        self.entries = _Entries(cursor, context)
        self._version = 0
        self._producer: str | None = None
        self._dialects: list[str] = []
        self._names: list[_Name] = []
        #: Where the properties of each number begin and end.
        self._properties: list[tuple[int, int]] = []
        self._resources: dict[str, dict[str, dict[str, object]]] = {}
        #: Placeholders of values that are used and not defined yet, and where they are first used.
        self._forward: dict[ForwardValue, int] = {}
        #: Values whose uses are not in the order of the program.
        self._unordered: list[SSAValue] = []
        #: The order of a value's uses, whether as pairs, and the offset of that.
        self._orders: dict[SSAValue, tuple[list[int], bool, int]] = {}

    def add_note(self, problem: DiagnosticError) -> None:
        """Adds which version and whose file it is, as MLIR does."""
        if self._producer is None:
            return
        text = f"in bytecode version {self._version} produced by: {self._producer}"
        for diagnostic in problem.diagnostics:
            diagnostic.notes.append(Diagnostic("note", text, diagnostic.location))

    def module(self) -> ModuleOp:
        sections = self._sections()
        self._read_strings(sections[Section.STRING])
        if Section.PROPERTIES in sections:
            self._read_property_sizes(sections[Section.PROPERTIES])
        self._read_dialects(sections[Section.DIALECT])
        self._read_resources(sections)
        self._read_sizes(sections[Section.ATTR_TYPE], sections[Section.ATTR_TYPE_OFFSET])
        operations = self._read_operations(sections[Section.IR])
        if len(operations) == 1 and isinstance(operations[0], ModuleOp):
            operations[0].detach()
            module = operations[0]
        else:
            for op in operations:
                op.detach()
            module = ModuleOp(operations)
            name = StringAttr(self._cursor.filename)
            module.location = FileLineColLoc(name, IntAttr(0), IntAttr(0))
        kept = {kind: self._resources[kind] for kind in _RESOURCES if kind in self._resources}
        if kept:
            module.xgpu_resources = kept  # pyright: ignore[reportAttributeAccessIssue]
        return module

    # -- sections

    def _sections(self) -> dict[int, Cursor]:
        """The header, and the sections by their numbers."""
        cursor = self._cursor
        if cursor.data[: len(MAGIC)] != MAGIC:
            cursor.fail("expected MLIR's bytecode")
        cursor.at = len(MAGIC)
        at = cursor.at
        self._version = cursor.varint()
        if self._version > VERSION:
            cursor.fail(
                f"bytecode version {self._version} is newer than the current version {VERSION}", at
            )
        end = cursor.data.find(b"\0", cursor.at)
        if end < 0:
            cursor.fail("malformed null-terminated string, no null character found")
        self._producer = cursor.data[cursor.at : end].decode("utf-8", "replace")
        cursor.at = end + 1
        found: dict[int, Cursor] = {}
        while cursor.at < cursor.end:
            at = cursor.at
            number, content = cursor.section()
            if number in found:
                cursor.fail(f"duplicate top-level section: {Section(number).name}", at)
            found[number] = content
        has_properties = self._version >= NATIVE_PROPERTIES
        for section in (*_REQUIRED, *((Section.PROPERTIES,) if has_properties else ())):
            if section not in found:
                cursor.fail(f"missing data for top-level section: {section.name}")
        return found

    def _read_strings(self, cursor: Cursor) -> None:
        sizes = [cursor.varint() for _ in range(cursor.count("strings"))]
        strings = self.entries.strings
        for size in reversed(sizes):
            at = cursor.at
            data = cursor.bytes(size)
            if not data.endswith(b"\0"):
                cursor.fail("expected a null-terminated string", at)
            strings.append(data[:-1].decode("utf-8", "surrogateescape"))
        cursor.expect_end("the string section")

    def _read_property_sizes(self, cursor: Cursor) -> None:
        for _ in range(cursor.count("properties")):
            size = cursor.varint()
            at = cursor.at
            cursor.bytes(size)
            self._properties.append((at, at + size))
        cursor.expect_end("the properties section")

    def _read_dialects(self, cursor: Cursor) -> None:
        strings = self.entries.strings
        for _ in range(cursor.count("dialects")):
            if self._version < DIALECT_VERSIONS:
                self._dialects.append(self.entries.string(cursor))
                continue
            at = cursor.at
            number, has_version = cursor.flagged()
            if number >= len(strings):
                cursor.fail(f"invalid string index: {number}", at)
            self._dialects.append(strings[number])
            if has_version:  # no dialect here has versions
                cursor.section()
        if self._version >= ELIDED_ARGUMENT_LOCATIONS:
            cursor.varint()  # the number of operation names, to make room for them
        while cursor.at < cursor.end:
            dialect = self._dialects[cursor.entry(self._dialects, "dialect")]
            for _ in range(cursor.count("operation names")):
                at = cursor.at
                was_registered = True
                number = cursor.varint()
                if self._version >= NATIVE_PROPERTIES:
                    number, was_registered = number >> 1, bool(number & 1)
                if number >= len(strings):
                    cursor.fail(f"invalid string index: {number}", at)
                name = f"{dialect}.{strings[number]}" if strings[number] else dialect
                self._names.append(_Name(name, was_registered))

    def _read_sizes(self, content: Cursor, cursor: Cursor) -> None:
        """Where each attribute and type is, and of which dialect."""
        counts = cursor.count("attributes"), cursor.count("types")
        at = content.at
        for count, is_type in zip(counts, (False, True), strict=True):
            found = self.entries.types if is_type else self.entries.attributes
            while len(found) < count:
                dialect = self._dialects[cursor.entry(self._dialects, "dialect")]
                place = cursor.at
                members = cursor.count("attributes or types")
                if not 0 < members <= count - len(found):
                    cursor.fail(f"invalid number of attributes or types: {members}", place)
                for _ in range(members):
                    place = cursor.at
                    size, has_encoding = cursor.flagged()
                    if size > content.end - at:
                        cursor.fail("attribute or type is not within its section", place)
                    found.append(_Entry(dialect, at, at + size, has_encoding, is_type))
                    at += size
        cursor.expect_end("the attribute and type offset section")

    # -- resources

    def _read_resources(self, sections: dict[int, Cursor]) -> None:
        content = sections.get(Section.RESOURCE)
        cursor = sections.get(Section.RESOURCE_OFFSET)
        if content is None and cursor is None:
            return
        if content is None or cursor is None:
            self._cursor.fail("expected both or none of the sections of resources and their sizes")
        for _ in range(cursor.count("resource groups")):
            name = self.entries.string(cursor)
            self._read_group(cursor, content, "external_resources", name)
        while cursor.at < cursor.end:
            dialect = self._dialects[cursor.entry(self._dialects, "dialect")]
            keys = self._read_group(cursor, content, "dialect_resources", dialect)
            self.entries.resources += keys

    def _read_group(self, cursor: Cursor, content: Cursor, kind: str, name: str) -> list[str]:
        """The values of a group are kept; returns all keys, also of what has no value."""
        keys: list[str] = []
        values: dict[str, object] = {}
        for _ in range(cursor.count("resources")):
            keys.append(self.entries.string(cursor))
            at = cursor.at
            size = cursor.varint()
            value_kind = cursor.byte()
            if size > content.end - content.at:
                cursor.fail("resource is not within its section", at)
            end = content.at + size
            if size:
                part = content.part(content.at, end)
                values[keys[-1]] = self._read_resource(part, value_kind)
                part.expect_end("a resource")
            content.at = end
        if values:
            self._resources.setdefault(kind, {}).setdefault(name, {}).update(values)
        return keys

    def _read_resource(self, cursor: Cursor, kind: int) -> object:
        if kind == ResourceKind.BOOL:
            return bool(cursor.byte())
        if kind == ResourceKind.STRING:
            return Blob(self.entries.string(cursor))
        if kind != ResourceKind.BLOB:
            cursor.fail(f"unknown kind of resource: {kind}")
        alignment = cursor.varint()
        size = cursor.varint()
        cursor.align(alignment)
        data = cursor.bytes(size)
        return Blob("0x" + (alignment.to_bytes(4, "little") + data).hex().upper())

    # -- operations

    def _read_operations(self, cursor: Cursor) -> list[Operation]:
        """The operations at the top."""
        region = Region(Block())
        block = region.blocks[0]
        count, has_arguments = cursor.flagged()
        if has_arguments:
            cursor.fail("expected a block without arguments at the top")
        self._read_block_body(cursor, block, count, [block], [], [0, 0])
        cursor.expect_end("the IR section")
        self._check_forward()
        self._order_uses(block)
        return list(block.ops)

    def _check_forward(self) -> None:
        if self._forward:
            at = min(self._forward.values())
            self._cursor.fail("not all forward operand references are resolved", at)

    def _read_block_body(
        self,
        cursor: Cursor,
        block: Block,
        count: int,
        blocks: list[Block],
        values: list[SSAValue | None],
        numbers: list[int],
    ) -> None:
        if count > cursor.end - cursor.at:
            cursor.fail(f"expected {count} operations, but too few bytes remain")
        last: Operation | None = None
        for _ in range(count):
            op, regions, is_isolated = self._read_operation(cursor, blocks, values)
            append_operation(block, last, op)
            last = op
            if op.results and values:
                self._define(cursor, op.results, values, numbers)
            if regions:
                self._read_regions(cursor, regions, is_isolated, values)

    def _read_operation(
        self, cursor: Cursor, blocks: list[Block], values: list[SSAValue | None]
    ) -> tuple[Operation, list[Region], bool]:
        """An operation whose regions are empty, these regions, and whether they are isolated."""
        entries = self.entries
        name = self._names[cursor.entry(self._names, "operation name")]
        cls = name.cls or self._class_of(name, cursor)
        mask = cursor.byte()
        at = cursor.at
        location = entries.attribute(cursor)
        if location.__class__ not in _LOCATIONS:
            cursor.fail("expected a location", at)
        attributes: dict[str, Attribute] = {}
        if mask & Part.ATTRIBUTES:
            at = cursor.at
            dictionary = entries.attribute(cursor)
            if not isinstance(dictionary, DictionaryAttr):
                cursor.fail("expected a dictionary attribute", at)
            attributes = dict(dictionary.data)
        properties: dict[str, Attribute] = {}
        if mask & Part.PROPERTIES:
            properties = dict(self._operation_properties(cursor, name))
        types: list[TypeAttribute] = []
        if mask & Part.RESULTS:
            types = [entries.type(cursor) for _ in range(cursor.count("results"))]
        operands: list[SSAValue] = []
        if mask & Part.OPERANDS:
            operands = self._operands(cursor, values)
        successors: list[Block] = []
        if mask & Part.SUCCESSORS:
            for _ in range(cursor.count("successors")):
                successors.append(blocks[cursor.entry(blocks, "successor")])
        orders: dict[int, tuple[list[int], bool, int]] = {}
        if mask & Part.USE_LIST_ORDERS and self._version >= USE_LIST_ORDERS:
            orders = self._read_orders(cursor, len(types))
        regions: list[Region] = []
        is_isolated = False
        if mask & Part.REGIONS:
            at = cursor.at
            count, is_isolated = cursor.flagged()
            if count > cursor.end - cursor.at:
                cursor.fail(f"expected {count} regions, but too few bytes remain", at)
            regions = [Region() for _ in range(count)]
        op = self._context.build(
            cls, operands, types, properties, attributes, location, successors, regions, _NO_PARSER
        )
        for at, order in orders.items():
            self._orders[op.results[at]] = order
        return op, regions, is_isolated

    def _class_of(self, name: _Name, cursor: Cursor) -> type[Operation]:
        dialect = name.name.partition(".")[0]
        found = self._context.generic_op(name.name)
        if found is False:
            cursor.fail(
                f"dialect '{dialect}' is unknown. If this is intended, please use "
                "-allow-unregistered-dialect with the MLIR tool used"
            )
        name.cls = found
        return found

    def _location(self, cursor: Cursor) -> Attribute:
        at = cursor.at
        found = self.entries.attribute(cursor)
        if found.__class__ not in _LOCATIONS:
            cursor.fail("expected a location", at)
        return found

    def _operation_properties(self, cursor: Cursor, name: _Name) -> dict[str, Attribute]:
        at = cursor.at
        number = cursor.entry(self._properties, "properties")
        known = name.properties.get(number)
        if known is not None:
            return known
        part = self._cursor.part(*self._properties[number])
        if not name.was_registered:
            dictionary = self.entries.attribute(part)
            if not isinstance(dictionary, DictionaryAttr):
                part.fail("expected a dictionary attribute")
            found = dict(dictionary.data)
        else:
            layout = layout_of(name.name)
            if layout is None:
                cursor.fail(
                    f"'{name.name}' has properties, but no operation of this name that has some is "
                    "registered",
                    at,
                )
            found = read_properties(layout, self._version, part, self.entries)
        part.expect_end("properties")
        name.properties[number] = found
        return found

    def _operands(self, cursor: Cursor, values: list[SSAValue | None]) -> list[SSAValue]:
        operands: list[SSAValue] = []
        for _ in range(cursor.count("operands")):
            at = cursor.at
            number = cursor.entry(values, "value")
            value = values[number]
            if value is None:
                value = values[number] = ForwardValue(_NO_TYPE)
                self._forward[value] = at
            operands.append(value)
        return operands

    def _define(
        self,
        cursor: Cursor,
        defined: Sequence[SSAValue],
        values: list[SSAValue | None],
        numbers: list[int],
    ) -> None:
        """Gives values their numbers: `numbers` has the next one, and the end of the region's."""
        at, end = numbers
        if at + len(defined) > end:
            cursor.fail(f"expected no more values in the region, which has {end} so far")
        for value in defined:
            old = values[at]
            values[at] = value
            at += 1
            if isinstance(old, ForwardValue):
                del self._forward[old]
                replace_all_uses(old, value)
                self._unordered.append(value)
        numbers[0] = at

    def _read_regions(
        self,
        cursor: Cursor,
        regions: Sequence[Region],
        is_isolated: bool,
        values: list[SSAValue | None],
    ) -> None:
        if not is_isolated or self._version < ISOLATED_SECTIONS:
            for region in regions:
                self._read_region(cursor, region, [] if is_isolated else values)
            return
        at = cursor.at
        number, part = cursor.section()
        if number != Section.IR:
            cursor.fail("expected IR section for region", at)
        for region in regions:
            self._read_region(part, region, [])
        part.expect_end("the regions of an operation")
        cursor.at = part.end

    def _read_region(self, cursor: Cursor, region: Region, values: list[SSAValue | None]) -> None:
        count = cursor.count("blocks")
        if not count:
            return
        blocks = [Block() for _ in range(count)]
        for block in blocks:
            region.add_block(block)
        first = len(values)
        at = cursor.at
        own = cursor.count("values")
        values += [None] * own
        numbers = [first, first + own]
        for block in blocks:
            operations, has_arguments = cursor.flagged()
            if has_arguments:
                self._read_arguments(cursor, block, values, numbers)
            self._read_block_body(cursor, block, operations, blocks, values, numbers)
        if any(isinstance(value, ForwardValue) for value in values[first:]):
            self._check_forward()
        if numbers[0] != numbers[1]:
            cursor.fail(f"expected {own} values in the region, but found {numbers[0] - first}", at)
        del values[first:]

    def _read_arguments(
        self,
        cursor: Cursor,
        block: Block,
        values: list[SSAValue | None],
        numbers: list[int],
    ) -> None:
        entries = self.entries
        arguments: list[BlockArgument] = []
        for index in range(cursor.count("block arguments")):
            location: Any = UnknownLoc()
            if self._version < ELIDED_ARGUMENT_LOCATIONS:
                ty = entries.type(cursor)
                location = self._location(cursor)
            else:
                at = cursor.at
                number, has_location = cursor.flagged()
                if number >= len(entries.types):
                    cursor.fail(f"invalid type index: {number}", at)
                ty = entries.type_at(number)
                if has_location:
                    location = self._location(cursor)
            argument = BlockArgument(ty, block, index)
            argument.location = location
            arguments.append(argument)
        set_arguments(block, arguments)
        self._define(cursor, arguments, values, numbers)
        if self._version >= USE_LIST_ORDERS and cursor.byte():
            for at, order in self._read_orders(cursor, len(arguments)).items():
                self._orders[arguments[at]] = order

    # -- the order of uses

    def _read_orders(self, cursor: Cursor, count: int) -> dict[int, tuple[list[int], bool, int]]:
        """Orders of uses, by the positions of their values among `count`."""
        found: dict[int, tuple[list[int], bool, int]] = {}
        number = 1 if count == 1 else cursor.count("use-list orders")
        for _ in range(number):
            place = cursor.at
            at = 0 if count == 1 else cursor.varint()
            if at >= count:
                cursor.fail(f"invalid index of a use-list order: {at}", place)
            length, is_pairs = cursor.flagged()
            if length > cursor.end - cursor.at:
                cursor.fail(f"expected {length} indices, but too few bytes remain", place)
            found[at] = [cursor.varint() for _ in range(length)], is_pairs, place
        return found

    def _order_uses(self, top: Block) -> None:
        if not self._orders and not self._unordered:
            return
        numbers: dict[Operation, int] = {}
        for op in top.ops:
            for part in (op, *nested_operations(op)):
                numbers[part] = len(numbers)
        for value in dict.fromkeys((*self._unordered, *self._orders)):
            uses: list[Use] = []
            use = value.first_use
            while use is not None:
                uses.append(use)
                use = next_use(use)
            uses.sort(key=lambda use: (numbers[using_operation(use)], use.index), reverse=True)
            order = self._orders.get(value)
            set_uses(value, uses if order is None else self._permuted(uses, *order))

    def _permuted(self, uses: list[Use], order: list[int], is_pairs: bool, at: int) -> list[Use]:
        """The uses in the order that is encoded: where each of them stands in the list."""
        places = order
        if is_pairs:
            places = list(range(len(uses)))
            for to, place in zip(order[::2], order[1::2], strict=False):
                if place >= len(places):
                    self._cursor.fail("invalid use-list order", at)
                places[place] = to
        if sorted(places) != list(range(len(uses))):
            self._cursor.fail("invalid use-list order", at)
        found = list(uses)
        for use, place in zip(uses, places, strict=True):
            found[place] = use
        return found


if TYPE_CHECKING:
    _NO_PARSER: Parser
else:
    #: Building an operation asks the parser of a text for nothing.
    _NO_PARSER = None
