# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Events that calls give: destroyed behind their last use, in the block of the call."""

from __future__ import annotations

from xdsl.ir import Block, Operation

from xgpu.conversion.async_tokens.points import CallToken
from xgpu.conversion.async_tokens.unit import Unit
from xgpu.core.ir.calls import is_call
from xgpu.core.rewriting.rewriter import Rewriter


def end_events(unit: Unit) -> None:
    """Destroys each event that a call in `unit` gives."""
    for point in unit.points:
        if not isinstance(point, CallToken):
            continue
        op, event = point.op, point.value
        assert op.parent is not None
        last = op
        for use in event.uses:
            user = use.operation
            # Others are being replaced: they use the token that the event was.
            if user.name.startswith("mgpu.") or is_call(user):
                user = _in_block(user, op.parent)
                last = user if last.is_before_in_block(user) else last
        rw = Rewriter(last, location=op.location)
        if last.next_op is not None:
            rw.after(last)
        rw.create("mgpu.event_destroy", [event])


def _in_block(op: Operation, block: Block) -> Operation:
    """The operation of `block` that is `op` or has it inside."""
    while op.parent is not block:
        up = op.parent_op()
        assert up is not None
        op = up
    return op
