# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the vector dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.dialects.vector.fold_elements import (
    fold_constant_mask,
    fold_from_elements,
    fold_to_elements,
)
from xgpu.dialects.vector.fold_extract import Constants, Folded, fold_extract
from xgpu.dialects.vector.fold_insert import fold_insert
from xgpu.dialects.vector.fold_shapes import (
    fold_bitcast,
    fold_broadcast,
    fold_shape_cast,
    fold_shuffle,
    fold_transpose,
)
from xgpu.dialects.vector.fold_slices import fold_extract_slice, fold_insert_slice
from xgpu.dialects.vector.fold_transfer import fold_read, fold_write

if TYPE_CHECKING:
    from xgpu.dialects import vector


def _mask(op: vector.MaskOp, _: Constants) -> Folded:
    """A mask around nothing: what it yields."""
    block = op.regions[0].blocks[0]
    inner = block.first_op
    if op.passthru is not None or inner is None or inner is not block.last_op:
        return None
    return list(inner.operands) if inner.operands else None


FOLD = {
    "vector.bitcast": fold_bitcast,
    "vector.broadcast": fold_broadcast,
    "vector.constant_mask": fold_constant_mask,
    "vector.extract": fold_extract,
    "vector.extract_strided_slice": fold_extract_slice,
    "vector.from_elements": fold_from_elements,
    "vector.insert": fold_insert,
    "vector.insert_strided_slice": fold_insert_slice,
    "vector.mask": _mask,
    "vector.shape_cast": fold_shape_cast,
    "vector.shuffle": fold_shuffle,
    "vector.to_elements": fold_to_elements,
    "vector.transfer_read": fold_read,
    "vector.transfer_write": fold_write,
    "vector.transpose": fold_transpose,
}
