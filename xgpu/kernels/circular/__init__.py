# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Circular buffering: loops whose copies run ahead of what computes on them."""
