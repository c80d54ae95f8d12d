# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.loop.*: unrolling, loops of one iteration, scf.parallel as a nest of scf.for."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Operation, Region

from xgpu.core.ir.errors import Diagnostic
from xgpu.transform_dialect.failures import SilenceableError, definite, silenceable
from xgpu.transform_dialect.interpreter import Results, each, flag, integer
from xgpu.transform_dialect.tracking import TrackingRewriter

if TYPE_CHECKING:
    from xgpu.dialects import scf
    from xgpu.transform_dialect.state import State

_LOOPS = ("scf.for", "affine.for")


def unroll(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transforms.scf.loop_unrolling import unroll_by_factor

    factor = integer(op, "factor", 1)
    if target.name == "scf.for" and unroll_by_factor(
        TrackingRewriter(state, target), target, factor
    ):
        return
    if target.name == "affine.for":
        raise definite(op, "unrolling affine.for is not supported by xgpu")
    raise SilenceableError(
        Diagnostic(
            "error",
            "failed to unroll",
            op.location,
            [Diagnostic("note", "when applied to this op", target.location)],
        )
    )


def promote(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transforms.scf.loop_unrolling import promote_if_one_iteration

    if target.name == "scf.for":
        promote_if_one_iteration(TrackingRewriter(state, target), target)


def parallel_to_nested_fors(op: Operation, state: State) -> Results:
    """A nest of sequential loops for an scf.parallel without reductions."""
    targets = state.ops(op.operands[0])
    if len(targets) != 1:
        raise silenceable(op, "expected a single payload op")
    parallel = cast("scf.ParallelOp", targets[0])
    if parallel.name != "scf.parallel":
        raise silenceable(
            op, "expected the payload to be scf.parallel", [(parallel.location, "payload op")]
        )
    if len(op.results) != 1:
        raise silenceable(
            op,
            f"op expects one result, given {len(op.results)}",
            [(parallel.location, "payload op")],
        )
    if parallel.results:
        raise silenceable(op, "failed to convert parallel into nested fors")
    body: Block = parallel.regions[0].block
    rw = TrackingRewriter(state, parallel)
    loops: list[Operation] = []
    bounds = zip(
        parallel.operand_group(0),
        parallel.operand_group(1),
        parallel.operand_group(2),
        body.args,
        strict=True,
    )
    for lower, upper, step, argument in bounds:
        inner = Block(arg_types=[argument.type])
        loops.append(rw.create("scf.for", [lower, upper, step], (), regions=[Region(inner)]))
        rw.at_end(inner)
        rw.before(rw.create("scf.yield"))
        state.value_replaced(argument, inner.args[0])
        argument.replace_all_uses_with(inner.args[0])
    last = cast("scf.ReduceOp | None", body.last_op)
    assert last is not None
    rw.erase(last)
    for moved in list(body.ops):
        moved.detach()
        rw.insert(moved)
    rw.erase(parallel)
    return [[loops[0]]]


def peel(op: Operation, target: Operation, state: State) -> list[Operation]:
    """The loop, and what was taken from its end or its beginning as a loop of its own."""
    from xgpu.transforms.scf.loop_peeling import peel_first, peel_last

    rw = TrackingRewriter(state, target)
    front = flag(op, "peel_front")
    other = peel_first(rw, target) if front else peel_last(rw, target)
    if other is None:
        which = "first" if front else "last"
        raise silenceable(op, f"failed to peel the {which} iteration")
    return [target, other]


OPS = {
    "transform.loop.parallel_for_to_nested_fors": parallel_to_nested_fors,
    "transform.loop.peel": each(peel, "scf.for"),
    "transform.loop.promote_if_one_iteration": each(promote),
    "transform.loop.unroll": each(unroll),
}
