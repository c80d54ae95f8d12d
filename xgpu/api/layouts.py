# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where CPython keeps what machine code reads of arrays."""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import Any

from xgpu.api.arrays import Array
from xgpu.api.memory import View
from xgpu.runtime.cuda.object_launch import Layout


@functools.cache
def layout() -> Layout | None:
    """The layout that this interpreter gives arrays and views, found by looking for objects that
    were put there; None where objects are not laid out like that."""
    if sys.implementation.name != "cpython" or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return None
    found = [
        _offset(Array, "_view"), _offset(View, "address"), _offset(View, "key"),
        _offset(View, "lent"),
    ]  # fmt: skip
    if None in found:
        return None
    view, address, key, lent = (at or 0 for at in found)
    return Layout(Array, view, address, key, lent)


def _offset(kind: type, slot: str) -> int | None:
    """Where objects of `kind` have the address of what is in `slot`, in bytes."""
    probe: Any = object.__new__(kind)
    mark = object()
    setattr(probe, slot, mark)
    word = ctypes.sizeof(ctypes.c_void_p)
    begin = id(probe)
    of_type = object.__basicsize__ - word
    if ctypes.c_size_t.from_address(begin + of_type).value != id(kind):
        return None
    for at in range(object.__basicsize__, kind.__basicsize__, word):
        if ctypes.c_size_t.from_address(begin + at).value == id(mark):
            return at
    return None
