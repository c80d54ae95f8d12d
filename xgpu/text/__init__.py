# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR text: reading, printing, diagnostics, and the verifier of IR structure.

Everything is imported when first used: `import xgpu.text` costs nothing beyond xDSL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.text.context import context
    from xgpu.text.printer import print_module, print_op
    from xgpu.text.source import Source

__all__ = ["context", "parse_module", "print_module", "print_op", "split_input"]

_LAZY = {
    "context": "xgpu.text.context",
    "print_module": "xgpu.text.printer",
    "print_op": "xgpu.text.printer",
}


def __getattr__(name: str) -> Any:
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    found = getattr(importlib.import_module(module), name)
    globals()[name] = found
    return found


def parse_module(
    text: str | Source,
    filename: str = "-",
    *,
    allow_unregistered: bool = False,
    ctx: Any = None,
) -> ModuleOp:
    """Reads a text. The module is not verified (see `xgpu.text.verify`).

    Raises `DiagnosticError` where the text is wrong. Resources in `{-# ... #-}` are kept as
    `module.xgpu_resources`.
    """
    from xgpu.text.context import TableContext
    from xgpu.text.parser import Parser
    from xgpu.text.source import Source

    source = text if isinstance(text, Source) else Source(text, filename)
    parser = Parser(ctx if ctx is not None else TableContext(allow_unregistered), source)
    module = parser.parse_module()
    if parser.resources:
        module.xgpu_resources = parser.resources  # pyright: ignore
    return module


def split_input(text: str, filename: str = "-", marker: str = "// -----") -> list[Source]:
    """The pieces of a file between lines of `marker`, each knowing its place in the file."""
    from xgpu.text.source import Source

    pieces: list[Source] = []
    start_line = 0
    current: list[str] = []
    for number, line in enumerate(text.splitlines(keepends=True)):
        if line.startswith(marker) and not line.rstrip("\r\n")[len(marker) :].strip():
            pieces.append(Source("".join(current), filename, start_line))
            current = []
            start_line = number + 1
        else:
            current.append(line)
    pieces.append(Source("".join(current), filename, start_line))
    return pieces
