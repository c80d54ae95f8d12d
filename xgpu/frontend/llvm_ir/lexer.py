# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR text as a list of tokens, and a cursor on it.

A token is its text: its first character says what it is. `%x`, `@x`, `$x` and `!x` are names with
their sigil, `"x"` and `c"x"` strings with their quotes, `x:` a label or a field's name, `#0` a
group of attributes, `#dbg_value` a debug record; the rest are words, numbers and single characters.
One regular expression finds all of them, so that reading costs Python one step a token. Where a
token stands in the text is worked out when somebody asks, which only errors do.
"""

from __future__ import annotations

import re
from typing import NoReturn

_NAME = r'(?:"[^"]*"|[-\w$.]+)'
_TOKEN = re.compile(
    r"(?:[ \t\r\n]+|;[^\n]*|/\*.*?\*/)*("
    rf"[%@$]{_NAME}"
    r'|!(?:"[^"]*"|(?:[-\w$.]|\\[0-9A-Fa-f]{2})+)?'
    r"|#\w+"
    r'|c?"[^"]*":?'
    r"|[-+]?\d+\.\d*(?:[eE][-+]?\d+)?"
    r"|-?\d+(?![\w$.-]):?"
    r"|[-\w$.]+:?"
    r"|[^\s])"
)
_ESCAPE = re.compile(rb"\\(\\|[0-9A-Fa-f]{2})")

#: What stands behind the last token.
END = ""


class SyntaxFault(Exception):
    """The text is not what LLVM prints: a message and the token that it is about."""

    def __init__(self, message: str, token: int) -> None:
        super().__init__(message)
        self.message = message
        self.token = token


class Cursor:
    """A position in the tokens of a text."""

    __slots__ = ("at", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = _TOKEN.findall(text)
        self.tokens.append(END)
        self.at = 0

    def next(self) -> str:
        """The token here, which is left behind."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def peek(self) -> str:
        return self.tokens[self.at]

    def accept(self, token: str) -> bool:
        """Leaves `token` behind if it stands here."""
        if self.tokens[self.at] != token:
            return False
        self.at += 1
        return True

    def expect(self, token: str) -> None:
        if self.tokens[self.at] != token:
            self.fail(f"expected '{token}'")
        self.at += 1

    def integer(self) -> int:
        """A decimal number."""
        token = self.tokens[self.at]
        if not token.lstrip("-").isdigit():
            self.fail("expected an integer")
        self.at += 1
        return int(token)

    def string(self) -> bytes:
        """The content of a string token."""
        token = self.tokens[self.at]
        if token[:1] != '"':
            self.fail("expected a string")
        self.at += 1
        return unquoted(token)

    def fail(self, message: str, token: int | None = None) -> NoReturn:
        found = self.tokens[self.at if token is None else token]
        shown = f"'{found}'" if found else "the end of the text"
        raise SyntaxFault(f"{message}, but found {shown}", self.at if token is None else token)


def line_of(text: str, token: int) -> str:
    """The line of the text that the token of this number stands in, without its comment."""
    place = 0
    for number, match in enumerate(_TOKEN.finditer(text)):
        if number == token:
            place = match.start(1)
            break
    else:
        return ""
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    return text[start : end if end >= 0 else len(text)].rstrip()


def unquoted(token: str) -> bytes:
    """The bytes that a string token, or the quoted part of a name, stands for."""
    start = token.index('"') + 1
    return unescaped(token[start : token.rindex('"')])


def unescaped(text: str) -> bytes:
    """Bytes from text in which `\\hh` is the byte of that number."""
    raw = text.encode("utf-8", "surrogateescape")
    if b"\\" not in raw:
        return raw
    return _ESCAPE.sub(lambda m: b"\\" if m[1] == b"\\" else bytes((int(m[1], 16),)), raw)


def decoded(raw: bytes) -> str:
    """Bytes as the strings of attributes hold them: what is no UTF-8 is escaped."""
    return raw.decode("utf-8", "surrogateescape")


def name_of(token: str) -> str:
    """The name in `%x`, `@"x y"`, `$x`."""
    if token[1:2] == '"':
        return decoded(unquoted(token))
    return token[1:]
