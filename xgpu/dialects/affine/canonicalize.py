# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the affine dialect."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

from xgpu.core.ir import affine as expressions
from xgpu.core.ir.constants import int_of
from xgpu.dialects import affine
from xgpu.dialects.affine.fold import (
    Padded,
    basis_of,
    constant_trip_count,
    delinearize,
    delinearized,
    is_disjoint,
    linearize,
    linearized,
    padded,
)
from xgpu.dialects.affine.maps import substitute
from xgpu.dialects.affine.simplify import coefficients, fully_canonical, with_ranges
from xgpu.dialects.arith.builders import index_constant

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# -- Canonicalization patterns of affine.delinearize_index and affine.linearize_index.


# --- delinearize_index ---------------------------------------------------------------------------
def drop_unit_sizes(op: affine.DelinearizeIndexOp, rw: GreedyRewriter) -> bool:
    """delinearize into (4, 1, 8) -> delinearize into (4, 8), and 0"""
    basis = padded(basis_of(op), len(op.results))
    kept = [size for size in basis if size != 1]
    if len(kept) == len(basis):
        return False
    zero = index_constant(rw, 0)
    indices = iter(delinearize(rw, op.linear_index, kept) if kept else ())
    rw.replace(op, [zero if size == 1 else next(indices) for size in basis])
    return True


def cancel_equal_tail(op: affine.DelinearizeIndexOp, rw: GreedyRewriter) -> bool:
    """delinearize(linearize disjoint [a, b] by (.., n)) into (.., n) -> .., b"""
    inner = linearized(op.linear_index)
    if inner is None or not is_disjoint(inner):
        return False
    indices, ours, theirs = list(inner.multi_index), basis_of(op), basis_of(inner)
    pairs = zip(reversed(ours), reversed(theirs), strict=False)
    same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    if same == 0:
        return False
    if same == len(ours) == len(theirs) and len(indices) == len(op.results):
        rw.replace(op, indices)
        return True
    outer = linearize(rw, indices[:-same], theirs[:-same], disjoint=True)
    left = padded(ours, len(op.results))[:-same]
    rw.replace(op, [*delinearize(rw, outer, left), *indices[-same:]])
    return True


def split_last_index(op: affine.DelinearizeIndexOp, rw: GreedyRewriter) -> bool:
    """delinearize(linearize disjoint [a, b] by (.., 64)) into (.., 8, 8) -> .., b into (8, 8)"""
    inner = linearized(op.linear_index)
    if inner is None or not is_disjoint(inner):
        return False
    ours, theirs = basis_of(op), basis_of(inner)
    target = theirs[-1] if theirs else None
    if not isinstance(target, int):
        return False
    count, product = 0, 1
    for size in reversed(ours):
        if not isinstance(size, int) or product >= target:
            break
        count, product = count + 1, product * size
    if product != target or count < 2:
        return False
    *before, last = inner.multi_index
    outer = linearize(rw, before, theirs[:-1], disjoint=True)
    left = padded(ours, len(op.results))[:-count]
    results = [*delinearize(rw, outer, left), *delinearize(rw, last, ours[-count:])]
    rw.replace(op, results)
    return True


# --- linearize_index -----------------------------------------------------------------------------
def drop_unit_indices(op: affine.LinearizeIndexOp, rw: GreedyRewriter) -> bool:
    """linearize [a, 0, b] by (4, 1, 8) -> linearize [a, b] by (4, 8); disjoint, of any index"""
    indices = list(op.multi_index)
    pairs = list(zip(indices, padded(basis_of(op), len(indices)), strict=True))
    disjoint = is_disjoint(op)
    kept = [
        (index, size) for index, size in pairs if size != 1 or not (disjoint or int_of(index) == 0)
    ]
    if len(kept) == len(pairs):
        return False
    if not kept:
        rw.replace(op, [index_constant(rw, 0)])
        return True
    new = linearize(rw, [i for i, _ in kept], [size for _, size in kept], disjoint=disjoint)
    rw.replace(op, [new])
    return True


def drop_leading_zero(op: affine.LinearizeIndexOp, rw: GreedyRewriter) -> bool:
    """linearize [0, a] by (4, 8) -> linearize [a] by (8)"""
    first, *rest = op.multi_index
    if int_of(first) != 0:
        return False
    basis = padded(basis_of(op), len(rest) + 1)[1:]
    rw.replace(op, [linearize(rw, rest, basis, disjoint=is_disjoint(op))])
    return True


class _Run(NamedTuple):
    """`length` indices of a linearization that are as many of one delinearization, in order."""

    made: affine.DelinearizeIndexOp
    at: int
    made_at: int
    length: int


def _may_differ(
    op: affine.LinearizeIndexOp,
    at: int,
    size: int | SSAValue | None,
    made: affine.DelinearizeIndexOp,
    made_at: int,
) -> bool:
    """Whether indices merge though the size of the outermost, `size` for the linearization, is
    another for the delinearization: it only says how large that index is."""
    if made_at != 0:
        return False
    if at == 0:
        return True
    # What is disjoint says it of the index of an unbounded delinearization, too; 1 would make it 0
    # for other users, and so would a value that is 1.
    unbounded = len(made.results) > len(made.static_basis.get_values())
    return unbounded and is_disjoint(op) and isinstance(size, int) and size > 1


def _run_from(op: affine.LinearizeIndexOp, at: int, basis: Padded) -> _Run | None:
    """The run that begins with the index at `at`."""
    indices = op.multi_index
    made = delinearized(indices[at])
    if made is None:
        return None
    first = indices[at]
    assert isinstance(first, OpResult)
    made_at = first.index
    sizes = padded(basis_of(made), len(made.results))
    if basis[at] != sizes[made_at] and not _may_differ(op, at, basis[at], made, made_at):
        return None
    length = 1
    while (
        at + length < len(indices)
        and made_at + length < len(sizes)
        and indices[at + length] is made.results[made_at + length]
        and basis[at + length] == sizes[made_at + length]
    ):
        length += 1
    return _Run(made, at, made_at, length) if length > 1 else None


def _runs(op: affine.LinearizeIndexOp, basis: Padded) -> list[_Run]:
    """The runs that can be merged at once: one for each delinearization."""
    found: dict[affine.DelinearizeIndexOp, _Run] = {}
    at = 0
    while at < len(basis):
        run = _run_from(op, at, basis)
        if run is None or run.made in found:
            at += 1
            continue
        found[run.made] = run
        at += run.length
    return list(found.values())


def _product(rw: GreedyRewriter, sizes: Sequence[int | SSAValue | None]) -> int | SSAValue | None:
    """The product of sizes, None if one of them is left out."""
    values: list[SSAValue] = []
    expr: AffineExpr = AffineConstantExpr(1)
    for size in sizes:
        if size is None:
            return None
        if isinstance(size, int):
            expr = expressions.mul(expr, AffineConstantExpr(size))
            continue
        expr = expressions.mul(expr, AffineSymExpr(len(values)))
        values.append(size)
    if isinstance(expr, AffineConstantExpr):
        return expr.value
    properties = {"map": AffineMapAttr(AffineMap(0, len(values), (expr,)))}
    return rw.value("affine.apply", values, IndexType(), properties)


def _merged_sizes(run: _Run, basis: Padded) -> Padded:
    """The sizes of the indices of a run in a linearization, or of its outermost that of the
    delinearization: where it is the only one that is there, and where it says less."""
    own = padded(basis_of(run.made), len(run.made.results))[run.made_at : run.made_at + run.length]
    sizes = basis[run.at : run.at + run.length]
    outer = sizes[0]
    stays = outer is None or (isinstance(outer, int) and outer > 1)
    return sizes if stays else own


def merge_delinearized(op: affine.LinearizeIndexOp, rw: GreedyRewriter) -> bool:
    """linearize [d0, d1, a] by (3, 4, 16), where d is delinearize into (3, 4, 8) ->
    linearize [d0, a] by (12, 16), where d is delinearize into (12, 8)

    Other users of the merged indices get them from a delinearization of what they were merged to.
    """
    indices = list(op.multi_index)
    basis = padded(basis_of(op), len(indices))
    runs = _runs(op, basis)
    if not runs:
        return False
    merged: list[tuple[SSAValue, int | SSAValue | None]] = []
    replaced: list[tuple[affine.DelinearizeIndexOp, list[SSAValue]]] = []
    end = 0
    for run in runs:
        merged += zip(indices[end : run.at], basis[end : run.at], strict=True)
        end = run.at + run.length
        rw.at(run.made)
        size = _product(rw, _merged_sizes(run, basis))
        if run.length == len(run.made.results):
            merged.append((run.made.linear_index, size))
            continue
        index, results = _with_merged(rw, run, size)
        merged.append((index, size))
        replaced.append((run.made, results))
    merged += zip(indices[end:], basis[end:], strict=True)
    rw.at(op)
    disjoint = is_disjoint(op)
    new = linearize(rw, [i for i, _ in merged], [size for _, size in merged], disjoint=disjoint)
    rw.replace(op, [new])
    for made, results in replaced:
        rw.replace(made, results)
    return True


def _with_merged(
    rw: GreedyRewriter, run: _Run, size: int | SSAValue | None
) -> tuple[SSAValue, list[SSAValue]]:
    """The delinearization with the indices of a run merged to one: that index, and what the
    results were before."""
    before = padded(basis_of(run.made), len(run.made.results))
    start, end = run.made_at, run.made_at + run.length
    results = delinearize(rw, run.made.linear_index, [*before[:start], size, *before[end:]])
    # What the linearization says of the size of the index need not hold for other users.
    apart = before[start:end] if size is not None else [None, *before[start + 1 : end]]
    parts = delinearize(rw, results[start], apart)
    return results[start], [*results[:start], *parts, *results[start + 1 :]]


DELINEARIZE_PATTERNS: tuple[Pattern, ...] = (cancel_equal_tail, drop_unit_sizes, split_last_index)
LINEARIZE_PATTERNS: tuple[Pattern, ...] = (
    merge_delinearized,
    drop_leading_zero,
    drop_unit_indices,
)


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
    """An affine.for whose body only yields goes, where what it yields is known above"""
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
