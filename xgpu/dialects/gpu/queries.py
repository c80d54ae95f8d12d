# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What several gpu passes need: constants, values used from above, symbol tables."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.core.ir.op_info import traits_of


def walk_postorder(region: Region) -> Iterator[Operation]:
    """Operations of a region, each after what it contains: MLIR's default order."""
    for block in region.blocks:
        for op in list(block.ops):
            for nested in op.regions:
                yield from walk_postorder(nested)
            yield op


def is_inside(block: Block | None, region: Region) -> bool:
    while block is not None:
        parent = block.parent
        if parent is region:
            return True
        op = None if parent is None else parent.parent
        block = None if op is None else op.parent
    return False


def used_values_defined_above(region: Region) -> list[SSAValue]:
    """Values from outside that operations inside use, in the order of MLIR's walk."""
    found: dict[SSAValue, None] = {}
    inside: dict[Block, bool] = {}
    for op in walk_postorder(region):
        for operand in op.operands:
            if operand in found:
                continue
            owner = operand.owner
            block = owner if isinstance(owner, Block) else owner.parent
            if block is None:
                continue
            known = inside.get(block)
            if known is None:
                known = inside[block] = is_inside(block, region)
            if not known:
                found[operand] = None
    return list(found)


def replace_uses_in_region(region: Region, mapping: dict[SSAValue, SSAValue]) -> None:
    """Replaces operands of operations inside `region`."""
    for op in region.walk():
        for i, operand in enumerate(op.operands):
            new = mapping.get(operand)
            if new is not None:
                op.operands[i] = new


def clone_with_locations(
    op: Operation, mapping: dict[SSAValue, SSAValue] | None = None
) -> Operation:
    """A copy of `op` and its regions that keeps locations, and operands as `mapping` says."""
    new = op.clone(mapping)
    for old_op, new_op in zip(op.walk(), new.walk(), strict=True):
        new_op.location = old_op.location
        for old_region, new_region in zip(old_op.regions, new_op.regions, strict=True):
            for old_block, new_block in zip(old_region.blocks, new_region.blocks, strict=True):
                for a, b in zip(old_block.args, new_block.args, strict=True):
                    b.location = a.location
    return new


def parent_of(op: Operation, *names: str) -> Operation | None:
    """The nearest enclosing operation of one of these names."""
    parent = op.parent_op()
    while parent is not None and parent.name not in names:
        parent = parent.parent_op()
    return parent


def defining_op(value: SSAValue) -> Operation | None:
    return None if isinstance(value, BlockArgument) else value.owner  # pyright: ignore


def is_async_op(op: Operation) -> bool:
    """Whether `op` implements MLIR's gpu::AsyncOpInterface: it takes and gives tokens."""
    return op.name.startswith("gpu.") and "AsyncOpInterface" in traits_of(op.name)
