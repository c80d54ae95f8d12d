# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of integers in inline PTX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.host_device.compiler.ptx.registers import integer_type

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.host_device.compiler.ptx.instructions import Built


def high_product(p: Built, ty: tuple[str, int, int], x: SSAValue, y: SSAValue) -> SSAValue:
    """The upper half of a product."""
    b, (kind, width, _) = p.b, ty
    whole = wide_product(p, ty, x, y)
    return b.cast("trunc", b.binary("lshr", whole, width), integer_type(width)) if kind else whole


def wide_product(p: Built, ty: tuple[str, int, int], x: SSAValue, y: SSAValue) -> SSAValue:
    b, (kind, width, _) = p.b, ty
    extend = "sext" if kind == "s" else "zext"
    wide = integer_type(2 * width)
    return b.binary("mul", b.cast(extend, x, wide), b.cast(extend, y, wide))
