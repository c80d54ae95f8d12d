# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that LLVM calls where the processor has no instruction: the compiler's own library.

Conversions from and to 16-bit floats and integers of 128 bits, their division, all of f128. They
are libgcc's or compiler-rt's, which every C program on the machine uses; those of 16-bit floats,
which older ones lack, are here (`sources/small_floats.py`). A program is linked with those that its
code names.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import TYPE_CHECKING

from xgpu.host_device.native.support_text import CONVERSIONS, own_symbol

if TYPE_CHECKING:
    from llvmlite.binding.orcjit import JITLibraryBuilder


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


_NAMES = frozenset(support_names())
#: What may be one of them in the names that object code has, of which one may end with another.
_CANDIDATE = re.compile(rb"__[a-z0-9]+")


@cache
def _libraries() -> list[ctypes.CDLL]:
    """Where this machine has them."""
    found = [ctypes.CDLL(None)]
    for name in ("libgcc_s.so.1", "libgcc_s.1.dylib"):
        try:
            found.append(ctypes.CDLL(name))
        except OSError:
            continue  # another system's name
    return found


@cache
def address_of(name: str) -> int:
    """The address of a function: the machine's, else ours; 0 if there is none."""
    for library in _libraries():
        function = getattr(library, name, None)
        if function is not None:
            return ctypes.cast(function, ctypes.c_void_p).value or 0
    if name not in CONVERSIONS:
        return 0
    from xgpu.host_device.native.library import native_library

    return native_library().symbols[own_symbol(name)]


def add_support(builder: JITLibraryBuilder, code: bytes) -> JITLibraryBuilder:
    """Let object code that `builder` links call these functions, and those of the process."""
    # The names of what it calls are in its table of names. A look-up takes 20 us: few call any.
    for name in sorted({m.decode() for m in _CANDIDATE.findall(code)} & _NAMES):
        if address := address_of(name):
            builder.import_symbol(name, address)
    return builder.add_current_process()
