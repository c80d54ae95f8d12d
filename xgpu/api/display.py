# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Jupyter shows: modules and kernels as tables, with their sources folded in."""

from __future__ import annotations

from html import escape
from os import PathLike, fspath
from typing import Any

from xgpu.core.ir.errors import UsageError

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


class Page:
    """An HTML page: `html` is its text. A notebook shows it in a frame."""

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file. Raises `UsageError` where that cannot be written."""
        from xgpu.tools.files import check_output, write_output

        file = page_path(path)
        check_output(file)
        write_output(file, self.html)

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" title="xgpu" '
            'style="width:100%;height:720px;border:1px solid #ccc"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<xgpu page, {len(self.html)} characters; save(path) writes it>"


def page_path(path: object) -> str:
    """The path of a page. Raises `UsageError` for what is none."""
    found: object = fspath(path) if isinstance(path, str | PathLike) else None
    if not isinstance(found, str) or not found.endswith(".html"):
        raise UsageError(f"path is {path!r}, expected an .html file")
    return found
