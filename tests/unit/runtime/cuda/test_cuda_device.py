# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cuda device over a driver that only keeps books."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

from xgpu.ir.errors import DeviceError
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver, is_available
from xgpu.runtime.session import Session
from xgpu.support.abi import FUNCTIONS

PTX = b".version 8.0\n.target sm_90\n"


def load(device):
    data = ctypes.create_string_buffer(PTX)
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
    kernel = function(device, load(device))
    stream = device.mgpuStreamCreate()
    device.mgpuLaunchKernel(kernel, 1, 2, 3, 4, 5, 6, 0, stream, 0x77, 0, 1)
    assert fake.calls[-1] == ("cuLaunchKernel", (kernel, 1, 2, 3, 4, 5, 6, 0, stream, 0x77, 0))
    assert "cuFuncSetAttribute" not in fake.names()
    device.mgpuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 100_000, stream, 0x77, 0, 1)
    assert fake.names()[-2:] == ["cuFuncSetAttribute", "cuLaunchKernel"]


def test_cluster_launch(device, fake):
    kernel = function(device, load(device))
    device.mgpuLaunchClusterKernel(kernel, 2, 1, 1, 4, 1, 1, 32, 1, 1, 0, 0, 0x77, 0)
    name, (config, launched, parameters, extra) = fake.calls[-1]
    assert (name, launched, parameters, extra) == ("cuLaunchKernelEx", kernel, 0x77, 0)
    assert (config.gridDimX, config.blockDimX, config.numAttrs) == (4, 32, 2)
    assert config.attrs[0].value.clusterDim.x == 2


def test_impossible_block_is_refused_before_the_driver_sees_it(device, fake):
    kernel = function(device, load(device))
    with pytest.raises(DeviceError, match="kernel 'k': invalid configuration: block of 2048 x 1"):
        device.mgpuLaunchKernel(kernel, 1, 1, 1, 2048, 1, 1, 0, 0, 0, 0, 0)
    with pytest.raises(DeviceError, match="300000 bytes of dynamic workgroup memory, the limit is"):
        device.mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 300_000, 0, 0, 0, 0)
    assert "cuLaunchKernel" not in fake.names()


def test_memory_is_stream_ordered_or_managed(device, fake):
    stream = device.mgpuStreamCreate()
    ordered = device.mgpuMemAlloc(16, stream, 0)
    managed = device.mgpuMemAlloc(16, 0, 1)
    plain = device.mgpuMemAlloc(16, 0, 0)
    for address in (ordered, managed, plain):
        device.mgpuMemFree(address, stream)
    assert fake.names()[-6:] == [
        "cuMemAllocAsync", "cuMemAllocManaged", "cuMemAlloc",
        "cuMemFreeAsync", "cuMemFree", "cuMemFreeAsync",
    ]  # fmt: skip
    assert device.mgpuMemAlloc(0, stream, 0) == 0
    assert device.session.leaks() == {"streams": 1}


def test_copies_and_fills(device, fake):
    device.mgpuMemcpy(0x10, 0x20, 8, 0)
    device.mgpuMemset32(0x10, -1, 4, 0)
    device.mgpuMemset16(0x10, -1, 4, 0)
    device.mgpuMemset64(0x10, 0x100000002, 3, 0)
    calls = [c for c in fake.calls if c[0].startswith("cuMem")]
    assert calls == [
        ("cuMemcpyAsync", (0x10, 0x20, 8, 0)),
        ("cuMemsetD32Async", (0x10, 0xFFFFFFFF, 4, 0)),
        ("cuMemsetD16Async", (0x10, 0xFFFF, 4, 0)),
        ("cuMemsetD2D32Async", (0x10, 8, 2, 1, 3, 0)),
        ("cuMemsetD2D32Async", (0x14, 8, 1, 1, 3, 0)),
    ]


def test_jit_log_is_in_the_error(device, fake):
    fake.failures["cuModuleLoadDataEx"] = real.CUresult.CUDA_ERROR_INVALID_PTX
    fake.log = b"ptxas application ptx input, line 3; fatal: Parsing error\0"
    with pytest.raises(DeviceError) as caught:
        load(device)
    assert str(caught.value) == (
        "loading a kernel module: cuModuleLoadDataEx failed with CUDA_ERROR_INVALID_PTX "
        "(words of the driver): ptxas application ptx input, line 3; fatal: Parsing error"
    )


def test_code_for_the_host_is_refused(device):
    data = ctypes.create_string_buffer(b"BC\xc0\xde....")
    with pytest.raises(DeviceError, match=r"compiled for the host device.*--device=host"):
        device.mgpuModuleLoad(ctypes.addressof(data), 8)


def test_host_register_takes_the_memrefs_range(device, fake):
    array = np.zeros((4, 8), np.float32)
    words = (ctypes.c_int64 * 7)(array.ctypes.data, array.ctypes.data, 0, 4, 8, 8, 1)
    device.mgpuMemHostRegisterMemRef(2, ctypes.addressof(words), 4)
    assert fake.calls[-1] == ("cuMemHostRegister", (array.ctypes.data, 128, 0))
    words[5] = 16
    with pytest.raises(DeviceError, match="gaps between its elements"):
        device.mgpuMemHostRegisterMemRef(2, ctypes.addressof(words), 4)


def test_first_error_is_latched_with_place_and_words(device, fake):
    device.session.place = lambda: "a.mlir:7:3"
    fake.failures["cuMemAlloc"] = real.CUresult.CUDA_ERROR_OUT_OF_MEMORY
    assert not device.callback(FUNCTIONS["mgpuMemAlloc"])(100, 0, 0)
    assert not device.callback(FUNCTIONS["mgpuStreamCreate"])()
    assert str(device.session.error) == (
        "a.mlir:7:3: error: gpu.alloc of 100 bytes: cuMemAlloc failed with "
        "CUDA_ERROR_OUT_OF_MEMORY (words of the driver)"
    )
    assert "cuStreamCreate" not in fake.names()


def test_after_a_sticky_error_nothing_is_released(device, fake):
    stream = device.mgpuStreamCreate()
    fake.failures["cuStreamSynchronize"] = real.CUresult.CUDA_ERROR_ILLEGAL_ADDRESS
    with pytest.raises(DeviceError, match="CUDA_ERROR_ILLEGAL_ADDRESS"):
        device.mgpuStreamSynchronize(stream)
    before = len(fake.calls)
    device.close()
    assert [n for n, _ in fake.calls[before:]] == ["cuDevicePrimaryCtxRelease"]


def test_close_releases_what_leaked(device, fake):
    load(device)
    device.mgpuStreamCreate()
    device.mgpuEventCreate()
    device.mgpuMemAlloc(8, 0, 1)
    device.close()
    assert not any(fake.alive.values())
    assert device.session.leaks() == {"streams": 1, "events": 1, "bytes": 8}


def test_double_destruction_is_an_error(device):
    stream = device.mgpuStreamCreate()
    device.mgpuStreamDestroy(stream)
    with pytest.raises(DeviceError, match="not a live stream"):
        device.mgpuStreamDestroy(stream)


def test_default_device(device):
    device.mgpuSetDefaultDevice(1)
    with pytest.raises(DeviceError, match="no device 5: there are 2"):
        device.mgpuSetDefaultDevice(5)
    device.mgpuStreamCreate()
    with pytest.raises(DeviceError, match="cannot change to device 0: device 1 is in use"):
        device.mgpuSetDefaultDevice(0)


def test_no_gpu_names_the_remedy():
    if is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(DeviceError, match="--device=host"):
        CudaDevice(Session())


def test_tensor_map_arguments(device, fake):
    """Dimensions innermost first, strides in bytes without the innermost."""
    from xgpu.runtime.cuda.tensor_map import encode_tiled

    array = np.zeros((64, 128), np.float16)
    words = (ctypes.c_int64 * 7)(array.ctypes.data, array.ctypes.data, 0, 64, 128, 128, 1)
    box = (ctypes.c_int64 * 2)(64, 32)
    seen = {}

    class Encoded:
        def getPtr(self):
            return ctypes.addressof(words)

    class Recorder(Driver):
        def call(self, name, *arguments, doing=""):
            seen[name] = arguments
            return Encoded()

    image = ctypes.create_string_buffer(128)
    Encoded.getPtr = lambda self: ctypes.addressof(image)
    encode_tiled(Recorder(real), 2, ctypes.addressof(words), 6, 0, 3, 0, 0, ctypes.addressof(box))
    a = seen["cuTensorMapEncodeTiled"]
    assert [int(n) for n in a[3]] == [128, 64]
    assert [int(n) for n in a[4]] == [256]
    assert [int(n) for n in a[5]] == [32, 64]
    assert a[7] == real.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE
    assert a[8] == real.CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_128B
