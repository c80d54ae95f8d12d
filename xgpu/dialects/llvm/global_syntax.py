# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`llvm.mlir.global` and `llvm.mlir.alias`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, Region

from xgpu.core import ods
from xgpu.dialects.llvm.keywords import (
    UNNAMED_ADDR,
    VISIBILITY,
    choice,
    parse_choice,
    parse_linkage,
    print_dict,
    split,
)
from xgpu.dialects.llvm.types import LLVMArrayType

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import llvm
    from xgpu.dialects.hook_types import ParseHook, PrintHook


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


GLOBAL_PARSE: dict[str, ParseHook] = {"llvm.mlir.global": parse_global, "llvm.mlir.alias": parse_alias}
GLOBAL_PRINT: dict[str, PrintHook] = {"llvm.mlir.global": print_global, "llvm.mlir.alias": print_alias}
