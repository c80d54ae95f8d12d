# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random token programs with the other options of gpu-async-to-mgpu: the results stay right."""

from __future__ import annotations

from random import Random

import pytest

from tests.support import token_program_orders as orders
from tests.support import token_program_text as texts
from tests.support.some_cases import short
from tests.support.token_programs import generate
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module
from xgpu.core.syntax.diagnostics import collect
from xgpu.driver.schedules import Explorer

PROGRAMS = 8


@pytest.mark.parametrize(
    "options", short(["mode=graph", "max-streams=2", "assign=min-events"], "mode=graph")
)
def test_every_order_gives_what_sequential_execution_gives(options: str) -> None:
    programs = [generate(Random(500 + i), 7) for i in range(PROGRAMS)]
    module = parse_module(texts.module(programs))
    pipeline = f"gpu-async-to-mgpu{{{options}}},mgpu-verify-lifetimes"
    # Remarks say what is in no graph.
    with collect():
        parse_pipeline(f"builtin.module({pipeline})").run(module, context())
    launches = sum(op.name == "mgpu.graph_launch" for op in module.walk())
    assert (launches > 5) == (options == "mode=graph")
    explorer = Explorer(module)
    try:
        for i, program in enumerate(programs):
            found = explorer.explore(f"p{i}", texts.arguments(program), schedules=4)
            assert found.natural.error is None, found.natural.error
            assert [int(v) for array in found.natural.arrays for v in array] == orders.reference(
                program
            )
            assert found.difference is None, f"{i}: {found.difference}"
            for kind in ("streams", "events"):
                count = found.natural.session.counts[kind]
                assert count.created == count.destroyed
    finally:
        explorer.close()
