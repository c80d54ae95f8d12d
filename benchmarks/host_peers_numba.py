# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of `host_kernels.py` for one block of 64 threads in numba's language. Its simulator puts
itself in the place of the global `cuda` of a kernel's module, so they have a file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

THREADS = 64


@cuda.jit
def add(a: Any, b: Any, c: Any) -> None:
    x = cuda.grid(1)
    c[x] = a[x] + b[x]


@cuda.jit
def reduction(data: Any, out: Any) -> None:
    part = cuda.shared.array(THREADS, np.float32)
    t = cuda.threadIdx.x
    part[t] = data[t]
    cuda.syncthreads()
    stride = THREADS // 2
    while stride > 0:
        if t < stride:
            part[t] += part[t + stride]
        cuda.syncthreads()
        stride //= 2
    if t == 0:
        out[0] = part[0]


@cuda.jit
def histogram(data: Any, bins: Any) -> None:
    own = cuda.shared.array(256, np.int32)
    t = cuda.threadIdx.x
    for i in range(t, 256, THREADS):
        own[i] = 0
    cuda.syncthreads()
    for i in range(16):
        cuda.atomic.add(own, data[i * THREADS + t], 1)
    cuda.syncthreads()
    for i in range(t, 256, THREADS):
        cuda.atomic.add(bins, i, own[i])


KERNELS = {"vector add": add, "tree reduction": reduction, "histogram": histogram}
