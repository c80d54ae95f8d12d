# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which of two operations comes first, through regions and blocks."""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region

from xgpu.core.ir.dominance import Dominators, reached, successors_of
from xgpu.core.ir.region_flow import is_region_branch


class Order:
    """Dominance between operations, as the regions were when first asked about."""

    def __init__(self) -> None:
        self._dominators: dict[Region, Dominators] = {}
        self._places: dict[Block, dict[Operation, int]] = {}

    def _place(self, op: Operation) -> int:
        block = op.parent
        assert block is not None
        places = self._places.get(block)
        if places is None:
            places = self._places[block] = {child: at for at, child in enumerate(block.ops)}
        return places[op]

    def properly_dominates(self, a: Operation, b: Operation) -> bool:
        """Whether control that comes to `b` has come through `a`, which may contain `b`."""
        block = a.parent
        region = None if block is None else block.parent
        if block is None or region is None or a is b:
            return a is not b and block is None and a.is_ancestor(b)
        inner: Operation | None = b
        while inner is not None and inner.parent_region() is not region:
            inner = inner.parent_op()
        if inner is None or inner.parent is None:
            return False
        if inner is a:
            return True  # a contains b
        if inner.parent is block:
            return self._place(a) < self._place(inner)
        dominators = self._dominators.get(region)
        if dominators is None:
            dominators = self._dominators[region] = Dominators(region)
        return dominators.dominates(block, inner.parent)

    def happens_before(self, a: Operation, b: Operation) -> bool:
        """Whether `a`, or what is around it, is over before `b`."""
        before: Operation | None = a
        while before is not None:
            if before.is_ancestor(b) and before is not b:
                return False
            if self.properly_dominates(before, b):
                return True
            before = before.parent_op()
        return False


def contains(op: Operation, inner: Operation) -> bool:
    """Whether `inner` is in a region of `op`."""
    return op is not inner and op.is_ancestor(inner)


def ancestor_in(block: Block, op: Operation) -> Operation | None:
    """`op` or the operation around it that stands in `block`."""
    inner: Operation | None = op
    while inner is not None and inner.parent is not block:
        inner = inner.parent_op()
    return inner


def are_exclusive(a: Operation, b: Operation) -> bool:
    """Whether control that takes one of two operations cannot take the other in the same run of
    what is around both."""
    around: dict[Operation, Region] = {}
    region = a.parent_region()
    while region is not None and region.parent is not None:
        around[region.parent] = region
        region = region.parent.parent_region()
    region = b.parent_region()
    while region is not None and region.parent is not None:
        other = around.get(region.parent)
        if other is not None:
            return other is not region and _is_choice(region.parent)
        region = region.parent.parent_region()
    return False


def _is_choice(op: Operation) -> bool:
    """Whether control goes into one of the regions only."""
    return is_region_branch(op) and op.name != "scf.while"


def may_reach(start: Block, target: Block, avoiding: Block | None) -> bool:
    """Whether control that leaves `start` may come to `target`, not through `avoiding`."""
    found = reached(successors_of(start), successors_of, () if avoiding is None else (avoiding,))
    return target in found
