# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our layouts of the driver's structures against those of the bindings, which come from cuda.h."""

from __future__ import annotations

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode
from xgpu.runtime.cuda.launches import (
    CLUSTER_DIMENSION,
    CLUSTER_POLICY,
    CLUSTER_SPREAD,
    LaunchAttribute,
    LaunchConfig,
)

AXES = ("DimX", "DimY", "DimZ")


def sized(made):
    """Sizes of a grid and of a block, each another number."""
    for at, axis in enumerate(AXES, 2):
        setattr(made, f"grid{axis}", at)
        setattr(made, f"block{axis}", at + 3)
    made.sharedMemBytes = 11


def check_sizes(read):
    assert (list(read.grid), list(read.block), read.shared) == ([2, 3, 4], [5, 6, 7], 11)


def test_a_launch():
    made = real.CUlaunchConfig()
    sized(made)
    made.hStream = real.CUstream(0x77)
    kinds = real.CUlaunchAttributeID
    cluster, policy = real.CUlaunchAttribute(), real.CUlaunchAttribute()
    cluster.id = kinds.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
    cluster.value.clusterDim.x, cluster.value.clusterDim.y, cluster.value.clusterDim.z = 8, 9, 10
    policy.id = kinds.CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
    policy.value.clusterSchedulingPolicyPreference = (
        real.CUclusterSchedulingPolicy.CU_CLUSTER_SCHEDULING_POLICY_SPREAD
    )
    made.attrs, made.numAttrs = [cluster, policy], 2
    read = LaunchConfig.from_address(made.getPtr())
    check_sizes(read)
    assert (read.stream, read.count) == (0x77, 2)
    attributes = (LaunchAttribute * 2).from_address(read.attributes)
    assert (attributes[0].id, list(attributes[0].value[:3])) == (CLUSTER_DIMENSION, [8, 9, 10])
    assert (attributes[1].id, attributes[1].value[0]) == (CLUSTER_POLICY, CLUSTER_SPREAD)


def test_a_kernel_node():
    made = real.CUDA_KERNEL_NODE_PARAMS()
    made.func = real.CUfunction(0x55)
    sized(made)
    made.kernelParams = 0x99
    made.ctx = real.CUcontext(0x66)
    read = KernelNode.from_address(made.getPtr())
    check_sizes(read)
    assert (read.function, read.parameters, read.context) == (0x55, 0x99, 0x66)


def test_a_fill():
    made = real.CUDA_MEMSET_NODE_PARAMS()
    made.dst, made.pitch, made.value = real.CUdeviceptr(0x30), 17, 18
    made.elementSize, made.width, made.height = 4, 19, 20
    read = FillNode.from_address(made.getPtr())
    assert (read.target, read.pitch, read.value, read.size) == (0x30, 17, 18, 4)
    assert (read.width, read.height) == (19, 20)
