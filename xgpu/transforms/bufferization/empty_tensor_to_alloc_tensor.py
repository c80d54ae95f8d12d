# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`empty-tensor-to-alloc-tensor`: each tensor.empty becomes a bufferization.alloc_tensor, which
bufferization then gives memory of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.greedy import GreedyRewriter, apply_patterns

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


def _allocate(op: Operation, rw: GreedyRewriter) -> bool:
    operands = [list(op.operands), (), ()]
    rw.replace_with(op, "bufferization.alloc_tensor", operands, [op.results[0].type])
    return True


class EmptyTensorToAllocTensorPass(Pass):
    """tensor.empty becomes bufferization.alloc_tensor."""

    name = "empty-tensor-to-alloc-tensor"
    summary = "Replace all empty ops by alloc_tensor ops."

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, {"tensor.empty": (_allocate,)})
