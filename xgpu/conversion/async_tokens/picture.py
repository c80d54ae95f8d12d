# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A token graph as a picture (SVG): a box for each point, below all that it waits for; dashed lines
go to the next iteration of a loop.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from xgpu.conversion.async_tokens.text import FunctionPoints, functions_of, label_of

if TYPE_CHECKING:
    from xgpu.conversion.async_tokens.graph import TokenGraph
    from xgpu.conversion.async_tokens.points import Point

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
