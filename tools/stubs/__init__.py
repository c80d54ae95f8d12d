# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How type stubs of dialects are written."""
