# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Making operations, one after the other, at a place in a block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UNKNOWN_LOC

from xgpu.core import ods
from xgpu.core.ir.construction import insert_before

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr
    from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

_NOTHING: Mapping[str, Attribute] = {}


class Builder:
    """Inserts before `anchor`, or at the end of `block` where it is None."""

    __slots__ = ("anchor", "block", "location")

    def __init__(self, block: Block) -> None:
        self.block = block
        self.anchor: Operation | None = None
        self.location: LocationAttr = UNKNOWN_LOC

    def create(
        self,
        name: str,
        operands: Sequence[SSAValue] = (),
        results: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = _NOTHING,
        *,
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
    ) -> Operation:
        """Creates and inserts the operation; defaults fill the properties that are left out."""
        op = ods.op_class(name).create(
            operands=operands,
            result_types=results,
            properties=properties,
            attributes={},
            location=self.location,
            successors=successors,
            regions=regions,
        )
        insert_before(self.block, op, self.anchor)
        return op
