# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ expressions of ODS predicates, said in the words of `xgpu/core/ods/predicates.py`.

ODS states what a type must be as C++ (`::llvm::isa<::mlir::MemRefType>($_self)`). This module
parses such expressions and writes the same fact as a Python expression over the functions of our
predicate table (`is_memref(t)`). What has no word there is collected in `UNKNOWN` and stops the
generator: a predicate is never dropped silently.
"""

from __future__ import annotations

import keyword
import re

from tools.tables.cpp_words import (
    BUILTIN_CLASSES,
    FUNCTIONS,
    HANDWRITTEN_CLASSES,
    INTERFACES,
    METHODS,
    SNIPPETS,
)

UNKNOWN: set[str] = set()

_TOKEN = re.compile(
    r"\s+|(?P<op>&&|\|\||==|!=|<=|>=|->|::|[-+*/%&|~!<>?:()\[\]{},.;=])"
    r"|(?P<num>\d+)u?\b|(?P<name>\$?[A-Za-z_]\w*)|(?P<str>\"[^\"]*\")"
)
_TEMPLATES = {
    "isa", "cast", "dyn_cast", "hasTrait", "static_cast", "ArrayRef", "SmallVector",
    "hasPromiseOrImplementsInterface", "equal_to",
}  # fmt: skip


class CannotTranslate(Exception):
    """The expression uses something that has no word in our predicate table."""


def _squeeze(text: str) -> str:
    text = text.replace("::mlir::", "").replace("::llvm::", "").replace("mlir::", "")
    text = re.sub(r"\bllvm::", "", text)
    return re.sub(r"\s+", " ", text).strip()


class Translator:
    """Translates C++ predicate expressions; knows the C++ classes of ODS attributes and types."""

    def __init__(self, classes: dict[str, str], enums: dict[str, str]) -> None:
        self.classes = classes | HANDWRITTEN_CLASSES
        self.enums = enums

    def translate(self, text: str) -> str:
        """The Python expression that says what the C++ expression `text` says."""
        text = _squeeze(text)
        for snippet, words in SNIPPETS.items():
            text = text.replace(snippet, f"@{{{words}}}") if snippet in text else text
        # A snippet's words are already ours: keep them as one opaque name.
        self.opaque: list[str] = []

        def keep(match: re.Match[str]) -> str:
            self.opaque.append(match[1])
            return f"opaque_{len(self.opaque) - 1}"

        text = re.sub(r"@\{(.*?)\}", keep, text)
        self.tokens = self._tokenize(text)
        self.at = 0
        try:
            result = self._ternary()
            if self.at != len(self.tokens):
                raise CannotTranslate(f"trailing {self.tokens[self.at :]}")
        except (CannotTranslate, IndexError) as error:
            UNKNOWN.add(f"{text}    ({error})")
            return "unknown(t)"
        return _strip(result)

    def _tokenize(self, text: str) -> list[str]:
        tokens: list[str] = []
        at = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise CannotTranslate(f"character {text[at]!r}")
            at = match.end()
            if match[0].strip():
                tokens.append(match["num"] or match[0])
        return tokens

    def _peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ""

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def _expect(self, token: str) -> None:
        if (found := self._next()) != token:
            raise CannotTranslate(f"expected {token}, found {found}")

    def _ternary(self) -> str:
        cond = self._or()
        if self._peek() != "?":
            return cond
        self._next()
        then = self._ternary()
        self._expect(":")
        return f"({then} if {cond} else {self._ternary()})"

    def _or(self) -> str:
        parts = [self._and()]
        while self._peek() == "||":
            self._next()
            parts.append(self._and())
        parts = list(dict.fromkeys(parts))
        return parts[0] if len(parts) == 1 else "(" + " or ".join(parts) + ")"

    def _and(self) -> str:
        parts = [self._compare()]
        while self._peek() == "&&":
            self._next()
            parts.append(self._compare())
        parts = [p for p in dict.fromkeys(parts) if p != "True"] or ["True"]
        if len(parts) == 1:
            return parts[0]
        return " and ".join(_strip(p) if " or " not in p and " if " not in p else p for p in parts)

    def _compare(self) -> str:
        left = self._sum()
        while self._peek() in ("==", "!=", "<", ">", "<=", ">="):
            op = self._next()
            left = f"{left} {op} {self._sum()}"
        return left

    def _sum(self) -> str:
        left = self._unary()
        while self._peek() in ("+", "-", "*", "%", "&"):
            op = self._next()
            left = f"{left} {op} {self._unary()}"
        return left

    def _unary(self) -> str:
        token = self._peek()
        if token == "!":
            self._next()
            inner = _strip(self._unary())
            one = " and " not in inner and " or " not in inner and " == " not in inner
            return f"not {inner}" if one else f"not ({inner})"
        if token in ("-", "~"):
            self._next()
            return f"{token}{self._unary()}"
        return self._postfix()

    def _postfix(self) -> str:
        value = self._primary()
        while self._peek() in (".", "->"):
            self._next()
            value = self._method(value)
        return value

    def _method(self, receiver: str) -> str:
        name = self._next()
        template = self._template(name)
        args = self._arguments()
        if name == "hasPromiseOrImplementsInterface":
            return "True"  # Interfaces attach at run time; `transform` alone asks for them.
        if name == "getType" and not args:
            is_attribute = receiver.startswith(("t", "attr"))
            return f"type_of({receiver})" if is_attribute else f"{receiver}.type"
        if receiver == "op" and name in ("getOperand", "getResult"):
            return f"op.{name[3:].lower()}s[{args[0]}]"
        if receiver == "op" and name in ("getNumOperands", "getNumResults"):
            return f"len(op.{name[6:].lower()})"
        if name == "getTypes" and receiver.startswith("op."):
            return f"types_of({receiver})"
        if name not in METHODS or template:
            raise CannotTranslate(f"method {name}")
        return f"{METHODS[name]}({', '.join([receiver, *args])})"

    def _template(self, name: str) -> list[str]:
        if name not in _TEMPLATES or self._peek() != "<":
            return []
        self._next()
        depth, words, text = 1, [], ""
        while depth:
            token = self._next()
            depth += (token == "<") - (token == ">")
            if token == "," and depth == 1:
                words.append(text)
                text = ""
            elif depth:
                text += token
        return [*words, text]

    def _arguments(self) -> list[str]:
        self._expect("(")
        args: list[str] = []
        while self._peek() != ")":
            args.append(_strip(self._ternary()))
            if self._peek() == ",":
                self._next()
        self._next()
        return args

    def _primary(self) -> str:
        token = self._next()
        if token == "(":
            inner = self._ternary()
            self._expect(")")
            plain = " and " not in inner and " or " not in inner and " if " not in inner
            return inner if plain else f"({_strip(inner)})"
        if token == "[":
            return self._lambda()
        if token.isdigit() or token.startswith('"'):
            return token
        if token.startswith("opaque_"):
            return (
                f"({self.opaque[int(token[7:])]})"
                if " " in self.opaque[int(token[7:])]
                else (self.opaque[int(token[7:])])
            )
        if token == "$_self":
            return "t"
        if token == "$_op":
            return "op"
        if token in ("true", "false"):
            return token.capitalize()
        if token.startswith("$"):
            name = _snake(token[1:])
            return f"op.{name}_" if keyword.iskeyword(name) else f"op.{name}"
        if token == "::":
            token = self._next()
        while self._peek() == "::":
            self._next()
            token += "::" + self._next()
        template = self._template(token)
        if token in ("ArrayRef", "SmallVector") and self._peek() in ("(", "{"):
            return self._list()
        if self._peek() != "(":
            return token
        return self._call(token, template)

    def _list(self) -> str:
        self._next()
        braces = self._peek() == "{"
        if braces:
            self._next()
        items: list[str] = []
        while self._peek() not in ("}", ")"):
            items.append(self._ternary())
            if self._peek() == ",":
                self._next()
        self._next()
        if braces and self._peek() == ")":
            self._next()
        return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"

    def _lambda(self) -> str:
        if self._peek() == "&":
            self._next()
        self._expect("]")
        self._expect("(")
        parameter = self.tokens[self.tokens.index(")", self.at) - 1]
        self.at = self.tokens.index(")", self.at) + 1
        self._expect("{")
        self._expect("return")
        body = self._ternary()
        self._expect(";")
        self._expect("}")
        if self._peek() != "(":
            return f"\\{parameter}\\{body}"
        argument = self._arguments()[0]
        return _wrap(re.sub(rf"\b{parameter}\b", lambda _: argument, body))

    def _call(self, name: str, template: list[str]) -> str:
        args = self._arguments()
        if name == "isa":
            return self._isa(template, args[0])
        if name in ("cast", "dyn_cast", "static_cast"):
            return args[0]
        if name == "all_of":
            _, parameter, body = args[1].split("\\", 2)
            # `attr && p(attr)`: elements are never null here.
            body = re.sub(rf"^{parameter} and ", "", body)
            if body in ("True", parameter):
                return "True"
            return f"all({_strip(body)} for {parameter} in {args[0]})"
        if name not in FUNCTIONS:
            raise CannotTranslate(f"function {name}")
        if name == "getElementTypeOrSelf" and args[0].startswith("op."):
            args[0] += "" if args[0].endswith(".type") else ".type"
        return f"{FUNCTIONS[name]}({', '.join(args)})"

    def _isa(self, classes: list[str], value: str) -> str:
        words = [self._is_one(cls, value) for cls in classes]
        return words[0] if len(words) == 1 else "(" + " or ".join(words) + ")"

    def _is_one(self, cls: str, value: str) -> str:
        if cls in BUILTIN_CLASSES:
            return f"{BUILTIN_CLASSES[cls]}({value})"
        if cls in INTERFACES:
            return f"{INTERFACES[cls]}({value})"
        for candidate in (cls, cls.removeprefix("LLVM::")):
            if candidate in self.classes:
                return f'named({value}, "{self.classes[candidate]}")'
        if cls in self.enums:
            return re.sub(r"\bt\b", lambda _: value, self.enums[cls])
        raise CannotTranslate(f"class {cls}")


def _strip(text: str) -> str:
    """`text` without parentheses around the whole."""
    while text.startswith("(") and text.endswith(")"):
        depth = 0
        for at, char in enumerate(text):
            depth += (char == "(") - (char == ")")
            if depth == 0 and at < len(text) - 1:
                return text
        if text.endswith(",)") or text == "()" or _is_tuple(text):
            return text
        text = text[1:-1]
    return text


def _is_tuple(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 1:
            return True
    return False


def _wrap(text: str) -> str:
    return f"({text})" if " or " in text and not text.startswith("(") else text


def _snake(name: str) -> str:
    """MLIR's field name as the accessor's: `valueToStore` -> `value_to_store`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda m: "_" + m[1].lower(), name)
