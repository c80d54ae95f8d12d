# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels of atomic operations, and a plain model of what they may do.

Words are in memory of all blocks, in memory of a block's own, and in workgroup memory. In a phase,
which barriers end, a word gets operations of one kind. Where results are not read, no order of them
shows, so that the model knows what is left. Where they are, each operation that ran is a step from
the value it has read to the one it has left, and all steps on a word must make one path from what
it was to what is left.

Floats are small whole numbers, whose sums are exact.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

BLOCKS, THREADS = 3, 64
COUNT = BLOCKS * THREADS
INPUTS = 6  # words of input that each thread has
ROUNDS = 4  # of a loop, at most
_PHASES = 3  # at most
_FEW = 41  # threads that a guard by their number lets through
_UNTOUCHED = 0x5A5A5A5A5A5A5A5A

_INTEGERS = (
    "add", "sub", "_and", "nand", "_or", "_xor", "max", "min", "umax", "umin", "xchg", "uinc_wrap",
    "udec_wrap", "cas", "loop",
)  # fmt: skip
_FLOATS = ("fadd", "fsub", "fmax", "fmin", "xchg", "loop")
#: Kinds of which what is left depends on the order.
_ORDERED = ("nand", "xchg", "cas", "udec_wrap")


class Words(NamedTuple):
    """An area: its words' type, how many a block (or all blocks) has, where they begin in bytes."""

    name: str
    type: str
    span: int
    begin: int

    @property
    def size(self) -> int:
        return int(self.type[1:]) // 8


class Use(NamedTuple):
    """What a phase does with the words of an area; `is_read`: whether results are."""

    kind: str
    is_read: bool
    ordering: str


class Statement(NamedTuple):
    """An operation of each thread that the guard lets through, in a loop of so many rounds.
    `place`, `value` and `other` name what the thread has; `slot` is where results go."""

    words: Words
    use: Use
    place: str
    value: int
    other: int
    guard: str
    rounds: str
    slot: int


class AtomicKernel:
    """`text` is a module with the kernel `@m::@k`, whose parameters are: memref<?xi32> with
    `INPUTS` words a thread, the address of `bytes` of memory, memref<?xi64> for results that are
    read, memref<?xi64> for what words are at the end of a phase."""

    def __init__(self, seed: int) -> None:
        self.r = r = random.Random(seed)
        kinds = ("i32", "i32", "i64", "f32", "f64")
        at = 0
        self.words: list[Words] = []
        for name in ("all", "own", "group"):
            spans = (1, 3, 16, 64, 3000) if name == "all" else (1, 3, 16, 64)
            words = Words(name, r.choice(kinds), r.choice(spans), at if name != "group" else 0)
            self.words.append(words)
            at += -(-words.size * words.span * BLOCKS // 64) * 64 if name != "group" else 0
        self.bytes = at
        self.is_relaxed = r.random() < 0.5
        self.slots = 0
        first = {words: self._use(words) for words in self.words}
        self.phases: list[list[Statement]] = []
        for number in range(r.randint(1, _PHASES)):
            uses = {
                w: first[w] if number == 0 or w.name == "all" else self._use(w) for w in self.words
            }
            self.phases.append([self._statement(uses) for _ in range(r.randint(1, 4))])
        self.text = "\n".join(self._module())

    def _use(self, words: Words) -> Use:
        kind = self.r.choice(_FLOATS if words.type[0] == "f" else _INTEGERS)
        is_read = kind in _ORDERED or (kind != "loop" and self.r.random() < 0.4)
        return Use(kind, is_read, self.r.choice(("monotonic", "monotonic", "acq_rel")))

    def _statement(self, uses: dict[Words, Use]) -> Statement:
        r = self.r
        words = r.choice(self.words)
        use = uses[words]
        made = Statement(
            words, use, r.choice(("in0", "in1", "t", "0", "x")), r.randrange(INPUTS),
            r.randrange(INPUTS), r.choice(("", "", "in2", "in3", "t")),
            r.choice(("1", "1", "3", "in4")), self.slots,
        )  # fmt: skip
        if use.is_read:
            self.slots += ROUNDS
        return made

    # -- text

    def _module(self) -> Iterator[str]:
        group = self.words[2]
        yield "module attributes {gpu.container_module} { gpu.module @m {"
        yield (
            f"llvm.mlir.global internal @w() {{addr_space = 3 : i32, alignment = 8 : i64}} : "
            f"!llvm.array<64 x {group.type}>"
        )
        yield (
            "gpu.func @k(%in: memref<?xi32>, %mem: !llvm.ptr, %out: memref<?xi64>, "
            "%look: memref<?xi64>) kernel {"
        )
        for number in (0, 1, 2, 3, 7, 64, COUNT):
            yield f"%n{number} = arith.constant {number} : i64"
            yield f"%m{number} = arith.constant {number} : i32"
        yield """%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%t_ = gpu.thread_id x
%g_ = gpu.block_id x
%t = arith.index_cast %t_ : index to i64
%g = arith.index_cast %g_ : index to i64
%before = arith.muli %g, %n64 : i64
%x = arith.addi %before, %t : i64
%w = llvm.mlir.addressof @w : !llvm.ptr<3>"""
        for number in range(INPUTS):
            yield f"""%at{number}_ = arith.constant {number * COUNT} : i64
%at{number} = arith.addi %at{number}_, %x : i64
%ix{number} = arith.index_cast %at{number} : i64 to index
%in{number} = memref.load %in[%ix{number}] : memref<?xi32>"""
        for words in self.words:
            yield f"%span_{words.name} = arith.constant {words.span} : i64"
            base = "%w" if words.name == "group" else "%mem"
            space = "<3>" if words.name == "group" else ""
            yield f"%begin_{words.name} = arith.constant {words.begin} : i64"
            yield (
                f"%p_{words.name}_ = llvm.getelementptr {base}[%begin_{words.name}] : "
                f"(!llvm.ptr{space}, i64) -> !llvm.ptr{space}, i8"
            )
            if words.name == "own":
                yield "%of_block = arith.muli %g, %span_own : i64"
                yield (
                    f"%p_own = llvm.getelementptr %p_own_[%of_block] : (!llvm.ptr, i64) -> "
                    f"!llvm.ptr, {words.type}"
                )
            else:
                yield (
                    f"%p_{words.name} = llvm.getelementptr %p_{words.name}_[0] : "
                    f"(!llvm.ptr{space}) -> !llvm.ptr{space}, {words.type}"
                )
        yield from self._fill(group)
        number = 0
        for phase, statements in enumerate(self.phases):
            for statement in statements:
                yield from self._lines(statement, number)
                number += 1
            yield "gpu.barrier"
            for area in (1, 2):
                yield from self._look(self.words[area], 2 * phase + area - 1)
            yield "gpu.barrier"
        yield "gpu.return } } }"

    def _fill(self, words: Words) -> Iterator[str]:
        """What the words of workgroup memory are at first: the same as those of input 5."""
        yield f"%few = arith.cmpi ult, %t, %span_{words.name} : i64\nscf.if %few {{"
        yield from self._value("fill", "%in5", words.type)
        yield self._address("fill_p", words, "%t")
        yield f"llvm.store %fill, %fill_p : {words.type}, !llvm.ptr<3>\n}}\ngpu.barrier"

    def _look(self, words: Words, place: int) -> Iterator[str]:
        n = f"look{place}"
        space = "<3>" if words.name == "group" else ""
        yield f"%{n}_few = arith.cmpi ult, %t, %span_{words.name} : i64\nscf.if %{n}_few {{"
        yield self._address(f"{n}_p", words, "%t")
        yield f"%{n} = llvm.load %{n}_p : !llvm.ptr{space} -> {words.type}"
        yield from self._bits(n, words.type)
        yield f"%{n}_c = arith.constant {place * COUNT} : i64"
        yield f"%{n}_i = arith.addi %{n}_c, %x : i64"
        yield f"%{n}_x = arith.index_cast %{n}_i : i64 to index"
        yield f"memref.store %{n}_b, %look[%{n}_x] : memref<?xi64>\n}}"

    @staticmethod
    def _address(name: str, words: Words, index: str) -> str:
        space = "<3>" if words.name == "group" else ""
        return (
            f"%{name} = llvm.getelementptr %p_{words.name}[{index}] : (!llvm.ptr{space}, i64) -> "
            f"!llvm.ptr{space}, {words.type}"
        )

    @staticmethod
    def _value(name: str, value: str, ty: str) -> Iterator[str]:
        if ty == "i32":
            yield f"%{name} = arith.addi {value}, %m0 : i32"
        elif ty == "i64":
            yield f"%{name} = arith.extsi {value} : i32 to i64"
        else:
            yield f"%{name}_s = arith.remsi {value}, %m64 : i32"
            yield f"%{name} = arith.sitofp %{name}_s : i32 to {ty}"

    @staticmethod
    def _bits(name: str, ty: str) -> Iterator[str]:
        if ty == "i64":
            yield f"%{name}_b = arith.addi %{name}, %n0 : i64"
        elif ty == "f64":
            yield f"%{name}_b = arith.bitcast %{name} : f64 to i64"
        elif ty == "f32":
            yield f"%{name}_i32 = arith.bitcast %{name} : f32 to i32"
            yield f"%{name}_b = arith.extsi %{name}_i32 : i32 to i64"
        else:
            yield f"%{name}_b = arith.extsi %{name} : i32 to i64"

    def _lines(self, s: Statement, number: int) -> Iterator[str]:
        n = f"s{number}"
        if s.guard == "t":
            yield f"%{n}_few = arith.constant {_FEW} : i64"
            yield f"%{n}_if = arith.cmpi ult, %t, %{n}_few : i64"
        elif s.guard:
            yield f"%{n}_and = arith.andi %{s.guard}, %m3 : i32"
            yield f"%{n}_if = arith.cmpi ne, %{n}_and, %m0 : i32"
        if s.guard:
            yield f"scf.if %{n}_if {{"
        if s.rounds == "in4":
            yield f"%{n}_more = arith.andi %in4, %m3 : i32"
            yield f"%{n}_end = arith.index_cast %{n}_more : i32 to index"
        else:
            yield f"%{n}_end = arith.constant {s.rounds} : index"
        yield f"scf.for %{n}_j = %zero to %{n}_end step %one {{"
        yield f"%{n}_k = arith.index_cast %{n}_j : index to i64"
        yield f"%{n}_k32 = arith.trunci %{n}_k : i64 to i32"
        yield from self._index(s, n)
        yield self._address(f"{n}_p", s.words, f"%{n}_at")
        yield f"%{n}_v0 = arith.addi %in{s.value}, %{n}_k32 : i32"
        yield from self._operation(s, n)
        if s.use.is_read:
            yield from self._bits(f"{n}_old", s.words.type)
            yield f"%{n}_c = arith.constant {s.slot * COUNT} : i64"
            yield f"%{n}_far = arith.muli %{n}_k, %n{COUNT} : i64"
            yield f"%{n}_o = arith.addi %{n}_c, %{n}_far : i64"
            yield f"%{n}_ox = arith.addi %{n}_o, %x : i64"
            yield f"%{n}_oi = arith.index_cast %{n}_ox : i64 to index"
            yield f"memref.store %{n}_old_b, %out[%{n}_oi] : memref<?xi64>"
        yield "}" + ("\n}" if s.guard else "")

    @staticmethod
    def _index(s: Statement, n: str) -> Iterator[str]:
        if s.place.startswith("in"):
            yield f"%{n}_a = arith.extui %{s.place} : i32 to i64"
            yield f"%{n}_s = arith.addi %{n}_a, %{n}_k : i64"
        elif s.place == "0":
            yield f"%{n}_s = arith.addi %n0, %{n}_k : i64"
        else:
            yield f"%{n}_s = arith.addi %{s.place}, %{n}_k : i64"
        yield f"%{n}_at = arith.remui %{n}_s, %span_{s.words.name} : i64"

    def _operation(self, s: Statement, n: str) -> Iterator[str]:
        ty = s.words.type
        pointer = "!llvm.ptr<3>" if s.words.name == "group" else "!llvm.ptr"
        kind, order = s.use.kind, s.use.ordering
        if kind == "cas":
            yield f"%{n}_e0 = arith.andi %{n}_v0, %m3 : i32"
            yield f"%{n}_w0 = arith.andi %in{s.other}, %m3 : i32"
            yield from self._value(f"{n}_e", f"%{n}_e0", ty)
            yield from self._value(f"{n}_w", f"%{n}_w0", ty)
            exchanged = f"%{n}_p, %{n}_e, %{n}_w {order} monotonic : {pointer}, {ty}"
            yield f"%{n}_pair = llvm.cmpxchg {exchanged}"
            yield f"%{n}_old = llvm.extractvalue %{n}_pair[0] : !llvm.struct<({ty}, i1)>"
            return
        if kind in ("uinc_wrap", "udec_wrap"):
            yield from self._value(f"{n}_v", "%m7", ty)
        else:
            yield from self._value(f"{n}_v", f"%{n}_v0", ty)
        if kind != "loop":
            yield f"%{n}_old = llvm.atomicrmw {kind} %{n}_p, %{n}_v {order} : {pointer}, {ty}"
            return
        bits = f"i{ty[1:]}"
        aligned = f"{{alignment = {s.words.size} : i64}}"
        yield f"%{n}_first = llvm.load %{n}_p atomic monotonic {aligned} : {pointer} -> {bits}"
        yield f"%{n}_last = scf.while (%{n}_was = %{n}_first) : ({bits}) -> {bits} {{"
        if ty[0] == "f":
            yield f"%{n}_float = arith.bitcast %{n}_was : {bits} to {ty}"
            yield f"%{n}_sum = arith.addf %{n}_float, %{n}_v : {ty}"
            yield f"%{n}_new = arith.bitcast %{n}_sum : {ty} to {bits}"
        else:
            yield f"%{n}_new = arith.addi %{n}_was, %{n}_v : {ty}"
        exchanged = f"%{n}_p, %{n}_was, %{n}_new {order} monotonic : {pointer}, {bits}"
        yield f"%{n}_pair = llvm.cmpxchg {exchanged}"
        yield f"%{n}_now = llvm.extractvalue %{n}_pair[0] : !llvm.struct<({bits}, i1)>"
        yield f"%{n}_done = llvm.extractvalue %{n}_pair[1] : !llvm.struct<({bits}, i1)>"
        yield f"%{n}_yes = arith.constant true\n%{n}_again = arith.xori %{n}_done, %{n}_yes : i1"
        yield f"scf.condition(%{n}_again) %{n}_now : {bits}\n}} do {{\n^bb0(%{n}_b: {bits}):"
        yield f"scf.yield %{n}_b : {bits}\n}}"

    # -- what a launch is given

    def arguments(self, seed: int) -> list[np.ndarray]:
        """Input, memory, results, and looks."""
        choose = np.random.default_rng(seed)
        given = choose.integers(-(1 << 31), 1 << 31, INPUTS * COUNT).astype(np.int32)
        memory = np.zeros(self.bytes, np.uint8)
        for words in self.words[:2]:
            view = self.view(memory, words)
            view[:] = choose.integers(-20, 20, view.size)
        return [
            given, memory, np.full(max(self.slots, 1) * COUNT, _UNTOUCHED, np.int64),
            np.full(2 * _PHASES * COUNT, _UNTOUCHED, np.int64),
        ]  # fmt: skip

    @staticmethod
    def view(memory: np.ndarray, words: Words) -> np.ndarray:
        count = words.span * (1 if words.name == "all" else BLOCKS)
        return memory[words.begin : words.begin + count * words.size].view(_TYPES[words.type])

    # -- the model

    def problem(self, seed: int, results: list[np.ndarray]) -> str | None:
        """What the arguments after a launch have that no order of threads gives; None if
        nothing."""
        given, memory, read, looks = results
        fresh = self.arguments(seed)
        inputs = given.reshape(INPUTS, COUNT)
        was: dict[tuple[str, int, int], np.generic] = {}
        for words in self.words:
            for block in range(1 if words.name == "all" else BLOCKS):
                for index in range(words.span):
                    if words.name == "group":
                        first = _converted(words, inputs[5][block * THREADS + index])
                    else:
                        first = self.view(fresh[1], words)[block * words.span + index]
                    was[words.name, block, index] = first
        expected = fresh[2]
        everything: dict[tuple[str, int, int], list[tuple[Statement, int, int]]] = defaultdict(list)
        for number, statements in enumerate(self.phases):
            done = {key: ran for key, ran in everything.items() if key[0] == "all"}
            everything = defaultdict(list, done)
            for statement in statements:
                for x, j, index in self._runs(statement, inputs):
                    block = 0 if statement.words.name == "all" else x // THREADS
                    everything[statement.words.name, block, index].append((statement, x, j))
                    if statement.use.is_read:
                        at = (statement.slot + j) * COUNT + x
                        expected[at] = read[at]
            for words in self.words[1:]:
                place = 2 * number + self.words.index(words) - 1
                for block in range(BLOCKS):
                    for index in range(words.span):
                        key = (words.name, block, index)
                        bits = int(looks[place * COUNT + block * THREADS + index])
                        now = _from_bits(words, bits)
                        said = self._word(everything[key], inputs, read, was[key], now)
                        if said is not None:
                            return f"phase {number}, {key}: {said}"
                        was[key] = now
        words = self.words[0]
        for index, now in enumerate(self.view(memory, words)):
            key = ("all", 0, index)
            said = self._word(everything[key], inputs, read, was[key], now)
            if said is not None:
                return f"{key}: {said}"
        if not np.array_equal(expected, read):
            wrong = np.flatnonzero(expected != read)[:4]
            return f"results at {wrong} of operations that do not run"
        return None

    @staticmethod
    def _runs(s: Statement, inputs: np.ndarray) -> Iterator[tuple[int, int, int]]:
        """Thread of the grid, round, and word of each operation that runs."""
        for x in range(COUNT):
            t = x % THREADS
            if s.guard == "t" and t >= _FEW:
                continue
            if s.guard.startswith("in") and not int(inputs[int(s.guard[2])][x]) & 3:
                continue
            rounds = int(inputs[4][x]) & 3 if s.rounds == "in4" else int(s.rounds)
            start = {"t": t, "x": x, "0": 0}.get(s.place)
            if start is None:
                start = int(inputs[int(s.place[2])][x]) & 0xFFFFFFFF
            for j in range(rounds):
                yield x, j, (start + j) % s.words.span

    @staticmethod
    def _word(
        ran: list[tuple[Statement, int, int]], inputs: np.ndarray, read: np.ndarray,
        was: np.generic, now: np.generic,
    ) -> str | None:  # fmt: skip
        steps: list[tuple[object, object]] = []
        value = was
        for statement, x, j in ran:
            step = _step(statement, inputs, x, j)
            if statement.use.is_read:
                bits = int(read[(statement.slot + j) * COUNT + x])
                old = _from_bits(statement.words, bits)
                steps.append((old.tobytes(), step(old).tobytes()))
            else:
                value = step(value)
        if steps:
            left, right = np.asarray(was).tobytes(), np.asarray(now).tobytes()
            return None if is_path(steps, left, right) else f"no path from {was} to {now}"
        if np.asarray(value).tobytes() != np.asarray(now).tobytes():
            return f"it is {now}, not {value}"
        return None


_TYPES = {"i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}


def _converted(words: Words, value: np.generic) -> np.generic:
    """A word of input as one of the words, as the kernel makes it."""
    kind = _TYPES[words.type]
    if words.type[0] == "i":
        return kind(value)
    number = int(value)
    return kind(abs(number) % 64 * (-1 if number < 0 else 1))


def _from_bits(words: Words, bits: int) -> np.generic:
    raw = np.array([bits], np.int64)
    if words.size == 4:
        return raw.astype(np.int32).view(_TYPES[words.type])[0]
    return raw.view(_TYPES[words.type])[0]


def _step(s: Statement, inputs: np.ndarray, x: int, j: int) -> Callable[[np.generic], np.generic]:
    """What an operation makes of a word."""
    with np.errstate(over="ignore"):
        given = inputs[s.value][x] + np.int32(j)
    kind = _TYPES[s.words.type]
    bits = 8 * s.words.size
    if s.use.kind == "cas":
        expects, new = kind(int(given) & 3), kind(int(inputs[s.other][x]) & 3)
        return lambda old: new if old == expects else old
    if s.use.kind in ("uinc_wrap", "udec_wrap"):
        rule = _UNSIGNED[s.use.kind]
        return lambda old: _wrapped(rule(int(old) % (1 << bits), 7), bits, kind)
    value = _converted(s.words, given)
    if s.words.type[0] == "f":
        return lambda old: kind(_ON_FLOATS[s.use.kind](float(old), float(value)))
    number, every = int(value), 1 << bits
    if s.use.kind in ("umax", "umin"):
        rule = _UNSIGNED[s.use.kind]
        return lambda old: _wrapped(rule(int(old) % every, number % every), bits, kind)
    rule = _ON_INTEGERS[s.use.kind]
    return lambda old: _wrapped(rule(int(old), number), bits, kind)


def _wrapped(value: int, bits: int, kind: type) -> np.generic:
    value %= 1 << bits
    return kind(value - (1 << bits) if value >> (bits - 1) else value)


_UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "umax": max, "umin": min,
    "uinc_wrap": lambda old, last: 0 if old >= last else old + 1,
    "udec_wrap": lambda old, last: last if old == 0 or old > last else old - 1,
}  # fmt: skip
_ON_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b, "loop": lambda a, b: a + b, "sub": lambda a, b: a - b,
    "_and": lambda a, b: a & b, "nand": lambda a, b: ~(a & b), "_or": lambda a, b: a | b,
    "_xor": lambda a, b: a ^ b, "max": max, "min": min, "xchg": lambda a, b: b,
}  # fmt: skip
_ON_FLOATS: dict[str, Callable[[float, float], float]] = {
    "fadd": lambda a, b: a + b, "loop": lambda a, b: a + b, "fsub": lambda a, b: a - b,
    "fmax": max, "fmin": min, "xchg": lambda a, b: b,
}  # fmt: skip


def is_path(steps: Iterable[tuple[object, object]], first: object, last: object) -> bool:
    """Whether steps, each from one value to another, can follow one another from `first` to
    `last`: as many lead to a value as away from it, and all hang together."""
    balance: dict[object, int] = defaultdict(int)
    balance[first] -= 1
    balance[last] += 1
    parent: dict[object, object] = {}

    def root(value: object) -> object:
        while parent.setdefault(value, value) is not value and parent[value] != value:
            value = parent[value]
        return value

    values = [first]
    for old, new in steps:
        balance[old] += 1
        balance[new] -= 1
        parent[root(old)] = root(new)
        values.append(old)
    home = root(first)
    return not any(balance.values()) and all(root(value) == home for value in values)
