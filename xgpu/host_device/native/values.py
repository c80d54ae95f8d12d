# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values, types and the text of a function, for the compiler of native sources."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from xgpu.host_device.abi.structs import SIZES, STRUCTS
from xgpu.host_device.native.debug import DebugInfo

INT_BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = ("f32", "f64")
_LLVM_FLOAT = {"f32": "float", "f64": "double"}


class LanguageError(Exception):
    """A native source is wrong, `file:line:column: why`: a defect of xgpu, not of its input."""

    def __init__(self, file: str, node: ast.AST, why: str) -> None:
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0) + 1
        super().__init__(f"{file}:{line}:{column}: {why}")


class Value:
    """An SSA value: its LLVM spelling and its type. A literal has type "literal"."""

    __slots__ = ("text", "type")

    def __init__(self, text: str, type: str) -> None:
        self.text = text
        self.type = type


class Signature:
    """What a function takes and gives, where it stands, and its symbol: a caller of the compiler
    may give it another than its name."""

    __slots__ = ("declared", "file", "name", "node", "parameters", "result", "symbol")

    def __init__(self, node: ast.FunctionDef, file: str) -> None:
        self.node = node
        self.file = file
        self.name = self.symbol = node.name
        a = node.args
        if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs or a.defaults:
            raise LanguageError(file, node, f"{node.name}: only plain parameters are possible")
        self.parameters = [(a.arg, type_name(a.annotation, a, file)) for a in node.args.args]
        if node.returns is None:
            raise LanguageError(file, node, f"{node.name}: the result's type is missing")
        self.result = type_name(node.returns, node, file)
        self.declared = any(
            isinstance(d, ast.Name) and d.id == "extern" for d in node.decorator_list
        )


def type_name(node: ast.expr | None, place: ast.AST, file: str) -> str:
    """The type that an annotation names."""
    match node:
        case ast.Name(id=name) if name in SIZES or name in STRUCTS:
            return name
        case ast.Constant(value=None):
            return "void"
        case ast.Subscript(value=ast.Name(id="Ptr"), slice=element):
            return f"Ptr[{type_name(element, place, file)}]"
        case ast.BinOp(left=pointer, op=ast.BitOr(), right=ast.Constant(value=None)):
            type = type_name(pointer, place, file)
            if is_pointer(type):
                return type
        case _:
            pass
    raise LanguageError(file, node or place, "a type was expected")


def llvm_type(type: str) -> str:
    """A type as LLVM spells it."""
    if type in INT_BITS or type in ("void", "ptr"):
        return type
    return _LLVM_FLOAT.get(type, "ptr")


def is_pointer(type: str) -> bool:
    """Whether values of a type are addresses."""
    return type == "ptr" or type in STRUCTS or type.startswith("Ptr[")


class Scope:
    """The names that the functions of one source see."""

    __slots__ = ("constants", "file", "functions")

    def __init__(self, file: str, constants: Mapping[str, int] | None = None) -> None:
        self.file = file
        self.constants = dict(constants or {})
        self.functions: dict[str, Signature] = {}


class FunctionText:
    """The LLVM IR of one function as it is written. Locals live in allocas."""

    def __init__(
        self, signature: Signature, scope: Scope, intrinsics: dict[str, str], debug: DebugInfo
    ) -> None:
        self.signature = signature
        self.scope = scope
        self.intrinsics = intrinsics
        self.debug = debug
        self.subprogram = debug.subprogram(signature.file, signature.name, signature.node.lineno)
        self.line = signature.node.lineno
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.locals: dict[str, str] = {}
        self.loops: list[tuple[str, str]] = []
        self.counter = 0
        self.terminated = False
        self.current = "entry.0"

    def fail(self, node: ast.AST, why: str) -> LanguageError:
        return LanguageError(self.signature.file, node, f"{self.signature.name}: {why}")

    def emit(self, line: str) -> None:
        if not self.terminated:
            place = self.debug.location(self.line, self.subprogram)
            self.lines.append(f"  {line}, !dbg {place}")

    def value(self, code: str, type: str) -> Value:
        self.counter += 1
        name = f"%.{self.counter}"
        self.emit(f"{name} = {code}")
        return Value(name, type)

    def label(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}.{self.counter}"

    def start(self, label: str) -> None:
        self.jump(label)
        self.lines.append(f"{label}:")
        self.terminated = False
        self.current = label

    def jump(self, label: str) -> None:
        self.emit(f"br label %{label}")
        self.terminated = True

    def jump_if(self, condition: Value, then: str, otherwise: str) -> None:
        self.emit(f"br i1 {condition.text}, label %{then}, label %{otherwise}")
        self.terminated = True

    def declare(self, name: str, type: str) -> None:
        self.locals[name] = type
        self.allocas.append(f"  %{name} = alloca {llvm_type(type)}")
