# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs, stream-ordered memory and preloading on the cuda device, over the CUDA
driver of xgpu.
"""

from __future__ import annotations

import ctypes

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

from tests.unit.runtime.cuda.conftest import PTX
from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.abi import FUNCTIONS
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.launches import CLUSTER_DIMENSION


@pytest.fixture
def kernel(device):
    data = ctypes.create_string_buffer(PTX)
    name = ctypes.create_string_buffer(b"k")
    module = device.mgpuModuleLoadJIT(ctypes.addressof(data), 2)
    return device.mgpuModuleGetFunction(module, ctypes.addressof(name))


def nodes(*handles):
    return (ctypes.c_void_p * max(len(handles), 1))(*handles)


def at(array):
    return ctypes.addressof(array)


class Parameters:
    """Two parameters of a kernel, as a program stores them before a call."""

    def __init__(self, first, second):
        self.values = (ctypes.c_int64 * 2)(first, second)
        at = ctypes.addressof(self.values)
        self.array = (ctypes.c_uint64 * 2)(at, at + 8)

    @property
    def arguments(self):
        return ctypes.addressof(self.array), 2, 16


def parameters_of(params):
    """What the driver would read of a node's parameters."""
    places = (ctypes.c_uint64 * 2).from_address(params.parameters)
    return [ctypes.c_int64.from_address(p).value for p in places]


@pytest.fixture
def memory(device):
    return device.mgpuMemAlloc(4096, 0, 0)


def test_every_kind_of_node(device, fake, kernel, memory):
    graph = device.mgpuGraphCreate()
    none = nodes()
    copy = device.mgpuGraphAddMemcpy(graph, at(none), 0, memory, memory + 512, 64)
    fill = device.mgpuGraphAddMemset(graph, at(none), 0, memory + 1024, -1, 4, 16)
    both = nodes(copy, fill)
    given = Parameters(5, 6)
    launch = device.mgpuGraphAddKernel(
        graph, at(both), 2, kernel, 1, 2, 3, 4, 5, 6, 0, *given.arguments
    )  # fmt: skip
    one = nodes(launch)
    host = device.mgpuGraphAddHost(graph, at(one), 1, 0x1234, 0x5678)
    last = nodes(host)
    device.mgpuGraphAddEmpty(graph, at(last), 1)
    added = dict(call for call in fake.recorder.calls if call.name.startswith("cuGraphAdd"))
    params = added["cuGraphAddMemcpyNode"][3]
    assert (params.source_device, params.target_device) == (memory + 512, memory)
    assert params.target_type == real.CUmemorytype.CU_MEMORYTYPE_UNIFIED
    params = added["cuGraphAddMemsetNode"][3]
    assert (params.value, params.size, params.width) == (0xFFFFFFFF, 4, 16)
    _, _, count, params = added["cuGraphAddKernelNode"]
    assert count == 2
    assert (params.grid[2], params.block[0], parameters_of(params)) == (3, 4, [5, 6])
    assert (added["cuGraphAddHostNode"][3].function, added["cuGraphAddHostNode"][2]) == (0x1234, 1)
    assert added["cuGraphAddEmptyNode"][2] == 1


def test_instantiate_update_launch_destroy(device, fake, kernel, memory):
    graph = device.mgpuGraphCreate()
    given = Parameters(1, 2)
    launch = device.mgpuGraphAddKernel(
        graph, 0, 0, kernel, 1, 1, 1, 32, 1, 1, 0, *given.arguments
    )  # fmt: skip
    copy = device.mgpuGraphAddMemcpy(graph, 0, 0, memory, memory + 64, 3)
    executable = device.mgpuGraphInstantiate(graph)
    stream = device.mgpuStreamCreate()
    changed = Parameters(3, 4)
    sizes = (9, 1, 1, 32, 1, 1, 0)
    device.mgpuGraphExecKernelSetParams(executable, launch, kernel, *sizes, *changed.arguments)
    seen = fake.made()[-1]
    assert (seen[0], parameters_of(seen[1][2])) == ("cuGraphExecKernelNodeSetParams", [3, 4])
    device.mgpuGraphExecMemcpySetParams(executable, copy, memory + 8, memory + 72, 6)
    device.mgpuGraphLaunch(executable, stream)
    told = [name for name in fake.names() if name != "cuPointerGetAttribute"]
    assert told[-3:] == [
        "cuGraphExecKernelNodeSetParams", "cuGraphExecMemcpyNodeSetParams", "cuGraphLaunch",
    ]  # fmt: skip
    with pytest.raises(DeviceError, match="not a live executable graph"):
        device.mgpuGraphExecDestroy(graph)
    assert device.session.leaks()["graphs"] == 2
    device.mgpuGraphExecDestroy(executable)
    device.mgpuGraphDestroy(graph)
    assert not fake.alive("CUgraph")
    assert not fake.alive("CUgraphExec")
    with pytest.raises(DeviceError, match="not a live graph"):
        device.mgpuGraphDestroy(graph)


def test_what_does_not_change_is_not_set_again(device, fake, kernel, memory):
    graph = device.mgpuGraphCreate()
    none = nodes()
    given = Parameters(1, 2)
    sizes = (1, 1, 1, 32, 1, 1, 0)
    launch = device.mgpuGraphAddKernel(graph, at(none), 0, kernel, *sizes, *given.arguments)
    copy = device.mgpuGraphAddMemcpy(graph, at(none), 0, memory, memory + 64, 8)
    fill = device.mgpuGraphAddMemset(graph, at(none), 0, memory + 128, 7, 4, 2)
    first, second = device.mgpuGraphInstantiate(graph), device.mgpuGraphInstantiate(graph)

    def changes(executable, parameters, source, value):
        """Which nodes the driver changes."""
        fake.recorder.calls.clear()
        device.mgpuGraphExecKernelSetParams(
            executable, launch, kernel, *sizes, *parameters.arguments
        )
        device.mgpuGraphExecMemcpySetParams(executable, copy, memory, source, 8)
        device.mgpuGraphExecMemsetSetParams(executable, fill, memory + 128, value, 4, 2)
        return [
            n[len("cuGraphExec") : -len("NodeSetParams")] for n in fake.names()
            if n.startswith("cuGraphExec")
        ]  # fmt: skip

    everything = ["Kernel", "Memcpy", "Memset"]
    assert changes(first, given, memory + 64, 7) == everything
    if isinstance(device, CudaDevice):
        return  # Python, which serves where something is wrong, tells all
    # Python tells of copies: it asks the driver whose memory an address is.
    assert changes(first, given, memory + 64, 7) == ["Memcpy"]
    assert changes(first, Parameters(1, 3), memory + 64, 7) == ["Kernel", "Memcpy"]
    assert changes(first, Parameters(1, 3), memory + 72, 7) == ["Memcpy"]
    assert changes(first, Parameters(1, 3), memory + 72, 8) == ["Memcpy", "Memset"]
    assert changes(second, Parameters(1, 3), memory + 72, 8) == everything
    assert changes(first, Parameters(1, 3), memory + 72, 8) == everything
    assert changes(first, Parameters(1, 3), memory + 72, 8) == ["Memcpy"]


def test_a_node_stays_of_its_kind(fake, memory_of):
    device, memory = memory_of
    graph = device.mgpuGraphCreate()
    copy = device.mgpuGraphAddMemcpy(graph, 0, 0, memory, memory + 64, 3)
    executable = device.mgpuGraphInstantiate(graph)
    with pytest.raises(DeviceError, match="a memcpy node of a graph cannot become a memset node"):
        device.mgpuGraphExecMemsetSetParams(executable, copy, memory, 0, 4, 1)


@pytest.fixture
def memory_of(fake):
    from xgpu.runtime.cuda.device import CudaDevice
    from xgpu.runtime.cuda.driver import Driver
    from xgpu.runtime.session import Session

    device = CudaDevice(Session(), Driver(fake))
    return device, device.mgpuMemAlloc(4096, 0, 0)


@pytest.mark.parametrize("what", ["mapping", "nothing", "dimensions"])
def test_a_change_that_the_driver_refuses(device, fake, kernel, memory, what):
    """The graph is made anew when it is launched, with all nodes as they are set then; the
    program's handles stay good.
    """
    graph = device.mgpuGraphCreate()
    given = Parameters(1, 2)
    copy = device.mgpuGraphAddMemcpy(graph, 0, 0, memory, memory + 64, 8)
    after = nodes(copy)
    fill = device.mgpuGraphAddMemset(graph, at(after), 1, memory, 0x100000002, 8, 5)
    last = nodes(fill)
    launch = device.mgpuGraphAddKernel(
        graph, at(last), 1, kernel, 1, 1, 1, 32, 1, 1, 0, *given.arguments
    )  # fmt: skip
    executable = device.mgpuGraphInstantiate(graph)
    stream = device.mgpuStreamCreate()
    host = ctypes.create_string_buffer(64)

    def change(x, y, *, source, size, values):
        changed = Parameters(x, y)
        device.mgpuGraphExecMemcpySetParams(executable, copy, memory, source, size)
        device.mgpuGraphExecMemsetSetParams(executable, fill, memory, 0x100000002, 8, values)
        sizes = (9, 1, 1, 32, 1, 1, 0)
        device.mgpuGraphExecKernelSetParams(executable, launch, kernel, *sizes, *changed.arguments)

    before = len(fake.made())
    change(
        3, 4, source=ctypes.addressof(host) if what == "mapping" else memory + 64,
        size=0 if what == "nothing" else 8, values=7 if what == "dimensions" else 5,
    )  # fmt: skip
    assert "cuGraphLaunch" not in fake.names()
    device.mgpuGraphLaunch(executable, stream)
    new = fake.made()[before:]
    names = [n for n, _ in new]
    assert names[-3:] == ["cuGraphInstantiateWithFlags", "cuGraphExecDestroy", "cuGraphLaunch"]
    assert names.count("cuGraphAddMemsetNode") == 2
    assert names.count("cuGraphAddEmptyNode") == (what == "nothing")
    assert parameters_of(dict(new)["cuGraphAddKernelNode"][3]) == [3, 4]
    # And it can be changed again.
    change(5, 6, source=memory + 64, size=8, values=5)
    device.mgpuGraphLaunch(executable, stream)
    device.mgpuGraphExecDestroy(executable)
    device.mgpuGraphDestroy(graph)
    assert not fake.alive("CUgraph")
    assert not fake.alive("CUgraphExec")


def test_a_graph_with_memory_is_not_made_anew(memory_of):
    device, memory = memory_of
    graph = device.mgpuGraphCreate()
    address = ctypes.c_uint64(0)
    device.mgpuGraphAddAlloc(graph, 0, 0, 256, ctypes.addressof(address))
    copy = device.mgpuGraphAddMemcpy(graph, 0, 0, memory, memory + 64, 8)
    executable = device.mgpuGraphInstantiate(graph)
    with pytest.raises(DeviceError, match="a graph that allocates memory cannot change in this"):
        device.mgpuGraphExecMemcpySetParams(executable, copy, memory, memory + 64, 0)


def test_a_cluster_in_a_graph(device, fake, kernel):
    seen = []
    fake.recorder.observers["cuGraphKernelNodeSetAttribute"] = lambda node, kind, value: (
        seen.append((kind, list((ctypes.c_uint32 * 3).from_address(value))))
    )
    graph = device.mgpuGraphCreate()
    given = Parameters(1, 2)
    device.mgpuGraphAddClusterKernel(
        graph, 0, 0, kernel, 2, 1, 1, 4, 1, 1, 32, 1, 1, 0, *given.arguments
    )
    assert seen == [(CLUSTER_DIMENSION, [2, 1, 1])]


def test_fills_with_eight_bytes(device, fake, memory):
    graph = device.mgpuGraphCreate()
    fill = device.mgpuGraphAddMemset(graph, 0, 0, memory, 0x100000002, 8, 5)
    first, second = (a for n, a in fake.recorder.calls if n == "cuGraphAddMemsetNode")
    assert [(a[3].target, a[3].value, a[3].pitch, a[3].height) for a in (first, second)] == [
        (memory, 2, 8, 5), (memory + 4, 1, 8, 5),
    ]  # fmt: skip
    assert second[2] == 1
    executable = device.mgpuGraphInstantiate(graph)
    device.mgpuGraphExecMemsetSetParams(executable, fill, memory + 256, 0x300000004, 8, 5)
    changed = [a[2] for n, a in fake.recorder.calls if n == "cuGraphExecMemsetNodeSetParams"]
    assert [(p.target, p.value) for p in changed] == [(memory + 256, 4), (memory + 260, 3)]


def test_memory_of_a_graph(device, fake):
    graph = device.mgpuGraphCreate()
    address = ctypes.c_uint64(0)
    node = device.mgpuGraphAddAlloc(graph, 0, 0, 256, ctypes.addressof(address))
    params = dict(fake.recorder.calls)["cuGraphAddMemAllocNode"][3]
    assert params.size == 256
    assert fake.driver.ranges.at(address.value).size == 256
    last = nodes(node)
    device.mgpuGraphAddFree(graph, at(last), 1, address.value)
    with pytest.raises(DeviceError, match="none of its nodes allocated"):
        device.mgpuGraphAddFree(graph, 0, 0, 0x10)
    device.mgpuGraphInstantiate(graph)
    flags = real.CUgraphInstantiate_flags.CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH
    assert dict(fake.recorder.calls)["cuGraphInstantiateWithFlags"][1] == int(flags)


def test_close_destroys_graphs(device, fake):
    device.mgpuGraphInstantiate(device.mgpuGraphCreate())
    device.close()
    assert fake.leftovers() == {"CUcontext": 1}


def test_memory_in_the_order_of_a_stream(device, fake):
    stream = device.mgpuStreamCreate()
    address = device.mgpuMemAllocAsync(64, stream)
    device.mgpuMemFreeAsync(address, stream)
    assert fake.names()[-2:] == ["cuMemAllocFromPoolAsync", "cuMemFreeAsync"]
    assert device.session.counts["bytes"].alive == 0
    with pytest.raises(DeviceError, match="freed twice"):
        device.mgpuMemFreeAsync(address, stream)


def test_preloading_is_best_effort(device, fake, kernel):
    device.mgpuKernelPreload(kernel)
    assert fake.names()[-1] == "cuFuncLoad"
    fake.recorder.failures["cuFuncLoad"] = real.CUresult.CUDA_ERROR_NOT_SUPPORTED
    device.mgpuKernelPreload(kernel)
    fake.recorder.failures["cuFuncLoad"] = real.CUresult.CUDA_ERROR_OUT_OF_MEMORY
    with pytest.raises(DeviceError, match="kernel 'k': cuFuncLoad failed"):
        device.mgpuKernelPreload(kernel)


def test_annotation_names_the_place_of_the_next_operation(device, fake, memory):
    device.session.location = lambda: "elsewhere:1:1"
    place = ctypes.create_string_buffer(b"a.mlir:7:3")
    device.callback(FUNCTIONS["mgpuAnnotate"])(ctypes.addressof(place))
    device.callback(FUNCTIONS["mgpuMemcpy"])(memory, memory + 8, 3, 0)
    fake.recorder.failures["cuMemcpyAsync"] = real.CUresult.CUDA_ERROR_INVALID_VALUE
    device.callback(FUNCTIONS["mgpuAnnotate"])(ctypes.addressof(place))
    device.callback(FUNCTIONS["mgpuMemcpy"])(1, 2, 3, 0)
    assert str(device.session.error).startswith("a.mlir:7:3: error: gpu.memcpy of 3 bytes")
