# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions and shuffles on the way to the device, beyond what MLIR's gpu rewrites take.

    gpu.subgroup_reduce of any type   =>  shuffles, unless nvvm.redux.sync does it
    gpu.all_reduce without `uniform`  =>  as one with it, where all threads of a block come
    gpu.shuffle of f16, i8, i48, ...  =>  gpu.shuffle of i32 or i64

The last subgroup of a block may have fewer lanes than others. Where the size of blocks is not known
to be a multiple of a subgroup's, reductions only shuffle among those that are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, VectorType, i32

from xgpu.core import ods
from xgpu.core.ir.errors import op_error
from xgpu.dialects.arith.builders import constant
from xgpu.dialects.gpu.ops import parent_of, why_not_redux
from xgpu.transforms.gpu.all_reduce import lower_all_reduces
from xgpu.transforms.gpu.nvgpu_fragments import element_bits
from xgpu.transforms.gpu.rewrites import rewrite_shuffle
from xgpu.transforms.gpu.subgroup_reduce import (
    REDUCE,
    SUBGROUP_SIZE,
    Lanes,
    break_down,
    packing,
    reduced,
    scalar_to_shuffles,
    scalarize,
    shuffled,
    vector_to_shuffles,
)
from xgpu.transforms.vector.transfers import broadcast, extract, insert

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import gpu

_INDEX = IndexType()


def device_patterns(*, has_redux: bool) -> Mapping[str, Sequence[Pattern]]:
    """The patterns; with `has_redux`, what nvvm.redux.sync can do is left for it."""
    return {
        REDUCE: (partial(_lower_subgroup_reduce, has_redux=has_redux),),
        "gpu.func": (partial(lower_all_reduces, for_device=True),),
        "gpu.shuffle": (rewrite_shuffle, pack_shuffle),
    }


def _lower_subgroup_reduce(op: Operation, rw: GreedyRewriter, *, has_redux: bool) -> bool:
    if has_redux and why_not_redux(op) is None:
        return False
    if break_down(op, rw) or scalarize(op, rw):
        return True
    lanes = _lanes(op, rw)
    return (
        scalar_to_shuffles(op, rw, lanes)
        or vector_to_shuffles(op, rw, lanes)
        or element_by_element(op, rw)
        or wide_scalar_to_shuffles(op, rw, lanes)
    )


def element_by_element(op: Operation, rw: GreedyRewriter) -> bool:
    """A vector whose elements do not fill 32 bits together."""
    kind = op.results[0].type
    if not isinstance(kind, VectorType):
        return False
    result: SSAValue | None = None
    for at in range(kind.get_shape()[0]):
        part = reduced(rw, op, extract(rw, op.operands[0], at))
        result = broadcast(rw, part, kind) if result is None else insert(rw, part, result, at)
    assert result is not None
    rw.replace(op, [result])
    return True


def wide_scalar_to_shuffles(op: Operation, rw: GreedyRewriter, lanes: Lanes | None) -> bool:
    """Scalars of more than 32 bits are shuffled as 64, which two shuffles move."""
    kind = op.results[0].type
    bits = element_bits(kind)
    if bits > 64:
        raise op_error(op, f"cannot move the {bits} bits of '{kind}' from lane to lane")
    pack, unpack = packing(rw, kind, 64)
    rw.replace(op, [shuffled(rw, op, op.operands[0], pack, unpack, lanes)])
    return True


def _lanes(op: Operation, rw: GreedyRewriter) -> Lanes | None:
    """The lanes that there are at `op`; None if it is known that a subgroup has all of them."""
    function = cast("gpu.FuncOp | None", parent_of(op, "gpu.func"))
    size = function.properties.get("known_block_size") if function is not None else None
    if size is not None and prod(size.get_values()) % SUBGROUP_SIZE == 0:
        return None
    dims = [_as_i32(rw, "gpu.block_dim", d) for d in "xyz"]
    ids = [_as_i32(rw, "gpu.thread_id", d) for d in "xyz"]
    linear = _sum(rw, _product(rw, ids[2], dims[1]), ids[1])
    linear = _sum(rw, _product(rw, linear, dims[0]), ids[0])
    threads = _product(rw, _product(rw, dims[0], dims[1]), dims[2])
    full, last = _number(rw, SUBGROUP_SIZE), _number(rw, SUBGROUP_SIZE - 1)
    lane = rw.value("arith.andi", [linear, last], i32)
    before = rw.value("arith.subi", [linear, lane], i32)
    left = rw.value("arith.subi", [threads, before], i32)
    return Lanes(lane, rw.value("arith.minsi", [left, full], i32))


def _as_i32(rw: GreedyRewriter, name: str, dimension: str) -> SSAValue:
    value = rw.value(name, (), _INDEX, {"dimension": ods.enum("gpu.dim", dimension)})
    return rw.value("arith.index_cast", [value], i32)


def _number(rw: GreedyRewriter, number: int) -> SSAValue:
    return constant(rw, number, i32)


def _product(rw: GreedyRewriter, a: SSAValue, b: SSAValue) -> SSAValue:
    return rw.value("arith.muli", [a, b], i32)


def _sum(rw: GreedyRewriter, a: SSAValue, b: SSAValue) -> SSAValue:
    return rw.value("arith.addi", [a, b], i32)


def pack_shuffle(op: Operation, rw: GreedyRewriter) -> bool:
    """A shuffle of a type that is not 32 or 64 bits wide."""
    value, amount, width = op.operands
    kind = value.type
    if isinstance(kind, VectorType) or not isinstance(kind, IntegerType | AnyFloat):
        return False
    bits = element_bits(kind)
    if bits in (32, 64):
        return False
    if bits > 64:
        raise op_error(op, f"cannot move the {bits} bits of '{kind}' from lane to lane")
    wide = 32 if bits < 32 else 64
    pack, unpack = packing(rw, kind, wide)
    packed = pack(value)
    shuffled = rw.create(
        op.name, [packed, amount, width], [packed.type, op.results[1].type], dict(op.properties)
    )
    rw.replace(op, [unpack(shuffled.results[0]), shuffled.results[1]])
    return True
