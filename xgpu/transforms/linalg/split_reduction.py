# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A reduction in two steps: parts of it side by side, then one over their results.

    %r = reduction over 256 elements
    =>
    %parts = 4 reductions over 64 elements each, which start from the neutral element
    %r = reduction over 4 elements, which starts from what the whole one did

Source: MLIR 22.1 SplitReduction.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.ir.blocks import block_for
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.float_formats import FORMATS, exact_float
from xgpu.core.ir.floats import float_attribute
from xgpu.core.ir.integers import wrapped
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.reshapes import reassociation
from xgpu.transforms.linalg.decompose_aggregates import create_fill
from xgpu.transforms.linalg.generalize_named_ops import description

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AnyFloat

    from xgpu.core.rewriting.builder import Rewriter


class SplitOptions(NamedTuple):
    """Into how many parts; the dimension of the parts' results that counts them; whether
    neighbours belong to different parts, and whether the results are in an allocated tensor."""

    parts: int
    position: int
    inner: bool = False
    allocate: bool = False


class SplitReduction(NamedTuple):
    """The operations that a reduction has become."""

    init: Operation
    fill: Operation
    parts: Operation
    combination: Operation


_FLOATS = {
    "arith.addf": 0.0,
    "arith.mulf": 1.0,
    "arith.maximumf": -math.inf,
    "arith.minimumf": math.inf,
    "arith.maxnumf": math.copysign(math.nan, -1.0),
    "arith.minnumf": math.nan,
}
_INTEGERS = {
    "arith.addi": 0,
    "arith.ori": 0,
    "arith.xori": 0,
    "arith.andi": -1,
    "arith.muli": 1,
    "arith.maxui": 0,
    "arith.minui": -1,
}


def neutral(op: Operation) -> Attribute | None:
    """The value that changes nothing as an operand of `op`; None if none is known."""
    kind = op.results[0].type
    if op.name in _FLOATS:
        kind = cast("AnyFloat", kind)
        value, to = _FLOATS[op.name], FORMATS[kind.name]
        flags = getattr(op.properties.get("fastmath"), "flags", ())
        if math.isinf(value) and (not to.has_infinity or {"ninf", "fast"} & set(flags)):
            exponent = to.max_exponent - to.fraction_bits
            value = exact_float(value < 0, to.max_significand, exponent)
        return float_attribute(value, kind)
    if not isinstance(kind, IntegerType):
        return None
    width = kind.width.data
    limits = {"arith.maxsi": -(1 << (width - 1)), "arith.minsi": (1 << (width - 1)) - 1}
    value = _INTEGERS.get(op.name, limits.get(op.name))
    return None if value is None else IntegerAttr(wrapped(value, width), kind)


def combiner(block: Block, output: SSAValue, at: int = 0) -> Operation | None:
    """The operation that alone combines `output` with what a body computes, and is result `at`
    of the body."""
    last = block.last_op
    assert last is not None
    uses = list(output.uses)
    if len(uses) != 1:
        return None
    op = uses[0].operation
    if last.operands[at].owner is not op or len(op.operands) != 2 or op.regions:
        return None
    return op if op.results[0].has_one_use() else None


def split_reduction(rw: Rewriter, op: Operation, options: SplitOptions) -> SplitReduction | None:
    """Splits the one reduction of a structured operation on tensors; None if that cannot be."""
    outputs, inputs = list(ops.outputs(op)), list(ops.inputs(op))
    kinds, maps = ops.iterator_types(op), ops.indexing_maps(op)
    if kinds.count("reduction") != 1 or len(outputs) != 1 or ops.is_on_buffers(op):
        return None
    if not all(isinstance(e, AffineDimExpr) for m in maps for e in m.results):
        return None
    block = op.regions[0].block
    combining = combiner(block, block.args[-1])
    start = None if combining is None else neutral(combining)
    reduced = kinds.index("reduction")
    size = _extent(inputs, maps, reduced)
    if combining is None or start is None or options.parts <= 1:
        return None
    if size is None or size % options.parts or options.position > len(maps[-1].results):
        return None
    place = reduced + 1 if options.inner else options.position

    def moved(dim: int) -> AffineDimExpr:
        return AffineDimExpr(dim if dim < place else dim + 1)

    rw.before(op)
    rw.location = op.location
    new_inputs: list[SSAValue] = []
    new_maps: list[AffineMap] = []
    count = len(kinds) + 1
    for value, map_ in zip(inputs, maps, strict=False):
        pair = [AffineDimExpr(place), moved(reduced)]
        exprs: list[AffineExpr] = []
        at: int | None = None
        for index, expr in enumerate(map_.results):
            dim = cast("AffineDimExpr", expr).position
            if dim == reduced:
                at = index
                exprs.extend(reversed(pair) if options.inner else pair)
            else:
                exprs.append(moved(dim))
        new_maps.append(AffineMap(count, 0, tuple(exprs)))
        new_inputs.append(value if at is None else _expanded(rw, value, at, options))
    element = cast("TensorType", outputs[0].type).element_type
    shape = list(cast("TensorType", outputs[0].type).get_shape())
    results: list[AffineExpr] = [moved(cast("AffineDimExpr", e).position) for e in maps[-1].results]
    shape.insert(options.position, options.parts)
    results.insert(options.position, AffineDimExpr(place))
    new_maps.append(AffineMap(count, 0, tuple(results)))
    if any(extent < 0 for extent in shape):
        return None
    kind = TensorType(element, shape)
    init = (
        rw.create("bufferization.alloc_tensor", [[], [], []], [kind])
        if options.allocate
        else rw.create("tensor.empty", (), [kind])
    )
    fill = create_fill(rw, attribute_constant(rw, start, element), init.results[0])
    combine = clone_operation(combining)
    new_kinds = [*kinds[:place], ops.PARALLEL, *kinds[place:]]
    parts = rw.create(
        "linalg.generic",
        [new_inputs, [fill.results[0]]],
        [kind],
        description(new_maps, new_kinds),
        regions=[op.detach_region(0)],
    )
    combination = _combination(rw, combine, parts.results[0], outputs[0], options.position)
    op.add_region(Region(Block()))
    rw.replace(op, combination.results)
    return SplitReduction(init, fill, parts, combination)


def _extent(inputs: Sequence[SSAValue], maps: Sequence[AffineMap], loop: int) -> int | None:
    """The length of a loop, if an input of known size shows it."""
    for value, map_ in zip(inputs, maps, strict=False):
        for size, expr in zip(ops.shape_of(value) or (), map_.results, strict=False):
            if isinstance(expr, AffineDimExpr) and expr.position == loop:
                return size if size >= 0 else None
    return None


def _expanded(rw: Rewriter, value: SSAValue, at: int, options: SplitOptions) -> SSAValue:
    """An input with its dimension `at` as two."""
    kind = cast("TensorType", value.type)
    shape = list(kind.get_shape())
    pair = [options.parts, shape[at] // options.parts]
    shape[at : at + 1] = pair[::-1] if options.inner else pair
    groups = [
        [at, at + 1] if dim == at else [dim if dim < at else dim + 1]
        for dim in range(len(shape) - 1)
    ]
    properties: dict[str, Attribute] = {
        "reassociation": reassociation(groups),
        "static_output_shape": DenseArrayBase.from_list(i64, shape),
    }
    new = TensorType(kind.element_type, shape)
    return rw.value("tensor.expand_shape", [value], new, properties)


def _combination(
    rw: Rewriter, combine: Operation, parts: SSAValue, output: SSAValue, position: int
) -> Operation:
    """The reduction over the dimension that counts the parts."""
    kind = cast("TensorType", parts.type)
    rank = len(kind.get_shape())
    body = block_for([parts, output], [kind.element_type] * 2)
    with rw.inside(body):
        rw.insert(combine)
        combine.operands = list(body.args)
        rw.create("linalg.yield", [combine.results[0]])
    kept = tuple(AffineDimExpr(dim) for dim in range(rank) if dim != position)
    kinds = ["reduction" if dim == position else ops.PARALLEL for dim in range(rank)]
    return rw.create(
        "linalg.generic",
        [[parts], [output]],
        [output.type],
        description([AffineMap.identity(rank), AffineMap(rank, 0, kept)], kinds),
        regions=[Region(body)],
    )
