# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Building IR: one object that creates operations at an insertion point.

Every part of the compiler that makes operations uses a `Builder` or a subclass: `Rewriter` also
replaces and erases, `xgpu.dialects.llvm.builders.LLVMBuilder` has constants and arithmetic of the
llvm dialect. What a dialect's operations need beside that are functions that take a builder.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from xgpu.core import ods
from xgpu.core.ir.construction import erase_operation, insert_before, replace_all_uses

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Block, LocationAttr, Operation, Region, SSAValue


class Builder:
    """Builds operations before `anchor`, or at the end of `block` where `anchor` is None.

    New operations get `location`, or the location of the first `anchor` if none is given.
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
        """From here on, insert at the start of `block`."""
        self.anchor, self.block = block.first_op, block

    def at_end(self, block: Block) -> None:
        """From here on, insert at the end of `block`."""
        self.anchor, self.block = None, block

    @property
    def current(self) -> Block:
        """The block of the insertion point."""
        if self.block is None:
            raise ValueError("a builder without an insertion point cannot insert")
        return self.block

    @contextmanager
    def insertion_guard(self) -> Generator[None]:
        """The insertion point is the same behind the `with` as before it."""
        saved = self.anchor, self.block
        try:
            yield
        finally:
            self.anchor, self.block = saved

    @contextmanager
    def located(self, location: LocationAttr) -> Generator[None]:
        """New operations get `location` for the length of the `with`."""
        saved, self.location = self.location, location
        try:
            yield
        finally:
            self.location = saved

    @contextmanager
    def inside(self, block: Block) -> Generator[Block]:
        """Build at the end of `block` for the length of the `with`."""
        with self.insertion_guard():
            self.at_end(block)
            yield block

    # --- what ------------------------------------------------------------------------------
    def insert(self, op: Operation) -> Operation:
        """Inserts a detached operation."""
        block = self.block
        insert_before(self.current if block is None else block, op, self.anchor)
        self.inserted(op)
        return op

    def inserted(self, op: Operation) -> None:
        """Called for each new operation."""

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
                built=True,
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


# -- A builder that also replaces and erases operations.
#
# A `Rewriter` gives a new operation the location of the operation that is being rewritten, so that
# locations survive every pass.


class Rewriter(Builder):
    """A builder for what changes IR. Subclasses learn of changes through `inserted`, `replaced` and
    `erased`, which the greedy driver uses for its worklist.
    """

    __slots__ = ()

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

    # --- for subclasses --------------------------------------------------------------------
    def replaced(self, new: SSAValue) -> None: ...

    def erased(self, op: Operation) -> None: ...
