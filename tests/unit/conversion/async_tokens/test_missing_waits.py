# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs from which one dependency was taken: `explore` finds each whose result some order
changes, and finds nothing in the programs as they were.
"""

from __future__ import annotations

import copy
import pathlib
import re
from random import Random

import pytest

from tests.support.some_cases import short
from tests.support.token_program_orders import can_differ, reference
from tests.support.token_program_text import arguments, module
from tests.support.token_programs import Generator
from xgpu.driver.schedules import Explorer

EXAMPLES = pathlib.Path(__file__).resolve().parents[4] / "examples"
PROGRAMS, SCHEDULES, _PARTS = 50, 50, 10

# What an example's operation waits for though nothing depends on it: the start, and releases.
HARMLESS = {
    "pipelines": ["66 %s", "75 %s", "81 %s", "97 %d1", "97 %d2"],
    "vector_add": ["47 %t0", "71 %t2", "72 %t3", "73 %t4", "74 %t5"],
    "reduce": ["69 %t0", "82 %t2", "83 %t3", "84 %t4"],
    "two_matmuls": ["26 %0", "31 %2", "164 %t0", "165 %t1", "166 %t2", "167 %t3"],
}


def without_a_token(text):
    """The text without one of the tokens that an operation waits for, named by line and token."""
    for match in re.finditer(r"(async|gpu\.wait)(\s*)\[([^\]]*)\]", text):
        tokens = [t.strip() for t in match[3].split(",")]
        for i, token in enumerate(tokens):
            rest = ", ".join(tokens[:i] + tokens[i + 1 :])
            changed = f"{match[1]}{match[2]}[{rest}]" if rest else match[1]
            line = text[: match.start()].count("\n") + 1
            yield f"{line} {token}", text[: match.start()] + changed + text[match.end() :]


@pytest.mark.parametrize("name", short(HARMLESS, "vector_add", "reduce"))
def test_missing_tokens_of_the_examples_are_found(name):
    text = (EXAMPLES / f"{name}.mlir").read_text()
    text = text.replace("%rounds = arith.constant 1000", "%rounds = arith.constant 3")
    is_slow = name == "two_matmuls"
    assert Explorer(text).explore(schedules=3 if is_slow else SCHEDULES).difference is None
    unseen = []
    for place, changed in without_a_token(text):
        skipped = is_slow and place in HARMLESS[name]
        if skipped or Explorer(changed).explore(schedules=SCHEDULES).difference is None:
            unseen.append(place)
    assert unseen == HARMLESS[name]


def in_loops(body, inside=False):
    """The statements of a body, each with whether it is repeated."""
    for stmt in body:
        yield stmt, inside
        for part in stmt.bodies:
            yield from in_loops(part, inside or stmt.kind == "loop")


def mutants(program):
    """The program without one of the dependencies of an operation, for each of them.

    Not in loops: a loop has as many streams as its body needs, so what one iteration gives a
    stream runs before what the next one gives it, whatever the tokens say. Nor in callees, which
    may be called in loops.
    """
    for i, (stmt, repeated) in enumerate(in_loops(program.body)):
        if repeated or stmt.kind in ("loop", "call"):
            continue
        for k in range(len(stmt.deps)):
            other = copy.deepcopy(program)
            del list(in_loops(other.body))[i][0].deps[k]
            yield other


def values(outcome):
    return [int(number) for array in outcome.arrays for number in array]


@pytest.mark.parametrize(
    "part", [pytest.param(n, marks=[pytest.mark.long]) for n in range(_PARTS)]
)
def test_missing_dependencies_of_random_programs_are_found(part):
    programs = [
        Generator(Random(seed), size=7, flow=seed % 3 == 0).program()
        for seed in range(part, PROGRAMS, _PARTS)
    ]
    changed = [(mutant, reference(p)) for p in programs for mutant in mutants(p)]
    wrong = [(mutant, right) for mutant, right in changed if can_differ(mutant, right)]
    assert len(wrong) >= 7
    explorer = Explorer(module([*programs, *(mutant for mutant, _ in wrong)]))
    for i, program in enumerate(programs):
        found = explorer.explore(f"p{i}", arguments(program), schedules=SCHEDULES)
        assert (found.natural.error, found.difference) == (None, None)
        assert values(found.natural) == reference(program)
    for i, (mutant, right) in enumerate(wrong, len(programs)):
        found = explorer.explore(f"p{i}", arguments(mutant), schedules=SCHEDULES)
        assert found.difference is not None or values(found.natural) != right
