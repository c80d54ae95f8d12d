# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that LLVM calls where the processor has no instruction: the compiler's own library.

Conversions from and to 16-bit floats and integers of 128 bits, their division, all of f128. They
are libgcc's or compiler-rt's, which every C program on the machine uses; those of 16-bit floats,
which older ones lack, are here (`sources/small_floats.py`). Every program is linked with all of the
machine's, since only LLVM knows what it will call, and with those of ours that its code names.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING

from xgpu.host_device.native.codes import linked_once
from xgpu.host_device.native.support_text import CONVERSIONS, own_symbol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from llvmlite.binding.orcjit import JITLibraryBuilder, ResourceTracker


_FLOATS = ("hf", "sf", "df", "xf", "tf")  # f16, f32, f64, f80, f128 in libgcc's names
_WIDE = "tf"


def support_names() -> list[str]:
    """The names of libgcc's functions that LLVM may call."""
    names = [f"__{op}ti3" for op in ("div", "udiv", "mod", "umod", "mul")]
    for f in _FLOATS:
        names += [f"__fix{f}{i}" for i in ("si", "di", "ti")]
        names += [f"__fixuns{f}{i}" for i in ("si", "di", "ti")]
        names += [f"__float{i}{f}" for i in ("si", "di", "ti")]
        names += [f"__floatun{i}{f}" for i in ("si", "di", "ti")]
        names += [f"__powi{f}2"]
        names += [f"__extend{f}{g}2" for g in _FLOATS] + [f"__trunc{f}{g}2" for g in _FLOATS]
        names += [f"__trunc{f}bf2"]
    names += [f"__{op}{_WIDE}3" for op in ("add", "sub", "mul", "div")]
    names += [f"__{op}{_WIDE}2" for op in ("eq", "ne", "lt", "le", "gt", "ge", "unord", "neg")]
    return names


@cache
def _machine_library() -> dict[str, int]:
    """The functions that this machine has, by name."""
    libraries = [ctypes.CDLL(None)]
    for name in ("libgcc_s.so.1", "libgcc_s.1.dylib"):
        try:
            libraries.append(ctypes.CDLL(name))
        except OSError:
            continue  # another system's name
    found: dict[str, int] = {}
    for name in support_names():
        for library in libraries:
            function = getattr(library, name, None)
            if function is not None:
                found[name] = ctypes.cast(function, ctypes.c_void_p).value or 0
                break
    return found


def _own(names: Iterable[str]) -> dict[str, int]:
    """Those of `names` that this machine lacks and the native library has."""
    from xgpu.host_device.native.library import native_library

    lacking = [name for name in CONVERSIONS if name in names and name not in _machine_library()]
    return {name: native_library().symbols[own_symbol(name)] for name in lacking}


def addresses() -> dict[str, int]:
    """The functions that there are, by name."""
    return _machine_library() | _own(CONVERSIONS)


@linked_once
def _library() -> tuple[str, ResourceTracker]:
    """The JIT's library of the machine's functions: its name, and what keeps it."""
    from llvmlite import binding

    from xgpu.host_device.native.library import native_library

    builder = binding.JITLibraryBuilder()
    for name, address in _machine_library().items():
        builder.import_symbol(name, address)
    return "xgpu.core.support", builder.link(native_library().jit, "xgpu.core.support")


def add_support(builder: JITLibraryBuilder, code: bytes) -> JITLibraryBuilder:
    """Let object code that `builder` links call these functions, and those of the process."""
    # The names of what it calls are in its table of names.
    for name, address in _own([name for name in CONVERSIONS if name.encode() in code]).items():
        builder.import_symbol(name, address)
    return builder.add_current_process().add_jit_library(_library()[0])
