# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation test: each wait edge removed in turn.

Where some order of what is left gives another result (a brute force over the orders of the small
programs says so), an order that gives another result is found, within 50 schedules. Tokens alone
order the runs: streams that are assigned once hide some mutants in loops and where ways meet.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support import token_program_orders as orders
from tests.support import token_program_text as texts
from tests.support.some_cases import long_first
from tests.support.token_programs import Program, generate
from xgpu.conversion.async_tokens.graph import build, unordered_conflicts
from xgpu.conversion.async_tokens.points import set_dependencies
from xgpu.core.syntax import parse_module
from xgpu.dialects.gpu.ops import is_async_op
from xgpu.driver.schedules import Explorer

PROGRAMS, BATCH = 50, 2
SCHEDULES = 50
BATCHES = [0, *long_first(range(1, PROGRAMS // BATCH), 6)]

# Not two_matmuls_launch, which is two_matmuls in another form, nor those of one kernel alone.
EXAMPLES = [
    path
    for path in sorted((Path(__file__).parents[4] / "examples").glob("*.mlir"))
    if path.stem not in ("circular_buffer", "double_buffer", "two_matmuls_launch")
]
SOME_EXAMPLES = [
    pytest.param(
        path, marks=[pytest.mark.long] if path.stem in ("pipelines", "two_matmuls") else []
    )
    for path in EXAMPLES
]


def mutants(program: Program) -> Iterator[tuple[str, Program]]:
    """The program without one of its wait edges, for each of them."""
    for at, stmt in enumerate(program.statements()):
        if stmt.kind == "call":
            continue
        for i, dep in enumerate(stmt.deps):
            mutant = copy.deepcopy(program)
            del mutant.statements()[at].deps[i]
            yield f"{stmt.kind} does not wait for {dep}", mutant


class Mutants:
    """Programs and their mutants, run: how many can go wrong, and those that were not seen to."""

    def __init__(self, some: Sequence[Program]) -> None:
        cases: list[tuple[str, Program, list[int], bool]] = []
        for program in some:
            expected = orders.reference(program)
            cases.append(("as it is", program, expected, False))
            for what, mutant in mutants(program):
                differs = orders.can_differ(mutant, expected, 3000)
                if differs is not None:
                    cases.append((what, mutant, expected, differs))
        self.dangerous = sum(differs for _, _, _, differs in cases)
        self.missed: list[str] = []
        explorer = Explorer(texts.module([program for _, program, _, _ in cases]), orders="tokens")
        try:
            for i, (what, program, expected, differs) in enumerate(cases):
                arguments = texts.arguments(program)
                found = explorer.explore(f"p{i}", arguments, schedules=SCHEDULES)
                natural = [int(v) for array in found.natural.arrays for v in array]
                seen = found.difference is not None or natural != expected
                text = f"{what}\n{texts.module([program])}\n{program.values}"
                assert differs or not seen, f"differs ({found.difference}): {text}"
                if differs and not seen:
                    self.missed.append(text)
        finally:
            explorer.close()


@pytest.mark.parametrize("batch", BATCHES)
def test_straight_lines(batch: int) -> None:
    """All mutants that can go wrong are found, and no other program ever differs."""
    seeds = range(50000 + BATCH * batch, 50000 + BATCH * (batch + 1))
    found = Mutants([generate(Random(s), 4 + s % 4, flow=False) for s in seeds])
    assert found.dangerous, "no mutant of these programs can go wrong"
    assert not found.missed, f"{len(found.missed)} of {found.dangerous}: {found.missed[0]}"


@pytest.mark.long
@pytest.mark.parametrize("batch", BATCHES)
def test_control_flow(batch: int) -> None:
    """The same with loops, branches and calls."""
    seeds = range(60000 + BATCH * batch, 60000 + BATCH * (batch + 1))
    found = Mutants([generate(Random(s), 2 + s % 3) for s in seeds])
    assert found.dangerous, "no mutant of these programs can go wrong"
    assert not found.missed, f"{len(found.missed)} of {found.dangerous}: {found.missed[0]}"


def without_edge(module: Any, number: int) -> Any:
    """A copy of a module without the wait edge of that number, or None if there are fewer."""
    module = module.clone()
    for op in module.walk():
        if not is_async_op(op):
            continue
        tokens = list(op.async_dependencies)
        if number < len(tokens):
            del tokens[number]
            set_dependencies(op, tokens)
            return module
        number -= len(tokens)
    return None


def conflicts(module: Any) -> int:
    graph = build(module)
    return sum(len(unordered_conflicts(graph, function)) for function in graph.functions)


@pytest.mark.parametrize("path", SOME_EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    module = parse_module(path.read_text(), path.name)
    before = conflicts(module)
    original = Explorer(module)
    try:
        found = original.explore("main", schedules=8)
        assert found.difference is None
    finally:
        original.close()
    number = 0
    while (mutant := without_edge(module, number)) is not None:
        dangerous = conflicts(mutant) > before
        explorer = Explorer(mutant)
        try:
            # A mutant in which all that matters is ordered still cannot go wrong: few runs do.
            tries = SCHEDULES if dangerous else 2
            difference = explorer.explore("main", schedules=tries).difference
        finally:
            explorer.close()
        assert (difference is not None) == dangerous, f"edge {number}: {difference}"
        number += 1
    assert number
