# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prefetches where each block reads a range of an array in several pieces at once.

A processor fetches ahead what is read from end to end. A block whose threads each read several
elements, a block's width apart (`in[256 * i]`), goes through as many short pieces at once, and each
block begins others. All that the blocks read lies side by side: the vectors of a block share in
asking for a range of the same size that lies some blocks further on. Nothing but time depends on
it, so what is found out about addresses need not hold.

Sums of 1,024 floats each: 0.6 times the processor time where other programs use the cache too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.types import I32, gep_strides, size_of
from xgpu.host_device.compiler.vectors.emission import Affine, Builder, Emitted
from xgpu.host_device.compiler.vectors.shapes import AFFINE, Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xgpu.host_device.compiler.vectors.uniformity import Uniformity

_AHEAD = 16384  # bytes
_LINE = 64
_LARGEST = 32768  # bytes that a block reads of an array
_SHARED_POINTER = LLVMPointerType(3)
_PASSED = frozenset((
    "llvm.sext", "llvm.zext", "llvm.trunc", "llvm.freeze", "llvm.addrspacecast", "llvm.bitcast",
))  # fmt: skip


class Prefetches:
    """The loads of a kernel that are the first of such a group."""

    def __init__(self, builder: Builder, u: Uniformity, layout: Layout) -> None:
        self.b = builder
        self.u = u
        self.layout = layout
        self._steps: dict[SSAValue, int | None] = {}
        #: Those loads, with the bytes of an array that the block reads.
        self._firsts = self._groups() if layout.is_full and not layout.rows else {}

    def has(self, op: Operation) -> bool:
        """Whether there is one before an operation."""
        return op in self._firsts

    def before(self, op: Operation, address: Emitted, group: SSAValue | int) -> None:
        """A load that all lanes of a vector are about to do."""
        if not isinstance(address, Affine):
            return
        b, size = self.b, self._firsts[op]
        share = size // self.layout.groups
        own = (size_of(op.results[0].type) or 1) * self.layout.width
        numbers = {"rw": 0, "hint": 3, "cache": 1}
        properties = {name: IntegerAttr(value, I32) for name, value in numbers.items()}
        further = b.binary("mul", group, share - own) if isinstance(group, SSAValue) else 0
        base = b.address(b.address(address.base, min(address.offsets) + _AHEAD), further)
        for at in range(0, share, _LINE):
            b.create("llvm.intr.prefetch", (b.address(base, at),), (), properties)

    def _groups(self) -> dict[Operation, int]:
        found: dict[tuple[SSAValue, int], list[Operation]] = {}
        firsts: dict[Operation, int] = {}
        for block in self.u.graph.blocks:
            found.clear()
            for op in block.ops:
                step = self._row_step(op)
                if step is not None:
                    found.setdefault((_root(op.operands[0]), step), []).append(op)
            for (_, step), loads in found.items():
                size = size_of(loads[0].results[0].type) or 1
                if len(loads) > 1 and len(loads) * size * self.layout.threads == step:
                    firsts[loads[0]] = step
        return firsts

    def _row_step(self, op: Operation) -> int | None:
        """By how much the address of a load of neighbours differs from block to block, if it may be
        part of a group."""
        if op.name != "llvm.load" or operations.is_ordered(op):
            return None
        address = op.operands[0]
        shape, size = self.u.of(address), size_of(op.results[0].type)
        if address.type == _SHARED_POINTER or shape.level != AFFINE or size is None:
            return None
        if shape.offsets != tuple(size * lane for lane in range(self.layout.width)):
            return None
        step = self._step(address)
        return step if step is not None and 0 < step <= _LARGEST else None

    def _step(self, value: SSAValue) -> int | None:
        """By how much a value differs from block to block along x; None where that is unknown."""
        if value not in self._steps:
            self._steps[value] = None  # of what depends on itself
            self._steps[value] = self._computed_step(value)
        return self._steps[value]

    def _computed_step(self, value: SSAValue) -> int | None:
        op = value.owner
        if not isinstance(op, Operation):
            return 0 if op is self.u.graph.blocks[0] else None
        register = operations.register(op)
        if register is not None:
            return int(register == "ctaid.x")
        if op.name in operations.CONSTANTS:
            return 0
        if op.name in _PASSED:
            return self._step(op.operands[0])
        if op.name == "llvm.getelementptr":
            strides = gep_strides(op)
            return None if strides is None else self._total(op.operands, (1, *strides[1]))
        if op.name in ("llvm.add", "llvm.or", "llvm.sub"):
            return self._total(op.operands, (1, -1 if op.name == "llvm.sub" else 1))
        if op.name in ("llvm.mul", "llvm.shl"):
            left, right = op.operands
            pairs = ((left, right), (right, left)) if op.name == "llvm.mul" else ((left, right),)
            for other, factor in pairs:
                number, step = self.u.of(factor).constant, self._step(other)
                if number is not None and step is not None:
                    return step * number if op.name == "llvm.mul" else step << (number & 63)
        return None

    def _total(self, values: Sequence[SSAValue], factors: Sequence[int]) -> int | None:
        steps = [self._step(v) for v in values]
        if None in steps:
            return None
        return sum((s or 0) * f for s, f in zip(steps, factors, strict=True))


def _root(pointer: SSAValue) -> SSAValue:
    """What a pointer is an address in."""
    owner = pointer.owner
    while isinstance(owner, Operation) and owner.name in (
        "llvm.getelementptr",
        "llvm.addrspacecast",
    ):
        pointer = owner.operands[0]
        owner = pointer.owner
    return pointer
