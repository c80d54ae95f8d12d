# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""linalg.softmax as its four steps.

    %max = linalg.generic (maximum along the dimension) ins(%x) outs(fill NaN)
    %numerator = linalg.generic { exp(x - max) } ins(%x, %max) outs(%out)
    %sum = linalg.generic (sum along the dimension) ins(%numerator) outs(fill 0)
    %result = linalg.generic { numerator / sum } ins(%numerator, %sum) outs(%out)

Source: MLIR 22.1 LinalgOps.cpp (SoftmaxOp::decomposeOperation).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign, nan
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, IntegerAttr, IntegerType, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir import constants
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.linalg import ops
from xgpu.transforms.linalg.decompose_pad import create_fill
from xgpu.transforms.linalg.generalize_named_ops import description
from xgpu.transforms.linalg.vectorization.packing import group
from xgpu.transforms.linalg.vectorization.whole import sizes_of

if TYPE_CHECKING:
    from xdsl.ir.affine import AffineMap

    from xgpu.core.rewriting.rewriter import Rewriter

Body = Callable[["Rewriter", Sequence[SSAValue]], SSAValue]


def generic(
    rw: Rewriter,
    inputs: Sequence[SSAValue],
    output: SSAValue,
    maps: Sequence[AffineMap],
    iterators: Sequence[str],
    body: Body,
) -> Operation:
    """A linalg.generic of one output, whose body gets the arguments and gives what it yields."""
    operands = [*inputs, output]
    block = Block(arg_types=[ops.scalar_type(value) for value in operands])
    types = [output.type] if isinstance(output.type, TensorType) else []
    made = rw.create(
        "linalg.generic",
        [list(inputs), [output]],
        types,
        description(maps, iterators),
        regions=[Region(block)],
    )
    with rw.inside(block):
        rw.create("linalg.yield", [body(rw, list(block.args))])
    return made


def decompose_softmax(rw: Rewriter, op: Operation) -> list[SSAValue] | None:
    """Builds the steps before `op`; None if it works on memrefs."""
    source, output = group(op, 0)[0], group(op, 1)[0]
    kind = source.type
    if not isinstance(kind, TensorType) or not isinstance(kind.element_type, AnyFloat):
        return None
    rw.before(op)
    rw.location = op.location
    element: AnyFloat = kind.element_type
    rank = len(kind.get_shape())
    dimension = cast("IntegerAttr[IntegerType]", op.properties["dimension"]).value.data
    identity = ops.select(rank, range(rank))
    rows = ops.select(rank, [d for d in range(rank) if d != dimension])
    parallel = [ops.PARALLEL] * rank
    reducing = list(parallel)
    reducing[dimension] = ops.REDUCTION
    sizes = [size for d, size in enumerate(sizes_of(rw, source)) if d != dimension]
    static = [size for d, size in enumerate(kind.get_shape()) if d != dimension]
    dynamic = [size for size in sizes if isinstance(size, SSAValue)]
    row = rw.value("tensor.empty", dynamic, TensorType(element, static))

    def reduce(value: SSAValue, start: float, name: str) -> SSAValue:
        attr = constants.make(element, start)
        assert attr is not None
        init = create_fill(rw, attribute_constant(rw, attr, element), row).results[0]
        return generic(
            rw,
            [value],
            init,
            [identity, rows],
            reducing,
            lambda rw, args: rw.value(name, list(args), element),
        ).results[0]

    def elementwise(inputs: Sequence[SSAValue], body: Body) -> SSAValue:
        maps = [identity, rows, identity]
        return generic(rw, inputs, output, maps, parallel, body).results[0]

    # The neutral element of maxnumf is a NaN, MLIR takes the negative one.
    largest = reduce(source, copysign(nan, -1), "arith.maxnumf")
    numerator = elementwise([source, largest], _exponential)
    total = reduce(numerator, 0.0, "arith.addf")
    return [elementwise([numerator, total], _quotient)]


def _exponential(rw: Rewriter, args: Sequence[SSAValue]) -> SSAValue:
    difference = rw.value("arith.subf", [args[0], args[1]], args[0].type)
    return rw.value("math.exp", [difference], args[0].type)


def _quotient(rw: Rewriter, args: Sequence[SSAValue]) -> SSAValue:
    return rw.value("arith.divf", [args[0], args[1]], args[0].type)
