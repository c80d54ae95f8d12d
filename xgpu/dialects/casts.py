# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Casts: what MLIR's CastOpInterface verifies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.dialects.hook_types import Verifier


def cast_verifier(compatible: Callable[[Attribute, Attribute], bool]) -> Verifier:
    """A verifier that takes casts between types for which `compatible(source, target)` holds."""

    def verify(op: Operation) -> None:
        source, target = op.operands[0].type, op.results[0].type
        if not compatible(source, target):
            raise incompatible(op, source, target)

    return verify


def incompatible(op: Operation, source: Attribute, target: Attribute) -> Exception:
    """The error of a cast that cannot be."""
    return op_error(
        op,
        f"operand type '{shown(source)}' and result type '{shown(target)}' are cast incompatible",
    )
