# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of an attention that CuTe DSL compiles for a tile, for benchmarks/kernels.py; no GPU.

    python benchmarks/peers/cute_attention.py 90 64,64,64,2 1 out.json

The arguments are the chip, queries, keys and numbers of a tile, with its stages, warpgroups that
multiply beside a warp that copies, and where the PTX goes, with the bytes of shared memory and the
warps that it starts.
"""

from __future__ import annotations

import cute_common as common
import cutlass
from cute_common import FLOAT, GROUPS, HALF, STAGES
from cute_common import TK as SIZE
from cute_common import TM as TILE_QUERIES
from cute_common import TN as TILE_KEYS
from cutlass import cute, pipeline
from cutlass.cute.nvgpu import OperandMajorMode, cpasync, warpgroup
from cutlass.memory import SmemAllocator
from cutlass.tensor_utils import LayoutEnum
from cutlass.utils import hopper_helpers as hopper

#: Of the whole, not all of which are in the last tile.
_QUERIES, _KEYS = 160, 200
_STEPS = -(-_KEYS // TILE_KEYS)
#: 1 / 8, and exponentials of base 2.
_SCALE = 0.18033688
_LOWEST = -1.0e30
_MULTIPLY = 128 * GROUPS
_THREADS = _MULTIPLY + 128


@cute.kernel
def forward(  # type: ignore[no-untyped-def]
    score_mma: cute.TiledMma,
    weigh_mma: cute.TiledMma,
    copy_q: cute.CopyAtom,
    q: cute.Tensor,
    copy_k: cute.CopyAtom,
    k: cute.Tensor,
    copy_v: cute.CopyAtom,
    v: cute.Tensor,
    out: cute.Tensor,
    layout_q: cute.ComposedLayout,
    layout_k: cute.ComposedLayout,
    layout_v: cute.ComposedLayout,
):
    """softmax(q k^T / 8) v: a warp copies, a warpgroup keeps scores and results in registers."""
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    memory = SmemAllocator()
    barriers = memory.allocate_array(cutlass.Int64, 2 * STAGES)
    ready_q = memory.allocate_array(cutlass.Int64, 2)
    tile_q, tile_k, tile_v = common.factors(memory, layout_q, layout_k, layout_v)
    stages = common.bulk_pipeline(barriers, STAGES, _MULTIPLY // 32, 4 * TILE_KEYS * SIZE)
    once = common.bulk_pipeline(ready_q, 1, _MULTIPLY // 32, 2 * TILE_QUERIES * SIZE)
    tiles_q = cute.local_tile(q, (TILE_QUERIES, SIZE), (block, None))
    tiles_k = cute.local_tile(k, (TILE_KEYS, SIZE), (None, 0))
    tiles_v = cute.local_tile(v, (SIZE, TILE_KEYS), (0, None))
    to_q, from_q = common.boxes(copy_q, tile_q, tiles_q, 2)
    to_k, from_k = common.boxes(copy_k, tile_k, tiles_k, 2)
    to_v, from_v = common.boxes(copy_v, tile_v, tiles_v, 2)
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())

    if warp >= _MULTIPLY // 32:
        if warp == _MULTIPLY // 32:
            first = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, 1)
            once.producer_acquire(first)
            arrived = once.producer_get_barrier(first)
            cute.copy(copy_q, from_q[None, 0], to_q[None, 0], tma_bar_ptr=arrived)
            filled = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, STAGES)
            for step in cutlass.range(_STEPS, unroll=1):
                stages.producer_acquire(filled)
                arrived = stages.producer_get_barrier(filled)
                at = filled.index
                cute.copy(copy_k, from_k[None, step], to_k[None, at], tma_bar_ptr=arrived)
                cute.copy(copy_v, from_v[None, step], to_v[None, at], tma_bar_ptr=arrived)
                filled.advance()
            stages.producer_tail(filled)
    else:
        score, weigh = score_mma.get_slice(thread), weigh_mma.get_slice(thread)
        factor_q = score_mma.make_fragment_A(score.partition_A(tile_q))
        factor_k = score_mma.make_fragment_B(score.partition_B(tile_k))
        factor_v = weigh_mma.make_fragment_B(weigh.partition_B(tile_v))
        scores = cute.make_rmem_tensor(
            score_mma.partition_shape_C((TILE_QUERIES, TILE_KEYS)), FLOAT
        )
        result = cute.make_rmem_tensor(weigh_mma.partition_shape_C((TILE_QUERIES, SIZE)), FLOAT)
        weights = weigh_mma.make_fragment_A(weigh_mma.partition_shape_A((TILE_QUERIES, TILE_KEYS)))
        result.fill(0.0)
        places = score.partition_C(cute.make_identity_tensor((TILE_QUERIES, TILE_KEYS)))
        # A thread has parts of two rows.
        most, total = cute.make_rmem_tensor(2, FLOAT), cute.make_rmem_tensor(2, FLOAT)
        most.fill(_LOWEST)
        total.fill(0.0)
        once.consumer_wait(pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1))
        read = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
        weigh_mma.set(warpgroup.Field.ACCUMULATE, True)
        for step in cutlass.range(_STEPS, unroll=1):
            stages.consumer_wait(read)
            warpgroup.fence()
            score_mma.set(warpgroup.Field.ACCUMULATE, False)
            for part in cutlass.range_constexpr(cute.size(factor_q, mode=[2])):
                at = (None, None, part, read.index)
                own_q = factor_q[None, None, part, 0]
                cute.gemm(score_mma, scores, own_q, factor_k[at], scores)
                score_mma.set(warpgroup.Field.ACCUMULATE, True)
            warpgroup.commit_group()
            warpgroup.wait_group(0)
            if step == _STEPS - 1:
                leave_out(scores, places, _KEYS - step * TILE_KEYS)
            soften(scores, weights, result, most, total)
            warpgroup.fence()
            for part in cutlass.range_constexpr(cute.size(factor_v, mode=[2])):
                at = (None, None, part, read.index)
                cute.gemm(weigh_mma, result, weights[None, None, part], factor_v[at], result)
            warpgroup.commit_group()
            warpgroup.wait_group(0)
            stages.consumer_release(read)
            read.advance()
        tile_out = cute.local_tile(out, (TILE_QUERIES, SIZE), (block, 0))
        own_out = weigh.partition_C(tile_out)
        for row in cutlass.range_constexpr(2):
            whole = cute.arch.warp_reduction_sum(total[row], threads_in_group=4)
            share = FLOAT(1.0) / whole
            where = block * TILE_QUERIES + places[2 * row][0]
            if where < _QUERIES:
                for at in cutlass.range_constexpr(cute.size(result)):
                    if cutlass.const_expr(at // 2 % 2 == row):
                        own_out[at] = result[at] * share


@cute.jit
def leave_out(scores, places, left):  # type: ignore[no-untyped-def]
    """Keys beyond the last do not count."""
    for at in cutlass.range_constexpr(cute.size(scores)):
        if places[at][1] >= left:
            scores[at] = FLOAT(_LOWEST)


@cute.jit
def soften(scores, weights, result, most, total):  # type: ignore[no-untyped-def]
    """Weights of the scores, as the next product takes them from registers: there they lie as the
    product before left its sums. Earlier results and totals are scaled down."""
    for row in cutlass.range_constexpr(2):
        own = most[row]
        for at in cutlass.range_constexpr(cute.size(scores)):
            if cutlass.const_expr(at // 2 % 2 == row):
                own = cute.arch.fmax(own, scores[at])
        own = cute.arch.warp_reduction_max(own, threads_in_group=4)
        less = own * FLOAT(_SCALE)
        shrink = cute.math.exp2(most[row] * FLOAT(_SCALE) - less, fastmath=True)
        most[row] = own
        summed = total[row] * shrink
        for at in cutlass.range_constexpr(cute.size(scores)):
            if cutlass.const_expr(at // 2 % 2 == row):
                weight = cute.math.exp2(scores[at] * FLOAT(_SCALE) - less, fastmath=True)
                summed += weight
                weights[at] = weight.to(HALF)
                result[at] = result[at] * shrink
        total[row] = summed


@cute.jit
def attention(q: cute.Tensor, k: cute.Tensor, v: cute.Tensor, out: cute.Tensor):  # type: ignore[no-untyped-def]
    """V has its rows along the result's columns, and is seen from its columns."""
    along_k, along_n = OperandMajorMode.K, OperandMajorMode.MN
    groups = (GROUPS, 1, 1)
    score_mma = hopper.make_trivial_tiled_mma(
        HALF, HALF, along_k, along_k, FLOAT, groups, (64, TILE_KEYS)
    )
    weigh_mma = hopper.make_trivial_tiled_mma(
        HALF, HALF, along_k, along_n, FLOAT, groups, (64, SIZE), warpgroup.OperandSource.RMEM
    )
    scored, weighed = (TILE_QUERIES, TILE_KEYS, SIZE), (TILE_QUERIES, SIZE, TILE_KEYS)
    layout_q = hopper.make_smem_layout_a(LayoutEnum.ROW_MAJOR, scored, HALF, 1)
    layout_k = hopper.make_smem_layout_b(LayoutEnum.from_tensor(k), scored, HALF, STAGES)
    layout_v = hopper.make_smem_layout_b(LayoutEnum.from_tensor(v), weighed, HALF, STAGES)
    one = (None, None, 0)
    load = cpasync.CopyBulkTensorTileG2SOp()
    atoms = [
        cpasync.make_tiled_tma_atom(load, tensor, cute.slice_(layout, one), shape)
        for tensor, layout, shape in (
            (q, layout_q, (TILE_QUERIES, SIZE)),
            (k, layout_k, (TILE_KEYS, SIZE)),
            (v, layout_v, (SIZE, TILE_KEYS)),
        )
    ]
    (copy_q, tma_q), (copy_k, tma_k), (copy_v, tma_v) = atoms
    forward(
        score_mma, weigh_mma, copy_q, tma_q, copy_k, tma_k, copy_v, tma_v, out,
        layout_q, layout_k, layout_v,
    ).launch(grid=(-(-_QUERIES // TILE_QUERIES), 1, 1), block=(_THREADS, 1, 1))  # fmt: skip


def main() -> None:
    common.save(
        attention,
        common.tensor(HALF, (_QUERIES, SIZE), (1, 0)),
        common.tensor(HALF, (_KEYS, SIZE), (1, 0)),
        common.tensor(HALF, (SIZE, _KEYS), (0, 1)),
        common.tensor(FLOAT, (_QUERIES, SIZE), (1, 0)),
    )


if __name__ == "__main__":
    main()
