# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of operations on the host device, as CUDA's: built node by node, then launched as one.

An executable graph holds copies of the nodes, so that its parameters may change for each launch.
A launch makes each node an operation. The order gets them in lanes: a node follows its first
dependency's lane where it can, so that independent nodes overlap.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.device.launch import Launch
from xgpu.host_device.device.memory import transfer
from xgpu.host_device.device.operations import Effect, Operation, Stream, Transfer
from xgpu.host_device.native.library import native_library
from xgpu.runtime.launch_limits import Dims

if TYPE_CHECKING:
    from xgpu.host_device.device.memory import Memory
    from xgpu.host_device.device.operations import Order
    from xgpu.runtime.session import Session

_T = TypeVar("_T")

MOST_LANES = 32


class Node:
    """A node; `make` gives what its operation does, afresh for each launch."""

    __slots__ = ("after", "kind", "location", "make")

    def __init__(
        self, kind: str, after: tuple[int, ...], make: Callable[[], Work], location: str | None
    ) -> None:
        self.kind = kind
        self.after = after  # indices of other nodes
        self.make = make
        self.location = location


# Name of an operation, what it does, how it is described; None: nothing but a join.
Work = tuple[str, Callable[[], None], Effect | None]


class Graph:
    """Nodes in the order in which they were added: dependencies come first."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.handles: list[int] = []  # the device's, of the nodes
        self.memory = GraphMemory()


class GraphMemory:
    """What allocating nodes have allocated; given back when it has no reference any more."""

    def __init__(self) -> None:
        self.addresses: list[int] = []
        self.holders = 1


class NodeHandle:
    """A node as the program knows it."""

    __slots__ = ("graph", "index")

    def __init__(self, graph: Graph, index: int) -> None:
        self.graph = graph
        self.index = index


class GraphExec:
    """An executable graph: nodes with the lane of each."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = list(graph.nodes)
        self.memory = graph.memory
        self.memory.holders += 1
        self.running: tuple[Operation, ...] = ()
        self.lanes, self.lane_count = _assign_lanes(graph.nodes)
        used = {d for node in graph.nodes for d in node.after}
        self.sinks = [i for i in range(len(graph.nodes)) if i not in used]


def _assign_lanes(nodes: list[Node]) -> tuple[list[int], int]:
    """For each node a lane: that of a dependency without a follower yet, or a new one.

    Lanes run their nodes in the order of the graph, which respects dependencies; so sharing a
    lane costs overlap and can never block.
    """
    lanes: list[int] = []
    followed: set[int] = set()
    count = 0
    for i, node in enumerate(nodes):
        before = next((d for d in node.after if d not in followed), None)
        if before is not None:
            followed.add(before)
            lanes.append(lanes[before])
        elif count < MOST_LANES:
            lanes.append(count)
            count += 1
        else:
            lanes.append(i % MOST_LANES)
    return lanes, count


class GraphFunctions:
    """The graph functions of the host device."""

    session: Session
    _memory: Memory
    _new: Callable[[object], int]
    if TYPE_CHECKING:

        def _get(self, handle: int, kind: type[_T], what: str) -> _T: ...

    _objects: dict[int, object]
    _stream: Callable[[int], Stream]
    _open_stream: Callable[[], Stream]
    _order: Order
    _launch_of: Callable[..., Launch]
    run_launch: Callable[[Launch], None]
    _enqueue: Callable[..., Operation]
    take_location: Callable[[], str | None]

    def mgpuGraphCreate(self) -> int:
        self.session.create("graphs")
        return self._new(Graph())

    def mgpuGraphDestroy(self, graph: int) -> None:
        found = self._get(graph, Graph, "graph")
        for handle in found.handles:
            del self._objects[handle]
        del self._objects[graph]
        self.session.destroy("graphs")
        self._drop(found.memory, ())

    def _add(
        self, graph: int, dependencies: int, count: int, kind: str, make: Callable[[], Work]
    ) -> int:
        found: Graph = self._get(graph, Graph, "graph")
        handles = (ctypes.c_void_p * count).from_address(dependencies) if count else ()
        after = tuple(self._node(handle or 0, found) for handle in handles)
        found.nodes.append(Node(kind, after, make, self.take_location()))
        handle = self._new(NodeHandle(found, len(found.nodes) - 1))
        found.handles.append(handle)
        return handle

    def _node(self, handle: int, graph: Graph) -> int:
        node: NodeHandle = self._get(handle, NodeHandle, "graph node")
        if node.graph is not graph:
            raise DeviceError(f"node 0x{handle:x} belongs to another graph")
        return node.index

    # -- nodes

    def mgpuGraphAddKernel(
        self, graph: int, dependencies: int, count: int, function: int, gx: int, gy: int, gz: int,
        bx: int, by: int, bz: int, shared: int, parameters: int, parameter_count: int, size: int,
    ) -> int:  # fmt: skip
        return self.mgpuGraphAddClusterKernel(
            graph, dependencies, count, function, 1, 1, 1, gx, gy, gz, bx, by, bz, shared,
            parameters, parameter_count, size,
        )  # fmt: skip

    def mgpuGraphAddClusterKernel(
        self, graph: int, dependencies: int, count: int, function: int, cx: int, cy: int, cz: int,
        gx: int, gy: int, gz: int, bx: int, by: int, bz: int, shared: int, parameters: int,
        parameter_count: int, size: int,
    ) -> int:  # fmt: skip
        make = self._kernel(
            function, (gx, gy, gz), (bx, by, bz), (cx, cy, cz), shared, parameters
        )  # fmt: skip
        return self._add(graph, dependencies, count, "kernel", make)

    def _kernel(
        self, function: int, grid: Dims, block: Dims, cluster: Dims, shared: int, parameters: int
    ) -> Callable[[], Work]:
        prototype = self._launch_of(function, grid, block, cluster, shared, parameters)

        def make() -> Work:
            launch = prototype.again()
            self.session.create("launches")
            return launch.name, lambda: self.run_launch(launch), launch

        return make

    def mgpuGraphAddMemcpy(
        self, graph: int, dependencies: int, count: int, target: int, source: int, size: int
    ) -> int:
        make = _transfer("memcpy", target, source, size, 0, 0)
        return self._add(graph, dependencies, count, "memcpy", make)

    def mgpuGraphAddMemset(
        self, graph: int, dependencies: int, count: int, target: int, value: int, width: int,
        values: int,
    ) -> int:  # fmt: skip
        make = _transfer("memset", target, 0, values, value, width)
        return self._add(graph, dependencies, count, "memset", make)

    def mgpuGraphAddEmpty(self, graph: int, dependencies: int, count: int) -> int:
        return self._add(graph, dependencies, count, "empty", lambda: ("join", _nothing, None))

    def mgpuGraphAddHost(
        self, graph: int, dependencies: int, count: int, function: int, argument: int
    ) -> int:
        effect = Effect()

        def call() -> None:
            if native_library().guard(function, argument):
                raise DeviceError("a host function of a graph failed: illegal memory access")

        return self._add(graph, dependencies, count, "host", lambda: ("host call", call, effect))

    def mgpuGraphAddAlloc(
        self, graph: int, dependencies: int, count: int, size: int, result: int
    ) -> int:
        found: Graph = self._get(graph, Graph, "graph")
        address = self._memory.allocate(size)
        if address:
            self._memory.doom(address)  # only nodes of the graph may free it
            found.memory.addresses.append(address)
        ctypes.c_uint64.from_address(result).value = address
        effect = Transfer("alloc", address, 0, size, 0)

        def begin() -> None:
            if self._memory.visible_lifetimes:
                self._memory.begin(address, size)

        return self._add(graph, dependencies, count, "alloc", lambda: ("alloc", begin, effect))

    def mgpuGraphAddFree(self, graph: int, dependencies: int, count: int, address: int) -> int:
        found: Graph = self._get(graph, Graph, "graph")
        if address and address not in found.memory.addresses:
            raise DeviceError(f"a graph frees 0x{address:x}, which none of its nodes allocated")
        begin, end = self._memory.range_at(address) or (address, address)
        effect = Transfer("free", begin, 0, end - begin, 0)

        def free() -> None:
            if self._memory.visible_lifetimes and address:
                self._memory.end(begin, end - begin)

        return self._add(graph, dependencies, count, "free", lambda: ("free", free, effect))

    # -- executable graphs

    def mgpuGraphInstantiate(self, graph: int) -> int:
        self.session.create("graphs")
        return self._new(GraphExec(self._get(graph, Graph, "graph")))

    def mgpuGraphExecDestroy(self, executable: int) -> None:
        found: GraphExec = self._get(executable, GraphExec, "executable graph")
        del self._objects[executable]
        self.session.destroy("graphs")
        self._drop(found.memory, found.running)

    def _drop(self, memory: GraphMemory, running: tuple[Operation, ...]) -> None:
        memory.holders -= 1
        if memory.holders == 0 and memory.addresses:
            lane = self._open_stream()

            def release() -> None:
                for address in memory.addresses:
                    self._memory.free(address)

            self._enqueue(lane, "free", release, None, after=running, always=True)
            self._order.release(lane)

    def _change(
        self, executable: int, node: int, kinds: tuple[str, ...], make: Callable[[], Work]
    ) -> None:
        found: GraphExec = self._get(executable, GraphExec, "executable graph")
        handle: NodeHandle = self._get(node, NodeHandle, "graph node")
        if handle.graph is not found.graph:
            raise DeviceError(f"node 0x{node:x} belongs to another graph")
        old = found.nodes[handle.index]
        if old.kind not in kinds:
            raise DeviceError(f"a {old.kind} node of a graph cannot become a {kinds[0]} node")
        found.nodes[handle.index] = Node(old.kind, old.after, make, old.location)

    def mgpuGraphExecKernelSetParams(
        self, executable: int, node: int, function: int, gx: int, gy: int, gz: int, bx: int,
        by: int, bz: int, shared: int, parameters: int, parameter_count: int, size: int,
    ) -> None:  # fmt: skip
        make = self._kernel(function, (gx, gy, gz), (bx, by, bz), (1, 1, 1), shared, parameters)
        self._change(executable, node, ("kernel",), make)

    def mgpuGraphExecMemcpySetParams(
        self, executable: int, node: int, target: int, source: int, size: int
    ) -> None:
        make = _transfer("memcpy", target, source, size, 0, 0)
        self._change(executable, node, ("memcpy",), make)

    def mgpuGraphExecMemsetSetParams(
        self, executable: int, node: int, target: int, value: int, width: int, values: int
    ) -> None:
        make = _transfer("memset", target, 0, values, value, width)
        self._change(executable, node, ("memset",), make)

    def mgpuGraphLaunch(self, executable: int, stream: int) -> None:
        found: GraphExec = self._get(executable, GraphExec, "executable graph")
        where = self._stream(stream)
        # As CUDA: launches of one executable graph follow one another.
        start = tuple(dict.fromkeys((*where.frontier, *found.running)))
        lanes = [where, *(self._open_stream() for _ in range(found.lane_count - 1))]
        operations: list[Operation] = []
        for node, lane in zip(found.nodes, found.lanes, strict=True):
            name, action, effect = node.make()
            after = tuple(operations[i] for i in node.after) or start
            operations.append(
                self._enqueue(
                    lanes[lane], name, action, effect, after=after, location=node.location
                )
            )
        for lane in lanes[1:]:
            self._order.release(lane)
        if operations:
            where.frontier = tuple(operations[i] for i in found.sinks)
            found.running = where.frontier


def _transfer(
    name: str, target: int, source: int, count: int, value: int, width: int
) -> Callable[[], Work]:
    effect = Transfer(name, target, source, count, width)
    return lambda: (name, lambda: transfer(target, source, count, value, width), effect)


def _nothing() -> None:
    """What a join does."""
