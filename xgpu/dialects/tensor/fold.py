# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the tensor dialect: sizes that are known, slices of everything."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.ir.constants import int_value

Constants = list[Attribute | None]
Folded = list[SSAValue | Attribute] | bool | None


def _dim(op: Operation, constants: Constants) -> Folded:
    dim = int_value(constants[1])
    kind = op.operands[0].type
    if dim is None or not isinstance(kind, TensorType):
        return None
    shape = list(kind.get_shape())
    if not 0 <= dim < len(shape) or shape[dim] == DYNAMIC_INDEX:
        return None
    return [IntegerAttr(shape[dim], IndexType())]


def _cast(op: Operation, constants: Constants) -> Folded:
    return [op.operands[0]] if op.operands[0].type == op.results[0].type else None


def _is_everything(op: Any, whole: Any) -> bool:
    """Whether a slice of static sizes is all of a tensor of type `whole`."""
    if DYNAMIC_INDEX in whole.get_shape():
        return False
    offsets, sizes, strides = (
        list(op.properties[f"static_{name}"].get_values())
        for name in ("offsets", "sizes", "strides")
    )
    return (
        all(n == 0 for n in offsets)
        and sizes == list(whole.get_shape())
        and all(n == 1 for n in strides)
    )


def _extract_slice(op: Operation, constants: Constants) -> Folded:
    source = op.operands[0]
    same = source.type == op.results[0].type
    return [source] if same and _is_everything(op, source.type) else None


def _insert_slice(op: Operation, constants: Constants) -> Folded:
    source = op.operands[0]
    same = source.type == op.results[0].type
    return [source] if same and _is_everything(op, source.type) else None


FOLD = {
    "tensor.cast": _cast,
    "tensor.dim": _dim,
    "tensor.extract_slice": _extract_slice,
    "tensor.insert_slice": _insert_slice,
}
