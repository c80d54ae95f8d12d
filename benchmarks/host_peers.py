# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Others that run GPU kernels on a CPU, for `host_device.py`: Warp, Triton's interpreter and
numba's simulator.

`warp_launch(case)` and so on give what launches a case and waits, with its buffers; None where
there is no such kernel. They raise ImportError where the package is not there. The simulator runs
each thread as one of Python's, so it gets one block of 64 threads, whose time stands for that of 64
threads; the interpreter runs the first programs of the grid.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from host_case import Case

SIMULATED = 64  # threads that numba's simulator runs
PROGRAMS = 16  # programs that Triton's interpreter runs, each a block

#: What launches, and the buffers that hold the result then; None where nothing checks them.
Launch = tuple[Callable[[], Any], Callable[[], list[Any]] | None]


# -- Warp


def warp_launch(case: Case) -> Launch | None:
    """A case on Warp's CPU device."""
    import warp as wp

    wp.config.quiet = True
    from host_peers_warp import KERNELS

    kernel = KERNELS.get(case.name)
    if kernel is None:
        return None
    given = case.arguments()
    arrays = [wp.array(v, device="cpu") if isinstance(v, np.ndarray) else int(v) for v in given]
    size = tuple(g * b for g, b in zip(case.grid, case.block, strict=True))[::-1]

    def launch() -> None:
        wp.launch(kernel, dim=size, inputs=arrays, device="cpu")

    def result() -> list[Any]:
        return [a.numpy() if isinstance(a, wp.array) else a for a in arrays]

    return launch, result


# -- numba


def numba_launch(case: Case) -> Launch | None:
    """A block of a case in numba's simulator."""
    os.environ.setdefault("NUMBA_ENABLE_CUDASIM", "1")
    from host_peers_numba import KERNELS

    kernel = KERNELS.get(case.name)
    if kernel is None:
        return None
    arrays = [v for v in case.arguments() if isinstance(v, np.ndarray)]

    def launch() -> None:
        kernel[1, SIMULATED](*arrays)

    return launch, None


# -- Triton


def triton_grid(case: Case) -> tuple[int, ...]:
    """The first programs: of the last dimension that has so many."""
    grid = [1] * len(case.grid)
    longest = max(range(len(grid)), key=lambda at: case.grid[at])
    grid[longest] = min(PROGRAMS, case.grid[longest])
    return tuple(grid)


def triton_launch(case: Case) -> Launch | None:
    """Some programs of a case in Triton's interpreter."""
    from host_peers_triton import KERNELS, Tensor

    kernel = KERNELS.get(case.name)
    if kernel is None:
        return None
    buffers = case.arguments()
    given = [Tensor(v) if isinstance(v, np.ndarray) else int(v) for v in buffers]
    if case.name == "softmax":
        given.append(buffers[0].shape[1])
    grid = triton_grid(case)

    def launch() -> None:
        if case.again is not None:
            case.again(buffers)
        kernel[grid](*given)

    return launch, None
