# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`trivial-dce`: erases operations without effects whose results nothing uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.effects import is_trivially_dead
from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


def erase_dead(op: Operation) -> None:
    """Erases dead operations inside `op`, users before what they use."""
    for region in op.regions:
        for block in reversed(list(region.blocks)):
            for inner in reversed(list(block.ops)):
                if is_trivially_dead(inner):
                    inner.detach()
                    inner.erase()
                else:
                    erase_dead(inner)


class TrivialDCE(Pass):
    """Erases what is trivially dead, and nothing else."""

    name = "trivial-dce"
    summary = "Trivially dead code elimination"

    def run(self, op: Operation, ctx: Context) -> None:
        erase_dead(op)
