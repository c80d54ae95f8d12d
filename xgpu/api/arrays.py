# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in a device's memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, cast

from xgpu.api import elements
from xgpu.api.copies import rows_of
from xgpu.api.devices.interface import Backend
from xgpu.api.devices.registry import backend as device_named
from xgpu.api.memory import HOST, View, contiguous_strides, shared_key
from xgpu.api.views import NotAnArray, view_of
from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError, DeviceError, public
from xgpu.core.support.forks import OfOneProcess
from xgpu.driver.arguments import REFUSED, is_masked


class Array(OfOneProcess):
    """Elements in a device's memory: `shape`, `strides` (in elements), `dtype` (NumPy's name of
    it), `device` ("host" or "cuda:N"), `nbytes`.

    Other libraries take it without a copy: `numpy.from_dlpack(a)`, `torch.from_dlpack(a)`,
    `numpy.asarray(a)` on the host device, `cupy.asarray(a)` on a GPU. `a.numpy()` copies.
    Make one with `xgpu.empty`, `xgpu.zeros` or `xgpu.asarray`.
    """

    __slots__ = (
        "__weakref__", "_backend", "_owner", "_release", "_shared", "_view",
    )  # fmt: skip
    _instead = "its numpy()"

    def __init__(
        self, backend: Backend, address: int, shape: tuple[int, ...], strides: tuple[int, ...],
        dtype: str, *, release: Callable[[int], None] | None = None, owner: object = None,
        writable: bool = True,
    ) -> None:  # fmt: skip
        self._backend = backend
        self._owner = owner
        self._shared = False
        # Without a reference to this array: memory must not wait for the garbage collector.
        self._view = View(
            address, shape, strides, dtype, backend.name, writable, None, lent=owner is not None
        )
        self._view.key = shared_key(self._view.key)
        self._release = release

    @property
    def shape(self) -> tuple[int, ...]:
        return self._view.shape

    @property
    def strides(self) -> tuple[int, ...]:
        """In elements."""
        return self._view.strides

    @property
    def dtype(self) -> str:
        return self._view.dtype

    def __del__(self) -> None:
        release = getattr(self, "_release", None)
        if release is not None:
            release(self._view.address)

    def __xgpu_view__(self) -> View:
        return self._view

    # -- what it is

    @property
    def device(self) -> str:
        """Where the elements lie: "host" or "cuda:N"."""
        return self._backend.name

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements there are."""
        count = 1
        for n in self.shape:
            count *= n
        return count

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return elements.itemsize(self.dtype)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._view.nbytes

    @property
    def address(self) -> int:
        """Where the first element lies, in the device's memory."""
        self._view.is_used()  # what has the address may write there
        return self._view.address

    def __len__(self) -> int:
        if not self.shape:
            raise ArgumentTypeError("an array without dimensions has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, self.shape))
        return f"<xgpu.Array ({sizes}) {self.dtype} on {self.device}>"

    # -- elements

    @public
    def numpy(self, out: Any = None) -> Any:
        """A NumPy array with copies of the elements, in C order; waits for what still writes them.

        `out` is an array to copy to, of the same shape and type. Raises `DeviceError` for what went
        wrong on the device before.
        """
        import numpy

        if out is None:
            out = numpy.empty(self.shape, elements.numpy_dtype(self.dtype))
        elif not isinstance(out, numpy.ndarray):
            raise ArgumentTypeError(f"out is a {type(out).__name__}, expected a NumPy array")
        elif tuple(out.shape) != self.shape or elements.name_of(out.dtype) != self.dtype:
            raise ArgumentValueError(
                f"out is {out.shape} {out.dtype}, expected {self.shape} {self.dtype}"
            )
        elif not out.flags.c_contiguous:
            raise ArgumentValueError("out is not contiguous")
        elif not out.flags.writeable:
            raise ArgumentValueError("out is read-only")
        elif is_masked(out):
            raise ArgumentTypeError(f"out: {REFUSED}")
        backend = self._backend.current()
        backend.synchronize()
        if backend.host_access:
            backend.reads(self._view)
            out[...] = self._aliased()
            return out
        if self._is_dense():
            backend.copy(out.ctypes.data, self.address, self.nbytes, 0)
            backend.stream_synchronize(0)
            return out
        for rows in rows_of(view_of(out), self._view, self.itemsize):
            backend.copy_rows(rows, 0)
        backend.stream_synchronize(0)
        return out

    def _is_dense(self) -> bool:
        dense = contiguous_strides(self.shape)
        steps = zip(self.shape, self.strides, dense, strict=True)
        return all(n <= 1 or given == wanted for n, given, wanted in steps)

    def _aliased(self) -> Any:
        """A NumPy array of the same memory."""
        import numpy

        dtype = elements.numpy_dtype(self.dtype)
        if not self.size:
            return numpy.empty(self.shape, dtype)
        low = sum(min(0, (n - 1) * s) for n, s in zip(self.shape, self.strides, strict=True))
        high = sum(max(0, (n - 1) * s) for n, s in zip(self.shape, self.strides, strict=True))
        begin = self._view.address + low * self.itemsize
        bytes: Any = (ctypes.c_uint8 * ((high - low + 1) * self.itemsize)).from_address(begin)
        bytes._xgpu_owner = self
        steps = [s * self.itemsize for s in self.strides]
        at = -low * self.itemsize
        return numpy.ndarray(self.shape, dtype, bytes, at, steps)

    @public
    def copy_from(self, source: object, stream: object = None) -> Array:
        """Copy the elements of `source`, an array of the same shape and type on any device; this
        array. Without a `stream` they are there when the call returns.
        """
        view = view_of(source)
        if view.shape != self.shape or view.dtype != self.dtype:
            raise ArgumentValueError(
                f"source is {view.shape} {view.dtype}, expected {self.shape} {self.dtype}"
            )
        if not self._view.writable:
            raise ArgumentValueError("this array is read-only")
        backend = self._backend.current()
        handle = _stream_handle(stream, backend)
        backend.writes(self._view)
        if self._is_dense() and not _has_gaps(view):
            backend.copy(self.address, view.address, view.nbytes, handle)
        else:
            for rows in rows_of(self._view, view, self.itemsize):
                backend.copy_rows(rows, handle)
        if stream is None or view.device == HOST:
            backend.stream_synchronize(handle)
        return self

    @public
    def fill(self, value: object, stream: object = None) -> Array:
        """Give every element `value`; this array. Without a `stream` it is done when the call
        returns. Raises TypeError for what is no number, ValueError for one that does not fit."""
        import numpy

        if not self._is_dense():
            raise ArgumentValueError(
                "fills of an array with gaps between its elements are not supported"
            )
        pattern = elements.encoded(value, self.dtype)
        width = len(pattern)
        backend = self._backend.current()
        handle = _stream_handle(stream, backend)
        if width > 8:
            return self.copy_from(numpy.full(self.shape, value, self.dtype), stream)
        number = int.from_bytes(pattern, "little")
        backend.writes(self._view)
        backend.fill(self.address, number, self.size, width, handle)
        if stream is None:
            backend.stream_synchronize(handle)
        return self

    # -- for other libraries

    def _lend(self) -> None:
        """From here on others see the memory without asking."""
        backend = self._backend.current()
        backend.synchronize()
        self._view.lent = True
        backend.writes(self._view)
        backend.exposed(self.address, self.nbytes)

    @property
    def __array_interface__(self) -> dict[str, object]:
        if not self._backend.host_access:
            raise AttributeError("the elements lie on a GPU: use numpy() for a copy")
        self._lend()
        dtype = elements.numpy_dtype(self.dtype)
        return {
            "version": 3, "shape": self.shape, "typestr": dtype.str,
            "data": (self.address, not self._view.writable),
            "strides": tuple(s * self.itemsize for s in self.strides),
        }  # fmt: skip

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        if not self._backend.host_access:
            raise ArgumentTypeError("the elements lie on a GPU: use numpy() for a copy")
        if copy:
            found = self.numpy()
        else:
            self._lend()
            found = self._aliased()
        return found if dtype is None else found.astype(dtype, copy=False)

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        if self._backend.dlpack[0] != 2:
            raise AttributeError("the elements do not lie on a GPU")
        self._lend()
        return {
            "version": 3, "shape": self.shape, "typestr": elements.numpy_dtype(self.dtype).str,
            "data": (self.address, not self._view.writable), "stream": None,
            "strides": tuple(s * self.itemsize for s in self.strides),
        }  # fmt: skip

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._backend.dlpack

    def __dlpack__(
        self, *, stream: object = None, max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None, copy: bool | None = None,
    ) -> object:  # fmt: skip
        from xgpu.api import dlpack

        if dl_device is not None and tuple(dl_device) != self._backend.dlpack:
            raise BufferError(f"the elements lie on {self.device}; copy them first")
        if copy:
            raise BufferError("copies are made by xgpu.asarray(array, copy=True)")
        versioned = max_version is not None and max_version[0] >= 1
        if not versioned and not self._view.writable:
            raise BufferError("the array is read-only, which DLPack says from version 1 on")
        self._lend()
        _, code, bits = elements.ELEMENTS[self.dtype]
        return dlpack.export(
            self, self.address, self.shape, self.strides, (code, bits), self._backend.dlpack,
            versioned=versioned, read_only=not self._view.writable,
        )  # fmt: skip


def _has_gaps(view: View) -> bool:
    dense = contiguous_strides(view.shape)
    return any(n > 1 and s != d for n, s, d in zip(view.shape, view.strides, dense, strict=True))


def _stream_handle(stream: object, backend: Backend) -> int:
    if stream is None:
        return 0
    from xgpu.api.streams import handle_of

    return handle_of(stream, backend)


def _sizes(shape: int | Sequence[int]) -> tuple[int, ...]:
    several = hasattr(shape, "__iter__")
    given = cast("Sequence[int]", shape) if several else (cast("int", shape),)
    try:
        sizes = tuple(int(n.__index__()) for n in given)
    except AttributeError:
        raise ArgumentTypeError(f"shape is {shape!r}, expected integers") from None
    if any(n < 0 for n in sizes):
        raise ArgumentValueError(f"shape is {sizes}, expected sizes of at least 0")
    return sizes


@public
def empty(shape: int | Sequence[int], dtype: object = "float32", device: str = "auto") -> Array:
    """An array whose elements are anything.

    `shape` is a size or several, `dtype` a name ("float32", "bf16", "float8_e4m3fn"), a NumPy dtype
    or one of PyTorch or JAX. Raises `ValueError` for sizes below 0 and unknown element types,
    `DeviceError` where the device has no memory left.
    """
    sizes = _sizes(shape)
    name = elements.name_of(dtype)
    where = device_named(device)
    count = elements.itemsize(name)
    for n in sizes:
        count *= n
    if count >= 2**63:  # which no device counts to
        raise DeviceError(f"out of memory: an array of {count} bytes")
    address = where.allocate(count)
    made = Array(where, address, sizes, contiguous_strides(sizes), name, release=where.free_later)
    if where.tells_fresh:
        made._view.is_fresh()
    return made


@public
def zeros(shape: int | Sequence[int], dtype: object = "float32", device: str = "auto") -> Array:
    """An array of zeros; as `empty`."""
    made = empty(shape, dtype, device)
    backend = made._backend
    backend.writes(made._view)
    backend.fill(made.address, 0, made.nbytes, 1, 0)
    backend.stream_synchronize(0)
    return made


@public
def asarray(
    array: object, device: str | None = None, dtype: object = None, copy: bool = False
) -> Array:
    """`array` as an `xgpu.Array` on `device`: without a copy where it lies there already.

    `array` is of any library (DLPack, `__cuda_array_interface__`, `__array_interface__`, the buffer
    protocol), or lists and numbers, which NumPy reads. Without a `device` it stays where it is.
    `dtype` converts, on the host. Raises `TypeError` for what is no array.
    """
    if dtype is not None or isinstance(array, (list, tuple, int, float, complex)):
        array = _converted(array, dtype)
    try:
        view = view_of(array)
    except NotAnArray as problem:
        raise ArgumentTypeError(str(problem)) from None
    wanted = device_named(device if device is not None else view.device)
    if view.device == wanted.name and not copy:
        if isinstance(array, Array):
            return array
        return Array(
            wanted, view.address, view.shape, view.strides, view.dtype, owner=view.owner,
            writable=view.writable,
        )  # fmt: skip
    return empty(view.shape, view.dtype, wanted.name).copy_from(array)


def _converted(array: Any, dtype: Any) -> Any:
    import numpy

    if isinstance(array, Array):
        array = array.numpy()
    if is_masked(array):
        raise ArgumentTypeError(REFUSED)
    wanted = None if dtype is None else elements.numpy_dtype(elements.name_of(dtype))
    return numpy.asarray(array, dtype=wanted)
