# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands and values that are tensors, and who shares whose buffer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult, SSAValue

from xgpu.core.ir.op_info import traits_of
from xgpu.transforms.bufferization.one_shot.options import is_tensor


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
