# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps applied to values, in the two forms that affine operations write them.

`#map(%d0, %d1)[%s0]` names a map and lists its operands; `[%i + 1, symbol(%n)]` writes the values
into the expressions: a plain `%i` is a dimension, `symbol(%n)` a symbol, each numbered by its first
mention.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr

from xgpu.dialects.syntax_helpers import print_list, print_operands

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import SSAValue

    from xgpu.core.syntax.operands import Operand
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer


def parse_dims_and_symbols(parser: Parser) -> tuple[list[SSAValue], int]:
    """`(dims)[symbols]`: the operands, all of index type, and how many are dimensions."""
    dims = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )
    symbols = (
        parser.parse_optional_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_unresolved_operand
        )
        or []
    )
    index = IndexType()
    return [parser.resolve_operand(o, index) for o in (*dims, *symbols)], len(dims)


def print_dims_and_symbols(printer: Printer, operands: Sequence[SSAValue], num_dims: int) -> None:
    """What `parse_dims_and_symbols` reads."""
    printer.print_string("(")
    print_operands(printer, operands[:num_dims])
    printer.print_string(")")
    if len(operands) > num_dims:
        printer.print_string("[")
        print_operands(printer, operands[num_dims:])
        printer.print_string("]")


class OperandExpressions:
    """Reads expressions over values and numbers the values that they mention."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._dims: dict[tuple[str, int], tuple[AffineExpr, Operand]] = {}
        self._symbols: dict[tuple[str, int], tuple[AffineExpr, Operand]] = {}

    def expression(self) -> AffineExpr:
        """One expression."""
        parser = self._parser
        if not hasattr(parser, "_affine_operand"):
            from xgpu.dialects.affine.plain_expressions import parse_expression

            return parse_expression(parser, self._operand)
        outer = parser._affine_operand, parser._affine_names
        # The only names here are those of values.
        parser._affine_operand, parser._affine_names = self._operand, {}
        try:
            return parser.parse_affine_expression()
        finally:
            parser._affine_operand, parser._affine_names = outer

    def _operand(self, text: str) -> AffineExpr:
        parser = self._parser
        if text == "symbol":
            parser.parse_keyword("symbol")
            parser.parse_punctuation("(")
            operand = parser.parse_unresolved_operand()
            parser.parse_punctuation(")")
            return _number(self._symbols, operand, AffineSymExpr)
        return _number(self._dims, parser.parse_unresolved_operand(), AffineDimExpr)

    def map(self, results: Sequence[AffineExpr]) -> AffineMap:
        """The map of expressions that were read."""
        return AffineMap(len(self._dims), len(self._symbols), tuple(results))

    def operands(self) -> list[SSAValue]:
        """The values: dimensions, then symbols."""
        index = IndexType()
        found = [operand for _, operand in (*self._dims.values(), *self._symbols.values())]
        return [self._parser.resolve_operand(operand, index) for operand in found]


def _number(
    table: dict[tuple[str, int], tuple[AffineExpr, Operand]],
    operand: Operand,
    make: Callable[[int], AffineExpr],
) -> AffineExpr:
    key = (operand.operand_name, operand.index)
    if key not in table:
        table[key] = (make(len(table)), operand)
    return table[key][0]


def parse_subscripts(parser: Parser) -> tuple[AffineMap, list[SSAValue]]:
    """`[%i + 1, symbol(%n)]`"""
    expressions = OperandExpressions(parser)
    results = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, expressions.expression)
    return expressions.map(results), expressions.operands()


def print_subscripts(printer: Printer, affine_map: AffineMap, operands: Sequence[SSAValue]) -> None:
    """What `parse_subscripts` reads."""
    printer.print_string("[")
    print_list(
        printer,
        affine_map.results,
        lambda expr: print_expression(printer, expr, operands, affine_map.num_dims),
    )
    printer.print_string("]")


def print_expression(
    printer: Printer, expr: AffineExpr, operands: Sequence[SSAValue], num_dims: int
) -> None:
    """An expression with the names of the values in it."""
    from xgpu.core.syntax.affine_printer import expr_text

    # Names are only known to the printer: print pieces between them.
    marks: list[tuple[bool, SSAValue]] = []

    def name(is_symbol: bool, position: int) -> str:
        marks.append((is_symbol, operands[position + (num_dims if is_symbol else 0)]))
        return f"\x01{len(marks) - 1}\x01"

    for place, piece in enumerate(expr_text(expr, name).split("\x01")):
        if place % 2 == 0:
            printer.print_string(piece)
            continue
        is_symbol, value = marks[int(piece)]
        printer.print_string("symbol(" if is_symbol else "")
        printer.print_ssa_value(value)
        printer.print_string(")" if is_symbol else "")
