# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of memref operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation


def _fixed(name: str) -> Callable[[Operation], list[str | None]]:
    return lambda op: [name]


def _extract_strided_metadata(op: Operation) -> list[str | None]:
    rank = (len(op.results) - 2) // 2
    if not rank:
        return ["base_buffer", "offset"]
    rest: list[str | None] = [None] * (rank - 1)
    return ["base_buffer", "offset", "sizes", *rest, "strides", *rest]


NAMES = {
    "memref.alloc": _fixed("alloc"),
    "memref.alloca": _fixed("alloca"),
    "memref.assume_alignment": _fixed("assume_align"),
    "memref.cast": _fixed("cast"),
    "memref.collapse_shape": _fixed("collapse_shape"),
    "memref.dim": _fixed("dim"),
    "memref.expand_shape": _fixed("expand_shape"),
    "memref.extract_aligned_pointer_as_index": _fixed("intptr"),
    "memref.extract_strided_metadata": _extract_strided_metadata,
    "memref.memory_space_cast": _fixed("memspacecast"),
    "memref.reinterpret_cast": _fixed("reinterpret_cast"),
    "memref.reshape": _fixed("reshape"),
    "memref.subview": _fixed("subview"),
    "memref.transpose": _fixed("transpose"),
    "memref.view": _fixed("view"),
}
