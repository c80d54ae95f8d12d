# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of the cf dialect: the cases of `cf.switch`, and verifiers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerType,
    Signedness,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.core.ir.constants import make_dense
from xgpu.core.ir.elements import unpack
from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.syntax.formats.numbers import read_wide_integer
from xgpu.dialects.interfaces import verify_segments
from xgpu.dialects.syntax_helpers import print_list

if TYPE_CHECKING:
    from xgpu.core.syntax.formats.fields import AttributeSlot, ReadState, Slot
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.parser_base import Operand
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import cf


# -- The cases of `cf.switch`.


def parse_successor_with_operands(
    parser: Parser,
) -> tuple[Block, list[Operand], list[Attribute]]:
    """`^block` or `^block(%a, %b : types)`: the block, operands, types."""
    block = parser.parse_successor()
    operands: list[Operand] = []
    types: list[Attribute] = []
    if parser.parse_optional_punctuation("(") is not None:
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation(")")
    return block, operands, types


def print_successor_with_operands(
    printer: Printer, block: Block, operands: Sequence[SSAValue]
) -> None:
    """What `parse_successor_with_operands` reads."""
    printer.print_block_name(block)
    if operands:
        printer.print_string("(")
        print_list(printer, operands, printer.print_ssa_value)
        printer.print_string(" : ")
        print_list(printer, [value.type for value in operands], printer.print_attribute)
        printer.print_string(")")


def _parse_cases(
    parser: Parser,
    state: ReadState,
    flag_type: Slot,
    default: Slot,
    default_operands: Slot,
    default_types: Slot,
    values: AttributeSlot,
    destinations: Slot,
    operands: Slot,
    types: Slot,
) -> None:
    kind = cast("IntegerType", flag_type.get())
    parser.parse_keyword("default")
    parser.parse_punctuation(":")
    block, names, kinds = parse_successor_with_operands(parser)
    default.set(block)
    default_operands.set(names)
    default_types.set(kinds)
    numbers: list[int] = []
    blocks: list[Block] = []
    groups: list[list[Operand]] = []
    group_types: list[list[Attribute]] = []
    while parser.parse_optional_punctuation(",") is not None:
        wide = kind.width.data > 64  # as it is printed; a number of more bits than the flag wraps
        number = read_wide_integer(parser) if wide else parser.parse_integer(allow_boolean=False)
        numbers.append(_signed(number, kind))
        parser.parse_punctuation(":")
        block, names, kinds = parse_successor_with_operands(parser)
        blocks.append(block)
        groups.append(names)
        group_types.append(kinds)
    if numbers:
        values.set(make_dense(VectorType(kind, [len(numbers)]), numbers))
    destinations.set(blocks)
    operands.set([name for group in groups for name in group])
    types.set([kind for group in group_types for kind in group])
    state.properties["case_operand_segments"] = DenseArrayBase.from_list(
        i32, [len(group) for group in groups]
    )


def _signed(number: int, kind: IntegerType) -> int:
    """A case's number as a value of the flag's type."""
    width = kind.width.data
    number %= 1 << width
    if kind.signedness.data is Signedness.UNSIGNED:
        return number
    return number - (1 << width) if width > 1 and number >> (width - 1) else number


def _print_cases(
    printer: Printer,
    op: cf.SwitchOp,
    flag_type: Attribute,
    default: Block,
    default_operands: Sequence[SSAValue],
    default_types: Sequence[Attribute],
    values: DenseIntOrFPElementsAttr | None,
    destinations: Sequence[Block],
    operands: Sequence[SSAValue],
    types: Sequence[Attribute],
) -> None:

    printer.print_string("  default: ")
    print_successor_with_operands(printer, default, default_operands)
    if values is None:
        return
    width = cast("IntegerType", values.type.element_type).width.data
    numbers = unpack(values.data.data, values.type.element_type)
    cases = zip(numbers, destinations, switch_operands(op), strict=True)
    for number, block, group in cases:
        # MLIR prints the bits; as a number that it could read, it has to fit in 63 of them.
        shown = number % (1 << width) if width < 64 else number
        printer.print_string(f",\n  {shown}: ")
        print_successor_with_operands(printer, block, group)
    printer.print_string("\n")


DIRECTIVES = {"SwitchOpCases": (_parse_cases, _print_cases)}


# -- Verifiers of cf operations: weights and cases agree with the blocks that are gone to.


def switch_operands(op: cf.SwitchOp) -> list[list[SSAValue]]:
    """The operands of each case of a switch."""
    values = list(op.operand_group(2))
    groups: list[list[SSAValue]] = []
    at = 0
    for size in op.case_operand_segments.get_values():
        groups.append(values[at : at + size])
        at += size
    return groups


def verify_weights(op: Operation) -> None:
    """Branch weights: one for each successor, and not all zero."""
    weights = cast("DenseArrayBase[IntegerType] | None", op.properties.get("branch_weights"))
    if weights is None:
        return
    given = weights.get_values()
    if len(given) != len(op.successors):
        raise error(
            op,
            "expects number of branch weights to match number of successors: "
            f"{len(given)} vs {len(op.successors)}",
        )
    if not any(given):
        raise error(op, "branch weights cannot all be zero")


def verify_cases(op: Operation, flag: SSAValue) -> None:
    """Case values have the flag's type, and are as many as the cases."""
    values = cast("DenseIntOrFPElementsAttr | None", op.properties.get("case_values"))
    count = len(op.successors) - 1
    if values is None:
        if count:
            raise op_error(
                op,
                f"expects number of case values to match number of case destinations: 0 vs {count}",
            )
        return
    if values.type.element_type != flag.type:
        raise op_error(
            op,
            f"'flag' type ('{shown(flag.type)}') should match case value type "
            f"('{shown(values.type.element_type)}')",
        )
    found = values.type.get_shape()[0]
    if found != count:
        raise op_error(
            op,
            f"number of case values ({found}) should match number of case destinations ({count})",
        )


def _switch(op: cf.SwitchOp) -> None:
    verify_cases(op, op.operands[0])
    verify_segments(op, len(op.case_operand_segments))


VERIFY = {"cf.cond_br": verify_weights, "cf.switch": _switch}
