# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The form in which each thread of a kernel runs by itself, as passes."""
