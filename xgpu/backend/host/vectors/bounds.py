# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of bounds (`instrument.bounds`) for a vector of threads.

Where the lanes lie at known distances one comparison of scalars says that all of them, and what
lies between, are in the array. Only where it does not, lanes that run are looked at, each by itself.
Lanes anywhere are compared as a vector. A lane that misses ends the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i1, i32
from xdsl.ir import Block, SSAValue

from xgpu.backend.host.code import BOUNDS_FAILED, call_properties
from xgpu.backend.host.instrument.bounds import BOUNDS
from xgpu.backend.host.types import I32, I64, vector_of
from xgpu.backend.host.vectors.emission import Affine, Builder, Emitted, Lanes, Uniform

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Operation


#: The exact look at each lane is seldom needed.
_USUAL = DenseArrayBase.from_list(i32, [1 << 20, 1])


class BoundsChecks:
    """Emits checks; `linear` gives the numbers of a vector's threads where the code now is."""

    def __init__(self, builder: Builder, linear: Callable[[], Emitted]) -> None:
        self.b = builder
        self._linear = linear
        self._limits: dict[tuple[SSAValue, int], SSAValue] = {}

    def emit(self, op: Operation, given: Sequence[Emitted], mask: SSAValue | None) -> None:
        b = self.b
        group, low, span = cast("DenseArrayBase[IntegerType]", op.attributes[BOUNDS]).get_values()
        address, begin, room, *size = given
        on = b.new_block()
        known = isinstance(begin, Uniform) and isinstance(room, Uniform) and not size
        if known and not isinstance(address, Lanes):
            start, length = self._hull(address, low, span)
            origin = b.value("llvm.sub", (start, begin.value), I64)
            missed = b.new_block()
            self._unless(b.icmp("ult", origin, self._limit(room.value, length)), on, missed)
        self._exactly(group, low, span, (address, begin, room, *size), mask, on)
        b.enter(on)

    def _unless(self, fine: SSAValue, on: Block, missed: Block) -> None:
        b = self.b
        b.create(
            "llvm.cond_br", (fine, [], []), properties={"branch_weights": _USUAL},
            successors=(on, missed),
        )  # fmt: skip
        b.enter(missed)

    def _hull(self, address: Emitted, low: int, span: int) -> tuple[SSAValue, int]:
        """Where the first byte of all lanes lies, and how many there are to the last."""
        b = self.b
        if isinstance(address, Uniform):
            base, first, last = address.value, 0, 0
        else:
            assert isinstance(address, Affine)
            base, first, last = address.base, min(address.offsets), max(address.offsets)
        start = b.add(b.value("llvm.ptrtoint", (base,), I64), first + low)
        return start, last - first + span

    def _limit(self, room: SSAValue, span: int) -> SSAValue:
        """How far from its beginning so many bytes may begin, plus one; 0 where they do not fit."""
        key = room, span
        found = self._limits.get(key)
        if found is not None:
            return found
        b = self.b
        found = b.value("llvm.intr.usub.sat", (room, b.integer(span)), I64)
        if room.owner is b.first:
            found.owner.detach()  # type: ignore[union-attr]
            b.first.add_op(found.owner)  # type: ignore[arg-type]
            self._limits[key] = found
        return found

    def _exactly(
        self, group: int, low: int, span: int, given: Sequence[Emitted], mask: SSAValue | None,
        on: Block,
    ) -> None:  # fmt: skip
        """Looks at each lane that runs, and goes on at `on` if none misses."""
        b = self.b
        words = vector_of(I64, b.width)
        address, begin, room, *size = (b.as_lanes(g) for g in given)
        address = b.value("llvm.ptrtoint", (address,), words)
        origin = b.value("llvm.sub", (address, begin), words)
        if low:
            origin = b.value("llvm.add", (origin, b.vector([low] * b.width, I64)), words)
        bytes = size[0] if size else b.vector([span] * b.width, I64)
        bad = b.icmp("uge", origin, b.value("llvm.intr.usub.sat", (room, bytes), words))
        if size:
            bad = b.both(b.icmp("ne", bytes, b.vector([0] * b.width, I64)), bad)
        if mask is not None:
            bad = b.both(mask, bad)
        bits = b.mask_bits(bad)
        fails = b.new_block()
        b.create(
            "llvm.cond_br", (b.icmp("eq", bits, 0), [], []),
            properties={"branch_weights": _USUAL}, successors=(on, fails),
        )  # fmt: skip
        b.enter(fails)
        lane = b.value(
            "llvm.intr.cttz", (bits,), bits.type, {"is_zero_poison": IntegerAttr(1, i1)}
        )
        linear = b.extract(b.as_lanes(self._linear()), lane)
        found = [b.integer(group, I32), linear]
        found += [b.extract(v, lane) for v in (address, begin, room, bytes)]
        b.create("llvm.call", found, (), call_properties(BOUNDS_FAILED, found))
        b.create("llvm.unreachable")
