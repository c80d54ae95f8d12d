# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of vector.extract_strided_slice and insert_strided_slice."""

from __future__ import annotations

import math
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.ir.constants import constant_of, splat_value
from xgpu.ir.dense_parts import is_dense, sliced, with_slice


def _numbers(attr: Any) -> list[int]:
    return [item.value.data for item in attr.data]


def _inserted(value: Any) -> Any:
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "vector.insert_strided_slice":
        return owner
    return None


def fold_extract_slice(op: Any, constants: list[Attribute | None]) -> Any:
    """The whole is the source; a part of what was inserted is part of that; splats stay."""
    source = op.operands[0]
    if source.type == op.results[0].type:
        return [source]
    if _through_inserts(op):
        return True
    constant: Any = constants[0]
    kind = op.results[0].type
    if not is_dense(constant) or any(scalable_dims(kind)) or not _has_unit_strides(op):
        return None
    shape = op.operands[0].type.get_shape()
    offsets, sizes = _numbers(op.properties["offsets"]), _numbers(op.properties["sizes"])
    rest = len(shape) - len(offsets)
    made = sliced(constant, [*offsets, *[0] * rest], [*sizes, *shape[len(sizes) :]], kind)
    return None if made is None else [made]


def _has_unit_strides(op: Any) -> bool:
    return all(stride == 1 for stride in _numbers(op.properties["strides"]))


def _through_inserts(op: Any) -> bool:
    offsets, sizes = _numbers(op.properties["offsets"]), _numbers(op.properties["sizes"])
    strides = _numbers(op.properties["strides"])
    insert = _inserted(op.operands[0])
    while insert is not None:
        inner = insert.operands[0]
        shape = inner.type.get_shape()
        if len(shape) != len(op.operands[0].type.get_shape()):
            return False
        starts = _numbers(insert.properties["offsets"])
        if _numbers(insert.properties["strides"])[: len(strides)] != strides:
            return False
        moved: list[int] = []
        disjoint = partial = False
        for at, size, start, extent in zip(offsets, sizes, starts, shape, strict=False):
            if not start <= at < start + extent:
                disjoint = True
                break
            partial = partial or at + size > start + extent
            moved.append(at - start)
        if not disjoint:
            if partial:
                return False
            op.operands[0] = inner
            op.properties["offsets"] = ArrayAttr([IntegerAttr(n, i64) for n in moved])
            return True
        insert = _inserted(insert.operands[1])
    return False


def fold_insert_slice(op: Any, constants: list[Attribute | None]) -> Any:
    """A slice as large as the destination replaces it."""
    value, dest = op.operands
    if value.type == dest.type:
        return [value]
    return None


def is_same_splat(op: Any) -> bool:
    """Whether a constant slice has one element and its constant destination the same."""
    first, second = (splat_value(constant_of(value)) for value in op.operands)
    return first is not None and first == second


def constant_slice(op: Any) -> Attribute | None:
    """What inserting a constant slice into a constant vector gives."""
    value, dest = op.operands
    part: Any = constant_of(value)
    whole: Any = constant_of(dest)
    if not is_dense(part) or not is_dense(whole) or not _has_unit_strides(op):
        return None
    if any(scalable_dims(value.type)) or any(scalable_dims(dest.type)) or is_large(dest):
        return None
    sizes = list(value.type.get_shape())
    missing = len(dest.type.get_shape()) - len(sizes)
    offsets = _numbers(op.properties["offsets"])
    return with_slice(whole, part.data.data, offsets, [1] * missing + sizes)


#: Constants of more elements are not copied for the sake of a few others.
_MOST_COPIED = 256


def is_large(dest: SSAValue) -> bool:
    """Whether a constant is too large for a copy of it, unless nothing else uses it."""
    kind: Any = dest.type
    return math.prod(kind.get_shape()) > _MOST_COPIED and not dest.has_one_use()
