# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the scf dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation

from xgpu.core.ir.constants import int_of

if TYPE_CHECKING:
    from xgpu.dialects.hook_types import Folder


def _fold_if(op: Operation, constants: list[Attribute | None]) -> bool | None:
    """if (not c) A else B -> if c B else A"""
    then, other = op.regions
    if other.first_block is None:
        return None
    inverted = op.operands[0].owner
    if not isinstance(inverted, Operation) or inverted.name != "arith.xori":
        return None
    if int_of(inverted.operands[1]) in (None, 0):
        return None
    op.operands[0] = inverted.operands[0]
    first, second = then.blocks[0], other.blocks[0]
    then.detach_block(first)
    other.detach_block(second)
    then.add_block(second)
    other.add_block(first)
    return True


FOLD: dict[str, Folder] = {"scf.if": _fold_if}
