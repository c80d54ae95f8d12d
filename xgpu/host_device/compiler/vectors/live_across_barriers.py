# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lives from one region between barriers to another, and how.

block    the same in the whole block, computed once, outside of the loops over warps
again    computed anew from thread indices and block values, where that is a few operations
slot     stored by the region that defines it and loaded by those that use it: one place for
         what is the same in the whole block, else one for each vector
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, SSAValue

from xgpu.core.ir.region_flow import successor_operands
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.vectors.regions import NoRegions, Segment
from xgpu.host_device.compiler.vectors.shapes import BLOCK, VARYING, Shape
from xgpu.host_device.compiler.vectors.uniformity import Uniformity

if TYPE_CHECKING:
    from xdsl.ir import Operation


#: Operations that computing a value again may take: if it is a scalar in a vector, or a vector.
_SCALAR_COST, _VECTOR_COST = 10, 3


class Crossing:
    """How each value crosses regions, and which ones each region needs."""

    def __init__(self, uniformity: Uniformity, segments: list[Segment]) -> None:
        self.u = uniformity
        self.segment_of: dict[int, Segment] = {}
        for segment in segments:
            for block in segment.blocks:
                self.segment_of[block] = segment
        self.leaders = {s.leader for s in segments}
        #: Values computed once, outside of the loops over warps.
        self.block: set[SSAValue] = set()
        self._costs: dict[SSAValue, int] = {}
        self._find_block_values()
        #: Values that are stored, in the order of their definitions.
        self.slots: dict[SSAValue, None] = {}
        #: For each leader, what its region uses of others'.
        self.needed: dict[int, dict[SSAValue, None]] = {s.leader: {} for s in segments}
        for segment in segments:
            self._find_needed(segment)
            self._find_decisions(segment)
        for value in self.slots:
            self._check_end(value)

    def shape(self, value: SSAValue) -> Shape:
        """The shape of a value outside of the region that defines it."""
        if self.is_leader_argument(value):
            return self.u.of(value)
        return self.u.at(value, self.home(value).exit)

    def home(self, value: SSAValue) -> Segment:
        number = self.u.home(value)
        assert number is not None
        return self.segment_of[number]

    def is_leader_argument(self, value: SSAValue) -> bool:
        owner = value.owner
        return isinstance(owner, Block) and self.u.graph.number[owner] in self.leaders

    # -- block values

    def _find_block_values(self) -> None:
        graph = self.u.graph
        for number, block in enumerate(graph.blocks):
            if number in self.leaders:
                self.block.update(
                    a for a in block.args if number == 0 or self.u.of(a).level == BLOCK
                )
            for op in block.ops:
                if op.results and self._is_block_value(op):
                    self.block.add(op.results[0])

    def _is_block_value(self, op: Operation) -> bool:
        if op.name in operations.CONSTANTS:
            return True
        if len(op.results) != 1 or self.u.of(op.results[0]).level != BLOCK:
            return False
        register = operations.register(op)
        if register is not None:
            return True
        if op.name == "llvm.addrspacecast" or operations.is_pure(op):
            if op.name in operations.DIVISIONS and not self._divides_safely(op):
                return False
            return all(o in self.block for o in op.operands)
        return False

    def _divides_safely(self, op: Operation) -> bool:
        divisor = self.u.of(op.operands[1]).constant
        return divisor is not None and divisor not in (0, -1)

    # -- what crosses

    def _find_needed(self, segment: Segment) -> None:
        graph = self.u.graph
        needed = self.needed[segment.leader]
        for number in sorted(segment.blocks):
            block = graph.blocks[number]
            for op in block.ops:
                for operand in op.operands:
                    self._use(operand, segment, needed)
            if number == segment.leader:
                for argument in block.args:
                    if argument not in self.block:
                        self._need_slot(argument, needed)

    def _find_decisions(self, segment: Segment) -> None:
        """What branches and arguments between regions need outside of the loops over warps."""
        graph = self.u.graph
        last = cast("Operation", graph.blocks[segment.exit].last_op)
        ways = edge_values(self.u, segment)
        decisive = [last.operands[0]] if len(ways) > 1 else []
        for _, leader, operands in ways:
            arguments = graph.blocks[leader].args
            decisive += [o for a, o in zip(arguments, operands, strict=True) if a in self.block]
        self.slots.update(dict.fromkeys(v for v in decisive if v not in self.block))

    def _use(self, value: SSAValue, segment: Segment, needed: dict[SSAValue, None]) -> None:
        if value in self.block or value in needed:
            return
        if self.segment_of[self._number(value)] is segment and not (self.is_leader_argument(value)):
            return
        self.need(value, needed)

    def _number(self, value: SSAValue) -> int:
        number = self.u.home(value)
        assert number is not None
        return number

    def need(self, value: SSAValue, needed: dict[SSAValue, None]) -> None:
        if value in self.block or value in needed:
            return
        if self.is_cheap(value):
            owner = cast("Operation", value.owner)
            for operand in owner.operands:
                self.need(operand, needed)
            needed[value] = None
            return
        self._need_slot(value, needed)

    def _need_slot(self, value: SSAValue, needed: dict[SSAValue, None]) -> None:
        needed[value] = None
        self.slots[value] = None

    def is_cheap(self, value: SSAValue) -> bool:
        """Whether a value is computed anew where another region needs it."""
        limit = _VECTOR_COST if self.u.of(value).level == VARYING else _SCALAR_COST
        return self._cost(value) <= limit

    def _cost(self, value: SSAValue) -> int:
        found = self._costs.get(value)
        if found is None:
            self._costs[value] = 99  # whoever comes back here is in a cycle
            found = self._costs[value] = self._computed_cost(value)
        return found

    def _computed_cost(self, value: SSAValue) -> int:
        if value in self.block:
            return 0
        owner = value.owner
        if isinstance(owner, Block):
            return 99
        if operations.register(owner) is not None:
            return 99 if operations.is_clock(operations.register(owner) or "") else 1
        if not operations.is_pure(owner) and owner.name != "llvm.addrspacecast":
            return 99
        if owner.name in operations.DIVISIONS and not self._divides_safely(owner):
            return 99
        return 1 + sum(self._cost(o) for o in owner.operands)

    def _check_end(self, value: SSAValue) -> None:
        """A stored value must be there where its region ends."""
        if self.is_leader_argument(value):
            return
        segment = self.home(value)
        number = self._number(value)
        if not self.u.graph.dominates(number, segment.exit):
            owner = value.owner
            raise NoRegions(
                "a value of a part of a region is used in another",
                owner if not isinstance(owner, Block) else None,
            )


def edge_values(uniformity: Uniformity, segment: Segment) -> list[tuple[int, int, list[SSAValue]]]:
    """For each way out of a region: which successor, the leader, and the operands."""
    block = uniformity.graph.blocks[segment.exit]
    last = cast("Operation", block.last_op)
    return [
        (k, target, successor_operands(last, k) or [])
        for k, target in enumerate(uniformity.graph.successors[segment.exit])
    ]
