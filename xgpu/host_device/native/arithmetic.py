# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic of native sources: Python's meaning on machine words.

Integers wrap. `//` rounds down and `%` has the divisor's sign; a shift may be as far as it likes.
Division by zero of integers is undefined, that of floats is IEEE's. What is only known when it runs
costs an instruction or two more than C's meaning; `udiv`, `urem` and literals do not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from xgpu.host_device.native.values import (
    FLOATS,
    INT_BITS,
    FunctionText,
    Value,
    is_pointer,
    llvm_type,
)

_PLAIN: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_FLOAT: dict[type[ast.operator], str] = {
    ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv",
}  # fmt: skip
_FOLD: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: int.__add__, ast.Sub: int.__sub__, ast.Mult: int.__mul__,
    ast.FloorDiv: int.__floordiv__, ast.Mod: int.__mod__, ast.BitAnd: int.__and__,
    ast.BitOr: int.__or__, ast.BitXor: int.__xor__, ast.LShift: int.__lshift__,
    ast.RShift: int.__rshift__,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("eq", "oeq"), ast.NotEq: ("ne", "une"), ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"), ast.Gt: ("sgt", "ogt"), ast.GtE: ("sge", "oge"),
}  # fmt: skip
_COMPARE_NULL: dict[type[ast.cmpop], str] = {ast.Is: "eq", ast.IsNot: "ne"}
_SHIFTS: dict[type[ast.operator], str] = {ast.LShift: "shl", ast.RShift: "ashr"}
UNSIGNED = {"ult": "icmp ult", "ule": "icmp ule", "udiv": "udiv", "urem": "urem", "lshr": "lshr"}


class Arithmetic(FunctionText):
    """Operators on values, as instructions."""

    def unify(self, node: ast.AST, left: Value, right: Value) -> tuple[Value, Value]:
        if left.type == "literal" and right.type == "literal":
            return self.coerce(node, left, "i64"), self.coerce(node, right, "i64")
        if left.type == "literal":
            return self.coerce(node, left, right.type), right
        if right.type == "literal":
            return left, self.coerce(node, right, left.type)
        if left.type != right.type and not (is_pointer(left.type) and is_pointer(right.type)):
            raise self.fail(node, f"types differ: {left.type} and {right.type}")
        return left, right

    def binary(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
        if left.type == "literal" and right.type == "literal" and type(op) in _FOLD:
            try:
                return Value(str(_FOLD[type(op)](int(left.text), int(right.text))), "literal")
            except (ArithmeticError, ValueError) as problem:
                raise self.fail(node, str(problem)) from None
        amount = right
        left, right = self.unify(node, left, right)
        if left.type in FLOATS and type(op) in _FLOAT:
            return self._instruction(_FLOAT[type(op)], left, right.text)
        if left.type not in INT_BITS or (left.type == "i1" and not isinstance(op, _LOGIC)):
            raise self.fail(node, f"no such operator on {left.type}")
        match op:
            case ast.FloorDiv() | ast.Mod():
                return self._divide(node, isinstance(op, ast.Mod), left, right, amount)
            case ast.LShift() | ast.RShift():
                return self._shift(node, _SHIFTS[type(op)], left, right)
            case _ if type(op) in _PLAIN:
                return self._instruction(_PLAIN[type(op)], left, right.text)
            case _:
                raise self.fail(node, f"no such operator on {left.type}")

    def _instruction(self, name: str, left: Value, right: str) -> Value:
        return self.value(f"{name} {llvm_type(left.type)} {left.text}, {right}", left.type)

    def _divide(
        self, node: ast.AST, remainder: bool, left: Value, right: Value, divisor: Value
    ) -> Value:
        """Rounds down; sdiv rounds to zero: one too much where signs differ and a rest is left."""
        if divisor.type == "literal":
            number = int(divisor.text)
            if number == 0:
                raise self.fail(node, "division by zero")
            if number > 0 and number & (number - 1) == 0:
                if remainder:
                    return self._instruction("and", left, str(number - 1))
                return self._instruction("ashr", left, str(number.bit_length() - 1))
        type = left.type
        rest = self._instruction("srem", left, right.text)
        signs = self._instruction("xor", rest, right.text)
        differ = self.value(f"icmp slt {type} {signs.text}, 0", "i1")
        inexact = self.value(f"icmp ne {type} {rest.text}, 0", "i1")
        adjust = self.value(f"and i1 {differ.text}, {inexact.text}", "i1")
        if remainder:
            change = self.value(f"select i1 {adjust.text}, {type} {right.text}, {type} 0", type)
            return self._instruction("add", rest, change.text)
        quotient = self._instruction("sdiv", left, right.text)
        change = self.value(f"sext i1 {adjust.text} to {type}", type)
        return self._instruction("add", quotient, change.text)

    def _shift(self, node: ast.AST, name: str, left: Value, right: Value) -> Value:
        """Past all bits nothing is left but the sign; LLVM leaves that undefined."""
        type, bits = left.type, INT_BITS[left.type]
        if not right.text.startswith("%"):
            if not 0 <= int(right.text) < bits:
                raise self.fail(node, f"a shift by {right.text} of {bits} bits")
            return self._instruction(name, left, right.text)
        fits = self.value(f"icmp ult {type} {right.text}, {bits}", "i1")
        if name == "ashr":
            by = self.value(f"select i1 {fits.text}, {type} {right.text}, {type} {bits - 1}", type)
            return self._instruction(name, left, by.text)
        shifted = self._instruction(name, left, right.text)
        return self.value(f"select i1 {fits.text}, {type} {shifted.text}, {type} 0", type)

    def unsigned(self, node: ast.AST, name: str, left: Value, right: Value) -> Value:
        """One of `UNSIGNED`."""
        left, right = self.unify(node, left, right)
        if left.type not in INT_BITS:
            raise self.fail(node, f"no {name} on {left.type}")
        if name == "lshr":
            return self._shift(node, "lshr", left, right)
        code = UNSIGNED[name]
        if code.startswith("icmp"):
            return self.value(f"{code} {left.type} {left.text}, {right.text}", "i1")
        return self._instruction(code, left, right.text)

    def compare(self, node: ast.AST, op: ast.cmpop, left: Value, right: Value) -> Value:
        if type(op) in _COMPARE_NULL:
            if right.text != "null" or not is_pointer(left.type):
                raise self.fail(node, "`is` compares an address with None")
            return self.value(f"icmp {_COMPARE_NULL[type(op)]} ptr {left.text}, null", "i1")
        if type(op) not in _COMPARE:
            raise self.fail(node, "no such comparison")
        left, right = self.unify(node, left, right)
        if is_pointer(left.type) and not isinstance(op, ast.Eq | ast.NotEq):
            raise self.fail(node, "addresses have no order")
        integer, floating = _COMPARE[type(op)]
        code = f"fcmp {floating}" if left.type in FLOATS else f"icmp {integer}"
        return self.value(f"{code} {llvm_type(left.type)} {left.text}, {right.text}", "i1")

    # -- conversions

    def coerce(self, node: ast.AST, value: Value, type: str) -> Value:
        """`value` as `type`: literals and addresses adapt, anything else must already fit."""
        if value.type == type:
            return value
        if value.type == "literal" and type in INT_BITS and type != "i1":
            return Value(str(self._fitting(node, int(value.text), INT_BITS[type])), type)
        if is_pointer(value.type) and (type == "ptr" or value.text == "null"):
            return Value(value.text, type)
        if type == "i64" and value.type in INT_BITS and value.type != "i1":
            return self.convert(node, value, type)  # widening an index is always right
        raise self.fail(node, f"{value.type} where {type} is needed")

    def _fitting(self, node: ast.AST, number: int, bits: int) -> int:
        if not -(1 << (bits - 1)) <= number < 1 << bits:
            raise self.fail(node, f"{number} does not fit in i{bits}")
        return number - (1 << bits) if number >> (bits - 1) > 0 else number

    def convert(self, node: ast.AST, value: Value, type: str, signed: bool = True) -> Value:
        """What `type(value)` gives."""
        source = value.type
        if source == type:
            return value
        if source == "literal" and type in FLOATS:
            return Value(f"{float(int(value.text)):e}", type)
        if source == "literal" and is_pointer(type):
            return self.value(f"inttoptr i64 {value.text} to ptr", type)
        if source == "literal":
            return self.coerce(node, value, type)
        if is_pointer(source) and is_pointer(type):
            return Value(value.text, type)
        if type == "i1":
            raise self.fail(node, f"no i1 of {source}: compare it")
        code = _conversion(source, type, signed)
        if code is None:
            raise self.fail(node, f"no {type} of {source}")
        if code == "fptosi":
            name = f"llvm.fptosi.sat.{type}.{source}"
            word = llvm_type(source)
            self.intrinsics[name] = f"declare {type} @{name}({word})"
            return self.value(f"call {type} @{name}({word} {value.text})", type)
        return self.value(f"{code} {llvm_type(source)} {value.text} to {llvm_type(type)}", type)


_LOGIC = (ast.BitAnd, ast.BitOr, ast.BitXor)


def _conversion(source: str, target: str, signed: bool) -> str | None:
    """LLVM's instruction from a type to another, or None where there is none."""
    if source in INT_BITS and target in INT_BITS:
        grow = "sext" if signed and source != "i1" else "zext"
        return grow if INT_BITS[target] > INT_BITS[source] else "trunc"
    if source in FLOATS and target in FLOATS:
        return "fpext" if target == "f64" else "fptrunc"
    if source in INT_BITS and target in FLOATS:
        return "sitofp"
    if source in FLOATS and target in INT_BITS:
        return "fptosi"
    if is_pointer(source) and target in INT_BITS:
        return "ptrtoint"
    if source in INT_BITS and is_pointer(target):
        return "inttoptr"
    return None
