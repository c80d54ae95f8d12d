# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of `host_kernels.py` in Warp's language: Warp reads their source, so they have a file.

Warp's CPU device has no workgroup memory, so the matmul reads global memory and the histogram adds
there; what needs threads that wait for one another it does not have.
"""

# Annotations are what Warp reads: no postponed evaluation here.
import warp as wp


@wp.kernel
def _add(
    a: wp.array(dtype=wp.float32), b: wp.array(dtype=wp.float32),
    c: wp.array(dtype=wp.float32), n: int,
):  # fmt: skip
    x = wp.tid()
    if x < n:
        c[x] = a[x] + b[x]


@wp.kernel
def _matmul(
    a: wp.array2d(dtype=wp.float32), b: wp.array2d(dtype=wp.float32),
    c: wp.array2d(dtype=wp.float32),
):  # fmt: skip
    y, x = wp.tid()
    total = wp.float32(0.0)
    for k in range(256):
        total += a[y, k] * b[k, x]
    c[y, x] = total


@wp.kernel
def _histogram(data: wp.array(dtype=wp.int32), bins: wp.array(dtype=wp.int32)):
    x = wp.tid()
    for i in range(16):
        wp.atomic_add(bins, data[i * 65536 + x], 1)


@wp.kernel
def _stencil(data: wp.array2d(dtype=wp.float32), out: wp.array2d(dtype=wp.float32)):
    y, x = wp.tid()
    if x > 0 and x < 1023 and y > 0 and y < 1023:
        total = data[y, x] + data[y - 1, x] + data[y + 1, x] + data[y, x - 1] + data[y, x + 1]
        out[y, x] = total * 0.2


KERNELS = {
    "vector add": _add,
    "matmul 256": _matmul,
    "histogram": _histogram,
    "stencil": _stencil,
}
