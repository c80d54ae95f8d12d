# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of subgroups in smaller pieces and as shuffles, and what else the device needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.constants import make
from xgpu.core.ir.errors import op_error
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
from xgpu.dialects import gpu
from xgpu.dialects.arith.builders import attribute_constant, constant, select
from xgpu.dialects.gpu.ops import parent_of, why_not_redux
from xgpu.transforms.gpu.nvgpu_optimize_shared_memory import element_bits
from xgpu.transforms.gpu.rewrites import COMBINE, lower_all_reduces, rewrite_shuffle
from xgpu.transforms.vector.transfers import broadcast, extract, insert

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import EnumAttr


# --- subgroup reduce -----------------------------------------------------------------------------
# `gpu.subgroup_reduce` in smaller pieces, and as shuffles.
#
# Vectors are reduced in parts of 32 bits. A butterfly of xor-shuffles then lets each lane have the
# result of its cluster. Source: MLIR 22.1 SubgroupReduceLowering.cpp.


REDUCE = "gpu.subgroup_reduce"
SUBGROUP_SIZE = 32
SHUFFLE_BITS = 32
_I32_VECTOR = VectorType(i32, [1])

Cast = Callable[[SSAValue], SSAValue]


def _list(*values: int) -> ArrayAttr:
    return ArrayAttr([IntegerAttr(value, i64) for value in values])


def _slice(rw: GreedyRewriter, vector: SSAValue, start: int, count: int) -> SSAValue:
    kind = cast("VectorType", vector.type)
    return rw.value(
        "vector.extract_strided_slice",
        [vector],
        VectorType(kind.element_type, [count]),
        {"offsets": _list(start), "sizes": _list(count), "strides": _list(1)},
    )


def _insert_slice(rw: GreedyRewriter, part: SSAValue, whole: SSAValue, start: int) -> SSAValue:
    return rw.value(
        "vector.insert_strided_slice",
        [part, whole],
        whole.type,
        {"offsets": _list(start), "strides": _list(1)},
    )


def _zero(rw: GreedyRewriter, kind: Attribute) -> SSAValue:
    value = make(kind, 0)
    assert value is not None
    return attribute_constant(rw, value, kind)


def reduced(rw: GreedyRewriter, op: Operation, value: SSAValue) -> SSAValue:
    """The same reduction of another value."""
    return rw.value(REDUCE, [value], value.type, dict(op.properties))


# --- pieces --------------------------------------------------------------------------------------
def break_down(op: Operation, rw: GreedyRewriter) -> bool:
    """Parts of a vector, as many elements as a shuffle moves, are reduced one by one."""
    kind = op.results[0].type
    if not isinstance(kind, VectorType) or (count := kind.get_shape()[0]) < 2:
        return False
    bits = element_bits(kind.element_type)
    if bits >= SHUFFLE_BITS:
        return False
    per_shuffle = SHUFFLE_BITS // bits
    if count <= per_shuffle:
        return False
    source, result = op.operands[0], _zero(rw, kind)
    for start in range(0, count, per_shuffle):
        size = min(per_shuffle, count - start)
        if size == 1:
            part = reduced(rw, op, extract(rw, source, start))
            result = insert(rw, part, result, start)
        else:
            part = reduced(rw, op, _slice(rw, source, start, size))
            result = _insert_slice(rw, part, result, start)
    rw.replace(op, [result])
    return True


def scalarize(op: Operation, rw: GreedyRewriter) -> bool:
    """A vector of one element is reduced as a scalar."""
    kind = op.results[0].type
    if not isinstance(kind, VectorType) or kind.get_shape()[0] != 1:
        return False
    part = reduced(rw, op, extract(rw, op.operands[0], 0))
    rw.replace(op, [broadcast(rw, part, kind)])
    return True


# --- shuffles ------------------------------------------------------------------------------------
def _cluster(op: Operation) -> tuple[int, int]:
    """The size and stride of the clusters of lanes that are reduced."""
    stated = cast("IntegerAttr | None", op.properties.get("cluster_size"))
    size = SUBGROUP_SIZE if stated is None else stated.value.data
    if size > SUBGROUP_SIZE:
        raise op_error(op, f"cluster size {size} is greater than subgroup size {SUBGROUP_SIZE}")
    spacing = cast("IntegerAttr | None", op.properties.get("cluster_stride"))
    stride = 1 if spacing is None else spacing.value.data
    if stride >= SUBGROUP_SIZE:
        raise op_error(
            op, f"cluster stride {stride} is not less than subgroup size {SUBGROUP_SIZE}"
        )
    return size, stride


class Lanes(NamedTuple):
    """Which lanes of a subgroup take part, where that may not be all of them."""

    #: This lane, an i32.
    lane: SSAValue
    #: How many there are, an i32: the first ones.
    active: SSAValue


def _shuffle(
    rw: GreedyRewriter, value: SSAValue, amount: SSAValue, lanes: Lanes | None, mode: str
) -> Operation:
    if lanes is None:
        width = constant(rw, SUBGROUP_SIZE, i32)
    else:
        width = lanes.active
    properties = {"mode": ods.enum("gpu.shuffle_mode", mode)}
    return rw.create("gpu.shuffle", [value, amount, width], [value.type, i1], properties)


def shuffled(
    rw: GreedyRewriter,
    op: Operation,
    value: SSAValue,
    pack: Cast,
    unpack: Cast,
    lanes: Lanes | None = None,
) -> SSAValue:
    """Reduces `value` over the lanes; `pack` and `unpack` convert to and from what is shuffled."""
    size, stride = _cluster(op)
    kind = value.type
    element = kind.element_type if isinstance(kind, VectorType) else kind
    name = COMBINE[cast("EnumAttr", op.properties["op"]).data][
        0 if isinstance(element, AnyFloat) else 1
    ]
    offset = stride
    while offset < stride * size:
        packed = pack(value)
        amount = constant(rw, offset, i32)
        shuffle = cast("gpu.ShuffleOp", _shuffle(rw, packed, amount, lanes, "xor"))
        combined = rw.value(name, [value, unpack(shuffle.results[0])], kind)
        if lanes is None:
            value = combined
        else:
            # A lane that is not there has nothing to give.
            value = select(rw, shuffle.results[1], combined, value)
        offset *= 2
    return value if lanes is None else _from_first(rw, value, pack, unpack, lanes, size, stride)


def _from_first(
    rw: GreedyRewriter,
    value: SSAValue,
    pack: Cast,
    unpack: Cast,
    lanes: Lanes,
    size: int,
    stride: int,
) -> SSAValue:
    """What the first lane of each cluster has: it alone has met all others if some are missing."""
    kept = IntegerAttr(~((size - 1) * stride), i32)
    mask = attribute_constant(rw, kept, i32)
    first = rw.value("arith.andi", [lanes.lane, mask], i32)
    return unpack(_shuffle(rw, pack(value), first, lanes, "idx").results[0])


def scalar_to_shuffles(op: Operation, rw: GreedyRewriter, lanes: Lanes | None = None) -> bool:
    """Scalars of at most 32 bits are shuffled as integers of 32 bits."""
    kind = op.results[0].type
    if kind.name in ("vector", "index"):
        return False
    bits = element_bits(kind)
    if bits > SHUFFLE_BITS:
        return False
    pack, unpack = packing(rw, kind, SHUFFLE_BITS)
    rw.replace(op, [shuffled(rw, op, op.operands[0], pack, unpack, lanes)])
    return True


def packing(rw: GreedyRewriter, kind: Attribute, wide: int) -> tuple[Cast, Cast]:
    """How values of a scalar type become integers of `wide` bits, and come back.

    A type of that many bits stays as it is.
    """
    bits = element_bits(kind)
    as_integer = IntegerType(bits)

    def pack(value: SSAValue) -> SSAValue:
        if bits == wide:
            return value
        integer = rw.value("arith.bitcast", [value], as_integer)
        return rw.value("arith.extui", [integer], IntegerType(wide))

    def unpack(value: SSAValue) -> SSAValue:
        if bits == wide:
            return value
        return rw.value("arith.bitcast", [rw.value("arith.trunci", [value], as_integer)], kind)

    return pack, unpack


def vector_to_shuffles(op: Operation, rw: GreedyRewriter, lanes: Lanes | None = None) -> bool:
    """Vectors of at most 32 bits are shuffled as integers of 32 bits."""
    kind = op.results[0].type
    if not isinstance(kind, VectorType):
        return False
    bits, count = element_bits(kind.element_type), kind.get_shape()[0]
    if bits * count > SHUFFLE_BITS or SHUFFLE_BITS % bits:
        return False
    full = VectorType(kind.element_type, [SHUFFLE_BITS // bits])
    value = op.operands[0]
    short = bits * count < SHUFFLE_BITS
    if short:
        value = _insert_slice(rw, value, _zero(rw, full), 0)

    def pack(value: SSAValue) -> SSAValue:
        return extract(rw, rw.value("vector.bitcast", [value], _I32_VECTOR), 0)

    def unpack(value: SSAValue) -> SSAValue:
        return rw.value("vector.bitcast", [broadcast(rw, value, _I32_VECTOR)], full)

    result = shuffled(rw, op, value, pack, unpack, lanes)
    rw.replace(op, [_slice(rw, result, 0, count) if short else result])
    return True


# --- device reductions ---------------------------------------------------------------------------
# Reductions and shuffles on the way to the device, beyond what MLIR's gpu rewrites take.
#
#     gpu.subgroup_reduce of any type   =>  shuffles, unless nvvm.redux.sync does it
#     gpu.all_reduce without `uniform`  =>  as one with it, where all threads of a block come
#     gpu.shuffle of f16, i8, i48, ...  =>  gpu.shuffle of i32 or i64
#
# The last subgroup of a block may have fewer lanes than others. Where the size of blocks is not
# known to be a multiple of a subgroup's, reductions only shuffle among those that are there.


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
