# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bulk copies of a group: asked for by one thread, counted in bytes at one barrier.

In the loop as it was, some thread asks, and says how many bytes are to come: by a predicate, or in
an scf.if. Here one thread of the group's choice asks for all copies, so conditions that tell
threads apart go, and conditions that hold for the whole block stay, also where bytes are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.analysis.memory import depends_on_thread
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import error
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.storage import tile_bytes
from xgpu.transforms.scf.loop_unrolling import trip_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects import nvgpu
    from xgpu.kernels.circular.emitter import Iteration
    from xgpu.kernels.circular.mbarriers import Barriers
    from xgpu.kernels.circular.numbers import Number
    from xgpu.kernels.circular.plan import Group

TMA_LOAD = "nvgpu.tma.async.load"
_EXPECT = "nvgpu.mbarrier.arrive.expect_tx"
#: Bits of the mask of a copy to several blocks.
_MOST_BLOCKS = 16


class Request:
    """One tma.async.load of an iteration: how often it is asked for, and on which conditions."""

    __slots__ = ("conditions", "op", "times")

    def __init__(self, op: nvgpu.TmaAsyncLoadOp, times: int, conditions: list[SSAValue]) -> None:
        self.op = op
        self.times = times
        self.conditions = conditions

    def bytes(self) -> int:
        """What arrives in one block: as much from each block that the copy goes to."""
        return self.times * tile_bytes(self.op.dst.type) * len(receivers_of(self.op) or (0,))


def receivers_of(op: nvgpu.TmaAsyncLoadOp) -> tuple[int, ...]:
    """The blocks of a cluster, by rank, that a copy goes to; none where it is this block's own."""
    mask = op.multicast_mask
    if mask is None:
        return ()
    known = int_of(mask)
    if known is None:
        raise error(op, "expected a constant mask of the blocks that share a copy")
    return tuple(rank for rank in range(_MOST_BLOCKS) if known >> rank & 1)


def requests_of(top: Operation) -> list[Request]:
    """The loads in an operation of the loop's body."""
    return list(_requests(top, top, 1, []))


def _requests(
    top: Operation, op: Operation, times: int, conditions: list[SSAValue]
) -> Iterator[Request]:
    if op.name == TMA_LOAD:
        yield _request(top, cast("nvgpu.TmaAsyncLoadOp", op), times, conditions)
        return
    if op.name == _EXPECT or not op.regions:
        return
    if op.name == "scf.if":
        if op.results or (len(op.regions[1].blocks) and _has_load(op.regions[1])):
            raise error(op, "expected a copy's condition to have no result and no other branch")
        own = [] if depends_on_thread(op.operands[0]) else [op.operands[0]]
        if own and op is not top:
            raise error(
                op,
                "expected a copy's condition directly in the loop's body, where its bytes are "
                "counted",
            )
        conditions = [*conditions, *own]
    elif op.name == "scf.for":
        count = trip_count(op)
        if count is None:
            raise error(
                op, "cannot tell how many bytes this copies: its number of iterations is not known"
            )
        times *= count
    else:
        raise error(op, f"cannot tell how many bytes are copied in '{op.name}'")
    for inner in op.regions[0].block.ops:
        yield from _requests(top, inner, times, conditions)


def _has_load(region: Region) -> bool:
    return any(op.name == TMA_LOAD for op in region.walk())


def _request(
    top: Operation, op: nvgpu.TmaAsyncLoadOp, times: int, conditions: list[SSAValue]
) -> Request:
    for coordinate in op.coordinates:
        source = depends_on_thread(coordinate)
        if source is not None:
            raise error(
                op,
                "expected one thread that asks for the copy, but its coordinates differ between "
                "threads",
                [(source.location, "by this")],
            )
    if op.multicast_mask is not None and conditions:
        raise error(
            op,
            "a copy to several blocks of a cluster is made on a condition, which other blocks "
            "would have to know to count its bytes",
        )
    predicate = op.predicate
    if predicate is not None and not depends_on_thread(predicate):
        owner = predicate.owner
        if isinstance(owner, Operation) and top.is_ancestor(owner):
            raise error(
                op,
                "expected a copy's condition directly in the loop's body, where its bytes are "
                "counted",
            )
        conditions = [*conditions, predicate]
    return Request(op, times, conditions)


def expected_bytes(rw: Rewriter, group: Group, iteration: Iteration) -> Number:
    """How many bytes the group's copies bring in an iteration; conditions count."""
    total: Number = 0
    for load in group.loads:
        for request in requests_of(load.op):
            size: Number = request.bytes()
            for condition in request.conditions:
                own = iteration.mapping.get(condition, condition)
                operands = [own, numbers.value(rw, size), numbers.value(rw, 0)]
                size = rw.value("arith.select", operands, IndexType())
            total = numbers.add(rw, total, size)
    return total


def ask(rw: Rewriter, top: Operation, iteration: Iteration, full: Barriers, slot: SSAValue) -> None:
    """Builds the copies in `top`, for one thread, arriving at `full`."""
    _build(rw, top, iteration, full.group, slot)


def _build(
    rw: Rewriter, op: Operation, iteration: Iteration, barrier: SSAValue, slot: SSAValue
) -> None:
    mapping = iteration.mapping
    if op.name == _EXPECT or op.name == "scf.yield":
        return
    if op.name == TMA_LOAD:
        _build_load(rw, cast("nvgpu.TmaAsyncLoadOp", op), mapping, barrier, slot)
        return
    if op.name == "scf.if" and depends_on_thread(op.operands[0]):
        for inner in op.regions[0].block.ops:
            _build(rw, inner, iteration, barrier, slot)
        return
    if not any(inner.name == TMA_LOAD for inner in op.walk()):
        from xgpu.dialects.gpu.ops import clone_with_locations

        rw.insert(clone_with_locations(op, mapping))
        return
    old = op.regions[0].block
    block = Block(arg_types=[arg.type for arg in old.args])
    mapping.update(zip(old.args, block.args, strict=True))
    with rw.inside(block):
        for inner in old.ops:
            _build(rw, inner, iteration, barrier, slot)
        rw.at_end(block)
        rw.create("scf.yield")
    operands = [mapping.get(value, value) for value in op.operands]
    regions = [Region(block), *([Region()] if op.name == "scf.if" else [])]
    rw.create(op.name, operands, regions=regions)


def _build_load(
    rw: Rewriter,
    op: nvgpu.TmaAsyncLoadOp,
    mapping: dict[SSAValue, SSAValue],
    barrier: SSAValue,
    slot: SSAValue,
) -> None:
    def own(value: SSAValue) -> SSAValue:
        return mapping.get(value, value)

    predicate = op.predicate
    if predicate is not None:
        predicate = None if depends_on_thread(predicate) else own(predicate)
    rw.create(
        TMA_LOAD,
        [
            own(op.dst),
            barrier,
            own(op.tensor_map_descriptor),
            [own(value) for value in op.coordinates],
            slot,
            None if op.multicast_mask is None else own(op.multicast_mask),
            predicate,
        ],
    )
