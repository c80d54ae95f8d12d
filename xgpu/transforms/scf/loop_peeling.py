# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peeling scf.for: the last, partial iteration or the first one as a loop of its own.

Source: MLIR 22.1 SCF/Transforms/LoopSpecialization.cpp. The affine.min and affine.max that peeling
makes superfluous stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineSymExpr

from xgpu.core.ir.constants import int_of
from xgpu.dialects.affine import index_math
from xgpu.dialects.gpu.ops import clone_with_locations

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects.affine.maps import Mixed


def _bounds(loop: Operation) -> list[Mixed]:
    found: list[Mixed] = []
    for value in loop.operands[:3]:
        known = int_of(value)
        found.append(value if known is None else known)
    return found


def peel_last(rw: Rewriter, loop: Operation) -> Operation | None:
    """The loop of what is left when whole steps are done; None if nothing ever is."""
    lower, upper, step = _bounds(loop)
    if step == 1:
        return None
    known = isinstance(lower, int) and isinstance(upper, int) and isinstance(step, int)
    if known and (upper - lower) % step == 0:  # type: ignore[operator]
        return None
    rw.before(loop)
    rw.location = loop.location
    rest = AffineBinaryOpExpr(
        AffineBinaryOpKind.Mod, AffineSymExpr(1) - AffineSymExpr(0), AffineSymExpr(2)
    )
    middle = index_math.apply(rw, AffineSymExpr(1) - rest, [lower, upper, step])
    split = index_math.as_value(rw, middle)
    partial = clone_with_locations(loop)
    rw.after(loop)
    rw.insert(partial)
    for old, new in zip(loop.results, partial.results, strict=True):
        old.replace_all_uses_with(new)
    partial.operands[0] = split
    for index, result in enumerate(loop.results):
        partial.operands[3 + index] = result
    loop.operands[1] = split
    return partial


def peel_first(rw: Rewriter, loop: Operation) -> Operation | None:
    """The loop of the first iteration, which comes before the others; None if there are none."""
    lower, upper, step = _bounds(loop)
    known = isinstance(lower, int) and isinstance(upper, int) and isinstance(step, int)
    if known and -(-(upper - lower) // step) <= 1:  # type: ignore[operator]
        return None
    rw.before(loop)
    rw.location = loop.location
    middle = index_math.apply(rw, AffineSymExpr(0) + AffineSymExpr(1), [lower, step])
    split = index_math.as_value(rw, middle)
    first = clone_with_locations(loop)
    rw.insert(first)
    first.operands[1] = split
    loop.operands[0] = split
    for index, result in enumerate(first.results):
        loop.operands[3 + index] = result
    return first
