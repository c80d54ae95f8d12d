# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Python: what numba-cuda-mlir makes of them, as our IR."""
