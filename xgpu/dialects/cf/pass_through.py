# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks that only branch on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Block, SSAValue

if TYPE_CHECKING:
    pass


def through(block: Block, operands: Sequence[SSAValue]) -> tuple[Block, list[SSAValue]] | None:
    """Where a branch to `block` ends up if that only branches on: (block, operands) or None.

    The block must be nothing but a `cf.br`, its arguments used by nothing else, and no loop.
    """
    only = block.first_op
    if only is None or only.name != "cf.br" or only.next_op is not None:
        return None
    target = only.successors[0]
    if target is block:
        return None
    for arg in block.args:
        for use in arg.uses:
            if use.operation is not only:
                return None
    if _endless(block):
        return None
    mapping = dict(zip(block.args, operands, strict=True))
    return target, [mapping.get(v, v) for v in only.operands]  # type: ignore[arg-type]


def _endless(block: Block) -> bool:
    """Whether blocks that do nothing but branch on lead from `block` in a circle."""
    seen: set[Block] = set()
    while (only := block.first_op) is not None and only.name == "cf.br":
        if block in seen:
            return True
        seen.add(block)
        block = only.successors[0]
    return False
