# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Directives that MLIR provides to all dialects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import builtin
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.integers import dense_array
from xgpu.core.syntax.formats.fields import AttributeSlot, ReadState, Slot

if TYPE_CHECKING:
    from xdsl.parser import Parser, UnresolvedOperand

    from xgpu.core.syntax.printer import Printer
    from xgpu.core.syntax.printer_base import PrinterBase


def parse_dynamic_index_list(
    parser: Parser, state: ReadState, values: Slot, integers: AttributeSlot, *more: object
) -> None:
    """`[%a, 4, [8], %b]`: operands among integers. More: `scalables`, `value types`, delimiter."""
    scalables: AttributeSlot | None = None
    types: Slot | None = None
    square, paren = "[", "]"
    for argument in more:
        if argument == "paren" or (isinstance(argument, str) and "Paren" in argument):
            square, paren = "(", ")"
        elif isinstance(argument, AttributeSlot):
            scalables = argument
        elif isinstance(argument, Slot):
            types = argument

    operands: list[UnresolvedOperand] = []
    operand_types: list[Attribute] = []
    numbers: list[int] = []
    flags: list[int] = []

    def item() -> None:
        scalable = scalables is not None and parser.parse_optional_punctuation("[") is not None
        operand = parser.parse_optional_unresolved_operand()
        if operand is not None:
            operands.append(operand)
            numbers.append(DYNAMIC_INDEX)
            if types is not None and parser.parse_optional_punctuation(":") is not None:
                operand_types.append(parser.parse_type())
        else:
            numbers.append(parser.parse_integer())
        if scalable:
            parser.parse_punctuation("]")
        flags.append(int(scalable))

    parser.parse_punctuation(square)
    if parser.parse_optional_punctuation(paren) is None:
        item()
        while parser.parse_optional_punctuation(",") is not None:
            item()
        parser.parse_punctuation(paren)
    values.set(operands)
    if types is not None and operand_types:
        types.set(operand_types)
    integers.set(dense_array(64, tuple(numbers)))
    if scalables is not None:
        scalables.set(builtin.DenseArrayBase.from_list(builtin.i1, flags))


def print_dynamic_index_list(
    printer: Printer,
    op: Operation,
    values: Sequence[SSAValue],
    integers: DenseArrayBase[IntegerType] | None,
    *more: object,
) -> None:
    """The inverse of `parse_dynamic_index_list`."""
    scalable: Sequence[int] = ()
    types = ()
    opening, closing = "[", "]"
    for argument in more:
        if isinstance(argument, str):
            if "aren" in argument:
                opening, closing = "(", ")"
        elif isinstance(argument, builtin.DenseArrayBase):
            scalable = argument.get_values()
        elif isinstance(argument, tuple):
            types = argument
    numbers = integers.get_values() if integers is not None else ()
    printer.print_string(opening)
    place = 0
    for index, number in enumerate(numbers):
        if index:
            printer.print_string(", ")
        boxed = index < len(scalable) and scalable[index]
        if boxed:
            printer.print_string("[")
        if number == DYNAMIC_INDEX:
            printer.print_ssa_value(values[place])
            if types:
                printer.print_string(" : ")
                printer.print_attribute(types[place])
            place += 1
        else:
            printer.print_string(str(number))
        if boxed:
            printer.print_string("]")
    printer.print_string(closing)


def parse_symbol_visibility(parser: Parser, state: object, visibility: AttributeSlot) -> bool:
    """`public`, `private`, `nested`, or nothing."""
    word = parser.parse_optional_keyword_in(("public", "private", "nested"))
    if word is None:
        return False
    visibility.set(builtin.StringAttr(word))
    return True


def print_symbol_visibility(
    printer: PrinterBase, op: Operation, visibility: StringAttr | None
) -> None:
    if visibility is not None:
        printer.print_string(visibility.data)


def parse_dimension_list(parser: Parser, state: object, dimensions: AttributeSlot) -> None:
    """`4x?x8`, or `[]` for none."""
    if parser.parse_optional_punctuation("[") is not None:
        if parser.parse_optional_punctuation("]") is None:
            parser.raise_error("Failed parsing dimension list.")
        dimensions.set(dense_array(64, ()))
        return
    found = parser.parse_dimension_list()
    if not found:
        parser.raise_error(
            'Failed parsing dimension list. Did you mean an empty list? It must be denoted by "[]".'
        )
    dimensions.set(dense_array(64, tuple(found)))


def print_dimension_list(
    printer: PrinterBase, op: Operation, dimensions: DenseArrayBase[IntegerType] | None
) -> None:
    """The inverse of `parse_dimension_list`."""
    sizes = () if dimensions is None else dimensions.get_values()
    if not sizes:
        printer.print_string("[]")
        return
    printer.print_dimension_list(sizes)


COMMON = {
    "DimensionList": (parse_dimension_list, print_dimension_list),
    "DynamicIndexList": (parse_dynamic_index_list, print_dynamic_index_list),
    "SymbolVisibility": (parse_symbol_visibility, print_symbol_visibility),
}
