# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels without races: the same result in every form, at every level of optimization.

Each thread reads and writes elements of its own, exchanges values through workgroup memory between
barriers that all threads reach, through shuffles of whole warps, and through atomic operations
whose results nothing reads. Integers wrap; divisors and shift distances are made harmless; floats
are compared bit by bit, so nothing depends on the order of a sum.
"""

from __future__ import annotations

import random
from typing import Any

#: Blocks of one to three dimensions, whole warps and odd sizes.
BLOCKS = (
    (32, 1, 1), (64, 1, 1), (128, 1, 1), (256, 1, 1), (16, 16, 1), (8, 8, 1), (32, 4, 1),
    (4, 4, 4), (16, 2, 2), (2, 16, 1), (64, 2, 1),
    (1, 1, 1), (7, 1, 1), (33, 1, 1), (100, 1, 1), (5, 7, 1), (10, 10, 1), (3, 5, 7), (48, 2, 1),
    (17, 3, 1), (1, 40, 1), (40, 3, 1), (2, 3, 1),
)  # fmt: skip
BINS = 16
WORDS = 4  # that each thread has in each buffer


class RandomKernel:
    """`text` is a module with the kernel `@m::@k`; `block` the size that it is for.

    Its parameters: memref<?xi32> input, memref<?xi32> output, memref<?xf32> input and output,
    memref<16xi32> bins; each thread of the grid owns WORDS elements of the first four.
    """

    #: Whether there are forms that a kernel may not have.
    lacks_forms = False

    def __init__(self, seed: int, block: tuple[int, int, int] | None = None) -> None:
        self.r = random.Random(seed)
        self.block = self.r.choice(BLOCKS)
        if block is not None:
            self.block = block
        x, y, z = self.block
        self.threads = x * y * z
        self.lines: list[str] = []
        self.count = 0
        self.depth = 1
        self.control = 0  # levels of control flow that may differ among threads
        self.warps = self.threads % 32 == 0 and self.r.random() < 0.5
        self.scopes: list[dict[str, list[str]]] = [{}]
        self.statements = self.r.randint(4, 22)
        self.text = self._module()

    # -- text

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def line(self, text: str) -> None:
        self.lines.append("  " * (self.depth + 2) + text)

    def add(self, kind: str, value: str) -> str:
        self.scopes[-1].setdefault(kind, []).append(value)
        return value

    def make(self, kind: str, text: str) -> str:
        value = self.name()
        self.line(f"{value} = {text}")
        return self.add(kind, value)

    def pick(self, kind: str) -> str:
        known = [v for scope in self.scopes for v in scope.get(kind, ())]
        if not known or self.r.random() < 0.1:
            return self.constant(kind)
        # Later values more often, so that long chains arise.
        return known[min(int(self.r.expovariate(0.3)), len(known) - 1) * -1 - 1]

    def constant(self, kind: str) -> str:
        r = self.r
        if kind == "f32":
            number = r.choice(["0.0", "1.0", "-2.5", "0.125", "3.0e4", "-7.0"])
        elif kind == "i1":
            number = r.choice(["true", "false"])
            return self.make(kind, f"arith.constant {number}")
        else:
            number = str(r.choice([0, 1, 2, 3, 7, 8, 31, 32, 100, -1, -5, 1 << 20]))
        return self.make(kind, f"arith.constant {number} : {kind}")

    # -- expressions

    def value(self, kind: str) -> str:
        return getattr(self, f"_{kind}")()

    def _i32(self) -> str:
        r = self.r
        choice = r.randrange(9)
        if choice < 4:
            op = r.choice(["addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxui"])
            return self.make("i32", f"arith.{op} {self.pick('i32')}, {self.pick('i32')} : i32")
        if choice == 4:
            by = self.make("i32", f"arith.andi {self.pick('i32')}, {self._number(31, 'i32')} : i32")
            op = r.choice(["shli", "shrsi", "shrui"])
            return self.make("i32", f"arith.{op} {self.pick('i32')}, {by} : i32")
        if choice == 5:
            by = self.make("i32", f"arith.ori {self.pick('i32')}, {self._number(1, 'i32')} : i32")
            op = r.choice(["divui", "remui"])
            return self.make("i32", f"arith.{op} {self.pick('i32')}, {by} : i32")
        if choice == 6:
            return self.make("i32", f"arith.index_cast {self.pick('index')} : index to i32")
        if choice == 7:
            return self.make(
                "i32",
                f"arith.select {self.pick('i1')}, {self.pick('i32')}, {self.pick('i32')} : i32",
            )
        return self.make("i32", f"arith.extui {self.pick('i1')} : i1 to i32")

    def _index(self) -> str:
        r = self.r
        choice = r.randrange(5)
        if choice < 2:
            op = r.choice(["addi", "subi", "muli", "xori", "minsi"])
            return self.make(
                "index", f"arith.{op} {self.pick('index')}, {self.pick('index')} : index"
            )
        if choice == 2:
            op = r.choice(["divui", "remui"])
            by = self._number(r.choice([2, 4, 8, 16, 32, 3, 5]), "index")
            return self.make("index", f"arith.{op} {self.pick('index')}, {by} : index")
        if choice == 3:
            return self.make("index", f"arith.index_cast {self.pick('i32')} : i32 to index")
        return self.make(
            "index",
            f"arith.select {self.pick('i1')}, {self.pick('index')}, {self.pick('index')} : index",
        )

    def _f32(self) -> str:
        r = self.r
        choice = r.randrange(5)
        if choice < 3:
            op = r.choice(["addf", "subf", "mulf", "divf"])
            return self.make("f32", f"arith.{op} {self.pick('f32')}, {self.pick('f32')} : f32")
        if choice == 3:
            return self.make("f32", f"arith.sitofp {self.pick('i32')} : i32 to f32")
        return self.make(
            "f32", f"arith.select {self.pick('i1')}, {self.pick('f32')}, {self.pick('f32')} : f32"
        )

    def _i1(self) -> str:
        r = self.r
        choice = r.randrange(4)
        if choice == 0:
            how = r.choice(["olt", "ogt", "une", "ueq"])
            return self.make(
                "i1", f"arith.cmpf {how}, {self.pick('f32')}, {self.pick('f32')} : f32"
            )
        if choice == 1:
            op = r.choice(["andi", "ori", "xori"])
            return self.make("i1", f"arith.{op} {self.pick('i1')}, {self.pick('i1')} : i1")
        kind = r.choice(["i32", "index"])
        how = r.choice(["eq", "ne", "slt", "ult", "sge", "ugt"])
        return self.make("i1", f"arith.cmpi {how}, {self.pick(kind)}, {self.pick(kind)} : {kind}")

    def _number(self, value: int, kind: str) -> str:
        name = self.name()
        self.line(f"{name} = arith.constant {value} : {kind}")
        return name

    # -- statements

    def statement(self) -> None:
        r = self.r
        kinds = ["value"] * 6 + ["load", "store", "if", "atomic", "private"]
        if self.depth < 4:
            kinds += ["if", "for", "while"]
        if self.control == 0:
            kinds += ["exchange", "exchange", "uniform_for"]
            if self.warps:
                kinds += ["shuffle", "shuffle", "reduction"]
        getattr(self, f"do_{r.choice(kinds)}")()

    def do_value(self) -> None:
        self.value(self.r.choice(["i32", "index", "f32", "i1"]))

    def _own(self) -> str:
        """The index of one of the thread's own elements."""
        word = self.make(
            "index", f"arith.remui {self.pick('index')}, {self._number(WORDS, 'index')} : index"
        )
        if self.r.random() < 0.5:
            word = self._number(self.r.randrange(WORDS), "index")
        place = self.name()
        if self.r.random() < 0.5:
            self.line(f"{place} = arith.addi %mine, {word} : index")
        else:
            total = self.name()
            self.line(f"{total} = arith.muli {word}, %all : index")
            self.line(f"{place} = arith.addi {total}, %thread : index")
            # Elements of a thread lie apart here, so the two ways must not meet.
        return place

    def do_load(self) -> None:
        kind, buffer = self.r.choice([("i32", "%in"), ("f32", "%fin")])
        if self.r.random() < 0.3:  # one for the whole block
            place = self._number(self.r.randrange(self.threads), "index")
        else:
            place = self._own()
        self.make(kind, f"memref.load {buffer}[{place}] : memref<?x{kind}>")

    def do_store(self) -> None:
        kind, buffer = self.r.choice([("i32", "%out"), ("f32", "%fout")])
        word = self._number(self.r.randrange(WORDS), "index")
        place = self.name()
        self.line(f"{place} = arith.addi %mine, {word} : index")
        self.line(f"memref.store {self.pick(kind)}, {buffer}[{place}] : memref<?x{kind}>")

    def do_private(self) -> None:
        slot = self._number(self.r.randrange(4), "index")
        if self.r.random() < 0.5:
            self.line(f"memref.store {self.pick('i32')}, %private[{slot}] : memref<4xi32>")
        else:
            self.make("i32", f"memref.load %private[{slot}] : memref<4xi32>")

    def do_atomic(self) -> None:
        at = self.name()
        kind = self.r.choice(["addi", "maxs", "minu", "ori"])
        wide = self._number(BINS, "index")
        place = self.make("index", f"arith.remui {self.pick('index')}, {wide} : index")
        # One kind of operation for each bin: two would not commute.
        kinds = ["addi", "maxs", "minu", "ori"]
        four = self._number(4, "index")
        quarter = self.name()
        self.line(f"{quarter} = arith.remui {place}, {four} : index")
        base = self._number(4 * kinds.index(kind), "index")
        bin = self.name()
        self.line(f"{bin} = arith.addi {quarter}, {base} : index")
        self.line(
            f"{at} = memref.atomic_rmw {kind} {self.pick('i32')}, %bins[{bin}] : "
            f"(i32, memref<{BINS}xi32>) -> i32"
        )

    def do_exchange(self) -> None:
        """Through workgroup memory, with a barrier before and after."""
        kind = self.r.choice(["i32", "f32"])
        shared, value = f"%shared_{kind}", self.pick(kind)
        ty = f"memref<{self.threads}x{kind}, #gpu.address_space<workgroup>>"
        self.line(f"memref.store {value}, {shared}[%local] : {ty}")
        self.line("gpu.barrier")
        size = self._number(self.threads, "index")
        other = self.name()
        if self.r.random() < 0.5:
            step = self._number(self.r.randrange(self.threads), "index")
            moved = self.name()
            self.line(f"{moved} = arith.addi %local, {step} : index")
            self.line(f"{other} = arith.remui {moved}, {size} : index")
        elif self.r.random() < 0.5:
            last = self._number(self.threads - 1, "index")
            self.line(f"{other} = arith.subi {last}, %local : index")
        else:
            self.line(f"{other} = arith.remui {self.pick('index')}, {size} : index")
        self.make(kind, f"memref.load {shared}[{other}] : {ty}")
        self.line("gpu.barrier")

    def do_shuffle(self) -> None:
        mode = self.r.choice(["xor", "up", "down", "idx"])
        kind = self.r.choice(["i32", "f32"])
        width = self._number(32, "i32")
        if self.r.random() < 0.7:
            distance = self._number(self.r.randrange(32), "i32")
        else:
            distance = self.name()
            self.line(
                f"{distance} = arith.andi {self.uniform_i32()}, {self._number(31, 'i32')} : i32"
            )
        result, valid = self.name(), self.name()
        self.line(
            f"{result}, {valid} = "
            f"gpu.shuffle {mode} {self.pick(kind)}, {distance}, {width} : {kind}"
        )
        self.add(kind, result)
        self.add("i1", valid)

    def uniform_i32(self) -> str:
        value = self.name()
        self.line(f"{value} = arith.index_cast %block : index to i32")
        return value

    def do_reduction(self) -> None:
        mask = self._number(-1, "i32")
        if self.r.random() < 0.5:
            op = self.r.choice(["add", "min", "umax", "xor", "and"])
            self.make("i32", f"nvvm.redux.sync {op} {self.pick('i32')}, {mask} : i32 -> i32")
            return
        kind, result = self.r.choice([("any", "i1"), ("all", "i1"), ("ballot", "i32")])
        self.make(result, f"nvvm.vote.sync {kind} {mask}, {self.pick('i1')} -> {result}")

    # -- control flow

    def inside(self, statements: int) -> None:
        self.depth += 1
        self.scopes.append({})
        for _ in range(statements):
            self.statement()

    def leave(self) -> None:
        self.scopes.pop()
        self.depth -= 1

    def do_if(self) -> None:
        condition = self.pick("i1") if self.r.random() < 0.7 else self.value("i1")
        kind = self.r.choice(["i32", "f32", "index"])
        self.control += 1
        result = self.name()
        self.line(f"{result} = scf.if {condition} -> ({kind}) {{")
        self.inside(self.r.randint(1, 4))
        self.line(f"scf.yield {self.pick(kind)} : {kind}")
        self.leave()
        self.line("} else {")
        self.inside(self.r.randint(0, 3))
        self.line(f"scf.yield {self.pick(kind)} : {kind}")
        self.leave()
        self.line("}")
        self.control -= 1
        self.add(kind, result)

    def _loop(self, bound: str) -> None:
        kind = self.r.choice(["i32", "f32"])
        start, result, index, state = self.pick(kind), self.name(), self.name(), self.name()
        zero, one = self._number(0, "index"), self._number(1, "index")
        self.line(
            f"{result} = scf.for {index} = {zero} to {bound} step {one} "
            f"iter_args({state} = {start}) -> ({kind}) {{"
        )
        self.depth += 1
        self.scopes.append({"index": [index], kind: [state]})
        for _ in range(self.r.randint(1, 4)):
            self.statement()
        self.line(f"scf.yield {self.pick(kind)} : {kind}")
        self.leave()
        self.line("}")
        self.add(kind, result)

    def do_uniform_for(self) -> None:
        self._loop(self._number(self.r.randint(1, 4), "index"))

    def do_for(self) -> None:
        limit = self._number(self.r.choice([2, 3, 5]), "index")
        bound = self.name()
        self.line(f"{bound} = arith.remui {self.pick('index')}, {limit} : index")
        self.control += 1
        self._loop(bound)
        self.control -= 1

    def do_while(self) -> None:
        """Runs a number of times that differs among threads, at most 7."""
        kind = self.r.choice(["i32", "f32"])
        result, state, counter = self.name(), self.name(), self.name()
        limit = self.name()
        self.line(f"{limit} = arith.andi {self.pick('i32')}, {self._number(7, 'i32')} : i32")
        zero = self._number(0, "i32")
        start = self.pick(kind)
        self.control += 1
        self.line(
            f"{result}:2 = scf.while ({counter} = {zero}, {state} = {start}) : "
            f"(i32, {kind}) -> (i32, {kind}) {{"
        )
        self.depth += 1
        self.scopes.append({"i32": [counter], kind: [state]})
        for _ in range(self.r.randint(0, 2)):
            self.statement()
        more = self.name()
        self.line(f"{more} = arith.cmpi slt, {counter}, {limit} : i32")
        condition = more
        if self.r.random() < 0.4:
            condition = self.name()
            self.line(f"{condition} = arith.andi {more}, {self.pick('i1')} : i1")
        self.line(f"scf.condition({condition}) {counter}, {self.pick(kind)} : i32, {kind}")
        self.leave()
        inner, value = self.name(), self.name()
        self.line("} do {")
        self.line(f"^bb0({inner}: i32, {value}: {kind}):")
        self.depth += 1
        self.scopes.append({"i32": [inner], kind: [value]})
        for _ in range(self.r.randint(0, 3)):
            self.statement()
        following = self.name()
        self.line(f"{following} = arith.addi {inner}, {self._number(1, 'i32')} : i32")
        self.line(f"scf.yield {following}, {self.pick(kind)} : i32, {kind}")
        self.leave()
        self.line("}")
        self.control -= 1
        self.add(kind, f"{result}#1")
        self.add("i32", f"{result}#0")

    # -- the module

    def finish(self) -> None:
        """What comes before the last stores."""

    def _module(self) -> str:
        for axis in "xyz":
            self.line(f"%t{axis} = gpu.thread_id {axis}")
            self.line(f"%b{axis} = gpu.block_dim {axis}")
            self.add("index", f"%t{axis}")
        self.line("%block = gpu.block_id x")
        self.line("%blocks = gpu.grid_dim x")
        for text in (
            "%zy = arith.muli %tz, %by : index", "%row = arith.addi %zy, %ty : index",
            "%rowx = arith.muli %row, %bx : index", "%local = arith.addi %rowx, %tx : index",
            f"%size = arith.constant {self.threads} : index",
            "%first = arith.muli %block, %size : index",
            "%thread = arith.addi %first, %local : index",
            f"%words = arith.constant {WORDS} : index",
            "%mine = arith.muli %thread, %words : index",
            "%all = arith.muli %blocks, %size : index",
            "%private = memref.alloca() : memref<4xi32>",
        ):  # fmt: skip
            self.line(text)
        zero = self._number(0, "i32")
        for slot in range(4):
            self.line(
                f"memref.store {zero}, %private[{self._number(slot, 'index')}] : memref<4xi32>"
            )
        for name in ("%local", "%thread", "%block"):
            self.add("index", name)
        self.do_load()
        self.do_load()
        for _ in range(self.statements):
            self.statement()
        self.finish()
        for kind, buffer in (("i32", "%out"), ("f32", "%fout")):
            for word in range(2):
                place = self.name()
                self.line(f"{place} = arith.addi %mine, {self._number(word, 'index')} : index")
                self.line(f"memref.store {self.pick(kind)}, {buffer}[{place}] : memref<?x{kind}>")
        body = "\n".join(self.lines)
        space = "#gpu.address_space<workgroup>"
        return f"""\
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%in: memref<?xi32>, %out: memref<?xi32>, %fin: memref<?xf32>, %fout: memref<?xf32>,
                %bins: memref<{BINS}xi32>)
        workgroup(%shared_i32: memref<{self.threads}xi32, {space}>,
                  %shared_f32: memref<{self.threads}xf32, {space}>) kernel {{
{body}
      gpu.return
    }}
  }}
}}
"""


def arguments(kernel: RandomKernel, blocks: int, seed: int = 0) -> list[Any]:
    """Buffers for a launch of `blocks` blocks: numpy arrays in the order of the parameters."""
    import numpy as np

    rng = np.random.default_rng(seed)
    count = kernel.threads * blocks * WORDS
    return [
        rng.integers(-1000, 1000, count, dtype=np.int32),
        np.zeros(count, np.int32),
        rng.standard_normal(count).astype(np.float32),
        np.zeros(count, np.float32),
        np.zeros(BINS, np.int32),
    ]
