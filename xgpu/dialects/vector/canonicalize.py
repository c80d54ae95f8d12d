# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the vector dialect."""

from __future__ import annotations

from xgpu.dialects.vector import (
    canonicalize_elements,
    canonicalize_masks,
    canonicalize_memory,
    canonicalize_reductions,
    canonicalize_shapes,
    canonicalize_slices,
    canonicalize_step,
    canonicalize_transfers,
    mask_folding,
)
from xgpu.dialects.vector.builders import merge

PATTERNS = merge(
    {
        "vector.create_mask": (mask_folding.fold_create_mask,),
        "vector.extract": (canonicalize_masks.extract_of_mask,),
        "vector.extract_strided_slice": (
            canonicalize_masks.slice_of_created,
            mask_folding.slice_of_mask,
            *canonicalize_slices.EXTRACT,
        ),
        "vector.insert_strided_slice": canonicalize_slices.INSERT,
        "vector.mask": (canonicalize_masks.masked_all, canonicalize_masks.masked_nothing),
        "vector.shape_cast": (canonicalize_masks.cast_of_mask,),
        "vector.transpose": (canonicalize_masks.transpose_of_mask,),
    },
    mask_folding.ACCESSES,
    canonicalize_elements.ELEMENT_PATTERNS,
    canonicalize_memory.MEMORY_PATTERNS,
    canonicalize_reductions.REDUCTION_PATTERNS,
    canonicalize_shapes.SHAPE_PATTERNS,
    canonicalize_step.STEP_PATTERNS,
    canonicalize_transfers.TRANSFER_PATTERNS,
)
