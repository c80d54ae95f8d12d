# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of `scf.parallel`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Region, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.dialects.scf.canonicalize_forall import FORALL_PATTERNS

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import scf


def few_iterations(op: scf.ParallelOp, rw: GreedyRewriter) -> bool:
    """Dimensions of one iteration go; a loop of none goes"""
    lower, upper, step = list(op.lower_bound), list(op.upper_bound), list(op.step)
    inits = list(op.init_vals)
    block: Block = op.regions[0].blocks[0]
    kept: list[int] = []
    for i, (a, b, c) in enumerate(zip(lower, upper, step, strict=True)):
        count = 0 if a is b else _trips(int_of(a), int_of(b), int_of(c))
        if count == 0:
            rw.replace(op, inits)
            return True
        if count != 1:
            kept.append(i)
    if len(kept) == len(lower):
        return False
    for i in range(len(lower)):
        if i not in kept:
            rw.replace_all_uses(block.args[i], lower[i])
    if not kept:
        return _run_once(op, rw, inits)
    for i in range(len(lower) - 1, -1, -1):
        if i not in kept:
            block.erase_arg(block.args[i])
    region = op.detach_region(0)
    pick = [[values[i] for i in kept] for values in (lower, upper, step)]
    new = rw.create(
        op.name,
        (*pick, inits),
        [r.type for r in op.results],
        None,
        dict(op.attributes),
        [region],
    )
    op.add_region(Region(Block()))
    rw.replace(op, new.results)
    return True


def _run_once(op: scf.ParallelOp, rw: GreedyRewriter, inits: list[SSAValue]) -> bool:
    """All dimensions run once: the body, with each reduction applied to its initial value."""
    block, parent = op.regions[0].blocks[0], op.parent
    assert parent is not None
    reduce = cast("scf.ReduceOp", block.last_op)
    results: list[SSAValue] = []
    values = list(reduce.operands)
    regions = [r.blocks[0] for r in reduce.regions]
    for inner in list(block.ops):
        if inner is not reduce:
            inner.detach()
            parent.insert_op_before(inner, op)
            for nested in inner.walk():
                rw.worklist.push(nested)
    for init, value, body in zip(inits, values, regions, strict=True):
        terminator = body.last_op
        assert terminator is not None
        rw.inline_block(body, op, [init, value])
        results.append(terminator.operands[0])
        rw.erase(terminator)
    for result, value in zip(list(op.results), results, strict=True):
        rw.replace_all_uses(result, value)
    rw.erase(op)
    return True


def merge_nested(op: scf.ParallelOp, rw: GreedyRewriter) -> bool:
    """parallel (i) { parallel (j) { A } } -> parallel (i, j) { A }"""
    block: Block = op.regions[0].blocks[0]
    inner = cast("scf.ParallelOp | None", block.first_op)
    if inner is None or inner.name != "scf.parallel" or inner.next_op is not block.last_op:
        return False
    if list(op.init_vals) or list(inner.init_vals):
        return False
    bounds = [*inner.lower_bound, *inner.upper_bound, *inner.step]
    if any(value in block.args for value in bounds):
        return False
    inner_block: Block = inner.regions[0].blocks[0]
    lower, upper, step = (
        [*getattr(op, name), *getattr(inner, name)]
        for name in ("lower_bound", "upper_bound", "step")
    )
    body = Block(arg_types=[v.type for v in lower])
    new = rw.create(
        op.name, (lower, upper, step, []), (), None, dict(op.attributes), [Region(body)]
    )
    arguments = [*block.args, *inner_block.args]
    for old, arg in zip(arguments, body.args, strict=True):
        rw.replace_all_uses(old, arg)
    for moved in list(inner_block.ops):
        moved.detach()
        body.add_op(moved)
        for nested in moved.walk():
            rw.worklist.push(nested)
    del new
    rw.erase(op)
    return True


PARALLEL_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "scf.forall": FORALL_PATTERNS,
    "scf.parallel": (few_iterations, merge_nested),
}
