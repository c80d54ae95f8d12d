# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mlir_c_runner_utils and mlir_float16_utils: printing of scalars, clocks, random numbers,
allocation. And what mlir_async_runtime prints.
"""

from __future__ import annotations

import ctypes
import math
import struct
import sys
import threading
import time
from typing import TYPE_CHECKING

from xgpu.runtime.runner_utils.output import Output

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


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


def table(name: str, output: Output) -> ctypes._CFunctionType | None:
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
