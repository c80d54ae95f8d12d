# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.loop.*: pipelining, scf.forall as other loops; transform.scf.take_assumed_branch."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.dialects.arith.builders import index_constant
from xgpu.transform_dialect.failures import definite, silenceable
from xgpu.transform_dialect.interpreter import Results, each, flag, integer
from xgpu.transform_dialect.tracking import TrackingRewriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import DenseArrayBase, IntegerType

    from xgpu.dialects import scf
    from xgpu.transform_dialect.state import State

_DYNAMIC = -(1 << 63)


def _schedule(loop: Operation, interval: int, read_latency: int) -> list[tuple[Operation, int]]:
    """Each operation as early as its operands allow, in cycles modulo the interval."""
    cycles: dict[Operation, int] = {}
    wrapped: dict[int, list[Operation]] = {}
    for op in loop.regions[0].block.ops:
        if op.name == "scf.yield":
            continue
        early = 0
        for operand in op.operands:
            owner = operand.owner
            if isinstance(owner, Operation):
                latency = read_latency if owner.name == "vector.transfer_read" else 1
                early = max(early, cycles.get(owner, 0) + latency)
        cycles[op] = early
        wrapped.setdefault(early % interval, []).append(op)
    return [(op, cycles[op] // interval) for key in sorted(wrapped) for op in wrapped[key]]


def pipeline(op: Operation, target: Operation, state: State) -> list[Operation]:
    from xgpu.transforms.scf.loop_pipelining import CannotPipelineError, Options, pipeline_loop

    interval = integer(op, "iteration_interval", 1)
    schedule = _schedule(target, interval, integer(op, "read_latency", 10))
    try:
        return [pipeline_loop(TrackingRewriter(state, target), target, Options(schedule))]
    except CannotPipelineError:
        raise silenceable(
            op,
            "transform.loop.pipeline failed to apply",
            [(target.location, "when applied to this op")],
        ) from None


def _bounds(
    rw: TrackingRewriter, forall: Operation, static: str, dynamic: Sequence[SSAValue]
) -> list[SSAValue]:
    values = iter(dynamic)
    return [
        next(values) if number == _DYNAMIC else index_constant(rw, number)
        for number in cast("DenseArrayBase[IntegerType]", forall.properties[static]).get_values()
    ]


def _one_forall(op: Operation, state: State) -> scf.ForallOp:
    targets = state.ops(op.operands[0])
    if len(targets) != 1:
        raise definite(op, "expected a single payload op")
    forall = targets[0]
    if forall.name != "scf.forall":
        raise silenceable(
            op, "expected the payload to be scf.forall", [(forall.location, "payload op")]
        )
    if forall.results:
        raise silenceable(
            op,
            "unsupported shared outputs (didn't bufferize?)",
            [(forall.location, "payload op")],
        )
    return cast("scf.ForallOp", forall)


def forall_to_for(op: Operation, state: State) -> Results:
    """A nest of sequential loops, outermost first."""
    forall = _one_forall(op, state)
    body: Block = forall.regions[0].block
    if len(op.results) != len(body.args):
        raise silenceable(
            op,
            f"op expects as many results ({len(op.results)}) as payload has induction variables "
            f"({len(body.args)})",
            [(forall.location, "payload op")],
        )
    rw = TrackingRewriter(state, forall)
    lower = _bounds(rw, forall, "staticLowerBound", forall.dynamic_lower_bound)
    upper = _bounds(rw, forall, "staticUpperBound", forall.dynamic_upper_bound)
    step = _bounds(rw, forall, "staticStep", forall.dynamic_step)
    loops: list[Operation] = []
    for bounds, argument in zip(zip(lower, upper, step, strict=True), body.args, strict=True):
        inner = Block(arg_types=[argument.type])
        loops.append(rw.create("scf.for", bounds, (), regions=[Region(inner)]))
        rw.at_end(inner)
        rw.before(rw.create("scf.yield"))
        state.value_replaced(argument, inner.args[0])
        argument.replace_all_uses_with(inner.args[0])
    terminator = body.last_op
    assert terminator is not None
    rw.erase(terminator)
    for moved in list(body.ops):
        moved.detach()
        rw.insert(moved)
    rw.erase(forall)
    return [[loop] for loop in loops]


def forall_to_parallel(op: Operation, state: State) -> Results:
    forall = _one_forall(op, state)
    if len(op.results) != 1:
        raise silenceable(
            op,
            f"op expects one result, given {len(op.results)}",
            [(forall.location, "payload op")],
        )
    rw = TrackingRewriter(state, forall)
    lower = _bounds(rw, forall, "staticLowerBound", forall.dynamic_lower_bound)
    upper = _bounds(rw, forall, "staticUpperBound", forall.dynamic_upper_bound)
    step = _bounds(rw, forall, "staticStep", forall.dynamic_step)
    attributes = dict(forall.attributes)
    mapping = forall.properties.get("mapping")
    if mapping is not None:
        attributes["mapping"] = mapping
    region = Region()
    forall.regions[0].move_blocks(region)
    block: Block = region.block
    terminator = block.last_op
    assert terminator is not None
    rw.erase(terminator)
    rw.at_end(block)
    rw.create("scf.reduce", ())
    rw.before(forall)
    loop = rw.create(
        "scf.parallel", [lower, upper, step, []], (), attributes=attributes, regions=[region]
    )
    forall.regions[0].add_block(Block())
    rw.erase(forall)
    return [[loop]]


def take_assumed_branch(op: Operation, target: Operation, state: State) -> None:
    takes_else = flag(op, "take_else_branch")
    region = target.regions[1 if takes_else else 0]
    if len(region.blocks) != 1:
        which = "`else`" if takes_else else "`then`"
        raise definite(op, f"requires an scf.if op with a single-block {which} region")
    block = region.block
    terminator = block.last_op
    assert terminator is not None
    assert target.parent is not None
    values = list(terminator.operands)
    rw = TrackingRewriter(state, target)
    rw.erase(terminator)
    for inner in list(block.ops):
        inner.detach()
        target.parent.insert_op_before(inner, target)
    rw.replace(target, values)


OPS = {
    "transform.loop.forall_to_for": forall_to_for,
    "transform.loop.forall_to_parallel": forall_to_parallel,
    "transform.loop.pipeline": each(pipeline, "scf.for"),
    "transform.scf.take_assumed_branch": each(take_assumed_branch, "scf.if"),
}
