# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose control flow has no structure: ways that meet anywhere, breaks, continues.

Blocks are in an order; each branches to later ones, with values for their arguments. Around them
may stand a loop, to whose next round or end any block may go, and around that another.
"""

from __future__ import annotations

import random

from tests.support.random_kernels import BINS, BLOCKS, WORDS

_STATE = "i32, i32, f32"


class RandomGraph:
    """A kernel as `RandomKernel` has it: `text`, `block`, `threads`, and the same parameters."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.block = self.r.choice(BLOCKS)
        x, y, z = self.block
        self.threads = x * y * z
        self.count = 0
        self.lines: list[str] = []
        self.uniform = self.r.random() < 0.3
        self.text = self._module()

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def line(self, text: str) -> None:
        self.lines.append("      " + text)

    def make(self, text: str) -> str:
        value = self.name()
        self.line(f"{value} = {text}")
        return value

    def _work(self, i: str, j: str, f: str) -> tuple[str, str, str]:
        """Some operations on a block's state."""
        r = self.r
        for _ in range(r.randint(0, 4)):
            choice = r.randrange(6)
            if choice == 0:
                i = self.make(f"arith.{r.choice(['addi', 'xori', 'muli'])} {i}, {j} : i32")
            elif choice == 1:
                j = self.make(f"arith.addi {j}, %c{r.choice([1, 3, 7])} : i32")
            elif choice == 2:
                f = self.make(f"arith.{r.choice(['addf', 'mulf'])} {f}, %half : f32")
            elif choice == 3:
                by = self.make(f"arith.ori {j}, %c1 : i32")
                i = self.make(f"arith.remui {i}, {by} : i32")
            elif choice == 4:
                word = self.make(f"arith.index_cast {r.choice([i, j])} : i32 to index")
                word = self.make(f"arith.remui {word}, %words : index")
                at = self.make(f"arith.addi %mine, {word} : index")
                if r.random() < 0.5:
                    self.line(f"memref.store {i}, %out[{at}] : memref<?xi32>")
                else:
                    i = self.make(f"memref.load %in[{at}] : memref<?xi32>")
            else:
                bin = self.make(f"arith.andi {j}, %c7 : i32")
                place = self.make(f"arith.index_cast {bin} : i32 to index")
                self.make(
                    f"memref.atomic_rmw addi %c3, %bins[{place}] : (i32, memref<{BINS}xi32>) -> i32"
                )
        return i, j, f

    def _condition(self, i: str, j: str, f: str) -> str:
        r = self.r
        choice = r.randrange(4)
        if choice == 0:
            return self.make(f"arith.cmpf {r.choice(['olt', 'uge'])}, {f}, %half : f32")
        if choice == 1 and self.uniform:
            return self.make("arith.cmpi ult, %block32, %c1 : i32")
        other = r.choice([j, "%c3", "%lane"])
        bit = self.make(f"arith.andi {r.choice([i, j, '%lane'])}, %c{r.choice([1, 3, 7])} : i32")
        how = r.choice(["eq", "ne", "slt", "ugt"])
        return self.make(f"arith.cmpi {how}, {bit}, {other} : i32")

    def _graph(self, prefix: str, depth: int, following: str, outer: list[str]) -> None:
        """Blocks `prefix`0.. that end at `following` or at one of `outer`."""
        r = self.r
        count = r.randint(2, 7)
        names = [f"^{prefix}{n}" for n in range(count)]
        for n, name in enumerate(names):
            i, j, f = (self.name() for _ in range(3))
            self.line(f"{name}({i}: i32, {j}: i32, {f}: f32):")
            if depth < 2 and r.random() < 0.2:
                self._loop(f"{prefix}{n}l", depth + 1, (i, j, f), outer, names, n, following)
                continue
            i, j, f = self._work(i, j, f)
            targets = names[n + 1 :] + [following]
            if outer and r.random() < 0.25:
                targets = outer
            self._branch(targets, i, j, f)

    def _branch(self, targets: list[str], i: str, j: str, f: str) -> None:
        first, second = self.r.choice(targets), self.r.choice(targets)
        given = [i, j]
        self.r.shuffle(given)
        one = f"({given[0]}, {given[1]}, {f} : {_STATE})"
        if self.r.random() < 0.25:
            self.line(f"cf.br {first}{one}")
            return
        condition = self._condition(i, j, f)
        other = self.make(f"arith.addi {i}, %lane : i32")
        two = f"({other}, {j}, {f} : {_STATE})"
        self.line(f"cf.cond_br {condition}, {first}{one}, {second}{two}")

    def _loop(
        self,
        prefix: str,
        depth: int,
        state: tuple[str, str, str],
        outer: list[str],
        names: list[str],
        n: int,
        following: str,
    ) -> None:
        """A loop of at most four rounds: header, blocks, latch, and what follows it."""
        head, latch, after = f"^{prefix}h", f"^{prefix}t", f"^{prefix}a"
        ty = "i32, " + _STATE
        self.line(f"cf.br {head}(%c0, {', '.join(state)} : {ty})")
        k, i, j, f = (self.name() for _ in range(4))
        self.line(f"{head}({k}: i32, {i}: i32, {j}: i32, {f}: f32):")
        limit = self.make(f"arith.andi {self.r.choice([i, '%lane', '%c3'])}, %c3 : i32")
        more = self.make(f"arith.cmpi slt, {k}, {limit} : i32")
        body = f"^{prefix}b0"
        self.line(
            f"cf.cond_br {more}, {body}({i}, {j}, {f} : {_STATE}), {after}({i}, {j}, {f} : {_STATE})"
        )
        escapes = [latch, after]
        if self.r.random() < 0.3:
            escapes += outer
        self._graph(f"{prefix}b", depth, latch, escapes)
        a, b, c = (self.name() for _ in range(3))
        self.line(f"{latch}({a}: i32, {b}: i32, {c}: f32):")
        following_k = self.make(f"arith.addi {k}, %c1 : i32")
        self.line(f"cf.br {head}({following_k}, {a}, {b}, {c} : {ty})")
        a, b, c = (self.name() for _ in range(3))
        self.line(f"{after}({a}: i32, {b}: i32, {c}: f32):")
        # What the loop defines is used behind it, where lanes left it at different times.
        kept = self.make(f"arith.addi {a}, {self.r.choice([k, i, limit])} : i32")
        a, b, c = self._work(kept, b, c)
        self._branch(names[n + 1 :] + [following], a, b, c)

    def _module(self) -> str:
        for text in (
            "%tx = gpu.thread_id x", "%ty = gpu.thread_id y", "%tz = gpu.thread_id z",
            "%bx = gpu.block_dim x", "%by = gpu.block_dim y", "%block = gpu.block_id x",
            "%zy = arith.muli %tz, %by : index", "%row = arith.addi %zy, %ty : index",
            "%rowx = arith.muli %row, %bx : index", "%local = arith.addi %rowx, %tx : index",
            f"%size = arith.constant {self.threads} : index",
            "%first = arith.muli %block, %size : index",
            "%thread = arith.addi %first, %local : index",
            f"%words = arith.constant {WORDS} : index",
            "%mine = arith.muli %thread, %words : index",
            "%lane = arith.index_cast %local : index to i32",
            "%block32 = arith.index_cast %block : index to i32",
            "%half = arith.constant 0.5 : f32",
            *(f"%c{n} = arith.constant {n} : i32" for n in (0, 1, 3, 7)),
            "%start = memref.load %in[%mine] : memref<?xi32>",
            "%fstart = memref.load %fin[%mine] : memref<?xf32>",
        ):  # fmt: skip
            self.line(text)
        if self.r.random() < 0.6:
            self.line(f"cf.br ^w(%start, %lane, %fstart : {_STATE})")
            i, j, f = (self.name() for _ in range(3))
            self.line(f"^w({i}: i32, {j}: i32, {f}: f32):")
            self._loop("w", 0, (i, j, f), [], [], 0, "^end")
        else:
            self.line(f"cf.br ^g0(%start, %lane, %fstart : {_STATE})")
            self._graph("g", 0, "^end", [])
        self.line("^end(%i: i32, %j: i32, %f: f32):")
        self.line("%next = arith.addi %mine, %one : index")
        self.line("memref.store %i, %out[%mine] : memref<?xi32>")
        self.line("memref.store %j, %out[%next] : memref<?xi32>")
        self.line("memref.store %f, %fout[%mine] : memref<?xf32>")
        self.lines.insert(0, "      %one = arith.constant 1 : index")
        body = "\n".join(self.lines)
        return f"""\
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%in: memref<?xi32>, %out: memref<?xi32>, %fin: memref<?xf32>, %fout: memref<?xf32>,
                %bins: memref<{BINS}xi32>) kernel {{
{body}
      gpu.return
    }}
  }}
}}
"""
