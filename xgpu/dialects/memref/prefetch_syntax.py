# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `memref.prefetch` and `affine.prefetch` say in the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, i32

from xgpu.core.syntax.formats.numbers import read_typed_number

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import affine, memref


def parse_memref_type(parser: Parser) -> MemRefType:
    """A ranked memref type."""
    position = parser.pos
    kind = parser.parse_type()
    if not isinstance(kind, MemRefType):
        parser.raise_error("invalid kind of type specified: expected memref type", position)
    return kind


def parse_prefetch_words(parser: Parser) -> tuple[bool, int, bool]:
    """`read|write, locality<n>, data|instr`"""
    position = parser.pos
    word = parser.parse_identifier()
    if word not in ("read", "write"):
        parser.raise_error("rw specifier has to be 'read' or 'write'", position)
    parser.parse_punctuation(",")
    parser.parse_keyword("locality")
    parser.parse_punctuation("<")
    locality = read_typed_number(parser, i32)
    if locality is None:
        raise parser.expected("expected attribute value")
    hint = locality.value.data
    parser.parse_punctuation(">")
    parser.parse_punctuation(",")
    position = parser.pos
    cache = parser.parse_identifier()
    if cache not in ("data", "instr"):
        parser.raise_error("cache type has to be 'data' or 'instr'", position)
    return word == "write", hint, cache == "data"


def print_prefetch_words(printer: Printer, op: affine.PrefetchOp | memref.PrefetchOp) -> None:
    """What `parse_prefetch_words` reads."""
    properties = op.properties
    write = "write" if properties["isWrite"].value.data else "read"
    cache = "data" if properties["isDataCache"].value.data else "instr"
    hint = properties["localityHint"].value.data
    printer.print_string(f", {write}, locality<{hint}>, {cache}")
