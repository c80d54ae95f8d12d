# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that were expensive under the sanitizer: what keeps a launch from being screened.

`WATCHED` has a matmul that divides the thread's number, a double buffer of asynchronous copies, a
pipeline of bulk copies and mbarriers, a reduction whose last block adds up what the others have
left, and a histogram in global memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from host_case import ELEMENTS, INDICES, WORKGROUP, Case, apart, module
from host_kernels_blocks import tiled_product

# -- rows and columns of a tile from a number, as CUDA programs have them


def divided_matmul() -> Case:
    n = 256
    a, b = (np.random.default_rng(i).random((n, n), np.float32) for i in (2, 3))
    mlir = tiled_product(n, ("%tcol", "%trow"), ("%gx", "%gy"), """
      %tcol = arith.remui %tx, %c16 : index
      %trow = arith.divui %tx, %c16 : index
      %xo = arith.muli %bx, %c16 : index
      %yo = arith.muli %by, %c16 : index
      %gx = arith.addi %xo, %tcol : index
      %gy = arith.addi %yo, %trow : index""")  # fmt: skip
    return Case(
        "divided matmul", mlir, "", (16, 16), (256,),
        lambda: apart(a, b, np.zeros((n, n), np.float32)),
        lambda got: bool(np.allclose(got[2], a @ b, rtol=1e-4)),
    )  # fmt: skip


# -- asynchronous copies


def double_buffer() -> Case:
    """Each block adds up tiles that the next copy brings while one is used."""
    blocks, tiles = 64, 16
    data = np.random.default_rng(9).random((blocks, tiles, 256), np.float32)
    ty, own = f"memref<{blocks}x{tiles}x256xf32>", f"memref<2x256xf32, {WORKGROUP}>"
    mlir = module(f"%in: {ty}, %out: memref<{blocks}x256xf32>", f"%own: {own}", f"""
{INDICES}
      %c2 = arith.constant 2 : index
      %c255 = arith.constant 255 : index
      %n = arith.constant {tiles} : index
      %zero = arith.constant 0.0 : f32
      %other = arith.subi %c255, %tx : index
      %t0 = nvgpu.device_async_copy %in[%bx, %c0, %tx], %own[%c0, %tx], 1 : {ty} to {own}
      %g0 = nvgpu.device_async_create_group %t0
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {{
        %next = arith.addi %i, %c1 : index
        %is_more = arith.cmpi ult, %next, %n : index
        %slot = arith.remui %i, %c2 : index
        %far = arith.remui %next, %c2 : index
        scf.if %is_more {{
          %t = nvgpu.device_async_copy %in[%bx, %next, %tx], %own[%far, %tx], 1 : {ty} to {own}
        }}
        %g = nvgpu.device_async_create_group
        nvgpu.device_async_wait %g {{numGroups = 1 : i32}}
        gpu.barrier
        %v = memref.load %own[%slot, %other] : {own}
        %more = arith.addf %sum, %v : f32
        gpu.barrier
        scf.yield %more : f32
      }}
      memref.store %r, %out[%bx, %tx] : memref<{blocks}x256xf32>""")  # fmt: skip
    expected = data.sum(1)[:, ::-1]
    return Case(
        "double buffer", mlir, "", (blocks,), (256,),
        lambda: apart(data, np.zeros((blocks, 256), np.float32)),
        lambda got: bool(np.allclose(got[1], expected, rtol=1e-4)),
    )  # fmt: skip


def bulk_pipeline() -> Case:
    """Each block adds up tiles that bulk copies bring, four at a time, each with an mbarrier."""
    blocks, tiles, size = 64, 16, 256
    data = np.random.default_rng(13).random((blocks, tiles, size), np.float32)
    full = """
        %to = llvm.getelementptr %tiles[%slot32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !tile
        %bar = llvm.getelementptr %bars[%slot32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64"""
    copy = """
          %target = llvm.addrspacecast %to : !llvm.ptr<3> to !llvm.ptr<7>
          nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
          nvvm.cp.async.bulk.shared.cluster.global %target, %from, %bar, %bytes
            : !llvm.ptr<7>, !llvm.ptr<1>"""
    mlir = f"""
!tile = !llvm.array<{size} x f32>
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    llvm.mlir.global internal @tiles() {{addr_space = 3 : i32, alignment = 128 : i64}}
      : !llvm.array<4 x !tile>
    llvm.mlir.global internal @bars() {{addr_space = 3 : i32, alignment = 8 : i64}}
      : !llvm.array<4 x i64>
    gpu.func @k(%in: memref<{blocks}x{tiles}x{size}xf32>, %out: memref<{blocks}x{size}xf32>) kernel {{
{INDICES}
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %n = arith.constant {tiles} : index
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1 : i32
      %ticks = arith.constant 10000000 : i32
      %bytes = arith.constant {size * 4} : i32
      %first = arith.cmpi eq, %tx, %c0 : index
      %tiles = llvm.mlir.addressof @tiles : !llvm.ptr<3>
      %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
      %at = memref.extract_aligned_pointer_as_index %in : memref<{blocks}x{tiles}x{size}xf32> -> index
      %number = arith.index_cast %at : index to i64
      %own = arith.muli %bx, %n : index
      %data = llvm.inttoptr %number : i64 to !llvm.ptr<1>
      scf.if %first {{
        scf.for %slot = %c0 to %c4 step %c1 {{
          %slot32 = arith.index_cast %slot : index to i32
          %bar = llvm.getelementptr %bars[%slot32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
        }}
        nvvm.fence.mbarrier.init
        scf.for %slot = %c0 to %c4 step %c1 {{
          %slot32 = arith.index_cast %slot : index to i32{full}
          %tile = arith.addi %own, %slot : index
          %tile64 = arith.index_cast %tile : index to i64
          %from = llvm.getelementptr %data[%tile64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !tile{copy}
        }}
      }}
      gpu.barrier
      %tx32 = arith.index_cast %tx : index to i32
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {{
        %slot = arith.remui %i, %c4 : index
        %slot32 = arith.index_cast %slot : index to i32{full}
        %round = arith.divui %i, %c4 : index
        %odd = arith.remui %round, %c2 : index
        %phase = arith.index_cast %odd : index to i32
        nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
        %p = llvm.getelementptr %to[%tx32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
        %v = llvm.load %p : !llvm.ptr<3> -> f32
        %more = arith.addf %sum, %v : f32
        gpu.barrier
        %next = arith.addi %i, %c4 : index
        %is_more = arith.cmpi ult, %next, %n : index
        %copies = arith.andi %first, %is_more : i1
        scf.if %copies {{
          %tile = arith.addi %own, %next : index
          %tile64 = arith.index_cast %tile : index to i64
          %from = llvm.getelementptr %data[%tile64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !tile{copy}
        }}
        scf.yield %more : f32
      }}
      memref.store %r, %out[%bx, %tx] : memref<{blocks}x{size}xf32>
      gpu.return
    }}
  }}
}}
"""  # noqa: E501
    return Case(
        "bulk pipeline", mlir, "", (blocks,), (size,),
        lambda: apart(data, np.zeros((blocks, size), np.float32)),
        lambda got: bool(np.allclose(got[1], data.sum(1), rtol=1e-4)),
    )  # fmt: skip


# -- the block that finishes last


def last_block() -> Case:
    """`threadFenceReduction` of CUDA's samples: a ticket tells which block is the last."""
    blocks = 256
    data = np.random.default_rng(10).integers(0, 10, blocks * 256, dtype=np.int32)
    part, one = f"memref<256xi32, {WORKGROUP}>", f"memref<1xi32, {WORKGROUP}>"
    tree = f"""
      scf.for %step = %c0 to %c8 step %c1 {{
        %stride = arith.shrui %c128, %step : index
        %active = arith.cmpi ult, %tx, %stride : index
        scf.if %active {{
          %other = arith.addi %tx, %stride : index
          %p = memref.load %part[%tx] : {part}
          %q = memref.load %part[%other] : {part}
          %s = arith.addi %p, %q : i32
          memref.store %s, %part[%tx] : {part}
        }}
        gpu.barrier
      }}"""
    mlir = module(
        f"%in: memref<?xi32>, %sums: memref<{blocks}xi32>, %ticket: memref<1xi32>, "
        "%out: memref<1xi32>",
        f"%part: {part}, %last: {one}",
        f"""
{INDICES}
      %c8 = arith.constant 8 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %most = arith.constant {blocks - 1} : i32
      %first = arith.cmpi eq, %tx, %c0 : index
      %own = memref.load %in[%x] : memref<?xi32>
      memref.store %own, %part[%tx] : {part}
      gpu.barrier
{tree}
      scf.if %first {{
        %s = memref.load %part[%c0] : {part}
        memref.store %s, %sums[%bx] : memref<{blocks}xi32>
        nvvm.memory.barrier #nvvm.mem_scope<gpu>
        %t = memref.atomic_rmw addi %one, %ticket[%c0] : (i32, memref<1xi32>) -> i32
        nvvm.memory.barrier #nvvm.mem_scope<gpu>
        memref.store %t, %last[%c0] : {one}
      }}
      gpu.barrier
      %t = memref.load %last[%c0] : {one}
      %is_last = arith.cmpi eq, %t, %most : i32
      scf.if %is_last {{
        %v = memref.load %sums[%tx] : memref<{blocks}xi32>
        memref.store %v, %part[%tx] : {part}
        gpu.barrier
{tree}
        scf.if %first {{
          %s = memref.load %part[%c0] : {part}
          memref.store %s, %out[%c0] : memref<1xi32>
          memref.store %zero, %ticket[%c0] : memref<1xi32>
        }}
      }}""",
    )
    return Case(
        "last block", mlir, "", (blocks,), (256,),
        lambda: apart(data, np.zeros(blocks, np.int32), *(np.zeros(1, np.int32) for _ in "ab")),
        lambda got: bool(got[3][0] == data.sum()),
    )  # fmt: skip


# -- memory alone


def scale() -> Case:
    data = np.random.default_rng(11).random(ELEMENTS, np.float32)
    mlir = module("%a: memref<?xf32>", "", f"""
{INDICES}
      %half = arith.constant 0.5 : f32
      %v = memref.load %a[%x] : memref<?xf32>
      %w = arith.mulf %v, %half : f32
      memref.store %w, %a[%x] : memref<?xf32>""")  # fmt: skip

    def again(arguments: list[Any]) -> None:
        arguments[0][:] = data

    return Case(
        "scale", mlir, "", (ELEMENTS // 256,), (256,), lambda: apart(data),
        lambda got: bool(np.array_equal(got[0], data * np.float32(0.5))), again,
    )  # fmt: skip


def global_histogram() -> Case:
    """Counters in global memory, one addition for each thread."""
    data = np.random.default_rng(12).integers(0, 256, ELEMENTS, dtype=np.int32)
    expected = np.bincount(data, minlength=256).astype(np.int32)
    mlir = module("%in: memref<?xi32>, %bins: memref<256xi32>", "", f"""
{INDICES}
      %one = arith.constant 1 : i32
      %value = memref.load %in[%x] : memref<?xi32>
      %bin = arith.index_cast %value : i32 to index
      %old = memref.atomic_rmw addi %one, %bins[%bin] : (i32, memref<256xi32>) -> i32
""")  # fmt: skip

    def again(arguments: list[Any]) -> None:
        arguments[1][:] = 0

    return Case(
        "global histogram", mlir, "", (ELEMENTS // 256,), (256,),
        lambda: apart(data, np.zeros(256, np.int32)),
        lambda got: bool(np.array_equal(got[1], expected)), again,
    )  # fmt: skip


WATCHED = (
    divided_matmul, double_buffer, bulk_pipeline, last_block, scale, global_histogram,
)  # fmt: skip
