# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of the matrix product that Triton compiles for a tile, for benchmarks/kernels.py; no GPU.

    python benchmarks/peers/triton_gemm.py 90 128,256,64,4 8 90 out.json

The arguments are the chip, rows, columns, depth and stages of the tile, warps, the PTX version that
the assembler takes (times ten), and where the PTX goes, with the bytes of shared memory and the
warps that it starts.
"""

from __future__ import annotations

import sys

import triton
import triton.language as tl
import triton_common


@triton.jit
def by_pointers(a, b, bias, c, M, N, K, TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr):  # type: ignore[no-untyped-def]
    """max(0, a b + bias), with tiles by cp.async."""
    rows = tl.program_id(1) * TM + tl.arange(0, TM)
    columns = tl.program_id(0) * TN + tl.arange(0, TN)
    inner = tl.arange(0, TK)
    total = tl.zeros((TM, TN), dtype=tl.float32)
    left = a + rows[:, None] * K + inner[None, :]
    right = b + inner[:, None] * N + columns[None, :]
    for _ in range(0, K, TK):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += TK
        right += TK * N
    total = tl.maximum(total + tl.load(bias + columns)[None, :], 0.0)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16))


@triton.jit
def by_descriptors(a, b, bias, c, M, N, K, TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr):  # type: ignore[no-untyped-def]
    """The same with tiles by TMA."""
    row, column = tl.program_id(1) * TM, tl.program_id(0) * TN
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [TM, TK])
    right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [TK, TN])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [TM, TN])
    total = tl.zeros((TM, TN), dtype=tl.float32)
    for k in range(0, K, TK):
        total = tl.dot(left.load([row, k]), right.load([k, column]), total)
    total = tl.maximum(total + tl.load(bias + column + tl.arange(0, TN))[None, :], 0.0)
    out.store([row, column], total.to(tl.float16))


def main(arguments: list[str]) -> None:
    chip, tile, warps, version, target = arguments
    m, n, k, stages = (int(size) for size in tile.split(","))
    kernel = by_descriptors if int(chip) >= 90 else by_pointers
    pointers = {"a": "*fp16", "b": "*fp16", "bias": "*fp32", "c": "*fp16"}
    types = pointers | dict.fromkeys(("M", "N", "K"), "i32")
    constants = {"TM": m, "TN": n, "TK": k}
    options = {"num_warps": int(warps), "num_stages": stages}
    if kernel is by_descriptors:
        options["ptx_version"] = int(version)  # the newest that Triton knows, otherwise
    triton_common.save(kernel, chip, types, len(types), constants, options, target)


if __name__ == "__main__":
    main(sys.argv[1:])
