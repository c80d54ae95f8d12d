# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose threads exchange values with others of their block; see `host_kernels`."""

from __future__ import annotations

from typing import Any

import numpy as np
from host_case import ELEMENTS, INDICES, WORKGROUP, Case, apart, module

# -- tiled matmul


def tiled_product(
    n: int, local: tuple[str, str], place: tuple[str, str], indices: str = ""
) -> str:
    """A product of n x n matrices by tiles of 16 x 16. The names are those of a thread's column and
    row in its tile and in the result, which `indices` computes if they are no thread's."""
    (tx, ty), (x, y) = local, place
    whole, tile = f"memref<{n}x{n}xf32>", f"memref<16x16xf32, {WORKGROUP}>"
    return module(f"%a: {whole}, %b: {whole}, %c: {whole}", f"%sa: {tile}, %sb: {tile}", f"""
{INDICES}
      %c16 = arith.constant 16 : index
      %n = arith.constant {n // 16} : index
      %zero = arith.constant 0.0 : f32{indices}
      %r = scf.for %t = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {{
        %first = arith.muli %t, %c16 : index
        %col = arith.addi %first, {tx} : index
        %row = arith.addi %first, {ty} : index
        %p = memref.load %a[{y}, %col] : {whole}
        memref.store %p, %sa[{ty}, {tx}] : {tile}
        %q = memref.load %b[%row, {x}] : {whole}
        memref.store %q, %sb[{ty}, {tx}] : {tile}
        gpu.barrier
        %next = scf.for %k = %c0 to %c16 step %c1 iter_args(%sum = %acc) -> (f32) {{
          %u = memref.load %sa[{ty}, %k] : {tile}
          %v = memref.load %sb[%k, {tx}] : {tile}
          %m = arith.mulf %u, %v : f32
          %s = arith.addf %sum, %m : f32
          scf.yield %s : f32
        }}
        gpu.barrier
        scf.yield %next : f32
      }}
      memref.store %r, %c[{y}, {x}] : {whole}""")  # fmt: skip


def matmul() -> Case:
    n = 256
    a, b = (np.random.default_rng(i).random((n, n), np.float32) for i in (2, 3))
    mlir = tiled_product(n, ("%tx", "%ty"), ("%x", "%y"))
    opencl = """
#pragma OPENCL FP_CONTRACT OFF
#define N 256
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void k(__global float *a, __global float *b, __global float *c) {
  __local float sa[16][16], sb[16][16];
  size_t tx = get_local_id(0), ty = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int t = 0; t < N / 16; t++) {
    sa[ty][tx] = a[y * N + t * 16 + tx];
    sb[ty][tx] = b[(t * 16 + ty) * N + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) sum += sa[ty][k] * sb[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * N + x] = sum;
}"""
    return Case(
        "matmul 256", mlir, opencl, (16, 16), (16, 16),
        lambda: apart(a, b, np.zeros((n, n), np.float32)),
        lambda got: bool(np.allclose(got[2], a @ b, rtol=1e-4)),
    )  # fmt: skip


# -- tree reduction


def reduction() -> Case:
    blocks = 16384
    data = np.random.default_rng(4).random(blocks * 256, np.float32)
    part = f"memref<256xf32, {WORKGROUP}>"
    mlir = module("%in: memref<?xf32>, %out: memref<?xf32>", f"%part: {part}", f"""
{INDICES}
      %c8 = arith.constant 8 : index
      %c128 = arith.constant 128 : index
      %own = memref.load %in[%x] : memref<?xf32>
      memref.store %own, %part[%tx] : {part}
      gpu.barrier
      scf.for %step = %c0 to %c8 step %c1 {{
        %stride = arith.shrui %c128, %step : index
        %active = arith.cmpi ult, %tx, %stride : index
        scf.if %active {{
          %other = arith.addi %tx, %stride : index
          %p = memref.load %part[%tx] : {part}
          %q = memref.load %part[%other] : {part}
          %s = arith.addf %p, %q : f32
          memref.store %s, %part[%tx] : {part}
        }}
        gpu.barrier
      }}
      %first = arith.cmpi eq, %tx, %c0 : index
      scf.if %first {{
        %s = memref.load %part[%c0] : {part}
        memref.store %s, %out[%bx] : memref<?xf32>
      }}""")  # fmt: skip
    opencl = """
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k(__global float *in, __global float *out) {
  __local float part[256];
  size_t t = get_local_id(0);
  part[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < 8; step++) {
    size_t stride = 128 >> step;
    if (t < stride) part[t] += part[t + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = part[0];
}"""
    return Case(
        "tree reduction", mlir, opencl, (blocks,), (256,),
        lambda: apart(data, np.zeros(blocks, np.float32)),
        lambda got: bool(np.allclose(got[1], data.reshape(-1, 256).sum(1), rtol=1e-4)),
    )  # fmt: skip


# -- softmax


def softmax() -> Case:
    rows, columns = 4096, 256
    data = np.random.default_rng(6).standard_normal((rows, columns)).astype(np.float32)
    e = np.exp(data.astype(np.float64) - data.max(1, keepdims=True))
    expected = e / e.sum(1, keepdims=True)
    ty = f"memref<{rows}x{columns}xf32>"

    def reduced(name: str, op: str, value: str) -> str:
        lines: list[str] = []
        for step in (16, 8, 4, 2, 1):
            lines += [
                f"%{name}d{step} = arith.constant {step} : i32",
                f"%{name}o{step}, %{name}v{step} = "
                f"gpu.shuffle xor {value}, %{name}d{step}, %warp : f32",
                f"%{name}{step} = arith.{op} {value}, %{name}o{step} : f32",
            ]
            value = f"%{name}{step}"
        return "\n".join("      " + line for line in lines)

    mlir = module(f"%in: {ty}, %out: {ty}", "", f"""
{INDICES}
      %warp = arith.constant 32 : i32
      %c32 = arith.constant 32 : index
      %n = arith.constant {columns} : index
      %low = arith.constant -3.0e38 : f32
      %zero = arith.constant 0.0 : f32
      %own = scf.for %i = %tx to %n step %c32 iter_args(%m = %low) -> (f32) {{
        %v = memref.load %in[%y, %i] : {ty}
        %more = arith.maximumf %m, %v : f32
        scf.yield %more : f32
      }}
{reduced("m", "maximumf", "%own")}
      %part = scf.for %i = %tx to %n step %c32 iter_args(%s = %zero) -> (f32) {{
        %v = memref.load %in[%y, %i] : {ty}
        %d = arith.subf %v, %m1 : f32
        %e = math.exp %d : f32
        memref.store %e, %out[%y, %i] : {ty}
        %more = arith.addf %s, %e : f32
        scf.yield %more : f32
      }}
{reduced("s", "addf", "%part")}
      scf.for %i = %tx to %n step %c32 {{
        %e = memref.load %out[%y, %i] : {ty}
        %q = arith.divf %e, %s1 : f32
        memref.store %q, %out[%y, %i] : {ty}
      }}""")  # fmt: skip
    opencl = f"""
#define N {columns}
__kernel __attribute__((reqd_work_group_size(32, 4, 1)))
void k(__global float *in, __global float *out) {{
  __local float part[4][32];
  size_t t = get_local_id(0), ty = get_local_id(1), y = get_global_id(1);
  float m = -3.0e38f;
  for (size_t i = t; i < N; i += 32) m = fmax(m, in[y * N + i]);
  for (int step = 16; step; step >>= 1) {{
    part[ty][t] = m;
    barrier(CLK_LOCAL_MEM_FENCE);
    m = fmax(m, part[ty][t ^ step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }}
  float s = 0;
  for (size_t i = t; i < N; i += 32) {{
    float e = exp(in[y * N + i] - m);
    out[y * N + i] = e;
    s += e;
  }}
  for (int step = 16; step; step >>= 1) {{
    part[ty][t] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    s += part[ty][t ^ step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }}
  for (size_t i = t; i < N; i += 32) out[y * N + i] /= s;
}}"""
    return Case(
        "softmax", mlir, opencl, (1, rows // 4), (32, 4),
        lambda: apart(data, np.zeros((rows, columns), np.float32)),
        lambda got: bool(np.allclose(got[1], expected, rtol=1e-4, atol=1e-7)),
    )  # fmt: skip


# -- look-back scan


def scan() -> Case:
    """Inclusive sums: each block waits for the sum of all blocks before it."""
    blocks = ELEMENTS // 256
    data = np.random.default_rng(8).integers(0, 10, ELEMENTS, dtype=np.int32)
    expected = np.cumsum(data, dtype=np.int64).astype(np.int32)
    part = f"memref<256xi32, {WORKGROUP}>"
    one = f"memref<1xi32, {WORKGROUP}>"
    mlir = module(
        "%in: memref<?xi32>, %out: memref<?xi32>, %ticket: memref<1xi32>, %state: memref<?xi64>",
        f"%part: {part}, %mine: {one}, %before: {one}",
        f"""
{INDICES}
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %c8 = arith.constant 8 : index
      %c255 = arith.constant 255 : index
      %c256 = arith.constant 256 : index
      %first = arith.cmpi eq, %tx, %c0 : index
      scf.if %first {{
        %t = memref.atomic_rmw addi %one, %ticket[%c0] : (i32, memref<1xi32>) -> i32
        memref.store %t, %mine[%c0] : {one}
      }}
      gpu.barrier
      %t32 = memref.load %mine[%c0] : {one}
      %tile = arith.index_cast %t32 : i32 to index
      %start = arith.muli %tile, %c256 : index
      %at = arith.addi %start, %tx : index
      %own = memref.load %in[%at] : memref<?xi32>
      memref.store %own, %part[%tx] : {part}
      gpu.barrier
      scf.for %step = %c0 to %c8 step %c1 {{
        %far = arith.shli %c1, %step : index
        %reaches = arith.cmpi uge, %tx, %far : index
        %add = scf.if %reaches -> (i32) {{
          %left = arith.subi %tx, %far : index
          %v = memref.load %part[%left] : {part}
          scf.yield %v : i32
        }} else {{
          scf.yield %zero : i32
        }}
        gpu.barrier
        %v = memref.load %part[%tx] : {part}
        %s = arith.addi %v, %add : i32
        memref.store %s, %part[%tx] : {part}
        gpu.barrier
      }}
      scf.if %first {{
        %c32 = arith.constant 32 : i64
        %total = memref.load %part[%c255] : {part}
        %total64 = arith.extui %total : i32 to i64
        %flag = arith.constant 4294967296 : i64
        %isfirst = arith.cmpi eq, %tile, %c0 : index
        %prefix = scf.if %isfirst -> (i64) {{
          %none = arith.constant 0 : i64
          scf.yield %none : i64
        }} else {{
          %previous = arith.subi %tile, %c1 : index
          %none = arith.constant 0 : i64
          %ready = scf.while (%seen = %none) : (i64) -> (i64) {{
            %now = memref.atomic_rmw addi %none, %state[%previous] : (i64, memref<?xi64>) -> i64
            %there = arith.cmpi ult, %now, %flag : i64
            scf.condition(%there) %now : i64
          }} do {{
          ^bb0(%seen: i64):
            scf.yield %seen : i64
          }}
          %sum = arith.subi %ready, %flag : i64
          scf.yield %sum : i64
        }}
        %all = arith.addi %prefix, %total64 : i64
        %published = arith.addi %all, %flag : i64
        %old = memref.atomic_rmw addi %published, %state[%tile] : (i64, memref<?xi64>) -> i64
        %p32 = arith.trunci %prefix : i64 to i32
        memref.store %p32, %before[%c0] : {one}
      }}
      gpu.barrier
      %base = memref.load %before[%c0] : {one}
      %v = memref.load %part[%tx] : {part}
      %s = arith.addi %v, %base : i32
      memref.store %s, %out[%at] : memref<?xi32>""",
    )
    opencl = """
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k(__global int *in, __global int *out, __global int *ticket, volatile __global long *state) {
  __local int part[256], mine, before;
  size_t t = get_local_id(0);
  if (t == 0) mine = atomic_add(ticket, 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t tile = mine, at = tile * 256 + t;
  part[t] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < 8; step++) {
    size_t far = 1 << step;
    int add = 0;
    if (t >= far) add = part[t - far];
    barrier(CLK_LOCAL_MEM_FENCE);
    part[t] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) {
    long flag = 1L << 32, prefix = 0;
    if (tile != 0) {
      long now;
      do now = atom_add(&state[tile - 1], 0L); while (now < flag);
      prefix = now - flag;
    }
    atom_add(&state[tile], prefix + part[255] + flag);
    before = prefix;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = part[t] + before;
}"""

    def again(arguments: list[Any]) -> None:
        arguments[2][:] = 0
        arguments[3][:] = 0

    return Case(
        "look-back scan", mlir, opencl, (blocks,), (256,),
        lambda: apart(
            data, np.zeros(ELEMENTS, np.int32), np.zeros(1, np.int32), np.zeros(blocks, np.int64)
        ),
        lambda got: bool(np.array_equal(got[1], expected)), again,
    )  # fmt: skip
