# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns of the tensor dialect that transform programs name: empty tensors, constants, and
concatenations as insertions.

Source: MLIR 22.1 EmptyOpPatterns.cpp, RewriteAsConstant.cpp, ConcatOpPatterns.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Operation, OpResult, SSAValue

from xgpu.core.ir import affine
from xgpu.core.ir.constants import constant_of, make, splat_value
from xgpu.core.ir.construction import defining
from xgpu.core.ir.elements import dense, element_size, is_dense, pack, repeated
from xgpu.dialects.affine.index_math import folded_apply, strides
from xgpu.dialects.affine.maps import symbol
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.reshapes import mixed, parts, settle, slice_operands
from xgpu.transforms.memref.result_sizes import size_of, size_of_result

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import tensor
    from xgpu.dialects.affine.maps import Mixed


# --- empty tensors -------------------------------------------------------------------------------
def fold_empty(*, single_use: bool) -> dict[str, tuple[Pattern, ...]]:
    """Slices and reshapes of empty tensors are empty tensors; with `single_use` only of those that
    nothing else uses."""

    def is_empty(value: SSAValue) -> bool:
        made = defining(value, "tensor.empty")
        return made is not None and (not single_use or value.has_one_use())

    def fold_slice(op: tensor.ExtractSliceOp, rw: GreedyRewriter) -> bool:
        """extract_slice(empty) -> empty of the slice's sizes"""
        if not is_empty(op.operands[0]):
            return False
        rw.replace_with(op, "tensor.empty", list(op.sizes), [op.results[0].type])
        return True

    def fold_reshape(op: Operation, rw: GreedyRewriter) -> bool:
        """expand_shape(empty), collapse_shape(empty) -> empty"""
        if not is_empty(op.operands[0]):
            return False
        kind = cast("TensorType", op.results[0].type)
        sizes: list[Mixed] = []
        for dim in range(len(kind.get_shape())):
            size = size_of_result(op.results[0], dim, rw)
            if size is None:
                return False
            sizes.append(size)
        _replace_by_empty(op, sizes, rw)
        return True

    def fold_concat(op: Operation, rw: GreedyRewriter) -> bool:
        """concat of empty tensors -> empty"""
        # `single_use` does not matter here, as in MLIR.
        if any(defining(value, "tensor.empty") is None for value in op.operands):
            return False
        rank = len(cast("TensorType", op.results[0].type).get_shape())
        _replace_by_empty(op, _concat_sizes(op, rank, rw), rw)
        return True

    return {
        "tensor.extract_slice": (fold_slice,),
        "tensor.expand_shape": (fold_reshape,),
        "tensor.collapse_shape": (fold_reshape,),
        "tensor.concat": (fold_concat,),
    }


def _empty(rw: GreedyRewriter, sizes: Sequence[Mixed], element: Attribute) -> SSAValue:
    values, _ = parts(sizes)
    shape = [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
    return rw.value("tensor.empty", values, TensorType(element, shape))


def _replace_by_empty(op: Operation, sizes: Sequence[Mixed], rw: GreedyRewriter) -> None:
    kind = cast("TensorType", op.results[0].type)
    new = _empty(rw, settle(sizes), kind.element_type)
    _replace_with_cast(op, new, rw)


def _replace_with_cast(op: Operation, new: SSAValue, rw: GreedyRewriter) -> None:
    kind = op.results[0].type
    if new.type != kind:
        new = rw.value("tensor.cast", [new], kind)
    rw.replace(op, [new])


# --- constants -----------------------------------------------------------------------------------
def rewrite_as_constant(*, aggressive: bool) -> dict[str, tuple[Pattern, ...]]:
    """Tensors that are constants; with `aggressive` also padded ones whose source has other
    users and is no splat."""

    def generate(op: Operation, rw: GreedyRewriter) -> bool:
        """generate { yield %constant } -> constant"""
        kind = cast("TensorType", op.results[0].type)
        last = op.regions[0].block.last_op
        assert last is not None
        value = splat_value(constant_of(last.operands[0]))
        if value is None or not kind.has_static_shape():
            return False
        constant = make(kind, value)
        if constant is None:
            return False
        rw.replace(op, [attribute_constant(rw, constant, kind)])
        return True

    def pad(op: tensor.PadOp, rw: GreedyRewriter) -> bool:
        """pad(constant) by constants with a constant -> constant"""
        source, outer = op.operands[0], constant_of(op.operands[0])
        if "nofold" in op.properties or not is_dense(outer):
            return False
        filler = _padding(op)
        value = None if filler is None else splat_value(constant_of(filler))
        low, high = ([*settle(mixed(op, name))] for name in ("low", "high"))
        known = [n for n in [*low, *high] if isinstance(n, int)]
        if value is None or len(known) != len(low) + len(high):
            return False
        if not aggressive and not source.has_one_use():
            return False
        kind = cast("TensorType", source.type)
        rank = len(low)
        new = _padded(kind, outer.data.data, value, known[:rank], known[rank:])
        _replace_with_cast(op, attribute_constant(rw, new, new.get_type()), rw)
        return True

    return {"tensor.generate": (generate,), "tensor.pad": (pad,)}


def _padding(op: Operation) -> SSAValue | None:
    """What a tensor.pad fills with, if it does not depend on the place."""
    last = op.regions[0].block.last_op
    assert last is not None
    return last.operands[0] if isinstance(last.operands[0], OpResult) else None


def _padded(
    kind: TensorType, data: bytes, value: float, low: Sequence[int], high: Sequence[int]
) -> DenseIntOrFPElementsAttr:
    """A constant of the type `kind` with `value` around it."""
    element = kind.element_type
    size = element_size(element)
    shape = list(kind.get_shape())
    wide = [a + n + b for a, n, b in zip(low, shape, high, strict=True)]
    whole = TensorType(element, wide)
    count = 1
    for extent in wide:
        count *= extent
    result = bytearray(bytes(repeated(pack([value], element), count)))
    steps = strides(wide)
    rows = 1
    for extent in shape[:-1]:
        rows *= extent
    length = (shape[-1] if shape else 1) * size
    for row in range(rows):
        at, rest = low[-1] if low else 0, row
        for dim in range(len(shape) - 2, -1, -1):
            rest, index = divmod(rest, shape[dim])
            at += (low[dim] + index) * steps[dim]
        result[at * size : at * size + length] = bytes(data[row * length : (row + 1) * length])
    return dense(whole, bytes(result))


# --- concatenations ------------------------------------------------------------------------------
def _concat_sizes(op: Operation, rank: int, rw: GreedyRewriter) -> list[Mixed]:
    sizes = [size_of_result(op.results[0], dim, rw) for dim in range(rank)]
    return [size for size in sizes if size is not None]


def decompose_concat(op: Operation, rw: GreedyRewriter) -> bool:
    """concat -> insert_slice of each operand behind the one before"""
    kind = cast("TensorType", op.results[0].type)
    rank = len(kind.get_shape())
    along = cast("IntegerAttr", op.properties["dim"]).value.data
    total = affine.add(symbol(0), symbol(1))
    parts_of: list[list[Mixed]] = []
    ends: list[Mixed] = []
    for value in op.operands:
        sizes: list[Mixed] = [size_of(rw, value, dim) for dim in range(rank)]
        ends.append(folded_apply(rw, total, [ends[-1], sizes[along]]) if ends else sizes[along])
        parts_of.append(sizes)
    whole = list(parts_of[0])
    for dim in range(rank):
        known = [sizes[dim] for sizes in parts_of if isinstance(sizes[dim], int)]
        whole[dim] = ends[-1] if dim == along else (known or whole[dim : dim + 1])[0]
    result = _empty(rw, settle(whole), kind.element_type)
    for value, sizes, start in zip(op.operands, parts_of, [0, *ends], strict=False):
        offsets: list[Mixed] = [0] * rank
        offsets[along] = start
        groups, properties = slice_operands((offsets, sizes, [1] * rank))
        operands = [[value], [result], *groups]
        result = rw.value("tensor.insert_slice", operands, result.type, properties)
    _replace_with_cast(op, result, rw)
    return True


CONCAT_PATTERNS: dict[str, tuple[Pattern, ...]] = {"tensor.concat": (decompose_concat,)}
