# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rules of integer ranges work with."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, SSAValue

from xgpu.analysis.ranges.int_range import IntRange
from xgpu.core.ir.constants import element_type

Ranges = list[IntRange | None]


#: Tells of the ranges of results and region arguments, given those of the operands.
Rule = Callable[..., dict[SSAValue, IntRange]]


def storage_width(type_: Attribute) -> int:
    """The bits of an integer, or of the integers in a vector or tensor; 0 for other types."""
    inner = element_type(type_)
    if isinstance(inner, IndexType):
        return 64
    return inner.width.data if isinstance(inner, IntegerType) else 0
