# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels in CuTe DSL have in common: sizes, from the command line, how tiles are brought, and
what is said of a kernel that was made. To be imported before `cutlass`, which takes the chip from
its environment."""

from __future__ import annotations

import json
import os
import pathlib
import re
import sys
import tempfile

CHIP, _SIZES, _CONSUMERS, _TARGET = sys.argv[1:]
_FOLDER = tempfile.mkdtemp()
os.environ |= {
    "CUTE_DSL_ARCH": {"80": "sm_80", "90": "sm_90a", "100": "sm_100a"}[CHIP],
    "CUTE_DSL_KEEP": "ptx",
    "CUTE_DSL_DUMP_DIR": _FOLDER,
}

import cutlass  # noqa: E402
from cutlass import cute, pipeline  # noqa: E402
from cutlass.cute.nvgpu import cpasync  # noqa: E402
from cutlass.cute.runtime import make_fake_compact_tensor  # noqa: E402
from cutlass.memory import SmemAllocator  # noqa: E402

#: A tile's rows, columns and depth, and how many are in memory.
TM, TN, TK, STAGES = (int(size) for size in _SIZES.split(","))
#: Warpgroups that multiply, beside one that copies; 0: the same one does both.
GROUPS = int(_CONSUMERS)
M, N, K = 512, 768, 1024
STEPS = K // TK
#: What is copied for a step.
STEP_BYTES = 2 * TK * (TM + TN)
HALF, FLOAT = cutlass.Float16, cutlass.Float32
#: Shared memory that a block can have at most.
_MOST_SHARED = 228 * 1024


def tensor(element, shape, order):  # type: ignore[no-untyped-def]
    """A tensor without data, for the compiler; `order` 0 is the dimension without gaps."""
    return make_fake_compact_tensor(element, shape, stride_order=order, assumed_align=16)


def save(kernel, *tensors) -> None:  # type: ignore[no-untyped-def]
    """Compiles a kernel's host function; writes its PTX, with the bytes of shared memory and the
    warps that it starts, to the file that the command line names."""
    made = cute.compile(kernel, *tensors)
    (ptx,) = pathlib.Path(_FOLDER).glob("*.ptx")
    text = ptx.read_text().rstrip("\0")
    threads = re.search(r"\.reqntid (\d+)", text)
    assert threads is not None
    shared = _shared(str(made.ir_module))
    found = {"ptx": text, "shared": shared, "warps": int(threads[1]) // 32}
    pathlib.Path(_TARGET).write_text(json.dumps(found))


def _shared(host: str) -> int:
    """Bytes of shared memory that the host's code asks for: among its constants of 64 bits, which
    are otherwise fields of tensor maps, the largest that a block can have."""
    numbers = (int(number) for number in re.findall(r"constant\((\d+) : i64\)", host))
    return max(number for number in numbers if number <= _MOST_SHARED)


def tiles_of(a, b, c, row, column):  # type: ignore[no-untyped-def]
    """A block's tiles of the factors, for all steps, and its tile of the result."""
    return (
        cute.local_tile(a, (TM, TK), (row, None)),
        cute.local_tile(b, (TN, TK), (column, None)),
        cute.local_tile(c, (TM, TN), (row, column)),
    )


def factors(memory: SmemAllocator, *layouts):  # type: ignore[no-untyped-def]
    """Shared memory for tiles with a swizzle, one for each layout."""
    return [memory.allocate_tensor(HALF, layout.outer, 1024, layout.inner) for layout in layouts]


def boxes(copy, memory, tiles, modes: int):  # type: ignore[no-untyped-def]
    """What TMA fills and what it reads; a tile has `modes` modes, before those of stage or step."""
    own, other = (cute.group_modes(one, 0, modes) for one in (memory, tiles))
    return cpasync.tma_partition(copy, 0, cute.make_layout(1), own, other)


def bulk_pipeline(barriers, stages: int, warps: int, size: int):  # type: ignore[no-untyped-def]
    """Full and empty barriers: a thread asks for `size` bytes a stage, `warps` warps read them."""
    return pipeline.PipelineTmaAsync.create(
        num_stages=stages,
        producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread),
        consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, warps),
        tx_count=size,
        barrier_storage=barriers,
        cta_layout_vmnk=cute.make_layout((1, 1, 1, 1)),
    )


def bias_of_tile(bias, column):  # type: ignore[no-untyped-def]
    """The bias of a tile's columns, the same for all of its rows."""
    same = cute.make_layout((TM, TN), stride=(0, 1))
    return cute.make_tensor(bias.iterator + column * TN, same)


@cute.jit
def store(mma, thread, sums, own_c, bias, column):  # type: ignore[no-untyped-def]
    """max(0, sums + bias), by each thread what it has."""
    own_bias = mma.get_slice(thread).partition_C(bias_of_tile(bias, column))
    for at in cutlass.range_constexpr(cute.size(sums)):
        value = sums[at] + own_bias[at]
        own_c[at] = cutlass.max(value, FLOAT(0.0)).to(HALF)
