# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the index dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.integer_arithmetic import signed
from xgpu.dialects.index.fold import ASSOCIATIVE, BINARY, agreed, predicate

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def associate_constants(op: Operation, rw: GreedyRewriter) -> bool:
    """op(op(x, c0), c1) -> op(x, op(c0, c1))"""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation) or inner.name != op.name:
        return False
    a, b = int_of(inner.operands[1]), int_of(op.operands[1])
    if a is None or b is None:
        return False
    value = agreed(BINARY[op.name], a, b)
    if value is None:
        return False
    attr = IntegerAttr(signed(value, 64), IndexType())
    c = rw.value("index.constant", (), IndexType(), {"value": attr})
    rw.replace_with(op, op.name, (inner.operands[0], c), (IndexType(),))
    return True


def compare_difference(op: Operation, rw: GreedyRewriter) -> bool:
    """cmp(pred, sub(x, y), 0) -> cmp(pred, x, y), and with the sides exchanged

    Not for unsigned numbers, of which no difference is below zero.
    """
    if predicate(op).startswith("u"):
        return False
    zeros = [int_of(value) == 0 for value in op.operands]
    if not any(zeros):
        return False
    inner = op.operands[0 if zeros[1] else 1].owner
    if not isinstance(inner, Operation) or inner.name != "index.sub":
        return False
    operands = list(inner.operands) if zeros[1] else list(reversed(inner.operands))
    rw.replace_with(op, op.name, operands, (op.results[0].type,), dict(op.properties))
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **dict.fromkeys(ASSOCIATIVE, (associate_constants,)),
    "index.cmp": (compare_difference,),
}
