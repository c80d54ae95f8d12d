# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's masked arrays, which describe their data as if all of it counted: a kernel would read
what is masked, and write beside the mask."""

from __future__ import annotations

import sys

#: What is said of them.
REFUSED = "masked arrays have no counterpart: give .data, or what .filled(value) makes"


def is_masked(array: object) -> bool:
    """Whether NumPy masks elements of `array`, or could; `numpy.ma` is not loaded for it."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(array, masked.MaskedArray)
