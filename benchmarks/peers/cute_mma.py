# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by mma.sync and cp.async in CuTe DSL, for cute_gemm.py."""

from __future__ import annotations

import cute_common as common
import cutlass
from cute_common import FLOAT, HALF, STAGES, STEPS, TK, TM, TN, M, N, store
from cutlass import cute
from cutlass.cute.nvgpu import cpasync, warp
from cutlass.memory import SmemAllocator

_THREADS = 128


@cute.kernel
def by_mma(  # type: ignore[no-untyped-def]
    mma: cute.TiledMma,
    copy_a: cute.TiledCopy,
    a: cute.Tensor,
    copy_b: cute.TiledCopy,
    b: cute.Tensor,
    bias: cute.Tensor,
    c: cute.Tensor,
    layout_a: cute.ComposedLayout,
    layout_b: cute.ComposedLayout,
):
    """max(0, a b + bias) by mma.sync, with tiles by cp.async."""
    thread, _, _ = cute.arch.thread_idx()
    row, column, _ = cute.arch.block_idx()
    memory = SmemAllocator()
    left = memory.allocate_tensor(HALF, layout_a, 128)
    right = memory.allocate_tensor(HALF, layout_b, 128)
    tiles_a, tiles_b, tile_c = common.tiles_of(a, b, c, row, column)
    own_a, own_b = copy_a.get_slice(thread), copy_b.get_slice(thread)
    from_a, to_a = own_a.partition_S(tiles_a), own_a.partition_D(left)
    from_b, to_b = own_b.partition_S(tiles_b), own_b.partition_D(right)

    part = mma.get_slice(thread)
    own_c = part.partition_C(tile_c)
    factor_a = mma.make_fragment_A(part.partition_A(left[None, None, 0]))
    factor_b = mma.make_fragment_B(part.partition_B(right[None, None, 0]))
    sums = cute.make_rmem_tensor(own_c.shape, FLOAT)
    sums.fill(0.0)
    take_a = cute.make_tiled_copy_A(
        cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 4), HALF), mma
    )
    take_b = cute.make_tiled_copy_B(cute.make_copy_atom(warp.LdMatrix8x8x16bOp(True, 4), HALF), mma)
    matrices_a = take_a.get_slice(thread).partition_S(left)
    matrices_b = take_b.get_slice(thread).partition_S(right)
    taken_a, taken_b = take_a.retile(factor_a), take_b.retile(factor_b)

    ahead = STAGES - 1
    for step in cutlass.range_constexpr(min(ahead, STEPS)):
        cute.copy(copy_a, from_a[None, None, None, step], to_a[None, None, None, step])
        cute.copy(copy_b, from_b[None, None, None, step], to_b[None, None, None, step])
        cute.arch.cp_async_commit_group()
    read, written = cutlass.Int32(0), cutlass.Int32(ahead)
    for step in cutlass.range(STEPS, unroll=1):
        if cutlass.const_expr(ahead > 0):
            cute.arch.cp_async_wait_group(ahead - 1)
            cute.arch.sync_threads()
        if step + ahead < STEPS:
            following = step + ahead
            cute.copy(copy_a, from_a[None, None, None, following], to_a[None, None, None, written])
            cute.copy(copy_b, from_b[None, None, None, following], to_b[None, None, None, written])
        cute.arch.cp_async_commit_group()
        if cutlass.const_expr(ahead == 0):
            cute.arch.cp_async_wait_group(0)
            cute.arch.sync_threads()
        for k in cutlass.range_constexpr(TK // 16):
            cute.copy(take_a, matrices_a[None, None, k, read], taken_a[None, None, k])
            cute.copy(take_b, matrices_b[None, None, k, read], taken_b[None, None, k])
            cute.gemm(mma, sums, factor_a[None, None, k], factor_b[None, None, k], sums)
        if cutlass.const_expr(ahead == 0):
            cute.arch.sync_threads()
        else:
            read = 0 if read + 1 == STAGES else read + 1
            written = 0 if written + 1 == STAGES else written + 1
    store(mma, thread, sums, own_c, bias, column)


@cute.jit
def product(a: cute.Tensor, b: cute.Tensor, bias: cute.Tensor, c: cute.Tensor):  # type: ignore[no-untyped-def]
    """B has its rows along n in memory, and is seen from its columns."""
    instruction = warp.MmaF16BF16Op(HALF, FLOAT, (16, 8, 16))
    mma = cute.make_tiled_mma(instruction, (2, 2, 1), permutation_mnk=(32, 32, 16))
    rows = cute.make_composed_layout(
        cute.make_swizzle(2, 3, 3), 0, cute.make_layout((8, TK), stride=(TK, 1))
    )
    columns = cute.make_composed_layout(
        cute.make_swizzle(3, 3, 3), 0, cute.make_layout((64, 8), stride=(1, 64))
    )
    layout_a = cute.tile_to_shape(rows, (TM, TK, STAGES), (0, 1, 2))
    layout_b = cute.tile_to_shape(columns, (TN, TK, STAGES), (0, 1, 2))
    load = cute.make_copy_atom(cpasync.CopyG2SOp(), HALF, num_bits_per_copy=128)
    across = TK // 8
    copy_a = cute.make_tiled_copy_tv(
        load,
        cute.make_layout((_THREADS // across, across), stride=(across, 1)),
        cute.make_layout((1, 8)),
    )
    copy_b = cute.make_tiled_copy_tv(
        load, cute.make_layout((TN // 8, _THREADS * 8 // TN)), cute.make_layout((8, 1))
    )
    by_mma(mma, copy_a, a, copy_b, b, bias, c, layout_a, layout_b).launch(
        grid=(M // TM, N // TN, 1), block=(_THREADS, 1, 1)
    )
