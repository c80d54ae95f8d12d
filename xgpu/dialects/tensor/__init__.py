# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tensor dialect: what ODS leaves to C++."""
