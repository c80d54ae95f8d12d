# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`[%i, 4, [8], %j]`: constants and values mixed, MLIR's DynamicIndexList.

The constants are in a dense array that has the smallest i64 where a value stands; the values are
operands of their own. Where a third argument is given it has a flag for each entry that is scalable,
written in brackets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, i1

from xgpu.dialects.syntax_helpers import DYNAMIC, i64_array


def parse_index_list(parser: Any, brackets: str = "[]") -> tuple[list[int], list[Any], list[bool]]:
    """The constants, the operands, and which entries are scalable."""
    constants: list[int] = []
    operands: list[Any] = []
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
                parser.raise_error("expected SSA value or integer")
            constants.append(constant)
        if is_scalable:
            parser.parse_punctuation("]")
        scalable.append(is_scalable)

    delimiter = parser.Delimiter.SQUARE if brackets == "[]" else parser.Delimiter.PAREN
    parser.parse_comma_separated_list(delimiter, entry)
    return constants, operands, scalable


def print_index_list(
    printer: Any,
    constants: Sequence[int],
    values: Sequence[Any],
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


def parse_dynamic_index_list(
    parser: Any, state: Any, dynamic: Any, static: Any, *more: Any
) -> bool:
    """The directive `custom<DynamicIndexList>($dynamic, $static, $scalable?, types?, delimiter?)`."""
    constants, operands, scalable = parse_index_list(parser, _brackets(more))
    dynamic.set(operands)
    static.set(i64_array(constants))
    flags = _scalable_argument(more)
    if flags is not None:
        flags.set(DenseArrayBase.from_list(i1, [int(flag) for flag in scalable]))
    return bool(constants)


def print_dynamic_index_list(
    printer: Any, op: Any, dynamic: Sequence[Any], static: Any, *more: Any
) -> None:
    """The directive's printer."""
    constants = () if static is None else static.get_values()
    flags = _scalable_argument(more)
    scalable = () if flags is None else [bool(flag) for flag in flags.get_values()]
    print_index_list(printer, constants, dynamic, scalable, _brackets(more))


def _scalable_argument(more: Sequence[Any]) -> Any:
    return more[0] if more and not isinstance(more[0], str) else None


def _brackets(more: Sequence[Any]) -> str:
    return "()" if any(isinstance(m, str) and m.endswith("Paren") for m in more) else "[]"


DYNAMIC_INDEX_LIST = (parse_dynamic_index_list, print_dynamic_index_list)
