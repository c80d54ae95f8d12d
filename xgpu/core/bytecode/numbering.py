# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbers by which bytecode refers to dialects, operation names, attributes, types and values.

As MLIR's `IRNumbering.cpp` gives them, so that files are the same byte by byte: what is used most
has the smallest numbers, and within each range of numbers of one width, what is of one dialect
stands together. Values are counted from the nearest operation that is isolated from above, which
also holds for operations that only happen to use nothing from outside.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, cast

from immutabledict import immutabledict
from xdsl.dialects.builtin import (
    BuiltinAttribute,
    DictionaryAttr,
    FileLineColLoc,
    IntegerAttr,
    IntegerType,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, TypeAttribute
from xdsl.traits import IsolatedFromAbove

from xgpu.core.bytecode import builtin, builtin_types, llvm
from xgpu.core.bytecode.builtin_types import Sink
from xgpu.core.bytecode.encoding import NATIVE_PROPERTIES
from xgpu.core.bytecode.properties import (
    Layout,
    is_known_to_mlir,
    layout_of,
    write_properties,
)
from xgpu.core.ir.construction import (
    arguments_of,
    first_block,
    first_operation,
    next_block,
    next_operation,
    operands_of,
    value_type,
)
from xgpu.core.ir.locations import SourceLoc, source_location
from xgpu.core.ir.op_info import UnregisteredOperation
from xgpu.core.ir.uniquing import Uniquer
from xgpu.core.syntax.builtin_attributes import DialectAttr
from xgpu.core.syntax.printer import Printer


class Numbered:
    """An attribute, type or operation name: its dialect, how often it is used, its number."""

    __slots__ = ("count", "dialect", "number", "text", "value")

    def __init__(self, value: Any, dialect: DialectNumber) -> None:
        self.value = value
        self.dialect = dialect
        self.count = 0
        self.number = 0
        #: The text of what has no encoding of its own.
        self.text: str | None = None


class DialectNumber:
    """A dialect that the IR refers to, and the resources of it that attributes name."""

    __slots__ = ("name", "number", "resources")

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.resources: dict[str, int] = {}


class Kind:
    """What is the same for all operations of a name."""

    __slots__ = ("is_isolated", "is_known", "layout", "name")

    def __init__(self, name: Numbered, op: Operation) -> None:
        self.name = name
        self.is_known = is_known_to_mlir(op.name)
        self.layout: Layout | None = layout_of(op.name) if self.is_known else None
        cls = type(op)
        self.is_isolated = not issubclass(cls, UnregisteredOperation) and (
            cls.get_trait(IsolatedFromAbove) is not None
        )


class _Attributes(Uniquer):
    """Equal attributes of MLIR alike: the order of a dictionary's entries does not count, nor how a
    boolean is held."""

    def _key(self, value: Attribute) -> Hashable:
        if isinstance(value, IntegerAttr):
            ty = value.type
            mask = (1 << (ty.width.data if isinstance(ty, IntegerType) else 64)) - 1
            return IntegerAttr, value.value.data & mask, self.number(ty)
        if isinstance(value, Mapping):
            items = cast("Mapping[str, Attribute]", value).items()
            return dict, *sorted((name, self.number(part)) for name, part in items)
        return super()._key(value)


class Numbering:
    """The numbers of all that `root` refers to, for a version of the format.

    It is a `Sink` itself: what an attribute consists of is numbered as it is written.
    """

    def __init__(
        self, root: Operation, version: int, resources: Mapping[str, Mapping[str, object]]
    ) -> None:
        self.version = version
        self.dialects: dict[str, DialectNumber] = {}
        self.attributes: list[Numbered] = []
        self.types: list[Numbered] = []
        self.names: list[Numbered] = []
        self.values: dict[SSAValue, int] = {}
        self.blocks: dict[Block, int] = {}
        self.operations: dict[Operation, int] = {}
        self._isolated: dict[Operation, bool] = {}
        #: The number of blocks and values of each region.
        self.sizes: dict[Region, tuple[int, int]] = {}
        #: The merged dictionaries of operations, which must be found again.
        self.dictionaries: dict[Operation, DictionaryAttr] = {}
        self.kinds: dict[str, Kind] = {}
        self._unique = _Attributes()
        self._attributes: dict[Hashable, Numbered] = {}
        self._types: dict[int, Numbered] = {}
        #: The same by the identities of attributes and types, which are kept alive.
        self._known: dict[int, Numbered] = {}
        self._known_types: dict[int, Numbered] = {}
        self._kept: list[Attribute] = []
        self._next_value = 0

        self._number_operations(root)
        self._number_all(root)
        for entries in (self.attributes, self.names, self.types):
            entries.sort(key=lambda entry: -entry.count)
            _group_by_dialect(entries)
        self._number_resources(resources)

    # -- operations: their order, and which are isolated from above

    def _number_operations(self, root: Operation) -> None:
        #: Whether an operation around the current one may turn out to use values from outside.
        stack: list[Operation] = []
        is_open: dict[Operation, bool] = {}

        def visit(op: Operation) -> None:
            if stack and is_open[stack[-1]]:
                self._resolve(op, stack, is_open)
            self.operations[op] = len(self.operations)
            if not op.regions:
                return
            known = self._kind(op).is_isolated
            if known:
                self._isolated[op] = True
            is_open[op] = not known
            stack.append(op)
            for region in op.regions:
                block = first_block(region)
                while block is not None:
                    inner = first_operation(block)
                    while inner is not None:
                        visit(inner)
                        inner = next_operation(inner)
                    block = next_block(block)
            stack.pop()
            self._isolated.setdefault(op, True)

        visit(root)

    def _resolve(
        self, op: Operation, stack: list[Operation], is_open: dict[Operation, bool]
    ) -> None:
        """Notes which operations around `op` it uses values from outside of: those up to the one
        that holds the value, or to one of which that is known."""
        region = op.parent_region()
        for operand in operands_of(op):
            owner = operand.owner
            block = owner if isinstance(owner, Block) else owner.parent
            outer = None if block is None else block.parent
            if outer is None or outer is region:
                continue
            holder = outer.parent
            end = len(stack) - 1
            while end and is_open[stack[end]] and stack[end] is not holder:
                end -= 1
            for around in stack[end + 1 :]:
                is_open[around] = is_open[stack[end]]
                self._isolated[around] = False

    def is_isolated(self, op: Operation) -> bool:
        """Whether nothing in the regions of `op` uses values from outside."""
        return self._isolated[op]

    # -- what operations refer to

    def _number_all(self, root: Operation) -> None:
        self._number_operation(root)
        pending: list[tuple[Region, int]] = []
        self._add_regions(root, pending)
        while pending:
            region, self._next_value = pending.pop()
            first = self._next_value
            blocks = 0
            block = first_block(region)
            while block is not None:
                self.blocks[block] = blocks
                blocks += 1
                self._number_block(block)
                block = next_block(block)
            self.sizes[region] = blocks, self._next_value - first
            block = first_block(region)
            while block is not None:
                op = first_operation(block)
                while op is not None:
                    if op.regions:
                        self._add_regions(op, pending)
                    op = next_operation(op)
                block = next_block(block)

    def _add_regions(self, op: Operation, pending: list[tuple[Region, int]]) -> None:
        if op.regions:
            first = 0 if self._isolated[op] else self._next_value
            pending.extend((region, first) for region in op.regions)

    def _number_block(self, block: Block) -> None:
        for argument in arguments_of(block):
            self.values[argument] = self._next_value
            self._next_value += 1
            self.attribute(argument.location)
            self.type(value_type(argument))
        op = first_operation(block)
        while op is not None:
            self._number_operation(op)
            op = next_operation(op)

    def _kind(self, op: Operation) -> Kind:
        name = op.name
        kind = self.kinds.get(name)
        if kind is None:
            kind = self.kinds[name] = Kind(Numbered(name, cast("Any", None)), op)
        return kind

    def _number_operation(self, op: Operation) -> None:
        kind = self._kind(op)
        if not kind.name.count:
            kind.name.dialect = self.dialect(op.name.partition(".")[0])
            self.names.append(kind.name)
        kind.name.count += 1
        for result in op.results:
            self.values[result] = self._next_value
            self._next_value += 1
            self.type(value_type(result))
        dictionary = self._dictionary(op, kind)
        if dictionary is not None:
            self.attribute(dictionary)
            self.dictionaries[op] = dictionary
        if self.version >= NATIVE_PROPERTIES:
            if kind.layout is not None:
                write_properties(op, kind.layout, self.version, self)
            elif not kind.is_known and op.properties:
                self.attribute(DictionaryAttr(op.properties))
        self.attribute(op.location)

    def _dictionary(self, op: Operation, kind: Kind) -> DictionaryAttr | None:
        """The attributes that are written as a dictionary: all if the version has no properties, or
        if MLIR's operation has none. As in MLIR, what is no attribute there is lost in such a
        version: a reader would not take it from the dictionary."""
        attributes: Mapping[str, Attribute] = op.attributes
        has_properties = self.version >= NATIVE_PROPERTIES and (
            kind.layout is not None or not kind.is_known
        )
        if not has_properties and op.properties:
            natives = kind.layout.natives if kind.layout is not None else ()
            lost = {name for name, _ in natives}
            inherent = {name: part for name, part in op.properties.items() if name not in lost}
            attributes = {**inherent, **attributes}
        return DictionaryAttr(immutabledict(attributes)) if attributes else None

    # -- attributes and types

    def dialect(self, name: str) -> DialectNumber:
        found = self.dialects.get(name)
        if found is None:
            found = self.dialects[name] = DialectNumber(name, len(self.dialects))
        return found

    def attribute(self, value: Attribute) -> None:
        entry = self._known.get(id(value)) or self._find(value)
        if entry is None:
            entry = self._add(value)
        entry.count += 1
        self._known[id(value)] = entry
        self._kept.append(value)  # its identity must not become another's

    def _find(self, value: Attribute) -> Numbered | None:
        """The entry of an attribute that is equal to `value`, if there is one."""
        return self._attributes.get(self._key(value))

    def _key(self, value: Attribute) -> Hashable:
        """What tells attributes apart: of the most frequent ones a text or a place."""
        cls = value.__class__
        if cls is StringAttr:
            return cast("StringAttr", value).data
        if cls is SourceLoc or cls is FileLineColLoc:
            return source_location(value)
        number = self._unique.number(value)
        return -number - 1 if isinstance(value, TypeAttribute) else number

    def _add(self, value: Attribute) -> Numbered:
        dialect = "builtin" if isinstance(value, TypeAttribute) else _dialect_of(value)
        entry = self._attributes[self._key(value)] = Numbered(value, self.dialect(dialect))
        self.attributes.append(entry)
        if not write_attribute(value, dialect, self):
            self._note_text(entry)
        return entry

    def optional_attribute(self, value: Attribute | None) -> None:
        if value is not None:
            self.attribute(value)

    def string_attribute(self, text: str) -> None:
        entry = self._attributes.get(text) or self._add(StringAttr(text))
        entry.count += 1

    def type(self, value: Attribute) -> None:
        entry = self._known_types.get(id(value))
        if entry is None:
            number = self._unique.number(value)
            entry = self._types.get(number) or self._add_type(value, number)
            self._known_types[id(value)] = entry
        entry.count += 1

    def _add_type(self, value: Attribute, number: int) -> Numbered:
        dialect = _dialect_of(value)
        entry = self._types[number] = Numbered(value, self.dialect(dialect))
        self.types.append(entry)
        if not write_type(value, dialect, self):
            self._note_text(entry)
        return entry

    def _note_text(self, entry: Numbered) -> None:
        printer = Printer(local_scope=True)
        printer.print_attribute(entry.value)
        entry.text = printer.text()
        for key in printer.resource_keys:
            self.resource(key)

    def resource(self, key: str) -> None:
        self.dialect("builtin").resources.setdefault(key, 0)

    def varint(self, value: int) -> None: ...
    def signed(self, value: int) -> None: ...
    def integer(self, value: int, width: int) -> None: ...
    def byte(self, value: int) -> None: ...
    def string(self, value: str) -> None: ...
    def blob(self, value: bytes) -> None: ...

    # -- numbers

    def attribute_number(self, value: Attribute) -> int:
        entry = self._known.get(id(value)) or self._attributes[self._key(value)]
        return entry.number

    def string_number(self, text: str) -> int:
        """The number of the attribute that is this string."""
        return self._attributes[text].number

    def type_number(self, value: Attribute) -> int:
        entry = self._known_types.get(id(value)) or self._types[self._unique.number(value)]
        return entry.number

    def _number_resources(self, resources: Mapping[str, Mapping[str, object]]) -> None:
        """First what has a value, in the order of the values, then what is only named."""
        number = 0
        for dialect in self.dialects.values():
            values = resources.get(dialect.name, {})
            named = dialect.resources
            ordered = [
                *(key for key in values if key in named),
                *(k for k in named if k not in values),
            ]
            for key in ordered:
                named[key] = number
                number += 1


def write_attribute(value: Attribute, dialect: str, out: Sink) -> bool:
    """Writes an attribute in its dialect's encoding; false if it has none."""
    if dialect == "builtin":
        return builtin.write_attribute(value, out)
    return dialect == "llvm" and llvm.write_attribute(value, out)


def write_type(value: Attribute, dialect: str, out: Sink) -> bool:
    """Writes a type in its dialect's encoding; false if it has none."""
    return dialect == "builtin" and builtin_types.write_type(value, out)


def _dialect_of(value: Attribute) -> str:
    if isinstance(value, DialectAttr):
        return value.data[0]
    if isinstance(value, BuiltinAttribute):
        return "builtin"
    dialect, dot, _ = value.name.partition(".")
    return dialect if dot else "builtin"


def _group_by_dialect(entries: list[Numbered]) -> None:
    """Orders entries by dialect within each range of numbers that take the same bytes, and numbers
    them. The dialect that ends a range begins the next one."""
    first = start = size = 0
    for width in range(1, 9):
        size = (1 << 7 * width) - size
        part = entries[start : start + size]
        part.sort(key=lambda entry, first=first: (
            entry.dialect.number != first, entry.dialect.number
        ))  # fmt: skip
        entries[start : start + size] = part
        start += len(part)
        if start == len(entries):
            break
        first = part[-1].dialect.number
    for number, entry in enumerate(entries):
        entry.number = number
