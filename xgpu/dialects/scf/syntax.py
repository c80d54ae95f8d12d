# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of scf: loops, conditionals, regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, FunctionType, IndexType, UnitAttr, i1, i64
from xdsl.ir import Operation, Region

from xgpu.core import ods
from xgpu.dialects.scf import parallel_syntax
from xgpu.dialects.syntax_helpers import (
    ensure_terminator,
    parse_assignments,
    parse_optional_arrow_types,
    parse_type_or_list,
    print_assignments,
    print_attr_dict,
    print_list,
    print_optional_arrow_types,
    rest_of_assignments,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute

    from xgpu.core.syntax.formats.parser_state import AttributeSlot, ReadState, Slot
    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer


# -- for ----------------------------------------------------------------------------------------


def parse_for(parser: Parser) -> Operation:
    """`unsigned? %i = %lb to %ub step %s (iter_args(%a = %b) -> (types))? (: type)? {...}`"""
    properties = {}
    if parser.parse_optional_keyword("unsigned") is not None:
        properties["unsignedCmp"] = UnitAttr()
    induction = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    position = parser.pos
    lower = parser.parse_unresolved_operand()
    parser.parse_keyword("to")
    upper = parser.parse_unresolved_operand()
    parser.parse_keyword("step")
    step = parser.parse_unresolved_operand()
    inner: list[Parser.UnresolvedArgument] = []
    outer: list[Operand] = []
    types: list[Attribute] = []
    if parser.parse_optional_keyword("iter_args") is not None:
        inner, outer = parse_assignments(parser)
        at = parser.pos
        parser.parse_punctuation("->")
        types = parse_type_or_list(parser)
        if len(types) != len(inner):
            parser.raise_error("mismatch in number of loop-carried values and defined values", at)
    kind: Attribute = IndexType()
    if parser.parse_optional_punctuation(":") is not None:
        kind = parser.parse_type()
    region = parser.parse_region(
        [induction.resolve(kind), *(a.resolve(t) for a, t in zip(inner, types, strict=True))]
    )
    if not types:
        ensure_terminator(region, "scf.yield")
    attributes = parser.parse_optional_attr_dict()
    operands = [parser.resolve_operand(o, kind) for o in (lower, upper, step)]
    operands += parser.resolve_operands(outer, types, position)
    return ods.create("scf.for", operands, types, properties, attributes, [region])


def print_for(op: Operation, printer: Printer) -> None:
    block = op.regions[0].block
    lower, upper, step, *inits = op.operands
    printer.print_string(" unsigned " if "unsignedCmp" in op.properties else " ")
    printer.print_ssa_value(block.args[0])
    for word, value in ((" = ", lower), (" to ", upper), (" step ", step)):
        printer.print_string(word)
        printer.print_ssa_value(value)
    print_assignments(printer, block.args[1:], inits, " iter_args")
    if inits:
        printer.print_string(" -> (")
        print_list(printer, [v.type for v in inits], printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    kind = block.args[0].type
    if not isinstance(kind, IndexType):
        printer.print_string(" : ")
        printer.print_attribute(kind)
        printer.print_string(" ")
    printer.print_region(
        op.regions[0], print_entry_block_args=False, print_block_terminators=bool(inits)
    )
    print_attr_dict(printer, op, ("unsignedCmp",))


# -- if, while ----------------------------------------------------------------------------------


def parse_if(parser: Parser) -> Operation:
    """`%cond (-> types)? {...} (else {...})?`"""
    condition = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
    types = parse_optional_arrow_types(parser)
    then = ensure_terminator(parser.parse_region(), "scf.yield")
    otherwise = Region()
    if parser.parse_optional_keyword("else") is not None:
        otherwise = ensure_terminator(parser.parse_region(), "scf.yield")
    attributes = parser.parse_optional_attr_dict()
    return ods.create("scf.if", [condition], types, None, attributes, [then, otherwise])


def print_if(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    types = [result.type for result in op.results]
    if types:
        printer.print_string(" -> (")
        print_list(printer, types, printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    then, otherwise = op.regions
    show = bool(types)
    printer.print_region(then, print_entry_block_args=False, print_block_terminators=show)
    if otherwise.first_block is not None:
        printer.print_string(" else ")
        printer.print_region(otherwise, print_entry_block_args=False, print_block_terminators=show)
    print_attr_dict(printer, op)


def parse_while(parser: Parser) -> Operation:
    """`(%a = %b, ...)? : (types) -> types {...} do {...} (attributes {...})?`"""
    inner: list[Parser.UnresolvedArgument] = []
    outer: list[Operand] = []
    position = parser.pos
    if parser.parse_optional_punctuation("(") is not None:
        inner, outer = rest_of_assignments(parser)
    parser.parse_punctuation(":")
    at = parser.pos
    kind = parser.parse_type()
    if not isinstance(kind, FunctionType):
        parser.raise_error("expected function type", at)
    inputs = list(kind.inputs.data)
    if len(inputs) != len(outer):
        parser.raise_error(
            f"expected as many input types as operands (expected {len(outer)} got {len(inputs)})",
            at,
        )
    operands = parser.resolve_operands(outer, inputs, position)
    before = parser.parse_region([a.resolve(t) for a, t in zip(inner, inputs, strict=True)])
    parser.parse_keyword("do")
    after = parser.parse_region()
    given = parser.parse_optional_attr_dict_with_keyword()
    return ods.create(
        "scf.while",
        operands,
        list(kind.outputs.data),
        None,
        {} if given is None else given.data,
        [before, after],
    )


def print_while(op: Operation, printer: Printer) -> None:
    before, after = op.regions
    print_assignments(printer, before.block.args, op.operands, " ")
    printer.print_string(" : ")
    printer.print_function_type([v.type for v in op.operands], [r.type for r in op.results])
    printer.print_string(" ")
    printer.print_region(before, print_entry_block_args=False)
    printer.print_string(" do ")
    printer.print_region(after)
    print_attr_dict(printer, op, keyword=True)


# -- execute_region, index_switch ---------------------------------------------------------------


def parse_execute_region(parser: Parser) -> Operation:
    """`(-> types)? no_inline? {...}`"""
    types = parse_optional_arrow_types(parser)
    properties = {}
    if parser.parse_optional_keyword("no_inline") is not None:
        properties["no_inline"] = UnitAttr()
    region = parser.parse_region()
    attributes = parser.parse_optional_attr_dict()
    return ods.create("scf.execute_region", (), types, properties, attributes, [region])


def print_execute_region(op: Operation, printer: Printer) -> None:
    print_optional_arrow_types(printer, [result.type for result in op.results])
    printer.print_string(" ")
    if "no_inline" in op.properties:
        printer.print_string("no_inline ")
    printer.print_region(op.regions[0], print_entry_block_args=False)
    print_attr_dict(printer, op, ("no_inline",))


def _parse_cases(parser: Parser, state: ReadState, cases: AttributeSlot, regions: Slot) -> None:
    """`case 1 {...} case -2 {...}`"""
    values: list[int] = []
    found: list[Region] = []
    while parser.parse_optional_keyword("case") is not None:
        values.append(parser.parse_integer())
        found.append(parser.parse_region())
    cases.set(DenseArrayBase.from_list(i64, values))
    regions.set(found)


def _print_cases(
    printer: Printer, op: Operation, cases: DenseArrayBase[IntegerType], regions: Sequence[Region]
) -> None:
    for value, region in zip(cases.get_values(), regions, strict=True):
        printer.print_string(f"\ncase {value} ")
        printer.print_region(region, print_entry_block_args=False)


PARSE = {
    "scf.for": parse_for,
    "scf.if": parse_if,
    "scf.while": parse_while,
    "scf.execute_region": parse_execute_region,
    **parallel_syntax.PARALLEL_PARSE,
}
PRINT = {
    "scf.for": print_for,
    "scf.if": print_if,
    "scf.while": print_while,
    "scf.execute_region": print_execute_region,
    **parallel_syntax.PARALLEL_PRINT,
}
DIRECTIVES = {"SwitchCases": (_parse_cases, _print_cases)}
