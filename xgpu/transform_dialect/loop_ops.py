# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.loop.* and transform.scf.*: pipelining, unrolling, coalescing, outlining, and loops of
another kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import FunctionType, StringAttr, SymbolRefAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir.blocks import block_with
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.dominance import stands_before
from xgpu.core.ir.errors import Diagnostic
from xgpu.core.ir.symbols import SymbolTable, nearest_table
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.gpu.ops import used_values_defined_above
from xgpu.transform_dialect.interpreter import Results, each, flag, integer
from xgpu.transform_dialect.state import (
    SilenceableError,
    TrackingRewriter,
    definite,
    rewrite_tracked,
    silenceable,
    silenceable_at,
)
from xgpu.transforms.generic.code_motion import is_loop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import DenseArrayBase, IntegerType

    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.dialects import scf
    from xgpu.transform_dialect.state import State


# --- loop ops ------------------------------------------------------------------------------------
# transform.loop.*: pipelining, scf.forall as other loops; transform.scf.take_assumed_branch.


_DYNAMIC = -(1 << 63)


def _schedule(loop: Operation, interval: int, read_latency: int) -> list[tuple[Operation, int]]:
    """Each operation as early as its operands allow, in cycles modulo the interval."""
    lower, upper = int_of(loop.operands[0]), int_of(loop.operands[1])
    # No operation waits for longer than a loop of known bounds runs, in units of its variable.
    longest = read_latency if lower is None or upper is None else upper - lower - 1
    if longest < 0:
        longest += 1 << 32
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
                early = max(early, cycles.get(owner, 0) + min(latency, longest))
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


# --- loop restructure ops ------------------------------------------------------------------------
# transform.loop.coalesce, transform.loop.outline: nests as one loop, loops as functions.
#
# Source: MLIR 22.1 SCFTransformOps.cpp, SCF/Utils/Utils.cpp.


def coalesce(op: Operation, target: Operation, state: State) -> list[Operation]:
    """The loop that a nest has become."""
    from xgpu.transforms.affine.loop_coalescing import coalesce_affine_nest, coalesce_nest

    def rewriters(anchor: Operation) -> Rewriter:
        return TrackingRewriter(state, anchor)

    done = False
    if target.name == "scf.for":
        done = coalesce_nest(target, rewriters)
    elif target.name == "affine.for":
        done = coalesce_affine_nest(target, rewriters)
    if not done:
        raise silenceable(op, "failed to coalesce")
    return [target]


def outline(op: Operation, state: State) -> Results:
    """The functions and the calls that loops have become, each call in an scf.execute_region."""
    name = cast("StringAttr", op.properties["func_name"]).data
    tables: dict[Operation, SymbolTable] = {}
    functions: list[Operation] = []
    calls: list[Operation] = []
    for target in state.ops(op.operands[0]):
        if len(target.regions) != 1:
            note = [(target.location, "target op")]
            raise silenceable(op, "failed to outline", note)
        table = nearest_table(target)
        function = _enclosing_function(target)
        if table is None or function is None:
            raise definite(op, "expected the target to be in a function")
        symbols = tables.setdefault(table, SymbolTable(table))
        made, call = _outline(target, function, name, state)
        made.detach()
        call.properties["callee"] = SymbolRefAttr(symbols.insert(made, function))
        functions.append(made)
        calls.append(call)
    return [list(functions), list(calls)]


def _enclosing_function(op: Operation) -> Operation | None:
    from xgpu.core.ir.calls import is_function

    parent = op.parent_op()
    while parent is not None and not is_function(parent):
        parent = parent.parent_op()
    return parent


def _outline(
    target: Operation, function: Operation, name: str, state: State
) -> tuple[Operation, Operation]:
    """Moves an operation with one region to a function before the one that it is in."""
    rw = TrackingRewriter(state, target)
    types = [result.type for result in target.results]
    region = Region(Block())
    execute = rw.create("scf.execute_region", (), types, regions=(region,))
    inside = TrackingRewriter(state)
    inside.location = target.location
    inside.at_end(region.blocks[0])
    body = target.detach_region(0)
    moved = inside.create(
        target.name,
        list(target.operands),
        types,
        dict(target.properties),
        dict(target.attributes),
        (body,),
    )
    captured = used_values_defined_above(region)
    for old, new in zip(target.results, execute.results, strict=True):
        old.replace_all_uses_with(new)
    target.add_region(Region(Block()))
    rw.replace(target, execute.results)

    entry = block_with([value.type for value in captured], moved.location)
    outer = TrackingRewriter(state, function)
    outer.location = moved.location
    made = outer.create(
        "func.func",
        properties={
            "sym_name": StringAttr(name),
            "function_type": FunctionType.from_lists([v.type for v in captured], types),
        },
        regions=(Region(entry),),
    )
    moved.detach()
    entry.add_op(moved)
    outer.at_end(entry)
    outer.create("func.return", list(moved.results))
    callee = {"callee": SymbolRefAttr(name)}
    call = inside.create("func.call", captured, types, callee)
    inside.create("scf.yield", list(call.results))
    for value, argument in zip(captured, entry.args, strict=True):
        _replace_inside(value, _in_function(value, argument, entry), made)
    return made, call


def _in_function(value: SSAValue, argument: SSAValue, entry: Block) -> SSAValue:
    """What stands for a captured value: its argument, or its copy if it is a constant index."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name != "arith.constant":
        return argument
    if value.type.name != "index":
        return argument
    copy = clone_operation(owner)
    first = entry.first_op
    assert first is not None
    entry.insert_op_before(copy, first)
    return copy.results[0]


def _replace_inside(old: SSAValue, new: SSAValue, function: Operation) -> None:
    for use in list(old.uses):
        if function.is_ancestor(use.operation):
            use.operation.operands[use.index] = new


# --- loop shape ops ------------------------------------------------------------------------------
# transform.loop.*: unrolling, loops of one iteration, scf.parallel as a nest of scf.for.


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
    from xgpu.transforms.scf.loop_unrolling import peel_first, peel_last

    rw = TrackingRewriter(state, target)
    front = flag(op, "peel_front")
    other = peel_first(rw, target) if front else peel_last(rw, target)
    if other is None:
        which = "first" if front else "last"
        raise silenceable(op, f"failed to peel the {which} iteration")
    return [target, other]


def unroll_and_jam_target(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transforms.scf.loop_unrolling import unroll_and_jam

    if target.name == "affine.for":
        raise definite(op, "unrolling affine.for is not supported by xgpu")
    factor = integer(op, "factor", 1)
    if target.name != "scf.for" or not unroll_and_jam(
        lambda anchor: TrackingRewriter(state, anchor), target, factor
    ):
        raise silenceable(op, "failed to unroll and jam")


# --- sibling loops -------------------------------------------------------------------------------
# transform.loop.fuse_sibling: two loops of the same iterations become one.
#
# Source: MLIR 22.1 SCFTransformOps.cpp, LoopLikeInterface.cpp (createFused).


def fuse_sibling(op: Operation, state: State) -> Results:
    targets, sources = state.ops(op.operands[0]), state.ops(op.operands[1])
    if len(targets) != 1 or len(sources) != 1:
        raise definite(
            op,
            f"requires exactly one target handle (got {len(targets)}) and exactly one source "
            f"handle (got {len(sources)})",
        )
    target, source = targets[0], sources[0]
    if not is_loop(target) or not is_loop(source):
        raise silenceable_at(target.location, "target or source is not a loop op")
    _check_siblings(target, source)
    if not _same_iterations(target, source):
        raise silenceable_at(target.location, "operations cannot be fused")
    return [[_fused(TrackingRewriter(state, source), target, source)]]


def _check_siblings(target: Operation, source: Operation) -> None:
    """Whether the target may stand at the source."""
    if target is source:
        raise silenceable_at(source.location, "target and source need to be different loops")
    if target.parent is None or target.parent is not source.parent:
        raise silenceable_at(source.location, "target and source are not in the same block")
    if target.is_before_in_block(source):
        if any(
            not stands_before(source, use.operation)
            for result in target.results
            for use in result.uses
        ):
            text = "user of results of target should be properly dominated by source"
            raise silenceable_at(target.location, text)
        return
    if not all(_is_known_at(value, source) for value in target.operands):
        text = "operands of target should be properly dominated by source"
        raise silenceable_at(target.location, text)
    for inner in target.walk():
        for value in inner.operands:
            owner = value.owner
            if inner is target or not isinstance(owner, Operation) or target.is_ancestor(owner):
                continue
            if not _is_known_at(value, source):
                raise silenceable_at(
                    inner.location,
                    "values used inside regions of target should be properly dominated by source",
                )


def _is_known_at(value: SSAValue, op: Operation) -> bool:
    """Whether a value that is known behind `op` in its block is also known at `op`."""
    owner = value.owner
    if isinstance(owner, Block) or owner.parent is not op.parent:
        return True
    return owner.is_before_in_block(op)


def _same_iterations(target: Operation, source: Operation) -> bool:
    """Whether two loops have the same bounds and steps, as values and numbers."""
    if target.name != source.name:
        return False
    if target.name == "scf.for":
        same = zip(target.operands[:3], source.operands[:3], strict=True)
        return all(a is b for a, b in same)
    if target.name != "scf.forall":
        return False
    names = ("staticLowerBound", "staticUpperBound", "staticStep", "mapping")
    if any(target.properties.get(name) != source.properties.get(name) for name in names):
        return False
    a, b = _dynamic_bounds(target), _dynamic_bounds(source)
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))


def _dynamic_bounds(forall: Operation) -> list[SSAValue]:
    op = cast("scf.ForallOp", forall)
    return [*op.dynamic_lower_bound, *op.dynamic_upper_bound, *op.dynamic_step]


def _fused(rw: TrackingRewriter, target: Operation, source: Operation) -> Operation:
    """One loop at the place of the source, with the body of the target before that of the source;
    the results of the target come first."""
    first, second = target.regions[0].block, source.regions[0].block
    is_for = target.name == "scf.for"
    carried = len(source.results)
    ivs = len(second.args) - carried
    for argument in second.args[ivs:]:
        argument.replace_all_uses_with(first.insert_arg(argument.type, len(first.args)))
    for old, new in zip(second.args[:ivs], first.args[:ivs], strict=True):
        old.replace_all_uses_with(new)
    end, other_end = first.last_op, second.last_op
    assert end is not None
    assert other_end is not None
    for moved in [op for op in second.ops if op is not other_end]:
        moved.detach()
        first.insert_op_before(moved, end)
    if is_for:
        end.operands = [*end.operands, *other_end.operands]
        groups: list[list[SSAValue]] = [[*target.operands, *source.operands[3:]]]
    else:
        for moved in list(other_end.regions[0].block.ops):
            moved.detach()
            end.regions[0].block.add_op(moved)
        kept = cast("scf.ForallOp", target)
        groups = [list(kept.operand_group(index)) for index in range(4)]
        groups[3].extend(cast("scf.ForallOp", source).operand_group(3))
    rw.before(source)
    end.location = rw.location = source.location
    new = rw.create(
        target.name,
        groups[0] if is_for else groups,
        [result.type for result in [*target.results, *source.results]],
        {k: v for k, v in target.properties.items() if k != "operandSegmentSizes"},
        regions=[target.detach_region(0)],
    )
    count = len(target.results)
    source.detach_region(0)
    rw.replace(target, new.results[:count])
    rw.replace(source, new.results[count:])
    return new


# --- affine operations ---------------------------------------------------------------------------
# transform.affine.simplify_min_max_affine_ops.


def simplify_min_max(op: Operation, state: State) -> Results:
    from xgpu.transforms.affine.simplify_min_max import PATTERNS, drop_bounded_results

    targets = state.ops(op.operands[0])
    for target in targets:
        if target.name not in ("affine.min", "affine.max"):
            note = [(target.location, "target op")]
            raise definite(op, "target must be affine.min or affine.max", note)
    patterns = {name: (drop_bounded_results, *found) for name, found in PATTERNS.items()}
    del patterns["affine.apply"]
    rewrite_tracked(targets, patterns, state)
    return []


OPS = {
    "transform.affine.simplify_min_max_affine_ops": simplify_min_max,
    "transform.loop.fuse_sibling": fuse_sibling,
    "transform.loop.unroll_and_jam": each(unroll_and_jam_target),
    "transform.loop.forall_to_for": forall_to_for,
    "transform.loop.forall_to_parallel": forall_to_parallel,
    "transform.loop.pipeline": each(pipeline, "scf.for"),
    "transform.scf.take_assumed_branch": each(take_assumed_branch, "scf.if"),
    "transform.loop.coalesce": each(coalesce),
    "transform.loop.outline": outline,
    "transform.loop.parallel_for_to_nested_fors": parallel_to_nested_fors,
    "transform.loop.peel": each(peel, "scf.for"),
    "transform.loop.promote_if_one_iteration": each(promote),
    "transform.loop.unroll": each(unroll),
}
