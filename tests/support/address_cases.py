# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the llvm dialect with constant addresses: of globals, null, and integers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from translated_cases import INTEGER_BINARY, Case, constant

#: Data layouts: LLVM's default, NVPTX's, x86-64's, a big-endian one of 32 bits, one where some
#: addresses are no integers.
LAYOUTS = {
    "default": "",
    "nvptx": "e-p:64:64:64-p3:32:32:32-p4:32:32:32-p5:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-"
    "i64:64:64-i128:128:128-f32:32:32-f64:64:64-f128:128:128-v16:16:16-v32:32:32-n16:32:64",
    "x86_64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "big": "E-p:32:32-i64:64-f80:32-a:0:32",
    "no_integers": "e-p:64:64-p3:32:32-p5:160:256:256:32-ni:5:3",
}

#: Global -> its address space.
SPACES = {"g": 0, "s": 3, "e": 3, "x": 0, "w": 0, "st": 0, "fn": 0, "o": 0, "c": 0, "z": 0}
GLOBALS = """
llvm.mlir.global internal @g() : !llvm.array<16 x i32>
llvm.mlir.global internal @s(dense<0> : tensor<8xi8>)
  {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i8>
llvm.mlir.global internal @e() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.mlir.global external @x() : i32
llvm.mlir.global extern_weak @w() : i32
llvm.mlir.global internal @st(#llvm.zero) : !llvm.struct<(i8, i64, array<3 x i16>)>
llvm.func @fn()
llvm.mlir.global weak @o(1 : i64) : i64
llvm.mlir.global private unnamed_addr constant @c(1 : i16) : i16
llvm.mlir.global internal @z(#llvm.zero) : !llvm.struct<()>
"""
ORDERS = ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sge")
STEPS = ("0", "4", "16", "17", "64", "65", "-1", "100")


def pointer(space: int) -> str:
    """The type of addresses in a space."""
    return f"!llvm.ptr<{space}>" if space else "!llvm.ptr"


def _address(name: str, symbol: str) -> str:
    return f"{name} = llvm.mlir.addressof @{symbol} : {pointer(SPACES[symbol])}"


def _gep(name: str, base: str, index: str, p: str, kind: str = "i8", flags: str = "") -> str:
    return f"{name} = llvm.getelementptr{flags} {base}[{index}] : ({p}) -> {p}, {kind}"


def _int(name: str, source: str, p: str, kind: str) -> str:
    return f"{name} = llvm.ptrtoint {source} : {p} to {kind}"


def cast_cases() -> Iterator[Case]:
    """Addresses as integers, in other spaces, and back."""
    widths = ("i1", "i8", "i32", "i64", "i128")
    for symbol, space in SPACES.items():
        p, q = pointer(space), pointer(0 if space else 3)
        given = _address("%a", symbol)
        for kind in widths:
            yield [given, _int("%0", "%a", p, kind)], kind
            as_int = [given, _int("%i", "%a", p, kind)]
            for back in (p, q):
                yield [*as_int, f"%0 = llvm.inttoptr %i : {kind} to {back}"], back
            for other in widths:
                width = int(kind[1:]) - int(other[1:])
                for op in ("trunc",) if width > 0 else ("zext", "sext") if width < 0 else ():
                    yield [*as_int, f"%0 = llvm.{op} %i : {kind} to {other}"], other
        there = f"%b = llvm.addrspacecast %a : {p} to {q}"
        for target in (p, "!llvm.ptr<5>"):
            text = f"%0 = llvm.addrspacecast %b : {q} to {target}"
            yield [given, there, text], target
        yield [given, there, _int("%0", "%b", q, "i64")], "i64"
        for step in STEPS:
            yield [given, there, _gep("%0", "%b", step, q)], q
            moved = [given, _gep("%b", "%a", step, p)]
            yield [*moved, f"%0 = llvm.addrspacecast %b : {p} to {q}"], q
            yield [*moved, _int("%0", "%b", p, "i64")], "i64"
        as_i64 = [given, _int("%i", "%a", p, "i64")]
        for op, target in (("sitofp", "f32"), ("bitcast", "f64"), ("bitcast", "vector<2xi32>")):
            yield [*as_i64, f"%0 = llvm.{op} %i : i64 to {target}"], target


def step_cases() -> Iterator[Case]:
    """`getelementptr` of globals, with and without flags, once and twice."""
    flags = ("", " inbounds", " nuw", " nusw", " inbounds|nuw")
    for (symbol, space), step in itertools.product(SPACES.items(), STEPS):
        p, given = pointer(space), _address("%a", symbol)
        for flag, kind in itertools.product(flags, ("i8", "i32")):
            yield [given, _gep("%0", "%a", step, p, kind, flag)], p
        for first, second in itertools.product(flags, flags):
            inner = _gep("%b", "%a", step, p, flags=first)
            yield [given, inner, _gep("%0", "%b", "3", p, flags=second)], p
        yield (
            [given, _gep("%b", "%a", step, p), _gep("%0", "%b", f"-{step}".replace("--", ""), p)],
            p,
        )
        dynamic = f"%0 = llvm.getelementptr %a[%k] : ({p}, i32) -> {p}, i16"
        yield [given, constant("%k", step, "i32"), dynamic], p
        ends = [given, _gep("%b", "%a", step, p), _int("%i", "%b", p, "i64")]
        ends.append(_int("%j", "%a", p, "i64"))
        yield [*ends, "%0 = llvm.sub %i, %j : i64"], "i64"
        yield [*ends, "%0 = llvm.sub %j, %i : i64"], "i64"
    kind = "!llvm.struct<(i8, i64, array<3 x i16>)>"
    for index, flag in itertools.product(("0, 2, 1", "0, 1", "1", "-1, 2, 2", "0, 2, 5"), flags):
        yield [_address("%a", "st"), _gep("%0", "%a", index, "!llvm.ptr", kind, flag)], "!llvm.ptr"


def arithmetic_cases() -> Iterator[Case]:
    """Arithmetic on addresses as integers."""
    for symbol, space in SPACES.items():
        p, given = pointer(space), _address("%a", symbol)
        for kind, op in itertools.product(("i64", "i32"), INTEGER_BINARY):
            start = [given, _int("%i", "%a", p, kind)]
            for value in ("0", "1", "-1", "7", "8", "16", "undef", "poison"):
                both = [*start, constant("%k", value, kind)]
                yield [*both, f"%0 = llvm.{op} %i, %k : {kind}"], kind
                yield [*both, f"%0 = llvm.{op} %k, %i : {kind}"], kind
            yield [*start, f"%0 = llvm.{op} %i, %i : {kind}"], kind
        start = [given, _int("%i", "%a", p, "i64")]
        start += [constant("%k", "5", "i64"), constant("%l", "9", "i64")]
        for first, second in itertools.product(("add", "sub", "xor", "mul", "and"), repeat=2):
            inner = [*start, f"%j = llvm.{first} %i, %k : i64"]
            yield [*inner, f"%0 = llvm.{second} %j, %l : i64"], "i64"
            yield [*inner, f"%0 = llvm.{second} %l, %j : i64"], "i64"
        for other in ("g", "x", "fn"):
            if SPACES[other] == space:
                ends = [given, _address("%b", other), _int("%i", "%a", p, "i64")]
                ends.append(_int("%j", "%b", p, "i64"))
                yield [*ends, "%0 = llvm.sub %i, %j : i64"], "i64"


def comparison_cases() -> Iterator[Case]:
    """Comparisons of addresses with null, with each other, and within a global."""
    for (symbol, space), order in itertools.product(SPACES.items(), ORDERS):
        p, given = pointer(space), _address("%a", symbol)
        null = constant("%z", "zero", p)

        def compare(a: str, b: str, kind: str = p, order: str = order) -> str:
            return f'%0 = llvm.icmp "{order}" {a}, {b} : {kind}'

        yield [given, null, compare("%a", "%z")], "i1"
        yield [given, null, compare("%z", "%a")], "i1"
        yield [given, compare("%a", "%a")], "i1"
        for value, kind in itertools.product(("0", "1"), ("i64", "i32")):
            as_int = [given, _int("%i", "%a", p, kind), constant("%k", value, kind)]
            yield [*as_int, compare("%i", "%k", kind)], "i1"
        number = f"%b = llvm.inttoptr %k : i64 to {p}"
        yield [given, constant("%k", "5", "i64"), number, compare("%a", "%b")], "i1"
        for other in ("g", "x", "fn", "st", "e", "z", "c"):
            if SPACES[other] == space:
                both = [given, _address("%b", other)]
                yield [*both, compare("%a", "%b")], "i1"
                ends = [*both, _int("%i", "%a", p, "i64"), _int("%j", "%b", p, "i64")]
                yield [*ends, compare("%i", "%j", "i64")], "i1"
        for step, flag in itertools.product(STEPS, ("", " inbounds")):
            moved = [given, _gep("%b", "%a", step, p, flags=flag)]
            yield [*moved, compare("%a", "%b")], "i1"
            yield [*moved, null, compare("%b", "%z")], "i1"
        chosen = [given, null, f'%c = llvm.icmp "{order}" %a, %z : {p}']
        yield [*chosen, f"%0 = llvm.select %c, %a, %z : i1, {p}"], p


#: Types whose sizes show in addresses from null.
SIZED = (
    *("i8", "f32", "!llvm.struct<(i8, i64)>", "!llvm.array<3 x i16>", "vector<3xf32>", "i128"),
    *("i65", "f80", "!llvm.struct<packed (i8, i64)>", "vector<8xi1>", "i1", "i24", "f128"),
    *("!llvm.struct<(i1, f16, i8, ptr, ptr<3>)>", "!llvm.array<0 x i8>", "!llvm.struct<()>"),
)


def number_cases() -> Iterator[Case]:
    """Addresses that are numbers: null, steps from it, integers as addresses."""
    for space in (0, 3, 5):
        p, null = pointer(space), constant("%a", "zero", pointer(space))
        for index, kind in itertools.product(("0", "1", "7", "-1"), SIZED):
            yield [null, _gep("%0", "%a", index, p, kind)], p
            size = [null, _gep("%b", "%a", index, p, kind)]
            yield [*size, _int("%0", "%b", p, "i64")], "i64"
            yield [*size, _int("%0", "%b", p, "i32")], "i32"
            yield [*size, _gep("%c", "%b", "2", p, "i16"), _int("%0", "%c", p, "i128")], "i128"
        for other in (0, 3, 5):
            q = pointer(other)
            if q != p:
                there = [null, f"%b = llvm.addrspacecast %a : {p} to {q}"]
                yield [*there, _int("%0", "%b", q, "i64")], "i64"
                yield [*there, _gep("%0", "%b", "3", q)], q
                again = [*there, constant("%z", "zero", q)]
                yield [*again, f'%0 = llvm.icmp "eq" %b, %z : {q}'], "i1"
        for kind, value in itertools.product(("i8", "i32", "i64", "i128"), ("0", "5", "-1")):
            given = [constant("%k", value, kind), f"%b = llvm.inttoptr %k : {kind} to {p}"]
            for back in ("i8", "i32", "i64", "i128"):
                yield [*given, _int("%0", "%b", p, back)], back
            yield [*given, _gep("%0", "%b", "3", p)], p
            yield [*given, null, f'%0 = llvm.icmp "eq" %b, %a : {p}'], "i1"
            yield [*given, _gep("%c", "%b", "1", p), f'%0 = llvm.icmp "ult" %b, %c : {p}'], "i1"
        for u in ("undef", "poison"):
            given = [constant("%a", u, p)]
            yield [*given, _int("%0", "%a", p, "i64")], "i64"
            yield [*given, _gep("%0", "%a", "3", p)], p
            yield [*given, constant("%b", "zero", p), f'%0 = llvm.icmp "eq" %a, %b : {p}'], "i1"


GROUPS = {
    "casts": cast_cases,
    "steps": step_cases,
    "arithmetic": arithmetic_cases,
    "comparisons": comparison_cases,
    "numbers": number_cases,
}
