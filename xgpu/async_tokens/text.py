# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A token graph as text, as a Mermaid diagram, or for Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.async_tokens.effects import Touched, buffer_name, shared_buffers, unordered_conflicts
from xgpu.ir.symbols import symbol_name

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.async_tokens.graph import TokenGraph
    from xgpu.async_tokens.nodes import Node

FORMATS = ("text", "mermaid", "dot")


def describe(node: Node) -> str:
    """What a node is, in a few words."""
    op = node.op
    if node.kind in ("merge", "argument"):
        what = "argument" if node.kind == "argument" else f"token of {op.name}"
        hint = node.value.name_hint if node.value is not None else None
        return f"{what} %{hint}" if hint else what
    token = next((r for r in reversed(op.results) if r.name_hint), None)
    name = f"%{token.name_hint} = " if token is not None and token.name_hint else ""
    target: Any = op.properties.get("kernel") or op.properties.get("callee")
    text = f"{name}{op.name}"
    if target is not None:
        path = [target.root_reference.data, *(n.data for n in target.nested_references)]
        text += " " + "::".join(f"@{part}" for part in path)
    return text


def place(node: Node) -> str:
    """Where a node is: line and column, or nothing."""
    from xgpu.ir.locations import place_of

    if node.kind in ("merge", "argument"):
        return ""
    found = place_of(node.op.location)
    return "" if found is None else f"{found[1]}:{found[2]}"


class _Function:
    """The nodes of a function that are shown, with their numbers."""

    def __init__(self, graph: TokenGraph, function: Operation) -> None:
        self.graph = graph
        self.function = function
        self.name = symbol_name(function) or "function"
        self.nodes = [n for n in graph.of(function) if n.kind != "call" or _matters(graph, n)]
        self.number = {node: i for i, node in enumerate(self.nodes)}
        self.is_shown = any(n.kind != "host" for n in self.nodes)
        self._work = [n for n in self.nodes if n.kind in ("work", "call")]
        self._waited: dict[int, list[Node]] = {}

    def host_waits(self, node: Node) -> list[Node]:
        """What the host has waited for before `node`, but not what others of it came behind."""
        order = self.graph.order(self.function)
        bits = order.host.get(node, 0)
        found = self._waited.get(bits)
        if found is None:
            done = [n for n in self._work if self.graph.host_ordered(n, node)]
            behind = 0
            for n in done:
                behind |= order.start[n]
            needs = [order.need.get(n, n.bit) for n in done]
            found = [n for n, need in zip(done, needs, strict=True) if need & ~behind]
            self._waited[bits] = found
        return found


def _matters(graph: TokenGraph, call: Node) -> bool:
    """Whether a call has to do with tokens or devices."""
    from xgpu.async_tokens.nodes import is_token

    summary = graph.summary(call.op)
    if summary is not None and not summary.is_host_only:
        return True
    return any(is_token(v.type) for v in (*call.op.operands, *call.op.results))


def _functions(graph: TokenGraph) -> list[_Function]:
    shown = [_Function(graph, function) for function in graph.functions]
    return [f for f in shown if f.is_shown]


def to_text(graph: TokenGraph) -> str:
    """One line a node: what it is and where, what it waits for, which buffers it touches."""
    lines: list[str] = []
    for f in _functions(graph):
        lines.append(f"@{f.name}")
        touched = Touched()
        for node in f.nodes:
            lines.append("  " + _line(f, node, touched))
        for a, b in unordered_conflicts(graph, f.function):
            names = ", ".join(buffer_name(v) for v in shared_buffers(touched, a, b))
            if a in f.number and b in f.number:
                lines.append(
                    f"  nothing orders #{f.number[a]} and #{f.number[b]}, which share {names}"
                )
    return "\n".join(lines) + "\n"


def _line(f: _Function, node: Node, touched: Touched) -> str:
    where = place(node)
    parts = [f"#{f.number[node]} {node.kind}: {describe(node)}" + (f" at {where}" if where else "")]
    after = [
        f"#{f.number[p]}{' of the iteration before' if p in node.carried else ''}"
        for p in node.preds
        if p in f.number
    ]
    if after:
        parts.append(f"after {', '.join(after)}")
    if node.kind in ("work", "call", "host"):
        waited = [f"#{f.number[n]}" for n in f.host_waits(node)]
        if waited:
            parts.append(f"the host has waited for {', '.join(waited)}")
    buffers = touched.of(node)
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


def _label(node: Node) -> str:
    where = place(node)
    return describe(node) + (f" ({where})" if where else "")


def to_mermaid(graph: TokenGraph) -> str:
    """A Mermaid flowchart: one subgraph a function; dotted edges go to the next iteration."""
    lines = ["flowchart TD"]
    for k, f in enumerate(_functions(graph)):
        lines.append(f'  subgraph f{k}["@{f.name}"]')
        for node in f.nodes:
            opening, closing = _MERMAID.get(node.kind, ("[", "]"))
            label = _label(node).replace('"', "'")
            lines.append(f'    f{k}n{f.number[node]}{opening}"{label}"{closing}')
        for node in f.nodes:
            for pred in node.preds:
                if pred in f.number:
                    arrow = "-.->" if pred in node.carried else "-->"
                    lines.append(f"    f{k}n{f.number[pred]} {arrow} f{k}n{f.number[node]}")
        lines.append("  end")
    return "\n".join(lines) + "\n"


_DOT = {"join": "diamond", "host_wait": "parallelogram", "host": "parallelogram",
        "merge": "ellipse", "argument": "ellipse", "call": "component"}  # fmt: skip


def to_dot(graph: TokenGraph) -> str:
    """A Graphviz digraph: one cluster a function; dashed edges go to the next iteration."""
    lines = ["digraph tokens {", "  node [shape=box];"]
    for k, f in enumerate(_functions(graph)):
        lines.append(f"  subgraph cluster_{k} {{")
        lines.append(f'    label="@{f.name}";')
        for node in f.nodes:
            label = _label(node).replace('"', '\\"')
            shape = _DOT.get(node.kind, "box")
            lines.append(f'    f{k}n{f.number[node]} [label="{label}", shape={shape}];')
        for node in f.nodes:
            for pred in node.preds:
                if pred in f.number:
                    style = " [style=dashed]" if pred in node.carried else ""
                    lines.append(f"    f{k}n{f.number[pred]} -> f{k}n{f.number[node]}{style};")
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def render(graph: TokenGraph, form: str) -> str:
    """The graph in one of FORMATS."""
    return {"text": to_text, "mermaid": to_mermaid, "dot": to_dot}[form](graph)
