# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What differs between the blocks of a launch: values and ways through a prepared kernel.

A value is *invariant* if the thread of the same number has it in each block. The analysis is a
forward data flow: what reads the number of the block or any memory differs, and so does what is
computed from it. A branch on such a condition makes its blocks, up to where all ways meet again,
run in some blocks of the launch alone; the arguments of these and of the meeting point differ.

If an iteration count differs, the header of the loop is among these blocks, and so what leaves the
loop with another value differs too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.dominance import ControlFlowGraph, immediate_post_dominators, reached
from xgpu.core.ir.region_flow import successor_operands
from xgpu.host_device.compiler import operations

if TYPE_CHECKING:
    from xdsl.ir import Block, Operation, SSAValue

#: Special registers that threads of the same number have in common.
_REGISTERS = ("tid.", "ntid.", "nctaid.", "laneid", "lanemask.")
_COMPUTING = frozenset(("llvm.addrspacecast", "llvm.extractvalue", "llvm.insertvalue"))


class BlockInvariance:
    """Of a prepared `llvm.func`: which values and which of its blocks are invariant."""

    def __init__(self, function: Operation) -> None:
        self.graph = ControlFlowGraph(function.regions[0])
        self._differing: set[SSAValue] = set()
        #: Numbers of blocks that not all blocks of a launch run alike, and of those whose arguments
        #: may come from another way.
        self._chosen: set[int] = set()
        self._joins: set[int] = set()
        self._followed: set[int] = set()
        self._meeting = immediate_post_dominators(self.graph.successors)
        while self._flow():
            pass

    def is_invariant(self, value: SSAValue) -> bool:
        return value not in self._differing

    def runs_alike(self, block: Block) -> bool:
        """Whether threads of the same number run a block as often, and in the same order."""
        number = self.graph.number.get(block)
        return number is None or number not in self._chosen

    def _flow(self) -> bool:
        before = len(self._differing), len(self._chosen)
        for number, block in enumerate(self.graph.blocks):
            if number:
                self._arguments(number, block)
            for op in block.ops:
                if op.results and self._differs(op, number):
                    self._differing.update(op.results)
            last = block.last_op
            if last is not None and len(self.graph.successors[number]) > 1:
                self._branch(last, number)
        return before != (len(self._differing), len(self._chosen))

    def _arguments(self, number: int, block: Block) -> None:
        for index, argument in enumerate(block.args):
            if argument in self._differing:
                continue
            for at, edge in self.graph.edges_in[number]:
                last = cast("Operation", self.graph.blocks[at].last_op)
                given = successor_operands(last, edge)
                if number in self._joins or given is None or given[index] in self._differing:
                    self._differing.add(argument)
                    break

    def _differs(self, op: Operation, number: int) -> bool:
        register = operations.register(op)
        if register is not None:
            return not register.startswith(_REGISTERS)
        if op.name == "llvm.alloca":
            return False
        computes = operations.is_pure(op) or op.name in _COMPUTING
        if op.name == "llvm.call":
            computes = (operations.callee(op) or "").startswith("__nv_")
        elif op.name == "llvm.call_intrinsic":
            computes = operations.is_computed(op)
        elif op.name in operations.WARP:
            # Its result depends on which lanes come to it.
            computes = number not in self._chosen
        return not computes or any(o in self._differing for o in op.operands)

    def _branch(self, op: Operation, number: int) -> None:
        if number in self._followed or not any(o in self._differing for o in op.operands[:1]):
            return
        self._followed.add(number)
        if number in self._chosen:
            return  # its ways meet where those of an outer branch do, or before
        meeting = self._meeting[number]
        ways = reached(
            self.graph.successors[number], self.graph.successors.__getitem__, (meeting,)
        )  # fmt: skip
        self._chosen |= ways
        self._joins |= ways
        self._joins.add(meeting)
