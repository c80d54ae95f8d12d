# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by wgmma and TMA in CuTe DSL, for cute_gemm.py."""

from __future__ import annotations

import cute_common as common
import cutlass
from cute_common import FLOAT, GROUPS, HALF, STAGES, STEPS, TK, TM, TN, M, N, store
from cutlass import cute, pipeline
from cutlass.cute.nvgpu import cpasync, warpgroup
from cutlass.memory import SmemAllocator
from cutlass.tensor_utils import LayoutEnum
from cutlass.utils import hopper_helpers as hopper

#: Threads that multiply, and with those that only copy.
_MULTIPLY = 128 * max(1, GROUPS)
_THREADS = _MULTIPLY + (128 if GROUPS else 0)


@cute.kernel
def by_wgmma(  # type: ignore[no-untyped-def]
    mma: cute.TiledMma,
    copy_a: cute.CopyAtom,
    a: cute.Tensor,
    copy_b: cute.CopyAtom,
    b: cute.Tensor,
    bias: cute.Tensor,
    c: cute.Tensor,
    layout_a: cute.ComposedLayout,
    layout_b: cute.ComposedLayout,
):
    """max(0, a b + bias) by wgmma, of tiles that TMA brings."""
    thread, _, _ = cute.arch.thread_idx()
    row, column, _ = cute.arch.block_idx()
    memory = SmemAllocator()
    barriers = memory.allocate_array(cutlass.Int64, 2 * STAGES)
    left, right = common.factors(memory, layout_a, layout_b)
    stages = common.bulk_pipeline(barriers, STAGES, _MULTIPLY // 32, common.STEP_BYTES)
    tiles_a, tiles_b, tile_c = common.tiles_of(a, b, c, row, column)
    to_a, from_a = common.boxes(copy_a, left, tiles_a, 2)
    to_b, from_b = common.boxes(copy_b, right, tiles_b, 2)
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())

    if cutlass.const_expr(GROUPS > 0):
        if warp >= _MULTIPLY // 32:
            cute.arch.setmaxregister_decrease(40)
            if warp == _MULTIPLY // 32:
                filled = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, STAGES)
                for step in cutlass.range(STEPS, unroll=1):
                    stages.producer_acquire(filled)
                    arrived = stages.producer_get_barrier(filled)
                    at = filled.index
                    cute.copy(copy_a, from_a[None, step], to_a[None, at], tma_bar_ptr=arrived)
                    cute.copy(copy_b, from_b[None, step], to_b[None, at], tma_bar_ptr=arrived)
                    filled.advance()
                stages.producer_tail(filled)
        else:
            if cutlass.const_expr(GROUPS == 2):
                cute.arch.setmaxregister_increase(232)
            part = mma.get_slice(thread)
            factor_a = mma.make_fragment_A(part.partition_A(left))
            factor_b = mma.make_fragment_B(part.partition_B(right))
            own_c = part.partition_C(tile_c)
            sums = cute.make_rmem_tensor(own_c.shape, FLOAT)
            sums.fill(0.0)
            mma.set(warpgroup.Field.ACCUMULATE, True)
            read = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
            for _ in cutlass.range(STEPS, unroll=1):
                stages.consumer_wait(read)
                multiply(mma, sums, factor_a, factor_b, read.index)
                warpgroup.wait_group(0)
                stages.consumer_release(read)
                read.advance()
            store(mma, thread, sums, own_c, bias, column)
    else:
        part = mma.get_slice(thread)
        factor_a = mma.make_fragment_A(part.partition_A(left))
        factor_b = mma.make_fragment_B(part.partition_B(right))
        own_c = part.partition_C(tile_c)
        sums = cute.make_rmem_tensor(own_c.shape, FLOAT)
        sums.fill(0.0)
        mma.set(warpgroup.Field.ACCUMULATE, True)
        filled = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, STAGES)
        read = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
        ahead = min(max(1, STAGES - 1), STEPS)
        if warp == 0:
            for step in cutlass.range_constexpr(ahead if STAGES > 1 else 0):
                stages.producer_acquire(filled)
                arrived = stages.producer_get_barrier(filled)
                at = filled.index
                cute.copy(copy_a, from_a[None, step], to_a[None, at], tma_bar_ptr=arrived)
                cute.copy(copy_b, from_b[None, step], to_b[None, at], tma_bar_ptr=arrived)
                filled.advance()
        for step in cutlass.range(STEPS, unroll=1):
            following = step + (ahead if STAGES > 1 else 0)
            if warp == 0 and following < STEPS:
                stages.producer_acquire(filled)
                arrived = stages.producer_get_barrier(filled)
                at = filled.index
                cute.copy(copy_a, from_a[None, following], to_a[None, at], tma_bar_ptr=arrived)
                cute.copy(copy_b, from_b[None, following], to_b[None, at], tma_bar_ptr=arrived)
                filled.advance()
            stages.consumer_wait(read)
            multiply(mma, sums, factor_a, factor_b, read.index)
            warpgroup.wait_group(0)
            stages.consumer_release(read)
            read.advance()
        store(mma, thread, sums, own_c, bias, column)


@cute.jit
def multiply(mma: cute.TiledMma, sums, factor_a, factor_b, stage):  # type: ignore[no-untyped-def]
    """The products of a stage, as one group."""
    warpgroup.fence()
    for k in cutlass.range_constexpr(cute.size(factor_a, mode=[2])):
        at = (None, None, k, stage)
        cute.gemm(mma, sums, factor_a[at], factor_b[at], sums)
    warpgroup.commit_group()


@cute.jit
def product(a: cute.Tensor, b: cute.Tensor, bias: cute.Tensor, c: cute.Tensor):  # type: ignore[no-untyped-def]
    """B has its rows along n in memory, and is seen from its columns."""
    kinds = (LayoutEnum.from_tensor(a), LayoutEnum.from_tensor(b))
    groups = max(1, GROUPS)
    mma = hopper.make_trivial_tiled_mma(
        HALF,
        HALF,
        kinds[0].sm90_mma_major_mode(),
        kinds[1].sm90_mma_major_mode(),
        FLOAT,
        (groups, 1, 1),
        (64, TN),
    )
    tile = (TM, TN, TK)
    layout_a = hopper.make_smem_layout_a(kinds[0], tile, HALF, STAGES)
    layout_b = hopper.make_smem_layout_b(kinds[1], tile, HALF, STAGES)
    load = cpasync.CopyBulkTensorTileG2SOp()
    copy_a, tma_a = cpasync.make_tiled_tma_atom(
        load, a, cute.slice_(layout_a, (None, None, 0)), (TM, TK)
    )
    copy_b, tma_b = cpasync.make_tiled_tma_atom(
        load, b, cute.slice_(layout_b, (None, None, 0)), (TN, TK)
    )
    by_wgmma(mma, copy_a, tma_a, copy_b, tma_b, bias, c, layout_a, layout_b).launch(
        grid=(M // TM, N // TN, 1), block=(_THREADS, 1, 1)
    )
