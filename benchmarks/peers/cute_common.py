# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What products in CuTe DSL have in common: sizes, from the command line of cute_gemm.py, and how
results are stored. To be imported before `cutlass`, which takes the chip from its environment."""

from __future__ import annotations

import os
import sys
import tempfile

CHIP, _SIZES, _CONSUMERS, TARGET = sys.argv[1:]
FOLDER = tempfile.mkdtemp()
os.environ |= {
    "CUTE_DSL_ARCH": {"80": "sm_80", "90": "sm_90a", "100": "sm_100a"}[CHIP],
    "CUTE_DSL_KEEP": "ptx",
    "CUTE_DSL_DUMP_DIR": FOLDER,
}

import cutlass  # noqa: E402
from cutlass import cute  # noqa: E402

#: A tile's rows, columns and depth, and how many are in memory.
TM, TN, TK, STAGES = (int(size) for size in _SIZES.split(","))
#: Warpgroups that multiply, beside one that copies; 0: the same one does both.
GROUPS = int(_CONSUMERS)
M, N, K = 512, 768, 1024
STEPS = K // TK
HALF, FLOAT = cutlass.Float16, cutlass.Float32


@cute.jit
def store(mma, thread, sums, own_c, bias, column):  # type: ignore[no-untyped-def]
    """max(0, sums + bias), by each thread what it has."""
    same = cute.make_layout((TM, TN), stride=(0, 1))
    added = cute.make_tensor(bias.iterator + column * TN, same)
    own_bias = mma.get_slice(thread).partition_C(added)
    for at in cutlass.range_constexpr(cute.size(sums)):
        value = sums[at] + own_bias[at]
        own_c[at] = cutlass.max(value, FLOAT(0.0)).to(HALF)
