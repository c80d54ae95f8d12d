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
from typing import ClassVar, Self, SupportsFloat, SupportsIndex, SupportsInt, TypeVar, cast

from xgpu.host_device.abi.structs import STRUCTS, layout, scalar_kind, size_of

i1 = bool


class _Integer(int):
    """A signed machine word."""

    bits: ClassVar[int]

    def __new__(cls, value: SupportsIndex | float = 0) -> Self:
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


def _integer_operator(name: str) -> Callable[..., object]:
    plain = getattr(int, name)

    def operator(self: _Integer, *other: SupportsInt) -> object:
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

    def __truediv__(self, other: float) -> Self:
        return type(self)(_quotient(self, other))

    def __rtruediv__(self, other: float) -> Self:
        return type(self)(_quotient(other, self))


class f32(f64):
    """IEEE's single."""

    def __new__(cls, value: float = 0.0) -> Self:
        return float.__new__(cls, ctypes.c_float(value).value)


def _quotient(a: float, b: float) -> float:
    if b != 0.0:
        return float(a) / float(b)
    if a == 0.0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _float_operator(name: str) -> Callable[..., object]:
    plain = getattr(float, name)

    def operator(self: f64, *other: SupportsFloat) -> f64:
        return type(self)(plain(self, *(float(o) for o in other)))

    return operator


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "neg"):
    setattr(f64, f"__{_name}__", _float_operator(f"__{_name}__"))


class ptr:
    """An address."""

    def __init__(self, address: SupportsIndex | None = 0) -> None:
        self.address = 0 if address is None else int(address.__index__()) & ((1 << 64) - 1)

    def __index__(self) -> int:
        return self.address

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ptr) and self.address == other.address

    def __hash__(self) -> int:
        return hash(self.address)


#: What memory holds: a number, or an address; None where the address may be null and is.
Word = bool | _Integer | f64 | ptr | None
#: What can be written there: its conversion to a word of the place's type follows.
Written = SupportsIndex | float | None
_F = TypeVar("_F", bound=Callable[..., object])
_N = TypeVar("_N", i8, i16, i32, i64, f32, f64)

_CTYPES = {
    "i1": ctypes.c_bool, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32,
    "i64": ctypes.c_int64, "f32": ctypes.c_float, "f64": ctypes.c_double,
}  # fmt: skip
_SCALARS = {
    "i1": i1, "i8": i8, "i16": i16, "i32": i32, "i64": i64, "f32": f32, "f64": f64,
}  # fmt: skip


def _ctype(kind: str) -> type[ctypes._SimpleCData[float | None]]:
    return cast("type[ctypes._SimpleCData[float | None]]", _CTYPES.get(kind, ctypes.c_void_p))


def _load(address: int, kind: str) -> Word:
    """The value at an address. `T?` reads as None where it is null."""
    value = _ctype(kind).from_address(address).value
    if kind in _SCALARS:
        return _SCALARS[kind](cast("float", value))
    if not value and kind.endswith("?"):
        return None
    return _pointer_class(scalar_kind(kind))(cast("int | None", value))


def _store(address: int, kind: str, value: Written) -> None:
    place = _ctype(kind).from_address(address)
    if kind in ("f32", "f64"):
        place.value = float(cast("SupportsIndex | float", value))
    else:
        place.value = int(ptr(cast("SupportsIndex | None", value))) or 0


def _pointer_class(kind: str) -> type[ptr]:
    if kind in STRUCTS:
        return record(kind)
    if kind.startswith("Ptr["):
        return Ptr[kind[4:-1]]
    return ptr if kind == "ptr" else Ptr[kind]


class Ptr(ptr):
    """`Ptr[T]` is the class of addresses of many T."""

    kind: ClassVar[str]

    @classmethod
    def __class_getitem__(cls, element: str | type) -> type[Ptr]:
        return _pointer_to(element if isinstance(element, str) else element.__name__)

    def __getitem__(self, index: int) -> Word:
        return _load(self.address + int(index) * ctypes.sizeof(_ctype(self.kind)), self.kind)

    def __setitem__(self, index: int, value: Written) -> None:
        _store(self.address + int(index) * ctypes.sizeof(_ctype(self.kind)), self.kind, value)


@cache
def _pointer_to(kind: str) -> type[Ptr]:
    return type(f"Ptr[{kind}]", (Ptr,), {"kind": kind})


class Record(ptr):
    """The fields of a record of `structs` are attributes."""

    struct: ClassVar[str]

    def __getattr__(self, name: str) -> Word:
        fields = layout(self.struct)[0]
        if name not in fields:
            raise AttributeError(f"{self.struct} has no field {name}")
        at, kind, count = fields[name]
        if count or kind.startswith("Atomic["):
            return Ptr[scalar_kind(kind)](self.address + at)
        return _load(self.address + at, kind)

    def __setattr__(self, name: str, value: Written) -> None:
        if name == "address":
            object.__setattr__(self, name, value)
            return
        at, kind, _ = layout(self.struct)[0][name]
        _store(self.address + at, scalar_kind(kind), value)

    def __getitem__(self, index: int) -> Self:
        return type(self)(self.address + int(index) * size_of(self.struct))


@cache
def record(struct: str) -> type[Record]:
    """The class of addresses of a record."""
    return type(struct, (Record,), {"struct": struct})


def extern(function: _F) -> _F:
    function.__dict__["extern"] = True
    return function


def _unsigned(value: SupportsInt) -> int:
    return value.unsigned() if isinstance(value, _Integer) else int(value)


def zext32(value: SupportsInt) -> i32:
    return i32(_unsigned(value))


def zext64(value: SupportsInt) -> i64:
    return i64(_unsigned(value))


def _same(left: int, right: int) -> tuple[int, int, type[_Integer]]:
    """Both without signs, on the bits that either has."""
    kind = cast("type[_Integer]", type(left) if isinstance(left, _Integer) else type(right))
    return kind(left).unsigned(), kind(right).unsigned(), kind


def ult(left: int, right: int) -> bool:
    a, b, _ = _same(left, right)
    return a < b


def ule(left: int, right: int) -> bool:
    a, b, _ = _same(left, right)
    return a <= b


def udiv(left: int, right: int) -> _Integer:
    a, b, kind = _same(left, right)
    return kind(a // b)


def urem(left: int, right: int) -> _Integer:
    a, b, kind = _same(left, right)
    return kind(a % b)


def lshr(left: int, right: int) -> _Integer:
    a, b, kind = _same(left, right)
    return kind(a >> min(b, 64))


def popcount(value: SupportsInt) -> i32:
    return i32(_unsigned(value).bit_count())


def trailing_zeros(value: SupportsInt) -> i32:
    number = _unsigned(value)
    return i32((number & -number).bit_length() - 1 if number else 32)


def _reinterpret(source: str, target: str, kind: type[_N]) -> Callable[[float], _N]:
    return lambda value: kind(struct.unpack(target, struct.pack(source, value))[0])


bits_f64 = _reinterpret("<q", "<d", f64)
bits_i32 = _reinterpret("<f", "<i", i32)
bits_i64 = _reinterpret("<d", "<q", i64)
half_to_float = _reinterpret("<h", "<e", f32)


def bits_f32(value: SupportsIndex) -> f32:
    return _reinterpret("<i", "<f", f32)(i32(value))


def float_to_half(value: float) -> i16:
    import numpy

    with numpy.errstate(over="ignore"):
        return i16(int(numpy.float32(value).astype(numpy.float16).view(numpy.int16)))


def advance(pointer: ptr, bytes: int) -> ptr:
    return ptr(int(pointer) + int(bytes))


def sizeof(record: type[Record]) -> int:
    return size_of(record.struct)


def copy_bytes(target: ptr, source: ptr, bytes: int) -> None:
    ctypes.memmove(int(target), int(source), int(bytes))


_stacks: list[object] = []  # nothing says when a function returns


def stack(bytes: int) -> ptr:
    _stacks.append(memory := ctypes.create_string_buffer(int(bytes) + 15))
    return ptr(-(-ctypes.addressof(memory) // 16) * 16)


def zero_bytes(target: ptr, bytes: int) -> None:
    ctypes.memset(int(target), 0, int(bytes))


# One thread runs a source as Python, so nothing comes between.
def atomic_load(address: Ptr) -> Word:
    return address[0]


def atomic_store(address: Ptr, value: Written) -> None:
    address[0] = value


def atomic_exchange(address: Ptr, value: Written) -> Word:
    before = address[0]
    address[0] = value
    return before


def atomic_add(address: Ptr, amount: int) -> Word:
    return atomic_exchange(address, cast("_Integer", address[0]) + amount)


def exchange_if(address: Ptr, old: Word, new: Written) -> bool:
    if address[0] != old:
        return False
    address[0] = new
    return True


def invoke(function: ptr, result: type | None, *arguments: SupportsIndex | float) -> object:
    kinds = [ctypes.c_void_p if isinstance(a, ptr) else _ctype(type(a).__name__) for a in arguments]
    returned = None if result is None else _ctype(result.__name__)
    numbers = [int(a) if isinstance(a, ptr) else a for a in arguments]
    value = ctypes.CFUNCTYPE(returned, *kinds)(int(function))(*numbers)
    return None if result is None else result(value)


def function_address(function: object) -> ptr:
    raise NotImplementedError("a function in Python has no address")


def resume(function: ptr, result: None, *arguments: object) -> None:
    raise NotImplementedError("Python cannot resume a coroutine: its convention is LLVM's own")
