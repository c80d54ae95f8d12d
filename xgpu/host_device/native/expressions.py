# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of native sources."""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable, Mapping
from typing import Never, cast

from xgpu.host_device.abi.structs import SIZES, STRUCTS, layout, scalar_kind, size_of
from xgpu.host_device.native.arithmetic import UNSIGNED, Arithmetic
from xgpu.host_device.native.values import FLOATS, Value, is_pointer, llvm_type, type_name


class ExpressionCompiler(Arithmetic):
    """Compiles expressions into the text of a function."""

    #: Functions that the language has, by name: `BUILTINS` of builtins.py.
    builtins: Mapping[str, Callable[[Never, ast.Call], Value]] = {}

    # -- places

    def place(self, node: ast.expr) -> tuple[str, str, bool]:
        """The address of what `node` names, its type, and whether it reads as an address."""
        match node:
            case ast.Attribute(value=base, attr=field):
                pointer = self.expression(base)
                if pointer.type not in STRUCTS:
                    raise self.fail(node, f"a record was expected, not {pointer.type}")
                fields = layout(pointer.type)[0]
                if field not in fields:
                    raise self.fail(node, f"{pointer.type} has no field {field}")
                at, kind, count = fields[field]
                address = self.value(f"getelementptr i8, ptr {pointer.text}, i64 {at}", "ptr")
                return address.text, scalar_kind(kind), bool(count) or kind.startswith("Atomic[")
            case ast.Subscript(value=base, slice=index):
                pointer = self.expression(base)
                position = self.coerce(index, self.expression(index), "i64").text
                return self.element(node, pointer, position)
            case _:
                raise self.fail(node, f"not a place in memory: {ast.unparse(node)}")

    def element(self, node: ast.expr, pointer: Value, index: str) -> tuple[str, str, bool]:
        record = pointer.type in STRUCTS
        if not record and not pointer.type.startswith("Ptr["):
            raise self.fail(node, f"a Ptr or a record was expected, not {pointer.type}")
        type = pointer.type if record else pointer.type[4:-1]
        size = size_of(type) if record else SIZES.get(type, 8)
        scaled = self.value(f"mul i64 {index}, {size}", "i64").text
        address = self.value(f"getelementptr i8, ptr {pointer.text}, i64 {scaled}", "ptr").text
        return address, type, record

    def load(self, node: ast.expr) -> Value:
        address, type, is_address = self.place(node)
        if is_address:
            return Value(address, type if type in STRUCTS else f"Ptr[{type}]")
        return self.value(f"load {llvm_type(type)}, ptr {address}", type)

    # -- expressions

    def condition(self, node: ast.expr) -> Value:
        value = self.expression(node)
        if value.type != "i1":
            raise self.fail(node, f"a condition was expected, not {value.type}: compare it")
        return value

    def expression(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant():
                return self.literal(node)
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Attribute() | ast.Subscript():
                return self.load(node)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(node, op, self.expression(left), self.expression(right))
            case ast.UnaryOp(op=op, operand=operand):
                return self.unary(node, op, operand)
            case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Tuple(elts=several)]):
                return self.one_of(node, self.expression(left), several)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.compare(node, op, self.expression(left), self.expression(right))
            case ast.BoolOp(op=op, values=values):
                return self.short_circuit(isinstance(op, ast.And), values)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.choice(node, test, body, orelse)
            case ast.Call():
                return self.call(node)
            case _:
                raise self.fail(node, f"no such expression here: {ast.unparse(node)}")

    def literal(self, node: ast.Constant) -> Value:
        match node.value:
            case bool() as flag:
                return Value("true" if flag else "false", "i1")
            case int() as number:
                return Value(str(number), "literal")
            case float() as number:
                bits = struct.unpack("<Q", struct.pack("<d", number))[0]
                return Value(f"0x{bits:016X}", "f64")
            case None:
                return Value("null", "ptr")
            case _:
                raise self.fail(node, f"no such literal here: {ast.unparse(node)}")

    def name(self, node: ast.Name, name: str) -> Value:
        if name in self.locals:
            type = self.locals[name]
            return self.value(f"load {llvm_type(type)}, ptr %{name}", type)
        if name in self.scope.constants:
            return Value(str(self.scope.constants[name]), "literal")
        if name in self.scope.functions:
            return Value(f"@{self.scope.functions[name].symbol}", "ptr")
        raise self.fail(node, f"{name} is not defined")

    def unary(self, node: ast.UnaryOp, op: ast.unaryop, operand: ast.expr) -> Value:
        if isinstance(op, ast.Not):
            return self.value(f"xor i1 {self.condition(operand).text}, true", "i1")
        value = self.expression(operand)
        match op:
            case ast.USub() if value.type == "literal":
                return Value(str(-int(value.text)), "literal")
            case ast.USub() if value.type in FLOATS:
                return self.value(f"fneg {llvm_type(value.type)} {value.text}", value.type)
            case ast.USub():
                return self.binary(node, ast.Sub(), Value("0", "literal"), value)
            case ast.Invert() if value.type == "literal":
                return Value(str(~int(value.text)), "literal")
            case ast.Invert() if value.type != "i1":
                return self.binary(node, ast.BitXor(), value, Value("-1", "literal"))
            case _:
                raise self.fail(node, f"no such operator on {value.type}")

    def one_of(self, node: ast.AST, value: Value, several: list[ast.expr]) -> Value:
        """`value in (a, b)`: all of them are evaluated."""
        found = Value("false", "i1")
        for element in several:
            same = self.compare(node, ast.Eq(), value, self.expression(element))
            found = self.value(f"or i1 {found.text}, {same.text}", "i1")
        return found

    def short_circuit(self, is_and: bool, values: list[ast.expr]) -> Value:
        """Later conditions only where earlier ones leave it open."""
        end, default = self.label("endbool"), "false" if is_and else "true"
        ways: list[str] = []
        for value in values[:-1]:
            condition, more = self.condition(value), self.label("more")
            ways.append(f"[ {default}, %{self.current} ]")
            self.jump_if(condition, *((more, end) if is_and else (end, more)))
            self.start(more)
        last = self.condition(values[-1])
        ways.append(f"[ {last.text}, %{self.current} ]")
        self.start(end)
        return self.value(f"phi i1 {', '.join(ways)}", "i1")

    def choice(self, node: ast.AST, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Value:
        """Only the side that is asked for is evaluated."""
        then, other, end = self.label("if"), self.label("otherwise"), self.label("endchoice")
        self.jump_if(self.condition(test), then, other)
        sides: list[tuple[Value, str]] = []
        for label, side, following in ((then, body, end), (other, orelse, end)):
            self.start(label)
            sides.append((self.expression(side), self.current))
            self.jump(following)
        left, right = self.unify(node, sides[0][0], sides[1][0])
        self.start(end)
        ways = f"[ {left.text}, %{sides[0][1]} ], [ {right.text}, %{sides[1][1]} ]"
        type = right.type if left.text == "null" else left.type
        return self.value(f"phi {llvm_type(type)} {ways}", type)

    # -- calls

    def call(self, node: ast.Call) -> Value:
        if node.keywords:
            raise self.fail(node, "arguments have no names here")
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in SIZES or name in STRUCTS or isinstance(node.func, ast.Subscript):
            type = type_name(node.func, node, self.signature.file)
            return self.convert(node, self.arguments(node, 1)[0], type)
        if name in UNSIGNED:
            left, right = self.arguments(node, 2)
            return self.unsigned(node, name, left, right)
        if name in self.builtins:
            return self.builtins[name](cast("Never", self), node)
        signature = self.scope.functions.get(name)
        if signature is None:
            raise self.fail(node, f"no function {ast.unparse(node.func)}")
        values = self.arguments(node, len(signature.parameters))
        arguments = [
            f"{llvm_type(type)} {self.coerce(at, value, type).text}"
            for at, value, (_, type) in zip(node.args, values, signature.parameters, strict=True)
        ]
        return self.finish_call(f"@{signature.symbol}", arguments, signature.result)

    def arguments(self, node: ast.Call, count: int) -> list[Value]:
        """The values of exactly `count` arguments."""
        if len(node.args) != count:
            callee = ast.unparse(node.func)
            raise self.fail(node, f"{callee} takes {count} arguments, but {len(node.args)} came")
        return [self.expression(a) for a in node.args]

    def address(self, node: ast.expr, value: Value) -> tuple[str, str]:
        """What an atomic operation works on: an address and the type of what is there."""
        if not value.type.startswith("Ptr["):
            raise self.fail(node, f"an address of numbers was expected, not {value.type}")
        return value.text, value.type[4:-1]

    def finish_call(
        self, callee: str, arguments: list[str], result: str, convention: str = ""
    ) -> Value:
        code = f"call {convention}{llvm_type(result)} {callee}({', '.join(arguments)})"
        if result == "void":
            self.emit(code)
            return Value("", "void")
        return self.value(code, result)

    def pointer(self, node: ast.expr, value: Value) -> str:
        if not is_pointer(value.type):
            raise self.fail(node, f"an address was expected, not {value.type}")
        return value.text
