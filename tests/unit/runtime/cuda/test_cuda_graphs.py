# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs, stream-ordered memory and preloading on the cuda device, over a driver that only keeps
books.
"""

from __future__ import annotations

import ctypes

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

from xgpu.ir.errors import DeviceError
from xgpu.support.abi import FUNCTIONS


@pytest.fixture
def kernel(device):
    data = ctypes.create_string_buffer(b".version 8.0\n.target sm_90\n")
    name = ctypes.create_string_buffer(b"k")
    module = device.mgpuModuleLoadJIT(ctypes.addressof(data), 2)
    return device.mgpuModuleGetFunction(module, ctypes.addressof(name))


def nodes(*handles):
    return (ctypes.c_void_p * max(len(handles), 1))(*handles)


def at(array):
    return ctypes.addressof(array)


def test_every_kind_of_node(device, fake, kernel):
    graph = device.mgpuGraphCreate()
    none = nodes()
    copy = device.mgpuGraphAddMemcpy(graph, at(none), 0, 0x100, 0x200, 64)
    fill = device.mgpuGraphAddMemset(graph, at(none), 0, 0x300, -1, 4, 16)
    both = nodes(copy, fill)
    launch = device.mgpuGraphAddKernel(
        graph, at(both), 2, kernel, 1, 2, 3, 4, 5, 6, 0, 0x77, 2
    )  # fmt: skip
    one = nodes(launch)
    host = device.mgpuGraphAddHost(graph, at(one), 1, 0x1234, 0x5678)
    last = nodes(host)
    device.mgpuGraphAddEmpty(graph, at(last), 1)
    added = {name: arguments for name, arguments in fake.calls if name.startswith("cuGraphAdd")}
    params = added["cuGraphAddMemcpyNode"][3]
    assert (int(params.srcDevice), int(params.dstDevice), params.WidthInBytes) == (0x200, 0x100, 64)
    assert params.dstMemoryType == real.CUmemorytype.CU_MEMORYTYPE_UNIFIED
    params = added["cuGraphAddMemsetNode"][3]
    assert (params.value, params.elementSize, params.width) == (0xFFFFFFFF, 4, 16)
    _, dependencies, count, params = added["cuGraphAddKernelNode"]
    assert [int(d) for d in dependencies] == [copy, fill]
    assert count == 2
    assert (params.gridDimZ, params.blockDimX, params.kernelParams) == (3, 4, 0x77)
    assert (int(added["cuGraphAddHostNode"][3].fn), added["cuGraphAddHostNode"][2]) == (0x1234, 1)
    assert [int(d) for d in added["cuGraphAddEmptyNode"][1]] == [host]


def test_instantiate_update_launch_destroy(device, fake, kernel):
    graph = device.mgpuGraphCreate()
    launch = device.mgpuGraphAddKernel(graph, 0, 0, kernel, 1, 1, 1, 32, 1, 1, 0, 0x77, 0)
    copy = device.mgpuGraphAddMemcpy(graph, 0, 0, 1, 2, 3)
    executable = device.mgpuGraphInstantiate(graph)
    stream = device.mgpuStreamCreate()
    device.mgpuGraphExecKernelSetParams(executable, launch, kernel, 9, 1, 1, 32, 1, 1, 0, 0x99, 0)
    device.mgpuGraphExecMemcpySetParams(executable, copy, 4, 5, 6)
    device.mgpuGraphLaunch(executable, stream)
    assert fake.names()[-3:] == [
        "cuGraphExecKernelNodeSetParams", "cuGraphExecMemcpyNodeSetParams", "cuGraphLaunch",
    ]  # fmt: skip
    changed = dict(fake.calls)["cuGraphExecKernelNodeSetParams"][2]
    assert (changed.gridDimX, changed.kernelParams) == (9, 0x99)
    with pytest.raises(DeviceError, match="a memcpy node of a graph cannot become a kernel node"):
        device.mgpuGraphExecKernelSetParams(executable, copy, kernel, *[1] * 6, 0, 0, 0)
    assert device.session.leaks() == {"streams": 1, "graphs": 2}
    device.mgpuGraphExecDestroy(executable)
    device.mgpuGraphDestroy(graph)
    assert not fake.alive["graph"]
    assert not fake.alive["executable"]
    with pytest.raises(DeviceError, match="not a live graph"):
        device.mgpuGraphDestroy(graph)


def test_fill_with_eight_bytes_is_two_nodes(device, fake):
    graph = device.mgpuGraphCreate()
    fill = device.mgpuGraphAddMemset(graph, 0, 0, 0x100, 0x100000002, 8, 5)
    first, second = (a for n, a in fake.calls if n == "cuGraphAddMemsetNode")
    assert [(int(a[3].dst), a[3].value, a[3].pitch, a[3].height) for a in (first, second)] == [
        (0x100, 2, 8, 5), (0x104, 1, 8, 5),
    ]  # fmt: skip
    assert len(second[1]) == 1
    executable = device.mgpuGraphInstantiate(graph)
    device.mgpuGraphExecMemsetSetParams(executable, fill, 0x200, 0x300000004, 8, 5)
    changed = [a[2] for n, a in fake.calls if n == "cuGraphExecMemsetNodeSetParams"]
    assert [(int(p.dst), p.value) for p in changed] == [(0x200, 4), (0x204, 3)]


def test_memory_of_a_graph(device, fake):
    graph = device.mgpuGraphCreate()
    address = ctypes.c_uint64(0)
    node = device.mgpuGraphAddAlloc(graph, 0, 0, 256, ctypes.addressof(address))
    params = dict(fake.calls)["cuGraphAddMemAllocNode"][3]
    assert (address.value, params.bytesize) == (int(params.dptr), 256)
    last = nodes(node)
    device.mgpuGraphAddFree(graph, at(last), 1, address.value)
    with pytest.raises(DeviceError, match="none of its nodes allocated"):
        device.mgpuGraphAddFree(graph, 0, 0, 0x10)
    device.mgpuGraphInstantiate(graph)
    flags = real.CUgraphInstantiate_flags.CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH
    assert dict(fake.calls)["cuGraphInstantiate"][1] == int(flags)


def test_close_destroys_graphs(device, fake):
    device.mgpuGraphInstantiate(device.mgpuGraphCreate())
    device.close()
    assert not any(fake.alive.values())


def test_memory_in_the_order_of_a_stream(device, fake):
    stream = device.mgpuStreamCreate()
    address = device.mgpuMemAllocAsync(64, stream)
    device.mgpuMemFreeAsync(address, stream)
    assert fake.names()[-2:] == ["cuMemAllocAsync", "cuMemFreeAsync"]
    managed = device.mgpuMemAlloc(64, 0, 1)
    device.mgpuMemFreeAsync(managed, stream)
    assert fake.names()[-2:] == ["cuStreamSynchronize", "cuMemFree"]
    assert device.session.counts["bytes"].alive == 0
    with pytest.raises(DeviceError, match="freed twice"):
        device.mgpuMemFreeAsync(address, stream)


def test_preloading_is_best_effort(device, fake, kernel):
    device.mgpuKernelPreload(kernel)
    assert fake.names()[-1] == "cuFuncLoad"
    fake.failures["cuFuncLoad"] = real.CUresult.CUDA_ERROR_NOT_SUPPORTED
    device.mgpuKernelPreload(kernel)
    fake.failures["cuFuncLoad"] = real.CUresult.CUDA_ERROR_OUT_OF_MEMORY
    with pytest.raises(DeviceError, match="kernel 'k': cuFuncLoad failed"):
        device.mgpuKernelPreload(kernel)


def test_annotation_names_the_place_of_the_next_operation(device, fake):
    device.session.place = lambda: "elsewhere:1:1"
    place = ctypes.create_string_buffer(b"a.mlir:7:3")
    device.callback(FUNCTIONS["mgpuAnnotate"])(ctypes.addressof(place))
    device.callback(FUNCTIONS["mgpuMemcpy"])(1, 2, 3, 0)
    fake.failures["cuMemcpyAsync"] = real.CUresult.CUDA_ERROR_INVALID_VALUE
    device.callback(FUNCTIONS["mgpuAnnotate"])(ctypes.addressof(place))
    device.callback(FUNCTIONS["mgpuMemcpy"])(1, 2, 3, 0)
    assert str(device.session.error).startswith("a.mlir:7:3: error: gpu.memcpy of 3 bytes")
