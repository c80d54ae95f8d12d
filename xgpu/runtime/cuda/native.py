# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that programs call most, over the driver without Python between.

For each of them a function in machine code calls the driver's entry point, whose address the
driver itself gives (cuGetProcAddress). What needs more than that, and what the driver refuses, is
left to the function in Python, which does it again and finds the words for the error; so is
everything while a trace is written.
"""

from __future__ import annotations

import ctypes
import itertools

from xgpu.runtime.cuda.driver import CudaError, Driver
from xgpu.support.abi import FUNCTIONS

# Which interface of the driver we know: CUDA 12.0.
_VERSION = 12000
_FAST_SHARED = 48 * 1024  # more needs an attribute of the function, which Python sets
_MOST_THREADS = 1024  # of a block, on any GPU; Python says what is wrong with more
_numbers = itertools.count()

# Function of the ABI -> entry point of the driver, its arguments as parameters of ours (by
# number, with a type where it is another) or as constants.
_CALLS: dict[str, tuple[str, tuple[str, ...]]] = {
    "mgpuLaunchKernel": (
        "cuLaunchKernel",
        ("0", "1 i32", "2 i32", "3 i32", "4 i32", "5 i32", "6 i32", "7", "8", "9", "10"),
    ),
    "mgpuStreamSynchronize": ("cuStreamSynchronize", ("0",)),
    "mgpuStreamWaitEvent": ("cuStreamWaitEvent", ("0", "1", "i32 0")),
    "mgpuEventRecord": ("cuEventRecord", ("0", "1")),
    "mgpuEventSynchronize": ("cuEventSynchronize", ("0",)),
    "mgpuMemcpy": ("cuMemcpyAsync", ("0", "1", "2", "3")),
    "mgpuMemset8": ("cuMemsetD8Async", ("0", "1", "2", "3")),
    "mgpuMemset16": ("cuMemsetD16Async", ("0", "1", "2", "3")),
    "mgpuMemset32": ("cuMemsetD32Async", ("0", "1", "2", "3")),
    "mgpuGraphLaunch": ("cuGraphLaunch", ("0", "1")),
}

#: The functions that have one.
NAMES = tuple(_CALLS)


class NativeFunctions:
    """Addresses by name in `addresses`. `context` is the context that they make current; while it
    is null they leave everything to Python. `launches` counts what they launched.
    """

    def __init__(self, driver: Driver, python: dict[str, int]) -> None:
        from llvmlite import binding

        from xgpu.backend.host.machine import compile_ir
        from xgpu.runtime.native.library import native_library

        self.context = ctypes.c_uint64(0)
        self._launches = ctypes.c_int64(0)
        entries = {"cuCtxSetCurrent": _entry(driver, "cuCtxSetCurrent")}
        for name in NAMES:
            entry = _CALLS[name][0]
            entries[entry] = _entry(driver, entry)
        builder = binding.JITLibraryBuilder().add_object_img(compile_ir(_text(), 2))
        builder.import_symbol("xgpu_cuda_context", ctypes.addressof(self.context))
        builder.import_symbol("xgpu_cuda_launches", ctypes.addressof(self._launches))
        for entry, address in entries.items():
            builder.import_symbol(entry, address)
        for name in NAMES:
            builder.import_symbol(f"xgpu_python.{name}", python[name])
            builder.export_symbol(f"xgpu_fast.{name}")
        self._tracker = builder.link(native_library().jit, f"xgpu.cuda.{next(_numbers)}")
        self.addresses: dict[str, int] = {n: self._tracker[f"xgpu_fast.{n}"] for n in NAMES}

    def take_launches(self) -> int:
        """How many launches there have been since this was asked for last."""
        count, self._launches.value = self._launches.value, 0
        return count


def _entry(driver: Driver, name: str) -> int:
    """The address of a function of the driver. Raises `CudaError` if it has none."""
    found = driver.call("cuGetProcAddress", name.encode(), _VERSION, 0)
    address = int((found[0] if isinstance(found, tuple) else found) or 0)
    if not address:
        raise CudaError(f"the driver has no {name}", "CUDA_ERROR_NOT_FOUND")
    return address


def _text() -> str:
    """The functions as LLVM IR."""
    lines = [
        "@xgpu_cuda_context = external global ptr",
        "@xgpu_cuda_launches = external global i64",
        "declare i32 @cuCtxSetCurrent(ptr)",
    ]
    for name in NAMES:
        lines += _function(name)
    return "\n".join(lines) + "\n"


def _extended(type: str) -> str:
    """A parameter type as C's calling convention wants it: narrow integers fill a register."""
    return f"{type} zeroext" if type in ("i8", "i16") else type


def _function(name: str) -> list[str]:
    parameters = FUNCTIONS[name].parameters
    entry, arguments = _CALLS[name]
    given = ", ".join(f"{t} %{i}" for i, t in enumerate(parameters))
    types: list[str] = []
    values: list[str] = []
    narrowed: list[str] = []
    lines: list[str] = []
    for argument in arguments:
        number, _, type = argument.partition(" ")
        if not number.isdigit():  # a constant
            types.append(number)
            values.append(argument)
        elif type:
            types.append(type)
            values.append(f"{type} %n{number}")
            narrowed.append(f"%{number}")
            lines.append(f"  %n{number} = trunc i64 %{number} to {type}")
        else:
            kind = _extended(parameters[int(number)])
            types.append(kind)
            values.append(f"{kind} %{number}")
    return [
        f"declare i32 @{entry}({', '.join(types)})",
        f"declare void @xgpu_python.{name}({', '.join(map(_extended, parameters))})",
        f"define void @xgpu_fast.{name}({given}) {{",
        "begin:",
        "  %context = load ptr, ptr @xgpu_cuda_context",
        "  %none = icmp eq ptr %context, null",
        "  br i1 %none, label %slow, label %check",
        "check:",
        *_check(name, narrowed),
        "fast:",
        *lines,
        "  %current = call i32 @cuCtxSetCurrent(ptr %context)",
        f"  %result = call i32 @{entry}({', '.join(values)})",
        "  %status = or i32 %current, %result",
        "  %fine = icmp eq i32 %status, 0",
        "  br i1 %fine, label %done, label %slow",
        "done:",
        *(
            ["  %count = atomicrmw add ptr @xgpu_cuda_launches, i64 1 monotonic"]
            if name == "mgpuLaunchKernel"
            else []
        ),
        "  ret void",
        "slow:",
        "  call void @xgpu_python."
        f"{name}({', '.join(f'{_extended(t)} %{i}' for i, t in enumerate(parameters))})",
        "  ret void",
        "}",
    ]


def _check(name: str, narrowed: list[str]) -> list[str]:
    """Whether the driver's function can be called as it is: sizes that it would not take whole, or
    that need preparation, are for Python.
    """
    if name != "mgpuLaunchKernel":
        return ["  br label %fast"]
    lines = [f"  %bits.1 = or i64 {narrowed[0]}, {narrowed[1]}"]
    lines += [f"  %bits.{i} = or i64 %bits.{i - 1}, {v}" for i, v in enumerate(narrowed[2:], 2)]
    return [
        *lines,
        f"  %large = icmp ugt i64 %bits.{len(narrowed) - 1}, 2147483647",
        f"  %much = icmp ugt i32 %7, {_FAST_SHARED}",
        "  %plane = mul i64 %4, %5",
        "  %threads = mul i64 %plane, %6",
        f"  %wide = icmp ugt i64 %plane, {_MOST_THREADS}",
        f"  %deep = icmp ugt i64 %threads, {_MOST_THREADS}",
        "  %special.1 = or i1 %large, %much",
        "  %special.2 = or i1 %wide, %deep",
        "  %special = or i1 %special.1, %special.2",
        "  br i1 %special, label %slow, label %fast",
    ]
