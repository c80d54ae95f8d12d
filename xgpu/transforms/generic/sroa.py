# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sroa`: a memory slot of a struct, an array or a memref is taken apart.

Each part that is used becomes an allocation of its own, if every access stays inside of one part
and its place is known. Parts may then be taken apart again, or promoted by `mem2reg`.

Source: MLIR 22.1 SROA.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.llvm.types import layout_around
from xgpu.transforms.generic.memory_slots import (
    Order,
    blocked_uses,
    model_of,
    uses_of,
)

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

    from xgpu.dialects.llvm.types import DataLayout
    from xgpu.transforms.generic.slot_models import Key, Slot, Use, WholeSlot


class SROA(Pass):
    """Takes memory slots of aggregates apart."""

    name = "sroa"
    summary = "Scalar Replacement of Aggregates"

    def run(self, op: Operation, ctx: Context) -> None:
        layout, order = layout_around(op), Order()
        pending = [inner for inner in op.walk() if inner is not op and _whole(inner) is not None]
        while pending:
            following: list[Operation] = []
            changed = False
            for allocation in pending:
                parts = _take_apart(allocation, layout, order)
                changed = changed or parts is not None
                following.extend([allocation] if parts is None else parts)
            if not changed:
                return
            pending = following


def _whole(op: Operation) -> WholeSlot | None:
    model = model_of(op)
    return None if model is None else model.whole(op)


class _Plan:
    """How the users of a slot use parts."""

    def __init__(self) -> None:
        self.used: set[Key] = set()
        self.rewired: list[Operation] = []
        #: Operations that have to do without the pointer.
        self.blocked: dict[Operation, list[Use]] = {}


def _plan(whole: WholeSlot, layout: DataLayout) -> _Plan | None:
    """How the slot may be taken apart; None if it may not."""
    plan = _Plan()
    inside: list[Slot] = []
    blocked: list[Use] = []
    for use in uses_of(whole.pointer):
        model = model_of(use[0])
        found = None if model is None else model.parts_used(use[0], whole, layout)
        if found is None:
            blocked.append(use)
            continue
        keys, pointers = found
        plan.used.update(keys)
        plan.rewired.append(use[0])
        inside.extend(pointers)
    seen: set[Use] = set()
    while inside:
        slot = inside.pop()
        for use in uses_of(slot.pointer):
            if use in seen:
                continue
            seen.add(use)
            model = model_of(use[0])
            further = None if model is None else model.stays_inside(use[0], slot, layout)
            if further is None:
                blocked.append(use)
            else:
                inside.extend(further)
    found_uses = blocked_uses(blocked, None, layout)
    if found_uses is None:
        return None
    plan.blocked = found_uses
    return plan


def _take_apart(allocation: Operation, layout: DataLayout, order: Order) -> list[Operation] | None:
    """Takes the slot of an allocation apart; the new allocations, None if it stays."""
    model = model_of(allocation)
    whole = None if model is None else model.whole(allocation)
    if model is None or whole is None or whole.pointer.first_use is None:
        return None
    plan = _plan(whole, layout)
    if plan is None:
        return None
    rw = Rewriter(allocation)
    rw.after(allocation)
    parts = {
        key: model.split(rw, allocation, whole, key) for key in whole.parts if key in plan.used
    }
    region = allocation.parent_region()
    assert region is not None
    users = list(dict.fromkeys([*plan.rewired, *plan.blocked]))
    gone: list[Operation] = []
    rewired = set(plan.rewired)
    for op in reversed(order.sorted(users, region)):
        user = model_of(op)
        assert user is not None
        rw.after(op)
        rw.location = op.location
        if op in rewired:
            erase = user.rewire(rw, op, whole, parts, layout)
        else:
            erase = user.lose(rw, op, None, None, layout)
        if erase:
            gone.append(op)
    for op in gone:
        rw.erase(op)
    rw.erase(allocation)
    return [cast("Operation", part.pointer.owner) for part in parts.values()]
