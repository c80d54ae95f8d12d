# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Surgery on blocks and regions that xDSL does not offer, or offers at more than linear cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xgpu.core.ir.construction import set_arguments
from xgpu.core.ir.dominance import reachable_blocks


def add_argument(block: Block, ty: Attribute, location: LocationAttr) -> BlockArgument:
    return block.insert_arg(ty, len(block.args), location)


def block_with(types: Sequence[Attribute], location: LocationAttr | None) -> Block:
    """A new block whose arguments have these types, and one location."""
    block = Block(arg_types=types)
    for argument in block.args:
        argument.location = location  # pyright: ignore[reportAttributeAccessIssue]
    return block


def block_for(values: Sequence[SSAValue], types: Sequence[Attribute]) -> Block:
    """A new block with an argument for each of `values`, of that of `types`, where the value is."""
    block = Block(arg_types=types)
    for argument, value in zip(block.args, values, strict=True):
        argument.location = location_of(value)
    return block


def location_of(value: SSAValue) -> LocationAttr:
    """Where a value is defined: the location of its operation, or its own as an argument."""
    owner = value.owner
    if isinstance(owner, Operation):
        return owner.location
    assert isinstance(value, BlockArgument)
    return value.location


def block_before(
    block: Block, types: Sequence[Attribute] = (), locations: Sequence[LocationAttr] = ()
) -> Block:
    """A new empty block right before `block`."""
    new = Block(arg_types=types)
    for argument, location in zip(new.args, locations, strict=False):
        argument.location = location
    region = block.parent
    assert region is not None
    region.insert_block_before(new, block)
    return new


def split_before(op: Operation) -> tuple[Block, Block]:
    """Splits the block of `op`; returns what comes before `op`, and the block that `op` begins.

    What comes *before* moves to a new block, which takes over arguments and predecessors: a pass
    that splits a block again and again, front to back, then moves every operation once.
    """
    tail = op.parent
    assert tail is not None
    head = block_before(tail)
    set_arguments(head, tail.args)
    set_arguments(tail, ())
    for use in tuple(tail.uses):
        use.operation.successors[use.index] = head
    head.name_hint, tail.name_hint = tail.name_hint, None
    first = tail._first_op  # pyright: ignore[reportPrivateUsage]
    last = op.prev_op
    if last is None:
        return head, tail
    head._first_op, head._last_op = first, last  # pyright: ignore[reportPrivateUsage]
    tail._first_op = op  # pyright: ignore[reportPrivateUsage]
    last._next_op = None  # pyright: ignore[reportPrivateUsage]
    op._prev_op = None  # pyright: ignore[reportPrivateUsage]
    moved = first
    while moved is not None:
        moved.parent = head
        moved = moved.next_op
    return head, tail


def take_region(op: Operation, index: int) -> Region:
    """A new region with the blocks of region `index` of `op`, which is left empty."""
    region = Region()
    op.regions[index].move_blocks(region)
    return region


def unreachable_operations(operations: Iterable[Operation]) -> set[int]:
    """The identities of what stands in blocks that no branch reaches, in regions of `operations`.

    As in MLIR, a conversion leaves them as they are."""
    found: set[int] = set()
    for op in operations:
        for region in op.regions:
            if region._first_block is region._last_block:  # pyright: ignore[reportPrivateUsage]
                continue
            reached = reachable_blocks(region)
            for block in region.blocks:
                if block not in reached:
                    for inner in block.ops:
                        found.update(map(id, inner.walk()))
    return found
