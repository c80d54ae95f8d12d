# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The nvgpu dialect: what its tables cannot say."""
