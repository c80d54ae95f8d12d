# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of vector.extract_strided_slice and insert_strided_slice."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Operation

from xgpu.ir.constants import make, splat_value


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
    splat = splat_value(constants[0])
    if splat is None:
        return None
    made = make(op.results[0].type, splat)
    return None if made is None else [made]


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
    first, second = splat_value(constants[0]), splat_value(constants[1])
    if first is not None and first == second and constants[1] is not None:
        return [constants[1]]
    return None
