# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops are what they were, buffered in every way; a short form of `tests.circular.runs`."""

from __future__ import annotations

import pytest

from tests.circular.loops import MODES, SHAPES, TRANSPORTS, Case, cases
from tests.circular.runs import check
from tests.support.some_cases import each

#: Each way with every other shape; stages and distances change from one to the next.
_DEPTHS = ((2, 1), (3, 0), (4, 2), (5, 4), (3, 2), (2, 0), (9, 8), (4, 1))
SHORT = [
    Case(transport, mode, *_DEPTHS[(at + number) % len(_DEPTHS)], shape)
    for number, (transport, mode) in enumerate((t, m) for t in TRANSPORTS for m in MODES[t])
    for at, shape in enumerate(SHAPES[:8])
    if at % 2 == number % 2
]
#: Numbers of iterations that the compiler knows.
KNOWN = [
    Case(transport, mode, 3, 2, "two", constant)
    for transport in TRANSPORTS
    for mode in MODES[transport]
    for constant in (0, 1, 5)
    if mode != "pipelined-mbarrier"
]


#: What the table above leaves out.
MORE = [
    Case("bulk", "pipelined", 3, 1, "emptied"),
    Case("thread", "pipelined", 4, 1, "emptied_nested"),
    Case("bulk", "warp-specialized", 4, 3, "emptied"),
    Case("bulk", "warp-specialized", 5, 4, "crowded"),
    Case("cp.async", "pipelined", 3, 2, "crowded"),
]


@pytest.mark.parametrize(
    "case", [*each(SHORT, 16), *each(KNOWN, 9), *each(MORE, 4)], ids=lambda case: case.name
)
def test_a_buffered_loop_is_what_it_was(case: Case) -> None:
    problem = check(case)
    assert problem is None, problem


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", [f"{t}-{m}-" for t in TRANSPORTS for m in MODES[t]])
def test_every_combination(way: str) -> None:
    wrong = {c.name: p for c in cases() if c.name.startswith(way) and (p := check(c)) is not None}
    assert not wrong, wrong
