# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values, types and the text of a function, for the compiler of the native language."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from xgpu.backend.host.structs import SIZES, STRUCTS

INT_BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = ("f32", "f64")
_LLVM_FLOAT = {"f32": "float", "f64": "double"}


class LanguageError(Exception):
    """The native source is wrong: a defect of xgpu, not of its input."""


class Value:
    """An SSA value: its LLVM spelling and its type. A literal has type "literal"."""

    __slots__ = ("text", "type")

    def __init__(self, text: str, type: str) -> None:
        self.text = text
        self.type = type


class Signature:
    """What a function takes and gives."""

    __slots__ = ("declared", "name", "node", "parameters", "result")

    def __init__(self, node: ast.FunctionDef) -> None:
        self.node = node
        self.name = node.name
        self.parameters = [(a.arg, type_name(a.annotation)) for a in node.args.args]
        self.result = "void" if node.returns is None else type_name(node.returns)
        body = node.body[-1]
        self.declared = (
            isinstance(body, ast.Expr)
            and isinstance(body.value, ast.Constant)
            and body.value.value is Ellipsis
        )


def type_name(node: ast.expr | None) -> str:
    """The type that an annotation names."""
    if isinstance(node, ast.Name):
        if node.id in SIZES or node.id in STRUCTS or node.id == "void":
            return node.id
    elif isinstance(node, ast.Constant) and node.value is None:
        return "void"
    elif isinstance(node, ast.Subscript):
        return f"Ptr[{type_name(node.slice)}]"
    raise LanguageError(f"line {getattr(node, 'lineno', '?')}: not a type")


def llvm_type(type: str) -> str:
    """A type as LLVM spells it."""
    if type in INT_BITS or type in ("void", "ptr"):
        return type
    return _LLVM_FLOAT.get(type, "ptr")


def is_pointer(type: str) -> bool:
    """Whether values of a type are addresses."""
    return type == "ptr" or type in STRUCTS or type.startswith("Ptr[")


class FunctionText:
    """The LLVM IR of one function as it is written. Locals live in allocas."""

    def __init__(
        self,
        signature: Signature,
        signatures: Mapping[str, Signature],
        constants: Mapping[str, int],
        intrinsics: dict[str, str],
    ) -> None:
        self.signature = signature
        self.signatures = signatures
        self.constants = constants
        self.intrinsics = intrinsics
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.locals: dict[str, str] = {}
        self.loops: list[tuple[str, str]] = []
        self.counter = 0
        self.terminated = False

    def fail(self, node: ast.AST, why: str) -> LanguageError:
        line = getattr(node, "lineno", "?")
        return LanguageError(f"{self.signature.name}, line {line}: {why}")

    def emit(self, line: str) -> None:
        if not self.terminated:
            self.lines.append(f"  {line}")

    def value(self, code: str, type: str) -> Value:
        self.counter += 1
        name = f"%.{self.counter}"
        self.emit(f"{name} = {code}")
        return Value(name, type)

    def label(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}.{self.counter}"

    def start(self, label: str) -> None:
        if not self.terminated:
            self.lines.append(f"  br label %{label}")
        self.lines.append(f"{label}:")
        self.terminated = False

    def jump(self, label: str) -> None:
        self.emit(f"br label %{label}")
        self.terminated = True

    def declare(self, name: str, type: str) -> None:
        self.locals[name] = type
        self.allocas.append(f"  %{name} = alloca {llvm_type(type)}")
