# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared variables in constants.

A shared variable is a constant address on a GPU, so it may stand inside constant expressions and
aggregates: `getelementptr (i8, ptr @smem, i64 16)`, `{ ptr, i64 } { ptr @smem, i64 0 }`. On the
host it is an offset into the block's buffer, known only at run time. `Expander.line` takes such
constants apart into instructions of the function's entry block.
"""

from __future__ import annotations

import re

from xgpu.backend.host.context import FunctionContext
from xgpu.backend.host.text import balanced, split_commas, typed_value

_EXPRESSION = re.compile(
    r"(getelementptr|ptrtoint|ptrtoaddr|inttoptr|bitcast|addrspacecast|trunc|add|sub|xor)"
    r"((?: (?:inbounds|nuw|nsw|nusw|inrange\([^)]*\)))*) \("
)
_SYMBOL = re.compile(r'@(?:"[^"]*"|[\w.$-]+)')
_OPENERS = "{[<"


class Expander:
    """Rewrites the lines of one function. `shared` holds the names of the shared variables."""

    __slots__ = ("ctx", "known", "shared")

    def __init__(self, ctx: FunctionContext) -> None:
        self.ctx = ctx
        self.shared = ctx.module.shared
        self.known: dict[str, str] = {}

    def line(self, text: str) -> str:
        """`text` with every constant that holds a shared variable replaced by a value."""
        if not any(name in self.shared for name in _SYMBOL.findall(text)):
            return text
        out: list[str] = []
        i = 0
        while i < len(text):
            end = self.constant_end(text, i)
            if end is None:
                out.append(text[i])
                i += 1
                continue
            constant = text[i:end]
            if any(name in self.shared for name in _SYMBOL.findall(constant)):
                out.append(self.value(constant))
            else:
                out.append(constant)
            i = end
        return "".join(out)

    def constant_end(self, text: str, i: int) -> int | None:
        """The end of the constant expression, aggregate or symbol that begins at `i`, if one
        does.
        """
        if i and (text[i - 1].isalnum() or text[i - 1] in "_.$%@-"):
            return None
        if text[i] == '"':
            return text.index('"', i + 1) + 1
        if text[i] == "@":
            match = _SYMBOL.match(text, i)
            return match.end() if match else None
        if text[i] in _OPENERS:
            end = balanced(text, i)
            # A type is followed by a value, a constant by a comma or the end.
            inside = text[i:end]
            return end if "@" in inside and not text[end : end + 2].strip(",) ]\n") else None
        match = _EXPRESSION.match(text, i)
        return balanced(text, match.end() - 1) if match else None

    def value(self, constant: str) -> str:
        """The name of a value equal to `constant`, computed once, in the entry block."""
        constant = constant.strip()
        if constant not in self.known:
            self.known[constant] = self.compute(constant)
        return self.known[constant]

    def compute(self, constant: str) -> str:
        if constant in self.shared:
            name = self.ctx.fresh("shared")
            base = self.ctx.register("shared")
            at = self.shared[constant]
            self.emit(f"{name} = getelementptr inbounds i8, ptr {base}, i64 {at}")
            return name
        match = _EXPRESSION.match(constant)
        if match:
            return self.expression(match, constant)
        if constant[0] in _OPENERS:
            return self.aggregate(constant)[1]
        return constant

    def expression(self, match: re.Match[str], constant: str) -> str:
        opcode, flags = match.group(1), re.sub(r" inrange\([^)]*\)", "", match.group(2))
        inner = constant[match.end() : -1]
        name = self.ctx.fresh("constant")
        if opcode in ("addrspacecast", "bitcast", "ptrtoint", "ptrtoaddr", "inttoptr", "trunc"):
            source, target = inner.rsplit(" to ", 1)
            type, operand = typed_value(source)
            if opcode == "addrspacecast":
                opcode = "bitcast"
            self.emit(f"{name} = {opcode} {type} {self.value(operand)} to {target}")
            return name
        parts = split_commas(inner)
        operands: list[str] = []
        for i, part in enumerate(parts):
            if opcode == "getelementptr" and i == 0:
                operands.append(part)
                continue
            type, operand = typed_value(part)
            value = self.value(operand)
            # Binary operators name the type once.
            operands.append(f"{type} {value}" if opcode == "getelementptr" or i == 0 else value)
        self.emit(f"{name} = {opcode}{flags} {', '.join(operands)}")
        return name

    def aggregate(self, constant: str) -> tuple[str, str]:
        """A struct, array or vector constant: its type, and a value built element by element."""
        packed = constant.startswith("<{")
        opener = "<{" if packed else constant[0]
        parts = [typed_value(p) for p in split_commas(constant[len(opener) : -len(opener)])]
        types = [type for type, _ in parts]
        if opener == "[":
            type = f"[{len(parts)} x {types[0]}]"
        elif opener == "<":
            type = f"<{len(parts)} x {types[0]}>"
        else:
            type = "{ " + ", ".join(types) + " }"
            type = f"<{type}>" if packed else type
        current = "poison"
        for i, (element, operand) in enumerate(parts):
            name = self.ctx.fresh("constant")
            value = self.value(operand) if "@" in operand else operand
            if opener == "<":
                self.emit(f"{name} = insertelement {type} {current}, {element} {value}, i32 {i}")
            else:
                self.emit(f"{name} = insertvalue {type} {current}, {element} {value}, {i}")
            current = name
        return type, current

    def emit(self, line: str) -> None:
        self.ctx.entry.append(line)
