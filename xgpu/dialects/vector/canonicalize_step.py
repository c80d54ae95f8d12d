# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons of vector.step that come out the same for all elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.constants import constant_of, int_value, make, width_of
from xgpu.dialects.vector.shapes import is_scalable, shape

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import vector

#: By predicate of arith.cmpi (on numbers without signs): what all elements of a step give where the
#: constant at its right is at least its size, or at least its last element.
_FROM_SIZE = {0: False, 1: True, 6: True, 9: False}
_FROM_LAST = {7: True, 8: False}
#: Predicates with the sides changed.
_CHANGED = {6: 8, 7: 9, 8: 6, 9: 7}


def compare_step(op: vector.StepOp, rw: GreedyRewriter) -> bool:
    """arith.cmpi of 0, 1, ..., n - 1 and a constant that is no less than they -> a constant"""
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
        if bound is None:
            continue
        predicate = cast("IntegerAttr", compare.properties["predicate"]).value.data
        if use.index == 1:
            predicate = _CHANGED.get(predicate, predicate)
        answer = _answer(predicate, bound & ((1 << width) - 1), size)
        if answer is None:
            continue
        made = make(compare.results[0].type, int(answer))
        assert made is not None
        rw.at(compare)
        constant = rw.value("arith.constant", (), compare.results[0].type, {"value": made})
        rw.replace(compare, [constant])
        return True
    return False


def _answer(predicate: int, bound: int, size: int) -> bool | None:
    """What all of 0, 1, ..., size - 1 give; None where that is not known."""
    if bound >= size and predicate in _FROM_SIZE:
        return _FROM_SIZE[predicate]
    return _FROM_LAST.get(predicate) if bound >= size - 1 else None


STEP_PATTERNS = {"vector.step": (compare_step,)}
