# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the affine dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

from xgpu.dialects.affine.apply import substitute
from xgpu.dialects.affine.bounded import coefficients, with_ranges
from xgpu.dialects.affine.canonicalize_index import DELINEARIZE_PATTERNS, LINEARIZE_PATTERNS
from xgpu.dialects.affine.fold import constant_trip_count
from xgpu.dialects.affine.simplify import fully_canonical

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import affine


def simplify_map(before: int) -> Pattern:
    """Composes and simplifies the map of an operation; `before` operands are not the map's."""

    def simplify_affine_map(op: Operation, rw: GreedyRewriter) -> bool:
        attr = cast("AffineMapAttr", op.properties["map"])
        operands = list(op.operands)
        new, values = fully_canonical(attr.data, operands[before:])
        new = with_ranges(new, values)
        if new == attr.data and values == operands[before:]:
            return False
        op.properties["map"] = AffineMapAttr(new)
        rw.set_operands(op, [*operands[:before], *values])
        return True

    return simplify_affine_map


# --- min, max ------------------------------------------------------------------------------------
def deduplicate_results(op: Operation, rw: GreedyRewriter) -> bool:
    """min(e, f, e) -> min(e, f)"""
    attr = cast("AffineMapAttr", op.properties["map"])
    results = tuple(dict.fromkeys(attr.data.results))
    if len(results) == len(attr.data.results):
        return False
    op.properties["map"] = AffineMapAttr(
        AffineMap(attr.data.num_dims, attr.data.num_symbols, results)
    )
    rw.modified(op)
    return True


def sort_results(op: Operation, rw: GreedyRewriter) -> bool:
    """min(s0 + s1, 32) -> min(32, s0 + s1): in the order of the coefficients"""
    attr = cast("AffineMapAttr", op.properties["map"])
    old: AffineMap = attr.data
    rows = [coefficients(e, old.num_dims, old.num_dims + old.num_symbols) for e in old.results]
    if any(r is None for r in rows):
        return False
    order = sorted(range(len(rows)), key=lambda i: rows[i] or [])
    if order == list(range(len(rows))):
        return False
    results = tuple(old.results[i] for i in order)
    op.properties["map"] = AffineMapAttr(AffineMap(old.num_dims, old.num_symbols, results))
    rw.modified(op)
    return True


def single_result(op: Operation, rw: GreedyRewriter) -> bool:
    """min(e) -> apply e"""
    attr = cast("AffineMapAttr", op.properties["map"])
    if len(attr.data.results) != 1:
        return False
    rw.replace_with(op, "affine.apply", list(op.operands), (op.results[0].type,), {"map": attr})
    return True


def merge_nested(op: Operation, rw: GreedyRewriter) -> bool:
    """min(e, min(f, g)) -> min(e, f, g)"""
    attr = cast("AffineMapAttr", op.properties["map"])
    old: AffineMap = attr.data
    operands = list(op.operands)
    # Results that are nothing but the result of another min.
    nested: dict[int, Operation] = {}
    for i, expr in enumerate(old.results):
        value: SSAValue | None = None
        if isinstance(expr, AffineDimExpr):
            value = operands[expr.position]
        elif isinstance(expr, AffineSymExpr):
            value = operands[old.num_dims + expr.position]
        owner = value.owner if value is not None else None
        if isinstance(owner, Operation) and owner.name == op.name:
            nested[i] = owner
    if not nested:
        return False
    dims, symbols = operands[: old.num_dims], operands[old.num_dims :]
    kept: list[AffineExpr] = [e for i, e in enumerate(old.results) if i not in nested]
    for producer in dict.fromkeys(nested.values()):
        inner_attr = cast("AffineMapAttr", producer.properties["map"])
        inner: AffineMap = inner_attr.data
        inner_dims = list(producer.operands)[: inner.num_dims]
        inner_symbols = list(producer.operands)[inner.num_dims :]
        dim_exprs = [AffineDimExpr(len(dims) + i) for i in range(inner.num_dims)]
        symbol_exprs = [AffineSymExpr(len(symbols) + i) for i in range(inner.num_symbols)]
        kept += [substitute(e, dim_exprs, symbol_exprs) for e in inner.results]
        dims, symbols = dims + inner_dims, symbols + inner_symbols
    new = AffineMap(len(dims), len(symbols), tuple(kept))
    rw.replace_with(
        op, op.name, [*dims, *symbols], (op.results[0].type,), {"map": AffineMapAttr(new)}
    )
    return True


# --- loops, if -----------------------------------------------------------------------------------
def empty_loop(op: affine.ForOp, rw: GreedyRewriter) -> bool:
    """An affine.for whose body only yields goes, where what it yields is known outside"""
    block: Block = op.regions[0].blocks[0]
    terminator = block.last_op
    if terminator is None or terminator is not block.first_op:
        return False
    inits = list(op.inits)
    if not op.results:
        rw.erase(op)
        return True
    count = constant_trip_count(op)
    if count == 0:
        rw.replace(op, inits)
        return True
    values: list[SSAValue] = []
    in_order = True
    from_outside = False
    for i, value in enumerate(terminator.operands):
        if value.owner is not block:
            values.append(value)
            from_outside = True
        elif value is block.args[0]:
            return False  # the induction variable
        else:
            at = value.index - 1  # type: ignore[attr-defined]
            in_order = in_order and at == i
            values.append(inits[at])
    if count is None and from_outside:
        return False  # it may run never
    if not in_order and (count is None or count >= 2):
        return False
    rw.replace(op, values)
    return True


def dead_else(op: Operation, rw: GreedyRewriter) -> bool:
    """An affine.if without results drops an else that does nothing"""
    other = op.regions[1].first_block
    if op.results or other is None or other.first_op is not other.last_op:
        return False
    op.regions[1].detach_block(other)
    if other.first_op is not None:
        rw.erase(other.first_op)
    rw.modified(op)
    return True


def _answer(shape: AffineSet) -> bool | None:
    """True for the set `0 == 0`, False for `1 == 0`, which is MLIR's empty set; None for others,
    known ones too: those are for the simplification of sets."""
    if len(shape.constraints) != 1 or shape.constraints[0].kind is not AffineConstraintKind.eq:
        return None
    sides = (shape.constraints[0].lhs, shape.constraints[0].rhs)
    if not all(isinstance(side, AffineConstantExpr) for side in sides):
        return None
    difference = sides[0].value - sides[1].value  # type: ignore[attr-defined]
    return {0: True, 1: False}.get(difference)


def known_condition(op: affine.IfOp, rw: GreedyRewriter) -> bool:
    """An affine.if whose condition always holds, or never -> its side"""
    answer = _answer(op.condition.data)
    if answer is None:
        return False
    block = op.regions[0 if answer else 1].first_block
    if block is None:
        rw.erase(op)
        return True
    terminator = block.last_op
    assert terminator is not None
    rw.inline_block(block, op)
    rw.replace(op, list(terminator.operands))
    rw.erase(terminator)
    return True


_MIN_MAX = (single_result, deduplicate_results, merge_nested, simplify_map(0), sort_results)

PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "affine.apply": (simplify_map(0),),
    "affine.delinearize_index": DELINEARIZE_PATTERNS,
    "affine.for": (empty_loop,),
    "affine.if": (dead_else, known_condition),
    "affine.linearize_index": LINEARIZE_PATTERNS,
    "affine.load": (simplify_map(1),),
    "affine.max": _MIN_MAX,
    "affine.min": _MIN_MAX,
    "affine.prefetch": (simplify_map(1),),
    "affine.store": (simplify_map(2),),
    "affine.vector_load": (simplify_map(1),),
    "affine.vector_store": (simplify_map(2),),
}
