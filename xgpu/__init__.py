# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu: MLIR's GPU compiler in Python, on xDSL and llvmlite."""

__version__ = "0.1.0"
MLIR_VERSION = "22.1"
