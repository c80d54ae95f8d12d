# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the bufferization dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.dialects.bufferization import canonicalize_buffers
from xgpu.dialects.memref.casts import fold_all_casts

if TYPE_CHECKING:
    from xgpu.dialects.hook_types import Folder


FOLD: dict[str, Folder] = {
    "bufferization.clone": fold_all_casts,
    **canonicalize_buffers.BUFFER_FOLD,
}
