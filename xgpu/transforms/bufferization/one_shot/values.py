# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands and values that are tensors, who shares whose buffer, which operation comes first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.dominance import Dominators, reached, successors_of
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.region_flow import is_region_branch
from xgpu.transforms.bufferization.one_shot.options import is_tensor

# --- values --------------------------------------------------------------------------------------
# Operands and values that are tensors, and who shares whose buffer.


class Operand(NamedTuple):
    """The place `at` among the operands of `op`."""

    op: Operation
    at: int

    @property
    def value(self) -> SSAValue:
        return self.op.operands[self.at]


class Alias(NamedTuple):
    """A value that may share its buffer with an operand."""

    value: SSAValue
    #: Whether it is the same buffer, and not only a part of it or a larger one.
    equivalent: bool
    #: Whether it always is, and not only on some paths.
    definite: bool = True


class Source(NamedTuple):
    """An operand that a value may share its buffer with."""

    operand: Operand
    equivalent: bool
    definite: bool = True


def owner_of(value: SSAValue) -> Operation:
    """The operation that defines a value or has it as an argument of a region."""
    if isinstance(value, OpResult):
        return value.op
    block = value.owner
    assert isinstance(block, Block)
    parent = block.parent_op()
    assert parent is not None
    return parent


def tensor_operands(op: Operation) -> list[Operand]:
    """The operands of `op` that are tensors."""
    return [Operand(op, i) for i, value in enumerate(op.operands) if is_tensor(value.type)]


def uses_of(value: SSAValue) -> list[Operand]:
    return [Operand(use.operation, use.index) for use in value.uses]


def has_tensors(op: Operation) -> bool:
    """Whether tensors go in or out of `op`, or into its regions."""
    return (
        any(is_tensor(result.type) for result in op.results)
        or any(is_tensor(operand.type) for operand in op.operands)
        or any(is_tensor(a.type) for r in op.regions for b in r.blocks for a in b.args)
    )


def is_cast(op: Operation) -> bool:
    return "CastOpInterface" in traits_of(op.name)


def walk_postorder(op: Operation) -> Iterable[Operation]:
    """`op` and what it contains, what is inside before what is around."""
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block.ops):
                yield from walk_postorder(inner)
    yield op


# --- order ---------------------------------------------------------------------------------------
# Which of two operations comes first, through regions and blocks.


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
