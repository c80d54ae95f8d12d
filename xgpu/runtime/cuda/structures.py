# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver's structures as cuda.h of CUDA 12.0 lays them out, the interface that entry points
are asked for. Machine code takes offsets from here; a test holds them against the bindings' own.
"""

from __future__ import annotations

import ctypes

_I, _L = ctypes.c_uint32, ctypes.c_uint64

CLUSTER_DIMENSION, CLUSTER_POLICY = 4, 5  # CUlaunchAttributeID
CLUSTER_SPREAD = 1  # CUclusterSchedulingPolicy


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = (
        ("grid", _I * 3), ("block", _I * 3), ("shared", _I), ("stream", _L), ("attributes", _L),
        ("count", _I),
    )  # fmt: skip


class LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute: a value of up to 64 bytes."""

    _fields_ = (("id", _I), ("padding", _I), ("value", _I * 16))


class KernelNode(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS."""

    _fields_ = (
        ("function", _L), ("grid", _I * 3), ("block", _I * 3), ("shared", _I), ("parameters", _L),
        ("extra", _L), ("kernel", _L), ("context", _L),
    )  # fmt: skip


class FillNode(ctypes.Structure):
    """CUDA_MEMSET_NODE_PARAMS."""

    _fields_ = (
        ("target", _L), ("pitch", _L), ("value", _I), ("size", _I), ("width", _L), ("height", _L),
    )  # fmt: skip


class DirectRecord(ctypes.Structure):
    """What a launch in one call reads (ours, not the driver's): `context` is the address of the
    handle of the context to launch in, `config` a LaunchConfig, or 0 for a launch without clusters,
    `gate` the address of the module's `GateRecord`.
    """

    _fields_ = (
        ("context", _L), ("function", _L), ("parameters", _L), ("stream", _L), ("config", _L),
        ("gate", _L), ("grid", _I * 3), ("block", _I * 3), ("shared", _I),
    )  # fmt: skip
    #: What `config` points to.
    kept: object = None
    #: What `gate` points into.
    gate_kept: object = None


def offset(structure: type[ctypes.Structure], field: str, at: int = 0) -> int:
    """Where a field begins, in bytes, or the 32-bit element `at` of it."""
    found: int = getattr(structure, field).offset
    return found + 4 * at
