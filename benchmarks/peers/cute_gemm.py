# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of a matrix product that CuTe DSL compiles for a tile, for benchmarks/kernels.py; no GPU.

    python benchmarks/peers/cute_gemm.py 90 128,256,64,4 2 out.json

The arguments are the chip, rows, columns, depth and stages of the tile, warpgroups that multiply
beside a warp that copies (0: the same ones do both), and where the PTX goes, with the bytes of
shared memory and the warps that it starts. The compiler takes the chip from its environment, and
tensors without data; it loads nothing.
"""

from __future__ import annotations

import cute_common as common

if common.CHIP == "80":
    from cute_mma import product
elif common.CHIP == "90":
    from cute_wgmma import product
else:
    from cute_tcgen05 import product


def main() -> None:
    half, m, n, k = common.HALF, common.M, common.N, common.K
    common.save(
        product,
        common.tensor(half, (m, k), (1, 0)),
        common.tensor(half, (n, k), (0, 1)),
        common.tensor(common.FLOAT, (n,), None),
        common.tensor(half, (m, n), (1, 0)),
    )


if __name__ == "__main__":
    main()
