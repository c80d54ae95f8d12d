# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A unit's points as operations of the mgpu dialect, on the streams they were assigned: the
operations, and the streams and events that they need.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, UnrealizedConversionCastOp, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.conversion.async_tokens.points import (
    Argument,
    CallToken,
    ForeignLaunch,
    Graph,
    HostWait,
    LoopExit,
    Merge,
    Passed,
    Point,
    StreamToken,
    TokenPoint,
    Work,
    is_inside,
)
from xgpu.conversion.async_tokens.streams import Streams
from xgpu.conversion.async_tokens.tokens import is_passed_argument, with_token
from xgpu.conversion.async_tokens.units import At, Edge, Enter, Leave, Pop, Push, Step, Unit
from xgpu.core import ods
from xgpu.core.ir.calls import is_function, is_return
from xgpu.core.ir.construction import replace_all_uses
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.region_flow import set_successor_operands, successor_operands
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import gpu
from xgpu.dialects.gpu.attributes import AsyncTokenType
from xgpu.dialects.gpu.ops import is_async_op
from xgpu.dialects.mgpu.ops import COMMUNICATIONS, EventType, FunctionType, StreamType

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

    from xgpu.conversion.async_tokens.graph_launches import Graphs


# --- operations ----------------------------------------------------------------------------------
# gpu operations as those of the mgpu dialect, on a stream or by the host.


class Operations:
    """Writes what takes the place of the operations of one unit; `dead` are those.

    With `annotate` the runtime gets the location of each in the source.
    """

    __slots__ = ("_annotate", "_graphs", "_kernels", "_last_kernel", "_region", "dead")

    def __init__(self, region: Region, graphs: Graphs | None, annotate: bool) -> None:
        self._region = region
        self._graphs = graphs
        self._annotate = annotate
        self._kernels: dict[Attribute, SSAValue] = {}
        self._last_kernel: Operation | None = None
        self.dead: list[Operation] = []

    def on_host(self, op: Any, rw: Rewriter) -> None:
        """What is no work for a stream."""
        if op.name == "gpu.alloc":
            operands = [list(op.dynamic_sizes), list(op.symbol_operands)]
            properties = {"hostShared": op.properties["hostShared"]}
            new = rw.create("mgpu.alloc", operands, [op.memref.type], properties)
            self._replace(op, new.results[0])
        elif op.name == "gpu.dealloc":
            rw.create("mgpu.free", [op.memref])
            self.dead.append(op)
        elif is_async_op(op):
            self.dead.append(op)

    def annotate(self, op: Operation, rw: Rewriter) -> None:
        """Tells the runtime where the program says what it does next."""
        if not self._annotate:
            return
        location = source_location(op.location)
        if location is not None:
            rw.create("mgpu.annotate", (), (), {"text": StringAttr(str(location))})

    def _replace(self, op: Operation, *values: SSAValue) -> None:
        for old, new in zip(op.results, values, strict=False):
            if new.name_hint is None:
                new.name_hint = old.name_hint
            replace_all_uses(old, new)
        self.dead.append(op)

    def on_stream(self, op: Any, stream: SSAValue, rw: Rewriter) -> None:
        name = op.name
        if name == "gpu.launch_func":
            self.launch(op, stream, rw)
            self.dead.append(op)
        elif name == "gpu.alloc":
            operands = [[stream], list(op.dynamic_sizes), list(op.symbol_operands)]
            new = rw.create("mgpu.alloc_async", operands, [op.memref.type])
            self._replace(op, new.results[0])
        elif name == "gpu.dealloc":
            rw.create("mgpu.free_async", [stream, op.memref])
            self.dead.append(op)
        elif name == "gpu.memcpy":
            rw.create("mgpu.memcpy", [stream, op.dst, op.src])
            self.dead.append(op)
        elif name == "gpu.memset":
            rw.create("mgpu.memset", [stream, op.dst, op.value])
            self.dead.append(op)
        elif name == "mgpu.communicate":
            _communicate(op, stream, rw)
            self.dead.append(op)
        else:
            self._library_call(op, stream, rw)

    def launch(self, op: Any, stream: SSAValue, rw: Rewriter) -> None:
        # The operands in the middle are the same, and so are the sizes of their groups.
        tokens, *sizes, objects = op.properties["operandSegmentSizes"].get_values()
        operands = tuple(op.operands)
        kernel = self._kernel(op.properties["kernel"], rw)
        rw.insert(
            ods.op_class("mgpu.launch").create(
                operands=[stream, kernel, *operands[tokens : len(operands) - objects]],
                properties={"operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 1, *sizes])},
                location=op.location,
            )
        )

    def graph(self, graph: Graph, stream: SSAValue, rw: Rewriter) -> None:
        assert self._graphs is not None
        launches = [p.op for p in graph.members if "kernel" in p.op.properties]
        kernels = {
            op.properties["kernel"]: self._kernel(op.properties["kernel"], rw) for op in launches
        }
        self.annotate(graph.members[0].op, rw)
        self.dead += self._graphs.launch(graph, stream, kernels, rw)

    def _kernel(self, kernel: Attribute, rw: Rewriter) -> SSAValue:
        """The kernel's handle, asked for once."""
        value = self._kernels.get(kernel)
        if value is None:
            at = Rewriter(location=rw.location)
            if self._last_kernel is None:
                at.at_start(self._region.blocks[0])
            else:
                at.after(self._last_kernel)
            made = at.create("mgpu.kernel", (), (FunctionType(),), {"kernel": kernel})
            self._last_kernel = made
            value = self._kernels[kernel] = made.results[0]
        return value

    def _library_call(self, op: Operation, stream: SSAValue, rw: Rewriter) -> None:
        """Sparse operations stay, with the stream in place of the token."""
        cast = UnrealizedConversionCastOp.create(
            operands=[stream], result_types=[AsyncTokenType()], location=rw.location
        )
        rw.insert(cast)
        new = with_token(op, cast.results[0], rw)
        self._replace(op, *new.results)


def _communicate(op: Operation, stream: SSAValue, rw: Rewriter) -> None:
    """Writes what ranks do together on a stream; several of it are one group."""
    inside = list(op.regions[0].blocks[0].ops)
    if len(inside) > 1:
        rw.create("mgpu.comm_group_start", [stream])
    for inner in inside:
        name, _ = COMMUNICATIONS[inner.name]
        # Messages have no tag on a stream: those between two ranks are in order.
        operands = list(inner.operands)
        if inner.name in ("mpi.recv", "mpi.send"):
            del operands[1]
        rw.location = inner.location
        rw.create(name, [stream, *operands], (), dict(inner.properties))
    rw.location = op.location
    if len(inside) > 1:
        rw.create("mgpu.comm_group_end", [stream])


# --- handles -------------------------------------------------------------------------------------
# Streams and events of a unit: made when first needed, and put where they live.
#
# A handle's operation is made detached and used at once. When all uses are there, its creation goes
# before the first and its destruction behind the last of them, in the innermost block that has all
# uses, but out of every loop: so each handle is created and destroyed once on every way through. In
# a region of several blocks it is created in the first and destroyed at every exit.


#: Operations whose regions may run several times.
_LOOPS = frozenset(
    ("affine.for", "affine.parallel", "scf.for", "scf.forall", "scf.parallel", "scf.while")
)
#: Operations whose regions run at most once, right where they stand.
_ONCE = frozenset(
    ("affine.if", "memref.alloca_scope", "scf.execute_region", "scf.if", "scf.index_switch")
)
_DESTROY = {"mgpu.stream_create": "mgpu.stream_destroy", "mgpu.event_create": "mgpu.event_destroy"}


class Handles:
    """The handles of one unit, as its points were assigned."""

    __slots__ = (
        "_deferred", "_events", "_free", "_held", "_placements", "_region", "_streams",
        "operations",
    )  # fmt: skip

    def __init__(self, streams: Streams) -> None:
        self._region = streams.unit.region
        self._placements = streams.of
        self._streams: dict[int, Operation] = {}
        #: Events that nothing uses at the moment.
        self._free: list[SSAValue] = []
        self._events: dict[Point, SSAValue] = {}
        #: Events of points of a block; those of which the last use was in an inner block.
        self._held: dict[Block, dict[SSAValue, None]] = {}
        self._deferred: dict[Block, list[SSAValue]] = {}
        self.operations: list[Operation] = []

    def _make(self, name: str, ty: Attribute, location: LocationAttr | None) -> SSAValue:
        op = ods.create(name, (), (ty,), location=location)
        self.operations.append(op)
        return op.results[0]

    def stream(self, number: int, location: LocationAttr | None) -> SSAValue:
        op = self._streams.get(number)
        if op is None:
            op = self._make("mgpu.stream_create", StreamType(), location).owner
            assert isinstance(op, Operation)
            self._streams[number] = op
        return op.results[0]

    # --- events ------------------------------------------------------------------------------
    def event(self, point: Point) -> SSAValue | None:
        """The event that has recorded `point`, if one has."""
        return self._events.get(point)

    def record(self, point: Point, location: LocationAttr | None) -> SSAValue:
        """An event for `point`: one that is free, if all that wait for it are in its block."""
        event: SSAValue | None = None
        is_local = self._placements[point].is_local
        if is_local and self._free:
            event = self._free.pop()
        if event is None:
            event = self._make("mgpu.event_create", EventType(), location)
        if is_local:
            self._held.setdefault(point.block, {})[event] = None
        self._events[point] = event
        return event

    def used(self, point: Point, block: Block) -> None:
        """One that waits for `point` is in `block`, and has its wait."""
        placement = self._placements[point]
        placement.users -= 1
        event = self._events.get(point)
        if event is None or placement.users or not placement.is_local:
            return
        if block is point.block:
            self._held[block].pop(event, None)
            self._free.append(event)
        else:
            self._deferred.setdefault(point.block, []).append(event)

    def back_in(self, block: Block) -> None:
        """Inner blocks are over: what ended there is free."""
        held = self._held.get(block, {})
        for event in self._deferred.pop(block, ()):
            held.pop(event, None)
            self._free.append(event)

    def leave(self, block: Block) -> None:
        """A block is over, and with it all that is local to it."""
        self._deferred.pop(block, None)
        self._free.extend(self._held.pop(block, ()))

    # --- where they live -------------------------------------------------------------------
    def insert_all(self) -> None:
        """Inserts all creations and destructions."""
        order = Order()
        for op in self.operations:
            insert_handle(op, self._region, order)


class Order:
    """The operations of a block in order, as they were when it was first asked for."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers: dict[Block, dict[Operation, int]] = {}

    def ends(self, ops: list[Operation]) -> tuple[Operation, Operation]:
        """The first and the last of operations of one block."""
        block = ops[0].parent
        assert block is not None
        numbers = self._numbers.get(block)
        if numbers is None:
            numbers = self._numbers[block] = {op: i for i, op in enumerate(block.ops)}
        return min(ops, key=numbers.__getitem__), max(ops, key=numbers.__getitem__)


def insert_handle(op: Operation, outermost: Region, order: Order) -> None:
    """Inserts the creation of a handle before its uses, and its destruction behind them."""
    value = op.results[0]
    uses = [use.operation for use in value.uses]
    block = _home(uses, outermost)
    region = block.parent
    assert region is not None
    inside = [_ancestor(use, region) for use in uses]
    if len({use.parent for use in inside}) == 1 and not _repeats(block):
        first, last = order.ends(inside)
        Rewriter(first).insert(op)
        rw = Rewriter(last, location=op.location)
        if last.next_op is not None:
            rw.after(last)
        rw.create(_DESTROY[op.name], [value])
        return
    entry = region.blocks[0]
    first, _ = order.ends([u for u in inside if u.parent is entry] or [_terminator(entry)])
    Rewriter(first).insert(op)
    for exit in _exits(region):
        Rewriter(exit, location=op.location).create(_DESTROY[op.name], [value])


def _home(uses: Iterable[Operation], outermost: Region) -> Block:
    """The innermost block that has all uses in it or inside, outside of every loop."""
    found: Block | None = None
    for use in uses:
        block = use.parent
        assert block is not None
        if found is None:
            found = block
        while not is_inside(block, found) and found.parent is not outermost:
            # A sibling in the same region has the same home: its region.
            if _sibling(block, found):
                break
            up = found.parent_op()
            assert up is not None
            assert up.parent is not None
            found = up.parent
    assert found is not None
    at: Block = found
    while at.parent is not outermost:
        up = at.parent_op()
        assert up is not None
        assert up.parent is not None
        if up.name not in _ONCE:
            found = up.parent
        at = up.parent
    return found


def _sibling(block: Block | None, other: Block) -> bool:
    """Whether `block` is in the region of `other`, or inside of it."""
    region = other.parent
    while block is not None and block.parent is not region:
        op = block.parent_op()
        block = op.parent if op is not None else None
    return block is not None


def _ancestor(op: Operation, region: Region) -> Operation:
    """The operation of a block of `region` that is `op` or has it inside."""
    while op.parent is None or op.parent.parent is not region:
        up = op.parent_op()
        assert up is not None
        op = up
    return op


def _repeats(block: Block) -> bool:
    """Whether branches lead from `block` back to it."""
    seen: set[Block] = set()
    stack = [block]
    while stack:
        last = stack.pop().last_op
        for successor in last.successors if last is not None else ():
            if successor is block:
                return True
            if successor not in seen:
                seen.add(successor)
                stack.append(successor)
    return False


def _terminator(block: Block) -> Operation:
    assert block.last_op is not None
    return block.last_op


def _exits(region: Region) -> list[Operation]:
    """The operations by which control leaves a region."""
    function = region.parent
    assert function is not None
    dead = ("llvm.unreachable",) if is_function(function) else ()
    return [
        block.last_op
        for block in region.blocks
        if block.last_op is not None
        and not block.last_op.successors
        and block.last_op.name not in dead
    ]


# --- emission ------------------------------------------------------------------------------------
# A unit's points as operations of the mgpu dialect, on the streams they were assigned.
#
# An event is recorded as late as it can be: before the first that waits for it, or before its
# stream gets something else, or before control leaves the block. So an event lives for a short
# while, and serves again.


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
    if isinstance(point, Merge | LoopExit | StreamToken | CallToken):
        rw.after(op)
    return rw
