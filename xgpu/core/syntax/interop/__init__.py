# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Crossing between our classes and those that others define for the same operations."""

from xgpu.core.syntax.interop.module import Crossing, adopt_operation, adopted, lend

__all__ = ["Crossing", "adopt_operation", "adopted", "lend"]
