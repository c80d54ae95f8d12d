# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Literals and lists: xDSL's primitives for them, with MLIR's messages. A part of the parser."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import TypeVar

from xdsl.parser import Parser as XdslParser

from xgpu.core.ir.integers import integer_value
from xgpu.core.syntax.lexer import unescape
from xgpu.core.syntax.parser_base import ParserBase

T = TypeVar("T")


class LiteralParser(ParserBase):
    """Literals, lists; `self` is the parser."""

    # --- literals --------------------------------------------------------------------------
    def parse_optional_boolean(self) -> bool | None:
        text = self._texts[self._at]
        if text == "true" or text == "false":
            self._at += 1
            return text == "true"
        return None

    def parse_optional_integer(
        self, allow_boolean: bool = True, allow_negative: bool = True
    ) -> int | None:
        """A number that an int64 holds, which is what MLIR's hooks ask for; other sizes are
        `read_integer`'s of `xgpu.core.syntax.formats.numbers`."""
        at = self._at
        value = self.parse_optional_wide_integer(allow_boolean, allow_negative)
        if value is not None and not -(1 << 63) <= value < 1 << 63:
            self.raise_error("integer value too large", self._starts[at])
        return value

    def parse_optional_wide_integer(
        self, allow_boolean: bool = True, allow_negative: bool = True
    ) -> int | None:
        """A number of any size; `true` is a bit with its sign, -1."""
        text = self._texts[self._at]
        if allow_boolean and (text == "true" or text == "false"):
            self._at += 1
            return -int(text == "true")
        negative = allow_negative and text == "-"
        if negative:
            text = self._texts[self._at + 1]
        if not text or text[0] not in "0123456789" or "." in text:
            if negative:
                self._at += 1
                self.expected("expected integer value")
            return None
        self._at += 2 if negative else 1
        value = integer_value(text)
        return -value if negative else value

    def parse_integer(
        self, allow_boolean: bool = True, allow_negative: bool = True, context_msg: str = ""
    ) -> int:
        value = self.parse_optional_integer(allow_boolean, allow_negative)
        if value is None:
            raise self.raise_error("expected integer value" + context_msg)
        return value

    def parse_optional_float(self, *, allow_negative: bool = True) -> float | None:
        at = self._at
        negative = allow_negative and self._texts[at] == "-"
        text = self._texts[at + negative]
        if not text or text[0] not in "0123456789" or "." not in text:
            return None
        self._at = at + negative + 1
        return -float(text) if negative else float(text)

    def parse_float(self, *, allow_negative: bool = True) -> float:
        value = self.parse_optional_float(allow_negative=allow_negative)
        if value is None:
            raise self.raise_error("expected floating point literal")
        return value

    def parse_optional_number(self, *, allow_boolean: bool = False) -> int | float | None:
        value = self.parse_optional_float()
        if value is not None:
            return value
        return self.parse_optional_integer(allow_boolean=allow_boolean)

    def parse_number(self, allow_boolean: bool = False, context_msg: str = "") -> int | float:
        value = self.parse_optional_number(allow_boolean=allow_boolean)
        if value is None:
            raise self.expected("expected integer or floating point literal" + context_msg)
        return value

    def parse_optional_bytes_literal(self) -> bytes | None:
        text = self._texts[self._at]
        if len(text) < 2 or text[0] != '"':
            return None
        self._at += 1
        return unescape(text)

    def parse_bytes_literal(self, context_msg: str = "") -> bytes:
        value = self.parse_optional_bytes_literal()
        if value is None:
            raise self.expected("expected string" + context_msg)
        return value

    def parse_optional_str_literal(self) -> str | None:
        text = self._texts[self._at]
        if len(text) < 2 or text[0] != '"':
            return None
        self._at += 1
        if "\\" not in text:
            return text[1:-1]
        return unescape(text).decode("utf-8", "surrogateescape")

    def parse_str_literal(self, context_msg: str = "") -> str:
        value = self.parse_optional_str_literal()
        if value is None:
            raise self.raise_error("expected string" + context_msg)
        return value

    # --- lists -----------------------------------------------------------------------------
    def parse_list(
        self,
        delimiter: XdslParser.Delimiter,
        parse: Callable[[], T],
        separator: str = ",",
        context_msg: str = "",
    ) -> list[T]:
        close = None
        if delimiter.value is not None:
            open_, close = delimiter.value
            self.parse_punctuation(open_, context_msg)
            if self._texts[self._at] == close:
                self._at += 1
                return []
        elements = [parse()]
        while self._texts[self._at] == separator:
            self._at += 1
            elements.append(parse())
        if close is not None:
            self.parse_punctuation(close, context_msg)
        return elements

    def parse_optional_comma_separated_list(
        self,
        delimiter: XdslParser.Delimiter,
        parse: Callable[[], T],
        context_msg: str = "",
    ) -> list[T] | None:
        brackets = delimiter.value
        if brackets is None or self._texts[self._at] != brackets[0]:
            return None
        return self.parse_list(delimiter, parse, ",", context_msg)

    def parse_optional_undelimited_comma_separated_list(
        self, parse_optional: Callable[[], T | None], parse: Callable[[], T]
    ) -> list[T] | None:
        first = parse_optional()
        if first is None:
            return None
        elements = [first]
        while self._texts[self._at] == ",":
            self._at += 1
            elements.append(parse())
        return elements

    def expect(self, try_parse: Callable[[], T | None], error_message: str) -> T:
        result = try_parse()
        if result is None:
            raise self.expected(error_message)
        return result

    @contextmanager
    def delimited(self, start: str, end: str):
        self.parse_characters(start)
        yield
        self.parse_characters(end)
