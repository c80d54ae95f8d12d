# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Affine expressions over values, with nothing but what any parser of xDSL can do.

Our own parser reads them itself; xDSL's reads no `symbol(%n)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir.affine import AffineConstantExpr, AffineExpr

from xgpu.core.ir.fields import current_token

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser


#: Reads a value, or `symbol(value)`, that begins with a text.
OperandReader = Callable[[str], AffineExpr]


def parse_expression(parser: Parser, operand: OperandReader) -> AffineExpr:
    """Sums and differences of terms."""
    found = _term(parser, operand)
    while True:
        if parser.parse_optional_punctuation("+") is not None:
            found = found + _term(parser, operand)
        elif parser.parse_optional_punctuation("-") is not None:
            found = found - _term(parser, operand)
        else:
            return found


def _term(parser: Parser, operand: OperandReader) -> AffineExpr:
    """Products, quotients and remainders of factors."""
    found = _factor(parser, operand)
    while True:
        if parser.parse_optional_punctuation("*") is not None:
            found = found * _factor(parser, operand)
            continue
        word = parser.parse_optional_keyword_in(("floordiv", "ceildiv", "mod"))
        if word is None:
            return found
        right = _factor(parser, operand)
        if word == "floordiv":
            found = found // right
        else:
            found = found.ceil_div(right) if word == "ceildiv" else found % right


def _factor(parser: Parser, operand: OperandReader) -> AffineExpr:
    if parser.parse_optional_punctuation("(") is not None:
        found = parse_expression(parser, operand)
        parser.parse_punctuation(")")
        return found
    if parser.parse_optional_punctuation("-") is not None:
        return -_factor(parser, operand)
    number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if number is not None:
        return AffineConstantExpr(number)
    return operand(current_token(parser).text)
