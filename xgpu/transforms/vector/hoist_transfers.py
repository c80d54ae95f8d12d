# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vector operations that loops repeat: transfers to and from memory, and broadcasts.

A read at the start and a write at the end of each iteration, of the same place, become a read
before the loop, a value that the loop carries, and a write behind it. Source: MLIR 22.1 Linalg
Hoisting.cpp, VectorUtils.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.analysis.bounds import ValueBounds
from xgpu.analysis.linear import combine, scale
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.op_info import traits_of
from xgpu.transforms.generic.code_motion import is_loop, move_invariant_code
from xgpu.transforms.vector.transfers import READ, WRITE, Transfer

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.dialects import vector

#: Makes a rewriter that stands at an operation.
Rewriters = Callable[[Operation], "Rewriter"]

_FORS = ("scf.for", "affine.for")


def hoist_transfers(root: Operation, rewriters: Rewriters, *, nonzero: bool) -> None:
    """Moves transfers out of the loops in `root`; with `nonzero` only out of loops that are known
    to run at least once."""
    while True:
        _move_invariant(root)
        if not any(
            _hoist_transfer(op, rewriters, nonzero=nonzero)
            for op in list(root.walk(region_first=True))
            if op.name == READ
        ):
            return


def _move_invariant(root: Operation) -> None:
    for op in list(root.walk(region_first=True)):
        if op is not root and is_loop(op):
            move_invariant_code(op)


def _inside(op: Operation | Block | None, loop: Operation) -> bool:
    found = op.parent_op() if isinstance(op, Block) else op
    return found is not None and loop.is_ancestor(found)


def _hoist_transfer(read: Operation, rewriters: Rewriters, *, nonzero: bool) -> bool:
    """Moves a read, and the write that belongs to it, out of the loop around it. True if the loop
    is another one now."""
    transfer = Transfer(read)
    loop = read.parent_op()
    if transfer.on_tensor or loop is None or loop.name not in _FORS:
        return False
    if nonzero and not _runs(loop):
        return False
    if any(_inside(value.owner, loop) for value in read.operands):
        return False
    write = _matching_write(read, transfer)
    if write is None:
        if _only_read(transfer.base, loop):
            _move_before(read, loop)
        return False
    if not _is_pair(transfer, Transfer(write), loop):
        return False
    _move_before(read, loop)
    block = cast("Block", loop.parent)
    write.detach()
    block.insert_op_after(write, loop)
    carried = _carry(loop, read.results[0], Transfer(write).vector, rewriters(loop))
    write.operands[0] = carried
    return True


def _move_before(op: Operation, loop: Operation) -> None:
    op.detach()
    cast("Block", loop.parent).insert_op_before(op, loop)


def _runs(loop: Operation) -> bool:
    """Whether the upper bound of a loop is greater than the lower for sure."""
    if loop.name != "scf.for":
        return False
    bounds = ValueBounds()
    lower, upper = (bounds.value(value) for value in loop.operands[:2])
    highest, least = bounds.upper(lower), bounds.upper(scale(upper, -1))
    return highest is not None and least is not None and highest < -least


def _matching_write(read: Operation, transfer: Transfer) -> Operation | None:
    """The first write that depends on what was read and writes the same memory."""
    order: list[Operation] = []
    seen: set[Operation] = set()

    def visit(op: Operation) -> None:
        seen.add(op)
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    if inner not in seen:
                        visit(inner)
        for result in op.results:
            for use in result.uses:
                if use.operation not in seen:
                    visit(use.operation)
        order.append(op)

    visit(read)
    for op in reversed(order[:-1]):
        if op.name == WRITE and Transfer(op).base is transfer.base:
            return op
    return None


def _is_view(op: Operation) -> bool:
    return "ViewLikeOpInterface" in traits_of(op.name)


def _is_pair(read: Transfer, write: Transfer, loop: Operation) -> bool:
    """Whether the write writes what was read, and nothing else in the loop touches it."""
    if (
        [*map(id, read.indices)] != [*map(id, write.indices)]
        or read.vector_type != write.vector_type
        or read.map != write.map
    ):
        return False
    if not _is_alone(read.base):
        return False
    if write.op.parent is not read.op.parent:
        return False
    following = read.op.next_op
    while following is not None and following is not write.op:
        following = following.next_op
    if following is None:
        return False
    for use in read.base.uses:
        user = use.operation
        if user is read.op or user is write.op or not loop.is_ancestor(user):
            continue
        if user.name not in (READ, WRITE) or not _disjoint(write, Transfer(user)):
            return False
    return True


def _is_alone(base: SSAValue) -> bool:
    """Whether no view shows the memory of `base`, and it is no view itself; a statement about
    alignment is one of memory that nothing else uses."""
    if any(_is_view(use.operation) for use in base.uses):
        return False
    owner = base.owner
    if not isinstance(owner, Operation) or not _is_view(owner):
        return True
    return owner.name == "memref.assume_alignment" and owner.operands[0].has_one_use()


def _disjoint(a: Transfer, b: Transfer) -> bool:
    """Whether two transfers of one memref never touch the same element."""
    if a.base is not b.base or a.vector_type != b.vector_type:
        return False
    leading = len(a.indices) - a.rank
    for dim, (first, second) in enumerate(zip(a.indices, b.indices, strict=True)):
        size = 1 if dim < leading else a.shape[dim - leading]
        constants = int_of(first), int_of(second)
        if constants[0] is not None and constants[1] is not None:
            if abs(constants[0] - constants[1]) >= size:
                return True
            continue
        bounds = ValueBounds()
        left, right = bounds.value(first), bounds.value(second)
        distance = combine(left, {None: size})
        if bounds.compare(right, "GE", distance):
            return True
        if bounds.compare(left, "GE", combine(right, {None: size})):
            return True
    return False


def _only_read(base: SSAValue, loop: Operation) -> bool:
    """Whether nothing in the loop may write the memory that `base` is in."""
    owner = base.owner
    while isinstance(owner, Operation) and _is_view(owner):
        base = owner.operands[0]
        owner = base.owner
    pending = [use.operation for use in base.uses]
    seen: set[Operation] = set()
    while pending:
        user = pending.pop()
        if user in seen:
            continue
        seen.add(user)
        if _is_view(user):
            pending.extend(use.operation for result in user.results for use in result.uses)
        elif user.name != READ and not is_memory_effect_free(user) and loop.is_ancestor(user):
            return False
    return True


def _terminator(loop: Operation) -> Operation:
    last = cast("Block", loop.regions[0].first_block).last_op
    assert last is not None
    return last


def _carry(loop: Operation, start: SSAValue, end: SSAValue, rw: Rewriter) -> SSAValue:
    """Lets a loop carry one more value, which `start` is in the first iteration and `end` in each
    next one; gives what it is behind the loop."""
    block = cast("Block", loop.regions[0].first_block)
    argument = block.insert_arg(start.type, len(block.args))
    for use in list(start.uses):
        if loop.is_ancestor(use.operation) and use.operation is not loop:
            use.operation.operands[use.index] = argument
    last = _terminator(loop)
    last.operands = [*last.operands, end if end is not start else argument]
    operands = cast("OdsOperation", loop)
    groups: list[Sequence[SSAValue]] = (
        [[*loop.operands, start]]
        if loop.name == "scf.for"
        else [
            operands.operand_group(0),
            operands.operand_group(1),
            [*operands.operand_group(2), start],
        ]
    )
    types = [*(result.type for result in loop.results), start.type]
    return _rebuilt(loop, groups, types, rw).results[-1]


def _rebuilt(
    loop: Operation, groups: Sequence[Sequence[SSAValue]], types: Sequence[object], rw: Rewriter
) -> Operation:
    """The same loop with other operands and results; the old one is replaced."""
    rw.before(loop)
    properties = {k: v for k, v in loop.properties.items() if k != "operandSegmentSizes"}
    new = rw.create(
        loop.name,
        groups[0] if len(groups) == 1 else groups,
        types,  # type: ignore[arg-type]
        properties,
        dict(loop.attributes),
        [loop.detach_region(0)],
    )
    rw.replace(loop, new.results[: len(loop.results)])
    return new


def hoist_broadcasts(root: Operation, rewriters: Rewriters) -> None:
    """Lets loops carry a scalar, or a smaller vector, instead of a vector that they make of it at
    their end and take it from at their start."""
    while True:
        _move_invariant(root)
        if not any(
            _hoist_broadcast(op, rewriters)
            for op in list(root.walk(region_first=True))
            if op.name == "vector.extract"
        ):
            return


def _hoist_broadcast(extract: Operation, rewriters: Rewriters) -> bool:
    loop, carried = extract.parent_op(), extract.operands[0]
    if loop is None or loop.name != "scf.for" or not isinstance(carried, BlockArgument):
        return False
    if carried.block.parent_op() is not loop or carried.index == 0 or not carried.has_one_use():
        return False
    number = carried.index - 1
    last = _terminator(loop)
    broadcast = last.operands[number].owner
    if not isinstance(broadcast, Operation) or broadcast.name != "vector.broadcast":
        return False
    if not broadcast.results[0].has_one_use():
        return False
    if broadcast.operands[0].type != extract.results[0].type:
        return False
    if any(_inside(v.owner, loop) for v in cast("vector.ExtractOp", extract).dynamic_position):
        return False
    extract.operands[0] = loop.operands[3 + number]
    _move_before(extract, loop)
    last.operands[number] = broadcast.operands[0]
    broadcast.detach()
    cast("Block", loop.parent).insert_op_after(broadcast, loop)
    block = carried.block
    scalar = block.insert_arg(extract.results[0].type, carried.index)
    for use in list(extract.results[0].uses):
        use.operation.operands[use.index] = scalar
    block.erase_arg(carried)
    operands = list(loop.operands)
    operands[3 + number] = extract.results[0]
    types = [result.type for result in loop.results]
    types[number] = extract.results[0].type
    # Users of the loop's vector use the broadcast from now on.
    loop.results[number].replace_all_uses_with(broadcast.results[0])
    new = _rebuilt(loop, [operands], types, rewriters(loop))
    broadcast.operands[0] = new.results[number]
    return True
