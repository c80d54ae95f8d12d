# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which points of a unit can be launched together as one graph.

A run is work of one block with nothing between that has its place in time: host waits, calls,
synchronous operations, control flow. Its shape is the same each time the block is executed: so
its graph is built once, and later only the parameters of its nodes change. `form_runs` puts one
point in the place of each run; what waits for any of it waits for the graph.
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import Block, Operation

from xgpu.async_tokens.points import Point, Unit, sources_of
from xgpu.ir.calls import is_function

_NODES = frozenset(("gpu.launch_func", "gpu.memcpy", "gpu.memset"))


class Run:
    """Work that is one graph: its points, and of each the points in the run that it needs."""

    __slots__ = ("members", "needs")

    def __init__(self) -> None:
        self.members: list[Point] = []
        self.needs: dict[Point, list[Point]] = {}


def form_runs(unit: Unit) -> tuple[list[tuple[Point, Run]], list[tuple[Operation, str]]]:
    """The points that are graphs now; and for other operations why they are not in one."""
    runs: list[Run] = []
    refused: list[tuple[Operation, str]] = []
    everywhere = _why_not_here(unit)
    current: Run | None = None
    joins: dict[Run, list[Point]] = {}
    block: Block | None = None
    for what, item in unit.script:
        if what != "point":
            current = None
            continue
        point: Point = item
        if point.kind == "join" and point.block is block and current is not None:
            joins.setdefault(current, []).append(point)
            continue
        why = _why_not(point) or everywhere
        if why is not None:
            current = None
            if point.kind == "work" and point.op is not None:
                refused.append((point.op, why))
            continue
        if current is None or point.block is not block:
            current, block = Run(), point.block
            runs.append(current)
        current.members.append(point)
    formed: list[tuple[Point, Run]] = []
    for run in runs:
        if len(run.members) == 1:
            (point,) = run.members
            if point.op is not None:
                refused.append((point.op, "nothing else can be in a graph with it"))
            continue
        formed.append((_contract(run, joins.get(run, [])), run))
    if formed:
        _replace(unit, formed, joins)
    return formed, refused


def _why_not_here(unit: Unit) -> str | None:
    function = unit.region.parent
    if function is None or not is_function(function):
        return "it runs beside other threads of the host, which would share the graph"
    return None


def _why_not(point: Point) -> str | None:
    """Why a point cannot be a node of a graph."""
    op: Any = point.op
    if point.kind != "work" or op is None:
        return "it is no work"
    if point.is_sync:
        return "the host waits for it"
    if op.name in ("gpu.alloc", "gpu.dealloc"):
        return "memory of a graph would belong to the graph"
    if op.name not in _NODES:
        return "it is a call of a library"
    if op.name == "gpu.launch_func" and op.cluster_size_x is not None:
        return "the parameters of a launch in clusters cannot be changed in a graph"
    return None


def _contract(run: Run, joins: list[Point]) -> Point:
    """One point for all of a run, at the place of its last member."""
    members = set(run.members)
    outside: dict[Point, None] = {}
    order: dict[Point, None] = {}
    for point in run.members:
        sources = sources_of(point.needs)
        run.needs[point] = [s for s in reversed(sources) if s in members]
        outside.update(dict.fromkeys(s for s in reversed(sources) if s not in members))
        order.update(dict.fromkeys(point.order))
    last = run.members[-1]
    graph = Point("work", last.op, last.block, list(outside))
    graph.order = list(order)
    graph.value = last.value
    for join in joins:
        join.needs = sources_of(join.needs)
    return graph


def _replace(unit: Unit, formed: list[tuple[Point, Run]], joins: dict[Run, list[Point]]) -> None:
    """Puts the graphs in the place of their members, and what waits for those behind them."""
    stands_for = {member: graph for graph, run in formed for member in run.members}
    # The joins between the members stand for the graph too: they come after it.
    behind = {run.members[-1]: [graph, *joins.get(run, [])] for graph, run in formed}
    moved = {join for listed in behind.values() for join in listed[1:]}
    script: list[tuple[str, Any]] = []
    for what, item in unit.script:
        if what == "point" and item in behind:
            script += [("point", point) for point in behind[item]]
        elif what != "point" or (item not in stands_for and item not in moved):
            script.append((what, item))
    unit.script = script
    for token, point in unit.of.items():
        unit.of[token] = stands_for.get(point, point)
    unit.points = [item for what, item in script if what == "point"]
    for index, point in enumerate(unit.points):
        point.index = index
        point.forks = 0
        point.needs = list(dict.fromkeys(stands_for.get(n, n) for n in point.needs))
        point.order = list(dict.fromkeys(stands_for.get(n, n) for n in point.order))
    for point in unit.points:
        for need in point.needs:
            if need.kind == "join" and point.kind != "host":
                need.forks += 1
