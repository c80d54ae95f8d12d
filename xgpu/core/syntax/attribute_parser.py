# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading attributes. A part of the parser; dense literals are in `dense_parser`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from immutabledict import immutabledict
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute

from xgpu.core.ir.integers import integer_value
from xgpu.core.syntax.lexer import is_composite, is_integer, is_word, unescape
from xgpu.core.syntax.parser_base import ParserBase

_UNIT = UnitAttr()
_TRUE = IntegerAttr(1, i1)
_FALSE = IntegerAttr(0, i1)
_EMPTY_DICTIONARY = DictionaryAttr({})


class AttributeParser(ParserBase):
    """Attributes; `self` is the parser."""

    attribute_aliases: dict[str, Attribute]
    _attributes: dict[str, Attribute]
    #: Integers by literal, sign and the identity of the type, which the attribute keeps alive.
    _integers: dict[tuple[str, bool, int], Attribute]

    def parse_attribute(self, type: Attribute | None = None) -> Attribute:
        found = self.parse_optional_attribute(type)
        if found is None:
            raise self.expected("expected attribute value")
        return found

    def parse_optional_attribute(self, type: Attribute | None = None) -> Attribute | None:
        text = self._texts[self._at]
        known = self._types.get(text)
        if known is not None:
            self._at += 1
            return known
        if not text:
            return None
        first = text[0]
        if first == "#":
            return self._parse_hash_attribute(text)
        if first == '"' and len(text) > 1:
            return self._parse_string(type)
        if first in "0123456789-":
            return self._parse_number(type)
        if first == "@":
            return self._parse_optional_symref_attr()
        if first == "[":
            return self._parse_array()
        if first == "{":
            return self._parse_builtin_dict_attr()
        read = _KEYWORDS.get(text)
        if read is not None:
            return read(self, type)
        return self.parse_optional_type()

    def _parse_array(self) -> ArrayAttr:
        self._at += 1
        elements: list[Attribute] = []
        if self._texts[self._at] == "]":
            self._at += 1
            return ArrayAttr(elements)
        while True:
            elements.append(self.parse_attribute())
            text = self._texts[self._at]
            self._at += 1
            if text == "]":
                return ArrayAttr(elements)
            if text != ",":
                self._at -= 1
                self.expected("expected ',' or ']'")

    def _parse_hash_attribute(self, text: str) -> Attribute:
        known = self._attributes.get(text)
        if known is not None:
            self._at += 1
            return known
        composite = is_composite(text)
        position = self._starts[self._at]
        name = self._explode() if composite else text
        self._at += 1
        found = self._parse_extended_type_or_attribute(name[1:], False)
        if composite:
            end = self._starts[self._at - 1] + len(self._texts[self._at - 1])
            if end == position + len(text):
                self._attributes[text] = found
        elif "." not in text and text in self.attribute_aliases:
            self._attributes[text] = found
        return found

    # --- literals --------------------------------------------------------------------------
    def _parse_string(self, type: Attribute | None) -> Attribute:
        text = self._texts[self._at]
        self._at += 1
        data = unescape(text)
        try:
            value = StringAttr(data.decode())
        except UnicodeDecodeError:
            value = StringAttr(data.decode("utf-8", "surrogateescape"))
        if type is None and self._texts[self._at] == ":":
            self._at += 1
            type = self.parse_type()
        if type is not None:
            from xgpu.core.syntax.builtin_attributes import TypedStringAttr

            return TypedStringAttr((value.data, type))
        return value

    def _parse_number(self, type: Attribute | None) -> Attribute:
        """An integer or floating point literal with its type; the cursor is on it or its minus."""
        position = self._starts[self._at]
        negative = self._texts[self._at] == "-"
        text = self._texts[self._at + negative]
        if not text or text[0] not in "0123456789":
            self._at += 1
            self.expected("expected constant integer or floating point value")
        self._at += 1 + negative
        is_float = "." in text
        if negative:
            position = self._starts[self._at - 1]
        if type is None:
            if self._texts[self._at] == ":":
                self._at += 1
                type = self.parse_type()
            else:
                type = f64 if is_float else i64
        if isinstance(type, AnyFloat):
            from xgpu.core.ir.floats import float_literal

            return float_literal(self, text, negative, type, position)
        if is_float:
            self.fail("floating point value not valid for specified type")
        return self.integer_literal(text, negative, type, position)

    def integer_literal(
        self, text: str, negative: bool, type: Attribute, position: int
    ) -> Attribute:
        """An integer attribute from a literal, with MLIR's rules for what fits in the type."""
        key = text, negative, id(type)
        found = self._integers.get(key)
        if found is None:
            found = self._integers[key] = self._integer_attribute(text, negative, type, position)
        return found

    def _integer_attribute(
        self, text: str, negative: bool, type: Attribute, position: int
    ) -> Attribute:
        if not isinstance(type, IntegerType | IndexType):
            raise self.error_at(position, "integer literal not valid for specified type")
        value = integer_value(text)
        if isinstance(type, IndexType):
            width, signedness = 64, Signedness.SIGNED
        else:
            width, signedness = type.width.data, type.signedness.data
        if negative and signedness is Signedness.UNSIGNED:
            raise self.error_at(
                position, "negative integer literal not valid for unsigned integer type"
            )
        limit = 1 << width
        if negative:  # MLIR has no minus zero
            fits = 0 < value <= limit >> 1
            value = -value
        elif signedness is Signedness.SIGNED:
            fits = value < limit >> 1 or (not width and not value)
        else:
            fits = value < limit
        if not fits:
            raise self.error_at(position, "integer constant out of range for attribute")
        if width == 0:
            return IntegerAttr.new([_int(0), type])
        if signedness is not Signedness.UNSIGNED and value >= limit >> 1:
            value -= limit
        return IntegerAttr.new([_int(value), type])

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        text = self._texts[self._at]
        if text == "true" or text == "false" or text[:1] in tuple("0123456789-"):
            return cast("IntegerAttr | FloatAttr", self.parse_attribute())
        return None

    def try_parse_builtin_boolean_attr(self) -> IntegerAttr | None:
        value = self.parse_optional_boolean()
        return None if value is None else (_TRUE if value else _FALSE)

    # --- symbols ---------------------------------------------------------------------------
    def parse_optional_symbol_name(self) -> StringAttr | None:
        text = self._texts[self._at]
        if len(text) < 2 or text[0] != "@":
            return None
        self._at += 1
        return _symbol_name(text)

    def parse_symbol_name(self) -> StringAttr:
        name = self.parse_optional_symbol_name()
        if name is None:
            raise self.raise_error("expected valid '@'-identifier for symbol name")
        return name

    def _parse_optional_symref_attr(self) -> SymbolRefAttr | None:
        root = self.parse_optional_symbol_name()
        if root is None:
            return None
        nested: list[StringAttr] = []
        texts = self._texts
        while texts[self._at] == ":" and texts[self._at + 1] == ":":
            self._at += 2
            name = self.parse_optional_symbol_name()
            if name is None:
                raise self.fail("expected nested symbol reference identifier")
            nested.append(name)
        return SymbolRefAttr.new([root, ArrayAttr(nested)])

    # --- dictionaries ----------------------------------------------------------------------
    def parse_optional_dictionary_attr_dict(self) -> dict[str, Attribute]:
        """The entries of `{...}`, or none if there is no brace."""
        texts = self._texts
        if texts[self._at] != "{":
            return {}
        self._at += 1
        entries: dict[str, Attribute] = {}
        if texts[self._at] == "}":
            self._at += 1
            return entries
        while True:
            key = texts[self._at]
            first = key[:1]
            if first == '"':
                name = unescape(key).decode("utf-8", "surrogateescape")
                if not name:
                    raise self.fail("expected valid attribute name")
            elif is_word(key):
                name = key if not is_composite(key) else self._explode()
            else:
                raise self.expected("expected attribute name")
            if name in entries:
                raise self.fail(f"duplicate key '{name}' in dictionary attribute")
            self._at += 1
            if texts[self._at] == "=":
                self._at += 1
                entries[name] = self.parse_attribute()
            else:
                entries[name] = _UNIT
            text = texts[self._at]
            if text == ",":
                self._at += 1
            elif text == "}":
                self._at += 1
                return entries
            else:
                self.expected("expected '}' in attribute dictionary")

    def parse_optional_attr_dict(self) -> dict[str, Attribute]:
        return self.parse_optional_dictionary_attr_dict()

    def _parse_builtin_dict_attr(self) -> DictionaryAttr:
        entries = self.parse_optional_dictionary_attr_dict()
        return DictionaryAttr(immutabledict(entries)) if entries else _EMPTY_DICTIONARY

    def _parse_attribute_entry(self) -> tuple[str, Attribute]:
        name = self.parse_optional_identifier_or_str_literal()
        if name is None:
            raise self.expected("expected attribute name")
        if self.parse_optional_punctuation("=") is None:
            return name, _UNIT
        return name, self.parse_attribute()

    def parse_optional_attr_dict_with_keyword(
        self, reserved_attr_names: Iterable[str] = ()
    ) -> DictionaryAttr | None:
        if self._texts[self._at] != "attributes":
            return None
        self._at += 1
        if self._texts[self._at] != "{":
            self.expected("expected '{' in attribute dictionary")
        return self.parse_optional_attr_dict_with_reserved_attr_names(reserved_attr_names)

    def parse_optional_unit_attr(self) -> UnitAttr | None:
        return _UNIT if self.parse_optional_keyword("unit") else None


def _int(value: int) -> IntAttr:
    return IntAttr(value)


def _symbol_name(text: str) -> StringAttr:
    if text[1] == '"':
        return StringAttr(unescape(text[1:]).decode("utf-8", "surrogateescape"))
    return StringAttr(text[1:])


#: Reads an attribute that begins with a word; the type is what the context says of it.
_Read = Callable[[ParserBase, Attribute | None], Attribute | None]


# --- keywords that begin an attribute ------------------------------------------------------


def _read_true(parser: ParserBase, type: Attribute | None) -> Attribute:
    parser._at += 1
    return _TRUE


def _read_false(parser: ParserBase, type: Attribute | None) -> Attribute:
    parser._at += 1
    return _FALSE


def _read_unit(parser: ParserBase, type: Attribute | None) -> Attribute:
    parser._at += 1
    return _UNIT


def _read_affine_map(parser: ParserBase, type: Attribute | None) -> Attribute:
    parser._at += 1
    parser.parse_punctuation("<", " in affine map")
    found = AffineMapAttr(parser.parse_affine_map())
    parser.parse_punctuation(">", " in affine map")
    return found


def _read_affine_set(parser: ParserBase, type: Attribute | None) -> Attribute:
    parser._at += 1
    parser.parse_punctuation("<", " in integer set")
    found = AffineSetAttr(parser.parse_affine_set())
    parser.parse_punctuation(">", " in integer set")
    return found


def _read_loc(parser: ParserBase, type: Attribute | None) -> Attribute | None:
    return parser.parse_location_attribute(" in inline location")


def _read_strided(parser: ParserBase, type: Attribute | None) -> Attribute:
    parser._at += 1
    parser.parse_punctuation("<", " after 'strided'")
    strides = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _int_or_question(parser, "stride"), ""
    )
    offset: int | None = 0
    if parser.parse_optional_punctuation(",") is not None:
        if parser.parse_optional_keyword("offset") is None:
            parser.expected("expected 'offset' after comma")
        parser.parse_punctuation(":", " after 'offset'")
        offset = _int_or_question(parser, "offset")
    parser.parse_punctuation(">", "")
    return StridedLayoutAttr(strides, offset)


def _int_or_question(parser: ParserBase, what: str) -> int | None:
    if parser.parse_optional_punctuation("?") is not None:
        return None
    position = parser.pos
    value = parser.parse_optional_wide_integer(allow_boolean=False)
    if value is None or not -(1 << 63) <= value < 1 << 63:
        parser.fail("expected a 64-bit signed integer or '?'", position)
    return value


def _read_distinct(parser: ParserBase, type: Attribute | None) -> Attribute:
    from xgpu.core.syntax.builtin_attributes import DistinctAttr

    parser._at += 1
    parser.parse_punctuation("[", " after 'distinct'")
    text = parser._texts[parser._at]
    if not is_integer(text):
        parser.expected("expected distinct ID")
    parser._at += 1
    number = integer_value(text)
    if number >> 64:
        parser.fail("expected an unsigned 64-bit integer")
    parser.parse_punctuation("]", " to close distinct ID")
    parser.parse_punctuation("<", " after distinct ID")
    referenced: Attribute = _UNIT
    if parser.parse_optional_punctuation(">") is None:
        referenced = parser.parse_attribute()
        parser.parse_punctuation(">", " to close distinct attribute")
    known = parser.distinct.setdefault(number, referenced)
    if known != referenced:
        parser.fail(
            f"referenced attribute does not match previous definition: {parser.as_text(known)}"
        )
    return DistinctAttr((parser.first_distinct + number, referenced))


def _read_array(parser: ParserBase, type: Attribute | None) -> Attribute:
    from xgpu.core.syntax.array_parser import read_array

    return read_array(parser, type)


def _dense(name: str) -> _Read:
    def read(parser: ParserBase, type: Attribute | None) -> Attribute:
        from xgpu.core.syntax import dense_parser

        return getattr(dense_parser, name)(parser, type)

    return read


_KEYWORDS: dict[str, _Read] = {
    "true": _read_true,
    "false": _read_false,
    "unit": _read_unit,
    "affine_map": _read_affine_map,
    "affine_set": _read_affine_set,
    "loc": _read_loc,
    "strided": _read_strided,
    "distinct": _read_distinct,
    "dense": _dense("read_dense"),
    "array": _read_array,
    "sparse": _dense("read_sparse"),
    "dense_resource": _dense("read_resource"),
}
