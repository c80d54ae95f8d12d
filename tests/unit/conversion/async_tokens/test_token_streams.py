# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens become streams: properties that hold of random programs.

2,000 programs with --long, in batches that are one module each. Their tokens and waits order all
that matters, so every order that the streams and events allow must give what sequential execution
gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given

from tests.support import token_program_orders as orders
from tests.support import token_program_text as texts
from tests.support.some_cases import each
from tests.support.token_programs import Program, generate, programs
from xgpu.conversion.async_tokens.graph import build
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module, print_module
from xgpu.driver.schedules import Explorer, Outcome

PROGRAMS, BATCH = 2000, 20
#: Small programs as they are; with --long each sixth batch, in all sizes, and large ones whose
#: waits are canonicalized; all of them with --exhaustive.
SHORT = (0,)
LONG = (19, *range(1, PROGRAMS // BATCH, 6))
BATCHES = [
    *SHORT,
    *(
        pytest.param(n, marks=pytest.mark.long if n in LONG else pytest.mark.exhaustive)
        for n in range(PROGRAMS // BATCH)
        if n not in SHORT
    ),
]
SCHEDULES = 5

_HANDLES = ("streams", "events")
_ORDERED = ("work", "host", "call", "argument", "return")


def run_passes(module: Any, pipeline: str) -> None:
    """Passes on a module, in place."""
    parse_pipeline(f"builtin.module({pipeline})").run(module, context())


def relation(module: Any) -> list[list[tuple[bool, bool, bool]]]:
    """For each pair of a function's effects: before, by the host, in earlier iterations."""
    graph = build(module)
    found: list[list[tuple[bool, bool, bool]]] = []
    for function in graph.functions:
        nodes = [n for n in graph.of(function) if n.kind in _ORDERED]
        for a in nodes:
            found.append(
                [
                    (graph.before(a, b), graph.host_ordered(a, b), graph.before_carried(a, b))
                    for b in nodes
                ]
            )
    return found


def buffers_of(outcome: Outcome) -> list[int]:
    return [int(value) for array in outcome.arrays for value in array]


def check_run(outcome: Outcome, expected: Sequence[int]) -> None:
    """The right result, and nothing left."""
    assert outcome.error is None, outcome.error
    assert buffers_of(outcome) == expected
    for kind in _HANDLES:
        count = outcome.session.counts[kind]
        assert count.created == count.destroyed, f"{kind}: {count.created} != {count.destroyed}"
    assert not outcome.alive


@pytest.mark.parametrize("batch", BATCHES)
def test_every_order_gives_what_sequential_execution_gives(batch: int) -> None:
    """5 adversarial orders each; created = destroyed; the lifetimes are proven by the pipeline.

    Every second batch has its waits canonicalized first, which must not change the order.
    """
    size = 4 + batch % 5
    some = [generate(Random(1000 * batch + i), size) for i in range(BATCH)]
    module = parse_module(texts.module(some))
    if batch % 2:
        before = relation(module)
        run_passes(module, "gpu-canonicalize-waits")
        assert relation(module) == before
    explorer = Explorer(module)
    try:
        for i, program in enumerate(some):
            explore(explorer, f"p{i}", program)
    finally:
        explorer.close()


def explore(explorer: Explorer, name: str, program: Program) -> None:
    """Runs a program in the natural order and five others."""
    expected = orders.reference(program)
    arguments = texts.arguments(program)
    found = explorer.explore(name, arguments, schedules=SCHEDULES)
    check_run(found.natural, expected)
    assert found.difference is None, f"seed {found.seed}: {found.difference}\n" + texts.module(
        [program]
    )
    # Where fewer orders show all there is to see, any others do.
    for seed in range(found.runs, SCHEDULES):
        check_run(explorer.run(name, arguments, seed=7919 + seed), expected)


@given(programs(8))
def test_canonicalization_keeps_the_order_and_is_idempotent(program: Program) -> None:
    module = parse_module(texts.module([program]))
    before = relation(module)
    run_passes(module, "gpu-canonicalize-waits")
    assert relation(module) == before
    once = print_module(module)
    run_passes(module, "gpu-canonicalize-waits")
    assert print_module(module) == once


@given(programs(6))
def test_handles_live_as_they_must(program: Program) -> None:
    module = parse_module(texts.module([program]))
    run_passes(module, "gpu-async-to-mgpu,mgpu-verify-lifetimes")
    names = {op.name for op in module.walk()}
    assert not {"gpu.wait", "gpu.memcpy", "gpu.memset", "gpu.alloc", "gpu.dealloc"} & names


def dag(random: Random) -> str:
    """Up to 9 launches with random dependencies, joins and waits of the host."""
    lines: list[str] = []
    tokens: list[str] = []
    for i in range(random.randrange(1, 10)):
        deps = random.sample(tokens, min(len(tokens), random.choice((0, 1, 1, 2, 3))))
        if len(deps) > 1 and random.random() < 0.3:
            lines.append(f"%j{i} = gpu.wait async [{', '.join(deps)}]")
            deps = [f"%j{i}"]
        of = f"[{', '.join(deps)}] " if deps else ""
        lines.append(
            f"%t{i} = gpu.launch_func async {of}@kernels::@scale blocks in (%c1, %c1, %c1) "
            "threads in (%c1, %c1, %c1) args(%x : memref<1xi32>, %k : i32, %k : i32)"
        )
        tokens.append(f"%t{i}")
        if random.random() < 0.1:
            lines.append(f"gpu.wait [{random.choice(tokens)}]")
    body = "\n    ".join(lines)
    return (
        f"module attributes {{gpu.container_module}} {{\n{texts.KERNELS}"
        f"  func.func @main(%x: memref<1xi32>, %k: i32) {{\n    %c1 = arith.constant 1 : index\n"
        f"    {body}\n    return\n  }}\n}}\n"
    )


def widest(module: Any) -> int:
    """The most launches of which none is before another, by trying all sets: by Dilworth's theorem
    the fewest streams.
    """
    graph = build(module)
    work = graph.work()
    related = [
        sum(1 << j for j, b in enumerate(work) if graph.before(a, b) or graph.before(b, a))
        for a in work
    ]
    best = 0
    for chosen in range(1, 1 << len(work)):
        members = [i for i in range(len(work)) if chosen >> i & 1]
        if len(members) > best and not any(related[i] & chosen for i in members):
            best = len(members)
    return best


@pytest.mark.parametrize("batch", each(range(10), 5))
def test_the_number_of_streams_is_the_least(batch: int) -> None:
    for i in range(30):
        module = parse_module(dag(Random(100 * batch + i)))
        least = widest(module)
        work = len(build(module).work())
        run_passes(module, "gpu-async-to-mgpu")
        names = [op.name for op in module.walk()]
        # A single launch is left as it is: it needs no stream of its own.
        if work > 1 or "mgpu.launch" in names:
            assert names.count("mgpu.stream_create") == least, print_module(module)
