# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seven kernels twice, in MLIR's gpu dialect and in OpenCL C, with the same blocks, algorithms and
constants.

`CASES` has for each: the programs, how they are launched, their arguments, and what comes out.
OpenCL has no shuffles of a warp in what PoCL offers, so its softmax exchanges through local memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from host_case import ELEMENTS, INDICES, WORKGROUP, Case, apart, module
from host_kernels_blocks import matmul, reduction, scan, softmax

# -- vector add


def _add() -> Case:
    a, b = (np.random.default_rng(i).random(ELEMENTS, np.float32) for i in (0, 1))
    mlir = module("%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: index", "", f"""
{INDICES}
      %inside = arith.cmpi ult, %x, %n : index
      scf.if %inside {{
        %p = memref.load %a[%x] : memref<?xf32>
        %q = memref.load %b[%x] : memref<?xf32>
        %s = arith.addf %p, %q : f32
        memref.store %s, %c[%x] : memref<?xf32>
      }}""")  # fmt: skip
    opencl = """
__kernel void k(__global float *a, __global float *b, __global float *c, ulong n) {
  size_t x = get_global_id(0);
  if (x < n) c[x] = a[x] + b[x];
}"""
    return Case(
        "vector add", mlir, opencl, (ELEMENTS // 256,), (256,),
        lambda: [*apart(a, b, np.zeros(ELEMENTS, np.float32)), np.int64(ELEMENTS)],
        lambda got: bool(np.array_equal(got[2], a + b)),
    )  # fmt: skip


# -- histogram


def _histogram() -> Case:
    data = np.random.default_rng(5).integers(0, 256, ELEMENTS, dtype=np.int32)
    expected = np.bincount(data, minlength=256).astype(np.int32)
    own = f"memref<256xi32, {WORKGROUP}>"
    mlir = module("%in: memref<?xi32>, %bins: memref<256xi32>", f"%own: {own}", f"""
{INDICES}
      %c16 = arith.constant 16 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %grid = gpu.grid_dim x
      %step = arith.muli %grid, %dx : index
      memref.store %zero, %own[%tx] : {own}
      gpu.barrier
      scf.for %i = %c0 to %c16 step %c1 {{
        %far = arith.muli %i, %step : index
        %at = arith.addi %far, %x : index
        %value = memref.load %in[%at] : memref<?xi32>
        %bin = arith.index_cast %value : i32 to index
        %old = memref.atomic_rmw addi %one, %own[%bin] : (i32, {own}) -> i32
      }}
      gpu.barrier
      %count = memref.load %own[%tx] : {own}
      %all = memref.atomic_rmw addi %count, %bins[%tx]
        : (i32, memref<256xi32>) -> i32""")  # fmt: skip
    opencl = """
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k(__global int *in, __global int *bins) {
  __local int own[256];
  size_t t = get_local_id(0);
  own[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 16; i++)
    atomic_add(&own[in[i * get_global_size(0) + get_global_id(0)]], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[t], own[t]);
}"""

    def again(arguments: list[Any]) -> None:
        arguments[1][:] = 0

    return Case(
        "histogram", mlir, opencl, (ELEMENTS // 4096,), (256,),
        lambda: apart(data, np.zeros(256, np.int32)),
        lambda got: bool(np.array_equal(got[1], expected)), again,
    )  # fmt: skip


# -- stencil


def _stencil() -> Case:
    n = 1024
    data = np.random.default_rng(7).random((n, n), np.float32)
    expected = data.copy()
    expected[1:-1, 1:-1] = (
        data[1:-1, 1:-1] + data[:-2, 1:-1] + data[2:, 1:-1] + data[1:-1, :-2] + data[1:-1, 2:]
    ) * np.float32(0.2)
    ty = f"memref<{n}x{n}xf32>"
    mlir = module(f"%in: {ty}, %out: {ty}", "", f"""
{INDICES}
      %n = arith.constant {n} : index
      %last = arith.subi %n, %c1 : index
      %a = arith.cmpi ugt, %x, %c0 : index
      %b = arith.cmpi ult, %x, %last : index
      %c = arith.cmpi ugt, %y, %c0 : index
      %d = arith.cmpi ult, %y, %last : index
      %ab = arith.andi %a, %b : i1
      %cd = arith.andi %c, %d : i1
      %inside = arith.andi %ab, %cd : i1
      scf.if %inside {{
        %up = arith.subi %y, %c1 : index
        %down = arith.addi %y, %c1 : index
        %left = arith.subi %x, %c1 : index
        %right = arith.addi %x, %c1 : index
        %v0 = memref.load %in[%y, %x] : {ty}
        %v1 = memref.load %in[%up, %x] : {ty}
        %v2 = memref.load %in[%down, %x] : {ty}
        %v3 = memref.load %in[%y, %left] : {ty}
        %v4 = memref.load %in[%y, %right] : {ty}
        %fifth = arith.constant 0.2 : f32
        %s1 = arith.addf %v0, %v1 : f32
        %s2 = arith.addf %s1, %v2 : f32
        %s3 = arith.addf %s2, %v3 : f32
        %s4 = arith.addf %s3, %v4 : f32
        %mean = arith.mulf %s4, %fifth : f32
        memref.store %mean, %out[%y, %x] : {ty}
      }}""")  # fmt: skip
    opencl = f"""
__kernel void k(__global float *in, __global float *out) {{
  long x = get_global_id(0), y = get_global_id(1), n = {n};
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {{
    float s = in[y * n + x] + in[(y - 1) * n + x] + in[(y + 1) * n + x] + in[y * n + x - 1]
        + in[y * n + x + 1];
    out[y * n + x] = s * 0.2f;
  }}
}}"""
    return Case(
        "stencil", mlir, opencl, (n // 32, n // 8), (32, 8),
        lambda: apart(data, data),
        lambda got: bool(np.allclose(got[1], expected, rtol=1e-5)),
    )  # fmt: skip


CASES = (_add, matmul, reduction, _histogram, softmax, _stencil, scan)
