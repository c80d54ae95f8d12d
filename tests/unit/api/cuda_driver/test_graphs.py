# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs, their nodes, executable graphs, and the capture of streams."""

from __future__ import annotations

import ctypes
import re

import pytest

from tests.support.driver_calls import PTX, pointers
from xgpu.api.cuda_driver import executables, graphs
from xgpu.api.cuda_driver.header import (
    AccessDescription,
    AllocationNode,
    Copy3D,
    HostNode,
    Location,
    NodeParameters,
    PoolProperties,
    Result,
    UpdateResult,
)
from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode

HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@pytest.fixture
def count(calls):
    """A kernel that reads a variable into memory and adds one to it."""
    module = calls.get("cuModuleLoadData", PTX)
    return calls.get("cuModuleGetFunction", module, "count")


def kernel_node(function, *values):
    made = KernelNode(function=function, shared=0)
    made.grid[:], made.block[:] = (1, 1, 1), (1, 1, 1)
    made.kept = pointers(*values)
    made.parameters = ctypes.addressof(made.kept)
    return made


def fill_node(address, value, count, size=4):
    return FillNode(address, 0, value, size, count, 1)


def copy_node(target, source, size):
    return Copy3D(
        source_type=2, source_device=source, target_type=2, target_device=target, width=size,
        height=1, depth=1,
    )  # fmt: skip


def handles(*values):
    return (ctypes.c_uint64 * len(values))(*values)


def word(calls, address):
    found = ctypes.c_uint32()
    calls.do("cuMemcpyDtoH", found, address, 4)
    return found.value


class Built:
    """A graph that fills, runs a kernel, copies what it wrote."""

    def __init__(self, calls, count):
        self.context = calls.get("cuCtxGetCurrent")
        self.memory = calls.get("cuMemAlloc", 64)
        self.graph = calls.get("cuGraphCreate", 0)
        add = calls.get
        filled = fill_node(self.memory, 9, 8)
        self.fill = add("cuGraphAddMemsetNode", self.graph, 0, 0, filled, self.context)
        given = kernel_node(count, ctypes.c_uint64(self.memory))
        after = handles(self.fill)
        self.kernel = add("cuGraphAddKernelNode_v2", self.graph, after, 1, given)
        copied = copy_node(self.memory + 32, self.memory, 4)
        self.copy = add(
            "cuGraphAddMemcpyNode", self.graph, handles(self.kernel), 1, copied, self.context
        )
        self.executable = add("cuGraphInstantiateWithFlags", self.graph, 0)


def test_a_graph_runs(calls, count):
    built = Built(calls, count)
    for expected in (5, 6, 7):
        calls.do("cuGraphLaunch", built.executable, 0)
        assert word(calls, built.memory + 32) == expected
        assert word(calls, built.memory + 4) == 9
    calls.do("cuGraphExecDestroy", built.executable)
    calls.do("cuGraphDestroy", built.graph)
    assert calls("cuGraphLaunch", built.executable, 0) == Result.INVALID_HANDLE
    assert calls("cuGraphNodeGetType", built.fill, ctypes.c_uint32()) == Result.INVALID_HANDLE


def test_what_a_graph_is(calls, count):
    built = Built(calls, count)
    number, listed = ctypes.c_uint64(), handles(0, 0, 0, 0)
    calls.do("cuGraphGetNodes", built.graph, 0, number)
    assert number.value == 3
    number.value = 4
    calls.do("cuGraphGetNodes", built.graph, listed, number)
    assert (list(listed), number.value) == ([built.fill, built.kernel, built.copy, 0], 3)
    number.value = 4
    calls.do("cuGraphGetRootNodes", built.graph, listed, number)
    assert (listed[0], number.value) == (built.fill, 1)
    begins, ends = handles(0, 0), handles(0, 0)
    number.value = 2
    calls.do("cuGraphGetEdges", built.graph, begins, ends, number)
    assert list(zip(begins, ends, strict=True)) == [
        (built.fill, built.kernel), (built.kernel, built.copy),
    ]  # fmt: skip
    number.value = 2
    calls.do("cuGraphNodeGetDependentNodes", built.fill, begins, number)
    assert (begins[0], number.value) == (built.kernel, 1)
    kind = ctypes.c_uint32()
    for node, expected in ((built.fill, 2), (built.kernel, 0), (built.copy, 1)):
        calls.do("cuGraphNodeGetType", node, kind)
        assert kind.value == expected
    copy = calls.get("cuGraphClone", built.graph)
    clone = calls.get("cuGraphNodeFindInClone", built.copy, copy)
    assert clone not in (built.fill, built.kernel, built.copy)
    other = calls("cuGraphNodeFindInClone", ctypes.c_uint64(), clone, built.graph)
    assert other == Result.INVALID_VALUE


def test_a_picture_of_a_graph(calls, count, tmp_path):
    """Child graphs are parts of it; flags say what of a node is shown."""
    built = Built(calls, count)
    outer, node = calls.get("cuGraphCreate", 0), ctypes.c_uint64()
    calls.do("cuGraphAddChildGraphNode", node, outer, 0, 0, built.graph)
    path = tmp_path / "graph.dot"
    calls.do("cuGraphDebugDotPrint", outer, str(path).encode(), 0)
    plain = path.read_text()
    assert re.findall(r'label="\{\d+ \| ([^"]*)\}"', plain) == [
        "GRAPH", "MEMSET", "KERNEL | count", "MEMCPY",
    ]  # fmt: skip
    assert len(re.findall(r'^"(\w+)" -> "(?!\1")\w+";$', plain, re.MULTILINE)) == 2
    assert plain.count("subgraph cluster_") == 2
    calls.do("cuGraphDebugDotPrint", outer, str(path).encode(), 4 | 16 | 1024)
    shown = path.read_text()
    assert r"count | \<\<\<1,1,1; 1,1,1; 0\>\>\> | 0x" in shown
    assert re.search(r"MEMSET \| \d+ x 1 of 4 bytes \| 0x", shown)
    assert re.search(r"MEMCPY \| 0x", shown)
    nowhere = str(tmp_path / "no" / "graph.dot").encode()
    assert calls("cuGraphDebugDotPrint", outer, nowhere, 0) == Result.OPERATING_SYSTEM


def test_wrong_dependencies(calls, count):
    built = Built(calls, count)
    other, out = calls.get("cuGraphCreate", 0), ctypes.c_uint64()
    add = ("cuGraphAddEmptyNode", out)
    assert calls(*add, other, handles(built.fill), 1) == Result.INVALID_VALUE
    assert calls(*add, built.graph, handles(built.fill, built.fill), 2) == Result.INVALID_VALUE
    assert calls(*add, built.graph, 0, 1) == Result.INVALID_VALUE
    edge = (built.graph, handles(built.fill), handles(built.kernel), 1)
    assert calls("cuGraphAddDependencies", *edge) == Result.INVALID_VALUE  # it is there
    calls.do("cuGraphRemoveDependencies", *edge)
    assert calls("cuGraphRemoveDependencies", *edge) == Result.INVALID_VALUE
    calls.do("cuGraphAddDependencies", *edge)
    back = (built.graph, handles(built.copy), handles(built.fill), 1)
    calls.do("cuGraphAddDependencies", *back)
    assert calls("cuGraphInstantiateWithFlags", out, built.graph, 0) == Result.INVALID_VALUE


def test_nodes_of_an_executable_graph_change(calls, count):
    built = Built(calls, count)
    other = calls.get("cuMemAlloc", 64)
    changed = kernel_node(count, ctypes.c_uint64(other))
    calls.do("cuGraphExecKernelNodeSetParams_v2", built.executable, built.kernel, changed)
    calls.do("cuGraphExecMemsetNodeSetParams", built.executable, built.fill,
             fill_node(built.memory, 3, 8), built.context)  # fmt: skip
    calls.do("cuGraphLaunch", built.executable, 0)
    assert (word(calls, built.memory), word(calls, other)) == (3, 5)
    calls.do("cuGraphExecMemcpyNodeSetParams", built.executable, built.copy,
             copy_node(other + 32, other, 4), built.context)  # fmt: skip
    calls.do("cuGraphLaunch", built.executable, 0)
    assert word(calls, other + 32) == 6
    managed = calls.get("cuMemAllocManaged", 64, 1)
    wrong = copy_node(managed, other, 4)
    refused = calls("cuGraphExecMemcpyNodeSetParams", built.executable, built.copy, wrong,
                    built.context)  # fmt: skip
    assert refused == Result.INVALID_VALUE  # another kind of memory
    assert calls("cuGraphExecKernelNodeSetParams_v2", built.executable, built.fill, changed) == (
        Result.INVALID_VALUE
    )
    calls.do("cuGraphNodeSetEnabled", built.executable, built.kernel, 0)
    calls.do("cuGraphLaunch", built.executable, 0)
    assert word(calls, other) == 6
    given = KernelNode()
    calls.do("cuGraphKernelNodeGetParams_v2", built.kernel, given)
    assert given.function == count


def test_a_size_that_is_set_before_the_launch(calls, count):
    graph, out = calls.get("cuGraphCreate", 0), calls.get("cuMemAlloc", 4)
    given = kernel_node(count, ctypes.c_uint64(out))
    given.grid[0] = 0
    node = calls.get("cuGraphAddKernelNode_v2", graph, 0, 0, given)
    executable = calls.get("cuGraphInstantiateWithFlags", graph, 0)
    assert calls("cuGraphLaunch", executable, 0) == Result.INVALID_VALUE
    given.grid[0] = 1
    calls.do("cuGraphExecKernelNodeSetParams_v2", executable, node, given)
    calls.do("cuGraphLaunch", executable, 0)
    assert word(calls, out) == 5


def test_an_executable_graph_is_updated(calls, count):
    built, other = Built(calls, count), Built(calls, count)
    result = UpdateResult()
    calls.do("cuGraphExecUpdate_v2", built.executable, other.graph, result)
    calls.do("cuGraphLaunch", built.executable, 0)
    assert word(calls, other.memory + 32) == 5
    calls.get("cuGraphAddEmptyNode", other.graph, 0, 0)
    failed = calls("cuGraphExecUpdate_v2", built.executable, other.graph, result)
    assert (failed, result.result) == (Result.GRAPH_EXEC_UPDATE_FAILURE, 2)


def test_nodes_of_other_kinds(calls):
    seen = []
    function = HOST_FUNCTION(seen.append)
    graph, event = calls.get("cuGraphCreate", 0), calls.get("cuEventCreate", 0)
    host = HostNode(ctypes.cast(function, ctypes.c_void_p).value, 3)
    first = calls.get("cuGraphAddHostNode", graph, 0, 0, host)
    record = calls.get("cuGraphAddEventRecordNode", graph, handles(first), 1, event)
    wait = calls.get("cuGraphAddEventWaitNode", graph, handles(record), 1, event)
    child = calls.get("cuGraphCreate", 0)
    host.data = 4
    calls.get("cuGraphAddHostNode", child, 0, 0, host)
    calls.get("cuGraphAddChildGraphNode", graph, handles(wait), 1, child)
    executable = calls.get("cuGraphInstantiateWithFlags", graph, 0)
    calls.do("cuGraphLaunch", executable, 0)
    calls.do("cuCtxSynchronize")
    assert seen == [3, 4]
    calls.do("cuEventQuery", event)
    found = ctypes.c_uint64()
    calls.do("cuGraphEventRecordNodeGetEvent", record, found)
    assert found.value == event
    assert calls("cuGraphEventRecordNodeGetEvent", wait, found) == Result.INVALID_VALUE
    calls.do("cuGraphDestroyNode", record)


def test_memory_of_a_graph(calls):
    graph, context = calls.get("cuGraphCreate", 0), calls.get("cuCtxGetCurrent")
    given = AllocationNode(pool=PoolProperties(type=1, location=Location(1, 0)), size=64)
    first = calls.get("cuGraphAddMemAllocNode", graph, 0, 0, given)
    assert given.address
    fill = calls.get("cuGraphAddMemsetNode", graph, handles(first), 1,
                     fill_node(given.address, 8, 16), context)  # fmt: skip
    calls.get("cuGraphAddMemFreeNode", graph, handles(fill), 1, given.address)
    again = calls("cuGraphAddMemFreeNode", ctypes.c_uint64(), graph, 0, 0, given.address)
    assert again == Result.INVALID_VALUE
    executable = calls.get("cuGraphInstantiateWithFlags", graph, 0)
    calls.do("cuGraphLaunch", executable, 0)
    calls.do("cuCtxSynchronize")
    calls.do("cuGraphExecDestroy", executable)
    calls.do("cuGraphDestroy", graph)
    assert calls.driver.leftovers() == {"CUcontext": 1}


@pytest.mark.parametrize("way", ["cuMemFree", "cuMemFreeAsync", "another graph"])
def test_memory_of_a_graph_that_is_freed_outside(calls, way):
    """Each launch allocates it again, at the same address."""
    graph, context = calls.get("cuGraphCreate", 0), calls.get("cuCtxGetCurrent")
    given = AllocationNode(pool=PoolProperties(type=1, location=Location(1, 0)), size=64)
    first = calls.get("cuGraphAddMemAllocNode", graph, 0, 0, given)
    calls.get("cuGraphAddMemsetNode", graph, handles(first), 1,
              fill_node(given.address, 8, 16), context)  # fmt: skip
    executable = calls.get("cuGraphInstantiateWithFlags", graph, 0)
    other = calls.get("cuGraphCreate", 0)
    calls.get("cuGraphAddMemFreeNode", other, 0, 0, given.address)
    freeing = calls.get("cuGraphInstantiateWithFlags", other, 0)
    for _ in range(2):
        calls.do("cuGraphLaunch", executable, 0)
        if way == "another graph":
            calls.do("cuGraphLaunch", freeing, 0)
        else:
            calls.do(way, given.address, *([0] if way == "cuMemFreeAsync" else []))
        assert calls("cuMemFree", given.address) == Result.INVALID_VALUE
    for made in (executable, freeing):
        calls.do("cuGraphExecDestroy", made)
    for made in (other, graph):
        calls.do("cuGraphDestroy", made)
    assert calls.driver.leftovers() == {"CUcontext": 1}


@pytest.mark.parametrize("way", ["cuMemFree", "cuMemFreeAsync", "another graph", "a later graph"])
def test_memory_of_a_graph_outlives_it(calls, way):
    """A program has to free what a launch has allocated, also when the graph is destroyed."""
    before = calls.driver.leftovers()
    graph = calls.get("cuGraphCreate", 0)
    given = AllocationNode(pool=PoolProperties(type=1, location=Location(1, 0)), size=64)
    calls.get("cuGraphAddMemAllocNode", graph, 0, 0, given)
    executable = calls.get("cuGraphInstantiateWithFlags", graph, 0)
    assert calls("cuMemFreeAsync", given.address, 0) == Result.INVALID_VALUE  # no launch yet
    calls.do("cuGraphLaunch", executable, 0)
    other = calls.get("cuGraphCreate", 0)
    if way == "another graph":
        calls.get("cuGraphAddMemFreeNode", other, 0, 0, given.address)
    calls.do("cuGraphExecDestroy", executable)
    calls.do("cuGraphDestroy", graph)
    used = ctypes.c_uint64()
    calls.do("cuDeviceGetGraphMemAttribute", 0, 0, used)
    assert used.value == 64
    calls.do("cuMemsetD8", given.address, 1, 64)
    if way == "a later graph":
        calls.get("cuGraphAddMemFreeNode", other, 0, 0, given.address)
    if way.endswith("graph"):
        freeing = calls.get("cuGraphInstantiateWithFlags", other, 0)
        calls.do("cuGraphLaunch", freeing, 0)
        calls.do("cuGraphExecDestroy", freeing)
    else:
        calls.do(way, given.address, *([0] if way == "cuMemFreeAsync" else []))
    calls.do("cuGraphDestroy", other)
    calls.do("cuDeviceGetGraphMemAttribute", 0, 0, used)
    assert (used.value, calls.driver.leftovers()) == (0, before)


def test_nodes_and_edges_beside_memory_stay(calls):
    graph = calls.get("cuGraphCreate", 0)
    given = AllocationNode(pool=PoolProperties(type=1, location=Location(1, 0)), size=64)
    node = calls.get("cuGraphAddMemAllocNode", graph, 0, 0, given)
    other = calls.get("cuGraphAddEmptyNode", graph, handles(node), 1)
    assert calls("cuGraphDestroyNode", other) == Result.NOT_SUPPORTED
    wrong = calls("cuGraphRemoveDependencies", graph, handles(node), handles(other), 1)
    assert wrong == Result.NOT_SUPPORTED


def test_capture(calls, count):
    stream, other = calls.get("cuStreamCreate", 1), calls.get("cuStreamCreate", 1)
    event, joined = calls.get("cuEventCreate", 2), calls.get("cuEventCreate", 2)
    memory = calls.get("cuMemAlloc", 64)
    calls.do("cuStreamBeginCapture_v2", stream, 0)
    status = ctypes.c_uint32()
    calls.do("cuStreamIsCapturing", stream, status)
    assert status.value == 1
    calls.do("cuMemsetD32Async", memory, 9, 8, stream)
    calls.do("cuEventRecord", event, stream)
    calls.do("cuStreamWaitEvent", other, event, 0)
    values = pointers(ctypes.c_uint64(memory))
    calls.do("cuLaunchKernel", count, 1, 1, 1, 1, 1, 1, 0, other, values, 0)
    calls.do("cuEventRecord", joined, other)
    calls.do("cuStreamWaitEvent", stream, joined, 0)
    calls.do("cuMemcpyDtoDAsync", memory + 32, memory, 4, stream)
    assert calls("cuEventQuery", event) == Result.CAPTURED_EVENT
    graph = ctypes.c_uint64()
    assert calls("cuStreamEndCapture", other, graph) == Result.STREAM_CAPTURE_UNMATCHED
    calls.do("cuStreamEndCapture", stream, graph)
    assert word(calls, memory) != 9 or word(calls, memory + 32) != 5  # nothing has run
    executable = calls.get("cuGraphInstantiateWithFlags", graph.value, 0)
    for expected in (5, 6):
        calls.do("cuGraphLaunch", executable, stream)
        calls.do("cuStreamSynchronize", stream)
        assert word(calls, memory + 32) == expected
    number = ctypes.c_uint64()
    calls.do("cuGraphGetNodes", graph.value, 0, number)
    assert number.value == 3


def test_what_may_not_be_captured(calls):
    stream, graph = calls.get("cuStreamCreate", 1), ctypes.c_uint64()
    assert calls("cuStreamBeginCapture_v2", 0, 0) == Result.STREAM_CAPTURE_UNSUPPORTED
    assert calls("cuStreamEndCapture", stream, graph) == Result.ILLEGAL_STATE
    calls.do("cuStreamBeginCapture_v2", stream, 0)
    assert calls("cuStreamBeginCapture_v2", stream, 0) == Result.ILLEGAL_STATE
    assert calls("cuStreamSynchronize", stream) == Result.STREAM_CAPTURE_UNSUPPORTED
    assert calls("cuStreamEndCapture", stream, graph) == Result.STREAM_CAPTURE_INVALIDATED
    calls.do("cuStreamSynchronize", stream)
    calls.do("cuStreamBeginCapture_v2", stream, 0)
    other, event = calls.get("cuStreamCreate", 1), calls.get("cuEventCreate", 0)
    calls.do("cuEventRecord", event, stream)
    calls.do("cuStreamWaitEvent", other, event, 0)
    calls.do("cuMemsetD32Async", calls.get("cuMemAlloc", 4), 0, 1, other)
    assert calls("cuStreamEndCapture", stream, graph) == Result.STREAM_CAPTURE_UNJOINED
    assert calls("cuCtxSynchronize") == Result.SUCCESS
    outside = calls.get("cuEventCreate", 0)
    calls.do("cuEventRecord", outside, other)
    calls.do("cuStreamBeginCapture_v2", stream, 0)
    assert calls("cuStreamWaitEvent", stream, outside, 0) == Result.STREAM_CAPTURE_ISOLATION
    assert calls("cuStreamEndCapture", stream, graph) == Result.STREAM_CAPTURE_INVALIDATED


def test_lanes():
    graph = object()
    first = graphs.Node(graph, [], graphs.NodeWork())
    left = graphs.Node(graph, [first], graphs.NodeWork())
    right = graphs.Node(graph, [first], graphs.NodeWork())
    last = graphs.Node(graph, [left, right], graphs.NodeWork())
    assert executables.lanes_of([first, left, right, last]) == ([0, 0, 1, 0], 2)


def any_node(kind, given, before=0):
    """CUgraphNodeParams of a kind: `given` after so many bytes."""
    made = NodeParameters(kind)
    if given is not None:
        place = ctypes.addressof(made) + NodeParameters.words.offset + before
        ctypes.memmove(place, ctypes.addressof(given), ctypes.sizeof(given))
    return made


def test_nodes_of_any_kind(calls, count):
    """A fill, a kernel and a copy as one function makes them, and memory of the graph."""
    memory = calls.get("cuMemAlloc", 64)
    graph, child = calls.get("cuGraphCreate", 0), calls.get("cuGraphCreate", 0)
    event = calls.get("cuEventCreate", 0)
    kernel = kernel_node(count, ctypes.c_uint64(memory))
    allocation = AllocationNode(size=64)
    allocation.pool.type, allocation.pool.location.type = 1, 1
    given = [
        any_node(graphs.FILL, fill_node(memory, 9, 8)), any_node(graphs.KERNEL, kernel),
        any_node(graphs.COPY, copy_node(memory + 32, memory, 4), before=16),
        any_node(graphs.CHILD, ctypes.c_uint64(child)), any_node(graphs.EMPTY, None),
        any_node(graphs.RECORD, ctypes.c_uint64(event)),
        any_node(graphs.WAIT, ctypes.c_uint64(event)),
    ]  # fmt: skip
    last = calls.get("cuGraphAddNode", graph, 0, 0, any_node(graphs.EMPTY, None))
    for parameters in given:
        last = calls.get("cuGraphAddNode_v2", graph, handles(last), 0, 1, parameters)
        kind = ctypes.c_uint32()
        calls.do("cuGraphNodeGetType", last, kind)
        assert kind.value == parameters.type
    executable = calls.get("cuGraphInstantiateWithFlags", graph, 0)
    for expected in (5, 6):
        calls.do("cuGraphLaunch", executable, 0)
        calls.do("cuCtxSynchronize")
        assert word(calls, memory + 32) == expected
    made = any_node(graphs.ALLOCATE, allocation)
    calls.get("cuGraphAddNode", graph, 0, 0, made)
    place = ctypes.addressof(made) + NodeParameters.words.offset
    address = AllocationNode.from_address(place).address
    assert address
    calls.get("cuGraphAddNode", graph, 0, 0, any_node(graphs.FREE, ctypes.c_uint64(address)))


def test_nodes_of_an_unknown_kind(calls):
    graph, out = calls.get("cuGraphCreate", 0), ctypes.c_uint64()
    assert calls("cuGraphAddNode", out, graph, 0, 0, any_node(99, None)) == Result.NOT_SUPPORTED


# -- parameters of any kind, what tells nodes apart


def parameters_of(calls, node):
    found = NodeParameters()
    calls.do("cuGraphNodeGetParams", node, found)
    return found


def test_parameters_of_any_kind(calls, count):
    """What is read can be given to another node, before and after the graph is instantiated."""
    built = Built(calls, count)
    for node, kind in ((built.kernel, graphs.KERNEL), (built.copy, graphs.COPY)):
        found = parameters_of(calls, node)
        assert found.type == kind
        calls.do("cuGraphNodeSetParams", node, found)
    found = parameters_of(calls, built.fill)
    fill = FillNode.from_address(ctypes.addressof(found) + NodeParameters.words.offset)
    assert (fill.target, fill.value, fill.width) == (built.memory, 9, 8)
    fill.value = 4
    calls.do("cuGraphExecNodeSetParams", built.executable, built.fill, found)
    calls.do("cuGraphLaunch", built.executable, 0)
    assert word(calls, built.memory + 4) == 4
    wrong = calls("cuGraphNodeSetParams", built.kernel, found)
    assert wrong == Result.INVALID_VALUE
    calls.do("cuGraphNodeSetParams", built.fill, found)
    executable = calls.get("cuGraphInstantiateWithFlags", built.graph, 0)
    calls.do("cuMemsetD32", built.memory, 0, 8)
    calls.do("cuGraphLaunch", executable, 0)
    assert word(calls, built.memory + 4) == 4


def test_parameters_of_nodes_with_handles(calls):
    graph, child = calls.get("cuGraphCreate", 0), calls.get("cuGraphCreate", 0)
    event = calls.get("cuEventCreate", 0)
    node = calls.get("cuGraphAddChildGraphNode", graph, 0, 0, child)
    own = parameters_of(calls, node)
    assert (own.type, own.words[0]) == (
        graphs.CHILD, calls.values("cuGraphChildGraphNodeGetGraph", node)[0],
    )  # fmt: skip
    recording = calls.get("cuGraphAddEventRecordNode", graph, 0, 0, event)
    found = parameters_of(calls, recording)
    assert (found.type, found.words[0]) == (graphs.RECORD, event)
    assert calls("cuGraphNodeSetParams", node, own) == Result.NOT_SUPPORTED
    given = AllocationNode(size=64)
    given.pool.type, given.pool.location.type = 1, 1
    allocation = calls.get("cuGraphAddMemAllocNode", graph, 0, 0, given)
    free = calls.get("cuGraphAddMemFreeNode", graph, handles(allocation), 1, given.address)
    found = parameters_of(calls, allocation)
    at = ctypes.addressof(found) + NodeParameters.words.offset
    assert AllocationNode.from_address(at).address == given.address
    assert parameters_of(calls, free).words[0] == given.address


@pytest.mark.parametrize(("type", "location", "kind"), [
    (1, 1, "device"), (1, 2, "host"), (2, 1, "managed"),
])  # fmt: skip
def test_where_a_node_allocates(calls, type, location, kind):
    """Memory of a device, of the host, and managed memory; its rights are returned as set."""
    graph, access = calls.get("cuGraphCreate", 0), AccessDescription(Location(1, 0), 3)
    given, found = AllocationNode(size=64), AllocationNode(access=99, access_count=99)
    given.pool.type, given.pool.location.type = type, location
    given.access, given.access_count = ctypes.addressof(access), 1
    node = calls.get("cuGraphAddMemAllocNode", graph, 0, 0, given)
    assert calls.driver.ranges.at(given.address).kind == kind
    access.flags = 0  # the node has its own
    calls.do("cuGraphMemAllocNodeGetParams", node, found)
    assert (found.pool.type, found.pool.location.type, found.access_count) == (type, location, 1)
    assert AccessDescription.from_address(found.access).flags == 3
    given.access = 0
    wrong = calls("cuGraphAddMemAllocNode", ctypes.c_uint64(), graph, 0, 0, given)
    assert wrong == Result.INVALID_VALUE


def test_parameters_of_what_was_captured(calls):
    """A copy that a stream was given can be read and changed as one that a program has added."""
    stream, memory = calls.get("cuStreamCreate", 1), calls.get("cuMemAlloc", 64)
    calls.do("cuMemsetD32", memory, 3, 16)
    graph, found = ctypes.c_uint64(), Copy3D()
    calls.do("cuStreamBeginCapture_v2", stream, 0)
    calls.do("cuMemcpyDtoDAsync", memory + 32, memory, 8, stream)
    calls.do("cuStreamEndCapture", stream, graph)
    nodes, number = handles(0), ctypes.c_uint64(1)
    calls.do("cuGraphGetNodes", graph.value, nodes, number)
    calls.do("cuGraphMemcpyNodeGetParams", nodes[0], found)
    assert (found.source_device, found.target_device, found.width) == (memory, memory + 32, 8)
    executable = calls.get("cuGraphInstantiateWithFlags", graph.value, 0)
    found.target_device = memory + 48
    calls.do("cuGraphExecMemcpyNodeSetParams", executable, nodes[0], found,
             calls.get("cuCtxGetCurrent"))  # fmt: skip
    calls.do("cuMemsetD32", memory + 32, 0, 8)
    calls.do("cuGraphLaunch", executable, 0)
    assert [word(calls, memory + at) for at in (32, 48, 52, 56)] == [0, 3, 3, 0]


def test_a_child_of_an_executable_graph_changes(calls):
    memory = calls.get("cuMemAlloc", 64)
    calls.do("cuMemsetD32", memory, 0, 16)
    context = calls.get("cuCtxGetCurrent")

    def child(at, nodes=1):
        made = calls.get("cuGraphCreate", 0)
        for _ in range(nodes):
            given = fill_node(memory + at, 7, 1)
            calls.get("cuGraphAddMemsetNode", made, 0, 0, given, context)
        return made

    graph = calls.get("cuGraphCreate", 0)
    node = calls.get("cuGraphAddChildGraphNode", graph, 0, 0, child(0))
    executable = calls.get("cuGraphInstantiateWithFlags", graph, 0)
    wrong = calls("cuGraphExecChildGraphNodeSetParams", executable, node, child(8, 2))
    assert wrong == Result.INVALID_VALUE
    calls.do("cuGraphExecChildGraphNodeSetParams", executable, node, child(4))
    calls.do("cuGraphLaunch", executable, 0)
    assert [word(calls, memory + at) for at in (0, 4, 8)] == [0, 7, 0]
    given = any_node(graphs.CHILD, ctypes.c_uint64(child(8)))
    calls.do("cuGraphExecNodeSetParams", executable, node, given)
    calls.do("cuGraphLaunch", executable, 0)
    assert word(calls, memory + 8) == 7


def test_a_graph_moves_into_another(calls):
    """Its node has the graph itself, which is destroyed with the node's graph."""
    graph, child = calls.get("cuGraphCreate", 0), calls.get("cuGraphCreate", 0)
    given = any_node(graphs.CHILD, (ctypes.c_uint64 * 2)(child, 1))
    node = calls.get("cuGraphAddNode", graph, 0, 0, given)
    assert calls.values("cuGraphChildGraphNodeGetGraph", node) == [child]
    out = ctypes.c_uint64()
    assert calls("cuGraphAddNode", out, graph, 0, 0, given) == Result.INVALID_VALUE
    assert calls("cuGraphDestroy", child) == Result.INVALID_VALUE
    calls.do("cuGraphDestroy", graph)
    assert calls("cuGraphAddEmptyNode", out, child, 0, 0) == Result.INVALID_HANDLE


def test_a_clone_has_its_own_children(calls):
    graph, child = calls.get("cuGraphCreate", 0), calls.get("cuGraphCreate", 0)
    node = calls.get("cuGraphAddChildGraphNode", graph, 0, 0, child)
    (own,) = calls.values("cuGraphChildGraphNodeGetGraph", node)
    clone = calls.get("cuGraphClone", graph)
    copy = calls.get("cuGraphNodeFindInClone", node, clone)
    (other,) = calls.values("cuGraphChildGraphNodeGetGraph", copy)
    calls.get("cuGraphAddEmptyNode", own, 0, 0)
    number = ctypes.c_uint64()
    calls.do("cuGraphGetNodes", other, 0, number)
    assert (own != other, number.value) == (True, 0)
    calls.do("cuGraphDestroy", graph)
    calls.do("cuGraphGetNodes", other, 0, number)


def test_numbers_of_nodes(calls):
    graph, other = calls.get("cuGraphCreate", 0), calls.get("cuGraphCreate", 0)
    nodes = [calls.get("cuGraphAddEmptyNode", g, 0, 0) for g in (graph, graph, other)]
    assert [calls.values("cuGraphNodeGetLocalId", n)[0] for n in nodes] == [0, 1, 0]
    assert len({calls.values("cuGraphNodeGetToolsId", n)[0] for n in nodes}) == 3
    executables = [calls.get("cuGraphInstantiateWithFlags", graph, 0) for _ in range(2)]
    assert len({calls.values("cuGraphExecGetId", e)[0] for e in executables}) == 2


def test_memory_of_graphs_is_counted(calls):
    def values():
        found = []
        for attribute in range(4):
            into = ctypes.c_uint64()
            calls.do("cuDeviceGetGraphMemAttribute", 0, attribute, into)
            found.append(into.value)
        return found

    graph, given = calls.get("cuGraphCreate", 0), AllocationNode(size=64)
    given.pool.type, given.pool.location.type = 1, 1
    calls.get("cuGraphAddMemAllocNode", graph, 0, 0, given)
    assert values() == [64, 64, 64, 64]
    calls.do("cuGraphDestroy", graph)
    assert values() == [0, 64, 64, 64]
    calls.do("cuDeviceSetGraphMemAttribute", 0, 1, ctypes.c_uint64(0))
    assert values() == [0, 0, 64, 64]
    calls.do("cuDeviceGraphMemTrim", 0)
    assert values() == [0, 0, 0, 64]
    calls.do("cuDeviceSetGraphMemAttribute", 0, 3, ctypes.c_uint64(0))
    assert values() == [0, 0, 0, 0]
    one = ctypes.c_uint64(1)
    assert calls("cuDeviceSetGraphMemAttribute", 0, 1, one) == Result.INVALID_VALUE
    assert calls("cuDeviceSetGraphMemAttribute", 0, 0, ctypes.c_uint64()) == Result.INVALID_VALUE


# -- user objects


class Objects:
    """User objects, and which have been destroyed."""

    def __init__(self, calls):
        self.calls, self.ended = calls, []
        self._call = HOST_FUNCTION(self.ended.append)
        self.graph = calls.get("cuGraphCreate", 0)

    def make(self, pointer, count=1):
        address = ctypes.cast(self._call, ctypes.c_void_p).value
        return self.calls.get("cuUserObjectCreate", pointer, address, count, 1)


def test_a_user_object_ends_with_its_last_reference(calls):
    objects = Objects(calls)
    made = objects.make(77, 2)
    assert calls("cuUserObjectRelease", made, 3) == Result.INVALID_VALUE
    calls.do("cuUserObjectRetain", made, 1)
    calls.do("cuUserObjectRelease", made, 2)
    assert objects.ended == []
    calls.do("cuUserObjectRelease", made, 1)
    assert objects.ended == [77]
    assert calls("cuUserObjectRelease", made, 1) == Result.INVALID_HANDLE


def test_graphs_hold_user_objects(calls):
    """A graph, its clone, a graph with a copy of it and an executable graph have one each."""
    objects = Objects(calls)
    made, other = objects.make(1), objects.make(2)
    calls.do("cuGraphRetainUserObject", objects.graph, made, 1, 1)  # moved
    assert calls("cuUserObjectRelease", made, 1) == Result.INVALID_VALUE
    calls.do("cuGraphRetainUserObject", objects.graph, other, 2, 0)
    calls.do("cuGraphReleaseUserObject", objects.graph, other, 2)
    more = calls("cuGraphReleaseUserObject", objects.graph, other, 1)
    assert more == Result.INVALID_VALUE
    calls.do("cuUserObjectRelease", other, 1)
    assert objects.ended == [2]
    clone = calls.get("cuGraphClone", objects.graph)
    parent = calls.get("cuGraphCreate", 0)
    calls.get("cuGraphAddChildGraphNode", parent, 0, 0, objects.graph)
    executable = calls.get("cuGraphInstantiateWithFlags", parent, 0)
    for name, handle in (
        ("cuGraphDestroy", objects.graph), ("cuGraphDestroy", clone), ("cuGraphDestroy", parent),
        ("cuGraphExecDestroy", executable),
    ):  # fmt: skip
        assert objects.ended == [2]
        calls.do(name, handle)
    assert objects.ended == [2, 1]


def test_an_update_changes_what_is_held(calls):
    objects, result = Objects(calls), UpdateResult()
    made = objects.make(1)
    calls.do("cuGraphRetainUserObject", objects.graph, made, 1, 1)
    executable = calls.get("cuGraphInstantiateWithFlags", objects.graph, 0)
    calls.do("cuGraphDestroy", objects.graph)
    assert objects.ended == []
    calls.do("cuGraphExecUpdate_v2", executable, calls.get("cuGraphCreate", 0), result)
    assert objects.ended == [1]


@pytest.mark.parametrize(("count", "flags"), [(0, 1), (1 << 31, 1), (1, 0), (1, 2)])
def test_wrong_user_objects(calls, count, flags):
    code = calls("cuUserObjectCreate", ctypes.c_uint64(), 0, 4096, count, flags)
    assert code == Result.INVALID_VALUE
