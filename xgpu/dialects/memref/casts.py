# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looking through `memref.cast` where the operation takes the uncast memref as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xgpu.core.ir.fields import operands_of
from xgpu.dialects.memref.layout import strides_and_offset

Folder = Callable[[Operation, list[Attribute | None]], bool | None]


def uncast(value: SSAValue) -> SSAValue | None:
    """The source of the ranked `memref.cast` that defines `value`, or None."""
    if value.__class__ is not OpResult:
        return None
    op: Any = cast("OpResult", value).op
    if op.name != "memref.cast":
        return None
    source = op.operands[0]
    return source if isinstance(source.type, MemRefType) else None


def fold_casts(op: Operation, skip: SSAValue | None = None) -> bool:
    """Replaces every operand that is a cast of a ranked memref with its source (not `skip`)."""
    changed = False
    for i, value in enumerate(op.operands):
        source = uncast(value) if value is not skip else None
        if source is not None:
            op.operands[i] = source
            changed = True
    return changed


def fold_all_casts(op: Operation, constants: list[Attribute | None]) -> bool | None:
    """A fold hook for operations that take any memref."""
    return fold_casts(op) or None


def fold_cast_operands(*names: str) -> Folder:
    """A fold hook that looks through casts of the operands of these names."""

    def fold(op: Operation, constants: list[Attribute | None]) -> bool | None:
        changed = False
        for i, value in enumerate(operands_of(op)):
            source = uncast(value)
            if source is not None and any(getattr(op, name) is value for name in names):
                op.operands[i] = source
                changed = True
        return changed or None

    return fold


def forgets(source: Attribute, target: Attribute) -> bool:
    """Whether a cast from `source` to `target` makes static sizes, strides or offset dynamic."""
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return False
    for a, b in zip(source.get_shape(), target.get_shape(), strict=True):
        if a != b and b != DYNAMIC_INDEX:
            return False
    mine, theirs = strides_and_offset(source), strides_and_offset(target)
    if mine is None or theirs is None:
        return False
    pairs = [*zip(mine[0], theirs[0], strict=True), (mine[1], theirs[1])]
    return all(a == b or b is None for a, b in pairs)
