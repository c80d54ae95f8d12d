# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of `scf.while`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter


# -- Canonicalization patterns of `scf.while` that reorder what it carries, or move code in it.
#
# Source: MLIR 22.1 SCF.cpp.


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


def _before(op: Operation) -> Block:
    return op.regions[0].blocks[0]


def _after(op: Operation) -> Block:
    return op.regions[1].blocks[0]


def _last(block: Block) -> Operation:
    last = block.last_op
    assert last is not None
    return last


def _outside(value: SSAValue, op: Operation) -> bool:
    parent = value.owner.parent_op()
    while parent is not None:
        if parent is op:
            return False
        parent = parent.parent_op()
    return True


def condition_is_true(op: Operation, rw: GreedyRewriter) -> bool:
    """In the after region, an argument that is the condition is true"""
    condition = _last(_before(op))
    constant: SSAValue | None = None
    for i, value in enumerate(list(condition.operands)[1:]):
        arg = _after(op).args[i]
        if value is condition.operands[0] and arg.first_use is not None:
            if constant is None:
                rw.at(op)
                attr = IntegerAttr.from_bool(True)
                constant = rw.value("arith.constant", (), i1, {"value": attr})
            rw.replace_all_uses(arg, constant)
    return constant is not None


def compared_condition(op: Operation, rw: GreedyRewriter) -> bool:
    """In the after region, eq and ne comparisons with the condition's operands are known"""
    condition = _last(_before(op))
    cmp = condition.operands[0].owner
    if not isinstance(cmp, Operation) or cmp.name != "arith.cmpi":
        return False
    number = cast("IntegerAttr", cmp.properties["predicate"])
    changed = False
    for i, value in enumerate(list(condition.operands)[1:]):
        arg = _after(op).args[i]
        for at in range(2):
            if value is not cmp.operands[at]:
                continue
            for use in list(arg.uses):
                user = use.operation
                if (
                    user.name != "arith.cmpi"
                    or user.operands[1 - use.index] is not (cmp.operands[1 - at])
                ):
                    continue
                theirs = cast("IntegerAttr", user.properties["predicate"])
                if use.index != at:
                    continue
                same = theirs.value.data == number.value.data
                inverse = (1, 0, 5, 4, 3, 2, 9, 8, 7, 6)[number.value.data]
                if not same and theirs.value.data != inverse:
                    continue
                rw.at(user)
                attr = cast("IntegerAttr", IntegerAttr.from_bool(same))
                rw.replace_with(user, "arith.constant", (), (i1,), {"value": attr})
                changed = True
    return changed


def _rebuild(
    op: Operation,
    rw: GreedyRewriter,
    inits: list[SSAValue],
    kept_results: list[int],
) -> Operation:
    """A while with the same regions, these initial values and only these results."""
    regions: list[Region] = [op.detach_region(0), op.detach_region(0)]
    rw.at(op)
    new = rw.create(
        op.name,
        inits,
        [op.results[i].type for i in kept_results],
        dict(op.properties),
        dict(op.attributes),
        regions,
    )
    for at, i in enumerate(kept_results):
        rw.replace_all_uses(op.results[i], new.results[at])
    op.add_region(Region(Block()))
    op.add_region(Region(Block()))
    return new


def unused_results(op: Operation, rw: GreedyRewriter) -> bool:
    """Results that neither a user of the loop nor the after region needs go"""
    after = _after(op)
    kept = [
        i
        for i, r in enumerate(op.results)
        if r.first_use is not None or after.args[i].first_use is not None
    ]
    if len(kept) == len(op.results):
        return False
    condition = _last(_before(op))
    values = list(condition.operands)
    rw.set_operands(condition, [values[0], *(values[1 + i] for i in kept)])
    for i in range(len(after.args) - 1, -1, -1):
        if i not in kept:
            after.erase_arg(after.args[i])
    _rebuild(op, rw, list(op.operands), kept)
    rw.erase(op)
    return True


def duplicated_results(op: Operation, rw: GreedyRewriter) -> bool:
    """A value that the condition passes on twice is passed on once"""
    condition = _last(_before(op))
    values = list(condition.operands)[1:]
    first: dict[SSAValue, int] = {}
    changed = False
    for i, value in enumerate(values):
        at = first.setdefault(value, i)
        if at == i:
            continue
        if op.results[i].first_use is not None or _after(op).args[i].first_use is not None:
            rw.replace_all_uses(op.results[i], op.results[at])
            rw.replace_all_uses(_after(op).args[i], _after(op).args[at])
            changed = True
    return changed


def invariant_arguments(op: Operation, rw: GreedyRewriter) -> bool:
    """Arguments that are always their initial value are that value"""
    before, after = _before(op), _after(op)
    condition, back = _last(before), _last(after)
    inits = list(op.operands)
    invariant: list[int] = []
    for i, init in enumerate(inits):
        value = back.operands[i]
        if value is init:
            invariant.append(i)
        elif value.owner is after:
            passed = condition.operands[1 + value.index]  # type: ignore[attr-defined]
            if passed is before.args[i] or passed is init:
                invariant.append(i)
    if not invariant:
        return False
    for i in invariant:
        rw.replace_all_uses(before.args[i], inits[i])
    kept = [i for i in range(len(inits)) if i not in invariant]
    rw.set_operands(back, [back.operands[i] for i in kept])
    for i in reversed(invariant):
        before.erase_arg(before.args[i])
    _rebuild(op, rw, [inits[i] for i in kept], list(range(len(op.results))))
    rw.erase(op)
    return True


def invariant_results(op: Operation, rw: GreedyRewriter) -> bool:
    """A value from above that the condition passes on is used directly"""
    condition = _last(_before(op))
    changed = False
    for i, value in enumerate(list(condition.operands)[1:]):
        if not _outside(value, op):
            continue
        arg, result = _after(op).args[i], op.results[i]
        if arg.first_use is not None or result.first_use is not None:
            rw.replace_all_uses(arg, value)
            rw.replace_all_uses(result, value)
            changed = True
    if changed:
        rw.modified(op)  # it has results without users now, and perhaps no others
    return changed


def unused_arguments(op: Operation, rw: GreedyRewriter) -> bool:
    """Arguments of the before region that nothing uses go"""
    before, back = _before(op), _last(_after(op))
    kept = [i for i, a in enumerate(before.args) if a.first_use is not None]
    if len(kept) == len(before.args) or back.name != "scf.yield":
        return False
    rw.set_operands(back, [back.operands[i] for i in kept])
    inits = [op.operands[i] for i in kept]
    for i in range(len(before.args) - 1, -1, -1):
        if i not in kept:
            before.erase_arg(before.args[i])
    _rebuild(op, rw, inits, list(range(len(op.results))))
    rw.erase(op)
    return True


WHILE_PATTERNS = (
    invariant_arguments,
    invariant_results,
    condition_is_true,
    compared_condition,
    unused_results,
    duplicated_results,
    unused_arguments,
    *ORDER_PATTERNS,
)
