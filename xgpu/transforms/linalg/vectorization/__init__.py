# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structured operations as operations on vectors.

`vectorize.vectorize` is the entry: it takes one operation, and gives the values that replace its
results. What it builds reads whole operands (`vector.transfer_read`), computes on vectors of the
iteration space's shape, and writes whole results. Where the vectors are larger than the operands,
or the operands' sizes are not known, a mask says which elements count.
"""
