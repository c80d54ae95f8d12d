# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extensions of both factors become part of a contract, whose sum has the wide type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter


def _fold(op: Operation, rw: GreedyRewriter) -> bool:
    """contract(ext(a), ext(b), c) -> contract(a, b, c)"""
    from xdsl.ir import Operation

    owners = [value.owner for value in op.operands[:2]]
    names = {owner.name if isinstance(owner, Operation) else "" for owner in owners}
    if names not in ({"arith.extf"}, {"arith.extsi"}):
        return False
    sources = [owner.operands[0] for owner in owners if isinstance(owner, Operation)]
    rw.replace_with(
        op,
        op.name,
        [*sources, op.operands[2]],
        [op.results[0].type],
        dict(op.properties),
    )
    return True


PATTERNS = {"vector.contract": (_fold,)}
