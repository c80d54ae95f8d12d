# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The versions of PTX."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass

#: PTX versions (times ten) that LLVM 22.1's NVPTX can write.
PTX_VERSIONS = frozenset(
    (32, 40, 41, 42, 43, 50, *range(60, 66), *range(70, 79), *range(80, 89), 90)
)
