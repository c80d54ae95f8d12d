# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was verified for some types is not verified again for them, and nothing else is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ods.count_checks import of_types, once_for_types
from xgpu.core.syntax import parse_module
from xgpu.core.syntax.verify import verify_module

if TYPE_CHECKING:
    from xdsl.ir import Operation

BODY = "func.func @f(%a: i32, %b: i64, %m: memref<4xi32>, %i: index) {{\n{}  return\n}}\n"


def operations(*lines: str) -> list[Operation]:
    module = parse_module(BODY.format("".join(f"  {line}\n" for line in lines)))
    function = module.body.block.first_op
    assert function is not None
    return [*function.regions[0].block.ops][:-1]


def test_only_other_checks_are_made_again() -> None:
    calls: list[str] = []

    def noting(name: str) -> Callable[[Operation], None]:
        return lambda op: calls.append(name)

    first, again, other = operations(
        "%0 = arith.addi %a, %a : i32",
        "%1 = arith.addi %a, %a : i32",
        "%2 = arith.addi %b, %b : i64",
    )
    (check,) = once_for_types([of_types(noting("t")), noting("o"), of_types(noting("u"))])
    for op, made in ((first, "tou"), (again, "o"), (other, "tou"), (first, "o")):
        calls.clear()
        check(op)
        assert "".join(calls) == made


def test_a_failure_is_found_again() -> None:
    failing: list[Operation] = []

    def check_all(op: Operation) -> None:
        if op in failing:
            raise ValueError

    op, same = operations("%0 = arith.addi %a, %a : i32", "%1 = arith.addi %a, %a : i32")
    (check,) = once_for_types(
        [of_types(lambda op: None), of_types(lambda op: None), lambda op: check_all(op)]
    )
    failing.append(op)
    # Not remembered as good, and not silenced by a good one of the same types.
    for _ in range(2):
        with pytest.raises(ValueError):  # noqa: PT011
            check(op)
    check(same)
    # The check that does not go by types alone still speaks.
    with pytest.raises(ValueError):  # noqa: PT011
        check(op)


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        (
            '"arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32',
            '"arith.addi"(%a, %a) <{overflowFlags = 1 : i32}> : (i32, i32) -> i32',
            "attribute 'overflowFlags' failed to satisfy constraint",
        ),
        (
            '"arith.addi"(%a, %a) : (i32, i32) -> i32',
            '"arith.addi"(%a, %b) : (i32, i64) -> i32',
            "requires the same type for all operands and results",
        ),
        (
            '"memref.load"(%m, %i) : (memref<4xi32>, index) -> i32',
            '"memref.load"(%m, %i, %i) : (memref<4xi32>, index, index) -> i32',
            "incorrect number of indices for load, expected 1 but got 2",
        ),
        (
            '"memref.load"(%m, %i) : (memref<4xi32>, index) -> i32',
            '"memref.load"(%m, %i) ({}) : (memref<4xi32>, index) -> i32',
            "requires zero regions",
        ),
    ],
)
def test_mistakes_after_good_ones(good: str, bad: str, message: str) -> None:
    module = parse_module(BODY.format(f"  %0 = {good}\n  %1 = {good}\n  %2 = {bad}\n"))
    for _ in range(2):
        with pytest.raises(DiagnosticError) as caught:
            verify_module(module)
        assert message in caught.value.message
