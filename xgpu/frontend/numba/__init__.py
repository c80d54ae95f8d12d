# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Python: what numba-cuda-mlir makes of them, as our IR."""

from __future__ import annotations

import sys


def is_imported() -> bool:
    """Whether this process has imported numba-cuda-mlir."""
    return "numba_cuda_mlir" in sys.modules
