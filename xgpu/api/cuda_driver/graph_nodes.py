# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: parameters and attributes of graphs' nodes, and of executable graphs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TypeVar

from xgpu.api.cuda_driver.executables import GraphExec, flat
from xgpu.api.cuda_driver.graph_functions import node_work, own_node
from xgpu.api.cuda_driver.graphs import (
    NAMES,
    ChildWork,
    Graph,
    Node,
    copy_work,
    fill_work,
    host_work,
    kernel_work,
)
from xgpu.api.cuda_driver.header import (
    AllocationNode,
    NodeParameters,
    Refused,
    Result,
    require,
)
from xgpu.api.cuda_driver.launches import KernelWork, check_launch, prepared
from xgpu.api.cuda_driver.memory import AllocationWork, FreeWork
from xgpu.api.cuda_driver.state import (
    ALLOCATE,
    CHILD,
    COPY,
    FILL,
    FREE,
    HOST,
    KERNEL,
    RECORD,
    WAIT,
    Context,
    Device,
    Driver,
    NodeWork,
)
from xgpu.api.cuda_driver.streams import Event, EventWork
from xgpu.api.cuda_driver.table import Needs, entry
from xgpu.runtime.cuda.launches import CLUSTER_DIMENSION, LaunchAttribute

W = TypeVar("W", bound=NodeWork)


def _work_of(node: Node, kind: int, work: type[W]) -> W:
    if node.work.kind != kind or not isinstance(node.work, work):
        raise Refused(Result.INVALID_VALUE, f"the node is no {NAMES[kind]} node")
    return node.work


def _declare_parameters() -> None:
    """What reads and changes the parameters of nodes, by the kind of node."""
    # Versions of CUDA: of nodes of a graph, and of nodes of an executable one.
    for kind, name, structure, make, version, since, since_executable in (
        (KERNEL, "Kernel", "CUDA_KERNEL_NODE_PARAMS", kernel_work, "_v2", 12000, 12000),
        (KERNEL, "Kernel", "CUDA_KERNEL_NODE_PARAMS_v1", kernel_work, "", 10000, 10010),
        (COPY, "Memcpy", "CUDA_MEMCPY3D", copy_work, "", 10000, 10020),
        (FILL, "Memset", "CUDA_MEMSET_NODE_PARAMS", fill_work, "", 10000, 10020),
        (HOST, "Host", "CUDA_HOST_NODE_PARAMS", lambda _, it: host_work(it), "", 10000, 10020),
    ):
        getter, setter, changer = _parameter_functions(kind, make)
        node = f"CUgraphNode node, {structure} *parameters"
        const = f"CUgraphNode node, const {structure} *parameters"
        entry(f"cuGraph{name}NodeGetParams{version}({node})", needs=Needs.INIT, since=since)(getter)
        entry(f"cuGraph{name}NodeSetParams{version}({const})", since=since)(setter)
        home = ", CUcontext home" if kind in (COPY, FILL) else ""
        declared = f"cuGraphExec{name}NodeSetParams{version}(CUgraphExec executable, {const}{home})"
        entry(declared, since=since_executable)(changer)


def _parameter_functions(
    kind: int, make: Callable[..., NodeWork]
) -> tuple[Callable[..., None], ...]:
    def get(driver: Driver, node: Node, into: ctypes.Structure) -> None:
        given = _work_of(node, kind, NodeWork).given
        assert given is not None
        ctypes.memmove(ctypes.addressof(into), ctypes.addressof(given), ctypes.sizeof(into))

    def set_(context: Context, node: Node, given: ctypes.Structure) -> None:
        _work_of(node, kind, NodeWork)
        node.work = make(context, given)

    def change(
        context: Context, executable: GraphExec, node: Node, given: ctypes.Structure,
        home: Context | None = None,
    ) -> None:  # fmt: skip
        own = own_node(executable, node)
        require(executable.work[own].kind == kind, f"the node is no {NAMES[kind]} node")
        _change(executable, own, make(home or context, given))

    return get, set_, change


def _change(executable: GraphExec, own: Node, made: NodeWork) -> None:
    """Let a node of an executable graph do something else of its kind. Raises `Refused`."""
    old = executable.work[own]
    require(made.facts == old.facts, "what a node works on may not change so")
    if isinstance(made, KernelWork) and isinstance(old, KernelWork):
        made.asked = old.asked
    executable.work[own] = made


_declare_parameters()


# -- the same by one structure for all kinds


_CHANGEABLE = (KERNEL, COPY, FILL, HOST, RECORD, WAIT)
_HEAD = NodeParameters.words.offset
_COPY_HEAD = 16  # bytes before the structure of a copy: flags, and the context


@entry(
    "cuGraphNodeGetParams(CUgraphNode node, CUgraphNodeParams *parameters)", needs=Needs.INIT,
    since=13020,
)  # fmt: skip
def parameters(driver: Driver, node: Node, into: NodeParameters) -> None:
    work, words = node.work, into.words
    ctypes.memset(ctypes.addressof(into), 0, ctypes.sizeof(into))
    into.type = work.kind
    if isinstance(work, ChildWork):
        words[0] = work.graph.handle
    elif isinstance(work, EventWork):
        words[0] = work.event.handle
    elif isinstance(work, FreeWork):
        words[0] = work.made.address
    elif work.given is not None:
        at = ctypes.addressof(into) + _HEAD + (_COPY_HEAD if work.kind == COPY else 0)
        ctypes.memmove(at, ctypes.addressof(work.given), ctypes.sizeof(work.given))


def _changed(context: Context, node: Node, given: NodeParameters) -> NodeWork:
    """What a structure says for a node of its kind. Raises `Refused`."""
    require(given.type == node.work.kind, f"the node is no {NAMES.get(given.type, '')} node")
    fits = given.type in _CHANGEABLE
    require(fits, f"{NAMES[node.work.kind]} nodes do not change", Result.NOT_SUPPORTED)
    return node_work(context, given)


@entry("cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *parameters)", since=12020)
def set_parameters(context: Context, node: Node, given: NodeParameters) -> None:
    node.work = _changed(context, node, given)


@entry(
    "cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node, "
    "CUgraphNodeParams *parameters)", since=12020,
)  # fmt: skip
def change_parameters(
    context: Context, executable: GraphExec, node: Node, given: NodeParameters
) -> None:
    if given.type == CHILD:
        change_child(context.driver, executable, node, context.driver.find(given.words[0], Graph))
        return
    _change(executable, own_node(executable, node), _changed(context, node, given))


@entry(
    "cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node, CUgraph child)",
    needs=Needs.INIT, since=11010,
)  # fmt: skip
def change_child(driver: Driver, executable: GraphExec, node: Node, child: Graph) -> None:
    """Nodes of a child graph stand among those of the executable graph."""
    inside = [n.original for n in flat(_work_of(node, CHILD, ChildWork).graph)]
    own = [own_node(executable, n) for n in inside if n is not None]
    new = flat(child)
    same = len(own) == len(new) and all(
        executable.work[a].kind == b.work.kind for a, b in zip(own, new, strict=True)
    )
    require(same, "the graph has another form")
    for old, other in zip(own, new, strict=True):
        executable.work[old] = other.work


@entry("cuGraphNodeGetLocalId(CUgraphNode node, unsigned int *id)", needs=Needs.INIT, since=13010)
def local_id(driver: Driver, node: Node) -> int:
    return node.local


@entry(
    "cuGraphNodeGetToolsId(CUgraphNode node, unsigned long long *id)", needs=Needs.INIT,
    since=13010,
)  # fmt: skip
def tools_id(driver: Driver, node: Node) -> int:
    return node.number


@entry("cuGraphExecGetId(CUgraphExec executable, unsigned int *id)", needs=Needs.INIT, since=13010)
def executable_id(driver: Driver, executable: GraphExec) -> int:
    return executable.number


# -- what nodes allocate


_HIGH = (1, 3)  # of CUgraphMem_attribute: what has been the most; it can be set to what is


@entry(
    "cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)",
    needs=Needs.INIT, since=11040,
)  # fmt: skip
def graph_memory(driver: Driver, device: Device, attribute: int, value: int) -> None:
    require(attribute <= max(_HIGH), f"no attribute {attribute}")
    pool = device.graph_pool
    known = (pool.used, pool.most, pool.reserved, pool.most_reserved)
    ctypes.c_uint64.from_address(value).value = known[attribute]


@entry(
    "cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)",
    needs=Needs.INIT, since=11040,
)  # fmt: skip
def set_graph_memory(driver: Driver, device: Device, attribute: int, value: int) -> None:
    require(attribute in _HIGH, f"the attribute {attribute} cannot be set")
    require(ctypes.c_uint64.from_address(value).value == 0, "the value must be 0")
    device.graph_pool.reset_high(reserved=attribute == 3)


@entry("cuDeviceGraphMemTrim(CUdevice device)", needs=Needs.INIT, since=11040)
def trim_graph_memory(driver: Driver, device: Device) -> None:
    device.graph_pool.trim(0)


# -- by the kind of node


@entry(
    "cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)", needs=Needs.INIT, since=10000
)
def child_graph(driver: Driver, node: Node) -> int:
    return _work_of(node, CHILD, ChildWork).graph.handle


@entry(
    "cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *parameters)",
    needs=Needs.INIT, since=11040,
)  # fmt: skip
def allocation_parameters(driver: Driver, node: Node, into: AllocationNode) -> None:
    given = _work_of(node, ALLOCATE, AllocationWork).given
    assert given is not None
    ctypes.memmove(ctypes.addressof(into), ctypes.addressof(given), ctypes.sizeof(into))


@entry(
    "cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address)",
    needs=Needs.INIT,
    since=11040,
)
def free_parameters(driver: Driver, node: Node) -> int:
    work = _work_of(node, FREE, FreeWork)
    return work.made.address


def _declare_events() -> None:
    for kind, name in ((RECORD, "EventRecord"), (WAIT, "EventWait")):

        def get(driver: Driver, node: Node, kind: int = kind) -> int:
            return _work_of(node, kind, EventWork).event.handle

        def set_(driver: Driver, node: Node, event: Event, kind: int = kind) -> None:
            _work_of(node, kind, EventWork)
            node.work = EventWork(kind, event)

        def change(
            driver: Driver, executable: GraphExec, node: Node, event: Event, kind: int = kind
        ) -> None:
            _work_of(node, kind, EventWork)
            executable.work[own_node(executable, node)] = EventWork(kind, event)

        needs, since = Needs.INIT, 11010
        entry(
            f"cuGraph{name}NodeGetEvent(CUgraphNode node, CUevent *event)", needs=needs,
            since=since,
        )(get)  # fmt: skip
        entry(
            f"cuGraph{name}NodeSetEvent(CUgraphNode node, CUevent event)", needs=needs, since=since
        )(set_)
        entry(
            f"cuGraphExec{name}NodeSetEvent(CUgraphExec executable, CUgraphNode node, "
            "CUevent event)", needs=needs, since=since,
        )(change)  # fmt: skip


_declare_events()


@entry(
    "cuGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID attribute, "
    "const void *value)", needs=Needs.INIT, since=11000,
)  # fmt: skip
def set_kernel_attribute(driver: Driver, node: Node, attribute: int, value: int) -> None:
    work = _work_of(node, KERNEL, KernelWork)
    words = (ctypes.c_uint32 * 16).from_address(value)
    if attribute == CLUSTER_DIMENSION:
        cluster = (words[0] or 1, words[1] or 1, words[2] or 1)
        asked = work.asked._replace(cluster=cluster)
        g = work.given
        (gx, gy, gz), (bx, by, bz) = g.grid, g.block
        check_launch(work.function, (gx, gy, gz), (bx, by, bz), g.shared, asked)
        launch = prepared(
            work.context, work.function, (gx, gy, gz), (bx, by, bz), g.shared,
            ctypes.addressof(work.launch.parameters), 0, asked,
        )  # fmt: skip
        node.work = KernelWork(work.context, work.function, launch, asked, g)


@entry(
    "cuGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID attribute, void *value)",
    needs=Needs.INIT, since=11000,
)  # fmt: skip
def kernel_attribute(driver: Driver, node: Node, attribute: int, value: int) -> None:
    work = _work_of(node, KERNEL, KernelWork)
    ctypes.memset(value, 0, ctypes.sizeof(LaunchAttribute) - 8)
    if attribute == CLUSTER_DIMENSION:
        (ctypes.c_uint32 * 3).from_address(value)[:] = work.asked.cluster


@entry(
    "cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)",
    needs=Needs.INIT,
    since=11000,
)
def copy_attributes(driver: Driver, to: Node, origin: Node) -> None:
    _work_of(to, KERNEL, KernelWork)
    cluster = (ctypes.c_uint32 * 16)(*_work_of(origin, KERNEL, KernelWork).asked.cluster)
    set_kernel_attribute(driver, to, CLUSTER_DIMENSION, ctypes.addressof(cluster))
