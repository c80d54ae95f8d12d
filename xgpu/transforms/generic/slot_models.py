# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory slots: what `mem2reg` and `sroa` ask of the operations that allocate and access memory.

A slot is memory of one type behind one pointer. A `SlotModel` has what MLIR's memory slot
interfaces have (`PromotableAllocationOpInterface`, `PromotableMemOpInterface`,
`PromotableOpInterface` and the three for parts of a slot); a model overrides what its operation
does. Source: MLIR 22.1 MemorySlotInterfaces.td.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from xgpu.dialects.llvm.types import DataLayout

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.core.rewriting.builder import Rewriter

#: An operand of an operation: which one.
Use = tuple["Operation", int]
#: The place of a part in its slot: an index in a struct or array, or one for each dimension.
Key = tuple[int, ...]

#: The most elements of an array or memref that are taken apart.
MOST_PARTS = 16


class Slot(NamedTuple):
    """Memory of the type `element` at `pointer`."""

    pointer: SSAValue
    element: Attribute


class WholeSlot(NamedTuple):
    """A slot and the types of its parts."""

    pointer: SSAValue
    element: Attribute
    parts: Mapping[Key, Attribute]


class SlotModel:
    """What an operation has to do with memory slots; by default nothing."""

    #: Whether it reads or writes a slot, so that it has to know what the slot holds.
    is_access = False

    # --- allocations ---------------------------------------------------------------------------
    def slot(self, op: Operation) -> Slot | None:
        """The slot of an allocation whose value may be kept in SSA values."""
        return None

    def default(self, rw: Rewriter, op: Operation, slot: Slot) -> SSAValue:
        """What a slot holds before the first store."""
        raise NotImplementedError

    def joined(self, rw: Rewriter, op: Operation, argument: SSAValue) -> None:
        """A block argument has become what the slot of the allocation holds."""

    def whole(self, op: Operation) -> WholeSlot | None:
        """The slot of an allocation that may be taken apart."""
        return None

    def split(self, rw: Rewriter, op: Operation, whole: WholeSlot, key: Key) -> Slot:
        """Allocates one part."""
        raise NotImplementedError

    # --- users of a pointer --------------------------------------------------------------------
    def can_lose(
        self, op: Operation, uses: Sequence[Use], slot: Slot | None, layout: DataLayout
    ) -> bool:
        """Whether the operation can do without these operands, which lead to a slot's pointer.
        `slot` is None where a slot is taken apart, and what it holds is not asked for."""
        return False

    def passes_on(self, op: Operation) -> bool:
        """Whether users of the results have to do without them then."""
        return False

    def lose(
        self,
        rw: Rewriter,
        op: Operation,
        slot: Slot | None,
        held: SSAValue | None,
        layout: DataLayout,
    ) -> bool:
        """Does without the operands; whether the operation is to be erased. `held` is what the
        slot holds before the operation, None for an operation that is no access."""
        return True

    def stored_values(
        self, rw: Rewriter, op: Operation, values: Sequence[tuple[Operation, SSAValue]]
    ) -> None:
        """The slot's stores and what they have stored, for debug information."""

    # --- accesses ------------------------------------------------------------------------------
    def reads(self, op: Operation, slot: Slot, layout: DataLayout) -> bool:
        """Whether what the slot holds before the operation matters."""
        return False

    def writes(self, op: Operation, slot: Slot) -> bool:
        """Whether it stores to the slot."""
        return False

    def stored(
        self, rw: Rewriter, op: Operation, slot: Slot, held: SSAValue, layout: DataLayout
    ) -> SSAValue:
        """What the slot holds behind the operation."""
        raise NotImplementedError

    # --- accesses of parts ---------------------------------------------------------------------
    def parts_used(
        self, op: Operation, whole: WholeSlot, layout: DataLayout
    ) -> tuple[list[Key], list[Slot]] | None:
        """The parts that the operation needs, and pointers whose users must stay inside of the
        given types; None if it cannot use parts."""
        return None

    def stays_inside(self, op: Operation, slot: Slot, layout: DataLayout) -> list[Slot] | None:
        """Further pointers whose users must stay inside; None if the operation itself may not."""
        return None

    def rewire(
        self,
        rw: Rewriter,
        op: Operation,
        whole: WholeSlot,
        parts: Mapping[Key, Slot],
        layout: DataLayout,
    ) -> bool:
        """Uses the parts instead; whether the operation is to be erased."""
        raise NotImplementedError
