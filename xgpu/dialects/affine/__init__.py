# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The affine dialect: what ODS leaves to C++."""
