# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Native sources, compiled to LLVM IR text.

A source (`sources/*.py`) is a Python module that ruff and basedpyright check, and that Python can
run (`interpret`); here it is parsed, and every function is compiled. What means something else in
Python than on the machine is an error, `file:line:column: why`.

* Types: i1 i8 i16 i32 i64 f32 f64 ptr, records of `xgpu.host_device.abi.structs` by
  name (the address of one, or of many), and `Ptr[T]` (the address of many T); `T | None` for one
  that may be null. Parameters and results are annotated; a local keeps the type of what is first
  assigned to it, or of its annotation. An integer literal takes the type of its neighbour and must
  fit.
* Statements: assignment (plain, augmented, to `p.field`, `p[i]`), if/elif/else, while,
  `for i in range(..)`, break, continue, return, calls, pass.
* Expressions: `arithmetic` says what operators mean. and/or and `a if c else b` evaluate what they
  need. A condition is an i1. `i32(x)` converts: extends the sign, cuts off, saturates a float;
  `Ptr[i32](p)` says what is at an address.
* A function under `@extern` is found at link time.
* `from module import names` at the top: functions of other sources, integers of any module.
  Upper-case names are integer constants.

Integers wrap. There is no bounds check: this is the language that the checks are written in.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from importlib import import_module

from xgpu.core.support.process import rare_collections
from xgpu.host_device.native.builtins import BUILTINS
from xgpu.host_device.native.debug import DebugInfo
from xgpu.host_device.native.expressions import ExpressionCompiler
from xgpu.host_device.native.values import (
    INT_BITS,
    LanguageError,
    Scope,
    Signature,
    Value,
    llvm_type,
    type_name,
)

# What only checkers need to see imported: names of the language.
_LANGUAGE = ("__future__", "xgpu.host_device.native.prelude")


class Source:
    """A file of native source."""

    __slots__ = ("file", "name", "text")

    def __init__(self, name: str, text: str, file: str | None = None) -> None:
        self.name = name
        self.text = text
        self.file = file or f"{name}.py"


def compile_sources(
    sources: Iterable[Source], name: str = "native", *, visible: str = "",
    elsewhere: Collection[str] = (),
) -> str:  # fmt: skip
    """LLVM IR text of the functions of `sources`, which may import from one another: see
    `compile_functions`."""
    return compile_functions(functions_of(sources), name, visible=visible, elsewhere=elsewhere)


@rare_collections()
def compile_functions(
    functions: Mapping[str, tuple[Signature, Scope]], name: str, *, visible: str = "",
    elsewhere: Collection[str] = (),
) -> str:  # fmt: skip
    """LLVM IR text of what `functions_of` has found.

    Other modules see the functions whose symbols begin with `visible`. What sources declare of
    `elsewhere` the caller defines in the same module.
    """
    debug, intrinsics = DebugInfo(), dict[str, str]()
    lines = [f'source_filename = "{name}"']
    for signature, scope in functions.values():
        if signature.declared and signature.name in elsewhere:
            continue
        is_local = not signature.symbol.startswith(visible)
        lines += compile_function(signature, scope, intrinsics, debug, is_local=is_local)
    return "\n".join([*lines, *intrinsics.values(), *debug.lines()]) + "\n"


def compile_function(
    signature: Signature, scope: Scope, intrinsics: dict[str, str], debug: DebugInfo, *,
    is_local: bool = False,
) -> list[str]:  # fmt: skip
    """LLVM IR of a function of a source that sees the names of `scope`; no other module sees one
    that is local."""
    if signature.declared:
        return [declaration(signature)]
    compiler = FunctionCompiler(signature, scope, intrinsics, debug)
    return compiler.compile("internal " if is_local else "")


def declaration(signature: Signature) -> str:
    """LLVM IR for a function that is elsewhere."""
    types = ", ".join(llvm_type(t) for _, t in signature.parameters)
    return f"declare {llvm_type(signature.result)} @{signature.symbol}({types})"


def functions_of(sources: Iterable[Source]) -> dict[str, tuple[Signature, Scope]]:
    """The functions of sources by name, and the names that each sees."""
    scopes: dict[str, Scope] = {}
    trees: dict[str, ast.Module] = {}
    for source in sources:
        trees[source.name] = _parse(source)
        scopes[source.name] = _define(trees[source.name], source.file)
    for module, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                _import(node, scopes[module], scopes)
    found: dict[str, tuple[Signature, Scope]] = {}
    for module, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                _add(found, node, scopes[module])
    return found


def _add(found: dict[str, tuple[Signature, Scope]], node: ast.FunctionDef, scope: Scope) -> None:
    if node.name in found:
        raise LanguageError(
            scope.file, node, f"{node.name} is already in {found[node.name][0].file}"
        )
    found[node.name] = (scope.functions[node.name], scope)


def compile_source(source: str) -> str:
    """LLVM IR text of the functions of one source."""
    return compile_sources([Source("native", source)])


def _parse(source: Source) -> ast.Module:
    try:
        return ast.parse(source.text)
    except SyntaxError as problem:
        node = ast.Constant(0, lineno=problem.lineno or 0, col_offset=(problem.offset or 1) - 1)
        raise LanguageError(source.file, node, problem.msg) from None


def _define(tree: ast.Module, file: str) -> Scope:
    """The constants and functions that a source defines."""
    scope = Scope(file)
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int() as number)):
                scope.constants[name] = number
            case ast.FunctionDef(name=name):
                scope.functions[name] = Signature(node, file)
            case ast.ImportFrom(level=0) | ast.Expr(value=ast.Constant()):
                pass
            case _:
                raise LanguageError(file, node, "no such statement outside of a function")
    return scope


def _import(node: ast.ImportFrom, scope: Scope, scopes: Mapping[str, Scope]) -> None:
    module = node.module or ""
    if module in _LANGUAGE:
        return
    source = scopes.get(module.rpartition(".")[2])
    for alias in node.names:
        name = alias.name
        if alias.asname is not None:
            raise LanguageError(scope.file, node, "names are imported as they are")
        if source is None:
            value = getattr(import_module(module), name, None)
            if isinstance(value, int):
                scope.constants[name] = value
        elif name in source.constants:
            scope.constants[name] = source.constants[name]
        elif name in source.functions:
            scope.functions[name] = source.functions[name]
        else:
            raise LanguageError(scope.file, node, f"{module} has no {name}")


class FunctionCompiler(ExpressionCompiler):
    """Compiles one function. LLVM's mem2reg makes registers of its locals."""

    builtins = BUILTINS

    def compile(self, linkage: str = "") -> list[str]:
        signature = self.signature
        parameters = ", ".join(f"{llvm_type(t)} %{n}.in" for n, t in signature.parameters)
        for name, type in signature.parameters:
            self.declare(name, type)
            self.emit(f"store {llvm_type(type)} %{name}.in, ptr %{name}")
        self.block(signature.node.body)
        if not self.terminated:
            if signature.result != "void" and not _never_ends(signature.node.body[-1]):
                raise self.fail(signature.node, "it may end without a result")
            self.emit("ret void" if signature.result == "void" else "unreachable")
        head = f"define {linkage}{llvm_type(signature.result)} @{signature.symbol}({parameters})"
        head += " nounwind"
        # A name with a dot, as labels have: a variable may be called `entry`.
        return [f"{head} !dbg {self.subprogram} {{", "entry.0:", *self.allocas, *self.lines, "}"]

    # -- statements

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.line = statement.lineno
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self.assign(target, self.expression(value))
            case ast.AnnAssign(
                target=ast.Name(id=name) as target, annotation=annotation, value=value
            ):
                self.define(node, name, type_name(annotation, node, self.signature.file))
                if value is not None:
                    self.assign(target, self.expression(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self.augment(node, target, op, value)
            case ast.If(test=test, body=body, orelse=orelse):
                self.branch(test, body, orelse)
            case ast.While(test=test, body=body, orelse=[]):
                self.loop(test, body)
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range"), args=bounds),
                orelse=[],
            ):
                self.counted_loop(node, name, bounds)
            case ast.Break():
                self.jump(self.loops[-1][1])
            case ast.Continue():
                self.jump(self.loops[-1][0])
            case ast.Return(value=value):
                self.ret(node, value)
            case ast.Expr(value=ast.Call() as call):
                self.call(call)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                raise self.fail(node, f"no such statement here: {ast.unparse(node)}")

    def define(self, node: ast.AST, name: str, type: str) -> None:
        """A local of a type; it has only one."""
        if name not in self.locals:
            self.declare(name, type)
        elif self.locals[name] != type:
            raise self.fail(node, f"{name} is already {self.locals[name]}")

    def ret(self, node: ast.AST, value: ast.expr | None) -> None:
        result = self.signature.result
        if value is None:
            if result != "void":
                raise self.fail(node, f"a result of type {result} was expected")
            self.emit("ret void")
        elif result == "void":
            raise self.fail(node, "it has no result")
        else:
            text = self.coerce(value, self.expression(value), result).text
            self.emit(f"ret {llvm_type(result)} {text}")
        self.terminated = True

    def branch(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        then, end = self.label("then"), self.label("endif")
        sides = [(then, body)]
        if orelse:
            sides.append((self.label("else"), orelse))
        self.jump_if(self.condition(test), then, sides[1][0] if orelse else end)
        reached = not orelse
        for label, statements in sides:
            self.start(label)
            self.block(statements)
            reached = reached or not self.terminated
            self.jump(end)
        if reached:
            self.start(end)

    def loop(self, test: ast.expr, body: list[ast.stmt]) -> None:
        head, inside, end = self.label("while"), self.label("do"), self.label("endwhile")
        self.start(head)
        self.jump_if(self.condition(test), inside, end)
        self.start(inside)
        self.loops.append((head, end))
        self.block(body)
        self.loops.pop()
        self.jump(head)
        self.start(end)

    def counted_loop(self, node: ast.For, name: str, arguments: list[ast.expr]) -> None:
        """As in Python: bounds are evaluated once, and the body may change its variable."""
        bounds = [self.expression(a) for a in arguments]
        first, last, step = _bounds(bounds)
        if step.type != "literal" or step.text == "0" or not bounds:
            raise self.fail(node, "the step of a range is a literal other than 0")
        types = {b.type for b in (first, last)} - {"literal"}
        type = types.pop() if types else "i64"
        if types or type not in INT_BITS:
            raise self.fail(node, "the bounds of a range are integers of one type")
        self.define(node, name, type)
        counter = self.label(name)
        self.allocas.append(f"  %{counter} = alloca {type}")
        self.emit(f"store {type} {self.coerce(node, first, type).text}, ptr %{counter}")
        bound, by = self.coerce(node, last, type), self.coerce(node, step, type)
        head, inside = self.label("for"), self.label("do")
        advance, end = self.label("next"), self.label("endfor")
        self.start(head)
        current = self.value(f"load {type}, ptr %{counter}", type)
        order = "slt" if int(step.text) > 0 else "sgt"
        self.jump_if(
            self.value(f"icmp {order} {type} {current.text}, {bound.text}", "i1"), inside, end
        )
        self.start(inside)
        self.emit(f"store {type} {current.text}, ptr %{name}")
        self.loops.append((advance, end))
        self.block(node.body)
        self.loops.pop()
        self.line = node.lineno
        self.start(advance)
        following = self.value(f"add {type} {current.text}, {by.text}", type)
        self.emit(f"store {type} {following.text}, ptr %{counter}")
        self.jump(head)
        self.start(end)

    def assign(self, target: ast.expr, value: Value) -> None:
        if value.type == "void":
            raise self.fail(target, "no value is assigned")
        if isinstance(target, ast.Name):
            if target.id not in self.locals:
                self.declare(target.id, "i64" if value.type == "literal" else value.type)
            address, type = f"%{target.id}", self.locals[target.id]
        else:
            address, type, is_address = self.place(target)
            if is_address:
                raise self.fail(target, "not a place to assign to: an array, a record or atomic")
        text = self.coerce(target, value, type).text
        self.emit(f"store {llvm_type(type)} {text}, ptr {address}")

    def augment(self, node: ast.AST, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        """The target's own parts are evaluated once."""
        if isinstance(target, ast.Name):
            left = self.expression(target)
            self.assign(target, self.binary(node, op, left, self.expression(value)))
            return
        address, type, is_address = self.place(target)
        if is_address:
            raise self.fail(target, "not a place to assign to: an array, a record or atomic")
        left = self.value(f"load {llvm_type(type)}, ptr {address}", type)
        new = self.coerce(node, self.binary(node, op, left, self.expression(value)), type)
        self.emit(f"store {llvm_type(type)} {new.text}, ptr {address}")


def _bounds(values: list[Value]) -> tuple[Value, Value, Value]:
    """First, last and step of a range."""
    zero, one = Value("0", "literal"), Value("1", "literal")
    if len(values) < 2:
        return zero, values[0] if values else zero, one
    return values[0], values[1], values[2] if len(values) > 2 else one


def _never_ends(last: ast.stmt) -> bool:
    """Whether a function's last statement is a loop that is left by return only."""
    return (
        isinstance(last, ast.While)
        and isinstance(last.test, ast.Constant)
        and last.test.value is True
        and not any(isinstance(n, ast.Break) for n in ast.walk(last))
    )
