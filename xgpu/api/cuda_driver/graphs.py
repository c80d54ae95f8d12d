# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs: nodes, what they do, and the capture of streams."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from xgpu.api.cuda_driver.copies import CopyWork, FillWork, on_device, rows_of
from xgpu.api.cuda_driver.header import ConditionNode, KernelNode1, Refused, Result, require
from xgpu.api.cuda_driver.launches import Attributes, KernelWork, prepared
from xgpu.api.cuda_driver.memory import AllocationWork, FreeWork, allocate
from xgpu.api.cuda_driver.modules import Function, Kernel
from xgpu.api.cuda_driver.pools import MANAGED, PINNED
from xgpu.api.cuda_driver.state import (
    ALLOCATE,
    CHILD,
    CONDITIONAL,
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
from xgpu.api.cuda_driver.streams import HostWork, host_call
from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode

if TYPE_CHECKING:
    from xgpu.api.cuda_driver.header import AllocationNode, Copy3D, HostNode

NAMES = {
    KERNEL: "kernel", COPY: "memcpy", FILL: "memset", HOST: "host", CHILD: "graph",
    EMPTY: "empty", WAIT: "wait for event", RECORD: "record event", ALLOCATE: "memory allocation",
    FREE: "memory free", CONDITIONAL: "conditional",
}  # fmt: skip


class ChildWork(NodeWork):
    kind = CHILD

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph

    def copy(self) -> NodeWork:
        return ChildWork(own_copy(self.graph))

    def destroy(self) -> None:
        self.graph.end()


def own_copy(graph: Graph) -> Graph:
    """A copy that belongs to a node. Raises `Refused`."""
    made = graph.copy()
    made.is_own = True
    graph.driver.make(made)
    return made


# -- user objects


class UserObject(Held):
    """A pointer of the program with references: `own` ones of the program, others of graphs. With
    the last one the program's destructor is called, in the thread that gives the reference up."""

    kinds = ("CUuserObject",)

    def __init__(self, driver: Driver, pointer: int, destructor: int, own: int) -> None:
        self.driver, self.own, self.count = driver, own, own
        self._destructor = host_call(destructor, pointer)

    def add(self, count: int) -> None:
        self.count += count

    def drop(self, count: int) -> None:
        self.count -= count
        if not self.count:
            self.driver.end(self)
            self._destructor()


def held(objects: Counter[UserObject]) -> Counter[UserObject]:
    """As many references as given, of another holder."""
    for found, count in objects.items():
        found.add(count)
    return Counter(objects)


def let_go(objects: Counter[UserObject]) -> None:
    """Give all references up."""
    given_up = list(objects.items())
    objects.clear()
    for found, count in given_up:
        found.drop(count)


# -- graphs


class Node(Held):
    """A node of a graph."""

    kinds = ("CUgraphNode",)

    def __init__(self, graph: Graph, after: list[Node], work: NodeWork) -> None:
        self.graph, self.after, self.work = graph, after, work
        #: What tells it from others of the graph, and from all others.
        self.local = self.number = 0
        #: That of which it is a copy.
        self.original: Node | None = None


class Graph(Held):
    """Nodes in the order in which they were added."""

    kinds = ("CUgraph",)

    def __init__(self, driver: Driver, outermost: Graph | None = None) -> None:
        self.driver = driver
        self.number = next(driver.numbers)
        self.nodes: list[Node] = []
        #: How many nodes it has had.
        self.count = 0
        self.memory = GraphMemory()
        #: Those of its nodes and of the nodes of its bodies, by the addresses of their words.
        self.conditions: dict[int, Condition] = {}
        self.objects: Counter[UserObject] = Counter()
        #: It is a part of another.
        self.is_own = outermost is not None
        #: Of the body of a conditional node: the graph in which that node is, in the end.
        self.outermost = outermost or self

    def add(self, after: Iterable[Node], work: NodeWork) -> Node:
        made = Node(self, list(dict.fromkeys(after)), work)
        made.local, made.number = self.count, next(self.driver.numbers)
        self.count += 1
        self.nodes.append(made)
        self.driver.make(made)
        return made

    def copy(self) -> Graph:
        """A copy; nodes know which they are copies of."""
        if any(isinstance(n.work, ConditionWork) for g in family(self) for n in g.nodes):
            raise Refused(Result.NOT_SUPPORTED, "a graph with conditional nodes has no copies")
        made = Graph(self.driver)
        made.memory = self.memory
        self.memory.holders += 1
        made.objects = held(self.objects)
        copies: dict[Node, Node] = {}
        for node in self.nodes:
            copy = made.add((), node.work.copy())
            copy.original, copy.local = node, node.local
            copies[node] = copy
        for node, copy in copies.items():
            copy.after = [copies[n] for n in node.after]
        return made

    def destroy(self) -> None:
        for node in self.nodes:
            node.work.destroy()
            self.driver.end(node)
        self.memory.drop()
        let_go(self.objects)

    def end(self) -> None:
        """It is destroyed, and its handle means nothing any more."""
        self.destroy()
        self.driver.end(self)

    def condition(self, context: Context, value: int | None) -> Condition:
        """A word for a conditional node of it."""
        address = self.outermost.memory.allocate(context, ctypes.sizeof(ctypes.c_uint64)).address
        made = self.outermost.conditions[address] = Condition(address, value)
        return made


def family(graph: Graph) -> Iterator[Graph]:
    """A graph, and the graphs of its nodes."""
    yield graph
    for node in graph.nodes:
        if isinstance(node.work, ChildWork):
            yield from family(node.work.graph)
        elif isinstance(node.work, ConditionWork):
            for body in node.work.bodies:
                yield from family(body)


class GraphMemory:
    """What nodes have allocated. With the last graph that has them it is given back, but for what
    the program has to free: what a launch has allocated and nothing has freed since (CUDA C++
    Programming Guide, "Graph Memory Nodes")."""

    def __init__(self) -> None:
        self.allocations: dict[int, Allocation] = {}
        self.holders = 1
        #: Nodes of the graph give these back.
        self.freed: set[int] = set()

    def allocate(self, context: Context, size: int, kind: str = "device") -> Allocation:
        made = allocate(context, size, kind)
        made.is_of_graph = made.is_given_back = True
        context.device.graph_pool.count(size)
        self.allocations[made.address] = made
        return made

    def drop(self) -> None:
        self.holders -= 1
        if self.holders:
            return
        for made in self.allocations.values():
            pool = made.context.device.graph_pool
            is_there = made.context.driver.ranges.at(made.address) is made
            if made.context.is_alive and is_there and not made.is_given_back:
                made.is_of_graph, made.pool = False, pool
                continue
            pool.give_back(made.size)
            if made.context.is_alive and is_there:
                release(made)


# -- conditional nodes
#
# A word of device memory says which of a node's bodies runs. The handle that programs have is the
# address of the word, so `cudaGraphSetConditional` of a kernel is a store. A body is a graph that
# belongs to the node.

_DEVICE_LOCATION = 1  # CUmemLocationType
_IF, _WHILE, _SWITCH = range(3)  # CUgraphConditionalNodeType
_ASSIGN_DEFAULT = 1  # flag of a handle


class Condition:
    """The word at `address`, which a node of a graph or of its bodies depends on. Each launch
    begins with `value` in it, if that is not None."""

    def __init__(self, address: int, value: int | None) -> None:
        self.address, self.value = address, value
        #: Whether a node has it: it is one node's only.
        self.is_used = False

    @property
    def word(self) -> ctypes.c_uint32:
        return ctypes.c_uint32.from_address(self.address)

    def begin(self) -> None:
        """A launch begins."""
        if self.value is not None:
            self.word.value = self.value


class ConditionWork(NodeWork):
    """A node's condition, how it chooses (`type`), and the graphs that it chooses from."""

    kind = CONDITIONAL

    def __init__(
        self, condition: Condition, type: int, bodies: Sequence[Graph], context: Context
    ) -> None:
        handles = (ctypes.c_uint64 * len(bodies))(*(body.handle for body in bodies))
        #: Where programs find the handles of the bodies.
        self.where = ctypes.addressof(handles)
        given = ConditionNode(condition.address, type, len(bodies), self.where, context.handle)
        super().__init__(given, (type, len(bodies)))
        self.condition, self.type, self.bodies, self._handles = condition, type, bodies, handles

    def destroy(self) -> None:
        for body in self.bodies:
            body.end()
        self.condition.is_used = False

    def chosen(self) -> int | None:
        """The number of the body that the word asks for; None: no body."""
        value, count = self.condition.word.value, len(self.bodies)
        if self.type == _SWITCH:
            return value if value < count else None
        if value:
            return 0
        return 1 if count > 1 else None

    def run(self, bodies: Sequence[Callable[[], None]]) -> None:
        """Do what a body does, as long as the word asks for it. Raises what the body raises."""
        number = self.chosen()
        while number is not None:
            bodies[number]()
            number = self.chosen() if self.type == _WHILE else None


def condition_of(graph: Graph, handle: int) -> Condition:
    """A condition that no node of a graph has yet. Raises `Refused`."""
    found = graph.outermost.conditions.get(handle)
    if found is None or found.is_used:
        raise Refused(Result.INVALID_VALUE, f"0x{handle:x} is no condition for a node of the graph")
    return found


def checked_size(given: ConditionNode) -> int:
    """How many bodies a node gets. Raises `Refused`."""
    most = {_IF: 2, _WHILE: 1}.get(given.type, given.size)
    require(given.type <= _SWITCH, f"no type {given.type} of conditional nodes")
    require(1 <= given.size <= most, f"{given.size} bodies")
    return given.size


def default_of(value: int, flags: int) -> int | None:
    """What each launch begins with. Raises `Refused`."""
    require(flags in (0, _ASSIGN_DEFAULT), f"flags are {flags}")
    return value if flags else None


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
        self.edges: ctypes.Array[ctypes.c_uint64] | None = None
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
    is_of_graph = made is not None and (
        made.is_of_graph or made.pool is made.context.device.graph_pool
    )
    if made is None or not is_of_graph or address in graph.memory.freed:
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
    """What a structure for a kernel says. A size may be 0 as long as it is not launched: programs
    give sizes that they do not know yet before each launch. Raises `Refused`."""
    handle = given.function or getattr(given, "kernel", 0)
    found = context.driver.handles.get(handle)
    if not isinstance(found, (Function, Kernel)):
        raise Refused(Result.INVALID_HANDLE, f"0x{handle:x} is no live CUfunction")
    function = found.of(context)
    asked = Attributes()
    gx, gy, gz, bx, by, bz = (size or 1 for size in (*given.grid, *given.block))
    launch = prepared(
        context, function, (gx, gy, gz), (bx, by, bz), given.shared, given.parameters,
        given.extra, asked,
    )  # fmt: skip
    whole = KernelNode()
    ctypes.memmove(ctypes.addressof(whole), ctypes.addressof(given), ctypes.sizeof(given))
    made = KernelWork(context, function, launch, asked, whole)
    if not all((*given.grid, *given.block)):
        made.problem = f"a size of kernel '{function.name}' is 0"
    made.given.parameters, made.given.extra = ctypes.addressof(launch.parameters), 0
    return made


def copy_work(context: Context, given: Copy3D) -> CopyWork:
    require(given.width and given.height and given.depth, "a copy of nothing")
    rows, _ = rows_of(context, given)
    return CopyWork(context, rows, given)


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
    require(given.pool.type in (PINNED, MANAGED) and given.size, "what is allocated")
    require(given.access or not given.access_count, "a pointer is null")
    on_device = given.pool.location.type <= _DEVICE_LOCATION
    kind = "managed" if given.pool.type == MANAGED else "device" if on_device else "host"
    made = graph.memory.allocate(context, given.size, kind)
    given.address = made.address
    return AllocationWork(made, given)
