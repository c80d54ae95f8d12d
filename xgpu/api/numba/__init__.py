# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments, devices and universal functions of `xgpu.numba`."""
