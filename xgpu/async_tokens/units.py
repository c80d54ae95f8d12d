# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the unit of a region: its points (`async_points.py`) in the order of the program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.async_tokens.points import (
    Point,
    Unit,
    is_gpu_token,
    is_inside,
    sources_of,
    touches_tokens,
)
from xgpu.dialects.gpu.queries import is_async_op
from xgpu.ir.branches import predecessor_edges, successor_ranges
from xgpu.ir.calls import is_call, is_return
from xgpu.ir.dominance import Dominators
from xgpu.ir.errors import op_error
from xgpu.ir.region_flow import EDGES, REGION_ENDS, edges, region_ends

#: Operations through whose regions tokens can be followed.
_FOLLOWED = frozenset(EDGES) - {"async.execute"}


class Builder:
    """Builds the unit of a region."""

    __slots__ = ("_block", "_entering", "_host", "_last_sync", "unit")

    def __init__(self, region: Region) -> None:
        self.unit = Unit(region)
        self._block: Block = region.blocks[0]
        #: The last point at which the host waited, on every way to here.
        self._host: Point | None = None
        self._last_sync: Point | None = None
        #: Phis whose place is the beginning of a block that is still to come.
        self._entering: dict[Block, list[Point]] = {}

    def build(self) -> Unit:
        entry = self.unit.region.blocks[0]
        self._block = entry
        for arg in entry.args:
            if is_gpu_token(arg):
                self._add_value("event", None, arg, [], at=entry).event = arg
        self._region(self.unit.region)
        unit = self.unit
        for point in unit.points:
            if point.kind == "phi":
                values = [v for _, _, v in point.incoming]
                for place, successor, value in point.incoming:
                    unit.edges.setdefault(place, []).append((point, successor, value))
                # Tokens of places behind this one come around a loop.
                inner = [unit.of[v] for v in values if v in unit.of]
                point.needs = [p for p in inner if p.index < point.index]
            if point.kind == "exit":
                point.needs = [p for p in point.needs if p.index < point.index]
        works = [point for point in unit.points if point.is_covered]
        if all(map(_frees, works)) and all(p.kind != "event" for p in unit.points):
            # Nothing runs here that freeing by the host could hold up.
            for point in works:
                point.kind, point.is_covered, point.is_sync = "join", False, False
        for point in unit.points:
            for need in point.needs:
                if need.kind == "join" and point.kind != "host":
                    need.forks += 1
        return unit

    # --- points ------------------------------------------------------------------------------
    def _add(
        self, kind: str, op: Operation | None, needs: Iterable[Point], at: Block | None = None
    ) -> Point:
        """A new point here, or at the beginning of the block `at`."""
        point = Point(kind, op, at or self._block, list(dict.fromkeys(needs)))
        point.index = len(self.unit.points)
        self.unit.points.append(point)
        if at is not None:
            self._entering.setdefault(at, []).append(point)
        else:
            self.unit.script.append(("point", point))
        if self._host is not None and point.is_covered:
            point.order.append(self._host)
        return point

    def _add_value(
        self,
        kind: str,
        op: Operation | None,
        value: SSAValue,
        needs: Iterable[Point],
        at: Block | None = None,
    ) -> Point:
        point = self._add(kind, op, needs, at)
        point.value = value
        self.unit.of[value] = point
        return point

    def _waited(self, point: Point) -> None:
        """From here on, all is ordered behind `point`."""
        if self._host is not None and self._host not in point.order:
            point.order.append(self._host)
        self._host = point

    def _points(self, op: Operation, tokens: Iterable[SSAValue]) -> list[Point]:
        of = self.unit.of
        found: list[Point] = []
        for token in tokens:
            point = of.get(token)
            if point is None:
                # A token from around this region: the thread there has waited for it.
                point = of[token] = Point("join", None, self._block, [])
                point.index = len(self.unit.points)
                self.unit.points.append(point)
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
            phi = self._add_value("phi", None, arg, [], at=block)
            for branch, index in predecessor_edges(block):
                ranges = successor_ranges(branch)
                if ranges is None:
                    raise op_error(branch, "passes tokens in a way that cannot be followed")
                start, _ = ranges[index]
                value = branch.operands[start + arg.index]
                many = len(branch.successors) > 1
                phi.incoming.append((branch, index if many else None, value))

    def _one_block(self, block: Block) -> None:
        script = self.unit.script
        outer = self._block
        self._block = block
        script.append(("enter", block))
        script.extend(("point", point) for point in self._entering.pop(block, ()))
        for op in block.ops:
            self._operation(op)
        if block.last_op is not None:
            script.append(("edge", block.last_op))
        script.append(("leave", block))
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

    def _gpu_operation(self, op: Any) -> None:
        needs = self._points(op, op.async_dependencies)
        token = op.async_token
        if op.name == "gpu.wait" or is_for_host(op, bool(sources_of(needs))):
            if token is not None:
                self._add_value("join", op, token, needs)
            elif needs:
                self._waited(self._add("host", op, needs))
            else:
                self._add("join", op, needs)
            return
        if op.name == "gpu.launch_func" and op.async_object is not None:
            # On a stream of the program's own, of which nothing is known.
            point = self._add("event", op, needs)
            if token is not None:
                point.value = token
                self.unit.of[token] = point
            return
        point = self._add("work", op, needs)
        if token is not None:
            point.value = token
            self.unit.of[token] = point
            return
        point.is_sync = True
        # The host is blocked while one of these runs, so all of them are in order.
        if self._last_sync is not None and self._last_sync not in point.order:
            point.order.append(self._last_sync)
        self._last_sync = point
        self._waited(point)

    def _other_operation(self, op: Operation) -> None:
        """Calls, returns, branches; anything else must not meet tokens."""
        tokens = [v for v in op.operands if is_gpu_token(v)]
        if op.successors and successor_ranges(op) is not None:
            return
        if is_return(op) or (is_call(op) and op.name != "func.call_indirect"):
            for value in tokens if is_return(op) else dict.fromkeys(tokens):
                self._gather(op, value)
            for result in op.results:
                if is_gpu_token(result):
                    event = self._add_value("event", op, result, [])
                    event.event = result
                    if not _stays_in_block(result):
                        self._add_value("meet", op, result, [event])
            return
        parent = op.parent_op()
        if op.name in REGION_ENDS and parent is not None and parent.name in _FOLLOWED:
            return
        if op.name == "async.yield":
            self._waited(self._add("host", op, self._points(op, tokens)))
            return
        if op.name == "async.await":
            self._add_value("join", op, op.results[0], [])
            return
        raise op_error(op, "takes or gives tokens, which cannot be followed through it")

    def _gather(self, op: Operation, value: SSAValue) -> None:
        (point,) = self._points(op, [value])
        gather = self._add("gather", op, [point])
        gather.value = value
        sources = sources_of([point])
        # One place that is known now: its event serves, or (returned) one that is recorded there.
        single = sources[0] if len(sources) == 1 else None
        if is_return(op):
            gather.is_covered = bool(sources) and not (
                single is not None and single.kind != "event" and single.block is self._block
            )
        else:
            gather.is_covered = len(sources) > 1

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
            self._waited(self._add("host", op, self._points(op, dict.fromkeys(captured))))

    # --- control flow in regions -------------------------------------------------------------
    def _regions(self, op: Operation) -> None:
        script = self.unit.script
        length, count = len(script), len(self.unit.points)
        script.append(("push", op))
        for region in op.regions:
            if region.first_block is not None:
                host = self._host
                self._region(region)
                self._host = host
        script.append(("pop", op))
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
        incoming = _incoming(op)
        script = self.unit.script
        phis: dict[tuple[Any, ...], Point] = {}
        for arg, sources in incoming.items():
            if isinstance(arg, BlockArgument) and len({v for _, v in sources}) > 1:
                assert isinstance(arg.owner, Block)
                phi = self._add_value("phi", op, arg, [], at=arg.owner)
                phi.incoming = [(place, None, value) for place, value in sources]
                phis[tuple(sources)] = phi
        script.append(("edge", op))
        script.append(("push", op))
        for region in op.regions:
            if region.first_block is None:
                continue
            for arg in region.first_block.args:
                if is_gpu_token(arg) and arg not in self.unit.of:
                    ((_, value), *_) = incoming[arg]
                    self.unit.of[arg] = self.unit.of[value]
            host = self._host
            self._region(region)
            self._host = host
        script.append(("pop", op))
        for result in op.results:
            if not is_gpu_token(result):
                continue
            sources = incoming.get(result, [])
            points = {self.unit.of[v] for _, v in sources}
            phi = phis.get(tuple(sources))
            if phi is not None:
                exit = self._add_value("exit", op, result, [phi, *points])
                exit.phi = phi
            elif len(points) == 1:
                self.unit.of[result] = points.pop()
            else:
                self._result_phi(op, result, sources)

    def _result_phi(
        self, op: Operation, result: SSAValue, sources: list[tuple[Operation, SSAValue]]
    ) -> None:
        phi = self._add_value("phi", op, result, [])
        phi.incoming = [(place, None, value) for place, value in sources]


def is_for_host(op: Any, has_needs: bool) -> bool:
    """Whether `op` is no work for a stream: memory that the host shares is there at once, and
    can be freed at once by the host, if nothing is to be waited for, or the host waits anyway."""
    if op.name == "gpu.alloc":
        return op.host_shared is not None
    if op.name != "gpu.dealloc":
        return False
    source = op.memref.owner
    shared = getattr(source, "name", "") == "gpu.alloc" and source.host_shared is not None
    return shared and (op.async_token is None or not has_needs)


def _frees(point: Point) -> bool:
    return point.kind == "work" and point.op is not None and point.op.name == "gpu.dealloc"


def _stays_in_block(value: SSAValue) -> bool:
    """Whether all uses of `value` are in its block or in regions of operations there."""
    owner: Any = value.owner
    region = owner.parent.parent
    if region is None or len(region.blocks) == 1:
        return True
    return all(is_inside(use.operation.parent, owner.parent) for use in value.uses)


def _incoming(op: Operation) -> dict[SSAValue, list[tuple[Operation, SSAValue]]]:
    """For each token that `op` gives to its regions or as a result: where it comes from."""
    found: dict[SSAValue, list[tuple[Operation, SSAValue]]] = {}
    ends = [op]
    for index, region in enumerate(op.regions):
        if region.first_block is not None:
            ends += region_ends(op, index)
    for end in ends:
        for flow in edges(op, end):
            for value, target in zip(flow.operands, flow.inputs, strict=False):
                if is_gpu_token(target):
                    found.setdefault(target, []).append((end, value))
    return found
