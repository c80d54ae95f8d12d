# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph of a function's (or of all functions') asynchronous operations, and which buffers its
points touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.conversion.async_tokens.happens_before import FunctionOrder, Summary
from xgpu.conversion.async_tokens.points import (
    Argument,
    AsyncRegion,
    Call,
    HostAccess,
    Loop,
    Point,
    Work,
    is_token,
)
from xgpu.conversion.async_tokens.tokens import TokenEdges, TokenView
from xgpu.core.ir.calls import callee_name, has_body, is_function
from xgpu.core.ir.effects import effects
from xgpu.core.ir.symbols import resolve
from xgpu.dialects import gpu
from xgpu.dialects.gpu.ops import is_async_op
from xgpu.dialects.mgpu.ops import communicated

# --- graph ---------------------------------------------------------------------------------------
# The graph of a function's (or of all functions') asynchronous operations.
#
#     graph = build(function)
#     for point in graph.work():
#         print(point.op.name, [p.op.name for p in graph.predecessors(point)])
#     graph.before(a, b)
#
# Edges are tokens; what the host waits for orders too. Loops: `before` compares what happens in one
# iteration of the loops around both operations, `before_carried` the earlier iterations of the
# innermost of them with the current one. Calls: a function is described by its summary.


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


# --- effects -------------------------------------------------------------------------------------
# Which buffers the points of a token graph touch: the effects that tokens and waits must order.


#: Operations whose result is the buffer of their first operand, seen otherwise.
_VIEWS = frozenset(
    (
        "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.memory_space_cast",
        "memref.reinterpret_cast", "memref.subview", "memref.transpose", "memref.view",
        "memref.assume_alignment", "builtin.unrealized_conversion_cast",
    )
)  # fmt: skip

#: Operations that look at no more than the type and the sizes of a buffer.
_QUERIES = frozenset(("memref.dim", "memref.rank", "memref.extract_strided_metadata"))

_READS = frozenset(("memref.load", "affine.load", "vector.load", "vector.transfer_read"))


def root(value: SSAValue) -> SSAValue:
    """The buffer that a memref is a view of."""
    while isinstance(value.owner, Operation) and value.owner.name in _VIEWS:
        value = value.owner.operands[0]
    return value


def is_buffer(value: SSAValue) -> bool:
    return getattr(value.type, "name", "") in ("memref", "unranked_memref", "llvm.ptr")


class Touched:
    """What points touch: `of(point)` has each buffer and whether it is written."""

    def __init__(self) -> None:
        self._kernels: dict[Operation, list[bool]] = {}

    def of(self, point: Point) -> dict[SSAValue, bool]:
        if not isinstance(point, Work | HostAccess | Call):
            return {}
        op = point.op
        if op.name == "gpu.memcpy":
            copy = cast("gpu.MemcpyOp", op)
            found = {root(copy.src): False}
            found[root(copy.dst)] = True
            return found
        if op.name == "gpu.launch_func":
            return self._of_launch(cast("gpu.LaunchFuncOp", op))
        if op.name == "gpu.launch":
            return self._of_body(op)
        if op.name == "mgpu.communicate":
            return _merged(communicated(op))
        return self._of_operands(op)

    def _of_body(self, launch: Operation) -> dict[SSAValue, bool]:
        """What a kernel that is not outlined yet touches of what is defined outside of it."""
        found: dict[SSAValue, bool] = {}
        for op in launch.walk():
            if op is launch or op.name in _VIEWS or op.name in _QUERIES:
                continue
            for buffer, writes in self._of_operands(op).items():
                if not launch.is_ancestor(buffer.owner):
                    found[buffer] = found.get(buffer, False) or writes
        return found

    def _of_operands(self, op: Operation) -> dict[SSAValue, bool]:
        known = effects(op) if op.name not in ("func.call", "llvm.call") else None
        found: dict[SSAValue, bool] = {}
        for value in (*op.operands, *op.results):
            if not is_buffer(value):
                continue
            own = [e.kind for e in known or () if e.value is value]
            writes = any(kind != "read" for kind in own) if own else True
            found[root(value)] = found.get(root(value), False) or writes
        return found

    def _of_launch(self, op: gpu.LaunchFuncOp) -> dict[SSAValue, bool]:
        writes = self._written(op)
        found: dict[SSAValue, bool] = {}
        for i, value in enumerate(op.kernel_operands):
            if is_buffer(value):
                is_written = writes[i] if i < len(writes) else True
                found[root(value)] = found.get(root(value), False) or is_written
        return found

    def _written(self, op: Operation) -> list[bool]:
        """For each argument of a kernel whether the kernel may write to it."""
        name = op.properties.get("kernel")
        path = resolve(op, name) if isinstance(name, SymbolRefAttr) else None
        if not path or not path[-1].regions:
            return []
        kernel = path[-1]
        known = self._kernels.get(kernel)
        if known is None:
            block = kernel.regions[0].first_block
            known = [] if block is None else [_may_write(argument) for argument in block.args]
            self._kernels[kernel] = known
        return known


def _merged(uses: Iterable[tuple[SSAValue, bool]]) -> dict[SSAValue, bool]:
    """Each buffer once, and whether any use writes it."""
    found: dict[SSAValue, bool] = {}
    for value, writes in uses:
        found[root(value)] = found.get(root(value), False) or writes
    return found


def _may_write(value: SSAValue) -> bool:
    if not is_buffer(value):
        return False
    for use in value.uses:
        op = use.operation
        if op.name in _VIEWS:
            if _may_write(op.results[0]):
                return True
        elif op.name not in _READS and op.name not in _QUERIES:
            return True
    return False


def shared_buffers(touched: Touched, a: Point, b: Point) -> list[SSAValue]:
    """The buffers that both points touch and at least one writes."""
    first, second = touched.of(a), touched.of(b)
    return [v for v, writes in first.items() if v in second and (writes or second[v])]


def buffer_name(value: SSAValue) -> str:
    """A name for messages."""
    if value.name_hint:
        return f"%{value.name_hint}"
    if isinstance(value, BlockArgument):
        return f"argument {value.index}"
    assert isinstance(value.owner, Operation)
    return f"result of {value.owner.name}"


def unordered_conflicts(
    graph: TokenGraph, function: Operation, limit: int = 100
) -> list[tuple[Point, Point]]:
    """Pairs of a function's points that touch one buffer, one writing, and that nothing orders.

    Only buffers that are known to be one are compared; at most `limit` pairs are given.
    """
    touched = Touched()
    order = graph.order(function)
    owner: dict[int, Point] = {}
    all_of: dict[SSAValue, int] = {}
    writers_of: dict[SSAValue, int] = {}
    host = 0
    found: dict[tuple[Point, Point], None] = {}
    for point in graph.of(function):
        buffers = touched.of(point)
        if not buffers or point not in order.start:
            continue
        needs = order.need.get(point, point.bit)
        for buffer, writes in buffers.items():
            before = (all_of if writes else writers_of).get(buffer, 0)
            if isinstance(point, HostAccess):
                before &= ~host
            missing = before & ~order.start[point]
            while missing and len(found) < limit:
                low = missing & -missing
                missing ^= low
                found[owner[low], point] = None
            all_of[buffer] = all_of.get(buffer, 0) | needs
            if writes:
                writers_of[buffer] = writers_of.get(buffer, 0) | needs
        if isinstance(point, HostAccess):
            host |= needs
        while needs:
            low = needs & -needs
            needs ^= low
            owner[low] = point
    return list(found)
