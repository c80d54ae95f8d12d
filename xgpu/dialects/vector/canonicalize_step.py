# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons of vector.step that come out the same for all elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xgpu.dialects.vector.shapes import is_scalable, shape
from xgpu.ir.constants import constant_of, int_value, make, width_of

if TYPE_CHECKING:
    from xgpu.rewriting.greedy import GreedyRewriter

#: Predicates of arith.cmpi on numbers without signs.
_COMPARE: dict[int, Callable[[int, int], bool]] = {
    0: lambda a, b: a == b,
    1: lambda a, b: a != b,
    6: lambda a, b: a < b,
    7: lambda a, b: a <= b,
    8: lambda a, b: a > b,
    9: lambda a, b: a >= b,
}


def compare_step(op: Any, rw: GreedyRewriter) -> bool:
    """arith.cmpi of 0, 1, ..., n - 1 and a constant that is not in between -> a constant"""
    result = op.results[0]
    size = shape(result.type)[0]
    width = width_of(result.type)
    if is_scalable(result.type) or size > 1 << width:
        return False
    for use in result.uses:
        compare = use.operation
        if compare.name != "arith.cmpi":
            continue
        bound = int_value(constant_of(compare.operands[1 - use.index]))
        predicate = _COMPARE.get(compare.properties["predicate"].value.data)
        if bound is None or predicate is None:
            continue
        bound &= (1 << width) - 1
        # Between the first and the last it may change only where the constant is one of them.
        sides = ((0, bound), (size - 1, bound))
        answers = {predicate(*(s if use.index == 0 else s[::-1])) for s in sides}
        if len(answers) != 1 or (compare.properties["predicate"].value.data < 2 and bound < size):
            continue
        made = make(compare.results[0].type, int(answers.pop()))
        assert made is not None
        rw.at(compare)
        constant = rw.value("arith.constant", (), compare.results[0].type, {"value": made})
        rw.replace(compare, [constant])
        return True
    return False


PATTERNS = {"vector.step": (compare_step,)}
