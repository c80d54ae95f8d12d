# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes of xgpu's own, which MLIR does not have: circular buffering of loads, and products of
matrices.

    circular  loops that load ahead into several buffers, with barriers from a schedule
    gemm      `linalg.matmul` to a pipelined kernel of tensor cores
"""
