# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs on the host device."""

from __future__ import annotations

import ctypes
import threading

import numpy as np
import pytest

from xgpu.core.ir.errors import DeviceError

SOURCE = """
define ptx_kernel void @add(ptr %a, ptr %b, ptr %out) {
  %x = load i32, ptr %a
  %y = load i32, ptr %b
  %sum = add i32 %x, %y
  store i32 %sum, ptr %out
  ret void
}
define ptx_kernel void @meet(ptr %count) {
  %old = atomicrmw add ptr %count, i32 1 seq_cst
  br label %loop
loop:
  %now = load atomic i32, ptr %count seq_cst, align 4
  %both = icmp sge i32 %now, 2
  br i1 %both, label %done, label %loop
done:
  ret void
}
define ptx_kernel void @fault(ptr %a) {
  store volatile i32 1, ptr inttoptr (i64 4096 to ptr)
  ret void
}
"""


class Params:
    """Pointers to arrays, as a launch takes them."""

    def __init__(self, *arrays):
        self.values = [ctypes.c_void_p(a.ctypes.data) for a in arrays]
        self.array = (ctypes.c_void_p * len(arrays))(*map(ctypes.addressof, self.values))
        self.address = ctypes.addressof(self.array)


class Builder:
    def __init__(self, k):
        self.device = k.device
        self.kernels = k
        self.graph = k.device.mgpuGraphCreate()

    def add(self, what, after, *arguments):
        nodes = (ctypes.c_void_p * max(len(after), 1))(*after)
        method = getattr(self.device, f"mgpuGraphAdd{what}")
        return method(self.graph, ctypes.addressof(nodes), len(after), *arguments)

    def kernel(self, name, after, *arrays):
        parameters = Params(*arrays)
        return self.add(
            "Kernel", after, self.kernels.function(name), 1, 1, 1, 1, 1, 1, 0,
            parameters.address, len(arrays), 8 * len(arrays),
        )  # fmt: skip


@pytest.fixture
def build(kernels):
    return Builder(kernels(SOURCE))


def numbers(*values):
    return np.array(values, np.int32)


def test_dependencies_are_respected_and_parameters_change(build):
    d = build.device
    a, b, c, out = numbers(0), numbers(0), numbers(0), numbers(0)
    fill_a = build.add("Memset", [], a.ctypes.data, 5, 4, 1)
    fill_b = build.add("Memset", [], b.ctypes.data, 7, 4, 1)
    both = build.add("Empty", [fill_a, fill_b])
    add = build.kernel("add", [both], a, b, c)
    copy = build.add("Memcpy", [add], out.ctypes.data, c.ctypes.data, 4)
    executable = d.mgpuGraphInstantiate(build.graph)
    stream = d.mgpuStreamCreate()
    d.mgpuGraphLaunch(executable, stream)
    d.mgpuStreamSynchronize(stream)
    assert out[0] == 12
    d.mgpuGraphExecMemsetSetParams(executable, fill_a, a.ctypes.data, 100, 4, 1)
    other = numbers(0)
    d.mgpuGraphExecMemcpySetParams(executable, copy, other.ctypes.data, c.ctypes.data, 4)
    swapped = Params(b, a, c)
    d.mgpuGraphExecKernelSetParams(
        executable, add, build.kernels.function("add"), 1, 1, 1, 1, 1, 1, 0,
        swapped.address, 3, 24,
    )  # fmt: skip
    for _ in range(3):
        d.mgpuGraphLaunch(executable, stream)
    d.mgpuStreamSynchronize(stream)
    assert (out[0], other[0]) == (12, 107)
    with pytest.raises(DeviceError, match="a memset node of a graph cannot become a memcpy node"):
        d.mgpuGraphExecMemcpySetParams(executable, fill_a, 1, 2, 3)
    d.mgpuGraphExecDestroy(executable)
    d.mgpuGraphDestroy(build.graph)
    assert d.session.leaks() == {"streams": 1}


def test_independent_nodes_run_together(build):
    """Neither ends before the other has started."""
    count = numbers(0)
    build.kernel("meet", [], count)
    build.kernel("meet", [], count)
    d = build.device
    d.mgpuGraphLaunch(d.mgpuGraphInstantiate(build.graph), 0)
    d.mgpuStreamSynchronize(0)
    assert count[0] == 2


def test_host_nodes(build):
    seen = []
    target = numbers(0)
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(
        lambda at: seen.append((ctypes.c_int32.from_address(at).value, threading.get_ident()))
    )
    fill = build.add("Memset", [], target.ctypes.data, 9, 4, 1)
    function = ctypes.cast(call, ctypes.c_void_p).value
    build.add("Host", [fill], function, target.ctypes.data)
    d = build.device
    d.mgpuGraphLaunch(d.mgpuGraphInstantiate(build.graph), 0)
    d.mgpuStreamSynchronize(0)
    assert [value for value, _ in seen] == [9]


def test_memory_of_a_graph_lives_until_the_last_holder_is_destroyed(build):
    d = build.device
    address = ctypes.c_uint64(0)
    out = numbers(0)
    node = build.add("Alloc", [], 4, ctypes.addressof(address))
    fill = build.add("Memset", [node], address.value, 3, 4, 1)
    copy = build.add("Memcpy", [fill], out.ctypes.data, address.value, 4)
    build.add("Free", [copy], address.value)
    executable = d.mgpuGraphInstantiate(build.graph)
    d.mgpuGraphDestroy(build.graph)
    d.mgpuGraphLaunch(executable, 0)
    with pytest.raises(DeviceError, match="or is a graph's to do"):
        d.mgpuMemFree(address.value, 0)
    d.mgpuGraphExecDestroy(executable)
    d.close()
    assert out[0] == 3
    assert d.session.leaks() == {}


def test_a_failing_node_names_its_place(build):
    d = build.device
    place = ctypes.create_string_buffer(b"g.mlir:3:5")
    d.mgpuAnnotate(ctypes.addressof(place))
    build.kernel("fault", [], numbers(0))
    from xgpu.host_device.native.signals import caught_faults

    with caught_faults():
        d.mgpuGraphLaunch(d.mgpuGraphInstantiate(build.graph), 0)
        d.mgpuStreamSynchronize(0)
    message = "g.mlir:3:5: error: kernel 'fault': illegal memory access"
    assert str(d.session.error).startswith(message)


def test_nodes_of_another_graph_are_refused(build):
    other = build.device.mgpuGraphCreate()
    node = build.device.mgpuGraphAddEmpty(other, 0, 0)
    with pytest.raises(DeviceError, match="belongs to another graph"):
        build.add("Empty", [node])
