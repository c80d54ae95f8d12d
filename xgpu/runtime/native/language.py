# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A typed subset of Python, compiled to LLVM IR text.

The source (`sources/*.native`) is parsed as Python and never run. Every function is compiled.

* Types: i1 i8 i16 i32 i64 f32 f64 ptr, the records of `host_structs` by name (a pointer to one),
  and
  `Ptr[T]` (a pointer to many T). Parameters and results are annotated; a local takes the type of
  what is first assigned to it, or of its annotation. An integer literal takes the type of its
  neighbour.
* Statements: assignment (plain, augmented, to `p.field`, `p.field[i]`, `p[i]`), if/elif/else,
  while, `for i in range(..)`, break, continue, return, calls, pass.
* Expressions: + - * // % & | ^ << >> (signed), comparisons (signed), and/or/not, `a if c else b`,
  conversions `i32(x)` (sign extends or truncates), and the functions of `builtins`.
* A function whose body is `...` is a declaration: it is found at link time.
* Upper-case names are integer constants, from `NAME = 3` in the source or given by the caller.

Integers wrap. There is no bounds check: this is the language that the checks are written in.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable, Mapping

from xgpu.backend.host_structs import SIZES, STRUCTS, layout, size_of

_INT_BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
_FLOATS = ("f32", "f64")
_LLVM_FLOAT = {"f32": "float", "f64": "double"}
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


class LanguageError(Exception):
    """The native source is wrong: a defect of xgpu, not of its input."""


class Value:
    """An SSA value: its LLVM spelling and its type. A literal has type "literal"."""

    __slots__ = ("text", "type")

    def __init__(self, text: str, type: str) -> None:
        self.text = text
        self.type = type


class _Signature:
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


def compile_source(
    source: str, constants: Mapping[str, int] | None = None, name: str = "native"
) -> str:
    """LLVM IR text of the functions of `source`. Functions of one compilation call one another."""
    tree = ast.parse(source)
    known = dict(constants or {})
    signatures: dict[str, _Signature] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            assert isinstance(node.targets[0], ast.Name)
            assert isinstance(node.value.value, int)
            known[node.targets[0].id] = node.value.value
        elif isinstance(node, ast.FunctionDef):
            signatures[node.name] = _Signature(node)
    lines: list[str] = [f'source_filename = "{name}"']
    intrinsics: dict[str, str] = {}
    for signature in signatures.values():
        if signature.declared:
            types = ", ".join(llvm_type(t) for _, t in signature.parameters)
            lines.append(f"declare {llvm_type(signature.result)} @{signature.name}({types})")
        else:
            lines += FunctionCompiler(signature, signatures, known, intrinsics).compile()
    return "\n".join([*lines, *intrinsics.values()]) + "\n"


def type_name(node: ast.expr | None) -> str:
    if isinstance(node, ast.Name):
        if node.id in SIZES or node.id in STRUCTS or node.id == "void":
            return node.id
    elif isinstance(node, ast.Constant) and node.value is None:
        return "void"
    elif isinstance(node, ast.Subscript):
        return f"Ptr[{type_name(node.slice)}]"
    raise LanguageError(f"line {getattr(node, 'lineno', '?')}: not a type")


def llvm_type(type: str) -> str:
    if type in _INT_BITS or type in ("void", "ptr"):
        return type
    return _LLVM_FLOAT.get(type, "ptr")


def _is_pointer(type: str) -> bool:
    return type == "ptr" or type in STRUCTS or type.startswith("Ptr[")


class FunctionCompiler:
    """Compiles one function. Locals live in allocas; LLVM's mem2reg makes registers of them."""

    def __init__(
        self,
        signature: _Signature,
        signatures: Mapping[str, _Signature],
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

    def compile(self) -> list[str]:
        signature = self.signature
        parameters = ", ".join(f"{llvm_type(t)} %{n}.in" for n, t in signature.parameters)
        for name, type in signature.parameters:
            self.declare(name, type)
            self.emit(f"store {llvm_type(type)} %{name}.in, ptr %{name}")
        self.block(signature.node.body)
        if not self.terminated:
            self.emit("ret void" if signature.result == "void" else "unreachable")
        head = f"define {llvm_type(signature.result)} @{signature.name}({parameters}) nounwind {{"
        return [head, "entry:", *self.allocas, *self.lines, "}"]

    # -- small helpers

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

    # -- statements

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self.assign(target, self.expression(value))
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                type = type_name(annotation)
                if name not in self.locals:
                    self.declare(name, type)
                if value is not None:
                    self.assign(node.target, self.expression(value))
            case ast.AugAssign(target=target, op=op, value=value):
                left = self.expression(target)
                self.assign(target, self.binary(node, op, left, self.expression(value)))
            case ast.If(test=test, body=body, orelse=orelse):
                self.branch(test, body, orelse)
            case ast.While(test=test, body=body):
                self.loop(test, body)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=arguments), body=body):
                self.counted_loop(name, arguments, body)
            case ast.Break():
                self.jump(self.loops[-1][1])
            case ast.Continue():
                self.jump(self.loops[-1][0])
            case ast.Return(value=value):
                self.ret(value)
            case ast.Expr(value=ast.Call() as call):
                self.call(call)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                raise self.fail(node, f"no such statement here: {ast.unparse(node)}")

    def ret(self, value: ast.expr | None) -> None:
        result = self.signature.result
        if value is None:
            self.emit("ret void")
        else:
            self.emit(f"ret {llvm_type(result)} {self.coerce(self.expression(value), result).text}")
        self.terminated = True

    def branch(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        then, other, end = self.label("then"), self.label("else"), self.label("endif")
        condition = self.condition(test)
        self.emit(f"br i1 {condition.text}, label %{then}, label %{other}")
        self.terminated = True
        for label, statements in ((then, body), (other, orelse)):
            self.start(label)
            self.block(statements)
            if not self.terminated:
                self.jump(end)
        self.start(end)

    def loop(self, test: ast.expr, body: list[ast.stmt]) -> None:
        head, inside, end = self.label("while"), self.label("do"), self.label("endwhile")
        self.start(head)
        condition = self.condition(test)
        self.emit(f"br i1 {condition.text}, label %{inside}, label %{end}")
        self.terminated = True
        self.start(inside)
        self.loops.append((head, end))
        self.block(body)
        self.loops.pop()
        if not self.terminated:
            self.jump(head)
        self.start(end)

    def counted_loop(self, name: str, arguments: list[ast.expr], body: list[ast.stmt]) -> None:
        bounds = [self.expression(a) for a in arguments]
        first = bounds[0] if len(bounds) > 1 else Value("0", "literal")
        last = bounds[1] if len(bounds) > 1 else bounds[0]
        types = {b.type for b in bounds} - {"literal"}
        type = types.pop() if types else "i64"
        if name not in self.locals:
            self.declare(name, type)
        word = llvm_type(type)
        self.emit(f"store {word} {self.coerce(first, type).text}, ptr %{name}")
        bound = self.coerce(last, type)
        step = self.coerce(bounds[2], type) if len(bounds) > 2 else Value("1", type)
        head, inside = self.label("for"), self.label("do")
        advance, end = self.label("next"), self.label("endfor")
        self.start(head)
        current = self.value(f"load {word}, ptr %{name}", type)
        test = self.value(f"icmp slt {word} {current.text}, {bound.text}", "i1")
        self.emit(f"br i1 {test.text}, label %{inside}, label %{end}")
        self.terminated = True
        self.start(inside)
        self.loops.append((advance, end))
        self.block(body)
        self.loops.pop()
        self.start(advance)
        current = self.value(f"load {word}, ptr %{name}", type)
        following = self.value(f"add {word} {current.text}, {step.text}", type)
        self.emit(f"store {word} {following.text}, ptr %{name}")
        self.jump(head)
        self.start(end)

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            if target.id not in self.locals:
                self.declare(target.id, "i64" if value.type == "literal" else value.type)
            address, type = f"%{target.id}", self.locals[target.id]
        else:
            address, type = self.place(target)
        self.emit(f"store {llvm_type(type)} {self.coerce(value, type).text}, ptr {address}")

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
        zero = "null" if _is_pointer(value.type) else "0"
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
                if value.type in _FLOATS:
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
        if left.type != right.type and not (_is_pointer(left.type) and _is_pointer(right.type)):
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
        name = (_FLOAT_BINARY if left.type in _FLOATS else _BINARY).get(type(op))
        if name is None:
            raise self.fail(node, "no such operator")
        return self.value(f"{name} {llvm_type(left.type)} {left.text}, {right.text}", left.type)

    def compare(self, node: ast.AST, op: ast.cmpop, left: Value, right: Value) -> Value:
        left, right = self.unify(node, left, right)
        integer, floating = _COMPARE[type(op)]
        code = f"fcmp {floating}" if left.type in _FLOATS else f"icmp {integer}"
        return self.value(f"{code} {llvm_type(left.type)} {left.text}, {right.text}", "i1")

    def coerce(self, value: Value, type: str) -> Value:
        """`value` as `type`: literals and pointers adapt, anything else must already fit."""
        if value.type == type:
            return value
        if value.type == "literal":
            if type in _FLOATS:
                return Value(f"{float(int(value.text)):e}", type)
            if _is_pointer(type):
                return Value("null", type)
            if type == "i1":
                return Value("true" if value.text != "0" else "false", type)
            return Value(value.text, type)
        if _is_pointer(value.type) and _is_pointer(type):
            return Value(value.text, type)
        if type == "i64" and value.type in _INT_BITS:
            return self.convert(value, type)  # widening an index is always right
        raise LanguageError(f"{self.signature.name}: {value.type} where {type} is needed")

    def convert(self, value: Value, type: str, signed: bool = True) -> Value:
        if value.type == "literal" or value.type == type:
            return self.coerce(value, type)
        if value.type in _INT_BITS and type in _INT_BITS:
            grow = "sext" if signed and value.type != "i1" else "zext"
            code = grow if _INT_BITS[type] > _INT_BITS[value.type] else "trunc"
        elif value.type in _FLOATS and type in _FLOATS:
            code = "fpext" if type == "f64" else "fptrunc"
        elif value.type in _INT_BITS and type in _FLOATS:
            code = "sitofp" if signed else "uitofp"
        elif value.type in _FLOATS and type in _INT_BITS:
            code = "fptosi" if signed else "fptoui"
        elif _is_pointer(value.type) and type in _INT_BITS:
            code = "ptrtoint"
        elif value.type in _INT_BITS and _is_pointer(type):
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


def _builtins() -> Mapping[str, Callable[[FunctionCompiler, ast.Call], Value]]:
    from xgpu.runtime.native.builtins import BUILTINS

    return BUILTINS
