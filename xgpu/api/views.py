# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of any library, described without a copy.

In this order: arrays of ours, `__cuda_array_interface__`, `__array_interface__` (NumPy), DLPack,
the buffer protocol.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, SupportsIndex, cast

from xgpu.api import elements
from xgpu.api.memory import HOST, LEGACY, View, contiguous_strides
from xgpu.core.ir.errors import ArgumentTypeError
from xgpu.driver.arguments import REFUSED, is_masked

_WITH_STREAMS = 3  # the version of the array interface from which on arrays say their stream
_MOST = 2**63 - 1
_TYPESTR = re.compile(r"[<>|=]?[a-zA-Z]\d{1,4}(?:\[\w+\])?")


class NotAnArray(ArgumentTypeError):
    """What was given speaks none of the protocols, or its elements have no counterpart."""


def view_of(array: Any) -> View:
    """What `array` is. Raises `NotAnArray` with the reason."""
    kind: Any = type(array)
    own = getattr(kind, "__xgpu_view__", None)
    if own is not None:
        return own(array)
    if hasattr(kind, "__cuda_array_interface__"):
        described = _interface_of(array, "__cuda_array_interface__")
        if described is not None:
            _check_interface(described)
            return _from_interface(array, described, _cuda_device(described["data"][0]))
    if hasattr(kind, "__array_interface__"):
        described = _interface_of(array, "__array_interface__")
        if described is not None and not _leaves_data_out(described):
            if is_masked(array):
                raise NotAnArray(REFUSED)
            is_known = kind.__module__ == "numpy"  # which knows what it says
            if not is_known:
                _check_interface(described)
            view = _from_interface(array, described, HOST)
            view.described = described if is_known else None
            return view
    if hasattr(kind, "__dlpack__"):
        return _from_dlpack(array)
    said: dict[str, object] = getattr(array, "__dict__", None) or {}
    for name in ("__cuda_array_interface__", "__array_interface__"):
        if isinstance(said.get(name), dict):  # the object says it and not its class, as NumPy takes
            described = _interface_of(array, name)
            _check_interface(described)
            on_gpu = name.startswith("__cuda")
            device = _cuda_device(described["data"][0]) if on_gpu else HOST
            return _from_interface(array, described, device)
    try:
        buffer = memoryview(array)
    except TypeError:
        raise NotAnArray(f"expected an array, but {shown(array)} was given") from None
    except ValueError as problem:  # a view that was released
        raise NotAnArray(str(problem)) from None
    return _from_buffer(buffer)


def _leaves_data_out(described: object) -> bool:
    """Whether the buffer protocol has the elements."""
    return isinstance(described, dict) and cast("dict[str, object]", described).get("data") is None


def _check_interface(described: object) -> None:
    """Raise `NotAnArray` for an array interface that is none: what it says goes to machine code."""
    try:
        said = cast("dict[str, object]", described)
        address, _ = cast("tuple[object, object]", said["data"])
        shape, typestr = said["shape"], said["typestr"]
        strides = cast("Sequence[object] | None", said.get("strides"))
        fits = (
            isinstance(typestr, str)
            and _TYPESTR.fullmatch(typestr) is not None
            and isinstance(shape, tuple | list)
            and _are_sizes(cast("Sequence[object]", shape), 0)
            and (strides is None or (len(strides) == len(shape) and _are_sizes(strides, -_MOST)))
            and isinstance(address, int | None)
            and 0 <= (address or 0) < 2**64
            and (address or 0 in shape)
            and _is_stream(said.get("stream"))
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        fits = False
    if not fits:
        raise NotAnArray(f"its array interface is none: {_shortened(described)}")


def _is_stream(stream: object) -> bool:
    return stream is None or (isinstance(stream, int) and 0 <= stream < 2**64)


def _are_sizes(numbers: Iterable[object], low: int) -> bool:
    """Whether all of them are integers that C has room for."""
    return all(low <= index(cast("SupportsIndex", n)) <= _MOST for n in numbers)


def _shortened(described: object) -> str:
    text = repr(described)
    return text if len(text) <= 120 else f"{text[:120]}.."


def _interface_of(array: Any, name: str) -> Any:
    """The interface, None where the library has it for other arrays (PyTorch's on the CPU)."""
    try:
        return getattr(array, name)
    except (AttributeError, TypeError, RuntimeError):
        return None


def shown(value: object) -> str:
    """What was given, for messages: `3 of type int`, `a ndarray` where the value is long."""
    text, kind = repr(value), type(value).__name__
    if value is None:
        return text
    return f"{text} of type {kind}" if len(text) <= 60 and "\n" not in text else f"a {kind}"


def _steps(
    strides: tuple[int, ...] | None, shape: tuple[int, ...], itemsize: int
) -> tuple[int, ...]:
    """Strides in elements, of strides in bytes."""
    if strides is None:
        return contiguous_strides(shape)
    if any(stride % itemsize for stride in strides):
        raise NotAnArray("strides are no multiples of an element's size")
    return tuple(stride // itemsize for stride in strides)


def _from_interface(array: Any, described: Any, device: str) -> View:
    address, read_only = described["data"]
    shape = tuple(map(index, described["shape"]))  # 4.0 would be a key like 4
    typestr = described["typestr"]
    dtype = elements.from_typestr(typestr)
    if dtype is None:
        # ml_dtypes' types are raw bytes here, and say their name elsewhere.
        name = str(getattr(getattr(array, "dtype", None), "name", ""))
        if typestr[0] == ">" or not name.startswith(("bfloat16", "float8")):
            raise NotAnArray(_no_elements(name, typestr))
        dtype = name
    if described.get("mask") is not None:
        raise NotAnArray(REFUSED)
    strides = _steps(described.get("strides"), shape, elements.itemsize(dtype))
    stream = described.get("stream")
    if device != HOST and stream is None and described.get("version", 0) < _WITH_STREAMS:
        stream = LEGACY  # PyTorch's arrays say nothing: what is under way is on that, if on any
    elif stream == 0:
        stream = LEGACY  # the interface forbids 0, whose handle it is
    return View(
        int(address or 0), shape, strides, dtype, device, not read_only, array, True, stream or 0
    )


def _no_elements(name: str, typestr: str) -> str:
    """Why an array's elements are none of a memref's."""
    if typestr.startswith(">") and elements.from_typestr(f"={typestr[1:]}") is not None:
        return f"memrefs hold native byte order: use .astype('={typestr[1:]}')"
    if typestr[1:2] == "V" and name.startswith("void"):
        return "no memref has elements of a structured type"
    return f"no memref has elements of {name or typestr}"


def _cuda_device(address: int) -> str:
    """Which GPU an address belongs to: the driver knows."""
    from xgpu.api.devices.registry import device_of_pointer

    return device_of_pointer(address)


def _from_dlpack(array: Any) -> View:
    from xgpu.api import dlpack

    try:
        kind, number = map(int, array.__dlpack_device__())
    except (TypeError, ValueError):
        raise NotAnArray("__dlpack_device__ gives no device") from None
    if kind in (dlpack.CPU, dlpack.CUDA_HOST):
        device = HOST
    elif kind in (dlpack.CUDA, dlpack.CUDA_MANAGED):
        device = f"cuda:{number}"
    else:
        raise NotAnArray(f"the array lies on a device that DLPack calls {kind}")
    # Of the legacy default stream the library says when the elements are there.
    stream = LEGACY if device != HOST else 0
    try:
        lent = dlpack.Imported(_capsule(array, {"stream": stream} if stream else {}))
    except BufferError as problem:
        raise NotAnArray(str(problem)) from None
    tensor = lent.tensor
    dtype = elements.from_dlpack(tensor.code, tensor.bits, tensor.lanes)
    if dtype is None:
        raise NotAnArray(
            f"no memref has elements of DLPack's type {tensor.code} with {tensor.bits} bits"
        )
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    if min(shape, default=0) < 0 or (not tensor.data and 0 not in shape):
        raise NotAnArray(f"DLPack says that {shape} elements lie at {tensor.data or 0}")
    if tensor.strides:
        strides = tuple(tensor.strides[i] for i in range(tensor.ndim))
    else:
        strides = contiguous_strides(shape)
    address = (tensor.data or 0) + tensor.byte_offset
    writable = not lent.read_only and not (device == HOST and _is_read_only_buffer(array))
    return View(address, shape, strides, dtype, device, writable, lent, True, stream)


def _is_read_only_buffer(array: Any) -> bool:
    """Whether the array says by the buffer protocol that it is read-only. JAX's are so, and
    do not say it by DLPack."""
    try:
        return memoryview(array).readonly
    except (TypeError, BufferError, ValueError, RuntimeError):
        return False


def _capsule(array: Any, how: dict[str, int]) -> Any:
    """The newest kind of capsule that the library gives; only that says what is read-only."""
    try:
        return array.__dlpack__(max_version=(1, 0), **how)
    except TypeError:  # a library from before version 1
        pass
    return array.__dlpack__(**how)


def _from_buffer(buffer: memoryview) -> View:
    dtype = elements.from_format(buffer.format)
    if dtype is None:
        raise NotAnArray(f"no memref has elements of the buffer format '{buffer.format}'")
    shape = tuple(buffer.shape or ())
    strides = _steps(buffer.strides, shape, buffer.itemsize)
    pointer, keep = _buffer_address(buffer)
    return View(pointer, shape, strides, dtype, HOST, not buffer.readonly, (buffer, keep))


class _PyBuffer(ctypes.Structure):
    """Py_buffer, of the stable ABI since Python 3.11."""

    _fields_ = (
        ("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p),
    )  # fmt: skip


_FULL_RO = 0x011C  # PyBUF_FULL_RO


class _Held:
    """A buffer that is asked for as long as this object lives."""

    def __init__(self, buffer: memoryview) -> None:
        self._record = _PyBuffer()
        api: Any = ctypes.pythonapi
        api.PyObject_GetBuffer(ctypes.py_object(buffer), ctypes.byref(self._record), _FULL_RO)
        self.address = int(self._record.buf or 0)

    def __del__(self) -> None:
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(self._record))


def _buffer_address(buffer: memoryview) -> tuple[int, Any]:
    if buffer.suboffsets:
        raise NotAnArray("buffers of pointers to buffers have no counterpart")
    held = _Held(buffer)
    return held.address, held
