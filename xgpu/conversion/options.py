# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options that several conversions to the llvm dialect have."""

from __future__ import annotations

from xgpu.core.passes.base import Option

INDEX_BITWIDTH = Option(
    "index-bitwidth", int, 0, "Bitwidth of the index type, 0 to use size of machine word"
)
