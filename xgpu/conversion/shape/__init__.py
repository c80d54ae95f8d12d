# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions of the shape dialect."""
