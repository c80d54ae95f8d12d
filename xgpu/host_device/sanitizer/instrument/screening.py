# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks in kernels that run a whole block (`block_loops`): what screens a launch.

A mark before an access (`loops.py`) becomes, for a vector of threads, one call by the
shape of the address, and a way out:

    uniform                         xgpu_san_v_one
    one element a lane, in a row    xgpu_san_v_row
    some of both, as `t / 16` and `t % 16` make them    a call for each
    anything else                   xgpu_san_v_many

and likewise `ones`, `rows` and `manys` for accesses of all iterations of a loop. Before the call
stands what most accesses need (`fast_path`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, SymbolRefAttr, i32
from xdsl.ir import Block, SSAValue

from xgpu.backend.llvm_ir.facts import number, text_of
from xgpu.host_device.abi.structs import WARP_OPERATIONS, offset
from xgpu.host_device.compiler.code import NoRegions
from xgpu.host_device.compiler.emission import Affine, Builder, Emitted, Lanes, Uniform
from xgpu.host_device.compiler.types import I8, I32, I64, POINTER, integer_constant, vector_of
from xgpu.host_device.sanitizer.instrument.fast_path import MOST, WINDOW, Access, Quick
from xgpu.host_device.sanitizer.instrument.loops import (
    COMMIT,
    EXTENT,
    FENCE,
    GROUPS,
    INFO,
    SAME,
    SHARED,
    SPINS,
    STRIDE,
    WAIT_ALL,
    Marks,
)
from xgpu.host_device.sanitizer.instrument.whole_launch import outline_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute, Operation


#: Of a shuffle: lanes read from any one.
_ANY_LANE = 32


def _call_properties(name: str, count: int) -> dict[str, Attribute]:
    return {
        "callee": SymbolRefAttr(name),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [count, 0]),
        "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
    }


#: Lanes of an access in parts: at most so many, each of at least so many lanes.
_MOST_PARTS, _LEAST_LANES = 8, 4


class _Part:
    """Lanes of an access from lane `first` on: how they lie (`one`, `row`, `many`), and the address
    of the first of them; that of each lane where they lie anywhere."""

    __slots__ = ("address", "count", "first", "shape")

    def __init__(self, shape: str, address: SSAValue, first: int, count: int) -> None:
        self.shape = shape
        self.address = address
        self.first = first
        self.count = count


def _runs(offsets: Sequence[int], size: int) -> list[tuple[str, int, int]]:
    """Lanes that lie so far from a base, as rows of elements of `size` bytes and as lanes at one
    address: (which, the first lane, how many). Nothing if these are too short."""
    found: list[tuple[str, int, int]] = []
    first = 0
    while first < len(offsets):
        end = first + 1
        step = offsets[end] - offsets[first] if end < len(offsets) else size
        while end < len(offsets) and offsets[end] - offsets[end - 1] == step:
            end += 1
        if step not in (0, size) or end - first < _LEAST_LANES or len(found) == _MOST_PARTS:
            return []
        found.append(("row" if step else "one", first, end - first))
        first = end
    return found


class Screen(Marks):
    """What screens launches of one kernel, as its compiler asks for it
    (`compiler.vectors.block_loops.Screen`)."""

    #: What can be known of a launch before it runs, if anything (`whole_launch.Outline`).
    outline: object = None

    def mark(self, function: Operation) -> None:
        super().mark(function)
        self.outline = outline_of(function)

    def checks(self, builder: Builder) -> Checks:
        """What emits the code of the marks."""
        return Checks(builder, self)


class Checks:
    """Emits the checks of a block function."""

    def __init__(self, builder: Builder, screen: Screen) -> None:
        self.b = builder
        self.screen = screen
        self._way_out = Block()
        self._is_used = False
        self._addresses: SSAValue | None = None
        self._record: SSAValue | None = None
        self._is_known: SSAValue | None = None
        self._quick: Quick | None = None
        self._count = 0

    def begin(self) -> None:
        """In the function's first block: a block begins."""
        if self._record is None:
            self._begin_block()

    def _begin_block(self) -> SSAValue:
        """The record of the launch; `builder` stands in the first block."""
        if self._record is None:
            b, screen = self.b, self.screen
            operands = [b.integer(screen.shift, I32), b.integer(int(screen.is_same), I32)]
            properties = _call_properties("xgpu_san_v_block", len(operands))
            self._record = b.value("llvm.call", operands, POINTER, properties)
        return self._record

    def _known(self) -> SSAValue:
        """Whether an earlier block stands for this one where marks are `SAME`."""
        if self._is_known is None:
            b = self.b
            here, b.block = b.block, b.first
            at = b.address(self._begin_block(), offset("SanScreen", "is_known"))
            self._is_known = b.icmp("ne", b.load(at, I32), 0)
            b.block = here
        return self._is_known

    def _usual(self) -> Quick | None:
        """What answers in line, while there are few checks, of words."""
        screen = self.screen
        self._count += 1
        if self._count > MOST or screen.shift != 2:
            return None
        if self._quick is None:
            here = self.b.block
            self.b.block = self.b.first
            self._quick = Quick(self.b, self._begin_block(), screen.races, screen.inits)
            self.b.block = here
        return self._quick

    def region(self) -> None:
        """Behind a barrier, which orders accesses; what is written there stays so."""
        if self.screen.races or self.screen.inits:
            self._call("region", [])

    def together(self, op: Operation, operands: list[Emitted], mask: SSAValue | None) -> None:
        """Before an operation of a warp: the lanes that its mask names are those that execute it,
        and read from one another alone."""
        members = self._members(op, operands)
        if mask is None and integer_constant(members) in (-1, 0xFFFFFFFF):
            return
        b = self.b
        kind, by, limits = 0, b.integer(0, I32), b.integer(0, I32)
        if op.name == "nvvm.shfl.sync":
            kind = WARP_OPERATIONS[f"SHFL_{text_of(op.properties['kind'])}".upper()]
            distance, last = operands[2], operands[3]
            if isinstance(distance, Uniform) and isinstance(last, Uniform):
                by, limits = distance.value, last.value
            else:
                kind = _ANY_LANE
        named = members if members.type == I64 else b.cast("zext", members, I64)
        given = [self._bits(mask), named, b.integer(kind, I32), by, limits]
        self._call("together", given)

    def _members(self, op: Operation, operands: list[Emitted]) -> SSAValue:
        """The lanes that an operation of a warp names, as bits."""
        if not operands:
            return self.b.integer(-1, I32)
        given = operands[1 if op.name == "nvvm.redux.sync" else 0]
        if not isinstance(given, Uniform):
            raise NoRegions("lanes of a warp name different ones", op)
        return given.value

    def finish(self) -> None:
        """At the end of the function: where what is not finished goes."""
        if self._is_used:
            self.b.enter(self._way_out)
            self.b.create("llvm.return")

    def emit(
        self, op: Operation, operands: list[Emitted], linear: Emitted, mask: SSAValue | None
    ) -> None:
        """A check of the accesses of a vector of threads, whose numbers are `linear`."""
        if SAME not in op.attributes:
            self._emit(op, operands, linear, mask)
            return
        b = self.b
        look, on = b.new_block(), b.new_block()
        b.cond_branch(self._known(), on, look)
        b.enter(look)
        self._emit(op, operands, linear, mask)
        b.branch(on)
        b.enter(on)

    def _emit(
        self, op: Operation, operands: list[Emitted], linear: Emitted, mask: SSAValue | None
    ) -> None:
        b = self.b
        if FENCE in op.attributes:
            self._call("fence", [self._first(linear), self._bits(mask)])
            return
        if GROUPS in op.attributes:
            self._groups(number(op.attributes[GROUPS]), linear, mask)
            return
        address, root = operands[:2]
        if STRIDE not in op.attributes and len(operands) > 2:
            mask = self._some_bytes(operands.pop(), mask)
        if number(op.attributes[SPINS]):
            self._call("spin", [])
        if not isinstance(root, Uniform):
            raise NoRegions("threads use different memory", op)
        base = root.value
        number_ = b.value("llvm.ptrtoint", (base,), I64) if base.type == POINTER else base
        repeated: list[SSAValue] = []
        if len(operands) > 2:
            count = operands[2]
            if not isinstance(count, Uniform):
                raise NoRegions("lanes leave a loop at different times", op)
            repeated = [b.integer(number(op.attributes[STRIDE]), I64), count.value]
        own = self._first(linear)
        for part in self._parts(address, number(op.attributes[INFO]) >> 32 & 0xFFFF):
            self._emit_part(op, part, number_, own, mask, repeated)

    def _groups(self, groups: int, linear: Emitted, mask: SSAValue | None) -> None:
        """Lanes end a group of asynchronous copies, or wait until so many groups go on. Without
        races it does not matter when a copy is done."""
        if not self.screen.races:
            return
        given = [self._first(linear), self._bits(mask)]
        if groups == COMMIT:
            self._call("commit", given)
            return
        if groups == WAIT_ALL:
            self._call("commit", given)
        self._call("wait", [*given, self.b.integer(max(groups, 0), I32)])

    def _some_bytes(self, bytes: Emitted, mask: SSAValue | None) -> SSAValue:
        """The lanes of a mask that copy any bytes, which count as those that copy all."""
        b = self.b
        lanes = b.as_lanes(bytes)
        return b.both(mask, b.icmp("ne", lanes, b.zero(lanes.type)))

    def _emit_part(
        self, op: Operation, part: _Part, root: SSAValue, own: SSAValue, mask: SSAValue | None,
        repeated: list[SSAValue],
    ) -> None:  # fmt: skip
        """A check of some lanes of a vector, of which lane 0 is thread `own`."""
        b = self.b
        info, extent = number(op.attributes[INFO]), number(op.attributes[EXTENT])
        at = part.address
        own = b.add(own, part.first)
        if mask is not None and part.count < b.width:
            mask = b.shuffle(mask, range(part.first, part.first + part.count))
        quick = None if repeated else self._usual()
        if quick is not None:
            info |= self._count << WINDOW
        on = b.new_block()
        if quick is not None:
            is_shared = bool(number(op.attributes[SHARED]))
            access = Access(at, root, extent, info, own, mask, is_shared, part.count)
            {"one": quick.one, "row": quick.row, "many": quick.many}[part.shape](access, on)
        if part.shape == "many":
            at = self._spilled(at)
        facts = [b.integer(extent, I64), b.integer(info, I64), own, self._bits(mask, part.count)]
        self._call(part.shape + "s" * bool(repeated), [at, root, *facts, *repeated], on)

    def _parts(self, address: Emitted, size: int) -> list[_Part]:
        """The lanes of an access of so many bytes in parts that have a shape."""
        b = self.b
        if isinstance(address, Uniform):
            value = b.value("llvm.ptrtoint", (address.value,), I64)
            return [_Part("one", value, 0, b.width)]
        runs = _runs(address.offsets, size) if isinstance(address, Affine) else []
        if not runs:
            pointers = b.as_lanes(address)
            value = b.value("llvm.ptrtoint", (pointers,), vector_of(I64, b.width))
            return [_Part("many", value, 0, b.width)]
        assert isinstance(address, Affine)
        found: list[_Part] = []
        for shape, first, count in runs:
            start = b.address(address.base, address.offsets[first])
            found.append(_Part(shape, b.value("llvm.ptrtoint", (start,), I64), first, count))
        return found

    def _spilled(self, addresses: SSAValue) -> SSAValue:
        if self._addresses is None:
            self._addresses = self.b.alloca(I8, 8 * self.b.width)
        self.b.store(addresses, self._addresses)
        return self._addresses

    def _first(self, linear: Emitted) -> SSAValue:
        """The number of the thread of lane 0."""
        b = self.b
        if isinstance(linear, Affine):
            return b.add(linear.base, linear.offsets[0])
        if isinstance(linear, Uniform):
            return linear.value
        assert isinstance(linear, Lanes)
        return b.extract(linear.value, 0)

    def _bits(self, mask: SSAValue | None, lanes: int = 0) -> SSAValue:
        """The lanes of a mask, of so many lanes if there is none."""
        b = self.b
        if mask is None:
            return b.integer((1 << (lanes or b.width)) - 1, I64)
        bits = b.mask_bits(mask)
        return bits if bits.type == I64 else b.cast("zext", bits, I64)

    def _call(self, name: str, operands: list[SSAValue], on: Block | None = None) -> None:
        """A call; where it says no, the block ends, else it goes on at `on`."""
        b = self.b
        properties = _call_properties(f"xgpu_san_v_{name}", len(operands))
        said = b.value("llvm.call", operands, I32, properties)
        self._is_used = True
        on = b.new_block() if on is None else on
        b.cond_branch(b.icmp("ne", said, 0), on, self._way_out)
        b.enter(on)
