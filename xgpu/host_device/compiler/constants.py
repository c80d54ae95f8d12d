# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers that values are."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, SSAValue


def integer_constant(value: SSAValue) -> int | None:
    """The integer that `value` is, if that is known."""
    owner = value.owner
    if isinstance(owner, Block):
        return None
    if owner.name == "llvm.mlir.zero" and value.type.name == "integer_type":
        return 0
    if owner.name != "llvm.mlir.constant":
        return None
    attr = owner.properties.get("value")
    return attr.value.data if isinstance(attr, IntegerAttr) else None
