# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memref dialect: what ODS leaves to C++."""
