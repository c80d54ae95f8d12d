# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unrolling to 1-D vectors: bitcast, interleave, deinterleave, fma, gather, elements, step."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import VectorType

from xgpu.core.ir.elements import dense_of
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import is_scalable, leading_positions, poison, start, zeros
from xgpu.transforms.vector.transfers import broadcast, extract, insert, without_leading_dims

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter


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
    for row in [extract(rw, op.operands[0], i) for i in range(ty.get_shape()[0])]:
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


PATTERNS = {
    "vector.bitcast": (unroll_bitcast,),
    "vector.deinterleave": (unroll_deinterleave,),
    "vector.fma": (unroll_fma,),
    "vector.from_elements": (unroll_from_elements,),
    "vector.gather": (unroll_gather,),
    "vector.interleave": (unroll_interleave,),
    "vector.step": (step_constant,),
    "vector.to_elements": (unroll_to_elements,),
}
