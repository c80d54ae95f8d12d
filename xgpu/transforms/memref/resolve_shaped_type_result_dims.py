# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`resolve-shaped-type-result-dims`, `resolve-ranked-shaped-type-result-dims` and
`reify-result-shapes`: sizes of results from the operands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import BlockArgument, Operation, OpResult

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import op_error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects.affine.index_math import as_value
from xgpu.transforms.memref.result_sizes import size_of_result

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import scf


# --- resolve shaped type result dims -------------------------------------------------------------
# `resolve-shaped-type-result-dims` and `resolve-ranked-shaped-type-result-dims`: the size of a
# result in terms of what the operation takes.
#
# The two differ in MLIR by operations of dialects that xgpu has not (tosa, shape).
#
#     %0 = tensor.pad %t low[%l] high[5] ...
#     %size = tensor.dim %0, %c0
#     =>
#     %d = tensor.dim %t, %c0
#     %size = affine.apply affine_map<()[s0, s1] -> (s0 + s1 + 5)>()[%d, %l]
#
# Source: MLIR 22.1 ResolveShapedTypeResultDims.cpp.


def _resolve(op: Operation, rw: GreedyRewriter) -> bool:
    """The dim of a result becomes what its operation says of it."""
    source, dim = op.operands[0], int_of(op.operands[1])
    if dim is None or not isinstance(source, OpResult):
        return False
    with rw.located(source.op.location):
        size = size_of_result(source, dim, rw)
        if size is None:
            return False
        rw.replace(op, [as_value(rw, size)])
    return True


def _of_shared(op: Operation, rw: GreedyRewriter) -> bool:
    """What the threads of a forall share has the sizes that it had before any write.

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
    rw.set_operand(op, 0, shared[at])
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "memref.dim": (_resolve,),
    "tensor.dim": (_resolve, _of_shared),
}


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
        converged = apply_patterns(op, PATTERNS)
        if not converged and self.error_on_pattern_iteration_limit:
            raise op_error(op, "dim operation resolution hit pattern iteration limit")


class ResolveRankedShapeTypeResultDimsPass(ResolveShapedTypeResultDimsPass):
    """memref.dim and tensor.dim of ranked results become sizes of operands."""

    name = "resolve-ranked-shaped-type-result-dims"
    summary = "Resolve memref.dim of result values of ranked shape type"


# --- reify result shapes -------------------------------------------------------------------------
# `reify-result-shapes`: results of `tensor.pad` and `tensor.concat` of the shape that they have.
#
#     %0 = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<3xf32>) -> tensor<?xf32>
#     =>
#     %1 = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<3xf32>) -> tensor<7xf32>
#     %0 = tensor.cast %1 : tensor<7xf32> to tensor<?xf32>
#
# Source: MLIR 22.1 ReifyResultShapes.cpp.


_OPERATIONS = ("tensor.pad", "tensor.concat")


class _Recorder(Rewriter):
    """A rewriter that knows what it has made."""

    __slots__ = ("made",)

    def __init__(self, anchor: Operation) -> None:
        super().__init__(anchor)
        self.made: list[Operation] = []

    def inserted(self, op: Operation) -> None:
        self.made.append(op)

    def erased(self, op: Operation) -> None:
        self.made.remove(op)


def _known_shape(op: Operation) -> list[int]:
    """The sizes of the result that are constants. What computes the others is not needed."""
    rw = _Recorder(op)
    result = op.results[0]
    assert isinstance(result.type, TensorType)
    sizes = [size_of_result(result, dim, rw) for dim in range(len(result.type.get_shape()))]
    for made in reversed(rw.made.copy()):
        rw.erase(made)
    return [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]


def reify(op: Operation) -> None:
    """Gives `op` the sizes that are known of its result."""
    kind = op.results[0].type
    assert isinstance(kind, TensorType)
    shape = _known_shape(op)
    if shape == list(kind.get_shape()):
        return
    rw = Rewriter(op)
    regions = list(op.regions)
    for region in regions:
        op.detach_region(region)
    new = TensorType(kind.element_type, shape, kind.encoding)
    operands, properties = list(op.operands), dict(op.properties)
    made = rw.create(op.name, operands, (new,), properties, dict(op.attributes), regions)
    cast = rw.value("tensor.cast", made.results, kind)
    rw.replace(op, [cast])


class ReifyResultShapesPass(Pass):
    """Makes sizes that are known a part of types."""

    name = "reify-result-shapes"
    summary = "Reifies the results of `tensor::PadOp` and `tensor::ConcatOp`."

    def run(self, op: Operation, ctx: Context) -> None:
        for found in [inner for inner in op.walk() if inner.name in _OPERATIONS]:
            reify(found)
