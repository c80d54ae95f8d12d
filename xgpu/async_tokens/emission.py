# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A unit's points as operations of the mgpu dialect, on the streams they were assigned.

An event is recorded as late as it can be: before the first that waits for it, or before its stream
gets something else, or before control leaves the block. So an event lives for a short while, and
serves again.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    UnrealizedConversionCastOp,
)
from xdsl.ir import Block, Operation, SSAValue

from xgpu import ods
from xgpu.async_tokens.handles import Handles
from xgpu.async_tokens.operations import Operations
from xgpu.async_tokens.points import Point, Unit
from xgpu.async_tokens.streams import Streams
from xgpu.dialects.mgpu.attributes import EventType, StreamType
from xgpu.ir.branches import set_successor_operands, successor_operands
from xgpu.ir.calls import is_return
from xgpu.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from xgpu.async_tokens.graph_runs import Run
    from xgpu.async_tokens.graphs import Graphs


class Emission:
    """Writes the operations of one unit."""

    __slots__ = (
        "_blocks",
        "_call",
        "_handles",
        "_operations",
        "_passed",
        "_pending",
        "_ready",
        "_runs",
        "_sent",
        "_splits",
        "_streams",
        "_unit",
    )  # fmt: skip

    def __init__(
        self,
        unit: Unit,
        streams: Streams,
        *,
        annotate: bool = False,
        graphs: Graphs | None = None,
        runs: Mapping[Point, Run] = MappingProxyType({}),
    ) -> None:
        self._unit = unit
        #: The points that are graphs.
        self._runs = runs
        self._streams = streams
        self._operations = Operations(unit.region, graphs, annotate)
        self._handles = Handles(unit.region)
        self._blocks: list[Block] = []
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
        for what, item in self._unit.script:
            if self._call is not None and (what != "point" or item.op is not self._call):
                self._call_is_over()
            if what == "point":
                self._point(item)
            elif what == "edge":
                self._edge(item)
            elif what == "enter":
                self._blocks.append(item)
            elif what == "leave":
                self._blocks.pop()
                self._handles.leave(item)
            elif what == "push":
                self._record_all(Rewriter(item))
            else:
                self._handles.back_in(self._blocks[-1])
        for (op, token), events in self._passed.items():
            # A call takes one event several times; each returned token is an event of its own.
            left = iter(events)
            op.operands = [next(left, events[0]) if v is token else v for v in op.operands]
        self._call_is_over()
        self._handles.place()
        return self._operations.dead

    # --- points ------------------------------------------------------------------------------
    def _point(self, point: Point) -> None:
        kind, op = point.kind, point.op
        rw = self._place(point)
        if kind in ("phi", "exit"):
            self._ended(point, rw)
        elif kind == "join":
            assert op is not None
            self._operations.on_host(op, rw)
        elif kind == "host":
            self._host_waits(point, rw)
            assert op is not None
            self._operations.on_host(op, rw)
        elif kind == "gather":
            self._gather(point, rw)
        elif kind == "event":
            if op is not None and op.name == "gpu.launch_func":
                self._foreign_launch(point, rw)
        else:
            self._work(point, rw)

    def _place(self, point: Point) -> Rewriter:
        """Where the operations of a point go: before its operation, or at its block's start."""
        op = point.op
        if op is None or op.parent is not point.block:
            at: Any = op if op is not None else point.value
            rw = Rewriter(location=at.location)
            rw.at_start(point.block)
            return rw
        rw = Rewriter(op)
        if point.kind in ("phi", "exit", "meet", "event") and op.name != "gpu.launch_func":
            rw.after(op)
        return rw

    def _work(self, point: Point, rw: Rewriter) -> None:
        number = point.stream
        assert number is not None
        assert point.op is not None
        for join in point.before:
            self._waits(number, join.waits, rw)
            self._ended(join, rw)
        self._waits(number, point.waits, rw)
        self._record_pending(number, rw)
        stream = self._handles.stream(number, rw.location)
        if point in self._runs:
            self._operations.graph(self._runs[point], stream, rw)
        elif point.kind == "work":
            self._operations.note_place(point.op, rw)
            self._operations.on_stream(point.op, stream, rw)
        self._ended(point, rw)
        if point.is_sync:
            rw.create("mgpu.stream_synchronize", [stream])

    def _ended(self, point: Point, rw: Rewriter) -> None:
        """`point` is now the end of its stream."""
        number = point.stream
        assert number is not None
        self._record_pending(number, rw)
        if point.users or point.owned:
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
        if source.kind == "event":
            assert source.event is not None
            return source.event
        event = self._handles.event(source)
        if event is None:
            assert source.stream is not None
            assert self._pending.get(source.stream) is source
            self._record_pending(source.stream, rw)
            event = self._handles.event(source)
            assert event is not None
        return event

    def _record_pending(self, number: int, rw: Rewriter) -> None:
        point = self._pending.pop(number, None)
        if point is None:
            return
        stream = self._handles.stream(number, rw.location)
        if point.users:
            event = self._handles.record(point, rw.location)
            rw.create("mgpu.event_record", [event, stream])
        for gather in point.owned:
            self._own_event(gather, stream, rw)

    def _record_all(self, rw: Rewriter) -> None:
        for number in list(self._pending):
            self._record_pending(number, rw)

    def _own_event(self, gather: Point, stream: SSAValue | None, rw: Rewriter) -> None:
        """An event for a returned token; the caller destroys it."""
        event = rw.value("mgpu.event_create", (), EventType())
        if stream is not None:
            rw.create("mgpu.event_record", [event, stream])
        gather.event = event

    def _gather(self, point: Point, rw: Rewriter) -> None:
        op, token = point.op, point.value
        assert op is not None
        assert token is not None
        if is_return(op):
            if point.is_covered:
                assert point.stream is not None
                self._waits(point.stream, point.waits, rw)
                self._record_pending(point.stream, rw)
                self._own_event(point, self._handles.stream(point.stream, rw.location), rw)
            elif point.event is None:
                self._record_all(rw)
            if point.event is None:
                self._own_event(point, None, rw)
            assert point.event is not None
            self._passed.setdefault((op, token), []).append(point.event)
            return
        self._call = op
        if point.is_covered:
            assert point.stream is not None
            self._waits(point.stream, point.waits, rw)
            point.users += 1
            self._ended(point, rw)
            self._passed[op, token] = [self._event(point, rw)]
            self._sent.append(point)
        elif point.waits:
            (source,) = point.waits
            self._passed[op, token] = [self._event(source, rw)]
            self._sent.append(source)
        else:
            self._passed[op, token] = [self._ready_event(rw)]

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
        for phi, successor, waits in self._streams.edge_waits.get(op, ()):
            assert phi.stream is not None
            if successor is None:
                self._waits(phi.stream, waits, rw)
                continue
            # The events belong to the block, the waits to one way out of it.
            for source in waits:
                self._event(source, rw)
            if phi.stream in self._pending:
                self._record_pending(phi.stream, rw)
            self._wait_for(phi.stream, waits, self._split(op, successor))
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
    def _host_waits(self, point: Point, rw: Rewriter) -> None:
        self._operations.note_place(point.op, rw)
        for source in point.before:
            assert source.stream is not None
            rw.create("mgpu.stream_synchronize", [self._handles.stream(source.stream, rw.location)])
        for source in point.waits:
            rw.create("mgpu.event_synchronize", [self._event(source, rw)])
            self._used(source)

    def _foreign_launch(self, point: Point, rw: Rewriter) -> None:
        """A launch on a stream that the program has from elsewhere."""
        op: Any = point.op
        stream = op.async_object
        if not isinstance(stream.type, StreamType):
            cast = UnrealizedConversionCastOp.create(
                operands=[stream], result_types=[StreamType()], location=rw.location
            )
            rw.insert(cast)
            stream = cast.results[0]
        for source in point.waits:
            rw.create("mgpu.stream_wait_event", [stream, self._event(source, rw)])
            self._used(source)
        self._operations.launch(op, stream, rw)
        self._operations.dead.append(op)
        if point.users:
            event = ods.create("mgpu.event_create", (), (EventType(),), location=rw.location)
            self._handles.operations.append(event)
            point.event = event.results[0]
            rw.create("mgpu.event_record", [point.event, stream])
