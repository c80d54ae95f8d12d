# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Right calls of functions that no other test of this folder uses, in small programs, and the rule
that each function of the table has a right call here or there."""

from __future__ import annotations

import ast
import ctypes
from ctypes import c_int32, c_uint32, c_uint64, c_void_p
from pathlib import Path

import pytest

from tests.support.driver_calls import HEAD, PTX, Calls, pointers
from xgpu.api.cuda_driver.header import (
    AllocationNode,
    AllocationProperties,
    ContextParameters,
    Copy2D,
    Copy3D,
    HostNode,
    InstantiateParameters,
    KernelNode1,
    MemoryOperation,
    Result,
    TensorMap,
    Uuid,
)
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.table import FUNCTIONS
from xgpu.api.cuda_driver.virtual_memory import GRANULARITY
from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode
from xgpu.runtime.cuda.launches import LaunchConfig

#: Functions that only refuse, with what they give.
REFUSING = {"cuGetExportTable": Result.NOT_FOUND}
HOST_FUNCTION = ctypes.CFUNCTYPE(None, c_void_p)


def called_rightly() -> set[str]:
    """The functions that tests of this folder call by `do`, `get` or `values`: they succeed."""
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr in ("do", "get", "values") and node.args:
                first = node.args[0]
                found |= {first.value} if isinstance(first, ast.Constant) else set()
    return found


def test_each_function_has_a_right_call():
    assert FUNCTIONS.keys() - called_rightly() == REFUSING.keys()


def bytes_at(calls: Calls, address: int, size: int) -> bytes:
    found = ctypes.create_string_buffer(size)
    calls.do("cuMemcpyDtoH", found, address, size)
    return found.raw


def words_at(calls: Calls, address: int, count: int) -> list[int]:
    return list(memoryview(bytes_at(calls, address, 4 * count)).cast("I"))


def handles(*given: int) -> ctypes.Array[c_uint64]:
    return (c_uint64 * len(given))(*given)


# -- the driver, devices, contexts


def test_functions_that_only_refuse(raw, capfd):
    table, identity = c_uint64(), Uuid()
    assert raw("cuGetExportTable", table, identity) == REFUSING["cuGetExportTable"]
    assert "undocumented function table 00000000-" in capfd.readouterr().err


def test_the_driver(raw):
    assert raw.get("cuDriverGetVersion") >= 13000
    raw.driver.addresses = {"cuMemAlloc": 8, "cuMemAlloc_v2": 16, "cuStreamQuery": 24,
                            "cuStreamQuery_ptsz": 32}  # fmt: skip
    out, status = c_uint64(), c_uint32()
    for name, version, flags, address in (
        ("cuMemAlloc", 3000, 0, 8), ("cuMemAlloc", 12000, 0, 16), ("cuStreamQuery", 12000, 1, 24),
        ("cuStreamQuery", 12000, 2, 32),
    ):  # fmt: skip
        raw.do("cuGetProcAddress", name, out, version, flags)
        assert out.value == address
        raw.do("cuGetProcAddress_v2", name, out, version, flags, status)
        assert (out.value, status.value) == (address, 0)
    raw.do("cuGetProcAddress_v2", "cuNothing", out, 12000, 0, status)
    assert (out.value, status.value) == (0, 1)


def test_devices():
    calls = Calls(Settings(devices=2, chips=("sm_90",)))
    calls.do("cuInit", 0)
    assert calls.get("cuDeviceGet", 1) == 1
    assert calls.get("cuDeviceTotalMem", 0) > 1 << 30
    major, minor = c_int32(), c_int32()
    calls.do("cuDeviceComputeCapability", major, minor, 1)
    assert (major.value, minor.value) == (9, 0)
    assert calls.get("cuDeviceGetP2PAttribute", 2, 0, 1) == 1  # access is supported
    calls.close()


def test_contexts(raw):
    raw.do("cuInit", 0)
    raw.do("cuDevicePrimaryCtxSetFlags", 0, 4)
    primary = raw.begin()
    assert raw.get("cuCtxGetFlags") == 4
    raw.do("cuCtxSetFlags", 1)
    assert raw.get("cuCtxGetFlags") == 1
    made = [raw.get("cuCtxCreate_v3", 0, 0, 0, 0), raw.get("cuCtxCreate_v4", 0, 0, 0)]
    made.append(raw.get("cuCtxCreate_v4", ContextParameters(), 2, 0))
    assert raw.get("cuCtxGetCurrent") == made[-1]
    assert raw.get("cuCtxGetFlags") == 2
    assert raw.get("cuCtxGetDevice") == raw.get("cuCtxGetDevice_v2", primary) == 0
    numbers = [raw.values("cuCtxGetId", context) for context in (primary, *made)]
    raw.do("cuCtxGetId", 0, word := c_uint64())
    assert len({n for (n,) in numbers}) == 4
    assert word.value == numbers[-1][0]
    raw.do("cuCtxGetApiVersion", primary, version := c_uint32())
    assert version.value >= 3020
    for context in reversed(made):
        raw.do("cuCtxSynchronize_v2", context)
        raw.do("cuCtxDestroy", context)
    raw.do("cuCtxSynchronize_v2", 0)
    assert raw.get("cuCtxGetCurrent") == primary


def test_hints_of_a_context(calls):
    assert calls.get("cuCtxGetCacheConfig") == 0
    calls.do("cuCtxSetCacheConfig", 2)
    assert calls.get("cuCtxGetCacheConfig") == 2
    calls.do("cuCtxSetSharedMemConfig", 2)
    assert calls.get("cuCtxGetSharedMemConfig") == 1  # banks of four bytes, as on today's GPUs
    calls.do("cuCtxResetPersistingL2Cache")
    calls.do("cuProfilerStart")
    calls.do("cuProfilerStop")


# -- memory


def test_memory_of_the_host(calls):
    host = calls.get("cuMemAllocHost", 64)
    ctypes.memset(host, 7, 64)
    device = calls.get("cuMemAlloc", 64)
    calls.do("cuMemcpyAsync", device, host, 64, 0)
    assert bytes_at(calls, device, 64) == bytes([7]) * 64
    calls.do("cuMemFreeHost", host)
    assert calls.driver.leftovers()["memory"] == 1


def test_managed_memory(calls):
    memory, stream = calls.get("cuMemAllocManaged", 256, 1), calls.get("cuStreamCreate", 0)
    on_device = 1  # CUmemLocation: the device 0
    calls.do("cuMemPrefetchAsync_v2", memory, 256, on_device, 0, stream)
    calls.do("cuMemAdvise_v2", memory, 256, 1, on_device)
    calls.do("cuStreamAttachMemAsync", stream, memory, 256, 4)
    calls.do("cuPointerSetAttribute", c_uint32(1), 6, memory)
    found = c_uint32()
    calls.do("cuPointerGetAttribute", found, 6, memory)
    assert found.value == 1


def test_properties_of_memory_without_an_address(calls):
    given, found = AllocationProperties(1, 1), AllocationProperties()
    given.location.type = 1
    memory = calls.get("cuMemCreate", GRANULARITY, given, 0)
    calls.do("cuMemGetAllocationPropertiesFromHandle", found, memory)
    assert bytes(found) == bytes(given)


# -- copies and fills


def test_copies_between_contexts():
    calls = Calls(Settings(devices=2))
    there = calls.begin(1)
    source = calls.get("cuMemAlloc", 64)
    calls.do("cuMemsetD8", source, 9, 64)
    here = calls.begin(0)
    target = calls.get("cuMemAlloc", 128)
    calls.do("cuMemsetD8", target, 0, 128)
    calls.do("cuMemcpyPeer", target, here, source, there, 8)
    calls.do("cuMemcpyPeerAsync", target + 8, here, source, there, 8, 0)
    calls.do("cuMemcpyDtoD", target + 16, target, 4)
    copy = Copy3D(
        source_type=2, source_device=source, source_context=there, source_pitch=4, source_height=2,
        target_type=2, target_device=target + 32, target_context=here, target_pitch=8,
        target_height=2, width=4, height=2, depth=2,
    )  # fmt: skip
    calls.do("cuMemcpy3DPeer", copy)
    copy.target_device += 32
    calls.do("cuMemcpy3DPeerAsync", copy, 0)
    row, gap = bytes([9]) * 4, bytes(4)
    found = bytes_at(calls, target, 96)
    assert found[:32] == row * 5 + bytes(12)
    assert found[32:] == (row + gap) * 8
    calls.close()


def test_a_copy_of_unaligned_rows(calls):
    rows = ctypes.create_string_buffer(b"abcdef", 6)
    memory = calls.get("cuMemAlloc", 64)
    calls.do("cuMemcpy2DUnaligned", Copy2D(
        source_type=1, source_host=ctypes.addressof(rows), source_pitch=3, target_type=2,
        target_device=memory + 1, target_pitch=5, width=3, height=2,
    ))  # fmt: skip
    found = bytes_at(calls, memory, 9)
    assert (found[1:4], found[6:9]) == (b"abc", b"def")


def test_fills(calls):
    """Each function writes where the others do not."""
    memory, stream = calls.get("cuMemAlloc", 1024), calls.get("cuStreamCreate", 0)
    calls.do("cuMemsetD8", memory, 0, 1024)
    calls.do("cuMemsetD8Async", memory, 0x11, 4, stream)
    calls.do("cuMemsetD16", memory + 4, 0x2222, 2)
    calls.do("cuMemsetD16Async", memory + 8, 0x3333, 2, stream)
    calls.do("cuMemsetD2D8", memory + 64, 8, 0x44, 4, 3)
    calls.do("cuMemsetD2D8Async", memory + 128, 8, 0x55, 4, 3, stream)
    calls.do("cuMemsetD2D16", memory + 192, 8, 0x6666, 2, 3)
    calls.do("cuMemsetD2D16Async", memory + 256, 8, 0x7777, 2, 3, stream)
    calls.do("cuMemsetD2D32", memory + 320, 8, 0x88888888, 1, 3)
    calls.do("cuMemsetD2D32Async", memory + 384, 8, 0x99999999, 1, 3, stream)
    calls.do("cuCtxSynchronize")
    found = words_at(calls, memory, 112)
    assert found[:4] == [0x11111111, 0x22222222, 0x33333333, 0]
    for number, digit in enumerate((4, 5, 6, 7, 8, 9), 1):
        word = 0x11111111 * digit
        assert found[16 * number : 16 * number + 8] == [word, 0, word, 0, word, 0, 0, 0]


# -- modules, libraries, functions


def function_name(calls: Calls, function: int) -> str:
    return ctypes.string_at(calls.get("cuFuncGetName", function)).decode()


def test_functions_of_a_module(calls):
    module = calls.get("cuModuleLoadFatBinary", PTX)
    assert calls.get("cuModuleGetLoadingMode") == 2
    listed = handles(0, 0, 0, 0)
    calls.do("cuModuleEnumerateFunctions", listed, 4, module)
    names = [function_name(calls, function) for function in listed]
    assert sorted(names) == ["add", "count", "fault", "mixed"]
    function = listed[names.index("count")]
    assert calls.get("cuFuncGetModule", function) == module
    calls.do("cuFuncLoad", function)
    assert calls.get("cuFuncIsLoaded", function) == 1
    calls.do("cuFuncSetCacheConfig", function, 1)
    calls.do("cuFuncSetSharedMemConfig", function, 1)


def test_kernels_of_a_library(calls, tmp_path):
    (tmp_path / "kernels.ptx").write_text(PTX)
    path = str(tmp_path / "kernels.ptx")
    library = calls.get("cuLibraryLoadFromFile", path, 0, 0, 0, 0, 0, 0)
    kernel = calls.get("cuLibraryGetKernel", library, "mixed")
    assert calls.get("cuKernelGetLibrary", kernel) == library
    assert ctypes.string_at(calls.get("cuKernelGetName", kernel)) == b"mixed"
    shared = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    calls.do("cuKernelSetAttribute", shared, 4096, kernel, 0)
    assert calls.get("cuKernelGetAttribute", shared, kernel, 0) == 4096
    calls.do("cuKernelSetCacheConfig", kernel, 1, 0)
    assert calls.values("cuKernelGetParamCount", kernel) == [4]
    places = [calls.values("cuKernelGetParamInfo", kernel, n, count=2) for n in range(4)]
    assert places == [[0, 8], [8, 12], [20, 2], [24, 4]]
    module = calls.get("cuLibraryGetModule", library)
    assert function_name(calls, calls.get("cuModuleGetFunction", module, "add")) == "add"
    address, size, same = c_uint64(), c_uint64(), c_uint64()
    calls.do("cuLibraryGetGlobal", address, size, library, "counter")
    assert size.value == 4
    assert words_at(calls, address.value, 1) == [5]
    assert calls("cuLibraryGetManaged", same, size, library, "counter") == Result.NOT_FOUND
    text = ".visible .global .attribute(.managed) .align 4 .u32 shared_words[3];"
    library = calls.get("cuLibraryLoadData", HEAD + text, 0, 0, 0, 0, 0, 0)
    calls.do("cuLibraryGetManaged", address, size, library, "shared_words")
    assert size.value == 12
    assert words_at(calls, address.value, 3) == [0, 0, 0]


def test_a_file_is_linked(calls, tmp_path):
    (tmp_path / "kernels.ptx").write_text(PTX)
    (state,) = calls.values("cuLinkCreate", 0, 0, 0)
    calls.do("cuLinkAddFile", state, 1, str(tmp_path / "kernels.ptx"), 0, 0, 0)
    image, size = calls.values("cuLinkComplete", state, count=2)
    assert size > len(PTX)
    module = calls.get("cuModuleLoadData", ctypes.string_at(image, size))
    calls.do("cuLinkDestroy", state)
    assert function_name(calls, calls.get("cuModuleGetFunction", module, "add")) == "add"


# -- launches


@pytest.fixture
def count(calls):
    """A kernel that reads a variable into memory and adds one to it."""
    return calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", PTX), "count")


def test_a_launch_in_the_stream_of_a_thread(calls, count):
    memory = calls.get("cuMemAlloc", 4)
    config = LaunchConfig(grid=(1, 1, 1), block=(1, 1, 1))
    calls.do("cuLaunchKernelEx_ptsz", config, count, pointers(c_uint64(memory)), 0)
    calls.do("cuStreamSynchronize", 2)
    assert words_at(calls, memory, 1) == [5]


def test_a_tensor_map(calls):
    memory = calls.get("cuMemAlloc", 4096)
    room = ctypes.create_string_buffer(256)
    made = TensorMap.from_buffer(room, -ctypes.addressof(room) % 64)
    calls.do(
        "cuTensorMapEncodeTiled", made, 7, 2, memory, handles(32, 16), handles(128),
        (c_uint32 * 2)(8, 4), (c_uint32 * 2)(1, 1), 0, 0, 0, 0,
    )  # fmt: skip
    first = bytes(made)
    calls.do("cuTensorMapReplaceAddress", made, memory + 128)
    assert bytes(made) != first
    calls.do("cuTensorMapReplaceAddress", made, memory)
    assert bytes(made) == first


def test_occupancy():
    calls = Calls(Settings(chips=("sm_90",)))
    calls.begin()
    count = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", PTX), "count")
    blocks = calls.get("cuOccupancyMaxActiveBlocksPerMultiprocessor", count, 256, 0)
    assert blocks == 8  # 2048 threads
    same = calls.get("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", count, 256, 0, 1)
    assert same == blocks
    grid, block = c_int32(), c_int32()
    calls.do("cuOccupancyMaxPotentialBlockSizeWithFlags", grid, block, count, 0, 0, 256, 1)
    assert (block.value % 32, block.value <= 256, grid.value > 0) == (0, True, True)
    shared = calls.get("cuOccupancyAvailableDynamicSMemPerBlock", count, 2, 256)
    assert shared == 48 << 10  # what a launch may ask for
    calls.do("cuFuncSetAttribute", count, 8, 200 << 10)
    shared = calls.get("cuOccupancyAvailableDynamicSMemPerBlock", count, 2, 256)
    assert 100 << 10 < shared < 114 << 10  # half of 228 KiB, and what each block takes
    config = LaunchConfig(grid=(8, 1, 1), block=(256, 1, 1))
    assert calls.get("cuOccupancyMaxPotentialClusterSize", count, config) == 8
    assert calls.get("cuOccupancyMaxActiveClusters", count, config) >= blocks
    calls.close()


# -- streams and events


def test_what_a_stream_is(calls):
    first, second = (calls.get("cuStreamCreateWithPriority", 1, p) for p in (-2, 0))
    assert calls.values("cuStreamGetId", first) != calls.values("cuStreamGetId", second)
    assert calls.values("cuStreamGetDevice", first) == [0]
    calls.do("cuStreamCopyAttributes", second, first)
    priority = c_int32()
    calls.do("cuStreamGetPriority", second, priority)
    assert priority.value == -2


def test_events_of_a_context(calls):
    context, event = calls.get("cuCtxGetCurrent"), calls.get("cuEventCreate", 0)
    first, second = calls.get("cuStreamCreate", 1), calls.get("cuStreamCreate", 1)
    memory = calls.get("cuMemAlloc", 16)
    calls.do("cuMemsetD8", memory, 0, 16)
    calls.do("cuStreamWaitValue64", first, memory, 5, 1)
    calls.do("cuCtxRecordEvent", context, event)
    calls.do("cuCtxWaitEvent", context, event)
    calls.do("cuMemsetD8Async", memory + 8, 1, 8, second)
    assert calls("cuEventQuery", event) == Result.NOT_READY
    writer = calls.get("cuStreamCreate", 1)
    calls.do("cuStreamWriteValue64", writer, memory, 5, 0)
    calls.do("cuCtxSynchronize")
    calls.do("cuEventQuery", event)
    assert bytes_at(calls, memory, 16) == bytes([5, *bytes(7), *bytes([1]) * 8])
    calls.do("cuEventRecordWithFlags", event, second, 0)
    calls.do("cuEventSynchronize", event)


def test_several_operations_on_words(calls):
    first, second = calls.get("cuStreamCreate", 1), calls.get("cuStreamCreate", 1)
    memory = calls.get("cuMemAlloc", 32)
    calls.do("cuMemsetD8", memory, 0, 32)
    high = (3 << 32) + 4
    waits = (MemoryOperation * 4)(
        MemoryOperation(1, memory, high, 1), MemoryOperation(4, memory + 8, high, 0),
        MemoryOperation(operation=6), MemoryOperation(5, memory + 16, high, 1),
    )  # fmt: skip
    calls.do("cuStreamBatchMemOp", first, 4, waits, 0)
    assert calls("cuStreamQuery", first) == Result.NOT_READY
    writes = (MemoryOperation * 2)(
        MemoryOperation(2, memory, high, 0), MemoryOperation(5, memory + 8, high, 0)
    )
    calls.do("cuStreamBatchMemOp", second, 2, writes, 0)
    calls.do("cuStreamSynchronize", first)
    assert words_at(calls, memory, 8) == [4, 0, 4, 3, 4, 3, 0, 0]
    writes[0].value, writes[1].operation = 9, 3
    assert calls("cuStreamBatchMemOp", second, 2, writes, 0) == Result.INVALID_VALUE
    assert calls("cuStreamBatchMemOp", second, 0, writes, 0) == Result.INVALID_VALUE
    writes[1].operation, writes[1].flags = 5, 2
    assert calls("cuStreamBatchMemOp", second, 2, writes, 0) == Result.INVALID_VALUE
    calls.do("cuStreamSynchronize", second)
    assert words_at(calls, memory, 1) == [4]  # nothing of it was done


def test_attributes_of_core_dumps(calls):
    size, text = c_uint64(1), ctypes.create_string_buffer(b"core.here")
    calls.do("cuCoredumpSetAttributeGlobal", 3, ctypes.c_uint8(1), size)
    size.value = len(text)
    calls.do("cuCoredumpSetAttributeGlobal", 5, text, size)
    number = c_uint32(0)
    size.value = 4
    calls.do("cuCoredumpGetAttribute", 3, number, size)
    assert number.value == 1
    calls.do("cuCoredumpSetAttribute", 3, c_uint32(0), size)
    calls.do("cuCoredumpGetAttributeGlobal", 3, number, size)
    assert number.value == 1
    calls.do("cuCoredumpGetAttribute", 5, 0, size)
    assert size.value == 10
    found = ctypes.create_string_buffer(10)
    calls.do("cuCoredumpGetAttribute", 5, found, size)
    assert found.value == b"core.here"
    size.value = 9
    assert calls("cuCoredumpGetAttribute", 5, found, size) == Result.INVALID_VALUE
    size.value = 1
    for attribute in (1, 4):
        calls.do("cuCoredumpSetAttribute", attribute, ctypes.c_uint8(0), size)
        result = calls("cuCoredumpSetAttribute", attribute, ctypes.c_uint8(1), size)
        assert result == Result.NOT_SUPPORTED
    assert calls("cuCoredumpSetAttribute", 8, ctypes.c_uint8(1), size) == Result.INVALID_VALUE


def test_capture_modes(calls):
    mode = c_uint32(1)
    calls.do("cuThreadExchangeStreamCaptureMode", mode)
    assert mode.value == 0
    calls.do("cuThreadExchangeStreamCaptureMode", mode)
    assert mode.value == 1


# -- graphs


def fill(address: int, value: int) -> FillNode:
    return FillNode(address, 0, value, 4, 2, 1)


def copy(target: int, source: int) -> Copy3D:
    return Copy3D(
        source_type=2, source_device=source, target_type=2, target_device=target, width=4,
        height=1, depth=1,
    )  # fmt: skip


def kernel_node(kind, function, address):
    made = kind(function=function)
    made.grid[:], made.block[:] = (1, 1, 1), (1, 1, 1)
    made.kept = pointers(c_uint64(address))
    made.parameters = ctypes.addressof(made.kept)
    return made


def launched(calls: Calls, executable: int) -> None:
    calls.do("cuGraphLaunch", executable, 0)
    calls.do("cuCtxSynchronize")


def test_edges_with_data(calls):
    graph = calls.get("cuGraphCreate", 0)
    first, second = (calls.get("cuGraphAddEmptyNode", graph, 0, 0) for _ in range(2))
    (containing,) = calls.values("cuGraphNodeGetContainingGraph", first)
    assert containing == graph
    edge = handles(first), handles(second)
    calls.do("cuGraphAddDependencies_v2", graph, *edge, 0, 1)
    found, other, data, number = handles(0, 0), handles(0, 0), handles(9, 9), c_uint64(2)
    calls.do("cuGraphGetEdges_v2", graph, found, other, data, number)
    assert (number.value, found[0], other[0], data[0]) == (1, first, second, 0)
    number.value, found[:] = 2, (0, 0)
    calls.do("cuGraphNodeGetDependencies_v2", second, found, data, number)
    assert (number.value, found[0]) == (1, first)
    number.value = 2
    calls.do("cuGraphNodeGetDependentNodes_v2", first, found, data, number)
    assert (number.value, found[0]) == (1, second)
    number.value = 2
    calls.do("cuGraphNodeGetDependencies", second, found, number)
    assert (number.value, found[0]) == (1, first)
    calls.do("cuGraphRemoveDependencies_v2", graph, *edge, 0, 1)
    calls.do("cuGraphNodeGetDependencies", second, 0, number)
    assert number.value == 0


def test_parameters_of_nodes(calls, count):
    """What nodes do is read and changed before the graph is instantiated."""
    context, memory = calls.get("cuCtxGetCurrent"), calls.get("cuMemAlloc", 64)
    graph = calls.get("cuGraphCreate", 0)
    filled = calls.get("cuGraphAddMemsetNode", graph, 0, 0, fill(memory, 3), context)
    given = kernel_node(KernelNode1, count, memory)
    kernel = calls.get("cuGraphAddKernelNode", graph, handles(filled), 1, given)
    copied = copy(memory + 8, memory)
    copying = calls.get("cuGraphAddMemcpyNode", graph, handles(kernel), 1, copied, context)
    fill_found, copy_found, kernel_found = FillNode(), Copy3D(), KernelNode1()
    calls.do("cuGraphMemsetNodeGetParams", filled, fill_found)
    assert bytes(fill_found) == bytes(fill(memory, 3))
    calls.do("cuGraphMemcpyNodeGetParams", copying, copy_found)
    assert bytes(copy_found) == bytes(copied)
    calls.do("cuGraphKernelNodeGetParams", kernel, kernel_found)
    assert (kernel_found.function, list(kernel_found.grid)) == (count, [1, 1, 1])
    calls.do("cuGraphMemsetNodeSetParams", filled, fill(memory + 16, 4))
    calls.do("cuGraphMemcpyNodeSetParams", copying, copy(memory + 12, memory + 16))
    changed = kernel_node(KernelNode1, count, memory + 32)
    calls.do("cuGraphKernelNodeSetParams", kernel, changed)
    calls.do("cuMemsetD8", memory, 0, 64)
    executable = calls.get("cuGraphInstantiate_v2", graph, 0, 0, 0)
    launched(calls, executable)
    assert words_at(calls, memory, 9) == [0, 0, 0, 4, 4, 4, 0, 0, 5]
    calls.do("cuGraphExecKernelNodeSetParams", executable, kernel,
             kernel_node(KernelNode1, count, memory))  # fmt: skip
    launched(calls, executable)
    assert words_at(calls, memory, 1) == [6]
    calls.do("cuGraphKernelNodeSetParams_v2", kernel, kernel_node(KernelNode, count, memory + 40))
    launched(calls, calls.get("cuGraphInstantiateWithFlags", graph, 0))
    assert words_at(calls, memory + 40, 1) == [7]


def test_attributes_of_kernel_nodes():
    calls = Calls(Settings(chips=("sm_90",)))
    calls.begin()
    count = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", PTX), "count")
    graph, memory = calls.get("cuGraphCreate", 0), calls.get("cuMemAlloc", 64)
    made = kernel_node(KernelNode, count, memory)
    made.grid[:] = (2, 1, 1)
    first, second = (calls.get("cuGraphAddKernelNode_v2", graph, 0, 0, made) for _ in range(2))
    cluster, found = (c_uint32 * 16)(2, 1, 1), (c_uint32 * 16)()
    calls.do("cuGraphKernelNodeSetAttribute", first, 4, cluster)
    calls.do("cuGraphKernelNodeCopyAttributes", second, first)
    calls.do("cuGraphKernelNodeGetAttribute", second, 4, found)
    assert list(found) == list(cluster)
    calls.close()


def test_host_nodes(calls):
    seen = []
    function = HOST_FUNCTION(seen.append)
    graph = calls.get("cuGraphCreate", 0)
    given, found = HostNode(ctypes.cast(function, c_void_p).value, 3), HostNode()
    node = calls.get("cuGraphAddHostNode", graph, 0, 0, given)
    calls.do("cuGraphHostNodeGetParams", node, found)
    assert bytes(found) == bytes(given)
    given.data = 4
    calls.do("cuGraphHostNodeSetParams", node, given)
    parameters = InstantiateParameters(flags=1)
    executable = calls.get("cuGraphInstantiateWithParams", graph, parameters)
    assert parameters.result == 0
    assert calls.values("cuGraphExecGetFlags", executable) == [1]
    calls.do("cuGraphUpload", executable, 0)
    launched(calls, executable)
    given.data = 5
    calls.do("cuGraphExecHostNodeSetParams", executable, node, given)
    launched(calls, executable)
    assert seen == [4, 5]
    other = calls.get("cuGraphClone", graph)
    failing, result = c_uint64(), c_uint32()
    calls.do("cuGraphExecUpdate", executable, other, failing, result)
    assert (failing.value, result.value) == (0, 0)
    launched(calls, executable)
    assert seen == [4, 5, 4]


def test_event_nodes(calls):
    first, second = calls.get("cuEventCreate", 0), calls.get("cuEventCreate", 0)
    graph = calls.get("cuGraphCreate", 0)
    record = calls.get("cuGraphAddEventRecordNode", graph, 0, 0, first)
    wait = calls.get("cuGraphAddEventWaitNode", graph, handles(record), 1, first)
    calls.do("cuGraphEventRecordNodeSetEvent", record, second)
    calls.do("cuGraphEventWaitNodeSetEvent", wait, second)
    assert calls.values("cuGraphEventRecordNodeGetEvent", record) == [second]
    assert calls.values("cuGraphEventWaitNodeGetEvent", wait) == [second]
    executable = calls.get("cuGraphInstantiateWithFlags", graph, 0)
    third = calls.get("cuEventCreate", 0)
    calls.do("cuGraphExecEventRecordNodeSetEvent", executable, record, third)
    calls.do("cuGraphExecEventWaitNodeSetEvent", executable, wait, third)
    calls.do("cuEventRecord", first, 0)
    launched(calls, executable)
    span = ctypes.c_float()
    calls.do("cuEventElapsedTime", span, first, third)
    assert span.value >= 0
    assert calls("cuEventElapsedTime", span, first, second) == Result.INVALID_HANDLE


def test_other_nodes(calls, count):
    graph, child = calls.get("cuGraphCreate", 0), calls.get("cuGraphCreate", 0)
    calls.get("cuGraphAddEmptyNode", child, 0, 0)
    (number,), (other,) = calls.values("cuGraphGetId", graph), calls.values("cuGraphGetId", child)
    assert number != other
    node = calls.get("cuGraphAddChildGraphNode", graph, 0, 0, child)
    (own,) = calls.values("cuGraphChildGraphNodeGetGraph", node)
    inside = c_uint64()
    calls.do("cuGraphGetNodes", own, 0, inside)
    assert (inside.value, own != child) == (1, True)
    given, found = AllocationNode(size=64), AllocationNode()
    given.pool.type, given.pool.location.type = 1, 1
    allocation = calls.get("cuGraphAddMemAllocNode", graph, 0, 0, given)
    calls.do("cuGraphMemAllocNodeGetParams", allocation, found)
    assert (found.size, found.address) == (64, given.address)
    kernel = calls.get("cuGraphAddKernelNode_v2", graph, handles(allocation), 1,
                       kernel_node(KernelNode, count, given.address))  # fmt: skip
    free = calls.get("cuGraphAddMemFreeNode", graph, handles(kernel), 1, given.address)
    assert calls.values("cuGraphMemFreeNodeGetParams", free) == [given.address]
    executable = calls.get("cuGraphInstantiateWithFlags", graph, 0)
    assert calls.values("cuGraphNodeGetEnabled", executable, kernel) == [1]
    calls.do("cuGraphNodeSetEnabled", executable, kernel, 0)
    assert calls.values("cuGraphNodeGetEnabled", executable, kernel) == [0]
    launched(calls, executable)


def test_what_is_known_of_a_capture(calls):
    stream, memory = calls.get("cuStreamCreate", 1), calls.get("cuMemAlloc", 64)
    calls.do("cuStreamBeginCapture", stream)
    calls.do("cuMemsetD32Async", memory, 9, 4, stream)
    status, number = c_uint32(), c_uint64()
    calls.do("cuStreamGetCaptureInfo", stream, status, number)
    assert (status.value, number.value > 0) == (1, True)
    graph, after, data, length = (c_uint64() for _ in range(4))
    same = c_uint64()
    calls.do("cuStreamGetCaptureInfo_v2", stream, status, same, graph, after, length)
    assert (same.value, length.value) == (number.value, 1)
    last = c_uint64.from_address(after.value).value
    calls.do("cuStreamGetCaptureInfo_v3", stream, status, same, graph, after, data, length)
    assert [c_uint64.from_address(a.value).value for a in (after, data)] == [last, 0]
    calls.do("cuStreamEndCapture", stream, same)
    assert same.value == graph.value
    calls.do("cuStreamBeginCaptureToGraph", stream, graph.value, 0, 0, 0, 0)
    calls.do("cuStreamUpdateCaptureDependencies", stream, handles(last), 1, 0)
    wrong = calls("cuStreamUpdateCaptureDependencies", stream, handles(last), 1, 2)
    assert wrong == Result.INVALID_VALUE
    calls.do("cuStreamUpdateCaptureDependencies_v2", stream, handles(last), 0, 1, 1)
    calls.do("cuMemsetD32Async", memory + 8, 7, 1, stream)
    calls.do("cuStreamEndCapture", stream, same)
    assert same.value == graph.value
    launched(calls, calls.get("cuGraphInstantiateWithFlags", graph.value, 0))
    assert words_at(calls, memory, 4) == [9, 9, 7, 9]
