# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The front on a GPU, over the CUDA driver of xgpu."""

from __future__ import annotations

import ctypes
import gc
import time
import weakref

import numpy as np
import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

import xgpu
from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.cuda.launches import CLUSTER_DIMENSION, LaunchAttribute, LaunchConfig

ADD = """
gpu.module @kernels {
  gpu.func @add(%a: memref<?xf32>, %s: f32, %n: i32) kernel { gpu.return }
}
"""


ADDRESS = 0x5000  # no kernel here reads or writes


class OnDevice:
    """An array of another library on that GPU."""

    def __init__(self, stream=None):
        self.__dict__["interface"] = stream

    @property
    def __cuda_array_interface__(self):
        return {
            "version": 3, "shape": (8,), "typestr": "<f4", "data": (ADDRESS, False),
            "strides": None, "stream": self.__dict__["interface"],
        }  # fmt: skip


@pytest.fixture
def here(monkeypatch):
    from xgpu.api import views

    monkeypatch.setattr(views, "_cuda_device", lambda address: "cuda:1")


def words(pointers, count):
    at = (ctypes.c_uint64 * count).from_address(pointers)
    return [ctypes.c_uint64.from_address(a).value for a in at]


@pytest.fixture
def launched(driver):
    """The words of the first seven arguments of each launch, as the driver sees them."""
    seen = []
    driver.recorder.observers["cuLaunchKernelEx"] = lambda config, kernel, parameters, extra: (
        seen.append(words(parameters, 7))
    )
    return seen


def cluster_of(config):
    """The size of the clusters that a launch asks for."""
    given = (LaunchAttribute * config.count).from_address(config.attributes or 1)
    return next((list(a.value[:3]) for a in given if a.id == CLUSTER_DIMENSION), [1, 1, 1])


@pytest.fixture
def clusters(driver):
    """The size of the clusters of each launch."""
    seen = []
    driver.recorder.observers["cuLaunchKernelEx"] = lambda config, kernel, parameters, extra: (
        seen.append(cluster_of(LaunchConfig.from_address(config)))
    )
    return seen


def test_a_launch_is_one_call_of_the_driver(cuda, driver, here, launched):
    kernel = xgpu.load(ADD, "cuda:1", chip="sm_90").kernels["add"]
    launch = kernel[(2, 3), 32]
    array = xgpu.empty(8, "float32", "cuda:1")
    other = xgpu.empty(8, "float32", "cuda:1")
    launch(array, 1.5, -2)
    first = driver.launches[0]
    with cuda.device.entered():
        cuda._driver.call("cuCtxSetCurrent", driver.context(1))
        driver.recorder.calls.clear()
        launch(array, 1.5, -2)
        launch(other, 1.5, -3)
        assert [n for n, _ in driver.recorder.calls] == ["cuLaunchKernelEx"] * 2
    launch(OnDevice(), 1.5, 7)
    assert launched[0] == launched[1]
    assert launched[1][:5] == [array.address, array.address, 0, 8, 1]
    assert launched[1][5] == 0x3FC00000
    assert launched[1][6] & 0xFFFFFFFF == 0xFFFFFFFE
    assert launched[2][:5] == [other.address, other.address, 0, 8, 1]
    assert launched[2][6] & 0xFFFFFFFF == 0xFFFFFFFD
    assert launched[3][:2] == [ADDRESS, ADDRESS]
    assert first[1:] == ([2, 3, 1], [32, 1, 1], 0, cuda.default_stream)


def test_launches_in_one_call_with_clusters(cuda, driver, launched):
    kernel = xgpu.load(ADD, "cuda:1", chip="sm_90").kernels["add"]
    array = xgpu.empty(8, "float32", "cuda:1")
    launch = kernel.launch(grid=(4, 2), block=(32, 2), cluster=(2, 2), shared=64)
    launch(array, 1.5, 1)
    sizes = ([4, 2, 1], [32, 2, 1], 64, cuda.default_stream)
    assert [made[1:] for made in driver.launches] == [sizes]
    with cuda.device.entered():
        cuda._driver.call("cuCtxSetCurrent", driver.context(1))
        driver.recorder.calls.clear()
        launch(array, 2.5, 1)
    assert driver.names() == ["cuLaunchKernelEx"]
    assert [made[1:] for made in driver.launches] == [sizes]
    assert [w[5] for w in launched] == [0x3FC00000, 0x40200000]


def test_a_launch_with_the_same_arguments_keeps_nothing_alive(cuda, driver):
    kernel = xgpu.load(ADD, "cuda:1", chip="sm_90").kernels["add"]
    launch = kernel[1, 32]
    array = xgpu.empty(8, "float32", "cuda:1")
    launch(array, 1.5, 1)
    gone = weakref.ref(array)
    del array
    assert gone() is None


def test_arguments_of_other_types_are_looked_at_again(cuda, driver):
    kernel = xgpu.load(ADD, "cuda:1", chip="sm_90").kernels["add"]
    launch = kernel[1, 32]
    array = xgpu.empty(8, "float32", "cuda:1")
    launch(array, 1.0, 1)
    with pytest.raises(TypeError, match=r"argument 'n' .*: expected an integer, but 1.0"):
        launch(array, 1.0, 1.0)
    launch(array, 1.0, 1)
    with pytest.raises(TypeError, match="takes 3 arguments"):
        launch(array, 1.0)
    with pytest.raises(TypeError, match="takes 3 arguments"):
        launch(array, 1.0, 1, 1)


def test_memory_of_the_host_is_refused(cuda):
    kernel = xgpu.load(ADD, "cuda:1", chip="sm_90").kernels["add"]
    with pytest.raises(ValueError, match="lies in the host's memory, and what gets it runs on"):
        kernel[1, 1](np.zeros(8, np.float32), 1, 1)


def test_clusters_and_streams(cuda, driver, here, clusters):
    kernel = xgpu.load(ADD, "cuda:1", chip="sm_90").kernels["add"]
    stream = xgpu.Stream("cuda:1")
    assert stream.__cuda_stream__() == (0, stream._handle)
    foreign = stream_of_others(cuda, driver)
    kernel.launch(grid=4, block=32, cluster=2, stream=stream)(OnDevice(), 1, 1)
    kernel[4, 32, ForeignStream((0, foreign))](OnDevice(), 1, 1)
    assert clusters == [[2, 1, 1], [1, 1, 1]]
    assert [made[4] for made in driver.launches] == [stream._handle, foreign]


def stream_of_others(cuda, driver):
    """A stream that another library has made on that GPU."""
    _, before = driver.cuCtxGetCurrent()
    with cuda.device.entered():
        driver.cuCtxSetCurrent(cuda.device.context)
        _, made = driver.cuStreamCreate(1)
        driver.cuCtxSetCurrent(before)
    return made


def test_a_launch_waits_for_the_stream_of_the_array(cuda, driver, here):
    kernel = xgpu.load(ADD, "cuda:1", chip="sm_90").kernels["add"]
    stream = xgpu.Stream("cuda:1")
    foreign = stream_of_others(cuda, driver)
    driver.recorder.calls.clear()
    kernel[1, 32, stream](OnDevice(stream=foreign), 1, 1)
    names = [n for n in driver.names() if n != "cuDeviceGetAttribute"]
    record = names.index("cuEventRecord")
    assert names[record : record + 2] == ["cuEventRecord", "cuStreamWaitEvent"]
    assert names.index("cuLaunchKernelEx") > record
    recorded = next(a for n, a in driver.recorder.calls if n == "cuEventRecord")
    assert recorded[1] == foreign


def test_copies_and_memory(cuda, driver):
    source = np.arange(4, dtype=np.float32)
    array = xgpu.asarray(source, "cuda:1")
    copies = [a for n, a in driver.recorder.calls if n == "cuMemcpyAsync"]
    assert copies == [(array.address, source.ctypes.data, 16, cuda.default_stream)]
    out = array.numpy()
    copies = [a for n, a in driver.recorder.calls if n == "cuMemcpyAsync"]
    assert copies[1] == (out.ctypes.data, array.address, 16, cuda.default_stream)
    assert array.__cuda_array_interface__["data"] == (array.address, False)
    assert array.__dlpack_device__() == (2, 1)
    with pytest.raises(TypeError, match="the elements lie on a GPU"):
        np.asarray(array)
    address = array.address
    del array
    gc.collect()
    xgpu.Stream("cuda:1")
    assert address not in driver.alive("memory")


def test_timed_events(cuda, driver):
    stream = xgpu.Stream("cuda:1")
    begin = time.perf_counter()
    first, second = stream.record(), stream.record()
    milliseconds = first.elapsed(second)
    assert 0 <= milliseconds <= (time.perf_counter() - begin) * 1e3
    assert next(a for n, a in driver.recorder.calls if n == "cuEventCreate") == (0,)
    del first, second
    kept = stream.record()  # what nobody uses any more goes back with the next one
    assert len(driver.alive("CUevent")) == 1
    del kept


def test_which_gpus_there_are(driver):
    from xgpu.api.devices.cuda import CudaBackend
    from xgpu.runtime.cuda.driver import Driver

    with pytest.raises(DeviceError, match="no device cuda:2: there are 2 GPUs"):
        CudaBackend(2, Driver(driver))


FUNCTION = """
module attributes {gpu.container_module} {
  gpu.module @kernels { gpu.func @k() kernel { gpu.return } }
  func.func @f() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}
"""


def test_a_module_ends_with_the_last_reference(cuda, driver):
    module = xgpu.load(FUNCTION, "cuda:1", chip="sm_90")
    function = module.functions["f"]
    function()
    module.kernels["k"][1, 1]()
    assert len(driver.alive("CUmodule")) == 2
    del module
    function()
    assert len(driver.alive("CUmodule")) == 2  # the function needs its program
    del function
    gc.collect()
    xgpu.empty(1, "float32", "cuda:1")
    assert driver.alive("CUmodule") == []


TWO_STREAMS = """
module attributes {gpu.container_module} {
  gpu.module @m { gpu.func @k(%a: memref<?xf32>) kernel { gpu.return } }
  func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %t0 = gpu.launch_func async @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?xf32>)
    %t1 = gpu.launch_func async @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%b : memref<?xf32>)
    %t2 = gpu.launch_func async [%t0, %t1] @m::@k blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%a : memref<?xf32>)
    gpu.wait [%t2]
    return
  }
}
"""


def test_a_function_called_again_makes_no_streams(cuda, driver):
    before = len(driver.alive("CUstream")), len(driver.alive("CUevent"))
    module = xgpu.load(TWO_STREAMS, "cuda:1", chip="sm_90")
    arrays = [xgpu.zeros(8, "float32", "cuda:1") for _ in range(2)]
    module.functions["f"](*arrays)
    driver.recorder.calls.clear()
    module.functions["f"](*arrays)
    assert driver.names().count("cuLaunchKernelEx") == 3
    assert not {"cuStreamCreate", "cuStreamDestroy", "cuEventCreate"} & set(driver.names())
    module.close()
    assert (len(driver.alive("CUstream")), len(driver.alive("CUevent"))) == before


class ForeignStream:
    def __init__(self, given):
        self._given = given

    def __cuda_stream__(self):
        return self._given


@pytest.mark.parametrize("handle", [0, 1])
def test_the_default_stream_of_others_is_cudas(cuda, driver, handle):
    """It is not ours, which waits for nothing that others have given the device."""
    add = xgpu.load(ADD, "cuda:1", chip="sm_90").kernels["add"]
    a = xgpu.empty(8, "float32", "cuda:1")
    launch = add[1, 4, ForeignStream((0, handle))]
    for _ in range(3):
        launch(a, 1.0, 1)
    assert [made[4] for made in driver.launches] == [1, 1, 1]


@pytest.mark.parametrize(
    "given", [None, 5, (0,), (0, "x"), (0, -1), (0, 2**64), (0, 1.5), (0, None), (0, 1, 2)]
)
def test_what_gives_no_stream(cuda, given):
    add = xgpu.load(ADD, "cuda:1", chip="sm_90").kernels["add"]
    with pytest.raises(TypeError, match=r"__cuda_stream__ gave .*, expected 0 and a handle"):
        _ = add[1, 4, ForeignStream(given)]


def test_an_argument_that_closes_the_module(cuda, driver):
    module = xgpu.load(ADD, "cuda:1", chip="sm_90")
    a = xgpu.empty(8, "float32", "cuda:1")

    class Closing:
        def __float__(self):
            module.close()
            return 1.0

    launch = module.kernels["add"][1, 4]
    launch(a, 1.0, 1)
    with pytest.raises(ValueError, match="the module is closed"):
        launch(a, Closing(), 1)


def test_events_of_two_devices(cuda):
    with pytest.raises(ValueError, match="the events belong to host and cuda:1"):
        xgpu.Stream("host").record().elapsed(xgpu.Stream("cuda:1").record())


@pytest.mark.parametrize(("version", "waits"), [(2, True), (3, False)])
def test_arrays_that_cannot_say_their_stream(cuda, driver, here, version, waits):
    """Before version 3 of the interface, as PyTorch has it: whoever writes them does it on the
    default stream."""
    add = xgpu.load(ADD, "cuda:1", chip="sm_90").kernels["add"]
    array = OnDevice()
    told = {**array.__cuda_array_interface__, "version": version}
    old = type("Old", (), {"__cuda_array_interface__": told})()
    driver.recorder.calls.clear()
    add[1, 4, xgpu.Stream("cuda:1")](old, 1.0, 1)
    recorded = [c[1][1] for c in driver.made() if c[0] == "cuEventRecord"]
    assert recorded == [1] * waits
    assert ("cuStreamWaitEvent" in driver.names()) == waits
