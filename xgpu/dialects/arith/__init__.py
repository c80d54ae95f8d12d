# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arith dialect: what ODS leaves to C++."""
