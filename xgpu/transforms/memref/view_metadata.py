# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Offset, sizes and strides of views, computed from those of what they view.

Source: MLIR 22.1 ExpandStridedMetadata.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IndexType, MemRefType, NoneAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import folded_apply
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.memref.fold import dropped_dims
from xgpu.dialects.memref.layout import DYNAMIC_SIZE, strided_form
from xgpu.dialects.reshapes import groups_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.core.rewriting.rewriter import Rewriter


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
    kept = kept_dimensions(op, sizes)
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


def kept_dimensions(op: Operation, sizes: Sequence[Mixed]) -> list[int]:
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
