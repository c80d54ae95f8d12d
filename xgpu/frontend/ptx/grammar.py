# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of PTX, read: declarations of registers, labels, instructions.

    body         = { "{" body "}" | label | declaration | instruction }
    label        = name ":"
    declaration  = (".reg" | ".param") type name { "," name } ";"
    instruction  = [ "@" [ "!" ] operand ] opcode [ operand { "," operand } ] ";"
    operand      = [ "!" ] term [ "|" term ]
    term         = name | placeholder | number | "_" | "{" terms "}" | "[" address "]"
    address      = term [ "+" number ] { "," term }

`$3` and `${3:u}` are operands of the assembly (`Placeholder`), `$$` is a dollar sign.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator


class PtxError(Exception):
    """What cannot be read, with the text that it is about."""


class Operand:
    """An operand of an instruction, or a part of one."""

    __slots__ = ()


class Name(Operand):
    """A register, a special register, a label; `_` is the sink."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Placeholder(Operand):
    """An operand of the assembly, by its position."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


class Number(Operand):
    """An integer, or the bits of a float: then `width` is 32 or 64."""

    __slots__ = ("value", "width")

    def __init__(self, value: int, width: int = 0) -> None:
        self.value = value
        self.width = width


class Group(Operand):
    """`{a, b}`"""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Operand]) -> None:
        self.parts = parts


class Address(Operand):
    """`[base + offset, rest]`"""

    __slots__ = ("base", "offset", "rest")

    def __init__(self, base: Operand, offset: int, rest: list[Operand]) -> None:
        self.base = base
        self.offset = offset
        self.rest = rest


class Pair(Operand):
    """`a|b`"""

    __slots__ = ("first", "second")

    def __init__(self, first: Operand, second: Operand) -> None:
        self.first = first
        self.second = second


class Not(Operand):
    """`!p`"""

    __slots__ = ("of",)

    def __init__(self, of: Operand) -> None:
        self.of = of


class Instruction:
    """`guard` is the predicate under which it is done, None: always."""

    __slots__ = ("guard", "opcode", "operands", "text", "words")

    def __init__(
        self, guard: Operand | None, opcode: str, operands: list[Operand], text: str
    ) -> None:
        self.guard = guard
        self.opcode = opcode
        #: The parts of the opcode; `shared::cta` is one.
        self.words = opcode.split(".")
        self.operands = operands
        self.text = text

    @property
    def written_opcode(self) -> str:
        """The opcode in the text; `opcode` differs where instructions were joined to one."""
        return next(w for w in self.text.split() if not w.startswith("@")).rstrip(";")


class Label:
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Register:
    """A declaration: `type` is that of PTX, as `b32`."""

    __slots__ = ("name", "type")

    def __init__(self, name: str, type: str) -> None:
        self.name = name
        self.type = type


class Scope:
    """A list of statements in braces: its registers and labels are its own."""

    __slots__ = ("statements",)

    def __init__(self) -> None:
        self.statements: list[Statement] = []


Statement = Instruction | Label | Register | Scope

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_TOKEN = re.compile(
    r"(?P<place>\$\{\d+(?::\w+)?\}|\$\d+)"
    r"|(?P<float>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|\d+\.\d*(?:[eE][+-]?\d+)?"
    r"|\d+[eE][+-]?\d+)"
    r"|(?P<integer>0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|\d+U?)"
    r"|(?P<word>[%\w$]+(?:(?:\.|::)\w+)*)"
    r"|(?P<directive>\.\w+)"
    r"|(?P<mark>[{}\[\](),;:|!@+<>-])"
)
_INDEX = re.compile(r"\d+")


def parse(text: str) -> Scope:
    """The statements of a body. Raises `PtxError`."""
    return _Reader(text).body()


def instructions(text: str) -> list[Instruction]:
    """The instructions of a body in order, those in inner braces too; none if it cannot be read."""
    try:
        return list(_nested(parse(text)))
    except PtxError:
        return []


def _nested(scope: Scope) -> Iterator[Instruction]:
    for statement in scope.statements:
        if isinstance(statement, Scope):
            yield from _nested(statement)
        elif isinstance(statement, Instruction):
            yield statement


class _Token:
    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end


class _Reader:
    def __init__(self, text: str) -> None:
        self._source = text
        self._tokens = list(_tokens(text))
        self._at = 0

    # -- tokens

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at].text if at < len(self._tokens) else ""

    def _next(self) -> _Token:
        if self._at >= len(self._tokens):
            raise PtxError(self._source.strip()[-60:])
        self._at += 1
        return self._tokens[self._at - 1]

    def _accept(self, text: str) -> bool:
        if self._peek() != text:
            return False
        self._at += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise PtxError(self._rest())

    def _rest(self) -> str:
        start = self._tokens[self._at].start if self._at < len(self._tokens) else 0
        return self._source[start : start + 60].strip() or self._source.strip()[-60:]

    # -- statements

    def body(self) -> Scope:
        scope = self._scope()
        if self._at < len(self._tokens):
            raise PtxError(self._rest())
        return scope

    def _scope(self) -> Scope:
        scope = Scope()
        while self._peek() not in ("", "}"):
            if self._accept(";"):
                continue
            if self._accept("{"):
                scope.statements.append(self._scope())
                self._expect("}")
            elif self._tokens[self._at].kind == "directive":
                scope.statements += self._directive()
            elif self._peek(1) == ":":
                scope.statements.append(Label(self._next().text))
                self._expect(":")
            else:
                scope.statements.append(self._instruction())
        return scope

    def _directive(self) -> list[Register]:
        start = self._rest()
        kind = self._next().text
        if kind in (".pragma", ".loc"):
            while not self._accept(";"):
                self._next()
            return []
        if kind not in (".reg", ".param") or self._tokens[self._at].kind != "directive":
            raise PtxError(start)
        ty = self._next().text[1:]
        found: list[Register] = []
        while True:
            name = self._next().text
            if self._accept("<"):
                found += [Register(f"{name}{i}", ty) for i in range(int(self._next().text))]
                self._expect(">")
            else:
                found.append(Register(name, ty))
            if not self._accept(","):
                break
        self._expect(";")
        return found

    def _instruction(self) -> Instruction:
        start = self._tokens[self._at].start
        guard: Operand | None = None
        if self._accept("@"):
            inverted = self._accept("!")
            guard = self._term()
            guard = Not(guard) if inverted else guard
        opcode = self._next()
        if opcode.kind != "word":
            raise PtxError(self._source[start : start + 60].strip())
        operands: list[Operand] = []
        while self._peek() not in ("", ";", "}"):
            operands.append(self._operand())
            if not self._accept(","):
                break
        end = self._tokens[self._at - 1].end
        if self._peek() not in ("", "}"):
            self._expect(";")
        text = " ".join(self._source[start:end].split())
        return Instruction(guard, opcode.text, operands, f"{text};")

    # -- operands

    def _operand(self) -> Operand:
        if self._accept("!"):
            return Not(self._operand())
        found = self._term()
        return Pair(found, self._operand()) if self._accept("|") else found

    def _term(self) -> Operand:
        if self._accept("{"):
            parts = self._list("}")
            return Group(parts)
        if self._accept("["):
            return self._address()
        if self._accept("("):
            parts = self._list(")")
            return Group(parts)
        sign = -1 if self._accept("-") else 1
        token = self._next()
        if token.kind == "place":
            match = _INDEX.search(token.text)
            assert match is not None
            return Placeholder(int(match[0]))
        if token.kind in ("integer", "float"):
            return _number(token.text, token.kind, sign)
        if token.kind != "word" or sign < 0:
            raise PtxError(self._source[token.start : token.start + 60].strip())
        return Name(token.text)

    def _list(self, closing: str) -> list[Operand]:
        parts: list[Operand] = []
        while not self._accept(closing):
            parts.append(self._operand())
            if not self._accept(","):
                self._expect(closing)
                break
        return parts

    def _address(self) -> Address:
        base = self._term()
        offset = 0
        while self._peek() in ("+", "-"):
            sign = -1 if self._next().text == "-" else 1
            number = self._term()
            if not isinstance(number, Number):
                raise PtxError(self._rest())
            offset += sign * number.value
        rest: list[Operand] = []
        while self._accept(","):
            rest.append(self._operand())
        self._expect("]")
        return Address(base, offset, rest)


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    text = text.replace("$$", "%%")  # a dollar sign in a name: any character that names may have
    while at < len(text):
        blank = _BLANK.match(text, at)
        if blank is not None:
            at = blank.end()
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            raise PtxError(text[at : at + 60].strip())
        found.append(_Token(match.lastgroup or "", match[0], at, match.end()))
        at = match.end()
    return found


def _number(text: str, kind: str, sign: int) -> Number:
    if kind == "integer":
        digits = text.rstrip("U")
        octal = len(digits) > 1 and digits[0] == "0" and digits.isdecimal()
        return Number(sign * int(digits, 8 if octal else 0))
    if text[:2] in ("0f", "0F"):
        return Number(int(text[2:], 16) ^ (1 << 31 if sign < 0 else 0), 32)
    if text[:2] in ("0d", "0D"):
        return Number(int(text[2:], 16) ^ (1 << 63 if sign < 0 else 0), 64)
    return Number(struct.unpack("<Q", struct.pack("<d", sign * float(text)))[0], 64)
