# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Another project: a dialect, its lowering to the gpu dialect, and a pass."""
