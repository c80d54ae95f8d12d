# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What becomes of operations that only a GPU has, one rule each (`lowering`)."""
