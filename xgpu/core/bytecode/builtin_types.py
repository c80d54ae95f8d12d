# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The builtin dialect's encoding of types, and what encodings of attributes and types are given.

A type has a code and, behind it, its parts: numbers, and indices of other types and attributes
(MLIR's `IR/BuiltinDialectBytecode.td`). What has no code (small floats) is written as text. Writing
serves numbering too: a `Sink` that only notes what a type consists of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    FunctionType,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    NoneType,
    Signedness,
    TensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.ir.affine import AffineMap

from xgpu.core.ir.affine import is_identity

if TYPE_CHECKING:
    from xgpu.core.bytecode.encoding import Cursor

#: MLIR's widest integer type.
_MOST_BITS = (1 << 24) - 1
_DYNAMIC = -(1 << 63)


class Sink(Protocol):
    """Takes the parts of an attribute or type."""

    def attribute(self, value: Attribute) -> None: ...
    def optional_attribute(self, value: Attribute | None) -> None: ...
    def string_attribute(self, text: str) -> None: ...
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
    def number(self, value: int) -> IntAttr:
        """A number of a location."""
        ...

    def new_distinct(self) -> int:
        """A number that no distinct attribute has yet."""
        ...


# -- Writing


def write_type(value: Attribute, out: Sink) -> bool:
    """Writes a type's code and parts; false if it has none, nothing is written then."""
    write = _TYPE_WRITERS.get(value.__class__)
    if write is None:
        return False
    write(value, out)
    return True


def _write_types(values: Sequence[Attribute], out: Sink) -> None:
    out.varint(len(values))
    for value in values:
        out.type(value)


def _write_shape(shape: Sequence[int], out: Sink) -> None:
    out.varint(len(shape))
    for extent in shape:
        out.signed(_DYNAMIC if extent < 0 else extent)


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

_TYPE_WRITERS: dict[type, Callable[..., None]] = {
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


def _read_types(cursor: Cursor, entries: Entries) -> list[TypeAttribute]:
    return [entries.type(cursor) for _ in range(cursor.count("types"))]


def _read_shape(cursor: Cursor) -> list[int]:
    at = cursor.at
    shape = [cursor.signed() for _ in range(cursor.count("dimensions"))]
    if any(extent < 0 and extent != _DYNAMIC for extent in shape):
        cursor.fail("invalid dimension", at)
    return [builtin.DYNAMIC_INDEX if extent == _DYNAMIC else extent for extent in shape]


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
