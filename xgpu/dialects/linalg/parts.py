# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pieces of syntax that all structured operations share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.dialects.linalg.structure import inputs, outputs
from xgpu.dialects.syntax_helpers import parse_operand_list, print_list

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer


def parse_properties(parser: Parser) -> dict[str, Attribute]:
    """`(<{...}>)?`: inherent attributes apart from the others."""
    if parser.parse_optional_punctuation("<") is None:
        return {}
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation(">")
    attributes.pop("operandSegmentSizes", None)
    return attributes


def _operands(parser: Parser, word: str) -> list[SSAValue]:
    if parser.parse_optional_keyword(word) is None:
        return []
    parser.parse_punctuation("(")
    position = parser.pos
    names = parse_operand_list(parser)
    types: list[Attribute] = []
    if names:
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return parser.resolve_operands(names, types, position)


def parse_ins_outs(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """`(ins(%a : type))? (outs(%b : type))?`"""
    ins = _operands(parser, "ins")
    return ins, _operands(parser, "outs")


def print_ins_outs(
    printer: Printer,
    op: Operation,
) -> None:
    for word, values in (("ins", inputs(op)), ("outs", outputs(op))):
        if values:
            print_group(printer, word, values)


def print_group(printer: Printer, word: str, values: Sequence[SSAValue]) -> None:
    printer.print_string(f" {word}(")
    print_list(printer, values, printer.print_ssa_value)
    printer.print_string(" : ")
    print_list(printer, [v.type for v in values], printer.print_attribute)
    printer.print_string(")")


def split_properties(
    name: str, attributes: dict[str, Attribute]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Inherent attributes, and the rest."""
    spec = ods.op_spec(name)
    assert spec is not None
    inherent = {field.name for field in spec.attrs}
    properties = {k: v for k, v in attributes.items() if k in inherent}
    return properties, {k: v for k, v in attributes.items() if k not in inherent}
