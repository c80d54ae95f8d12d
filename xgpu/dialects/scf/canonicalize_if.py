# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of `scf.if`, and of results that are known or not needed."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.rewriting.greedy import (
    GreedyRewriter,
    keep_results,
    keep_used_results,
    replace_by_block,
)
from xgpu.dialects.arith.builders import attribute_constant, select

# -- Results of scf operations that do not loop that are known, or not needed.


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether `value` is defined in the regions of `op`."""
    owner = value.owner
    inner = owner.parent_op()
    while inner is not None:
        if inner is op:
            return True
        inner = inner.parent_op()
    return False


def drop_results(op: Operation, rw: GreedyRewriter) -> bool:
    """Results go that are not used, that are the same value wherever they come from, and that are
    always another one"""
    if not op.results:
        return False
    yields = _yields(op)
    if not yields:
        return False
    kept: list[int] = []
    places: dict[tuple[SSAValue, ...], int] = {}
    for at, column in enumerate(zip(*(end.operands for end in yields), strict=True)):
        result = op.results[at]
        if result.first_use is None:
            continue
        if all(value is column[0] for value in column) and not is_inside(column[0], op):
            rw.replace_all_uses(result, column[0])
        elif column in places:
            rw.replace_all_uses(result, op.results[places[column]])
        else:
            places[column] = at
            kept.append(at)
    if len(kept) == len(op.results):
        return False
    keep_results(op, rw, yields, kept)
    return True


def _yields(op: Operation) -> list[Operation]:
    """What ends the regions of `op` with values for its results; not what never comes back."""
    lasts = [block.last_op for region in op.regions for block in region.blocks]
    return [last for last in lasts if last is not None and last.name == "scf.yield"]


# -- Canonicalization patterns of `scf.if`.


def _then(op: Operation) -> Block:
    return op.regions[0].blocks[0]


def _else(op: Operation) -> Block | None:
    return op.regions[1].first_block


def _yielded(block: Block | None) -> list[SSAValue]:
    last = block.last_op if block is not None else None
    return list(last.operands) if last is not None and last.name == "scf.yield" else []


def _constant(rw: GreedyRewriter, value: bool) -> SSAValue:
    return attribute_constant(rw, IntegerAttr.from_bool(value), i1)


def _only_yields(block: Block | None) -> bool:
    return block is not None and block.first_op is block.last_op


def static_condition(op: Operation, rw: GreedyRewriter) -> bool:
    """if true A else B -> A"""
    value = int_of(op.operands[0])
    if value is None:
        return False
    block = _then(op) if value else _else(op)
    if block is None:
        rw.erase(op)
        return True
    return replace_by_block(op, rw, block)


def unused_results(op: Operation, rw: GreedyRewriter) -> bool:
    """Results that nothing uses are not yielded"""
    return keep_used_results(op, rw, _yields(op))


def _make_if(
    rw: GreedyRewriter, condition: SSAValue, types: list[Attribute], other: bool
) -> Operation:
    regions = [Region(Block()), Region(Block()) if other else Region()]
    return rw.create("scf.if", (condition,), types, regions=regions)


def _move(rw: GreedyRewriter, source: Block, dest: Block) -> None:
    for op in list(source.ops):
        op.detach()
        dest.add_op(op)
        rw.worklist.push(op)


def results_to_selects(op: Operation, rw: GreedyRewriter) -> bool:
    """Results that both sides take from above become selects"""
    if not op.results:
        return False
    other = _else(op)
    then_values, else_values = _yielded(_then(op)), _yielded(other)
    outside = [
        not is_inside(a, op) and not is_inside(b, op)
        for a, b in zip(then_values, else_values, strict=True)
    ]
    if not any(outside):
        return False
    kept = [i for i, out in enumerate(outside) if not out]
    condition = op.operands[0]
    selected = {
        i: then_values[i]
        if then_values[i] is else_values[i]
        else select(rw, condition, then_values[i], else_values[i])
        for i, out in enumerate(outside)
        if out
    }
    new = _make_if(rw, condition, [op.results[i].type for i in kept], True)
    assert other is not None
    for source, dest in ((_then(op), new.regions[0].blocks[0]), (other, new.regions[1].blocks[0])):
        _move(rw, source, dest)
        last = dest.last_op
        assert last is not None
        rw.set_operands(last, [last.operands[i] for i in kept])
    inner = iter(new.results)
    rw.replace(op, [selected[i] if out else next(inner) for i, out in enumerate(outside)])
    return True


def propagate_condition(op: Operation, rw: GreedyRewriter) -> bool:
    """Inside the sides of an if its condition is true, or false"""
    condition = op.operands[0]
    if int_of(condition) is not None:
        return False
    constants: dict[bool, SSAValue] = {}
    changed = False
    for use in list(condition.uses):
        for side, region in ((True, op.regions[0]), (False, op.regions[1])):
            if _in_region(use.operation, region):
                if side not in constants:
                    rw.at(op)
                    constants[side] = _constant(rw, side)
                rw.set_operand(use.operation, use.index, constants[side])
                changed = True
    return changed


def _in_region(op: Operation, region: Region) -> bool:
    block = op.parent
    while block is not None:
        if block.parent is region:
            return True
        block = block.parent.parent.parent if block.parent and block.parent.parent else None
    return False


def yield_of_condition(op: Operation, rw: GreedyRewriter) -> bool:
    """A result that is true and false in the sides is the condition, or its inverse"""
    if not op.results:
        return False
    changed = False
    for i, (a, b) in enumerate(zip(_yielded(_then(op)), _yielded(_else(op)), strict=True)):
        result = op.results[i]
        if a is b and not is_inside(a, op):
            if result.first_use is not None:
                rw.replace_all_uses(result, a)
                changed = True
            continue
        true, false = int_of(a), int_of(b)
        if true is None or false is None or result.type != i1 or result.first_use is None:
            continue
        if bool(true) and not false:
            rw.replace_all_uses(result, op.operands[0])
            changed = True
        elif not true and bool(false):
            rw.at(op)
            one = _constant(rw, True)
            inverse = rw.value("arith.xori", (op.operands[0], one), i1)
            rw.replace_all_uses(result, inverse)
            changed = True
    return changed


def empty_else(op: Operation, rw: GreedyRewriter) -> bool:
    """if A else {} -> if A"""
    block = _else(op)
    if op.results or block is None or not _only_yields(block):
        return False
    region = op.regions[1]
    last = block.last_op
    if last is not None:
        rw.erase(last)
    region.detach_block(block)
    rw.modified(op)
    return True


def combine_ifs(op: Operation, rw: GreedyRewriter) -> bool:
    """Two adjacent ifs on one condition, or its inverse -> one"""
    before = op.prev_op
    if before is None or before.name != "scf.if":
        return False
    blocks = _corresponding(before, op)
    if blocks is None:
        return False
    next_then, next_else = blocks
    first_then, first_else = _then(before), _else(before)
    # What the second takes from the first's results it finds in the same side of the first.
    for block, values in ((next_then, _yielded(first_then)), (next_else, _yielded(first_else))):
        if block is not None:
            for inner in block.walk():
                for i, operand in enumerate(inner.operands):
                    if operand in before.results:
                        at = next(n for n, r in enumerate(before.results) if r is operand)
                        rw.set_operand(inner, i, values[at])
    types = [r.type for r in before.results] + [r.type for r in op.results]
    other = first_else is not None or next_else is not None
    rw.at(op)
    new = _make_if(rw, before.operands[0], types, other)
    sides = [(first_then, next_then, new.regions[0].blocks[0])]
    if other:
        sides.append((first_else, next_else, new.regions[1].blocks[0]))  # type: ignore[arg-type]
    for first, second, dest in sides:
        values: list[SSAValue] = []
        for source in (first, second):
            if source is None:
                continue
            _move(rw, source, dest)
            last = dest.last_op
            if last is not None and last.name == "scf.yield":
                values.extend(last.operands)
                rw.location = last.location
                rw.erase(last)
        rw.at_end(dest)
        rw.create("scf.yield", values)
    for old, result in zip([*before.results, *op.results], new.results, strict=True):
        rw.replace_all_uses(old, result)
    rw.erase(op)
    rw.erase(before)
    return True


def _corresponding(first: Operation, second: Operation) -> tuple[Block | None, Block | None] | None:
    """The blocks of `second` that run when then, and else, of `first` do; None if unrelated."""
    then, other = _then(second), _else(second)
    if first.operands[0] is second.operands[0]:
        return then, other
    for a, b in ((first, second), (second, first)):
        inverted = a.operands[0].owner
        if (
            isinstance(inverted, Operation)
            and inverted.name == "arith.xori"
            and int_of(inverted.operands[1]) not in (None, 0)
            and inverted.operands[0] is b.operands[0]
        ):
            return other, then
    # Conditions that first's sides yield as constants.
    for at, result in enumerate(first.results):
        if result is second.operands[0]:
            true = int_of(_yielded(_then(first))[at])
            false = int_of(_yielded(_else(first))[at])
            if true is not None and false is not None and bool(true) != bool(false):
                return (then, other) if true else (other, then)
    return None


def combine_nested_ifs(op: Operation, rw: GreedyRewriter) -> bool:
    """if a { if b { A } } -> if (a and b) { A }"""
    block = _then(op)
    inner = block.first_op
    if inner is None or inner.name != "scf.if" or inner.next_op is not block.last_op:
        return False
    outer_else, inner_else = _else(op), _else(inner)
    if outer_else is not None and not _only_yields(outer_else):
        return False
    if inner_else is not None and not _only_yields(inner_else):
        return False
    then_values, else_values = _yielded(block), _yielded(outer_else)
    # Results must agree on what both else sides give; others become selects.
    results: list[tuple[str, tuple[SSAValue, SSAValue]]] = []
    for a, b in zip(then_values, else_values, strict=True):
        if a in inner.results:
            at = next(n for n, r in enumerate(inner.results) if r is a)
            inner_other = _yielded(inner_else)[at]
            if inner_other is not b:
                return False
            results.append(("inner", (_yielded(_then(inner))[at], b)))
        else:
            results.append(("outer", (a, b)))
    rw.at(op)
    condition = rw.value("arith.andi", (op.operands[0], inner.operands[0]), i1)
    yields = [a for kind, (a, _) in results if kind == "inner"]
    yields_else = [b for kind, (_, b) in results if kind == "inner"]
    selected = {
        i: select(rw, op.operands[0], a, b)
        for i, (kind, (a, b)) in enumerate(results)
        if kind == "outer"
    }
    types = [v.type for v in yields]
    new = _make_if(rw, condition, types, outer_else is not None and bool(types))
    dest = new.regions[0].blocks[0]
    combined = iter(new.results)
    values = [selected[i] if i in selected else next(combined) for i in range(len(results))]
    last = _then(inner).last_op
    _move(rw, _then(inner), dest)
    assert last is not None
    rw.set_operands(last, yields)
    if new.regions[1].first_block is not None:
        rw.at_end(new.regions[1].blocks[0])
        rw.create("scf.yield", yields_else)
    rw.replace(op, values)
    return True


IF_PATTERNS = (
    combine_ifs,
    combine_nested_ifs,
    propagate_condition,
    results_to_selects,
    empty_else,
    static_condition,
    unused_results,
    yield_of_condition,
)
