# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`math-uplift-to-fma`: a product and a sum become a fused multiplication and addition.

Only where both operations allow it (`contract`): the product is not rounded by itself any more.
Source: MLIR 22.1 UpliftToFMA.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation

from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.greedy import apply_patterns

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects.arith import FastmathAttr


def _flags(op: Operation) -> int:
    """What an operation allows, as bits."""
    attr = cast("FastmathAttr | None", op.properties.get("fastmath"))
    return 0 if attr is None else attr.value


def _product(value: SSAValue) -> Operation | None:
    """The multiplication that makes `value`, if one does."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name != "arith.mulf":
        return None
    return owner


def fuse(op: Operation, rw: GreedyRewriter) -> bool:
    """`a * b + c` as `fma(a, b, c)`, with what both operations allow."""
    from xgpu.dialects.arith import FastmathAttr

    contract = FastmathAttr("contract").value
    if not _flags(op) & contract:
        return False
    lhs, rhs = op.operands
    product, addend = _product(lhs), rhs
    if product is None:
        product, addend = _product(rhs), lhs
    if product is None or not _flags(product) & contract:
        return False
    rw.before(op)
    rw.location = op.location
    operands = (*product.operands, addend)
    properties = {"fastmath": FastmathAttr.of_value(_flags(op) & _flags(product))}
    rw.replace(op, [rw.value("math.fma", operands, op.results[0].type, properties)])
    return True


class UpliftToFMA(Pass):
    """Fuses products and sums that may be contracted."""

    name = "math-uplift-to-fma"
    summary = "Uplift arith ops to math.fma."

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, {"arith.addf": (fuse,)})
