# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structures of cuda.h (CUDA 13), as far as the driver's functions take them."""

from __future__ import annotations

import ctypes
from typing import Any

from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode
from xgpu.runtime.cuda.launches import LaunchAttribute, LaunchConfig

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


STRUCTURES: dict[str, Any] = {
    "CUDA_MEMCPY2D": Copy2D, "CUDA_MEMCPY3D": Copy3D, "CUDA_MEMCPY3D_PEER": Copy3D,
    "CUmemLocation": Location, "CUmemAccessDesc": AccessDescription,
    "CUmemPoolProps": PoolProperties, "CUDA_HOST_NODE_PARAMS": HostNode,
    "CUDA_MEM_ALLOC_NODE_PARAMS": AllocationNode, "CUDA_MEMSET_NODE_PARAMS": FillNode,
    "CUDA_KERNEL_NODE_PARAMS": KernelNode, "CUDA_KERNEL_NODE_PARAMS_v1": KernelNode1,
    "CUlaunchConfig": LaunchConfig,
    "CUlaunchAttributeValue": LaunchAttribute, "CUgraphExecUpdateResultInfo": UpdateResult,
    "CUDA_GRAPH_INSTANTIATE_PARAMS": InstantiateParameters, "CUuuid": Uuid,
    "CUtensorMap": TensorMap, "CUctxCreateParams": ContextParameters,
    "CUgraphNodeParams": NodeParameters,
}  # fmt: skip
