# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random token programs as MLIR: many functions that share kernels in one module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.token_programs import BUFFERS, CONDITIONS, COUNTS, Function, Program, Stmt

_BUFFER = "memref<1xi32>"
_OUT = "memref<2xi32>"
_TOKEN = "!gpu.async.token"

KERNELS = f"""  gpu.module @kernels {{
    gpu.func @scale(%x: {_BUFFER}, %a: i32, %b: i32) kernel {{
      %c0 = arith.constant 0 : index
      %0 = memref.load %x[%c0] : {_BUFFER}
      %1 = arith.muli %0, %a : i32
      %2 = arith.addi %1, %b : i32
      memref.store %2, %x[%c0] : {_BUFFER}
      gpu.return
    }}
    gpu.func @mix(%x: {_BUFFER}, %y: {_BUFFER}, %a: i32, %b: i32) kernel {{
      %c0 = arith.constant 0 : index
      %0 = memref.load %x[%c0] : {_BUFFER}
      %1 = arith.muli %0, %a : i32
      %2 = memref.load %y[%c0] : {_BUFFER}
      %3 = arith.addi %1, %2 : i32
      %4 = arith.addi %3, %b : i32
      memref.store %4, %x[%c0] : {_BUFFER}
      gpu.return
    }}
  }}
"""

_PARAMETERS = (
    *((b, _BUFFER) for b in BUFFERS),
    ("out", _OUT),
    *((c, "i1") for c in CONDITIONS),
    *((n, "index") for n in COUNTS),
)


class _Writer:
    """Text of one function."""

    def __init__(self, name: str, functions: str) -> None:
        self.lines: list[str] = []
        self._numbers: set[int] = set()
        self._fresh = 0
        #: What is not control flow, in the order of regions and blocks.
        self.written: list[Stmt] = []
        self._functions = functions
        self._name = name

    def function(
        self, tokens: Sequence[str], body: Sequence[Stmt], results: Sequence[str], visibility: str
    ) -> str:
        self._block(body)
        arrow = f" -> ({', '.join([_TOKEN] * len(results))})" if results else ""
        self.lines.append(_ended("return", results))
        parameters = [f"%{n}: {t}" for n, t in _PARAMETERS]
        parameters += [f"%{t}: {_TOKEN}" for t in tokens]
        head = f"  func.func {visibility}@{self._name}({', '.join(parameters)}){arrow} {{"
        constants = [f"%k{_text(n)} = arith.constant {n} : i32" for n in sorted(self._numbers)]
        constants += [f"%c{n} = arith.constant {n} : index" for n in (0, 1)]
        lines = [head, *(f"    {line}" for line in (*constants, *self.lines)), "  }\n"]
        return "\n".join(lines)

    def _new(self, prefix: str = "v") -> str:
        self._fresh += 1
        return f"{prefix}_{self._fresh}"

    def _number(self, value: int) -> str:
        self._numbers.add(value)
        return f"%k{_text(value)}"

    def _block(self, body: Sequence[Stmt]) -> None:
        for stmt in body:
            if not stmt.bodies and stmt.kind not in ("call", "leave", "join"):
                self.written.append(stmt)
            getattr(self, f"_{stmt.kind}")(stmt)

    # -- operations

    def _async(self, name: str, stmt: Stmt) -> str:
        result = f"%{stmt.token} = " if stmt.token and stmt.kind != "alloc" else ""
        keyword = " async" if stmt.token else ""
        deps = f" [{', '.join(f'%{d}' for d in stmt.deps)}]" if stmt.deps else ""
        return f"{result}{name}{keyword}{deps}"

    def _launch(self, stmt: Stmt) -> None:
        a, b = (self._number(n) for n in stmt.numbers)
        kernel = "mix" if len(stmt.buffers) > 1 else "scale"
        arguments = [f"%{name} : {_BUFFER}" for name in stmt.buffers]
        arguments += [f"{a} : i32", f"{b} : i32"]
        self.lines.append(
            f"{self._async('gpu.launch_func', stmt)} @kernels::@{kernel} blocks in (%c1, %c1, %c1) "
            f"threads in (%c1, %c1, %c1) args({', '.join(arguments)})"
        )

    def _copy(self, stmt: Stmt) -> None:
        target, source = stmt.buffers
        head = self._async("gpu.memcpy", stmt)
        self.lines.append(f"{head} %{target}, %{source} : {_BUFFER}, {_BUFFER}")

    def _fill(self, stmt: Stmt) -> None:
        head, value = self._async("gpu.memset", stmt), self._number(stmt.numbers[0])
        self.lines.append(f"{head} %{stmt.buffers[0]}, {value} : {_BUFFER}, i32")

    def _alloc(self, stmt: Stmt) -> None:
        results = f"%{stmt.buffers[0]}" + (f", %{stmt.token}" if stmt.token else "")
        self.lines.append(f"{results} = {self._async('gpu.alloc', stmt)} () : {_BUFFER}")

    def _free(self, stmt: Stmt) -> None:
        self.lines.append(f"{self._async('gpu.dealloc', stmt)} %{stmt.buffers[0]} : {_BUFFER}")

    def _join(self, stmt: Stmt) -> None:
        self.lines.append(self._async("gpu.wait", stmt))

    def _wait(self, stmt: Stmt) -> None:
        self.lines.append(self._async("gpu.wait", stmt))

    def _read(self, stmt: Stmt) -> None:
        """out[slot] = 5 * out[slot] + buffer"""
        slot, old, new = self._new(), self._new(), self._new()
        product, total = self._new(), self._new()
        self.lines += [
            f"%{slot} = arith.constant {stmt.numbers[0]} : index",
            f"%{new} = memref.load %{stmt.buffers[0]}[%c0] : {_BUFFER}",
            f"%{old} = memref.load %out[%{slot}] : {_OUT}",
            f"%{product} = arith.muli %{old}, {self._number(5)} : i32",
            f"%{total} = arith.addi %{product}, %{new} : i32",
            f"memref.store %{total}, %out[%{slot}] : {_OUT}",
        ]

    def _update(self, stmt: Stmt) -> None:
        old, product, total = self._new(), self._new(), self._new()
        a, b = (self._number(n) for n in stmt.numbers)
        buffer = stmt.buffers[0]
        self.lines += [
            f"%{old} = memref.load %{buffer}[%c0] : {_BUFFER}",
            f"%{product} = arith.muli %{old}, {a} : i32",
            f"%{total} = arith.addi %{product}, {b} : i32",
            f"memref.store %{total}, %{buffer}[%c0] : {_BUFFER}",
        ]

    # -- control flow

    def _call(self, stmt: Stmt) -> None:
        assert stmt.callee is not None
        names = [*(n for n, _ in _PARAMETERS), *stmt.deps]
        types = [*(t for _, t in _PARAMETERS), *([_TOKEN] * len(stmt.deps))]
        results = ", ".join([_TOKEN] * len(stmt.tokens))
        self.lines.append(
            f"{_bound(stmt.tokens)}func.call @{self._functions}_f{stmt.callee.index}"
            f"({', '.join(f'%{n}' for n in names)}) : ({', '.join(types)}) -> ({results})"
        )

    def _leave(self, stmt: Stmt) -> None:
        leave, stay = self._new("leave"), self._new("stay")
        self.lines += [
            f"cf.cond_br %{stmt.condition}, ^{leave}, ^{stay}",
            f"^{leave}:",
            "return",
            f"^{stay}:",
        ]

    def _if(self, stmt: Stmt) -> None:
        if stmt.style == "cf":
            then, other = self._new("then"), self._new("else")
            self.lines.append(f"cf.cond_br %{stmt.condition}, ^{then}, ^{other}")
            self._cf_branches(stmt, [then, other])
            return
        head = f"{_bound(stmt.tokens)}scf.if %{stmt.condition}{_arrow(stmt.tokens)} {{"
        self._regions([head, "} else {"], stmt)

    def _switch(self, stmt: Stmt) -> None:
        if stmt.style == "cf":
            labels = [self._new("case") for _ in stmt.bodies]
            value = self._new()
            cases = ", ".join(f"{i}: ^{label}" for i, label in enumerate(labels[1:]))
            self.lines.append(f"%{value} = arith.index_cast %{stmt.condition} : index to i32")
            self.lines.append(f"cf.switch %{value} : i32, [default: ^{labels[0]}, {cases}]")
            self._cf_branches(stmt, labels)
            return
        types = f" -> {', '.join([_TOKEN] * len(stmt.tokens))}" if stmt.tokens else ""
        self.lines.append(f"{_bound(stmt.tokens)}scf.index_switch %{stmt.condition}{types}")
        outer, texts = self.lines, []
        for i, body in enumerate(stmt.bodies):
            self.lines = [f"case {i - 1} {{" if i else "default {"]
            self._block(body)
            texts.append([*self.lines, _ended("scf.yield", stmt.yields[i]), "}"])
        # The text has the default last, the regions have it first.
        self.lines = [*outer, *(line for text in (*texts[1:], texts[0]) for line in text)]

    def _region(self, stmt: Stmt) -> None:
        head = f"{_bound(stmt.tokens)}scf.execute_region{_arrow(stmt.tokens)} {{"
        self._regions([head], stmt)

    def _regions(self, heads: Sequence[str], stmt: Stmt) -> None:
        for head, body, yields in zip(heads, stmt.bodies, stmt.yields, strict=True):
            self.lines.append(head)
            self._block(body)
            self.lines.append(_ended("scf.yield", yields))
        self.lines.append("}")

    def _cf_branches(self, stmt: Stmt, labels: Sequence[str]) -> None:
        after = self._new("after")
        for label, body, yields in zip(labels, stmt.bodies, stmt.yields, strict=True):
            self.lines.append(f"^{label}:")
            self._block(body)
            self.lines.append(f"cf.br ^{after}{_passed(yields)}")
        self.lines.append(f"^{after}{_taken(stmt.tokens)}:")

    def _loop(self, stmt: Stmt) -> None:
        getattr(self, f"_loop_{stmt.style}")(stmt)

    def _loop_for(self, stmt: Stmt) -> None:
        head = f"{_bound(stmt.tokens)}scf.for %{self._new('i')} = %c0 to %{stmt.condition} step %c1"
        if stmt.tokens:
            pairs = zip(stmt.arguments, stmt.inits, strict=True)
            head += f" iter_args({', '.join(f'%{a} = %{i}' for a, i in pairs)})"
        self._regions([f"{head}{_arrow(stmt.tokens)} {{"], stmt)

    def _loop_while(self, stmt: Stmt) -> None:
        at, more, inner, next_ = (self._new() for _ in range(4))
        last = self._new()
        types = ", ".join(["index", *([_TOKEN] * len(stmt.tokens))])
        carried = [self._new("w") for _ in stmt.arguments]
        pairs = zip((at, *carried), ("c0", *stmt.inits), strict=True)
        inits = ", ".join(f"%{a} = %{i}" for a, i in pairs)
        taken = "".join(f", %{a}: {_TOKEN}" for a in stmt.arguments)
        self.lines += [
            f"{_bound([last, *stmt.tokens])}scf.while ({inits}) : ({types}) -> ({types}) {{",
            f"%{more} = arith.cmpi slt, %{at}, %{stmt.condition} : index",
            f"scf.condition(%{more}) {', '.join(f'%{v}' for v in (at, *carried))} : {types}",
            "} do {",
            f"^{self._new('do')}(%{inner}: index{taken}):",
        ]
        self._block(stmt.bodies[0])
        yields = ", ".join(f"%{v}" for v in (next_, *stmt.yields[0]))
        self.lines += [
            f"%{next_} = arith.addi %{inner}, %c1 : index",
            f"scf.yield {yields} : {types}",
            "}",
        ]

    def _loop_cf(self, stmt: Stmt) -> None:
        head, inside, after = self._new("head"), self._new("body"), self._new("after")
        at, more, next_ = (self._new() for _ in range(3))
        carried = [self._new("h") for _ in stmt.arguments]
        inits = "".join(f", %{i}" for i in stmt.inits)
        types = "".join(f", {_TOKEN}" for _ in stmt.inits)
        self.lines += [
            f"cf.br ^{head}(%c0{inits} : index{types})",
            f"^{head}(%{at}: index{''.join(f', %{c}: {_TOKEN}' for c in carried)}):",
            f"%{more} = arith.cmpi slt, %{at}, %{stmt.condition} : index",
            f"cf.cond_br %{more}, ^{inside}{_passed(carried)}, ^{after}{_passed(carried)}",
            f"^{inside}{_taken(stmt.arguments)}:",
        ]
        self._block(stmt.bodies[0])
        yields = "".join(f", %{y}" for y in stmt.yields[0])
        self.lines += [
            f"%{next_} = arith.addi %{at}, %c1 : index",
            f"cf.br ^{head}(%{next_}{yields} : index{types})",
            f"^{after}{_taken(stmt.tokens)}:",
        ]


def _text(value: int) -> str:
    return f"m{-value}" if value < 0 else str(value)


def _bound(tokens: Sequence[str]) -> str:
    return f"{', '.join(f'%{t}' for t in tokens)} = " if tokens else ""


def _arrow(tokens: Sequence[str]) -> str:
    return f" -> ({', '.join([_TOKEN] * len(tokens))})" if tokens else ""


def _ended(name: str, tokens: Sequence[str]) -> str:
    return f"{name} {_list(tokens)}" if tokens else name


def _list(tokens: Sequence[str]) -> str:
    return f"{', '.join(f'%{t}' for t in tokens)} : {', '.join([_TOKEN] * len(tokens))}"


def _passed(tokens: Sequence[str]) -> str:
    return f"({_list(tokens)})" if tokens else ""


def _taken(tokens: Sequence[str]) -> str:
    return f"({', '.join(f'%{t}: {_TOKEN}' for t in tokens)})" if tokens else ""


def function(program: Program, name: str) -> str:
    """The functions of one program: @name and its callees."""
    parts = [_callee(f, name) for f in program.functions]
    return "".join([*parts, _Writer(name, name).function((), program.body, (), "")])


def written(program: Program) -> list[Stmt]:
    """The operations of a program without its callees, in the order of regions and blocks."""
    writer = _Writer("p", "p")
    writer.function((), program.body, (), "")
    return writer.written


def _callee(callee: Function, name: str) -> str:
    writer = _Writer(f"{name}_f{callee.index}", name)
    return writer.function(callee.parameters, callee.body, callee.results, "private ")


def module(programs: Sequence[Program]) -> str:
    """One module with the programs as functions @p0, @p1, ..."""
    body = "".join(function(p, f"p{i}") for i, p in enumerate(programs))
    return f"module attributes {{gpu.container_module}} {{\n{KERNELS}{body}}}\n"


def arguments(program: Program) -> list[Any]:
    """The arguments of a program's function, for `Explorer.run`."""
    import numpy

    values = program.values
    return [
        *(numpy.array([values[b]], numpy.int32) for b in BUFFERS),
        numpy.zeros(2, numpy.int32),
        *(values[name] for name in (*CONDITIONS, *COUNTS)),
    ]
