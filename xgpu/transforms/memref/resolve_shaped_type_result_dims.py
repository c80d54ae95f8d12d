# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`resolve-shaped-type-result-dims` and `resolve-ranked-shaped-type-result-dims`: the size of a
result in terms of what the operation takes.

The two differ in MLIR by operations of dialects that xgpu has not (tosa, shape).

    %0 = tensor.pad %t low[%l] high[5] ...
    %size = tensor.dim %0, %c0
    =>
    %d = tensor.dim %t, %c0
    %size = affine.apply affine_map<()[s0, s1] -> (s0 + s1 + 5)>()[%d, %l]

Source: MLIR 22.1 ResolveShapedTypeResultDims.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import BlockArgument, OpResult

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import op_error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.greedy import GreedyRewriter, apply_patterns
from xgpu.dialects.affine.index_math import as_value
from xgpu.transforms.memref.result_sizes import size_of_result

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

    from xgpu.dialects import scf


def _resolve(op: Operation, rw: GreedyRewriter) -> bool:
    """The dim of a result becomes what its operation says of it."""
    source, dim = op.operands[0], int_of(op.operands[1])
    if dim is None or not isinstance(source, OpResult):
        return False
    size = size_of_result(source, dim, rw)
    if size is None:
        return False
    rw.replace(op, [as_value(rw, size)])
    return True


def _of_shared(op: Operation, rw: GreedyRewriter) -> bool:
    """What the threads of a forall share has the sizes that it had before, whoever writes to it.

    A loop may carry on tensors of other sizes.
    """
    source = op.operands[0]
    if not isinstance(source, BlockArgument):
        return False
    loop = source.block.parent_op()
    if loop is None or loop.name != "scf.forall":
        return False
    shared = cast("scf.ForallOp", loop).outputs
    at = source.index - (len(source.block.args) - len(shared))
    if at < 0:
        return False
    rw.set_operand(op, 0, shared[at])
    return True


class ResolveShapedTypeResultDimsPass(Pass):
    """memref.dim and tensor.dim of results become sizes of operands."""

    name = "resolve-shaped-type-result-dims"
    summary = "Resolve memref.dim of result values"
    options = (
        Option(
            "error-on-pattern-iteration-limit",
            bool,
            True,
            "Throw an error when pattern rewriter hits iteration limit",
        ),
    )

    error_on_pattern_iteration_limit: bool

    def run(self, op: Operation, ctx: Context) -> None:
        patterns = {"memref.dim": (_resolve,), "tensor.dim": (_resolve, _of_shared)}
        converged = apply_patterns(op, patterns)
        if not converged and self.error_on_pattern_iteration_limit:
            raise op_error(op, "dim operation resolution hit pattern iteration limit")


class ResolveRankedShapeTypeResultDimsPass(ResolveShapedTypeResultDimsPass):
    """memref.dim and tensor.dim of ranked results become sizes of operands."""

    name = "resolve-ranked-shaped-type-result-dims"
    summary = "Resolve memref.dim of result values of ranked shape type"
