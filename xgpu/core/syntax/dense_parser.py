# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading `dense<...>`, `sparse<...>` and `dense_resource<...>`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IndexType,
    IntegerType,
    ShapedType,
    Signedness,
    StringAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Attribute

from xgpu.core.ir.elements import dense, from_raw, pack, repeated, unpack
from xgpu.core.ir.floats import bits_literal, round_to
from xgpu.core.ir.integers import integer_value
from xgpu.core.ir.locations import build
from xgpu.core.syntax.builtin_attributes import DenseStringElementsAttr, SparseElementsAttr
from xgpu.core.syntax.lexer import unescape

if TYPE_CHECKING:
    from xgpu.core.syntax.parser_base import ParserBase


class Literal:
    """A tensor literal before its type is known: tokens, whether each has a minus, and the shape.

    `shape` is None for a single element. A hexadecimal string is one token.
    """

    __slots__ = ("is_complex", "negative", "shape", "tokens")

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self.negative: list[bool] = []
        self.shape: list[int] | None = None
        self.is_complex = False


def read_literal(parser: ParserBase) -> Literal:
    """A tensor literal; the cursor is after `<`, and after the literal when done."""
    literal = Literal()
    if parser._texts[parser._at] == "[":
        literal.shape = _read_list(parser, literal)
    else:
        _read_element(parser, literal)
    return literal


def _read_list(parser: ParserBase, literal: Literal) -> list[int]:
    """Elements in brackets; their shape."""
    texts = parser._texts
    parser._at += 1
    if texts[parser._at] == "]":
        parser._at += 1
        return [0]
    inner: list[int] | None = None
    count = 0
    tokens, negative = literal.tokens, literal.negative
    while True:
        text = texts[parser._at]
        if text == "[":
            shape = _read_list(parser, literal)
        elif text[:1].isdigit():
            # The frequent kind of element, without a call.
            tokens.append(parser._at)
            negative.append(False)
            parser._at += 1
            shape = None
        else:
            _read_element(parser, literal)
            shape = None
        if count and (shape or []) != (inner or []):
            parser.fail("tensor literal is invalid; ranks are not consistent between elements")
        inner = shape
        count += 1
        text = texts[parser._at]
        if text == ",":
            parser._at += 1
        elif text == "]":
            parser._at += 1
            return [count, *(inner or [])]
        else:
            parser.expected("expected ']'")


def _read_element(parser: ParserBase, literal: Literal) -> None:
    text = parser._texts[parser._at]
    if text == "(":
        literal.is_complex = True
        parser._at += 1
        _read_element(parser, literal)
        parser.parse_punctuation(",", " between complex elements")
        _read_element(parser, literal)
        parser.parse_punctuation(")", " after complex elements")
        return
    minus = text == "-"
    if minus:
        parser._at += 1
        text = parser._texts[parser._at]
        if not text[:1].isdigit():
            parser.fail("expected integer or floating point literal")
    elif not (
        text[:1].isdigit() or text in ("true", "false") or (text[:1] == '"' and len(text) > 1)
    ):
        parser.fail("expected element literal of primitive type")
    literal.tokens.append(parser._at)
    literal.negative.append(minus)
    parser._at += 1


def read_dense(parser: ParserBase, type: Attribute | None) -> Attribute:
    """`dense<literal> : type`"""
    position = parser.pos
    parser._at += 1
    parser.parse_punctuation("<", " after 'dense'")
    literal = None
    if parser._texts[parser._at] != ">":
        literal = read_literal(parser)
    parser.parse_punctuation(">", "")
    if type is None:
        type = _parse_elements_type(parser, position)
    return make_dense(parser, literal, type, position)


def _parse_elements_type(parser: ParserBase, position: int) -> Attribute:
    parser.parse_punctuation(":", "")
    type = parser.parse_type()
    return _checked_type(parser, type, position)


def _checked_type(parser: ParserBase, type: Attribute, position: int) -> Attribute:
    if not isinstance(type, ShapedType | UnrankedTensorType | UnrankedMemRefType):
        raise parser.error_at(position, "elements literal must be a shaped type")
    if not isinstance(type, ShapedType) or any(d < 0 for d in type.get_shape()):
        raise parser.error_at(position, "elements literal type must have static shape")
    return type


def make_dense(
    parser: ParserBase, literal: Literal | None, kind: Attribute, position: int
) -> Attribute:
    """The attribute that a literal (None: nothing between the brackets) gives with its type."""

    type = cast("TensorType", kind)
    shape = list(type.get_shape())
    count = math.prod(shape)
    element = type.get_element_type()
    if literal is None:
        if count:
            raise parser.error_at(
                position,
                f"parsed zero elements, but type ('{parser.as_text(type)}') expected at least 1",
            )
        return dense(type, b"")
    single = literal.shape is None
    tokens = literal.tokens
    if not isinstance(element, IntegerType | IndexType | AnyFloat | ComplexType):
        return _strings(parser, literal, type, position)
    if single and not literal.is_complex and parser._texts[tokens[0]][0] == '"':
        return dense(type, _hex(parser, tokens[0], type, element, count, position))
    if not single and literal.shape != shape:
        raise parser.error_at(
            position,
            f"inferred shape of elements literal ([{_list(literal.shape or ())}]) does not match "
            f"type ([{_list(shape)}])",
        )
    is_complex = isinstance(element, ComplexType)
    wanted = (1 if single else count) * (2 if is_complex else 1)
    if is_complex and len(tokens) != wanted:
        raise parser.error_at(
            position,
            f"parsed {len(tokens)} elements, but type "
            f"('{parser.as_text(element if single else type)}') expected {wanted} elements",
        )
    part = element.element_type if is_complex else element
    values = (
        _floats(parser, literal, part)
        if isinstance(part, AnyFloat)
        else _integers(parser, literal, part)
    )
    data = pack(values, part)
    if single and count != 1:
        data = repeated(data, count)
    return dense(type, data)


def _list(shape: Iterable[int]) -> str:
    return ", ".join(map(str, shape))


def _hex(
    parser: ParserBase, token: int, type: Attribute, element: Attribute, count: int, position: int
) -> bytes:
    text = parser._texts[token][1:-1]
    if text[:2] != "0x":
        raise parser.error_at(
            parser._starts[token], "expected string containing hex digits starting with `0x`"
        )
    try:
        raw = bytes.fromhex(text[2:])
    except ValueError:
        raise parser.error_at(
            parser._starts[token], "expected string containing hex digits starting with `0x`"
        ) from None
    if isinstance(element, ComplexType):
        part = element.element_type
        size = 2 * ((part.bitwidth + 7) // 8)
        if len(raw) == size:
            raw *= count
        data = from_raw(raw, part, 2 * count)
    else:
        data = from_raw(raw, element, count)
    if data is None:
        raise parser.error_at(
            position,
            f"elements hex data size is invalid for provided type: '{parser.as_text(type)}'",
        )
    return data


def _integers(parser: ParserBase, literal: Literal, type: IndexType | IntegerType) -> list[int]:
    texts = parser._texts
    if isinstance(type, IndexType):
        width, unsigned, signed = 64, False, True
    else:
        width = type.width.data
        unsigned = type.signedness.data is Signedness.UNSIGNED
        signed = type.signedness.data is Signedness.SIGNED
    half = 1 << width >> 1 or 1  # of no bits there is one value, zero
    limit = half if signed else 1 << width
    values: list[int] = []
    for token, negative in zip(literal.tokens, literal.negative, strict=True):
        text = texts[token]
        first = text[0]
        if first in "tf":
            if width != 1:
                raise parser.error_at(
                    parser._starts[token], "expected i1 type for 'true' or 'false' values"
                )
            value = int(text == "true")
        elif first == '"':
            raise parser.error_at(parser._starts[token], "integer constant out of range for type")
        elif "." in text:
            raise parser.error_at(
                parser._starts[token], "expected integer elements, but parsed floating-point"
            )
        else:
            value = integer_value(text)
        if negative:
            if unsigned:
                raise parser.error_at(
                    parser._starts[token],
                    "expected unsigned integer elements, but parsed negative value",
                )
            fits = 0 < value <= half  # MLIR has no minus zero
            value = -value
        else:
            fits = value < limit
            if not unsigned and value >= half:
                value -= 1 << width
        if not fits:
            raise parser.error_at(parser._starts[token], "integer constant out of range for type")
        values.append(value)
    return values


def _floats(parser: ParserBase, literal: Literal, type: AnyFloat) -> list[float]:
    return [
        read_float(parser, token, negative, type)
        for token, negative in zip(literal.tokens, literal.negative, strict=True)
    ]


def read_float(parser: ParserBase, token: int, negative: bool, type: AnyFloat) -> float:
    """The value of a literal (the token's index, and whether a minus was before it)."""
    text = parser._texts[token]
    if "." in text and text[0].isdigit():
        return round_to(-float(text) if negative else float(text), type)
    position = parser._starts[token]
    if not text[:1].isdigit():
        raise parser.error_at(position, "expected floating point literal")
    return bits_literal(parser, text, negative, type, position)


def _strings(parser: ParserBase, literal: Literal, type: Attribute, position: int) -> Attribute:
    strings: list[str] = []
    for token in literal.tokens:
        text = parser._texts[token]
        if text[0] != '"':
            raise parser.error_at(position, f"expected string token, got {text}")
        strings.append(unescape(text).decode("utf-8", "surrogateescape"))
    return DenseStringElementsAttr((tuple(strings), type))


# --- sparse<...>, dense_resource<...> ------------------------------------------------------


def read_sparse(parser: ParserBase, type: Attribute | None) -> Attribute:
    """`sparse<indices, values> : type`"""
    position = parser.pos
    parser._at += 1
    parser.parse_punctuation("<", " after 'sparse'")
    if parser.parse_optional_punctuation(">") is not None:
        type = type or _parse_elements_type(parser, position)
        return _sparse(dense(TensorType(i64, [0, len(type.get_shape())]), b""), b"", type)  # pyright: ignore
    index_at = parser.pos
    indices = read_literal(parser)
    parser.parse_punctuation(",", "")
    value_at = parser.pos
    values = read_literal(parser)
    parser.parse_punctuation(">", "")
    if type is None:
        type = _parse_elements_type(parser, position)
    rank = len(type.get_shape())  # pyright: ignore
    if indices.shape is None:
        index_shape = [1, rank]
    elif len(indices.shape) == 1:
        index_shape = indices.shape if len(indices.tokens) else [0, rank]
        if rank == 1 and len(indices.tokens):
            index_shape = [indices.shape[0], 1]
        indices.shape = index_shape
    else:
        index_shape = indices.shape
    index_type = TensorType(i64, index_shape)
    index_attr = make_dense(parser, indices, index_type, index_at)
    count = index_shape[0]
    value_type = TensorType(type.get_element_type(), [count])  # pyright: ignore
    value_attr = make_dense(parser, values, value_type, value_at)
    _check_sparse(
        parser,
        cast("DenseIntOrFPElementsAttr", index_attr),
        index_shape,
        cast("TensorType", type),
        position,
    )
    return SparseElementsAttr((index_attr, value_attr, type))


def _sparse(indices: Attribute, data: bytes, type: TensorType) -> Attribute:
    return SparseElementsAttr(
        (indices, dense(TensorType(type.get_element_type(), [0]), data), type)
    )


def _check_sparse(
    parser: ParserBase,
    indices: DenseIntOrFPElementsAttr,
    shape: list[int],
    type: TensorType,
    position: int,
) -> None:
    bounds = type.get_shape()
    if len(shape) != 2 or shape[1] != len(bounds):
        raise parser.error_at(
            position,
            f"expected 2-d tensor for sparse indices, but got '{parser.as_text(indices.type)}'"
            if len(shape) != 2
            else f"expected tensor rank {len(bounds)} for sparse indices, got {shape[1]}",
        )
    flat = unpack(indices.data.data, i64)
    for row in range(shape[0]):
        index = flat[row * shape[1] : (row + 1) * shape[1]]
        if any(not 0 <= at < bound for at, bound in zip(index, bounds, strict=True)):
            raise parser.error_at(
                position,
                f"sparse index #{row} is not contained within the value shape, with "
                f"index=[{_list(index)}], and type='{parser.as_text(type)}'",
            )


def read_resource(parser: ParserBase, type: Attribute | None) -> Attribute:
    """`dense_resource<key> : type`"""
    position = parser.pos
    parser._at += 1
    parser.parse_punctuation("<", " after 'dense_resource'")
    key = parser.parse_optional_identifier_or_str_literal()
    if key is None:
        raise parser.expected("expected identifier key for 'resource' entry")
    parser.parse_punctuation(">", "")
    if type is None:
        parser.parse_punctuation(":", "")
        type = parser.parse_type()
    if not isinstance(type, ShapedType):
        raise parser.error_at(position, "`dense_resource` expected a shaped type")
    return build(DenseResourceAttr, resource_handle=StringAttr(key), type=type)
