# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What xgpu uses of llvmlite 0.50, for type checkers: llvmlite itself has no annotations."""

__version__: str
