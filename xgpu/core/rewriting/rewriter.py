# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changing IR: one object that creates, replaces and erases operations at a place.

Whoever creates an operation through a `Rewriter` gives it the location of the operation that is
being rewritten, so that locations survive every pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.construction import erase_operation, insert_before, replace_all_uses

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr


class Rewriter:
    """Builds operations before `anchor`, or at the end of `block`.

    `create` inserts; `location` is what new operations get. Subclasses learn of changes through
    `inserted`, `replaced` and `erased`, which the greedy driver uses for its worklist.
    """

    __slots__ = ("anchor", "block", "location")

    def __init__(
        self,
        anchor: Operation | None = None,
        *,
        block: Block | None = None,
        location: LocationAttr | None = None,
    ) -> None:
        self.anchor = anchor
        self.block = anchor.parent if anchor is not None else block
        self.location = location if location is not None or anchor is None else anchor.location

    # --- where -----------------------------------------------------------------------------
    def before(self, op: Operation) -> None:
        """From here on, insert before `op`."""
        self.anchor, self.block = op, op.parent

    def after(self, op: Operation) -> None:
        """From here on, insert after `op`."""
        self.anchor, self.block = op.next_op, op.parent

    def at_start(self, block: Block) -> None:
        self.anchor, self.block = block.first_op, block

    def at_end(self, block: Block) -> None:
        self.anchor, self.block = None, block

    # --- what ------------------------------------------------------------------------------
    def insert(self, op: Operation) -> Operation:
        """Inserts a detached operation."""
        if self.block is None:
            raise ValueError("a rewriter without a place cannot insert")
        insert_before(self.block, op, self.anchor)
        self.inserted(op)
        return op

    def create(
        self,
        name: str,
        operands: Sequence[Any] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        regions: Sequence[Region] = (),
        successors: Sequence[Block] = (),
    ) -> Operation:
        """Creates and inserts the operation `name`. Arguments as for `ods.create`."""
        return self.insert(
            ods.create(
                name,
                operands,
                result_types,
                properties,
                attributes,
                regions,
                successors,
                self.location,
            )
        )

    def value(
        self,
        name: str,
        operands: Sequence[Any],
        result_type: Attribute,
        properties: Mapping[str, Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """Creates an operation of one result and returns that result."""
        return self.create(name, operands, (result_type,), properties, attributes).results[0]

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Replaces the results of `op` with `values` and erases `op`."""
        for old, new in zip(op.results, values, strict=True):
            if new.name_hint is None and old.name_hint is not None:
                new.name_hint = old.name_hint
            replace_all_uses(old, new)
            self.replaced(new)
        self.erase(op)

    def erase(self, op: Operation) -> None:
        """Erases `op`, which must have no uses left."""
        if op is self.anchor:
            self.anchor = op.next_op
        self.erased(op)
        erase_operation(op)

    def modified(self, op: Operation) -> None:
        """Says that `op` was changed in place."""

    # --- who wants to know -----------------------------------------------------------------
    def inserted(self, op: Operation) -> None: ...

    def replaced(self, new: SSAValue) -> None: ...

    def erased(self, op: Operation) -> None: ...
