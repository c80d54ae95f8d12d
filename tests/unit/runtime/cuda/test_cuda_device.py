# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cuda device over the CUDA driver of xgpu."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

from tests.unit.runtime.cuda.conftest import PTX
from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.abi import FUNCTIONS
from xgpu.host_device.abi.structs import ctypes_struct
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver, is_available
from xgpu.runtime.session import Session


def load(device, image=PTX):
    data = ctypes.create_string_buffer(image)
    return device.mgpuModuleLoadJIT(ctypes.addressof(data), 2)


def function(device, module, name=b"k"):
    text = ctypes.create_string_buffer(name)
    return device.mgpuModuleGetFunction(module, ctypes.addressof(text))


def test_chip_follows_the_device(device):
    assert device.chip == "sm_90a"


def test_functions_are_resolved_once(device, fake):
    module = load(device)
    assert function(device, module) == function(device, module)
    assert fake.names().count("cuModuleGetFunction") == 1
    assert function(device, module, b"other") != function(device, module)


def test_launch(device, fake):
    """All the shared memory that there is has been asked for with the function."""
    kernel = function(device, load(device))
    attribute = dict(fake.made())["cuFuncSetAttribute"]
    assert attribute[2] == 232448
    stream = device.mgpuStreamCreate()
    device.mgpuLaunchKernel(kernel, 1, 2, 3, 4, 5, 6, 0, stream, 0x77, 0, 1)
    assert fake.launches[-1] == (kernel, [1, 2, 3], [4, 5, 6], 0, stream)
    assert fake.made()[-1] == ("cuLaunchKernelEx", (fake.made()[-1][1][0], kernel, 0x77, 0))
    before = len(fake.made())
    device.mgpuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 100_000, stream, 0x77, 0, 1)
    assert [n for n, _ in fake.made()[before:]] == ["cuLaunchKernelEx"]


def test_cluster_launch(fake):
    device = CudaDevice(Session(), Driver(fake))
    kernel = function(device, load(device))
    device.mgpuLaunchClusterKernel(kernel, 2, 1, 1, 4, 1, 1, 32, 1, 1, 0, 0, 0x77, 0)
    name, (_, launched, parameters, extra) = fake.made()[-1]
    assert (name, launched, parameters, extra) == ("cuLaunchKernelEx", kernel, 0x77, 0)
    assert fake.launches == [(kernel, [4, 1, 1], [32, 1, 1], 0, 0)]


def test_a_device_without_clusters(make_driver):
    fake = make_driver("sm_80")
    device = CudaDevice(Session(), Driver(fake))
    kernel = function(device, load(device, PTX.replace(b"sm_90", b"sm_80")))
    with pytest.raises(DeviceError, match="cluster of 2 blocks, the limit is 1"):
        device.mgpuLaunchClusterKernel(kernel, 2, 1, 1, 4, 1, 1, 32, 1, 1, 0, 0, 0x77, 0)


def test_impossible_block_is_refused_before_the_driver_sees_it(fake):
    device = CudaDevice(Session(), Driver(fake))
    kernel = function(device, load(device))
    with pytest.raises(DeviceError, match="kernel 'k': invalid configuration: block of 2048 x 1"):
        device.mgpuLaunchKernel(kernel, 1, 1, 1, 2048, 1, 1, 0, 0, 0, 0, 0)
    with pytest.raises(
        DeviceError, match=r"300000 bytes of workgroup memory \(0 static, 300000 dyn"
    ):
        device.mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 300_000, 0, 0, 0, 0)
    assert "cuLaunchKernelEx" not in fake.names()


def test_memory_is_stream_ordered_or_managed(device, fake):
    stream = device.mgpuStreamCreate()
    ordered = device.mgpuMemAlloc(16, stream, 0)
    managed = device.mgpuMemAlloc(16, 0, 1)
    plain = device.mgpuMemAlloc(16, 0, 0)
    for address in (ordered, managed, plain):
        device.mgpuMemFree(address, stream)
    assert fake.names()[-6:] == [
        "cuMemAllocFromPoolAsync", "cuMemAllocManaged", "cuMemAlloc",
        "cuMemFreeAsync", "cuMemFree", "cuMemFreeAsync",
    ]  # fmt: skip
    assert device.mgpuMemAlloc(0, stream, 0) == 0
    assert device.session.leaks() == {"streams": 1}


def test_a_driver_without_memory_pools(make_driver):
    fake = make_driver(MEMORY_POOLS_SUPPORTED=0)
    device = CudaDevice(Session(), Driver(fake))
    stream = device.mgpuStreamCreate()
    first, second = device.mgpuMemAlloc(16, stream, 0), device.mgpuMemAllocAsync(16, stream)
    device.mgpuMemFree(first, stream)
    device.mgpuMemFreeAsync(second, stream)
    assert fake.names()[-4:] == ["cuMemAlloc", "cuMemAlloc", "cuMemFree", "cuMemFree"]


def test_an_older_driver_has_no_pool_of_our_own(fake):
    fake.absent = {"cuMemPoolCreate"}
    device = CudaDevice(Session(), Driver(fake))
    device.mgpuMemFree(device.mgpuMemAlloc(16, device.mgpuStreamCreate(), 0), 0)
    assert fake.names()[-2:] == ["cuMemAllocAsync", "cuMemFree"]


def test_where_the_host_must_not_touch_managed_memory(make_driver):
    """On WSL, Windows and Jetson: memory of the host that the device sees."""
    fake = make_driver(CONCURRENT_MANAGED_ACCESS=0)
    device = CudaDevice(Session(), Driver(fake))
    shared = device.mgpuMemAlloc(16, 0, 1)
    assert fake.made()[-1] == ("cuMemHostAlloc", (16, 3))
    device.mgpuMemFree(shared, 0)
    assert fake.made()[-1] == ("cuMemFreeHost", (shared,))


def test_memory_that_the_host_sees_is_freed_when_its_stream_is_done(fake):
    """The driver would free it at once; to wait for the stream would stop the host."""
    device = CudaDevice(Session(), Driver(fake))
    stream = device.mgpuStreamCreate()
    first = device.mgpuMemAlloc(16, 0, 1)
    fake.recorder.failures["cuEventQuery"] = real.CUresult.CUDA_ERROR_NOT_READY
    device.mgpuMemFreeAsync(first, stream)
    assert device.session.counts["bytes"].alive == 0
    device.mgpuMemAlloc(16, 0, 1)
    assert "cuMemFree" not in fake.names()
    with pytest.raises(DeviceError, match="freed twice"):
        device.mgpuMemFreeAsync(first, stream)
    fake.recorder.failures.clear()
    device.mgpuMemAlloc(16, 0, 1)
    assert [n for n in fake.names() if "Free" in n] == ["cuMemFree"]
    device.close()
    assert fake.leftovers().keys() <= {"CUcontext", "CUmemoryPool"}


def test_copies_and_fills(device, fake):
    memory = device.mgpuMemAlloc(64, 0, 0)
    device.mgpuMemcpy(memory, memory + 32, 8, 0)
    device.mgpuMemset32(memory, -1, 4, 0)
    device.mgpuMemset16(memory, -1, 4, 0)
    device.mgpuMemset64(memory, 0x100000002, 3, 0)
    device.mgpuMemset64(memory, 0x700000007, 3, 0)
    assert fake.made()[-6:] == [
        ("cuMemcpyAsync", (memory, memory + 32, 8, 0)),
        ("cuMemsetD32Async", (memory, 0xFFFFFFFF, 4, 0)),
        ("cuMemsetD16Async", (memory, 0xFFFF, 4, 0)),
        ("cuMemsetD2D32Async", (memory, 8, 2, 1, 3, 0)),
        ("cuMemsetD2D32Async", (memory + 4, 8, 1, 1, 3, 0)),
        ("cuMemsetD32Async", (memory, 7, 6, 0)),
    ]


@pytest.mark.parametrize("count", [1, 4095, 4096, 4097, 10_000, 20_001])
def test_fills_of_many_eight_byte_values(device, count):
    memory = device.mgpuMemAlloc(8 * count + 8, 0, 0)
    device.mgpuMemset8(memory, 0x55, 8 * count + 8, 0)
    device.mgpuMemset64(memory, 0x0102030405060708, count, 0)
    device.mgpuStreamSynchronize(0)
    values = list((ctypes.c_uint64 * (count + 1)).from_address(memory))
    assert values == [0x0102030405060708] * count + [0x5555555555555555]


def test_negative_sizes(fake):
    device = CudaDevice(Session(), Driver(fake))
    with pytest.raises(DeviceError, match=r"gpu.memcpy of -4 bytes .*: the size is negative"):
        device.mgpuMemcpy(16, 32, -4, 0)
    with pytest.raises(DeviceError, match=r"gpu.memset of -16 bytes: the size is negative"):
        device.mgpuMemset32(16, 0, -4, 0)


def test_the_driver_is_too_old_for_the_kernels(device, fake):
    fake.recorder.failures["cuModuleLoadDataEx"] = real.CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION
    with pytest.raises(
        DeviceError, match=r"PTX 8.0, newer than what the driver reads, which is of"
    ):
        load(device)


def test_the_kernels_are_for_another_device(device, fake):
    fake.recorder.failures["cuModuleLoadDataEx"] = real.CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU
    with pytest.raises(DeviceError, match="the kernels are for sm_90, the device is sm_90"):
        load(device)


@pytest.mark.parametrize(
    ("capability", "chip"),
    [((7, 5), "sm_75"), ((9, 0), "sm_90a"), ((12, 1), "sm_121a"), ((13, 7), "sm_121")],
)
def test_chips(make_driver, capability, chip):
    """Code for a device that LLVM does not know is for the newest that it knows."""
    fake = make_driver(f"sm_{capability[0]}{capability[1]}")
    assert CudaDevice(Session(), Driver(fake)).chip == chip


def test_options_of_the_jit(device, fake):
    seen = []
    fake.recorder.observers["cuModuleLoadDataEx"] = lambda module, image, count, kinds, values: (
        seen.append(dict(zip(words(ctypes.c_uint32, kinds, count),
                             words(ctypes.c_uint64, values, count), strict=True)))
    )  # fmt: skip
    lines = PTX.replace(b"{ ret; }", b"{\n.loc\t1 2 3\nret;\n}") + b'.file 1 "a.cu"\n'
    data = ctypes.create_string_buffer(lines)
    device.mgpuModuleLoadJIT(ctypes.addressof(data), 0)
    jit = real.CUjit_option
    assert seen[0][jit.CU_JIT_OPTIMIZATION_LEVEL] == 0
    assert seen[0][jit.CU_JIT_GENERATE_LINE_INFO] == 1
    load(device)
    assert jit.CU_JIT_GENERATE_LINE_INFO not in seen[1]


def words(kind, address, count):
    return list((kind * count).from_address(address))


def test_nothing_is_unloaded_while_it_may_run(device, fake):
    device.mgpuModuleUnload(load(device))
    assert fake.names()[-2:] == ["cuCtxSynchronize", "cuModuleUnload"]


def test_the_same_memory_registered_twice(device, fake):
    memory = ctypes.create_string_buffer(64)
    at = ctypes.addressof(memory)
    device.mgpuMemHostRegister(at, 64)
    device.mgpuMemHostRegister(at, 32)
    device.mgpuMemHostUnregister(at)
    assert "cuMemHostUnregister" not in fake.names()
    device.mgpuMemHostUnregister(at)
    assert fake.names()[-2:] == ["cuMemHostRegister", "cuMemHostUnregister"]


def test_a_device_with_addresses_of_its_own_for_the_host(make_driver):
    fake = make_driver(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM=0)
    device = CudaDevice(Session(), Driver(fake))
    with pytest.raises(DeviceError, match="does not see memory of the host at the host's addr"):
        device.mgpuMemHostRegister(0x1000, 64)


def test_a_forked_process(device, monkeypatch):
    device.mgpuStreamCreate()
    monkeypatch.setattr("os.getpid", lambda: 1)
    with pytest.raises(DeviceError, match="this process was forked from one that had used"):
        device.mgpuStreamCreate()


def test_jit_log_is_in_the_error(device, capfd):
    with pytest.raises(DeviceError) as caught:
        load(device, PTX.replace(b"ret;", b"rot;"))
    assert str(caught.value).startswith(
        "loading a kernel module: cuModuleLoadDataEx failed with CUDA_ERROR_INVALID_PTX "
        "(a PTX JIT compilation failed): image-"
    )
    assert "ptx:4:23: error: " in str(caught.value)
    assert "rot" in str(caught.value)


def test_code_for_the_host_is_refused(device):
    data = ctypes.create_string_buffer(b"BC\xc0\xde....")
    with pytest.raises(DeviceError, match=r"compiled for the host device.*on the device 'host'"):
        device.mgpuModuleLoad(ctypes.addressof(data), 8)


def test_host_register_takes_the_memrefs_range(device, fake):
    array = np.zeros((4, 8), np.float32)
    words = (ctypes.c_int64 * 7)(array.ctypes.data, array.ctypes.data, 0, 4, 8, 8, 1)
    device.mgpuMemHostRegisterMemRef(2, ctypes.addressof(words), 4)
    assert fake.made()[-1] == ("cuMemHostRegister", (array.ctypes.data, 128, 0))
    words[5] = 16
    with pytest.raises(DeviceError, match="gaps between its elements"):
        device.mgpuMemHostRegisterMemRef(2, ctypes.addressof(words), 4)


def test_first_error_is_latched_with_place_and_words(device, fake):
    device.session.location = lambda: "a.mlir:7:3"
    fake.recorder.failures["cuMemAlloc"] = real.CUresult.CUDA_ERROR_OUT_OF_MEMORY
    assert not device.callback(FUNCTIONS["mgpuMemAlloc"])(100, 0, 0)
    assert not device.callback(FUNCTIONS["mgpuStreamCreate"])()
    assert str(device.session.error) == (
        "a.mlir:7:3: error: gpu.alloc of 100 bytes: cuMemAlloc failed with "
        "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
    )
    assert "cuStreamCreate" not in fake.names()


def test_after_a_sticky_error_nothing_is_released(device, fake):
    stream = device.mgpuStreamCreate()
    fake.recorder.failures["cuStreamSynchronize"] = real.CUresult.CUDA_ERROR_ILLEGAL_ADDRESS
    with pytest.raises(DeviceError, match="CUDA_ERROR_ILLEGAL_ADDRESS"):
        device.mgpuStreamSynchronize(stream)
    before = len(fake.recorder.calls)
    device.close()
    assert [n for n, _ in fake.recorder.calls[before:]] == ["cuDevicePrimaryCtxRelease"]
    assert fake.driver.devices[0].retained == 0


def test_close_releases_what_leaked(device, fake):
    load(device)
    device.mgpuStreamCreate()
    device.mgpuEventCreate()
    device.mgpuMemAlloc(8, 0, 1)
    device.close()
    assert fake.leftovers().keys() <= {"CUcontext", "CUmemoryPool"}
    assert device.session.leaks() == {"streams": 1, "events": 1, "bytes": 8}


def test_double_destruction_is_an_error(device):
    stream = device.mgpuStreamCreate()
    device.mgpuStreamDestroy(stream)
    with pytest.raises(DeviceError, match="not a live stream"):
        device.mgpuStreamDestroy(stream)


def test_default_device(device):
    with pytest.raises(DeviceError, match="no device 5: there are 2"):
        device.mgpuSetDefaultDevice(5)


def test_what_was_made_before_stays_on_its_device(fake):
    """Streams, events and kernels of two devices; the kernel's module is loaded on the second."""
    device = CudaDevice(Session(), Driver(fake))
    module = load(device)
    first = device.mgpuStreamCreate()
    kernel = function(device, module)
    device.mgpuSetDefaultDevice(1)
    second = device.mgpuStreamCreate()
    other = function(device, module)
    assert other != kernel
    for stream in (first, second):
        # Whichever handle the program has: the kernel runs on the stream's device.
        for each in (kernel, other):
            device.mgpuLaunchKernel(each, 1, 1, 1, 32, 1, 1, 0, stream, 0, 0, 0)
    event = device.mgpuEventCreate()
    device.mgpuEventRecord(event, first)  # an event of the second device cannot
    device.mgpuStreamWaitEvent(second, event)
    device.mgpuEventSynchronize(event)
    device.mgpuEventDestroy(event)
    memory = device.mgpuMemAlloc(64, first, 0)
    device.mgpuMemFree(memory, first)
    device.mgpuModuleUnload(module)
    device.close()
    assert fake.leftovers().keys() <= {"CUcontext", "CUmemoryPool"}
    assert "cuCtxEnablePeerAccess" in fake.names()


def test_no_gpu_names_the_remedy():
    if is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(DeviceError, match="the device 'host' is a simulated one"):
        CudaDevice(Session())


def test_tensor_map_arguments(device, fake):
    """Dimensions innermost first, strides in bytes without the innermost; the map is aligned."""
    storage = np.zeros(64 * 128 + 8, np.float16)
    base = -(-storage.ctypes.data // 16) * 16
    words = (ctypes.c_int64 * 7)(base, base, 0, 64, 128, 128, 1)
    box = (ctypes.c_int64 * 2)(64, 32)
    made = device.mgpuTensorMapEncodeTiledMemref(
        2, ctypes.addressof(words), 6, 0, 3, 0, 0, ctypes.addressof(box)
    )
    encoded = ctypes_struct("TensorMap").from_address(made)
    assert (encoded.base, encoded.rank, encoded.element_bytes) == (base, 2, 2)
    assert (list(encoded.sizes[:2]), encoded.strides[0]) == ([128, 64], 256)
    assert list(encoded.box[:2]) == [32, 64]
    assert fake.names()[-2:] == ["cuMemcpyHtoD", "cuStreamSynchronize"]


def test_a_tensor_map_that_the_driver_refuses(device, fake):
    words = (ctypes.c_int64 * 7)(0x1001, 0x1001, 0, 64, 128, 128, 1)
    box = (ctypes.c_int64 * 2)(64, 32)
    with pytest.raises(DeviceError, match="tensor map of a 64x128 memref: cuTensorMapEncodeTiled"):
        device.mgpuTensorMapEncodeTiledMemref(
            2, ctypes.addressof(words), 6, 0, 3, 0, 0, ctypes.addressof(box)
        )
    assert fake.violations == [("cuTensorMapEncodeTiled", "INVALID_VALUE")]
    fake.recorder.refusals.clear()
