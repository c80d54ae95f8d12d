# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reference counted values: which there are, where they are used, where they are alive."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.dialects.gpu.ops import walk_postorder

_COUNTED = frozenset(("async.token", "async.value", "async.group"))


def is_counted(ty: Attribute) -> bool:
    """Whether values of this type are reference counted."""
    return ty.name in _COUNTED


def counted_values(root: Operation) -> Iterator[SSAValue]:
    """Block arguments, then results: in MLIR's order, inner ones first."""
    blocks = [b for region in root.regions for b in _blocks(region)]
    for block in blocks:
        yield from (a for a in block.args if is_counted(a.type))
    for region in root.regions:
        for op in walk_postorder(region):
            yield from (r for r in op.results if is_counted(r.type))


def _blocks(region: Region) -> Iterator[Block]:
    for block in region.blocks:
        for op in block.ops:
            for inner in op.regions:
                yield from _blocks(inner)
        yield block


def definition_block(value: SSAValue) -> Block:
    """The block of an argument or result."""
    owner = value.owner
    if isinstance(owner, Block):
        return owner
    assert owner.parent is not None
    return owner.parent


def users(value: SSAValue) -> list[Operation]:
    """The operations that use `value`, one entry for each use."""
    return [use.operation for use in value.uses]


def ancestor_in(op: Operation, region: Region) -> Operation:
    """`op`, or what stands for it directly in a block of `region`."""
    while op.parent is not None and op.parent.parent is not region:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op


def reference_op(name: str, value: SSAValue, count: int, location: Attribute) -> Operation:
    """`async.runtime.add_ref` or `drop_ref`, not yet in a block."""
    return ods.create(
        f"async.runtime.{name}",
        (value,),
        properties={"count": IntegerAttr(count, i64)},
        location=location,  # pyright: ignore[reportArgumentType]
    )


def location_of(value: SSAValue) -> Attribute:
    owner = value.owner
    return value.location if isinstance(owner, Block) else owner.location  # pyright: ignore


def insert_after(op: Operation, new: Operation) -> None:
    assert op.parent is not None
    op.parent.insert_op_after(new, op)


def drop_if_unused(value: SSAValue) -> bool:
    """Drops the reference at once where nobody uses the value."""
    if value.first_use is not None:
        return False
    drop = reference_op("drop_ref", value, 1, location_of(value))
    owner = value.owner
    if not isinstance(owner, Block):
        insert_after(owner, drop)
    elif owner.first_op is not None:
        owner.insert_op_before(drop, owner.first_op)
    else:
        owner.add_op(drop)
    return True


class Liveness:
    """Where one value is alive, by the blocks of the region that defines it."""

    __slots__ = ("last_users", "live_in", "live_out")

    def __init__(self, value: SSAValue) -> None:
        home = definition_block(value)
        region = home.parent
        assert region is not None
        #: The last user in each block that has users.
        self.last_users: dict[Block, Operation] = {}
        for user in users(value):
            here = ancestor_in(user, region)
            block = here.parent
            assert block is not None
            last = self.last_users.get(block)
            if last is None or (last is not here and last.is_before_in_block(here)):
                self.last_users[block] = here
        self.live_in: set[Block] = set()
        #: In the order in which they were found.
        self.live_out: dict[Block, None] = {}
        work = [block for block in self.last_users if block is not home]
        while work:
            block = work.pop()
            if block in self.live_in:
                continue
            self.live_in.add(block)
            for before in block.predecessors():
                self.live_out[before] = None
                if before is not home:
                    work.append(before)
