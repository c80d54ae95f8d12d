# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of the matrix product that Pallas (Mosaic GPU) compiles for a tile, for
benchmarks/kernels.py; no GPU.

    python benchmarks/peers/pallas_gemm.py 90 128,256,64,4 2 out.json

The arguments are the chip, rows, columns, depth and stages of the tile, warpgroups that multiply
beside one that copies (0: the same one does both), and where the PTX goes, with the bytes of shared
memory and the warps that it starts.
"""

from __future__ import annotations

import sys

import jax
import jax.numpy as jnp
import pallas_common
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu

_M, _N, _K = 512, 768, 1024


def by_wgmma(tile: tuple[int, int, int], stages: int, consumers: int):  # type: ignore[no-untyped-def]
    """max(0, a b + bias) by wgmma, of tiles that TMA brings."""
    m, n, k = tile
    rows = m // max(1, consumers)
    swizzled = (plgpu.TilingTransform((8, 64)), plgpu.SwizzleTransform(128))

    def kernel(a, b, bias, c, out):  # type: ignore[no-untyped-def]
        row, column = pl.ds(lax.axis_index("m") * m, m), pl.ds(lax.axis_index("n") * n, n)
        group = lax.axis_index("wg") if consumers else 0
        own = pl.ds(group * rows, rows)
        specs = [
            plgpu.BlockSpec((m, k), lambda k: (0, k), transforms=swizzled),
            plgpu.BlockSpec((k, n), lambda k: (k, 0), transforms=swizzled),
        ]

        def multiply(_, left, right, total):  # type: ignore[no-untyped-def]
            plgpu.wgmma(total, left.at[own], right)
            plgpu.wgmma_wait(0)
            return total if consumers else None

        def finish(total):  # type: ignore[no-untyped-def]
            for begin in range(0, n, 64):
                part = total[:, begin : begin + 64]
                some = bias.at[pl.ds(column.start + begin, 64)]
                added = plgpu.load(some, (), layout=plgpu.Layout.WGMMA.reduce(0), optimized=False)
                part = part + lax.broadcast_in_dim(added, part.shape, (1,))
                plgpu.wait_smem_to_gmem(0, wait_read_only=True)
                out[own, :] = jnp.maximum(part, 0.0).astype(jnp.float16)
                plgpu.commit_smem()
                to = c.at[row, column].at[own, pl.ds(begin, 64)]
                plgpu.copy_smem_to_gmem(out.at[own], to)
            plgpu.wait_smem_to_gmem(0)

        def summed(pipeline):  # type: ignore[no-untyped-def]
            def inside(total):  # type: ignore[no-untyped-def]
                pipeline(total)
                finish(total[...])

            pl.run_scoped(inside, plgpu.ACC((rows, n), jnp.float32))

        if consumers:
            plgpu.emit_pipeline_warp_specialized(
                multiply,
                grid=(_K // k,),
                memory_registers=40,
                in_specs=specs,
                wg_axis="wg",
                num_compute_wgs=consumers,
                max_concurrent_steps=stages,
                compute_context=summed,
            )(a.at[row, :], b.at[:, column])
            return

        def in_turn(total):  # type: ignore[no-untyped-def]
            plgpu.emit_pipeline(
                lambda at, left, right: multiply(at, left, right, total),
                grid=(_K // k,),
                in_specs=specs,
                max_concurrent_steps=stages,
            )(a.at[row, :], b.at[:, column])

        summed(in_turn)

    roles = {"num_threads": consumers + 1, "thread_name": "wg"} if consumers else {}
    return plgpu.kernel(
        kernel,
        out_type=jax.ShapeDtypeStruct((_M, _N), jnp.float16),
        scratch_types=[plgpu.SMEM((m, 64), jnp.float16, transforms=swizzled)],
        grid=(_M // m, _N // n),
        grid_names=("m", "n"),
        compiler_params=plgpu.CompilerParams(lowering_semantics=plgpu.LoweringSemantics.Warpgroup),
        **roles,
    )


def by_tcgen05(tile: tuple[int, int, int], stages: int):  # type: ignore[no-untyped-def]
    """The same by tcgen05: of one warpgroup, a warp copies and another one multiplies."""
    m, n, k = tile
    swizzled = (plgpu.TilingTransform((8, 64)), plgpu.SwizzleTransform(128))

    def kernel(a, b, bias, c, left, right, out, total, full, free, done):  # type: ignore[no-untyped-def]
        row, column = pl.ds(lax.axis_index("m") * m, m), pl.ds(lax.axis_index("n") * n, n)

        def copy(step, _):  # type: ignore[no-untyped-def]
            slot, depth = lax.rem(step, stages), pl.ds(step * k, k)

            @pl.when(step >= stages)
            def _wait() -> None:
                plgpu.barrier_wait(free.at[slot])

            plgpu.copy_gmem_to_smem(a.at[row, depth], left.at[slot], full.at[slot])
            plgpu.copy_gmem_to_smem(b.at[depth, column], right.at[slot], full.at[slot])

        def multiply(step, _):  # type: ignore[no-untyped-def]
            slot = lax.rem(step, stages)
            plgpu.barrier_wait(full.at[slot])
            more = {"accumulate": step > 0}
            plgpu.tcgen05_mma(total, left.at[slot], right.at[slot], free.at[slot], **more)

        @pl.core_map(plgpu.WarpMesh(axis_name="warp"))
        def _roles() -> None:
            warp = lax.axis_index("warp")

            @pl.when(warp == 0)
            def _copy() -> None:
                lax.fori_loop(0, _K // k, copy, None)

            @pl.when(warp == 1)
            def _multiply() -> None:
                lax.fori_loop(0, _K // k, multiply, None)
                plgpu.tcgen05_commit_arrive(done)

        plgpu.barrier_wait(done)
        for begin in range(0, n, 64):
            part = plgpu.async_load_tmem(total.at[:, pl.ds(begin, 64)])
            some = bias.at[pl.ds(column.start + begin, 64)]
            added = plgpu.load(some, (), layout=plgpu.Layout.TCGEN05.reduce(0), optimized=False)
            part = part + lax.broadcast_in_dim(added, part.shape, (1,))
            plgpu.wait_smem_to_gmem(0, wait_read_only=True)
            out[...] = jnp.maximum(part, 0.0).astype(jnp.float16)
            plgpu.commit_smem()
            plgpu.copy_smem_to_gmem(out, c.at[row, pl.ds(column.start + begin, 64)])
        plgpu.wait_load_tmem()
        plgpu.wait_smem_to_gmem(0)

    return plgpu.kernel(
        kernel,
        out_type=jax.ShapeDtypeStruct((_M, _N), jnp.float16),
        scratch_types={
            "left": plgpu.SMEM((stages, m, k), jnp.float16, transforms=swizzled),
            "right": plgpu.SMEM((stages, k, n), jnp.float16, transforms=swizzled),
            "out": plgpu.SMEM((m, 64), jnp.float16, transforms=swizzled),
            "total": plgpu.TMEM((m, n), jnp.float32),
            "full": plgpu.Barrier(num_arrivals=2, num_barriers=stages),
            "free": plgpu.Barrier(num_barriers=stages, orders_tensor_core=True),
            "done": plgpu.Barrier(orders_tensor_core=True),
        },
        grid=(_M // m, _N // n),
        grid_names=("m", "n"),
        compiler_params=plgpu.CompilerParams(lowering_semantics=plgpu.LoweringSemantics.Warpgroup),
    )


def main(arguments: list[str]) -> None:
    chip, sizes, consumers, target = arguments
    m, n, k, stages = (int(size) for size in sizes.split(","))
    made = (
        by_wgmma((m, n, k), stages, int(consumers))
        if chip == "90"
        else by_tcgen05((m, n, k), stages)
    )
    shapes = (((_M, _K), jnp.float16), ((_K, _N), jnp.float16), ((_N,), jnp.float32))
    pallas_common.write(made, chip, target, *shapes)


if __name__ == "__main__":
    main(sys.argv[1:])
