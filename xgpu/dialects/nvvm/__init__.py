# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The nvvm dialect: what its tables cannot say."""
