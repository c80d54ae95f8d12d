# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of masks: parts, casts and transpositions of masks are masks, and
masked operations of which all or nothing is done.

Source: MLIR 22.1 VectorOps.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, i64
from xdsl.ir import SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.elements import pack
from xgpu.dialects.arith.builders import attribute_constant, index_constant
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.elements import filled
from xgpu.dialects.vector.mask_folding import is_all
from xgpu.dialects.vector.shapes import defining, integers, is_vector, shape

if TYPE_CHECKING:
    from xdsl.dialects.builtin import VectorType
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import vector


def _created(op: Operation, rw: GreedyRewriter, sizes: list[SSAValue]) -> bool:
    rw.replace(op, [rw.value("vector.create_mask", sizes, op.results[0].type)])
    return True


def _constant(op: Operation, rw: GreedyRewriter, sizes: list[int]) -> bool:
    properties = {"mask_dim_sizes": DenseArrayBase.from_list(i64, sizes)}
    rw.replace(op, [rw.value("vector.constant_mask", (), op.results[0].type, properties)])
    return True


def extract_of_mask(op: vector.ExtractOp, rw: GreedyRewriter) -> bool:
    """extract(create_mask) -> create_mask of the dimensions left, or nothing is set"""
    mask, result = defining(op.operands[0], "vector.create_mask"), op.results[0].type
    if mask is None or not is_vector(result):
        return False
    position = op.properties["static_position"].get_values()
    none_set, unknown = is_all(op.operands[0]) is False, False
    for at, bound, size in zip(position, mask.operands, shape(mask.results[0].type), strict=False):
        known = int_of(bound)
        if known is None:
            unknown = True
        elif at != DYNAMIC_INDEX:
            none_set = none_set or at >= known
        else:
            unknown = unknown or known < size
    if none_set:
        zero = filled(result, pack([0], cast("VectorType", result).element_type))
        assert zero is not None
        rw.replace(op, [attribute_constant(rw, zero, result)])
        return True
    return not unknown and _created(op, rw, list(mask.operands[len(position) :]))


def slice_of_created(op: vector.ExtractStridedSliceOp, rw: GreedyRewriter) -> bool:
    """extract_strided_slice(create_mask) -> create_mask of what lies behind the offsets; it bounds
    them itself."""
    mask = defining(op.operands[0], "vector.create_mask")
    if mask is None or any(stride != 1 for stride in integers(op.properties["strides"])):
        return False
    sizes = list(mask.operands)
    for dim, offset in enumerate(integers(op.properties["offsets"])):
        start = index_constant(rw, offset)
        sizes[dim] = rw.value("arith.subi", (sizes[dim], start), IndexType())
    return _created(op, rw, sizes)


def cast_of_mask(op: vector.ShapeCastOp, rw: GreedyRewriter) -> bool:
    """shape_cast of a mask without trailing dimensions of one element that are set -> a mask of the
    other dimensions"""
    mask = defining(op.operands[0], "vector.create_mask", "vector.constant_mask")
    if mask is None:
        return False
    kind, result = op.operands[0].type, op.results[0].type
    sizes, flags = list(shape(kind)), list(scalable_dims(kind))
    while len(sizes) > 1 and sizes[-1] == 1 and not flags[-1]:
        sizes.pop()
        flags.pop()
    kept = len(sizes)
    if tuple(sizes) != shape(result) or kept == len(shape(kind)):
        return False
    if mask.name == "vector.create_mask":
        if any(int_of(size) != 1 for size in mask.operands[kept:]):
            return False
        return _created(op, rw, list(mask.operands[:kept]))
    known = list(mask.properties["mask_dim_sizes"].get_values())
    return all(size == 1 for size in known[kept:]) and _constant(op, rw, known[:kept])


def transpose_of_mask(op: vector.TransposeOp, rw: GreedyRewriter) -> bool:
    """transpose of a mask -> a mask of the transposed sizes"""
    mask = defining(op.operands[0], "vector.create_mask", "vector.constant_mask")
    permutation = op.properties["permutation"].get_values()
    if mask is None or not permutation:
        return False
    if mask.name == "vector.create_mask":
        return _created(op, rw, [mask.operands[p] for p in permutation])
    known = list(mask.properties["mask_dim_sizes"].get_values())
    return _constant(op, rw, [known[p] for p in permutation])


def masked_nothing(op: vector.MaskOp, rw: GreedyRewriter) -> bool:
    """vector.mask %m, %p { vector.yield %a } -> arith.select %m, %a, %p"""
    terminator = op.regions[0].blocks[0].first_op
    if (
        op.passthru is None
        or terminator is None
        or terminator is not op.regions[0].blocks[0].last_op
    ):
        return False
    operands = (op.operands[0], terminator.operands[0], op.passthru)
    rw.replace(op, [rw.value("arith.select", operands, op.results[0].type)])
    return True


def masked_all(op: vector.MaskOp, rw: GreedyRewriter) -> bool:
    """vector.mask whose mask is all set -> the operation without it"""
    block = op.regions[0].blocks[0]
    masked, terminator = block.first_op, block.last_op
    if masked is terminator or not is_all(op.operands[0]):
        return False
    assert masked is not None
    assert terminator is not None
    assert op.parent is not None
    terminator.operands = []
    masked.detach()
    op.parent.insert_op_before(masked, op)
    rw.modified(masked)
    rw.replace(op, masked.results)
    return True
