# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams and events of a unit: made when first needed, and put where they live.

A handle's operation is made detached and used at once. When all uses are there, its creation goes
before the first and its destruction behind the last of them, in the innermost block that has all
uses, but out of every loop: so each handle is created and destroyed once on every way through. In
a region of several blocks it is created in the first and destroyed at every exit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.conversion.async_tokens.points import Point, is_inside
from xgpu.conversion.async_tokens.streams import Streams
from xgpu.core import ods
from xgpu.core.ir.calls import is_function
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.mgpu.ops import EventType, StreamType

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

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
