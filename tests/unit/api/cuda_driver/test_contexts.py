# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver itself, devices, and contexts."""

from __future__ import annotations

import ctypes
import os
import threading
from types import SimpleNamespace

import pytest

from tests.support.driver_calls import PTX, Calls, pointers
from xgpu.api.cuda_driver.contexts import symbol_of
from xgpu.api.cuda_driver.header import TEXTS, Result, name_of
from xgpu.api.cuda_driver.settings import Settings
from xgpu.core.ir.errors import UsageError


def current(calls):
    return calls.get("cuCtxGetCurrent")


def test_each_thread_has_a_stack_of_contexts(raw):
    raw.do("cuInit", 0)
    first = raw.get("cuCtxCreate", 0, 0)
    second = raw.get("cuCtxCreate", 0, 0)
    assert first != second
    assert current(raw) == second
    seen = []

    def other():
        seen.append(current(raw))
        raw.do("cuCtxPushCurrent", first)
        seen.append(current(raw))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [0, first]
    assert raw.get("cuCtxPopCurrent") == second
    assert current(raw) == first
    raw.do("cuCtxSetCurrent", second)
    assert current(raw) == second
    raw.do("cuCtxPopCurrent", 0)
    assert raw("cuCtxPopCurrent", 0) == Result.INVALID_CONTEXT


def test_a_destroyed_context(raw):
    raw.do("cuInit", 0)
    context = raw.get("cuCtxCreate", 0, 0)
    address = raw.get("cuMemAlloc", 64)
    other = raw.get("cuCtxCreate", 0, 0)
    raw.do("cuCtxDestroy", context)
    assert raw("cuCtxDestroy", context) == Result.CONTEXT_IS_DESTROYED
    assert raw("cuCtxSetCurrent", context) == Result.CONTEXT_IS_DESTROYED
    assert raw("cuMemFree", address) == Result.INVALID_VALUE  # it went with its context
    raw.do("cuCtxDestroy", other)
    # The first one is still on the stack of this thread.
    assert raw("cuCtxSynchronize") == Result.CONTEXT_IS_DESTROYED
    assert raw.driver.leftovers() == {}


def test_primary_contexts_are_counted(raw):
    raw.do("cuInit", 0)
    first = raw.get("cuDevicePrimaryCtxRetain", 0)
    assert raw.get("cuDevicePrimaryCtxRetain", 0) == first
    flags, active = ctypes.c_uint32(), ctypes.c_int32()
    raw.do("cuDevicePrimaryCtxRelease", 0)
    raw.do("cuDevicePrimaryCtxGetState", 0, flags, active)
    assert active.value == 1
    assert raw("cuCtxDestroy", first) == Result.INVALID_CONTEXT
    raw.do("cuDevicePrimaryCtxRelease", 0)
    assert raw("cuDevicePrimaryCtxRelease", 0) == Result.INVALID_CONTEXT
    raw.do("cuDevicePrimaryCtxGetState", 0, flags, active)
    assert active.value == 0
    assert raw.get("cuDevicePrimaryCtxRetain", 0) != first


def test_a_primary_context_that_is_reset(raw):
    """It keeps its handle and its references, in all threads, and nothing else."""
    raw.do("cuInit", 0)
    first = raw.get("cuDevicePrimaryCtxRetain", 0)
    raw.do("cuCtxSetCurrent", first)
    address = raw.get("cuMemAlloc", 64)
    done, go, results = threading.Event(), threading.Event(), []

    def other():
        raw.do("cuCtxSetCurrent", first)
        done.set()
        go.wait(10)
        results.append((raw.get("cuCtxGetCurrent"), raw("cuCtxSynchronize")))

    thread = threading.Thread(target=other)
    thread.start()
    done.wait(10)
    raw.do("cuDevicePrimaryCtxReset", 0)
    go.set()
    thread.join()
    assert results == [(first, 0)]
    flags, active = ctypes.c_uint32(), ctypes.c_int32()
    raw.do("cuDevicePrimaryCtxGetState", 0, flags, active)
    assert active.value == 0
    assert raw.driver.leftovers() == {}
    assert raw("cuMemFree", address) == Result.INVALID_VALUE
    raw.do("cuCtxSetCurrent", first)
    raw.do("cuDevicePrimaryCtxGetState", 0, flags, active)
    assert active.value == 1
    raw.do("cuMemFree", raw.get("cuMemAlloc", 64))
    raw.do("cuDevicePrimaryCtxRelease", 0)
    assert raw("cuCtxSynchronize") == Result.CONTEXT_IS_DESTROYED
    raw.do("cuDevicePrimaryCtxReset", 0)  # there is none
    assert raw("cuDevicePrimaryCtxRelease", 0) == Result.INVALID_CONTEXT


def test_a_fault_stays_with_its_context(calls, capfd):
    module = calls.get("cuModuleLoadData", PTX)
    fault = calls.get("cuModuleGetFunction", module, "fault")
    calls.do("cuLaunchKernel", fault, 1, 1, 1, 1, 1, 1, 0, 0, pointers(ctypes.c_uint64(64)), 0)
    assert calls("cuCtxSynchronize") == Result.ILLEGAL_ADDRESS
    assert calls("cuMemAlloc", ctypes.c_uint64(), 4) == Result.ILLEGAL_ADDRESS
    said = capfd.readouterr().err
    assert said.count("illegal memory access") == 1
    assert "each later call of this context gives CUDA_ERROR_ILLEGAL_ADDRESS\n" in said
    calls.driver.settings = Settings(verbose=True)
    assert calls("cuMemAlloc", ctypes.c_uint64(), 4) == Result.ILLEGAL_ADDRESS
    words = "xgpu-cuda: cuMemAlloc: an earlier failure of this context: kernel 'fault': illegal"
    assert words in capfd.readouterr().err
    context = calls.get("cuCtxCreate", 0, 0)  # another one works
    address = calls.get("cuMemAlloc", 64)
    calls.do("cuMemFree", address)
    calls.do("cuCtxDestroy", context)
    calls.do("cuDevicePrimaryCtxReset", 0)
    calls.do("cuCtxSetCurrent", calls.get("cuDevicePrimaryCtxRetain", 0))
    calls.do("cuCtxSynchronize")


def test_what_nothing_has_waited_for_is_told_at_the_end(calls, capfd):
    module = calls.get("cuModuleLoadData", PTX)
    fault = calls.get("cuModuleGetFunction", module, "fault")
    calls.do("cuLaunchKernel", fault, 1, 1, 1, 1, 1, 1, 0, 0, pointers(ctypes.c_uint64(64)), 0)
    launch = SimpleNamespace(name="prints", printed=0, unprinted=0, record=SimpleNamespace(said=0))
    calls.driver.devices[0].host.printed.add(launch, "a line\n")
    calls.driver.report_unseen()
    error, printed = capfd.readouterr().err.splitlines()
    assert "kernel 'fault': illegal memory access" in error
    assert error.endswith("; nothing has waited for it")
    assert printed.startswith("xgpu-cuda: what kernels have printed since")
    assert calls("cuCtxSynchronize") == Result.ILLEGAL_ADDRESS  # says it
    calls.driver.devices[0].host.flush_printed()
    capfd.readouterr()
    calls.driver.report_unseen()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("chip", "shared", "clusters"),
    [("sm_75", 64, 0), ("sm_80", 163, 0), ("sm_86", 99, 0), ("sm_90a", 227, 1), ("sm_120", 99, 1)],
)
def test_attributes_are_those_of_the_chip(chip, shared, clusters):
    calls = Calls(Settings(chips=(chip,)))
    calls.do("cuInit", 0)
    number = int(chip[3:].rstrip("a"))
    assert calls.get("cuDeviceGetAttribute", 75, 0) == number // 10
    assert calls.get("cuDeviceGetAttribute", 76, 0) == number % 10
    assert calls.get("cuDeviceGetAttribute", 97, 0) == shared * 1024
    assert calls.get("cuDeviceGetAttribute", 120, 0) == clusters
    assert calls("cuDeviceGetAttribute", ctypes.c_int32(), 9999, 0) == Result.INVALID_VALUE


def test_devices_of_several_chips():
    calls = Calls(Settings(chips=("sm_90", "sm_80"), devices=3))
    calls.do("cuInit", 0)
    assert calls.get("cuDeviceGetCount") == 3
    assert [calls.get("cuDeviceGetAttribute", 75, d) for d in range(3)] == [9, 8, 8]
    identities = {bytes(identity(calls, d)) for d in range(3)}
    assert len(identities) == 3
    name = ctypes.create_string_buffer(100)
    calls.do("cuDeviceGetName", name, 100, 1)
    assert name.value == b"xgpu host device 1 (sm_80)"
    bus = ctypes.create_string_buffer(20)
    calls.do("cuDeviceGetPCIBusId", bus, 20, 2)
    assert calls.get("cuDeviceGetByPCIBusId", bus.value) == 2
    assert calls.get("cuDeviceCanAccessPeer", 0, 1) == 1
    assert calls.get("cuDeviceCanAccessPeer", 1, 1) == 0


def identity(calls, device):
    uuid = (ctypes.c_uint8 * 16)()
    calls.do("cuDeviceGetUuid", uuid, device)
    return uuid


def test_no_devices():
    calls = Calls(Settings(devices=0))
    assert calls("cuInit", 0) == Result.NO_DEVICE


def test_peers():
    calls = Calls(Settings(devices=2))
    first = calls.begin(0)
    second = calls.get("cuDevicePrimaryCtxRetain", 1)
    assert calls("cuCtxEnablePeerAccess", first, 0) == Result.INVALID_DEVICE
    calls.do("cuCtxEnablePeerAccess", second, 0)
    assert calls("cuCtxEnablePeerAccess", second, 0) == Result.PEER_ACCESS_ALREADY_ENABLED
    calls.do("cuCtxDisablePeerAccess", second)
    assert calls("cuCtxDisablePeerAccess", second) == Result.PEER_ACCESS_NOT_ENABLED
    calls.close()


def test_every_result_has_a_name_and_words(raw):
    bindings = pytest.importorskip("cuda.bindings.driver", reason="needs cuda-bindings")
    for result in Result:
        text = ctypes.c_uint64()
        raw.do("cuGetErrorName", int(result), text)
        assert ctypes.string_at(text.value).decode() == name_of(result)
        assert bindings.CUresult(int(result)).name == name_of(result)
        raw.do("cuGetErrorString", int(result), text)
        assert ctypes.string_at(text.value).decode() == TEXTS[result]
    assert raw("cuGetErrorName", 12345, text) == Result.INVALID_VALUE


@pytest.mark.parametrize(
    ("name", "version", "symbol"),
    [
        ("cuMemAlloc", 2000, "cuMemAlloc"), ("cuMemAlloc", 13000, "cuMemAlloc_v2"),
        ("cuMemAlloc_v2", 13000, "cuMemAlloc_v2"), ("cuCtxCreate", 12000, "cuCtxCreate_v3"),
        ("cuCtxCreate", 13000, "cuCtxCreate_v4"), ("cuCtxGetDevice", 13000, "cuCtxGetDevice"),
        ("cuGraphInstantiate", 11000, "cuGraphInstantiate_v2"),
        ("cuGraphInstantiate", 13000, "cuGraphInstantiateWithFlags"),
        ("cuMemAllocAsync", 11000, None), ("cuNothing", 13000, None),
    ],
)  # fmt: skip
def test_versions_of_functions(name, version, symbol):
    found, is_known = symbol_of(name, version)
    assert found == symbol
    assert is_known == (name != "cuNothing")


def test_limits(calls):
    assert calls.get("cuCtxGetLimit", 0) == 1024
    calls.do("cuCtxSetLimit", 0, 4096)
    assert calls.get("cuCtxGetLimit", 0) == 4096
    assert calls("cuCtxSetLimit", 99, 1) == Result.INVALID_VALUE


def test_the_export_table_says_who_asks(raw, capfd):
    identity = (ctypes.c_uint8 * 16)(*range(16))
    assert raw("cuGetExportTable", ctypes.c_uint64(), identity) == Result.NOT_FOUND
    said = capfd.readouterr().err
    assert "00010203-04050607" in said
    with open("/proc/self/comm") as file:
        assert file.read().strip() in said


def test_a_forked_process_has_to_begin_anew(calls):
    child = os.fork()
    if child == 0:
        code = calls("cuMemAlloc", ctypes.c_uint64(), 4)
        os._exit(0 if code == Result.NOT_INITIALIZED else 1)
    assert os.waitpid(child, 0)[1] == 0
    calls.do("cuCtxSynchronize")


def test_settings_of_the_environment(monkeypatch):
    monkeypatch.setenv("XGPU_CUDA_CHIP", "sm_80,sm_90a")
    monkeypatch.setenv("XGPU_CUDA_FAIL_AT", "7:2")
    found = Settings.of_environment()
    assert (found.chips, found.devices) == (("sm_80", "sm_90a"), 2)
    assert (found.fail_at, found.fail_with) == (7, 2)
    monkeypatch.setenv("XGPU_CUDA_DEVICES", "many")
    with pytest.raises(UsageError, match="XGPU_CUDA_DEVICES is 'many'"):
        Settings.of_environment()
    monkeypatch.setenv("XGPU_CUDA_CHIP", "gfx90a")
    with pytest.raises(UsageError, match="chip is 'gfx90a'"):
        Settings.of_environment()
