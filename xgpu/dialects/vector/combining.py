# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `#vector.kind` says, as operations of arith."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerType, VectorType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.ir import Attribute, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects.vector import KindAttr

#: Kinds as operations on integers and on floats.
COMBINING = {
    "add": ("addi", "addf"),
    "mul": ("muli", "mulf"),
    "minui": ("minui", None),
    "minsi": ("minsi", None),
    "minnumf": (None, "minnumf"),
    "maxui": ("maxui", None),
    "maxsi": ("maxsi", None),
    "maxnumf": (None, "maxnumf"),
    "and": ("andi", None),
    "or": ("ori", None),
    "xor": ("xori", None),
    "minimumf": (None, "minimumf"),
    "maximumf": (None, "maximumf"),
}


def is_integer(ty: Attribute) -> bool:
    element = ty.element_type if isinstance(ty, VectorType) else ty
    return isinstance(element, IntegerType | IndexType)


def combine(
    rw: GreedyRewriter,
    kind: Attribute,
    left: SSAValue,
    right: SSAValue,
    fast: Mapping[str, Attribute] | None = None,
) -> SSAValue:
    """Two values combined as a `#vector.kind` says; they have the same type. `fast` are properties
    of operations on floats."""
    integer, floating = COMBINING[cast("KindAttr", kind).data]
    if is_integer(left.type):
        return rw.value(f"arith.{integer}", (left, right), left.type)
    return rw.value(f"arith.{floating}", (left, right), left.type, fast)


def chosen(
    rw: GreedyRewriter, mask: SSAValue | None, value: SSAValue, otherwise: SSAValue
) -> SSAValue:
    """`value` where there is no mask or where it is set."""
    if mask is None:
        return value
    return rw.value("arith.select", (mask, value, otherwise), value.type)
