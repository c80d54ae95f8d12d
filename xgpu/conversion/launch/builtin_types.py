# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xDSL's generic types, with what their parameters are said once."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import IntegerType, MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute

Memref = MemRefType[Attribute]
UnrankedMemref = UnrankedMemRefType[Attribute]


def as_memref(ty: Attribute) -> Memref | None:
    """`ty` if it is a ranked memref."""
    return cast("Memref", ty) if isinstance(ty, MemRefType) else None


def as_unranked_memref(ty: Attribute) -> UnrankedMemref | None:
    """`ty` if it is an unranked memref."""
    return cast("UnrankedMemref", ty) if isinstance(ty, UnrankedMemRefType) else None


def integer_width(ty: Attribute) -> int | None:
    """The bits of an integer type; None for another."""
    return cast("IntegerType", ty).width.data if isinstance(ty, IntegerType) else None
