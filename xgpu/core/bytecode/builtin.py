# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The builtin dialect's encoding of attributes and locations.

Each has a code and, behind it, its parts: numbers, strings, and indices of other attributes and of
types (MLIR's `IR/BuiltinDialectBytecode.td`). What has no code (affine maps, strided layouts) is
written as text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from immutabledict import immutabledict
from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    BytesAttr,
    CallSiteLoc,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    DictionaryAttr,
    FileLineColLoc,
    FloatAttr,
    FusedLoc,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    NameLoc,
    NoneAttr,
    NoneType,
    ShapedType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, TypeAttribute

from xgpu.core.ir.elements import (
    byte_count,
    dense,
    element_size,
    from_raw,
    is_splat,
    repeated,
    to_raw,
    unpack,
)
from xgpu.core.ir.floats import float_attribute, from_bits, to_bits
from xgpu.core.ir.locations import (
    FileLineColRange,
    SourceLoc,
    build,
    call_site_loc,
    is_location,
    name_loc,
    source_location,
)
from xgpu.core.syntax.builtin_attributes import (
    DenseStringElementsAttr,
    DistinctAttr,
    SparseElementsAttr,
    TypedStringAttr,
)

if TYPE_CHECKING:
    from xgpu.core.bytecode.builtin_types import Entries, Sink
    from xgpu.core.bytecode.encoding import Cursor

_WORD_SIZE = 64


# -- Writing


def write_attribute(value: Attribute, out: Sink) -> bool:
    """Writes an attribute's code and parts; false if it has none, nothing is written then."""
    write = _ATTRIBUTE_WRITERS.get(value.__class__)
    if write is not None:
        write(value, out)
        return True
    if not isinstance(value, TypeAttribute):
        return False
    out.varint(6)
    out.type(value)
    return True


def _write_attributes(values: Sequence[Attribute], out: Sink) -> None:
    out.varint(len(values))
    for value in values:
        out.attribute(value)


def _write_array(value: ArrayAttr[Attribute], out: Sink) -> None:
    out.varint(0)
    _write_attributes(value.data, out)


def _write_dictionary(value: DictionaryAttr, out: Sink) -> None:
    out.varint(1)
    items = sorted(value.data.items(), key=lambda item: item[0].encode("utf-8", "surrogateescape"))
    out.varint(len(items))
    for name, part in items:
        out.string_attribute(name)
        out.attribute(part)


def _write_string(value: StringAttr, out: Sink) -> None:
    out.varint(2)
    out.string(value.data)


def _write_typed_string(value: TypedStringAttr, out: Sink) -> None:
    text, ty = value.data
    out.varint(3)
    out.string(text)
    out.type(ty)


def _write_symbol(value: SymbolRefAttr, out: Sink) -> None:
    nested = value.nested_references.data
    out.varint(5 if nested else 4)
    out.attribute(value.root_reference)
    if nested:
        _write_attributes([SymbolRefAttr(name) for name in nested], out)


def _write_unit(value: UnitAttr, out: Sink) -> None:
    out.varint(7)


def _write_integer(value: IntegerAttr, out: Sink) -> None:
    ty = value.type
    out.varint(8)
    out.type(ty)
    out.integer(value.value.data, ty.width.data if isinstance(ty, IntegerType) else _WORD_SIZE)


def _write_float(value: FloatAttr, out: Sink) -> None:
    out.varint(9)
    out.type(value.type)
    out.integer(to_bits(value.value.data, value.type), value.type.bitwidth)


def _write_call_site(value: CallSiteLoc, out: Sink) -> None:
    out.varint(10)
    out.attribute(value.callee)
    out.attribute(value.caller)


def _write_file_line(value: FileLineColLoc | SourceLoc, out: Sink) -> None:
    found = source_location(value)
    assert found is not None
    out.varint(11)
    out.string_attribute(found.file)
    out.varint(found.line)
    out.varint(found.column)


def _write_fused(value: FusedLoc, out: Sink) -> None:
    has_metadata = not isinstance(value.metadata, NoneAttr)
    out.varint(13 if has_metadata else 12)
    _write_attributes(cast("ArrayAttr[Attribute]", value.locations).data, out)
    if has_metadata:
        out.attribute(value.metadata)


def _write_name(value: NameLoc, out: Sink) -> None:
    out.varint(14)
    out.attribute(value.desc)
    out.attribute(UnknownLoc() if isinstance(value.location, NoneAttr) else value.location)


def _write_unknown(value: UnknownLoc, out: Sink) -> None:
    out.varint(15)


def _write_resource(value: DenseResourceAttr, out: Sink) -> None:
    out.varint(16)
    out.type(value.type)
    out.resource(value.resource_handle.data)


def _write_dense_array(value: DenseArrayBase[Any], out: Sink) -> None:
    ty = value.elt_type
    data = value.data.data
    out.varint(17)
    out.type(ty)
    out.varint(len(data) // element_size(ty))
    if isinstance(ty, IntegerType) and ty.width.data == 1:
        out.blob(bytes(byte & 1 for byte in data))
    elif element_size(ty) * 8 == ty.bitwidth:
        out.blob(data)
    else:
        out.blob(to_raw(data, ty))


def _write_dense(value: DenseIntOrFPElementsAttr, out: Sink) -> None:
    ty: Any = value.type
    element = ty.element_type
    data = value.data.data
    size = element_size(element)
    is_one_bit = isinstance(element, IntegerType) and element.width.data == 1
    out.varint(18)
    out.type(ty)
    if not is_splat(data, size):
        out.blob(to_raw(data, element))
    elif is_one_bit:
        out.blob(b"\xff" if data[0] else b"\0")
    else:
        out.blob(to_raw(data[:size], element))


def _write_dense_strings(value: DenseStringElementsAttr, out: Sink) -> None:
    strings, ty = value.data
    is_one = len(strings) == 1
    out.varint(19)
    out.type(ty)
    out.varint(is_one)
    for text in strings:
        out.string(text)


def _write_sparse(value: SparseElementsAttr, out: Sink) -> None:
    indices, values, ty = value.data
    out.varint(20)
    out.type(ty)
    out.attribute(indices)
    out.attribute(values)


def _write_distinct(value: DistinctAttr, out: Sink) -> None:
    out.varint(21)
    out.attribute(value.data[1])


def _write_range(value: FileLineColRange, out: Sink) -> None:
    filename, line, column, end_line, end_column = value.data
    if line == end_line and column == end_column:
        _write_file_line(FileLineColLoc(StringAttr(filename), IntAttr(line), IntAttr(column)), out)
        return
    out.varint(22)
    out.string_attribute(filename)
    if line == end_line and not column:
        numbers = (line,)
    elif line == end_line:
        numbers = (line, column, end_column)
    else:
        numbers = (line, column, end_line, end_column)
    out.varint(len(numbers))
    for number in numbers:
        out.varint(number)


_ATTRIBUTE_WRITERS: dict[type, Callable[..., None]] = {
    ArrayAttr: _write_array,
    DictionaryAttr: _write_dictionary,
    StringAttr: _write_string,
    TypedStringAttr: _write_typed_string,
    SymbolRefAttr: _write_symbol,
    UnitAttr: _write_unit,
    IntegerAttr: _write_integer,
    FloatAttr: _write_float,
    CallSiteLoc: _write_call_site,
    FileLineColLoc: _write_file_line,
    SourceLoc: _write_file_line,
    FileLineColRange: _write_range,
    FusedLoc: _write_fused,
    NameLoc: _write_name,
    UnknownLoc: _write_unknown,
    DenseResourceAttr: _write_resource,
    DenseArrayBase: _write_dense_array,
    DenseIntOrFPElementsAttr: _write_dense,
    DenseStringElementsAttr: _write_dense_strings,
    SparseElementsAttr: _write_sparse,
    DistinctAttr: _write_distinct,
}

# -- Reading


def read_attribute(cursor: Cursor, entries: Entries) -> Attribute:
    """The attribute whose code and parts are at the cursor."""
    at = cursor.at
    code = cursor.varint()
    if code >= len(_ATTRIBUTE_READERS):
        cursor.fail(f"unknown attribute code: {code}", at)
    return _ATTRIBUTE_READERS[code](cursor, entries)


def string_attribute(cursor: Cursor, entries: Entries) -> StringAttr:
    """The attribute whose index is at the cursor, which must be a string."""
    at = cursor.at
    found = entries.attribute(cursor)
    if not isinstance(found, StringAttr):
        cursor.fail("expected a string attribute", at)
    return found


def _location(cursor: Cursor, entries: Entries) -> Attribute:
    at = cursor.at
    found = entries.attribute(cursor)
    if not is_location(found):
        cursor.fail("expected a location", at)
    return found


def _read_attributes(cursor: Cursor, entries: Entries) -> list[Attribute]:
    return [entries.attribute(cursor) for _ in range(cursor.count("attributes"))]


def _read_array(cursor: Cursor, entries: Entries) -> Attribute:
    return ArrayAttr(_read_attributes(cursor, entries))


def _read_dictionary(cursor: Cursor, entries: Entries) -> Attribute:
    found: dict[str, Attribute] = {}
    for _ in range(cursor.count("attributes")):
        at = cursor.at
        name = string_attribute(cursor, entries).data
        if name in found:
            cursor.fail(f"duplicate key '{name}' in dictionary attribute", at)
        found[name] = entries.attribute(cursor)
    return DictionaryAttr(immutabledict(found))


def _read_string(cursor: Cursor, entries: Entries) -> Attribute:
    return StringAttr(entries.string(cursor))


def _read_typed_string(cursor: Cursor, entries: Entries) -> Attribute:
    text = entries.string(cursor)
    ty = entries.type(cursor)
    return StringAttr(text) if isinstance(ty, NoneType) else TypedStringAttr((text, ty))


def _read_flat_symbol(cursor: Cursor, entries: Entries) -> Attribute:
    return SymbolRefAttr(string_attribute(cursor, entries))


def _read_symbol(cursor: Cursor, entries: Entries) -> Attribute:
    root = string_attribute(cursor, entries)
    nested: list[StringAttr] = []
    for _ in range(cursor.count("symbols")):
        at = cursor.at
        part = entries.attribute(cursor)
        if not isinstance(part, SymbolRefAttr) or part.nested_references.data:
            cursor.fail("expected a symbol without nested ones", at)
        nested.append(part.root_reference)
    return SymbolRefAttr(root, nested)


def _read_type_attribute(cursor: Cursor, entries: Entries) -> Attribute:
    return entries.type(cursor)


def _read_unit(cursor: Cursor, entries: Entries) -> Attribute:
    return UnitAttr()


def _read_integer(cursor: Cursor, entries: Entries) -> Attribute:
    at = cursor.at
    ty = entries.type(cursor)
    if isinstance(ty, IndexType):
        width, is_signed = _WORD_SIZE, True
    elif isinstance(ty, IntegerType):
        width, is_signed = ty.width.data, ty.signedness.data is not Signedness.UNSIGNED
    else:
        cursor.fail("expected an integer or index type for an integer attribute", at)
    value = cursor.integer(width)
    if is_signed and width and value >> (width - 1):
        value -= 1 << width
    return IntegerAttr.new([IntAttr(value), ty])


def _read_float(cursor: Cursor, entries: Entries) -> Attribute:
    at = cursor.at
    ty = entries.type(cursor)
    if not isinstance(ty, AnyFloat):
        cursor.fail("expected a floating-point type for a float attribute", at)
    return float_attribute(from_bits(cursor.integer(ty.bitwidth), ty), ty)


def _read_call_site(cursor: Cursor, entries: Entries) -> Attribute:
    callee = _location(cursor, entries)
    return call_site_loc(callee, _location(cursor, entries))


def _read_file_line(cursor: Cursor, entries: Entries) -> Attribute:
    filename = string_attribute(cursor, entries)
    line, column = entries.number(cursor.varint()), entries.number(cursor.varint())
    return build(FileLineColLoc, filename=filename, line=line, column=column)


def _locations(cursor: Cursor, entries: Entries) -> ArrayAttr[Attribute]:
    return ArrayAttr([_location(cursor, entries) for _ in range(cursor.count("locations"))])


def _read_fused(cursor: Cursor, entries: Entries) -> Attribute:
    return build(FusedLoc, locations=_locations(cursor, entries), metadata=NoneAttr())


def _read_fused_with_metadata(cursor: Cursor, entries: Entries) -> Attribute:
    locations = _locations(cursor, entries)
    return build(FusedLoc, locations=locations, metadata=entries.attribute(cursor))


def _read_name(cursor: Cursor, entries: Entries) -> Attribute:
    name = string_attribute(cursor, entries)
    return name_loc(name.data, _location(cursor, entries))


def _read_unknown(cursor: Cursor, entries: Entries) -> Attribute:
    return UnknownLoc()


def _static_shaped(cursor: Cursor, entries: Entries) -> Any:
    """The type whose index is at the cursor: a shaped one whose elements can be counted."""
    at = cursor.at
    ty = entries.type(cursor)
    if not isinstance(ty, ShapedType) or any(extent < 0 for extent in ty.get_shape()):
        cursor.fail("expected a shaped type of static shape", at)
    return ty


def _read_resource(cursor: Cursor, entries: Entries) -> Attribute:
    at = cursor.at
    ty = entries.type(cursor)
    if not isinstance(ty, ShapedType):
        cursor.fail("`dense_resource` expected a shaped type", at)
    return build(DenseResourceAttr, resource_handle=StringAttr(entries.resource(cursor)), type=ty)


def _read_blob(cursor: Cursor) -> bytes:
    return cursor.bytes(cursor.varint())


def _read_dense_array(cursor: Cursor, entries: Entries) -> Attribute:
    at = cursor.at
    ty = entries.type(cursor)
    count = cursor.varint()
    raw = _read_blob(cursor)
    if not isinstance(ty, IntegerType | AnyFloat):
        cursor.fail("expected an integer or floating-point type of a dense array", at)
    width = ty.bitwidth
    if not width or (width != 1 and width % 8):
        cursor.fail("element type bitwidth must be a multiple of 8", at)
    if len(raw) != count * max(width // 8, 1):
        cursor.fail(f"expected {count} elements of a dense array, but found {len(raw)} bytes", at)
    if width == 1:
        data = bytes(0xFF if byte & 1 else 0 for byte in raw)
    elif element_size(ty) * 8 == width:
        data = raw
    else:
        data = _packed(raw, ty, count)
    return build(DenseArrayBase, elt_type=ty, data=BytesAttr(data))


def _packed(raw: bytes, ty: Attribute, count: int) -> bytes:
    """MLIR's bytes of `count` elements as xDSL's."""
    size = len(raw) // count if count else 1
    parts = [from_raw(raw[at : at + size], ty, 1) for at in range(0, len(raw), size)]
    return b"".join(part for part in parts if part is not None)


def _read_dense(cursor: Cursor, entries: Entries) -> Attribute:
    at = cursor.at
    ty = _static_shaped(cursor, entries)
    raw = _read_blob(cursor)
    element = ty.get_element_type()
    if not isinstance(element, IntegerType | IndexType | AnyFloat | ComplexType):
        cursor.fail("expected integer, index, floating-point or complex elements", at)
    data = _dense_data(raw, element, math.prod(ty.get_shape()))
    if data is None:
        cursor.fail("the number of bytes does not fit the type of a dense attribute", at)
    return dense(ty, data)


def _dense_data(raw: bytes, element: Any, count: int) -> bytes | None:
    """xDSL's bytes of `count` elements, of which MLIR's may be one that stands for all."""
    if not isinstance(element, ComplexType):
        return from_raw(raw, element, count)
    part = element.element_type
    if count > 1 and len(raw) == 2 * ((part.bitwidth + 7) // 8):
        one = from_raw(raw, part, 2)
        return None if one is None else repeated(one, count)
    return from_raw(raw, part, 2 * count)


def _read_dense_strings(cursor: Cursor, entries: Entries) -> Attribute:
    at = cursor.at
    ty = _static_shaped(cursor, entries)
    is_one = cursor.varint()
    count = 1 if is_one else math.prod(ty.get_shape())
    if count > cursor.end - cursor.at:
        cursor.fail(f"expected {count} strings of a dense attribute", at)
    return DenseStringElementsAttr((tuple(entries.string(cursor) for _ in range(count)), ty))


def _read_sparse(cursor: Cursor, entries: Entries) -> Attribute:
    at = cursor.at
    ty = _static_shaped(cursor, entries)
    indices, values = entries.attribute(cursor), entries.attribute(cursor)
    if isinstance(indices, DenseIntOrFPElementsAttr) and len(indices.get_shape()) == 1:
        # In a shape of one dimension, an index may be a number instead of a list of one.
        of_one = TensorType(indices.get_element_type(), [*indices.get_shape(), 1])
        indices = dense(of_one, indices.data.data)
    if not _fits_sparse(indices, values, ty):
        cursor.fail("expected indices and values that fit the type of a sparse attribute", at)
    return SparseElementsAttr((indices, values, ty))


def _fits_sparse(indices: Attribute, values: Attribute, ty: Any) -> bool:
    """Whether `indices` are places in the shape of `ty`, one for each of `values`."""
    if (
        not isinstance(indices, DenseIntOrFPElementsAttr)
        or indices.get_element_type() != builtin.i64
    ):
        return False
    rank = len(ty.get_shape())
    shape = indices.get_shape()
    if len(shape) != 2 or shape[1] != rank:
        return False
    if isinstance(values, DenseIntOrFPElementsAttr):
        count = byte_count(values.data.data) // element_size(values.get_element_type())
    elif isinstance(values, DenseStringElementsAttr):
        count = len(values)
    else:
        return False
    if count != shape[0] or byte_count(indices.data.data) > 1 << 26:
        return False
    places = unpack(indices.data.data, builtin.i64)
    return all(0 <= place < ty.get_shape()[at % rank] for at, place in enumerate(places))


def _read_distinct(cursor: Cursor, entries: Entries) -> Attribute:
    return DistinctAttr((entries.new_distinct(), entries.attribute(cursor)))


def _read_range(cursor: Cursor, entries: Entries) -> Attribute:
    filename = string_attribute(cursor, entries)
    at = cursor.at
    numbers = [cursor.varint() for _ in range(cursor.count("lines and columns"))]
    if len(numbers) > 4:
        cursor.fail("expected at most 4 lines and columns", at)
    line, column = [*numbers, 0, 0][:2]
    if len(numbers) < 3:
        return FileLineColLoc(filename, IntAttr(line), IntAttr(column))
    end_line = line if len(numbers) == 3 else numbers[2]
    return FileLineColRange((filename.data, line, column, end_line, numbers[-1]))


_ATTRIBUTE_READERS: tuple[Callable[[Cursor, Entries], Attribute], ...] = (
    _read_array,
    _read_dictionary,
    _read_string,
    _read_typed_string,
    _read_flat_symbol,
    _read_symbol,
    _read_type_attribute,
    _read_unit,
    _read_integer,
    _read_float,
    _read_call_site,
    _read_file_line,
    _read_fused,
    _read_fused_with_metadata,
    _read_name,
    _read_unknown,
    _read_resource,
    _read_dense_array,
    _read_dense,
    _read_dense_strings,
    _read_sparse,
    _read_distinct,
    _read_range,
)
