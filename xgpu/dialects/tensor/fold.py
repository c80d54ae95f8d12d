# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the tensor dialect; those of slices and of elements are in modules of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, TensorType

from xgpu.core.ir.constants import int_of, int_value
from xgpu.core.ir.dense_parts import is_dense, reshaped
from xgpu.dialects.reassociation import fold_reshape
from xgpu.dialects.slices import mixed
from xgpu.dialects.tensor.casts import is_static, made_by, uncast
from xgpu.dialects.tensor.fold_elements import (
    fold_extract,
    fold_from_elements,
    fold_insert,
    fold_splat,
    splat_as,
)
from xgpu.dialects.tensor.fold_slices import fold_extract_slice, fold_insert_slice

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.dialects.hook_types import Folder



def _index(value: int) -> Attribute:
    return IntegerAttr(value, IndexType())


def _dim(op: Operation, constants: Constants) -> Folded:
    """A size that the type, or what made the tensor, tells."""
    dim = int_value(constants[1])
    source = op.operands[0]
    kind = source.type
    if dim is None or not isinstance(kind, TensorType):
        return None
    shape = list(kind.get_shape())
    if not 0 <= dim < len(shape):
        return None
    if shape[dim] != DYNAMIC_INDEX:
        return [_index(shape[dim])]
    made = made_by(source, "tensor.generate")
    if made is not None:
        return [made.operands[shape[:dim].count(DYNAMIC_INDEX)]]
    taken = made_by(source, "tensor.extract_slice")
    if taken is not None:
        sizes = mixed(taken, "sizes")
        # A slice that leaves out dimensions is for passes that resolve sizes.
        if len(sizes) == len(shape) and not isinstance(sizes[dim], int):
            return [cast("SSAValue", sizes[dim])]
    inner = uncast(source)
    if inner is None:
        return None
    op.operands[0] = inner
    return True


def _cast(op: Operation, constants: Constants) -> Folded:
    return [op.operands[0]] if op.operands[0].type == op.results[0].type else None


def _concat(op: Operation, constants: Constants) -> Folded:
    only = op.operands[0] if len(op.operands) == 1 else None
    return [only] if only is not None and only.type == op.results[0].type else None


def _gather(op: Operation, constants: Constants) -> Folded:
    return splat_as(constants[0], op.results[0].type)


def _pad(op: Operation, constants: Constants) -> Folded:
    kind = op.results[0].type
    same = is_static(kind) and op.operands[0].type == kind and "nofold" not in op.properties
    return [op.operands[0]] if same else None


def _rank(op: Operation, constants: Constants) -> Folded:
    kind = op.operands[0].type
    return [_index(len(kind.get_shape()))] if isinstance(kind, TensorType) else None


def _collapse_or_expand(op: Operation, constants: Constants) -> Folded:
    """Constants have the same elements in any shape; what is undone is nothing."""
    constant, kind = constants[0], op.results[0].type
    if is_dense(constant) and op.operands[0].type != kind:
        return [reshaped(constant, kind)] if is_static(kind) else None
    return fold_reshape(op, constants)


def _reshape(op: Operation, constants: Constants) -> Folded:
    """A splat in another shape, a reshape of a reshape, or to the shape that there was."""
    source, kind = op.operands[0], op.results[0].type
    splat = splat_as(constants[0], kind)
    if splat is not None:
        return splat
    inner = made_by(source, op.name)
    if inner is not None:
        op.operands[0] = inner.operands[0]
        return True
    if not isinstance(kind, TensorType) or source.type != kind:
        return None
    shape = list(kind.get_shape())
    if len(shape) <= 1:
        return [source]
    sizes = made_by(op.operands[1], "tensor.from_elements")
    if sizes is None or len(sizes.operands) != len(shape):
        return None
    are_same = all(
        _is_size(size, source, dim, shape[dim]) for dim, size in enumerate(sizes.operands)
    )
    return [source] if are_same else None


def _is_size(size: SSAValue, source: SSAValue, dim: int, extent: int) -> bool:
    """Whether a value is known to be the size of a dimension of `source`."""
    known = int_of(size)
    if known is not None:
        return known == extent
    asked = made_by(size, "tensor.dim")
    return asked is not None and asked.operands[0] is source and int_of(asked.operands[1]) == dim


FOLD: dict[str, Folder] = {
    "tensor.bitcast": _cast,
    "tensor.cast": _cast,
    "tensor.collapse_shape": _collapse_or_expand,
    "tensor.concat": _concat,
    "tensor.dim": _dim,
    "tensor.expand_shape": _collapse_or_expand,
    "tensor.extract": fold_extract,
    "tensor.extract_slice": fold_extract_slice,
    "tensor.from_elements": fold_from_elements,
    "tensor.gather": _gather,
    "tensor.insert": fold_insert,
    "tensor.insert_slice": fold_insert_slice,
    "tensor.pad": _pad,
    "tensor.rank": _rank,
    "tensor.reshape": _reshape,
    "tensor.splat": fold_splat,
}
