# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of `arith.select`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation

from xgpu.core import ods
from xgpu.dialects.syntax_helpers import parse_operand_list, print_attr_dict, print_operands

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer


def parse_select(parser: Parser) -> Operation:
    """`%condition, %true, %false {attributes} : (condition type,)? type`"""
    position = parser.pos
    operands = parse_operand_list(parser)
    if len(operands) != 3:
        parser.raise_error("expected 3 operands", position)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    condition = i1
    kind = parser.parse_type()
    if parser.parse_optional_punctuation(",") is not None:
        condition, kind = kind, parser.parse_type()
    values = parser.resolve_operands(operands, [condition, kind, kind], position)
    return ods.create("arith.select", values, [kind], None, attributes)


def print_select(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    print_operands(printer, op.operands)
    print_attr_dict(printer, op)
    printer.print_string(" : ")
    if op.operands[0].type.name in ("vector", "tensor", "unranked_tensor"):
        printer.print_attribute(op.operands[0].type)
        printer.print_string(", ")
    printer.print_attribute(op.results[0].type)


PARSE = {"arith.select": parse_select}
PRINT = {"arith.select": print_select}
