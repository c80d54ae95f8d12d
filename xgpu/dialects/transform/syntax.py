# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of transform."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.syntax.formats.common_directives import (
    parse_dynamic_index_list,
    print_dynamic_index_list,
)
from xgpu.core.syntax.formats.fields import AttributeSlot, ReadState, Slot
from xgpu.dialects import transform
from xgpu.dialects.syntax_helpers import (
    DYNAMIC,
    i64_array,
    parse_function,
    print_attr_dict,
    print_function,
    print_list,
)

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import StructAttr
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer


# -- Names of results of transform operations.


def _foreach_match(op: Operation) -> list[str | None]:
    return ["updated_root", *["yielded" for _ in op.results[1:]]]


NAMES = {"transform.foreach_match": _foreach_match}


# -- The parts of transform operations' formats that MLIR writes in C++.


# --- transform.sequence ------------------------------------------------------------------------
def parse_sequence_operands(
    parser: Parser, state: ReadState, root: Slot, root_type: Slot, extra: Slot, extra_types: Slot
) -> None:
    """`%root, %more : (type, types)`, or nothing."""
    operand = parser.parse_optional_unresolved_operand()
    if operand is None:
        return
    root.set(operand)
    more: list[Operand] = []
    while parser.parse_optional_punctuation(",") is not None:
        more.append(parser.parse_unresolved_operand())
    extra.set(more)
    parser.parse_punctuation(":")
    paren = parser.parse_optional_punctuation("(") is not None
    root_type.set(parser.parse_type())
    types: list[Attribute] = []
    while (more or paren) and parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    if len(types) != len(more):
        parser.raise_error("expected types to be provided for all operands")
    extra_types.set(types)
    if paren:
        parser.parse_punctuation(")")


def print_sequence_operands(
    printer: Printer,
    op: Operation,
    root: SSAValue | None,
    root_type: Attribute,
    extra: Sequence[SSAValue],
    extra_types: Sequence[Attribute],
) -> None:
    if root is None:
        return
    print_list(printer, [root, *extra], printer.print_ssa_value)
    printer.print_string(" : ")
    if not extra:
        printer.print_attribute(root_type)
        return
    printer.print_string("(")
    print_list(printer, [root_type, *extra_types], printer.print_attribute)
    printer.print_string(")")


# --- transform.apply_registered_pass -----------------------------------------------------------
def _parameter(index: int) -> Attribute:
    return ods.attr_class("transform.param_operand")(IntegerAttr(index, i64))


def parse_pass_options(
    parser: Parser, state: ReadState, options: AttributeSlot, dynamic: Slot
) -> None:
    """`{ "key" = value, other = %param, list = [1, %param] }`"""
    operands: list[Operand] = []

    def value(key: str) -> Attribute:
        operand = parser.parse_optional_unresolved_operand()
        if operand is not None:
            operands.append(operand)
            return _parameter(len(operands) - 1)
        if parser.parse_optional_punctuation("[") is not None:
            items: list[Attribute] = []
            if parser.parse_optional_punctuation("]") is None:
                items.append(value(key))
                while parser.parse_optional_punctuation(",") is not None:
                    items.append(value(key))
                parser.parse_punctuation("]")
            return ArrayAttr(items)
        found = parser.parse_optional_attribute()
        if found is not None and found.name == "transform.param_operand":
            parser.raise_error(
                "the param_operand attribute is a marker reserved for indicating a value will be "
                "passed via params and is only used in the generic print format"
            )
        if found is None:
            raise parser.raise_error(
                f"expected a valid attribute or operand as value associated to key '{key}'"
            )
        return found

    if parser.parse_optional_punctuation("{") is None:
        parser.raise_error("expected '{' in options dictionary")
    entries: dict[str, Attribute] = {}
    while parser.parse_optional_punctuation("}") is None:
        if entries:
            parser.parse_punctuation(",")
        key = parser.parse_optional_str_literal()
        if key is None:
            key = parser.parse_optional_identifier()
        if key is None:
            raise parser.raise_error("expected key to either be an identifier or a string")
        if parser.parse_optional_punctuation("=") is None:
            raise parser.raise_error("expected '=' after key in key-value pair")
        found = value(key)
        if key in entries:
            raise parser.raise_error("duplicate keys found in options dictionary")
        entries[key] = found
    options.set(DictionaryAttr(entries))
    dynamic.set(operands)


def print_pass_options(
    printer: Printer, op: Operation, options: DictionaryAttr | None, dynamic: Sequence[SSAValue]
) -> None:
    def value(attr: Attribute) -> None:
        if attr.name == "transform.param_operand":
            printer.print_ssa_value(dynamic[parameter_index(attr)])
        elif isinstance(attr, ArrayAttr):
            printer.print_string("[")
            print_list(printer, attr.data, value)
            printer.print_string("]")
        else:
            printer.print_attribute(attr)

    def entry(item: tuple[str, Attribute]) -> None:
        printer.print_string_literal(item[0])
        printer.print_string(" = ")
        value(item[1])

    if options is None or not options.data:
        return
    printer.print_string("{")
    print_list(printer, sorted(options.data.items()), entry)
    printer.print_string("}")


def parameter_index(attr: Attribute) -> int:
    """Which dynamic option a `#transform.param_operand` stands for."""
    index = cast("StructAttr", attr).data[0]
    return index.value.data if isinstance(index, IntegerAttr) else int(index)


# --- transform.foreach_match -------------------------------------------------------------------
def parse_match_symbols(
    parser: Parser, state: ReadState, matchers: AttributeSlot, actions: AttributeSlot
) -> None:
    """`@matcher -> @action, ...`"""
    found: list[tuple[Attribute, Attribute]] = []
    while True:
        matcher = cast("SymbolRefAttr", parser.parse_attribute())
        parser.parse_punctuation("->")
        found.append((matcher, parser.parse_attribute()))
        if not all(isinstance(symbol, SymbolRefAttr) for symbol in found[-1]):
            parser.raise_error("expected a symbol reference")
        if parser.parse_optional_punctuation(",") is None:
            break
    matchers.set(ArrayAttr([m for m, _ in found]))
    actions.set(ArrayAttr([a for _, a in found]))


def print_match_symbols(
    printer: Printer, op: Operation, matchers: ArrayAttr, actions: ArrayAttr
) -> None:
    pairs = list(zip(matchers.data, actions.data, strict=True))
    for index, (matcher, action) in enumerate(pairs):
        printer.print_string("\n    ")
        printer.print_attribute(matcher)
        printer.print_string(" -> ")
        printer.print_attribute(action)
        if index + 1 < len(pairs):
            printer.print_string(", ")


# --- positions ---------------------------------------------------------------------------------
def parse_match_dims(
    parser: Parser,
    state: ReadState,
    positions: AttributeSlot,
    inverted: AttributeSlot,
    everything: AttributeSlot,
) -> None:
    """`all`, `except(1, 2)` or `0, -1`"""
    if parser.parse_optional_keyword("all") is not None:
        positions.set(i64_array(()))
        everything.set(UnitAttr())
        return
    is_except = parser.parse_optional_keyword("except") is not None
    if is_except:
        inverted.set(UnitAttr())
        parser.parse_punctuation("(")
    numbers = [parser.parse_integer()]
    while parser.parse_optional_punctuation(",") is not None:
        numbers.append(parser.parse_integer())
    if is_except:
        parser.parse_punctuation(")")
    positions.set(i64_array(numbers))


def print_match_dims(
    printer: Printer,
    op: Operation,
    positions: DenseArrayBase[IntegerType],
    inverted: Attribute | None,
    everything: Attribute | None,
) -> None:
    if everything is not None:
        printer.print_string("all")
        return
    text = ", ".join(str(n) for n in positions.get_values())
    printer.print_string(f"except({text})" if inverted is not None else text)


# --- types -------------------------------------------------------------------------------------
def parse_semi_function(
    parser: Parser, state: ReadState, argument: Slot, result: Slot, optional: str | None = None
) -> None:
    """`type` alone, or `(type) -> type`; with "false", the latter only."""
    if optional == "false" or optional == '"false"':
        parser.parse_punctuation("(")
        paren = True
    else:
        paren = parser.parse_optional_punctuation("(") is not None
    argument.set(parser.parse_type())
    if not paren:
        result.set([])
        return
    parser.parse_punctuation(")")
    parser.parse_punctuation("->")
    if parser.parse_optional_punctuation("(") is None:
        result.set([parser.parse_type()])
        return
    types = [parser.parse_type()]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    parser.parse_punctuation(")")
    result.set(types)


def print_semi_function(
    printer: Printer,
    op: Operation,
    argument: Attribute,
    result: Attribute | tuple[Attribute, ...] | None,
    optional: str | None = None,
) -> None:
    results = result if isinstance(result, tuple | list) else () if result is None else (result,)
    if not results:
        printer.print_attribute(argument)
        return
    printer.print_string("(")
    printer.print_attribute(argument)
    printer.print_string(") -> ")
    if len(results) > 1:
        printer.print_string("(")
    print_list(printer, results, printer.print_attribute)
    if len(results) > 1:
        printer.print_string(")")


def parse_multitile_types(
    parser: Parser, state: ReadState, target: Slot, low: Slot, high: Slot, split: Slot
) -> None:
    """`(target) -> type`: one type for the three results."""
    ty = parser.parse_type()
    if not isinstance(ty, FunctionType) or len(ty.inputs.data) != 1 or len(ty.outputs.data) != 1:
        parser.raise_error("expects a trailing functional type with one argument and one result")
    target.set(ty.inputs.data[0])
    for slot in (low, high, split):
        slot.set(ty.outputs.data[0])


def print_multitile_types(
    printer: Printer,
    op: Operation,
    target: Attribute,
    low: Attribute,
    high: Attribute,
    split: Attribute,
) -> None:
    printer.print_attribute(FunctionType.from_lists([target], [low]))


def parse_packed_or_list(
    parser: Parser, state: ReadState, packed: Slot, values: Slot, integers: AttributeSlot
) -> None:
    """`*(%handle)`, or integers and operands in square brackets."""
    if parser.parse_optional_punctuation("*") is None:
        parse_dynamic_index_list(parser, state, values, integers)
        return
    parser.parse_punctuation("(")
    packed.set(parser.parse_unresolved_operand())
    parser.parse_punctuation(")")


def print_packed_or_list(
    printer: Printer,
    op: Operation,
    packed: SSAValue | None,
    values: Sequence[SSAValue],
    integers: DenseArrayBase[IntegerType],
) -> None:
    if packed is None:
        print_dynamic_index_list(printer, op, values, integers)
        return
    printer.print_string("*(")
    printer.print_ssa_value(packed)
    printer.print_string(")")


DIRECTIVES = {
    "ApplyRegisteredPassOptions": (parse_pass_options, print_pass_options),
    "ForeachMatchSymbols": (parse_match_symbols, print_match_symbols),
    "MultitileSizesTypes": (parse_multitile_types, print_multitile_types),
    "PackedOrDynamicIndexList": (parse_packed_or_list, print_packed_or_list),
    "SemiFunctionType": (parse_semi_function, print_semi_function),
    "SequenceOpOperands": (parse_sequence_operands, print_sequence_operands),
    "TransformMatchDims": (parse_match_dims, print_match_dims),
}


def parse_named_sequence(parser: Parser) -> Operation:
    """`visibility? @name(arguments) -> results { body }`"""
    return parse_function(parser, "transform.named_sequence")


def print_named_sequence(op: transform.NamedSequenceOp, printer: Printer) -> None:
    print_function(printer, op)


def parse_split(parser: Parser) -> Operation:
    """`%target after (%points | 42) {...} : target-type (, type of %points)?`"""
    target = parser.parse_unresolved_operand()
    parser.parse_keyword("after")
    points = parser.parse_optional_unresolved_operand()
    size = DYNAMIC if points is not None else parser.parse_integer(allow_boolean=False)
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    operands = [parser.resolve_operand(target, kind)]
    if points is not None:
        parser.parse_punctuation(",")
        operands.append(parser.resolve_operand(points, parser.parse_type()))
    attributes["static_chunk_sizes"] = IntegerAttr(size, i64)
    return ods.create("transform.structured.split", operands, [kind], None, attributes)


def print_split(op: transform.StructuredSplitOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_operand(op.target)
    printer.print_string(" after ")
    points = op.dynamic_chunk_sizes
    if points is None:
        printer.print_string(str(op.static_chunk_sizes.value.data))
    else:
        printer.print_operand(points)
    printer.print_string(" ")
    print_attr_dict(printer, op, ("static_chunk_sizes",))
    printer.print_string(" : ")
    printer.print_attribute(op.target.type)
    if points is not None:
        printer.print_string(", ")
        printer.print_attribute(points.type)


PARSE = {
    "transform.named_sequence": parse_named_sequence,
    "transform.structured.split": parse_split,
}
PRINT = {
    "transform.named_sequence": print_named_sequence,
    "transform.structured.split": print_split,
}

__all__ = ["DIRECTIVES", "PARSE", "PRINT"]
