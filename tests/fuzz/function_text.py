# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random functions are written with: values with edges, names, constants, inputs, outputs."""

from __future__ import annotations

import math
import random
import struct

from tests.fuzz.numbers import FORMATS, to_format

INTEGERS = ("i1", "i2", "i7", "i8", "i16", "i31", "i32", "i33", "i64", "i65", "i128", "index")
FLOATS = tuple(FORMATS)
INPUTS = 12  # of each kind
OUTPUTS = 40  # of each kind, at most


def width(kind: str) -> int:
    return 64 if kind == "index" else int(kind[1:])


def edge_integer(r: random.Random, bits: int) -> int:
    """A number that something may go wrong at, as a signed one."""
    top = 1 << (bits - 1)
    found = r.choice((
        0, 1, -1, 2, -2, 3, 5, 7, 10, -7, top - 1, -top, top >> 1, -top + 1, 31, 32, 63, 64, 100,
        r.getrandbits(bits), 1 << r.randrange(bits), (1 << r.randrange(bits)) - 1,
    ))  # fmt: skip
    found &= (1 << bits) - 1
    return found - (1 << bits) if found & top else found


def edge_float(r: random.Random, form: str) -> float:
    digits, least, most = FORMATS[form]
    found = r.choice((
        0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, 10.0, 0.1, -0.3, math.inf, -math.inf, math.nan,
        2.0**least, 2.0 ** (least - digits + 1), -(2.0**most), 2.0**most * (2 - 2.0 ** (1 - digits)),
        1 + 2.0 ** (1 - digits), 2.0**31, 2.0**63, -(2.0**31) - 1, 255.0, 65504.0, 65520.0,
        r.uniform(-4, 4), r.uniform(-1e6, 1e6), math.ldexp(r.uniform(1, 2), r.randint(least, most)),
    ))  # fmt: skip
    return to_format(found, form)


def inputs(seed: int) -> tuple[list[int], list[float]]:
    """The contents of the first two buffers: i64 as unsigned numbers, and f64."""
    r = random.Random(seed ^ 0x5EED)
    integers = [edge_integer(r, 64) & (1 << 64) - 1 for _ in range(INPUTS)]
    return integers, [edge_float(r, r.choice(FLOATS)) for _ in range(INPUTS)]


def float_literal(value: float, form: str) -> str:
    if form == "bf16":
        bits, digits = struct.unpack("<I", struct.pack("<f", value))[0] >> 16, 4
    else:
        to, of, digits = {"f16": ("e", "H", 4), "f32": ("f", "I", 8), "f64": ("d", "Q", 16)}[form]
        bits = struct.unpack("<" + of, struct.pack("<" + to, value))[0]
    return f"0x{bits:0{digits}X}"


class FunctionText:
    """The lines of a function, and the values that are known where it goes on.

    `scopes` has the names and types that may be used, innermost last; `seed` says all.
    """

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.lines: list[str] = []
        self.count = self.stored = self.depth = 0
        self.scopes: list[list[tuple[str, str]]] = [[]]

    # -- text
    def line(self, text: str) -> None:
        self.lines.append("      " + "  " * self.depth + text)

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def make(self, kind: str, text: str, keep: bool = True) -> str:
        name = self.name()
        self.line(f"{name} = {text}")
        if keep:
            self.scopes[-1].append((name, kind))
        return name

    def index(self, value: int) -> str:
        return self.make("index", f"arith.constant {value} : index", keep=False)

    def constant(self, kind: str) -> str:
        if kind in FORMATS:
            text = float_literal(edge_float(self.r, kind), kind)
        elif kind == "i1":
            text = self.r.choice(("true", "false"))
            return self.make(kind, f"arith.constant {text}")
        else:
            text = str(edge_integer(self.r, width(kind)))
        if kind == "index" and self.r.random() < 0.3:
            return self.make(kind, f"index.constant {text}")
        return self.make(kind, f"arith.constant {text} : {kind}")

    def pick(self, kind: str) -> str:
        known = [name for scope in self.scopes for name, k in scope if k == kind]
        if known and self.r.random() < 0.85:
            return known[-1 - min(int(self.r.expovariate(0.3)), len(known) - 1)]
        return self.constant(kind) if self.r.random() < 0.6 or self.depth else self.read(kind)

    def cast(self, name: str, kind: str, to: str) -> str:
        """A float as a wider or smaller one."""
        if kind == to:
            return name
        if "f16" in (kind, to) and "bf16" in (kind, to):  # no cast between them
            return self.cast(self.cast(name, kind, "f32"), "f32", to)
        word = "extf" if FORMATS[to][0] > FORMATS[kind][0] else "truncf"
        return self.make(to, f"arith.{word} {name} : {kind} to {to}", keep=False)

    # -- inputs and outputs
    def read(self, kind: str) -> str:
        at = self.index(self.r.randrange(INPUTS))
        if kind in FORMATS:
            name = self.make("f64", f"memref.load %fin[{at}] : memref<{INPUTS}xf64>", keep=False)
            found = self.cast(name, "f64", kind)
        else:
            found = self.make("i64", f"memref.load %in[{at}] : memref<{INPUTS}xi64>", keep=False)
            if kind == "index":
                found = self.make(kind, f"arith.index_cast {found} : i64 to index", keep=False)
            elif width(kind) != 64:
                word = "trunci" if width(kind) < 64 else "extsi"
                found = self.make(kind, f"arith.{word} {found} : i64 to {kind}", keep=False)
        self.scopes[-1].append((found, kind))
        return found

    def write(self, name: str, kind: str) -> None:
        at, self.stored = self.stored, self.stored + 1
        if kind in FORMATS:
            self.put(self.cast(name, kind, "f64"), "%fout", at, "f64")
            return
        if kind == "index":
            name, kind = self.make("i64", f"arith.index_cast {name} : index to i64", False), "i64"
        wide = name
        if width(kind) < 128:
            wide = self.make("i128", f"arith.extui {name} : {kind} to i128", False)
        self.put(
            self.make("i64", f"arith.trunci {wide} : i128 to i64", False), "%out", 2 * at, "i64"
        )
        by = self.make("i128", "arith.constant 64 : i128", False)
        high = self.make("i128", f"arith.shrui {wide}, {by} : i128", False)
        high = self.make("i64", f"arith.trunci {high} : i128 to i64", False)
        self.put(high, "%out", 2 * at + 1, "i64")

    def put(self, name: str, buffer: str, at: int, kind: str) -> None:
        size = 2 * OUTPUTS if kind == "i64" else OUTPUTS
        self.line(f"memref.store {name}, {buffer}[{self.index(at)}] : memref<{size}x{kind}>")
