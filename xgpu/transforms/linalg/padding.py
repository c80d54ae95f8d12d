# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structured operations on tensors of sizes that are known, or multiples of a number: operands are
padded behind, results cut out again.

    linalg.matmul ins(%a : tensor<?x8xf32>, ..)        // at most 4 rows
    =>
    %p = tensor.pad %a low[0, 0] high[%rest, 0] { yield 0.0 } : tensor<?x8xf32> to tensor<4x8xf32>
    %m = linalg.matmul ins(%p, ..) -> tensor<4x16xf32>
    %r = tensor.extract_slice %m[0, 0] [%rows, 16] [1, 1]
    bufferization.materialize_in_destination %r in %c

Source: MLIR 22.1 Padding.cpp, tensor/Utils/Utils.cpp (createPadHighOp).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    ComplexType,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineSymExpr

from xgpu.analysis.bounds import ValueBounds
from xgpu.core.ir.blocks import block_with
from xgpu.core.ir.constants import constant_of, int_of
from xgpu.core.ir.construction import defining
from xgpu.dialects.affine.index_math import apply, folded_apply
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.linalg.bodies import build_region
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.dialects.vector.builders import zero_attribute
from xgpu.transforms.fold_tensor_subset_ops import Slice
from xgpu.transforms.linalg.generalize_named_ops import clone_structured
from xgpu.transforms.linalg.vectorization.packing import constant_padding
from xgpu.transforms.linalg.vectorization.vectors import size_at
from xgpu.transforms.memref.result_sizes import mixed, size_of, size_of_result

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter

MATERIALIZE, COPY, NONE = "bufferization.materialize_in_destination", "linalg.copy", "none"


@dataclass
class PaddingOptions:
    """What is padded and how."""

    #: Values to pad operands with, zeros if there are none.
    values: Sequence[Attribute] = field(default_factory=list[Attribute])
    #: Loops whose sizes are padded, and what their sizes become multiples of.
    dimensions: Sequence[int] = field(default_factory=list[int])
    multiples: Sequence[int] = field(default_factory=list[int])
    #: For each operand whether it is padded even if nothing is missing.
    nofold: Sequence[bool] = field(default_factory=list[bool])
    #: What puts results where the operation would have put them.
    copy_back: str = MATERIALIZE
    #: Sizes that are not known stay as they are: (operand, dimension) -> size.
    prescribed: dict[tuple[int, int], Mixed] = field(default_factory=dict[tuple[int, int], Mixed])


@dataclass
class Padded:
    """What `pad` has built."""

    op: Operation
    pads: list[Operation]
    #: What replaces the results.
    values: list[SSAValue]


def pad(rw: Rewriter, op: Operation, options: PaddingOptions) -> Padded | None:
    """Builds the padded form behind `op`; None if a size has no bound that can be seen."""
    if any(v.type.name == "memref" for v in op.operands):
        return None
    rw.after(op)
    rw.location = op.location
    values = list(options.values)
    if not values:
        values = [zero_attribute_of(ops.scalar_type(v)) for v in op.operands]
    operands: list[SSAValue] = []
    pads: list[Operation] = []
    for number in range(len(op.operands)):
        padded = _pad_operand(rw, op, number, values, options)
        if padded is None:
            return None
        operands.append(padded)
        made = defining(padded, "tensor.pad")
        if made is not None:
            pads.append(made)
    new, parts = _on_padded(rw, op, operands)
    return Padded(new, pads, _copy_back(rw, op, parts, options.copy_back))


def _on_padded(
    rw: Rewriter, op: Operation, operands: Sequence[SSAValue]
) -> tuple[Operation, list[SSAValue]]:
    """The operation on padded operands, and those parts of its results that `op` has."""
    sizes = [_result_sizes(rw, result) for result in op.results]
    count = len(ops.inputs(op))
    outputs = operands[count:]
    new = clone_structured(rw, op, operands[:count], outputs, [v.type for v in outputs])
    return new, [
        _cut(rw, result, old.type, size)
        for result, old, size in zip(new.results, op.results, sizes, strict=True)
    ]


def pad_loops(
    rw: Rewriter, op: Operation, loops: Mapping[int, Mixed], values: Sequence[Attribute]
) -> Padded | None:
    """Builds the form of `op` behind which its loops have the lengths `loops`, behind `op`; None if
    an operand has no value, is larger already, or is read at sums of the numbers of iterations."""
    rw.before(op)
    rw.location = op.location
    values = values or [zero_attribute_of(ops.scalar_type(v)) for v in op.operands]
    if len(values) < len(op.operands):
        return None
    operands: list[SSAValue] = []
    pads: list[Operation] = []
    for value, padding, map_ in zip(op.operands, values, ops.indexing_maps(op), strict=True):
        grown: dict[int, Mixed] = {}
        for dim, expr in enumerate(map_.results):
            if isinstance(expr, AffineDimExpr):
                if expr.position in loops:
                    grown[dim] = loops[expr.position]
            elif any(_uses(expr, loop) for loop in loops):
                return None
        if not grown or not isinstance(value.type, TensorType):
            operands.append(value)
            continue
        shape = list(value.type.get_shape())
        dynamic: dict[int, Mixed] = {}
        for dim, size in grown.items():
            if isinstance(size, int):
                if shape[dim] > size:
                    return None
                shape[dim] = size
            else:
                shape[dim], dynamic[dim] = DYNAMIC, size
        element = value.type.element_type
        constant = attribute_constant(rw, padding, element)
        kind = TensorType(element, shape, value.type.encoding)
        kept = {
            dim: size_of(rw, value, dim)
            for dim, size in enumerate(shape)
            if size == DYNAMIC and dim not in dynamic
        }
        operands.append(pad_high(rw, value, kind, constant, nofold=False, sizes=dynamic | kept))
        pads.append(cast("Operation", operands[-1].owner))
    new, parts = _on_padded(rw, op, operands)
    return Padded(new, pads, parts)


def zero_attribute_of(element: Attribute) -> Attribute:
    if isinstance(element, ComplexType):
        part = zero_attribute(element.element_type)
        return ArrayAttr([part, part])
    return zero_attribute(element)


def _result_sizes(rw: Rewriter, result: OpResult) -> list[Mixed]:
    shape = ops.shape_of(result) or ()
    sizes: list[Mixed] = []
    for dim, size in enumerate(shape):
        found = size_of_result(result, dim, rw) if size == DYNAMIC else size
        assert found is not None
        sizes.append(found)
    return sizes


def _cut(rw: Rewriter, value: SSAValue, ty: Attribute, sizes: Sequence[Mixed]) -> SSAValue:
    rank = len(sizes)
    dynamic = [size for size in sizes if isinstance(size, SSAValue)]
    static = [size if isinstance(size, int) else DYNAMIC for size in sizes]
    properties: dict[str, Attribute] = {
        "static_offsets": DenseArrayBase.from_list(i64, [0] * rank),
        "static_sizes": DenseArrayBase.from_list(i64, static),
        "static_strides": DenseArrayBase.from_list(i64, [1] * rank),
    }
    kind = cast("TensorType[Attribute]", ty)
    result = TensorType(kind.element_type, static, kind.encoding)
    return rw.value("tensor.extract_slice", [[value], [], dynamic, []], result, properties)


def _copy_back(rw: Rewriter, op: Operation, parts: Sequence[SSAValue], how: str) -> list[SSAValue]:
    if how == NONE:
        return list(parts)
    found: list[SSAValue] = []
    for part, dest in zip(parts, ops.outputs(op), strict=True):
        if how == MATERIALIZE:
            found.append(rw.value(MATERIALIZE, [part, dest], dest.type))
            continue
        region = build_region(COPY, [part, dest], {}, 1, rw.location)
        found.append(rw.create(COPY, [[part], [dest]], [dest.type], regions=[region]).results[0])
    return found


# --- operands ----------------------------------------------------------------------------------
def _multiples(op: Operation, number: int, options: PaddingOptions) -> dict[int, int]:
    """The dimensions of an operand that are padded, and what to a multiple of."""
    found: dict[int, int] = {}
    map_ = ops.indexing_maps(op)[number]
    for loop, multiple in zip(options.dimensions, options.multiples, strict=True):
        for dim, result in enumerate(map_.results):
            if _uses(result, loop):
                found[dim] = multiple
    return found


def _uses(expr: AffineExpr, loop: int) -> bool:
    return any(isinstance(e, AffineDimExpr) and e.position == loop for e in expr.dfs())


def _pad_operand(
    rw: Rewriter, op: Operation, number: int, values: Sequence[Attribute], options: PaddingOptions
) -> SSAValue | None:
    operand = op.operands[number]
    shape = ops.shape_of(operand)
    if not shape:
        return operand
    multiples = _multiples(op, number, options)
    fits = all(shape[d] != DYNAMIC and shape[d] % m == 0 for d, m in multiples.items())
    nofold = number < len(options.nofold) and bool(options.nofold[number])
    if fits and not nofold:
        return operand
    if number >= len(values):
        return None
    element = ops.scalar_type(operand)
    name = "complex.constant" if isinstance(element, ComplexType) else "arith.constant"
    value = rw.value(name, (), element, {"value": values[number]})
    padded = list(shape)
    dynamic: dict[int, Mixed] = {}
    for dim, multiple in multiples.items():
        size = _padded_size(rw, operand, (number, dim), multiple, options)
        if size is None:
            return None
        if isinstance(size, int):
            padded[dim] = size
        else:
            dynamic[dim] = size
    ty = TensorType(element, padded)
    return _reused(operand, ty, value) or pad_high(
        rw, operand, ty, value, nofold=nofold, sizes=dynamic
    )


def _padded_size(
    rw: Rewriter, operand: SSAValue, at: tuple[int, int], multiple: int, options: PaddingOptions
) -> Mixed | None:
    if at in options.prescribed:
        size = options.prescribed[at]
        if multiple == 1:
            return size
        expr = AffineSymExpr(0).ceil_div(multiple) * multiple
        return folded_apply(rw, expr, [size])
    bounds = ValueBounds()
    upper = bounds.upper(bounds.dimension(operand, at[1]))
    return None if upper is None else -(-upper // multiple) * multiple


def pad_high(
    rw: Rewriter,
    source: SSAValue,
    ty: TensorType[Attribute],
    value: SSAValue,
    *,
    nofold: bool,
    sizes: Mapping[int, Mixed] = MappingProxyType({}),
) -> SSAValue:
    """tensor.pad of `source` behind to the type `ty`; `sizes` are those of dynamic dimensions that
    grow."""
    rank = len(ty.get_shape())
    high: list[Mixed] = []
    for dim, size in enumerate(ty.get_shape()):
        if size == DYNAMIC and not sizes:
            high.append(0)
            continue
        new = size
        if size == DYNAMIC:
            new = sizes[dim] if dim in sizes else size_at(rw, source, dim)
        old = size_of(rw, source, dim)
        high.append(apply(rw, AffineSymExpr(0) - AffineSymExpr(1), [new, old]))
    block = block_with([IndexType()] * rank, rw.location)
    region = Region(block)
    static = [item if isinstance(item, int) else DYNAMIC for item in high]
    properties: dict[str, Attribute] = {
        "static_low": DenseArrayBase.from_list(i64, [0] * rank),
        "static_high": DenseArrayBase.from_list(i64, static),
    }
    if nofold:
        properties["nofold"] = UnitAttr()
    dynamic = [item for item in high if isinstance(item, SSAValue)]
    made = rw.create("tensor.pad", [[source], [], dynamic], [ty], properties, regions=[region])
    with rw.inside(block):
        rw.create("tensor.yield", [value])
    return made.results[0]


def _reused(source: SSAValue, ty: TensorType[Attribute], value: SSAValue) -> SSAValue | None:
    """What `source` is a slice of, if that is already padded alike: by this slice's sizes."""
    part = defining(source, "tensor.extract_slice")
    if part is None or part.operands[0].type != ty:
        return None
    current = part.operands[0]
    while isinstance(current, OpResult) and ops.is_structured(current.op):
        current = ops.outputs(current.op)[current.index]
    padded = defining(current, "tensor.pad")
    if padded is None or any(low != 0 for low in mixed(padded, "low", 1)):
        return None
    inner = defining(padded.operands[0], "tensor.extract_slice")
    if inner is None:
        return None
    sizes, before = Slice(part).sizes, Slice(inner).sizes
    if len(sizes) != len(before):
        return None
    if not all(_is_same(a, b) for a, b in zip(sizes, before, strict=True)):
        return None
    old = constant_padding(padded)
    known = None if old is None else constant_of(old)
    return part.operands[0] if known is not None and known == constant_of(value) else None


def _is_same(left: Mixed, right: Mixed) -> bool:
    if left is right:
        return True
    known = [item if isinstance(item, int) else int_of(item) for item in (left, right)]
    return known[0] is not None and known[0] == known[1]
