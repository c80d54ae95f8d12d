# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs: nodes, what they do, executable graphs, and the capture of streams."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xgpu.api.cuda_driver.copies import CopyWork, FillWork, known, on_device, rows_of
from xgpu.api.cuda_driver.header import KernelNode1, Refused, Result, require
from xgpu.api.cuda_driver.launches import Attributes, KernelWork, prepared
from xgpu.api.cuda_driver.memory import AllocationWork, FreeWork, allocate
from xgpu.api.cuda_driver.modules import Function, Kernel
from xgpu.api.cuda_driver.state import (
    ALLOCATE,
    CHILD,
    COPY,
    EMPTY,
    FILL,
    FREE,
    HOST,
    KERNEL,
    RECORD,
    WAIT,
    Allocation,
    Context,
    Driver,
    Held,
    NodeWork,
    Stream,
    release,
    thread_number,
)
from xgpu.api.cuda_driver.streams import EventWork, HostWork
from xgpu.host_device.device.graphs import MOST_LANES
from xgpu.host_device.device.operations import Operation
from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode

if TYPE_CHECKING:
    from xgpu.api.cuda_driver.header import AllocationNode, Copy3D, HostNode

NAMES = {
    KERNEL: "kernel", COPY: "memcpy", FILL: "memset", HOST: "host", CHILD: "graph",
    EMPTY: "empty", WAIT: "wait for event", RECORD: "record event", ALLOCATE: "memory allocation",
    FREE: "memory free",
}  # fmt: skip


class ChildWork(NodeWork):
    kind = CHILD

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph


# -- graphs


class Node(Held):
    """A node of a graph."""

    kinds = ("CUgraphNode",)

    def __init__(self, graph: Graph, after: list[Node], work: NodeWork) -> None:
        self.graph, self.after, self.work = graph, after, work
        #: That of which it is a copy.
        self.original: Node | None = None


class Graph(Held):
    """Nodes in the order in which they were added."""

    kinds = ("CUgraph",)

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.number = next(driver.numbers)
        self.nodes: list[Node] = []
        self.memory = GraphMemory()
        #: It is a part of another.
        self.is_own = False

    def add(self, after: Iterable[Node], work: NodeWork) -> Node:
        made = Node(self, list(dict.fromkeys(after)), work)
        self.nodes.append(made)
        self.driver.make(made)
        return made

    def copy(self) -> Graph:
        """A copy; nodes know which they are copies of."""
        made = Graph(self.driver)
        made.memory = self.memory
        self.memory.holders += 1
        copies: dict[Node, Node] = {}
        for node in self.nodes:
            copy = made.add((copies[n] for n in node.after), node.work)
            copy.original = node
            copies[node] = copy
        return made

    def destroy(self) -> None:
        for node in self.nodes:
            self.driver.end(node)
        self.memory.drop()


class GraphMemory:
    """What nodes have allocated; given back with the last graph that has them."""

    def __init__(self) -> None:
        self.allocations: dict[int, Allocation] = {}
        self.holders = 1
        #: Nodes of the graph give these back.
        self.freed: set[int] = set()

    def allocate(self, context: Context, size: int) -> Allocation:
        made = allocate(context, size, "device")
        made.is_of_graph = True
        self.allocations[made.address] = made
        return made

    def drop(self) -> None:
        self.holders -= 1
        if self.holders:
            return
        for made in self.allocations.values():
            if made.context.is_alive and made.context.driver.ranges.at(made.address) is made:
                release(made)


class GraphExec(Held):
    """An executable graph: copies of the nodes, each with a lane. A lane runs its nodes in order;
    those of several lanes may overlap."""

    kinds = ("CUgraphExec",)

    def __init__(self, graph: Graph, flags: int) -> None:
        self.graph, self.flags, self.driver = graph, flags, graph.driver
        self.number = next(graph.driver.numbers)
        self.memory = graph.memory
        self.memory.holders += 1
        self.nodes = flat(graph)
        self.is_enabled = dict.fromkeys(self.nodes, True)
        self.work = {node: node.work for node in self.nodes}
        self.running: tuple[Operation, ...] = ()
        self._lanes: dict[int, list[Stream]] = {}

    def launch(self, stream: Stream) -> None:
        stream.follow_legacy()
        # As CUDA: launches of one executable graph follow one another.
        start = tuple(dict.fromkeys((*stream.work.frontier, *self.running)))
        lanes, count = lanes_of(self.nodes)
        own = self._lanes.setdefault(stream.context.number, [])
        while len(own) < count:
            own.append(Stream(stream.context, 1, 0))
        done: dict[Node, tuple[Operation, ...]] = {}
        for node, lane in zip(self.nodes, lanes, strict=True):
            before = tuple(o for n in node.after for o in done[n]) or start
            done[node] = self._run(node, own[lane], before)
        if not done:
            return
        used = {n for node in self.nodes for n in node.after}
        ends = tuple(o for node in self.nodes if node not in used for o in done[node])
        with stream.context.host.queueing:
            stream.work.frontier = ends
        self.running = ends

    def _run(
        self, node: Node, lane: Stream, before: tuple[Operation, ...]
    ) -> tuple[Operation, ...]:
        work = self.work[node]
        event = work.event if isinstance(work, EventWork) and self.is_enabled[node] else None
        if event is not None and work.kind == WAIT and event.operation is not None:
            before = (*before, event.operation)
        lane.work.frontier = before
        if event is not None and work.kind == RECORD:
            event.record(lane)
            return lane.work.frontier
        parts = work.parts() if self.is_enabled[node] else NodeWork().parts()
        for name, action, effect in parts:
            lane.enqueue(name, action, effect)
        return lane.work.frontier

    def destroy(self) -> None:
        for operation in self.running:
            operation.wait()
        for lanes in self._lanes.values():
            for lane in lanes:
                lane.release()
        self.memory.drop()


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


# -- capture


class Capture:
    """What streams are given becomes nodes. `streams` are those that take part, each with the nodes
    that its next one comes after."""

    def __init__(self, graph: Graph, origin: Stream, mode: int, owns_graph: bool) -> None:
        self.graph, self.origin, self.mode = graph, origin, mode
        self.thread = thread_number()
        self.driver = origin.context.driver
        self.number = next(self.driver.numbers)
        self.owns_graph = owns_graph
        self.streams: dict[Stream, list[Node]] = {origin: []}
        self.is_valid = True
        #: Handles that a program has a pointer to.
        self.listed: ctypes.Array[ctypes.c_uint64] | None = None
        origin.capture = self
        self.driver.mirror.captures(1)

    def invalidate(self) -> None:
        self.is_valid = False

    def join(self, stream: Stream, nodes: Iterable[object]) -> None:
        before = self.streams.get(stream, [])
        own = [node for node in nodes if isinstance(node, Node)]
        self.streams[stream] = list(dict.fromkeys((*before, *own)))
        stream.capture = self

    def end(self) -> None:
        for stream in self.streams:
            stream.capture = None
        self.driver.mirror.captures(-1)

    def add(self, stream: Stream, work: NodeWork) -> Node:
        require(self.is_valid, "the capture failed", Result.STREAM_CAPTURE_INVALIDATED)
        node = self.graph.add(self.streams[stream], work)
        self.streams[stream] = [node]
        return node

    def allocate(self, context: Context, stream: Stream, size: int) -> int:
        made = self.graph.memory.allocate(context, size)
        self.add(stream, AllocationWork(made))
        return made.address

    def free(self, stream: Stream, address: int) -> None:
        self.add(stream, free_work(self.graph, address))

    def ends(self, stream: Stream) -> Sequence[object]:
        return list(self.streams[stream])


def free_work(graph: Graph, address: int) -> NodeWork:
    """What gives back what a node of this graph or another has allocated. Raises `Refused`."""
    made = graph.driver.ranges.at(address)
    if made is None or not made.is_of_graph or address in graph.memory.freed:
        raise Refused(Result.INVALID_VALUE, f"no node of a graph has allocated 0x{address:x}")
    graph.memory.freed.add(address)
    return FreeWork(made)


# -- what programs say of nodes


def dependencies(driver: Driver, graph: Graph, where: int, count: int) -> list[Node]:
    """The nodes in an array of handles. Raises `Refused`."""
    require(where or not count, "a pointer is null")
    handles = (ctypes.c_uint64 * count).from_address(where) if count else ()
    found: list[Node] = []
    for handle in handles:
        node = driver.handles.get(handle)
        if not isinstance(node, Node) or node.graph is not graph:
            raise Refused(Result.INVALID_VALUE, "a node of another graph")
        found.append(node)
    require(len(set(found)) == len(found), "a node twice")
    return found


def kernel_work(context: Context, given: KernelNode | KernelNode1) -> KernelWork:
    """What a structure for a kernel says. Raises `Refused`."""
    handle = given.function or getattr(given, "kernel", 0)
    found = context.driver.handles.get(handle)
    if not isinstance(found, (Function, Kernel)):
        raise Refused(Result.INVALID_HANDLE, f"0x{handle:x} is no live CUfunction")
    function = found.of(context)
    (gx, gy, gz), (bx, by, bz) = given.grid, given.block
    asked = Attributes()
    launch = prepared(
        context, function, (gx, gy, gz), (bx, by, bz), given.shared, given.parameters,
        given.extra, asked,
    )  # fmt: skip
    whole = KernelNode()
    ctypes.memmove(ctypes.addressof(whole), ctypes.addressof(given), ctypes.sizeof(given))
    made = KernelWork(context, function, launch, asked, whole)
    made.given.parameters, made.given.extra = ctypes.addressof(launch.parameters), 0
    return made


def copy_work(context: Context, given: Copy3D) -> CopyWork:
    require(given.width and given.height and given.depth, "a copy of nothing")
    rows, _ = rows_of(context, given)
    ends = [known(context, at, rows.width) for at in (rows.to, rows.origin)]
    facts = tuple("host" if end is None else end.kind for end in ends)
    return CopyWork(rows, given, facts)


def fill_work(context: Context, given: FillNode) -> FillWork:
    require(given.width and given.height, "a fill of nothing")
    require(given.size in (1, 2, 4), f"values of {given.size} bytes")
    require(given.target % given.size == 0, "alignment of a fill")
    on_device(context, given.target, (given.height - 1) * given.pitch + given.width * given.size)
    return FillWork(given)


def host_work(given: HostNode) -> HostWork:
    require(given.function, "a pointer is null")
    return HostWork(given)


def allocation_work(context: Context, graph: Graph, given: AllocationNode) -> AllocationWork:
    """Allocates, and says where in the structure. Raises `Refused`."""
    require(given.pool.type == 1 and given.size, "what is allocated")
    made = graph.memory.allocate(context, given.size)
    given.address = made.address
    return AllocationWork(made)
