# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu.func`: a function whose body also has workgroup and private buffers as arguments.

    gpu.func @f(%a: T {attrs}, ..) (-> results)? (workgroup(%w : M {attrs}, ..))?
        (private(%p : M {attrs}, ..))? kernel? (attributes {..})? region

MLIR keeps `gpu.kernel`, `sym_name` and `workgroup_attributions` among the discardable attributes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation

from xgpu.core import ods
from xgpu.dialects.gpu.launch_syntax import (
    WORKGROUP_COUNT,
    attributions,
    parse_attributions,
    print_attributions,
    symbol,
)

if TYPE_CHECKING:
    from xdsl.ir import Block

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import gpu


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
            parser.raise_error("attribute 'gpu.kernel' occurs more than once in the attribute list")
        for key, value in given.data.items():
            (properties if key in _SIZES else discardable)[key] = value
    if is_kernel:
        discardable["gpu.kernel"] = UnitAttr()
    discardable[WORKGROUP_COUNT] = IntegerAttr(len(workgroup), i64)
    region = parser.parse_region([a for group in (arguments, workgroup, private) for a, _ in group])
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
        if entry is not None and i < len(entry.args):
            printer.print_block_argument(entry.args[i])
        else:
            printer.print_attribute(argument_type)
        if attributes is not None:
            printer.print_op_attributes(attributes.data[i].data)
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
