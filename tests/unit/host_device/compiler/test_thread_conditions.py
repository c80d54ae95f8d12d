# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which vectors run a block of code, for random conditions on thread indices, beside Python."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.core.syntax import parse_module
from xgpu.host_device.compiler.vectors.shapes import Layout
from xgpu.host_device.compiler.vectors.thread_conditions import ThreadConditions

Value = Callable[[int, int, int], int]
_MASK = (1 << 32) - 1

BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "udiv": lambda a, b: a // b, "urem": lambda a, b: a % b,
}  # fmt: skip
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "ult": lambda a, b: a < b,
    "uge": lambda a, b: a >= b, "slt": lambda a, b: _signed(a) < _signed(b),
    "sge": lambda a, b: _signed(a) >= _signed(b),
}  # fmt: skip


def _signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value


class Expressions:
    """Text of random operations, each with what it computes of the indices (x, y, z)."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.lines: list[str] = []
        self.numbers: list[tuple[str, Value]] = []
        self.conditions: list[tuple[str, Value]] = []
        for axis, index in zip("xyz", range(3), strict=True):
            name = self._add(f"nvvm.read.ptx.sreg.tid.{axis} : i32")
            self.numbers.append((name, lambda *t, index=index: t[index]))

    def _add(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def constant(self) -> tuple[str, Value]:
        n = self.chance.choice([1, 2, 3, 5, 31, 32, 64, self.chance.randrange(1, 200)])
        return self._add(f"llvm.mlir.constant({n} : i32) : i32"), lambda *_: n

    def number(self) -> None:
        name = self.chance.choice([*BINARY])
        a, f = self.chance.choice(self.numbers)
        by_constant = name in ("udiv", "urem") or self.chance.random() < 0.7
        b, g = self.constant() if by_constant else self.chance.choice(self.numbers)
        compute = BINARY[name]
        made = self._add(f"llvm.{name} {a}, {b} : i32")
        self.numbers.append((made, lambda *t: compute(f(*t), g(*t)) & _MASK))

    def condition(self) -> None:
        name = self.chance.choice([*COMPARE])
        a, f = self.chance.choice(self.numbers)
        b, g = self.constant()
        compare = COMPARE[name]
        made = self._add(f'llvm.icmp "{name}" {a}, {b} : i32')
        self.conditions.append((made, lambda *t: int(compare(f(*t), g(*t)))))

    def both(self) -> None:
        name = self.chance.choice(["and", "or", "select"])
        (a, f), (b, g) = (self.chance.choice(self.conditions) for _ in range(2))
        if name == "select":
            c, h = self.chance.choice(self.conditions)
            made = self._add(f"llvm.select {a}, {b}, {c} : i1, i1")
            self.conditions.append((made, lambda *t: g(*t) if f(*t) else h(*t)))
            return
        compute = BINARY[name]
        made = self._add(f"llvm.{name} {a}, {b} : i1")
        self.conditions.append((made, lambda *t: compute(f(*t), g(*t))))


@pytest.mark.parametrize("seed", range(60))
def test_vectors_that_run_a_block(seed: int):
    chance = random.Random(seed)
    block = chance.choice([(64, 1, 1), (128, 1, 1), (16, 8, 1), (8, 4, 3), (33, 3, 1), (100, 1, 1)])
    made = Expressions(chance)
    for _ in range(5):
        made.number()
    for _ in range(3):
        made.condition()
    made.both()
    (outer, f), (inner, g) = made.conditions[-1], chance.choice(made.conditions)
    lines = "\n".join(made.lines)
    module = parse_module(
        f"llvm.func @k() {{\n{lines}\nllvm.cond_br {outer}, ^a, ^d\n"
        f"^a:\nllvm.cond_br {inner}, ^d, ^b\n^b:\nllvm.br ^c\n^c:\nllvm.br ^d\n^d:\nllvm.return\n}}"
    )
    function = next(iter(module.regions[0].blocks[0].ops))
    graph = ControlFlowGraph(function.regions[0])
    layout = Layout(block, chance.random() < 0.5)
    conditions = ThreadConditions(graph, layout)
    x, y, _ = block
    wide = [(t % x, t // x % y, t // (x * y)) for t in range(layout.threads)]

    def vector(t: int) -> int:
        if layout.rows:
            return t // x * layout.columns + t % x // layout.width
        return t // 32

    blocks = list(function.regions[0].blocks)
    for number, holds in (
        (blocks[1], lambda *t: f(*t) == 1),
        (blocks[2], lambda *t: f(*t) == 1 and g(*t) == 0),
        (blocks[3], lambda *t: f(*t) == 1 and g(*t) == 0),
        (blocks[4], lambda *_: True),
    ):
        want = sorted({vector(t) for t, indices in enumerate(wide) if holds(*indices)})
        assert conditions.vectors(graph.number[number]) == want
