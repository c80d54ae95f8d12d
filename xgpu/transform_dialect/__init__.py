# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The interpreter of the transform dialect, and what its operations do."""
