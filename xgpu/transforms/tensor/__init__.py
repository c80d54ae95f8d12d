# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes over operations of the tensor dialect."""
