# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading `array<type: values>`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AnyFloat, BytesAttr, DenseArrayBase, IntegerType, Signedness
from xdsl.ir import Attribute

from xgpu.core.ir.elements import pack
from xgpu.core.ir.integers import integer_value
from xgpu.core.ir.locations import build
from xgpu.core.syntax.dense_parser import read_float
from xgpu.core.syntax.lexer import is_integer

if TYPE_CHECKING:
    from xgpu.core.syntax.parser_base import ParserBase


def read_array(parser: ParserBase, type: Attribute | None) -> Attribute:
    """`array<type: values>`"""
    parser._at += 1
    parser.parse_punctuation("<", " after 'array'")
    position = parser.pos
    element = parser.parse_optional_type()
    if element is None:
        parser.fail("expected an integer or floating point type")
    if not isinstance(element, IntegerType | AnyFloat):
        raise parser.error_at(
            position, f"expected integer or float type, got: '{parser.as_text(element)}'"
        )
    width = element.bitwidth
    if width != 1 and width % 8:
        raise parser.error_at(position, "element type bitwidth must be a multiple of 8")
    if parser.parse_optional_punctuation(">") is not None:
        return _array(element, b"")
    parser.parse_punctuation(":", " after dense array type")
    values = parser.parse_list(
        parser.Delimiter.NONE,
        (lambda: _array_float(parser, element))
        if isinstance(element, AnyFloat)
        else (lambda: _array_integer(parser, element)),
    )
    parser.parse_punctuation(">", " to close an array attribute")
    return _array(element, pack(values, element))


def _array(element: Attribute, data: bytes) -> DenseArrayBase:
    return build(DenseArrayBase, elt_type=element, data=BytesAttr(data))


def _array_float(parser: ParserBase, element: AnyFloat) -> float:
    negative = parser.parse_optional_punctuation("-") is not None
    token = parser._at
    if not parser._texts[token][:1].isdigit():
        parser.fail("expected floating point literal")
    parser._at += 1
    return read_float(parser, token, negative, element)


def _array_integer(parser: ParserBase, element: IntegerType) -> int:
    text = parser._texts[parser._at]
    width = element.width.data
    if width == 1:
        if text not in ("true", "false"):
            parser._at += 1
            parser.fail("expected 'true' or 'false' values for i1 type")
        parser._at += 1
        return -int(text == "true")
    negative = text == "-"
    if negative:
        if element.signedness.data is Signedness.UNSIGNED:
            parser.fail("expected unsigned integer elements, but parsed negative value")
        parser._at += 1
        text = parser._texts[parser._at]
    if not is_integer(text):
        is_boolean = text in ("true", "false")
        what = "i1 type for 'true' or 'false' values" if is_boolean else "integer literal"
        parser.fail(f"expected {what}")
    parser._at += 1
    value = integer_value(text)
    half = 1 << width >> 1
    signed = element.signedness.data is Signedness.SIGNED and width
    # MLIR has no minus zero.
    fits = 0 < value <= half if negative else value < (half if signed else 1 << width)
    if not fits:
        parser.fail("integer constant out of range")
    if negative:
        return -value
    if value >= half and element.signedness.data is not Signedness.UNSIGNED:
        value -= half << 1
    return value
