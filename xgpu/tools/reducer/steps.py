# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Single steps that make a program smaller. Each changes IR in place and says whether it could;
whether the result is valid is the verifier's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.core.ir.dominance import reachable_blocks

if TYPE_CHECKING:
    from xdsl.ir import Region


def may_erase(gone: Sequence[Operation]) -> bool:
    """Whether nothing outside of the operations uses what they define."""
    leaving = set(map(id, gone))
    return all(
        _inside(use.operation, leaving)
        for op in gone
        for result in op.results
        for use in result.uses
    )


def _inside(op: Operation | None, leaving: set[int]) -> bool:
    while op is not None:
        if id(op) in leaving:
            return True
        op = op.parent_op()
    return False


def erase_all(gone: Sequence[Operation]) -> None:
    """Erases operations that only they themselves use."""
    for op in gone:
        op.detach()
    for op in gone:
        op.erase(safe_erase=False)


def _candidates(op: Operation) -> list[SSAValue]:
    """Values that are there before `op`: its operands first, then those of its block, then those
    of the blocks around it."""
    found: list[SSAValue] = list(op.operands)
    block: Block | None = op.parent
    before: Operation | None = op
    while block is not None and before is not None:
        found += block.args
        earlier = before.prev_op
        while earlier is not None:
            found += earlier.results
            earlier = earlier.prev_op
        before = block.parent_op()
        block = before.parent if before is not None else None
    return found


def replaceable_by(op: Operation, number: int) -> bool:
    """Puts for each result the value of its type that comes in place `number`."""
    if op.next_op is None or op.successors:
        return False  # a terminator
    known = _candidates(op)
    replacements: list[SSAValue] = []
    for result in op.results:
        same = list(dict.fromkeys(value for value in known if value.type == result.type))
        if not any(True for _ in result.uses):
            replacements.append(result)
            continue
        if number >= len(same):
            return False
        replacements.append(same[number])
    for result, value in zip(op.results, replacements, strict=True):
        if result is not value:
            result.replace_all_uses_with(value)
    erase_all([op])
    return True


def hoist_region(op: Operation, number: int) -> bool:
    """Puts the body of a region of one block where the operation is.

    The terminator's operands take the place of the results; arguments of the block, that of
    operands of the same types.
    """
    region = op.regions[number]
    if op.parent is None or op.parent_op() is None or len(region.blocks) != 1:
        return False
    body = region.blocks[0]
    last = body.last_op
    if last is None or last.successors or last.regions or op.next_op is None:
        return False
    values: list[SSAValue] = list(last.operands)[-len(op.results) :] if op.results else []
    if [value.type for value in values] != [result.type for result in op.results]:
        return False
    if not _replace_arguments(op, body):
        return False
    erase_all([last])
    for inner in list(body.ops):
        inner.detach()
        op.parent.insert_op_before(inner, op)
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    erase_all([op])
    return True


def _replace_arguments(op: Operation, body: Block) -> bool:
    for argument in body.args:
        same = next((v for v in op.operands if v.type == argument.type), None)
        if same is None and any(True for _ in argument.uses):
            return False
        if same is not None:
            argument.replace_all_uses_with(same)
    return True


def one_way(op: Operation, number: int) -> bool:
    """Makes a branch go to one of its successors always, and erases blocks that nobody comes to."""
    from xgpu.core import ods
    from xgpu.core.ir.branches import successor_operands

    jump = {"cf": "cf.br", "llvm": "llvm.br"}.get(op.name.partition(".")[0])
    block = op.parent
    if jump is None or block is None or op.regions:
        return False
    operands = successor_operands(op, number)
    if operands is None:
        return False
    new = ods.create(jump, operands, successors=(op.successors[number],))
    new.location = op.location
    erase_all([op])
    block.add_op(new)
    _erase_unreachable(block)
    return True


def merge_target(op: Operation) -> bool:
    """Puts the block that a branch goes to, and nobody else, in place of the branch."""
    from xgpu.core.ir.branches import predecessor_edges, successor_operands

    block, operands = op.parent, None
    if block is not None and len(op.successors) == 1:
        operands = successor_operands(op, 0)
    if operands is None:
        return False
    target = op.successors[0]
    if target is block or len(predecessor_edges(target)) != 1 or target.prev_block is None:
        return False
    for argument, value in zip(target.args, operands, strict=True):
        argument.replace_all_uses_with(value)
    erase_all([op])
    for inner in list(target.ops):
        inner.detach()
        block.add_op(inner)  # pyright: ignore[reportOptionalMemberAccess]
    cast("Region", target.parent).detach_block(target)
    return True


def _erase_unreachable(block: Block) -> None:
    region = cast("Region", block.parent)
    reached = reachable_blocks(region)
    gone = [b for b in region.blocks if b not in reached]
    for b in gone:
        for op in b.ops:
            op.drop_all_references()
    for b in gone:
        region.detach_block(b)


def drop_unused_arguments(op: Operation) -> bool:
    """Leaves out the arguments of a function that nobody uses; its calls make that invalid."""
    from xdsl.dialects.builtin import FunctionType

    kind = op.properties.get("function_type")
    if op.name != "func.func" or not op.regions[0].blocks or not isinstance(kind, FunctionType):
        return False
    entry = op.regions[0].blocks[0]
    unused: list[BlockArgument] = [a for a in entry.args if not any(True for _ in a.uses)]
    if not unused or op.properties.get("arg_attrs") is not None:
        return False
    for argument in unused:
        entry.erase_arg(argument)
    op.properties["function_type"] = FunctionType.from_lists(
        [a.type for a in entry.args], list(kind.outputs.data)
    )
    return True
