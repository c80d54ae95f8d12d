# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR text: reading, printing, diagnostics, and the verifier of IR structure.

Everything is imported when first used: `import xgpu.core.syntax` costs nothing beyond xDSL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.errors import ArgumentTypeError, public_part
from xgpu.core.support.process import rare_collections

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

    from xgpu.core.ir.source import Source
    from xgpu.core.syntax.printer import print_module, print_op
    from xgpu.core.syntax.table_context import TableContext, context, dialect_names

__all__ = [
    "context",
    "dialect_names",
    "parse_attribute",
    "parse_module",
    "parse_type",
    "print_module",
    "print_op",
]

_LAZY = {
    "Source": "xgpu.core.ir.source",
    "dialect_names": "xgpu.core.syntax.table_context",
    "context": "xgpu.core.syntax.table_context",
    "print_module": "xgpu.core.syntax.printer",
    "print_op": "xgpu.core.syntax.printer",
}


def __getattr__(name: str) -> object:
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    found = getattr(importlib.import_module(module), name)
    globals()[name] = found
    return found


def _text(given: object) -> str:
    if isinstance(given, str):
        return given
    hint = ": decode it first" if isinstance(given, bytes) else ""
    raise ArgumentTypeError(f"text is {type(given).__name__}, expected str{hint}")


@public_part
def parse_module(
    text: str | Source,
    filename: str = "-",
    *,
    allow_unregistered: bool = False,
    ctx: TableContext | None = None,
) -> ModuleOp:
    """Reads a text, or bytecode in a text in which surrogates stand for bytes. The module is not
    verified (see `xgpu.core.syntax.verify`).

    Raises `DiagnosticError` where the text is wrong. Resources in `{-# ... #-}` are kept as
    `module.xgpu_resources`.
    """
    from xgpu.core.ir.source import Source
    from xgpu.core.support.files import is_bytecode
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.table_context import TableContext

    source = text if isinstance(text, Source) else Source(_text(text), filename)
    context = ctx if ctx is not None else TableContext(allow_unregistered)
    if is_bytecode(source.text):
        from xgpu.core.ir.services import read_bytecode

        data = source.text.encode("utf-8", "surrogateescape")
        with rare_collections():
            return read_bytecode()(data, source.filename, context)
    parser = Parser(context, source)
    with rare_collections():
        module = parser.parse_module()
    if parser.resources:
        module.xgpu_resources = parser.resources  # pyright: ignore
    return module


def parse_attribute(
    text: str, filename: str = "<attribute>", *, ctx: TableContext | None = None
) -> Attribute:
    """Reads one attribute, all of the text."""
    from xgpu.core.syntax.parser import parse_alone

    return parse_alone(text, filename, ctx)


def parse_type(
    text: str, filename: str = "<type>", *, ctx: TableContext | None = None
) -> Attribute:
    """Reads one type, all of the text."""
    from xgpu.core.syntax.parser import parse_alone

    return parse_alone(text, filename, ctx, is_type=True)
