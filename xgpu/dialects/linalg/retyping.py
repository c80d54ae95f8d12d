# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structured operations on operands of other types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core import ods

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.core.rewriting.rewriter import Rewriter


def with_operands(
    rw: Rewriter, op: Operation, operands: Sequence[SSAValue], kinds: Sequence[Attribute]
) -> Operation:
    """`op` with other operands and result types. It takes the regions of `op`, which has to go."""
    regions = [op.detach_region(0) for _ in op.regions]
    properties, attributes = dict(op.properties), dict(op.attributes)
    return rw.insert(
        ods.create(op.name, operands, kinds, properties, attributes, regions, (), op.location)
    )
