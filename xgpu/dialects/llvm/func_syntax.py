# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`llvm.func`: its keywords, a signature that may be variadic, and what follows it.

llvm.func linkage? visibility? unnamed_addr? cconv? @f(%a: i32 {attrs}, ...) -> (i32 {attrs})
    (vscale_range(1, 2))? (comdat(@c::@s))? (attributes {..})? region?
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, i32
from xdsl.ir import Attribute, Region

from xgpu.core import ods
from xgpu.core.ir.attribute_text import shown
from xgpu.core.ods.type_predicates import is_llvm_compatible
from xgpu.core.syntax.formats.numbers import read_integer
from xgpu.dialects.llvm.attributes import CConvAttr, LinkageAttr
from xgpu.dialects.llvm.keywords import (
    UNNAMED_ADDR,
    VISIBILITY,
    choice,
    parse_choice,
    parse_convention,
    parse_linkage,
    print_dict,
    split,
)
from xgpu.dialects.llvm.types import NO_RESULT, LLVMFunctionType, LLVMVoidType
from xgpu.dialects.syntax_helpers import print_argument

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.ir import Operation

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import llvm




def parse_func(parser: Parser) -> Operation:
    properties: dict[str, Attribute] = {
        "linkage": parse_linkage(parser),
        "visibility_": parse_choice(parser, VISIBILITY),
        "unnamed_addr": parse_choice(parser, UNNAMED_ADDR),
        "CConv": parse_convention(parser),
        "sym_name": parser.parse_symbol_name(),
    }
    at = parser.pos
    named, arguments, variadic = _parse_arguments(parser)
    results = _parse_results(parser)
    if len(results) > 1:
        parser.raise_error(
            "failed to construct function type: expected zero or one function result", at
        )
    if any(not is_llvm_compatible(t) for t, _ in arguments):
        parser.raise_error(
            "failed to construct function type: expected LLVM type for function arguments", at
        )
    if results and not is_llvm_compatible(results[0][0]):
        parser.raise_error(
            "failed to construct function type: expected LLVM type for function results"
            f"'{shown(results[0][0])}'",
            at,
        )
    for t, _ in arguments:
        # The type of such a function could not be written.
        if isinstance(t, LLVMVoidType | LLVMFunctionType):
            parser.raise_error(f"invalid function argument type: '{shown(t)}'", at)
    result = results[0][0] if results else LLVMVoidType()
    if isinstance(result, NO_RESULT):
        parser.raise_error(f"invalid function result type: '{shown(result)}'", at)
    properties["function_type"] = LLVMFunctionType(
        [t for t, _ in arguments], result, variadic=variadic
    )
    if parser.parse_optional_keyword("vscale_range") is not None:
        parser.parse_punctuation("(")
        low = read_integer(parser, 32)
        parser.parse_punctuation(",")
        high = read_integer(parser, 32)
        parser.parse_punctuation(")")
        properties["vscale_range"] = ods.attr_class("llvm.vscale_range")(
            IntegerAttr(low, i32), IntegerAttr(high, i32)
        )
    if parser.parse_optional_keyword("comdat") is not None:
        parser.parse_punctuation("(")
        properties["comdat"] = parser.parse_attribute()
        parser.parse_punctuation(")")
    given = parser.parse_optional_attr_dict_with_keyword()
    inherent, discardable = split("llvm.func", dict(given.data) if given is not None else {})
    properties.update(inherent)
    for key, group in (("arg_attrs", arguments), ("res_attrs", results)):
        if any(attrs for _, attrs in group):
            properties[key] = ArrayAttr([DictionaryAttr(attrs) for _, attrs in group])
    region = parser.parse_optional_region(named)
    if region is None or _is_empty(region):  # braces with nothing in them are no body
        region = Region()
    return ods.create("llvm.func", (), (), properties, discardable, [region])


def _is_empty(region: Region) -> bool:
    block = region.blocks.first
    return block is not None and block is region.blocks.last and not (block.args or block.first_op)


def _parse_arguments(parser: Parser) -> tuple[list[Parser.Argument], Signature, bool]:
    """(block arguments that are named, all types with attributes, whether `...` closes the list)"""
    named: list[Parser.Argument] = []
    found: Signature = []
    parser.parse_punctuation("(")
    if parser.parse_optional_punctuation(")") is not None:
        return named, found, False
    variadic = False
    while True:
        if parser.parse_optional_punctuation("...") is not None:
            variadic = True
            break
        argument = parser.parse_optional_argument()
        if argument is None:
            if named:
                parser.raise_error("expected SSA identifier")
            t = parser.parse_type()
            found.append((t, parser.parse_optional_dictionary_attr_dict()))
            parser.parse_optional_location()
        else:
            if len(named) < len(found):
                parser.raise_error("expected type instead of SSA identifier")
            attrs = parser.parse_optional_dictionary_attr_dict()
            argument.location = parser.parse_optional_location()
            named.append(argument)
            found.append((argument.type, attrs))
        if parser.parse_optional_punctuation(",") is None:
            break
    if variadic and parser.parse_optional_punctuation(",") is not None:
        parser.raise_error("variadic arguments must be in the end of the argument list")
    parser.parse_punctuation(")")
    return named, found, variadic


def _parse_results(parser: Parser) -> Signature:
    if parser.parse_optional_punctuation("->") is None:
        return []
    if parser.parse_optional_punctuation("(") is None:
        return [(parser.parse_type(), {})]
    if parser.parse_optional_punctuation(")") is not None:
        return []
    found: Signature = [(parser.parse_type(), parser.parse_optional_dictionary_attr_dict())]
    while parser.parse_optional_punctuation(",") is not None:
        found.append((parser.parse_type(), parser.parse_optional_dictionary_attr_dict()))
    parser.parse_punctuation(")")
    return found


#: What is printed elsewhere than in the attribute dictionary.
_HIDDEN_OF_FUNC = (
    "sym_name",
    "function_type",
    "arg_attrs",
    "res_attrs",
    "linkage",
    "CConv",
    "visibility_",
    "comdat",
    "unnamed_addr",
    "vscale_range",
)


def print_func(op: llvm.FuncOp, printer: Printer) -> None:
    properties = op.properties
    text = " "
    linkage = cast("Attribute | None", properties.get("linkage"))
    convention = cast("Attribute | None", properties.get("CConv"))
    if isinstance(linkage, LinkageAttr) and linkage.data != "external":
        text += linkage.data + " "
    text += choice(properties.get("visibility_"), VISIBILITY)
    text += choice(properties.get("unnamed_addr"), UNNAMED_ADDR)
    if isinstance(convention, CConvAttr) and convention.data != "ccc":
        text += convention.data + " "
    printer.print_string(text)
    printer.print_symbol_name(properties["sym_name"].data)
    _print_func_signature(op, printer)
    if (scale := properties.get("vscale_range")) is not None:
        low, high = scale.data
        printer.print_string(f" vscale_range({low.value.data}, {high.value.data})")
    if (comdat := properties.get("comdat")) is not None:
        printer.print_string(" comdat(")
        printer.print_attribute(comdat)
        printer.print_string(")")
    print_dict(printer, op, _HIDDEN_OF_FUNC, keyword=True)
    region = op.regions[0]
    if region.blocks:
        printer.print_string(" ")
        printer.print_region(region, print_entry_block_args=False)


def _print_func_signature(op: llvm.FuncOp, printer: Printer) -> None:
    properties = op.properties
    kind: LLVMFunctionType = properties["function_type"]
    attrs, entry = properties.get("arg_attrs"), op.regions[0].blocks.first
    printer.print_string("(")
    for i, t in enumerate(kind.arguments):
        if i:
            printer.print_string(", ")
        own: Mapping[str, Attribute] = (
            attrs.data[i].data if attrs is not None and i < len(attrs.data) else {}
        )
        if entry is not None and i < len(entry.args):
            print_argument(printer, entry.args[i], own)
            continue
        printer.print_attribute(t)
        printer.print_op_attributes(own)
    if kind.variadic:
        printer.print_string(", ..." if kind.arguments else "...")
    printer.print_string(")")
    if isinstance(kind.result, LLVMVoidType):
        return
    results = properties.get("res_attrs")
    own = results.data[0].data if results is not None and results.data else {}
    printer.print_string(" -> (" if own else " -> ")
    printer.print_attribute(kind.result)
    printer.print_op_attributes(own)
    if own:
        printer.print_string(")")
