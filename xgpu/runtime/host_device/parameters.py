# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where copies of a kernel's parameters lie."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass

Word = ctypes.c_uint64


class ParameterLayout:
    """Where copies of a kernel's parameters lie."""

    __slots__ = ("fields", "pointers", "storage")

    def __init__(self, sizes: list[int]) -> None:
        self.fields: list[tuple[int, type]] = []  # offset, type that is copied
        total = 0
        for size in sizes:
            total = -(-total // 16) * 16
            self.fields.append((total, Word if size == 8 else ctypes.c_uint8 * size))
            total += size
        self.pointers = ctypes.c_uint64 * len(sizes)
        self.storage = ctypes.c_uint64 * (len(sizes) + -(-total // 8) + 2)
