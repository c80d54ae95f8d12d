# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A token graph as text, as a Mermaid diagram, for Graphviz, or as a picture (SVG)."""

from __future__ import annotations

from html import escape

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Operation

from xgpu.conversion.async_tokens.graph import (
    TokenGraph,
    Touched,
    buffer_name,
    shared_buffers,
    unordered_conflicts,
)
from xgpu.conversion.async_tokens.points import (
    Argument,
    Call,
    HostAccess,
    Point,
    TokenPoint,
    Work,
    is_token,
)
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.symbols import symbol_name

# --- text ----------------------------------------------------------------------------------------
# A token graph as text, as a Mermaid diagram, or for Graphviz.


FORMATS = ("text", "mermaid", "dot")


def describe(point: Point) -> str:
    """What a point is, in a few words."""
    op = point.op
    if isinstance(point, TokenPoint):
        what = "argument" if isinstance(point, Argument) else f"token of {op.name}"
        hint = point.value.name_hint
        return f"{what} %{hint}" if hint else what
    token = next((r for r in reversed(op.results) if r.name_hint), None)
    name = f"%{token.name_hint} = " if token is not None and token.name_hint else ""
    target = op.properties.get("kernel") or op.properties.get("callee")
    text = f"{name}{op.name}"
    if isinstance(target, SymbolRefAttr):
        path = [target.root_reference.data, *(n.data for n in target.nested_references)]
        text += " " + "::".join(f"@{part}" for part in path)
    return text


def location_text(point: Point) -> str:
    """Line and column of a point, or nothing."""
    found = source_location(point.location)
    return "" if found is None else f"{found[1]}:{found[2]}"


class FunctionPoints:
    """The points of a function that are shown, with their numbers."""

    def __init__(self, graph: TokenGraph, function: Operation) -> None:
        self.graph = graph
        self.function = function
        self.name = symbol_name(function) or "function"
        self.points = [
            n for n in graph.of(function) if not isinstance(n, Call) or _matters(graph, n)
        ]
        self.number = {point: i for i, point in enumerate(self.points)}
        self.is_shown = any(not isinstance(n, HostAccess) for n in self.points)
        self._work = [n for n in self.points if isinstance(n, Work | Call)]
        self._waited: dict[int, list[Work | Call]] = {}

    def host_waits(self, point: Point) -> list[Work | Call]:
        """What the host has waited for before `point`, but not what others of it came behind."""
        order = self.graph.order(self.function)
        bits = order.host.get(point, 0)
        found = self._waited.get(bits)
        if found is None:
            done = [n for n in self._work if self.graph.host_ordered(n, point)]
            behind = 0
            for n in done:
                behind |= order.start[n]
            needs = [order.need.get(n, n.bit) for n in done]
            found = [n for n, need in zip(done, needs, strict=True) if need & ~behind]
            self._waited[bits] = found
        return found


def _matters(graph: TokenGraph, call: Point) -> bool:
    """Whether a call has to do with tokens or devices."""
    summary = graph.summary(call.op)
    if summary is not None and not summary.is_host_only:
        return True
    return any(is_token(v.type) for v in (*call.op.operands, *call.op.results))


def functions_of(graph: TokenGraph) -> list[FunctionPoints]:
    shown = [FunctionPoints(graph, function) for function in graph.functions]
    return [f for f in shown if f.is_shown]


def to_text(graph: TokenGraph) -> str:
    """One line a point: what it is and where, what it waits for, which buffers it touches."""
    lines: list[str] = []
    for f in functions_of(graph):
        lines.append(f"@{f.name}")
        touched = Touched()
        for point in f.points:
            lines.append("  " + _line(f, point, touched))
        for a, b in unordered_conflicts(graph, f.function):
            names = ", ".join(buffer_name(v) for v in shared_buffers(touched, a, b))
            if a in f.number and b in f.number:
                lines.append(
                    f"  nothing orders #{f.number[a]} and #{f.number[b]}, which share {names}"
                )
    return "\n".join(lines) + "\n"


def _line(f: FunctionPoints, point: Point, touched: Touched) -> str:
    where = location_text(point)
    parts = [
        f"#{f.number[point]} {point.kind}: {describe(point)}" + (f" at {where}" if where else "")
    ]
    carried = f.graph.carried(point)
    after = [
        f"#{f.number[p]}{' of the iteration before' if p in carried else ''}"
        for p in f.graph.predecessors(point)
        if p in f.number
    ]
    if after:
        parts.append(f"after {', '.join(after)}")
    if isinstance(point, Work | Call | HostAccess):
        waited = [f"#{f.number[n]}" for n in f.host_waits(point)]
        if waited:
            parts.append(f"the host has waited for {', '.join(waited)}")
    buffers = touched.of(point)
    if buffers:
        written = [buffer_name(v) for v, writes in buffers.items() if writes]
        read = [buffer_name(v) for v, writes in buffers.items() if not writes]
        if read:
            parts.append(f"reads {', '.join(read)}")
        if written:
            parts.append(f"writes {', '.join(written)}")
    return "; ".join(parts)


_MERMAID = {"join": ("{{", "}}"), "host_wait": ("[/", "/]"), "host": ("[/", "/]"),
            "merge": ("(", ")"), "argument": ("(", ")"), "call": ("[[", "]]")}  # fmt: skip


def label_of(point: Point) -> str:
    """What a point is and where, in a few words."""
    where = location_text(point)
    return describe(point) + (f" ({where})" if where else "")


def to_mermaid(graph: TokenGraph) -> str:
    """A Mermaid flowchart: one subgraph a function; dotted edges go to the next iteration."""
    lines = ["flowchart TD"]
    for k, f in enumerate(functions_of(graph)):
        lines.append(f'  subgraph f{k}["@{f.name}"]')
        for point in f.points:
            opening, closing = _MERMAID.get(point.kind, ("[", "]"))
            label = label_of(point).replace('"', "'")
            lines.append(f'    f{k}n{f.number[point]}{opening}"{label}"{closing}')
        for point in f.points:
            carried = graph.carried(point)
            for pred in graph.predecessors(point):
                if pred in f.number:
                    arrow = "-.->" if pred in carried else "-->"
                    lines.append(f"    f{k}n{f.number[pred]} {arrow} f{k}n{f.number[point]}")
        lines.append("  end")
    return "\n".join(lines) + "\n"


_DOT = {"join": "diamond", "host_wait": "parallelogram", "host": "parallelogram",
        "merge": "ellipse", "argument": "ellipse", "call": "component"}  # fmt: skip


def to_dot(graph: TokenGraph) -> str:
    """A Graphviz digraph: one cluster a function; dashed edges go to the next iteration."""
    lines = ["digraph tokens {", "  node [shape=box];"]
    for k, f in enumerate(functions_of(graph)):
        lines.append(f"  subgraph cluster_{k} {{")
        lines.append(f'    label="@{f.name}";')
        for point in f.points:
            label = label_of(point).replace('"', '\\"')
            shape = _DOT.get(point.kind, "box")
            lines.append(f'    f{k}n{f.number[point]} [label="{label}", shape={shape}];')
        for point in f.points:
            carried = graph.carried(point)
            for pred in graph.predecessors(point):
                if pred in f.number:
                    style = " [style=dashed]" if pred in carried else ""
                    lines.append(f"    f{k}n{f.number[pred]} -> f{k}n{f.number[point]}{style};")
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def render(graph: TokenGraph, form: str) -> str:
    """The graph in one of FORMATS."""
    return {"text": to_text, "mermaid": to_mermaid, "dot": to_dot}[form](graph)


# --- picture -------------------------------------------------------------------------------------
# A token graph as a picture (SVG): a box for each point, below all that it waits for; dashed lines
# go to the next iteration of a loop.


_LETTER, _HEIGHT, _GAP, _STEP, _EDGE = 7.3, 26, 18, 58, 12
_FILLS = {
    "join": "#e8eaf6", "host_wait": "#fff3e0", "host": "#fff3e0", "merge": "#f3e5f5",
    "argument": "#f3e5f5", "call": "#e0f2f1",
}  # fmt: skip


def to_svg(graph: TokenGraph) -> str:
    """The functions of a program that have tokens, one below the other; empty without any."""
    parts: list[str] = []
    width, top = 0.0, 0.0
    for function in functions_of(graph):
        drawn, wide, high = _function(function, top)
        parts += drawn
        width, top = max(width, wide), top + high
    if not parts:
        return ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{top:.0f}" '
        'font-family="monospace" font-size="12"><defs><marker id="xgpu-arrow" refX="7" refY="4" '
        'markerWidth="8" markerHeight="8" orient="auto"><path d="M0,0 L8,4 L0,8 z"/></marker>'
        f"</defs>{''.join(parts)}</svg>"
    )


def _rows(function: FunctionPoints) -> list[list[Point]]:
    """The points by how many others, one behind the other, they wait for."""
    graph = function.graph
    level: dict[Point, int] = {}
    for point in function.points:  # in the order of the program: what comes along a loop is later
        behind = graph.carried(point)
        known = [level[p] for p in graph.predecessors(point) if p in level and p not in behind]
        level[point] = max(known, default=-1) + 1
    rows: list[list[Point]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for point, number in level.items():
        rows[number].append(point)
    return rows


def _function(function: FunctionPoints, top: float) -> tuple[list[str], float, float]:
    """What a function's part consists of, its width and its height."""
    parts = [
        f'<text x="{_EDGE}" y="{top + 18:.0f}" font-weight="bold">@{escape(function.name)}</text>'
    ]
    centers: dict[Point, tuple[float, float]] = {}
    width = 0.0
    y = top + 30
    for row in _rows(function):
        x = float(_EDGE)
        for point in row:
            text = label_of(point)
            wide = _LETTER * len(text) + 14
            centers[point] = (x + wide / 2, y)
            fill = _FILLS.get(point.kind, "#e3f2fd")
            parts.append(
                f'<rect x="{x:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{_HEIGHT}" rx="4" '
                f'fill="{fill}" stroke="#455a64"/><text x="{x + 7:.0f}" y="{y + 17:.0f}">'
                f"{escape(text)}</text>"
            )
            x += wide + _GAP
        width = max(width, x)
        y += _STEP
    return parts + _lines(function, centers), width, y - top


def _lines(function: FunctionPoints, centers: dict[Point, tuple[float, float]]) -> list[str]:
    parts: list[str] = []
    for point, (x, y) in centers.items():
        behind = function.graph.carried(point)
        for other in function.graph.predecessors(point):
            if other not in centers:
                continue
            from_x, from_y = centers[other]
            dashed = ' stroke-dasharray="5,4"' if other in behind else ""
            parts.append(
                f'<line x1="{from_x:.0f}" y1="{from_y + _HEIGHT:.0f}" x2="{x:.0f}" y2="{y:.0f}" '
                f'stroke="#455a64"{dashed} marker-end="url(#xgpu-arrow)"/>'
            )
    return parts
