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
from collections.abc import Mapping

from xgpu.runtime.native.expressions import ExpressionCompiler
from xgpu.runtime.native.values import Signature, Value, llvm_type, type_name


def compile_source(
    source: str, constants: Mapping[str, int] | None = None, name: str = "native"
) -> str:
    """LLVM IR text of the functions of `source`. Functions of one compilation call one another."""
    tree = ast.parse(source)
    known = dict(constants or {})
    signatures: dict[str, Signature] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            assert isinstance(node.targets[0], ast.Name)
            assert isinstance(node.value.value, int)
            known[node.targets[0].id] = node.value.value
        elif isinstance(node, ast.FunctionDef):
            signatures[node.name] = Signature(node)
    lines: list[str] = [f'source_filename = "{name}"']
    intrinsics: dict[str, str] = {}
    for signature in signatures.values():
        if signature.declared:
            types = ", ".join(llvm_type(t) for _, t in signature.parameters)
            lines.append(f"declare {llvm_type(signature.result)} @{signature.name}({types})")
        else:
            lines += FunctionCompiler(signature, signatures, known, intrinsics).compile()
    return "\n".join([*lines, *intrinsics.values()]) + "\n"


class FunctionCompiler(ExpressionCompiler):
    """Compiles one function. LLVM's mem2reg makes registers of its locals."""

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
