# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How gpu operations are read and printed where ODS leaves it to C++.

Source: MLIR 22.1 GPUDialect.cpp. The longer ones live in `launch_syntax.py` and `func_syntax.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from xgpu.core import ods
from xgpu.dialects.gpu.attributes import AsyncTokenType, SelectObjectAttr
from xgpu.dialects.gpu.func_syntax import parse_func, print_func
from xgpu.dialects.gpu.launch_syntax import parse_launch, print_launch
from xgpu.dialects.syntax_helpers import ensure_terminator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xgpu.core.syntax.formats.parser_state import AttributeSlot, ReadState, Slot
    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import gpu


# --- async dependencies: `async`? (`[` ssa-list `]`)? -----------------------------------------
def parse_async_dependencies(
    parser: Parser, state: ReadState, token_type: Slot, dependencies: Slot
) -> bool:
    start = parser.pos
    is_async = parser.parse_optional_keyword("async") is not None
    if is_async:
        if getattr(parser, "expected_results", None) == 0:
            parser.raise_error("needs to be named when marked 'async'", start)
        token_type.set(AsyncTokenType())
    names = parse_dependency_list(parser)
    if names is not None:
        dependencies.set(names)
    return is_async or names is not None


def parse_dependency_list(parser: Parser) -> list[Operand] | None:
    """`[%a, %b]`, unresolved, or None where there is no list."""
    return parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )


def print_async_dependencies(
    printer: Printer,
    op: Operation,
    token_type: Attribute | None,
    dependencies: tuple[SSAValue, ...],
) -> None:
    if token_type is not None:
        printer.print_string("async")
    if not dependencies:
        return
    printer.print_string(" [" if token_type is not None else "[")
    printer.print_list(dependencies, printer.print_ssa_value)
    printer.print_string("]")


# --- the kind of a reduction: a bare keyword ---------------------------------------------------
def parse_all_reduce_operation(parser: Parser, state: ReadState, kind: AttributeSlot) -> bool:
    keyword = parser.parse_optional_identifier()
    if keyword is None:
        return False
    try:
        kind.set(ods.enum("gpu.all_reduce_op", keyword))
    except (KeyError, ValueError, VerifyException):
        parser.raise_error("invalid op kind")
    return True


def print_all_reduce_operation(
    printer: Printer, op: Operation, kind: gpu.AllReduceOpAttr | None
) -> None:
    if kind is not None:
        kind.print_parameter(printer)


# --- `<handler>`, by default #gpu.select_object ------------------------------------------------
def parse_offloading_handler(parser: Parser, state: ReadState, handler: AttributeSlot) -> bool:
    if parser.parse_optional_punctuation("<") is None:
        handler.set(SelectObjectAttr())
        return True
    handler.set(parser.parse_attribute())
    parser.parse_punctuation(">")
    return True


def print_offloading_handler(printer: Printer, op: Operation, handler: Attribute) -> None:
    if handler == SelectObjectAttr():
        return
    printer.print_string("<")
    printer.print_attribute(handler)
    printer.print_string(">")


# --- gpu.launch_func: the type of its sizes, its arguments -------------------------------------
def parse_launch_dim_type(
    parser: Parser, state: ReadState, dim: Slot, cluster: Slot, x: Slot, y: Slot, z: Slot
) -> bool:
    is_present = parser.parse_optional_punctuation(":") is not None
    dim_type = parser.parse_type() if is_present else IndexType()
    dim.set(dim_type)
    if cluster.get() is not None:
        for slot in (x, y, z):
            slot.set(dim_type)
    return True


def print_launch_dim_type(printer: Printer, op: Operation, dim: Attribute, *_: object) -> None:
    if not isinstance(dim, IndexType):
        printer.print_string(": ")
        printer.print_attribute(dim)


def parse_launch_func_operands(
    parser: Parser, state: ReadState, operands: Slot, types: Slot
) -> bool:
    if parser.parse_optional_keyword("args") is None:
        return False

    def argument() -> tuple[Operand, Attribute]:
        name = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        return name, parser.parse_type()

    arguments = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, argument, " in argument list"
    )
    operands.set([name for name, _ in arguments])
    types.set([argument_type for _, argument_type in arguments])
    return True


def print_launch_func_operands(
    printer: Printer, op: Operation, operands: tuple[SSAValue, ...], types: Sequence[Attribute]
) -> None:
    if not operands:
        return

    def argument(value: SSAValue) -> None:
        printer.print_ssa_value(value)
        printer.print_string(" : ")
        printer.print_attribute(value.type)

    printer.print_string("args(")
    printer.print_list(operands, argument)
    printer.print_string(")")


# --- gpu.warp_execute_on_lane_0 ----------------------------------------------------------------
def parse_warp_execute_on_lane_0(parser: Parser) -> Operation:
    """`(%lane)[32] args(%a, %b : T, U) -> (R) { ... }` with an implicit gpu.yield."""
    parser.parse_punctuation("(")
    lane = parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())
    parser.parse_punctuation(")")
    parser.parse_punctuation("[")
    size = parser.parse_integer(allow_boolean=False)
    parser.parse_punctuation("]")
    arguments: list[SSAValue] = []
    if parser.parse_optional_keyword("args") is not None:
        parser.parse_punctuation("(")
        at = parser.pos
        names = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation(")")
        arguments = list(parser.resolve_operands(names, types, at))
    results = parse_optional_arrow_types(parser)
    region = parser.parse_region()
    ensure_yield(region)
    attributes = parser.parse_optional_attr_dict()
    return ods.create(
        "gpu.warp_execute_on_lane_0",
        [lane, *arguments],
        results,
        {"warp_size": IntegerAttr(size, i64)},
        attributes,
        [region],
    )


def print_warp_execute_on_lane_0(op: gpu.WarpExecuteOnLane0Op, printer: Printer) -> None:
    printer.print_string("(")
    printer.print_ssa_value(op.operands[0])
    printer.print_string(f")[{op.warp_size.value.data}]")
    arguments = op.operands[1:]
    if arguments:
        printer.print_string(" args(")
        printer.print_list(arguments, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([a.type for a in arguments], printer.print_attribute)
        printer.print_string(")")
    if op.results:
        printer.print_string(" -> (")
        printer.print_list([r.type for r in op.results], printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(op.regions[0], print_block_terminators=bool(op.results))
    printer.print_op_attributes(op.attributes)


def parse_optional_arrow_types(parser: Parser) -> list[Attribute]:
    """`-> type` or `-> (types)`, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    if parser.parse_optional_punctuation("(") is None:
        return [parser.parse_type()]
    types: list[Attribute] = []
    if parser.parse_optional_punctuation(")") is None:
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation(")")
    return types


def ensure_yield(region: Region) -> None:
    """Closes a single-block region that has no terminator, as MLIR's parser does."""
    ensure_terminator(region, "gpu.yield")


PARSE = {
    "gpu.func": parse_func,
    "gpu.launch": parse_launch,
    "gpu.warp_execute_on_lane_0": parse_warp_execute_on_lane_0,
}
PRINT = {
    "gpu.func": print_func,
    "gpu.launch": print_launch,
    "gpu.warp_execute_on_lane_0": print_warp_execute_on_lane_0,
}
DIRECTIVES = {
    "AsyncDependencies": (parse_async_dependencies, print_async_dependencies),
    "AllReduceOperation": (parse_all_reduce_operation, print_all_reduce_operation),
    "OffloadingHandler": (parse_offloading_handler, print_offloading_handler),
    "LaunchDimType": (parse_launch_dim_type, print_launch_dim_type),
    "LaunchFuncOperands": (parse_launch_func_operands, print_launch_func_operands),
}
