# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`llvm.icmp`, `llvm.fcmp`, `llvm.alloca`, `llvm.landingpad`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import FunctionType, IntegerAttr, IntegerType, UnitAttr, VectorType, i64
from xdsl.ir import Attribute

from xgpu.core import ods
from xgpu.dialects.llvm.keywords import parse_string, print_dict, split
from xgpu.dialects.llvm.types import LLVMArrayType

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import llvm
    from xgpu.dialects.hook_types import ParseHook, PrintHook


ICMP = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FCMP = (
    "_false",
    "oeq",
    "ogt",
    "oge",
    "olt",
    "ole",
    "one",
    "ord",
    "ueq",
    "ugt",
    "uge",
    "ult",
    "ule",
    "une",
    "uno",
    "_true",
)


def _boolean_like(t: Attribute) -> Attribute:
    """i1, or a vector of i1 of the shape of `t`."""
    if isinstance(t, VectorType):
        return VectorType(IntegerType(1), t.get_shape(), t.scalable_dims)
    return IntegerType(1)


def _parse_compare(name: str, predicates: tuple[str, ...]) -> ParseHook:
    def parse(parser: Parser) -> Operation:
        at = parser.pos
        predicate = parse_string(parser)
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        properties, attributes = split(name, parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        t = parser.parse_type()
        if predicate not in predicates:
            parser.raise_error(
                f"'{predicate}' is an incorrect value of the 'predicate' attribute", at
            )
        properties["predicate"] = IntegerAttr(predicates.index(predicate), i64)
        operands = parser.resolve_operands([lhs, rhs], [t, t], at)
        return ods.create(name, operands, (_boolean_like(t),), properties, attributes)

    return parse


def _print_compare(predicates: tuple[str, ...]) -> PrintHook:
    def write(op: llvm.FcmpOp | llvm.IcmpOp, printer: Printer) -> None:
        lhs, rhs = op.operands
        printer.print_string(f' "{predicates[op.predicate.value.data]}" ')
        printer.print_ssa_value(lhs)
        printer.print_string(", ")
        printer.print_ssa_value(rhs)
        print_dict(printer, op, ("predicate",))
        printer.print_string(" : ")
        printer.print_attribute(lhs.type)

    return write


def parse_alloca(parser: Parser) -> Operation:
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("inalloca") is not None:
        properties["inalloca"] = UnitAttr()
    size = parser.parse_unresolved_operand()
    parser.parse_keyword("x")
    properties["elem_type"] = parser.parse_type()
    inherent, attributes = split("llvm.alloca", parser.parse_optional_attr_dict())
    alignment = inherent.get("alignment")
    if alignment is not None:
        if not isinstance(alignment, IntegerAttr):
            parser.raise_error("expected integer alignment")
        if alignment.value.data == 0:
            del inherent["alignment"]
    parser.parse_punctuation(":")
    at = parser.pos
    kind = parser.parse_type()
    if not isinstance(kind, FunctionType) or len(kind.inputs) != 1 or len(kind.outputs) != 1:
        parser.raise_error("expected trailing function type with one argument and one result", at)
    operand = parser.resolve_operand(size, kind.inputs.data[0])
    properties.update(inherent)
    return ods.create("llvm.alloca", (operand,), (kind.outputs.data[0],), properties, attributes)


def print_alloca(op: Operation, printer: Printer) -> None:
    properties = op.properties
    printer.print_string(" inalloca " if "inalloca" in properties else " ")
    printer.print_ssa_value(op.operands[0])
    printer.print_string(" x ")
    printer.print_attribute(properties["elem_type"])
    alignment = cast("IntegerAttr | None", properties.get("alignment"))
    hidden = ("elem_type", "inalloca")
    if alignment is not None and alignment.value.data == 0:
        hidden = (*hidden, "alignment")
    print_dict(printer, op, hidden)
    printer.print_string(" : (")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(") -> ")
    printer.print_attribute(op.results[0].type)


def parse_landingpad(parser: Parser) -> Operation:
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("cleanup") is not None:
        properties["cleanup"] = UnitAttr()
    operands: list[SSAValue] = []
    while parser.parse_optional_punctuation("(") is not None:
        parser.parse_keyword_in(("catch", "filter"))
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        operands.append(parser.resolve_operand(operand, parser.parse_type()))
        parser.parse_punctuation(")")
    inherent, attributes = split("llvm.landingpad", parser.parse_optional_attr_dict())
    properties.update(inherent)
    parser.parse_punctuation(":")
    t = parser.parse_type()
    return ods.create("llvm.landingpad", operands, (t,), properties, attributes)


def print_landingpad(op: Operation, printer: Printer) -> None:
    printer.print_string(" cleanup " if "cleanup" in op.properties else " ")
    for value in op.operands:
        kind = "filter" if isinstance(value.type, LLVMArrayType) else "catch"
        printer.print_string(f"({kind} ")
        printer.print_ssa_value(value)
        printer.print_string(" : ")
        printer.print_attribute(value.type)
        printer.print_string(") ")
    print_dict(printer, op, ("cleanup",))
    printer.print_string(": ")
    printer.print_attribute(op.results[0].type)


OP_PARSE: dict[str, ParseHook] = {
    "llvm.icmp": _parse_compare("llvm.icmp", ICMP),
    "llvm.fcmp": _parse_compare("llvm.fcmp", FCMP),
    "llvm.alloca": parse_alloca,
    "llvm.landingpad": parse_landingpad,
}
OP_PRINT: dict[str, PrintHook] = {
    "llvm.icmp": _print_compare(ICMP),
    "llvm.fcmp": _print_compare(FCMP),
    "llvm.alloca": print_alloca,
    "llvm.landingpad": print_landingpad,
}
