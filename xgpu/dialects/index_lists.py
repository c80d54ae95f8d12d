# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`[%i, 4, [8], %j]`: constants and values mixed, MLIR's DynamicIndexList.

The constants are in a dense array that has the smallest i64 where a value stands; the values are
operands of their own. An entry in brackets of its own is scalable. For formats there is the
directive `custom<DynamicIndexList>`; this is for syntax written by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xgpu.dialects.syntax_helpers import DYNAMIC

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer


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
