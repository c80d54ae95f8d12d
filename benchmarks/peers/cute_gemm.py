# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of a matrix product that CuTe DSL compiles for a tile, for benchmarks/kernels.py; no GPU.

    python benchmarks/peers/cute_gemm.py 90 128,256,64,4 2 out.json

The arguments are the chip, rows, columns, depth and stages of the tile, warpgroups that multiply
beside a warp that copies (0: the same ones do both), and where the PTX goes, with the bytes of
shared memory and the warps that it starts. The compiler takes the chip from its environment, and
tensors without data; it loads nothing.
"""

from __future__ import annotations

import json
import pathlib
import re

import cute_common as common
from cutlass import cute
from cutlass.cute.runtime import make_fake_compact_tensor

if common.CHIP == "80":
    from cute_mma import product
elif common.CHIP == "90":
    from cute_wgmma import product
else:
    from cute_tcgen05 import product


def main() -> None:
    half, numbers = common.HALF, (common.M, common.N, common.K)
    m, n, k = numbers
    tensors = (
        make_fake_compact_tensor(half, (m, k), stride_order=(1, 0), assumed_align=16),
        make_fake_compact_tensor(half, (n, k), stride_order=(0, 1), assumed_align=16),
        make_fake_compact_tensor(common.FLOAT, (n,), assumed_align=16),
        make_fake_compact_tensor(half, (m, n), stride_order=(1, 0), assumed_align=16),
    )
    made = cute.compile(product, *tensors)
    (ptx,) = pathlib.Path(common.FOLDER).glob("*.ptx")
    kernel = ptx.read_text().rstrip("\0")
    threads = re.search(r"\.reqntid (\d+)", kernel)
    assert threads is not None
    text = {"ptx": kernel, "shared": _shared(str(made.ir_module)), "warps": int(threads[1]) // 32}
    pathlib.Path(common.TARGET).write_text(json.dumps(text))


def _shared(host: str) -> int:
    """Bytes of shared memory that the host's code asks for: among its constants of 64 bits, which
    are otherwise fields of tensor maps, the largest that a block can have."""
    numbers = (int(number) for number in re.findall(r"constant\((\d+) : i64\)", host))
    return max(number for number in numbers if number <= 228 * 1024)


if __name__ == "__main__":
    main()
