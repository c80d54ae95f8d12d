# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How async operations are read and printed where ODS leaves it to C++.

Source: MLIR 22.1 Async.cpp.

    async.execute ([%deps])? ((%v as %unwrapped : !async.value<T>, ..))? (-> results)?
        (attributes {..})? region
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation

from xgpu.core import ods
from xgpu.dialects.async_.attributes import ValueType
from xgpu.dialects.syntax_helpers import (
    parse_function,
    parse_optional_arrow_types,
    print_function,
    print_optional_arrow_types,
)

if TYPE_CHECKING:
    from xgpu.core.syntax.formats.parser_state import ReadState, Slot
    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import async_


def parse_execute(parser: Parser) -> Operation:
    token = ods.attr_class("async.token")()
    names = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )
    dependencies = [parser.resolve_operand(name, token) for name in names or ()]

    def operand() -> tuple[Operand, Parser.UnresolvedArgument, ValueType]:
        outer = parser.parse_unresolved_operand()
        parser.parse_keyword("as")
        inner = parser.parse_argument(expect_type=False)
        parser.parse_punctuation(":")
        at = parser.pos
        ty = parser.parse_type()
        if not isinstance(ty, ValueType):
            parser.raise_error("operands to execute must be of async value type", at)
        return outer, inner, ty

    operands = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, operand) or []
    values = [parser.resolve_operand(outer, ty) for outer, _, ty in operands]
    arguments = [inner.resolve(ty.value_type) for _, inner, ty in operands]
    results = parse_optional_arrow_types(parser)
    given = parser.parse_optional_attr_dict_with_keyword()
    region = parser.parse_region(arguments)
    return ods.create(
        "async.execute",
        [dependencies, values],
        [token, *results],
        {},
        {} if given is None else dict(given.data),
        [region],
    )


def print_execute(op: async_.ExecuteOp, printer: Printer) -> None:
    if op.dependencies:
        printer.print_string(" [")
        printer.print_list(op.dependencies, printer.print_ssa_value)
        printer.print_string("]")
    region = op.regions[0]
    if op.body_operands:
        arguments = region.block.args
        printer.print_string(" (")
        for i, (value, argument) in enumerate(zip(op.body_operands, arguments, strict=True)):
            printer.print_string(", " if i else "")
            printer.print_ssa_value(value)
            printer.print_string(" as ")
            printer.print_ssa_value(argument)
            printer.print_string(": ")
            printer.print_attribute(value.type)
        printer.print_string(")")
    print_optional_arrow_types(printer, [result.type for result in op.results[1:]])
    printer.print_op_attributes(op.attributes, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(region, print_entry_block_args=False)


def parse_await_result_type(parser: Parser, state: ReadState, operand: Slot, result: Slot) -> bool:
    """The type of what is awaited; a value gives its content as result."""
    ty = parser.parse_type()
    operand.set(ty)
    if isinstance(ty, ValueType):
        result.set(ty.value_type)
    return True


def print_await_result_type(
    printer: Printer, op: Operation, operand: Attribute, result: Attribute | None
) -> None:
    printer.print_attribute(operand)


PARSE = {
    "async.execute": parse_execute,
    "async.func": lambda parser: parse_function(parser, "async.func"),
}
PRINT = {
    "async.execute": print_execute,
    "async.func": lambda op, printer: print_function(printer, op),
}
DIRECTIVES = {"AwaitResultType": (parse_await_result_type, print_await_result_type)}
