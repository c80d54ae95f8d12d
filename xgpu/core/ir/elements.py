# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements of dense attributes as bytes, and back.

xDSL keeps them packed in its own sizes (`compile_time_size`), which it has only for integers up to
64 bits and floats other than f80 and f128; those are kept here in as many bytes as MLIR uses.
MLIR's own bytes, which hexadecimal literals show, differ: 3 bytes for i20, a bit for i1.
"""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Iterator, Sequence
from typing import Any

from typing_extensions import TypeIs
from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IndexType,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute

from xgpu.core.ir.floats import from_bits, to_bits
from xgpu.core.ir.locations import build

# -- Bytes of elements that are all the same, for shapes too large to hold each of them.


#: Up to so many bytes, equal elements are held like others.
MOST_BYTES = 1 << 26


class Repeated(bytes):
    """`element` `count` times, held once. Its slices are bytes; iterating goes over one element
    only, which says whether there is anything but zeros. `byte_count` is its length where Python's
    `len` cannot say it."""

    element: bytes
    times: int

    def __new__(cls, element: bytes, count: int) -> Repeated:
        found = super().__new__(cls, element)
        found.element = bytes(element)
        found.times = count
        return found

    @property
    def byte_count(self) -> int:
        return len(self.element) * self.times

    def __len__(self) -> int:
        return self.byte_count

    def __bool__(self) -> bool:
        return True  # what is small is plain bytes

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            start, stop, step = _indices(key, self.byte_count)
            if step != 1:
                raise ValueError("slices of repeated elements have no gaps")
            size = len(self.element)
            first = start // size
            part = repeated(self.element, -(-stop // size) - first)
            if part.__class__ is Repeated:
                if start % size or stop % size:
                    raise ValueError("a part of repeated elements begins and ends with one")
                return part
            return part[start - first * size : stop - first * size]
        if not -self.byte_count <= key < self.byte_count:
            raise IndexError("index out of range")
        at: int = key % len(self.element)
        return self.element[at]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Repeated):
            return False  # shorter ones are plain bytes
        return self.element == other.element and self.times == other.times

    def __hash__(self) -> int:
        return hash((self.element, self.times))

    def __deepcopy__(self, memo: object) -> Repeated:
        return self


def _indices(key: slice, length: int) -> tuple[int, int, int]:
    """What a slice of `length` bytes means; Python's own knows no lengths past its word."""
    bounds = [0 if key.start is None else key.start, length if key.stop is None else key.stop]
    start, stop = (min(max(n + length if n < 0 else n, 0), length) for n in bounds)
    return start, max(start, stop), key.step or 1


def byte_count(data: bytes) -> int:
    """The length of bytes, however they are held."""
    return data.byte_count if isinstance(data, Repeated) else len(data)


def repeated(element: bytes, count: int) -> bytes:
    """`element * count`; held once if that is large."""
    if len(element) * count <= MOST_BYTES:
        return element * count
    return Repeated(element, count)


def element_size(ty: Any) -> int:
    """Bytes of an element in a `BytesAttr`."""
    if isinstance(ty, ComplexType):
        return 2 * element_size(ty.element_type)
    if isinstance(ty, IntegerType) and not 0 < ty.width.data <= 64:
        return max((ty.width.data + 7) // 8, 1)
    if isinstance(ty, Float80Type):
        return 10
    if isinstance(ty, Float128Type):
        return 16
    return ty.compile_time_size


def pack(values: Sequence[Any], ty: Any) -> bytes:
    """Values as bytes: integers (in the range that xDSL keeps them in), floats, pairs of them."""
    if isinstance(ty, ComplexType):
        return pack([part for value in values for part in value], ty.element_type)
    if isinstance(ty, AnyFloat):
        return _pack_floats(values, ty)
    if isinstance(ty, IntegerType) and not 0 < ty.width.data <= 64:
        size = element_size(ty)
        mask = (1 << (8 * size)) - 1
        return b"".join((value & mask).to_bytes(size, "little") for value in values)
    return ty.pack(values)


#: What `struct` has a letter for.
_LETTERS: dict[type[Attribute], str] = {Float16Type: "e", Float32Type: "f", Float64Type: "d"}


def _pack_floats(values: Sequence[float], ty: AnyFloat) -> bytes:
    letter = _LETTERS.get(type(ty))
    if letter is not None and all(value == value for value in values):
        try:
            return struct.pack(f"<{len(values)}{letter}", *values)
        except OverflowError:
            pass  # what is too large is an infinity
    size = element_size(ty)
    return b"".join(to_bits(value, ty).to_bytes(size, "little") for value in values)


def unpack(data: bytes, ty: Any) -> Sequence[Any]:
    """The values in bytes."""
    if isinstance(data, Repeated):
        raise OverflowError(f"{byte_count(data)} bytes of equal elements are not held one by one")
    if isinstance(ty, ComplexType):
        parts = iter(unpack(data, ty.element_type))
        return list(zip(parts, parts, strict=True))
    if isinstance(ty, AnyFloat):
        return _unpack_floats(data, ty)
    if isinstance(ty, IntegerType) and not 0 < ty.width.data <= 64:
        size = element_size(ty)
        signed = ty.signedness.data is not Signedness.UNSIGNED
        return [
            int.from_bytes(data[at : at + size], "little", signed=signed)
            for at in range(0, len(data), size)
        ]
    return ty.unpack(data, len(data) // ty.compile_time_size)


def _unpack_floats(data: bytes, ty: AnyFloat) -> Sequence[float]:
    size = element_size(ty)
    letter = _LETTERS.get(type(ty))
    if letter is not None:
        values = struct.unpack(f"<{len(data) // size}{letter}", data)
        if letter == "d" or all(value == value for value in values):
            return values
    return [
        from_bits(int.from_bytes(data[at : at + size], "little"), ty)
        for at in range(0, len(data), size)
    ]


def dense(kind: Attribute, data: bytes) -> DenseIntOrFPElementsAttr:
    """The dense attribute of a shaped type with these bytes, which must be as many as the type's
    elements take. xDSL's own constructors know no integers past 64 bits, no f80 and no f128."""
    return build(DenseIntOrFPElementsAttr, type=kind, data=BytesAttr(data))


def dense_of(kind: Any, values: Sequence[float | int]) -> DenseIntOrFPElementsAttr:
    """The dense attribute of a shaped type with these values, or one that stands for all."""
    data = pack(values, kind.element_type)
    count = math.prod(kind.get_shape())
    return dense(kind, repeated(data, count) if len(values) == 1 and count != 1 else data)


def values_of(attr: DenseIntOrFPElementsAttr) -> Sequence[int]:
    """The values of a dense attribute, one by one."""
    return unpack(attr.data.data, attr.type.element_type)


def element_count(attr: DenseIntOrFPElementsAttr) -> int:
    """How many elements a dense attribute has, whatever their type: xDSL's `len` knows no integers
    past 64 bits, and Python's no number past its word."""
    return byte_count(attr.data.data) // element_size(attr.type.element_type)


def first_values(attr: DenseIntOrFPElementsAttr, most: int) -> Sequence[int]:
    """The first values of a dense attribute, `most` of them or as many as there are."""
    element = attr.type.element_type
    size = most * element_size(element)
    data = attr.data.data
    return unpack(data[:size] if byte_count(data) > size else data, element)


def distinct_values(attr: DenseIntOrFPElementsAttr) -> list[str]:
    """The values that occur in a dense attribute, each once."""
    data, element = attr.data.data, attr.type.element_type
    size = element_size(element)
    return list(dict.fromkeys(unpack(data[:size] if is_splat(data, size) else data, element)))


def _raw_size(ty: Any) -> int:
    if isinstance(ty, IndexType):
        return 8
    return (ty.bitwidth + 7) // 8


def to_raw(data: bytes, ty: Any) -> bytes:
    """MLIR's bytes of packed elements."""
    if isinstance(ty, ComplexType):
        return to_raw(data, ty.element_type)
    integer = ty if isinstance(ty, IntegerType) else None
    if integer is not None and integer.width.data == 1:
        bits = 0
        for at, byte in enumerate(data):
            if byte:
                bits |= 1 << at
        return bits.to_bytes((len(data) + 7) // 8, "little")
    size, raw = element_size(ty), _raw_size(ty)
    if size == raw:
        if integer is not None and integer.width.data % 8:
            mask = (1 << integer.width.data) - 1
            return b"".join(
                (int.from_bytes(data[at : at + size], "little") & mask).to_bytes(size, "little")
                for at in range(0, len(data), size)
            )
        return data
    mask = (1 << (ty.bitwidth)) - 1
    return b"".join(
        (int.from_bytes(data[at : at + size], "little") & mask).to_bytes(raw, "little")
        for at in range(0, len(data), size)
    )


def from_raw(raw: bytes, ty: Attribute, count: int) -> bytes | None:
    """Packed elements from MLIR's bytes: `count` elements, or one that stands for all. None if the
    number of bytes fits neither."""
    if isinstance(ty, ComplexType):
        return from_raw(raw, ty.element_type, 2 * count) if len(raw) else None
    integer = ty if isinstance(ty, IntegerType) else None
    if integer is not None and integer.width.data == 1:
        if len(raw) == 1 and raw in (b"\xff", b"\0") and count:
            return repeated(raw, count)
        if len(raw) != (count + 7) // 8:
            return None
        return bytes(0xFF if raw[at // 8] >> (at % 8) & 1 else 0 for at in range(count))
    size = _raw_size(ty)
    if len(raw) == size and count > 1:
        one = from_raw(raw, ty, 1)
        return None if one is None else repeated(one, count)
    if len(raw) != size * count:
        return None
    if size == element_size(ty) and not (integer is not None and integer.width.data % 8):
        return raw
    numbers = [int.from_bytes(raw[at : at + size], "little") for at in range(0, len(raw), size)]
    if integer is not None:
        if integer.signedness.data is not Signedness.UNSIGNED:
            half = 1 << (integer.width.data - 1)
            numbers = [n - (half << 1) if n >= half else n for n in numbers]
        return pack(numbers, ty)
    return b"".join(n.to_bytes(element_size(ty), "little") for n in numbers)


def is_splat(data: bytes, size: int) -> bool:
    """Whether all elements are the same; false for none."""
    if data.__class__ is Repeated:
        return True
    return bool(data) and data == data[:size] * (len(data) // size)


def densify(attr: Any) -> DenseIntOrFPElementsAttr:
    """A sparse attribute as a dense one: zeros, and the given values in their places."""
    indices, values, kind = attr.data
    shape = kind.get_shape()
    count = 1
    for length in shape:
        count *= length
    size = element_size(kind.element_type)
    raw = bytearray(size * count)
    places = unpack(indices.data.data, indices.type.element_type)
    data = values.data.data
    for row in range(len(data) // size):
        flat = 0
        for dimension, length in enumerate(shape):
            flat = flat * length + places[row * len(shape) + dimension]
        raw[flat * size : (flat + 1) * size] = data[row * size : (row + 1) * size]
    return dense(kind, bytes(raw))


# -- Parts of dense constants, on their bytes: other shapes, slices out of them and into them.
#
# A `Repeated` of more elements than can be held stays one, or the constant is left alone.


def is_dense(attr: Attribute | None) -> TypeIs[DenseIntOrFPElementsAttr]:
    """Whether a constant is a dense one, so that its parts are known."""
    return isinstance(attr, DenseIntOrFPElementsAttr)


def reshaped(attr: DenseIntOrFPElementsAttr, kind: Attribute) -> DenseIntOrFPElementsAttr:
    """The same elements as the shaped type `kind`, which has as many."""
    return dense(kind, attr.data.data)


def of_splat(attr: DenseIntOrFPElementsAttr, kind: Any) -> DenseIntOrFPElementsAttr | None:
    """The one element of `attr` everywhere in the static shape `kind`; None if it has several."""
    size = element_size(attr.get_element_type())
    data = attr.data.data
    shape: Sequence[int] = kind.get_shape()
    if not is_splat(data, size) or any(extent < 0 for extent in shape):
        return None
    return dense(kind, repeated(data[:size], math.prod(shape)))


def element_at(attr: DenseIntOrFPElementsAttr, position: Sequence[int]) -> bytes | None:
    """The bytes of an element; None outside of the shape."""
    shape = attr.type.get_shape()
    if any(not 0 <= at < extent for at, extent in zip(position, shape, strict=True)):
        return None
    size = element_size(attr.get_element_type())
    flat = 0
    for at, extent in zip(position, shape, strict=True):
        flat = flat * extent + at
    return attr.data.data[flat * size : (flat + 1) * size]


def _rows(
    shape: Sequence[int], offsets: Sequence[int], sizes: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """(first element, number) of each run of elements that a slice takes from a shape."""
    *outer, inner = sizes
    for index in itertools.product(*(range(extent) for extent in outer)):
        flat = 0
        for extent, offset, at in zip(shape, offsets, (*index, 0), strict=True):
            flat = flat * extent + offset + at
        yield flat, inner


def sliced(
    attr: DenseIntOrFPElementsAttr, offsets: Sequence[int], sizes: Sequence[int], kind: Attribute
) -> DenseIntOrFPElementsAttr | None:
    """The elements of a slice without gaps, as `kind`; None of what is not held one by one.

    `offsets` and `sizes` have a number for each dimension of the constant.
    """
    data = attr.data.data
    if isinstance(data, Repeated):
        return of_splat(attr, kind)
    size = element_size(attr.get_element_type())
    if not sizes:
        return dense(kind, data)
    rows = _rows(attr.type.get_shape(), offsets, sizes)
    return dense(kind, b"".join(data[at * size : (at + n) * size] for at, n in rows))


def chosen_elements(condition: Any, true: Any, false: Any) -> DenseIntOrFPElementsAttr | None:
    """The elements of `true` where `condition` has ones, those of `false` elsewhere; None where
    they are not held one by one."""
    left, right = true.data.data, false.data.data
    if any(isinstance(data, Repeated) for data in (condition.data.data, left, right)):
        return None
    size = element_size(true.get_element_type())
    parts = [
        (left if truth else right)[at * size : (at + 1) * size]
        for at, truth in enumerate(values_of(condition))
    ]
    return dense(true.type, b"".join(parts))
