# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locations of several places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    FusedLoc,
    UnknownLoc,
)

from xgpu.ir.locations import build
from xgpu.ir.uniquing import Uniquer

if TYPE_CHECKING:
    from collections.abc import Iterable


def fused_loc(locations: Iterable[Any], metadata: Any = None) -> Any:
    """`fused<metadata>[locations]`, as MLIR makes it: what is fused with the same metadata is taken
    apart, unknown and repeated ones are left out; of one without metadata only that is left."""
    from xdsl.dialects.builtin import ArrayAttr, NoneAttr

    metadata = NoneAttr() if metadata is None else metadata
    number = Uniquer().number
    parts: dict[int, Any] = {}
    for location in locations:
        is_fused = isinstance(location, FusedLoc) and location.metadata == metadata
        inner: Any = location.locations.data if is_fused else (location,)  # pyright: ignore
        for part in inner:
            if not isinstance(part, UnknownLoc):
                parts.setdefault(number(part), part)
    found = list(parts.values())
    if isinstance(metadata, NoneAttr) and len(found) < 2:
        return found[0] if found else UnknownLoc()
    return build(FusedLoc, locations=ArrayAttr(found or [UnknownLoc()]), metadata=metadata)
