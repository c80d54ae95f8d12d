# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors that loops carry, or write in parallel: those that stay as they are, and casts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, Region

from xgpu.dialects.slices import out_of_bounds, slice_lists
from xgpu.dialects.tensor.casts import cast_to, shape_of, uncast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute, BlockArgument, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import scf


# --- forall --------------------------------------------------------------------------------------
def _combining(op: scf.ForallOp) -> list[Operation]:
    """What ends `op`: insertions into its outputs, in parallel."""
    last = op.regions[0].blocks[0].last_op
    assert last is not None
    return list(last.regions[0].blocks[0].ops)


def _arguments(op: scf.ForallOp) -> list[BlockArgument]:
    """The block arguments that stand for the outputs."""
    block: Block = op.regions[0].blocks[0]
    return list(block.args[len(block.args) - len(op.outputs) :])


def _destination(insert: Operation) -> SSAValue | None:
    """Into which argument something is inserted; None for what we do not know."""
    return insert.operands[1] if insert.name == "tensor.parallel_insert_slice" else None


def _properties(op: Operation) -> dict[str, Attribute]:
    return op.properties


def _with_outputs(op: scf.ForallOp, rw: GreedyRewriter, outputs: Sequence[SSAValue]) -> Operation:
    """The same loop, with its body, over other outputs."""
    region = op.detach_region(0)
    properties = {k: v for k, v in _properties(op).items() if k != "operandSegmentSizes"}
    new = rw.create(
        op.name,
        (op.dynamic_lower_bound, op.dynamic_upper_bound, op.dynamic_step, outputs),
        [output.type for output in outputs],
        properties,
        dict(op.attributes),
        [region],
    )
    op.add_region(Region(Block()))
    return new


def unchanged_outputs(op: scf.ForallOp, rw: GreedyRewriter) -> bool:
    """Outputs that nothing is inserted into are what they were; those that nobody reads after the
    loop go, too, with what is inserted into them"""
    inserts = _combining(op)
    written = [_destination(insert) for insert in inserts]
    if None in written:
        return False
    block: Block = op.regions[0].blocks[0]
    outputs, arguments = list(op.outputs), _arguments(op)
    kept = [
        at
        for at, argument in enumerate(arguments)
        if op.results[at].first_use is not None and argument in written
    ]
    if len(kept) == len(outputs):
        return False
    dropped = [at for at in range(len(outputs)) if at not in kept]
    gone = [arguments[at] for at in dropped]
    for insert, argument in zip(inserts, written, strict=True):
        if argument in gone:
            rw.erase(insert)
    for at in reversed(dropped):
        rw.replace_all_uses(arguments[at], outputs[at])
        rw.replace_all_uses(op.results[at], outputs[at])
        block.erase_arg(arguments[at])
    new = _with_outputs(op, rw, [outputs[at] for at in kept])
    for at, result in zip(kept, new.results, strict=True):
        rw.replace_all_uses(op.results[at], result)
    rw.erase(op)
    return True


def fold_output_casts(op: scf.ForallOp, rw: GreedyRewriter) -> bool:
    """forall over a cast that forgets sizes -> cast of a forall over what is cast"""
    inserts, arguments = _combining(op), _arguments(op)
    outputs: list[SSAValue] = list(op.outputs)
    changed: list[int] = []
    for at, output in enumerate(op.outputs):
        source = uncast(output)
        if source is None or source.type == output.type:
            continue
        into = [insert for insert in inserts if arguments[at] in insert.operands]
        if all(_fits(insert, arguments[at], source) for insert in into):
            outputs[at] = source
            changed.append(at)
    if not changed:
        return False
    block: Block = op.regions[0].blocks[0]
    for at in changed:
        argument, old = arguments[at], arguments[at].type
        rw.at_start(block)
        fresh = block.insert_arg(outputs[at].type, argument.index)
        known = rw.value("tensor.cast", (fresh,), old)
        for insert in inserts:
            if insert.operands[1] is argument:
                rw.set_operand(insert, 1, fresh)
        rw.replace_all_uses(argument, known)
        block.erase_arg(argument)
    rw.at(op)
    kinds = [result.type for result in op.results]
    new = _with_outputs(op, rw, outputs)
    rw.replace(op, [cast_to(rw, r, kind) for r, kind in zip(new.results, kinds, strict=True)])
    return True


def _fits(insert: Operation, argument: SSAValue, source: SSAValue) -> bool:
    """Whether an insertion into `argument` may be one into a tensor of the sizes of `source`."""
    if _destination(insert) is not argument:
        return False
    return out_of_bounds(shape_of(source), slice_lists(insert)) is None


# --- for -----------------------------------------------------------------------------------------
def fold_carried_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """for over a cast that forgets sizes, whose result has one user -> cast of a for over what is
    cast, which is cast in the loop instead"""
    for at, result in enumerate(op.results):
        source = uncast(op.operands[3 + at])
        if source is not None and source.type != result.type and result.has_one_use():
            _carry(op, rw, at, source)
            return True
    return False


def _carry(op: Operation, rw: GreedyRewriter, at: int, source: SSAValue) -> None:
    """Lets a loop carry `source` as its value number `at`, which was a cast of it."""
    block: Block = op.regions[0].blocks[0]
    last = block.last_op
    assert last is not None
    old = op.results[at].type
    rw.at_start(block)
    argument = block.args[1 + at]
    fresh = block.insert_arg(source.type, 1 + at)
    rw.replace_all_uses(argument, rw.value("tensor.cast", (fresh,), old))
    block.erase_arg(argument)
    rw.at(last)
    rw.set_operand(last, at, rw.value("tensor.cast", (last.operands[at],), source.type))
    rw.at(op)
    region = op.detach_region(0)
    operands, kinds = list(op.operands), [result.type for result in op.results]
    operands[3 + at], kinds[at] = source, source.type
    new = rw.create(op.name, operands, kinds, dict(op.properties), dict(op.attributes), [region])
    op.add_region(Region(Block()))
    results: list[SSAValue] = list(new.results)
    results[at] = rw.value("tensor.cast", (results[at],), old)
    rw.replace(op, results)
