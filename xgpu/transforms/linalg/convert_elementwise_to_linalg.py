# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-elementwise-to-linalg`: arithmetic on tensors becomes linalg.generic on their elements.

    %0 = arith.addf %a, %b : tensor<?xf32>
    =>
    %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.addf %in, %in_0 : f32
      linalg.yield %1 : f32
    } -> tensor<?xf32>

A scalar operand is read by every iteration. The body does not read the output, so an operand of
the result's type can stand there; else it is a new tensor of the operands' size.
Source: MLIR 22.1 ElementwiseToLinalg.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.transforms.linalg.generalize_named_ops import description

if TYPE_CHECKING:
    from xdsl.context import Context

#: The traits of MLIR's `hasElementwiseMappableTraits`.
_MAPPABLE = frozenset({"Elementwise", "Scalarizable", "Vectorizable", "Tensorizable"})


def _is_scalar(kind: Attribute) -> bool:
    return isinstance(kind, AnyFloat | ComplexType | IndexType | IntegerType)


def _is_mappable(op: Operation) -> bool:
    """Whether `op` does the same to each element of ranked tensors, scalars beside them."""
    if not traits_of(op.name) >= _MAPPABLE or not op.results:
        return False
    if not all(isinstance(result.type, TensorType) for result in op.results):
        return False
    kinds = [operand.type for operand in op.operands]
    return any(isinstance(kind, TensorType) for kind in kinds) and all(
        isinstance(kind, TensorType) or _is_scalar(kind) for kind in kinds
    )


def _init(op: Operation, kind: TensorType, rw: Rewriter) -> SSAValue:
    """What the result of type `kind` is written over."""
    for operand in op.operands:
        if operand.type == kind:
            return operand
    like = next(operand for operand in op.operands if isinstance(operand.type, TensorType))
    sizes = [
        rw.value("tensor.dim", [like, index_constant(rw, dim)], IndexType())
        for dim, size in enumerate(kind.get_shape())
        if size < 0
    ]
    return rw.value("tensor.empty", sizes, kind)


def _body(op: Operation, inits: list[SSAValue], rw: Rewriter) -> Region:
    """A region with `op` on elements."""
    inputs = [ops.scalar_type(value) for value in op.operands]
    outputs = [ops.scalar_type(value) for value in inits]
    block = Block(arg_types=[*inputs, *outputs])
    inner = Rewriter(block=block, location=rw.location)
    elements = block.args[: len(inputs)]
    made = inner.create(op.name, elements, outputs, op.properties, op.attributes)
    inner.create("linalg.yield", list(made.results))
    return Region(block)


def _convert(op: Operation) -> None:
    rw = Rewriter(op)
    kind = cast("TensorType", op.results[0].type)
    rank = len(kind.get_shape())
    identity, scalar = ops.select(rank, range(rank)), ops.select(rank, ())
    inits = [_init(op, cast("TensorType", result.type), rw) for result in op.results]
    maps = [identity if isinstance(v.type, TensorType) else scalar for v in op.operands]
    generic = rw.create(
        "linalg.generic",
        [list(op.operands), inits],
        [result.type for result in op.results],
        description([*maps, *[identity] * len(inits)], [ops.PARALLEL] * rank),
        regions=[_body(op, inits, rw)],
    )
    rw.replace(op, generic.results)


class ConvertElementwiseToLinalgPass(Pass):
    """Elementwise operations on ranked tensors become linalg.generic."""

    name = "convert-elementwise-to-linalg"
    summary = "Convert ElementwiseMappable ops to linalg"

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in [inner for inner in op.walk() if _is_mappable(inner)]:
            _convert(inner)
