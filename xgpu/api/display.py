# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Jupyter shows: modules and kernels as tables, with their sources folded in."""

from __future__ import annotations

from html import escape
from typing import Any

_CELL = "text-align:left;vertical-align:top;padding:2px 10px"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of cells that are HTML already."""
    header = "".join(f'<th style="{_CELL}">{escape(h)}</th>' for h in head)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>"


def code(text: str) -> str:
    return f'<pre style="margin:0">{escape(text)}</pre>'


def folded(title: str, text: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{code(text)}</details>"


def _parameters(parameters: Any) -> str:
    if parameters is None:
        return "not known"
    return "<br>".join(escape(repr(p)) for p in parameters) or "none"


def module_html(module: Any) -> str:
    """A module: its kernels and functions with what they take, and its source."""
    parts = [f"<b>xgpu module</b> on {escape(module.device)}"]
    rows = [
        [
            f"<b>{escape(name)}</b>",
            _parameters(kernel.parameters),
            escape(kernel.location or ""),
        ]
        for name, kernel in module.kernels.items()
    ]
    if rows:
        parts.append(table(["kernel", "parameters", "location"], rows))
    rows = [
        [
            f"<b>{escape(name)}</b>",
            _parameters(function.parameters),
            "<br>".join(escape(r) for r in function.results) or "nothing",
            escape(function.location or ""),
        ]
        for name, function in module.functions.items()
    ]
    if rows:
        parts.append(table(["function", "parameters", "results", "location"], rows))
    parts.append(f"<div>{module.tokens_svg()}</div>")
    parts.append(folded("source", module.source))
    return "".join(parts)


def kernel_html(kernel: Any) -> str:
    """A kernel: what it takes, what it needs, and its code."""
    known: dict[str, int | None] = {} if kernel._loaded.closed else kernel.attributes
    facts = [
        [escape(name.replace("_", " ")), "not known" if value is None else str(value)]
        for name, value in known.items()
    ]
    parts = [
        f"<b>kernel {escape(kernel.name)}</b> on {escape(kernel.device)}",
        table(["", ""], [["parameters", _parameters(kernel.parameters)], *facts]),
    ]
    if kernel.source is not None:
        parts.append(folded("source", kernel.source))
    return "".join(parts)
