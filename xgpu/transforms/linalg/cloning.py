# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structured operations again, with other operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.dialects.gpu.ops import clone_with_locations

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.rewriter import Rewriter


def clone_structured(
    rw: Rewriter,
    op: Operation,
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    types: Sequence[Attribute],
) -> Operation:
    """Creates what `op` is, on other inputs and outputs and with results of these types."""
    copy = clone_with_locations(op)
    regions: list[Region] = []
    for old in copy.regions:
        region = Region()
        old.move_blocks(region)
        regions.append(region)
    copy.drop_all_references()
    properties = {k: v for k, v in op.properties.items() if k != "operandSegmentSizes"}
    new = ods.create(
        op.name, [inputs, outputs], types, properties, dict(op.attributes), regions, (), op.location
    )
    return rw.insert(new)
