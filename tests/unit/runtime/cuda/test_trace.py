# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a trace shows of a GPU."""

from __future__ import annotations

import ctypes

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from tests.unit.runtime.cuda.conftest import PTX
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.session import Session


@pytest.fixture
def traced(fake):
    session = Session()
    session.start_trace()
    return CudaDevice(session, Driver(fake))


def test_operations_lie_in_the_lanes_of_their_streams(traced, fake):
    d = traced
    data = ctypes.create_string_buffer(PTX)
    name = ctypes.create_string_buffer(b"k")
    kernel = d.mgpuModuleGetFunction(
        d.mgpuModuleLoadJIT(ctypes.addressof(data), 2), ctypes.addressof(name)
    )
    first, second = d.mgpuStreamCreate(), d.mgpuStreamCreate()
    event = d.mgpuEventCreate()
    place = ctypes.create_string_buffer(b"a.mlir:7:3")
    d.mgpuAnnotate(ctypes.addressof(place))
    d.mgpuLaunchKernel(kernel, 2, 1, 1, 32, 1, 1, 0, first, 0, 0, 0)
    d.mgpuEventRecord(event, first)
    memory = d.mgpuMemAlloc(64, 0, 0)
    d.mgpuMemset32(memory, 1, 4, second)
    d.mgpuStreamWaitEvent(second, event)
    d.mgpuMemcpy(memory, memory + 32, 8, second)
    d.mgpuStreamSynchronize(second)
    d.mgpuStreamDestroy(second)
    d.close()
    bars = {e["name"]: e for e in d.session.events}
    assert (bars["k"]["tid"], bars["memset"]["tid"], bars["memcpy"]["tid"]) == (1, 2, 2)
    assert bars["k"]["args"]["location"] == "a.mlir:7:3"
    assert bars["k"]["args"]["grid"] == [2, 1, 1]
    assert bars["memset"]["args"]["after"] == []
    assert bars["memcpy"]["args"]["after"] == [bars["k"]["args"]["operation"]]
    assert bars["wait for stream 2"]["args"]["after"] == [bars["memcpy"]["args"]["operation"]]
    assert bars["k"]["dur"] >= 0
    assert bars["memset"]["ts"] <= bars["memcpy"]["ts"]
    made = [n for n, _ in fake.recorder.calls]
    assert made.count("cuEventCreate") == made.count("cuEventDestroy")


def test_times_of_many_operations_are_read_as_they_come(traced, fake, monkeypatch):
    monkeypatch.setattr("xgpu.runtime.cuda.trace._MOST_PENDING", 10)
    memory = traced.mgpuMemAlloc(64, 0, 0)
    for _ in range(25):
        traced.mgpuMemcpy(memory, memory + 32, 8, 0)
    assert len(traced.session.events) == 22
    assert len(fake.alive("CUevent")) == 1 + 2 * 3
    traced.close()
    assert len(traced.session.events) == 25


def test_without_a_trace_nothing_is_measured(device, fake):
    memory = device.mgpuMemAlloc(64, 0, 0)
    device.mgpuMemcpy(memory, memory + 32, 8, 0)
    assert "cuEventCreate" not in fake.names()
