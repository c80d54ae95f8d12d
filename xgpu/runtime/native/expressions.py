# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of the native language."""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable, Mapping

from xgpu.backend.host.structs import SIZES, STRUCTS, layout, size_of
from xgpu.runtime.native.values import (
    FLOATS,
    INT_BITS,
    FunctionText,
    LanguageError,
    Value,
    is_pointer,
    llvm_type,
    type_name,
)

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "sdiv", ast.Mod: "srem",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "ashr",
}  # fmt: skip
_FLOAT_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("eq", "oeq"), ast.NotEq: ("ne", "une"), ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"), ast.Gt: ("sgt", "ogt"), ast.GtE: ("sge", "oge"),
}  # fmt: skip
_UNSIGNED = {"ult": "icmp ult", "ule": "icmp ule", "udiv": "udiv", "urem": "urem", "lshr": "lshr"}


class ExpressionCompiler(FunctionText):
    """Compiles expressions into the text of a function."""

    # -- places

    def place(self, node: ast.expr) -> tuple[str, str]:
        """The address of what `node` names in memory, and its type."""
        match node:
            case ast.Attribute(value=base, attr=field):
                pointer = self.expression(base)
                if pointer.type not in STRUCTS:
                    raise self.fail(node, f"a record was expected, not {pointer.type}")
                at, kind, count = layout(pointer.type)[0][field]
                address = self.value(f"getelementptr i8, ptr {pointer.text}, i64 {at}", "ptr")
                return address.text, f"Array[{kind}]" if count else kind
            case ast.Subscript(value=base, slice=index):
                position = self.coerce(self.expression(index), "i64").text
                if isinstance(base, ast.Attribute):
                    address, type = self.place(base)
                    if type.startswith("Array["):
                        return self.element(address, type[6:-1], position)
                pointer = self.expression(base)
                element = pointer.type[4:-1] if pointer.type.startswith("Ptr[") else pointer.type
                return self.element(pointer.text, element, position)
            case _:
                raise self.fail(node, f"not a place in memory: {ast.unparse(node)}")

    def element(self, address: str, type: str, index: str) -> tuple[str, str]:
        size = size_of(type) if type in STRUCTS else SIZES.get(type, 8)
        scaled = self.value(f"mul i64 {index}, {size}", "i64").text
        return self.value(f"getelementptr i8, ptr {address}, i64 {scaled}", "ptr").text, type

    # -- expressions

    def condition(self, node: ast.expr) -> Value:
        value = self.expression(node)
        if value.type == "i1":
            return value
        if value.type == "literal":
            return Value("true" if value.text != "0" else "false", "i1")
        zero = "null" if is_pointer(value.type) else "0"
        return self.value(f"icmp ne {llvm_type(value.type)} {value.text}, {zero}", "i1")

    def expression(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=bool() as flag):
                return Value("true" if flag else "false", "i1")
            case ast.Constant(value=int() as number):
                return Value(str(number), "literal")
            case ast.Constant(value=float() as number):
                return Value(f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}", "f64")
            case ast.Constant(value=None):
                return Value("null", "ptr")
            case ast.Name(id=name):
                if name in self.locals:
                    type = self.locals[name]
                    return self.value(f"load {llvm_type(type)}, ptr %{name}", type)
                if name in self.constants:
                    return Value(str(self.constants[name]), "literal")
                if name in self.signatures:
                    return Value(f"@{name}", "ptr")
            case ast.Attribute():
                address, type = self.place(node)
                if type.startswith("Array["):
                    return Value(address, f"Ptr[{type[6:-1]}]")
                return self.value(f"load {llvm_type(type)}, ptr {address}", type)
            case ast.Subscript():
                address, type = self.place(node)
                if type in STRUCTS:
                    return Value(address, type)
                return self.value(f"load {llvm_type(type)}, ptr {address}", type)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(node, op, self.expression(left), self.expression(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self.expression(operand)
                if value.type == "literal":
                    return Value(str(-int(value.text)), "literal")
                if value.type in FLOATS:
                    return self.value(f"fneg {llvm_type(value.type)} {value.text}", value.type)
                return self.binary(node, ast.Sub(), Value("0", "literal"), value)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.value(f"xor i1 {self.condition(operand).text}, true", "i1")
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self.binary(
                    node, ast.BitXor(), self.expression(operand), Value("-1", "literal")
                )
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.compare(node, op, self.expression(left), self.expression(right))
            case ast.BoolOp(op=op, values=values):
                return self.short_circuit(isinstance(op, ast.And), values)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                condition = self.condition(test)
                left, right = self.unify(node, self.expression(body), self.expression(orelse))
                word = llvm_type(left.type)
                return self.value(
                    f"select i1 {condition.text}, {word} {left.text}, {word} {right.text}",
                    left.type,
                )
            case ast.Call():
                return self.call(node)
            case _:
                pass
        raise self.fail(node, f"no such expression here: {ast.unparse(node)}")

    def short_circuit(self, is_and: bool, values: list[ast.expr]) -> Value:
        name = f"and.{self.counter}"
        self.counter += 1
        self.allocas.append(f"  %{name} = alloca i1")
        end = self.label("endbool")
        for i, value in enumerate(values):
            condition = self.condition(value)
            self.emit(f"store i1 {condition.text}, ptr %{name}")
            if i + 1 == len(values):
                break
            more = self.label("more")
            targets = (more, end) if is_and else (end, more)
            self.emit(f"br i1 {condition.text}, label %{targets[0]}, label %{targets[1]}")
            self.terminated = True
            self.start(more)
        self.start(end)
        return self.value(f"load i1, ptr %{name}", "i1")

    def unify(self, node: ast.AST, left: Value, right: Value) -> tuple[Value, Value]:
        if left.type == "literal" and right.type == "literal":
            return Value(left.text, "i64"), Value(right.text, "i64")
        if left.type == "literal":
            return self.coerce(left, right.type), right
        if right.type == "literal":
            return left, self.coerce(right, left.type)
        if left.type != right.type and not (is_pointer(left.type) and is_pointer(right.type)):
            raise self.fail(node, f"types differ: {left.type} and {right.type}")
        return left, right

    def binary(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
        if left.type == "literal" and right.type == "literal":
            code = ast.Expression(
                ast.BinOp(ast.Constant(int(left.text)), op, ast.Constant(int(right.text)))
            )
            folded = eval(compile(ast.fix_missing_locations(code), "<native>", "eval"))
            return Value(str(folded), "literal")
        left, right = self.unify(node, left, right)
        name = (_FLOAT_BINARY if left.type in FLOATS else _BINARY).get(type(op))
        if name is None:
            raise self.fail(node, "no such operator")
        return self.value(f"{name} {llvm_type(left.type)} {left.text}, {right.text}", left.type)

    def compare(self, node: ast.AST, op: ast.cmpop, left: Value, right: Value) -> Value:
        left, right = self.unify(node, left, right)
        integer, floating = _COMPARE[type(op)]
        code = f"fcmp {floating}" if left.type in FLOATS else f"icmp {integer}"
        return self.value(f"{code} {llvm_type(left.type)} {left.text}, {right.text}", "i1")

    def coerce(self, value: Value, type: str) -> Value:
        """`value` as `type`: literals and pointers adapt, anything else must already fit."""
        if value.type == type:
            return value
        if value.type == "literal":
            if type in FLOATS:
                return Value(f"{float(int(value.text)):e}", type)
            if is_pointer(type):
                return Value("null", type)
            if type == "i1":
                return Value("true" if value.text != "0" else "false", type)
            return Value(value.text, type)
        if is_pointer(value.type) and is_pointer(type):
            return Value(value.text, type)
        if type == "i64" and value.type in INT_BITS:
            return self.convert(value, type)  # widening an index is always right
        raise LanguageError(f"{self.signature.name}: {value.type} where {type} is needed")

    def convert(self, value: Value, type: str, signed: bool = True) -> Value:
        if value.type == "literal" or value.type == type:
            return self.coerce(value, type)
        if value.type in INT_BITS and type in INT_BITS:
            grow = "sext" if signed and value.type != "i1" else "zext"
            code = grow if INT_BITS[type] > INT_BITS[value.type] else "trunc"
        elif value.type in FLOATS and type in FLOATS:
            code = "fpext" if type == "f64" else "fptrunc"
        elif value.type in INT_BITS and type in FLOATS:
            code = "sitofp" if signed else "uitofp"
        elif value.type in FLOATS and type in INT_BITS:
            code = "fptosi" if signed else "fptoui"
        elif is_pointer(value.type) and type in INT_BITS:
            code = "ptrtoint"
        elif value.type in INT_BITS and is_pointer(type):
            code = "inttoptr"
        else:
            return self.coerce(value, type)
        return self.value(f"{code} {llvm_type(value.type)} {value.text} to {llvm_type(type)}", type)

    def call(self, node: ast.Call) -> Value:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in SIZES or name in STRUCTS:
            return self.convert(self.expression(node.args[0]), name)
        if isinstance(node.func, ast.Subscript):
            return self.convert(self.expression(node.args[0]), type_name(node.func))
        if name in _UNSIGNED:
            left, right = (self.expression(a) for a in node.args)
            left, right = self.unify(node, left, right)
            result = "i1" if "icmp" in _UNSIGNED[name] else left.type
            code = f"{_UNSIGNED[name]} {llvm_type(left.type)} {left.text}, {right.text}"
            return self.value(code, result)
        builtin = _builtins().get(name)
        if builtin is not None:
            return builtin(self, node)
        signature = self.signatures.get(name)
        if signature is None:
            raise self.fail(node, f"no function {name}")
        if len(node.args) != len(signature.parameters):
            raise self.fail(node, f"{name} takes {len(signature.parameters)} arguments")
        arguments = [
            f"{llvm_type(type)} {self.coerce(self.expression(a), type).text}"
            for a, (_, type) in zip(node.args, signature.parameters, strict=True)
        ]
        return self.finish_call(f"@{name}", arguments, signature.result)

    def finish_call(
        self, callee: str, arguments: list[str], result: str, convention: str = ""
    ) -> Value:
        code = f"call {convention}{llvm_type(result)} {callee}({', '.join(arguments)})"
        if result == "void":
            self.emit(code)
            return Value("", "void")
        return self.value(code, result)


def _builtins() -> Mapping[str, Callable[[ExpressionCompiler, ast.Call], Value]]:
    from xgpu.runtime.native.builtins import BUILTINS

    return BUILTINS
