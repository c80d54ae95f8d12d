# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads, stores and atomic operations of a vector of threads, by the shape of the address.

    uniform                          one load; a store of the last lane
    affine, one element a lane       a vector
    affine, a known pattern near by  a wider vector, masked, and a permutation
    one of these where a scalar says so, as of an index of 32 bits that may wrap: both codes
    anything else                    gather and scatter

Volatile and atomic accesses stay one lane's each, in the order of the lanes; from a uniform address
they are one read. Atomic operations on the block's own memory stay atomic, though one thread of the
machine runs a block: see `private_tables`, which finds those that need not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, f32, f64, i1
from xdsl.ir import Block, SSAValue

from xgpu.backend.llvm_ir.facts import integers, number, prop
from xgpu.core import ods
from xgpu.dialects.llvm.attributes import ATOMIC_RMW
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.compiler import claims
from xgpu.host_device.compiler.emission import (
    Affine,
    Builder,
    Emitted,
    Lanes,
    Members,
    Uniform,
    add_in_runs,
    each_lane,
)
from xgpu.host_device.compiler.operations import MARK_NUMBER, is_ordered
from xgpu.host_device.compiler.types import (
    I8,
    I32,
    I64,
    integer_constant,
    plain,
    size_of,
    vector_of,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AnyFloat, IntegerType
    from xdsl.ir import Attribute, Operation

    from xgpu.host_device.compiler.counting import Gather


#: How many times as long as a vector the memory may be that one wide access covers.
_WIDEST = 4
SHARED = 3  # the address space of workgroup memory
_PAGE = 4096
_THROUGH = ("llvm.getelementptr", "llvm.addrspacecast", "llvm.bitcast")
_DYNAMIC_INDEX = -(1 << 31)  # stands for an operand among constant indices

#: Atomic operations whose order and intermediate values are not seen if the result is not read.
_REDUCIBLE = {
    "add": "add", "sub": "add", "and": "and", "or": "or", "xor": "xor", "max": "smax",
    "min": "smin", "umax": "umax", "umin": "umin",
}  # fmt: skip


class Memory:
    """Emits accesses."""

    def __init__(self, builder: Builder, is_relaxed: bool = False) -> None:
        self.b = builder
        #: Whether additions of floats may change places (`operations.RELAXED_FLOATS`).
        self.is_relaxed = is_relaxed

        #: Accesses whose lanes go to places of their own, of those that marks count.
        self.gathers: list[Gather] = []

    def count(self, mark: Operation, lanes: SSAValue | None) -> None:
        """A mark that the lanes of a mask execute (`counting`)."""
        from xgpu.host_device.compiler.counting import add_to_counters

        b = self.b
        whole = b.integer(b.width)
        if lanes is None:
            add_to_counters(b, mark, whole, whole)
            return
        count = self._count(lanes, I64)
        none = b.icmp("eq", count, 0)
        add_to_counters(b, mark, count, b.select(none, b.integer(0), whole))

    def _note_gather(self, op: Operation) -> None:
        if MARK_NUMBER in op.attributes:
            from xgpu.host_device.compiler.counting import gather_of

            self.gathers.append(gather_of(op))

    # -- loads

    def load(self, op: Operation, address: Emitted, mask: SSAValue | None) -> Emitted:
        b = self.b
        ty = plain(op.results[0].type)
        if isinstance(address, Uniform):
            return Uniform(b.value("llvm.load", (address.value,), ty, op.properties))
        if is_ordered(op):
            return each_lane(
                b, mask, [address], [ty],
                lambda lane, at: [b.value("llvm.load", at, ty, op.properties)],
            )[0]  # fmt: skip
        if ty == i1:
            vector = self._load(op, address, I8, 1, mask)
            return Lanes(b.value("llvm.trunc", (vector,), vector_of(i1, b.width)))
        return Lanes(self._load(op, address, ty, claims.of_access(op, ty), mask))

    def _load(
        self, op: Operation, address: Emitted, ty: Attribute, alignment: int,
        mask: SSAValue | None,
    ) -> SSAValue:  # fmt: skip
        b = self.b
        size = size_of(ty) or 1
        if isinstance(address, Affine):
            places = _places(address.offsets, size, b.width)
            if places is not None:
                return self._load_near(op, address, places, ty, size, alignment, mask)
        row = self._row(address, size)
        if row is None:
            self._note_gather(op)
            return self._gather(address, ty, alignment, mask)
        near, places, holds, again = row
        found = b.whichever(
            holds,
            lambda: self._load_near(op, near, places, ty, size, alignment, mask),
            lambda: self._gather(Lanes(again()), ty, alignment, mask),
        )
        assert found is not None
        return found

    def _load_near(
        self, op: Operation, address: Affine, places: tuple[int, ...], ty: Attribute, size: int,
        alignment: int, mask: SSAValue | None,
    ) -> SSAValue:  # fmt: skip
        """Load a window. Lanes that do not run may lie on a page without access. No fault comes of
        them, but it takes the processor as long as some hundred instructions to find that out: what
        lies on two pages is read lane by lane."""
        if mask is None or not _may_begin_before(op.operands[0]):
            return self._load_window(address, places, ty, size, alignment, mask)
        b = self.b
        start = b.address(address.base, min(address.offsets))
        place = b.binary("and", b.value("llvm.ptrtoint", (start,), I64), _PAGE - 1)
        found = b.whichever(
            b.icmp("ule", place, _PAGE - (max(places) + 1) * size),
            lambda: self._load_window(address, places, ty, size, alignment, mask),
            lambda: self._gather(address, ty, alignment, mask),
        )
        assert found is not None
        return found

    def _row(
        self, address: Emitted, size: int
    ) -> tuple[Affine, tuple[int, ...], SSAValue, Callable[[], SSAValue]] | None:
        """An address as a known pattern where a scalar says so, that scalar, and what builds its
        lanes where it does not."""
        row = self.b.rows.get(address.value) if isinstance(address, Lanes) else None
        if row is None or row.holds is None:
            return None
        places = _places(row.offsets, size, self.b.width)
        if places is None:
            return None
        return Affine(row.base, row.offsets), places, row.holds, row.again

    def _gather(
        self, address: Emitted, ty: Attribute, alignment: int, mask: SSAValue | None
    ) -> SSAValue:
        b = self.b
        pointers = b.as_lanes(address)
        whole = vector_of(ty, b.width)
        lanes = mask if mask is not None else b.all_lanes()
        return b.value(
            "llvm.intr.masked.gather", (pointers, lanes, b.poison(whole)), whole,
            claims.lanes(alignment),
        )  # fmt: skip

    def _load_window(
        self,
        address: Affine,
        places: tuple[int, ...],
        ty: Attribute,
        size: int,
        alignment: int,
        mask: SSAValue | None,
    ) -> SSAValue:
        b = self.b
        start = b.address(address.base, min(address.offsets))
        length = max(places) + 1
        if places == tuple(range(b.width)):
            return self._load_vector(start, ty, b.width, alignment, mask)
        wanted = self._spread(mask, places, length)
        window = self._load_vector(start, ty, length, alignment, wanted)
        return b.shuffle(window, places)

    def _load_vector(
        self, start: SSAValue, ty: Attribute, length: int, alignment: int, mask: SSAValue | None
    ) -> SSAValue:
        b = self.b
        whole = vector_of(ty, length)
        if mask is None:
            return b.load(start, whole, alignment)
        return b.value(
            "llvm.intr.masked.load", (start, mask, b.poison(whole)), whole,
            claims.lanes(alignment),
        )  # fmt: skip

    def _spread(self, mask: SSAValue | None, places: Sequence[int], length: int) -> SSAValue | None:
        """The elements of a window that the lanes of `mask` touch."""
        b = self.b
        touched = set(places)
        if mask is None:
            if len(touched) == length:
                return None
            return b.constant_vector([int(i in touched) for i in range(length)], i1)
        result: SSAValue | None = None
        for lanes in _without_repeats(places):
            order = [b.width] * length
            for lane in lanes:
                order[places[lane]] = lane
            part = b.shuffle_two(mask, b.all_lanes(False), order)
            result = part if result is None else b.value("llvm.or", (result, part), part.type)
        return result

    # -- stores

    def store(self, op: Operation, value: Emitted, address: Emitted, mask: SSAValue | None) -> None:
        b = self.b
        if isinstance(address, Uniform):
            b.create(
                "llvm.store", (self._last(value, mask), address.value), (), op.properties
            )  # fmt: skip
            return
        if is_ordered(op):

            def one(lane: SSAValue, given: list[SSAValue]) -> list[SSAValue]:
                b.create("llvm.store", given, (), op.properties)
                return []

            each_lane(b, mask, [value, address], [], one)
            return
        vector = b.as_lanes(value)
        ty = vector.type.element_type  # type: ignore[attr-defined]
        alignment = claims.of_access(op, ty)
        if ty == i1:
            vector = b.value("llvm.zext", (vector,), vector_of(I8, b.width))
            ty, alignment = I8, 1
        self._store(op, vector, address, ty, alignment, mask)

    def _last(self, value: Emitted, mask: SSAValue | None) -> SSAValue:
        """The value of the last lane that runs: a store to one address leaves that."""
        b = self.b
        if isinstance(value, Uniform):
            return value.value
        vector = b.as_lanes(value)
        if mask is None:
            return b.extract(vector, b.width - 1)
        bits = b.mask_bits(mask)
        zeros = b.value(
            "llvm.intr.ctlz", (bits,), bits.type, {"is_zero_poison": IntegerAttr(1, i1)}
        )
        return b.extract(vector, b.binary("sub", b.width - 1, zeros))

    def _store(
        self,
        op: Operation,
        vector: SSAValue,
        address: Emitted,
        ty: AnyFloat | IntegerType,
        alignment: int,
        mask: SSAValue | None,
    ) -> None:
        b = self.b
        size = size_of(ty) or 1
        if isinstance(address, Affine):
            places = _places(address.offsets, size, b.width)
            if places is not None and len(set(places)) == len(places):
                self._store_window(vector, address, places, alignment, mask)
                return
        row = self._row(address, size)
        if row is None or len(set(row[1])) < len(row[1]):
            self._note_gather(op)
            self._scatter(vector, address, alignment, mask)
            return
        near, places, holds, again = row
        b.whichever(
            holds,
            lambda: self._store_window(vector, near, places, alignment, mask),
            lambda: self._scatter(vector, Lanes(again()), alignment, mask),
        )

    def _scatter(
        self, vector: SSAValue, address: Emitted, alignment: int, mask: SSAValue | None
    ) -> None:
        b = self.b
        lanes = mask if mask is not None else b.all_lanes()
        b.create(
            "llvm.intr.masked.scatter", (vector, b.as_lanes(address), lanes), (),
            claims.lanes(alignment),
        )  # fmt: skip

    def _store_window(
        self,
        vector: SSAValue,
        address: Affine,
        places: tuple[int, ...],
        alignment: int,
        mask: SSAValue | None,
    ) -> None:
        b = self.b
        start = b.address(address.base, min(address.offsets))
        length = max(places) + 1
        if places != tuple(range(b.width)):
            mask = self._spread(mask, places, length)
            order = [0] * length
            for lane, place in enumerate(places):
                order[place] = lane
            vector = b.shuffle(vector, order)
        if mask is None:
            b.store(vector, start, alignment)
            return
        b.create(
            "llvm.intr.masked.store", (vector, start, mask), (),
            claims.lanes(alignment),
        )  # fmt: skip

    # -- atomic operations

    def atomic(
        self, op: Operation, operands: list[Emitted], mask: SSAValue | None
    ) -> Emitted | None:
        """`llvm.atomicrmw`"""
        b = self.b
        kind = ATOMIC_RMW[number(prop(op, "bin_op"))]
        address, value = operands
        ty = plain(op.results[0].type)
        used = op.results[0].first_use is not None
        if self.is_relaxed and is_float_addition(op):
            reducible = not used
        else:
            reducible = ty.name == "integer_type" and kind in _REDUCIBLE and not used
        if isinstance(address, Uniform) and reducible:
            total = self._reduced(kind, value, ty, mask)
            b.value(op.name, (address.value, total), ty, op.properties)
            return None

        if is_float_addition(op) and not used:
            add_in_runs(b, mask, address, value, ty, number(prop(op, "ordering")))
            return None

        def one(lane: SSAValue, given: list[SSAValue]) -> list[SSAValue]:
            old = b.value(op.name, given, ty, op.properties)
            return [old] if used else []

        found = each_lane(b, mask, [address, value], [ty] if used else [], one, is_short=True)
        return found[0] if used else None

    def _reduced(self, kind: str, value: Emitted, ty: Attribute, mask: SSAValue | None) -> SSAValue:
        """What one atomic operation must do for all lanes."""
        b = self.b
        if kind == "fadd":
            return self._float_sum(b.as_lanes(value), cast("AnyFloat", ty), mask)
        if isinstance(value, Uniform) and kind in ("and", "or", "max", "min", "umax", "umin"):
            return value.value
        if isinstance(value, Uniform) and kind in ("add", "sub"):
            return b.mul(value.value, self._count(mask, ty))
        operation = _REDUCIBLE[kind]
        vector = b.as_lanes(value)
        if mask is not None:
            element = cast("IntegerType", ty)
            identity = neutral(operation, element.width.data)
            vector = b.select(mask, vector, b.constant_vector([identity] * b.width, element))
        return b.value(f"llvm.intr.vector.reduce.{operation}", (vector,), ty)

    def _float_sum(self, vector: SSAValue, ty: AnyFloat, mask: SSAValue | None) -> SSAValue:
        """The sum of the lanes, in any order."""
        b = self.b
        ignored = minus_zeros(b, ty, b.width)
        if mask is not None:
            vector = b.select(mask, vector, ignored)
        start = b.extract(ignored, 0)
        flags = {"fastmathFlags": ods.enum("llvm.fastmath", "reassoc")}
        return b.value("llvm.intr.vector.reduce.fadd", (start, vector), ty, flags)

    def _count(self, mask: SSAValue | None, ty: Attribute) -> SSAValue:
        b = self.b
        if mask is None:
            return b.integer(b.width, cast("IntegerType", ty))
        bits = b.mask_bits(mask)
        count = b.value("llvm.intr.ctpop", (bits,), bits.type)
        have, want = cast("IntegerType", bits.type).width.data, cast("IntegerType", ty).width.data
        return b.cast("zext" if have < want else "trunc", count, ty)

    def exchange(self, op: Operation, operands: list[Emitted], mask: SSAValue | None) -> Emitted:
        """`llvm.cmpxchg`"""
        b = self.b
        ty = plain(op.operands[1].type)

        def one(lane: SSAValue, given: list[SSAValue]) -> list[SSAValue]:
            pair = b.value("llvm.cmpxchg", given, op.results[0].type, op.properties)
            return [b.member(pair, 0), b.member(pair, 1)]

        return Members(each_lane(b, mask, operands, [ty, i1], one))


def is_float_addition(op: Operation) -> bool:
    """Whether an `llvm.atomicrmw` adds to a float whose sums can be made in another order."""
    kind = ATOMIC_RMW[number(prop(op, "bin_op"))]
    return kind == "fadd" and op.results[0].type in (f32, f64)


def minus_zeros(b: Builder, ty: Attribute, count: int) -> SSAValue:
    """A vector of what a sum of floats ignores: zero would make a zero of minus zero."""
    word = I32 if ty == f32 else I64
    bits = b.constant_vector([-1 << (word.width.data - 1)] * count, word)
    return b.value("llvm.bitcast", (bits,), vector_of(ty, count))


def neutral(operation: str, width: int) -> int:
    """What a reduction ignores, as a signed number of `width` bits."""
    if operation in ("add", "or", "xor", "umax"):
        return 0
    if operation in ("and", "umin"):
        return -1
    lowest = -(1 << (width - 1))
    return lowest if operation == "smax" else -lowest - 1


def root_of(address: SSAValue) -> SSAValue:
    """What an address is computed from, as far as that is one value."""
    while not isinstance(address.owner, Block) and address.owner.name in _THROUGH:
        address = address.owner.operands[0]
    return address


def space_of(address: SSAValue) -> int:
    """The address space of a pointer, 0 for what is none."""
    return address.type.data if isinstance(address.type, LLVMPointerType) else 0


def _may_begin_before(address: SSAValue) -> bool:
    """Whether an address in workgroup memory is of an index less something: for the first threads
    it may lie before the memory, which begins behind a page without access."""
    if space_of(root_of(address)) != SHARED:
        return False
    while not isinstance(address.owner, Block) and address.owner.name in _THROUGH:
        op = address.owner
        if any(map(_is_less, op.operands[1:])):
            return True
        if op.name == "llvm.getelementptr" and any(
            _DYNAMIC_INDEX < index < 0 for index in integers(prop(op, "rawConstantIndices"))
        ):
            return True
        address = op.operands[0]
    return False


def _is_less(index: SSAValue) -> bool:
    """Whether an index is a difference."""
    owner = index.owner
    while not isinstance(owner, Block) and owner.name in ("llvm.sext", "llvm.zext", "llvm.trunc"):
        owner = owner.operands[0].owner
    if isinstance(owner, Block):
        return False
    if owner.name == "llvm.add":
        constant = integer_constant(owner.operands[1])
        return constant is not None and constant < 0
    return owner.name == "llvm.sub"


def _places(offsets: tuple[int, ...], size: int, width: int) -> tuple[int, ...] | None:
    """Which element of a window each lane's is, if all lie near by."""
    low = min(offsets)
    if any((o - low) % size for o in offsets):
        return None
    places = tuple((o - low) // size for o in offsets)
    return places if max(places) < _WIDEST * width else None


def _without_repeats(places: Sequence[int]) -> list[list[int]]:
    """Lanes in groups, in each of which no place comes twice."""
    found: list[tuple[set[int], list[int]]] = []
    for lane, place in enumerate(places):
        for taken, lanes in found:
            if place not in taken:
                taken.add(place)
                lanes.append(lane)
                break
        else:
            found.append(({place}, [lane]))
    return [lanes for _, lanes in found]
