# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of transform."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation

from xgpu.core import ods
from xgpu.dialects.syntax_helpers import (
    DYNAMIC,
    parse_function,
    print_attr_dict,
    print_function,
)
from xgpu.dialects.transform.directives import DIRECTIVES

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import transform


def parse_named_sequence(parser: Parser) -> Operation:
    """`visibility? @name(arguments) -> results { body }`"""
    return parse_function(parser, "transform.named_sequence")


def print_named_sequence(op: transform.NamedSequenceOp, printer: Printer) -> None:
    print_function(printer, op)


def parse_split(parser: Parser) -> Operation:
    """`%target after (%points | 42) {...} : target-type (, type of %points)?`"""
    target = parser.parse_unresolved_operand()
    parser.parse_keyword("after")
    points = parser.parse_optional_unresolved_operand()
    size = DYNAMIC if points is not None else parser.parse_integer(allow_boolean=False)
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    operands = [parser.resolve_operand(target, kind)]
    if points is not None:
        parser.parse_punctuation(",")
        operands.append(parser.resolve_operand(points, parser.parse_type()))
    attributes["static_chunk_sizes"] = IntegerAttr(size, i64)
    return ods.create("transform.structured.split", operands, [kind], None, attributes)


def print_split(op: transform.StructuredSplitOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_operand(op.target)
    printer.print_string(" after ")
    points = op.dynamic_chunk_sizes
    if points is None:
        printer.print_string(str(op.static_chunk_sizes.value.data))
    else:
        printer.print_operand(points)
    printer.print_string(" ")
    print_attr_dict(printer, op, ("static_chunk_sizes",))
    printer.print_string(" : ")
    printer.print_attribute(op.target.type)
    if points is not None:
        printer.print_string(", ")
        printer.print_attribute(points.type)


PARSE = {
    "transform.named_sequence": parse_named_sequence,
    "transform.structured.split": parse_split,
}
PRINT = {
    "transform.named_sequence": print_named_sequence,
    "transform.structured.split": print_split,
}

__all__ = ["DIRECTIVES", "PARSE", "PRINT"]
