# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`reify-result-shapes`: results of `tensor.pad` and `tensor.concat` of the shape that they have.

    %0 = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<3xf32>) -> tensor<?xf32>
    =>
    %1 = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<3xf32>) -> tensor<7xf32>
    %0 = tensor.cast %1 : tensor<7xf32> to tensor<?xf32>

Source: MLIR 22.1 ReifyResultShapes.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation

from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.transforms.memref.result_sizes import size_of_result

if TYPE_CHECKING:
    from xdsl.context import Context

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
