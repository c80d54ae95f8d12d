# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of the attention that Triton compiles for a tile, for benchmarks/kernels.py; no GPU.

    python benchmarks/peers/triton_attention.py 90 64,64,64,2 4 90 out.json

The arguments are the chip, queries, keys and numbers of a tile, with its stages, warps, the PTX
version that the assembler takes (times ten), and where the PTX goes, with the bytes of shared
memory and the warps that it starts.
"""

from __future__ import annotations

import sys

import triton
import triton.language as tl
import triton_common


@triton.jit
def forward(q, k, v, out, queries, keys, TQ: tl.constexpr, TK: tl.constexpr, D: tl.constexpr):  # type: ignore[no-untyped-def]
    """softmax(q k^T / 8) v, in f16 with sums in f32; tiles come by TMA."""
    row = tl.program_id(0) * TQ
    from_q = tl.make_tensor_descriptor(q, [queries, D], [D, 1], [TQ, D])
    from_k = tl.make_tensor_descriptor(k, [keys, D], [D, 1], [TK, D])
    from_v = tl.make_tensor_descriptor(v, [keys, D], [D, 1], [TK, D])
    tile_q = from_q.load([row, 0])
    most = tl.full([TQ], -1.0e30, tl.float32)
    total = tl.zeros([TQ], tl.float32)
    result = tl.zeros([TQ, D], tl.float32)
    for key in range(0, keys, TK):
        scores = tl.dot(tile_q, from_k.load([key, 0]).T) * 0.125
        seen = (key + tl.arange(0, TK))[None, :] < keys
        scores = tl.where(seen, scores, -1.0e30)
        new_most = tl.maximum(most, tl.max(scores, 1))
        weights = tl.where(seen, tl.exp(scores - new_most[:, None]), 0.0)
        shrink = tl.exp(most - new_most)
        total = total * shrink + tl.sum(weights, 1)
        result = tl.dot(weights.to(tl.float16), from_v.load([key, 0]), result * shrink[:, None])
        most = new_most
    rows = row + tl.arange(0, TQ)
    to = out + rows[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(to, result / total[:, None], mask=rows[:, None] < queries)


def main(arguments: list[str]) -> None:
    chip, tile, warps, version, target = arguments
    queries, keys, size, stages = (int(one) for one in tile.split(","))
    types = dict.fromkeys(("q", "k", "v"), "*fp16") | {"out": "*fp32"}
    types |= dict.fromkeys(("queries", "keys"), "i32")
    constants = {"TQ": queries, "TK": keys, "D": size}
    options = {"num_warps": int(warps), "num_stages": stages, "ptx_version": int(version)}
    triton_common.save(forward, chip, types, 4, constants, options, target)


if __name__ == "__main__":
    main(sys.argv[1:])
