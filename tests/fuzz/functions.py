# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions with types: arith, math, index, cf, scf and memref on i1 to i128 and f16 to f64.

`RandomFunction(seed).text` is a kernel of one thread, `@m::@k`. It reads its inputs, edge values
mostly, from the first two buffers, and stores what it computes: integers as two i64, floats as f64,
and what is right to so many digits only into a buffer of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fuzz.function_text import (
    FLOATS,
    INPUTS,
    INTEGERS,
    OUTPUTS,
    FunctionText,
    width,
)
from tests.fuzz.operations import LOOSE

MOST_STATEMENTS = (6, 10, 14, 28)  # at the top; short ones find as much in their time


class RandomFunction(FunctionText):
    """See the module. `seed` says all."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.loose: list[tuple[str, str]] = []
        for _ in range(self.r.randint(3, 8)):
            self.read(self.r.choice(INTEGERS + FLOATS))
        for _ in range(self.r.randint(1, self.r.choice(MOST_STATEMENTS))):
            self.statement()
        for name, kind in [*self.scopes[0]][-OUTPUTS:]:
            self.write(name, kind)
        for at, (name, kind) in enumerate(self.loose[:OUTPUTS]):
            self.put(self.cast(name, kind, "f64"), "%loose", at, "f64")
        body = "\n".join(self.lines)
        words = (
            f"%in: memref<{INPUTS}xi64>, %fin: memref<{INPUTS}xf64>, %out: memref<{2 * OUTPUTS}xi64>, "
            f"%fout: memref<{OUTPUTS}xf64>, %loose: memref<{OUTPUTS}xf64>"
        )
        self.text = (
            "module attributes {gpu.container_module} {\n  gpu.module @m {\n"
            f"    gpu.func @k({words}) kernel {{\n{body}\n      gpu.return\n    }}\n  }}\n}}\n"
        )

    # -- values
    def statement(self) -> None:
        kinds: list[Callable[[], Any]] = [self.integer] * 5 + [self.floating] * 4
        kinds += [self.compare, self.convert, self.convert, self.choose, self.by_index]
        kinds += [self.function, self.slots]
        if self.depth < 3:
            kinds += [self.if_, self.for_, self.while_, self.switch_]
        if self.depth == 0:
            kinds += [self.diamond]
        self.r.choice(kinds)()

    def nonzero(self, kind: str, positive: bool) -> str:
        """A value that may divide: odd, and not negative if that matters."""
        name = self.pick(kind)
        one = self.make(kind, f"arith.constant {'true' if kind == 'i1' else f'1 : {kind}'}", False)
        if positive and width(kind) > 1:
            name = self.make(kind, f"arith.shrui {name}, {one} : {kind}", False)
        return self.make(kind, f"arith.ori {name}, {one} : {kind}", False)

    def amount(self, kind: str) -> str:
        """A distance to shift by; rarely one that is too far."""
        if self.r.random() < 0.03:
            return self.pick(kind)
        if kind == "i1":
            return self.make(kind, "arith.constant false", False)
        if self.r.random() < 0.5:
            by = self.r.randrange(min(width(kind), 1 << (width(kind) - 1)))
            return self.make(kind, f"arith.constant {by} : {kind}", False)
        most = min(width(kind), (1 << (width(kind) - 1)) - 1)
        size = self.make(kind, f"arith.constant {most} : {kind}", False)
        return self.make(kind, f"arith.remui {self.pick(kind)}, {size} : {kind}", False)

    def integer(self) -> str:
        r, kind = self.r, self.r.choice(INTEGERS)
        choice = r.randrange(8)
        if choice < 3:
            op = r.choice(
                ("addi", "subi", "muli", "andi", "ori", "xori", "minsi", "minui", "maxsi", "maxui")
            )
            flags = ""
            if op in ("addi", "subi", "muli") and r.random() < 0.06:
                flags = r.choice((" overflow<nsw>", " overflow<nuw>"))
            other = self.pick(kind) if r.random() < 0.7 else self.constant(kind)
            return self.make(kind, f"arith.{op} {self.pick(kind)}, {other}{flags} : {kind}")
        if choice == 3:
            op = r.choice(("shli", "shrsi", "shrui"))
            return self.make(kind, f"arith.{op} {self.pick(kind)}, {self.amount(kind)} : {kind}")
        if choice < 6:
            op = r.choice(("divui", "remui", "ceildivui"))
            if width(kind) > 1 and r.random() < 0.6:
                op = r.choice(("divsi", "remsi", "floordivsi", "ceildivsi"))
            by = self.nonzero(kind, "si" in op)
            return self.make(kind, f"arith.{op} {self.pick(kind)}, {by} : {kind}")
        if choice == 6:
            op = r.choice(("addui", "mului", "mulsi") if kind != "index" else ("addui",))
            low, high = self.name(), self.name()
            types = f"{kind}, i1" if op == "addui" else kind
            a, b = self.pick(kind), self.pick(kind)
            self.line(f"{low}, {high} = arith.{op}_extended {a}, {b} : {types}")
            self.scopes[-1] += [(low, kind), (high, "i1" if op == "addui" else kind)]
            return low
        op = r.choice(("absi", "ctpop", "ctlz", "cttz"))
        if kind == "index":
            kind = "i64"
        return self.make(kind, f"math.{op} {self.pick(kind)} : {kind}")

    def by_index(self) -> str:
        r = self.r
        if r.random() < 0.3:
            how = r.choice(("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"))
            return self.make("i1", f"index.cmp {how}({self.pick('index')}, {self.pick('index')})")
        op = r.choice(("add", "sub", "mul", "and", "or", "xor", "mins", "minu", "maxs", "maxu", "divs",
                       "divu", "rems", "remu", "ceildivs", "ceildivu", "floordivs", "shl", "shrs", "shru"))  # fmt: skip
        a = self.pick("index")
        if "div" in op or "rem" in op:
            b = self.nonzero("index", op[-1] == "s")
        else:
            b = self.amount("index") if op.startswith("sh") else self.pick("index")
        return self.make("index", f"index.{op} {a}, {b}")

    def floating(self) -> str:
        r, kind = self.r, self.r.choice(FLOATS)
        choice = r.randrange(6)
        if choice < 3:
            op = r.choice(
                (
                    "addf",
                    "subf",
                    "mulf",
                    "divf",
                    "remf",
                    "minimumf",
                    "maximumf",
                    "minnumf",
                    "maxnumf",
                )
            )
            other = self.pick(kind) if r.random() < 0.7 else self.constant(kind)
            return self.make(kind, f"arith.{op} {self.pick(kind)}, {other} : {kind}")
        if choice == 3:
            return self.make(kind, f"arith.negf {self.pick(kind)} : {kind}")
        if choice == 4:
            a, b, c = self.pick(kind), self.pick(kind), self.pick(kind)
            if r.random() < 0.5:
                return self.make(kind, f"math.fma {a}, {b}, {c} : {kind}")
            return self.make(kind, f"math.copysign {a}, {b} : {kind}")
        op = r.choice(("absf", "ceil", "floor", "trunc", "round", "roundeven", "sqrt"))
        return self.make(kind, f"math.{op} {self.pick(kind)} : {kind}")

    def function(self) -> None:
        """A function of math, which is right to so many digits: only its result is looked at."""
        kind = self.r.choice(("f32", "f64"))
        op = self.r.choice(tuple(LOOSE))
        values = ", ".join(self.pick(kind) for _ in range(2 if op in ("powf", "atan2") else 1))
        name = self.make(kind, f"math.{op} {values} : {kind}", False)
        if self.depth == 0:
            self.loose.append((name, kind))

    def compare(self) -> str:
        r = self.r
        if r.random() < 0.5:
            kind = r.choice(INTEGERS)
            how = r.choice(("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"))
            return self.make(
                "i1", f"arith.cmpi {how}, {self.pick(kind)}, {self.pick(kind)} : {kind}"
            )
        kind = r.choice(FLOATS)
        if r.random() < 0.3:
            word = r.choice(("isnan", "isinf", "isfinite"))
            return self.make("i1", f"math.{word} {self.pick(kind)} : {kind}")
        how = r.choice(
            [
                "false",
                "oeq",
                "ogt",
                "oge",
                "olt",
                "ole",
                "one",
                "ord",
                "ueq",
                "ugt",
                "uge",
                "ult",
                "ule",
                "une",
                "uno",
                "true",
            ]
        )
        return self.make("i1", f"arith.cmpf {how}, {self.pick(kind)}, {self.pick(kind)} : {kind}")

    def convert(self) -> str:
        r = self.r
        choice = r.randrange(7)
        if choice < 2:
            small, large = sorted(r.sample([k for k in INTEGERS if k != "index"], 2), key=width)
            if r.random() < 0.5:
                return self.make(small, f"arith.trunci {self.pick(large)} : {large} to {small}")
            word = r.choice(("extui", "extsi"))
            return self.make(large, f"arith.{word} {self.pick(small)} : {small} to {large}")
        kind, form = r.choice([k for k in INTEGERS if k != "index"]), r.choice(FLOATS)
        if choice == 2:
            word = r.choice(("index_cast", "index_castui"))
            if r.random() < 0.5:
                return self.make("index", f"arith.{word} {self.pick(kind)} : {kind} to index")
            return self.make(kind, f"arith.{word} {self.pick('index')} : index to {kind}")
        if choice == 3:
            word = r.choice(("sitofp", "uitofp"))
            return self.make(form, f"arith.{word} {self.pick(kind)} : {kind} to {form}")
        if choice == 4:
            word = r.choice(("fptosi", "fptoui"))
            return self.make(kind, f"arith.{word} {self.pick(form)} : {form} to {kind}")
        if choice == 5:
            size = {"f16": "i16", "bf16": "i16", "f32": "i32", "f64": "i64"}[form]
            return self.make(form, f"arith.bitcast {self.pick(size)} : {size} to {form}")
        found = self.cast(self.pick(form), form, to := r.choice(FLOATS))
        self.scopes[-1].append((found, to))
        return found

    def choose(self) -> str:
        kind = self.r.choice(INTEGERS + FLOATS)
        a, b = self.pick(kind), self.pick(kind)
        return self.make(kind, f"arith.select {self.pick('i1')}, {a}, {b} : {kind}")

    def slots(self) -> None:
        """Memory of its own: all of it is written before any of it is read."""
        kind = self.r.choice(
            [
                k
                for k in INTEGERS + FLOATS
                if k == "index" or k in FLOATS or width(k) in (8, 16, 32, 64)
            ]
        )
        memory = self.make("", f"memref.alloca() : memref<4x{kind}>", False)
        for at in range(4):
            self.line(
                f"memref.store {self.pick(kind)}, {memory}[{self.index(at)}] : memref<4x{kind}>"
            )
        for _ in range(self.r.randint(1, 3)):
            at = self.make(
                "index", f"arith.remui {self.pick('index')}, {self.index(4)} : index", False
            )
            if self.r.random() < 0.4:
                self.line(f"memref.store {self.pick(kind)}, {memory}[{at}] : memref<4x{kind}>")
            else:
                self.make(kind, f"memref.load {memory}[{at}] : memref<4x{kind}>")

    # -- control flow
    def body(self, arguments: list[tuple[str, str]], least: int = 0) -> None:
        self.depth += 1
        self.scopes.append(list(arguments))
        for _ in range(self.r.randint(least, 4)):
            self.statement()

    def leave(self, text: str) -> None:
        self.line(text)
        self.scopes.pop()
        self.depth -= 1

    def if_(self) -> None:
        kind, condition, name = self.r.choice(INTEGERS + FLOATS), self.pick("i1"), self.name()
        self.line(f"{name} = scf.if {condition} -> ({kind}) {{")
        self.body([], 1)
        self.leave(f"scf.yield {self.pick(kind)} : {kind}")
        self.line("} else {")
        self.body([])
        self.leave(f"scf.yield {self.pick(kind)} : {kind}")
        self.line("}")
        self.scopes[-1].append((name, kind))

    def for_(self) -> None:
        kind, at = self.r.choice(INTEGERS + FLOATS), self.r.choice(("index", "i32", "i64", "i8"))
        low, high, step = (
            self.make(at, f"arith.constant {n} : {at}", False)
            for n in (self.r.choice((0, 0, 1, -2)), self.r.randint(0, 5), self.r.randint(1, 3))
        )
        start, name, i, state = self.pick(kind), self.name(), self.name(), self.name()
        typed = "" if at == "index" else f" : {at}"
        self.line(
            f"{name} = scf.for {i} = {low} to {high} step {step} iter_args({state} = {start}) -> ({kind}){typed} {{"
        )
        self.body([(i, at), (state, kind)], 1)
        self.leave(f"scf.yield {self.pick(kind)} : {kind}")
        self.line("}")
        self.scopes[-1].append((name, kind))

    def while_(self) -> None:
        kind = self.r.choice(INTEGERS + FLOATS)
        start, zero = self.pick(kind), self.make("i8", "arith.constant 0 : i8", False)
        limit = self.make("i8", f"arith.constant {self.r.randint(0, 5)} : i8", False)
        one = self.make("i8", "arith.constant 1 : i8", False)
        name, count, state = self.name(), self.name(), self.name()
        self.line(
            f"{name}:2 = scf.while ({count} = {zero}, {state} = {start}) : (i8, {kind}) -> (i8, {kind}) {{"
        )
        self.body([(count, "i8"), (state, kind)])
        more = self.make("i1", f"arith.cmpi slt, {count}, {limit} : i8", False)
        if self.r.random() < 0.4:
            more = self.make("i1", f"arith.andi {more}, {self.pick('i1')} : i1", False)
        self.leave(f"scf.condition({more}) {count}, {self.pick(kind)} : i8, {kind}")
        inner, value = self.name(), self.name()
        self.line("} do {")
        self.line(f"^bb0({inner}: i8, {value}: {kind}):")
        self.body([(inner, "i8"), (value, kind)])
        following = self.make("i8", f"arith.addi {inner}, {one} : i8", False)
        self.leave(f"scf.yield {following}, {self.pick(kind)} : i8, {kind}")
        self.line("}")
        self.scopes[-1] += [(f"{name}#0", "i8"), (f"{name}#1", kind)]

    def switch_(self) -> None:
        kind, name = self.r.choice(INTEGERS + FLOATS), self.name()
        # The lowering compares 32 bits, as MLIR's does: the index is one that they hold.
        most, flag = self.name(), self.name()
        self.line(f"{most} = arith.constant 200 : index")
        self.line(f"{flag} = arith.remsi {self.pick('index')}, {most} : index")
        self.line(f"{name} = scf.index_switch {flag} -> {kind}")
        for case in self.r.sample((0, 1, 2, 3, -1, 100), self.r.randint(0, 3)):
            self.line(f"case {case} {{")
            self.body([])
            self.leave(f"scf.yield {self.pick(kind)} : {kind}")
            self.line("}")
        self.line("default {")
        self.body([])
        self.leave(f"scf.yield {self.pick(kind)} : {kind}")
        self.line("}")
        self.scopes[-1].append((name, kind))

    def diamond(self) -> None:
        """Blocks: a branch or a switch, and where its ways meet."""
        kind, self.count = self.r.choice(INTEGERS + FLOATS), self.count + 1
        label, result = f"^b{self.count}", self.name()
        ways = self.r.randint(1, 3)
        given, wanted = self.pick(kind), self.r.choice(INTEGERS[3:-1])
        if ways == 2 and self.r.random() < 0.7:
            self.line(
                f"cf.cond_br {self.pick('i1')}, {label}_0({given} : {kind}), {label}_1({self.pick(kind)} : {kind})"
            )
        else:
            flag = self.pick(wanted)
            cases = self.r.sample(range(-3, 5), ways - 1)
            targets = [f"default: {label}_0({given} : {kind})"]
            targets += [f"{c}: {label}_{n + 1}({given} : {kind})" for n, c in enumerate(cases)]
            self.line(f"cf.switch {flag} : {wanted}, [" + ", ".join(targets) + "]")
        for way in range(ways):
            value = self.name()
            self.line(f"{label}_{way}({value}: {kind}):")
            self.body([(value, kind)])
            self.leave(f"cf.br {label}_end({self.pick(kind)} : {kind})")
        self.line(f"{label}_end({result}: {kind}):")
        self.scopes[-1].append((result, kind))
