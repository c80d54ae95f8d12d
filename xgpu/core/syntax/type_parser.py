# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading types. A part of the parser.

Most types were read before in the same text: `_types` maps the text of a token to its type, and the
lexer makes one token of a bracketed type. Only a new text is taken apart.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FunctionType,
    IndexType,
    IntegerType,
    NoneType,
    Signedness,
)
from xdsl.ir import Attribute, TypeAttribute

from xgpu.core.ir.construction import float_types
from xgpu.core.ir.integers import integer_value
from xgpu.core.syntax.bracketed_types import BRACKETED
from xgpu.core.syntax.lexer import is_composite
from xgpu.core.syntax.parser_base import ParserBase

#: MLIR's limit on the width of integers.
MAX_INTEGER_WIDTH = (1 << 24) - 1

_SIGNS = {"i": Signedness.SIGNLESS, "s": Signedness.SIGNED, "u": Signedness.UNSIGNED}


def simple_types() -> dict[str, TypeAttribute]:
    """The types that are one word, by their text; the start of a parser's cache."""
    types: dict[str, TypeAttribute] = float_types()
    types["index"] = IndexType()
    types["none"] = NoneType()
    for width in (1, 8, 16, 32, 64):
        types[f"i{width}"] = IntegerType(width)
    return types


def integer_type(word: str) -> IntegerType | None:
    """`i32`, `si8`, `ui16` as a type, or None if the word is none."""
    digits = word[2:] if word[0] in "su" and word[1:2] == "i" else word[1:]
    if word[0] not in "isu" or not digits.isdigit() or not digits.isascii():
        return None
    return IntegerType(integer_value(digits), _SIGNS[word[0]])


class TypeParser(ParserBase):
    """Types; `self` is the parser."""

    #: What a text always means, wherever it stands.
    _types: dict[str, TypeAttribute]
    #: Types of dialects by names that begin longer types elsewhere in the text: `!llvm.ptr`.
    _plain_types: dict[str, TypeAttribute]
    #: Function types by the identities of the types that they hold, which they keep alive.
    _function_types: dict[tuple[tuple[int, ...], tuple[int, ...]], FunctionType]

    def parse_type(self) -> TypeAttribute:
        known = self._types.get(self._texts[self._at])
        if known is not None:
            self._at += 1
            return known
        found = self.parse_optional_type()
        if found is None:
            self.expected("expected non-function type")
        return found

    def parse_optional_type(self) -> TypeAttribute | None:
        at = self._at
        text = self._texts[at]
        known = self._types.get(text)
        if known is not None:
            self._at = at + 1
            return known
        if not text:
            return None
        first = text[0]
        if first == "(":
            return self.parse_function_type()
        if first == "!":
            return self._parse_dialect_type(text)
        if is_composite(text):
            if first == "#":
                return None
            position = self._starts[at]
            self._explode()
            found = self._parse_bracketed_type()
            if self._at < len(self._starts) and self._may_cache(text):
                end = self._starts[self._at - 1] + len(self._texts[self._at - 1])
                if end == position + len(text):
                    self._types[text] = found
            return found
        if first.isalpha():
            number = integer_type(text)
            if number is not None:
                if number.width.data > MAX_INTEGER_WIDTH:
                    if number.width.data >= 1 << 32:
                        self.fail("invalid integer width")
                    self.fail(f"integer bitwidth is limited to {MAX_INTEGER_WIDTH} bits")
                self._at = at + 1
                self._types[text] = number
                return number
            if text in BRACKETED:
                return self._parse_bracketed_type()
        return None

    def _may_cache(self, text: str) -> bool:
        """Whether the text always means the same: `distinct` attributes do too, by their number."""
        return True

    def _parse_dialect_type(self, text: str) -> TypeAttribute:
        """`!dialect.type...`, `!dialect<"...">` or an alias; the cursor is on it."""
        position = self._starts[self._at]
        composite = is_composite(text)
        if not composite:
            known = self._plain_types.get(text)
            if known is not None and self._texts[self._at + 1] != "<":
                self._at += 1
                return known
        name = self._explode() if composite else text
        self._at += 1
        found = self._parse_extended_type_or_attribute(name[1:], True)
        end = self._starts[self._at - 1] + len(self._texts[self._at - 1])
        if end == position + len(text):
            # A plain name may also begin a longer type: `!llvm.ptr` and `!llvm.ptr<...` in a form
            # that the lexer does not take in one piece.
            alone = composite or f"{text}<" not in self.source.text
            (self._types if alone else self._plain_types)[text] = found
        return found

    # --- types in brackets -----------------------------------------------------------------
    def _parse_bracketed_type(self) -> TypeAttribute:
        word = self._texts[self._at]
        self._at += 1
        return BRACKETED[word](self)

    def _parse_optional_builtin_parametrized_type(self) -> TypeAttribute | None:
        return self._parse_bracketed_type() if self._text in BRACKETED else None

    def _parse_optional_builtin_type(self) -> TypeAttribute | None:
        return self.parse_optional_type() if self._text[:1] != "!" else None

    def parse_optional_function_type(self) -> FunctionType | None:
        return self.parse_function_type() if self._texts[self._at] == "(" else None

    def parse_function_type(self) -> FunctionType:
        if self._texts[self._at] != "(":
            self.expected("expected '('")
        inputs = self._parse_types_in_parens()
        if self._texts[self._at] != "->":
            self.expected("expected '->' in function type")
        self._at += 1
        results = self._parse_result_types()
        key = tuple(map(id, inputs)), tuple(map(id, results))
        found = self._function_types.get(key)
        if found is None:
            found = FunctionType(ArrayAttr(inputs), ArrayAttr(results))
            self._function_types[key] = found
        return found

    def _parse_result_types(self) -> list[TypeAttribute]:
        """What stands after `->`: types in parentheses, or one type."""
        if self._texts[self._at] == "(":
            return self._parse_types_in_parens()
        return [self.parse_type()]

    def _parse_types_in_parens(self) -> list[TypeAttribute]:
        texts = self._texts
        known = self._types
        at = self._at + 1
        if texts[at] == ")":
            self._at = at + 1
            return []
        found: list[TypeAttribute] = []
        while True:
            ty = known.get(texts[at])
            if ty is None:
                self._at = at
                ty = self.parse_type()
                at = self._at
            else:
                at += 1
            found.append(ty)
            text = texts[at]
            if text == ",":
                at += 1
            elif text == ")":
                self._at = at + 1
                return found
            else:
                self._at = at
                self.expected("expected ')'")

    # --- shapes ----------------------------------------------------------------------------
    def parse_shape_dimension(self, allow_dynamic: bool = True) -> int:
        text = self._text
        if text == "?":
            if not allow_dynamic:
                self.fail("expected static shape")
            self._at += 1
            return DYNAMIC_INDEX
        if not text or text[0] not in "0123456789" or "." in text:
            self.expected(
                "expected integer in dimension list" if not allow_dynamic else "expected dimension"
            )
        if text[:2] == "0x":
            # `0x4` in a shape is a 0 and what comes after the x.
            self._seek(self._starts[self._at] + 1)
            return 0
        self._at += 1
        value = integer_value(text)
        if value >= 1 << 63:
            self._at -= 1
            self.fail("invalid dimension")
        return value

    def _parse_optional_shape_delimiter(self) -> str | None:
        text = self._texts[self._at]
        if text[:1] != "x":
            return None
        if len(text) == 1:
            self._at += 1
        else:
            self._seek(self._starts[self._at] + 1)
        return "x"

    def parse_shape_delimiter(self) -> None:
        if self._parse_optional_shape_delimiter() is None:
            self.expected("expected 'x' in dimension list")

    def _at_dimension(self) -> bool:
        text = self._texts[self._at]
        return text == "?" or (text[:1] in tuple("0123456789") and "." not in text)

    def parse_dimension_list(self) -> list[int]:
        """Dimensions between `x`; a trailing `x` is left for the caller."""
        dimensions: list[int] = []
        if not self._at_dimension():
            return dimensions
        dimensions.append(self.parse_shape_dimension())
        while self._texts[self._at][:1] == "x":
            position = self.pos
            self._parse_optional_shape_delimiter()
            if not self._at_dimension():
                self._seek(position)
                break
            dimensions.append(self.parse_shape_dimension())
        return dimensions

    def parse_ranked_shape(self) -> tuple[list[int], Attribute]:
        return self._parse_dimensions(), self.parse_type()

    def parse_shape(self) -> tuple[list[int] | None, Attribute]:
        if self._texts[self._at] == "*":
            self._at += 1
            self.parse_shape_delimiter()
            return None, self.parse_type()
        return self.parse_ranked_shape()

    def _parse_dimensions(self) -> list[int]:
        """Dimensions, an `x` after each."""
        dimensions: list[int] = []
        while self._at_dimension():
            dimensions.append(self.parse_shape_dimension())
            self.parse_shape_delimiter()
        return dimensions
