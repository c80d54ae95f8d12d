# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The strategy in which each thread of a kernel runs by itself, as passes."""
