# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the linalg dialect: structured operations take memrefs of any shape and layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.dialects.linalg.named_ops import OPS
from xgpu.dialects.linalg.structure import MATMULS
from xgpu.dialects.memref.casts import fold_all_casts

if TYPE_CHECKING:
    from xgpu.dialects.hook_types import Folder


FOLD: dict[str, Folder] = dict.fromkeys(
    (*MATMULS, *OPS, "linalg.contract", "linalg.elementwise", "linalg.generic"), fold_all_casts
)
