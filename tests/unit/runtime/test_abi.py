# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of runtime functions against MLIR's names, and both devices against the table."""

from __future__ import annotations

import inspect
import re

import pytest
from reference import llvm_library

from xgpu.conversion.launch.mgpu_to_llvm import all_rules
from xgpu.core.ods.registry import op_spec, operation_names
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


#: The host device has no sparse matrices.
_SPARSE = re.compile(r"mgpu\w*(?:Coo|Cs[rc]|Bsr|SpMat|Dn(?:Vec|Mat)|Sp[MG]|SDDMM|Sparse)\w*")


@pytest.mark.parametrize("device", [HostDevice, CudaDevice])
def test_devices_have_the_functions_of_the_table(device):
    missing = []
    for function in FUNCTIONS.values():
        method = getattr(device, function.name, None)
        if method is None:
            missing.append(function.name)
        else:
            parameters = list(inspect.signature(method).parameters)[1:]
            assert len(parameters) == len(function.parameters), function.name
    sparse = [n for n in FUNCTIONS if _SPARSE.fullmatch(n)] if device is HostDevice else []
    assert missing == sparse
    extra = {n for n in dir(device) if n.startswith("mgpu")} - FUNCTIONS.keys()
    assert not extra


def test_operations_become_calls():
    """Conversions of async tokens put what is in `mgpu.communicate` in its place."""
    left = [n for n in operation_names("mgpu") if n not in all_rules()]
    assert left == ["mgpu.communicate"]


def test_no_attribute_is_dropped():
    """`plain_call` hands over operands alone."""
    plain = [n for n, rule in all_rules().items() if rule.__qualname__.startswith("plain_call.")]
    assert len(plain) > 10
    assert [name for name in plain if op_spec(name).attrs] == []


def test_kinds():
    """Work on the device takes the location of an operation; releases go on after an error."""
    work = {n for n, f in FUNCTIONS.items() if f.is_operation}
    releases = {n for n, f in FUNCTIONS.items() if f.is_release}
    assert {"mgpuLaunchKernel", "mgpuMemAlloc", "mgpuCommSend", "mgpuGraphLaunch"} <= work
    assert not {"mgpuStreamCreate", "mgpuAnnotate", "mgpuGraphCreate"} & work
    assert {"mgpuStreamDestroy", "mgpuMemFreeAsync", "mgpuModuleUnload"} <= releases
    assert not {"mgpuGraphAddFree", "mgpuMemAlloc"} & releases


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
