# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of scf: loops, conditionals, regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    IndexType,
    IntegerType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.constants import int_of
from xgpu.core.syntax.tokens import operation_start
from xgpu.dialects import scf
from xgpu.dialects.syntax_helpers import (
    DYNAMIC,
    UntypedArgument,
    ensure_terminator,
    i64_array,
    parse_assignments,
    parse_index_list,
    parse_operands_in_parens,
    parse_optional_arrow_types,
    parse_type_or_list,
    parse_untyped_argument,
    print_assignments,
    print_attr_dict,
    print_index_list,
    print_list,
    print_operands,
    print_optional_arrow_types,
    rest_of_assignments,
)

if TYPE_CHECKING:
    from xgpu.core.syntax.formats.fields import AttributeSlot, ReadState, Slot
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.interfaces import ParseHook


# -- The syntax of scf's parallel loops.


def parse_parallel(parser: Parser) -> Operation:
    """`(%i, ..) = (%lb, ..) to (%ub, ..) step (%s, ..) (init (%v, ..) -> types)? {...}`"""
    inductions = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parse_untyped_argument(parser)
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
        parser.Delimiter.PAREN, lambda: parse_untyped_argument(parser)
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
    inner: list[UntypedArgument] = []
    outer: list[Operand] = []
    types: list[Attribute] = []
    position = parser.pos
    if parser.parse_optional_keyword("shared_outs") is not None:
        inner, outer = parse_assignments(parser)
        parser.parse_punctuation("->")
        types = parse_type_or_list(parser)
        if len(types) != len(inner):
            parser.raise_error(
                "number of operands and types do not match: "
                f"got {len(inner)} operands and {len(types)} types",
                position,
            )
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
    region = parser.parse_region()
    if region.first_block is None:
        region.add_block(Block())
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
    inner: list[UntypedArgument] = []
    outer: list[Operand] = []
    types: list[Attribute] = []
    if parser.parse_optional_keyword("iter_args") is not None:
        inner, outer = parse_assignments(parser)
        parser.parse_punctuation("->")
        types = parse_type_or_list(parser)
        if len(types) != len(inner):
            parser.raise_error(
                "mismatch in number of loop-carried values and defined values",
                operation_start(parser),
            )
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
    inner: list[UntypedArgument] = []
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
    **PARALLEL_PARSE,
}
PRINT = {
    "scf.for": print_for,
    "scf.if": print_if,
    "scf.while": print_while,
    "scf.execute_region": print_execute_region,
    **PARALLEL_PRINT,
}
DIRECTIVES = {"SwitchCases": (_parse_cases, _print_cases)}
