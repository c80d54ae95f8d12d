# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens as events, every operation on a stream of its own: `gpu-async-to-mgpu{assign=exact}`.

    %u = gpu.launch_func async [%t] @k::@a ..         %s = mgpu.stream_create
                                                      mgpu.stream_wait_event %s, %t
                                                      mgpu.launch %s, %a ..
                                                      %u = mgpu.event_create
                                                      mgpu.event_record %u, %s
                                                      mgpu.stream_destroy %s

Nothing orders work but tokens, also in loops and where control flow meets, where streams that are
assigned once order more. So what goes wrong under some order that tokens allow can go wrong here:
this is for looking for missing dependencies (`xgpu.driver.schedules`), not for speed. Events go
wherever tokens went and nobody destroys them: they live as long as the program.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, Region, SSAValue

from xgpu.conversion.async_tokens.dependencies import dependencies_of, token_of
from xgpu.conversion.async_tokens.operations import Operations
from xgpu.conversion.async_tokens.points import is_gpu_token
from xgpu.conversion.async_tokens.units import is_for_host
from xgpu.core.ir.construction import replace_all_uses, set_type
from xgpu.core.ir.errors import op_error
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.gpu.ops import is_async_op
from xgpu.dialects.mgpu.ops import EventType, StreamType


def lower_exactly(region: Region, annotate: bool) -> list[Operation]:
    """Lowers the operations of a function's body; those that are replaced."""
    operations = Operations(region, None, annotate)
    for op in [inner for block in region.blocks for inner in block.walk()]:
        if op.name == "async.execute":
            raise op_error(op, "runs in a thread of its own, whose order cannot be chosen")
        if is_async_op(op):
            _lower(op, operations)
    for block in region.blocks:
        _retype(block.args)
        for op in block.walk():
            _retype(op.results)
            for inner in op.regions:
                for inner_block in inner.blocks:
                    _retype(inner_block.args)
    return operations.dead


def _retype(values: Iterable[SSAValue]) -> None:
    for value in values:
        if is_gpu_token(value):
            set_type(value, EventType())


def _lower(op: Operation, operations: Operations) -> None:
    rw = Rewriter(op)
    needs: list[SSAValue] = list(dependencies_of(op))
    token = token_of(op)
    stream: SSAValue | None = getattr(op, "async_object", None)
    if stream is None and (op.name == "gpu.wait" or is_for_host(op, bool(needs))):
        if token is None:
            for event in needs:
                rw.create("mgpu.event_synchronize", [event])
        else:
            replace_all_uses(token, _joined(needs, rw))
        operations.on_host(op, rw)
        return
    if token is None and stream is None:
        for event in needs:
            rw.create("mgpu.event_synchronize", [event])
        needs = []
    is_own = stream is None
    if stream is None:
        stream = rw.value("mgpu.stream_create", (), StreamType())
    for event in needs:
        rw.create("mgpu.stream_wait_event", [stream, event])
    operations.annotate(op, rw)
    operations.on_stream(op, stream, rw)
    if token is not None:
        replace_all_uses(token, _recorded(stream, rw))
    elif is_own:
        rw.create("mgpu.stream_synchronize", [stream])
    if is_own:
        rw.create("mgpu.stream_destroy", [stream])


def _recorded(stream: SSAValue, rw: Rewriter) -> SSAValue:
    event = rw.value("mgpu.event_create", (), EventType())
    rw.create("mgpu.event_record", [event, stream])
    return event


def _joined(events: list[SSAValue], rw: Rewriter) -> SSAValue:
    """An event of all of `events`; of none: one that is not recorded, for which nobody waits."""
    if len(events) == 1:
        return events[0]
    if not events:
        return rw.value("mgpu.event_create", (), EventType())
    stream = rw.value("mgpu.stream_create", (), StreamType())
    for event in events:
        rw.create("mgpu.stream_wait_event", [stream, event])
    joined = _recorded(stream, rw)
    rw.create("mgpu.stream_destroy", [stream])
    return joined
