# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Metadata: numbered nodes, nodes inside a line, strings and constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xgpu.frontend.llvm_ir.constant_parser import ConstantParser
from xgpu.frontend.llvm_ir.lexer import Cursor, decoded, unescaped, unquoted
from xgpu.frontend.llvm_ir.model import (
    ArgumentList,
    Metadata,
    MetadataConstant,
    MetadataString,
    Node,
    Value,
)


class MetadataParser:
    """Reads metadata at a cursor. A node may be mentioned before its definition, and in it."""

    __slots__ = ("constants", "cursor", "nodes", "strings")

    def __init__(self, cursor: Cursor, constants: ConstantParser) -> None:
        self.cursor = cursor
        self.constants = constants
        self.nodes: dict[int, Node] = {}
        self.strings: dict[str, MetadataString] = {}

    def node(self, token: str) -> Node:
        """The node `!n`."""
        number = int(token[1:])
        found = self.nodes.get(number)
        if found is None:
            found = self.nodes[number] = Node(number)
        return found

    def string(self, token: str) -> MetadataString:
        text = decoded(unquoted(token))
        found = self.strings.get(text)
        if found is None:
            found = self.strings[text] = MetadataString(text)
        return found

    def define(self, token: str) -> None:
        """`!n = ...`, of which the cursor stands behind `=`."""
        node = self.node(token)
        node.token = self.cursor.at - 2
        self._content(node)

    def named(self) -> list[Node]:
        """`!{!0, !1}` behind `!name =`."""
        cursor = self.cursor
        cursor.expect("!")
        cursor.expect("{")
        found: list[Node] = []
        while not cursor.accept("}"):
            metadata = self.read()
            if isinstance(metadata, Node):
                found.append(metadata)
            cursor.accept(",")
        return found

    def attachments(self) -> list[tuple[str, Node]]:
        """`!dbg !3`, as many as stand here, with or without commas before them."""
        cursor = self.cursor
        found: list[tuple[str, Node]] = []
        while True:
            at = cursor.at
            cursor.accept(",")
            token = cursor.peek()
            if token[:1] != "!" or len(token) < 2 or cursor.tokens[cursor.at + 1] == "=":
                cursor.at = at
                return found
            cursor.at += 1
            kind = decoded(unescaped(token[1:]))
            node = self.read()
            if not isinstance(node, Node):
                cursor.fail("expected a metadata node", cursor.at - 1)
            found.append((kind, node))

    def read(self, value: Callable[[], Value] | None = None) -> Metadata | None:
        """Metadata; `value` reads a type and a value where metadata may be one."""
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        if token == "null":
            cursor.at += 1
            return None
        if token[:1] != "!":
            return MetadataConstant((value or self.constants.typed)())
        cursor.at += 1
        if token[1:].isdigit():
            return self.node(token)
        if token[1:2] == '"':
            return self.string(token)
        cursor.at -= 1
        if token == "!DIArgList":
            cursor.at += 1
            self._skip_parentheses()
            return ArgumentList()
        node = Node()
        node.token = cursor.at
        self._content(node)
        return node

    def _skip_parentheses(self) -> None:
        depth = 0
        while True:
            token = self.cursor.next()
            depth += (token == "(") - (token == ")")
            if not depth or not token:
                return

    def _content(self, node: Node) -> None:
        """`distinct !{...}` or `!DIKind(...)`"""
        cursor = self.cursor
        node.distinct = cursor.accept("distinct")
        token = cursor.next()
        if token == "!":
            cursor.expect("{")
            while not cursor.accept("}"):
                node.operands.append(self.read())
                cursor.accept(",")
            return
        if token[:3] != "!DI" and token != "!GenericDINode":
            cursor.fail("expected metadata", cursor.at - 1)
        node.kind = token[1:]
        cursor.expect("(")
        if node.kind == "DIExpression":
            node.fields["elements"] = self._elements()
            return
        while not cursor.accept(")"):
            name = cursor.next()
            if name[-1:] != ":":
                cursor.fail("expected a field", cursor.at - 1)
            node.fields[name[:-1]] = self._field()
            cursor.accept(",")

    def _elements(self) -> list[int | str]:
        """The numbers and keywords of a DWARF expression."""
        cursor = self.cursor
        found: list[int | str] = []
        while not cursor.accept(")"):
            token = cursor.next()
            found.append(int(token) if token.isdigit() else token)
            cursor.accept(",")
        return found

    def _field(self) -> Any:
        """Metadata, a number, a string, `true`, or keywords with bars between them."""
        cursor = self.cursor
        token = cursor.peek()
        if token[:1] == "!" or token == "null":
            return self.read()
        if token[:1] == '"':
            return decoded(cursor.string())
        if token[:1].isdigit() or (token[:1] == "-" and token[1:].isdigit()):
            cursor.at += 1
            return int(token, 0)
        if token in ("true", "false"):
            cursor.at += 1
            return token == "true"
        if token == "{":
            return self._listed()
        if self.constants.types.starts():
            return MetadataConstant(self.constants.typed())
        words = [cursor.next()]
        while cursor.accept("|"):
            words.append(cursor.next())
        return words

    def _listed(self) -> list[Metadata | None]:
        """`{!0, !1}`, the operands of a generic node."""
        cursor = self.cursor
        cursor.expect("{")
        found: list[Metadata | None] = []
        while not cursor.accept("}"):
            found.append(self.read())
            cursor.accept(",")
        return found
