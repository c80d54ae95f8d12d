# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The usual answer of a check, in line: what most accesses of a launch that is screened need.

    if (what is usual) { note it } else if (xgpu_san_v_..(..) == 0) goto out

There are three such, all for words or, where nothing is noted, for elements of any size:

* a row of the block's own memory, or one element of it: its states are vectors, and what the
  access makes of them is what `sanitizer_states.own_read_all` and `own_write_all` make;
* global memory, where races are not looked for: a *window* of each location, memory next to what
  was looked at before, in which all is there and has been written (`sanitizer_windows.slide`);
* global memory that is only read, where they are: a window, and a bit for each word;
* a row of global memory that is written, where they are: a window of a page that has been written
  before, and states that tell of nothing in this launch (`sanitizer_states.write_all`).

The native code does all else, and says no. Windows lie at `SanScreen.windows`; a location finds its
own by a number in `info` (bits 52 on), where 0 stands for none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.host_device.abi.sanitizer_records import (
    FLAG_ASYNC,
    FLAG_ATOMIC,
    FLAG_MODIFY,
    FLAG_WRITE,
)
from xgpu.host_device.abi.structs import offset, size_of
from xgpu.host_device.compiler import claims
from xgpu.host_device.compiler.types import I1, I32, I64, POINTER, vector_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Block, SSAValue

    from xgpu.host_device.compiler.emission import Builder


#: As `sanitizer_states` has them.
_OWN_OTHER_WIDTH = 2
_OWN_READ, _OWN_READS, _OWN_WROTE, _OWN_ATOMIC, _OWN_KIND, _OWN_WHO = 4, 8, 16, 20, 28, 32736
#: Likewise of global memory.
_WROTE, _READ_TOO, _BEFORE, _WHO_SHIFT, _SITE_SHIFT, _EPOCH_SHIFT = 66, 8, 1, 18, 7, 28
_CONTEXT_SHIFT = 40
_STICKY = 15
_WHOSE = ~(2047 << _SITE_SHIFT | _STICKY)  # all of a state but its place and what stays
#: More checks than that are calls alone, so that code stays small.
MOST = 96
WINDOW = 52  # where `info` has the number of a window


class Access:
    """An access of lanes of a vector of threads to one element each."""

    __slots__ = ("address", "alignment", "extent", "flags", "is_shared", "lanes", "mask", "own",
                 "root", "site", "size", "window")  # fmt: skip

    def __init__(
        self, address: SSAValue, root: SSAValue, extent: int, info: int, own: SSAValue,
        mask: SSAValue | None, is_shared: bool, lanes: int,
    ) -> None:  # fmt: skip
        #: The first lane's address, as a number; a vector of them where lanes lie anywhere.
        self.address = address
        self.root = root
        self.extent = extent
        self.own = own
        self.mask = mask
        self.is_shared = is_shared
        #: How many lanes of a vector it is for.
        self.lanes = lanes
        self.site = info & 0x7FF
        self.flags = info >> 20 & 0xFFF
        self.size = info >> 32 & 0xFFFF
        self.alignment = 1 << (info >> 48 & 15)
        self.window = info >> WINDOW


class Quick:
    """Emits the usual answers in one function."""

    def __init__(self, builder: Builder, record: SSAValue, races: bool, inits: bool) -> None:
        """`record` is the launch's `SanScreen`; `builder` stands where that is known."""
        self.b = builder
        self.races = races
        self.inits = inits
        self._record = record
        self._windows = self._field("windows", POINTER)
        states = builder.value("llvm.ptrtoint", (self._field("states", POINTER),), I64)
        # States of words are words: they lie at a fixed distance.
        self._distance = builder.binary("sub", states, self._field("begin", I64))

    def _field(self, name: str, ty: Attribute) -> SSAValue:
        return self.b.load(self.b.address(self._record, offset("SanScreen", name)), ty)

    def row(self, access: Access, on: Block) -> bool:
        """Lanes side by side: go to `on` if nothing is wrong, else on here. False if there is
        nothing usual about it."""
        if access.flags & FLAG_ATOMIC:
            return False
        if access.is_shared:
            is_copied = access.flags & FLAG_ASYNC and self.races
            return not is_copied and self._own(access, access.lanes, on)
        if access.extent >= 0:
            return False
        return self._windowed(access, access.lanes, on)

    def one(self, access: Access, on: Block) -> bool:
        """One address for all lanes."""
        if access.flags or access.mask is not None:
            return False
        if access.is_shared:
            return self._own(access, 1, on)
        return access.extent < 0 and self._windowed(access, 1, on)

    def many(self, access: Access, on: Block) -> bool:
        """An address for each lane."""
        if access.is_shared and access.flags & FLAG_ATOMIC and access.flags & FLAG_WRITE:
            return self._atomics(access, on)
        if access.flags or self.races or access.extent >= 0 or not access.window:
            return False
        b = self.b
        low, high = self._window(access, 0), self._window(access, 1)
        last = b.binary("sub", high, access.size)
        fits = b.value("llvm.and", (
            b.icmp("uge", access.address, b.splat(low)),
            b.icmp("ule", access.address, b.splat(last)),
        ), vector_of(I1, b.width))  # fmt: skip
        if access.alignment > 1:
            ones = b.constant_vector([access.alignment - 1] * b.width, I64)
            rest = b.value("llvm.and", (access.address, ones), ones.type)
            fits = b.value("llvm.and", (fits, b.icmp("eq", rest, b.zero(rest.type))), fits.type)
        misses = b.negated(fits)
        if access.mask is not None:
            misses = b.both(access.mask, misses)
        self._leave(b.icmp("eq", b.mask_bits(misses), 0), on)
        return True

    # -- global memory

    def _window(self, access: Access, word: int) -> SSAValue:
        at = self.b.address(self._windows, access.window * size_of("SanWindow") + 8 * word)
        return self.b.load(at, I64)

    def _windowed(self, access: Access, lanes: int, on: Block) -> bool:
        b = self.b
        noted = self.races or access.flags & FLAG_WRITE
        if not access.window or (noted and (access.size != 4 or lanes > 32)):
            return False
        end = b.add(access.address, access.size * lanes)
        fits = b.binary(
            "and", b.icmp("uge", access.address, self._window(access, 0)),
            b.icmp("ule", end, self._window(access, 1)),
        )  # fmt: skip
        fits = self._aligned(access, fits)
        if self.races and access.flags & FLAG_WRITE:
            self._write(access, lanes, fits, on)
            return True
        if not noted:
            self._leave(fits, on)
            return True
        note = b.new_block()
        self._leave(fits, note)
        slow = b.current
        b.enter(note)
        self._note(access, lanes)
        b.branch(on)
        b.block = slow
        return True

    def _aligned(self, access: Access, fits: SSAValue) -> SSAValue:
        if access.alignment == 1:
            return fits
        b = self.b
        rest = b.binary("and", access.address, access.alignment - 1)
        return b.binary("and", fits, b.icmp("eq", rest, 0))

    def _note(self, access: Access, lanes: int) -> None:
        """Set the bits of words (`sanitizer_checks.note`)."""
        b = self.b
        place = b.add(self._window(access, 2), b.binary("lshr", access.address, 5))
        at = b.value("llvm.inttoptr", (place,), POINTER)
        lanes_ = self._mask(access, lanes)
        shift = b.binary("and", b.binary("lshr", access.address, 2), 7)
        new = b.value("llvm.shl", (lanes_, shift), I64)
        old = b.load(at, I64, claims.UNALIGNED)
        b.store(b.value("llvm.or", (old, new), I64), at, claims.UNALIGNED)

    def _write(self, access: Access, lanes: int, fits: SSAValue, on: Block) -> None:
        """Go to `on` if the lanes write what is in a window and nothing in the launch has used, or
        the block alone has, in an order that is known."""
        b = self.b
        look, note = b.new_block(), b.new_block()
        self._leave(fits, look)
        slow = b.current
        b.enter(look)
        place = b.add(self._window(access, 2), b.binary("shl", access.address, 1))
        at = b.value("llvm.inttoptr", (place,), POINTER)
        ty = vector_of(I64, lanes)
        old = b.load(at, ty, claims.of_row(I64))
        launch = b.binary("shl", self._field("first", I64), _CONTEXT_SHIFT)
        used = b.icmp("sge", old, b.splat(launch, lanes))
        marks = _WROTE | _BEFORE | access.site << _SITE_SHIFT
        marks |= _READ_TOO if access.flags & FLAG_MODIFY else 0
        own = b.binary("shl", b.value("llvm.zext", (access.own,), I64), _WHO_SHIFT)
        region = b.binary("shl", self._field("epoch", I64), _EPOCH_SHIFT)
        first = b.add(region, own)
        numbers = b.constant_vector([(i << _WHO_SHIFT) + marks for i in range(lanes)], I64)
        new = b.value("llvm.add", (b.splat(first, lanes), numbers), ty)
        seen = used
        if access.mask is not None:
            seen = b.value("llvm.and", (used, access.mask), used.type)
        again = b.new_block()
        b.cond_branch(b.icmp("eq", b.mask_bits(seen), 0), note, again)
        b.enter(again)
        # The block has used some before its last barrier, or each lane its own behind it.
        context = b.binary("shl", self._field("context", I64), _CONTEXT_SHIFT)
        differs = b.value("llvm.xor", (old, new), ty)
        differs = b.value("llvm.and", (differs, b.splat(b.integer(_WHOSE, I64), lanes)), ty)
        fine = self._or(
            b.icmp("slt", old, b.splat(region, lanes)), b.icmp("eq", differs, b.zero(ty))
        )  # fmt: skip
        fine = b.value("llvm.and", (fine, b.icmp("sge", old, b.splat(context, lanes))), fine.type)
        rest = b.value("llvm.and", (seen, b.negated(fine)), fine.type)
        own_again = b.new_block()
        b.cond_branch(b.icmp("eq", b.mask_bits(rest), 0), own_again, slow)
        b.enter(own_again)
        kept = b.value("llvm.and", (old, b.splat(b.integer(_STICKY, I64), lanes)), ty)
        kept = self._or(new, b.select(used, kept, b.zero(ty)))
        self._set_states(access, at, kept, old, on)
        b.enter(note)
        self._set_states(access, at, new, old, on)
        b.block = slow

    def _set_states(
        self, access: Access, at: SSAValue, new: SSAValue, old: SSAValue, on: Block
    ) -> None:
        b = self.b
        if access.mask is not None:
            new = b.select(access.mask, new, old)
        b.store(new, at, claims.of_row(I64))
        b.branch(on)

    def _mask(self, access: Access, lanes: int) -> SSAValue:
        b = self.b
        if access.mask is None or lanes == 1:
            return b.integer((1 << lanes) - 1, I64)
        bits = b.mask_bits(access.mask)
        return bits if bits.type == I64 else b.cast("zext", bits, I64)

    # -- the block's own memory

    def _own(self, access: Access, lanes: int, on: Block) -> bool:
        b = self.b
        bytes_ = access.size * lanes
        if access.size != 4 or access.extent < bytes_:
            return False
        inside = b.icmp("ule", b.binary("sub", access.address, access.root), access.extent - bytes_)
        fits, known = b.new_block(), b.new_block()
        inside = b.binary("and", inside, self._word(access))
        if not self.races:
            self._leave(b.binary("and", inside, self._is_written()), on)
        self._leave(inside, fits)
        slow = b.current
        b.enter(fits)
        at = b.value("llvm.inttoptr", (b.add(access.address, self._distance),), POINTER)
        ty = vector_of(I32, lanes) if lanes > 1 else I32
        old = b.load(at, ty, claims.of_row(I32))
        new, bad = (self._written if access.flags & FLAG_WRITE else self._read)(access, old, lanes)
        if access.mask is not None:
            if new is not None:
                new = b.select(access.mask, new, old)
            if bad is not None:
                bad = b.value("llvm.and", (bad, access.mask), bad.type)
        if bad is not None:
            some = b.icmp("ne", b.mask_bits(bad), 0) if lanes > 1 else bad
            b.cond_branch(some, slow, known)
            b.enter(known)
        if new is not None:
            b.store(new, at, claims.of_row(I32))
        b.branch(on)
        b.block = slow
        return True

    def _atomics(self, access: Access, on: Block) -> bool:
        """Atomic operations on words that have seen some since the last barrier: who did them does
        not matter."""
        b = self.b
        if access.size != 4 or access.extent < 4:
            return False
        distances = b.value("llvm.sub", (access.address, b.splat(access.root)), access.address.type)
        last = b.constant_vector([access.extent - 4] * b.width, I64)
        threes = b.constant_vector([3] * b.width, I64)
        parts = b.value("llvm.and", (distances, threes), distances.type)
        misses = self._or(b.icmp("ugt", distances, last), b.icmp("ne", parts, b.zero(parts.type)))
        if access.mask is not None:
            misses = b.both(access.mask, misses)
        fits, known = b.new_block(), b.new_block()
        self._leave(b.icmp("eq", b.mask_bits(misses), 0), fits)
        slow = b.current
        b.enter(fits)
        if not self.races:
            look = b.new_block()
            b.cond_branch(self._is_written(), on, look)
            b.enter(look)
        moved = b.value("llvm.add", (access.address, b.splat(self._distance)), distances.type)
        at = b.value("llvm.inttoptr", (moved,), vector_of(POINTER, b.width))
        mask = b.all_lanes() if access.mask is None else access.mask
        bits = _OWN_KIND | _OWN_OTHER_WIDTH | 1 if self.races else 1
        wanted = _OWN_ATOMIC | 1 if self.races else 1
        usual = b.constant_vector([-1] * b.width, I32)
        old = b.value(
            "llvm.intr.masked.gather", (at, mask, usual), usual.type,
            claims.lanes(claims.of_row(I32)),
        )  # fmt: skip
        bad = b.negated(self._has(old, bits, wanted, b.width))
        if not self.races:
            bad = b.value("llvm.and", (bad, mask), bad.type)
            b.cond_branch(b.icmp("eq", b.mask_bits(bad), 0), on, slow)
            b.block = slow
            return True
        earlier = b.icmp("slt", old, self._region(b.width))
        bad = b.value("llvm.and", (self._or(bad, earlier), mask), bad.type)
        b.cond_branch(b.icmp("eq", b.mask_bits(bad), 0), on, known)
        b.enter(known)
        # Where some are the first ones since the barrier.
        note = b.new_block()
        fresh = b.value("llvm.and", (earlier, b.negated(self._missing(old, b.width))), bad.type)
        rest = b.value("llvm.and", (bad, b.negated(fresh)), bad.type)
        b.cond_branch(b.icmp("eq", b.mask_bits(rest), 0), note, slow)
        b.enter(note)
        fresh = b.value("llvm.and", (fresh, mask), bad.type)
        new = self._or(self._region(b.width), self._who(access, b.width))
        new = self._or(new, self._number(_OWN_ATOMIC | 1, b.width))
        b.create("llvm.intr.masked.scatter", (new, at, fresh), (), claims.lanes(claims.of_row(I32)))
        b.branch(on)
        b.block = slow
        return True

    def _is_written(self) -> SSAValue:
        """Whether all words of the block have been written, where no races are looked for."""
        return self.b.icmp("ne", self._field("is_written", I32), 0)

    def _word(self, access: Access) -> SSAValue:
        return self.b.icmp("eq", self.b.binary("and", access.address, 3), 0)

    def _and(self, value: SSAValue, bits: int, lanes: int) -> SSAValue:
        return self.b.value("llvm.and", (value, self._number(bits, lanes)), value.type)

    def _number(self, value: int, lanes: int) -> SSAValue:
        if lanes > 1:
            return self.b.constant_vector([value] * lanes, I32)
        return self.b.integer(value, I32)

    def _has(self, value: SSAValue, bits: int, wanted: int, lanes: int) -> SSAValue:
        return self.b.icmp("eq", self._and(value, bits, lanes), self._number(wanted, lanes))

    def _or(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.b.value("llvm.or", (a, b), a.type)

    def _missing(self, old: SSAValue, lanes: int) -> SSAValue:
        return self._has(old, 1, 0, lanes)

    def _region(self, lanes: int) -> SSAValue:
        """What states begin with since the last barrier of the block."""
        b = self.b
        epoch = b.value("llvm.trunc", (self._field("epoch", I64),), I32)
        region = b.binary("shl", b.binary("and", epoch, 4095), 15)
        return b.splat(region, lanes) if lanes > 1 else region

    def _who(self, access: Access, lanes: int) -> SSAValue:
        b = self.b
        own = b.binary("shl", access.own, 5)
        if lanes == 1:
            return own
        numbers = b.constant_vector([i << 5 for i in range(lanes)], I32)
        return b.value("llvm.add", (b.splat(own, lanes), numbers), numbers.type)

    def _read(
        self, access: Access, old: SSAValue, lanes: int
    ) -> tuple[SSAValue | None, SSAValue | None]:
        """States behind a read, and where something may be wrong."""
        b = self.b
        missing = self._missing(old, lanes) if self.inits else None
        if not self.races:
            return None, missing
        region, who = self._region(lanes), self._who(access, lanes)
        is_new = b.icmp("sge", old, region)
        wrote = b.negated(self._has(old, _OWN_WROTE, 0, lanes))
        fresh = self._or(self._or(region, who), self._and(old, 1, lanes))
        if lanes == 1:
            # Several threads read one word: two of them stand for all.
            new = self._or(fresh, self._number(_OWN_READS, lanes))
            bad = b.value("llvm.and", (wrote, is_new), wrote.type)
        else:
            keeps = self._alone(old, who, lanes)
            more = self._or(self._and(old, ~_OWN_KIND, lanes), self._number(_OWN_READS, lanes))
            fresh = self._or(fresh, self._number(_OWN_READ, lanes))
            new = b.select(is_new, b.select(keeps, old, more), fresh)
            other = b.value("llvm.and", (b.negated(keeps), wrote), wrote.type)
            clash = self._or(self._has(old, _OWN_KIND, _OWN_ATOMIC, lanes), other)
            bad = b.value("llvm.and", (clash, is_new), clash.type)
        return new, bad if missing is None else self._or(bad, missing)

    def _alone(self, old: SSAValue, who: SSAValue, lanes: int) -> SSAValue:
        """Whether none but the same thread has used a cell."""
        b = self.b
        differs = b.value("llvm.xor", (old, who), old.type)
        return b.value("llvm.and", (
            self._has(differs, _OWN_WHO, 0, lanes), self._has(old, _OWN_READS, 0, lanes),
        ), vector_of(I1, lanes) if lanes > 1 else I1)  # fmt: skip

    def _written(
        self, access: Access, old: SSAValue, lanes: int
    ) -> tuple[SSAValue | None, SSAValue | None]:
        """Likewise behind a write."""
        b = self.b
        missing = self._missing(old, lanes) if self.inits and access.flags & FLAG_MODIFY else None
        if not self.races and missing is not None:
            return None, missing  # all has been written
        if not self.races:
            ones = self._number(1, lanes)
            return ones if access.mask is None else self._or(old, ones), None
        region, who = self._region(lanes), self._who(access, lanes)
        new = self._or(self._or(region, who), self._number(_OWN_WROTE | 1, lanes))
        alone = self._alone(old, who, lanes)
        clash = self._or(b.negated(alone), self._has(old, _OWN_KIND, _OWN_ATOMIC, lanes))
        bad = b.value("llvm.and", (clash, b.icmp("sge", old, region)), clash.type)
        return new, bad if missing is None else self._or(bad, missing)

    def _leave(self, condition: SSAValue, on: Block) -> None:
        """Go to `on` if a condition holds."""
        slow = self.b.new_block()
        self.b.cond_branch(condition, on, slow)
        self.b.enter(slow)
