# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-async-to-mgpu`: tokens to streams and events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.conversion.async_tokens.emission import Emission, Operations
from xgpu.conversion.async_tokens.points import (
    CallToken,
    ForeignLaunch,
    Work,
    dependencies_of,
    is_gpu_token,
    token_of,
    units,
)
from xgpu.conversion.async_tokens.streams import Streams
from xgpu.conversion.async_tokens.tokens import TokenView, drop_tokens, retype_signatures
from xgpu.conversion.async_tokens.units import Builder, Unit, is_for_host
from xgpu.core.ir.calls import is_call, is_function
from xgpu.core.ir.construction import replace_all_uses, set_type
from xgpu.core.ir.errors import Diagnostic, op_error
from xgpu.core.passes import remarks
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.syntax.diagnostics import emit
from xgpu.dialects.gpu.ops import is_async_op
from xgpu.dialects.mgpu.ops import EventType, StreamType

if TYPE_CHECKING:
    from xgpu.conversion.async_tokens.graph_launches import Graphs


# --- calls ---------------------------------------------------------------------------------------
# Events that calls give: destroyed behind their last use, in the block of the call.


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


# --- exact ---------------------------------------------------------------------------------------
# Tokens as events, every operation on a stream of its own: `gpu-async-to-mgpu{assign=exact}`.
#
#     %u = gpu.launch_func async [%t] @k::@a ..         %s = mgpu.stream_create
#                                                       mgpu.stream_wait_event %s, %t
#                                                       mgpu.launch %s, %a ..
#                                                       %u = mgpu.event_create
#                                                       mgpu.event_record %u, %s
#                                                       mgpu.stream_destroy %s
#
# Nothing orders work but tokens, also in loops and where control flow meets, where streams that are
# assigned once order more. So what goes wrong under some order that tokens allow can go wrong here:
# this is for looking for missing dependencies (`xgpu.driver.schedules`), not for speed. Events go
# wherever tokens went and nothing destroys them: they live as long as the program.


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
    """An event of all of `events`; of none: one that is not recorded, for which nothing waits."""
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


# --- gpu async to mgpu ---------------------------------------------------------------------------
# `gpu-async-to-mgpu`: tokens to streams and events.
#
#     %t = gpu.launch_func async @k::@a ..              %s = mgpu.stream_create
#     %u = gpu.launch_func async @k::@b ..              %r = mgpu.stream_create
#     %v = gpu.launch_func async [%t, %u] @k::@c ..     %e = mgpu.event_create
#     gpu.wait [%v]                                     mgpu.launch %s, %a ..
#                                                       mgpu.launch %r, %b ..
#                                                       mgpu.event_record %e, %r
#                                                       mgpu.stream_wait_event %s, %e
#                                                       mgpu.launch %s, %c ..
#                                                       mgpu.stream_synchronize %s
#                                                       .. and the three are destroyed
#
# Takes operations with any number of dependencies, asynchronous or not. How tokens are lowered, and
# what holds of the result, is in docs/concepts/async-tokens.md. xgpu's own.


class GpuAsyncToMgpu(Pass):
    name = "gpu-async-to-mgpu"
    summary = "Lower async tokens to streams and events of the runtime"
    anchor = "builtin.module"
    options = (
        Option(
            "assign",
            str,
            "min-streams",
            "What to have few of, where work may overlap; exact: a stream for each operation, so "
            "that nothing orders but tokens.",
            ("min-streams", "min-events", "exact"),
        ),
        Option("max-streams", int, 0, "At most so many streams a function; 0 for no limit."),
        Option(
            "mode",
            str,
            "streams",
            "Launch each operation on a stream, or those that can be together as a graph.",
            ("streams", "graph"),
        ),
        Option("locations", bool, False, "Tell the runtime the location of each operation."),
    )

    assign: str
    max_streams: int
    mode: str
    locations: bool

    def run(self, op: Operation, ctx: Context) -> None:
        regions = [region for region in units(op) if _has_tokens(region)]
        dead: list[Operation] = []
        graphs = None
        if self.mode == "graph":
            from xgpu.conversion.async_tokens.graph_launches import Graphs

            graphs = Graphs(op)
        views = _Views()
        for region in regions:
            dead += self._lower(region, graphs, views)
        if graphs is not None:
            graphs.finish()
        for gone in dead:
            gone.operands = ()
        for region in regions:
            drop_tokens(region)
        for gone in reversed(dead):
            Rewriter(gone).erase(gone)
        retype_signatures(op)

    def _lower(self, region: Region, graphs: Graphs | None, views: _Views) -> list[Operation]:
        """Lowers one unit; the operations that are replaced."""
        if self.assign == "exact":
            return lower_exactly(region, self.locations)
        unit = Builder(region, views.of(region)).build()
        if not unit.points or _is_one_launch(unit):
            return []
        if graphs is not None:
            from xgpu.conversion.async_tokens.graph_launches import form_runs

            for op, why in form_runs(unit):
                text = f"'{op.name}' runs on a stream and not in a graph: {why}"
                emit(Diagnostic("remark", text, op.location))
        streams = Streams(unit, few_events=self.assign == "min-events", limit=self.max_streams)
        function = region.parent
        if function is not None and streams.count:
            text = "independent work gets streams of its own"
            remarks.analysis(function.location, "Streams", self.name, text, Streams=streams.count)
        emission = Emission(unit, streams, annotate=self.locations, graphs=graphs)
        dead = emission.run()
        end_events(unit)
        return dead


class _Views:
    """The views of functions, each made when the first unit in it is lowered: what runs beside a
    function's thread is in the function's view too, and is as it was while others are lowered."""

    __slots__ = ("_views",)

    def __init__(self) -> None:
        self._views: dict[Operation, TokenView] = {}

    def of(self, region: Region) -> TokenView:
        """The view of the function that `region` is in."""
        function = region.parent
        assert function is not None
        while not is_function(function) and (parent := function.parent_op()) is not None:
            if parent.name == "builtin.module":
                break
            function = parent
        view = self._views.get(function)
        if view is None:
            view = self._views[function] = TokenView(function, host_accesses=False)
        return view


def _has_tokens(region: Region) -> bool:
    """Whether anything in a unit works on the device, or has a token from elsewhere."""
    return any(map(is_gpu_token, region.blocks[0].args)) or any(
        op.name.startswith("gpu.") or is_async_op(op) or any(map(is_gpu_token, op.results))
        for block in region.blocks
        for op in block.walk()
    )


def _is_one_launch(unit: Unit) -> bool:
    """Whether all there is to do is one synchronous launch, once: it stays, for a stream of its
    own is what it means already."""
    if len(unit.points) != 1:
        return False
    (point,) = unit.points
    op = point.op
    return (
        isinstance(point, Work)
        and not isinstance(point, ForeignLaunch)
        and not point.is_async
        and op.name == "gpu.launch_func"
        and not any(map(is_gpu_token, op.operands))
        and len(unit.region.blocks) == 1
        and op.parent is unit.region.blocks[0]
    )
