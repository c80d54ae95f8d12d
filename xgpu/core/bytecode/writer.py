# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writing bytecode: the same bytes as mlir-opt 22.1 writes, but for the producer's name.

All that operations refer to is numbered first (`numbering`). Then the sections are written in
MLIR's order; strings get their numbers as they are met.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import DictionaryAttr, UnknownLoc
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.bytecode.encoding import (
    DIALECT_VERSIONS,
    ELIDED_ARGUMENT_LOCATIONS,
    ISOLATED_SECTIONS,
    MAGIC,
    NATIVE_PROPERTIES,
    USE_LIST_ORDERS,
    VERSION,
    Emitter,
    Part,
    ResourceKind,
    Resources,
    Section,
)
from xgpu.core.bytecode.numbering import (
    Numbered,
    Numbering,
    write_attribute,
    write_type,
)
from xgpu.core.bytecode.properties import write_properties
from xgpu.core.ir.construction import (
    arguments_of,
    first_block,
    first_operation,
    next_block,
    next_operation,
    next_use,
    operands_of,
    operations_of,
    successors_of,
    using_operation,
    value_type,
)
from xgpu.core.ir.errors import UsageError
from xgpu.core.ods.registry import is_ours

#: MLIR's alignment of a blob stands before it, in so many bytes.
_BLOB_HEADER = 4


def write(
    op: Operation, version: int, producer: str, resources: Resources, *, elide_resources: bool
) -> bytes:
    """See `xgpu.core.bytecode.write_bytecode`."""
    if not 0 <= version <= VERSION:
        raise UsageError(
            f"unsupported version requested {version}, must be in range [0, {VERSION}]"
        )
    if not is_ours(op):
        from xgpu.core.syntax.interop import adopted

        op = adopted(op)
    return _Writer(op, version, resources, elide_resources).write(op, producer)


class _Strings:
    """The strings of a file, numbered as they are met."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text.encode("utf-8", "surrogateescape"), len(self._numbers))

    def section(self) -> Emitter:
        out = Emitter()
        out.varint(len(self._numbers))
        for data in reversed(self._numbers):
            out.varint(len(data) + 1)
        for data in self._numbers:
            out.data += data
            out.byte(0)
        return out


class _Sink:
    """Takes the parts of attributes and properties, and writes them."""

    def __init__(self, numbering: Numbering, strings: _Strings) -> None:
        self.out = Emitter()
        self._numbering = numbering
        self._strings = strings

    def attribute(self, value: Attribute) -> None:
        self.out.varint(self._numbering.attribute_number(value))

    def optional_attribute(self, value: Attribute | None) -> None:
        self.out.varint(0 if value is None else self._numbering.attribute_number(value) << 1 | 1)

    def string_attribute(self, text: str) -> None:
        self.out.varint(self._numbering.string_number(text))

    def type(self, value: Attribute) -> None:
        self.out.varint(self._numbering.type_number(value))

    def resource(self, key: str) -> None:
        self.out.varint(self._numbering.dialects["builtin"].resources[key])

    def string(self, value: str) -> None:
        self.out.varint(self._strings.number(value))

    def varint(self, value: int) -> None:
        self.out.varint(value)

    def signed(self, value: int) -> None:
        self.out.signed(value)

    def integer(self, value: int, width: int) -> None:
        self.out.integer(value, width)

    def byte(self, value: int) -> None:
        self.out.byte(value)

    def blob(self, value: bytes) -> None:
        self.out.varint(len(value))
        self.out.data += value


class _Writer:
    """One file."""

    def __init__(
        self, op: Operation, version: int, resources: Resources, elide_resources: bool
    ) -> None:
        self._version = version
        self._resources = resources
        self._elide_resources = elide_resources
        self._numbering = Numbering(op, version, resources.get("dialect_resources", {}))
        self._strings = _Strings()
        #: The bytes of properties, each once, and their numbers.
        self._properties: dict[bytes, int] = {}

    def write(self, op: Operation, producer: str) -> bytes:
        out = Emitter()
        out.data += MAGIC
        out.varint(self._version)
        out.data += producer.encode("utf-8", "surrogateescape") + b"\0"
        out.section(Section.DIALECT, self._dialects())
        content, offsets = self._attributes_and_types()
        out.section(Section.ATTR_TYPE_OFFSET, offsets)
        out.section(Section.ATTR_TYPE, content)
        body = Emitter()
        body.flagged(1, False)
        self._operation(body, op)
        out.section(Section.IR, body)
        content, offsets = self._resource_sections()
        out.section(Section.RESOURCE_OFFSET, offsets)
        out.section(Section.RESOURCE, content)
        out.section(Section.STRING, self._strings.section())
        if self._version >= NATIVE_PROPERTIES:
            out.section(Section.PROPERTIES, self._properties_section())
        return bytes(out.data)

    # -- dialects, attributes, types

    def _dialects(self) -> Emitter:
        out = Emitter()
        numbering, strings = self._numbering, self._strings
        out.varint(len(numbering.dialects))
        for name in numbering.dialects:
            if self._version < DIALECT_VERSIONS:
                out.varint(strings.number(name))
            else:
                out.flagged(strings.number(name), False)
        if self._version >= ELIDED_ARGUMENT_LOCATIONS:
            out.varint(len(numbering.names))

        def write(entry: Numbered) -> None:
            number = strings.number(entry.value.partition(".")[2])
            if self._version < NATIVE_PROPERTIES:
                out.varint(number)
            else:
                out.flagged(number, numbering.kinds[entry.value].is_known)

        _write_groups(out, numbering.names, write)
        return out

    def _attributes_and_types(self) -> tuple[Emitter, Emitter]:
        """The section of attributes and types, and that of their sizes."""
        numbering = self._numbering
        sink = _Sink(numbering, self._strings)
        offsets = Emitter()
        offsets.varint(len(numbering.attributes))
        offsets.varint(len(numbering.types))

        def writer(write_own: Callable[[Attribute, str, Any], bool]) -> Callable[[Numbered], None]:
            def write(entry: Numbered) -> None:
                start = len(sink.out.data)
                if entry.text is None:
                    write_own(entry.value, entry.dialect.name, sink)
                else:
                    sink.out.data += entry.text.encode("utf-8", "surrogateescape")
                    sink.out.byte(0)
                offsets.flagged(len(sink.out.data) - start, entry.text is None)

            return write

        _write_groups(offsets, numbering.attributes, writer(write_attribute))
        _write_groups(offsets, numbering.types, writer(write_type))
        return sink.out, offsets

    # -- operations

    def _operation(self, out: Emitter, op: Operation) -> None:
        numbering = self._numbering
        kind = numbering.kinds[op.name]
        varint, values = out.varint, numbering.values
        varint(kind.name.number)
        mask_at = len(out.data)
        out.byte(0)
        mask = 0
        varint(numbering.attribute_number(op.location))
        dictionary = numbering.dictionaries.get(op)
        if dictionary is not None:
            mask |= Part.ATTRIBUTES
            varint(numbering.attribute_number(dictionary))
        if self._version >= NATIVE_PROPERTIES:
            number = self._operation_properties(op)
            if number is not None:
                mask |= Part.PROPERTIES
                varint(number)
        results = op.results
        if results:
            mask |= Part.RESULTS
            varint(len(results))
            for result in results:
                varint(numbering.type_number(value_type(result)))
        operands = operands_of(op)
        if operands:
            mask |= Part.OPERANDS
            varint(len(operands))
            for operand in operands:
                varint(values[operand])
        successors = successors_of(op)
        if successors:
            mask |= Part.SUCCESSORS
            varint(len(successors))
            for block in successors:
                varint(numbering.blocks[block])
        if results and self._version >= USE_LIST_ORDERS and self._use_list_orders(out, results):
            mask |= Part.USE_LIST_ORDERS
        if op.regions:
            mask |= Part.REGIONS
            self._regions(out, op)
        out.data[mask_at] = mask

    def _operation_properties(self, op: Operation) -> int | None:
        """The number of the operation's properties; None if it has none."""
        kind = self._numbering.kinds[op.name]
        sink = _Sink(self._numbering, self._strings)
        if kind.layout is not None:
            write_properties(op, kind.layout, self._version, sink)
        elif not kind.is_known and op.properties:
            sink.attribute(DictionaryAttr(op.properties))
        else:
            return None
        return self._properties.setdefault(bytes(sink.out.data), len(self._properties))

    def _regions(self, out: Emitter, op: Operation) -> None:
        is_isolated = self._numbering.is_isolated(op)
        out.flagged(len(op.regions), is_isolated)
        if not is_isolated or self._version < ISOLATED_SECTIONS:
            for region in op.regions:
                self._region(out, region)
            return
        body = Emitter()
        for region in op.regions:
            self._region(body, region)
        out.section(Section.IR, body)

    def _region(self, out: Emitter, region: Region) -> None:
        block = first_block(region)
        if block is None:
            out.varint(0)
            return
        blocks, values = self._numbering.sizes[region]
        out.varint(blocks)
        out.varint(values)
        while block is not None:
            self._block(out, block)
            block = next_block(block)

    def _block(self, out: Emitter, block: Block) -> None:
        arguments = arguments_of(block)
        out.flagged(len(operations_of(block)), bool(arguments))
        if arguments:
            self._arguments(out, block)
        op = first_operation(block)
        while op is not None:
            self._operation(out, op)
            op = next_operation(op)

    def _arguments(self, out: Emitter, block: Block) -> None:
        numbering = self._numbering
        arguments = arguments_of(block)
        out.varint(len(arguments))
        for argument in arguments:
            number = numbering.type_number(value_type(argument))
            location = argument.location
            if self._version < ELIDED_ARGUMENT_LOCATIONS:
                out.varint(number)
                out.varint(numbering.attribute_number(location))
                continue
            is_known = not isinstance(location, UnknownLoc)
            out.flagged(number, is_known)
            if is_known:
                out.varint(numbering.attribute_number(location))
        if self._version >= USE_LIST_ORDERS:
            at = len(out.data)
            out.byte(0)
            if self._use_list_orders(out, arguments):
                out.data[at] = Part.USE_LIST_ORDERS

    def _use_list_orders(self, out: Emitter, values: Sequence[SSAValue]) -> bool:
        """Writes the order of the uses of those values that a reader would not get by itself: it
        puts each use before those it has seen. Whether there are such values."""
        orders: dict[int, list[int]] = {}
        for at, value in enumerate(values):
            order = self._use_list_order(value)
            if order is not None:
                orders[at] = order
        if not orders:
            return False
        if len(values) != 1:
            out.varint(len(orders))
        for at in _as_hashed(orders):
            order = orders[at]
            if len(values) != 1:
                out.varint(at)
            moved = [(to, place) for place, to in enumerate(order) if place != to]
            if len(moved) < len(order) // 2:
                out.flagged(2 * len(moved), True)
                for to, place in moved:
                    out.varint(to)
                    out.varint(place)
            else:
                out.flagged(len(order), False)
                for to in order:
                    out.varint(to)
        return True

    def _use_list_order(self, value: SSAValue) -> list[int] | None:
        """Where each use, from the last in the program to the first, stands in the list of uses;
        None if they stand in this order."""
        use = value.first_use
        if use is None or next_use(use) is None:
            return None
        operations = self._numbering.operations
        uses: list[tuple[int, int]] = []
        while use is not None:
            uses.append((operations[using_operation(use)], use.index))
            use = next_use(use)
        order = sorted(range(len(uses)), key=uses.__getitem__, reverse=True)
        return None if order == list(range(len(uses))) else order

    # -- resources and properties

    def _resource_sections(self) -> tuple[Emitter, Emitter]:
        """The section of resources, and that of their sizes."""
        out, offsets = Emitter(), Emitter()
        groups = self._resources.get("external_resources", {})
        offsets.varint(len(groups))
        for name, values in groups.items():
            self._resource_group(out, offsets, lambda name=name: self._strings.number(name), values)
        all_values = self._resources.get("dialect_resources", {})
        for number, dialect in enumerate(self._numbering.dialects.values()):
            if not dialect.resources:
                continue
            values = all_values.get(dialect.name, {})
            ordered = sorted(dialect.resources, key=dialect.resources.__getitem__)
            named = {key: values.get(key) for key in ordered}
            self._resource_group(out, offsets, lambda number=number: number, named)
        return out, offsets

    def _resource_group(
        self,
        out: Emitter,
        offsets: Emitter,
        number: Callable[[], int],
        values: Mapping[str, object],
    ) -> None:
        """Writes the values of a group; it is numbered behind the strings among them."""
        sizes: list[tuple[str, int, ResourceKind]] = []
        for key, value in values.items():
            start = len(out.data)
            kind = self._resource(out, value)
            sizes.append((key, len(out.data) - start, kind))
        offsets.varint(number())
        offsets.varint(len(sizes))
        for key, size, kind in sizes:
            offsets.varint(self._strings.number(key))
            offsets.varint(size)
            offsets.byte(kind)

    def _resource(self, out: Emitter, value: object) -> ResourceKind:
        """Writes the value of a resource; nothing for one that is only named."""
        if isinstance(value, bool):
            if not self._elide_resources:
                out.byte(value)
            return ResourceKind.BOOL
        if value is None:
            return ResourceKind.BLOB
        blob = _blob_of(str(value))
        if blob is None:
            if not self._elide_resources:
                out.varint(self._strings.number(str(value)))
            return ResourceKind.STRING
        if not self._elide_resources:
            alignment, data = blob
            out.varint(alignment)
            out.varint(len(data))
            out.align(alignment)
            out.data += data
        return ResourceKind.BLOB

    def _properties_section(self) -> Emitter:
        out = Emitter()
        out.varint(len(self._properties))
        for data in self._properties:
            out.varint(len(data))
            out.data += data
        return out


def _as_hashed(numbers: Mapping[int, object]) -> list[int]:
    """Numbers in the order in which MLIR 22.1 meets them, which is that of LLVM's hash table."""
    buckets = 64
    while 4 * len(numbers) >= 3 * buckets:
        buckets *= 2
    return sorted(numbers, key=lambda number: number * 37 % buckets)


def _blob_of(text: str) -> tuple[int, bytes] | None:
    """Alignment and bytes of a blob in hexadecimal; None of another string."""
    if not text.startswith("0x"):
        return None
    try:
        data = bytes.fromhex(text[2:])
    except ValueError:
        return None
    if len(data) < _BLOB_HEADER:
        return None
    alignment = int.from_bytes(data[:_BLOB_HEADER], "little")
    return (alignment, data[_BLOB_HEADER:]) if alignment.bit_count() == 1 else None


def _write_groups(
    out: Emitter, entries: Sequence[Numbered], write: Callable[[Numbered], None]
) -> None:
    """Entries one by one; before those of one dialect its number, and how many they are."""
    at = 0
    while at < len(entries):
        dialect = entries[at].dialect
        end = at
        while end < len(entries) and entries[end].dialect is dialect:
            end += 1
        out.varint(dialect.number)
        out.varint(end - at)
        for entry in entries[at:end]:
            write(entry)
        at = end
