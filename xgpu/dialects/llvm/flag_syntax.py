# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations with flags that are no attributes in MLIR but enumeration properties.

`overflow<nsw, nuw>` of add, sub, mul, shl, trunc, and `inbounds|nuw` of getelementptr. In the
generic form they are integers of 32 bits, and so they are here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute

from xgpu.core import ods
from xgpu.core.ir.dense_arrays import dense_array, integers_of
from xgpu.core.syntax.formats.numbers import read_integer
from xgpu.core.syntax.formats.reading import parse_functional_type
from xgpu.dialects.llvm.directives import DYNAMIC
from xgpu.dialects.llvm.keywords import print_dict, split

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import llvm
    from xgpu.dialects.hook_types import ParseHook, PrintHook


_OVERFLOW = {"none": 0, "nsw": 1, "nuw": 2}
#: `inbounds` means `nusw` too.
_NO_WRAP = {"none": 0, "inbounds_flag": 1, "nusw": 2, "nuw": 4, "inbounds": 3}
_FLAGS = [IntegerAttr(bits, i32) for bits in range(8)]


def _parse_overflow(parser: Parser) -> int:
    if parser.parse_optional_keyword("overflow") is None:
        return 0
    parser.parse_punctuation("<")
    bits = _OVERFLOW[parser.parse_keyword_in(_OVERFLOW)]
    while parser.parse_optional_punctuation(",") is not None:
        bits |= _OVERFLOW[parser.parse_keyword_in(_OVERFLOW)]
    parser.parse_punctuation(">")
    return bits


def _overflow_text(attr: Attribute | None) -> str:
    bits = attr.value.data if isinstance(attr, IntegerAttr) else 0
    names = [n for n in ("nsw", "nuw") if bits & _OVERFLOW[n]]
    return f" overflow<{', '.join(names)}>" if names else ""


def _parse_binary(name: str) -> ParseHook:
    def parse(parser: Parser) -> Operation:
        at = parser.pos
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        bits = _parse_overflow(parser)
        properties, attributes = split(name, parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        t = parser.parse_type()
        properties["overflowFlags"] = _FLAGS[bits]
        operands = parser.resolve_operands([lhs, rhs], [t, t], at)
        return ods.create(name, operands, (t,), properties, attributes)

    return parse


def _print_binary(op: llvm.AddOp | llvm.MulOp | llvm.ShlOp | llvm.SubOp, printer: Printer) -> None:
    lhs, rhs = op.operands
    printer.print_string(" ")
    printer.print_ssa_value(lhs)
    printer.print_string(", ")
    printer.print_ssa_value(rhs)
    printer.print_string(_overflow_text(op.properties.get("overflowFlags")))
    print_dict(printer, op, ("overflowFlags",))
    printer.print_string(" : ")
    printer.print_attribute(op.results[0].type)


def _parse_trunc(parser: Parser) -> Operation:
    operand = parser.parse_unresolved_operand()
    bits = _parse_overflow(parser)
    properties, attributes = split("llvm.trunc", parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    source = parser.parse_type()
    parser.parse_keyword("to")
    target = parser.parse_type()
    properties["overflowFlags"] = _FLAGS[bits]
    value = parser.resolve_operand(operand, source)
    return ods.create("llvm.trunc", (value,), (target,), properties, attributes)


def _print_trunc(op: llvm.TruncOp, printer: Printer) -> None:
    (operand,) = op.operands
    printer.print_string(" ")
    printer.print_ssa_value(operand)
    printer.print_string(_overflow_text(op.properties.get("overflowFlags")))
    print_dict(printer, op, ("overflowFlags",))
    printer.print_string(" : ")
    printer.print_attribute(operand.type)
    printer.print_string(" to ")
    printer.print_attribute(op.results[0].type)


def _parse_gep(parser: Parser) -> Operation:
    bits = 0
    keyword = parser.parse_optional_keyword_in(_NO_WRAP)
    while keyword is not None:
        bits |= _NO_WRAP[keyword]
        keyword = None
        if parser.parse_optional_punctuation("|") is not None:
            keyword = parser.parse_keyword_in(_NO_WRAP)
    at = parser.pos
    operands = [parser.parse_unresolved_operand()]
    numbers: list[int] = []

    def index() -> None:
        number = read_integer(parser, 32, optional=True)
        if number is None:
            operands.append(parser.parse_unresolved_operand())
            number = DYNAMIC
        numbers.append(number)

    parser.parse_comma_separated_list(parser.Delimiter.SQUARE, index)
    properties, attributes = split("llvm.getelementptr", parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    kind = parse_functional_type(parser)
    parser.parse_punctuation(",")
    properties["elem_type"] = parser.parse_type()
    properties["noWrapFlags"] = _FLAGS[bits]
    properties["rawConstantIndices"] = dense_array(32, tuple(numbers))
    types: list[Attribute] = list(kind.inputs.data)
    values = parser.resolve_operands(operands, types, at)
    return ods.create(
        "llvm.getelementptr",
        values,
        list(kind.outputs.data),
        properties,
        attributes,
    )


def _print_gep(op: Operation, printer: Printer) -> None:
    properties = op.properties
    attr = properties.get("noWrapFlags")
    bits = attr.value.data if isinstance(attr, IntegerAttr) else 0
    names = ["inbounds"] if bits & 3 == 3 else ["nusw"] if bits & 2 else []
    names += ["inbounds_flag"] if bits & 3 == 1 else []
    names += ["nuw"] if bits & 4 else []
    printer.print_string(f" {'|'.join(names)} " if names else " ")
    printer.print_ssa_value(op.operands[0])
    printer.print_string("[")
    rest = iter(op.operands[1:])
    for i, number in enumerate(integers_of(properties["rawConstantIndices"])):
        if i:
            printer.print_string(", ")
        if number == DYNAMIC:
            printer.print_ssa_value(next(rest))
        else:
            printer.print_string(str(number))
    printer.print_string("]")
    print_dict(printer, op, ("noWrapFlags", "rawConstantIndices", "elem_type"))
    printer.print_string(" : (")
    printer.print_list([v.type for v in op.operands], printer.print_attribute)
    printer.print_string(") -> ")
    printer.print_attribute(op.results[0].type)
    printer.print_string(", ")
    printer.print_attribute(properties["elem_type"])


_BINARY = ("llvm.add", "llvm.sub", "llvm.mul", "llvm.shl")

FLAG_PARSE: dict[str, ParseHook] = {
    **{name: _parse_binary(name) for name in _BINARY},
    "llvm.trunc": _parse_trunc,
    "llvm.getelementptr": _parse_gep,
}
FLAG_PRINT: dict[str, PrintHook] = {
    **dict.fromkeys(_BINARY, _print_binary),
    "llvm.trunc": _print_trunc,
    "llvm.getelementptr": _print_gep,
}
