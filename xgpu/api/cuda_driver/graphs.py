# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs: nodes, what they do, executable graphs, and the capture of streams."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from xgpu.api.cuda_driver.copies import Rows, known, on_device, rows_of
from xgpu.api.cuda_driver.header import HostNode, Refused, Result, require
from xgpu.api.cuda_driver.launches import Attributes, prepared
from xgpu.api.cuda_driver.memory import allocate
from xgpu.api.cuda_driver.state import Allocation, Context, Driver, Stream, release, thread_number
from xgpu.api.cuda_driver.streams import Event, host_call
from xgpu.host_device.device.graphs import MOST_LANES
from xgpu.host_device.device.memory import transfer
from xgpu.host_device.device.operations import Effect, Operation, Transfer
from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode

if TYPE_CHECKING:
    from xgpu.api.cuda_driver.header import AllocationNode, Copy3D
    from xgpu.api.cuda_driver.modules import Function
    from xgpu.host_device.device.launch import Launch

# CUgraphNodeType
KERNEL, COPY, FILL, HOST, CHILD, EMPTY, WAIT, RECORD = range(8)
ALLOCATE, FREE = 10, 11
NAMES = {
    KERNEL: "kernel", COPY: "memcpy", FILL: "memset", HOST: "host", CHILD: "graph",
    EMPTY: "empty", WAIT: "wait for event", RECORD: "record event", ALLOCATE: "memory allocation",
    FREE: "memory free",
}  # fmt: skip

#: Name of an operation, what it does, and how it is described; None: nothing but a join.
Work = tuple[str, Callable[[], None], Effect | None]


# -- what nodes do


class NodeWork:
    """What a node does: `make` gives the operations of one launch, which follow one another.
    `given` is the structure that a program has given for it, `facts` must stay the same in an
    executable graph."""

    kind = EMPTY

    def __init__(self, given: Any = None, facts: object = None) -> None:
        self.given: Any = None if given is None else type(given).from_buffer_copy(given)
        self.facts = facts

    def make(self, stream: Stream) -> Sequence[Work]:
        return (("join", _nothing, None),)


def _nothing() -> None:
    """What a join does."""


class KernelWork(NodeWork):
    kind = KERNEL

    def __init__(
        self, context: Context, function: Function, launch: Launch, asked: Attributes,
        given: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(given, context.number)
        self.context, self.function, self.launch, self.asked = context, function, launch, asked
        if given is None:
            self.given = self._described()

    def _described(self) -> KernelNode:
        made, record = KernelNode(), self.launch.record
        made.function = self.function.handle
        made.grid[:] = record.grid_x, record.grid_y, record.grid_z
        made.block[:] = record.block_x, record.block_y, record.block_z
        made.shared = record.dynamic_shared
        made.parameters = ctypes.addressof(self.launch.parameters)
        return made

    def make(self, stream: Stream) -> Sequence[Work]:
        launch, host = self.launch.again(), self.context.host
        host.session.create("launches")
        return ((launch.name, lambda: host.run_launch(launch), launch),)


class CopyWork(NodeWork):
    kind = COPY

    def __init__(self, rows: Rows, given: Any = None, facts: object = None) -> None:
        super().__init__(given, facts)
        self.rows = rows

    def make(self, stream: Stream) -> Sequence[Work]:
        return [("memcpy", _copying(effect), effect) for effect in self.rows.effects()]


def _copying(effect: Transfer) -> Callable[[], None]:
    def run() -> None:
        for to, origin, width in effect.parts():
            transfer(to, origin, width)

    return run


class FillWork(NodeWork):
    kind = FILL

    def __init__(self, given: FillNode) -> None:
        super().__init__(given, given.height)

    def make(self, stream: Stream) -> Sequence[Work]:
        g = self.given
        return [
            ("memset", _filling(at, g.width, g.value, g.size),
             Transfer("memset", at, 0, g.width, g.size))
            for at in (g.target + row * g.pitch for row in range(g.height))
        ]  # fmt: skip


def _filling(at: int, count: int, value: int, bytes: int) -> Callable[[], None]:
    return lambda: transfer(at, 0, count, value, bytes)


class HostWork(NodeWork):
    kind = HOST

    def make(self, stream: Stream) -> Sequence[Work]:
        return (("host call", host_call(self.given.function, self.given.data), Effect()),)


class EventWork(NodeWork):
    """`RECORD` or `WAIT`."""

    def __init__(self, kind: int, event: Event) -> None:
        super().__init__()
        self.kind, self.event = kind, event


class ChildWork(NodeWork):
    kind = CHILD

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph


class AllocationWork(NodeWork):
    """An allocation of a graph: the memory is there as long as the graph is."""

    kind = ALLOCATE

    def __init__(self, made: Allocation, given: Any = None) -> None:
        super().__init__(given)
        self.made = made

    def make(self, stream: Stream) -> Sequence[Work]:
        made, memory = self.made, self.made.context.host.memory

        def begin() -> None:
            if memory.visible_lifetimes:
                memory.begin(made.address, made.size)

        return (("alloc", begin, Transfer("alloc", made.address, 0, made.size, 0)),)


class FreeWork(NodeWork):
    kind = FREE

    def __init__(self, made: Allocation) -> None:
        super().__init__()
        self.made = made

    def make(self, stream: Stream) -> Sequence[Work]:
        made, memory = self.made, self.made.context.host.memory

        def end() -> None:
            if memory.visible_lifetimes:
                memory.end(made.address, made.size)

        return (("free", end, Transfer("free", made.address, 0, made.size, 0)),)


# -- graphs


class Node:
    """A node of a graph."""

    kinds = ("CUgraphNode",)
    handle = 0

    def __init__(self, graph: Graph, after: list[Node], work: NodeWork) -> None:
        self.graph, self.after, self.work = graph, after, work
        #: That of which it is a copy.
        self.original: Node | None = None


class Graph:
    """Nodes in the order in which they were added."""

    kinds = ("CUgraph",)
    handle = 0

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
        self.allocations[made.address] = made
        return made

    def drop(self) -> None:
        self.holders -= 1
        if self.holders:
            return
        for made in self.allocations.values():
            if made.context.is_alive and made.context.driver.ranges.at(made.address) is made:
                release(made)


class GraphExec:
    """An executable graph: copies of the nodes, each with a lane. A lane runs its nodes in order;
    those of several lanes may overlap."""

    kinds = ("CUgraphExec",)
    handle = 0

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
        made = work.make(lane) if self.is_enabled[node] else NodeWork().make(lane)
        for name, action, effect in made:
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
        self.number = next(origin.context.driver.numbers)
        self.owns_graph = owns_graph
        self.streams: dict[Stream, list[Node]] = {origin: []}
        self.is_valid = True
        #: Handles that a program has a pointer to.
        self.listed: Any = None
        origin.capture = self

    def invalidate(self) -> None:
        self.is_valid = False

    def join(self, stream: Stream, nodes: Iterable[Node]) -> None:
        """A stream takes part, and comes after nodes."""
        before = self.streams.get(stream, [])
        self.streams[stream] = list(dict.fromkeys((*before, *nodes)))
        stream.capture = self

    def end(self) -> None:
        for stream in self.streams:
            stream.capture = None

    def add(self, stream: Stream, work: NodeWork) -> Node:
        require(self.is_valid, "the capture failed", Result.STREAM_CAPTURE_INVALIDATED)
        node = self.graph.add(self.streams[stream], work)
        self.streams[stream] = [node]
        return node

    # -- what streams are given

    def launch(self, stream: Stream, function: Function, launch: Launch, asked: Attributes) -> None:
        self.add(stream, KernelWork(stream.context, function, launch, asked))

    def copy(self, stream: Stream, rows: Rows) -> None:
        self.add(stream, CopyWork(rows))

    def fill(
        self, stream: Stream, at: int, pitch: int, value: int, bytes: int, columns: int, rows: int
    ) -> None:
        self.add(stream, FillWork(FillNode(at, pitch, value, bytes, columns, rows)))

    def host(self, stream: Stream, function: int, data: int) -> None:
        self.add(stream, HostWork(HostNode(function, data)))

    def allocate(self, context: Context, stream: Stream, size: int) -> int:
        made = self.graph.memory.allocate(context, size)
        self.add(stream, AllocationWork(made))
        return made.address

    def free(self, stream: Stream, address: int) -> None:
        self.add(stream, free_work(self.graph, address))

    def record(self, stream: Stream, event: Event, *, is_external: bool) -> None:
        if is_external:
            self.add(stream, EventWork(RECORD, event))
        else:
            event.captured = (self, list(self.streams[stream]))

    def wait(self, stream: Stream, event: Event, *, is_external: bool) -> None:
        """A stream waits for an event; one of both is of this capture. Raises `Refused`."""
        if is_external and stream.capture is self:
            self.add(stream, EventWork(WAIT, event))
            return
        if event.captured is None:
            if event.operation is None:
                return
            self.invalidate()
            raise Refused(Result.STREAM_CAPTURE_ISOLATION, "the event was recorded outside of it")
        of_event, nodes = event.captured
        if of_event is not self:
            self.invalidate()
            raise Refused(Result.STREAM_CAPTURE_MERGE, "the event is of another capture")
        require(not stream.is_legacy, "the legacy stream", Result.STREAM_CAPTURE_IMPLICIT)
        self.join(stream, nodes)


def free_work(graph: Graph, address: int) -> NodeWork:
    """What gives back what a node of a graph has allocated. Raises `Refused`."""
    made = graph.memory.allocations.get(address)
    if made is None or address in graph.memory.freed:
        raise Refused(Result.INVALID_VALUE, f"no node of the graph has allocated 0x{address:x}")
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


def kernel_work(context: Context, given: Any) -> KernelWork:
    """What a structure for a kernel says. Raises `Refused`."""
    handle = given.function or getattr(given, "kernel", 0)
    function = context.driver.find(handle, "CUfunction").of(context)
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
    return AllocationWork(made, given)
