# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: graphs, their nodes, and executable graphs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial

from xgpu.api.cuda_driver.executables import GraphExec, flat
from xgpu.api.cuda_driver.graphs import (
    NAMES,
    ChildWork,
    ConditionWork,
    Graph,
    Node,
    allocation_work,
    checked_size,
    condition_of,
    copy_work,
    default_of,
    dependencies,
    fill_work,
    free_work,
    host_work,
    kernel_work,
    own_copy,
)
from xgpu.api.cuda_driver.header import (
    AllocationNode,
    ConditionNode,
    Copy3D,
    HostNode,
    InstantiateParameters,
    KernelNode1,
    NodeParameters,
    Refused,
    Result,
    UpdateResult,
    require,
)
from xgpu.api.cuda_driver.launches import KernelWork
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
    Context,
    Driver,
    NodeWork,
    Stream,
)
from xgpu.api.cuda_driver.streams import Event, EventWork
from xgpu.api.cuda_driver.table import Needs, entry
from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode

_WORD = ctypes.c_uint64
_NODE = "CUgraphNode *node, CUgraph graph, const CUgraphNode after[]?, size_t count"
_MOST_FLAGS = 15
_UPDATED, _TOPOLOGY, _TYPE_CHANGED, _PARAMETERS_CHANGED = 0, 2, 3, 5


# -- graphs


@entry("cuGraphCreate(CUgraph *graph, unsigned int flags)", needs=Needs.INIT, since=10000)
def create(driver: Driver, flags: int) -> int:
    require(flags == 0, "flags must be 0")
    return driver.make(Graph(driver))


@entry("cuGraphDestroy(CUgraph graph)", needs=Needs.INIT, since=10000)
def destroy(driver: Driver, graph: Graph) -> None:
    require(not graph.is_own, "the graph is a part of another")
    graph.end()


@entry("cuGraphClone(CUgraph *copy, CUgraph graph)", needs=Needs.INIT, since=10000)
def clone(driver: Driver, graph: Graph) -> int:
    return driver.make(graph.copy())


@entry(
    "cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode node, CUgraph copy)",
    needs=Needs.INIT, since=10000,
)  # fmt: skip
def find_in_clone(driver: Driver, node: Node, copy: Graph) -> int:
    for other in copy.nodes:
        if other.original is node:
            return other.handle
    raise Refused(Result.INVALID_VALUE, "the graph has no copy of the node")


@entry("cuGraphGetId(CUgraph graph, unsigned int *id)", needs=Needs.INIT, since=13010)
def graph_id(driver: Driver, graph: Graph) -> int:
    return graph.number


def _listed(values: Sequence[int], where: int, count: int) -> None:
    """Write handles where a program wants them, as many as there is room for, and how many there
    are."""
    number = _WORD.from_address(count)
    if where:
        room = number.value
        (_WORD * room).from_address(where)[:] = (list(values) + [0] * room)[:room]
        number.value = min(room, len(values))
    else:
        number.value = len(values)


@entry(
    "cuGraphGetNodes(CUgraph graph, CUgraphNode nodes[]?, size_t count[1])", needs=Needs.INIT,
    since=10000,
)  # fmt: skip
def nodes(driver: Driver, graph: Graph, where: int, count: int) -> None:
    _listed([node.handle for node in graph.nodes], where, count)


@entry(
    "cuGraphGetRootNodes(CUgraph graph, CUgraphNode nodes[]?, size_t count[1])", needs=Needs.INIT,
    since=10000,
)  # fmt: skip
def roots(driver: Driver, graph: Graph, where: int, count: int) -> None:
    _listed([node.handle for node in graph.nodes if not node.after], where, count)


def _edges(graph: Graph) -> list[tuple[Node, Node]]:
    return [(before, node) for node in graph.nodes for before in node.after]


def _declare_edges(version: str, since: int, data: str) -> None:
    """The functions of edges; newer ones have data of edges, which must be plain here."""

    def plain(given: tuple[int, ...]) -> tuple[int, ...]:
        return given[:-2] + given[-1:] if data else given

    def write_data(given: tuple[int, ...], count: int) -> None:
        if data and given[-2]:
            ctypes.memset(given[-2], 0, 8 * count)

    def declare(declaration: str, run: Callable[..., None]) -> None:
        entry(declaration, needs=Needs.INIT, since=since)(run)

    def edges(driver: Driver, graph: Graph, *given: int) -> None:
        begins, ends, count = plain(given)
        found = _edges(graph)
        room = _WORD.from_address(count).value
        _listed([node.handle for _, node in found], ends, count)
        _WORD.from_address(count).value = room
        _listed([before.handle for before, _ in found], begins, count)
        write_data(given, _WORD.from_address(count).value if begins else 0)

    def before(driver: Driver, node: Node, *given: int) -> None:
        where, count = plain(given)
        _listed([n.handle for n in node.after], where, count)
        write_data(given, _WORD.from_address(count).value if where else 0)

    def behind(driver: Driver, node: Node, *given: int) -> None:
        where, count = plain(given)
        found = [n.handle for n in node.graph.nodes if node in n.after]
        _listed(found, where, count)
        write_data(given, _WORD.from_address(count).value if where else 0)

    def add(driver: Driver, graph: Graph, *given: int) -> None:
        pairs = _pairs(driver, graph, *plain(given))
        require(not any(a in b.after for a, b in pairs), "a dependency twice")
        for first, second in pairs:
            second.after.append(first)

    def remove(driver: Driver, graph: Graph, *given: int) -> None:
        _check_no_memory(graph)
        pairs = _pairs(driver, graph, *plain(given))
        require(all(a in b.after for a, b in pairs), "no such dependency")
        for first, second in pairs:
            second.after.remove(first)

    out = "CUgraphEdgeData data[]?, " if data else ""
    arrays = "CUgraphNode from[]?, CUgraphNode to[]?, "
    declare(f"cuGraphGetEdges{version}(CUgraph graph, {arrays}{out}size_t count[1])", edges)
    listed = f"CUgraphNode node, CUgraphNode nodes[]?, {out}size_t count[1]"
    declare(f"cuGraphNodeGetDependencies{version}({listed})", before)
    declare(f"cuGraphNodeGetDependentNodes{version}({listed})", behind)
    given = f"const CUgraphNode from[]?, const CUgraphNode to[]?, {data}size_t count"
    declare(f"cuGraphAddDependencies{version}(CUgraph graph, {given})", add)
    declare(f"cuGraphRemoveDependencies{version}(CUgraph graph, {given})", remove)


def _check_no_memory(graph: Graph) -> None:
    """Raise `Refused` where nodes allocate or free: nodes and edges of such a graph stay."""
    has_memory = any(node.work.kind in (ALLOCATE, FREE) for node in graph.nodes)
    require(not has_memory, "a graph with nodes of memory", Result.NOT_SUPPORTED)


def _pairs(
    driver: Driver, graph: Graph, begins: int, ends: int, count: int
) -> list[tuple[Node, Node]]:
    require(count == 0 or (begins and ends), "a pointer is null")
    found: list[tuple[Node, Node]] = []
    for i in range(count):
        first = dependencies(driver, graph, begins + 8 * i, 1)[0]
        second = dependencies(driver, graph, ends + 8 * i, 1)[0]
        require(first is not second, "a node and itself")
        found.append((first, second))
    return found


_declare_edges("", 10000, "")
_declare_edges("_v2", 12030, "const CUgraphEdgeData data[]?, ")


#: Flags of `cuGraphDebugDotPrint` that ask for what a node does, by its kind; the first is all.
_VERBOSE, _HANDLES = 1, 1 << 10
_SHOWN = {KERNEL: 4, COPY: 8, FILL: 16, HOST: 32, RECORD: 64, WAIT: 64}


@entry(
    "cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags)", needs=Needs.INIT,
    since=11030,
)  # fmt: skip
def print_dot(driver: Driver, graph: Graph, path: str, flags: int) -> None:
    """The graph for Graphviz; child graphs and bodies of conditional nodes are parts of it."""
    lines = ["digraph dot {", *_dot_lines(graph, flags), "}", ""]
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
    except OSError as error:
        raise Refused(Result.OPERATING_SYSTEM, str(error)) from None


def _dot_lines(graph: Graph, flags: int) -> list[str]:
    name = f"graph_{graph.number}"
    found = [f"subgraph cluster_{name} {{", f'label="{name}";']
    for node in graph.nodes:
        label = _dot_label(node, flags).replace('"', '\\"')
        found.append(f'"{name}_node_{node.local}" [shape="record" label="{label}"];')
        work = node.work
        inner = [work.graph] if isinstance(work, ChildWork) else []
        if isinstance(work, ConditionWork):
            inner = work.bodies
        for child in inner:
            found += _dot_lines(child, flags)
    found += [
        f'"{name}_node_{before.local}" -> "{name}_node_{node.local}";'
        for before, node in _edges(graph)
    ]
    return [*found, "}"]


def _dot_label(node: Node, flags: int) -> str:
    work, parts = node.work, [str(node.local), NAMES[node.work.kind].upper()]
    if isinstance(work, KernelWork):
        parts.append(work.function.name)
    given = work.given
    if flags & (_VERBOSE | _SHOWN.get(work.kind, 0)):
        if isinstance(given, KernelNode):
            sizes = (",".join(map(str, size)) for size in (given.grid, given.block))
            parts.append("\\<\\<\\<{}; {}; {}\\>\\>\\>".format(*sizes, given.shared))
        elif isinstance(given, Copy3D):
            parts.append(f"{given.width} x {given.height} x {given.depth} bytes")
        elif isinstance(given, FillNode):
            parts.append(f"{given.width} x {given.height} of {given.size} bytes")
    if flags & (_VERBOSE | _HANDLES):
        parts.append(f"0x{node.handle:x}")
    return "{" + " | ".join(parts) + "}"


# -- nodes


def _added(
    driver: Driver, graph: Graph, where: int, count: int, work: Callable[[], NodeWork]
) -> int:
    after = dependencies(driver, graph, where, count)
    return graph.add(after, work()).handle


@entry(f"cuGraphAddKernelNode_v2({_NODE}, const CUDA_KERNEL_NODE_PARAMS *parameters)", since=12000)
def add_kernel(
    context: Context, graph: Graph, where: int, count: int, given: KernelNode | KernelNode1
) -> int:
    return _added(context.driver, graph, where, count, lambda: kernel_work(context, given))


@entry(f"cuGraphAddKernelNode({_NODE}, const CUDA_KERNEL_NODE_PARAMS_v1 *parameters)", since=10000)
def add_kernel_1(
    context: Context, graph: Graph, where: int, count: int, given: KernelNode | KernelNode1
) -> int:
    return add_kernel(context, graph, where, count, given)


@entry(
    f"cuGraphAddMemcpyNode({_NODE}, const CUDA_MEMCPY3D *parameters, CUcontext home)", since=10000
)
def add_copy(
    context: Context, graph: Graph, where: int, count: int, given: Copy3D, home: Context
) -> int:
    return _added(context.driver, graph, where, count, lambda: copy_work(home, given))


@entry(
    f"cuGraphAddMemsetNode({_NODE}, const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext home)",
    since=10000,
)  # fmt: skip
def add_fill(
    context: Context, graph: Graph, where: int, count: int, given: FillNode, home: Context
) -> int:
    return _added(context.driver, graph, where, count, lambda: fill_work(home, given))


@entry(f"cuGraphAddHostNode({_NODE}, const CUDA_HOST_NODE_PARAMS *parameters)", since=10000)
def add_host(context: Context, graph: Graph, where: int, count: int, given: HostNode) -> int:
    return _added(context.driver, graph, where, count, lambda: host_work(given))


@entry(f"cuGraphAddEmptyNode({_NODE})", needs=Needs.INIT, since=10000)
def add_empty(driver: Driver, graph: Graph, where: int, count: int) -> int:
    return _added(driver, graph, where, count, NodeWork)


@entry(f"cuGraphAddChildGraphNode({_NODE}, CUgraph child)", needs=Needs.INIT, since=10000)
def add_child(driver: Driver, graph: Graph, where: int, count: int, child: Graph) -> int:
    require(child is not graph, "a graph and itself")

    return _added(driver, graph, where, count, lambda: ChildWork(own_copy(child)))


@entry(f"cuGraphAddEventRecordNode({_NODE}, CUevent event)", needs=Needs.INIT, since=11010)
def add_record(driver: Driver, graph: Graph, where: int, count: int, event: Event) -> int:
    return _added(driver, graph, where, count, lambda: EventWork(RECORD, event))


@entry(f"cuGraphAddEventWaitNode({_NODE}, CUevent event)", needs=Needs.INIT, since=11010)
def add_wait(driver: Driver, graph: Graph, where: int, count: int, event: Event) -> int:
    return _added(driver, graph, where, count, lambda: EventWork(WAIT, event))


@entry(f"cuGraphAddMemAllocNode({_NODE}, CUDA_MEM_ALLOC_NODE_PARAMS *parameters)", since=11040)
def add_allocation(
    context: Context, graph: Graph, where: int, count: int, given: AllocationNode
) -> int:
    driver = context.driver
    return _added(driver, graph, where, count, lambda: allocation_work(context, graph, given))


@entry(f"cuGraphAddMemFreeNode({_NODE}, CUdeviceptr address)", needs=Needs.INIT, since=11040)
def add_free(driver: Driver, graph: Graph, where: int, count: int, address: int) -> int:
    return _added(driver, graph, where, count, lambda: free_work(graph, address))


_MOVE = 1  # CUgraphChildGraphNodeOwnership
_COPY_HEAD = 16  # bytes before the structure of a copy: flags, and the context


def node_work(context: Context, given: NodeParameters) -> NodeWork:
    """What a structure for a node of any kind says. Raises `Refused`."""
    driver, kind = context.driver, given.type
    at = ctypes.addressof(given) + NodeParameters.words.offset
    words = given.words
    if kind == KERNEL:
        return kernel_work(context, KernelNode.from_address(at))
    if kind == COPY:
        home = driver.find(words[1], Context) if words[1] else context
        return copy_work(home, Copy3D.from_address(at + _COPY_HEAD))
    if kind == FILL:
        home = driver.find(words[5], Context) if words[5] else context
        return fill_work(home, FillNode.from_address(at))
    if kind == HOST:
        return host_work(HostNode.from_address(at))
    if kind == CHILD:
        return _child_work(driver.find(words[0], Graph), words[1])
    if kind in (WAIT, RECORD):
        return EventWork(kind, driver.find(words[0], Event))
    require(kind == EMPTY, f"nodes of the type {kind}", Result.NOT_SUPPORTED)
    return NodeWork()


def _child_work(graph: Graph, ownership: int) -> ChildWork:
    """A node with a copy of a graph, or the graph itself. Raises `Refused`."""
    require(ownership <= _MOVE, f"no ownership {ownership} of child graphs")
    if not ownership:
        return ChildWork(own_copy(graph))
    require(not graph.is_own, "the graph is a part of another")
    graph.is_own = True
    return ChildWork(graph)


def _condition_work(context: Context, graph: Graph, given: ConditionNode) -> ConditionWork:
    """A conditional node of a graph, and its bodies, whose handles the structure gets."""
    driver, size = context.driver, checked_size(given)
    condition = condition_of(graph, given.handle)
    home = driver.find(given.context, Context) if given.context else context
    bodies = [Graph(driver, graph.outermost) for _ in range(size)]
    for body in bodies:
        driver.make(body)
    condition.is_used = True
    made = ConditionWork(condition, given.type, bodies, home)
    given.bodies = made.where
    return made


_NODES, _, _COUNT = _NODE.rpartition(", ")


@entry(f"cuGraphAddNode({_NODE}, CUgraphNodeParams *parameters)", since=12020)
def add_any(context: Context, graph: Graph, where: int, count: int, given: NodeParameters) -> int:
    place = ctypes.addressof(given) + NodeParameters.words.offset
    if given.type == ALLOCATE:
        return add_allocation(context, graph, where, count, AllocationNode.from_address(place))
    if given.type == FREE:
        return add_free(context.driver, graph, where, count, given.words[0])
    if given.type == CONDITIONAL:
        condition = ConditionNode.from_address(place)
        make = partial(_condition_work, context, graph, condition)
        return _added(context.driver, graph, where, count, make)
    return _added(context.driver, graph, where, count, lambda: node_work(context, given))


@entry(
    f"cuGraphAddNode_v2({_NODES}, const CUgraphEdgeData data[]?, {_COUNT}, "
    "CUgraphNodeParams *parameters)", since=12030,
)  # fmt: skip
def add_any_2(
    context: Context, graph: Graph, where: int, edges: int, count: int, given: NodeParameters
) -> int:
    return add_any(context, graph, where, count, given)


@entry(
    "cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, "
    "CUcontext home?, unsigned int value, unsigned int flags)", since=12030,
)  # fmt: skip
def create_condition(
    context: Context, graph: Graph, home: Context | None, value: int, flags: int
) -> int:
    return graph.condition(home or context, default_of(value, flags)).address


@entry("cuGraphDestroyNode(CUgraphNode node)", needs=Needs.INIT, since=10000)
def destroy_node(driver: Driver, node: Node) -> None:
    _check_no_memory(node.graph)
    node.graph.nodes.remove(node)
    for other in node.graph.nodes:
        if node in other.after:
            other.after.remove(node)
    node.work.destroy()
    driver.end(node)


@entry("cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)", needs=Needs.INIT, since=10000)
def node_type(driver: Driver, node: Node) -> int:
    return node.work.kind


@entry(
    "cuGraphNodeGetContainingGraph(CUgraphNode node, CUgraph *graph)", needs=Needs.INIT,
    since=13010,
)  # fmt: skip
def node_graph(driver: Driver, node: Node) -> int:
    return node.graph.handle


# -- executable graphs


def own_node(executable: GraphExec, node: Node) -> Node:
    """The executable graph's copy of a node. Raises `Refused`."""
    for own in executable.all:
        if own.original is node:
            return own
    raise Refused(Result.INVALID_VALUE, "the executable graph has no such node")


def _instantiated(driver: Driver, graph: Graph, flags: int) -> int:
    require(flags & ~_MOST_FLAGS == 0, f"flags are {flags}")
    require(not flags & 4, "graphs that a device launches", Result.NOT_SUPPORTED)
    return driver.make(GraphExec(graph, flags))


@entry(
    "cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph, unsigned long long flags)",
    since=11040, newest_of={"cuGraphInstantiate": 12000},
)  # fmt: skip
def instantiate(context: Context, graph: Graph, flags: int) -> int:
    return _instantiated(context.driver, graph, flags)


@entry(
    "cuGraphInstantiate_v2(CUgraphExec *executable, CUgraph graph, void node[]?, void log[]?, "
    "size_t size)", since=11000, cuGraphInstantiate=10000,
)  # fmt: skip
def instantiate_2(context: Context, graph: Graph, node: int, log: int, size: int) -> int:
    return _instantiated(context.driver, graph, 0)


@entry(
    "cuGraphInstantiateWithParams(CUgraphExec *executable, CUgraph graph, "
    "CUDA_GRAPH_INSTANTIATE_PARAMS *parameters)", since=12000,
)  # fmt: skip
def instantiate_with(context: Context, graph: Graph, given: InstantiateParameters) -> int:
    given.node, given.result = 0, 0
    return _instantiated(context.driver, graph, given.flags)


@entry(
    "cuGraphExecGetFlags(CUgraphExec executable, cuuint64_t *flags)", needs=Needs.INIT, since=12000
)
def executable_flags(driver: Driver, executable: GraphExec) -> int:
    return executable.flags


@entry("cuGraphExecDestroy(CUgraphExec executable)", needs=Needs.INIT, since=10000)
def destroy_executable(driver: Driver, executable: GraphExec) -> None:
    executable.destroy()
    driver.end(executable)


@entry("cuGraphLaunch(CUgraphExec executable, CUstream stream)", since=10000)
def launch(context: Context, executable: GraphExec, stream: Stream) -> None:
    if stream.capture is not None:
        stream.capture.add(stream, ChildWork(own_copy(executable.graph)))
        return
    executable.launch(stream)


@entry("cuGraphUpload(CUgraphExec executable, CUstream stream)", since=11010)
def upload(context: Context, executable: GraphExec, stream: Stream) -> None:
    """There is nothing to be brought anywhere."""


@entry(
    "cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned int enabled)",
    needs=Needs.INIT, since=11060,
)  # fmt: skip
def set_enabled(driver: Driver, executable: GraphExec, node: Node, enabled: int) -> None:
    kinds = (KERNEL, FILL, COPY)
    require(node.work.kind in kinds, "only kernels, copies and fills can be disabled")
    executable.is_enabled[own_node(executable, node)] = bool(enabled)


@entry(
    "cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned int *enabled)",
    needs=Needs.INIT, since=11060,
)  # fmt: skip
def enabled(driver: Driver, executable: GraphExec, node: Node) -> int:
    return int(executable.is_enabled[own_node(executable, node)])


def _updated(executable: GraphExec, graph: Graph) -> tuple[int, Node | None]:
    """Let an executable graph do what another graph of the same form says; what became of it."""
    pairs: list[tuple[Node, Node]] = []
    result, node = _compared(executable, executable.nodes, flat(graph), pairs)
    if not result:
        executable.follow(graph, pairs)
    return result, node


def _compared(
    executable: GraphExec, own: Sequence[Node], new: Sequence[Node],
    pairs: list[tuple[Node, Node]],
) -> tuple[int, Node | None]:  # fmt: skip
    """How nodes differ in form from those of an executable graph; `pairs` gets those alike."""
    if len(new) != len(own):
        return _TOPOLOGY, None
    places = {node: i for i, node in enumerate(own)}
    new_places = {node: i for i, node in enumerate(new)}
    for old, other in zip(own, new, strict=True):
        if {places[n] for n in old.after} != {new_places[n] for n in other.after}:
            return _TOPOLOGY, other.original
        if executable.work[old].kind != other.work.kind:
            return _TYPE_CHANGED, other.original
        if isinstance(other.work, ConditionWork):
            if executable.work[old].facts != other.work.facts:
                return _PARAMETERS_CHANGED, other.original
            for body, graph in zip(executable.bodies[old], other.work.bodies, strict=True):
                result, found = _compared(executable, body, flat(graph), pairs)
                if result:
                    return result, found
        pairs.append((old, other))
    return _UPDATED, None


@entry(
    "cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph graph, "
    "CUgraphExecUpdateResultInfo *result)", needs=Needs.INIT, since=12000,
)  # fmt: skip
def update(driver: Driver, executable: GraphExec, graph: Graph, into: UpdateResult) -> None:
    into.result, node = _updated(executable, graph)
    into.node = 0 if node is None else node.handle
    into.from_node = 0
    if into.result:
        raise Refused(Result.GRAPH_EXEC_UPDATE_FAILURE, "the graph has another form")


@entry(
    "cuGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphNode node[1], "
    "CUgraphExecUpdateResult result[1])", needs=Needs.INIT, since=10020,
)  # fmt: skip
def update_1(driver: Driver, executable: GraphExec, graph: Graph, node: int, into: int) -> None:
    result, found = _updated(executable, graph)
    ctypes.c_uint32.from_address(into).value = result
    _WORD.from_address(node).value = 0 if found is None else found.handle
    if result:
        raise Refused(Result.GRAPH_EXEC_UPDATE_FAILURE, "the graph has another form")
