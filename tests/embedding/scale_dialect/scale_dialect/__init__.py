# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A project of somebody else's: a dialect, its lowering to the gpu dialect, and a pass."""
