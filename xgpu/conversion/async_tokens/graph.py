# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph of a function's (or of all functions') asynchronous operations.

    graph = build(function)
    for point in graph.work():
        print(point.op.name, [p.op.name for p in graph.predecessors(point)])
    graph.before(a, b)

Edges are tokens; what the host waits for orders too. Loops: `before` compares what happens in one
iteration of the loops around both operations, `before_carried` the earlier iterations of the
innermost of them with the current one. Calls: a function is described by its summary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.conversion.async_tokens.happens_before import FunctionOrder
from xgpu.conversion.async_tokens.point_sets import Loop
from xgpu.conversion.async_tokens.points import Argument, AsyncRegion, Call, Point, Work, is_token
from xgpu.conversion.async_tokens.summaries import Summary
from xgpu.conversion.async_tokens.token_view import TokenEdges, TokenView
from xgpu.core.ir.calls import callee_name, has_body, is_function
from xgpu.core.ir.symbols import resolve
from xgpu.dialects.gpu.ops import is_async_op

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdsl.ir import Operation, SSAValue

#: What a token may stand for.
_SOURCES = Work | Call | Argument | AsyncRegion

_FUNCTIONS = frozenset(("func.func", "async.func", "llvm.func"))


class TokenGraph:
    """Points in program order, by function; which is before which."""

    def __init__(self, top: Operation) -> None:
        self._orders: dict[Operation, FunctionOrder] = {}
        self._summaries: dict[Operation, Summary | None] = {}
        self._callees: dict[Operation, Operation | None] = {}
        self.functions: list[Operation] = list(_functions(top))
        self.points: list[Point] = []
        self._owner: dict[Point, FunctionOrder] = {}
        self._edges: dict[Operation, TokenEdges] = {}
        for function in self.functions:
            order = self._order(function)
            for point in order.view.points:
                self.points.append(point)
                self._owner[point] = order

    # -- building

    def _order(self, function: Operation) -> FunctionOrder:
        found = self._orders.get(function)
        if found is None:
            # While it is being built (recursion), nothing is known of it.
            self._summaries.setdefault(function, None)
            found = FunctionOrder(TokenView(function), self.summary)
            self._orders[function] = found
            self._summaries[function] = Summary(found)
        return found

    def callee(self, call: Operation) -> Operation | None:
        """The function with a body that a call calls, if it is known."""
        if call not in self._callees:
            name = callee_name(call)
            path = None if name is None else resolve(call, name)
            found = path[-1] if path and is_function(path[-1]) and has_body(path[-1]) else None
            if found is not None and found.name not in _FUNCTIONS:
                found = None
            self._callees[call] = found
        return self._callees[call]

    def summary(self, call: Operation) -> Summary | None:
        """What is known of the function that a call calls; None: nothing."""
        function = self.callee(call)
        if function is None:
            return None
        if function not in self._summaries:
            self._order(function)
        return self._summaries[function]

    # -- points

    def work(self, function: Operation | None = None) -> list[Work]:
        """The points that do work on the device, in program order."""
        return [p for p in self.of(function) if isinstance(p, Work)]

    def of(self, function: Operation | None = None) -> list[Point]:
        """The points of a function; of all without one."""
        return self.points if function is None else self._orders[function].view.points

    def edges(self, point: Point) -> TokenEdges:
        """The edges between the points of the function that a point is in."""
        function = self.function(point)
        found = self._edges.get(function)
        if found is None:
            found = self._edges[function] = TokenEdges(self._orders[function].view)
        return found

    def predecessors(self, point: Point) -> list[Point]:
        """The points whose tokens a point waits for itself."""
        return self.edges(point).before[point]

    def carried(self, point: Point) -> set[Point]:
        """Of `predecessors` those whose tokens an earlier iteration of a loop passes on."""
        return self.edges(point).carried.get(point, set())

    def point(self, what: Operation | SSAValue) -> Point | None:
        """The point of an operation or of a token."""
        from xdsl.ir import Operation

        for order in self._orders.values():
            view = order.view
            if isinstance(what, Operation):
                found = view.of_op.get(what)
            else:
                found = view.of_value.get(what)
            if found is not None:
                return found
        return None

    def order(self, function: Operation) -> FunctionOrder:
        """What is complete when in a function."""
        return self._orders[function]

    def function(self, point: Point) -> Operation:
        """The function that a point is in."""
        return self._owner[point].view.function

    def sources(self, token: SSAValue) -> frozenset[Point]:
        """The work, calls and arguments that a token may stand for, through joins and merges."""
        start = self.point(token)
        if start is None:
            return frozenset()
        found: set[Point] = set()
        before = self.edges(start).before
        seen = {start}
        stack = [start]
        while stack:
            point = stack.pop()
            if isinstance(point, _SOURCES):
                found.add(point)
                continue
            for source in before[point]:
                if source not in seen:
                    seen.add(source)
                    stack.append(source)
        return frozenset(found)

    # -- order

    def _needs(self, point: Point) -> int:
        return self._owner[point].need.get(point, point.bit)

    def before(self, a: Point, b: Point) -> bool:
        """Whether `a` is complete before `b` starts, by tokens or waits of the host.

        Both are of one function. What it says is so; it may fail to see an order that only
        several tokens of a loop together make.

        In loops around both: within one iteration of the innermost one. All executions of `a` in
        loops that are not around `b` are meant.
        """
        order = self._owner[b]
        return order is self._owner[a] and self._holds(a, order.start.get(b, 0))

    def host_ordered(self, a: Point, b: Point) -> bool:
        """Whether the host has waited for `a` before it comes to `b`."""
        order = self._owner[b]
        return order is self._owner[a] and self._holds(a, order.host.get(b, 0))

    def _holds(self, a: Point, bits: int) -> bool:
        needs = self._needs(a)
        return bits & needs == needs

    def before_carried(self, a: Point, b: Point) -> bool:
        """Whether `a` of all earlier iterations of the innermost loop around both is complete
        before `b` starts; true if there is no such loop.
        """
        loop = self.common_loop(a, b)
        if loop is None:
            return True
        order = self._owner[b]
        bits = order.start.get(b, 0)
        inner = order.loops.get(b, ())
        for one in reversed(inner[inner.index(loop) + 1 :]):
            # What is done before an inner loop's iteration, seen from the loop in question.
            bits = bits & ~one.mask
        return self._holds(a, loop.earlier(bits))

    def common_loop(self, a: Point, b: Point) -> Loop | None:
        """The innermost loop around both points."""
        found = None
        loops = self._owner[a].loops.get(a, ()), self._owner[b].loops.get(b, ())
        for one, other in zip(*loops, strict=False):
            if one is not other:
                break
            found = one
        return found

    def implied(self, token: SSAValue) -> list[Point]:
        """The points that are complete when a token is."""
        start = self.point(token)
        if start is None:
            return []
        order = self._owner[start]
        bits = order.implied.get(token, 0)
        return [p for p in order.view.points if isinstance(p, _SOURCES) and self._holds(p, bits)]


def _functions(top: Operation) -> Iterator[Operation]:
    if top.name in _FUNCTIONS:
        if has_body(top):
            yield top
        return
    if top.name == "gpu.module":
        return
    for region in top.regions:
        for block in region.blocks:
            for op in block.ops:
                if op.regions:
                    yield from _functions(op)


def build(top: Operation) -> TokenGraph:
    """The graph of a function, or of the functions of a module."""
    return TokenGraph(top)


__all__ = ["Loop", "Point", "TokenGraph", "build", "is_async_op", "is_token"]
