# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The xevm dialect: read, verified and printed, but not compiled."""
