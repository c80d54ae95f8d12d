# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How gpu operations are read and printed where ODS leaves it to C++.

Source: MLIR 22.1 GPUDialect.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from xgpu.core import ods
from xgpu.core.ir.op_info import attribute_of
from xgpu.core.syntax.tokens import operation_start
from xgpu.dialects import gpu
from xgpu.dialects.gpu.attributes import AsyncTokenType, SelectObjectAttr
from xgpu.dialects.syntax_helpers import ensure_terminator, print_argument

if TYPE_CHECKING:
    from xgpu.core.syntax.formats.fields import AttributeSlot, ReadState, Slot
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer


# -- `gpu.launch`: its configuration names the arguments of its body.
#
#     gpu.launch async? [deps]? (clusters(ids) in (sizes))? blocks(ids) in (sizes) threads(ids) in
#         (sizes) (dynamic_shared_memory_size %s)? (module(@m))? (function(@f))?
#         (workgroup(..))? (private(..))? region attr-dict?
#
# Body arguments: block ids, thread ids, grid sizes, block sizes, then cluster ids and cluster sizes
# where there are clusters, then workgroup and private buffers.


#: The discardable attribute that separates workgroup from private buffers among the body arguments.
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


# -- `gpu.func`: a function whose body also has workgroup and private buffers as arguments.
#
#     gpu.func @f(%a: T {attrs}, ..) (-> results)? (workgroup(%w : M {attrs}, ..))?
#         (private(%p : M {attrs}, ..))? kernel? (attributes {..})? region
#
# MLIR keeps `gpu.kernel`, `sym_name` and `workgroup_attributions` among the discardable attributes.


#: Properties of gpu.func that its `attributes {..}` dictionary may set.
_SIZES = ("known_block_size", "known_grid_size", "known_cluster_size")


def parse_func(parser: Parser) -> Operation:
    name = parser.parse_symbol_name()
    at = parser.pos

    def argument() -> tuple[Parser.Argument, dict[str, Attribute]]:
        argument = parser.parse_optional_argument()
        if argument is None:
            raise parser.raise_error("gpu.func requires named arguments", at)
        attributes = parser.parse_optional_dictionary_attr_dict()
        argument.location = parser.parse_optional_location()
        return argument, attributes

    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    results = _parse_results(parser)
    properties: dict[str, Attribute] = {
        "function_type": FunctionType.from_lists(
            [a.type for a, _ in arguments], [t for t, _ in results]
        )
    }
    workgroup = parse_attributions(parser, "workgroup", with_attributes=True)
    private = parse_attributions(parser, "private", with_attributes=True)
    for key, group in (
        ("arg_attrs", arguments),
        ("res_attrs", results),
        ("workgroup_attrib_attrs", workgroup),
        ("private_attrib_attrs", private),
    ):
        if any(attributes for _, attributes in group):
            properties[key] = ArrayAttr([DictionaryAttr(attributes) for _, attributes in group])
    is_kernel = parser.parse_optional_keyword("kernel") is not None
    given = parser.parse_optional_attr_dict_with_keyword()
    discardable: dict[str, Attribute] = {"sym_name": name}
    if given is not None:
        if is_kernel and "gpu.kernel" in given.data:
            parser.raise_error(
                "attribute 'gpu.kernel' occurs more than once in the attribute list",
                operation_start(parser),
            )
        for key, value in given.data.items():
            (properties if key in _SIZES else discardable)[key] = value
    if is_kernel:
        discardable["gpu.kernel"] = UnitAttr()
    discardable[WORKGROUP_COUNT] = IntegerAttr(len(workgroup), i64)
    named = [a for group in (arguments, workgroup, private) for a, _ in group]
    region = parser.parse_region(named or None)  # without them `{}` has no block
    return ods.create("gpu.func", (), (), properties, discardable, [region])


def _parse_results(parser: Parser) -> list[tuple[Attribute, dict[str, Attribute]]]:
    if parser.parse_optional_punctuation("->") is None:
        return []
    if parser.parse_optional_punctuation("(") is None:
        return [(parser.parse_type(), {})]
    if parser.parse_optional_punctuation(")") is not None:
        return []

    def result() -> tuple[Attribute, dict[str, Attribute]]:
        result_type = parser.parse_type()
        return result_type, parser.parse_optional_dictionary_attr_dict()

    results = parser.parse_comma_separated_list(parser.Delimiter.NONE, result)
    parser.parse_punctuation(")")
    return results


def print_func(op: gpu.FuncOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(symbol(op))
    properties = op.properties
    function_type = properties["function_type"]
    entry = op.regions[0].blocks.first
    _print_arguments(printer, entry, function_type, properties.get("arg_attrs"))
    _print_results(printer, function_type, properties.get("res_attrs"))
    workgroup, private = attributions(op)
    print_attributions(printer, "workgroup", workgroup, properties.get("workgroup_attrib_attrs"))
    print_attributions(printer, "private", private, properties.get("private_attrib_attrs"))
    if "gpu.kernel" in op.attributes:
        printer.print_string(" kernel")
    sizes = (op.known_block_size, op.known_grid_size, op.known_cluster_size)
    shown: dict[str, Attribute] = {
        key: size for key, size in zip(_SIZES, sizes, strict=True) if size is not None
    }
    hidden = ("sym_name", "gpu.kernel", WORKGROUP_COUNT)
    shown.update((k, v) for k, v in op.attributes.items() if k not in hidden)
    printer.print_op_attributes(dict(sorted(shown.items())), print_keyword=True)
    printer.print_string(" ")
    printer.print_region(op.regions[0], print_entry_block_args=False)


def _print_arguments(
    printer: Printer,
    entry: Block | None,
    function_type: FunctionType,
    attributes: ArrayAttr[DictionaryAttr] | None,
) -> None:
    printer.print_string("(")
    for i, argument_type in enumerate(function_type.inputs.data):
        printer.print_string(", " if i else "")
        given = {} if attributes is None else attributes.data[i].data
        if entry is not None and i < len(entry.args):
            print_argument(printer, entry.args[i], given)
        else:
            printer.print_attribute(argument_type)
            printer.print_op_attributes(given)
    printer.print_string(")")


def _print_results(
    printer: Printer, function_type: FunctionType, attributes: ArrayAttr[DictionaryAttr] | None
) -> None:
    types = function_type.outputs.data
    if not types:
        return
    bare = len(types) == 1 and attributes is None and not isinstance(types[0], FunctionType)
    printer.print_string(" -> " if bare else " -> (")
    for i, result_type in enumerate(types):
        printer.print_string(", " if i else "")
        printer.print_attribute(result_type)
        if attributes is not None:
            printer.print_op_attributes(attributes.data[i].data)
    if not bare:
        printer.print_string(")")


# -- Names that MLIR suggests for results of gpu operations (`%thread_id_x`).


_INDEX_OPS = (
    "thread_id",
    "block_id",
    "block_dim",
    "grid_dim",
    "global_id",
    "cluster_id",
    "cluster_dim",
    "cluster_dim_blocks",
    "cluster_block_id",
)


def _name_dimension(op: gpu.BlockDimOp) -> list[str | None]:
    return [f"{op.name[4:]}_{op.properties['dimension'].data}"]


NAMES = {f"gpu.{name}": _name_dimension for name in _INDEX_OPS}


# -- The other operations, and the tables for the format engine.


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
