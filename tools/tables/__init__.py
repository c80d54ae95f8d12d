# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading MLIR's ODS records and writing xgpu's tables from them."""
