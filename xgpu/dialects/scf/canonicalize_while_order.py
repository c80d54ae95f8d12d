# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of `scf.while` that reorder what it carries, or move code in it.

Source: MLIR 22.1 SCF.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter


def _ends(op: Operation) -> tuple[Block, Operation, Block, Operation]:
    """The two bodies, each with its terminator."""
    before, after = op.regions[0].blocks[0], op.regions[1].blocks[0]
    condition, back = before.last_op, after.last_op
    assert condition is not None
    assert back is not None
    return before, condition, after, back


def _with_results(op: Operation, rw: GreedyRewriter, order: list[int | SSAValue]) -> Operation:
    """A while with the regions of `op`: its results are old ones, by number, or of the types of
    values. The old one stays behind with empty regions."""
    regions: list[Region] = [op.detach_region(0), op.detach_region(0)]
    rw.at(op)
    types = [op.results[i].type if isinstance(i, int) else i.type for i in order]
    new = rw.create(
        op.name, list(op.operands), types, dict(op.properties), dict(op.attributes), regions
    )
    op.add_region(Region(Block()))
    op.add_region(Region(Block()))
    return new


def duplicated_arguments(op: Operation, rw: GreedyRewriter) -> bool:
    """Arguments that begin with one value and go on with one are one"""
    before, _, _, back = _ends(op)
    if back.name != "scf.yield":
        return False
    first: dict[tuple[SSAValue, SSAValue], BlockArgument] = {}
    changed = False
    for argument in before.args:
        key = (op.operands[argument.index], back.operands[argument.index])
        known = first.setdefault(key, argument)
        if known is not argument and argument.first_use is not None:
            rw.replace_all_uses(argument, known)
            changed = True
    return changed


def align_results(op: Operation, rw: GreedyRewriter) -> bool:
    """What the condition passes on is in the order of the arguments, if it is just those"""
    before, condition, after, _ = _ends(op)
    passed = list(condition.operands)[1:]
    arguments = list(before.args)
    if passed == arguments or len(passed) != len(arguments) or set(passed) != set(arguments):
        return False
    #: By argument, where it is among what is passed on.
    order = [passed.index(argument) for argument in arguments]
    rw.set_operands(condition, [condition.operands[0], *arguments])
    new = _with_results(op, rw, [*order])
    old_args = list(after.args)
    for i in order:
        added = after.insert_arg(old_args[i].type, len(after.args), old_args[i].location)
        rw.replace_all_uses(old_args[i], added)
    for argument in reversed(old_args):
        after.erase_arg(argument)
    results = list(op.results)
    for at, i in enumerate(order):
        rw.replace_all_uses(results[i], new.results[at])
    rw.erase(op)
    return True


def move_if_down(op: Operation, rw: GreedyRewriter) -> bool:
    """What happens at the end of the first body if the loop goes on happens in the second body"""
    before, condition, after, _ = _ends(op)
    branch = condition.prev_op
    if branch is None or branch.name != "scf.if":
        return False
    if branch.operands[0] is not condition.operands[0]:
        return False
    other = branch.regions[1].first_block
    if other is not None and other.first_op is not other.last_op:
        return False
    then = branch.regions[0].blocks[0]
    leave = then.last_op
    assert leave is not None
    for i, value in enumerate(list(condition.operands)[1:]):
        if value.owner is not branch or other is None or other.last_op is None:
            continue
        at = list(branch.results).index(value)  # pyright: ignore[reportArgumentType]
        rw.replace_all_uses(value, other.last_op.operands[at])
        rw.replace_all_uses(after.args[i], leave.operands[at])
    extra = _used_from(before, branch)
    new = _with_results(op, rw, [*range(len(op.results)), *extra])
    rw.set_operands(condition, [*condition.operands, *extra])
    for value in extra:
        argument = after.insert_arg(value.type, len(after.args), op.location)
        for use in list(value.uses):
            if branch.is_ancestor(use.operation) and use.operation is not branch:
                rw.set_operand(use.operation, use.index, argument)
    rw.erase(leave)
    first = after.first_op
    assert first is not None
    rw.inline_block(then, first)
    rw.erase(branch)
    rw.replace(op, new.results[: len(op.results)])
    return True


def _used_from(before: Block, branch: Operation) -> list[SSAValue]:
    """The values of the first body that the first region of `branch` uses."""
    found: dict[SSAValue, None] = {}
    for inner in branch.regions[0].walk():
        for value in inner.operands:
            if _block_of(value) is before:
                found[value] = None
    return list(found)


def _block_of(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent


ORDER_PATTERNS = (duplicated_arguments, align_results, move_if_down)
