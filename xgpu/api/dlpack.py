# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DLPack: arrays of others in, ours out, without copies.

A capsule holds a `DLManagedTensor` (or, from version 1 on, a `DLManagedTensorVersioned`). A
consumer renames the capsule and calls the tensor's deleter at its end; a capsule without a
consumer calls it itself. See dmlc.github.io/dlpack.
"""

from __future__ import annotations

import ctypes

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13

_READ_ONLY = 1  # DLPACK_FLAG_BITMASK_READ_ONLY
_MAJOR = 1


class DLTensor(ctypes.Structure):
    """dlpack.h, DLTensor; strides count elements, null means C order."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = (
        ("tensor", DLTensor),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


class Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    )


_FORMS: dict[bytes, type[Managed] | type[Versioned]] = {
    b"dltensor": Managed,
    b"dltensor_versioned": Versioned,
}

_api = ctypes.pythonapi
_api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
_Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, _Destructor]
_api.PyCapsule_New.restype = ctypes.py_object


class Imported:
    """A tensor that another library lent; given back when this object dies."""

    __slots__ = ("_delete", "_managed", "read_only", "tensor")

    def __init__(self, capsule: object) -> None:
        name = next((n for n in _FORMS if _api.PyCapsule_IsValid(capsule, n)), None)
        if name is None:
            raise BufferError("__dlpack__ gave no DLPack capsule, or one that was used already")
        pointer = _api.PyCapsule_GetPointer(capsule, name)
        managed = _FORMS[name].from_address(pointer)
        if name == b"dltensor_versioned" and managed.major > _MAJOR:
            raise BufferError(f"DLPack of version {managed.major}, expected at most {_MAJOR}")
        # The name must outlive the capsule.
        _api.PyCapsule_SetName(capsule, _USED[name])
        self._managed: int | None = pointer
        self._delete = _Deleter(managed.deleter) if managed.deleter else None
        self.tensor: DLTensor = managed.tensor
        self.read_only = name == b"dltensor_versioned" and bool(managed.flags & _READ_ONLY)

    def __del__(self) -> None:
        pointer, self._managed = getattr(self, "_managed", None), None
        if pointer and self._delete is not None:
            self._delete(pointer)


_USED = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}

# What capsules of ours point to, by address: the struct, its shape, and the array.
_lent: dict[int, tuple[object, ...]] = {}


@_Deleter
def _returned(pointer: int) -> None:
    _lent.pop(pointer, None)


@_Destructor
def _dropped(capsule: int) -> None:
    """Whether the capsule was not consumed, by its name."""
    for name in _FORMS:
        if _valid(capsule, name):
            _lent.pop(_pointer(capsule, name), None)


# The capsule is being destroyed: no reference to it may be made, so it goes as an address.
_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", _api)
)
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _api)
)


def export(
    owner: object, address: int, shape: tuple[int, ...], strides: tuple[int, ...],
    element: tuple[int, int], device: tuple[int, int], *, versioned: bool, read_only: bool,
) -> object:  # fmt: skip
    """A capsule of memory that `owner` keeps alive. `element` is DLPack's code and bits."""
    name = b"dltensor_versioned" if versioned else b"dltensor"
    managed = _FORMS[name]()
    rank = len(shape)
    sizes = (ctypes.c_int64 * max(rank, 1))(*shape)
    steps = (ctypes.c_int64 * max(rank, 1))(*strides)
    tensor = managed.tensor
    tensor.data = address
    tensor.device_type, tensor.device_id = device
    tensor.ndim = rank
    tensor.code, tensor.bits = element
    tensor.lanes = 1
    tensor.shape = ctypes.cast(sizes, ctypes.POINTER(ctypes.c_int64))
    tensor.strides = ctypes.cast(steps, ctypes.POINTER(ctypes.c_int64))
    managed.deleter = ctypes.cast(_returned, ctypes.c_void_p).value
    if versioned:
        managed.major, managed.minor = _MAJOR, 0
        managed.flags = _READ_ONLY if read_only else 0
    pointer = ctypes.addressof(managed)
    _lent[pointer] = (managed, sizes, steps, owner)
    return _api.PyCapsule_New(pointer, name, _dropped)
