# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bottom of the parser: a cursor over the token lists, and xDSL's parser primitives on it.

`_texts`, `_starts` and `_at` are the tokens, their positions and the cursor. Hot paths elsewhere
read these directly; everything else uses the `parse_*` methods, which have xDSL's names and
meanings, so that a hook written against xDSL's `Parser` runs on both. Messages are MLIR's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NoReturn, TypeVar

from xdsl.ir import Attribute
from xdsl.parser import Parser as XdslParser
from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.locations import SourceLoc
from xgpu.core.syntax.lexer import explode, explode_from, is_composite, kind_of

if TYPE_CHECKING:
    from xgpu.core.ir.source import Source

T = TypeVar("T")

_FLOAT = "a floating point literal"


class LexerView:
    """What xDSL calls the lexer: where the text is, and a position that can be moved."""

    __slots__ = ("_parser", "input")

    def __init__(self, parser: TokenParser, input: Input) -> None:
        self._parser = parser
        self.input = input

    @property
    def pos(self) -> int:
        """The position after the current token, as of xDSL's lexer, which reads one ahead."""
        parser = self._parser
        return parser._starts[parser._at] + len(parser._texts[parser._at])

    @pos.setter
    def pos(self, position: int) -> None:
        self._parser._seek(position)


class StateView:
    """What xDSL calls the parser state."""

    __slots__ = ("_parser", "dialect_stack", "lexer")

    def __init__(self, parser: TokenParser, lexer: LexerView) -> None:
        self._parser = parser
        self.lexer = lexer
        self.dialect_stack = ["builtin"]

    @property
    def current_token(self) -> Token[MLIRTokenKind, str]:
        return self._parser._current_token


def operation_start(parser: XdslParser) -> int:
    """Where the name of the operation begins that its own syntax reads; where the parser is, if it
    is xDSL's, which does not keep that."""
    return getattr(parser, "op_start", parser.pos)


class TokenParser(XdslParser):
    """The cursor. `XdslParser.__init__` does not run: subclasses set up everything."""

    source: Source
    _texts: list[str]
    _starts: list[int]
    _at: int
    #: The operation whose own syntax is being read, for its errors.
    _op_name: str | None = None
    #: Where the name of the operation begins that its own parser reads.
    op_start: int = 0

    # --- errors ----------------------------------------------------------------------------
    def location_at(self, position: int) -> SourceLoc:
        """The source location of a position."""
        return SourceLoc(self.source, position)

    def error_at(
        self,
        position: int,
        message: str,
        notes: Iterable[tuple[Attribute | None, str]] = (),
        hint: str | None = None,
    ) -> DiagnosticError:
        """An error at a position. Use as `raise self.error_at(...)`."""
        made = [Diagnostic("note", text, at) for at, text in notes]
        diagnostic = Diagnostic("error", message, self.location_at(position), made)
        return DiagnosticError(diagnostic.with_hint(hint))

    def raise_error(
        self,
        msg: str,
        at_position: Span | int | None = None,
        end_position: int | None = None,
    ) -> NoReturn:
        """Raise an error at a position, or at the current token. What the parser of an operation
        has to say begins with the operation's name, as in MLIR; see `fail`."""
        name = self._op_name
        self.fail(f"custom op '{name}' {msg}" if name else msg, at_position)

    def fail(self, msg: str, at_position: Span | int | None = None) -> NoReturn:
        """Raise an error at a position, or at the current token: one of the text itself."""
        if at_position is None:
            self._check_token()
            at_position = self._starts[self._at]
        elif not isinstance(at_position, int):
            at_position = at_position.start
        raise self.error_at(at_position, msg + self._literal_hint())

    def expected(self, message: str) -> NoReturn:
        """Raise `message` where MLIR reports a wrong token: after what comes before it."""
        self._check_token()
        message += self._literal_hint()
        position = self._starts[self._at]
        if not self._texts[self._at]:
            position = max(position - 1, 0)
        original = position
        before = self.source.text[:position]
        while True:
            before = before.rstrip(" \t")
            if not before:
                raise self.error_at(original, message)
            if before[-1] not in "\n\r":
                raise self.error_at(len(before), message)
            before = before[:-1]
            line_start = max(before.rfind("\n"), before.rfind("\r")) + 1
            comment = before.find("//", line_start)
            if comment >= 0:
                before = before[:comment]

    def _literal_hint(self) -> str:
        """How infinity or NaN is written, where the current token is its name."""
        word = self._texts[self._at]
        if word.lower() not in ("inf", "infinity", "nan"):
            return ""
        from xgpu.core.ir.float_formats import special_text

        at, text = self._starts[self._at], self.source.text
        negative = text[:at].rstrip().endswith("-")
        return special_text(word, negative, text[:at], text[at + len(word) :])

    def _check_token(self) -> None:
        """Raise if the current token is none: a character that begins no token, an open string."""
        text = self._texts[self._at]
        if not text or kind_of(text) is not None:
            return
        position = self._starts[self._at]
        if text == '"':
            return self._bad_string(position)
        if text == "!" and self._texts[self._at + 1] == "<":
            raise self.error_at(position + 1, "invalid type identifier")
        if text in "#!^%":
            raise self.error_at(position, f"invalid {_SIGILS[text]} name")
        if text == "@":
            if self.source.text[position + 1 : position + 2] == '"':
                return self._bad_string(position + 1)
            raise self.error_at(position + 1, "@ identifier expected to start with letter or '_'")
        if text == ".":
            raise self.error_at(position + 1, "expected three consecutive dots for an ellipsis")
        raise self.error_at(position, "unexpected character")

    def _bad_string(self, position: int) -> None:
        text = self.source.text
        at = position + 1
        while at < len(text) and text[at] not in '"\n\v\f':
            if text[at] == "\\":
                at += 1
                two = text[at : at + 2]
                if two[:1] not in tuple('"\\nt') and not (
                    len(two) == 2 and all(c in "0123456789abcdefABCDEF" for c in two)
                ):
                    raise self.error_at(at - 1, "unknown escape in string literal")
            at += 1
        raise self.error_at(position, "expected '\"' in string literal")

    # --- the cursor ------------------------------------------------------------------------
    def _explode(self) -> str:
        """Replaces the composite at the cursor by its parts; the text of the first one."""
        at = self._at
        texts, starts = explode(self._texts[at], self._starts[at])
        self._texts[at : at + 1] = texts
        self._starts[at : at + 1] = starts
        return texts[0]

    @property
    def _text(self) -> str:
        """The text of the current token, never that of a composite."""
        text = self._texts[self._at]
        if is_composite(text):
            return self._explode()
        return text

    def _seek(self, position: int) -> None:
        """Moves to a position, which may be inside a token: the token is cut there."""
        starts = self._starts
        at = bisect_right(starts, position) - 1
        if at < 0:
            self._at = 0
            return
        start = starts[at]
        text = self._texts[at]
        if start == position or not text:
            self._at = at
        elif position >= start + len(text):
            self._at = at + 1
        else:
            # `0xcomplex` was taken for a number `0xc` and a word: they are read again as one.
            last, end = at, start + len(text)
            while (
                text[:2] == "0x" and starts[last + 1] == end and self._texts[last + 1][:1].isalnum()
            ):
                last += 1
                end += len(self._texts[last])
            texts, tail = explode_from(self.source.text, position, end)
            self._texts[at : last + 1] = [text[: position - start], *texts]
            starts[at : last + 1] = [start, *tail]
            self._at = at + 1

    @property
    def _current_token(self) -> Token[MLIRTokenKind, str]:
        text = self._text
        start = self._starts[self._at]
        kind = kind_of(text)
        if kind is None:
            self._check_token()
        return Token(kind, Span(start, start + len(text), self.lexer.input))  # pyright: ignore

    @property
    def lexer(self) -> LexerView:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self._parser_state.lexer  # pyright: ignore[reportReturnType]

    @property
    def pos(self) -> int:
        return self._starts[self._at]

    def _resume_from(self, pos: object) -> None:
        if not isinstance(pos, int):
            raise TypeError("a reader resumes from a position only")
        self._seek(pos)

    def _consume_token(
        self, expected_kind: MLIRTokenKind | None = None
    ) -> Token[MLIRTokenKind, str]:
        token = self._current_token
        self._at += 1
        return token

    def _parse_optional_token(
        self, expected_kind: MLIRTokenKind
    ) -> Token[MLIRTokenKind, str] | None:
        text = self._text
        if kind_of(text) is not expected_kind:
            return None
        return self._consume_token()

    def _parse_token(
        self, expected_kind: MLIRTokenKind, error_msg: str
    ) -> Token[MLIRTokenKind, str]:
        token = self._parse_optional_token(expected_kind)
        if token is None:
            self.expected(error_msg)
        return token

    # --- punctuation and keywords ----------------------------------------------------------
    def parse_optional_punctuation(self, punctuation: str) -> str | None:  # pyright: ignore
        if self._texts[self._at] == punctuation:
            self._at += 1
            return punctuation
        return None

    def parse_punctuation(self, punctuation: str, context_msg: str = "") -> str:  # pyright: ignore
        if self._texts[self._at] == punctuation:
            self._at += 1
            return punctuation
        self.expected(f"expected '{punctuation}'{context_msg}")

    def parse_optional_characters(self, text: str) -> str | None:
        current = self._texts[self._at]
        if current == text:
            self._at += 1
            return text
        if is_composite(current) and self._explode() == text:
            self._at += 1
            return text
        return None

    def parse_characters(self, text: str, context_msg: str = "") -> str:
        if self.parse_optional_characters(text) is not None:
            return text
        if text[:1].isalpha():
            self.raise_error(f"expected '{text}'{context_msg}")
        self.expected(f"expected '{text}'{context_msg}")

    def parse_optional_keyword(self, keyword: str) -> str | None:
        return self.parse_optional_characters(keyword)

    def parse_keyword(self, keyword: str, context_msg: str = "") -> str:
        if self.parse_optional_characters(keyword) is not None:
            return keyword
        self.raise_error(f"expected '{keyword}'{context_msg}")

    def parse_optional_keyword_in(self, keywords: Collection[str]) -> str | None:
        text = self._text
        if text in keywords:
            self._at += 1
            return text
        return None

    def parse_keyword_in(self, keywords: Collection[str], context_msg: str = "") -> str:
        found = self.parse_optional_keyword_in(keywords)
        if found is None:
            listed = ", ".join(f"'{k}'" for k in keywords)
            self.raise_error(f"expected one of {listed}{context_msg}")
        return found

    def parse_optional_identifier(self) -> str | None:
        text = self._text
        if text and (text[0].isalpha() or text[0] == "_") and text[0].isascii():
            self._at += 1
            return text
        return None

    def parse_identifier(self, context_msg: str = "") -> str:
        found = self.parse_optional_identifier()
        if found is None:
            self.raise_error("expected valid keyword" + context_msg)
        return found


_SIGILS = {"#": "attribute", "!": "type", "^": "block", "%": "SSA"}
