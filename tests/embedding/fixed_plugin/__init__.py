# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of xgpu-opt with a type of its own: fixed-point numbers.

All that can be said in xDSL's terms is said so: syntax, verifier, folders, constants,
canonicalization. What xDSL has no words for, lowering to the llvm dialect, is registered.
"""

from fixed_plugin import lowering
from fixed_plugin.dialect import Fixed

lowering.register()

__all__ = ["Fixed"]
