# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a program has called xgpu: `file:line:column`, for reports of the sanitizer.

Of a Python program it is the innermost line outside of xgpu and of installed packages. Of machine
code it is the innermost call outside of the driver and of CUDA's runtime whose file has lines
(`-g`). Linux on x86-64 has both, other systems the first.
"""

from __future__ import annotations

import ctypes
import os
import sys
import sysconfig
from functools import cache
from types import FrameType

from xgpu.core.support.line_tables import LineTable

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_MOST_FRAMES = 256
#: Beginnings of names of libraries whose calls are not the program's.
_LIBRARIES = ("libcuda.so", "libxgpu_cudart", "libcudart", "libpython", "libffi", "_ctypes",
              "python")  # fmt: skip

#: Images of programs whose files are gone once they are loaded, by their paths.
images: dict[str, bytes] = {}


def python_place() -> str | None:
    """The line of Python that has called."""
    outer: str | None = None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith((_OWN, "<")):
            place = f"{name}:{frame.f_lineno}:{_column(frame)}"
            if not name.startswith(_installed()):
                return place
            outer = outer or place
        frame = frame.f_back
    return outer


def _column(frame: FrameType) -> int:
    """The column of the call, from 1."""
    for at, (_, _, column, _) in enumerate(frame.f_code.co_positions()):
        if at == frame.f_lasti // 2:
            return 1 if column is None else column + 1
    return 1


@cache
def _installed() -> tuple[str, ...]:
    """Folders of Python's own library and of packages."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple({os.path.join(sysconfig.get_path(name), "") for name in names})


# -- machine code


class _Symbol(ctypes.Structure):
    """`Dl_info` of glibc."""

    _fields_ = (
        ("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )  # fmt: skip


def native_place() -> str | None:
    """The line of machine code that has called; None where no file on the stack has lines."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "backtrace") or not hasattr(libc, "dladdr"):
        return None
    stack = (ctypes.c_void_p * _MOST_FRAMES)()
    count: int = libc.backtrace(stack, _MOST_FRAMES)
    for address in stack[:count]:
        found = _place(libc, (address or 1) - 1)  # the call ends where it returns to
        if found is not None:
            return found
    return None


_known: dict[int, str | None] = {}


def _place(libc: ctypes.CDLL, address: int) -> str | None:
    if address not in _known:
        _known[address] = _place_in_file(libc, address)
    return _known[address]


def _place_in_file(libc: ctypes.CDLL, address: int) -> str | None:
    symbol = _Symbol()
    if not libc.dladdr(ctypes.c_void_p(address), ctypes.byref(symbol)) or not symbol.file:
        return None
    path = os.fsdecode(symbol.file)
    if os.path.basename(path).startswith(_LIBRARIES):
        return None
    table, is_movable = _table(path)
    found = table.place(address - symbol.base if is_movable else address)
    return None if found is None else "{}:{}:{}".format(*found)


@cache
def _table(path: str) -> tuple[LineTable, bool]:
    """The lines of a file, and whether its addresses are offsets (ET_DYN)."""
    image = images.get(path)
    if image is None:
        try:
            with open(path, "rb") as file:
                image = file.read()
        except OSError:
            image = b""
    return LineTable(image), image[16:18] == b"\x03\x00"
