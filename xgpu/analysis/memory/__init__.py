# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who writes and reads which memory, and what of it one iteration of a loop does."""
