# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The built-ins of native sources as Python (`prelude.pyi` says what they are).

Numbers wrap as machine words do, pointers are addresses in this process: what a source does here is
what its machine code does, slowly and under a debugger. Used by `interpret` and by tests only.
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

from xgpu.backend.host.structs import STRUCTS, layout, scalar_kind, size_of

i1 = bool


class _Integer(int):
    """A signed machine word."""

    bits: ClassVar[int]

    def __new__(cls, value: Any = 0) -> _Integer:
        if isinstance(value, float):
            value = _saturated(value, cls.bits)
        number = value.__index__() & ((1 << cls.bits) - 1)
        return int.__new__(cls, number - (1 << cls.bits) if number >> (cls.bits - 1) else number)

    def unsigned(self) -> int:
        return int(self) & ((1 << self.bits) - 1)


def _saturated(value: float, bits: int) -> int:
    if math.isnan(value):
        return 0
    limit = 1 << (bits - 1)
    return max(-limit, min(limit - 1, int(value))) if math.isfinite(value) else (
        -limit if value < 0 else limit - 1
    )  # fmt: skip


def _integer_operator(name: str) -> Callable[[Any, Any], Any]:
    plain = getattr(int, name)

    def operator(self: _Integer, *other: Any) -> Any:
        if other and isinstance(other[0], _Integer) and type(other[0]) is not type(self):
            raise TypeError(f"types differ: {type(self).__name__} and {type(other[0]).__name__}")
        result = plain(self, *(int(o) for o in other))
        return result if result is NotImplemented else type(self)(result)

    return operator


for _name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "lshift", "rshift"):
    setattr(_Integer, f"__{_name}__", _integer_operator(f"__{_name}__"))
    setattr(_Integer, f"__r{_name}__", _integer_operator(f"__r{_name}__"))
for _name in ("__neg__", "__invert__"):
    setattr(_Integer, _name, _integer_operator(_name))


class i8(_Integer):
    bits = 8


class i16(_Integer):
    bits = 16


class i32(_Integer):
    bits = 32


class i64(_Integer):
    bits = 64


class f64(float):
    """IEEE's double: division by zero is no error."""

    def __truediv__(self, other: float) -> Any:
        return type(self)(_quotient(self, other))

    def __rtruediv__(self, other: float) -> Any:
        return type(self)(_quotient(other, self))


class f32(f64):
    """IEEE's single."""

    def __new__(cls, value: Any = 0.0) -> f32:
        return float.__new__(cls, ctypes.c_float(value).value)


def _quotient(a: float, b: float) -> float:
    if b != 0.0:
        return float(a) / float(b)
    if a == 0.0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _float_operator(name: str) -> Callable[[Any, Any], Any]:
    plain = getattr(float, name)
    return lambda self, *other: type(self)(plain(self, *(float(o) for o in other)))


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "neg"):
    setattr(f64, f"__{_name}__", _float_operator(f"__{_name}__"))


class ptr:
    """An address."""

    def __init__(self, address: Any = 0) -> None:
        self.address = 0 if address is None else int(address.__index__()) & ((1 << 64) - 1)

    def __index__(self) -> int:
        return self.address

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ptr) and self.address == other.address

    def __hash__(self) -> int:
        return hash(self.address)


_CTYPES: dict[str, Any] = {
    "i1": ctypes.c_bool, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32,
    "i64": ctypes.c_int64, "f32": ctypes.c_float, "f64": ctypes.c_double,
}  # fmt: skip
_SCALARS: dict[str, Any] = {
    "i1": i1, "i8": i8, "i16": i16, "i32": i32, "i64": i64, "f32": f32, "f64": f64,
}  # fmt: skip


def _ctype(kind: str) -> Any:
    return _CTYPES.get(kind, ctypes.c_void_p)


def _load(address: int, kind: str) -> Any:
    """The value at an address. `T?` reads as None where it is null."""
    value: Any = _ctype(kind).from_address(address).value
    if kind in _SCALARS:
        return _SCALARS[kind](value)
    return None if not value and kind.endswith("?") else _pointer_class(scalar_kind(kind))(value)


def _store(address: int, kind: str, value: Any) -> None:
    place = _ctype(kind).from_address(address)
    place.value = float(value) if kind in ("f32", "f64") else int(ptr(value)) or 0


def _pointer_class(kind: str) -> Any:
    if kind in STRUCTS:
        return record(kind)
    if kind.startswith("Ptr["):
        return Ptr[kind[4:-1]]
    return ptr if kind == "ptr" else Ptr[kind]


class Ptr(ptr):
    """`Ptr[T]` is the class of addresses of many T."""

    kind: ClassVar[str]

    @classmethod
    def __class_getitem__(cls, element: Any) -> Any:
        return _pointer_to(element if isinstance(element, str) else element.__name__)

    def __getitem__(self, index: int) -> Any:
        return _load(self.address + int(index) * ctypes.sizeof(_ctype(self.kind)), self.kind)

    def __setitem__(self, index: int, value: Any) -> None:
        _store(self.address + int(index) * ctypes.sizeof(_ctype(self.kind)), self.kind, value)


@cache
def _pointer_to(kind: str) -> Any:
    return type(f"Ptr[{kind}]", (Ptr,), {"kind": kind})


class Record(ptr):
    """The fields of a record of `structs` are attributes."""

    struct: ClassVar[str]

    def __getattr__(self, name: str) -> Any:
        fields = layout(self.struct)[0]
        if name not in fields:
            raise AttributeError(f"{self.struct} has no field {name}")
        at, kind, count = fields[name]
        if count or kind.startswith("Atomic["):
            return Ptr[scalar_kind(kind)](self.address + at)
        return _load(self.address + at, kind)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "address":
            object.__setattr__(self, name, value)
            return
        at, kind, _ = layout(self.struct)[0][name]
        _store(self.address + at, scalar_kind(kind), value)

    def __getitem__(self, index: int) -> Any:
        return type(self)(self.address + int(index) * size_of(self.struct))


@cache
def record(struct: str) -> Any:
    """The class of addresses of a record."""
    return type(struct, (Record,), {"struct": struct})


def extern(function: Callable[..., Any]) -> Callable[..., Any]:
    function.__dict__["extern"] = True
    return function


def _unsigned(value: Any) -> int:
    return value.unsigned() if isinstance(value, _Integer) else int(value)


def zext32(value: Any) -> Any:
    return i32(_unsigned(value))


def zext64(value: Any) -> Any:
    return i64(_unsigned(value))


def _same(left: Any, right: Any) -> tuple[int, int, Any]:
    """Both without signs, on the bits that either has."""
    kind = type(left) if isinstance(left, _Integer) else type(right)
    return kind(left).unsigned(), kind(right).unsigned(), kind


def ult(left: Any, right: Any) -> bool:
    a, b, _ = _same(left, right)
    return a < b


def ule(left: Any, right: Any) -> bool:
    a, b, _ = _same(left, right)
    return a <= b


def udiv(left: Any, right: Any) -> Any:
    a, b, kind = _same(left, right)
    return kind(a // b)


def urem(left: Any, right: Any) -> Any:
    a, b, kind = _same(left, right)
    return kind(a % b)


def lshr(left: Any, right: Any) -> Any:
    a, b, kind = _same(left, right)
    return kind(a >> min(b, 64))


def popcount(value: Any) -> Any:
    return i32(_unsigned(value).bit_count())


def trailing_zeros(value: Any) -> Any:
    number = _unsigned(value)
    return i32((number & -number).bit_length() - 1 if number else 32)


def _reinterpret(source: str, target: str, kind: Any) -> Callable[[Any], Any]:
    return lambda value: kind(struct.unpack(target, struct.pack(source, value))[0])


bits_f64 = _reinterpret("<q", "<d", f64)
bits_i32 = _reinterpret("<f", "<i", i32)
bits_i64 = _reinterpret("<d", "<q", i64)
half_to_float = _reinterpret("<h", "<e", f32)


def bits_f32(value: Any) -> Any:
    return _reinterpret("<i", "<f", f32)(i32(value))


def float_to_half(value: Any) -> Any:
    import numpy

    with numpy.errstate(over="ignore"):
        return i16(int(numpy.float32(value).astype(numpy.float16).view(numpy.int16)))


def advance(pointer: Any, bytes: int) -> Any:
    return ptr(int(pointer) + int(bytes))


def sizeof(record: Any) -> int:
    return size_of(record.struct)


def copy_bytes(target: Any, source: Any, bytes: int) -> None:
    ctypes.memmove(int(target), int(source), int(bytes))


def zero_bytes(target: Any, bytes: int) -> None:
    ctypes.memset(int(target), 0, int(bytes))


# One thread runs a source as Python, so nothing comes between.
def atomic_load(address: Any) -> Any:
    return address[0]


def atomic_store(address: Any, value: Any) -> None:
    address[0] = value


def atomic_exchange(address: Any, value: Any) -> Any:
    before = address[0]
    address[0] = value
    return before


def atomic_add(address: Any, amount: Any) -> Any:
    return atomic_exchange(address, address[0] + amount)


def exchange_if(address: Any, old: Any, new: Any) -> bool:
    if address[0] != old:
        return False
    address[0] = new
    return True


def invoke(function: Any, result: Any, *arguments: Any) -> Any:
    kinds = [ctypes.c_void_p if isinstance(a, ptr) else _ctype(type(a).__name__) for a in arguments]
    returned = None if result is None else _ctype(result.__name__)
    numbers = [int(a) if isinstance(a, ptr) else a for a in arguments]
    value = ctypes.CFUNCTYPE(returned, *kinds)(int(function))(*numbers)
    return None if result is None else result(value)


def resume(function: Any, result: None, *arguments: Any) -> None:
    raise NotImplementedError("Python cannot resume a coroutine: its convention is LLVM's own")
