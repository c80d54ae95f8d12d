# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the driver asks of graphs and their nodes; see `fake_rules`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from cuda.bindings import driver as real

from tests.support.fake_rules import Refused, check_launch, check_stream, require, rule
from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode


@rule
def cuPointerGetAttribute(d: Any, attribute: Any, address: int) -> Any:
    memory = d.memory_at(int(address))
    if memory is None:
        raise Refused("memory that the driver does not know", broken=False)
    return (2,)  # CU_MEMORYTYPE_DEVICE


@rule
def cuGraphCreate(d: Any, flags: int) -> Any:
    return (d.make("graph"),)


@rule
def cuGraphDestroy(d: Any, graph: Any) -> Any:
    d.end("graph", graph)


@rule
def cuGraphInstantiate(d: Any, graph: Any, flags: int) -> Any:
    d.find("graph", graph)
    return (d.make("executable", int(graph)),)


@rule
def cuGraphExecDestroy(d: Any, executable: Any) -> Any:
    d.end("executable", executable)


@rule
def cuGraphLaunch(d: Any, executable: Any, stream: Any) -> Any:
    d.find("executable", executable)
    check_stream(d, stream)


def add_node(d: Any, graph: Any, after: Any, count: int, **what: Any) -> Any:
    d.find("graph", graph)
    handles = [int(n) for n in after]
    require(count == len(set(handles)) == len(handles), "the dependencies")
    for handle in handles:
        require(d.find("node", handle).graph == int(graph), "a node of another graph")
    return (d.make("node", SimpleNamespace(graph=int(graph), **what)),)


def kernel_node(d: Any, params: Any) -> None:
    if isinstance(params, int):
        node = KernelNode.from_address(params)
        function, sizes, shared = node.function, (*node.grid, *node.block), node.shared
    else:
        function, shared = int(params.func), params.sharedMemBytes
        sizes = (
            params.gridDimX, params.gridDimY, params.gridDimZ,
            params.blockDimX, params.blockDimY, params.blockDimZ,
        )  # fmt: skip
    check_launch(d, function, sizes[:3], sizes[3:], shared)


def mapping(d: Any, params: Any) -> tuple[str, str]:
    """Where a copy goes and comes from."""
    if isinstance(params, int):
        params = real.CUDA_MEMCPY3D(params)  # it is at that address
    kinds: list[str] = []
    width, height, depth = params.WidthInBytes, params.Height, params.Depth
    require(width and height == depth == 1, "a copy of nothing")
    for end in ("dst", "src"):
        is_host = getattr(params, f"{end}MemoryType") == real.CUmemorytype.CU_MEMORYTYPE_HOST
        memory = d.memory_at(int(getattr(params, f"{end}{'Host' if is_host else 'Device'}")), width)
        # What the driver does not know faults when the node runs, if it is called unified.
        require(is_host == (memory is None), "the types of memory")
        kinds.append("host" if memory is None else memory.kind)
    return kinds[0], kinds[1]


def fill_sizes(d: Any, params: Any) -> tuple[int, int]:
    if isinstance(params, int):
        fill = FillNode.from_address(params)
        at, pitch, size = fill.target, fill.pitch, fill.size
        columns, rows = fill.width, fill.height
    else:
        at, pitch, size = int(params.dst), params.pitch, params.elementSize
        columns, rows = params.width, params.height
    require(columns and rows, "a fill of nothing")
    require(size in (1, 2, 4), "the size of a value")
    d.memory_at(at, (rows - 1) * pitch + columns * size)
    return columns, rows


@rule
def cuGraphAddKernelNode(d: Any, graph: Any, after: Any, count: int, params: Any) -> Any:
    kernel_node(d, params)
    return add_node(d, graph, after, count, kind="kernel")


@rule
def cuGraphAddMemcpyNode(
    d: Any, graph: Any, after: Any, count: int, params: Any, context: Any
) -> Any:
    return add_node(d, graph, after, count, kind="copy", mapping=mapping(d, params))


@rule
def cuGraphAddMemsetNode(
    d: Any, graph: Any, after: Any, count: int, params: Any, context: Any
) -> Any:
    return add_node(d, graph, after, count, kind="fill", sizes=fill_sizes(d, params))


@rule
def cuGraphAddEmptyNode(d: Any, graph: Any, after: Any, count: int) -> Any:
    return add_node(d, graph, after, count, kind="empty")


@rule
def cuGraphAddHostNode(d: Any, graph: Any, after: Any, count: int, params: Any) -> Any:
    return add_node(d, graph, after, count, kind="host")


@rule
def cuGraphAddMemAllocNode(d: Any, graph: Any, after: Any, count: int, params: Any) -> Any:
    params.dptr = real.CUdeviceptr(next(d.handles))
    return add_node(d, graph, after, count, kind="alloc")


@rule
def cuGraphAddMemFreeNode(d: Any, graph: Any, after: Any, count: int, address: Any) -> Any:
    return add_node(d, graph, after, count, kind="free")


@rule
def cuGraphKernelNodeSetAttribute(d: Any, node: Any, kind: Any, value: Any) -> Any:
    require(d.find("node", node).kind == "kernel", "no kernel node")


def changed_node(d: Any, executable: Any, node: Any, kind: str) -> Any:
    found = d.find("node", node)
    require(d.find("executable", executable) == found.graph, "a node of another graph")
    d.find("graph", found.graph)
    require(found.kind == kind, "a node of another kind")
    return found


@rule
def cuGraphExecKernelNodeSetParams(d: Any, executable: Any, node: Any, params: Any) -> Any:
    changed_node(d, executable, node, "kernel")
    kernel_node(d, params)


@rule
def cuGraphExecMemcpyNodeSetParams(
    d: Any, executable: Any, node: Any, params: Any, context: Any
) -> Any:
    found = changed_node(d, executable, node, "copy")
    if mapping(d, params) != found.mapping:
        raise Refused("the mapping of memory changes", broken=False)


@rule
def cuGraphExecMemsetNodeSetParams(
    d: Any, executable: Any, node: Any, params: Any, context: Any
) -> Any:
    columns, rows = changed_node(d, executable, node, "fill").sizes
    now = fill_sizes(d, params)
    if now[1] != rows or (rows > 1 and now[0] != columns):
        raise Refused("the dimensions of a fill change", broken=False)
