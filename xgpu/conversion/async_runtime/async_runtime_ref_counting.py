# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`async-runtime-ref-counting`, `async-runtime-policy-based-ref-counting` and
`async-runtime-ref-counting-opt`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from xgpu.conversion.async_runtime.ref_counted import (
    counted_values,
    drop_if_unused,
    insert_after,
    location_of,
    reference_op,
    users,
)
from xgpu.core import ods
from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.liveness import LiveRange, definition_block
from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Pass
from xgpu.dialects.gpu.ops import walk_postorder

# --- async runtime ref counting ------------------------------------------------------------------
# `async-runtime-ref-counting` and `async-runtime-policy-based-ref-counting`.
#
# Values come with one reference, which belongs to the function that made them or got them as
# arguments. By liveness: it is dropped after the last use, on every path, unless the last use
# returns the value; a call gets a reference of its own for what it takes. By policy: certain users
# drop it, as they know themselves to be the last. Source: MLIR 22.1 AsyncRuntimeRefCounting.cpp.


_HIGH_LEVEL = frozenset(("async.execute", "async.await", "async.await_all", "async.yield"))


class AsyncRuntimeRefCountingPass(Pass):
    """Reference counting that follows from liveness."""

    name = "async-runtime-ref-counting"
    summary = "Automatic reference counting for Async runtime operations"

    def run(self, op: Operation, ctx: Context) -> None:
        _count_all(op, _count_by_liveness)


class AsyncRuntimePolicyBasedRefCountingPass(Pass):
    """Reference counting by what users are known to do."""

    name = "async-runtime-policy-based-ref-counting"
    summary = "Policy based reference counting for Async runtime operations"

    def run(self, op: Operation, ctx: Context) -> None:
        _count_all(op, _count_by_policy)


def _count_all(root: Operation, count: Callable[[SSAValue], None]) -> None:
    for region in root.regions:
        for op in walk_postorder(region):
            if op.name in _HIGH_LEVEL:
                raise error(op, "async operations must be lowered to async runtime operations")
    for value in list(counted_values(root)):
        if not drop_if_unused(value):
            count(value)


# --- by liveness -------------------------------------------------------------------------------
def _count_by_liveness(value: SSAValue) -> None:
    liveness = LiveRange(value)
    calls = [user for user in users(value) if user.name == "func.call"]
    for block, last in liveness.last_users.items():
        if block not in liveness.live_out:
            _drop_after(last, value)
    for call in calls:
        assert call.parent is not None
        add = reference_op("add_ref", value, 1, location_of(value))
        call.parent.insert_op_before(add, call)
    _drop_where_paths_part(value, liveness)


def _drop_after(last: Operation, value: SSAValue) -> None:
    if "ReturnLike" in traits_of(last.name):
        return  # the reference goes to the caller
    if last.has_trait(IsTerminator, value_if_unregistered=False):
        raise error(
            last, "async reference counting can't handle terminators that are not ReturnLike"
        )
    insert_after(last, reference_op("drop_ref", value, 1, location_of(value)))


def _drop_where_paths_part(value: SSAValue, liveness: LiveRange) -> None:
    """Where the value is alive in some successors only, the others drop it.

    A suspension is none of these: a coroutine is never destroyed, so it goes on in the resumption.
    """
    parting = [
        block
        for block in liveness.live_out
        if block.last_op is not None
        and block.last_op.name != "async.coro.suspend"
        and any(s not in liveness.live_in for s in block.last_op.successors)
    ]
    if len(parting) > 1:
        region = definition_block(value).parent
        assert region is not None
        wanted = set(parting)
        parting = [block for block in region.blocks if block in wanted]
    for block in parting:
        terminator = block.last_op
        assert terminator is not None
        others = [s for s in dict.fromkeys(terminator.successors) if s not in liveness.live_in]
        if any(successor.args for successor in others):
            raise op_error(
                terminator,
                "successor have different `liveIn` property of the reference counted value",
            )
        for successor in others:
            _drop_on_edge(block, terminator, successor, value)


def _drop_on_edge(block: Block, terminator: Operation, successor: Block, value: SSAValue) -> None:
    location = location_of(value)
    drop = reference_op("drop_ref", value, 1, location)
    if all(p is block for p in successor.predecessors()):
        first = successor.first_op
        assert first is not None
        successor.insert_op_before(drop, first)
        return
    between = Block()
    region = successor.parent
    assert region is not None
    region.insert_block_before(between, successor)
    branch = ods.create("cf.br", successors=(successor,), location=location)  # pyright: ignore
    between.add_ops((drop, branch))
    terminator.successors = [between if s is successor else s for s in terminator.successors]


# --- by policy ---------------------------------------------------------------------------------
#: The types of operands that these operations drop a reference of.
_DROPS = {
    "async.runtime.is_error": ("async.token", "async.group"),
    "async.runtime.load": ("async.value",),
    "async.runtime.add_to_group": ("async.token",),
}


def _count_by_policy(value: SSAValue) -> None:
    for user in users(value):
        if value.type.name in _DROPS.get(user.name, ()):
            insert_after(user, reference_op("drop_ref", value, 1, user.location))


# --- async runtime ref counting opt --------------------------------------------------------------
# `async-runtime-ref-counting-opt`: takes away pairs of add_ref and drop_ref.
#
# A reference that is taken for a call and dropped later in the same block may be the call's own,
# unless something else uses the value after the call. Source: MLIR 22.1
# AsyncRuntimeRefCountingOpt.cpp.


_ADD, _DROP = "async.runtime.add_ref", "async.runtime.drop_ref"


class AsyncRuntimeRefCountingOptPass(Pass):
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
