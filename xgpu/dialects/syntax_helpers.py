# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pieces of syntax that handwritten readers and printers of several dialects share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerType,
    StringAttr,
    TensorType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Data, Operation, Region, SSAValue, TypeAttribute

from xgpu.core import ods
from xgpu.core.ods import region_traits

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr
    from xdsl.parser import AttrParser
    from xdsl.parser import Parser as XdslParser
    from xdsl.printer import Printer as XdslPrinter

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer


# -- Types that have no parameters, of whichever dialect.


class PlainType(Data[None], TypeAttribute):
    """A type without parameters: its name is its whole syntax."""

    def __init__(self, data: None = None) -> None:
        super().__init__(None)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> None:
        return None

    def print_parameter(self, printer: XdslPrinter) -> None:
        """Prints nothing after the name."""


if TYPE_CHECKING:
    _Item = TypeVar("_Item")


#: MLIR's `ShapedType::kDynamic`, which static index lists use for "see the operands".
DYNAMIC = DYNAMIC_INDEX


def scalable_dims(kind: Attribute) -> tuple[bool, ...]:
    """Which dimensions of a vector type are scalable."""
    return tuple(bool(dim.value.data) for dim in cast("VectorType", kind).scalable_dims.data)


def parse_typed_attribute(parser: Parser, type: Attribute) -> Attribute:
    """An attribute whose type is not written, since it is known: `dense<0>` of a `type`."""
    if not hasattr(parser, "expected_results"):  # xDSL's, which knows this of `dense` only
        parser.parse_keyword("dense")
        return parser.parse_dense_int_or_fp_elements_attr(cast("TensorType[IntegerType]", type))
    return parser.parse_attribute(type)


# -- attributes ---------------------------------------------------------------------------------


def parse_attributes_without_sizes(parser: Parser) -> dict[str, Attribute]:
    """`attr-dict` of an operation whose form gives the sizes of its groups of operands."""
    attributes = dict(parser.parse_optional_attr_dict())
    refuse_sizes(parser, attributes)
    return attributes


def refuse_sizes(
    parser: Parser, attributes: Mapping[str, Attribute], position: int | None = None
) -> None:
    """The sizes of an operation's groups of operands may not be among attributes beside a form that
    tells them."""
    if "operandSegmentSizes" in attributes:
        text = "attribute 'operandSegmentSizes' occurs more than once in the attribute list"
        parser.raise_error(text, position)


#: How many values each group has, which the groups show.
_SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")


def print_attr_dict(
    printer: Printer, op: Operation, elided: Iterable[str] = (), *, keyword: bool = False
) -> None:
    """` {...}` of all attributes, inherent ones too, but for `elided`; nothing if none is left."""
    hidden = set(elided)
    shown = {k: v for k, v in op.properties.items() if k not in hidden and k not in _SEGMENTS}
    # An operation without segments may have attributes of these names, which mean nothing.
    shown.update((k, v) for k, v in op.attributes.items() if k not in hidden)
    if shown:
        printer.print_op_attributes(dict(sorted(shown.items())), print_keyword=keyword)


# -- types --------------------------------------------------------------------------------------


def parse_arrow_types(parser: Parser) -> list[Attribute]:
    """`-> type` or `-> (types)`."""
    parser.parse_punctuation("->")
    return parse_type_or_list(parser)


def parse_optional_arrow_types(parser: Parser) -> list[Attribute]:
    """`(-> type | -> (types))?`"""
    if parser.parse_optional_punctuation("->") is None:
        return []
    return parse_type_or_list(parser)


def parse_type_or_list(parser: Parser) -> list[Attribute]:
    """`type`, or `(types)` with none or several."""
    types: list[Attribute] | None = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_type
    )
    return [parser.parse_type()] if types is None else types


def print_optional_arrow_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """` -> type` or ` -> (types)`; nothing for none."""
    if not types:
        return
    printer.print_string(" -> ")
    if len(types) == 1 and not isinstance(types[0], FunctionType):
        printer.print_attribute(types[0])
        return
    printer.print_string("(")
    print_list(printer, types, printer.print_attribute)
    printer.print_string(")")


def print_list(
    printer: Printer, items: Iterable[_Item], print_one: Callable[[_Item], object]
) -> None:
    """Items with `, ` between them."""
    for index, item in enumerate(items):
        if index:
            printer.print_string(", ")
        print_one(item)


# -- operands and regions -----------------------------------------------------------------------


def parse_operands_in_parens(parser: Parser) -> list[Operand]:
    """`(%a, %b)`"""
    return parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )


class UntypedArgument(NamedTuple):
    """An argument that the text gives no type, and its location."""

    argument: XdslParser.UnresolvedArgument
    location: LocationAttr | None

    def resolve(self, type_: Attribute) -> XdslParser.Argument:
        """The argument with a type."""
        found = self.argument.resolve(type_)
        found.location = self.location
        return found


def parse_untyped_argument(parser: Parser) -> UntypedArgument:
    """`%name (loc(..))?`"""
    argument = parser.parse_argument(expect_type=False)
    return UntypedArgument(argument, parser.parse_optional_location())


def parse_assignments(parser: Parser) -> tuple[list[UntypedArgument], list[Operand]]:
    """`(%inner = %outer, ...)` as arguments without types and operands."""
    parser.parse_punctuation("(")
    return rest_of_assignments(parser)


def rest_of_assignments(parser: Parser) -> tuple[list[UntypedArgument], list[Operand]]:
    """What follows the parenthesis of assignments: `%inner = %outer, ...)`."""
    inner: list[UntypedArgument] = []
    outer: list[Operand] = []
    if parser.parse_optional_punctuation(")") is not None:
        return inner, outer
    while True:
        inner.append(parse_untyped_argument(parser))
        parser.parse_punctuation("=")
        outer.append(parser.parse_unresolved_operand())
        if parser.parse_optional_punctuation(",") is None:
            break
    parser.parse_punctuation(")")
    return inner, outer


def print_assignments(
    printer: Printer, inner: Sequence[SSAValue], outer: Sequence[SSAValue], prefix: str = ""
) -> None:
    """`<prefix>(%inner = %outer, ...)`; nothing if there is none."""
    if not outer:
        return
    printer.print_string(prefix + "(")

    def one(pair: tuple[SSAValue, SSAValue]) -> None:
        printer.print_ssa_value(pair[0])
        printer.print_string(" = ")
        printer.print_ssa_value(pair[1])

    print_list(printer, zip(inner, outer, strict=True), one)
    printer.print_string(")")


def print_operands(printer: Printer, values: Iterable[SSAValue]) -> None:
    """`%a, %b`"""
    print_list(printer, values, printer.print_ssa_value)


def ensure_terminator(region: Region, name: str) -> Region:
    """Gives a region the block and the terminator that its text may leave out."""
    region_traits.ensure_terminator(region, name)
    return region


# -- functions ----------------------------------------------------------------------------------


def parse_function(parser: Parser, name: str, *, has_visibility: bool = True) -> Operation:
    """`visibility? @name(arguments) (-> results)? (attributes {...})? region?`"""
    properties: dict[str, Attribute] = {}
    if has_visibility:
        visibility = parser.parse_optional_visibility_keyword()
        if visibility is not None:
            properties["sym_visibility"] = visibility
    properties["sym_name"] = parser.parse_symbol_name()
    named, arguments = _parse_arguments(parser)
    results = _parse_results(parser)
    properties["function_type"] = FunctionType.from_lists(
        [t for t, _ in arguments], [t for t, _ in results]
    )
    attributes: dict[str, Attribute] = {}
    at = parser.pos
    given = parser.parse_optional_attr_dict_with_keyword()
    if given is not None:
        attributes.update(given.data)
        for inferred in ("sym_visibility", "sym_name", "function_type"):
            if inferred in attributes:
                parser.raise_error(
                    f"'{inferred}' is an inferred attribute and should not be specified in the "
                    "explicit attribute dictionary",
                    at,
                )
    for key, group in (("arg_attrs", arguments), ("res_attrs", results)):
        if any(of for _, of in group):
            properties[key] = ArrayAttr([DictionaryAttr(of) for _, of in group])
    position = parser.pos
    region = parser.parse_optional_region(named or None)
    if region is None:
        region = Region()
    elif not region.blocks:
        parser.raise_error("expected non-empty function body", position)
    return ods.create(name, (), (), properties, attributes, [region])


def _parse_arguments(
    parser: Parser,
) -> tuple[list[Parser.Argument], list[tuple[Attribute, dict[str, Attribute]]]]:
    """The arguments with names, and type and attributes of all; MLIR allows no mixture."""
    named: list[Parser.Argument] = []
    all_: list[tuple[Attribute, dict[str, Attribute]]] = []

    def argument() -> None:
        found = parser.parse_optional_argument()
        if found is not None:
            if len(named) < len(all_):
                parser.raise_error("expected type instead of SSA identifier")
            named.append(found)
            attributes = parser.parse_optional_dictionary_attr_dict()
            found.location = parser.parse_optional_location()
            all_.append((found.type, attributes))
            return
        if named:
            parser.raise_error("expected SSA identifier")
        kind = parser.parse_type()
        all_.append((kind, parser.parse_optional_dictionary_attr_dict()))
        parser.parse_optional_location()

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    return named, all_


def _parse_results(parser: Parser) -> list[tuple[Attribute, dict[str, Attribute]]]:
    if parser.parse_optional_punctuation("->") is None:
        return []

    def result() -> tuple[Attribute, dict[str, Attribute]]:
        kind = parser.parse_type()
        return kind, parser.parse_optional_dictionary_attr_dict()

    results = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, result)
    return [(parser.parse_type(), {})] if results is None else results


def print_function(
    printer: Printer,
    op: Operation,
    *,
    elided: Iterable[str] = (),
) -> None:
    """What `parse_function` reads."""
    properties = op.properties
    visibility = properties.get("sym_visibility")
    printer.print_string(" ")
    if isinstance(visibility, StringAttr):
        printer.print_string(visibility.data + " ")
    printer.print_symbol_name(cast("StringAttr", properties["sym_name"]).data)
    body, kind = op.regions[0], cast("FunctionType", properties["function_type"])
    print_signature(
        printer,
        body,
        kind.inputs.data,
        kind.outputs.data,
        cast("ArrayAttr[DictionaryAttr] | None", properties.get("arg_attrs")),
        cast("ArrayAttr[DictionaryAttr] | None", properties.get("res_attrs")),
    )
    hidden = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs", *elided)
    print_attr_dict(printer, op, hidden, keyword=True)
    if body.first_block is not None:
        printer.print_string(" ")
        printer.print_region(body, print_entry_block_args=False)


def print_signature(
    printer: Printer,
    body: Region,
    inputs: Sequence[Attribute],
    outputs: Sequence[Attribute],
    arg_attrs: ArrayAttr[DictionaryAttr] | None,
    res_attrs: ArrayAttr[DictionaryAttr] | None,
) -> None:
    """`(arguments) -> results` with their attributes."""
    entry = body.first_block
    printer.print_string("(")
    for index, kind in enumerate(inputs):
        if index:
            printer.print_string(", ")
        attributes = arg_attrs.data[index].data if arg_attrs is not None else {}
        if entry is not None and index < len(entry.args):
            print_argument(printer, entry.args[index], attributes)
        else:
            printer.print_attribute(kind)
            printer.print_op_attributes(attributes)
    printer.print_string(")")
    if not outputs:
        return
    bare = len(outputs) == 1 and not isinstance(outputs[0], FunctionType)
    bare = bare and (res_attrs is None or not res_attrs.data[0].data)
    printer.print_string(" -> " if bare else " -> (")
    for index, kind in enumerate(outputs):
        if index:
            printer.print_string(", ")
        printer.print_attribute(kind)
        if res_attrs is not None:
            printer.print_op_attributes(res_attrs.data[index].data)
    if not bare:
        printer.print_string(")")


def print_argument(
    printer: Printer, argument: BlockArgument, attributes: Mapping[str, Attribute]
) -> None:
    """`%arg: type {attributes} loc(...)`, the location only where the printer shows locations."""
    if not attributes:
        printer.print_block_argument(argument)
        return
    printer.print_ssa_value(argument)
    printer.print_string(": ")
    printer.print_attribute(argument.type)
    printer.print_op_attributes(attributes)
    if getattr(printer, "print_debuginfo", False):
        printer.print_string(" ")
        printer.print_argument_location(argument.location)


def i64_array(values: Iterable[int]) -> DenseArrayBase[IntegerType]:
    """A dense array of i64."""
    return DenseArrayBase.from_list(i64, list(values))


# -- `[%i, 4, [8], %j]`: constants and values mixed, MLIR's DynamicIndexList.
#
# The constants are in a dense array that has the smallest i64 where a value stands; the values are
# operands of their own. An entry in brackets of its own is scalable. This is for syntax written by
# hand; formats have `custom<DynamicIndexList>` (`xgpu/core/syntax/formats/common_directives.py`).


def parse_index_list(
    parser: Parser, brackets: str = "[]"
) -> tuple[list[int], list[Operand], list[bool]]:
    """The constants, the operands, and which entries are scalable."""
    constants: list[int] = []
    operands: list[Operand] = []
    scalable: list[bool] = []

    def entry() -> None:
        is_scalable = parser.parse_optional_punctuation("[") is not None
        operand = parser.parse_optional_unresolved_operand()
        if operand is not None:
            operands.append(operand)
            constants.append(DYNAMIC)
        else:
            constant = parser.parse_optional_integer(allow_boolean=False)
            if constant is None:
                raise parser.raise_error("expected SSA value or integer")
            constants.append(constant)
        if is_scalable:
            parser.parse_punctuation("]")
        scalable.append(is_scalable)

    delimiter = parser.Delimiter.SQUARE if brackets == "[]" else parser.Delimiter.PAREN
    parser.parse_comma_separated_list(delimiter, entry)
    return constants, operands, scalable


def print_index_list(
    printer: Printer,
    constants: Sequence[int],
    values: Sequence[SSAValue],
    scalable: Sequence[bool] = (),
    brackets: str = "[]",
) -> None:
    """What `parse_index_list` reads."""
    rest = iter(values)
    printer.print_string(brackets[0])
    for index, constant in enumerate(constants):
        if index:
            printer.print_string(", ")
        flagged = bool(scalable) and scalable[index]
        if flagged:
            printer.print_string("[")
        if constant == DYNAMIC:
            printer.print_ssa_value(next(rest))
        else:
            printer.print_string(str(constant))
        if flagged:
            printer.print_string("]")
    printer.print_string(brackets[1])
