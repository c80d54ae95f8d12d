# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose values are of many types and live across barriers.

As `random_kernels`, with i1, i8, i16, i24, i64, f16, f64 and small vectors, with several reductions
over the block, and with flags that hold for the threads that execute an operation alone: `nsw`,
`nuw` and `exact` behind a test of the operands.
"""

from __future__ import annotations

from tests.support.random_kernels import RandomKernel

_INTEGERS = ("i8", "i16", "i24", "i64")
_PARTS = {"pair": ("vector<2xi32>", "i32", 2), "quad": ("vector<4xf32>", "f32", 4),
          "flags": ("vector<3xi1>", "i1", 3), "bytes": ("vector<5xi8>", "i8", 5)}  # fmt: skip
_KINDS = (*_INTEGERS, "f16", "f64", *_PARTS)


class TypedKernel(RandomKernel):
    """`text` is a module with the kernel `@m::@k` and the parameters of `RandomKernel`."""

    #: A reduction over the block asks for the first warp alone.
    lacks_forms = True

    # -- expressions

    def pick(self, kind: str) -> str:
        """Old values as often as new ones, so that many live long."""
        known = [v for scope in self.scopes for v in scope.get(kind, ())]
        if known and (kind in _KINDS or self.r.random() < 0.5):
            return self.r.choice(known)
        return self.value(kind) if kind in _KINDS else super().pick(kind)

    def value(self, kind: str) -> str:
        if kind in _PARTS:
            return self._vector(kind)
        if kind in _INTEGERS:
            return self._integer(kind)
        if kind in ("f16", "f64"):
            return self._float(kind)
        if kind in ("i32", "f32", "i1") and self.r.random() < 0.3:
            return self._from_other(kind)
        return super().value(kind)

    def _integer(self, kind: str) -> str:
        known = any(kind in scope for scope in self.scopes)
        if not known or self.r.random() < 0.4:
            wide = "extsi" if kind == "i64" else "trunci"
            return self.make(kind, f"arith.{wide} {self.pick('i32')} : i32 to {kind}")
        if self.r.random() < 0.2:
            return self.make(kind, f"arith.extui {self.pick('i1')} : i1 to {kind}")
        op = self.r.choice(["addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxui"])
        return self.make(kind, f"arith.{op} {self.pick(kind)}, {self.pick(kind)} : {kind}")

    def _float(self, kind: str) -> str:
        known = any(kind in scope for scope in self.scopes)
        if not known or self.r.random() < 0.4:
            cast = "truncf" if kind == "f16" else "extf"
            return self.make(kind, f"arith.{cast} {self.pick('f32')} : f32 to {kind}")
        op = self.r.choice(["addf", "subf", "mulf"])
        return self.make(kind, f"arith.{op} {self.pick(kind)}, {self.pick(kind)} : {kind}")

    def _vector(self, kind: str) -> str:
        ty, element, count = _PARTS[kind]
        parts = ", ".join(self.pick(element) for _ in range(count))
        return self.make(kind, f"vector.from_elements {parts} : {ty}")

    def _from_other(self, kind: str) -> str:
        """A value of one of the usual types, from one of the others."""
        if kind == "f32":
            other = self.r.choice(["f16", "f64", "quad"])
        elif kind == "i1":
            other = self.r.choice(["flags", *_INTEGERS])
        else:
            other = self.r.choice(["pair", "bytes", *_INTEGERS])
        given = self.pick(other)
        if other in _PARTS:
            ty, element, count = _PARTS[other]
            part = self.make(element, f"vector.extract {given}[{self.r.randrange(count)}] : "
                             f"{element} from {ty}")  # fmt: skip
            return part if element == kind else self.make(
                kind, f"arith.extsi {part} : {element} to {kind}"
            )  # fmt: skip
        if kind == "f32":
            cast = "extf" if other == "f16" else "truncf"
            return self.make(kind, f"arith.{cast} {given} : {other} to f32")
        if kind == "i1":
            how = self.r.choice(["eq", "slt", "ugt"])
            return self.make(kind, f"arith.cmpi {how}, {given}, {self.pick(other)} : {other}")
        cast = "trunci" if other == "i64" else self.r.choice(["extsi", "extui"])
        return self.make(kind, f"arith.{cast} {given} : {other} to i32")

    # -- statements

    def statement(self) -> None:
        r = self.r
        choice = r.random()
        if choice < 0.25:
            self.value(r.choice(_KINDS))
        elif choice < 0.35:
            self.do_flags()
        elif choice < 0.45 and self.control == 0:
            self.do_collective()
        elif choice < 0.5 and self.control == 0:
            self.line("gpu.barrier")
        else:
            super().statement()

    def do_collective(self) -> None:
        """A reduction over the block, of integers: their order does not matter."""
        op = self.r.choice(["add", "minsi", "maxui", "and", "or", "xor"])
        self.make("i32", f"gpu.all_reduce {op} {self.pick('i32')} uniform {{}} : (i32) -> i32")

    def do_flags(self) -> None:
        """An operation that claims something, where it holds: other lanes may be off."""
        kind = self.r.choice(["i32", "index", "i16"])
        a, b = self.pick(kind), self.pick(kind)
        most = self._number(100, kind)
        tests = [self.make("i1", f"arith.cmpi ult, {v}, {most} : {kind}") for v in (a, b)]
        both = self.make("i1", f"arith.andi {tests[0]}, {tests[1]} : i1")
        result, inner = self.name(), self.name()
        op = self.r.choice([
            "muli {a}, {b} overflow<nsw, nuw>", "addi {a}, {b} overflow<nsw>",
            "subi {a}, {b} overflow<nsw>", "shli {a}, {few} overflow<nsw>",
        ])  # fmt: skip
        few = self._number(3, kind)
        self.line(f"{result} = scf.if {both} -> ({kind}) {{")
        self.line(f"  {inner} = arith.{op.format(a=a, b=b, few=few)} : {kind}")
        self.line(f"  scf.yield {inner} : {kind}")
        self.line("} else {")
        self.line(f"  scf.yield {a} : {kind}")
        self.line("}")
        self.add(kind, result)

    # -- the end

    def finish(self) -> None:
        """Every kind goes into the result, so that much of what is computed is used."""
        for kind in _KINDS:
            if any(kind in scope for scope in self.scopes):
                self._from(kind)

    def _from(self, kind: str) -> None:
        given = self.pick(kind)
        if kind in _PARTS:
            ty, element, count = _PARTS[kind]
            self.make(element, f"vector.extract {given}[{count - 1}] : {element} from {ty}")
        elif kind in _INTEGERS:
            cast = "trunci" if kind == "i64" else "extui"
            self.make("i32", f"arith.{cast} {given} : {kind} to i32")
        else:
            cast = "extf" if kind == "f16" else "truncf"
            self.make("f32", f"arith.{cast} {given} : {kind} to f32")
