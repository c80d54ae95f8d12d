# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which points of a unit can be launched together as one graph.

A run is work of one block with nothing between that has its place in time: host waits, calls,
synchronous operations, control flow. Its shape is the same each time the block is executed: so
its graph is built once, and later only the parameters of its nodes change. `form_runs` puts one
point in the place of each run; what waits for any of it waits for the graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation

from xgpu.conversion.async_tokens.points import Graph, Join, Point, Work
from xgpu.conversion.async_tokens.unit import At, Step, Unit
from xgpu.core.ir.calls import is_function

if TYPE_CHECKING:
    from xgpu.dialects import gpu

_NODES = frozenset(("gpu.launch_func", "gpu.memcpy", "gpu.memset"))


class _Run:
    """Work that is to be one graph, and the joins between it."""

    __slots__ = ("joins", "members")

    def __init__(self) -> None:
        self.members: list[Work] = []
        self.joins: list[Point] = []


def form_runs(unit: Unit) -> list[tuple[Operation, str]]:
    """Puts graphs in the place of runs; for other operations why they are not in one."""
    refused: list[tuple[Operation, str]] = []
    runs: list[_Run] = []
    for run in _runs(unit, refused):
        if len(run.members) == 1:
            refused.append((run.members[0].op, "nothing else can be in a graph with it"))
        else:
            runs.append(run)
    if runs:
        _replace(unit, [(_contract(unit, run), run) for run in runs])
    return refused


def _runs(unit: Unit, refused: list[tuple[Operation, str]]) -> list[_Run]:
    """All runs, those of one member too; what cannot be in any goes to `refused`."""
    runs: list[_Run] = []
    everywhere = _why_not_here(unit)
    current: _Run | None = None
    for step in unit.script:
        if not isinstance(step, At):
            current = None
            continue
        point = step.point
        is_near = current is not None and current.members[-1].block is point.block
        if isinstance(point, Join) and current is not None and is_near:
            current.joins.append(point)
            continue
        if point not in unit.on_stream or not isinstance(point, Work):
            current = None
            continue
        why = _why_not(point) or everywhere
        if why is not None:
            current = None
            refused.append((point.op, why))
            continue
        if current is None or not is_near:
            current = _Run()
            runs.append(current)
        current.members.append(point)
    return runs


def _why_not_here(unit: Unit) -> str | None:
    function = unit.region.parent
    if function is None or not is_function(function):
        return "it runs beside other threads of the host, which would share the graph"
    return None


def _why_not(point: Work) -> str | None:
    """Why work cannot be a node of a graph."""
    op = point.op
    if not point.is_async:
        return "the host waits for it"
    if op.name in ("gpu.alloc", "gpu.dealloc"):
        return "memory of a graph would belong to the graph"
    if op.name not in _NODES:
        return "it is a call of a library"
    if op.name == "gpu.launch_func" and cast("gpu.LaunchFuncOp", op).cluster_size_x is not None:
        return "the parameters of a launch in clusters cannot be changed in a graph"
    return None


def _contract(unit: Unit, run: _Run) -> Graph:
    """One point for all of a run, at the place of its last member."""
    members = set[Point](run.members)
    needs: dict[Point, tuple[Point, ...]] = {}
    outside: dict[Point, None] = {}
    order: dict[Point, None] = {}
    for point in run.members:
        sources = unit.sources(unit.needs[point])[::-1]
        needs[point] = tuple(s for s in sources if s in members)
        outside.update(dict.fromkeys(s for s in sources if s not in members))
        order.update(dict.fromkeys(unit.order[point]))
    last = run.members[-1]
    graph = Graph(last.index, last.op, last.block, tuple(run.members), needs)
    unit.needs[graph] = list(outside)
    unit.order[graph] = list(order)
    unit.on_stream.add(graph)
    for join in run.joins:
        unit.needs[join] = unit.sources(unit.needs[join])
    return graph


def _replace(unit: Unit, formed: list[tuple[Graph, _Run]]) -> None:
    """Puts the graphs in the place of their members, and what waits for those behind them."""
    stands_for: dict[Point, Point] = {m: graph for graph, run in formed for m in run.members}
    # The joins between the members stand for the graph too: they come after it.
    behind: dict[Point, list[Point]] = {
        run.members[-1]: [graph, *run.joins] for graph, run in formed
    }
    gone = {*stands_for, *(join for _, run in formed for join in run.joins)}
    script: list[Step] = []
    for step in unit.script:
        if isinstance(step, At) and step.point in behind:
            script += map(At, behind[step.point])
        elif not isinstance(step, At) or step.point not in gone:
            script.append(step)
    unit.script = script
    for token, point in unit.of.items():
        unit.of[token] = stands_for.get(point, point)
    unit.on_stream.difference_update(stands_for)
    unit.points = [step.point for step in script if isinstance(step, At)]
    unit.number = {point: i for i, point in enumerate(unit.points)}
    for found in (unit.needs, unit.order):
        for point in unit.points:
            found[point] = list(dict.fromkeys(stands_for.get(p, p) for p in found[point]))
    unit.count_forks()
