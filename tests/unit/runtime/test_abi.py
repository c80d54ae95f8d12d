# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of runtime functions against MLIR's names, and both devices against the table."""

from __future__ import annotations

import inspect
import re

import pytest
from reference import llvm_library

from xgpu.core.support.abi import FUNCTIONS, declaration
from xgpu.host_device.device.device import HostDevice
from xgpu.runtime.cuda.device import CudaDevice


def test_there_are_mlirs_52_functions():
    assert sum(not f.extension for f in FUNCTIONS.values()) == 52


@pytest.mark.parity
def test_names_are_those_that_mlir_emits():
    library = llvm_library("libMLIR")
    if library is None:
        pytest.skip("needs libMLIR of MLIR 22 (Debian: libmlir-22)")
    names = {n.decode() for n in re.findall(rb"mgpu[A-Z]\w+", library.read_bytes())}
    assert names == {f.name for f in FUNCTIONS.values() if not f.extension}


@pytest.mark.parametrize("device", [HostDevice, CudaDevice])
def test_devices_take_the_parameters_of_the_table(device):
    for function in FUNCTIONS.values():
        method = getattr(device, function.name, None)
        if method is not None:
            parameters = list(inspect.signature(method).parameters)[1:]
            assert len(parameters) == len(function.parameters), function.name
    extra = {n for n in dir(device) if n.startswith("mgpu")} - FUNCTIONS.keys()
    assert not extra


def test_declaration():
    assert declaration("mgpuMemAlloc") == "declare ptr @mgpuMemAlloc(i64, ptr, i8)"


@pytest.mark.parametrize(
    "expected",
    [
        "ptr @mgpuModuleLoad(ptr, i64)",
        "ptr @mgpuModuleLoadJIT(ptr, i32)",
        "void @mgpuModuleUnload(ptr)",
        "ptr @mgpuModuleGetFunction(ptr, ptr)",
        "void @mgpuLaunchKernel(ptr, i64, i64, i64, i64, i64, i64, i32, ptr, ptr, ptr, i64)",
        "void @mgpuLaunchClusterKernel"
        "(ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i32, ptr, ptr, ptr)",
        "ptr @mgpuStreamCreate()",
        "void @mgpuStreamDestroy(ptr)",
        "void @mgpuStreamSynchronize(ptr)",
        "void @mgpuStreamWaitEvent(ptr, ptr)",
        "ptr @mgpuEventCreate()",
        "void @mgpuEventDestroy(ptr)",
        "void @mgpuEventSynchronize(ptr)",
        "void @mgpuEventRecord(ptr, ptr)",
        "ptr @mgpuMemAlloc(i64, ptr, i8)",
        "void @mgpuMemFree(ptr, ptr)",
        "void @mgpuMemcpy(ptr, ptr, i64, ptr)",
        "void @mgpuMemset32(ptr, i32, i64, ptr)",
        "void @mgpuMemset16(ptr, i16, i64, ptr)",
        "void @mgpuMemHostRegisterMemRef(i64, ptr, i64)",
        "void @mgpuMemHostUnregisterMemRef(i64, ptr, i64)",
        "void @mgpuSetDefaultDevice(i32)",
    ],
)
def test_parameters_are_those_of_mlirs_functions(expected):
    name = expected.partition("@")[2].partition("(")[0]
    assert declaration(name) == f"declare {expected}"
