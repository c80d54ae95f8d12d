# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`linalg-generalize-named-ops` and `convert-elementwise-to-linalg`: operations become
linalg.generic; structured operations again, with other operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    IndexType,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.blocks import block_for
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir.affine import AffineMap


# --- generalize named ops ------------------------------------------------------------------------
# `linalg-generalize-named-ops`: a structured operation with a name of its own becomes
# linalg.generic, with the same region and its maps and iterators spelled out.
#
#     linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
#     =>
#     linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
#         ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) {
#     ^bb0(%in: f32, %out: f32):
#       %0 = math.exp %in : f32
#       linalg.yield %0 : f32
#     } -> tensor<4xf32>
#
# Source: MLIR 22.1 Generalization.cpp.


def description(maps: Sequence[AffineMap], iterators: Sequence[str]) -> dict[str, ArrayAttr]:
    """The properties of a linalg.generic with these maps and iterators."""
    return {
        "indexing_maps": ArrayAttr([AffineMapAttr(m) for m in maps]),
        "iterator_types": ArrayAttr([ods.enum("linalg.iterator_type", name) for name in iterators]),
    }


def create_generic(
    target: Operation, rw: Rewriter, attributes: Mapping[str, Attribute] | None = None
) -> Operation:
    """A linalg.generic that does what the structured operation `target` does.

    It takes the region of `target`, which the caller has to replace and erase.
    """
    properties = description(ops.indexing_maps(target), ops.iterator_types(target))
    region = Region()
    target.regions[0].move_blocks(region)
    return rw.create(
        "linalg.generic",
        [list(ops.inputs(target)), list(ops.outputs(target))],
        [result.type for result in target.results],
        properties,
        attributes,
        [region],
    )


def _generalize(op: Operation, rw: GreedyRewriter) -> bool:
    rw.replace(op, create_generic(op, rw).results)
    return True


class LinalgGeneralizeNamedOpsPass(Pass):
    """Named structured operations become linalg.generic."""

    name = "linalg-generalize-named-ops"
    summary = "Convert named ops into generic ops"

    def run(self, op: Operation, ctx: Context) -> None:
        patterns: dict[str, tuple[Pattern, ...]] = {}
        for inner in op.walk():
            if ops.is_structured(inner) and inner.name != "linalg.generic":
                patterns[inner.name] = (_generalize,)
        apply_patterns(op, patterns)


# --- convert elementwise to linalg ---------------------------------------------------------------
# `convert-elementwise-to-linalg`: arithmetic on tensors becomes linalg.generic on their elements.
#
#     %0 = arith.addf %a, %b : tensor<?xf32>
#     =>
#     %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
#         ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) {
#     ^bb0(%in: f32, %in_0: f32, %out: f32):
#       %1 = arith.addf %in, %in_0 : f32
#       linalg.yield %1 : f32
#     } -> tensor<?xf32>
#
# A scalar operand is read by every iteration. The body does not read the output, so an operand of
# the result's type can stand there; else it is a new tensor of the operands' size.
# Source: MLIR 22.1 ElementwiseToLinalg.cpp.


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
    block = block_for([*op.operands, *inits], [*inputs, *outputs])
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


# --- cloning -------------------------------------------------------------------------------------
# Structured operations again, with other operands.


def clone_structured(
    rw: Rewriter,
    op: Operation,
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    types: Sequence[Attribute],
) -> Operation:
    """Creates what `op` is, on other inputs and outputs and with results of these types."""
    copy = clone_operation(op)
    regions: list[Region] = []
    for old in copy.regions:
        region = Region()
        old.move_blocks(region)
        regions.append(region)
    copy.drop_all_references()
    properties = {k: v for k, v in op.properties.items() if k != "operandSegmentSizes"}
    new = ods.create(
        op.name, [inputs, outputs], types, properties, dict(op.attributes), regions, (), op.location
    )
    return rw.insert(new)
