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
from xgpu.dialects.vector.mask_folding import is_all

if TYPE_CHECKING:
    from xgpu.dialects import vector


def _mask(op: vector.MaskOp, _: Constants) -> Folded:
    """A mask around nothing: what it yields. A mask that is all set: the operation comes out."""
    block = op.regions[0].blocks[0]
    inner, end = block.first_op, block.last_op
    if inner is None or end is None:
        return None
    if inner is end:
        return list(end.operands) if op.passthru is None and end.operands else None
    if not is_all(op.operands[0]) or not inner.results:
        return None
    end.operands = []
    inner.detach()
    assert op.parent is not None
    op.parent.insert_op_before(inner, op)
    return list(inner.results)


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
