# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bufferization dialect: what ODS leaves to C++."""
