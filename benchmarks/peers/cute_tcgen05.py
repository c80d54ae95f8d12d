# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by tcgen05 and TMA in CuTe DSL, for cute_gemm.py."""

from __future__ import annotations

import cute_common as common
import cutlass
from cute_common import FLOAT, HALF, STAGES, STEPS, TK, TM, TN, M, N
from cutlass import cute
from cutlass.cute import nvgpu
from cutlass.cute.nvgpu import cpasync, tcgen05
from cutlass.memory import SmemAllocator
from cutlass.tensor_utils import LayoutEnum
from cutlass.utils import blackwell_helpers as blackwell

_THREADS, _PART = 128, 64


@cute.kernel
def by_tcgen05(  # type: ignore[no-untyped-def]
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
    """max(0, a b + bias): one warp copies, another one multiplies, all store."""
    thread, _, _ = cute.arch.thread_idx()
    row, column, _ = cute.arch.block_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
    memory = SmemAllocator()
    full = memory.allocate_array(cutlass.Int64, STAGES)
    free = memory.allocate_array(cutlass.Int64, STAGES)
    done = memory.allocate_array(cutlass.Int64, 1)
    where = memory.allocate_array(cutlass.Int32, 1)
    left, right = common.factors(memory, layout_a, layout_b)
    if warp == 0:
        cute.arch.alloc_tmem(TN, where)
        with cute.arch.elect_one():
            for stage in cutlass.range_constexpr(STAGES):
                cute.arch.mbarrier_init(full + stage, 1)
                cute.arch.mbarrier_init(free + stage, 1)
            cute.arch.mbarrier_init(done, 1)
    cute.arch.mbarrier_init_fence()
    cute.arch.sync_threads()

    part = mma.get_slice(0)
    tiles_a, tiles_b, tile_c = common.tiles_of(a, b, c, row, column)
    to_a, from_a = common.boxes(copy_a, left, part.partition_A(tiles_a), 3)
    to_b, from_b = common.boxes(copy_b, right, part.partition_B(tiles_b), 3)
    factor_a, factor_b = mma.make_fragment_A(left), mma.make_fragment_B(right)
    shape = mma.partition_shape_C((TM, TN))
    place = cute.arch.retrieve_tmem_ptr(FLOAT, 16, where)
    sums = cute.make_tensor(place, mma.make_fragment_C(shape).layout)

    if warp == 0:
        stage, phase = cutlass.Int32(0), cutlass.Int32(1)
        for step in cutlass.range(STEPS, unroll=1):
            cute.arch.mbarrier_wait(free + stage, phase)
            with cute.arch.elect_one():
                cute.arch.mbarrier_arrive_and_expect_tx(full + stage, common.STEP_BYTES)
            cute.copy(copy_a, from_a[None, step], to_a[None, stage], tma_bar_ptr=full + stage)
            cute.copy(copy_b, from_b[None, step], to_b[None, stage], tma_bar_ptr=full + stage)
            stage += 1
            if stage == STAGES:
                stage, phase = cutlass.Int32(0), phase ^ 1
    if warp == 1:
        stage, phase = cutlass.Int32(0), cutlass.Int32(0)
        mma.set(tcgen05.Field.ACCUMULATE, False)
        for _ in cutlass.range(STEPS, unroll=1):
            cute.arch.mbarrier_wait(full + stage, phase)
            for k in cutlass.range_constexpr(cute.size(factor_a, mode=[2])):
                at = (None, None, k, stage)
                cute.gemm(mma, sums, factor_a[at], factor_b[at], sums)
                mma.set(tcgen05.Field.ACCUMULATE, True)
            with cute.arch.elect_one():
                tcgen05.commit(free + stage)
            stage += 1
            if stage == STAGES:
                stage, phase = cutlass.Int32(0), phase ^ 1
        with cute.arch.elect_one():
            tcgen05.commit(done)

    cute.arch.mbarrier_wait(done, 0)
    piece = (TM, _PART)
    pieces = cute.flat_divide(sums[((None, None), 0, 0)], piece)
    pieces_c = cute.flat_divide(tile_c, piece)
    pieces_bias = cute.flat_divide(common.bias_of_tile(bias, column), piece)
    load = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x64), FLOAT)
    take = tcgen05.make_tmem_copy(load, pieces[None, None, 0, 0])
    own = take.get_slice(thread)
    taken, own_c = own.partition_S(pieces), own.partition_D(pieces_c)
    own_bias = own.partition_D(pieces_bias)
    some = cute.make_rmem_tensor(own_c[None, None, None, 0, 0].shape, FLOAT)
    for at in cutlass.range_constexpr(TN // _PART):
        cute.copy(take, taken[None, None, None, 0, at], some)
        to, added = own_c[None, None, None, 0, at], own_bias[None, None, None, 0, at]
        for number in cutlass.range_constexpr(cute.size(some)):
            to[number] = cutlass.max(some[number] + added[number], FLOAT(0.0)).to(HALF)
    cute.arch.sync_threads()
    if warp == 0:
        cute.arch.relinquish_tmem_alloc_permit()
        cute.arch.dealloc_tmem(place, TN)


@cute.jit
def product(a: cute.Tensor, b: cute.Tensor, bias: cute.Tensor, c: cute.Tensor):  # type: ignore[no-untyped-def]
    """B has its rows along n in memory, and is seen from its columns."""
    kinds = (LayoutEnum.from_tensor(a), LayoutEnum.from_tensor(b))
    mma = blackwell.make_trivial_tiled_mma(
        HALF,
        HALF,
        kinds[0].mma_major_mode(),
        kinds[1].mma_major_mode(),
        FLOAT,
        tcgen05.CtaGroup.ONE,
        (TM, TN),
    )
    tile = (TM, TN, TK)
    layout_a = blackwell.make_smem_layout_a(mma, tile, HALF, STAGES)
    layout_b = blackwell.make_smem_layout_b(mma, tile, HALF, STAGES)
    load = cpasync.CopyBulkTensorTileG2SOp(tcgen05.CtaGroup.ONE)
    one = (None, None, None, 0)
    copy_a, tma_a = nvgpu.make_tiled_tma_atom_A(load, a, cute.slice_(layout_a, one), tile, mma)
    copy_b, tma_b = nvgpu.make_tiled_tma_atom_B(load, b, cute.slice_(layout_b, one), tile, mma)
    by_tcgen05(mma, copy_a, tma_a, copy_b, tma_b, bias, c, layout_a, layout_b).launch(
        grid=(M // TM, N // TN, 1), block=(_THREADS, 1, 1)
    )
