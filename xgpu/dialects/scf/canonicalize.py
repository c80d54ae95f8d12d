# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the scf dialect: `for`, `execute_region`, `index_switch`.

Those of `if`, `while` and the parallel loops are in files of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.core.ir.constants import int_of, width_of
from xgpu.core.ir.integer_arithmetic import unsigned
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.scf.canonicalize_if import IF_PATTERNS
from xgpu.dialects.scf.canonicalize_outputs import fold_carried_cast
from xgpu.dialects.scf.canonicalize_parallel import PARALLEL_PATTERNS
from xgpu.dialects.scf.canonicalize_results import drop_results, is_inside
from xgpu.dialects.scf.canonicalize_while import WHILE_PATTERNS

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import scf


def inline_single_block(op: Operation, rw: GreedyRewriter, arguments: list[SSAValue]) -> None:
    """Replaces `op` with the content of its first region's block and what that yields."""
    block = op.regions[0].blocks[0]
    terminator = block.last_op
    assert terminator is not None
    rw.inline_block(block, op, arguments)
    rw.replace(op, list(terminator.operands))
    rw.erase(terminator)


def trip_count(op: Operation) -> int | None:
    """How often a `scf.for` runs, or None."""
    lower, upper, step = (int_of(op.operands[i]) for i in range(3))
    width = width_of(op.operands[0].type)
    is_unsigned = "unsignedCmp" in op.properties
    if op.operands[0] is op.operands[1]:
        return 0
    if step is None:
        return None
    if step <= 0:
        # A step has to be positive: such a loop is said to do nothing. One below zero may be meant
        # as an unsigned number.
        return None if is_unsigned and step < 0 else 0
    if lower is not None and upper is not None:
        if is_unsigned:
            lower, upper = unsigned(lower, width), unsigned(upper, width)
        return max(0, -(-(upper - lower) // step))
    # An upper bound of lower bound + constant, which cannot wrap.
    added = op.operands[1].owner
    if isinstance(added, Operation) and added.name == "arith.addi":
        flags = getattr(added.properties.get("overflowFlags"), "flags", ())
        for a, b in ((0, 1), (1, 0)):
            distance = int_of(added.operands[b])
            if added.operands[a] is op.operands[0] and distance is not None:
                if ("nuw" if is_unsigned else "nsw") not in flags:
                    return None
                return max(0, -(-distance // step))
    return None


def trivial_for(op: Operation, rw: GreedyRewriter) -> bool:
    """A loop that runs never or once, or whose body does nothing, goes"""
    inits = list(op.operands)[3:]
    block: Block = op.regions[0].blocks[0]
    count = trip_count(op)
    if count == 0:
        rw.replace(op, inits)
        return True
    if count == 1:
        inline_single_block(op, rw, [op.operands[0], *inits])
        return True
    if count is None:
        return False
    # More than one iteration of nothing: what is yielded from outside is the result.
    terminator = block.last_op
    if terminator is None or terminator is not block.first_op:
        return False
    yielded = list(terminator.operands)
    if any(is_inside(value, op) for value in yielded):
        return False
    rw.replace(op, yielded)
    return True


def unchanging_iter_args(op: Operation, rw: GreedyRewriter) -> bool:
    """Loop-carried values that never change, are never used, or are carried twice go"""
    block: Block = op.regions[0].blocks[0]
    terminator = block.last_op
    assert terminator is not None
    inits, yields = list(op.operands)[3:], list(terminator.operands)
    constant = _constant_iter_args(inits, list(block.args[1:]), yields)
    kept: list[int] = []
    known: dict[tuple[SSAValue, SSAValue], int] = {}
    changed = False
    for i, init in enumerate(inits):
        arg, result, yielded = block.args[i + 1], op.results[i], yields[i]
        unused = arg.first_use is None and result.first_use is None
        if i in constant or unused:
            rw.replace_all_uses(arg, init)
            rw.replace_all_uses(result, init)
            changed = True
        elif (init, yielded) in known:
            same = known[init, yielded]
            rw.replace_all_uses(arg, block.args[same + 1])
            rw.replace_all_uses(result, op.results[same])
            changed = True
        else:
            known[init, yielded] = i
            kept.append(i)
    if not changed:
        return False
    rebuild_for(op, rw, kept)
    return True


def _constant_iter_args(
    inits: list[SSAValue], args: list[BlockArgument], yields: list[SSAValue]
) -> set[int]:
    """Which loop-carried values keep what they begin with: they get that again, or another of
    them that has the same."""
    places = {arg: i for i, arg in enumerate(args)}
    source = [places.get(value) for value in yields]  # type: ignore[call-overload]
    constant = set(range(len(inits)))
    pending = list(constant)
    users: dict[int, list[int]] = {}
    for i, at in enumerate(source):
        if at is not None:
            users.setdefault(at, []).append(i)
    while pending:
        i = pending.pop()
        at = source[i]
        keeps = yields[i] is inits[i] or (at in constant and inits[at] is inits[i])
        if i in constant and not keeps:
            constant.remove(i)
            pending += users.get(i, ())
    return constant


def rebuild_for(op: Operation, rw: GreedyRewriter, kept: list[int]) -> None:
    """Leaves only the loop-carried values `kept`; the others have no users."""
    block: Block = op.regions[0].blocks[0]
    terminator = block.last_op
    assert terminator is not None
    yielded = [terminator.operands[i] for i in kept]
    rw.set_operands(terminator, yielded)
    for i in range(len(block.args) - 2, -1, -1):
        if i not in kept:
            block.erase_arg(block.args[i + 1], safe_erase=False)
    region: Region = op.detach_region(0)
    inits = list(op.operands)[3:]
    new = rw.create(
        op.name,
        [*op.operands[:3], *(inits[i] for i in kept)],
        [op.results[i].type for i in kept],
        dict(op.properties),
        dict(op.attributes),
        [region],
    )
    for at, i in enumerate(kept):
        rw.replace_all_uses(op.results[i], new.results[at])
    op.add_region(Region(Block()))
    rw.erase(op)


# --- execute_region, index_switch ----------------------------------------------------------------
def inline_execute_region(op: Operation, rw: GreedyRewriter) -> bool:
    """execute_region of one block -> its content"""
    region = op.regions[0]
    if region.first_block is not region.last_block or "no_inline" in op.properties:
        return False
    last = region.blocks[0].last_op
    if last is None or last.name != "scf.yield":
        return False
    inline_single_block(op, rw, [])
    return True


def inline_execute_blocks(op: Operation, rw: GreedyRewriter) -> bool:
    """execute_region of several blocks in a function -> its blocks in the function"""
    parent = op.parent_op()
    if parent is None or "no_inline" in op.properties:
        return False
    if "FunctionOpInterface" not in traits_of(parent.name) and parent.name != "scf.execute_region":
        return False
    region = op.regions[0]
    if region.first_block is region.last_block:
        return False
    before = op.parent
    assert before is not None
    assert before.parent is not None
    blocks = list(region.blocks)
    after = before.split_before(op, arg_types=[r.type for r in op.results])
    entry = blocks[0]
    for block in blocks:
        region.detach_block(block)
        before.parent.insert_block_before(block, after)
    rw.at_end(before)
    rw.create("cf.br", (), successors=(entry,))
    for block in blocks:
        last = block.last_op
        if last is not None and last.name == "scf.yield":
            values = list(last.operands)
            rw.at(last)
            rw.create("cf.br", values, successors=(after,))
            rw.erase(last)
    for result, arg in zip(op.results, after.args, strict=True):
        rw.replace_all_uses(result, arg)
    rw.erase(op)
    return True


def constant_case(op: scf.IndexSwitchOp, rw: GreedyRewriter) -> bool:
    """index_switch on a constant -> the content of the case"""
    value = int_of(op.operands[0])
    if value is None:
        return False
    cases = list(op.cases.get_values())
    region = op.regions[1 + cases.index(value)] if value in cases else op.regions[0]
    block = region.blocks[0]
    terminator = block.last_op
    assert terminator is not None
    rw.inline_block(block, op)
    rw.replace(op, list(terminator.operands))
    rw.erase(terminator)
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "scf.execute_region": (inline_execute_region, inline_execute_blocks, drop_results),
    "scf.for": (unchanging_iter_args, trivial_for, fold_carried_cast),
    "scf.if": (*IF_PATTERNS, drop_results),
    "scf.index_switch": (constant_case, drop_results),
    **PARALLEL_PATTERNS,
    "scf.while": WHILE_PATTERNS,
}
