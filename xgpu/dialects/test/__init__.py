# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's test dialect has to show results of analyses: what ODS leaves to C++."""
