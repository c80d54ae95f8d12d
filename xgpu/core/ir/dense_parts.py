# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of dense constants, on their bytes: other shapes, slices out of them and into them.

What says the same of more elements than can be held (`splats.Repeated`) stays so or is left alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

from xgpu.core.ir.elements import dense, element_size, is_splat, values_of
from xgpu.core.ir.splats import Repeated, repeated

if TYPE_CHECKING:
    from typing_extensions import TypeIs
    from xdsl.ir import Attribute


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


def with_slice(
    attr: DenseIntOrFPElementsAttr, part: bytes, offsets: Sequence[int], sizes: Sequence[int]
) -> DenseIntOrFPElementsAttr | None:
    """`attr` with the bytes `part` in place of a slice without gaps; None where `attr` is not held
    one by one."""
    if isinstance(attr.data.data, Repeated):
        return None
    size = element_size(attr.get_element_type())
    data = bytearray(attr.data.data)
    taken = 0
    for at, n in _rows(attr.type.get_shape(), offsets, sizes) if sizes else ((0, 1),):
        data[at * size : (at + n) * size] = part[taken * size : (taken + n) * size]
        taken += n
    return dense(attr.type, bytes(data))


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
