# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The syntax of scf's parallel loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation

from xgpu.core import ods
from xgpu.core.ir.constants import int_of
from xgpu.dialects.syntax_helpers import (
    DYNAMIC,
    ensure_terminator,
    i64_array,
    parse_assignments,
    parse_index_list,
    parse_operands_in_parens,
    parse_optional_arrow_types,
    parse_type_or_list,
    print_assignments,
    print_attr_dict,
    print_index_list,
    print_list,
    print_operands,
    print_optional_arrow_types,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Attribute, SSAValue

    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import scf
    from xgpu.dialects.hook_types import ParseHook


def parse_parallel(parser: Parser) -> Operation:
    """`(%i, ..) = (%lb, ..) to (%ub, ..) step (%s, ..) (init (%v, ..) -> types)? {...}`"""
    inductions = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    parser.parse_punctuation("=")
    index = IndexType()
    groups: list[list[Operand]] = []
    for keyword in ("", "to", "step"):
        if keyword:
            parser.parse_keyword(keyword)
        groups.append(_operands(parser, len(inductions)))
    inits: list[Operand] = []
    position = parser.pos
    if parser.parse_optional_keyword("init") is not None:
        position = parser.pos
        inits = parse_operands_in_parens(parser)
    types = parse_optional_arrow_types(parser)
    region = parser.parse_region([a.resolve(index) for a in inductions])
    attributes = parser.parse_optional_attr_dict()
    values = [[parser.resolve_operand(o, index) for o in group] for group in groups]
    values.append(parser.resolve_operands(inits, types, position))
    ensure_terminator(region, "scf.reduce")
    return ods.create("scf.parallel", values, types, None, attributes, [region])


def _operands(parser: Parser, count: int) -> list[Operand]:
    position = parser.pos
    operands = parse_operands_in_parens(parser)
    if len(operands) != count:
        parser.raise_error(f"expected {count} operands", position)
    return operands


def print_parallel(op: scf.ParallelOp, printer: Printer) -> None:
    printer.print_string(" (")
    print_operands(printer, op.regions[0].block.args)
    for place, word in enumerate((") = (", ") to (", ") step (")):
        printer.print_string(word)
        print_operands(printer, op.operand_group(place))
    printer.print_string(")")
    inits = op.operand_group(3)
    if inits:
        printer.print_string(" init (")
        print_operands(printer, inits)
        printer.print_string(")")
    print_optional_arrow_types(printer, [result.type for result in op.results])
    printer.print_string(" ")
    printer.print_region(op.regions[0], print_entry_block_args=False)
    print_attr_dict(printer, op)


# -- forall -------------------------------------------------------------------------------------


def parse_forall(parser: Parser) -> Operation:
    """`(%i, ..) in (ubs)` or `(%i, ..) = (lbs) to (ubs) step (steps)`, then
    `(shared_outs(%a = %b, ..) -> (types))? {...} {attributes}`"""
    inductions = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    rank = len(inductions)
    index = IndexType()
    groups: list[list[Operand]] = [[], [], []]
    constants: list[list[int]] = [[0] * rank, [], [1] * rank]
    if parser.parse_optional_keyword("in") is not None:
        constants[1], groups[1], _ = parse_index_list(parser, "()")
    else:
        parser.parse_punctuation("=")
        for place, keyword in enumerate(("", "to", "step")):
            if keyword:
                parser.parse_keyword(keyword)
            constants[place], groups[place], _ = parse_index_list(parser, "()")
    inner: list[Parser.UnresolvedArgument] = []
    outer: list[Operand] = []
    types: list[Attribute] = []
    position = parser.pos
    if parser.parse_optional_keyword("shared_outs") is not None:
        position = parser.pos
        inner, outer = parse_assignments(parser)
        parser.parse_punctuation("->")
        types = parse_type_or_list(parser)
        if len(types) != len(inner):
            parser.raise_error("mismatch between out operands and types", position)
    region = parser.parse_region(
        [
            *(a.resolve(index) for a in inductions),
            *(a.resolve(t) for a, t in zip(inner, types, strict=True)),
        ]
    )
    ensure_terminator(region, "scf.forall.in_parallel")
    attributes = parser.parse_optional_attr_dict()
    values = [[parser.resolve_operand(o, index) for o in group] for group in groups]
    values.append(parser.resolve_operands(outer, types, position))
    properties = {
        "staticLowerBound": i64_array(constants[0]),
        "staticUpperBound": i64_array(constants[1]),
        "staticStep": i64_array(constants[2]),
    }
    return ods.create("scf.forall", values, types, properties, attributes, [region])


def print_forall(op: scf.ForallOp, printer: Printer) -> None:
    block = op.regions[0].block
    lower, upper, step = (
        op.properties[name].get_values()
        for name in ("staticLowerBound", "staticUpperBound", "staticStep")
    )
    rank = len(upper)
    printer.print_string(" (")
    print_operands(printer, block.args[:rank])
    if _all_are(lower, op.operand_group(0), 0) and _all_are(step, op.operand_group(2), 1):
        printer.print_string(") in ")
        print_index_list(printer, upper, op.operand_group(1), brackets="()")
    else:
        for place, (word, constants) in enumerate(
            ((") = ", lower), (" to ", upper), (" step ", step))
        ):
            printer.print_string(word)
            print_index_list(printer, constants, op.operand_group(place), brackets="()")
    outputs = op.operand_group(3)
    print_assignments(printer, block.args[rank:], outputs, " shared_outs")
    printer.print_string(" ")
    if outputs:
        printer.print_string("-> (")
        print_list(printer, [result.type for result in op.results], printer.print_attribute)
        printer.print_string(") ")
    printer.print_region(
        op.regions[0], print_entry_block_args=False, print_block_terminators=bool(outputs)
    )
    print_attr_dict(printer, op, ("staticLowerBound", "staticUpperBound", "staticStep"))


def _all_are(constants: Sequence[int], values: Sequence[SSAValue], wanted: int) -> bool:
    """Whether all bounds are one number, given as a constant or as the value of one."""
    if any(constant not in (wanted, DYNAMIC) for constant in constants):
        return False
    return all(int_of(value) == wanted for value in values)


def parse_in_parallel(parser: Parser) -> Operation:
    """`{...} {attributes}`"""
    region = parser.parse_region([])
    attributes = parser.parse_optional_attr_dict()
    return ods.create("scf.forall.in_parallel", (), (), None, attributes, [region])


def print_in_parallel(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_region(op.regions[0], print_entry_block_args=False, print_empty_block=False)
    print_attr_dict(printer, op)


PARALLEL_PARSE: dict[str, ParseHook] = {
    "scf.parallel": parse_parallel,
    "scf.forall": parse_forall,
    "scf.forall.in_parallel": parse_in_parallel,
}
PARALLEL_PRINT: dict[str, Callable[..., None]] = {
    "scf.parallel": print_parallel,
    "scf.forall": print_forall,
    "scf.forall.in_parallel": print_in_parallel,
}
