# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's assembly format strings as trees.

elements ::= (literal | variable | directive | group)*
literal  ::= '`' text '`'        white space or nothing between the ticks: spacing
variable ::= '$' name
group    ::= '(' elements ')' (':' '(' elements ')')? '?'      one element bears the anchor '^'
"""

from __future__ import annotations

from typing import NoReturn


class FormatError(ValueError):
    """A format that cannot be understood: a defect of the table or of this engine."""


class Literal:
    """Text to be read and written as it is."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Space:
    """Spacing, for printing only: "" (none), " ", or a line break."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Variable:
    """`$name`: an operand, result, attribute, region or successor."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Directive:
    """`name(arguments)`; for `custom<Name>(...)` `custom` is the name in the angle brackets."""

    __slots__ = ("arguments", "custom", "name")

    def __init__(
        self, name: str, arguments: list[Element] | None = None, custom: str | None = None
    ) -> None:
        self.name = name
        self.arguments = arguments or []
        self.custom = custom


class Text:
    """A string in the arguments of a custom directive."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Group:
    """An optional group: read and written if its anchor is there (not there, if `inverted`)."""

    __slots__ = ("anchor", "inverted", "otherwise", "then")

    def __init__(
        self, then: list[Element], otherwise: list[Element], anchor: Element, inverted: bool
    ) -> None:
        self.then = then
        self.otherwise = otherwise
        self.anchor = anchor
        self.inverted = inverted


class AnyOrder:
    """`oilist(clause | clause ...)`: clauses in any order, each at most once."""

    __slots__ = ("clauses",)

    def __init__(self, clauses: list[list[Element]]) -> None:
        self.clauses = clauses


Element = Literal | Space | Variable | Directive | Text | Group | AnyOrder

_CALLS = frozenset({"type", "qualified", "ref", "functional-type", "struct", "params"})


def parse_format(text: str) -> list[Element]:
    """The elements of a format string. Raises FormatError."""
    parser = _FormatParser(text)
    elements = parser.elements(end="")
    return elements


class _FormatParser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.anchor: Element | None = None

    def fail(self, message: str) -> NoReturn:
        raise FormatError(f"{message} at {self.position} of format {self.text!r}")

    def peek(self) -> str:
        text = self.text
        while self.position < len(text) and text[self.position].isspace():
            self.position += 1
        return text[self.position] if self.position < len(text) else ""

    def take(self, char: str) -> bool:
        if self.peek() == char:
            self.position += 1
            return True
        return False

    def expect(self, char: str) -> None:
        if not self.take(char):
            self.fail(f"expected {char!r}")

    def until(self, char: str) -> str:
        stop = self.text.find(char, self.position)
        if stop < 0:
            self.fail(f"expected {char!r}")
        found = self.text[self.position : stop]
        self.position = stop + 1
        return found

    def word(self) -> str:
        start = self.position
        text = self.text
        while self.position < len(text) and (
            text[self.position].isalnum() or text[self.position] in "_-$"
        ):
            self.position += 1
        if start == self.position:
            self.fail("expected a name")
        return text[start : self.position]

    def elements(self, end: str) -> list[Element]:
        """Elements up to one of the characters `end`, which stays."""
        found: list[Element] = []
        while (char := self.peek()) and char not in end:
            element = self.element()
            found.append(element)
            if self.take("^"):
                self.anchor = element
        return found

    def element(self) -> Element:
        char = self.peek()
        if char == "`":
            self.position += 1
            text = self.until("`")
            if text == "\\n":
                return Space("\n")
            return Space(text) if not text.strip() else Literal(text)
        if char == "$":
            self.position += 1
            return Variable(self.word())
        if char == '"':
            self.position += 1
            return Text(self.until('"'))
        if char == "(":
            return self.group()
        return self.directive()

    def group(self) -> Group:
        outer, self.anchor = self.anchor, None
        self.expect("(")
        then = self.elements(")")
        self.expect(")")
        otherwise: list[Element] = []
        if self.take(":"):
            self.expect("(")
            otherwise = self.elements(")")
            self.expect(")")
        self.expect("?")
        anchor, self.anchor = self.anchor, outer
        if anchor is None:
            self.fail("optional group without anchor")
        inverted = any(anchor is element for element in otherwise)
        return Group(then, otherwise, anchor, inverted)

    def directive(self) -> Element:
        name = self.word()
        if name == "oilist":
            return self.any_order()
        custom = None
        if name == "custom":
            self.expect("<")
            custom = self.until(">")
        arguments: list[Element] = []
        if custom is not None or name in _CALLS:
            if name == "params" and self.peek() != "(":
                return Directive(name)
            self.expect("(")
            while not self.take(")"):
                arguments.append(self.element())
                if not self.take(",") and self.peek() != ")":
                    self.fail("expected ',' or ')'")
        return Directive(name, arguments, custom)

    def any_order(self) -> AnyOrder:
        self.expect("(")
        clauses: list[list[Element]] = []
        while not self.take(")"):
            clauses.append(self.elements("|)"))
            self.take("|")
        return AnyOrder(clauses)


def is_keyword(text: str) -> bool:
    """Whether a literal is a word, and not punctuation."""
    return text[0].isalpha() or text[0] == "_"


class Spacing:
    """MLIR's rule for where a printed format has spaces. It knows only the elements, not values."""

    __slots__ = ("after_punctuation", "pending")

    def __init__(self) -> None:
        #: Whether a literal may be preceded by a space.
        self.pending = True
        self.after_punctuation = False

    def literal(self, text: str) -> str:
        """`text` with the space before it, if it gets one."""
        space = " " if self.pending and self._space_before(text) else ""
        self.pending = len(text) != 1 or text not in "<({["
        self.after_punctuation = not is_keyword(text)
        return space + text

    def _space_before(self, text: str) -> bool:
        if len(text) != 1 and text != "->":
            return True
        if self.after_punctuation:
            return text[0] not in ">)}],"
        return text[0] not in "<>(){}[],"

    def space(self, text: str) -> str:
        if text == "\n":
            return text
        self.after_punctuation = not text
        self.pending = False
        return text

    def dictionary(self) -> None:
        """An attribute dictionary brings its own space."""
        self.after_punctuation = False

    def value(self) -> str:
        """The space before anything else."""
        space = " " if self.pending or not self.after_punctuation else ""
        self.after_punctuation = False
        self.pending = True
        return space
