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


def users(value: SSAValue) -> list[Operation]:
    """The operations that use `value`, one entry for each use."""
    return [use.operation for use in value.uses]


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
    """Drops the reference at once where nothing uses the value."""
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
