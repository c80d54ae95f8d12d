# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pointer type of the ptr dialect."""
