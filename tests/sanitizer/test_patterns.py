# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose races are known by definition: all are found, and no other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from graph_patterns import graph_patterns
from race_patterns import Kernel, patterns, program
from some_cases import short

import xgpu

_ALL = list(patterns())
_EACH = 16


def check(chosen: Sequence[Kernel]) -> None:
    found = xgpu.sanitize(program(chosen), filename="patterns.mlir")
    racy = {f.sides[0].kernel for f in found if f.kind == "race"}
    wanted = {p.name for p in chosen if p.races()}
    assert racy - wanted == set(), f"no races: {sorted(racy - wanted)}\n{found.text()}"
    assert wanted - racy == set(), f"missed: {sorted(wanted - racy)}"
    others = [f for f in found if f.kind != "race"]
    assert not others, found.text()


def test_there_are_as_many_as_it_takes():
    racy = sum(p.races() for p in _ALL)
    assert racy >= 100
    assert len(_ALL) - racy >= 100


@pytest.mark.parametrize("start", short(range(0, 2 * _EACH, _EACH), 0))
def test_some_patterns(start: int):
    step = len(_ALL) // (2 * _EACH)
    check(_ALL[start * step : (start + _EACH) * step : step])


_GRAPHS = list(graph_patterns())


def test_graphs_are_as_many():
    racy = sum(p.races() for p in _GRAPHS)
    assert min(racy, len(_GRAPHS) - racy) >= 40


@pytest.mark.parametrize("start", short(range(4), 0))
def test_some_patterns_on_graphs(start: int):
    check(_GRAPHS[start::12])


@pytest.mark.long
@pytest.mark.parametrize("start", range(4, 12))
def test_all_patterns_on_graphs(start: int):
    check(_GRAPHS[start::12])


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, len(_ALL), _EACH))
def test_all_patterns(start: int):
    check(_ALL[start : start + _EACH])
