# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A unit's points as operations of the mgpu dialect, on the streams they were assigned.

An event is recorded as late as it can be: before the first that waits for it, or before its stream
gets something else, or before control leaves the block. So an event lives for a short while, and
serves again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    UnrealizedConversionCastOp,
)
from xdsl.ir import Block, Operation, SSAValue

from xgpu.conversion.async_tokens.handles import Handles
from xgpu.conversion.async_tokens.operations import Operations
from xgpu.conversion.async_tokens.points import (
    Argument,
    CallToken,
    ForeignLaunch,
    Graph,
    HostWait,
    LoopExit,
    Meeting,
    Merge,
    Passed,
    Point,
    TokenPoint,
    Work,
)
from xgpu.conversion.async_tokens.streams import Streams
from xgpu.conversion.async_tokens.token_view import is_passed_argument
from xgpu.conversion.async_tokens.unit import At, Edge, Enter, Leave, Pop, Push, Step, Unit
from xgpu.core import ods
from xgpu.core.ir.branches import set_successor_operands, successor_operands
from xgpu.core.ir.calls import is_return
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.mgpu.ops import EventType, StreamType

if TYPE_CHECKING:
    from xgpu.conversion.async_tokens.graph_launches import Graphs
    from xgpu.dialects import gpu


class Emission:
    """Writes the operations of one unit."""

    __slots__ = (
        "_blocks",
        "_call",
        "_events",
        "_handles",
        "_operations",
        "_passed",
        "_pending",
        "_ready",
        "_sent",
        "_splits",
        "_streams",
        "_unit",
    )  # fmt: skip

    def __init__(
        self, unit: Unit, streams: Streams, *, annotate: bool = False, graphs: Graphs | None = None
    ) -> None:
        self._unit = unit
        self._streams = streams
        self._operations = Operations(unit.region, graphs, annotate)
        self._handles = Handles(streams)
        self._blocks: list[Block] = []
        #: Events of points that are none of the unit's own streams.
        self._events: dict[Point, SSAValue] = {}
        #: Stream -> the point at its end that still needs an event.
        self._pending: dict[int, Point] = {}
        #: An event for tokens that stand for nothing.
        self._ready: SSAValue | None = None
        self._splits: dict[tuple[Operation, int], Rewriter] = {}
        #: The events for tokens that calls and returns take.
        self._passed: dict[tuple[Operation, SSAValue], list[SSAValue]] = {}
        #: The call whose tokens become events now, and the points of those events.
        self._call: Operation | None = None
        self._sent: list[Point] = []

    def run(self) -> list[Operation]:
        """Writes everything; the operations that have been replaced."""
        for step in self._unit.script:
            here = step.point.op if isinstance(step, At) else None
            if self._call is not None and here is not self._call:
                self._call_is_over()
            self._step(step)
        for (op, token), events in self._passed.items():
            # A call takes one event several times; each returned token is an event of its own.
            left = iter(events)
            op.operands = [next(left, events[0]) if v is token else v for v in op.operands]
        self._call_is_over()
        self._handles.insert_all()
        return self._operations.dead

    def _step(self, step: Step) -> None:
        match step:
            case At():
                self._point(step.point)
            case Edge():
                self._edge(step.op)
            case Enter():
                self._blocks.append(step.block)
            case Leave():
                self._blocks.pop()
                self._handles.leave(step.block)
            case Push():
                self._record_all(Rewriter(step.op))
            case Pop():
                self._handles.back_in(self._blocks[-1])

    # --- points ------------------------------------------------------------------------------
    def _point(self, point: Point) -> None:
        rw = _rewriter_at(point)
        if point in self._unit.through:
            self._operations.on_host(point.op, rw)
            return
        match point:
            case Merge() | LoopExit():
                self._ended(point, rw)
            case HostWait():
                self._host_waits(point, rw)
                self._operations.on_host(point.op, rw)
            case Passed():
                self._pass(point, rw)
            case ForeignLaunch():
                self._foreign_launch(point, rw)
            case Argument() | CallToken():
                self._events[point] = point.value
            case _:
                self._work(point, rw)

    def _work(self, point: Point, rw: Rewriter) -> None:
        placement, number = self._streams.of[point], self._streams.stream(point)
        for join in placement.before:
            self._waits(number, self._streams.of[join].waits, rw)
            self._ended(join, rw)
        self._waits(number, placement.waits, rw)
        self._record_pending(number, rw)
        stream = self._handles.stream(number, rw.location)
        if isinstance(point, Graph):
            self._operations.graph(point, stream, rw)
        elif isinstance(point, Work):
            self._operations.annotate(point.op, rw)
            self._operations.on_stream(point.op, stream, rw)
        self._ended(point, rw)
        if not point.is_async:
            rw.create("mgpu.stream_synchronize", [stream])

    def _ended(self, point: Point, rw: Rewriter) -> None:
        """`point` is now the end of its stream."""
        number = self._streams.stream(point)
        self._record_pending(number, rw)
        placement = self._streams.of[point]
        if placement.users or placement.owned:
            self._pending[number] = point

    def _waits(self, number: int, waits: list[Point], rw: Rewriter) -> None:
        if not waits:
            return
        self._record_pending(number, rw)
        for source in waits:
            self._wait_for(number, [source], rw)
            self._used(source)

    def _wait_for(self, number: int, waits: list[Point], rw: Rewriter) -> None:
        for source in waits:
            event = self._event(source, rw)
            stream = self._handles.stream(number, rw.location)
            rw.create("mgpu.stream_wait_event", [stream, event])

    def _used(self, source: Point) -> None:
        self._handles.used(source, self._blocks[-1])

    # --- events ------------------------------------------------------------------------------
    def _event(self, source: Point, rw: Rewriter) -> SSAValue:
        """The event of `source`, recorded now if it has not been."""
        event = self._events.get(source) or self._handles.event(source)
        if event is None:
            number = self._streams.stream(source)
            assert self._pending.get(number) is source
            self._record_pending(number, rw)
            event = self._handles.event(source)
            assert event is not None
        return event

    def _record_pending(self, number: int, rw: Rewriter) -> None:
        point = self._pending.pop(number, None)
        if point is None:
            return
        stream = self._handles.stream(number, rw.location)
        placement = self._streams.of[point]
        if placement.users:
            event = self._handles.record(point, rw.location)
            rw.create("mgpu.event_record", [event, stream])
        for returned in placement.owned:
            self._own_event(returned, stream, rw)

    def _record_all(self, rw: Rewriter) -> None:
        for number in list(self._pending):
            self._record_pending(number, rw)

    def _own_event(self, point: Passed, stream: SSAValue | None, rw: Rewriter) -> SSAValue:
        """An event for a returned token; the caller destroys it."""
        event = rw.value("mgpu.event_create", (), EventType())
        if stream is not None:
            rw.create("mgpu.event_record", [event, stream])
        self._events[point] = event
        return event

    def _pass(self, point: Passed, rw: Rewriter) -> None:
        """A token of a call or a return becomes an event."""
        op = point.op
        if is_return(op):
            event = self._returned_event(point, rw)
            self._passed.setdefault((op, point.value), []).append(event)
            return
        self._call = op
        self._passed[op, point.value] = [self._sent_event(point, rw)]

    def _returned_event(self, point: Passed, rw: Rewriter) -> SSAValue:
        if point in self._unit.on_stream:
            number = self._streams.stream(point)
            self._waits(number, self._streams.of[point].waits, rw)
            self._record_pending(number, rw)
            return self._own_event(point, self._handles.stream(number, rw.location), rw)
        if point not in self._events:
            self._record_all(rw)
        return self._events.get(point) or self._own_event(point, None, rw)

    def _sent_event(self, point: Passed, rw: Rewriter) -> SSAValue:
        placement = self._streams.of[point]
        if point in self._unit.on_stream:
            self._waits(self._streams.stream(point), placement.waits, rw)
            placement.users += 1
            self._ended(point, rw)
            source: Point = point
        elif placement.waits:
            (source,) = placement.waits
        else:
            return self._ready_event(rw)
        event = self._event(source, rw)
        self._sent.append(source)
        return event

    def _call_is_over(self) -> None:
        """Events that a call has taken may serve again behind it, not for another of its tokens."""
        for source in self._sent:
            self._used(source)
        self._sent.clear()
        self._call = None

    def _ready_event(self, rw: Rewriter) -> SSAValue:
        """An event that nothing is recorded in: who waits for it goes on."""
        if self._ready is None:
            made = ods.create("mgpu.event_create", (), (EventType(),), location=rw.location)
            self._handles.operations.append(made)
            self._ready = made.results[0]
        return self._ready

    # --- where control goes on -------------------------------------------------------------
    def _edge(self, op: Operation) -> None:
        rw = Rewriter(op)
        behind: list[Point] = []
        for merge, successor, waits in self._streams.edge_waits.get(op, ()):
            number = self._streams.stream(merge)
            if successor is None:
                self._waits(number, waits, rw)
                continue
            # The events belong to the block, the waits to one way out of it.
            for source in waits:
                self._event(source, rw)
            self._record_pending(number, rw)
            self._wait_for(number, waits, self._split(op, successor))
            behind += waits
        # What is used behind this block has its event now.
        if op.next_op is None:
            self._record_all(rw)
        # Their events may serve again only where all ways out of the block have waited.
        for source in behind:
            self._used(source)

    def _split(self, op: Operation, successor: int) -> Rewriter:
        """A place on the way from a branch to one of its successors: a block of its own."""
        rw = self._splits.get((op, successor))
        if rw is None:
            block = op.parent
            assert block is not None
            assert block.parent is not None
            between = Block()
            block.parent.insert_block_after(between, block)
            target = op.successors[successor]
            values = successor_operands(op, successor) or []
            set_successor_operands(op, successor, [])
            op.successors = [between if i == successor else s for i, s in enumerate(op.successors)]
            rw = Rewriter(block=between, location=op.location)
            dialect = op.name.partition(".")[0]
            branch = rw.create(f"{dialect}.br", values, successors=(target,))
            rw.before(branch)
            self._splits[op, successor] = rw
        return rw

    # --- operations --------------------------------------------------------------------------
    def _host_waits(self, point: HostWait, rw: Rewriter) -> None:
        self._operations.annotate(point.op, rw)
        placement = self._streams.of[point]
        for source in placement.before:
            stream = self._handles.stream(self._streams.stream(source), rw.location)
            rw.create("mgpu.stream_synchronize", [stream])
        for source in placement.waits:
            rw.create("mgpu.event_synchronize", [self._event(source, rw)])
            self._used(source)

    def _foreign_launch(self, point: ForeignLaunch, rw: Rewriter) -> None:
        """A launch on a stream that the program has from elsewhere."""
        op = cast("gpu.LaunchFuncOp", point.op)
        stream = op.async_object
        assert stream is not None
        if not isinstance(stream.type, StreamType):
            made = UnrealizedConversionCastOp.create(
                operands=[stream], result_types=[StreamType()], location=rw.location
            )
            rw.insert(made)
            stream = made.results[0]
        placement = self._streams.of[point]
        for source in placement.waits:
            rw.create("mgpu.stream_wait_event", [stream, self._event(source, rw)])
            self._used(source)
        self._operations.launch(op, stream, rw)
        self._operations.dead.append(op)
        if placement.users:
            made = ods.create("mgpu.event_create", (), (EventType(),), location=rw.location)
            self._handles.operations.append(made)
            event = self._events[point] = made.results[0]
            rw.create("mgpu.event_record", [event, stream])


def _rewriter_at(point: Point) -> Rewriter:
    """Where the operations of a point go: before its operation, or at its block's start."""
    op = point.op
    if op.parent is not point.block:
        location = op.location
        if isinstance(point, TokenPoint) and is_passed_argument(point.value):
            location = point.value.location
        rw = Rewriter(location=location)
        rw.at_start(point.block)
        return rw
    rw = Rewriter(op)
    if isinstance(point, Merge | LoopExit | Meeting | CallToken):
        rw.after(op)
    return rw
