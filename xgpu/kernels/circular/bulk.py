# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bulk copies: barriers in shared memory that count their bytes, copies by one thread, and copies
to several blocks of a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, UnitAttr, i16, i32, i64
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.analysis.memory import depends_on_thread, operands_inside
from xgpu.core import ods
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import attribute_constant, constant
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.circular.storage import tile_bytes
from xgpu.transforms.scf.loop_unrolling import trip_count

if TYPE_CHECKING:
    from xgpu.dialects import nvgpu
    from xgpu.kernels.circular.emitter import Iteration
    from xgpu.kernels.circular.plan import Group, Plan
    from xgpu.kernels.circular.surroundings import Surroundings


# --- mbarriers -----------------------------------------------------------------------------------
# Barriers in shared memory that say whether a stage is full, or empty.
#
# A stage's barriers pass through a phase each time that the stage is used, so what a thread waits
# for follows from the number of the use alone: use k of a loop with S stages is the phase k / S of
# barrier k % S. k counts on through all serial loops around the buffered one.


#: How long a thread waits before it asks again.
_TICKS = 10_000_000
#: Address spaces of a block's shared memory, and of that of all blocks of a cluster.
_SHARED, _CLUSTER = 3, 7


class Barriers:
    """The barriers of one kind of all stages of a group: `arrivals` threads complete a phase."""

    __slots__ = ("arrivals", "group", "ranks", "stages")

    def __init__(
        self,
        rw: Rewriter,
        stages: int,
        arrivals: Number,
        name: str,
        ranks: Sequence[int] = (),
    ) -> None:
        self.stages = stages
        #: The blocks of a cluster whose barriers threads arrive at; none: at their own block's.
        self.ranks = ranks
        self.arrivals = arrivals
        space = ods.enum("gpu.address_space", "workgroup")
        ty = ods.attr_class("nvgpu.mbarrier.group")(space, stages)
        self.group: SSAValue = rw.value("nvgpu.mbarrier.create", (), ty)
        self.group.name_hint = name

    def initialize(self, rw: Rewriter, elected: SSAValue) -> None:
        count = numbers.value(rw, self.arrivals)
        for stage in range(self.stages):
            at = numbers.value(rw, stage)
            rw.create("nvgpu.mbarrier.init", [self.group, count, at, elected])

    def invalidate(self, rw: Rewriter) -> None:
        """For one thread, when no other will use them again."""
        pointer = LLVMPointerType(_SHARED)
        for stage in range(self.stages):
            at = numbers.value(rw, stage)
            address = rw.value("nvgpu.mbarrier.get", [self.group, at], i64)
            barrier = rw.value("llvm.inttoptr", [address], pointer)
            rw.create("nvvm.mbarrier.inval", [barrier])

    # --- a use of a stage ----------------------------------------------------------------------
    def wait(self, rw: Rewriter, use: Number, *, before: bool = False) -> None:
        """Waits for the phase of a use, or with `before` for the phase before that one, which for
        a stage's first use is over from the beginning."""
        turn = numbers.div(rw, use, self.stages)
        parity = numbers.rem(rw, turn, 2)
        odd = (
            numbers.flag(rw, (parity == 1) != before)
            if isinstance(parity, int)
            else numbers.compare(rw, numbers.EQ if before else numbers.NE, parity, 0)
        )
        slot = numbers.value(rw, numbers.rem(rw, use, self.stages))
        ticks = numbers.value(rw, _TICKS)
        rw.create("nvgpu.mbarrier.try_wait.parity", [self.group, odd, ticks, slot])

    def address(self, rw: Rewriter, use: Number) -> SSAValue:
        """Where the barrier of a use is, as a number."""
        slot = numbers.value(rw, numbers.rem(rw, use, self.stages))
        return rw.value("nvgpu.mbarrier.get", [self.group, slot], i64)

    def expect(self, rw: Rewriter, use: Number, count: Number) -> None:
        """Arrives, and says how many bytes are still to come."""
        slot = numbers.value(rw, numbers.rem(rw, use, self.stages))
        rw.create("nvgpu.mbarrier.arrive.expect_tx", [self.group, numbers.value(rw, count), slot])

    def arrive(self, rw: Rewriter, use: Number) -> None:
        slot = numbers.value(rw, numbers.rem(rw, use, self.stages))
        if not self.ranks:
            token = ods.attr_class("nvgpu.mbarrier.token")()
            rw.value("nvgpu.mbarrier.arrive", [self.group, slot], token)
            return
        address = rw.value("nvgpu.mbarrier.get", [self.group, slot], i64)
        barrier = rw.value("llvm.inttoptr", [address], LLVMPointerType(_SHARED))
        scope = {"scope": ods.enum("nvvm.mem_scope", "cluster")}
        for rank in self.ranks:
            block = constant(rw, rank, i32)
            there = rw.value("nvvm.mapa", [barrier, block], LLVMPointerType(_CLUSTER))
            rw.create("nvvm.mbarrier.arrive", [there], (), scope)

    def commit(self, rw: Rewriter, use: Number, commit: Operation) -> None:
        """Products that the thread asked for so far arrive when they are over, as `commit` does
        elsewhere; with `ranks` at the barriers of all these blocks."""
        operands = [rw.value("llvm.inttoptr", [self.address(rw, use)], LLVMPointerType(_SHARED))]
        if self.ranks:
            mask = IntegerAttr(sum(1 << rank for rank in self.ranks), i16)
            operands.append(attribute_constant(rw, mask, i16))
        rw.create("nvvm.tcgen05.commit", operands, (), commit.properties)


def make_visible(rw: Rewriter, *, in_cluster: bool) -> None:
    """Initialized barriers are visible to the copy engine and to all threads of the block, or of
    the blocks of its cluster."""
    rw.create("nvvm.fence.mbarrier.init")
    if in_cluster:
        meet(rw)
    else:
        rw.create("gpu.barrier")


def meet(rw: Rewriter) -> None:
    """All threads of the cluster's blocks wait for one another."""
    aligned = {"aligned": UnitAttr()}
    rw.create("nvvm.cluster.arrive", (), (), aligned)
    rw.create("nvvm.cluster.wait", (), (), aligned)


# --- bulk ----------------------------------------------------------------------------------------
# Bulk copies of a group: asked for by one thread, counted in bytes at one barrier.
#
# In the loop as it was, some thread asks, and says how many bytes are to come: by a predicate, or
# in an scf.if. Here one thread of the group's choice asks for all copies, so conditions that tell
# threads apart go, and conditions that hold for the whole block stay, also where bytes are
# counted.


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
        rw.insert(clone_operation(op, mapping))
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


# --- clusters ------------------------------------------------------------------------------------
# Copies that go to several blocks of a cluster: blocks tell one another that a stage is free.
#
# Each of the blocks asks for its part of a tile, which all get, with the mbarrier of the same place
# in each. So a stage is free for a copy when the threads of all blocks have left it: every thread
# arrives at the empty barriers of all of them. Blocks begin and end together, for a barrier that is
# not initialized cannot be arrived at, and memory of a block that has ended cannot be written.


#: What differs between the blocks of a cluster.
_BLOCK_IDS = frozenset({"gpu.block_id", "gpu.cluster_block_id"})
_BLOCK_ID_PREFIXES = ("nvvm.read.ptx.sreg.ctaid", "nvvm.read.ptx.sreg.cluster.cta")


def sharing(plan: Plan) -> tuple[int, ...]:
    """The ranks of the blocks that share copies of the loop; none where each has its own. Raises
    where copies are shared between different blocks, or in a mode whose blocks know nothing of
    one another."""
    found: tuple[int, ...] = ()
    for op in plan.loop.walk():
        if op.name != TMA_LOAD:
            continue
        ranks = receivers_of(cast("nvgpu.TmaAsyncLoadOp", op))
        if ranks and found and ranks != found:
            raise error(op, "expected all copies of a loop to be shared by the same blocks")
        found = found or ranks
        if ranks and plan.mode == "pipelined":
            raise error(
                op,
                "a copy to several blocks of a cluster needs mode 'pipelined-mbarrier' or "
                "'warp-specialized': its stage is free when all of these blocks have left it, "
                "which a barrier of one block does not say",
                [(plan.loop.location, "the loop is here")],
            )
    # What one block's thread asks for reads the tiles of others, and gives back stages of them.
    return found if plan.issuer is None else found or plan.issuer.ranks()


def check_alike(plan: Plan, around: Surroundings) -> None:
    """Raises where blocks that share copies may run the loop different numbers of times."""
    values = list(plan.loop.operands[:3])
    for op in around.chain:
        values += op.operands[: 3 if op.name == "scf.for" else 1]
    for value in values:
        source = _block_id_behind(value)
        if source is not None:
            raise error(
                plan.loop,
                "expected blocks that share copies to run this loop equally often, but that "
                "depends on the block",
                [(source.location, "by this")],
            )


def _block_id_behind(value: SSAValue) -> Operation | None:
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        owner = current.owner
        if isinstance(current, BlockArgument) or not isinstance(owner, Operation):
            parent = current.owner.parent_op()
            if parent is None or not isinstance(current, BlockArgument):
                continue
            if parent.name == "gpu.launch" and current.index in (0, 1, 2):
                return parent
            found = list(parent.operands) if parent.name == "scf.for" else []
        elif owner.name in _BLOCK_IDS or owner.name.startswith(_BLOCK_ID_PREFIXES):
            return owner
        else:
            found = list(operands_inside(owner))
        for operand in found:
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
    return None
