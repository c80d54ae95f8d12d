# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph functions of the cuda device, over the driver's explicit graph API.

Changing a node of an executable graph may be refused by the driver, which knows more than its
documentation tells: another mapping of memory, other sizes of a fill, nothing to copy. Such a
graph is made anew, with all its nodes as they are set then, when it is launched next.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import SupportsInt

from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.cuda.driver import STICKY, Context, CudaError, Driver
from xgpu.runtime.cuda.graph_nodes import Dims, Node, NodeParameters
from xgpu.runtime.cuda.modules import Kernel
from xgpu.runtime.session import Session

_NO_CLUSTER: Dims = (1, 1, 1)


@dataclass(slots=True, eq=False)
class Graph:
    """A graph of the driver: the nodes that the program has put into it. The program knows it by
    `address`, since the driver's handle changes when the graph is made anew.
    """

    handle: int
    home: int
    mark: ctypes.c_uint64 = field(default_factory=ctypes.c_uint64)
    nodes: dict[int, Node] = field(default_factory=dict)  # by the program's handle
    memory: set[int] = field(default_factory=set)  # addresses that its nodes allocate

    @property
    def address(self) -> int:
        return ctypes.addressof(self.mark)


@dataclass(slots=True, eq=False)
class Executable:
    """An executable graph. The program's handle of it is the address of `cell`, which holds the
    driver's, or 0 while it has to be made anew.
    """

    graph: Graph
    cell: ctypes.c_uint64
    handle: int

    @property
    def address(self) -> int:
        return ctypes.addressof(self.cell)


class GraphFunctions:
    """The graph functions of the cuda device."""

    session: Session
    _driver: Driver
    _ordinal: int
    _call: Callable[..., SupportsInt]
    _context: Callable[..., Context]
    _operate: Callable[..., object]
    _release: Callable[..., None]
    _moved: Callable[[int, int], int]
    _graph_launched: Callable[[int], None]
    _check: Callable[[Kernel, Dims, Dims, Dims, int], str]
    _kernel_on: Callable[[int, int], Kernel]

    def __init__(self) -> None:
        self._graphs: dict[int, Graph] = {}
        self._executables: dict[int, Executable] = {}
        self._parameters = NodeParameters(self._driver)

    def mgpuGraphCreate(self) -> int:
        made = Graph(int(self._call("cuGraphCreate", 0)), self._ordinal)
        self._graphs[made.address] = made
        self.session.create("graphs")
        return made.address

    def mgpuGraphDestroy(self, graph: int) -> None:
        found = self._graph(graph)
        del self._graphs[graph]
        self._release("cuGraphDestroy", found.handle)
        self.session.destroy("graphs")

    def _graph(self, graph: int) -> Graph:
        found = self._graphs.get(graph)
        if found is None:
            raise DeviceError(f"0x{graph:x} is not a live graph (destroyed already?)")
        return found

    # -- nodes

    def _node(
        self, kind: str, graph: Graph, dependencies: int, count: int, doing: str, *words: int
    ) -> Node:
        after: list[Node] = []
        for handle in _handles(dependencies, count):
            before = graph.nodes.get(handle)
            if before is None:
                raise DeviceError(f"node 0x{handle:x} belongs to another graph")
            after.append(before)
        node = Node(kind, tuple(dict.fromkeys(after)), doing)
        node.set_words(*words)
        return node

    def _add(self, graph: Graph, node: Node) -> int:
        self._make(graph, node)
        graph.nodes[node.address] = node
        return node.address

    def _make(self, graph: Graph, node: Node) -> None:
        """Add the driver's nodes for `node`, each after the one before."""
        node.parts = []
        before = [n.parts[-1] for n in node.after]
        structures = self._parameters.of(node)
        kind = node.kind if structures else "Empty"
        for structure in structures or [None]:
            node.parts.append(self._make_part(graph, node, kind, before, structure))
            before = node.parts[-1:]
        node.count = len(structures)
        node.record.handle = node.parts[0] if structures else 0
        if node.cluster is not None:
            self._set_cluster(graph, node, node.cluster)

    def _make_part(
        self, graph: Graph, node: Node, kind: str, before: list[int], structure: object
    ) -> int:
        links = [self._driver.bindings.CUgraphNode(d) for d in before]
        rest = [] if structure is None else [structure]
        if kind in ("Memcpy", "Memset"):
            rest.append(self._context(graph.home).handle)
        name = f"cuGraphAdd{kind}Node"
        arguments = (graph.handle, links, len(links), *rest)
        return int(self._call(name, *arguments, doing=node.doing, on=graph.home))

    def _set_cluster(self, graph: Graph, node: Node, cluster: Dims) -> None:
        bindings = self._driver.bindings
        value = bindings.CUkernelNodeAttrValue()
        value.clusterDim.x, value.clusterDim.y, value.clusterDim.z = cluster
        kind = bindings.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        arguments = (node.parts[0], kind, value)
        doing = "a cluster launch in a graph"
        self._call("cuGraphKernelNodeSetAttribute", *arguments, doing=doing, on=graph.home)

    def mgpuGraphAddKernel(
        self, graph: int, dependencies: int, count: int, function: int, gx: int, gy: int, gz: int,
        bx: int, by: int, bz: int, shared: int, parameters: int, parameter_count: int, size: int,
    ) -> int:  # fmt: skip
        return self._add_kernel(
            graph, dependencies, count, function, _NO_CLUSTER, (gx, gy, gz), (bx, by, bz), shared,
            parameters, parameter_count, size,
        )  # fmt: skip

    def mgpuGraphAddClusterKernel(
        self, graph: int, dependencies: int, count: int, function: int, cx: int, cy: int, cz: int,
        gx: int, gy: int, gz: int, bx: int, by: int, bz: int, shared: int, parameters: int,
        parameter_count: int, size: int,
    ) -> int:  # fmt: skip
        return self._add_kernel(
            graph, dependencies, count, function, (cx, cy, cz), (gx, gy, gz), (bx, by, bz), shared,
            parameters, parameter_count, size,
        )  # fmt: skip

    def _add_kernel(
        self, graph: int, dependencies: int, count: int, function: int, cluster: Dims, grid: Dims,
        block: Dims, shared: int, parameters: int, parameter_count: int, size: int,
    ) -> int:  # fmt: skip
        found = self._graph(graph)
        kernel = self._kernel_on(function, found.home)
        doing = self._check(kernel, grid, block, cluster, shared)
        words = (kernel.handle, *grid, *block, shared, size)
        node = self._node("Kernel", found, dependencies, count, doing, *words)
        node.set_parameters(parameters, parameter_count, size)
        node.cluster = cluster if cluster != _NO_CLUSTER else None
        return self._add(found, node)

    def mgpuGraphAddMemcpy(
        self, graph: int, dependencies: int, count: int, target: int, source: int, size: int
    ) -> int:
        found = self._graph(graph)
        doing = f"gpu.memcpy of {size} bytes"
        words = (_signed(target), _signed(source), size)
        return self._add(found, self._node("Memcpy", found, dependencies, count, doing, *words))

    def mgpuGraphAddMemset(
        self, graph: int, dependencies: int, count: int, target: int, value: int, width: int,
        values: int,
    ) -> int:  # fmt: skip
        found = self._graph(graph)
        doing = f"gpu.memset of {values} values of {width} bytes"
        words = (_signed(target), value, width, values)
        return self._add(found, self._node("Memset", found, dependencies, count, doing, *words))

    def mgpuGraphAddEmpty(self, graph: int, dependencies: int, count: int) -> int:
        found = self._graph(graph)
        doing = "a join in a graph"
        return self._add(found, self._node("Empty", found, dependencies, count, doing))

    def mgpuGraphAddHost(
        self, graph: int, dependencies: int, count: int, function: int, argument: int
    ) -> int:
        found = self._graph(graph)
        node = self._node("Host", found, dependencies, count, "a call of the host in a graph")
        node.fixed = params = self._driver.bindings.CUDA_HOST_NODE_PARAMS()
        params.fn = self._driver.bindings.CUhostFn(function)
        params.userData = argument
        return self._add(found, node)

    def mgpuGraphAddAlloc(
        self, graph: int, dependencies: int, count: int, size: int, result: int
    ) -> int:
        found = self._graph(graph)
        doing = f"gpu.alloc of {size} bytes in a graph"
        node = self._node("MemAlloc", found, dependencies, count, doing)
        bindings = self._driver.bindings
        node.fixed = params = bindings.CUDA_MEM_ALLOC_NODE_PARAMS()
        params.bytesize = size
        params.poolProps.allocType = bindings.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
        params.poolProps.location.type = bindings.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        params.poolProps.location.id = found.home
        address = self._add(found, node)
        memory = int(params.dptr)
        found.memory.add(memory)
        ctypes.c_uint64.from_address(result).value = memory
        return address

    def mgpuGraphAddFree(self, graph: int, dependencies: int, count: int, address: int) -> int:
        found = self._graph(graph)
        if address not in found.memory:
            raise DeviceError(f"a graph frees 0x{address:x}, which none of its nodes allocated")
        node = self._node("MemFree", found, dependencies, count, "gpu.dealloc in a graph")
        node.fixed = address
        return self._add(found, node)

    # -- executable graphs

    def mgpuGraphInstantiate(self, graph: int) -> int:
        found = self._graph(graph)
        handle = self._instantiate(found)
        made = Executable(found, ctypes.c_uint64(handle), handle)
        self._executables[made.address] = made
        self.session.create("graphs")
        return made.address

    def _instantiate(self, graph: Graph) -> int:
        # Memory that no node frees lives until the graph is launched again.
        flags = self._driver.bindings.CUgraphInstantiate_flags
        kind = flags.CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH
        flag = int(kind) if graph.memory else 0
        arguments = (graph.handle, flag)
        doing = "instantiating a graph"
        return int(self._call("cuGraphInstantiate", *arguments, doing=doing, on=graph.home))

    def _executable(self, executable: int) -> Executable:
        found = self._executables.get(executable)
        if found is None:
            raise DeviceError(f"0x{executable:x} is not a live executable graph")
        return found

    def _changing(self, executable: int, node: int, kind: str) -> tuple[Executable, Node]:
        found = self._executable(executable)
        changed = found.graph.nodes.get(node)
        if changed is None:
            raise DeviceError(f"node 0x{node:x} belongs to another graph")
        if changed.kind != kind:
            raise DeviceError(
                f"a {changed.kind.lower()} node of a graph cannot become a {kind.lower()} node"
            )
        return found, changed

    def _change(self, executable: Executable, node: Node, *words: int) -> None:
        """Set a node's parameters; the graph is made anew if the driver does not want that."""
        node.set_words(*words)
        if not executable.cell.value:
            return  # it will be made of what is set
        structures = self._parameters.of(node)
        if len(structures) != node.count:
            self._invalidate(executable)
            return
        rest = () if node.kind == "Kernel" else (self._context(executable.graph.home).handle,)
        name = f"cuGraphExec{node.kind}NodeSetParams"
        doing = f"changing a {node.kind.lower()} node of a graph"
        try:
            for part, structure in zip(node.parts, structures, strict=True):
                arguments = (executable.handle, part, structure, *rest)
                self._call(name, *arguments, doing=doing, on=executable.graph.home)
        except CudaError as problem:
            if problem.result in STICKY:
                raise
            self._invalidate(executable)

    def _invalidate(self, executable: Executable) -> None:
        if executable.graph.memory:
            raise DeviceError(
                "a graph that allocates memory cannot change in this way: it would have to be made "
                "anew, with its memory elsewhere"
            )
        executable.cell.value = 0

    def mgpuGraphExecKernelSetParams(
        self, executable: int, node: int, function: int, gx: int, gy: int, gz: int, bx: int,
        by: int, bz: int, shared: int, parameters: int, parameter_count: int, size: int,
    ) -> None:  # fmt: skip
        found, changed = self._changing(executable, node, "Kernel")
        kernel = self._kernel_on(function, found.graph.home)
        cluster = changed.cluster or _NO_CLUSTER
        grid, block = (gx, gy, gz), (bx, by, bz)
        changed.doing = self._check(kernel, grid, block, cluster, shared)
        changed.set_parameters(parameters, parameter_count, size)
        self._change(found, changed, kernel.handle, *grid, *block, shared, size)

    def mgpuGraphExecMemcpySetParams(
        self, executable: int, node: int, target: int, source: int, size: int
    ) -> None:
        found, changed = self._changing(executable, node, "Memcpy")
        changed.doing = f"gpu.memcpy of {size} bytes"
        self._change(found, changed, _signed(target), _signed(source), size)

    def mgpuGraphExecMemsetSetParams(
        self, executable: int, node: int, target: int, value: int, width: int, values: int
    ) -> None:
        found, changed = self._changing(executable, node, "Memset")
        changed.doing = f"gpu.memset of {values} values of {width} bytes"
        self._change(found, changed, _signed(target), value, width, values)

    def mgpuGraphLaunch(self, executable: int, stream: int) -> None:
        found = self._executable(executable)
        if not found.cell.value:
            self._make_anew(found)
        self._graph_launched(executable)
        stream = self._moved(stream, found.graph.home)
        self._operate(
            "graph", "kernel", stream, "cuGraphLaunch", found.handle, stream,
            doing="launching a graph",
        )  # fmt: skip

    def _make_anew(self, executable: Executable) -> None:
        """Build the graph again from what its nodes are set to. What still runs of the old one
        runs on: the driver frees an executable graph when it has ended.
        """
        graph = executable.graph
        old, graph.handle = graph.handle, int(self._call("cuGraphCreate", 0, on=graph.home))
        self._release("cuGraphDestroy", old, on=graph.home)
        for node in graph.nodes.values():
            self._make(graph, node)
        handle = self._instantiate(graph)
        self._release("cuGraphExecDestroy", executable.handle)
        executable.handle = executable.cell.value = handle
        for other in self._executables.values():
            if other.graph is graph and other is not executable:
                other.cell.value = 0  # its nodes are gone

    def mgpuGraphExecDestroy(self, executable: int) -> None:
        found = self._executable(executable)
        del self._executables[executable]
        self._release("cuGraphExecDestroy", found.handle)
        self.session.destroy("graphs")

    def _release_graphs(self) -> None:
        for executable in self._executables.values():
            with contextlib.suppress(DeviceError):
                self._release("cuGraphExecDestroy", executable.handle)
        for graph in self._graphs.values():
            with contextlib.suppress(DeviceError):
                self._release("cuGraphDestroy", graph.handle)
        self._executables.clear()
        self._graphs.clear()


def _handles(address: int, count: int) -> list[int]:
    """An array of `count` handles at `address`."""
    return [h or 0 for h in (ctypes.c_void_p * count).from_address(address)] if count else []


def _signed(address: int) -> int:
    """An address as a word of a record."""
    return ctypes.c_int64(address).value
