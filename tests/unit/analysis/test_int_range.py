# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges hold all values that there can be: ranges of three bits, against every value in them."""

from __future__ import annotations

import itertools
import math
import operator

import pytest

from xgpu.analysis import int_range as arith
from xgpu.analysis.int_range import (
    IntRange,
    extend_signed,
    extend_unsigned,
    from_signed,
    from_unsigned,
    to_signed,
    truncate,
)
from xgpu.analysis.ranges import RULES
from xgpu.core.ods.registry import dialect_names, op_spec, operation_names

WIDTH = 3
SIZE = 1 << WIDTH
LOWEST = -(SIZE // 2)
UNSIGNED = [from_unsigned(WIDTH, a, b) for a in range(SIZE) for b in range(a, SIZE)]
SIGNED = [
    from_signed(WIDTH, a, b) for a in range(LOWEST, -LOWEST) for b in range(a, -LOWEST)
]  # fmt: skip
RANGES = list(dict.fromkeys([*UNSIGNED, *SIGNED]))


def signed(value):
    return to_signed(value, WIDTH)


def truncated(a, b):
    return int(math.copysign(abs(a) // abs(b), a * b))


def of_signed(compute):
    return lambda a, b: compute(signed(a), signed(b))


def divided(compute):
    """Not by zero, and not what does not fit: that is undefined."""

    def apply(a, b):
        if not b or (signed(a), signed(b)) == (LOWEST, -1):
            return None
        return compute(a, b)

    return apply


def shifted(compute):
    return lambda a, b: compute(a, b) if b < WIDTH else None


OPERATIONS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and_": operator.and_,
    "or_": operator.or_,
    "xor": operator.xor,
    "shl": shifted(operator.lshift),
    "shr_u": shifted(operator.rshift),
    "shr_s": shifted(lambda a, b: signed(a) >> b),
    "div_u": divided(operator.floordiv),
    "div_s": divided(of_signed(truncated)),
    "floordiv_s": divided(of_signed(operator.floordiv)),
    "ceildiv_u": divided(lambda a, b: -(-a // b)),
    "ceildiv_s": divided(of_signed(lambda a, b: -(-a // b))),
    "rem_u": divided(operator.mod),
    "rem_s": divided(of_signed(lambda a, b: a - truncated(a, b) * b)),
    "max_u": max,
    "min_u": min,
    "max_s": of_signed(max),
    "min_s": of_signed(min),
}


def values(r: IntRange) -> list[int]:
    return [v for v in range(SIZE) if holds(r, v)]


def holds(r: IntRange, value: int) -> bool:
    value &= (1 << r.width) - 1
    return r.umin <= value <= r.umax and r.smin <= to_signed(value, r.width) <= r.smax


@pytest.mark.parametrize("name", OPERATIONS)
def test_results_are_in_the_range(name):
    infer, compute = getattr(arith, name), OPERATIONS[name]
    inside = {r: values(r) for r in RANGES}
    table = {
        (a, b): result & (SIZE - 1)
        for a, b in itertools.product(range(SIZE), repeat=2)
        if (result := compute(a, b)) is not None
    }
    for a, b in itertools.product(RANGES, repeat=2):
        found = infer(a, b)
        for x, y in itertools.product(inside[a], inside[b]):
            result = table.get((x, y))
            assert result is None or holds(found, result), (a, b, x, y, found)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "shl"])
@pytest.mark.parametrize(("nuw", "nsw"), [(True, False), (False, True), (True, True)])
def test_results_that_do_not_overflow_are_in_the_range(name, nuw, nsw):
    infer, compute = getattr(arith, name), OPERATIONS[name]
    for a, b in itertools.product(RANGES, repeat=2):
        found = infer(a, b, nuw, nsw)
        for x, y in itertools.product(values(a), values(b)):
            wide = compute(x, y)
            other = compute(signed(x), y if name == "shl" else signed(y)) if wide is not None else 0
            overflows = (nuw and not 0 <= (wide or 0) < SIZE) or (
                nsw and not LOWEST <= other < -LOWEST
            )
            assert wide is None or overflows or holds(found, wide), (a, b, x, y, found)


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("add", (1, 2), (1, 1), (2, 3)),
        ("add", (6, 7), (1, 1), (0, 7)),
        ("sub", (5, 7), (1, 2), (3, 6)),
        ("mul", (1, 2), (2, 3), (2, 6)),
        ("div_u", (4, 7), (2, 2), (2, 3)),
        ("rem_u", (0, 7), (3, 3), (0, 2)),
        ("rem_u", (4, 5), (3, 3), (1, 2)),
        ("shl", (1, 1), (0, 2), (1, 4)),
        ("shl", (0, 0), (2, 3), (0, 7)),
        ("shr_u", (4, 7), (1, 2), (1, 3)),
        ("and_", (4, 7), (2, 3), (0, 3)),
        ("or_", (4, 5), (2, 3), (6, 7)),
        ("xor", (4, 5), (2, 3), (6, 7)),
        ("max_u", (0, 3), (2, 5), (2, 5)),
        ("min_u", (0, 3), (2, 5), (0, 3)),
    ],
)  # fmt: skip
def test_unsigned_bounds_are_tight(name, a, b, expected):
    found = getattr(arith, name)(from_unsigned(WIDTH, *a), from_unsigned(WIDTH, *b))
    assert (found.umin, found.umax) == expected


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("add", (-2, -1), (1, 1), (-1, 0)),
        ("sub", (-2, 0), (1, 2), (-4, -1)),
        ("mul", (-1, 1), (2, 2), (-2, 2)),
        ("div_s", (-4, 3), (2, 2), (-2, 1)),
        ("floordiv_s", (-3, 3), (2, 2), (-2, 1)),
        ("ceildiv_s", (-3, 3), (2, 2), (-1, 2)),
        ("rem_s", (-4, 3), (3, 3), (-2, 2)),
        ("shr_s", (-4, -2), (1, 1), (-2, -1)),
        ("max_s", (-4, 1), (-2, 0), (-2, 1)),
        ("min_s", (-4, 1), (-2, 0), (-4, 0)),
    ],
)  # fmt: skip
def test_signed_bounds_are_tight(name, a, b, expected):
    found = getattr(arith, name)(from_signed(WIDTH, *a), from_signed(WIDTH, *b))
    assert (found.smin, found.smax) == expected


def test_widths():
    for r in RANGES:
        for value in values(r):
            assert holds(truncate(r, 2), value)
            assert holds(extend_unsigned(r, 5), value)
            assert holds(extend_signed(r, 5), signed(value))


@pytest.mark.parametrize("predicate", arith.PREDICATES)
def test_what_is_said_of_a_comparison_is_so(predicate):
    compute = getattr(operator, predicate[-2:])
    read = (lambda v: v) if predicate[0] == "u" else signed
    for a, b in itertools.product(RANGES, repeat=2):
        said = arith.evaluate(predicate, a, b)
        for x, y in itertools.product(values(a), values(b)):
            assert said is None or said == compute(read(x), read(y)), (a, b, x, y)


def test_operations_that_tell_ranges_have_a_rule():
    """The trait says that an operation implements MLIR's interface; its rule is in `ranges`."""
    silent = [
        name
        for dialect in dialect_names()
        for name in operation_names(dialect)
        if "InferIntRangeInterface" in op_spec(name).traits
        and name not in RULES
        and not name.startswith("nvvm.read.ptx.sreg.")  # all of them by `special_register`
    ]
    assert silent == [], "nothing is known of their results: docs/howto/add-an-operation.md"
