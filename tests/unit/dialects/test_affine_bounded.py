# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps that know the loops of their operands give what they gave before."""

import random
from collections.abc import Callable
from itertools import product

from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xgpu.core.syntax import parse_module
from xgpu.dialects.affine.simplify import needed_results, with_ranges

KINDS = (
    AffineBinaryOpKind.Add,
    AffineBinaryOpKind.Add,
    AffineBinaryOpKind.Mul,
    AffineBinaryOpKind.FloorDiv,
    AffineBinaryOpKind.CeilDiv,
    AffineBinaryOpKind.Mod,
)


def loops(draw: random.Random) -> tuple[object, list[SSAValue], list[range]]:
    """Two loops, their variables and the values that these have."""
    ranges = []
    for _ in range(2):
        low = draw.choice((0, 0, 0, 1, 4, 8, -6))
        ranges.append(range(low, low + draw.randint(1, 40), draw.choice((1, 1, 2, 4, 8))))
    return *variables_of(ranges), ranges


def variables_of(ranges: list[range]) -> tuple[object, list[SSAValue]]:
    """A module with two loops, and their variables."""
    first, second = (f"{r.start} to {r.stop} step {r.step}" for r in ranges)
    module = parse_module(
        f"func.func @f() {{\n affine.for %i = {first} {{\n affine.for %j = {second} {{\n}}\n}}\n"
        "return\n}"
    )
    found = [op.regions[0].block.args[0] for op in module.walk() if op.name == "affine.for"]
    return module, list(found)


def expression(draw: random.Random, depth: int) -> AffineExpr:
    if depth == 0 or draw.random() < 0.2:
        if draw.random() < 0.3:
            return AffineConstantExpr(draw.randint(-9, 9))
        return AffineDimExpr(draw.randint(0, 1))
    kind = draw.choice(KINDS)
    left = expression(draw, depth - 1)
    if kind is AffineBinaryOpKind.Add:
        return AffineBinaryOpExpr(kind, left, expression(draw, depth - 1))
    low = 1 if kind is not AffineBinaryOpKind.Mul else -4
    return AffineBinaryOpExpr(kind, left, AffineConstantExpr(draw.choice((low, 2, 4, 8, 16, 32))))


#: How Python computes an expression: `AffineMap.eval` takes ten times as long.
OPERATORS = {
    AffineBinaryOpKind.Add: "({0} + {1})",
    AffineBinaryOpKind.Mul: "({0} * {1})",
    AffineBinaryOpKind.FloorDiv: "({0} // {1})",
    AffineBinaryOpKind.CeilDiv: "(-(-{0} // {1}))",
    AffineBinaryOpKind.Mod: "({0} % {1})",
}


def python_text(expr: AffineExpr) -> str:
    if isinstance(expr, AffineBinaryOpExpr):
        return OPERATORS[expr.kind].format(python_text(expr.lhs), python_text(expr.rhs))
    if isinstance(expr, AffineConstantExpr):
        return f"({expr.value})"
    assert isinstance(expr, AffineDimExpr)
    return "ij"[expr.position]


def function_of(affine_map: AffineMap) -> Callable[[int, int], tuple[int, ...]]:
    """The results of `affine_map`, as those of a function in Python."""
    results = "".join(f"{python_text(result)}, " for result in affine_map.results)
    return eval(f"lambda i, j: ({results})")


def test_quotients_and_remainders() -> None:
    draw = random.Random(11)
    simpler = 0
    for _ in range(400):
        keep, variables, ranges = loops(draw)
        before = AffineMap(2, 0, (expression(draw, 3),))
        after = with_ranges(before, variables)
        simpler += after != before
        old, new = function_of(before), function_of(after)
        for i, j in product(*ranges):
            assert old(i, j) == new(i, j), (before, ranges)
        del keep
    assert simpler > 100


def test_the_last_value_counts() -> None:
    for last, step in product(range(1, 14), (1, 3)):
        values = range(0, last + 1, step)
        keep, variables = variables_of([values, values])
        for kind, divisor in product(KINDS[3:], range(1, 16)):
            expr = AffineBinaryOpExpr(kind, AffineDimExpr(0), AffineConstantExpr(divisor))
            before = AffineMap(2, 0, (expr,))
            old, new = function_of(before), function_of(with_ranges(before, variables))
            for value in values:
                assert old(value, 0) == new(value, 0)
        del keep


def test_results_of_a_minimum_or_maximum() -> None:
    draw = random.Random(12)
    fewer = 0
    for _ in range(400):
        keep, variables, ranges = loops(draw)
        results = tuple(expression(draw, 2) for _ in range(draw.randint(2, 4)))
        before = AffineMap(2, 0, results)
        old = function_of(before)
        for largest in (True, False):
            after = needed_results(before, variables, largest=largest)
            assert after.results
            fewer += len(after.results) < len(results)
            choose = max if largest else min
            new = function_of(after)
            for i, j in product(*ranges):
                assert choose(old(i, j)) == choose(new(i, j))
        del keep
    assert fewer > 100


def test_arguments_of_other_blocks_are_not_known() -> None:
    from xdsl.dialects.builtin import IndexType

    region = Region(Block(arg_types=[IndexType()]))
    value = region.block.args[0]
    quotient = AffineBinaryOpExpr(
        AffineBinaryOpKind.FloorDiv, AffineDimExpr(0), AffineConstantExpr(8)
    )
    before = AffineMap(1, 0, (quotient, AffineConstantExpr(3)))
    assert with_ranges(before, [value]) == before
    assert needed_results(before, [value], largest=True) == before
