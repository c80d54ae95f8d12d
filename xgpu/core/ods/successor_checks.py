# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What branches pass to their successors: MLIR's BranchOpInterface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.branches import successor_ranges
from xgpu.core.ir.errors import error

if TYPE_CHECKING:
    from xdsl.ir import Operation


def check_successors(op: Operation) -> None:
    """What a branch passes to its successors are their arguments."""
    for index, (block, (start, end)) in enumerate(
        zip(op.successors, successor_ranges(op) or (), strict=False)
    ):
        if end - start != len(block.args):
            raise error(
                op,
                f"branch has {end - start} operands for successor #{index}, but target block has "
                f"{len(block.args)}",
            )
        for place, argument in enumerate(block.args):
            if op.operands[start + place].type != argument.type:
                raise error(op, f"type mismatch for bb argument #{place} of successor #{index}")
