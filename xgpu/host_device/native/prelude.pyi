# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every native source may use: types, conversions, and functions that `builtins` compiles.

For checkers, integers of all widths are `int` and floats `float`: that widths agree is checked by
`language`, which knows them. `prelude.py` is what these names do when a source runs as Python.
"""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
Integer = TypeVar("Integer", bound=int)

i1 = bool
i8 = int
i16 = int
i32 = int
i64 = int
f32 = float
f64 = float

class ptr:
    """An address of something. `i64(p)` is its number, and `ptr(n)` comes back from it."""

    def __init__(self, address: ptr | int | None = ...) -> None: ...
    def __index__(self) -> int: ...

class Ptr(ptr, Generic[T]):
    """The address of the first of many T."""

    def __getitem__(self, index: int) -> T: ...
    def __setitem__(self, index: int, value: T) -> None: ...

class Record(ptr):
    """The address of a record of `structs`, or of the first of many."""

    def __getitem__(self, index: int) -> Self: ...

def record(struct: str) -> type[Record]:
    """The class of addresses of a record."""

def extern(function: F) -> F:
    """A function that is found at link time: of the C library, or written in LLVM IR."""

# -- integers. Operators are signed and have Python's meaning, on as many bits as operands have.

def zext32(value: int) -> int:
    """Widens without a sign."""

def zext64(value: int) -> int: ...
def ult(left: int, right: int) -> bool:
    """left < right, without signs; likewise the next ones."""

def ule(left: int, right: int) -> bool: ...
def udiv(left: Integer, right: int) -> Integer: ...
def urem(left: Integer, right: int) -> Integer: ...
def lshr(left: Integer, right: int) -> Integer: ...
def popcount(value: int) -> int: ...
def trailing_zeros(value: int) -> int:
    """Of 32 bits; 32 for 0."""

# -- bits of floats

def bits_f32(value: int) -> float: ...
def bits_f64(value: int) -> float: ...
def bits_i32(value: float) -> int: ...
def bits_i64(value: float) -> int: ...
def half_to_float(bits: int) -> float: ...
def float_to_half(value: float) -> int: ...

# -- memory

def advance(pointer: ptr, bytes: int) -> ptr: ...
def sizeof(record: type[Record]) -> int: ...
def copy_bytes(target: ptr, source: ptr, bytes: int) -> None:
    """The two may overlap."""

def stack(bytes: int) -> ptr:
    """So many bytes, a number that is known, at a multiple of 16, until the function returns."""

def zero_bytes(target: ptr, bytes: int) -> None: ...

# Sequentially consistent. A field that is `Atomic` in `structs` reads as its address.
def atomic_load(address: Ptr[T]) -> T: ...
def atomic_store(address: Ptr[T], value: T) -> None: ...
def atomic_add(address: Ptr[T], amount: T) -> T:
    """The value before."""

def atomic_exchange(address: Ptr[T], value: T) -> T:
    """The value before."""

def exchange_if(address: Ptr[int], old: int, new: int) -> bool:
    """Stores `new` if the value is `old`; whether it was."""

# -- functions by their address

@overload
def invoke(function: ptr, result: None, *arguments: Any) -> None: ...
@overload
def invoke(function: ptr, result: type[T], *arguments: Any) -> T: ...
def function_address(function: object) -> ptr:
    """The address of a function that can be called from outside its part, of the same part."""

def resume(function: ptr, result: None, *arguments: Any) -> None:
    """Calls a coroutine's resume function, which has LLVM's `fastcc` convention."""
