# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The builtin dialect's encoding of attributes, locations and types.

Each has a code and, behind it, its parts: numbers, strings, and indices of other attributes and
types (MLIR's `IR/BuiltinDialectBytecode.td`). What has no code (affine maps, strided layouts, small
floats) is written as text. `write_attribute` serves numbering too: a `Sink` that only notes what an
attribute consists of.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    AffineMapAttr,
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
    FunctionType,
    FusedLoc,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NameLoc,
    NoneAttr,
    NoneType,
    ShapedType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    TupleType,
    UnitAttr,
    UnknownLoc,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.ir.affine import AffineMap
from immutabledict import immutabledict

from xgpu.core.ir.affine import is_identity
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
    from xgpu.core.bytecode.encoding import Cursor

_WORD_SIZE = 64
#: MLIR's widest integer type.
_MOST_BITS = (1 << 24) - 1
_DYNAMIC = -(1 << 63)


class Sink(Protocol):
    """Takes the parts of an attribute or type."""

    def attribute(self, value: Attribute) -> None: ...
    def optional_attribute(self, value: Attribute | None) -> None: ...
    def type(self, value: Attribute) -> None: ...
    def resource(self, key: str) -> None: ...
    def varint(self, value: int) -> None: ...
    def signed(self, value: int) -> None: ...
    def integer(self, value: int, width: int) -> None: ...
    def byte(self, value: int) -> None: ...
    def string(self, value: str) -> None: ...
    def blob(self, value: bytes) -> None: ...


class Entries(Protocol):
    """What the parts of an attribute or type refer to, for a reader."""

    def attribute(self, cursor: Cursor) -> Attribute: ...
    def optional_attribute(self, cursor: Cursor) -> Attribute | None: ...
    def type(self, cursor: Cursor) -> TypeAttribute: ...
    def resource(self, cursor: Cursor) -> str: ...
    def string(self, cursor: Cursor) -> str: ...
    def new_distinct(self) -> int:
        """A number that no distinct attribute has yet."""
        ...


# -- Writing


def write_attribute(value: Attribute, out: Sink) -> bool:
    """Writes an attribute's code and parts; false if it has none, nothing is written then."""
    if isinstance(value, TypeAttribute):
        out.varint(6)
        out.type(value)
        return True
    write = _ATTRIBUTE_WRITERS.get(value.__class__)
    if write is None:
        return False
    write(value, out)
    return True


def write_type(value: Attribute, out: Sink) -> bool:
    """Writes a type's code and parts; false if it has none, nothing is written then."""
    write = _TYPE_WRITERS.get(value.__class__)
    if write is None:
        return False
    write(value, out)
    return True


def _write_attributes(values: Sequence[Attribute], out: Sink) -> None:
    out.varint(len(values))
    for value in values:
        out.attribute(value)


def _write_types(values: Sequence[Attribute], out: Sink) -> None:
    out.varint(len(values))
    for value in values:
        out.type(value)


def _write_shape(shape: Sequence[int], out: Sink) -> None:
    out.varint(len(shape))
    for extent in shape:
        out.signed(_DYNAMIC if extent < 0 else extent)


def _write_array(value: ArrayAttr[Attribute], out: Sink) -> None:
    out.varint(0)
    _write_attributes(value.data, out)


def _write_dictionary(value: DictionaryAttr, out: Sink) -> None:
    out.varint(1)
    items = sorted(value.data.items(), key=lambda item: item[0].encode("utf-8", "surrogateescape"))
    out.varint(len(items))
    for name, part in items:
        out.attribute(StringAttr(name))
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
    out.attribute(StringAttr(found.file))
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
    out.attribute(StringAttr(filename))
    if line == end_line and not column:
        numbers = (line,)
    elif line == end_line:
        numbers = (line, column, end_column)
    else:
        numbers = (line, column, end_line, end_column)
    out.varint(len(numbers))
    for number in numbers:
        out.varint(number)


_ATTRIBUTE_WRITERS: dict[type, Callable[[Any, Sink], None]] = {
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

_SIGNEDNESS = (Signedness.SIGNLESS, Signedness.SIGNED, Signedness.UNSIGNED)


def _write_integer_type(value: IntegerType, out: Sink) -> None:
    out.varint(0)
    out.varint(value.width.data << 2 | _SIGNEDNESS.index(value.signedness.data))


def _write_function_type(value: FunctionType, out: Sink) -> None:
    out.varint(2)
    _write_types(value.inputs.data, out)
    _write_types(value.outputs.data, out)


def _write_complex_type(value: ComplexType, out: Sink) -> None:
    out.varint(9)
    out.type(value.element_type)


def _write_memref_type(value: MemRefType, out: Sink) -> None:
    shape = value.get_shape()
    has_space = not isinstance(value.memory_space, NoneAttr)
    layout: Attribute = value.layout
    if isinstance(layout, NoneAttr):
        layout = AffineMapAttr(AffineMap.identity(len(shape)))
    out.varint(11 if has_space else 10)
    if has_space:
        out.attribute(value.memory_space)
    _write_shape(shape, out)
    out.type(value.element_type)
    out.attribute(layout)


def _write_tensor_type(value: TensorType, out: Sink) -> None:
    has_encoding = not isinstance(value.encoding, NoneAttr)
    out.varint(14 if has_encoding else 13)
    if has_encoding:
        out.attribute(value.encoding)
    _write_shape(value.get_shape(), out)
    out.type(value.element_type)


def _write_tuple_type(value: TupleType, out: Sink) -> None:
    out.varint(15)
    _write_types(value.types.data, out)


def _write_unranked_memref_type(value: UnrankedMemRefType, out: Sink) -> None:
    has_space = not isinstance(value.memory_space, NoneAttr)
    out.varint(17 if has_space else 16)
    if has_space:
        out.attribute(value.memory_space)
    out.type(value.element_type)


def _write_unranked_tensor_type(value: UnrankedTensorType, out: Sink) -> None:
    out.varint(18)
    out.type(value.element_type)


def _write_vector_type(value: VectorType, out: Sink) -> None:
    scalable = [bool(flag.value.data) for flag in value.scalable_dims.data]
    is_scalable = any(scalable)
    out.varint(20 if is_scalable else 19)
    if is_scalable:
        out.varint(len(scalable))
        for flag in scalable:
            out.byte(flag)
    _write_shape(value.get_shape(), out)
    out.type(value.element_type)


def _write_code(code: int) -> Callable[[Attribute, Sink], None]:
    def write(value: Attribute, out: Sink) -> None:
        out.varint(code)

    return write


_PLAIN_TYPES: dict[int, TypeAttribute] = {
    1: IndexType(),
    3: builtin.BFloat16Type(),
    4: builtin.Float16Type(),
    5: builtin.Float32Type(),
    6: builtin.Float64Type(),
    7: builtin.Float80Type(),
    8: builtin.Float128Type(),
    12: NoneType(),
}

_TYPE_WRITERS: dict[type, Callable[[Any, Sink], None]] = {
    IntegerType: _write_integer_type,
    FunctionType: _write_function_type,
    ComplexType: _write_complex_type,
    MemRefType: _write_memref_type,
    TensorType: _write_tensor_type,
    TupleType: _write_tuple_type,
    UnrankedMemRefType: _write_unranked_memref_type,
    UnrankedTensorType: _write_unranked_tensor_type,
    VectorType: _write_vector_type,
    **{type(ty): _write_code(code) for code, ty in _PLAIN_TYPES.items()},
}


# -- Reading


def read_attribute(cursor: Cursor, entries: Entries) -> Attribute:
    """The attribute whose code and parts are at the cursor."""
    at = cursor.at
    code = cursor.varint()
    if code >= len(_ATTRIBUTE_READERS):
        cursor.fail(f"unknown attribute code: {code}", at)
    return _ATTRIBUTE_READERS[code](cursor, entries)


def read_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    """The type whose code and parts are at the cursor."""
    at = cursor.at
    code = cursor.varint()
    plain = _PLAIN_TYPES.get(code)
    if plain is not None:
        return plain
    read = _TYPE_READERS.get(code)
    if read is None:
        cursor.fail(f"unknown type code: {code}", at)
    return read(cursor, entries)


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


def _read_types(cursor: Cursor, entries: Entries) -> list[TypeAttribute]:
    return [entries.type(cursor) for _ in range(cursor.count("types"))]


def _read_shape(cursor: Cursor) -> list[int]:
    at = cursor.at
    shape = [cursor.signed() for _ in range(cursor.count("dimensions"))]
    if any(extent < 0 and extent != _DYNAMIC for extent in shape):
        cursor.fail("invalid dimension", at)
    return [builtin.DYNAMIC_INDEX if extent == _DYNAMIC else extent for extent in shape]


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
    line = cursor.varint()
    return FileLineColLoc(filename, IntAttr(line), IntAttr(cursor.varint()))


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
    if not _fits_sparse(indices, values, ty):
        cursor.fail("expected indices and values that fit the type of a sparse attribute", at)
    return SparseElementsAttr((indices, values, ty))


def _fits_sparse(indices: Attribute, values: Attribute, ty: Any) -> bool:
    """Whether `indices` are places in the shape of `ty`, one for each of `values`."""
    if not isinstance(indices, DenseIntOrFPElementsAttr) or indices.get_element_type() != builtin.i64:
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


def _read_integer_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    at = cursor.at
    value = cursor.varint()
    if value >> 2 > _MOST_BITS or value & 3 == 3:
        cursor.fail("invalid integer type", at)
    return IntegerType(value >> 2, _SIGNEDNESS[value & 3])


def _read_function_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    inputs = _read_types(cursor, entries)
    return FunctionType(ArrayAttr(inputs), ArrayAttr(_read_types(cursor, entries)))


def _read_complex_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    at = cursor.at
    element = entries.type(cursor)
    if not isinstance(element, IntegerType | AnyFloat):
        cursor.fail("invalid element type for complex", at)
    return ComplexType(element)


def _read_memref_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    return _memref(cursor, entries, NoneAttr())


def _read_memref_type_with_space(cursor: Cursor, entries: Entries) -> TypeAttribute:
    return _memref(cursor, entries, entries.attribute(cursor))


def _memref(cursor: Cursor, entries: Entries, space: Attribute) -> TypeAttribute:
    shape = _read_shape(cursor)
    element = entries.type(cursor)
    at = cursor.at
    layout = entries.attribute(cursor)
    if isinstance(layout, AffineMapAttr):
        if layout.data.num_dims != len(shape):
            cursor.fail("memref layout mismatch between rank and affine map", at)
        if is_identity(layout.data):
            layout = NoneAttr()
    return MemRefType(element, shape, cast("Any", layout), space)


def _read_tensor_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    shape = _read_shape(cursor)
    return TensorType(entries.type(cursor), shape)


def _read_tensor_type_with_encoding(cursor: Cursor, entries: Entries) -> TypeAttribute:
    encoding = entries.attribute(cursor)
    shape = _read_shape(cursor)
    return TensorType(entries.type(cursor), shape, encoding)


def _read_tuple_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    return TupleType(ArrayAttr(_read_types(cursor, entries)))


def _read_unranked_memref_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    return UnrankedMemRefType(entries.type(cursor), NoneAttr())


def _read_unranked_memref_type_with_space(cursor: Cursor, entries: Entries) -> TypeAttribute:
    space = entries.attribute(cursor)
    return UnrankedMemRefType(entries.type(cursor), space)


def _read_unranked_tensor_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    return UnrankedTensorType(entries.type(cursor))


def _read_vector_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    return _vector(cursor, entries, None)


def _read_scalable_vector_type(cursor: Cursor, entries: Entries) -> TypeAttribute:
    return _vector(cursor, entries, [cursor.byte() for _ in range(cursor.count("dimensions"))])


def _vector(cursor: Cursor, entries: Entries, scalable: list[int] | None) -> TypeAttribute:
    at = cursor.at
    shape = _read_shape(cursor)
    if any(extent <= 0 for extent in shape):
        cursor.fail("vector types must have positive constant sizes", at)
    flags = [0] * len(shape) if scalable is None else scalable
    if len(flags) != len(shape):
        cursor.fail(f"expected {len(shape)} scalable flags, but found {len(flags)}", at)
    element = entries.type(cursor)
    scalable_dims = ArrayAttr([IntegerAttr.from_bool(bool(flag)) for flag in flags])
    return VectorType(element, shape, scalable_dims)


_TYPE_READERS: dict[int, Callable[[Cursor, Entries], TypeAttribute]] = {
    0: _read_integer_type,
    2: _read_function_type,
    9: _read_complex_type,
    10: _read_memref_type,
    11: _read_memref_type_with_space,
    13: _read_tensor_type,
    14: _read_tensor_type_with_encoding,
    15: _read_tuple_type,
    16: _read_unranked_memref_type,
    17: _read_unranked_memref_type_with_space,
    18: _read_unranked_tensor_type,
    19: _read_vector_type,
    20: _read_scalable_vector_type,
}
