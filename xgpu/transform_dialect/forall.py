# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What transform operations ask of an scf.forall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr

from xgpu.core.ir.constants import int_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.dialects import scf

_DYNAMIC = -(1 << 63)


def _bounds(forall: Operation, static: str, dynamic: Sequence[SSAValue]) -> list[int | None]:
    values = iter(dynamic)
    return [
        int_of(next(values)) if number == _DYNAMIC else number
        for number in cast("DenseArrayBase[IntegerType]", forall.properties[static]).get_values()
    ]


def trip_counts(op: Operation) -> list[int] | None:
    """The upper bounds, if all are constant."""
    forall = cast("scf.ForallOp", op)
    bounds = _bounds(forall, "staticUpperBound", forall.dynamic_upper_bound)
    return None if any(b is None for b in bounds) else bounds  # type: ignore[return-value]


def is_normalized(op: Operation) -> bool:
    """Whether all loops go from 0 in steps of 1."""
    forall = cast("scf.ForallOp", op)
    lower = _bounds(forall, "staticLowerBound", forall.dynamic_lower_bound)
    steps = _bounds(forall, "staticStep", forall.dynamic_step)
    return all(b == 0 for b in lower) and all(s == 1 for s in steps)


def mapping(forall: Operation) -> list[Attribute] | None:
    """The mapping attributes, masks among them."""
    attr = forall.properties.get("mapping")
    return list(attr.data) if isinstance(attr, ArrayAttr) else None
