# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the bufferization dialect."""

from __future__ import annotations

from typing import Any

from xgpu.dialects.memref.casts import fold_all_casts

FOLD: dict[str, Any] = {"bufferization.clone": fold_all_casts}
