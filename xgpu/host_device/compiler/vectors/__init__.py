# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A warp is a vector: the analyses, and the code of kernels in which lanes run at once."""
