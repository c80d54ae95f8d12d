# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether launches may run at the same time, and if not, what keeps them apart.

For each pair of a function's launches (and calls of functions that launch): the way from one to the
other by tokens, the wait of the host that is between them, or the stream that the lowering put
both on.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xgpu.conversion.async_tokens.graph import (
    TokenGraph,
    Touched,
    buffer_name,
    build,
    shared_buffers,
)
from xgpu.conversion.async_tokens.points import Call, HostWait, Point, Work
from xgpu.conversion.async_tokens.text import describe, location_text
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.syntax import context

#: Of more launches than this in a function, the first are compared.
LIMIT = 48

_LAUNCHES = frozenset(("gpu.launch_func", "gpu.launch"))


def explain(module: ModuleOp) -> str:
    """The explanation for each function of `module`, which is left as it is."""
    module = _outlined(module)
    graph = build(module)
    streams = _streams(module, graph)
    lines: list[str] = []
    for function in graph.functions:
        launches = [n for n in graph.of(function) if _launches(graph, n)]
        if len(launches) < 2 and not any(graph.common_loop(n, n) for n in launches):
            continue
        lines.append(f"@{symbol_name(function)}: {len(launches)} launches")
        shown = launches[:LIMIT]
        for i, b in enumerate(shown):
            lines += [f"  {_pair(graph, streams, a, b)}" for a in shown[:i]]
            if graph.common_loop(b, b) is not None:
                lines.append(f"  {_iterations(graph, streams, b)}")
        if len(launches) > LIMIT:
            lines.append(f"  (the first {LIMIT} of them are compared)")
    if not lines:
        return "there are no two launches in one function\n"
    return "\n".join(lines) + "\n"


def _outlined(module: ModuleOp) -> ModuleOp:
    """A copy in which each gpu.launch is a launch of a function, as the lowering will have it."""
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context

    copy = module.clone()
    if any(op.name == "gpu.launch" for op in copy.walk()):
        parse_pipeline("builtin.module(gpu-kernel-outlining)").run(copy, context())
    return copy


def _launches(graph: TokenGraph, point: Point) -> bool:
    if isinstance(point, Work):
        return point.op.name in _LAUNCHES
    if not isinstance(point, Call):
        return False
    summary = graph.summary(point.op)
    return summary is not None and bool(summary.work)


def _streams(module: ModuleOp, graph: TokenGraph) -> dict[Point, SSAValue]:
    """The stream that the lowering puts each launch on; empty if it has something to say against
    the program.
    """
    from xgpu.core.passes.pipeline_text import parse_pipeline

    lowered = module.clone()
    try:
        parse_pipeline("builtin.module(gpu-async-to-mgpu)").run(lowered, context())
    except DiagnosticError:
        return {}
    found: dict[Point, SSAValue] = {}
    functions = [f for f in build(lowered).functions if f.parent_op() is lowered]
    after = {symbol_name(f): f for f in functions}
    for function in graph.functions:
        other = after.get(symbol_name(function))
        if other is None:
            continue
        before = [n for n in graph.of(function) if n.op.name == "gpu.launch_func"]
        made = [op for op in other.walk() if op.name in ("mgpu.launch", "gpu.launch_func")]
        if len(before) != len(made):
            continue
        for point, op in zip(before, made, strict=True):
            if op.name == "mgpu.launch":
                found[point] = op.operands[0]
    return found


def _title(point: Point) -> str:
    where = location_text(point)
    return describe(point) + (f" (line {where.split(':', 1)[0]})" if where else "")


def _pair(graph: TokenGraph, streams: dict[Point, SSAValue], a: Point, b: Point) -> str:
    head = f"{_title(a)} and {_title(b)}: "
    if graph.before(a, b):
        return f"{head}one after the other: {_reason(graph, a, b)}"
    if a.block is not b.block and _exclusive(a, b):
        return f"{head}only one of them runs"
    stream = streams.get(a)
    if stream is not None and stream is streams.get(b):
        return f"{head}one after the other: the lowering has both on one stream"
    names = [buffer_name(v) for v in shared_buffers(Touched(), a, b)]
    race = f", though both touch {', '.join(names)} and one writes" if names else ""
    return f"{head}may run together{race}"


def _iterations(graph: TokenGraph, streams: dict[Point, SSAValue], point: Point) -> str:
    head = f"{_title(point)} of two iterations: "
    if graph.before_carried(point, point):
        return f"{head}one after the other: by the tokens that the loop passes on, or a host wait"
    if point in streams:
        return f"{head}one after the other: a loop has one stream for each operation in it"
    return f"{head}may run together"


def _exclusive(a: Point, b: Point) -> bool:
    """Whether the points are in different regions of one branch."""
    above: dict[Operation, object] = {}
    block = a.block
    while block is not None and (op := block.parent_op()) is not None:
        above[op] = block.parent
        block = op.parent
    block = b.block
    while block is not None and (op := block.parent_op()) is not None:
        if op in above:
            return above[op] is not block.parent and op.name in (
                "scf.if",
                "scf.index_switch",
                "affine.if",
            )
        block = op.parent
    return False


def _reason(graph: TokenGraph, a: Point, b: Point) -> str:
    path = _path(graph, a, b)
    if path is not None:
        steps = [_title(n) for n in path[1:-1]]
        through = f" through {', '.join(steps)}" if steps else ""
        calls = " (a call takes and gives tokens)" if any(isinstance(n, Call) for n in path) else ""
        return f"the second waits for the token of the first{through}{calls}"
    if not a.is_async:
        return "the first is synchronous: the host goes on only when it is done"
    if isinstance(a, Call) and graph.host_ordered(a, b):
        return "the call returns only when its launches are done"
    for point in graph.of(graph.function(a)):
        if point is a or not _blocks(graph, point) or not graph.before(a, point):
            continue
        if graph.host_ordered(a, b) and (point.index < b.index or point is b):
            what = "waits for its dependencies" if point is b else f"waits at {_title(point)}"
            return f"the host {what} before the second"
    return "several tokens and waits together order them"


def _blocks(graph: TokenGraph, point: Point) -> bool:
    if isinstance(point, Call):
        summary = graph.summary(point.op)
        return summary is not None and bool(summary.waits_for)
    return isinstance(point, Work | HostWait) and not point.is_async


def _path(graph: TokenGraph, a: Point, b: Point) -> list[Point] | None:
    """The shortest way by tokens from `a` to `b`, both included."""
    before: dict[Point, Point | None] = {b: None}
    level = [b]
    while level:
        following: list[Point] = []
        for point in level:
            carried = graph.carried(point)
            for pred in graph.predecessors(point):
                if pred in before or pred in carried:
                    continue
                before[pred] = point
                if pred is a:
                    path: list[Point] = []
                    at: Point | None = a
                    while at is not None:
                        path.append(at)
                        at = before[at]
                    return path
                following.append(pred)
        level = following
    return None
