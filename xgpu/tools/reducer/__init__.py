# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Making a program smaller while it stays interesting: what `xgpu-reduce` does."""
