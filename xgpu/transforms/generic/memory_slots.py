# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operation has which model of memory slots, and which operations use a pointer; the models
of the memref dialect.

Source: MLIR 22.1 MemRefMemorySlot.cpp.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count, product
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, MemRefType, i32

from xgpu.core.ir.constants import int_of, poison
from xgpu.core.ir.dominance import program_order
from xgpu.transforms.generic.slot_models import MOST_PARTS, Key, Slot, SlotModel, Use, WholeSlot

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, Region, SSAValue

    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.dialects.llvm.types import DataLayout


# --- memref ---------------------------------------------------------------------------------------
class _MemRefAlloca(SlotModel):
    """memref.alloca: of one element, or of at most sixteen that are taken apart."""

    def slot(self, op: Operation) -> Slot | None:
        kind = cast("MemRefType[Attribute]", op.results[0].type)
        if any(size != 1 for size in kind.get_shape()):
            return None
        return Slot(op.results[0], kind.element_type)

    def default(self, rw: Rewriter, op: Operation, slot: Slot) -> SSAValue:
        return rw.value("ub.poison", (), slot.element, {"value": poison()})

    def whole(self, op: Operation) -> WholeSlot | None:
        kind = cast("MemRefType[Attribute]", op.results[0].type)
        shape = kind.get_shape()
        if not kind.has_static_shape() or not 1 < kind.element_count() <= MOST_PARTS:
            return None
        # The first dimension varies fastest.
        keys = (key[::-1] for key in product(*(range(size) for size in reversed(shape))))
        parts: dict[Key, Attribute] = dict.fromkeys(keys, kind.element_type)
        return WholeSlot(op.results[0], kind, parts)

    def split(self, rw: Rewriter, op: Operation, whole: WholeSlot, key: Key) -> Slot:
        element = whole.parts[key]
        kind = cast("MemRefType[Attribute]", whole.element)
        memory = MemRefType(element, (), memory_space=kind.memory_space)
        segments = {"operandSegmentSizes": DenseArrayBase.from_list(i32, (0, 0))}
        return Slot(rw.value("memref.alloca", (), memory, segments), element)


class _MemRefAccess(SlotModel):
    """memref.load and memref.store; `_at` is the number of the operand that is the memref."""

    is_access = True
    _at = 0

    def can_lose(
        self, op: Operation, uses: Sequence[Use], slot: Slot | None, layout: DataLayout
    ) -> bool:
        return slot is not None and [index for _, index in uses] == [self._at]

    def _key(self, op: Operation, whole: WholeSlot) -> Key | None:
        if op.operands[self._at] is not whole.pointer:
            return None
        indices = [int_of(value) for value in op.operands[self._at + 1 :]]
        key = tuple(index for index in indices if index is not None)
        return key if len(key) == len(indices) and key in whole.parts else None

    def parts_used(
        self, op: Operation, whole: WholeSlot, layout: DataLayout
    ) -> tuple[list[Key], list[Slot]] | None:
        key = self._key(op, whole)
        return None if key is None else ([key], [])

    def rewire(
        self,
        rw: Rewriter,
        op: Operation,
        whole: WholeSlot,
        parts: Mapping[Key, Slot],
        layout: DataLayout,
    ) -> bool:
        key = self._key(op, whole)
        assert key is not None
        op.operands = [*op.operands[: self._at], parts[key].pointer]
        return False


class _MemRefLoad(_MemRefAccess):
    def reads(self, op: Operation, slot: Slot, layout: DataLayout) -> bool:
        return op.operands[0] is slot.pointer

    def lose(
        self,
        rw: Rewriter,
        op: Operation,
        slot: Slot | None,
        held: SSAValue | None,
        layout: DataLayout,
    ) -> bool:
        assert held is not None
        op.results[0].replace_all_uses_with(held)
        return True


class _MemRefStore(_MemRefAccess):
    _at = 1

    def writes(self, op: Operation, slot: Slot) -> bool:
        return op.operands[1] is slot.pointer

    def stored(
        self, rw: Rewriter, op: Operation, slot: Slot, held: SSAValue, layout: DataLayout
    ) -> SSAValue:
        return op.operands[0]

    def parts_used(
        self, op: Operation, whole: WholeSlot, layout: DataLayout
    ) -> tuple[list[Key], list[Slot]] | None:
        if op.operands[0] is whole.pointer:
            return None
        return super().parts_used(op, whole, layout)


_MEMREF: dict[str, SlotModel] = {
    "memref.alloca": _MemRefAlloca(),
    "memref.load": _MemRefLoad(),
    "memref.store": _MemRefStore(),
}


def model_of(op: Operation) -> SlotModel | None:
    """The model of an operation, None if it has nothing to do with slots."""
    dialect = op.name.partition(".")[0]
    if dialect == "memref":
        return _MEMREF.get(op.name)
    if dialect == "llvm":
        from xgpu.transforms.generic.llvm_memory_slots import MODELS

        return MODELS.get(op.name)
    return None


_NONE = SlotModel()


def slot_model(op: Operation) -> SlotModel:
    """The model of an operation; one that says no to everything if it has none."""
    return model_of(op) or _NONE


# --- uses -----------------------------------------------------------------------------------------
def uses_of(value: SSAValue) -> list[Use]:
    """The operands that are `value`, the latest first."""
    return [(use.operation, use.index) for use in value.uses]


def blocked_uses(
    first: Sequence[Use], slot: Slot | None, layout: DataLayout
) -> dict[Operation, list[Use]] | None:
    """The operands that must go if `first` must, by their operation: the users of results of what
    goes itself. None if an operation cannot do without one."""
    found: dict[Operation, list[Use]] = {}
    pending = list(first)
    while pending:
        use = pending.pop()
        op = use[0]
        uses = found.setdefault(op, [])
        if use in uses:
            continue
        uses.append(use)
        model = model_of(op)
        if model is None or not model.can_lose(op, uses, slot, layout):
            return None
        if model.passes_on(op):
            pending.extend(use for result in op.results for use in uses_of(result))
    return found


class Order:
    """The order in which operations stand in regions. Operations that it has not met yet have the
    whole region numbered again."""

    def __init__(self) -> None:
        self._numbers: dict[Operation, int] = {}
        self._next = 0

    def sorted(self, ops: Collection[Operation], region: Region) -> list[Operation]:
        """Operations of a region, and of regions inside of it."""
        numbers = self._numbers
        if any(op not in numbers for op in ops):
            reached = program_order(region)
            known = set(reached)
            others = [block for block in region.blocks if block not in known]
            fresh = (op for block in (*reached, *others) for top in block.ops for op in top.walk())
            # Greater numbers than before: what is inside of a region follows what it uses.
            numbers.update(zip(fresh, count(self._next), strict=False))
            self._next += len(numbers)
        return sorted(ops, key=numbers.__getitem__)
