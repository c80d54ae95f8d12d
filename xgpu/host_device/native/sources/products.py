# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of small matrices of doubles, row by row, and what tensor operations share."""

from __future__ import annotations

from xgpu.host_device.native.codes import MISUSE_PARTIAL_WARP
from xgpu.host_device.native.prelude import Ptr, advance, extern, f64, i1, i32, i64, ptr
from xgpu.host_device.native.records import Thread


@extern
def xgpu_misuse(t: Thread, kind: i32) -> None: ...
@extern
def xgpu_warp_with(t: Thread, function: ptr, value: ptr) -> i1: ...


def multiply(m: i32, n: i32, k: i32, a: Ptr[f64], b: Ptr[f64], d: Ptr[f64]) -> None:
    """D (m x n) gets A (m x k) times B (k x n) added."""
    for i in range(m):
        for step in range(k):
            x = a[i * k + step]
            for j in range(n):
                d[i * n + j] = d[i * n + j] + x * b[step * n + j]


def count_differences(m: i32, n: i32, k: i32, a: Ptr[f64], b: Ptr[f64], d: Ptr[f64]) -> None:
    """D gets the number of places added where a row of A and a column of B, of ones and zeros,
    differ."""
    for i in range(m):
        for step in range(k):
            x = a[i * k + step]
            for j in range(n):
                y = b[step * n + j]
                d[i * n + j] = d[i * n + j] + x + y - 2.0 * x * y


def lane_memory(t: Thread, lane: i32) -> ptr:
    """What a lane of the warp of `t` has left for the others."""
    other = t.block.threads[(t.linear & -32) + lane]
    return ptr(other.value)


def require_warp(t: Thread) -> None:
    """Matrix operations are of 32 lanes."""
    if t.block.count - (t.linear & -32) < 32:
        xgpu_misuse(t, MISUSE_PARTIAL_WARP)


def doubles(p: ptr, index: i64) -> Ptr[f64]:
    """The address of a double among many."""
    return Ptr[f64](advance(p, index * 8))
