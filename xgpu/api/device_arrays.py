# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays on a device with the methods that numba's have, for `xgpu.numba`; records as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex, TypeAlias, cast

import numpy as np

from xgpu.api import elements
from xgpu.api.arrays import Array, asarray
from xgpu.api.memory import View, contiguous_strides
from xgpu.api.views import view_of
from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError, public

_Kind: TypeAlias = "np.dtype[np.generic]"
_Elements: TypeAlias = "np.ndarray[tuple[int, ...], _Kind]"


class DeviceArray:
    """An array on a device, with numba's methods. Made by `cuda.to_device` and the like.

    `array` is the `xgpu.Array` behind it: of bytes, for records. `dtype` is NumPy's.
    """

    def __init__(self, array: Array, dtype: _Kind, shape: tuple[int, ...]) -> None:
        self.array = array
        self.dtype = dtype
        self.shape = shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """Strides in bytes."""
        if self.dtype.names is not None:
            return tuple(n * self.dtype.itemsize for n in contiguous_strides(self.shape))
        return tuple(n * self.dtype.itemsize for n in self.array.strides)

    @property
    def T(self) -> DeviceArray:
        return self.transpose()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray {self.dtype}{list(self.shape)} on {self.array.device}>"

    def __xgpu_view__(self) -> View:
        return self.array.__xgpu_view__()

    def __array__(self, dtype: _Kind | None = None, copy: bool | None = None) -> _Elements:
        return np.asarray(self.copy_to_host(), dtype=dtype)

    @public
    def copy_to_host(self, ary: _Elements | None = None, stream: object = 0) -> _Elements:
        """The elements, in `ary` or a new NumPy array."""
        _wait(stream)
        found = self.array.numpy()
        if self.dtype.names is not None:
            found = found.view(self.dtype).reshape(self.shape)
        found = found.view(self.dtype) if found.dtype != self.dtype else found
        if ary is None:
            return found
        if tuple(ary.shape) != self.shape:
            raise ArgumentValueError(f"expected an array of shape {self.shape}, found {ary.shape}")
        if ary.dtype != self.dtype:
            raise ArgumentTypeError(f"expected an array of {self.dtype}, found {ary.dtype}")
        ary[...] = found
        return ary

    @public
    def copy_to_device(self, ary: object, stream: object = 0) -> None:
        """Takes the elements of an array of the same shape."""
        _wait(stream)
        if isinstance(ary, DeviceArray):
            self.array.copy_from(ary.array)
            return
        source = np.asarray(ary, self.dtype)
        if source.ndim and source.shape != self.shape:
            raise ArgumentValueError(
                f"expected an array of shape {self.shape}, found {source.shape}"
            )
        given = np.broadcast_to(source, self.shape)
        self.array.copy_from(plain(np.ascontiguousarray(given).reshape(self.shape)))

    def transpose(self, axes: Sequence[int] | None = None) -> DeviceArray:
        """A view with the axes in another order, reversed without `axes`."""
        order = list(axes) if axes is not None else list(range(self.ndim))[::-1]
        view = self.array.__xgpu_view__()
        shape = tuple(view.shape[i] for i in order)
        return self._part(0, shape, tuple(view.strides[i] for i in order))

    def reshape(self, *shape: int | tuple[int, ...]) -> DeviceArray:
        """A view of another shape, of a contiguous array."""
        sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        wanted = np.empty(self.shape, np.uint8).reshape(cast("tuple[int, ...]", sizes)).shape
        if not self.is_c_contiguous():
            raise ArgumentValueError("expected a contiguous array")
        return self._part(0, wanted, contiguous_strides(wanted))

    def ravel(self) -> DeviceArray:
        return self.reshape(self.size)

    def split(self, section: int, stream: object = 0) -> list[DeviceArray]:
        """Views of `section` elements each, the last with those that are left, of an array of one
        dimension."""
        if self.ndim != 1:
            raise ArgumentTypeError(f"expected an array of one dimension, of shape {self.shape}")
        if section < 1:
            raise ArgumentValueError(f"section is {section}, expected at least 1")
        starts = range(0, self.size, section)
        return [cast("DeviceArray", self[at : at + section]) for at in starts]

    def is_c_contiguous(self) -> bool:
        """Whether the elements lie row by row, one after the other."""
        return self.array.strides == contiguous_strides(self.array.shape)

    def is_f_contiguous(self) -> bool:
        """Whether the elements lie column by column, one after the other."""
        return self.array.strides[::-1] == contiguous_strides(self.array.shape[::-1])

    def view(self, dtype: _Kind | str | type) -> DeviceArray:
        """The same bytes as elements of another type of the same size."""
        kind = np.dtype(dtype)
        if kind.itemsize != self.dtype.itemsize or kind.names is not None:
            raise ArgumentTypeError(f"expected a type of {self.dtype.itemsize} bytes, found {kind}")
        return DeviceArray(asarray(reinterpreted(self.array, kind.name)), kind, self.shape)

    def _part(self, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> DeviceArray:
        if self.dtype.names is not None:
            raise ArgumentTypeError("arrays of records have no views; copy_to_host() has them")
        view = self.array.__xgpu_view__()
        address = view.address + offset * elements.itemsize(view.dtype)
        part = view.seen_as(self.array, address=address, shape=shape, strides=strides)
        return DeviceArray(asarray(Lent(part)), self.dtype, shape)

    def __getitem__(self, key: object) -> DeviceArray | np.generic:
        """A part as a view; one element as a number of NumPy."""
        offset, shape, strides = _selected(self.array.__xgpu_view__(), key)
        part = self._part(offset, shape, strides)
        return part if shape else cast("np.generic", part.copy_to_host()[()])

    def __setitem__(self, key: object, value: object) -> None:
        self._part(*_selected(self.array.__xgpu_view__(), key)).copy_to_device(value)


class Lent:
    """A view as an array."""

    def __init__(self, view: View) -> None:
        self._view = view

    def __xgpu_view__(self) -> View:
        return self._view


def reinterpreted(array: object, name: str) -> Lent:
    """The same memory with elements of another name."""
    view = view_of(array)
    return Lent(view.seen_as((array, view.owner), dtype=name))


def _selected(view: View, key: object) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """First element, shape and strides of a part, by NumPy's rules for integers and slices."""
    keys = list(key) if isinstance(key, tuple) else [key]
    if Ellipsis in keys:
        at = keys.index(Ellipsis)
        keys[at : at + 1] = [slice(None)] * (len(view.shape) - len(keys) + 1)
    if len(keys) > len(view.shape):
        raise IndexError(f"too many indices for an array of {len(view.shape)} dimensions")
    keys += [slice(None)] * (len(view.shape) - len(keys))
    offset, shape, strides = 0, [], []
    for one, size, stride in zip(keys, view.shape, view.strides, strict=True):
        if isinstance(one, slice):
            taken = range(size)[one]
            offset += (taken.start if len(taken) else 0) * stride
            shape.append(len(taken))
            strides.append(taken.step * stride)
            continue
        at = cast("SupportsIndex", one).__index__()
        if not -size <= at < size:
            raise IndexError(f"index {at} is out of bounds for a dimension of {size}")
        offset += at % size * stride
    return offset, tuple(shape), tuple(strides)


def plain(array: _Elements) -> _Elements:
    """A NumPy array as one of elements that memrefs have; records as bytes."""
    kind = array.dtype
    if kind.names is not None:
        return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if kind.kind in "mM":
        return array.view(np.int64)
    return array


def _wait(stream: object) -> None:
    """Waits for a stream; 0 is the one that is waited for anyway."""
    synchronize = getattr(stream, "synchronize", None)
    if synchronize is not None:
        synchronize()
