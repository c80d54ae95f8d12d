# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Workgroup memory, static and dynamic, clusters, many parameters on an NVIDIA GPU."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu
from xgpu.core.ir.errors import DeviceError

pytestmark = pytest.mark.gpu


def shared(static: int) -> str:
    """A kernel that takes numbers through `static` bytes of its own, and the last word of the
    dynamic memory behind that."""
    words = static // 4
    return f"""
gpu.module @kernels {{
  gpu.func @through(%a: memref<?xi32>, %last: index)
      workgroup(%own : memref<{words}xi32, #gpu.address_space<workgroup>>) kernel {{
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %own_last = arith.constant {words - 1} : index
    %at = arith.subi %own_last, %t : index
    %x = memref.load %a[%t] : memref<?xi32>
    memref.store %x, %own[%at] : memref<{words}xi32, #gpu.address_space<workgroup>>
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %n = arith.constant 256 : index
    %size = arith.addi %last, %n : index
    %d = memref.view %m[%c0][%size] : memref<?xi8, #gpu.address_space<workgroup>>
      to memref<?xi32, #gpu.address_space<workgroup>>
    %place = arith.addi %last, %t : index
    memref.store %x, %d[%place] : memref<?xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = memref.load %own[%at] : memref<{words}xi32, #gpu.address_space<workgroup>>
    %z = memref.load %d[%place] : memref<?xi32, #gpu.address_space<workgroup>>
    %sum = arith.addi %y, %z : i32
    memref.store %sum, %a[%t] : memref<?xi32>
    gpu.return
  }}
}}
"""


@pytest.mark.parametrize("static", [1024, 28 * 1024, 47 * 1024])
@pytest.mark.parametrize("all_of_it", [48 * 1024, 100 * 1024, None])
def test_workgroup_memory(static: int, all_of_it: int | None, attribute) -> None:
    most = attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
    total = most if all_of_it is None else all_of_it
    if total > most:
        pytest.skip(f"the device has {most} bytes")
    dynamic = total - static
    if dynamic < 1024:
        pytest.skip("no dynamic memory is left")
    kernel = xgpu.load(shared(static), "cuda").kernels["through"]
    assert kernel.shared_bytes == static
    for _ in range(2):  # through Python, and in one call
        array = xgpu.asarray(np.arange(256, dtype=np.int32), "cuda")
        kernel[1, 256, None, dynamic](array, dynamic // 4 - 256)
        assert np.array_equal(array.numpy(), 2 * np.arange(256))


def test_one_byte_more_than_there_is(attribute) -> None:
    most = attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
    kernel = xgpu.load(shared(1024), "cuda").kernels["through"]
    array = xgpu.zeros(256, "int32", "cuda")
    with pytest.raises(DeviceError, match=f"the limit is {most}"):
        kernel[1, 256, None, most - 1020](array, 0)


CLUSTER = """
gpu.module @kernels {
  gpu.func @ranks(%a: memref<?xi32>) kernel {
    %b = gpu.block_id x
    %r = gpu.cluster_block_id x
    %n = gpu.cluster_dim_blocks x
    %ten = arith.constant 100 : index
    %high = arith.muli %n, %ten : index
    %v = arith.addi %high, %r : index
    %w = arith.index_cast %v : index to i32
    memref.store %w, %a[%b] : memref<?xi32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize("blocks", [1, 2, 8, 16])
def test_clusters(blocks: int, needs_chip) -> None:
    needs_chip(9)
    kernel = xgpu.load(CLUSTER, "cuda").kernels["ranks"]
    for _ in range(2):
        array = xgpu.zeros(32, "int32", "cuda")
        kernel.launch(grid=32, block=1, cluster=blocks)(array)
        assert np.array_equal(array.numpy(), 100 * blocks + np.arange(32) % blocks)


@pytest.mark.parametrize("count", [544, 545, 4000])
def test_many_parameters(count: int, needs_chip) -> None:
    needs_chip(7)
    names = ", ".join(f"%a{i}: i64" for i in range(count - 5))
    source = f"""
gpu.module @kernels {{
  gpu.func @last(%out: memref<?xi64>, {names}) kernel {{
    %c0 = arith.constant 0 : index
    memref.store %a{count - 6}, %out[%c0] : memref<?xi64>
    gpu.return
  }}
}}
"""
    array = xgpu.zeros(1, "int64", "cuda")
    xgpu.load(source, "cuda").kernels["last"][1, 1](array, *range(count - 5))
    assert array.numpy()[0] == count - 6
