# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conditional nodes of graphs."""

from __future__ import annotations

import ctypes
from ctypes import c_uint32, c_uint64

import pytest

import xgpu
from tests.support.driver_calls import HEAD, Calls, pointers
from xgpu.api.cuda_driver.header import ConditionNode, NodeParameters, Result, UpdateResult
from xgpu.runtime.cuda.graph_nodes import KernelNode

#: Kernels: one that counts a word down and lets the condition be what is left, modulo `m`; one that
#: adds to a word; one that writes where it must not.
PTX = (
    HEAD
    + """
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry down(.param .u64 h, .param .u64 o, .param .u32 m)
{
  .reg .u64 %rd<3>; .reg .u32 %r<5>;
  ld.param.u64 %rd1, [h]; ld.param.u64 %rd2, [o]; ld.param.u32 %r1, [m];
  ld.global.u32 %r2, [%rd2];
  sub.u32 %r3, %r2, 1;
  st.global.u32 [%rd2], %r3;
  rem.u32 %r4, %r3, %r1;
  { .param .b64 p0; st.param.b64 [p0], %rd1; .param .b32 p1; st.param.b32 [p1], %r4;
    call.uni cudaGraphSetConditional, (p0, p1); }
  ret;
}
.visible .entry add(.param .u64 o, .param .u32 n)
{
  .reg .u64 %rd<2>; .reg .u32 %r<4>;
  ld.param.u64 %rd1, [o]; ld.param.u32 %r1, [n];
  ld.global.u32 %r2, [%rd1];
  add.u32 %r3, %r2, %r1;
  st.global.u32 [%rd1], %r3;
  ret;
}
"""
)
IF, WHILE, SWITCH = range(3)


class World:
    """A graph, words of memory, and what adds nodes."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls
        self.module = calls.get("cuModuleLoadData", PTX)
        self.memory = calls.get("cuMemAlloc", 64)
        calls.do("cuMemsetD32", self.memory, 0, 16)
        self.graph = calls.get("cuGraphCreate", 0)

    def handle(self, value=0, flags=1, graph=0):
        return self.calls.get(
            "cuGraphConditionalHandleCreate", graph or self.graph, 0, value, flags
        )

    def node(self, handle, kind=IF, size=1, graph=0, after=()):
        """A conditional node and its bodies."""
        made, given = conditional(handle, kind, size)
        before = (c_uint64 * len(after))(*after)
        node = self.calls.get("cuGraphAddNode", graph or self.graph, before, len(after), made)
        return node, list((c_uint64 * size).from_address(given.bodies))

    def kernel(self, graph, name, *values, after=()):
        before = (c_uint64 * len(after))(*after)
        given = self.given(name, *values)
        return self.calls.get("cuGraphAddKernelNode_v2", graph, before, len(after), given)

    def given(self, name, *values):
        function = self.calls.get("cuModuleGetFunction", self.module, name)
        made = KernelNode(function=function, shared=0)
        made.grid[:], made.block[:] = (1, 1, 1), (1, 1, 1)
        made.kept = pointers(*values)
        made.parameters = ctypes.addressof(made.kept)
        return made

    def add(self, graph, at, number, after=()):
        """A node that adds to a word."""
        return self.kernel(graph, "add", self.at(at), c_uint32(number), after=after)

    def down(self, graph, handle, modulus, after=()):
        values = c_uint64(handle), self.at(0), c_uint32(modulus)
        return self.kernel(graph, "down", *values, after=after)

    def at(self, number):
        return c_uint64(self.memory + 4 * number)

    def executable(self):
        return self.calls.get("cuGraphInstantiateWithFlags", self.graph, 0)

    def launched(self, executable, count=4):
        self.calls.do("cuGraphLaunch", executable, 0)
        self.calls.do("cuCtxSynchronize")
        found = (c_uint32 * count)()
        self.calls.do("cuMemcpyDtoH", found, self.memory, 4 * count)
        return list(found)

    def words(self, *values):
        self.calls.do("cuMemcpyHtoD", self.memory, (c_uint32 * len(values))(*values),
                      4 * len(values))  # fmt: skip


def conditional(handle, kind, size):
    made = NodeParameters(13)
    at = ctypes.addressof(made) + NodeParameters.words.offset
    given = ConditionNode.from_address(at)
    given.handle, given.type, given.size = handle, kind, size
    return made, given


@pytest.fixture
def world(calls):
    return World(calls)


@pytest.mark.parametrize(("value", "size", "expected"), [
    (1, 1, [0, 1]), (7, 1, [0, 1]), (0, 1, [0, 0]), (1, 2, [0, 1]), (0, 2, [0, 10]),
])  # fmt: skip
def test_if(world, value, size, expected):
    _, bodies = world.node(world.handle(value), IF, size)
    for body, number in zip(bodies, (1, 10), strict=False):
        world.add(body, 1, number)
    executable = world.executable()
    assert world.launched(executable, 2) == expected
    assert world.launched(executable, 2) == [0, 2 * expected[1]]


def test_while(world):
    """The body counts a word down; what comes after the node sees all rounds."""
    handle = world.handle(1)
    loop, (body,) = world.node(handle, WHILE)
    counted = world.down(body, handle, 1 << 20)
    world.add(body, 1, 3, after=(counted,))
    world.add(world.graph, 2, 1, after=(loop,))
    executable = world.executable()
    world.words(5, 0, 0)
    assert world.launched(executable, 3) == [0, 15, 1]
    world.words(2, 0, 0)
    assert world.launched(executable, 3) == [0, 6, 1]


@pytest.mark.parametrize(("value", "expected"), [(0, [1, 0, 0]), (2, [0, 0, 1]), (3, [0, 0, 0])])
def test_switch(world, value, expected):
    _, bodies = world.node(world.handle(value), SWITCH, 3)
    for number, body in enumerate(bodies):
        world.add(body, number, 1)
    assert world.launched(world.executable(), 3) == expected


def test_a_kernel_chooses(world):
    """A kernel before the node says which body runs; without the flag the value stays."""
    handle = world.handle(2, flags=0)
    first = world.down(world.graph, handle, 3)
    _, bodies = world.node(handle, SWITCH, 3, after=(first,))
    for number, body in enumerate(bodies):
        world.add(body, number + 1, 1)
    executable = world.executable()
    world.words(6, 0, 0, 0)
    assert world.launched(executable) == [5, 0, 0, 1]
    assert world.launched(executable) == [4, 0, 1, 1]


def test_nodes_in_bodies(world):
    """A loop whose body has a node of its own, which every third round changes."""
    outer, inner = world.handle(1), world.handle(0)
    _, (body,) = world.node(outer, WHILE)
    third = world.down(body, inner, 3)
    world.words(7)
    choice, (some,) = world.node(inner, IF, graph=body, after=(third,))
    world.add(some, 1, 1)
    world.add(body, 2, 1, after=(choice,))
    rest = world.add(body, 0, 1, after=(choice,))
    world.down(body, outer, 1 << 20, after=(rest,))
    assert world.launched(world.executable(), 3) == [0, 4, 7]


def test_a_body_is_captured(world):
    calls = world.calls
    _, (body,) = world.node(world.handle(1))
    stream = calls.get("cuStreamCreate", 1)
    calls.do("cuStreamBeginCaptureToGraph", stream, body, 0, 0, 0, 0)
    calls.do("cuMemsetD32Async", world.memory, 4, 2, stream)
    calls.do("cuStreamEndCapture", stream, 0)  # the graph is known
    assert world.launched(world.executable(), 3) == [4, 4, 0]


def test_changes_of_an_executable_graph(world):
    """A node of a body gets other parameters, is disabled, and the whole gets another body."""
    _, (body,) = world.node(world.handle(1))
    node = world.add(body, 0, 1)
    executable = world.executable()
    given = world.given("add", world.at(0), c_uint32(5))
    world.calls.do("cuGraphExecKernelNodeSetParams_v2", executable, node, given)
    assert world.launched(executable, 1) == [5]
    world.calls.do("cuGraphNodeSetEnabled", executable, node, 0)
    assert world.launched(executable, 1) == [5]
    world.calls.do("cuGraphNodeSetEnabled", executable, node, 1)
    other, found = World(world.calls), UpdateResult()
    _, (body,) = other.node(other.handle(1))
    other.add(body, 3, 7)
    world.calls.do("cuGraphExecUpdate_v2", executable, other.graph, found)
    world.calls.do("cuGraphDestroy", other.graph)
    world.launched(executable)
    assert other.launched(executable) == [0, 0, 0, 14]


@pytest.mark.parametrize(("kind", "size", "nodes", "result"), [
    (IF, 2, 1, 5), (SWITCH, 1, 1, 5), (IF, 1, 2, 2), (IF, 1, 0, 2),
])  # fmt: skip
def test_updates_of_another_form(world, kind, size, nodes, result):
    _, (body,) = world.node(world.handle(1))
    world.add(body, 0, 1)
    executable = world.executable()
    other, found = World(world.calls), UpdateResult()
    _, bodies = other.node(other.handle(1), kind, size)
    for number in range(nodes):
        other.add(bodies[0], number, 1)
    code = world.calls("cuGraphExecUpdate_v2", executable, other.graph, found)
    assert (code, found.result) == (Result.GRAPH_EXEC_UPDATE_FAILURE, result)
    assert world.launched(executable, 1) == [1]


@pytest.mark.parametrize(("kind", "size"), [(IF, 3), (IF, 0), (WHILE, 2), (SWITCH, 0), (3, 1)])
def test_wrong_sizes(world, kind, size):
    made, _ = conditional(world.handle(), kind, size)
    code = world.calls("cuGraphAddNode", c_uint64(), world.graph, 0, 0, made)
    assert code == Result.INVALID_VALUE


def test_wrong_handles(world):
    calls, out = world.calls, c_uint64()
    used = world.handle()
    world.node(used)
    other = calls.get("cuGraphCreate", 0)
    for handle in (used, world.handle(graph=other), world.memory, 0):
        made, _ = conditional(handle, IF, 1)
        assert calls("cuGraphAddNode", out, world.graph, 0, 0, made) == Result.INVALID_VALUE
    wrong_flags = calls("cuGraphConditionalHandleCreate", out, world.graph, 0, 0, 2)
    assert wrong_flags == Result.INVALID_VALUE


def test_what_graphs_with_conditions_cannot(world):
    calls, out = world.calls, c_uint64()
    node, (body,) = world.node(world.handle(1))
    assert calls("cuGraphClone", out, world.graph) == Result.NOT_SUPPORTED
    other = calls.get("cuGraphCreate", 0)
    refused = calls("cuGraphAddChildGraphNode", out, other, 0, 0, world.graph)
    assert refused == Result.NOT_SUPPORTED
    assert calls("cuGraphDestroy", body) == Result.INVALID_VALUE
    event = calls.get("cuEventCreate", 0)
    recording = calls.get("cuGraphAddEventRecordNode", body, 0, 0, event)
    assert calls("cuGraphInstantiateWithFlags", out, world.graph, 0) == Result.INVALID_VALUE
    calls.do("cuGraphDestroyNode", recording)
    world.executable()
    calls.do("cuGraphDestroyNode", node)
    assert calls("cuGraphAddEmptyNode", out, body, 0, 0) == Result.INVALID_HANDLE


def test_nothing_is_left(calls):
    before = calls.driver.leftovers()
    world = World(calls)
    handle = world.handle(1)
    _, (body,) = world.node(handle, WHILE)
    world.down(body, handle, 1 << 20)
    executable = world.executable()
    calls.do("cuGraphDestroy", world.graph)
    world.words(3)
    assert world.launched(executable, 1) == [0]
    calls.do("cuGraphExecDestroy", executable)
    calls.do("cuMemFree", world.memory)
    calls.do("cuModuleUnload", world.module)
    assert calls.driver.leftovers() == before


def test_a_fault_ends_the_loop(world, capfd):
    _, (body,) = world.node(world.handle(1), WHILE)
    world.kernel(body, "add", c_uint64(64), c_uint32(1))
    world.calls.do("cuGraphLaunch", world.executable(), 0)
    assert world.calls("cuCtxSynchronize") == Result.ILLEGAL_ADDRESS


@pytest.mark.long
def test_the_sanitizer_knows_the_order():
    """Rounds of a loop follow one another, and what comes after the node follows them; what another
    stream does meanwhile is a race."""
    with xgpu.sanitized() as watched:
        calls = Calls()
        calls.begin()
        world = World(calls)
        handle = world.handle(1)
        loop, (body,) = world.node(handle, WHILE)
        counted = world.down(body, handle, 1 << 20)
        world.add(body, 1, 3, after=(counted,))
        world.add(world.graph, 1, 1, after=(loop,))
        world.words(5, 0)
        executable = world.executable()
        assert world.launched(executable, 2) == [0, 16]
        assert list(watched.findings()) == []
        world.words(5, 0)
        stream = calls.get("cuStreamCreate", 1)
        calls.do("cuGraphLaunch", executable, 0)
        add = world.given("add", world.at(1), c_uint32(1))
        calls.do("cuLaunchKernel", add.function, 1, 1, 1, 1, 1, 1, 0, stream, add.kept, 0)
        calls.do("cuCtxSynchronize")
        kinds = {finding.kind for finding in watched.findings()}
        calls.close()
    assert kinds == {"race"}
