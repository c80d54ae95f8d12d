# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Syntax of the llvm dialect that MLIR writes in C++: the tables for the format engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    FunctionType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.integers import dense_array, integers_of
from xgpu.core.syntax.formats.numbers import read_integer
from xgpu.core.syntax.formats.reading import parse_functional_type
from xgpu.dialects import llvm
from xgpu.dialects.llvm import call_syntax
from xgpu.dialects.llvm.attributes import (
    DYNAMIC_INDEX,
    FCMP,
    ICMP,
    UNNAMED_ADDR,
    VISIBILITY,
    choice,
    parse_choice,
    parse_linkage,
    parse_string,
    print_dict,
    split,
)
from xgpu.dialects.llvm.builders import comparison_type
from xgpu.dialects.llvm.call_syntax import parse_func, print_func
from xgpu.dialects.llvm.directives import DIRECTIVES
from xgpu.dialects.llvm.types import LLVMArrayType

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.interfaces import ParseHook, PrintHook


# -- Operations with flags that are no attributes in MLIR but enumeration properties.
#
# `overflow<nsw, nuw>` of add, sub, mul, shl, trunc, and `inbounds|nuw` of getelementptr. In the
# generic form they are integers of 32 bits, and so they are here.


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
            number = DYNAMIC_INDEX
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
        if number == DYNAMIC_INDEX:
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


# -- `llvm.icmp`, `llvm.fcmp`, `llvm.alloca`, `llvm.landingpad`.


#: `false` and `true` are no strings of MLIR's syntax here.
_FCMP = tuple(f"_{word}" if word in ("false", "true") else word for word in FCMP)


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
        return ods.create(name, operands, (comparison_type(t),), properties, attributes)

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
    "llvm.fcmp": _parse_compare("llvm.fcmp", _FCMP),
    "llvm.alloca": parse_alloca,
    "llvm.landingpad": parse_landingpad,
}
OP_PRINT: dict[str, PrintHook] = {
    "llvm.icmp": _print_compare(ICMP),
    "llvm.fcmp": _print_compare(_FCMP),
    "llvm.alloca": print_alloca,
    "llvm.landingpad": print_landingpad,
}


# -- `llvm.mlir.global` and `llvm.mlir.alias`.


def _parse_common(parser: Parser) -> dict[str, Attribute]:
    properties: dict[str, Attribute] = {
        "linkage": parse_linkage(parser),
        "visibility_": parse_choice(parser, VISIBILITY),
    }
    if parser.parse_optional_keyword("thread_local") is not None:
        properties["thread_local_"] = UnitAttr()
    properties["unnamed_addr"] = parse_choice(parser, UNNAMED_ADDR)
    return properties


def _string_type(value: StringAttr) -> LLVMArrayType:
    size = len(value.data.encode("utf-8", "surrogateescape"))
    return LLVMArrayType(size, IntegerType(8))


def parse_global(parser: Parser) -> Operation:
    properties = _parse_common(parser)
    if parser.parse_optional_keyword("constant") is not None:
        properties["constant"] = UnitAttr()
    properties["sym_name"] = parser.parse_symbol_name()
    parser.parse_punctuation("(")
    value = None
    if parser.parse_optional_punctuation(")") is None:
        value = properties["value"] = parser.parse_attribute()
        parser.parse_punctuation(")")
    if parser.parse_optional_keyword("comdat") is not None:
        parser.parse_punctuation("(")
        properties["comdat"] = parser.parse_attribute()
        parser.parse_punctuation(")")
    inherent, discardable = split("llvm.mlir.global", parser.parse_optional_attr_dict())
    properties.update(inherent)
    properties.setdefault("addr_space", IntegerAttr(0, i32))
    at = parser.pos
    types: list[Attribute] = []
    if parser.parse_optional_punctuation(":") is not None:
        types.append(parser.parse_type())
        while parser.parse_optional_punctuation(",") is not None:
            types.append(parser.parse_type())
    if len(types) > 1:
        parser.raise_error("expected zero or one type", at)
    region: Region | None = None
    if types:
        properties["global_type"] = types[0]
        region = parser.parse_optional_region()
    elif isinstance(value, StringAttr):
        properties["global_type"] = _string_type(value)
    else:
        parser.raise_error("type can only be omitted for string globals", at)
    return ods.create("llvm.mlir.global", (), (), properties, discardable, [region or Region()])


_COMMON = ("sym_name", "linkage", "unnamed_addr", "thread_local_", "visibility_", "comdat")


def _print_common(
    op: llvm.MlirGlobalOp | llvm.MlirAliasOp | llvm.MlirIfuncOp, printer: Printer
) -> None:
    properties = op.properties
    text = f" {properties['linkage'].data} "
    text += choice(properties.get("visibility_"), VISIBILITY)
    text += "thread_local " if "thread_local_" in properties else ""
    text += choice(properties.get("unnamed_addr"), UNNAMED_ADDR)
    text += "constant " if "constant" in properties else ""
    printer.print_string(text)
    printer.print_symbol_name(properties["sym_name"].data)


def print_global(op: llvm.MlirGlobalOp, printer: Printer) -> None:
    properties = op.properties
    _print_common(op, printer)
    printer.print_string("(")
    value = properties.get("value")
    if value is not None:
        printer.print_attribute(value)
    printer.print_string(")")
    if (comdat := properties.get("comdat")) is not None:
        printer.print_string(" comdat(")
        printer.print_attribute(comdat)
        printer.print_string(")")
    print_dict(printer, op, (*_COMMON, "global_type", "constant", "value"))
    if isinstance(value, StringAttr):
        return
    printer.print_string(" : ")
    printer.print_attribute(properties["global_type"])
    region = op.regions[0]
    if region.blocks:
        printer.print_string(" ")
        printer.print_region(region, print_entry_block_args=False)


def parse_alias(parser: Parser) -> Operation:
    properties = _parse_common(parser)
    properties["sym_name"] = parser.parse_symbol_name()
    inherent, discardable = split("llvm.mlir.alias", parser.parse_optional_attr_dict())
    properties.update(inherent)
    at = parser.pos
    types: list[Attribute] = []
    if parser.parse_optional_punctuation(":") is not None:
        types.append(parser.parse_type())
        while parser.parse_optional_punctuation(",") is not None:
            types.append(parser.parse_type())
    if len(types) > 1:
        parser.raise_error("expected zero or one type", at)
    if not types:
        parser.raise_error("expected 1 type for alias type", at)
    properties["alias_type"] = types[0]
    region = parser.parse_region()
    return ods.create("llvm.mlir.alias", (), (), properties, discardable, [region])


def print_alias(op: llvm.MlirAliasOp, printer: Printer) -> None:
    _print_common(op, printer)
    print_dict(printer, op, (*_COMMON, "alias_type"))
    printer.print_string(" : ")
    printer.print_attribute(op.properties["alias_type"])
    printer.print_string(" ")
    printer.print_region(op.regions[0], print_entry_block_args=False)


GLOBAL_PARSE: dict[str, ParseHook] = {
    "llvm.mlir.global": parse_global,
    "llvm.mlir.alias": parse_alias,
}
GLOBAL_PRINT: dict[str, PrintHook] = {
    "llvm.mlir.global": print_global,
    "llvm.mlir.alias": print_alias,
}


# -- The tables for the format engine.


PARSE: dict[str, ParseHook] = {
    "llvm.func": parse_func,
    **GLOBAL_PARSE,
    **call_syntax.CALL_PARSE,
    **OP_PARSE,
    **FLAG_PARSE,
}

PRINT: dict[str, PrintHook] = {
    "llvm.func": print_func,
    **GLOBAL_PRINT,
    **call_syntax.CALL_PRINT,
    **OP_PRINT,
    **FLAG_PRINT,
}

__all__ = ["DIRECTIVES", "PARSE", "PRINT"]
