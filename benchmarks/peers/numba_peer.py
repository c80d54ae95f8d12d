# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""numba-cuda, through the wheels numba-cuda and nvidia-nvvm. It needs no GPU to compile."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba_cuda
from measure import report
from numba import cuda, float32, int64


def vector_add(a, b, c, n):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]


def matmul(a, b, c):  # type: ignore[no-untyped-def]
    ta = cuda.shared.array((16, 16), float32)
    tb = cuda.shared.array((16, 16), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row = cuda.blockIdx.y * 16 + ty
    col = cuda.blockIdx.x * 16 + tx
    total = float32(0)
    for k in range(0, 1024, 16):
        ta[ty, tx] = a[row, k + tx]
        tb[ty, tx] = b[k + ty, col]
        cuda.syncthreads()
        for j in range(16):
            total += ta[ty, j] * tb[j, tx]
        cuda.syncthreads()
    c[row, col] = total


def gelu(x, y, n):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    if i < n:
        v = x[i]
        inner = float32(0.7978845608) * (v + float32(0.044715) * v * v * v)
        y[i] = float32(0.5) * v * (float32(1) + math.tanh(inner))


def compiler(kernel: Callable[..., Any], signature: tuple[Any, ...]) -> Callable[[], str]:
    def compile_once() -> str:
        return cuda.compile_ptx(kernel, signature, cc=(8, 0))[0]

    return compile_once


if __name__ == "__main__":
    line, matrix = float32[::1], float32[:, ::1]
    report(
        f"numba-cuda {numba_cuda.__version__}",
        {
            "vector add": compiler(vector_add, (line, line, line, int64)),
            "tiled matmul": compiler(matmul, (matrix, matrix, matrix)),
            "gelu": compiler(gelu, (line, line, int64)),
        },
    )
