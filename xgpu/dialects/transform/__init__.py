# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transform dialect: what ODS leaves to C++."""
