# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Offset, sizes and strides of views, and sizes of what an operation makes, from its operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Never, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerType,
    MemRefType,
    NoneAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import folded_apply
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.memref.fold import dropped_dims
from xgpu.dialects.memref_layout import DYNAMIC_SIZE, strided_form
from xgpu.dialects.reshapes import groups_of, kept_dimensions

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import bufferization, tensor


# --- view metadata -------------------------------------------------------------------------------
# Offset, sizes and strides of views, computed from those of what they view.
#
# Source: MLIR 22.1 ExpandStridedMetadata.cpp.


EXTRACT = "memref.extract_strided_metadata"
_INDEX = IndexType()
_S0, _S1 = ap.symbol(0), ap.symbol(1)


class Metadata:
    """A memref as `base` with offset, sizes and strides: integers where its type knows them."""

    def __init__(
        self, base: SSAValue, offset: Mixed, sizes: Sequence[Mixed], strides: Sequence[Mixed]
    ) -> None:
        self.base = base
        self.offset = offset
        self.sizes = list(sizes)
        self.strides = list(strides)


def base_type(ty: MemRefType) -> MemRefType:
    """The rank-0 memref that `memref.extract_strided_metadata` gives for `ty`."""
    return MemRefType(ty.element_type, (), NoneAttr(), ty.memory_space)


def extract(rw: Rewriter, source: SSAValue) -> Metadata | None:
    """Extracts the metadata of `source`; None if its layout is not strided."""
    ty = source.type
    if not isinstance(ty, MemRefType):
        return None
    form = strided_form(ty)
    if form is None:
        return None
    rank = ty.get_num_dims()
    op = rw.create(EXTRACT, [source], [base_type(ty), *(_INDEX for _ in range(1 + 2 * rank))])
    base, offset, *rest = op.results
    strides, start = form
    return Metadata(
        base,
        offset if start is None else start,
        [rest[i] if size == DYNAMIC_SIZE else size for i, size in enumerate(ty.get_shape())],
        [rest[rank + i] if s is None else s for i, s in enumerate(strides)],
    )


def reinterpret(rw: GreedyRewriter, meta: Metadata, result: Attribute) -> SSAValue:
    """`memref.reinterpret_cast` of the base to that offset, those sizes and strides."""
    groups = ([meta.offset], meta.sizes, meta.strides)
    static = [
        DenseArrayBase.from_list(i64, [v if isinstance(v, int) else DYNAMIC_SIZE for v in group])
        for group in groups
    ]
    dynamic = [[v for v in group if not isinstance(v, int)] for group in groups]
    return rw.value(
        "memref.reinterpret_cast",
        [meta.base, *dynamic],
        result,
        {"static_offsets": static[0], "static_sizes": static[1], "static_strides": static[2]},
    )


def mixed(op: Operation, which: str, start: int) -> list[Mixed]:
    """The static and dynamic `which` (offsets, sizes, strides) of `op`, whose dynamic ones begin
    at operand `start`."""
    attr = cast("DenseArrayBase[IntegerType]", op.properties[f"static_{which}"])
    dynamic = iter(op.operands[start:])
    return [next(dynamic) if v == DYNAMIC_SIZE else v for v in attr.get_values()]


def segments(op: Operation) -> list[int]:
    attr = cast("DenseArrayBase[IntegerType]", op.properties["operandSegmentSizes"])
    return list(attr.get_values())


def subview_metadata(
    op: Operation, rw: GreedyRewriter, source: Metadata | None = None
) -> Metadata | None:
    """Offset o + sum(offset_i * stride_i), sizes as given, strides stride_i * step_i.

    `source` is the metadata of the source, where the caller has extracted it."""
    source = source or extract(rw, op.operands[0])
    if source is None:
        return None
    _, offsets_count, sizes_count, _ = segments(op)
    offsets = mixed(op, "offsets", 1)
    sizes = mixed(op, "sizes", 1 + offsets_count)
    steps = mixed(op, "strides", 1 + offsets_count + sizes_count)
    strides = [
        folded_apply(rw, ap.affine.mul(_S0, _S1), [step, stride])
        for step, stride in zip(steps, source.strides, strict=True)
    ]
    offset = linear_index(rw, source.offset, offsets, source.strides)
    kept = subview_dimensions(op, sizes)
    return Metadata(source.base, offset, [sizes[i] for i in kept], [strides[i] for i in kept])


def linear_index(
    rw: GreedyRewriter, offset: Mixed, indices: Sequence[Mixed], strides: Sequence[Mixed]
) -> Mixed:
    """offset + sum(index_i * stride_i)"""
    expr = _S0
    operands: list[Mixed] = [offset]
    for i, (index, stride) in enumerate(zip(indices, strides, strict=True)):
        term = ap.affine.mul(ap.symbol(2 * i + 1), ap.symbol(2 * i + 2))
        expr = ap.affine.add(expr, term)
        operands += (index, stride)
    return folded_apply(rw, expr, operands)


def subview_dimensions(op: Operation, sizes: Sequence[Mixed]) -> list[int]:
    """The dimensions of the source that the result of a subview still has."""
    dropped = dropped_dims(op) or ()
    return [dim for dim in range(len(sizes)) if dim not in dropped]


def expand_metadata(op: Operation, rw: Rewriter) -> Metadata | None:
    """expand_shape: each source dimension becomes a group of dimensions."""
    source = extract(rw, op.operands[0])
    if source is None:
        return None
    result = cast("MemRefType", op.results[0].type)
    shape = list(result.get_shape())
    output = mixed_output_shape(op)
    groups = groups_of(op)
    sizes: list[Mixed] = []
    strides: list[Mixed] = []
    for group, size, stride in zip(groups, source.sizes, source.strides, strict=True):
        part, stated = [shape[dim] for dim in group], [output[dim] for dim in group]
        expanded = _expanded_sizes(rw, part, stated, size)
        sizes += expanded
        strides += _expanded_strides(rw, part, expanded, size, stride)
    if not groups:
        sizes, strides = [1] * len(shape), [1] * len(shape)
    return Metadata(source.base, source.offset, sizes, strides)


def mixed_output_shape(op: Operation) -> list[Mixed]:
    attr = cast("DenseArrayBase[IntegerType]", op.properties["static_output_shape"])
    dynamic = iter(op.operands[1:])
    return [next(dynamic) if v == DYNAMIC_SIZE else v for v in attr.get_values()]


def _expanded_sizes(
    rw: Rewriter, shape: Sequence[int], output: Sequence[Mixed], size: Mixed
) -> list[Mixed]:
    """The sizes of a group of dimensions with type `shape` that a dimension of `size` becomes."""
    if shape.count(DYNAMIC_SIZE) != 1:
        # Of several unknown sizes only the operation says what they are.
        return list(output)
    # The one unknown size is what the others leave.
    known = prod(entry for entry in shape if entry != DYNAMIC_SIZE)
    left = folded_apply(rw, ap.affine.floordiv(_S0, ap.constant(known)), [size])
    return [left if entry == DYNAMIC_SIZE else entry for entry in shape]


def _expanded_strides(
    rw: Rewriter, shape: Sequence[int], sizes: Sequence[Mixed], size: Mixed, stride: Mixed
) -> list[Mixed]:
    """The strides of such a group, whose innermost stride is `stride`."""
    if shape.count(DYNAMIC_SIZE) > 1:
        return _running_strides(rw, sizes, stride)
    strides: list[Mixed] = []
    known = prod(entry for entry in shape if entry != DYNAMIC_SIZE)
    for dim in range(len(shape)):
        inner = shape[dim + 1 :]
        factor = ap.constant(prod(entry for entry in inner if entry != DYNAMIC_SIZE))
        if DYNAMIC_SIZE in inner:
            whole = ap.affine.floordiv(ap.affine.mul(_S0, factor), ap.constant(known))
            strides.append(folded_apply(rw, ap.affine.mul(whole, _S1), [size, stride]))
        else:
            strides.append(folded_apply(rw, ap.affine.mul(_S0, factor), [stride]))
    return strides


def _running_strides(rw: Rewriter, sizes: Sequence[Mixed], stride: Mixed) -> list[Mixed]:
    strides: list[Mixed] = []
    running: Mixed = 1
    for size in reversed(sizes):
        strides.append(folded_apply(rw, ap.affine.mul(_S0, _S1), [running, stride]))
        running = folded_apply(rw, ap.affine.mul(_S0, _S1), [running, size])
    return strides[::-1]


def collapse_metadata(op: Operation, rw: Rewriter) -> Metadata | None:
    """collapse_shape: a group of dimensions becomes one, with the innermost stride that counts."""
    source = extract(rw, op.operands[0])
    if source is None:
        return None
    ty = cast("MemRefType", op.operands[0].type)
    result = cast("MemRefType", op.results[0].type)
    shape = list(ty.get_shape())
    wanted = list(result.get_shape())
    form = strided_form(result)
    sizes: list[Mixed] = []
    strides: list[Mixed] = []
    for number, group in enumerate(groups_of(op)):
        sizes.append(_product(rw, [source.sizes[i] for i in group], wanted[number]))
        counted = [source.strides[i] for i in group if shape[i] != 1]
        if counted:
            strides.append(counted[-1])
            continue
        stride = form[0][number] if form is not None else None
        unknown = [source.strides[i] for i in group if not isinstance(source.strides[i], int)]
        strides.append(stride if stride is not None else (unknown or [1])[0])
    return Metadata(source.base, source.offset, sizes, strides)


def _product(rw: Rewriter, sizes: Sequence[Mixed], known: int) -> Mixed:
    if known != DYNAMIC_SIZE:
        return known
    expr = ap.constant(1)
    for i in range(len(sizes)):
        expr = ap.affine.mul(expr, ap.symbol(i))
    return folded_apply(rw, expr, sizes)


# --- result sizes --------------------------------------------------------------------------------
# The sizes of what an operation makes, from its operands (MLIR's
# ReifyRankedShapedTypeOpInterface).
#
# `size_of_result` gives one size as an integer or a value, made where it is not there yet; None for
# an operation that does not say. Code that uses it in place of the result's `dim` may find that
# nothing needs the operation any more.


#: The size of dimension `dim` of a result.
Sizes = Callable[[Never, int, "Rewriter"], "Mixed | None"]


#: Operations whose sizes MLIR folds the dim of.
_FOLDED_SIZES = ("tensor.extract_slice", "tensor.generate")


def size_of(rw: Rewriter, value: SSAValue, dim: int) -> Mixed:
    """The size of a dimension of a memref or tensor."""
    kind = cast("MemRefType | TensorType", value.type)
    size = kind.get_shape()[dim]
    if size != DYNAMIC_INDEX:
        return size
    name = "tensor.dim" if kind.name == "tensor" else "memref.dim"
    if isinstance(value, OpResult) and value.op.name in _FOLDED_SIZES:
        known = size_of_result(value, dim, rw)
        if known is not None:
            return known
    return rw.value(name, [value, index_constant(rw, dim)], IndexType())


def _as_operand(position: int) -> Sizes:
    """The result has the shape of an operand."""
    return lambda op, dim, rw: size_of(rw, op.operands[position], dim)


def _dynamic_operands(op: Operation, dim: int, rw: Rewriter) -> Mixed:
    """The operands of the operation's last group are the sizes that the type does not know."""
    kind = cast("MemRefType | TensorType", op.results[0].type)
    shape = list(kind.get_shape())
    if shape[dim] != DYNAMIC_INDEX:
        return shape[dim]
    before = shape[:dim].count(DYNAMIC_INDEX)
    return op.operands[len(op.operands) - shape.count(DYNAMIC_INDEX) + before]


def _alloc_tensor(op: bufferization.AllocTensorOp, dim: int, rw: Rewriter) -> Mixed:

    if op.copy is not None:
        return size_of(rw, op.copy, dim)
    shape = list(cast("TensorType", op.result.type).get_shape())
    if shape[dim] != DYNAMIC_INDEX:
        return shape[dim]
    return op.dynamic_sizes[shape[:dim].count(DYNAMIC_INDEX)]


def _concat(op: tensor.ConcatOp, dim: int, rw: Rewriter) -> Mixed:
    """The sum of the sizes along one dimension; along others, a size that any operand knows."""
    operands: Sequence[SSAValue] = op.operands
    if dim == op.properties["dim"].value.data:
        expr: AffineExpr = ap.constant(0)
        for position in range(len(operands)):
            expr = ap.affine.add(expr, ap.symbol(position))
        return folded_apply(rw, expr, [size_of(rw, value, dim) for value in operands])
    for value in operands:
        kind = cast("MemRefType | TensorType", value.type)
        if kind.get_shape()[dim] != DYNAMIC_INDEX:
            return kind.get_shape()[dim]
    return size_of(rw, operands[0], dim)


def _pad(op: tensor.PadOp, dim: int, rw: Rewriter) -> Mixed:
    """What is before, the source, and what is after."""
    low = mixed(op, "low", 1)[dim]
    high = mixed(op, "high", 1 + segments(op)[1])[dim]
    expr = ap.affine.add(ap.affine.add(ap.symbol(0), ap.symbol(1)), ap.symbol(2))
    return folded_apply(rw, expr, [size_of(rw, op.operands[0], dim), low, high])


def _extract_slice(op: Operation, dim: int, rw: Rewriter) -> Mixed:
    """The size that the operation states, of a dimension that the result still has."""
    sizes = mixed(op, "sizes", 1 + segments(op)[1])
    kind = cast("MemRefType | TensorType", op.results[0].type)
    return sizes[kept_dimensions(sizes, kind.get_shape())[dim]]


def _expand_shape(op: Operation, dim: int, rw: Rewriter) -> Mixed:
    return mixed_output_shape(op)[dim]


def _collapse_shape(op: Operation, dim: int, rw: Rewriter) -> Mixed:
    """The product of the sizes of a group."""
    group = groups_of(op)[dim]
    expr: AffineExpr = ap.constant(1)
    for position in range(len(group)):
        expr = ap.affine.mul(expr, ap.symbol(position))
    return folded_apply(rw, expr, [size_of(rw, op.operands[0], i) for i in group])


def _structured(op: Operation, result: OpResult, dim: int, rw: Rewriter) -> Mixed:
    """The size of an output, in terms of inputs where its loops have their sizes from those."""
    outputs = ops.outputs(op)
    first = len(op.operands) - len(outputs)
    maps = ops.indexing_maps(op)
    expr = maps[first + result.index].results[dim]
    sources = _loop_sources(op, maps)
    loops = sorted(_dims(expr))
    if any(loop not in sources or sources[loop][0] >= first for loop in loops):
        return size_of(rw, outputs[result.index], dim)
    places: list[AffineExpr] = [
        ap.symbol(loops.index(loop)) if loop in loops else ap.constant(0)
        for loop in range(maps[0].num_dims)
    ]
    sizes: list[Mixed] = []
    for loop in loops:
        operand, position = sources[loop]
        sizes.append(size_of(rw, op.operands[operand], position))
    return folded_apply(rw, ap.substitute(expr, places, ()), sizes)


def _loop_sources(op: Operation, maps: Sequence[AffineMap]) -> dict[int, tuple[int, int]]:
    """For each loop the first operand, and its dimension, that the loop alone walks along."""
    found: dict[int, tuple[int, int]] = {}
    for operand, map_ in enumerate(maps):
        if ops.shape_of(op.operands[operand]) is None:
            continue
        for dim, expr in enumerate(map_.results):
            if isinstance(expr, AffineDimExpr):
                found.setdefault(expr.position, (operand, dim))
    return found


def _dims(expr: AffineExpr) -> set[int]:
    if isinstance(expr, AffineDimExpr):
        return {expr.position}
    if isinstance(expr, AffineBinaryOpExpr):
        return _dims(expr.lhs) | _dims(expr.rhs)
    return set()


_SIZES: dict[str, Sizes] = {
    "bufferization.alloc_tensor": _alloc_tensor,
    "bufferization.materialize_in_destination": _as_operand(1),
    "linalg.pack": _as_operand(1),
    "linalg.softmax": _as_operand(0),
    "linalg.unpack": _as_operand(1),
    "memref.assume_alignment": _as_operand(0),
    "memref.expand_shape": _expand_shape,
    "tensor.collapse_shape": _collapse_shape,
    "tensor.concat": _concat,
    "tensor.empty": _dynamic_operands,
    "tensor.expand_shape": _expand_shape,
    "tensor.extract_slice": _extract_slice,
    "tensor.generate": _dynamic_operands,
    "tensor.insert_slice": _as_operand(1),
    "tensor.pad": _pad,
    "tensor.splat": _dynamic_operands,
}


def size_of_result(result: OpResult, dim: int, rw: Rewriter) -> Mixed | None:
    """The size of dimension `dim` of `result`; None if its operation does not say."""
    op = result.owner
    kind = cast("MemRefType | TensorType", result.type)
    shape = getattr(kind, "get_shape", None)
    if shape is None or not 0 <= dim < len(shape()):
        return None
    if shape()[dim] != DYNAMIC_INDEX:
        return shape()[dim]
    if ops.is_structured(op):
        return _structured(op, result, dim, rw)
    rule = _SIZES.get(op.name)
    return None if rule is None else rule(cast("Never", op), dim, rw)
