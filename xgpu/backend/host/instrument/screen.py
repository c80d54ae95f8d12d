# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks in kernels that run a whole block (`block_loops`): what screens a launch.

A mark before an access (`sanitize_marks`) becomes, for a vector of threads, one call by the shape
of the address, and a way out:

    uniform                         xgpu_san_v_one
    one element a lane, in a row    xgpu_san_v_row
    anything else                   xgpu_san_v_many

and likewise `ones`, `rows` and `manys` for accesses of all iterations of a loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, SymbolRefAttr, i32
from xdsl.ir import Block, SSAValue

from xgpu.backend.host.instrument.marks import EXTENT, INFO, SPINS, STRIDE, Screen
from xgpu.backend.host.types import I8, I32, I64, POINTER
from xgpu.backend.host.vectors.emission import Affine, Builder, Emitted, Lanes, Uniform
from xgpu.backend.host.vectors.regions import NoRegions
from xgpu.backend.llvm_ir.facts import number

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


def _call_properties(name: str, count: int) -> dict[str, Attribute]:
    return {
        "callee": SymbolRefAttr(name),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [count, 0]),
        "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
    }


class Checks:
    """Emits the checks of a block function."""

    def __init__(self, builder: Builder, screen: Screen | None) -> None:
        self.b = builder
        self.screen = screen
        self._way_out = Block()
        self._is_used = False
        self._addresses: SSAValue | None = None

    def begin(self) -> None:
        """In the function's first block: a block begins."""
        if self.screen is not None:
            self._call("block", [self.b.integer(self.screen.shift, I32)], False)

    def region(self) -> None:
        """Behind a barrier."""
        if self.screen is not None:
            self._call("region", [])

    def finish(self) -> None:
        """At the end of the function: where what is not finished goes."""
        if self._is_used:
            self.b.enter(self._way_out)
            self.b.create("llvm.return")

    def emit(
        self, op: Operation, operands: list[Emitted], linear: Emitted, mask: SSAValue | None
    ) -> None:
        """A check of the accesses of a vector of threads, whose numbers are `linear`."""
        address, root = operands[:2]
        b = self.b
        if number(op.attributes[SPINS]):
            self._call("spin", [])
        if not isinstance(root, Uniform):
            raise NoRegions("threads use different memory", op)
        base = root.value
        number_ = b.value("llvm.ptrtoint", (base,), I64) if base.type == POINTER else base
        info = number(op.attributes[INFO])
        given = [
            number_, b.integer(number(op.attributes[EXTENT]), I64), b.integer(info, I64),
            self._first(linear), self._bits(mask),
        ]  # fmt: skip
        size = info >> 32 & 0xFFFF
        many = ""
        if len(operands) > 2:
            count = operands[2]
            if not isinstance(count, Uniform):
                raise NoRegions("lanes leave a loop at different times", op)
            many = "s"
            given += [b.integer(number(op.attributes[STRIDE]), I64), count.value]
        if isinstance(address, Uniform):
            self._call("one" + many, [b.value("llvm.ptrtoint", (address.value,), I64), *given])
            return
        if isinstance(address, Affine):
            low = address.offsets[0]
            if address.offsets == tuple(low + size * i for i in range(b.width)):
                start = b.address(address.base, low)
                self._call("row" + many, [b.value("llvm.ptrtoint", (start,), I64), *given])
                return
        self._call("many" + many, [self._spilled(b.as_lanes(address)), *given])

    def _spilled(self, pointers: SSAValue) -> SSAValue:
        if self._addresses is None:
            self._addresses = self.b.alloca(I8, 8 * self.b.width)
        self.b.store(pointers, self._addresses, 64)
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

    def _bits(self, mask: SSAValue | None) -> SSAValue:
        b = self.b
        if mask is None:
            return b.integer((1 << b.width) - 1, I64)
        bits = b.mask_bits(mask)
        return bits if bits.type == I64 else b.cast("zext", bits, I64)

    def _call(self, name: str, operands: list[SSAValue], may_stop: bool = True) -> None:
        """A call; where it says no, the block ends."""
        b = self.b
        op = b.create(
            "llvm.call", operands, (I32,) if may_stop else (),
            _call_properties(f"xgpu_san_v_{name}", len(operands)),
        )  # fmt: skip
        if not may_stop:
            return
        self._is_used = True
        on = b.new_block()
        b.cond_branch(b.icmp("ne", op.results[0], 0), on, self._way_out)
        b.enter(on)
