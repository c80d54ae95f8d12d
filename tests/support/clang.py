# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether tests of CUDA C++ can run: clang reads it, and need not be there."""

from __future__ import annotations

import pytest

from xgpu.core.ir.errors import UsageError
from xgpu.frontend.cuda.clang import find_clang


def missing_clang() -> str:
    """Why there is none; empty where there is one."""
    try:
        find_clang()
    except UsageError as reason:
        return str(reason).partition(" (")[0]
    return ""


needs_clang = pytest.mark.skipif(bool(missing_clang()), reason=missing_clang())
