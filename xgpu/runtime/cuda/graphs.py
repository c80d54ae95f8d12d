# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph functions of the cuda device, over the driver's explicit graph API."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from xgpu.ir.errors import DeviceError
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.session import Session

Dims = tuple[int, int, int]


class Graph:
    """What we remember of a graph of the driver."""

    __slots__ = ("memory", "nodes")

    def __init__(self) -> None:
        self.nodes: dict[int, str] = {}  # handle -> kind
        self.memory: set[int] = set()  # addresses that its nodes allocate


class GraphFunctions:
    """The graph functions of the cuda device."""

    session: Session
    _driver: Driver
    _ordinal: int
    _context: Any
    _call: Callable[..., Any]
    _operate: Callable[..., Any]
    _release: Callable[..., None]
    _prepare: Callable[[int, Dims, Dims, int], str]
    _graphs: dict[int, Graph]
    _executables: dict[int, Graph]
    _halves: dict[int, int]  # a node that fills with 64-bit values -> its other node

    def mgpuGraphCreate(self) -> int:
        graph = int(self._call("cuGraphCreate", 0))
        self._graphs[graph] = Graph()
        self.session.create("graphs")
        return graph

    def mgpuGraphDestroy(self, graph: int) -> None:
        found = self._graph(graph)
        del self._graphs[graph]
        for node in found.nodes:
            self._halves.pop(node, None)
        self._release("cuGraphDestroy", graph)
        self.session.destroy("graphs")

    def _graph(self, graph: int) -> Graph:
        found = self._graphs.get(graph)
        if found is None:
            raise DeviceError(f"0x{graph:x} is not a live graph (destroyed already?)")
        return found

    def _add(self, kind: str, graph: int, dependencies: list[int], *rest: Any, doing: str) -> int:
        found = self._graph(graph)
        nodes = [self._driver.bindings.CUgraphNode(d) for d in dependencies]
        node = int(
            self._call(f"cuGraphAdd{kind}Node", graph, nodes, len(nodes), *rest, doing=doing)
        )
        found.nodes[node] = kind
        return node

    # -- nodes

    def mgpuGraphAddKernel(
        self, graph: int, dependencies: int, count: int, function: int, gx: int, gy: int, gz: int,
        bx: int, by: int, bz: int, shared: int, parameters: int, parameter_count: int,
    ) -> int:  # fmt: skip
        params, doing = self._kernel(function, (gx, gy, gz), (bx, by, bz), shared, parameters)
        return self._add("Kernel", graph, _handles(dependencies, count), params, doing=doing)

    def mgpuGraphAddClusterKernel(
        self, graph: int, dependencies: int, count: int, function: int, cx: int, cy: int, cz: int,
        gx: int, gy: int, gz: int, bx: int, by: int, bz: int, shared: int, parameters: int,
        parameter_count: int,
    ) -> int:  # fmt: skip
        node = self.mgpuGraphAddKernel(
            graph, dependencies, count, function, gx, gy, gz, bx, by, bz, shared, parameters,
            parameter_count,
        )  # fmt: skip
        bindings = self._driver.bindings
        value = bindings.CUlaunchAttributeValue()
        value.clusterDim.x, value.clusterDim.y, value.clusterDim.z = cx, cy, cz
        kind = bindings.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        self._call("cuGraphKernelNodeSetAttribute", node, kind, value, doing="a cluster launch")
        return node

    def _kernel(
        self, function: int, grid: Dims, block: Dims, shared: int, parameters: int
    ) -> tuple[Any, str]:
        doing = self._prepare(function, grid, block, shared)
        bindings = self._driver.bindings
        params = bindings.CUDA_KERNEL_NODE_PARAMS()
        params.func = bindings.CUfunction(function)
        params.gridDimX, params.gridDimY, params.gridDimZ = grid
        params.blockDimX, params.blockDimY, params.blockDimZ = block
        params.sharedMemBytes = shared
        params.kernelParams = parameters
        return params, doing

    def mgpuGraphAddMemcpy(
        self, graph: int, dependencies: int, count: int, target: int, source: int, size: int
    ) -> int:
        return self._add(
            "Memcpy", graph, _handles(dependencies, count), self._copy(target, source, size),
            self._context, doing=f"gpu.memcpy of {size} bytes",
        )  # fmt: skip

    def _copy(self, target: int, source: int, size: int) -> Any:
        bindings = self._driver.bindings
        params = bindings.CUDA_MEMCPY3D()
        unified = bindings.CUmemorytype.CU_MEMORYTYPE_UNIFIED
        params.srcMemoryType = params.dstMemoryType = unified
        params.srcDevice, params.dstDevice = source, target
        params.WidthInBytes, params.Height, params.Depth = size, 1, 1
        return params

    def mgpuGraphAddMemset(
        self, graph: int, dependencies: int, count: int, target: int, value: int, width: int,
        values: int,
    ) -> int:  # fmt: skip
        fills = self._fills(target, value, width, values)
        before, other = _handles(dependencies, count), 0
        for fill in fills:
            node = self._add(
                "Memset", graph, before, fill, self._context,
                doing=f"gpu.memset of {values} values of {width} bytes",
            )  # fmt: skip
            if other:
                self._halves[node] = other
            before, other = [node], node
        return other

    def _fills(self, target: int, value: int, width: int, values: int) -> list[Any]:
        """The fill as nodes of the driver, which knows values of at most 4 bytes: each half of an
        8-byte value is a column of 4-byte rows.
        """

        def fill(at: int, word: int, size: int, pitch: int, columns: int, rows: int) -> Any:
            params = self._driver.bindings.CUDA_MEMSET_NODE_PARAMS()
            params.dst, params.value, params.elementSize = at, word, size
            params.pitch, params.width, params.height = pitch, columns, rows
            return params

        if width < 8:
            return [fill(target, value & (1 << 8 * width) - 1, width, 0, values, 1)]
        return [
            fill(target + 4 * half, value >> 32 * half & 0xFFFFFFFF, 4, 8, 1, values)
            for half in (0, 1)
        ]

    def mgpuGraphAddEmpty(self, graph: int, dependencies: int, count: int) -> int:
        return self._add("Empty", graph, _handles(dependencies, count), doing="a join in a graph")

    def mgpuGraphAddHost(
        self, graph: int, dependencies: int, count: int, function: int, argument: int
    ) -> int:
        bindings = self._driver.bindings
        params = bindings.CUDA_HOST_NODE_PARAMS()
        params.fn = bindings.CUhostFn(function)
        params.userData = argument
        doing = "a call of the host in a graph"
        return self._add("Host", graph, _handles(dependencies, count), params, doing=doing)

    def mgpuGraphAddAlloc(
        self, graph: int, dependencies: int, count: int, size: int, result: int
    ) -> int:
        bindings = self._driver.bindings
        params = bindings.CUDA_MEM_ALLOC_NODE_PARAMS()
        params.bytesize = size
        params.poolProps.allocType = bindings.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
        params.poolProps.location.type = bindings.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        params.poolProps.location.id = self._ordinal
        doing = f"gpu.alloc of {size} bytes in a graph"
        node = self._add("MemAlloc", graph, _handles(dependencies, count), params, doing=doing)
        address = int(params.dptr)
        self._graphs[graph].memory.add(address)
        ctypes.c_uint64.from_address(result).value = address
        return node

    def mgpuGraphAddFree(self, graph: int, dependencies: int, count: int, address: int) -> int:
        if address not in self._graph(graph).memory:
            raise DeviceError(f"a graph frees 0x{address:x}, which none of its nodes allocated")
        return self._add(
            "MemFree", graph, _handles(dependencies, count), address, doing="gpu.dealloc in a graph"
        )

    # -- executable graphs

    def mgpuGraphInstantiate(self, graph: int) -> int:
        found = self._graph(graph)
        # Memory that no node frees lives until the graph is launched again.
        flags = self._driver.bindings.CUgraphInstantiate_flags
        kind = flags.CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH
        executable = int(
            self._call(
                "cuGraphInstantiate", graph, int(kind) if found.memory else 0,
                doing="instantiating a graph",
            )
        )  # fmt: skip
        self._executables[executable] = found
        self.session.create("graphs")
        return executable

    def _change(self, executable: int, node: int, kind: str, *rest: Any) -> None:
        found = self._executables.get(executable)
        if found is None:
            raise DeviceError(f"0x{executable:x} is not a live executable graph")
        if node not in found.nodes:
            raise DeviceError(f"node 0x{node:x} belongs to another graph")
        old = found.nodes[node]
        if old != kind:
            raise DeviceError(
                f"a {old.lower()} node of a graph cannot become a {kind.lower()} node"
            )
        self._call(
            f"cuGraphExec{kind}NodeSetParams", executable, node, *rest,
            doing=f"changing a {kind.lower()} node of a graph",
        )  # fmt: skip

    def mgpuGraphExecKernelSetParams(
        self, executable: int, node: int, function: int, gx: int, gy: int, gz: int, bx: int,
        by: int, bz: int, shared: int, parameters: int, parameter_count: int,
    ) -> None:  # fmt: skip
        params, _ = self._kernel(function, (gx, gy, gz), (bx, by, bz), shared, parameters)
        self._change(executable, node, "Kernel", params)

    def mgpuGraphExecMemcpySetParams(
        self, executable: int, node: int, target: int, source: int, size: int
    ) -> None:
        params = self._copy(target, source, size)
        self._change(executable, node, "Memcpy", params, self._context)

    def mgpuGraphExecMemsetSetParams(
        self, executable: int, node: int, target: int, value: int, width: int, values: int
    ) -> None:
        fills = self._fills(target, value, width, values)
        nodes = [self._halves[node], node] if node in self._halves else [node]
        if len(fills) != len(nodes):
            raise DeviceError("a fill of a graph cannot change to or from 8-byte values")
        for which, fill in zip(nodes, fills, strict=True):
            self._change(executable, which, "Memset", fill, self._context)

    def mgpuGraphLaunch(self, executable: int, stream: int) -> None:
        self._operate(
            "graph", "kernel", stream, "cuGraphLaunch", executable, stream,
            doing="launching a graph",
        )  # fmt: skip

    def mgpuGraphExecDestroy(self, executable: int) -> None:
        if self._executables.pop(executable, None) is None:
            raise DeviceError(f"0x{executable:x} is not a live executable graph")
        self._release("cuGraphExecDestroy", executable)
        self.session.destroy("graphs")


def _handles(address: int, count: int) -> list[int]:
    """An array of `count` handles at `address`."""
    return [h or 0 for h in (ctypes.c_void_p * count).from_address(address)] if count else []
