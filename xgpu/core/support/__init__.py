# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What any package may use: it knows nothing of IR, and imports no other package of xgpu."""
