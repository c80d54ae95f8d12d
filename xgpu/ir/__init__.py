# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Facts about IR, and ways to change it."""
