# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which xgpu this is, and whose syntax it reads."""

__version__ = "0.1.0"
MLIR_VERSION = "22.1"
