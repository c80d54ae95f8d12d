# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What nvgpu's types are in memory and in registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, MemRefType, i64

if TYPE_CHECKING:
    from xgpu.dialects import nvgpu

    pass

#: Rows of one wgmma instruction.
WGMMA_M = 64


_SHARED = 3


def barrier_memref(ty: nvgpu.MbarrierGroupType) -> MemRefType:
    """The memref that holds a group of barriers; gpu's memory space as its number."""
    space = ty.memory_space
    if space.name == "gpu.address_space":
        space = IntegerAttr(_SHARED, i64)
    return MemRefType(i64, [int(ty.num_barriers)], memory_space=space)


INTERLEAVE = ("none", "interleave_16b", "interleave_32b")


SWIZZLE = ("none", "swizzle_32b", "swizzle_64b", "swizzle_128b")


PROMOTION = ("none", "l2promo_64b", "l2promo_128b", "l2promo_256b")


OUT_OF_BOUNDS = ("zero", "nan")


def number_of(cases: tuple[str, ...], parameter: str) -> int:
    """The number of an enumeration's case, given as text, number or attribute."""
    value = getattr(parameter, "data", parameter)
    return cases.index(value) if isinstance(value, str) else int(value)
