# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The linalg dialect: what ODS leaves to C++."""
