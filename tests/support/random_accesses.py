# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose addresses and conditions are computed from the numbers of blocks and
threads, counters of loops and arguments: most accesses are right, some are not."""

from __future__ import annotations

import random

_HEAD = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: memref<?xi32>, %b: memref<?xi32>, %h: memref<?xi16>, %n: index, %p: index,
                %q: index, %r: index) kernel {
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %tz = gpu.thread_id z
      %gx = gpu.block_id x
      %gy = gpu.block_id y
      %gz = gpu.block_id z
      %sx = gpu.block_dim x
      %sy = gpu.block_dim y
      %sz = gpu.block_dim z
      %dx = gpu.grid_dim x
      %dy = gpu.grid_dim y
      %t0 = arith.muli %tz, %sy : index
      %t1 = arith.addi %t0, %ty : index
      %t2 = arith.muli %t1, %sx : index
      %t = arith.addi %t2, %tx : index
      %g0 = arith.muli %gz, %dy : index
      %g1 = arith.addi %g0, %gy : index
      %g2 = arith.muli %g1, %dx : index
      %g = arith.addi %g2, %gx : index
      %s0 = arith.muli %sx, %sy : index
      %size = arith.muli %s0, %sz : index
      %i0 = arith.muli %g, %size : index
      %i = arith.addi %i0, %t : index
"""
_TAIL = """
      gpu.return
    }
    gpu.func @other(%to: memref<?xi32>, %at: index) kernel {
      %t = gpu.thread_id x
      %i = arith.addi %at, %t : index
      %v = arith.constant 77 : i32
      memref.store %v, %to[%i] : memref<?xi32>
      gpu.return
    }
  }
}
"""
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
#: Words of each of the two arrays, and of blocks and threads.
WORDS, THREADS = 256, 64
SHAPES = (
    ((4, 1, 1), (16, 1, 1)), ((2, 2, 1), (4, 4, 1)), ((1, 2, 2), (2, 2, 4)),
    ((2, 1, 1), (32, 1, 1)), ((1, 1, 1), (8, 4, 2)), ((64, 1, 1), (1, 1, 1)),
)  # fmt: skip


class _Kernel:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self._names = 0
        self._room = 40  # operations until no more loops and conditions are made

    def new(self, text: str) -> str:
        self._names += 1
        self._room -= 1
        self.lines.append(f"%v{self._names} = {text}")
        return f"%v{self._names}"

    def constant(self, *values: int) -> str:
        return self.new(f"arith.constant {self.rng.choice(values)} : index")

    def value(self, values: list[str], depth: int = 2) -> str:
        """A number."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            if rng.random() < 0.2:
                return self.constant(-64, -3, -1, 0, 1, 2, 5, 8, 63, 64, 255)
            return rng.choice(values)
        kind = rng.randrange(9)
        x = self.value(values, depth - 1)
        if kind <= 2:
            by = self.value(values, depth - 1)
            return self.new(f"arith.{rng.choice(('addi', 'subi'))} {x}, {by} : index")
        if kind == 3:
            return self.new(f"arith.muli {x}, {self.constant(-4, -1, 1, 2, 3, 4, 8)} : index")
        if kind == 4:
            name = rng.choice(("divui", "remui", "divsi", "remsi"))
            return self.new(f"arith.{name} {x}, {self.constant(2, 3, 4, 8, 16)} : index")
        if kind == 5:
            name, by = rng.choice((("andi", (1, 7, 15, 63)), ("shli", (1, 2)), ("shrui", (1, 2, 3)),
                                   ("shrsi", (1, 2)), ("ori", (1, 2, 4, 64))))  # fmt: skip
            return self.new(f"arith.{name} {x}, {self.constant(*by)} : index")
        if kind == 6:
            name = rng.choice(("minsi", "maxsi"))
            return self.new(f"arith.{name} {x}, {self.value(values, depth - 1)} : index")
        if kind == 7:
            bits = rng.choice(("i32", "i32", "i16", "i8"))
            less = self.new(f"arith.index_cast {x} : index to {bits}")
            less = self.new(f"arith.{rng.choice(('addi', 'muli', 'subi'))} {less}, {less} : {bits}")
            name = rng.choice(("index_cast", "index_castui"))
            return self.new(f"arith.{name} {less} : {bits} to index")
        return self.new(
            f"arith.select {self.condition(values, 0)}, {x}, {self.value(values, 1)} : index"
        )

    def condition(self, values: list[str], depth: int = 1) -> str:
        rng = self.rng
        if depth and rng.random() < 0.3:
            name = rng.choice(("andi", "ori", "xori"))
            x, y = self.condition(values, 0), self.condition(values, 0)
            return self.new(f"arith.{name} {x}, {y} : i1")
        x, y = self.value(values, 1), self.value(values, 1)
        return self.new(f"arith.cmpi {rng.choice(_PREDICATES)}, {x}, {y} : index")

    def access(self, values: list[str]) -> None:
        rng = self.rng
        memory, bits, words = rng.choice((
            ("%a", "i32", WORDS), ("%b", "i32", WORDS), ("%b", "i32", WORDS),
            ("%h", "i16", 2 * WORDS)))  # fmt: skip
        at = "%i" if rng.random() < 0.3 else self.value(values, 3)
        is_guarded = rng.random() < 0.7
        if is_guarded:
            if rng.random() < 0.7:
                size = self.constant(words)
                inside = self.new(f"arith.cmpi ult, {at}, {size} : index")
            else:
                first, last = self.constant(0, 0, 1, 8), self.constant(words, words - 1, 64)
                low = self.new(f"arith.cmpi sge, {at}, {first} : index")
                high = self.new(f"arith.cmpi slt, {at}, {last} : index")
                inside = self.new(f"arith.andi {low}, {high} : i1")
            self.lines.append(f"scf.if {inside} {{")
        if rng.random() < 0.4:
            value = self.new(f"arith.constant 3 : {bits}")
            self.lines.append(f"memref.store {value}, {memory}[{at}] : memref<?x{bits}>")
        else:
            value = self.new(f"memref.load {memory}[{at}] : memref<?x{bits}>")
            if rng.random() < 0.5:
                self.lines.append(f"memref.store {value}, {memory}[{at}] : memref<?x{bits}>")
            else:
                wide = value if bits == "i32" else self.new(f"arith.extui {value} : {bits} to i32")
                self.lines.append(f"memref.store {wide}, %b[%i] : memref<?xi32>")
        if is_guarded:
            self.lines.append("}")

    def statement(self, values: list[str], depth: int) -> None:
        rng = self.rng
        kind = rng.randrange(4) if depth and self._room > 0 else 0
        if kind <= 1:
            self.access(values)
        elif kind == 2:
            self.lines.append(f"scf.if {self.condition(values)} {{")
            self.statement(values, depth - 1)
            if rng.random() < 0.3:
                self.lines.append("} else {")
                self.statement(values, depth - 1)
            self.lines.append("}")
        else:
            if rng.random() < 0.5:
                # A loop from the least of the arguments on would not end in time.
                low = f"%from{self._names}"
                value = self.value(values, 1)
                least = f"{low}_least"
                self.lines.append(f"{least} = arith.constant -64 : index")
                self.lines.append(f"{low} = arith.maxsi {value}, {least} : index")
            else:
                low = self.constant(0, 1)
            high = self.constant(0, 1, 4, 8) if rng.random() < 0.6 else rng.choice(("%n", "%p"))
            step = self.constant(1, 1, 2, 64) if rng.random() < 0.8 else "%size"
            self._names += 1
            counter = f"%j{self._names}"
            self.lines.append(f"scf.for {counter} = {low} to {high} step {step} {{")
            self.statement([*values, counter, counter], depth - 1)
            self.lines.append("}")


def random_kernel(rng: random.Random) -> str:
    """A module with a kernel `k`, and one `other` that writes words of an array."""
    kernel = _Kernel(rng)
    values = ["%i", "%i", "%t", "%g", "%tx", "%ty", "%gx", "%gy", "%n", "%p", "%q", "%r"]
    for _ in range(rng.randrange(1, 4)):
        kernel.statement(values, 2)
    return _HEAD + "\n".join(kernel.lines) + _TAIL


def random_numbers(rng: random.Random) -> tuple[int, int, int, int]:
    """Arguments n, p, q and r."""
    return (
        rng.choice((64, 64, 63, 100, 256)), rng.choice((1, 1, 2, 4, 8, 0, -1)),
        rng.choice((0, 0, 1, 8, 64, -64)), rng.choice((0, 1, 7, 128, 1 << 31, -(1 << 62))),
    )  # fmt: skip
