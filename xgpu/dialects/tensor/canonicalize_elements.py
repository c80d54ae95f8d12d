# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of tensor.extract: elements of what makes a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import TensorType

from xgpu.core.ir.effects import is_trivially_dead
from xgpu.dialects.tensor.casts import made_by

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def extract_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """extract (cast %t)[...] -> extract %t[...]"""
    inner = made_by(op.operands[0], "tensor.cast")
    if inner is None or not isinstance(inner.operands[0].type, TensorType):
        return False
    operands = [inner.operands[0], *op.operands[1:]]
    rw.replace_with(op, op.name, operands, [op.results[0].type])
    return True


def extract_of_index_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """extract (index_cast %t)[...] -> index_cast (extract %t[...])"""
    inner = made_by(op.operands[0], "arith.index_cast")
    if inner is None:
        return False
    element = cast("TensorType", inner.operands[0].type).element_type
    taken = rw.value(op.name, [inner.operands[0], *op.operands[1:]], element)
    rw.replace_with(op, inner.name, [taken], [op.results[0].type])
    return True


def extract_of_generate(op: Operation, rw: GreedyRewriter) -> bool:
    """extract (generate { ^bb0(%i): ... yield %x })[%c] -> what gives %x, with %c for %i"""
    made = made_by(op.operands[0], "tensor.generate")
    if made is None or not is_trivially_dead(made, ignore_uses=True):
        return False
    block = made.regions[0].block
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, op.operands[1:], strict=True))
    end = block.last_op
    assert end is not None
    for inner in block.ops:
        if inner is not end:
            copy = rw.insert(inner.clone(values))
            copy.location = inner.location
    rw.replace(op, [values.get(end.operands[0], end.operands[0])])
    return True


ELEMENT_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.extract": (extract_of_cast, extract_of_index_cast, extract_of_generate),
}
