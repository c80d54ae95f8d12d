# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unrolling to 1-D vectors: bitcast, interleave, deinterleave, fma, gather, step, masks."""

from __future__ import annotations

from operator import lt
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, VectorType, i64

from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.elements import dense_of
from xgpu.dialects.arith.builders import attribute_constant, cmpi, index_constant, select
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import (
    is_scalable,
    leading_positions,
    poison,
    positions,
    start,
    zeros,
)
from xgpu.dialects.vector.fold import fold_create_mask
from xgpu.transforms.vector.transfers import (
    Transfer,
    broadcast,
    create_read,
    create_write,
    extract,
    insert,
    without_leading_dims,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# --- elements ------------------------------------------------------------------------------------
# Unrolling to 1-D vectors: bitcast, interleave, deinterleave, fma, gather, elements, step.


def _row_type(ty: VectorType, count: int) -> VectorType:
    return without_leading_dims(ty, count)


def unroll_bitcast(op: Operation, rw: GreedyRewriter) -> bool:
    """Row by row; the last dimension is the one that changes."""
    ty = cast("VectorType", op.results[0].type)
    places = leading_positions(ty, 1)
    if places is None:
        return False
    start(op, rw)
    row_type = _row_type(ty, len(places[0]))
    result = poison(rw, ty)
    for place in places:
        row = rw.value("vector.bitcast", (extract(rw, op.operands[0], *place),), row_type)
        result = insert(rw, row, result, *place)
    rw.replace(op, [result])
    return True


def unroll_interleave(op: Operation, rw: GreedyRewriter) -> bool:
    ty = cast("VectorType", op.results[0].type)
    places = leading_positions(ty, 1)
    if places is None:
        return False
    start(op, rw)
    row_type = _row_type(ty, len(places[0]))
    result = zeros(rw, ty)
    for place in places:
        rows = [extract(rw, value, *place) for value in op.operands]
        result = insert(rw, rw.value("vector.interleave", rows, row_type), result, *place)
    rw.replace(op, [result])
    return True


def unroll_deinterleave(op: Operation, rw: GreedyRewriter) -> bool:
    ty = cast("VectorType", op.results[0].type)
    places = leading_positions(ty, 1)
    if places is None:
        return False
    start(op, rw)
    row_type = _row_type(ty, len(places[0]))
    results = [zeros(rw, ty)] * 2
    for place in places:
        row = extract(rw, op.operands[0], *place)
        halves = rw.create("vector.deinterleave", (row,), (row_type, row_type)).results
        results = [
            insert(rw, half, result, *place) for half, result in zip(halves, results, strict=True)
        ]
    rw.replace(op, results)
    return True


def unroll_fma(op: Operation, rw: GreedyRewriter) -> bool:
    ty = cast("VectorType", op.results[0].type)
    if ty.get_num_dims() < 2:
        return False
    start(op, rw)
    row_type = _row_type(ty, 1)
    result = broadcast(rw, zeros(rw, ty.element_type), ty)
    for i in range(ty.get_shape()[0]):
        rows = [extract(rw, value, i) for value in op.operands]
        result = insert(rw, rw.value("vector.fma", rows, row_type), result, i)
    rw.replace(op, [result])
    return True


def unroll_gather(op: Operation, rw: GreedyRewriter) -> bool:
    ty = cast("VectorType", op.results[0].type)
    if ty.get_num_dims() < 2 or scalable_dims(ty)[0]:
        return False
    start(op, rw)
    base, *offsets, indices, mask, passthru = op.operands
    row_type = _row_type(ty, 1)
    result = poison(rw, ty)
    for i in range(ty.get_shape()[0]):
        rows = [extract(rw, value, i) for value in (indices, mask, passthru)]
        row = rw.value("vector.gather", (base, *offsets, *rows), row_type, op.properties)
        result = insert(rw, row, result, i)
    rw.replace(op, [result])
    return True


def unroll_from_elements(op: Operation, rw: GreedyRewriter) -> bool:
    ty = cast("VectorType", op.results[0].type)
    if ty.get_num_dims() < 2:
        return False
    start(op, rw)
    row_type = _row_type(ty, 1)
    values = list(op.operands)
    count = len(values) // ty.get_shape()[0]
    result = poison(rw, ty)
    for i in range(ty.get_shape()[0]):
        row = rw.value("vector.from_elements", values[i * count : (i + 1) * count], row_type)
        result = insert(rw, row, result, i)
    rw.replace(op, [result])
    return True


def unroll_to_elements(op: Operation, rw: GreedyRewriter) -> bool:
    ty = cast("VectorType", op.operands[0].type)
    if ty.get_num_dims() < 2 or is_scalable(ty):
        return False
    start(op, rw)
    values: list[SSAValue] = []
    count = len(op.results) // ty.get_shape()[0]
    with rw.located(location_of(op.operands[0])):
        rows = [extract(rw, op.operands[0], i) for i in range(ty.get_shape()[0])]
    for row in rows:
        values.extend(rw.create("vector.to_elements", (row,), [ty.element_type] * count).results)
    rw.replace(op, values)
    return True


def step_constant(op: Operation, rw: GreedyRewriter) -> bool:
    ty = op.results[0].type
    if not isinstance(ty, VectorType) or is_scalable(ty):
        return False
    start(op, rw)
    steps = dense_of(ty, list(range(ty.get_shape()[0])))  # pyright: ignore
    rw.replace(op, [attribute_constant(rw, steps, ty)])
    return True


ELEMENT_PATTERNS = {
    "vector.bitcast": (unroll_bitcast,),
    "vector.deinterleave": (unroll_deinterleave,),
    "vector.fma": (unroll_fma,),
    "vector.from_elements": (unroll_from_elements,),
    "vector.gather": (unroll_gather,),
    "vector.interleave": (unroll_interleave,),
    "vector.step": (step_constant,),
    "vector.to_elements": (unroll_to_elements,),
}


# --- masks ---------------------------------------------------------------------------------------
# vector.create_mask and vector.constant_mask: by masks of lower rank, down to comparisons.


def less_than(rw: GreedyRewriter, left: SSAValue, right: SSAValue) -> SSAValue:
    return cmpi(rw, "slt", left, right)


def unroll_create_mask(op: Operation, rw: GreedyRewriter) -> bool:
    """n-D: for each index of the first dimension the (n-1)-D mask, or nothing."""
    ty = cast("VectorType", op.results[0].type)
    if ty.get_num_dims() <= 1 or scalable_dims(ty)[0]:
        return False
    start(op, rw)
    bound, *rest = op.operands
    inner = without_leading_dims(ty)
    inside = rw.value("vector.create_mask", rest, inner)
    outside = zeros(rw, inner)
    result = zeros(rw, ty)
    for i in range(ty.get_shape()[0]):
        counts = less_than(rw, index_constant(rw, i), bound)
        row = select(rw, counts, inside, outside)
        result = insert(rw, row, result, i)
    rw.replace(op, [result])
    return True


def unroll_constant_mask(op: Operation, rw: GreedyRewriter) -> bool:
    ty = cast("VectorType", op.results[0].type)
    sizes = cast("DenseArrayBase[IntegerType]", op.properties["mask_dim_sizes"])
    extents = list(sizes.get_values())
    rank = ty.get_num_dims()
    start(op, rw)
    if rank <= 1:
        count = ty.get_shape()[0] if rank else 1
        if extents[0] in (0, count):
            values = [int(extents[0] != 0)]
        else:
            values = [int(i < extents[0]) for i in range(count)]
        dense = dense_of(ty, values)
        rw.replace(op, [attribute_constant(rw, dense, ty)])
        return True
    if not is_scalable(ty):
        values = [int(all(map(lt, at, extents))) for at in positions(ty.get_shape())]
        rw.replace(op, [attribute_constant(rw, dense_of(ty, values), ty)])
        return True
    if scalable_dims(ty)[0]:
        return False
    inner = without_leading_dims(ty)
    rest = {"mask_dim_sizes": DenseArrayBase.from_list(i64, extents[1:])}
    row = rw.value("vector.constant_mask", (), inner, rest)
    result = zeros(rw, ty)
    for i in range(extents[0]):
        result = insert(rw, row, result, i)
    rw.replace(op, [result])
    return True


MASK_PATTERNS = {
    "vector.create_mask": (fold_create_mask, unroll_create_mask),
    "vector.constant_mask": (unroll_constant_mask,),
}


def materialization(*, indices_32bit: bool) -> dict[str, tuple[Pattern, ...]]:
    """Masks of fixed length as comparisons of indices of 32 or 64 bits; transfers that may leave
    memory get a mask."""
    index = IntegerType(32 if indices_32bit else 64)

    def compare(op: Operation, rw: GreedyRewriter) -> bool:
        ty = cast("VectorType", op.results[0].type)
        if is_scalable(ty) or ty.get_num_dims() > 1:
            return False
        start(op, rw)
        vector = cast("VectorType", VectorType(index, ty.get_shape()))
        count = ty.get_shape()[0] if ty.get_num_dims() else 1
        steps = attribute_constant(rw, dense_of(vector, list(range(count))), vector)
        bound = rw.value("arith.index_cast", (op.operands[0],), index)
        rw.replace(op, [less_than(rw, steps, broadcast(rw, bound, vector))])
        return True

    return {
        "vector.create_mask": (compare,),
        "vector.transfer_read": (mask_transfer,),
        "vector.transfer_write": (mask_transfer,),
    }


def mask_transfer(op: Operation, rw: GreedyRewriter) -> bool:
    """A transfer of a vector that may leave memory: a mask of what is inside."""
    transfer = Transfer(op)
    if not transfer.has_out_of_bounds_dim() or transfer.rank > 1 or not transfer.indices:
        return False
    start(op, rw)
    last = len(transfer.indices) - 1
    size = _size(rw, transfer.base, last)
    room = rw.value("arith.subi", (size, transfer.indices[last]), size.type)
    vector: VectorType = transfer.vector_type
    ty = VectorType(IntegerType(1), vector.shape, vector.scalable_dims)
    mask = rw.value("vector.create_mask", (room,), ty)
    if transfer.mask is not None:
        mask = rw.value("arith.andi", (mask, transfer.mask), ty)
    base, indices = transfer.base, transfer.indices
    if transfer.is_read:
        assert transfer.padding is not None
        new = create_read(rw, vector, base, indices, transfer.padding, transfer.map, [True], mask)
        rw.replace(op, [new])
    else:
        write = create_write(rw, transfer.vector, base, indices, transfer.map, [True], mask)
        rw.replace(op, list(write.results))
    return True


def _size(rw: GreedyRewriter, base: SSAValue, dim: int) -> SSAValue:
    ty = cast("MemRefType", base.type)
    extent = ty.get_shape()[dim]
    if extent >= 0:
        return index_constant(rw, extent)
    index = index_constant(rw, dim)
    name = "tensor.dim" if ty.name == "tensor" else "memref.dim"
    return rw.value(name, (base, index), index.type)
