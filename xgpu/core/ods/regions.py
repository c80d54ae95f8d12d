# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the text of a region may leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Block, Operation, Region
from xdsl.traits import IsTerminator

from xgpu.core.ods.spec import ONE

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr


#: Where a terminator is that nobody wrote, until the operation around it has its place, which is
#: the terminator's then: known by identity.
IMPLICIT = UnknownLoc()


def place_terminators(op: Operation) -> None:
    """Gives the terminators that were left out in the regions of `op` its place."""
    for region in op.regions:
        block = region.last_block
        last = None if block is None else block.last_op
        if last is not None and last.location is IMPLICIT:
            last.location = op.location


def ensure_terminator(region: Region, name: str, location: LocationAttr | None = None) -> None:
    """Ends the last block of `region` with the terminator `name`, unless it has one.

    An empty region gets a block. MLIR's `ensureTerminator` of SingleBlockImplicitTerminator.
    """
    if region.first_block is None:
        region.add_block(Block())
    block = region.last_block
    assert block is not None
    last = block.last_op
    # One that nobody knows is taken for none.
    if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
        block.add_op(make_terminator(name, IMPLICIT if location is None else location))


def make_terminator(name: str, location: LocationAttr | None = None) -> Operation:
    """The terminator `name` as its default builder makes it: regions have an empty block."""
    from xgpu.core.ods.registry import create, op_class

    regions = [Region(Block()) for field in op_class(name).spec.regions if field.quantity == ONE]
    return create(name, regions=regions, location=location)
