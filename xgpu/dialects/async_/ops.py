# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of the async dialect: types, syntax, verifiers and patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Data, Operation, TypeAttribute

from xgpu.core import ods
from xgpu.core.ir.errors import op_error, shown
from xgpu.dialects import async_
from xgpu.dialects.func.ops import verify_call
from xgpu.dialects.interfaces import back, into, verify_edges, verify_function, yields
from xgpu.dialects.syntax_helpers import (
    parse_function,
    parse_optional_arrow_types,
    print_function,
    print_optional_arrow_types,
)

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer as XdslPrinter

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.core.syntax.formats.fields import ReadState, Slot
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer


# -- Types of the async dialect: `!async.value<T>` has its syntax in C++.
#
# Source: MLIR 22.1 Async.cpp.


class ValueType(Data[Attribute], TypeAttribute):
    """`!async.value<T>`: a T that will be there later."""

    name = "async.value"

    def __init__(self, value_type: Attribute) -> None:
        super().__init__(value_type)

    @property
    def value_type(self) -> Attribute:
        return self.data

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Attribute:
        with parser.in_angle_brackets():
            return parser.parse_type()

    def print_parameter(self, printer: XdslPrinter) -> None:
        printer.print_string("<")
        printer.print_attribute(self.data)
        printer.print_string(">")


ATTRIBUTES: dict[str, type[Attribute]] = {ValueType.name: ValueType}


# -- How async operations are read and printed where ODS leaves it to C++.
#
# Source: MLIR 22.1 Async.cpp.
#
#     async.execute ([%deps])? ((%v as %unwrapped : !async.value<T>, ..))? (-> results)?
#         (attributes {..})? region


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


# -- What MLIR's verifiers of async operations check beyond the tables.
#
# Source: MLIR 22.1 Async.cpp.


def _content(ty: Attribute) -> Attribute:
    return ty.value_type if isinstance(ty, ValueType) else ty


def _compatible(left: Attribute, right: Attribute) -> bool:
    return _content(left) == _content(right)


def verify_execute(op: async_.ExecuteOp) -> None:

    block = op.regions[0].block
    edges = [into(op, 0, list(op.body_operands), list(block.args))]
    edges += [back(y, list(y.operands), list(op.results[1:])) for y in yields(op, 0, "async.yield")]
    verify_edges(op, edges, _compatible)


def verify_await(op: Operation) -> None:
    ty = op.operands[0].type
    if isinstance(ty, ValueType):
        if len(op.results) != 1 or op.results[0].type != ty.value_type:
            if not op.results:
                raise op_error(op, f"awaiting on '{shown(ty)}' must have a result")
            raise op_error(
                op,
                f"result type '{shown(op.results[0].type)}' does not match async value type "
                f"'{shown(ty.value_type)}'",
            )
    elif op.results:
        raise op_error(op, "awaiting on a token must have empty result")


def verify_func(op: async_.FuncOp) -> None:
    verify_function(op)
    results = op.properties["function_type"].outputs.data
    if not results:
        raise op_error(op, "result is expected to be at least of size 1, but got 0")
    for i, ty in enumerate(results):
        if ty.name not in ("async.token", "async.value"):
            raise op_error(
                op,
                f"result type must be async value type or async token type, but got '{shown(ty)}'",
            )
        if ty.name == "async.token" and i != 0:
            raise op_error(
                op,
                " results' (optional) async token type is expected to appear as the 1st return "
                f"value, but got {i + 1}",
            )


def verify_return(op: Operation) -> None:
    function = op.parent_op()
    if function is None or function.name != "async.func":
        return
    results = list(cast("FunctionType", function.properties["function_type"]).outputs.data)
    if results and results[0].name == "async.token":
        results = results[1:]
    if [operand.type for operand in op.operands] != [_content(ty) for ty in results]:
        raise op_error(op, "operand types do not match the types returned from the parent FuncOp")


VERIFY = {
    "async.execute": verify_execute,
    "async.call": lambda op: verify_call(op, "async.func", "async function"),
    "async.await": verify_await,
    "async.func": verify_func,
    "async.return": verify_return,
}


# -- Canonicalization patterns of the async dialect.


def drop_empty_group(op: Operation, rw: GreedyRewriter) -> bool:
    """A group that is awaited only, with nothing added to it, is erased with its awaits."""
    users = [use.operation for use in op.results[0].uses]
    if any(user.name != "async.await_all" for user in users):
        return False
    for user in users:
        rw.erase(user)
    rw.erase(op)
    return True


PATTERNS = {"async.create_group": (drop_empty_group,)}
