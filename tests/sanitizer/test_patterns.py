# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose races are known by definition: all are found, and no other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from graph_patterns import graph_patterns
from race_patterns import Kernel, patterns, program
from some_cases import long_each

import xgpu

_ALL = list(patterns())
_GRAPHS = list(graph_patterns())
#: How many parts there are of each. Neither is a multiple of how many values an axis has: each part
#: has all values.
_PARTS, _GRAPH_PARTS = 61, 23


def check(chosen: Sequence[Kernel]) -> None:
    found = xgpu.sanitize(program(chosen), filename="patterns.mlir")
    racy = {f.sides[0].kernel for f in found if f.kind == "race"}
    wanted = {p.name for p in chosen if p.races()}
    assert racy - wanted == set(), f"no races: {sorted(racy - wanted)}\n{found.text()}"
    missed = wanted - racy
    assert not missed, sorted(missed)
    others = [f for f in found if f.kind != "race"]
    assert not others, found.text()


def test_there_are_as_many_as_it_takes():
    racy = sum(p.races() for p in _ALL)
    assert racy >= 100
    assert len(_ALL) - racy >= 100


def test_graphs_are_as_many():
    racy = sum(p.races() for p in _GRAPHS)
    assert min(racy, len(_GRAPHS) - racy) >= 40


@pytest.mark.parametrize("part", [0, *long_each(range(1, _PARTS), 5)])
def test_patterns(part: int):
    check(_ALL[part::_PARTS])


@pytest.mark.long
@pytest.mark.parametrize("part", [0, *long_each(range(1, _GRAPH_PARTS), 4)])
def test_patterns_on_graphs(part: int):
    check(_GRAPHS[part::_GRAPH_PARTS])
