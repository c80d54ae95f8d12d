# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unrolling, jamming and peeling scf.for, and loops of one iteration without the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineSymExpr

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import clone_operation
from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import attribute_constant

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter


# --- loop unrolling ------------------------------------------------------------------------------
# Unrolling scf.for by a factor, and loops of one iteration without the loop.
#
# Source: MLIR 22.1 SCF/Utils/Utils.cpp (loopUnrollByFactor), SCF.cpp (promoteIfSingleIteration).


def trip_count(loop: Operation) -> int | None:
    """How often an scf.for runs, if that is constant."""
    lower, upper, step = (int_of(v) for v in loop.operands[:3])
    if lower is None or upper is None or not step:
        return None
    return max(0, -(-(upper - lower) // step))


def _constant(rw: Rewriter, value: int, like: SSAValue) -> SSAValue:
    ty = cast("IntegerType | IndexType", like.type)
    return attribute_constant(rw, IntegerAttr(value, ty), ty)


def _arith(rw: Rewriter, name: str, left: SSAValue, right: SSAValue) -> SSAValue:
    return rw.value(f"arith.{name}", (left, right), left.type)


def _yield_of(block: Block) -> Operation:
    last = block.last_op
    assert last is not None
    return last


def promote_if_one_iteration(rw: Rewriter, loop: Operation) -> bool:
    """The body in place of a loop that runs once; whether it does."""
    if trip_count(loop) != 1:
        return False
    block: Block = loop.regions[0].block
    arguments = [loop.operands[0], *loop.operands[3:]]
    for argument, value in zip(block.args, arguments, strict=True):
        argument.replace_all_uses_with(value)
    last = _yield_of(block)
    values = list(last.operands)
    rw.erase(last)
    for inner in list(block.ops):
        inner.detach()
        cast("Block", loop.parent).insert_op_before(inner, loop)
    rw.replace(loop, values)
    return True


def unroll_by_factor(rw: Rewriter, loop: Operation, factor: int) -> bool:
    """Unrolls an scf.for; what is left over becomes a second loop. Whether it was possible."""
    count = trip_count(loop)
    if factor == 1:
        if count == 1:
            promote_if_one_iteration(rw, loop)
        return True
    rw.before(loop)
    rw.location = loop.location
    lower, upper, step = loop.operands[:3]
    if count is not None:
        first, size = int_of(lower), int_of(step)
        assert first is not None
        assert size is not None
        end = first + (count - count % factor) * size
        last = int_of(upper)
        assert last is not None
        rest = end < last
        new_upper = _constant(rw, end, upper) if rest else upper
        new_step = _constant(rw, size * factor, step)
    else:
        rest = True
        new_upper, new_step = _dynamic_bounds(rw, lower, upper, step, factor)
    if rest:
        _add_rest(rw, loop, new_upper)
    loop.operands[1] = new_upper
    loop.operands[2] = new_step
    _copy_body(rw, loop, step, factor)
    promote_if_one_iteration(rw, loop)
    return True


def _dynamic_bounds(
    rw: Rewriter, lower: SSAValue, upper: SSAValue, step: SSAValue, factor: int
) -> tuple[SSAValue, SSAValue]:
    distance = _arith(rw, "subi", upper, lower)
    one = _constant(rw, 1, step)
    padded = _arith(rw, "addi", distance, _arith(rw, "subi", step, one))
    count = _arith(rw, "divui", padded, step)
    times = _constant(rw, factor, step)
    even = _arith(rw, "subi", count, _arith(rw, "remsi", count, times))
    end = _arith(rw, "addi", lower, _arith(rw, "muli", even, step))
    return end, _arith(rw, "muli", step, times)


def _add_rest(rw: Rewriter, loop: Operation, lower: SSAValue) -> None:
    """The iterations from `lower` on, which start from what the loop before them gives."""
    rest: Operation = clone_operation(loop)
    rw.after(loop)
    rw.insert(rest)
    for old, new in zip(loop.results, rest.results, strict=True):
        old.replace_all_uses_with(new)
    rest.operands[0] = lower
    for index, result in enumerate(loop.results):
        rest.operands[3 + index] = result
    promote_if_one_iteration(rw, rest)


def _copy_body(rw: Rewriter, loop: Operation, step: SSAValue, factor: int) -> None:
    block: Block = loop.regions[0].block
    last = _yield_of(block)
    original = [op for op in block.ops if op is not last]
    yielded = list(last.operands)
    wanted = list(last.operands)
    iv, *carried = block.args
    used = iv.first_use is not None
    for copy in range(1, factor):
        values: dict[SSAValue, SSAValue] = dict(zip(carried, yielded, strict=True))
        rw.before(last)
        rw.location = loop.location
        if used:
            by = _arith(rw, "muli", step, _constant(rw, copy, iv))
            values[iv] = _arith(rw, "addi", iv, by)
        for op in original:
            rw.insert(clone_operation(op, values))
        yielded = [values.get(v, v) for v in wanted]
    if wanted:
        last.operands = yielded


# --- unroll and jam ------------------------------------------------------------------------------
# Iterations of an outer loop side by side in its inner loops.
#
# Source: MLIR 22.1 SCF/Utils/Utils.cpp (loopUnrollJamByFactor), LoopUtils.h (JamBlockGatherer).


def unroll_and_jam(
    rewriters: Callable[[Operation], Rewriter], loop: Operation, factor: int
) -> bool:
    """Runs `factor` iterations of a loop without results in one; whether that is possible."""
    if factor == 1:
        return True
    inner = [op for op in loop.walk(region_first=True) if op.name == "scf.for" and op is not loop]
    for bounds in (op.operands[:3] for op in inner):
        if any(_is_inside(value, loop) for value in bounds):
            return False
    count = trip_count(loop)
    if loop.results or not count:
        return False
    factor = min(factor, count)
    if count % factor:
        return False
    block: Block = loop.regions[0].block
    if block.first_op is block.last_op:
        return True
    # Runs of operations between loops, each of which gets copies behind it.
    runs = _runs_between_loops(loop)
    copies: list[dict[SSAValue, SSAValue]] = [{} for _ in range(factor - 1)]
    wider = [_widen(rewriters(op), op, copies) for op in inner]
    rw = rewriters(loop)
    rw.before(loop)
    rw.location = loop.location
    step = int_of(loop.operands[2])
    assert step is not None
    _constant(rw, factor, loop.operands[2])
    loop.operands[2] = _constant(rw, step * factor, loop.operands[2])
    iv = block.args[0]
    for number in range(factor - 1, 0, -1):
        values = copies[number - 1]
        for run in runs:
            following = run[-1].next_op
            assert following is not None
            rw.before(following)
            rw.location = loop.location
            if iv.first_use is not None:
                values[iv] = _arith(rw, "addi", iv, _constant(rw, step * number, iv))
            for op in run:
                rw.insert(clone_operation(op, values))
        for new, old in wider:
            last = _yield_of(new.regions[0].block)
            for index in range(old):
                start, end = new.operands[3 + index], last.operands[index]
                new.operands[3 + number * old + index] = values.get(start, start)
                last.operands[number * old + index] = values.get(end, end)
    promote_if_one_iteration(rewriters(loop), loop)
    return True


def _is_inside(value: SSAValue, loop: Operation) -> bool:
    owner = value.owner
    op = owner.parent_op() if isinstance(owner, Block) else owner
    return op is not None and loop.is_ancestor(op)


def _runs_between_loops(op: Operation) -> list[list[Operation]]:
    """The operations between loops, terminators of bodies apart, outermost loops' in order."""
    found: list[list[Operation]] = []
    for region in op.regions:
        for block in region.blocks:
            run: list[Operation] = []
            for inner in block.ops:
                if inner is block.last_op:
                    continue
                if inner.name == "scf.for":
                    if run:
                        found.append(run)
                    run = []
                    found.extend(_runs_between_loops(inner))
                else:
                    run.append(inner)
            if run:
                found.append(run)
    return found


def _widen(
    rw: Rewriter, loop: Operation, copies: list[dict[SSAValue, SSAValue]]
) -> tuple[Operation, int]:
    """A loop that carries what `loop` does once more for each copy, and how much that is."""
    block: Block = loop.regions[0].block
    old = len(loop.results)
    if not old:
        return loop, 0
    last = _yield_of(block)
    rw.before(loop)
    starts, ends = list(loop.operands[3:]), list(last.operands)
    for values in copies:
        for index in range(old):
            values[block.args[1 + index]] = block.insert_arg(starts[index].type, len(block.args))
    last.operands = ends * (len(copies) + 1)
    new = rw.create(
        "scf.for",
        [*loop.operands[:3], *starts * (len(copies) + 1)],
        [value.type for value in starts] * (len(copies) + 1),
        dict(loop.properties),
        dict(loop.attributes),
        [loop.detach_region(0)],
    )
    for number, values in enumerate(copies, 1):
        values.update(zip(new.results[:old], new.results[number * old :], strict=False))
    rw.replace(loop, new.results[:old])
    return new, old


# --- loop peeling --------------------------------------------------------------------------------
# Peeling scf.for: the last, partial iteration or the first one as a loop of its own.
#
# Source: MLIR 22.1 SCF/Transforms/LoopSpecialization.cpp. The affine.min and affine.max that
# peeling makes superfluous stay.


def _bounds(loop: Operation) -> list[Mixed]:
    found: list[Mixed] = []
    for value in loop.operands[:3]:
        known = int_of(value)
        found.append(value if known is None else known)
    return found


def peel_last(rw: Rewriter, loop: Operation) -> Operation | None:
    """The loop of what is left when whole steps are done; None if nothing ever is."""
    lower, upper, step = _bounds(loop)
    if step == 1:
        return None
    known = isinstance(lower, int) and isinstance(upper, int) and isinstance(step, int)
    if known and (upper - lower) % step == 0:  # type: ignore[operator]
        return None
    rw.before(loop)
    rw.location = loop.location
    rest = AffineBinaryOpExpr(
        AffineBinaryOpKind.Mod, AffineSymExpr(1) - AffineSymExpr(0), AffineSymExpr(2)
    )
    middle = index_math.apply(rw, AffineSymExpr(1) - rest, [lower, upper, step])
    split = index_math.as_value(rw, middle)
    partial = clone_operation(loop)
    rw.after(loop)
    rw.insert(partial)
    for old, new in zip(loop.results, partial.results, strict=True):
        old.replace_all_uses_with(new)
    partial.operands[0] = split
    for index, result in enumerate(loop.results):
        partial.operands[3 + index] = result
    loop.operands[1] = split
    return partial


def peel_first(rw: Rewriter, loop: Operation) -> Operation | None:
    """The loop of the first iteration, which comes before the others; None if there are none."""
    lower, upper, step = _bounds(loop)
    known = isinstance(lower, int) and isinstance(upper, int) and isinstance(step, int)
    if known and -(-(upper - lower) // step) <= 1:  # type: ignore[operator]
        return None
    rw.before(loop)
    rw.location = loop.location
    middle = index_math.apply(rw, AffineSymExpr(0) + AffineSymExpr(1), [lower, step])
    split = index_math.as_value(rw, middle)
    first = clone_operation(loop)
    rw.insert(first)
    first.operands[1] = split
    loop.operands[0] = split
    for index, result in enumerate(first.results):
        loop.operands[3 + index] = result
    return first
