# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that count, and addresses in them that nothing but the counter moves.

    for (i = first; i < bound; i += step) { .. load p(i) .. }

If p(i) is p(first) + stride * (number of the iteration), all that the loop loads there is known
before it begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import number
from xgpu.core.ir.dominance import ControlFlowGraph, Loop
from xgpu.core.ir.liveness import definition_block
from xgpu.core.ir.region_flow import successor_operands
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.constants import integer_constant
from xgpu.host_device.compiler.types import I64, gep_strides

if TYPE_CHECKING:
    from xgpu.dialects.llvm.builders import LLVMBuilder


_LESS = ("slt", "ult")
_ICMP = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
#: Special registers that are the same in all threads of a block.
_COMMON = ("ctaid.", "nctaid.", "ntid.")


class Counted:
    """A loop with a counter of 64 bits; `entry` is the branch that enters it."""

    def __init__(
        self,
        graph: ControlFlowGraph,
        loop: Loop,
        entry: Operation,
        counter: SSAValue,
        bounds: tuple[SSAValue, SSAValue, int],
    ) -> None:
        self._graph = graph
        self._loop = loop
        self.entry = entry
        self._counter = counter
        self._first, self._bound, self._step = bounds
        self._slopes: dict[SSAValue, int | None] = {}

    def repeats(self, block: int) -> bool:
        """Whether each iteration runs a block, once."""
        graph, loop = self._graph, self._loop
        return (
            block != loop.header
            and graph.loop_of[block] is loop
            and graph.dominates(block, loop.latches[0])
        )

    def slope(self, value: SSAValue) -> int | None:
        """By how much an iteration moves a value; None if that is not known."""
        if value not in self._slopes:
            self._slopes[value] = self._slope(value)
        return self._slopes[value]

    def _slope(self, value: SSAValue) -> int | None:
        if value is self._counter:
            return self._step
        home = definition_block(value)
        if self._graph.number[home] not in self._loop.blocks:
            return 0
        if isinstance(value, BlockArgument):
            return None
        op = cast("Operation", value.owner)
        if op.name in operations.CONSTANTS:
            return 0
        if not operations.is_pure(op) and op.name != "llvm.addrspacecast":
            return None
        slopes = [self.slope(o) for o in op.operands]
        if any(s is None for s in slopes):
            return None
        return _combined(op, slopes)  # type: ignore[arg-type]

    def at_first(self, value: SSAValue, rw: LLVMBuilder) -> SSAValue:
        """A value as the first iteration has it, computed before the loop."""
        if value is self._counter:
            return self._first
        home = definition_block(value)
        if self._graph.number[home] not in self._loop.blocks:
            return value
        op = cast("Operation", value.owner)
        operands = [self.at_first(o, rw) for o in op.operands]
        return rw.value(op.name, operands, value.type, dict(op.properties))

    def count(self, rw: LLVMBuilder) -> SSAValue:
        """The number of iterations, computed before the loop."""
        first, bound = integer_constant(self._first), integer_constant(self._bound)
        if first is not None and bound is not None:
            return rw.integer(max(0, -(-(bound - first) // self._step)), I64)
        rest = rw.binary("sub", self._bound, self._first)
        if self._step > 1:
            rest = rw.binary("sdiv", rw.binary("add", rest, self._step - 1), self._step)
        return rest


def _combined(op: Operation, slopes: list[int]) -> int | None:
    """The slope of what an operation computes from values with known ones."""
    if not any(slopes):
        return 0
    if op.name == "llvm.add":
        return slopes[0] + slopes[1]
    if op.name == "llvm.sub":
        return slopes[0] - slopes[1]
    if op.name == "llvm.mul":
        for at in (0, 1):
            factor = integer_constant(op.operands[at])
            if factor is not None:
                return factor * slopes[1 - at]
        return None
    if op.name == "llvm.shl":
        by = integer_constant(op.operands[1])
        return slopes[0] << by if by is not None and 0 <= by < 32 else None
    if op.name == "llvm.addrspacecast":
        return slopes[0]
    if op.name == "llvm.getelementptr":
        steps = gep_strides(op)
        if steps is None:
            return None
        return slopes[0] + sum(s * n for s, n in zip(slopes[1:], steps[1], strict=True))
    return None


def counted_loops(graph: ControlFlowGraph) -> dict[int, Counted]:
    """The loops of a kernel that count, by the number of their header."""
    found: dict[int, Counted] = {}
    for loop in graph.loops:
        counted = _counted(graph, loop)
        if counted is not None:
            found[loop.header] = counted
    return found


def _counted(graph: ControlFlowGraph, loop: Loop) -> Counted | None:
    outside = [(b, k) for b, k in graph.edges_in[loop.header] if b not in loop.blocks]
    if len(outside) != 1 or len(loop.latches) != 1 or len(loop.exits) != 1:
        return None
    entry = cast("Operation", graph.blocks[outside[0][0]].last_op)
    header = graph.blocks[loop.header]
    test = cast("Operation", header.last_op)
    if entry.name != "llvm.br" or loop.exits[0][0] != loop.header or loop.exits[0][1] != 1:
        return None
    if any(operations.is_barrier(op) for b in loop.blocks for op in graph.blocks[b].ops):
        return None
    less = test.operands[0].owner
    if isinstance(less, Block) or less.name != "llvm.icmp" or less.parent is not header:
        return None
    counter, bound = less.operands
    if _ICMP[number(less.properties["predicate"])] not in _LESS or counter.owner is not header:
        return None
    first = (successor_operands(entry, 0) or [])[cast("BlockArgument", counter).index]
    latch = cast("Operation", graph.blocks[loop.latches[0]].last_op)
    if latch.name != "llvm.br":
        return None
    following = (successor_operands(latch, 0) or [])[cast("BlockArgument", counter).index]
    step = _step(following, counter)
    if step is None or counter.type != I64 or not (_is_common(first) and _is_common(bound)):
        return None
    return Counted(graph, loop, entry, counter, (first, bound, step))


def _step(following: SSAValue, counter: SSAValue) -> int | None:
    op = following.owner
    if isinstance(op, Block) or op.name != "llvm.add" or op.operands[0] is not counter:
        return None
    step = integer_constant(op.operands[1])
    return step if step is not None and step > 0 else None


def _is_common(value: SSAValue, depth: int = 8) -> bool:
    """Whether a value is plainly the same in all threads of a block, and no loop changes it."""
    owner = value.owner
    if isinstance(owner, Block):
        return owner.parent is not None and owner.parent.blocks[0] is owner
    register = operations.register(owner)
    if register is not None:
        return register.startswith(_COMMON)
    return depth > 0 and operations.is_pure(owner) and all(
        _is_common(o, depth - 1) for o in owner.operands
    )  # fmt: skip
