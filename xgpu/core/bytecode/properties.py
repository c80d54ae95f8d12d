# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inherent attributes of operations, as MLIR's generated code writes them.

An operation that MLIR knows has its attributes in the order of their names, each an index, or an
index and a flag where it may be absent; then what ODS calls a property instead of an attribute (an
enumeration or a flag); then the sizes of segments. Before version 6 these sizes are an attribute
among the others; before version 5 all attributes are in the operation's dictionary, and what is
none is lost. Operations that MLIR does
not know have one dictionary.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, UnitAttr, i32
from xdsl.ir import Attribute, Operation

from xgpu.core.bytecode.encoding import NATIVE_SEGMENT_SIZES, Cursor
from xgpu.core.ir.errors import error
from xgpu.core.ods.operation import default_properties, segment_sizes
from xgpu.core.ods.registry import op_class, op_spec
from xgpu.core.ods.spec import AttrField
from xgpu.core.ods.table_files import mlir_dialects

if TYPE_CHECKING:
    from xgpu.core.bytecode.builtin_types import Entries, Sink

#: The mark in a table of an operation of MLIR's dialects that MLIR 22.1 has not.
_NOT_IN_22 = "NotInMLIR22"
_SEGMENTS = (
    ("AttrSizedOperandSegments", "operandSegmentSizes"),
    ("AttrSizedResultSegments", "resultSegmentSizes"),
)
#: From this index on MLIR writes no sparse arrays.
_MOST_SPARSE = 256
#: So many bits of a number in a sparse array may be its index.
_MOST_INDEX_BITS = 8


#: A flag is a unit attribute, or one of these as MLIR's generic form has it.
_TRUE, _FALSE = IntegerAttr.from_bool(True), IntegerAttr.from_bool(False)


class Layout:
    """The properties of an operation that MLIR knows, in their order."""

    __slots__ = ("attributes", "defaults", "natives", "segments")

    def __init__(
        self,
        attributes: list[tuple[str, bool]],
        natives: list[tuple[str, bool]],
        segments: dict[str, int],
        defaults: dict[str, Attribute],
    ) -> None:
        #: Name, and whether it must be there.
        self.attributes = attributes
        #: Name, and whether it is a flag instead of a number.
        self.natives = natives
        #: Name, and how many segments there are.
        self.segments = segments
        self.defaults = defaults


def is_known_to_mlir(name: str) -> bool:
    """Whether MLIR 22.1 has an operation of this name."""
    if name.startswith("builtin."):
        return name in ("builtin.module", "builtin.unrealized_conversion_cast")
    if name.partition(".")[0] not in mlir_dialects():
        return False
    spec = op_spec(name)
    return spec is not None and _NOT_IN_22 not in spec.traits


@cache
def layout_of(name: str) -> Layout | None:
    """The properties of an operation that MLIR knows; None if it has none."""
    if name == ModuleOp.name:
        return Layout([("sym_name", False), ("sym_visibility", False)], [], {}, {})
    spec = None if name.startswith("builtin.") else op_spec(name)
    if spec is None:
        return None
    counts = (len(spec.operands), len(spec.results))
    segments = {
        attribute: count
        for (trait, attribute), count in zip(_SEGMENTS, counts, strict=True)
        if trait in spec.traits
    }
    if not spec.attrs and not segments:
        return None
    natives = [field for field in spec.attrs if field.constraint.name.endswith("Prop")]
    fields = sorted(
        (field for field in spec.attrs if field not in natives),
        key=lambda field: field.name,
    )
    return Layout(
        [(field.name, _is_required(field)) for field in fields],
        [(field.name, field.constraint.kind == "unit-prop") for field in natives],
        segments,
        dict(default_properties(op_class(name))),
    )


def _is_required(field: AttrField) -> bool:
    if field.optional or field.default is not None:
        return False
    return field.constraint.name != "UnitAttr"


def write_properties(op: Operation, layout: Layout, version: int, out: Sink) -> None:
    """Writes the properties of `op`. Raises `DiagnosticError` where one is missing."""
    properties = op.properties
    fields = layout.attributes
    if version < NATIVE_SEGMENT_SIZES and layout.segments:
        fields = sorted([*fields, *((name, True) for name in layout.segments)])
    for name, is_required in fields:
        value = properties.get(name, layout.defaults.get(name))
        if not is_required:
            out.optional_attribute(value)
        elif value is None:
            raise error(op, f"'{op.name}' op requires attribute '{name}'")
        else:
            out.attribute(value)
    for name, is_flag in layout.natives:
        value = properties.get(name, layout.defaults.get(name))
        if is_flag:
            out.byte(isinstance(value, UnitAttr) or value == _TRUE)
        else:
            out.varint(value.value.data if isinstance(value, IntegerAttr) else 0)
    if version < NATIVE_SEGMENT_SIZES:
        return
    for name in layout.segments:
        sizes = properties.get(name)
        if not isinstance(sizes, DenseArrayBase):
            raise error(op, f"'{op.name}' op requires attribute '{name}'")
        _write_sparse([int(size) for size in sizes.get_values()], out)


def _write_sparse(values: list[int], out: Sink) -> None:
    """Numbers of which many are zero: the others with their indices, if that is shorter."""
    present = [at for at, value in enumerate(values) if value]
    last = present[-1] if present else 0
    if last > _MOST_SPARSE or len(present) > len(values) // 2:
        out.varint(len(values) << 1)
        for value in values:
            out.varint(value)
        return
    out.varint(len(present) << 1 | 1)
    if not present:
        return
    bits = last.bit_length()
    out.varint(bits)
    for at in present:
        out.varint(values[at] << bits | at)


def read_properties(
    layout: Layout, version: int, cursor: Cursor, entries: Entries
) -> dict[str, Attribute]:
    """The properties whose bytes are at the cursor."""
    found: dict[str, Attribute] = {}
    fields = layout.attributes
    if version < NATIVE_SEGMENT_SIZES and layout.segments:
        fields = sorted([*fields, *((name, True) for name in layout.segments)])
    for name, is_required in fields:
        value = entries.attribute(cursor) if is_required else entries.optional_attribute(cursor)
        if value is not None:
            found[name] = value
    for name, is_flag in layout.natives:
        if not is_flag:
            found[name] = IntegerAttr(cursor.varint() & 0x7FFFFFFF, i32)
        else:
            found[name] = UnitAttr() if cursor.byte() else _FALSE
    if version >= NATIVE_SEGMENT_SIZES:
        for name, count in layout.segments.items():
            found[name] = segment_sizes(_read_sparse(count, cursor))
    return found


def _read_sparse(count: int, cursor: Cursor) -> list[int]:
    values = [0] * count
    at = cursor.at
    number, is_sparse = cursor.flagged()
    if number > count:
        cursor.fail(f"expected at most {count} segments, but found {number}", at)
    if not is_sparse:
        for index in range(number):
            values[index] = _segment(cursor, cursor.varint())
        return values
    if not number:
        return values
    bits = cursor.varint()
    if bits > _MOST_INDEX_BITS:
        cursor.fail(f"reading sparse array with indexing above {_MOST_INDEX_BITS} bits: {bits}")
    for _ in range(number):
        pair = cursor.varint()
        index = pair & ((1 << bits) - 1)
        if index >= count:
            cursor.fail(f"expected at most {count} segments, but found index {index}")
        values[index] = _segment(cursor, pair >> bits)
    return values


def _segment(cursor: Cursor, size: int) -> int:
    if size >> 31:
        cursor.fail(f"invalid size of a segment: {size}")
    return size
