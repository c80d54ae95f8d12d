# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of the bufferization dialect.

bufferization.alloc_tensor(%size) copy(%t) size_hint=%n {memory_space = 1 : i64} : tensor<?xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation

from xgpu.core import ods
from xgpu.dialects.syntax_helpers import (
    parse_operands_in_parens,
    print_attr_dict,
    print_operands,
)

if TYPE_CHECKING:
    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import bufferization
    from xgpu.dialects.hook_types import ParseHook, PrintHook


def _parse_alloc_tensor(parser: Parser) -> Operation:
    """`(sizes) (copy(%t))? (size_hint=%n)? attr-dict : type`"""
    position = parser.pos
    sizes = parse_operands_in_parens(parser)
    copies: list[Operand] = []
    hints: list[Operand] = []
    if parser.parse_optional_keyword("copy") is not None:
        parser.parse_punctuation("(")
        copies.append(parser.parse_unresolved_operand())
        parser.parse_punctuation(")")
    if parser.parse_optional_keyword("size_hint") is not None:
        parser.parse_punctuation("=")
        hints.append(parser.parse_unresolved_operand())
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    index = IndexType()
    groups = [
        parser.resolve_operands(sizes, [index] * len(sizes), position),
        parser.resolve_operands(copies, [kind] * len(copies), position),
        parser.resolve_operands(hints, [index] * len(hints), position),
    ]
    return ods.create("bufferization.alloc_tensor", groups, [kind], None, attributes)


def _print_alloc_tensor(op: bufferization.AllocTensorOp, printer: Printer) -> None:
    printer.print_string("(")
    print_operands(printer, op.dynamic_sizes)
    printer.print_string(")")
    if op.copy is not None:
        printer.print_string(" copy(")
        printer.print_ssa_value(op.copy)
        printer.print_string(")")
    if op.size_hint is not None:
        printer.print_string(" size_hint=")
        printer.print_ssa_value(op.size_hint)
    print_attr_dict(printer, op)
    printer.print_string(" : ")
    printer.print_attribute(op.result.type)


PARSE: dict[str, ParseHook] = {"bufferization.alloc_tensor": _parse_alloc_tensor}
PRINT: dict[str, PrintHook] = {"bufferization.alloc_tensor": _print_alloc_tensor}
