# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`async-runtime-ref-counting-opt`: takes away pairs of add_ref and drop_ref.

A reference that is taken for a call and dropped later in the same block may be the call's own,
unless somebody else uses the value after the call. Source: MLIR 22.1
AsyncRuntimeRefCountingOpt.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.conversion.async_runtime.ref_counted import counted_values, users
from xgpu.core.ir.liveness import definition_block
from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import IntegerAttr


_ADD, _DROP = "async.runtime.add_ref", "async.runtime.drop_ref"


class AsyncRuntimeRefCountingOpt(Pass):
    """Cancels references that are taken and dropped in the same block."""

    name = "async-runtime-ref-counting-opt"
    summary = (
        "Optimize automatic reference counting operations for the Async runtime by removing "
        "redundant operations"
    )

    def run(self, op: Operation, ctx: Context) -> None:
        order = _Order()
        cancelled: dict[Operation, Operation] = {}
        for value in counted_values(op):
            _cancel(value, order, cancelled)
        for drop, add in cancelled.items():
            for found in (drop, add):
                found.detach()
                found.erase()


class _Order:
    """Positions of operations in their blocks, which do not change while they are looked at."""

    __slots__ = ("_blocks",)

    def __init__(self) -> None:
        self._blocks: dict[Block, dict[Operation, int]] = {}

    def of(self, block: Block) -> dict[Operation, int]:
        known = self._blocks.get(block)
        if known is None:
            known = self._blocks[block] = {op: i for i, op in enumerate(block.ops)}
        return known


def _count(op: Operation) -> int:
    return cast("IntegerAttr", op.properties["count"]).value.data


def _cancel(value: SSAValue, order: _Order, cancelled: dict[Operation, Operation]) -> None:
    region = definition_block(value).parent
    by_block: dict[Block, list[Operation]] = {}
    for op in users(value):
        user: Operation | None = op
        while user is not None and user.parent is not None:
            by_block.setdefault(user.parent, []).append(user)
            if user.parent.parent is region:
                break
            user = user.parent_op()
    for block, found in by_block.items():
        adds = {op for op in found if op.name == _ADD}
        if not adds:
            continue
        position = order.of(block)
        found = sorted(set(found), key=position.__getitem__)
        for add in found:
            if add in adds:
                _cancel_add(add, found, position, cancelled)


def _cancel_add(
    add: Operation,
    found: list[Operation],
    position: dict[Operation, int],
    cancelled: dict[Operation, Operation],
) -> None:
    """Cancels `add` with the first later drop that may go with it."""
    start = position[add]
    called = used_after_call = False
    for user in found:
        if position[user] <= start:
            continue
        matches = user.name == _DROP and _count(user) == _count(add)
        if matches and not used_after_call and user not in cancelled:
            cancelled[user] = add
            return
        if user.name == "func.call":
            called = True
        elif called:
            used_after_call = True
