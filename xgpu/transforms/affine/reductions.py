# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions by kind (`arith::AtomicRMWKind`): the operation, and the value that changes
nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, SSAValue

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter

#: AtomicRMWKind's value -> arith's operation. 3 is `assign`, which combines nothing.
OPERATIONS = {
    0: "arith.addf",
    1: "arith.addi",
    2: "arith.andi",
    4: "arith.maximumf",
    5: "arith.maxnumf",
    6: "arith.maxsi",
    7: "arith.maxui",
    8: "arith.minimumf",
    9: "arith.minnumf",
    10: "arith.minsi",
    11: "arith.minui",
    12: "arith.mulf",
    13: "arith.muli",
    14: "arith.ori",
    15: "arith.xori",
}

_FLOATS = {
    0: 0.0,
    4: -math.inf,
    5: math.copysign(math.nan, -1.0),
    8: math.inf,
    9: math.copysign(math.nan, -1.0),
    12: 1.0,
}


def identity(kind: int, ty: Attribute) -> Attribute | None:
    """The neutral element of the reduction `kind` in the scalar type `ty`, or None."""
    if isinstance(ty, AnyFloat):
        value = _FLOATS.get(kind)
        return None if value is None else FloatAttr(value, ty)
    if isinstance(ty, IndexType):
        width = 64
    elif isinstance(ty, IntegerType):
        width = ty.width.data
    else:
        return None
    integers = {
        1: 0,
        2: -1,
        6: -(1 << (width - 1)),
        7: 0,
        10: (1 << (width - 1)) - 1,
        11: -1,
        13: 1,
        14: 0,
        15: 0,
    }
    number = integers.get(kind)
    if number is None:
        return None
    if width == 1:
        number &= 1
    return IntegerAttr(number, ty)


def reduction(rw: Rewriter, kind: int, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """Builds the operation that combines two values."""
    return rw.value(OPERATIONS[kind], [lhs, rhs], lhs.type)
