# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of PTX, read: declarations of registers, labels, instructions.

    body         = { "{" body "}" | label | declaration | instruction }
    label        = name ":" [ ".branchtargets" names ";" | ".callprototype" prototype ";" ]
    declaration  = (".reg" | ".param" | ".local" | ".shared") [ ".align" n ] [ ".v2" | ".v4" ] type
                   name { "," name } ";"
    instruction  = [ "@" [ "!" ] operand ] opcode [ operand { "," operand } ] ";"
    operand      = [ "!" ] term [ "|" term ]
    term         = name [ "+" constant | "[" constant "]" ] | placeholder | constant | "_"
                 | "{" terms "}" | "[" address "]"
    address      = term [ "+" constant ] { "," term }

In inline PTX `$3` and `${3:u}` are operands of the assembly (`Placeholder`), `$$` is a dollar sign.
`module_reader` reads what stands around bodies.
"""

from __future__ import annotations

import operator
import re
import struct
from collections.abc import Callable, Iterator, Sequence


class PtxError(Exception):
    """What cannot be read: the text that it is about, where that begins, and why."""

    def __init__(self, text: str, at: int = 0, why: str = "") -> None:
        super().__init__(text)
        self.at = at
        self.why = why


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


class Sum(Operand):
    """`name + offset`, an address that is known when the program is loaded."""

    __slots__ = ("name", "offset")

    def __init__(self, name: str, offset: int) -> None:
        self.name = name
        self.offset = offset


class Element(Operand):
    """`name[index]`, an element of a variable."""

    __slots__ = ("index", "name")

    def __init__(self, name: str, index: int) -> None:
        self.name = name
        self.index = index


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
    """`guard` is the predicate under which it is done, None: always. `at` is where it begins."""

    __slots__ = ("at", "guard", "opcode", "operands", "selectors", "text", "words")

    def __init__(
        self, guard: Operand | None, opcode: str, operands: list[Operand], text: str, at: int = 0,
        selectors: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.at = at
        self.guard = guard
        self.opcode = opcode
        #: The parts of the opcode; `shared::cta` is one.
        self.words = opcode.split(".")
        self.operands = operands
        self.text = text
        #: Of a video instruction, of each operand: its sign and which part of it takes part, such
        #: as `-b0`; empty for all of it.
        self.selectors = selectors

    @property
    def written_opcode(self) -> str:
        """The opcode in the text; `opcode` differs where instructions were joined to one."""
        return next(w for w in self.text.split() if not w.startswith("@")).rstrip(";")


class Label:
    __slots__ = ("at", "name")

    def __init__(self, name: str, at: int = 0) -> None:
        self.name = name
        self.at = at


class Register:
    """A declaration of `.reg`: `type` is that of PTX, as `b32`; `count` of a vector is 2 or 4. A
    `.param` of one number in inline PTX is such a register too."""

    __slots__ = ("count", "name", "type")

    def __init__(self, name: str, type: str, count: int = 1) -> None:
        self.name = name
        self.type = type
        self.count = count


class Variable:
    """A declaration in memory: of a module, of a function, or a parameter.

    `sizes` are those of an array, None for the first one of `x[]`. `initial` is an initializer as
    nested lists of `Value`. `pointee` says what a parameter points to: address space and alignment.
    """

    __slots__ = (
        "align", "at", "count", "initial", "linkage", "name", "pointee", "sizes", "space", "type",
    )  # fmt: skip

    def __init__(self, space: str, type: str, name: str, at: int) -> None:
        self.space = space
        self.type = type
        self.name = name
        self.at = at
        self.count = 1
        self.sizes: list[int | None] = []
        self.align = 0
        self.initial: Initial | None = None
        self.linkage = ""
        self.pointee: tuple[str, int] | None = None


class Value:
    """A number in an initializer, or the address of a symbol: of `mask`, the bits that it selects.
    `width` is 32 or 64 for the bits of a float."""

    __slots__ = ("at", "generic", "mask", "number", "symbol", "width")

    def __init__(
        self, number: int, width: int = 0, symbol: str = "", generic: bool = False,
        mask: int = 0, at: int = 0,
    ) -> None:  # fmt: skip
        self.number = number
        self.width = width
        self.symbol = symbol
        self.generic = generic
        self.mask = mask
        self.at = at


Initial = Value | list["Initial"]


class Prototype:
    """`name: .callprototype (returns) _ (parameters);`"""

    __slots__ = ("name", "parameters", "returns")

    def __init__(self, name: str, returns: list[Variable], parameters: list[Variable]) -> None:
        self.name = name
        self.returns = returns
        self.parameters = parameters


class Targets:
    """`name: .branchtargets labels;`"""

    __slots__ = ("labels", "name")

    def __init__(self, name: str, labels: list[str]) -> None:
        self.name = name
        self.labels = labels


class Loc:
    """`.loc file line column [, function_name name, inlined_at file line column]`"""

    __slots__ = ("column", "file", "inlined", "line")

    def __init__(self, file: int, line: int, column: int, inlined: Loc | None) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.inlined = inlined


class Scope:
    """A list of statements in braces: its registers and labels are its own."""

    __slots__ = ("statements",)

    def __init__(self) -> None:
        self.statements: list[Statement] = []


Statement = Instruction | Label | Register | Scope | Variable | Prototype | Targets | Loc

_PLACE = r"(?P<place>\$\{\d+(?::\w+)?\}|\$\d+)|"
_COMMON = (
    r"(?P<blank>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<float>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|\d+\.\d*(?:[eE][+-]?\d+)?"
    r"|\d+[eE][+-]?\d+)"
    r"|(?P<integer>0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|\d+U?)"
    r"|(?P<word>[%\w$]+(?:(?:\.|::)\w+)*)"
    r"|(?P<directive>\.\w+)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<mark><<|>>|<=|>=|==|!=|&&|\|\||[{}\[\](),;:|!@+<>=*/%&^~?-])"
)
#: What stands in inline PTX, and in a module, where names may begin with a dollar sign.
_INLINE, _MODULE = re.compile(_PLACE + _COMMON, re.DOTALL), re.compile(_COMMON, re.DOTALL)
_INDEX = re.compile(r"\d+")
#: Instructions whose operands may be parts of registers, and the names of parts.
_VIDEO = re.compile(r"v(add|sub|absdiff|avrg|min|max|shl|shr|mad|set)[24]?\.")
_PART = re.compile(r"[bh][0-7]{1,4}")


def parse(text: str) -> Scope:
    """The statements of a piece of inline PTX. Raises `PtxError`."""
    # A dollar sign in a name: any character that names may have.
    return Reader(text.replace("$$", "%%"), _INLINE).body()


def instructions(text: str) -> list[Instruction]:
    """The instructions of a body in order, those in inner braces too; none if it cannot be read."""
    try:
        return list(nested(parse(text)))
    except PtxError:
        return []


def nested(scope: Scope) -> Iterator[Instruction]:
    """The instructions of a scope in order, those of inner ones too."""
    for statement in scope.statements:
        if isinstance(statement, Scope):
            yield from nested(statement)
        elif isinstance(statement, Instruction):
            yield statement


class Token:
    __slots__ = ("kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int) -> None:
        self.kind = kind
        self.text = text
        self.start = start

    @property
    def end(self) -> int:
        return self.start + len(self.text)


#: Statements that declare memory.
_MEMORY = (".param", ".local", ".shared", ".global", ".const")
_VECTORS = {".v2": 2, ".v4": 4}


class Reader:
    """Reads statements. The text's tokens are found first."""

    def __init__(self, text: str, pattern: re.Pattern[str] = _MODULE) -> None:
        self.source = text
        self.tokens = _tokens(text, pattern)
        self._at = 0
        self._inline = pattern is _INLINE

    # -- tokens

    @property
    def kind(self) -> str:
        """The kind of the next token; empty at the end."""
        return self.tokens[self._at].kind

    def peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self.tokens[at].text if at < len(self.tokens) else ""

    def next(self) -> Token:
        token = self.tokens[self._at]
        if not token.kind:
            raise PtxError(self.source.strip()[-60:], token.start, "the text ends too early")
        self._at += 1
        return token

    def accept(self, text: str) -> bool:
        if self.tokens[self._at].text != text:
            return False
        self._at += 1
        return True

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise self.error(f"expected '{text}'")

    def error(self, why: str = "") -> PtxError:
        """What is wrong at the next token."""
        start = self.tokens[self._at].start
        if not self.kind:
            return PtxError(self.source.strip()[-60:], start, "the text ends too early")
        found = self.source[start : start + 60].strip() or self.source.strip()[-60:]
        return PtxError(found, start, why)

    @property
    def start(self) -> int:
        """Where the next token begins."""
        return self.tokens[self._at].start

    # -- statements

    def body(self) -> Scope:
        scope = self.scope()
        if self.kind:
            raise self.error()
        return scope

    def scope(self, depth: int = 0) -> Scope:
        if depth > _DEEPEST:
            raise self.error("braces are nested too deeply")
        scope = Scope()
        add = scope.statements.append
        while self.peek() not in ("", "}"):
            if self.accept(";"):
                continue
            if self.accept("{"):
                add(self.scope(depth + 1))
                self.expect("}")
            elif self.kind == "directive":
                scope.statements += self._directive()
            elif self.peek(1) == ":":
                add(self._label())
            else:
                add(self._instruction())
        return scope

    def _label(self) -> Statement:
        token = self.next()
        self.expect(":")
        if self._inline or self.kind != "directive":
            return Label(token.text, token.start)
        if self.accept(".branchtargets"):
            labels = [self.next().text]
            while self.accept(","):
                labels.append(self.next().text)
            self.expect(";")
            return Targets(token.text, labels)
        if self.accept(".callprototype"):
            return self.prototype(token.text)
        return Label(token.text, token.start)

    def prototype(self, name: str) -> Statement:
        """What follows `.callprototype`."""
        raise self.error()

    def location(self) -> Loc:
        """What follows `.loc`."""
        raise self.error()

    def _directive(self) -> Sequence[Statement]:
        kind = self.peek()
        if kind == ".loc" and not self._inline:
            self.next()
            return [self.location()]
        if kind in (".pragma", ".loc"):
            while not self.accept(";"):
                self.next()
            return []
        if kind == ".reg" or (kind == ".param" and self._inline):
            return self._registers()
        if kind not in _MEMORY or self._inline:
            raise self.error()
        return self.variables()

    def variables(self) -> Sequence[Statement]:
        """A declaration of memory."""
        raise self.error()

    def _registers(self) -> list[Statement]:
        self.next()
        count = 1
        while self.peek() in (".align", *_VECTORS):
            word = self.next().text
            count = _VECTORS.get(word, count)
            if word == ".align":
                self.next()
        if self.kind != "directive":
            raise self.error("expected a type")
        ty = self.next().text[1:]
        found: list[Statement] = []
        while True:
            name = self.next().text
            if self.accept("<"):
                number = self._natural(self.next())
                if len(self.source) + 1000 < number // 64:
                    raise self.error("there are too many registers")
                found += [Register(f"{name}{i}", ty, count) for i in range(number)]
                self.expect(">")
            else:
                found.append(Register(name, ty, count))
            if not self.accept(","):
                break
        self.expect(";")
        return found

    @staticmethod
    def _natural(token: Token) -> int:
        if token.kind != "integer":
            raise PtxError(token.text, token.start, "expected a number")
        return number_of(token, 1).value

    def _instruction(self) -> Instruction:
        start = self.start
        guard: Operand | None = None
        if self.accept("@"):
            inverted = self.accept("!")
            guard = self._term()
            guard = Not(guard) if inverted else guard
        opcode = self.next()
        if opcode.kind != "word":
            raise PtxError(self.source[start : start + 60].strip(), start)
        operands: list[Operand] = []
        selectors: list[str] = []
        is_video = _VIDEO.match(opcode.text) is not None
        while self.peek() not in ("", ";", "}"):
            if is_video:
                selectors.append(self._sign_of_register())
            operands.append(self._operand())
            if is_video:
                selectors[-1] += self._part_of(operands)
            if not self.accept(","):
                break
        end = self.tokens[self._at - 1].end
        if self.peek() not in ("", "}"):
            self.expect(";")
        text = " ".join(self.source[start:end].split())
        return Instruction(guard, opcode.text, operands, f"{text};", start, selectors)

    # -- operands

    def _sign_of_register(self) -> str:
        """The minus of `-%r1`; that of a number belongs to the number."""
        is_number = self.tokens[min(self._at + 1, len(self.tokens) - 1)].kind == "integer"
        return "-" if not is_number and self.accept("-") else ""

    def _part_of(self, operands: list[Operand]) -> str:
        """Takes `b0` from the last operand `%r1.b0`, or behind `$1`."""
        operand = operands[-1]
        if isinstance(operand, Placeholder) and self.kind == "directive":
            return self.next().text[1:]
        if not isinstance(operand, Name):
            return ""
        name, _, part = operand.text.rpartition(".")
        if not _PART.fullmatch(part) or not name:
            return ""
        operands[-1] = Name(name)
        return part

    def _operand(self, depth: int = 0) -> Operand:
        if depth > _DEEPEST:
            raise self.error("an operand is nested too deeply")
        if self.accept("!"):
            return Not(self._operand(depth + 1))
        found = self._term(depth)
        return Pair(found, self._operand(depth + 1)) if self.accept("|") else found

    def _term(self, depth: int = 0) -> Operand:
        if self.accept("{"):
            return Group(self._list("}", depth))
        if self.accept("["):
            return self._address(depth)
        if self.peek() == "(":
            return self._parenthesis(depth)
        if self.kind in ("integer", "float") or self.peek() in ("-", "~"):
            return self.constant()
        token = self.next()
        if token.kind == "place":
            match = _INDEX.search(token.text)
            assert match is not None
            return Placeholder(int(match[0]))
        if token.kind != "word":
            raise PtxError(self.source[token.start : token.start + 60].strip(), token.start)
        if self.peek() in ("+", "-") and not self._inline:
            return Sum(token.text, self._offset())
        if self.peek() == "[" and not self._inline:
            self.next()
            index = self.constant().value
            self.expect("]")
            return Element(token.text, index)
        return Name(token.text)

    def _parenthesis(self, depth: int) -> Operand:
        """Operands of a call, or a constant."""
        ahead = 1
        while self.peek(ahead) == "(":
            ahead += 1
        at = self._at + ahead
        kind = self.tokens[at].kind if at < len(self.tokens) else ""
        after = self.peek(ahead + 1)
        if kind == "integer" and after not in (",", ")"):
            return self.constant()
        self.next()
        return Group(self._list(")", depth))

    def _list(self, closing: str, depth: int) -> list[Operand]:
        parts: list[Operand] = []
        while not self.accept(closing):
            parts.append(self._operand(depth + 1))
            if not self.accept(","):
                self.expect(closing)
                break
        return parts

    def _address(self, depth: int) -> Address:
        base = self._term(depth + 1)
        offset = 0
        if isinstance(base, Sum):
            base, offset = Name(base.name), base.offset
        offset += self._offset()
        rest: list[Operand] = []
        while self.accept(","):
            rest.append(self._operand(depth + 1))
        self.expect("]")
        return Address(base, offset, rest)

    def _offset(self) -> int:
        """`+ constant`, so often as it is there."""
        offset = 0
        while self.peek() in ("+", "-"):
            sign = -1 if self.next().text == "-" else 1
            offset += sign * self._unary().value
        return offset

    # -- constants (PTX ISA, "Constant Expressions")

    def constant(self, least: int = 0) -> Number:
        """A constant expression; one of floats is a number alone."""
        if self.kind == "float" or (
            self.peek() == "-" and self.tokens[self._at + 1].kind == "float"
        ):
            sign = -1 if self.accept("-") else 1
            return number_of(self.next(), sign)
        left = self._unary().value
        while True:
            self._split_remainder()
            symbol = self.peek()
            if symbol == "?" and least == 0:
                self.next()
                first = self.constant()
                self.expect(":")
                second = self.constant()
                return first if left else second
            rank = _RANKS.get(symbol, 0) if self.kind == "mark" else 0
            if rank <= least or (symbol == "|" and least == 0 and self._inline):
                return Number(left)
            at = self.start
            self.next()
            right = self.constant(rank).value
            try:
                left = _wrapped(_OPERATORS[symbol](left, right))
            except (ZeroDivisionError, ValueError, OverflowError):
                raise PtxError(self.source[at : at + 60], at, "the constant has no value") from None

    def _split_remainder(self) -> None:
        """`%4` behind a number is the operator and a number, elsewhere the begin of a name."""
        token = self.tokens[self._at]
        if token.kind != "word" or token.text[0] != "%":
            return
        parts = [Token("mark", "%", token.start)]
        if token.text[1:]:
            kind = "integer" if token.text[1:].isdecimal() else "word"
            parts.append(Token(kind, token.text[1:], token.start + 1))
        self.tokens[self._at : self._at + 1] = parts

    def _unary(self) -> Number:
        signs: list[str] = []
        while self.peek() in ("-", "+", "~", "!"):
            signs.append(self.next().text)
        if self.accept("("):
            if self.kind == "directive":  # (.s64) and (.u64), types of a constant
                self.next()
                self.expect(")")
                found = self._unary()
            else:
                found = self.constant()
                self.expect(")")
        else:
            token = self.next()
            if token.text == "WARP_SZ":
                found = Number(32)
            elif token.kind == "integer":
                found = number_of(token, 1)
            else:
                raise PtxError(token.text, token.start, "expected a constant")
        value = found.value
        for sign in reversed(signs):
            value = -value if sign == "-" else ~value if sign == "~" else value
            value = int(not value) if sign == "!" else value
        return Number(value) if signs else found


_DEEPEST = 100

_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(bool(a or b)), "&&": lambda a, b: int(bool(a and b)),
    "|": operator.or_, "^": operator.xor, "&": operator.and_,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
    "<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63),
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": lambda a, b: int(a / b) if abs(a) < 1 << 52 and abs(b) < 1 << 52 else a // b,
    "%": lambda a, b: a - b * (a // b),
}  # fmt: skip
_RANKS = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip


def _wrapped(value: int) -> int:
    """A constant has 64 bits."""
    value = int(value)
    return value if -(1 << 63) <= value < 1 << 64 else value & (1 << 64) - 1


def _tokens(text: str, pattern: re.Pattern[str]) -> list[Token]:
    """The tokens of a text; behind them is an empty one."""
    found: list[Token] = []
    at, end = 0, len(text)
    match_at = pattern.match
    while at < end:
        match = match_at(text, at)
        if match is None:
            raise PtxError(text[at : at + 60].strip(), at, "no word of PTX")
        kind = match.lastgroup or ""
        if kind != "blank":
            found.append(Token(kind, match[0], at))
        at = match.end()
    found.append(Token("", "", end))
    return found


def number_of(token: Token, sign: int) -> Number:
    """The number that a token is. Raises `PtxError`."""
    text = token.text
    if token.kind == "integer":
        digits = text.rstrip("U")
        octal = len(digits) > 1 and digits[0] == "0" and digits.isdecimal()
        try:
            return Number(sign * int(digits, 8 if octal else 0))
        except ValueError:
            raise PtxError(text, token.start, "no number") from None
    if token.kind != "float":
        raise PtxError(text, token.start, "expected a number")
    if text[:2] in ("0f", "0F"):
        return Number(int(text[2:], 16) ^ (1 << 31 if sign < 0 else 0), 32)
    if text[:2] in ("0d", "0D"):
        return Number(int(text[2:], 16) ^ (1 << 63 if sign < 0 else 0), 64)
    return Number(struct.unpack("<Q", struct.pack("<d", sign * float(text)))[0], 64)
