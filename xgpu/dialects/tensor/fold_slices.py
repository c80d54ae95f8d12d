# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of tensor.extract_slice and tensor.insert_slice: of everything, of nothing, of one another.

%0 = tensor.insert_slice %s into %t[4] [8] [1]
%1 = tensor.extract_slice %0[4] [8] [1]     =>  %s
%2 = tensor.insert_slice %1 into %0[4] [8] [1]  =>  %0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import TensorType

from xgpu.core.ir.dense_parts import is_dense, of_splat
from xgpu.dialects.slices import mixed, settle
from xgpu.dialects.tensor.casts import is_static, made_by

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.dialects.slices import Mixed



def place_of(op: Operation) -> tuple[Mixed, Mixed, Mixed]:
    """The offsets, sizes and strides of a slice."""
    return mixed(op, "offsets"), mixed(op, "sizes"), mixed(op, "strides")


def _is_everything(op: Operation, whole: Attribute) -> bool:
    """Whether a slice is all of a tensor of type `whole`."""
    offsets, sizes, strides = (settle(entries) for entries in place_of(op))
    return (
        all(offset == 0 for offset in offsets)
        and sizes == list(cast("TensorType", whole).get_shape())
        and all(stride == 1 for stride in strides)
    )


def _same_place(op: Operation, other: Operation) -> bool:
    pairs = zip(place_of(op), place_of(other), strict=True)
    return all(_same_entries(mine, theirs) for mine, theirs in pairs)


def _same_entries(mine: Mixed, theirs: Mixed) -> bool:
    return len(mine) == len(theirs) and all(
        a == b if isinstance(a, int) else a is b for a, b in zip(mine, theirs, strict=True)
    )


def fold_extract_slice(op: Operation, constants: Constants) -> Folded:
    """A slice of a splat, of all, of what was just put there."""
    source, kind = op.operands[0], op.results[0].type
    constant = constants[0]
    made = of_splat(constant, kind) if is_dense(constant) else None
    if made is not None:
        return [made]
    if source.type == kind and _is_everything(op, kind):
        return [source]
    inner = made_by(source, "tensor.insert_slice")
    if inner is not None and inner.operands[0].type == kind and _same_place(op, inner):
        return [inner.operands[0]]
    return None


def fold_insert_slice(op: Operation, constants: Constants) -> Folded:
    """A slice over all, over one that was just put there, over itself, of no elements."""
    source, dest = op.operands[0], op.operands[1]
    kind = op.results[0].type
    if is_static(kind) and source.type == kind and _is_everything(op, kind):
        return [source]
    before = made_by(dest, op.name)
    if before is not None and before.operands[0].type == source.type and _same_place(op, before):
        op.operands[1] = before.operands[1]
        return True
    taken = made_by(source, "tensor.extract_slice")
    if taken is not None and taken.operands[0] is dest and _same_place(op, taken):
        return [dest]
    if any(size == 0 for size in settle(mixed(op, "sizes"))):
        return [dest]
    return None
