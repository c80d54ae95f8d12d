# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structures of cuda.h (CUDA 13) and the texts of its results, as far as the driver has them."""

from __future__ import annotations

import ctypes

from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode
from xgpu.runtime.cuda.launches import LaunchAttribute, LaunchConfig
from xgpu.runtime.cuda.results import Result

TEXTS = {
    Result.SUCCESS: "no error",
    Result.INVALID_VALUE: "invalid argument",
    Result.OUT_OF_MEMORY: "out of memory",
    Result.NOT_INITIALIZED: "initialization error",
    Result.DEINITIALIZED: "driver shutting down",
    Result.PROFILER_DISABLED: "profiler disabled while using external profiling tool",
    Result.PROFILER_NOT_INITIALIZED: "profiler not initialized: call cudaProfilerInitialize()",
    Result.PROFILER_ALREADY_STARTED: "profiler already started",
    Result.PROFILER_ALREADY_STOPPED: "profiler already stopped",
    Result.STUB_LIBRARY: "CUDA driver is a stub library",
    Result.CALL_REQUIRES_NEWER_DRIVER: "API call is not supported in the installed CUDA driver",
    Result.DEVICE_UNAVAILABLE: "CUDA-capable device(s) is/are busy or unavailable",
    Result.MULTICAST_RESOURCE_FULL: "multicast resources exhausted",
    Result.NO_DEVICE: "no CUDA-capable device is detected",
    Result.INVALID_DEVICE: "invalid device ordinal",
    Result.DEVICE_NOT_LICENSED: "device is not licensed",
    Result.INVALID_IMAGE: "device kernel image is invalid",
    Result.INVALID_CONTEXT: "invalid device context",
    Result.CONTEXT_ALREADY_CURRENT: "context already current",
    Result.MAP_FAILED: "mapping of buffer object failed",
    Result.UNMAP_FAILED: "unmapping of buffer object failed",
    Result.ARRAY_IS_MAPPED: "array is mapped",
    Result.ALREADY_MAPPED: "resource already mapped",
    Result.NO_BINARY_FOR_GPU: "no kernel image is available for execution on the device",
    Result.ALREADY_ACQUIRED: "resource already acquired",
    Result.NOT_MAPPED: "resource not mapped",
    Result.NOT_MAPPED_AS_ARRAY: "resource not mapped as array",
    Result.NOT_MAPPED_AS_POINTER: "resource not mapped as pointer",
    Result.ECC_UNCORRECTABLE: "uncorrectable ECC error encountered",
    Result.UNSUPPORTED_LIMIT: "limit is not supported on this architecture",
    Result.CONTEXT_ALREADY_IN_USE: "exclusive-thread device already in use by a different thread",
    Result.PEER_ACCESS_UNSUPPORTED: "peer access is not supported between these two devices",
    Result.INVALID_PTX: "a PTX JIT compilation failed",
    Result.INVALID_GRAPHICS_CONTEXT: "invalid OpenGL or DirectX context",
    Result.NVLINK_UNCORRECTABLE: "uncorrectable NVLink error detected during the execution",
    Result.JIT_COMPILER_NOT_FOUND: "PTX JIT compiler library not found",
    Result.UNSUPPORTED_PTX_VERSION: "the provided PTX was compiled with an unsupported toolchain.",
    Result.JIT_COMPILATION_DISABLED: "PTX JIT compilation was disabled",
    Result.UNSUPPORTED_EXEC_AFFINITY: "the provided execution affinity is not supported",
    Result.UNSUPPORTED_DEVSIDE_SYNC: "the provided PTX contains unsupported call to "
    "cudaDeviceSynchronize",
    Result.CONTAINED: "contained",
    Result.INSUFFICIENT_LOADER_VERSION: "insufficient loader version",
    Result.INVALID_SOURCE: "device kernel image is invalid",
    Result.FILE_NOT_FOUND: "file not found",
    Result.SHARED_OBJECT_SYMBOL_NOT_FOUND: "shared object symbol not found",
    Result.SHARED_OBJECT_INIT_FAILED: "shared object initialization failed",
    Result.OPERATING_SYSTEM: "OS call failed or operation not supported on this OS",
    Result.INVALID_HANDLE: "invalid resource handle",
    Result.ILLEGAL_STATE: "the operation cannot be performed in the present state",
    Result.LOSSY_QUERY: "the query would discard metadata about the resource",
    Result.NOT_FOUND: "named symbol not found",
    Result.NOT_READY: "device not ready",
    Result.ILLEGAL_ADDRESS: "an illegal memory access was encountered",
    Result.LAUNCH_OUT_OF_RESOURCES: "too many resources requested for launch",
    Result.LAUNCH_TIMEOUT: "the launch timed out and was terminated",
    Result.LAUNCH_INCOMPATIBLE_TEXTURING: "launch uses incompatible texturing mode",
    Result.PEER_ACCESS_ALREADY_ENABLED: "peer access is already enabled",
    Result.PEER_ACCESS_NOT_ENABLED: "peer access has not been enabled",
    Result.PRIMARY_CONTEXT_ACTIVE: "cannot set while device is active in this process",
    Result.CONTEXT_IS_DESTROYED: "context is destroyed",
    Result.ASSERT: "device-side assert triggered",
    Result.TOO_MANY_PEERS: "peer mapping resources exhausted",
    Result.HOST_MEMORY_ALREADY_REGISTERED: "part or all of the requested memory range is already "
    "mapped",
    Result.HOST_MEMORY_NOT_REGISTERED: "pointer does not correspond to a registered memory region",
    Result.HARDWARE_STACK_ERROR: "hardware stack error",
    Result.ILLEGAL_INSTRUCTION: "an illegal instruction was encountered",
    Result.MISALIGNED_ADDRESS: "misaligned address",
    Result.INVALID_ADDRESS_SPACE: "operation not supported on global/shared address space",
    Result.INVALID_PC: "invalid program counter",
    Result.LAUNCH_FAILED: "unspecified launch failure",
    Result.COOPERATIVE_LAUNCH_TOO_LARGE: "too many blocks in cooperative launch",
    Result.TENSOR_MEMORY_LEAK: "tensor memory was not released",
    Result.NOT_PERMITTED: "operation not permitted",
    Result.NOT_SUPPORTED: "operation not supported",
    Result.SYSTEM_NOT_READY: "system not yet initialized",
    Result.SYSTEM_DRIVER_MISMATCH: "system has unsupported display driver / cuda driver "
    "combination",
    Result.COMPAT_NOT_SUPPORTED_ON_DEVICE: "forward compatibility was attempted on non supported "
    "HW",
    Result.MPS_CONNECTION_FAILED: "mps connection failed",
    Result.MPS_RPC_FAILURE: "mps rpc failure",
    Result.MPS_SERVER_NOT_READY: "mps server not ready",
    Result.MPS_MAX_CLIENTS_REACHED: "mps max clients reached",
    Result.MPS_MAX_CONNECTIONS_REACHED: "mps max connections reached",
    Result.MPS_CLIENT_TERMINATED: "mps client terminated",
    Result.CDP_NOT_SUPPORTED: "cdp not supported",
    Result.CDP_VERSION_MISMATCH: "cdp version mismatch",
    Result.STREAM_CAPTURE_UNSUPPORTED: "operation not permitted when stream is capturing",
    Result.STREAM_CAPTURE_INVALIDATED: "operation failed due to a previous error during capture",
    Result.STREAM_CAPTURE_MERGE: "operation would result in a merge of separate capture sequences",
    Result.STREAM_CAPTURE_UNMATCHED: "capture was not ended in the same stream as it began",
    Result.STREAM_CAPTURE_UNJOINED: "capturing stream has unjoined work",
    Result.STREAM_CAPTURE_ISOLATION: "dependency created on uncaptured work in another stream",
    Result.STREAM_CAPTURE_IMPLICIT: "operation would make the legacy stream depend on a capturing "
    "blocking stream",
    Result.CAPTURED_EVENT: "operation not permitted on an event last recorded in a capturing "
    "stream",
    Result.STREAM_CAPTURE_WRONG_THREAD: "attempt to terminate a thread-local capture sequence from "
    "another thread",
    Result.TIMEOUT: "wait operation timed out",
    Result.GRAPH_EXEC_UPDATE_FAILURE: "the graph update was not performed because it included "
    "changes which violated constraints specific to instantiated graph update",
    Result.EXTERNAL_DEVICE: "an async error has occurred in external entity outside of CUDA",
    Result.INVALID_CLUSTER_SIZE: "invalid cluster size",
    Result.FUNCTION_NOT_LOADED: "the requested function is not loaded",
    Result.INVALID_RESOURCE_TYPE: "invalid resource type",
    Result.INVALID_RESOURCE_CONFIGURATION: "invalid resource configuration",
    Result.KEY_ROTATION: "key rotation is under way",
    Result.STREAM_DETACHED: "the stream is detached",
    Result.GRAPH_RECAPTURE_FAILURE: "the graph could not be captured again",
    Result.FABRIC_NOT_READY: "the fabric is not ready",
    Result.UNKNOWN: "unknown error",
}


def name_of(result: Result) -> str:
    """As CUresult has it."""
    return "CUDA_SUCCESS" if result is Result.SUCCESS else f"CUDA_ERROR_{result.name}"


class Refused(Exception):
    """A function's result that is not success, and why."""

    def __init__(self, result: Result, why: str = "") -> None:
        super().__init__(why)
        self.result = result


def require(condition: object, why: str, result: Result = Result.INVALID_VALUE) -> None:
    """Raise `Refused` unless a condition holds."""
    if not condition:
        raise Refused(result, why)


_I, _L = ctypes.c_uint32, ctypes.c_uint64


class Copy2D(ctypes.Structure):
    """CUDA_MEMCPY2D: rows of bytes."""

    _fields_ = (
        ("source_x", _L), ("source_y", _L), ("source_type", _I), ("source_host", _L),
        ("source_device", _L), ("source_array", _L), ("source_pitch", _L),
        ("target_x", _L), ("target_y", _L), ("target_type", _I), ("target_host", _L),
        ("target_device", _L), ("target_array", _L), ("target_pitch", _L),
        ("width", _L), ("height", _L),
    )  # fmt: skip


class Copy3D(ctypes.Structure):
    """CUDA_MEMCPY3D, and CUDA_MEMCPY3D_PEER, which has contexts where this has reserved words."""

    _fields_ = (
        ("source_x", _L), ("source_y", _L), ("source_z", _L), ("source_lod", _L),
        ("source_type", _I), ("source_host", _L), ("source_device", _L), ("source_array", _L),
        ("source_context", _L), ("source_pitch", _L), ("source_height", _L),
        ("target_x", _L), ("target_y", _L), ("target_z", _L), ("target_lod", _L),
        ("target_type", _I), ("target_host", _L), ("target_device", _L), ("target_array", _L),
        ("target_context", _L), ("target_pitch", _L), ("target_height", _L),
        ("width", _L), ("height", _L), ("depth", _L),
    )  # fmt: skip


class ArrayDescription2D(ctypes.Structure):
    """CUDA_ARRAY_DESCRIPTOR."""

    _fields_ = (("width", _L), ("height", _L), ("format", _I), ("channels", _I))


class ArrayDescription(ctypes.Structure):
    """CUDA_ARRAY3D_DESCRIPTOR."""

    _fields_ = (
        ("width", _L), ("height", _L), ("depth", _L), ("format", _I), ("channels", _I),
        ("flags", _I),
    )  # fmt: skip


class ResourceDescription(ctypes.Structure):
    """CUDA_RESOURCE_DESC: a kind, and the words of that kind."""

    _fields_ = (("kind", _I), ("words", _L * 16), ("flags", _I))


class TextureDescription(ctypes.Structure):
    """CUDA_TEXTURE_DESC."""

    _fields_ = (
        ("modes", _I * 3), ("filter", _I), ("flags", _I), ("anisotropy", _I), ("mipmap_filter", _I),
        ("bias", ctypes.c_float), ("least_level", ctypes.c_float), ("most_level", ctypes.c_float),
        ("border", ctypes.c_float * 4), ("reserved", ctypes.c_int32 * 12),
    )  # fmt: skip


class ResourceView(ctypes.Structure):
    """CUDA_RESOURCE_VIEW_DESC."""

    _fields_ = (
        ("format", _I), ("width", _L), ("height", _L), ("depth", _L), ("levels", _I * 2),
        ("layers", _I * 2), ("reserved", _I * 16),
    )  # fmt: skip


class Location(ctypes.Structure):
    """CUmemLocation."""

    _fields_ = (("type", _I), ("id", ctypes.c_int32))


class AccessDescription(ctypes.Structure):
    """CUmemAccessDesc."""

    _fields_ = (("location", Location), ("flags", _I))


class PoolProperties(ctypes.Structure):
    """CUmemPoolProps."""

    _fields_ = (
        ("type", _I), ("handles", _I), ("location", Location), ("security", _L), ("largest", _L),
        ("usage", ctypes.c_uint16), ("reserved", ctypes.c_uint8 * 54),
    )  # fmt: skip


class AllocationProperties(ctypes.Structure):
    """CUmemAllocationProp."""

    _fields_ = (
        ("type", _I), ("handles", _I), ("location", Location), ("security", _L), ("flags", _L),
    )  # fmt: skip


class KernelNode1(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS as CUDA 11 has it: the first words of today's."""

    _fields_ = KernelNode._fields_[:6]


class HostNode(ctypes.Structure):
    """CUDA_HOST_NODE_PARAMS."""

    _fields_ = (("function", _L), ("data", _L))


class AllocationNode(ctypes.Structure):
    """CUDA_MEM_ALLOC_NODE_PARAMS."""

    _fields_ = (
        ("pool", PoolProperties), ("access", _L), ("access_count", _L), ("size", _L),
        ("address", _L),
    )  # fmt: skip


class UpdateResult(ctypes.Structure):
    """CUgraphExecUpdateResultInfo."""

    _fields_ = (("result", _I), ("node", _L), ("from_node", _L))


class ConditionNode(ctypes.Structure):
    """CUDA_CONDITIONAL_NODE_PARAMS; `bodies` is the address of the graphs' handles."""

    _fields_ = (("handle", _L), ("type", _I), ("size", _I), ("bodies", _L), ("context", _L))


class InstantiateParameters(ctypes.Structure):
    """CUDA_GRAPH_INSTANTIATE_PARAMS."""

    _fields_ = (("flags", _L), ("stream", _L), ("node", _L), ("result", _I))


class Uuid(ctypes.Structure):
    """CUuuid."""

    _fields_ = (("bytes", ctypes.c_uint8 * 16),)


class TensorMap(ctypes.Structure):
    """CUtensorMap: opaque."""

    _fields_ = (("words", _L * 16),)


class ContextParameters(ctypes.Structure):
    """CUctxCreateParams."""

    _fields_ = (("affinity", _L), ("affinities", ctypes.c_int32), ("cig", _L))


class NodeParameters(ctypes.Structure):
    """CUgraphNodeParams: a kind, and the structure of that kind."""

    _fields_ = (("type", _I), ("reserved", _I * 3), ("words", _L * 29), ("reserved2", _L))


class DevResource(ctypes.Structure):
    """CUdevResource of multiprocessors: how many, how many the smallest part has, and of what their
    number is a multiple. `device`, in bytes that are the driver's own, is an ordinal plus one."""

    _fields_ = (
        ("type", _I), ("device", _I), ("padding", ctypes.c_uint8 * 88), ("count", _I),
        ("least", _I), ("alignment", _I), ("flags", _I), ("rest", ctypes.c_uint8 * 24),
        ("next", _L),
    )  # fmt: skip


class MemoryOperation(ctypes.Structure):
    """CUstreamBatchMemOpParams of a write or a wait."""

    _fields_ = (
        ("operation", _I), ("address", _L), ("value", _L), ("flags", _I), ("alias", _L),
        ("rest", _L),
    )  # fmt: skip


STRUCTURES: dict[str, type[ctypes.Structure]] = {
    "CUDA_MEMCPY2D": Copy2D, "CUDA_MEMCPY3D": Copy3D, "CUDA_MEMCPY3D_PEER": Copy3D,
    "CUDA_ARRAY_DESCRIPTOR": ArrayDescription2D, "CUDA_ARRAY3D_DESCRIPTOR": ArrayDescription,
    "CUDA_RESOURCE_DESC": ResourceDescription, "CUDA_TEXTURE_DESC": TextureDescription,
    "CUDA_RESOURCE_VIEW_DESC": ResourceView,
    "CUmemLocation": Location, "CUmemAccessDesc": AccessDescription,
    "CUmemAllocationProp": AllocationProperties, "CUmemPoolProps": PoolProperties,
    "CUDA_HOST_NODE_PARAMS": HostNode,
    "CUDA_MEM_ALLOC_NODE_PARAMS": AllocationNode, "CUDA_MEMSET_NODE_PARAMS": FillNode,
    "CUDA_KERNEL_NODE_PARAMS": KernelNode, "CUDA_KERNEL_NODE_PARAMS_v1": KernelNode1,
    "CUlaunchConfig": LaunchConfig,
    "CUlaunchAttributeValue": LaunchAttribute, "CUgraphExecUpdateResultInfo": UpdateResult,
    "CUDA_GRAPH_INSTANTIATE_PARAMS": InstantiateParameters, "CUuuid": Uuid,
    "CUtensorMap": TensorMap, "CUctxCreateParams": ContextParameters,
    "CUgraphNodeParams": NodeParameters, "CUdevResource": DevResource,
}  # fmt: skip
