# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where copies of a kernel's parameters lie."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

Word = ctypes.c_uint64


class ParameterLayout:
    """Where copies of a kernel's parameters lie."""

    __slots__ = ("fields", "pointers", "storage")

    def __init__(self, sizes: list[int], pointers: Sequence[int]) -> None:
        #: Offsets, the bytes that are copied, None for a word, and whether that is a pointer.
        self.fields: list[tuple[int, type[ctypes.Array[ctypes.c_uint8]] | None, bool]] = []
        total = 0
        for number, size in enumerate(sizes):
            total = -(-total // 16) * 16
            kind = None if size == 8 else ctypes.c_uint8 * size
            self.fields.append((total, kind, number in pointers))
            total += size
        self.pointers = ctypes.c_uint64 * len(sizes)
        self.storage = ctypes.c_uint64 * (len(sizes) + -(-total // 8) + 2)
