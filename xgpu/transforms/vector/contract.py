# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vector.outerproduct and vector.contract: multiplications and reductions of 1-D vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import VectorType

from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import masking_op, zeros
from xgpu.dialects.vector.ops import COMBINING, chosen, is_integer
from xgpu.transforms.vector.transfers import broadcast, extract, insert

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import vector


def multiply_and_combine(
    rw: GreedyRewriter,
    left: SSAValue,
    right: SSAValue,
    acc: SSAValue | None,
    kind: str,
    mask: SSAValue | None,
) -> SSAValue | None:
    """left * right, combined with `acc`; where the mask says no, `acc`. None if there is no
    such combination."""
    integers = is_integer(left.type)
    name = COMBINING[kind][0 if integers else 1]
    if name is None:
        return None
    if not integers and acc is not None and isinstance(acc.type, VectorType) and kind == "add":
        result = rw.value("vector.fma", (left, right, acc), acc.type)
        return chosen(rw, mask, result, acc)
    product = rw.value("arith.muli" if integers else "arith.mulf", (left, right), left.type)
    if acc is None:
        return product
    result = rw.value(f"arith.{name}", (product, acc), product.type)
    return chosen(rw, mask, result, acc)


def lower_outerproduct(op: Operation, rw: GreedyRewriter) -> bool:
    """Row by row: the row's element times the right side."""
    left, right, *rest = op.operands
    acc = rest[0] if rest else None
    ty = cast("VectorType", op.results[0].type)
    flags = scalable_dims(ty)
    if len(flags) >= 2 and all(flags):
        return False
    kind: str = cast("vector.KindAttr", op.properties["kind"]).data  # pyright: ignore
    if COMBINING[kind][0 if is_integer(ty) else 1] is None:
        return False
    masking = masking_op(op)
    root = op if masking is None else masking
    mask = None if masking is None else masking.operands[0]
    rw.before(root)
    rw.location = op.location
    if not isinstance(right.type, VectorType):  # a * x + y
        scaled = broadcast(rw, right, left.type)
        result = multiply_and_combine(rw, left, scaled, acc, kind, mask)
        assert result is not None
        rw.replace(root, [result])
        return True
    result = zeros(rw, ty)
    for i in range(ty.get_shape()[0]):
        row = broadcast(rw, extract(rw, left, i), right.type)
        row_acc = None if acc is None else extract(rw, acc, i)
        row_mask = None if mask is None else extract(rw, mask, i)
        value = multiply_and_combine(rw, row, right, row_acc, kind, row_mask)
        assert value is not None
        result = insert(rw, value, result, i)
    rw.replace(root, [result])
    return True


PATTERNS = {"vector.outerproduct": (lower_outerproduct,)}
