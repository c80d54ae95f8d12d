# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executable graphs: copies of nodes in lanes, and conditional nodes that run.

An executable graph runs a conditional node as one operation. That looks at the node's word when its
turn comes, and does what a body holds, part by part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from xgpu.api.cuda_driver.graphs import (
    ChildWork,
    ConditionWork,
    Graph,
    Node,
    family,
    held,
    let_go,
)
from xgpu.api.cuda_driver.header import Refused, Result, require
from xgpu.api.cuda_driver.state import (
    CHILD,
    CONDITIONAL,
    COPY,
    EMPTY,
    FILL,
    KERNEL,
    RECORD,
    WAIT,
    Held,
    NodeWork,
    Part,
    Stream,
)
from xgpu.api.cuda_driver.streams import EventWork
from xgpu.host_device.device.graphs import MOST_LANES
from xgpu.host_device.device.operations import Composite, Effect, Operation

if TYPE_CHECKING:
    from xgpu.host_device.device.device import HostDevice

#: What a body may hold.
_IN_BODIES = (KERNEL, COPY, FILL, CHILD, EMPTY, CONDITIONAL)


class GraphExec(Held):
    """An executable graph: copies of the nodes, each with a lane. A lane runs its nodes in order;
    those of several lanes may overlap."""

    kinds = ("CUgraphExec",)

    def __init__(self, graph: Graph, flags: int) -> None:
        self.graph, self.flags, self.driver = graph, flags, graph.driver
        self.number = next(graph.driver.numbers)
        self.nodes = flat(graph)
        #: Nodes of the bodies of conditional nodes, and all nodes.
        self.bodies = _bodies_of(self.nodes)
        self.all = [*self.nodes, *(n for bodies in self.bodies.values() for b in bodies for n in b)]
        self.is_enabled = dict.fromkeys(self.all, True)
        self.work = {node: node.work for node in self.all}
        self.running: tuple[Operation, ...] = ()
        self._lanes: dict[int, list[Stream]] = {}
        self._hold(graph)

    def _hold(self, graph: Graph) -> None:
        """Let what a graph holds last as long as this."""
        graphs = list(family(graph))
        self._memories = list(dict.fromkeys(g.memory for g in graphs))
        for memory in self._memories:
            memory.holders += 1
        self._objects = held(sum((g.objects for g in graphs), Counter()))
        self._conditions = list(graph.conditions.values())

    def follow(self, graph: Graph, pairs: Iterable[tuple[Node, Node]]) -> None:
        """Do what another graph says: for each node of this there is one of that."""
        for own, other in pairs:
            self.work[own], own.original = other.work, other.original
        memories, objects = self._memories, self._objects
        self._hold(graph)
        for memory in memories:
            memory.drop()
        let_go(objects)

    def launch(self, stream: Stream) -> None:
        stream.follow_legacy()
        # As CUDA: launches of one executable graph follow one another.
        start = tuple(dict.fromkeys((*stream.work.frontier, *self.running)))
        works = {node: work for node, work in self.work.items() if self.is_enabled[node]}
        for work in works.values():
            if work.problem:
                raise Refused(Result.INVALID_VALUE, work.problem)
        lanes, count = lanes_of(self.nodes)
        own = self._lanes.setdefault(stream.context.number, [])
        while len(own) < count:
            own.append(Stream(stream.context, 1, 0))
        if self._conditions:
            start = self._begin_conditions(own[0], start)
        done: dict[Node, tuple[Operation, ...]] = {}
        for node, lane in zip(self.nodes, lanes, strict=True):
            before = tuple(o for n in node.after for o in done[n]) or start
            done[node] = self._run(node, own[lane], before, works)
        if not done:
            return
        used = {n for node in self.nodes for n in node.after}
        ends = tuple(o for node in self.nodes if node not in used for o in done[node])
        with stream.context.host.queueing:
            stream.work.frontier = ends
        self.running = ends

    def _begin_conditions(
        self, lane: Stream, before: tuple[Operation, ...]
    ) -> tuple[Operation, ...]:
        conditions = self._conditions

        def begin() -> None:
            for condition in conditions:
                condition.begin()

        lane.work.frontier = before
        lane.enqueue("condition", begin)
        return lane.work.frontier

    def _run(
        self, node: Node, lane: Stream, before: tuple[Operation, ...],
        works: Mapping[Node, NodeWork],
    ) -> tuple[Operation, ...]:  # fmt: skip
        work = works.get(node, _NOTHING)
        event = work.event if isinstance(work, EventWork) else None
        if event is not None and work.kind == WAIT and event.operation is not None:
            before = (*before, event.operation)
        lane.work.frontier = before
        if event is not None and work.kind == RECORD:
            event.record(lane)
            return lane.work.frontier
        parts = work.parts()
        if node in self.bodies:
            parts = (Conditional(lane.context.host, node, self.bodies, works).part(),)
        for name, action, effect in parts:
            lane.enqueue(name, action, effect)
        return lane.work.frontier

    def destroy(self) -> None:
        for operation in self.running:
            operation.wait()
        for lanes in self._lanes.values():
            for lane in lanes:
                lane.release()
        for memory in self._memories:
            memory.drop()
        let_go(self._objects)


#: What a node does that is disabled.
_NOTHING = NodeWork()


def flat(graph: Graph) -> list[Node]:
    """All nodes, those of child graphs in the place of their node, dependencies first."""
    found: list[Node] = []
    ends: dict[Node, list[Node]] = {}
    for node in _sorted(graph.nodes):
        after = [n for other in node.after for n in ends[other]]
        work = node.work
        if not isinstance(work, ChildWork):
            made = Node(graph, after, work)
            made.original = node
            found.append(made)
            ends[node] = [made]
            continue
        inner = flat(work.graph)
        for child in inner:
            child.after = child.after or after
        used = {n for child in inner for n in child.after}
        found += inner
        ends[node] = [child for child in inner if child not in used] or after
    return found


def _sorted(nodes: list[Node]) -> list[Node]:
    """Nodes with what each comes after before it. Raises `Refused` for a circle."""
    found: dict[Node, None] = {}
    waiting = list(nodes)
    while waiting:
        ready = [node for node in waiting if all(n in found for n in node.after)]
        require(ready, "the dependencies form a circle")
        found.update(dict.fromkeys(ready))
        waiting = [node for node in waiting if node not in found]
    return list(found)


def lanes_of(nodes: list[Node]) -> tuple[list[int], int]:
    """A lane for each node: that of a dependency without a follower yet, or a new one."""
    lanes: dict[Node, int] = {}
    followed: set[Node] = set()
    count = 0
    for number, node in enumerate(nodes):
        before = next((n for n in node.after if n not in followed), None)
        if before is not None:
            followed.add(before)
            lanes[node] = lanes[before]
        elif count < MOST_LANES:
            lanes[node], count = count, count + 1
        else:
            lanes[node] = number % MOST_LANES
    return list(lanes.values()), count


# -- conditional nodes


def _bodies_of(nodes: Iterable[Node]) -> dict[Node, list[list[Node]]]:
    """For each conditional node the nodes of its bodies, also for those in bodies. Raises `Refused`
    for what no body may hold."""
    found: dict[Node, list[list[Node]]] = {}
    for node in nodes:
        if not isinstance(node.work, ConditionWork):
            continue
        found[node] = [flat(body) for body in node.work.bodies]
        for inner in found[node]:
            fits = all(n.work.kind in _IN_BODIES for n in inner)
            require(fits, "a node that no conditional node may hold")
            found |= _bodies_of(inner)
    return found


class Conditional:
    """One launch of a conditional node: what its bodies do as the executable graph has it now.
    `works` are those of nodes that are enabled."""

    def __init__(
        self, host: HostDevice, node: Node, bodies: Mapping[Node, list[list[Node]]],
        works: Mapping[Node, NodeWork],
    ) -> None:  # fmt: skip
        self._host, self._node, self._bodies, self._works = host, node, bodies, works
        self._effect = Composite(self._effects)

    def part(self) -> Part:
        """The operation of the node."""
        return "conditional", lambda: self._run(self._node), self._effect

    def _effects(self, node: Node | None = None) -> Iterator[Effect]:
        """What bodies may do."""
        for body in self._bodies[node or self._node]:
            for inner in body:
                if inner in self._bodies:
                    yield from self._effects(inner)
                elif inner in self._works:
                    yield from (what for _, _, what in self._works[inner].parts() if what)

    def _run(self, node: Node) -> None:
        work = self._works[node]
        assert isinstance(work, ConditionWork)
        work.run([lambda body=body: self._run_body(body) for body in self._bodies[node]])

    def _run_body(self, body: Iterable[Node]) -> None:
        """All nodes of a body, each after those that it depends on."""
        for node in body:
            if node in self._bodies:
                self._run(node)
            elif node in self._works:
                for name, action, what in self._works[node].parts():
                    self._host.run_part(self._effect, name, action, what)
