# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Units: what one thread of the host executes, in the order of the program, as the lowering of
tokens sees it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.conversion.async_tokens.points import (
    Argument,
    CallToken,
    ForeignLaunch,
    HostWait,
    Incoming,
    Join,
    LoopExit,
    Merge,
    Outside,
    Passed,
    Point,
    StreamToken,
    TokenPoint,
    Work,
    dependencies_of,
    is_gpu_token,
    is_inside,
    token_of,
    touches_tokens,
)
from xgpu.conversion.async_tokens.tokens import TokenView
from xgpu.core.ir.calls import is_call, is_return
from xgpu.core.ir.dominance import Dominators
from xgpu.core.ir.errors import op_error
from xgpu.core.ir.region_flow import EDGES, REGION_ENDS, successor_ranges
from xgpu.dialects import gpu
from xgpu.dialects.gpu.ops import is_async_op

# --- unit ----------------------------------------------------------------------------------------
# A unit: what one thread of the host executes, as the lowering of tokens sees it.
#
# Its script has all points in an order in which each comes after those that it needs, with the
# blocks that they are in. `units.py` writes it, from the view of the function that it is in.


@dataclass(frozen=True, slots=True)
class Enter:
    """A block begins."""

    block: Block


@dataclass(frozen=True, slots=True)
class Leave:
    """A block is over."""

    block: Block


@dataclass(frozen=True, slots=True)
class Push:
    """The regions of an operation begin."""

    op: Operation


@dataclass(frozen=True, slots=True)
class Pop:
    """The regions of an operation are over."""

    op: Operation


@dataclass(frozen=True, slots=True)
class At:
    """A point."""

    point: Point


@dataclass(frozen=True, slots=True)
class Edge:
    """Control goes on from here, to where merges take their tokens (`Unit.edges`)."""

    op: Operation


Step = Enter | Leave | Push | Pop | At | Edge


class Unit:
    """A region that one thread of the host executes, with its points in order."""

    __slots__ = (
        "dominator", "edges", "forks", "needs", "number", "of", "on_stream", "order", "points",
        "region", "script", "through",
    )  # fmt: skip

    def __init__(self, region: Region) -> None:
        self.region = region
        self.points: list[Point] = []
        #: The position of each point among them.
        self.number: dict[Point, int] = {}
        self.script: list[Step] = []
        #: Token -> point
        self.of: dict[SSAValue, Point] = {}
        #: The points whose tokens a point needs, and those that the host orders before it.
        self.needs: dict[Point, list[Point]] = {}
        self.order: dict[Point, list[Point]] = {}
        #: The points that get a place on a stream.
        self.on_stream: set[Point] = set()
        #: The points that stand for what they need: joins, and what the host does at once.
        self.through: set[Point] = set()
        #: Of joins: how many points need it.
        self.forks: dict[Point, int] = {}
        #: Block -> the block whose end every way to it has passed, in the same region
        self.dominator: dict[Block, Block] = {}
        #: Operation -> (merge, successor if there are several, value) for those it leads to
        self.edges: dict[Operation, list[tuple[Merge, int | None, SSAValue]]] = {}

    def add(self, point: Point, needs: Iterable[Point]) -> None:
        """A point behind all that there are."""
        self.number[point] = len(self.points)
        self.points.append(point)
        self.needs[point] = list(dict.fromkeys(needs))
        self.order[point] = []
        if isinstance(point, Join | Outside):
            self.through.add(point)

    def count_forks(self) -> None:
        """Counts what needs each join."""
        self.forks = {}
        for point in self.points:
            if isinstance(point, HostWait):
                continue
            for need in self.needs[point]:
                if need in self.through:
                    self.forks[need] = self.forks.get(need, 0) + 1

    def sources(self, points: Iterable[Point], placed: Iterable[Point] = ()) -> list[Point]:
        """The points that `points` stand for: joins are seen through, but for those that have a
        place of their own by now (`placed`). In order, the last first."""
        through, found = self.through, dict[Point, None]()
        seen: set[Point] = set()
        stack = list(points)
        while stack:
            point = stack.pop()
            if point in seen:
                continue
            seen.add(point)
            if point in through and point not in placed:
                stack.extend(self.needs[point])
            else:
                found[point] = None
        number = self.number
        return sorted(found, key=lambda p: -number[p])


# --- units ---------------------------------------------------------------------------------------
# Builds the unit of a region: the points of its function's view, in the order of the program.


#: Operations through whose regions tokens can be followed.
_FOLLOWED = frozenset(EDGES) - {"async.execute"}
#: Points that are events already.
EVENTS = Argument | CallToken | ForeignLaunch


class Builder:
    """Builds the unit of a region."""

    __slots__ = ("_block", "_entering", "_host", "_last_sync", "_view", "unit")

    def __init__(self, region: Region, view: TokenView) -> None:
        self.unit = Unit(region)
        self._view = view
        self._block: Block = region.blocks[0]
        #: The last point at which the host waited, on every way to here.
        self._host: Point | None = None
        self._last_sync: Point | None = None
        #: Merges whose place is the beginning of a block that is still to come.
        self._entering: dict[Block, list[Point]] = {}

    def build(self) -> Unit:
        unit = self.unit
        entry = unit.region.blocks[0]
        for arg in entry.args:
            if is_gpu_token(arg):
                # The caller, or the code that began this thread, gives an event.
                known = self._view.of_value[arg]
                if not isinstance(known, Argument):
                    known = Argument(0, known.op, entry, arg)
                self._add_token(known, (), at=entry)
        self._region(unit.region)
        for point in unit.points:
            if isinstance(point, Merge):
                self._merged(point)
            elif isinstance(point, LoopExit):
                unit.needs[point] = self._earlier(point, unit.needs[point])
        if all(map(_frees, unit.on_stream)) and not any(isinstance(p, EVENTS) for p in unit.points):
            # Nothing runs here that freeing by the host could hold up.
            unit.through |= unit.on_stream
            unit.on_stream.clear()
        unit.count_forks()
        return unit

    def _merged(self, merge: Merge) -> None:
        """Where the tokens of a merge come from."""
        unit = self.unit
        values: list[SSAValue] = []
        for way in reversed(merge.incoming):
            assert way.value is not None
            unit.edges.setdefault(way.at, []).append((merge, way.successor, way.value))
            values.append(way.value)
        # Tokens of places behind this one come around a loop.
        unit.needs[merge] = self._earlier(merge, [unit.of[v] for v in values if v in unit.of])

    def _earlier(self, point: Point, needs: Iterable[Point]) -> list[Point]:
        number = self.unit.number
        return [need for need in needs if number[need] < number[point]]

    # --- points ------------------------------------------------------------------------------
    def _add(
        self,
        point: Point,
        needs: Iterable[Point],
        at: Block | None = None,
        *,
        on_stream: bool = False,
    ) -> None:
        """Adds a point here, or at the beginning of the block `at`."""
        unit = self.unit
        unit.add(point, needs)
        if at is not None:
            self._entering.setdefault(at, []).append(point)
        else:
            unit.script.append(At(point))
        if not on_stream:
            return
        unit.on_stream.add(point)
        if self._host is not None:
            unit.order[point].append(self._host)

    def _add_token(
        self,
        point: TokenPoint,
        needs: Iterable[Point],
        at: Block | None = None,
        *,
        on_stream: bool = False,
    ) -> None:
        self._add(point, needs, at, on_stream=on_stream)
        self.unit.of[point.value] = point

    def _waited(self, point: Point) -> None:
        """From here on, all is ordered behind `point`."""
        order = self.unit.order[point]
        if self._host is not None and self._host not in order:
            order.append(self._host)
        self._host = point

    def _points(self, op: Operation, tokens: Iterable[SSAValue]) -> list[Point]:
        of = self.unit.of
        found: list[Point] = []
        for token in tokens:
            point = of.get(token)
            if point is None:
                # A token from around this region: the thread there has waited for it.
                point = of[token] = Outside(0, op, self._block, token)
                self.unit.add(point, ())
            found.append(point)
        return found

    # --- the walk ----------------------------------------------------------------------------
    def _region(self, region: Region) -> None:
        """All blocks of a region, those that dominate others before them."""
        blocks = list(region.blocks)
        if len(blocks) == 1:
            self._one_block(blocks[0])
            return
        dominators = Dominators(region)
        hosts: dict[Block, Point | None] = {}
        entry = self._host
        for block in dominators.order:
            parent = dominators.parent(block)
            self._host = entry if parent is block else hosts[parent]
            if parent is not block:
                self.unit.dominator[block] = parent
                self._block_arguments(block)
            self._one_block(block)
            hosts[block] = self._host
        self._host = entry
        for block in blocks:
            if not dominators.reaches(block) and any(map(touches_tokens, block.ops)):
                raise op_error(next(filter(touches_tokens, block.ops)), "cannot be reached")

    def _block_arguments(self, block: Block) -> None:
        for arg in block.args:
            if not is_gpu_token(arg):
                continue
            merge = self._view.of_value[arg]
            assert isinstance(merge, Merge)
            for way in merge.incoming:
                if way.value is None:
                    raise op_error(way.at, "passes tokens in a way that cannot be followed")
            self._add_token(merge, (), block, on_stream=True)

    def _one_block(self, block: Block) -> None:
        script = self.unit.script
        outer = self._block
        self._block = block
        script.append(Enter(block))
        script.extend(At(point) for point in self._entering.pop(block, ()))
        for op in block.ops:
            self._operation(op)
        if block.last_op is not None:
            script.append(Edge(block.last_op))
        script.append(Leave(block))
        self._block = outer

    def _operation(self, op: Operation) -> None:
        name = op.name
        if name == "gpu.launch":
            raise op_error(op, "must be outlined first: run gpu-kernel-outlining")
        if is_async_op(op):
            self._gpu_operation(op)
        elif name in _FOLLOWED:
            self._control_flow(op)
        elif name == "async.execute":
            self._asynchronous_region(op)
        elif touches_tokens(op):
            self._other_operation(op)
        elif op.regions:
            self._regions(op)

    def _gpu_operation(self, op: Operation) -> None:
        needs = self._points(op, dependencies_of(op))
        token = token_of(op)
        point = self._view.of_op[op]
        if not isinstance(point, Work) or is_for_host(op, bool(self.unit.sources(needs))):
            if token is None and needs:
                wait = point if isinstance(point, HostWait) else HostWait(0, op, self._block)
                self._add(wait, needs)
                self._waited(wait)
                return
            join = point if isinstance(point, Join) else Join(0, op, self._block)
            self._add(join, needs)
            if token is not None:
                self.unit.of[token] = join
            return
        self._add(point, needs, on_stream=not isinstance(point, ForeignLaunch))
        if token is not None:
            self.unit.of[token] = point
        if token is not None or isinstance(point, ForeignLaunch):
            return
        # The host is blocked while one of these runs, so all of them are in order.
        order = self.unit.order[point]
        if self._last_sync is not None and self._last_sync not in order:
            order.append(self._last_sync)
        self._last_sync = point
        self._waited(point)

    def _other_operation(self, op: Operation) -> None:
        """Calls, returns, branches; anything else must not meet tokens."""
        tokens = [v for v in op.operands if is_gpu_token(v)]
        if op.successors and successor_ranges(op) is not None:
            return
        if is_return(op) or (is_call(op) and op.name != "func.call_indirect"):
            for value in tokens if is_return(op) else dict.fromkeys(tokens):
                self._pass(op, value)
            for result in op.results:
                if is_gpu_token(result):
                    event = CallToken(0, op, self._block, result)
                    self._add_token(event, ())
                    if not _stays_in_block(op, result):
                        point = StreamToken(0, op, self._block, result)
                        self._add_token(point, [event], on_stream=True)
            return
        parent = op.parent_op()
        if op.name in REGION_ENDS and parent is not None and parent.name in _FOLLOWED:
            return
        if op.name == "async.yield":
            self._wait_here(op, tokens)
            return
        if op.name == "async.await":
            join = Join(0, op, self._block)
            self._add(join, ())
            self.unit.of[op.results[0]] = join
            return
        raise op_error(op, "takes or gives tokens, which cannot be followed through it")

    def _wait_here(self, op: Operation, tokens: Iterable[SSAValue]) -> None:
        wait = HostWait(0, op, self._block)
        self._add(wait, self._points(op, tokens))
        self._waited(wait)

    def _pass(self, op: Operation, value: SSAValue) -> None:
        (point,) = self._points(op, [value])
        sources = self.unit.sources([point])
        # One place that is known now: its event serves, or (returned) one that is recorded there.
        single = sources[0] if len(sources) == 1 else None
        if is_return(op):
            is_here = (
                single is not None
                and not isinstance(single, EVENTS)
                and single.block is self._block
            )
            needs_stream = bool(sources) and not is_here
        else:
            needs_stream = len(sources) > 1
        passed = Passed(0, op, self._block, value)
        self._add(passed, [point])
        if self._host is not None:
            self.unit.order[passed].append(self._host)
        if needs_stream:
            self.unit.on_stream.add(passed)

    def _asynchronous_region(self, op: Operation) -> None:
        """Another thread of the host: its body is a unit of its own.

        What it takes from this one must be done before; what it gives has been waited for there.
        """
        captured = [
            v
            for inner in op.walk()
            if inner is not op
            for v in inner.operands
            if is_gpu_token(v) and v in self.unit.of
        ]
        if captured:
            self._wait_here(op, dict.fromkeys(captured))

    # --- control flow in regions -------------------------------------------------------------
    def _regions(self, op: Operation) -> None:
        script = self.unit.script
        length, count = len(script), len(self.unit.points)
        script.append(Push(op))
        for region in op.regions:
            if region.first_block is not None:
                host = self._host
                self._region(region)
                self._host = host
        script.append(Pop(op))
        if len(self.unit.points) == count:
            del script[length:]

    def _control_flow(self, op: Operation) -> None:
        if not any(map(is_gpu_token, op.results)) and not any(
            is_gpu_token(arg)
            for region in op.regions
            for block in region.blocks
            for arg in block.args
        ):
            self._regions(op)
            return
        incoming = {v: ways for v, ways in self._view.inputs(op).items() if is_gpu_token(v)}
        merges: dict[tuple[Incoming, ...], Merge] = {}
        for arg, ways in incoming.items():
            if isinstance(arg, BlockArgument) and len({way.value for way in ways}) > 1:
                merge = self._view.of_value[arg]
                assert isinstance(merge, Merge)
                self._add_token(merge, (), merge.block, on_stream=True)
                merges[tuple(ways)] = merge
        script = self.unit.script
        script.append(Edge(op))
        script.append(Push(op))
        for region in op.regions:
            if region.first_block is None:
                continue
            for arg in region.first_block.args:
                if is_gpu_token(arg) and arg not in self.unit.of:
                    self.unit.of[arg] = self._point_of(incoming[arg][0])
            host = self._host
            self._region(region)
            self._host = host
        script.append(Pop(op))
        for result in op.results:
            if is_gpu_token(result):
                ways = tuple(incoming.get(result, ()))
                self._result(op, result, ways, merges.get(ways))

    def _point_of(self, way: Incoming) -> Point:
        assert way.value is not None
        return self.unit.of[way.value]

    def _result(
        self, op: Operation, result: SSAValue, ways: tuple[Incoming, ...], loop: Merge | None
    ) -> None:
        """A token that `op` gives: `loop` is the merge of an argument that it is at the end."""
        points = set(map(self._point_of, ways))
        if loop is not None:
            self._add_token(LoopExit(0, op, self._block, result, loop), [loop, *points])
        elif len(points) == 1:
            self.unit.of[result] = points.pop()
        else:
            merge = self._view.of_value[result]
            assert isinstance(merge, Merge)
            self._add_token(merge, (), on_stream=True)


def is_for_host(op: Operation, has_needs: bool) -> bool:
    """Whether `op` is no work for a stream: memory that the host shares is there at once, and
    can be freed at once by the host, if nothing is to be waited for, or the host waits anyway."""
    if op.name == "gpu.alloc":
        return cast("gpu.AllocOp", op).host_shared is not None
    if op.name != "gpu.dealloc":
        return False
    source = cast("gpu.DeallocOp", op).memref.owner
    if not isinstance(source, Operation) or source.name != "gpu.alloc":
        return False
    shared = cast("gpu.AllocOp", source).host_shared is not None
    return shared and (token_of(op) is None or not has_needs)


def _frees(point: Point) -> bool:
    return isinstance(point, Work) and point.op.name == "gpu.dealloc"


def _stays_in_block(op: Operation, value: SSAValue) -> bool:
    """Whether all uses of `value`, which `op` gives, are in its block or in regions of operations
    there."""
    block = op.parent
    assert block is not None
    region = block.parent
    if region is None or len(region.blocks) == 1:
        return True
    return all(is_inside(use.operation.parent, block) for use in value.uses)
