# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu.launch`: its configuration names the arguments of its body.

    gpu.launch async? [deps]? (clusters(ids) in (sizes))? blocks(ids) in (sizes) threads(ids) in
        (sizes) (dynamic_shared_memory_size %s)? (module(@m))? (function(@f))?
        (workgroup(..))? (private(..))? region attr-dict?

Body arguments: block ids, thread ids, grid sizes, block sizes, then cluster ids and cluster sizes
where there are clusters, then workgroup and private buffers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, StringAttr, SymbolRefAttr, i32, i64
from xdsl.ir import Attribute, Operation

from xgpu.core import ods
from xgpu.core.ir.inherent import attribute_of
from xgpu.dialects.gpu.attributes import AsyncTokenType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType
    from xdsl.ir import BlockArgument, SSAValue

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import gpu


#: The discardable attribute that tells workgroup from private buffers among the body arguments.
WORKGROUP_COUNT = "workgroup_attributions"


def parse_launch(parser: Parser) -> Operation:
    is_async = parser.parse_optional_keyword("async") is not None
    if is_async and getattr(parser, "expected_results", None) == 0:
        parser.raise_error("needs to be named when marked 'async'")
    names = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )
    token = AsyncTokenType()
    dependencies = [parser.resolve_operand(name, token) for name in names or ()]

    cluster_ids: list[Parser.UnresolvedArgument] = []
    cluster_sizes: list[Parser.UnresolvedArgument] = []
    cluster_values: list[SSAValue] = []
    if parser.parse_optional_keyword("clusters") is not None:
        cluster_ids, cluster_sizes, cluster_values = _parse_size_assignment(parser)
    parser.parse_keyword("blocks")
    block_ids, grid_sizes, grid_values = _parse_size_assignment(parser)
    parser.parse_keyword("threads")
    thread_ids, block_sizes, block_values = _parse_size_assignment(parser)

    dynamic = None
    if parser.parse_optional_keyword("dynamic_shared_memory_size") is not None:
        dynamic = parser.resolve_operand(parser.parse_unresolved_operand(), i32)
    properties: dict[str, Attribute] = {}
    for keyword in ("module", "function"):
        if parser.parse_optional_keyword(keyword) is not None:
            parser.parse_punctuation("(")
            properties[keyword] = SymbolRefAttr(parser.parse_symbol_name())
            parser.parse_punctuation(")")

    index = IndexType()
    arguments = [
        argument.resolve(index)
        for group in (block_ids, thread_ids, grid_sizes, block_sizes, cluster_ids, cluster_sizes)
        for argument in group
    ]
    workgroup = parse_attributions(parser, "workgroup")
    private = parse_attributions(parser, "private")
    arguments += [a for a, _ in workgroup] + [a for a, _ in private]
    region = parser.parse_region(arguments)
    attributes = dict(parser.parse_optional_attr_dict())
    attributes[WORKGROUP_COUNT] = IntegerAttr(len(workgroup), i64)
    clusters = cluster_values or [None, None, None]
    return ods.create(
        "gpu.launch",
        [dependencies, *grid_values, *block_values, *clusters, dynamic],
        [token] if is_async else [],
        properties,
        attributes,
        [region],
    )


def _parse_size_assignment(
    parser: Parser,
) -> tuple[list[Parser.UnresolvedArgument], list[Parser.UnresolvedArgument], list[SSAValue]]:
    """`(%ids) in (%size = %value, ..)`: three ids, three size names, three size values."""

    def name() -> Parser.UnresolvedArgument:
        return parser.parse_argument(expect_type=False)

    at = parser.pos
    ids = parser.parse_comma_separated_list(parser.Delimiter.PAREN, name)
    if len(ids) != 3:
        parser.raise_error("expected 3 identifiers", at)
    parser.parse_keyword("in")
    parser.parse_punctuation("(")
    sizes: list[Parser.UnresolvedArgument] = []
    values: list[SSAValue] = []
    for i in range(3):
        if i:
            parser.parse_punctuation(",")
        sizes.append(name())
        parser.parse_punctuation("=")
        values.append(parser.resolve_operand(parser.parse_unresolved_operand(), IndexType()))
    parser.parse_punctuation(")")
    return ids, sizes, values


def parse_attributions(
    parser: Parser, keyword: str, with_attributes: bool = False
) -> list[tuple[Parser.Argument, dict[str, Attribute]]]:
    """`workgroup(%a : type {attrs}, ..)`: arguments with their attributes."""
    if parser.parse_optional_keyword(keyword) is None:
        return []

    def attribution() -> tuple[Parser.Argument, dict[str, Attribute]]:
        argument = parser.parse_argument()
        attributes = parser.parse_optional_dictionary_attr_dict() if with_attributes else {}
        argument.location = parser.parse_optional_location()
        return argument, attributes

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, attribution)


def print_attributions(
    printer: Printer,
    keyword: str,
    values: Sequence[SSAValue],
    attributes: ArrayAttr[DictionaryAttr] | None = None,
) -> None:
    if not values:
        return
    printer.print_string(f" {keyword}(")
    for i, value in enumerate(values):
        printer.print_string(", " if i else "")
        printer.print_ssa_value(value)
        printer.print_string(" : ")
        printer.print_attribute(value.type)
        if attributes is not None and i < len(attributes.data):
            printer.print_op_attributes(attributes.data[i].data)
    printer.print_string(")")


def print_launch(op: gpu.LaunchOp, printer: Printer) -> None:
    body = op.regions[0]
    entry = body.blocks.first
    arguments = entry.args if entry is not None else ()
    has_clusters = op.cluster_size_x is not None
    if op.results:
        printer.print_string(" async")
        if op.async_dependencies:
            printer.print_string(" [")
            printer.print_list(op.async_dependencies, printer.print_ssa_value)
            printer.print_string("]")

    def assignment(
        keyword: str, ids: Sequence[SSAValue], sizes: Sequence[SSAValue], values: Sequence[SSAValue]
    ) -> None:
        printer.print_string(f" {keyword}(")
        printer.print_list(ids, printer.print_ssa_value)
        printer.print_string(") in (")
        for i in range(3):
            printer.print_string(", " if i else "")
            printer.print_ssa_value(sizes[i])
            printer.print_string(" = ")
            printer.print_ssa_value(values[i])
        printer.print_string(")")

    if has_clusters:
        values = [
            v for v in (op.cluster_size_x, op.cluster_size_y, op.cluster_size_z) if v is not None
        ]
        assignment("clusters", arguments[12:15], arguments[15:18], values)
    values = (op.grid_size_x, op.grid_size_y, op.grid_size_z)
    assignment("blocks", arguments[0:3], arguments[6:9], values)
    values = (op.block_size_x, op.block_size_y, op.block_size_z)
    assignment("threads", arguments[3:6], arguments[9:12], values)
    dynamic = op.dynamic_shared_memory_size
    if dynamic is not None:
        printer.print_string(" dynamic_shared_memory_size ")
        printer.print_ssa_value(dynamic)
    for keyword in ("module", "function"):
        symbol = op.properties.get(keyword)
        if symbol is not None:
            printer.print_string(f" {keyword}(")
            printer.print_attribute(symbol)
            printer.print_string(")")
    workgroup, private = attributions(op)
    print_attributions(printer, "workgroup", workgroup)
    print_attributions(printer, "private", private)
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False)
    printer.print_op_attributes(op.attributes, reserved_attr_names=(WORKGROUP_COUNT,))


def attributions(
    op: Operation,
) -> tuple[list[BlockArgument], list[BlockArgument]]:
    """The workgroup and the private buffers of a gpu.launch or gpu.func: arguments of its body."""
    entry = op.regions[0].blocks.first
    if entry is None:
        return [], []
    if op.name == "gpu.func":
        function_type = cast("FunctionType | None", op.properties.get("function_type"))
        first = len(function_type.inputs) if function_type is not None else 0
    else:
        first = 18 if cast("gpu.LaunchOp", op).cluster_size_x is not None else 12
    middle = first + workgroup_count(op)
    return list(entry.args[first:middle]), list(entry.args[middle:])


def workgroup_count(op: Operation) -> int:
    """How many workgroup buffers a gpu.launch or gpu.func has."""
    count = op.attributes.get(WORKGROUP_COUNT)
    return count.value.data if isinstance(count, IntegerAttr) else 0


def symbol(op: Operation) -> str:
    """The symbol name of an operation, wherever it keeps it."""
    name = attribute_of(op, "sym_name")
    return name.data if isinstance(name, StringAttr) else ""
