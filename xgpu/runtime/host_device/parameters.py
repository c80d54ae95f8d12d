# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where copies of a kernel's parameters lie."""

from __future__ import annotations

import ctypes

Word = ctypes.c_uint64


class ParameterLayout:
    """Where copies of a kernel's parameters lie."""

    __slots__ = ("fields", "pointers", "storage")

    def __init__(self, sizes: list[int]) -> None:
        #: Offsets, and the bytes that are copied; None for a word.
        self.fields: list[tuple[int, type[ctypes.Array[ctypes.c_uint8]] | None]] = []
        total = 0
        for size in sizes:
            total = -(-total // 16) * 16
            self.fields.append((total, None if size == 8 else ctypes.c_uint8 * size))
            total += size
        self.pointers = ctypes.c_uint64 * len(sizes)
        self.storage = ctypes.c_uint64 * (len(sizes) + -(-total // 8) + 2)
