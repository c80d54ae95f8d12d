# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether an element of a tile is an element of the matrix: tiles may reach beyond the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1

from xgpu.kernels.circular import numbers

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number


def inside(
    rw: Rewriter,
    place: Mapping[int, Number],
    sizes: Mapping[int, Number],
    extents: Mapping[int, int],
) -> SSAValue | None:
    """Whether `place` is below `sizes` along each loop of `extents`, which are the tile's; None if
    it always is, since tiles end where the matrix does."""
    found: SSAValue | None = None
    for loop, extent in extents.items():
        size = sizes[loop]
        if isinstance(size, int) and size % extent == 0:
            continue
        fits = numbers.compare(rw, numbers.ULT, place[loop], size)
        found = fits if found is None else rw.value("arith.andi", [found, fits], i1)
    return found
