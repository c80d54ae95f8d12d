# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory slots of the llvm dialect: allocations, loads, stores, addresses and memory intrinsics.

An access of fewer bytes than a slot has reads or changes a part of the value: the first bytes, by
the byte order of the data layout. Source: MLIR 22.1 LLVMMemorySlot.cpp.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, IntegerAttr, IntegerType, VectorType

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.integers import integers_of
from xgpu.core.rewriting.folding import folded
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.attributes import DYNAMIC_INDEX
from xgpu.dialects.llvm.types import (
    DataLayout,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
)
from xgpu.transforms.generic.slot_models import (
    MOST_PARTS,
    Key,
    Slot,
    SlotModel,
    Use,
    WholeSlot,
)

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.core.rewriting.builder import Rewriter


#: Which types have sizes is the same in all layouts.
_LAYOUT = DataLayout()


def _parts(kind: Attribute) -> dict[Key, Attribute] | None:
    """The parts of a struct or of an array that is not too long."""
    if isinstance(kind, LLVMStructType) and kind.body:
        return {(index,): field for index, field in enumerate(kind.body)}
    if isinstance(kind, LLVMArrayType) and 0 < kind.size <= MOST_PARTS:
        return {(index,): kind.element_type for index in range(kind.size)}
    return None


def _is_volatile(op: Operation) -> bool:
    if "volatile_" in op.properties:
        return True
    stated = cast("IntegerAttr | None", op.properties.get("isVolatile"))
    return stated is not None and stated.value.data != 0


# --- values of other types of the same bytes ------------------------------------------------------
def _is_convertible(kind: Attribute) -> bool:
    if isinstance(kind, VectorType):
        scalable = any(kind.get_scalable_dims())
        return not scalable and not isinstance(kind.element_type, LLVMPointerType)
    return not isinstance(kind, LLVMStructType | LLVMArrayType)


def _fits(layout: DataLayout, small: Attribute, large: Attribute) -> bool:
    """Whether a value of the type `small` can be the first bytes of one of the type `large`."""
    if small == large:
        return True
    if not _is_convertible(small) or not _is_convertible(large):
        return False
    if isinstance(small, LLVMPointerType) and isinstance(large, LLVMPointerType):
        return layout.store_size(small) == layout.store_size(large)
    return layout.store_size(small) <= layout.store_size(large)


def _as_integer(rw: Rewriter, value: SSAValue, layout: DataLayout) -> SSAValue:
    if isinstance(value.type, IntegerType):
        return value
    name = "llvm.ptrtoint" if isinstance(value.type, LLVMPointerType) else "llvm.bitcast"
    return folded(rw, name, (value,), IntegerType(layout.bits(value.type)))


def _from_integer(rw: Rewriter, value: SSAValue, kind: Attribute) -> SSAValue:
    if value.type == kind:
        return value
    name = "llvm.inttoptr" if isinstance(kind, LLVMPointerType) else "llvm.bitcast"
    return folded(rw, name, (value,), kind)


def _cast(rw: Rewriter, value: SSAValue, kind: Attribute, layout: DataLayout) -> SSAValue:
    """`value` as another type of as many bits."""
    if value.type == kind:
        return value
    if isinstance(kind, LLVMPointerType) and isinstance(value.type, LLVMPointerType):
        return folded(rw, "llvm.addrspacecast", (value,), kind)
    return _from_integer(rw, _as_integer(rw, value, layout), kind)


def _first_bytes(rw: Rewriter, value: SSAValue, kind: Attribute, layout: DataLayout) -> SSAValue:
    """The first bytes of `value` as the type `kind`."""
    size, wanted = layout.bits(value.type), layout.bits(kind)
    if size == wanted:
        return _cast(rw, value, kind, layout)
    whole = _as_integer(rw, value, layout)
    if layout.big_endian:
        count = llvm.constant(rw, size - wanted, whole.type)
        whole = folded(rw, "llvm.lshr", (whole, count), whole.type)
    part = rw.value("llvm.trunc", (whole,), IntegerType(wanted))
    return _from_integer(rw, part, kind)


def _with_first_bytes(
    rw: Rewriter, value: SSAValue, held: SSAValue, layout: DataLayout
) -> SSAValue:
    """`held` with `value` as its first bytes."""
    size, whole_size = layout.bits(value.type), layout.bits(held.type)
    if size == whole_size:
        return _cast(rw, value, held.type, layout)
    whole, part = _as_integer(rw, held, layout), _as_integer(rw, value, layout)
    kind = whole.type
    part = folded(rw, "llvm.zext", (part,), kind)
    others = -(1 << size)
    if layout.big_endian:
        # A store to the start of the slot changes the most significant bits.
        count = llvm.constant(rw, whole_size - size, kind)
        part = folded(rw, "llvm.shl", (part, count), kind)
        others = (1 << (whole_size - size)) - 1
    mask = llvm.constant(rw, others, kind)
    rest = folded(rw, "llvm.and", (whole, mask), kind)
    joined = folded(rw, "llvm.or", (rest, part), kind)
    return _from_integer(rw, joined, held.type)


# --- allocations ----------------------------------------------------------------------------------
class _Alloca(SlotModel):
    def slot(self, op: Operation) -> Slot | None:
        block = op.parent
        if block is None or block.parent is None or block.parent.first_block is not block:
            return None
        kind = op.properties["elem_type"]
        return Slot(op.results[0], kind) if _LAYOUT.knows(kind) else None

    def default(self, rw: Rewriter, op: Operation, slot: Slot) -> SSAValue:
        return llvm.undef(rw, slot.element)

    def joined(self, rw: Rewriter, op: Operation, argument: SSAValue) -> None:
        for use in list(op.results[0].uses):
            if use.operation.name == "llvm.intr.dbg.declare":
                _debug_value(rw, use.operation, argument)

    def whole(self, op: Operation) -> WholeSlot | None:
        kind = op.properties["elem_type"]
        is_one = int_of(op.operands[0]) == 1 and _LAYOUT.knows(kind)
        parts = _parts(kind) if is_one else None
        return None if parts is None else WholeSlot(op.results[0], kind, parts)

    def split(self, rw: Rewriter, op: Operation, whole: WholeSlot, key: Key) -> Slot:
        element = whole.parts[key]
        properties = {"elem_type": element}
        pointer = rw.value("llvm.alloca", (op.operands[0],), op.results[0].type, properties)
        return Slot(pointer, element)


# --- loads and stores -----------------------------------------------------------------------------
class _Access(SlotModel):
    """llvm.load and llvm.store; `_at` is the number of the operand that is the address."""

    is_access = True
    _at = 0

    def _kind(self, op: Operation) -> Attribute:
        return op.results[0].type if op.results else op.operands[0].type

    def can_lose(
        self, op: Operation, uses: Sequence[Use], slot: Slot | None, layout: DataLayout
    ) -> bool:
        return (
            slot is not None
            and [index for _, index in uses] == [self._at]
            and op.operands[self._at] is slot.pointer
            and layout.knows(self._kind(op))
            and _fits(layout, self._kind(op), slot.element)
            and not _is_volatile(op)
        )

    def parts_used(
        self, op: Operation, whole: WholeSlot, layout: DataLayout
    ) -> tuple[list[Key], list[Slot]] | None:
        first: Key = (0,)
        if op.operands[self._at] is not whole.pointer or _is_volatile(op):
            return None
        if any(value is whole.pointer for value in op.operands[: self._at]):
            return None
        if first not in whole.parts or not layout.knows(self._kind(op)):
            return None
        if layout.store_size(self._kind(op)) > layout.store_size(whole.parts[first]):
            return None
        return [first], []

    def stays_inside(self, op: Operation, slot: Slot, layout: DataLayout) -> list[Slot] | None:
        if any(value is slot.pointer for value in op.operands[: self._at]):
            return None
        if not layout.knows(self._kind(op)):
            return None
        inside = layout.store_size(self._kind(op)) <= layout.store_size(slot.element)
        return [] if inside else None

    def rewire(
        self,
        rw: Rewriter,
        op: Operation,
        whole: WholeSlot,
        parts: Mapping[Key, Slot],
        layout: DataLayout,
    ) -> bool:
        op.operands[self._at] = parts[(0,)].pointer
        return False


class _Load(_Access):
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
        kind = op.results[0].type
        op.results[0].replace_all_uses_with(_first_bytes(rw, held, kind, layout))
        return True


class _Store(_Access):
    _at = 1

    def reads(self, op: Operation, slot: Slot, layout: DataLayout) -> bool:
        # A store of fewer bytes leaves the others as they are.
        return self.writes(op, slot) and layout.bits(op.operands[0].type) != layout.bits(
            slot.element
        )

    def writes(self, op: Operation, slot: Slot) -> bool:
        return op.operands[1] is slot.pointer

    def stored(
        self, rw: Rewriter, op: Operation, slot: Slot, held: SSAValue, layout: DataLayout
    ) -> SSAValue:
        return _with_first_bytes(rw, op.operands[0], held, layout)


# --- what goes without a trace --------------------------------------------------------------------
class _Removable(SlotModel):
    """Goes with the slot; users of its results go first."""

    def can_lose(
        self, op: Operation, uses: Sequence[Use], slot: Slot | None, layout: DataLayout
    ) -> bool:
        return True

    def passes_on(self, op: Operation) -> bool:
        return True


class _DebugDeclare(_Removable):
    def stored_values(
        self, rw: Rewriter, op: Operation, values: Sequence[tuple[Operation, SSAValue]]
    ) -> None:
        for store, value in values:
            rw.after(store)
            _debug_value(rw, op, value)


class _DebugValue(SlotModel):
    """The variable has no value that is known: undef."""

    def can_lose(
        self, op: Operation, uses: Sequence[Use], slot: Slot | None, layout: DataLayout
    ) -> bool:
        return len(uses) == 1

    def lose(
        self,
        rw: Rewriter,
        op: Operation,
        slot: Slot | None,
        held: SSAValue | None,
        layout: DataLayout,
    ) -> bool:
        rw.before(op)
        op.operands[0] = llvm.undef(rw, op.operands[0].type)
        return False


def _debug_value(rw: Rewriter, declare: Operation, value: SSAValue) -> None:
    """`llvm.intr.dbg.value` of the variable that `declare` has declared."""
    rw.location = declare.location
    rw.create("llvm.intr.dbg.value", (value,), (), dict(declare.properties))


# --- addresses ------------------------------------------------------------------------------------
def _offset(op: Operation, layout: DataLayout) -> int | None:
    """The bytes that a getelementptr adds, None if they are not known or negative."""
    indices = list(integers_of(op.properties["rawConstantIndices"]))
    kind = op.properties["elem_type"]
    if any(index == DYNAMIC_INDEX or index < 0 for index in indices) or not layout.knows(kind):
        return None
    return layout.offset(kind, indices)


def _part_at(whole: WholeSlot, offset: int, layout: DataLayout) -> tuple[Key, int] | None:
    """The part in which the byte `offset` is, and the byte of that part; None in padding."""
    kind = whole.element
    if isinstance(kind, LLVMArrayType):
        size = layout.size(kind.element_type)
        index, rest = divmod(offset, size) if size else (0, 0)
        return ((index,), rest) if (index,) in whole.parts else None
    assert isinstance(kind, LLVMStructType)
    for index, (start, field) in enumerate(zip(layout.offsets(kind), kind.body, strict=False)):
        if start <= offset < start + layout.store_size(field):
            return (index,), offset - start
    return None


def _bytes(size: int) -> LLVMArrayType:
    return LLVMArrayType(size, llvm.I8)


class _GetElementPtr(SlotModel):
    def can_lose(
        self, op: Operation, uses: Sequence[Use], slot: Slot | None, layout: DataLayout
    ) -> bool:
        return not any(integers_of(op.properties["rawConstantIndices"]))

    def passes_on(self, op: Operation) -> bool:
        return True

    def stays_inside(self, op: Operation, slot: Slot, layout: DataLayout) -> list[Slot] | None:
        offset, size = _offset(op, layout), layout.store_size(slot.element)
        if offset is None or offset >= size:
            return None
        return [Slot(op.results[0], _bytes(size - offset))]

    def parts_used(
        self, op: Operation, whole: WholeSlot, layout: DataLayout
    ) -> tuple[list[Key], list[Slot]] | None:
        offset = _offset(op, layout)
        place = None if offset is None else _part_at(whole, offset, layout)
        if place is None:
            return None
        key, rest = place
        return [key], [Slot(op.results[0], _bytes(layout.store_size(whole.parts[key]) - rest))]

    def rewire(
        self,
        rw: Rewriter,
        op: Operation,
        whole: WholeSlot,
        parts: Mapping[Key, Slot],
        layout: DataLayout,
    ) -> bool:
        offset = _offset(op, layout)
        assert offset is not None
        place = _part_at(whole, offset, layout)
        assert place is not None
        key, rest = place
        address = parts[key].pointer
        if rest:
            flags = cast("IntegerAttr", op.properties["noWrapFlags"]).value.data
            address = llvm.gep(rw, address, llvm.I8, [rest], flags, op.results[0].type)
        op.results[0].replace_all_uses_with(address)
        return True


# --- memory intrinsics ----------------------------------------------------------------------------
def _length(op: Operation) -> int | None:
    """The bytes that an intrinsic writes, if they are known."""
    stated = op.properties.get("len")
    if stated is not None:
        return cast("IntegerAttr", stated).value.data
    found = int_of(op.operands[2])
    width = cast("IntegerType", op.operands[2].type).width.data
    return None if found is None else found % (1 << width)


def _resized(rw: Rewriter, op: Operation, operands: Sequence[SSAValue], size: int) -> None:
    """The intrinsic `op` with other pointers or values, of `size` bytes."""
    properties = {"isVolatile": op.properties["isVolatile"]}
    stated = op.properties.get("len")
    if stated is not None:
        kind = cast("IntegerAttr[IntegerType]", stated).type
        rw.create(op.name, operands, (), {"len": IntegerAttr(size, kind), **properties})
    else:
        length = llvm.constant(rw, size, op.operands[2].type)
        rw.create(op.name, [*operands, length], (), properties)


class _Intrinsic(SlotModel):
    is_access = True

    def writes(self, op: Operation, slot: Slot) -> bool:
        return op.operands[0] is slot.pointer

    def stays_inside(self, op: Operation, slot: Slot, layout: DataLayout) -> list[Slot] | None:
        length = _length(op)
        inside = (
            op.operands[0] is slot.pointer
            and length is not None
            and length <= layout.store_size(slot.element)
        )
        return [] if inside else None


class _Memset(_Intrinsic):
    def can_lose(
        self, op: Operation, uses: Sequence[Use], slot: Slot | None, layout: DataLayout
    ) -> bool:
        if slot is None or _is_volatile(op):
            return False
        if not isinstance(slot.element, IntegerType | AnyFloat):
            return False
        bits = layout.bits(slot.element)
        return bits > 0 and bits % 8 == 0 and _length(op) == bits // 8

    def stored(
        self, rw: Rewriter, op: Operation, slot: Slot, held: SSAValue, layout: DataLayout
    ) -> SSAValue:
        bits = layout.bits(slot.element)
        value = self._repeated(rw, op.operands[1], bits)
        return _from_integer(rw, value, slot.element)

    def _repeated(self, rw: Rewriter, byte: SSAValue, bits: int) -> SSAValue:
        """An integer of `bits` bits, each byte of which is `byte`."""
        kind = IntegerType(bits)
        known = int_of(byte)
        if known is not None:
            pattern = int.from_bytes(bytes([known % 256]) * (bits // 8), "big")
            signed = pattern - (1 << bits) if pattern >> (bits - 1) else pattern
            return llvm.constant(rw, signed, kind)
        if bits == 8:
            return byte
        value = rw.value("llvm.zext", (byte,), kind)
        done = 8
        while done < bits:
            shifted = rw.value("llvm.shl", (value, llvm.constant(rw, done, kind)), kind)
            value = rw.value("llvm.or", (value, shifted), kind)
            done *= 2
        return value

    def parts_used(
        self, op: Operation, whole: WholeSlot, layout: DataLayout
    ) -> tuple[list[Key], list[Slot]] | None:
        if _is_volatile(op) or self.stays_inside(op, Slot(*whole[:2]), layout) is None:
            return None
        return [], []

    def rewire(
        self,
        rw: Rewriter,
        op: Operation,
        whole: WholeSlot,
        parts: Mapping[Key, Slot],
        layout: DataLayout,
    ) -> bool:
        length = _length(op)
        assert length is not None
        for key, start in _starts(whole, layout):
            if start >= length:
                break
            if key in parts:
                size = min(length - start, layout.store_size(whole.parts[key]))
                _resized(rw, op, [parts[key].pointer, op.operands[1]], size)
        return True


def _starts(whole: WholeSlot, layout: DataLayout) -> list[tuple[Key, int]]:
    """The parts and the bytes at which they start."""
    kind = whole.element
    if isinstance(kind, LLVMStructType):
        return list(zip(whole.parts, layout.offsets(kind), strict=False))
    size = layout.size(cast("LLVMArrayType", kind).element_type)
    return [(key, index * size) for index, key in enumerate(whole.parts)]


class _Memcpy(_Intrinsic):
    """Copies: memcpy, memcpy.inline, memmove. Only copies of whole slots are known values."""

    def can_lose(
        self, op: Operation, uses: Sequence[Use], slot: Slot | None, layout: DataLayout
    ) -> bool:
        return (
            slot is not None
            and op.operands[0] is not op.operands[1]
            and not _is_volatile(op)
            and _length(op) == layout.store_size(slot.element)
        )

    def reads(self, op: Operation, slot: Slot, layout: DataLayout) -> bool:
        return op.operands[1] is slot.pointer

    def stored(
        self, rw: Rewriter, op: Operation, slot: Slot, held: SSAValue, layout: DataLayout
    ) -> SSAValue:
        return llvm.load(rw, op.operands[1], slot.element)

    def lose(
        self,
        rw: Rewriter,
        op: Operation,
        slot: Slot | None,
        held: SSAValue | None,
        layout: DataLayout,
    ) -> bool:
        assert slot is not None
        assert held is not None
        if op.operands[1] is slot.pointer:
            llvm.store(rw, held, op.operands[0])
        return True

    def parts_used(
        self, op: Operation, whole: WholeSlot, layout: DataLayout
    ) -> tuple[list[Key], list[Slot]] | None:
        if _is_volatile(op) or _length(op) != layout.store_size(whole.element):
            return None
        if op.operands[0] is op.operands[1]:
            return None
        return (list(whole.parts) if op.operands[1] is whole.pointer else []), []

    def rewire(
        self,
        rw: Rewriter,
        op: Operation,
        whole: WholeSlot,
        parts: Mapping[Key, Slot],
        layout: DataLayout,
    ) -> bool:
        target, source = op.operands[:2]
        for key, part in sorted(parts.items()):
            other = source if target is whole.pointer else target
            address = llvm.gep(rw, other, whole.element, [0, *key])
            pair = (part.pointer, address) if target is whole.pointer else (address, part.pointer)
            _resized(rw, op, pair, layout.store_size(part.element))
        return True


_COPY, _SET, _GONE = _Memcpy(), _Memset(), _Removable()

MODELS: dict[str, SlotModel] = {
    "llvm.alloca": _Alloca(),
    "llvm.load": _Load(),
    "llvm.store": _Store(),
    "llvm.getelementptr": _GetElementPtr(),
    "llvm.intr.memcpy": _COPY,
    "llvm.intr.memcpy.inline": _COPY,
    "llvm.intr.memmove": _COPY,
    "llvm.intr.memset": _SET,
    "llvm.intr.memset.inline": _SET,
    "llvm.bitcast": _GONE,
    "llvm.addrspacecast": _GONE,
    "llvm.intr.lifetime.start": _GONE,
    "llvm.intr.lifetime.end": _GONE,
    "llvm.intr.invariant.start": _GONE,
    "llvm.intr.invariant.end": _GONE,
    "llvm.intr.launder.invariant.group": _GONE,
    "llvm.intr.strip.invariant.group": _GONE,
    "llvm.intr.dbg.declare": _DebugDeclare(),
    "llvm.intr.dbg.value": _DebugValue(),
}
