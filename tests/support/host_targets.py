# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processors that the host compiler makes code for in tests, and whether this one runs it."""

from __future__ import annotations

import platform
from functools import cache

#: LLVM's names of the levels of x86-64, and what each adds to the one before (psABI 3.1.1).
LEVELS = {
    "x86-64-v2": ("cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3"),
    "x86-64-v3": ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
    "x86-64-v4": ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
}
#: These, and this machine's own.
PROCESSORS = ("", *LEVELS)


@cache
def missing(processor: str) -> str:
    """Why this machine does not run code for a processor; "" if it does."""
    if not processor:
        return ""
    if platform.machine() not in ("x86_64", "AMD64"):
        return f"code for {processor} does not run on {platform.machine()}"
    from llvmlite import binding

    own = binding.get_host_cpu_features()
    for level, features in LEVELS.items():
        lacks = [name for name in features if not own.get(name)]
        if lacks:
            return f"this processor lacks {', '.join(lacks)} of {level}"
        if level == processor:
            break
    return ""
