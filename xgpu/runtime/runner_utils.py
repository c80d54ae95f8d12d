# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of MLIR's runner libraries, built in.

`lookup(name, output)` gives a C function pointer for a symbol of mlir_runner_utils,
mlir_c_runner_utils, mlir_float16_utils or mlir_async_runtime. What they print is, byte for byte,
what MLIR's libraries print.
"""

from __future__ import annotations

import ctypes
import math
import re
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Never, cast

if TYPE_CHECKING:
    from random import Random


Output = Callable[[str], None]


# -- mlir_c_runner_utils and mlir_float16_utils: printing of scalars, clocks, random numbers,
# allocation. And what mlir_async_runtime prints.


def format_float(value: float) -> str:
    """`%g`, with the sign of a NaN, as printf and std::ostream write it."""
    if math.isnan(value):
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    return f"{value:g}"


def half(bits: int) -> float:
    """The value of an IEEE half."""
    return struct.unpack("<e", struct.pack("<H", bits & 0xFFFF))[0]


def bfloat(bits: int) -> float:
    """The value of a bfloat16."""
    return struct.unpack("<f", struct.pack("<I", (bits & 0xFFFF) << 16))[0]


def bfloat_bits(value: float) -> int:
    """`value` rounded to the nearest bfloat16, ties to even."""
    if math.isnan(value):
        return 0x7FC0
    bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


_i64, _u64, _ptr, _f32, _f64, _u16 = (
    ctypes.c_int64, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_float, ctypes.c_double,
    ctypes.c_uint16,
)  # fmt: skip


def scalar_function(name: str, output: Output) -> ctypes._CFunctionType | None:
    """The function `name` of these libraries as a C function, or None."""
    entry = _functions(output).get(name)
    if entry is None:
        return None
    result, parameters, function = entry
    return ctypes.CFUNCTYPE(result, *parameters)(function)


def _functions(
    output: Output,
) -> dict[str, tuple[type | None, tuple[type, ...], Callable[..., object]]]:
    generators: dict[int, Random] = {}

    def seed(value: int) -> int:
        import random

        generator = random.Random(value)
        generators[id(generator)] = generator
        return id(generator)

    def draw(handle: int, limit: int) -> int:
        return generators[handle].randint(0, limit)

    def string(address: int) -> None:
        output(ctypes.string_at(address).decode(errors="replace"))

    def flops(value: float) -> None:
        print(f"{value / 1e9:f} GFLOPS", file=sys.stderr, flush=True)

    def thread() -> None:
        output(f"Current thread id: {threading.get_ident()}\n")

    def number(value: int) -> None:
        output(str(value))

    def real(value: float) -> None:
        output(format_float(value))

    def real_of_half(bits: int) -> None:
        output(format_float(half(bits)))

    def real_of_bfloat(bits: int) -> None:
        output(format_float(bfloat(bits)))

    def forget(handle: int) -> None:
        generators.pop(handle, None)

    return {
        "printI64": (None, (_i64,), number),
        "printU64": (None, (_u64,), number),
        "printF32": (None, (_f32,), real),
        "printF64": (None, (_f64,), real),
        "printF16": (None, (_u16,), real_of_half),
        "printBF16": (None, (_u16,), real_of_bfloat),
        "printString": (None, (_ptr,), string),
        "printOpen": (None, (), lambda: output("( ")),
        "printClose": (None, (), lambda: output(" )")),
        "printComma": (None, (), lambda: output(", ")),
        "printNewline": (None, (), lambda: output("\n")),
        "printFlops": (None, (_f64,), flops),
        "mlirAsyncRuntimePrintCurrentThreadId": (None, (), thread),
        "rtclock": (_f64, (), time.time),
        "_mlir_ciface_nanoTime": (_i64, (), time.time_ns),
        "rtsrand": (_u64, (_u64,), seed),
        "rtrand": (_u64, (_u64, _u64), draw),
        "rtdrand": (None, (_u64,), forget),
        "__truncsfbf2": (_u16, (_f32,), bfloat_bits),
        "__truncdfbf2": (_u16, (_f64,), bfloat_bits),
    }


# Under another name in the C library.
ALIASES = {
    "mlirAlloc": "malloc", "mlirFree": "free", "mlirAlignedAlloc": "aligned_alloc",
    "mlirAlignedFree": "free",
}  # fmt: skip


# -- mlir_runner_utils: printing, comparing and copying of memrefs.
#
# A ranked descriptor is {allocated, aligned, offset, sizes[rank], strides[rank]}, an unranked one
# {rank, pointer to a ranked one} (https://mlir.llvm.org/docs/TargetLLVMIR, "Ranked MemRef Types").


Reader = Callable[[int], object]


def _scalar(kind: type[ctypes._SimpleCData[int]] | type[ctypes._SimpleCData[float]]) -> Reader:
    return lambda address: kind.from_address(address).value


def _complex(kind: type[ctypes._SimpleCData[int]] | type[ctypes._SimpleCData[float]]) -> Reader:
    size = ctypes.sizeof(kind)
    return lambda a: (kind.from_address(a).value, kind.from_address(a + size).value)


# Suffix -> bytes of an element, its value from an address, its text.
_ELEMENTS: dict[str, tuple[int, Reader, Callable[[Never], str]]] = {
    # MLIR hands an int8_t to std::ostream, which writes it as a character.
    "I8": (1, _scalar(ctypes.c_uint8), lambda v: bytes([v]).decode(errors="surrogateescape")),
    "I16": (2, _scalar(ctypes.c_int16), str),
    "I32": (4, _scalar(ctypes.c_int32), str),
    "I64": (8, _scalar(ctypes.c_int64), str),
    "Ind": (8, _scalar(ctypes.c_uint64), str),
    "F16": (2, lambda a: half(ctypes.c_uint16.from_address(a).value), format_float),
    "BF16": (2, lambda a: bfloat(ctypes.c_uint16.from_address(a).value), format_float),
    "F32": (4, _scalar(ctypes.c_float), format_float),
    "F64": (8, _scalar(ctypes.c_double), format_float),
    "C32": (8, _complex(ctypes.c_float), lambda v: f"({format_float(v[0])},{format_float(v[1])})"),
    "C64": (
        16,
        _complex(ctypes.c_double),
        lambda v: f"({format_float(v[0])},{format_float(v[1])})",
    ),
}


class MemRef:
    """A ranked descriptor, read from memory."""

    __slots__ = ("base", "offset", "rank", "sizes", "strides")

    def __init__(self, rank: int, descriptor: int) -> None:
        words = (ctypes.c_int64 * (3 + 2 * rank)).from_address(descriptor)
        self.rank = rank
        self.base = ctypes.c_uint64(words[1]).value
        self.offset = words[2]
        self.sizes = list(words[3 : 3 + rank])
        self.strides = list(words[3 + rank : 3 + 2 * rank])


def read_unranked(descriptor: int) -> MemRef:
    """The memref behind an unranked descriptor."""
    rank = ctypes.c_int64.from_address(descriptor).value
    return MemRef(rank, ctypes.c_uint64.from_address(descriptor + 8).value)


def shape_text(memref: MemRef, ranked: bool = False) -> str:
    """`Unranked Memref base@ = 0x... rank = ...`, up to the strides."""
    sizes = ", ".join(map(str, memref.sizes))
    strides = ", ".join(map(str, memref.strides))
    base = f"0x{memref.base:x}" if memref.base else "0"
    return (
        f"{'' if ranked else 'Unranked '}Memref base@ = {base} rank = {memref.rank} "
        f"offset = {memref.offset} sizes = [{sizes}] strides = [{strides}]"
    )


def data_text(memref: MemRef, suffix: str) -> str:
    """The elements: rows in brackets, one a line."""
    size, read, text = _ELEMENTS[suffix]
    out: list[str] = []

    def visit(dim: int, at: int) -> None:
        if dim == memref.rank:
            out.append(text(cast("Never", read(memref.base + at * size))))
            return
        out.append("[")
        count = max(memref.sizes[dim], 1)
        inner = memref.rank - dim > 1
        for i in range(count):
            if i:
                out.append(", \n" if inner else ", ")
                out.append(" " * (dim + 1))
            visit(dim + 1, at + i * memref.strides[dim])
        out.append("]")

    if memref.rank == 0:
        element = cast("Never", read(memref.base + memref.offset * size))
        return f"[{text(element)}]"
    if 0 in memref.sizes:
        return "[" * memref.rank + "]" * memref.rank
    visit(0, memref.offset)
    return "".join(out)


def copy(element_bytes: int, source: MemRef, target: MemRef) -> None:
    """memrefCopy: element by element where a stride needs it, whole rows where none does."""
    if 0 in source.sizes:
        return
    from_address = source.base + source.offset * element_bytes
    to_address = target.base + target.offset * element_bytes

    def visit(dim: int, read: int, write: int) -> None:
        if dim == source.rank:
            ctypes.memmove(write, read, element_bytes)
            return
        if dim == source.rank - 1 and source.strides[dim] == target.strides[dim] == 1:
            ctypes.memmove(write, read, element_bytes * source.sizes[dim])
            return
        for i in range(source.sizes[dim]):
            visit(
                dim + 1,
                read + i * source.strides[dim] * element_bytes,
                write + i * target.strides[dim] * element_bytes,
            )

    visit(0, from_address, to_address)


def _elements(memref: MemRef, suffix: str) -> list[object]:
    size, read, _ = _ELEMENTS[suffix]
    values: list[object] = []

    def visit(dim: int, at: int) -> None:
        if dim == memref.rank:
            values.append(read(memref.base + at * size))
            return
        for i in range(memref.sizes[dim]):
            visit(dim + 1, at + i * memref.strides[dim])

    visit(0, memref.offset)
    return values


def count_differences(actual: MemRef, expected: MemRef, suffix: str, output: Output) -> int:
    """verifyMemRef: the number of elements that differ; the first ten are printed."""
    text = _ELEMENTS[suffix][2]
    errors = 0
    for i, (left, right) in enumerate(
        zip(_elements(actual, suffix), _elements(expected, suffix), strict=True)
    ):
        if left == right:
            continue
        errors += 1
        if errors <= 10:
            shown = [text(cast("Never", value)) for value in (left, right)]
            output(f"{shown[0]} != {shown[1]} offset = {i}\n")
    return errors


_PRINT = re.compile(r"(_mlir_ciface_)?printMemref(Shape)?([A-Z]+\d+|Ind)")
_PRINT_RANKED = re.compile(r"_mlir_ciface_printMemref([0-4])d([A-Z]+\d+|Ind)")
_VERIFY = re.compile(r"(_mlir_ciface_)?verifyMemRef([A-Z]+\d+|Ind)")


Refuse = Callable[[MemRef], bool]


def memref_function(name: str, output: Output, refuse: Refuse) -> ctypes._CFunctionType | None:
    """The function `name` of mlir_runner_utils, or memrefCopy, as a C function, or None. What it
    may not use `refuse` says, which lets the program stop."""
    if name == "memrefCopy":
        return ctypes.CFUNCTYPE(None, _i64, _ptr, _ptr)(_copier(refuse))
    match = _PRINT.fullmatch(name)
    if match and match[3] in _ELEMENTS:
        return _printer(match[1] is not None, match[2] is not None, match[3], output, refuse)
    match = _PRINT_RANKED.fullmatch(name)
    if match and match[2] in _ELEMENTS:
        return _ranked_printer(int(match[1]), match[2], output, refuse)
    match = _VERIFY.fullmatch(name)
    if match and match[2] in _ELEMENTS:
        return _verifier(match[1] is not None, match[2], output, refuse)
    return None


def _copier(refuse: Refuse) -> Callable[[int, int, int], None]:
    def copy_unranked(size: int, source: int, target: int) -> None:
        ends = read_unranked(source), read_unranked(target)
        if not any(map(refuse, ends)):
            copy(size, *ends)

    return copy_unranked


def _print(memref: MemRef, suffix: str, ranked: bool, output: Output, refuse: Refuse) -> None:
    if not refuse(memref):
        output(f"{shape_text(memref, ranked)} data = \n{data_text(memref, suffix)}\n")


def _ranked_printer(
    rank: int, suffix: str, output: Output, refuse: Refuse
) -> ctypes._CFunctionType:
    def show(descriptor: int) -> None:
        _print(MemRef(rank, descriptor), suffix, True, output, refuse)

    return ctypes.CFUNCTYPE(None, _ptr)(show)


def _printer(
    is_interface: bool, is_shape: bool, suffix: str, output: Output, refuse: Refuse
) -> ctypes._CFunctionType:
    def show(memref: MemRef) -> None:
        if is_shape:
            output(shape_text(memref) + "\n")
        else:
            _print(memref, suffix, False, output, refuse)

    def show_unranked(descriptor: int) -> None:
        show(read_unranked(descriptor))

    def show_ranked(rank: int, descriptor: int) -> None:
        show(MemRef(rank, descriptor))

    if is_interface:
        return ctypes.CFUNCTYPE(None, _ptr)(show_unranked)
    return ctypes.CFUNCTYPE(None, _i64, _ptr)(show_ranked)


def _verifier(
    is_interface: bool, suffix: str, output: Output, refuse: Refuse
) -> ctypes._CFunctionType:
    def differences(actual: MemRef, expected: MemRef) -> int:
        if refuse(actual) or refuse(expected):
            return 0
        return count_differences(actual, expected, suffix, output)

    def verify_unranked(actual: int, expected: int) -> int:
        return differences(read_unranked(actual), read_unranked(expected))

    def verify(actual_rank: int, actual: int, expected_rank: int, expected: int) -> int:
        return differences(MemRef(actual_rank, actual), MemRef(expected_rank, expected))

    if is_interface:
        return ctypes.CFUNCTYPE(_i64, _ptr, _ptr)(verify_unranked)
    return ctypes.CFUNCTYPE(_i64, _i64, _ptr, _i64, _ptr)(verify)


def lookup(
    name: str, output: Output, refuse: Callable[[MemRef], bool] = lambda _: False
) -> ctypes._CFunctionType | None:
    """The runner function `name` as a ctypes function object (keep it alive), or None. It does
    nothing with memory that `refuse` refuses."""
    function = scalar_function(name, output)
    return memref_function(name, output, refuse) if function is None else function
