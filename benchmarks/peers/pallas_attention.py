# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of the attention that Pallas (Mosaic GPU) compiles, for benchmarks/kernels.py; no GPU.

    python benchmarks/peers/pallas_attention.py 90 64,64,64,2 1 out.json

The arguments are the chip, queries, keys and numbers of a tile, with its stages, warpgroups that
multiply, and where the PTX goes, with the bytes of shared memory and the warps that it starts.
"""

from __future__ import annotations

import sys

import jax
import jax.numpy as jnp
import pallas_common
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu

_QUERIES, _KEYS, _SCALE = 192, 192, 0.125


def forward(queries: int, keys: int, size: int, stages: int):  # type: ignore[no-untyped-def]
    """softmax(q k^T scale) v for tiles of queries, of which a block has one."""
    swizzled = (plgpu.TilingTransform((8, 64)), plgpu.SwizzleTransform(128))

    def kernel(q, k, v, out, tile_q, ready):  # type: ignore[no-untyped-def]
        rows = pl.ds(lax.axis_index("q") * queries, queries)
        specs = [
            plgpu.BlockSpec((keys, size), lambda step: (step, 0), transforms=swizzled)
            for _ in range(2)
        ]

        def multiply(_, tile_k, tile_v, state):  # type: ignore[no-untyped-def]
            result, most, total = state

            def score(scores):  # type: ignore[no-untyped-def]
                plgpu.wgmma(scores, tile_q, plgpu.transpose_ref(tile_k, (1, 0)))
                return scores[...]

            scores = pl.run_scoped(score, plgpu.ACC((queries, keys), jnp.float32)) * _SCALE
            new_most = jnp.maximum(most, scores.max(axis=1))
            shrink = jnp.exp(most - new_most)
            weights = jnp.exp(scores - lax.broadcast_in_dim(new_most, scores.shape, (0,)))
            new_total = total * shrink + weights.sum(axis=1)
            kept = result * lax.broadcast_in_dim(shrink, result.shape, (0,))

            def weigh(sums) -> None:  # type: ignore[no-untyped-def]
                plgpu.wgmma(sums, weights.astype(jnp.float16), tile_v)

            return pl.run_state(weigh)(plgpu.ACC.init(kept)), new_most, new_total

        def around(pipeline):  # type: ignore[no-untyped-def]
            plgpu.copy_gmem_to_smem(q.at[rows, :], tile_q, ready)
            plgpu.barrier_wait(ready)
            start = (
                plgpu.layout_cast(jnp.zeros((queries, size), jnp.float32), plgpu.Layout.WGMMA),
                plgpu.layout_cast(
                    jnp.full((queries,), -1.0e30, jnp.float32), plgpu.Layout.WGMMA.reduce(1)
                ),
                plgpu.layout_cast(jnp.zeros((queries,), jnp.float32), plgpu.Layout.WGMMA.reduce(1)),
            )
            result, _, total = pipeline(start)
            out[rows, :] = result / lax.broadcast_in_dim(total, result.shape, (0,))

        plgpu.emit_pipeline_warp_specialized(
            multiply,
            grid=(_KEYS // keys,),
            memory_registers=40,
            in_specs=specs,
            wg_axis="wg",
            num_compute_wgs=1,
            max_concurrent_steps=stages,
            compute_context=around,
        )(k, v)

    return plgpu.kernel(
        kernel,
        out_type=jax.ShapeDtypeStruct((_QUERIES, size), jnp.float32),
        scratch_types=[
            plgpu.SMEM((queries, size), jnp.float16, transforms=swizzled),
            plgpu.Barrier(),
        ],
        grid=(_QUERIES // queries,),
        grid_names=("q",),
        num_threads=2,
        thread_name="wg",
    )


def main(arguments: list[str]) -> None:
    chip, sizes, _, target = arguments
    queries, keys, size, stages = (int(one) for one in sizes.split(","))
    shapes = [((rows, size), jnp.float16) for rows in (_QUERIES, _KEYS, _KEYS)]
    pallas_common.write(forward(queries, keys, size, stages), chip, target, *shapes)


if __name__ == "__main__":
    main(sys.argv[1:])
