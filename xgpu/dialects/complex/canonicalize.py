# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the complex dialect. Source: MLIR 22.1 ComplexOps.cpp."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xgpu.dialects.arith.canonicalize import defining

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def part_of_negation(index: int) -> Callable[[Operation, GreedyRewriter], bool]:
    """re(neg(create(a, b))) -> negf(a), and im likewise"""

    def rewrite(op: Operation, rw: GreedyRewriter) -> bool:
        negation = defining(op.operands[0], "complex.neg")
        created = negation and defining(negation.operands[0], "complex.create")
        if created is None:
            return False
        rw.replace_with(op, "arith.negf", [created.operands[index]], [op.results[0].type])
        return True

    return rewrite


def merge_bitcasts(op: Operation, rw: GreedyRewriter) -> bool:
    """bitcast(bitcast(x)) -> bitcast(x), complex.bitcast if a complex number takes part"""
    inner = defining(op.operands[0], "complex.bitcast", "arith.bitcast")
    if inner is None:
        return False
    source = inner.operands[0]
    is_complex = "complex" in (op.results[0].type.name, source.type.name)
    name = "complex.bitcast" if is_complex else "arith.bitcast"
    rw.replace_with(op, name, [source], [op.results[0].type])
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "complex.bitcast": (merge_bitcasts,),
    "complex.im": (part_of_negation(1),),
    "complex.re": (part_of_negation(0),),
}
