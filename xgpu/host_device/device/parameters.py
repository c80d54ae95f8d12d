# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where copies of a kernel's parameters lie."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

Word = ctypes.c_uint64


class ParameterLayout:
    """Where copies of a kernel's parameters lie, with the bounds of those that are pointers where
    the kernel `has_bounds`: `words` there are."""

    __slots__ = ("fields", "pointers", "storage", "words")

    def __init__(self, sizes: list[int], pointers: Sequence[int], has_bounds: bool) -> None:
        #: Offsets, the bytes that are copied, None for a word, and whether that is a pointer.
        self.fields: list[tuple[int, type[ctypes.Array[ctypes.c_uint8]] | None, bool]] = []
        total = 0
        for number, size in enumerate(sizes):
            total = -(-total // 16) * 16
            kind = None if size == 8 else ctypes.c_uint8 * size
            self.fields.append((total, kind, number in pointers))
            total += size
        self.pointers = ctypes.c_uint64 * len(sizes)
        #: Pointers to parameters, and one to all bounds.
        self.words = len(sizes) + has_bounds
        bounds = 2 * len(sizes) if has_bounds else 0
        self.storage = ctypes.c_uint64 * (self.words + -(-total // 8) + 2 + bounds)
