# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in a part of CUDA C++, executed by `trace_model`: an interpreter that shares nothing with
the compiler, the host device and the sanitizer.

`translate` makes a generator function of a kernel's text. It yields where another thread may go on:
before atomic operations and fences, at barriers, and where lanes of a warp meet. `run` executes a
launch in an order of threads and returns what is wrong with it.

Known are integers, pointers to them, arrays in shared memory, the statements of C without `switch`
and `goto`, and the functions of `FUNCTIONS` and `_LANES`. All else raises `SyntaxError`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.support.trace_model import Found, Knowledge, Memory, Pointer, array

_TOKEN = re.compile(
    r"\s+|//[^\n]*|(0x[0-9a-fA-F]+|\d+)[uUlL]*|(\w+)|(<<=|>>=|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|\+\+|--|[^\s\w])"
)
_PRECEDENCE = [
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"),
    ("+", "-"), ("*", "/", "%"),
]  # fmt: skip
_TYPES = ("int", "unsigned", "const", "bool", "long")

#: Atomic operations of CUDA C++: what they make of the old value.
_CHANGES: dict[str, Callable[..., int | None]] = {
    "atomicAdd": lambda old, v: old + v,
    "atomicSub": lambda old, v: old - v,
    "atomicMax": lambda old, v: max(old, v),
    "atomicMin": lambda old, v: min(old, v),
    "atomicOr": lambda old, v: old | v,
    "atomicExch": lambda old, v: v,
    "atomicCAS": lambda old, expected, v: v if old == expected else None,
}  # fmt: skip
_LANES = ("__shfl_sync", "__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync", "__ballot_sync")


def _divided(a: int, b: int) -> int:
    return (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1) if b else 0


def _remainder(a: int, b: int) -> int:
    return a - b * _divided(a, b)


#: Functions without an effect.
FUNCTIONS: dict[str, Callable[..., int]] = {
    "max": lambda a, b: max(a, b), "min": lambda a, b: min(a, b), "abs": lambda a: abs(a),
    "__popc": lambda v: (v & 0xFFFFFFFF).bit_count(),
}  # fmt: skip


class _Name(NamedTuple):
    """A name in a kernel: its name in Python, and the sizes of an array in shared memory, () for
    one element; None for a variable of the thread."""

    name: str
    sizes: tuple[int, ...] | None
    pointer: bool


class _Translator:
    """A recursive descent that writes Python as it reads. An expression becomes its text; `places`
    has, by the text of a load, the text of the pointer that it loads from."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            assert found is not None
            at = found.end()
            token = found[1] or found[2] or found[3]
            if token:
                self.tokens.append(token)
        self.at = 0
        self.lines: list[str] = []
        self.depth = 1
        self.scopes: list[dict[str, _Name]] = [{}]
        self.steps: list[str] = []
        self.names = 0

    # Tokens and lines.

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.next
        if wanted and token != wanted:
            raise SyntaxError(f"{wanted!r} expected, not {token!r}")
        self.at += 1
        return token

    def accept(self, wanted: str) -> bool:
        if self.next != wanted:
            return False
        self.at += 1
        return True

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def fresh(self) -> str:
        self.names += 1
        return f"_{self.names}"

    def lookup(self, name: str) -> _Name:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        raise SyntaxError(f"{name!r} is not known")

    # A function and its statements.

    def function(self) -> str:
        """`__global__ void k(...) { ... }`."""
        while self.take() != "(":
            pass
        parameters: list[str] = []
        while not self.accept(")"):
            pointer = False
            while self.next in _TYPES or self.next == "*":
                pointer |= self.take() == "*"
            name = self.take()
            self.scopes[0][name] = _Name(f"v_{name}", None, pointer)
            parameters.append(f"v_{name}")
            self.accept(",")
        self.emit("if False: yield")
        self.statement()
        head = (
            f"def k(m, t, shared, threadIdx, blockIdx, blockDim, gridDim, {', '.join(parameters)}):"
        )
        return "\n".join([head, *self.lines, ""])

    def body(self) -> None:
        """A statement below the line that leads to it."""
        self.depth += 1
        self.emit("pass")
        self.statement()
        self.depth -= 1

    def statement(self) -> None:
        if self.accept("{"):
            self.scopes.append({})
            while not self.accept("}"):
                self.statement()
            self.scopes.pop()
        elif self.accept(";"):
            pass
        elif self.accept("if"):
            self.emit(f"if {self.condition()}:")
            self.body()
            if self.accept("else"):
                self.emit("else:")
                self.body()
        elif self.accept("while"):
            self.emit(f"while {self.condition()}:")
            self.steps.append("")
            self.depth += 1
            self.emit("m.accesses += 1")
            self.depth -= 1
            self.body()
            self.steps.pop()
        elif self.accept("for"):
            self.loop()
        elif self.accept("return"):
            self.take(";")
            self.emit("return")
        elif self.accept("break"):
            self.take(";")
            self.emit("break")
        elif self.accept("continue"):
            self.take(";")
            self.emit(self.steps[-1] or "pass")
            self.emit("continue")
        elif self.next in (*_TYPES, "__shared__"):
            self.declaration()
        else:
            self.emit(self.expression(used=False))
            self.take(";")

    def condition(self) -> str:
        self.take("(")
        text = self.expression()
        self.take(")")
        return text

    def loop(self) -> None:
        self.take("(")
        self.scopes.append({})
        if self.next in _TYPES:
            self.declaration()
        elif not self.accept(";"):
            self.emit(self.expression())
            self.take(";")
        test = "True" if self.next == ";" else self.expression()
        self.take(";")
        step = "" if self.next == ")" else self.expression()
        self.take(")")
        self.emit(f"while {test}:")
        self.steps.append(step)
        self.depth += 1
        self.emit("m.accesses += 1")
        self.depth -= 1
        self.body()
        self.depth += 1
        self.emit(step or "pass")
        self.depth -= 1
        self.steps.pop()
        self.scopes.pop()

    def declaration(self) -> None:
        shared = self.accept("__shared__")
        while self.next in _TYPES:
            self.take()
        while True:
            pointer = self.accept("*")
            name = self.take()
            sizes: list[int] = []
            while self.accept("["):
                sizes.append(int(eval(self.expression(), {})))
                self.take("]")
            if sizes and not shared:
                raise SyntaxError(f"{name!r} is an array of a thread")
            python = f"v_{name}{self.fresh()}"
            value = self.expression() if self.accept("=") else None
            self.scopes[-1][name] = _Name(python, tuple(sizes) if shared else None, pointer)
            if shared:
                count = 1
                for size in sizes:
                    count *= size
                self.emit(f"{python} = shared({name!r}, {count})")
            else:
                self.emit(f"{python} = {value if value is not None else 0}")
            if not self.accept(","):
                break
        self.take(";")

    # Expressions.

    def expression(self, used: bool = True) -> str:
        """An assignment, or what stands for one. `used`: its value is."""
        begin = self.at
        if self.next in ("++", "--"):
            step = self.take()[0]
            return self.assigned(self.unary_place(), lambda old: f"({old} {step} 1)")
        place = self.place_here()
        if place is not None:
            operator = self.next
            if operator in ("++", "--"):
                self.take()
                return self.assigned(place, lambda old: f"({old} {operator[0]} 1)")
            if operator == "=":
                self.take()
                value = self.expression()
                return self.assigned(place, lambda _: value)
            if (
                len(operator) > 1
                and operator[-1] == "="
                and operator not in ("==", "!=", "<=", ">=")
            ):
                self.take()
                value = self.expression()
                return self.assigned(place, lambda old: _binary(operator[:-1], old, value))
        self.at = begin
        return self.ternary(used)

    def place_here(self) -> tuple[str, bool] | None:
        """The place that begins here, if one does: a variable, or the text of a pointer (True)."""
        if not (self.next == "*" or re.match(r"[A-Za-z_]", self.next)):
            return None
        if re.match(r"\w+$", self.next) and self.tokens[self.at + 1] in ("(", "."):
            return None
        return self.unary_place()

    def unary_place(self) -> tuple[str, bool]:
        if self.accept("*"):
            return self.primary(), True
        name = self.lookup(self.take())
        indices: list[str] = []
        while self.accept("["):
            indices.append(self.expression())
            self.take("]")
        if name.sizes is None and not indices:
            return name.name, False
        return _element(name, indices), True

    def assigned(self, place: tuple[str, bool], value: Callable[[str], str]) -> str:
        text, in_memory = place
        if not in_memory:
            return f"({text} := {value(text)})"
        pointer = self.fresh()
        return f"m.store(t, ({pointer} := {text}), {value(f'm.load(t, {pointer})')})"

    def ternary(self, used: bool = True) -> str:
        test = self.binary(0, used)
        if not self.accept("?"):
            return test
        one = self.expression()
        self.take(":")
        return f"({one} if {test} else {self.ternary()})"

    def binary(self, level: int, used: bool = True) -> str:
        if level == len(_PRECEDENCE):
            return self.unary(used)
        left = self.binary(level + 1, used)
        while self.next in _PRECEDENCE[level]:
            operator = self.take()
            left = _binary(operator, left, self.binary(level + 1))
        return left

    def unary(self, used: bool) -> str:
        if self.accept("-"):
            return f"(-{self.unary(True)})"
        if self.accept("!"):
            return f"(not {self.unary(True)})"
        if self.accept("~"):
            return f"(~{self.unary(True)})"
        if self.accept("*"):
            return f"m.load(t, {self.unary(True)})"
        if self.accept("&"):
            return self.unary_place()[0]
        return self.primary(used)

    def primary(self, used: bool = True) -> str:
        token = self.take()
        if token == "(":
            text = self.expression()
            self.take(")")
            return text
        if token[0].isdigit():
            return str(int(token, 0))
        if self.accept("."):
            return f"{token}.{self.take()}"
        if self.next == "(":
            return self.call(token, used)
        self.at -= 1
        name = self.lookup(token)
        place, in_memory = self.unary_place()
        depth = 1 if name.sizes is None else len(name.sizes)
        if not in_memory or (place.count(".at(") < depth and name.sizes):
            return place
        return f"m.load(t, {place})"

    def call(self, name: str, used: bool) -> str:
        self.take("(")
        arguments: list[str] = []
        while not self.accept(")"):
            arguments.append(self.expression())
            self.accept(",")
        given = ", ".join(arguments)
        block = name.endswith("_block")
        plain, scope = name.removesuffix("_block"), "cta" if block else "gpu"
        site = self.at
        if name == "__syncthreads":
            return f"(yield ('barrier', 0, None, {site}))"
        if name == "barrier_sync":
            return f"(yield ('barrier', {given}, {site}))"
        if name == "barrier_arrive":
            return f"(yield ('arrive', {given}, {site}))"
        if name == "__syncwarp":
            return f"(yield ('lanes', 'sync', 0, 0, {site}))"
        if name in _LANES:
            kind, lane = name[2:-5], arguments[2] if len(arguments) > 2 else "0"
            return f"(yield ('lanes', {kind!r}, {arguments[1]}, {lane}, {site}))"
        if plain in ("__threadfence", "fence_acq_rel"):
            return f"m.fence(t, {scope!r}, {plain == '__threadfence'}, (yield))"
        if plain in _CHANGES:
            return f"atomic(m, t, {plain!r}, {scope!r}, {used}, [{given}], (yield))"
        if found := re.fullmatch(r"(load|store|add)_(relaxed|acquire|release|acq_rel)", plain):
            return f"{found[1]}(m, t, {found[2]!r}, {scope!r}, {used}, [{given}], (yield))"
        if name == "__pipeline_memcpy_async":
            return f"m.copy(t, {arguments[0]}, {arguments[1]})"
        if name in ("__pipeline_commit", "__pipeline_wait_prior"):
            return f"m.{'commit' if 'commit' in name else 'wait'}({', '.join(['t', *arguments])})"
        if name in ("mbarrier_init", "mbarrier_arrive"):
            return f"m.{name}(t, {given}, (yield))"
        if name == "mbarrier_wait":
            return f"(yield ('phase', {given}))"
        if name in FUNCTIONS:
            return f"{name}({given})"
        raise SyntaxError(f"function {name!r} is not known")


def _element(name: _Name, indices: Sequence[str]) -> str:
    text, sizes = name.name, name.sizes or ()
    for i, index in enumerate(indices):
        step = 1
        for size in sizes[i + 1 :]:
            step *= size
        text += f".at({index})" if step == 1 else f".at({step} * ({index}))"
    return text


def _binary(operator: str, left: str, right: str) -> str:
    if operator in ("/", "%"):
        return f"{'divided' if operator == '/' else 'remainder'}({left}, {right})"
    if operator in ("&&", "||"):
        return f"bool({left} {'and' if operator == '&&' else 'or'} {right})"
    return f"({left} {operator} {right})"


def _atomic(m: Memory, t: int, name: str, scope: str, used: bool, given: list[Any], _: None) -> int:
    change = _CHANGES[name]
    return m.strong(
        t, given[0], "relaxed", scope, lambda old: change(old, *given[1:]), used=used
    )  # fmt: skip


def _load(m: Memory, t: int, order: str, scope: str, used: bool, given: list[Any], _: None) -> int:
    return m.strong(t, given[0], order, scope)


def _store(m: Memory, t: int, order: str, scope: str, used: bool, given: list[Any], _: None) -> int:
    return m.strong(t, given[0], order, scope, value=given[1])


def _add(m: Memory, t: int, order: str, scope: str, used: bool, given: list[Any], _: None) -> int:
    return m.strong(t, given[0], order, scope, lambda old: old + given[1], used=used)


Request = tuple[Any, ...] | None
Code = Callable[..., Generator[Request, Any, None]]


def translate(text: str) -> Code:
    """The kernel of a text as a generator function."""
    names: dict[str, Any] = {
        **FUNCTIONS, "atomic": _atomic, "load": _load, "store": _store, "add": _add,
        "divided": _divided, "remainder": _remainder,
    }  # fmt: skip
    exec(compile(_Translator(text).function(), "kernel", "exec"), names)
    return names["k"]


class _Index(NamedTuple):
    x: int
    y: int = 0
    z: int = 0


@dataclass(frozen=True)
class Order:
    """In which order threads run, and how many steps at a time each makes. Behind a step a thread
    sleeps with a probability of `sleeps`, until the others do nothing more. If there is a `first`
    range of threads, all others sleep at the beginning."""

    name: str
    threads: Sequence[int]
    steps: int
    sleeps: float = 0.0
    seed: int = 0
    first: range | None = None


def orders(blocks: int, threads: int, count: int) -> list[Order]:
    """The natural order, the reversed one, both with threads in turns, the first and the last block
    before all others, and `count` random ones: of warps and of threads in them, some of which sleep
    for a while."""
    natural = list(range(blocks * threads))
    found = [
        Order("natural", natural, 64), Order("reversed", natural[::-1], 64),
        Order("natural, in turns", natural, 1), Order("reversed, in turns", natural[::-1], 1),
        Order("first block first", natural, 64, first=range(threads)),
        Order("last block first", natural[::-1], 64, first=range(len(natural))[-threads:]),
    ]  # fmt: skip
    for seed in range(count):
        numbers = random.Random(seed)
        groups = [natural[i : i + 32] for i in range(0, len(natural), 32)]
        numbers.shuffle(groups)
        for group in groups:
            numbers.shuffle(group)
        order = [thread for group in groups for thread in group]
        sleeps = (0.0, 0.05, 0.2, 0.5)[seed % 4]
        found.append(Order(f"random {seed}", order, numbers.choice((1, 2, 5, 64)), sleeps, seed))
    return found


@dataclass
class Execution:
    """What became of a launch: the first mistake or None, the races whose values are equal in both
    orders, and what the arrays have at the end."""

    found: Found | None
    equal: int
    values: list[list[int | None]]


_BUDGET = 2_000_000


@dataclass
class _Launch:
    memory: Memory
    threads: int
    order: Order
    asleep: set[int] = field(default_factory=set)
    live: dict[int, Generator[Request, Any, None]] = field(default_factory=dict)
    waiting: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    replies: dict[int, Any] = field(default_factory=dict)
    arrived: dict[tuple[int, int], list[tuple[int, Knowledge, tuple[Any, ...]]]] = field(
        default_factory=dict
    )

    def run(self) -> None:
        """All threads to their ends."""
        self.random = random.Random(self.order.seed)
        if self.order.first is not None:
            self.asleep = set(self.order.threads).difference(self.order.first)
        idle = 0
        while self.live:
            before = (self.memory.changes, len(self.live), len(self.waiting))
            ran = False
            for thread in self.order.threads:
                if thread in self.live and thread not in self.asleep and self.ready(thread):
                    ran = True
                    self.advance(thread)
            if not ran and self.asleep:
                self.asleep.clear()
                continue
            if not ran:
                raise Found("sync", f"threads {sorted(self.waiting)[:4]} wait for ever")
            same = before == (self.memory.changes, len(self.live), len(self.waiting))
            idle = idle + 1 if same else 0
            if idle > 1:
                self.asleep.clear()
            if idle > 64 or self.memory.accesses > _BUDGET:
                raise Found("sync", f"threads {sorted(self.live)[:4]} do not come to an end")

    def ready(self, thread: int) -> bool:
        request = self.waiting.get(thread)
        if request is None:
            return True
        if request[0] == "phase" and self.memory.mbarrier_test(thread, request[1], request[2]):
            del self.waiting[thread]
            return True
        return False

    def advance(self, thread: int) -> None:
        """Some steps of a thread, up to where it waits."""
        for _ in range(self.order.steps):
            try:
                request = self.live[thread].send(self.replies.pop(thread, None))
            except StopIteration:
                del self.live[thread]
                block = thread // self.threads
                for number in {n for b, n in self.arrived if b == block}:
                    self.complete(block, number)
                self.lanes(thread)
                return
            if request is None:
                if self.random.random() < self.order.sleeps:
                    self.asleep.add(thread)
                    return
                continue
            if request[0] in ("barrier", "arrive"):
                key = (thread // self.threads, request[1])
                known = self.memory.arrive(thread)
                self.arrived.setdefault(key, []).append((thread, known, request))
                if request[0] == "barrier":
                    self.waiting[thread] = request
                self.complete(*key)
            else:
                self.waiting[thread] = request
                if request[0] == "lanes":
                    self.lanes(thread)
            if thread in self.waiting and not self.ready(thread):
                return

    def complete(self, block: int, number: int) -> None:
        """End a barrier of a block if all it waits for have come."""
        here = self.arrived.get((block, number), [])
        wanted = here[0][2][2] if here else None
        if wanted is None:
            wanted = sum(t // self.threads == block for t in self.live)
        if not here or len(here) < wanted:
            return
        sites = {(t // 32, request[3]) for t, _, request in here if request[2] is None}
        if len(sites) > len({warp for warp, _ in sites}):
            raise Found("sync", f"lanes of a warp of block {block} meet at several barriers")
        del self.arrived[block, number]
        waiting = [t for t, _, request in here if request[0] == "barrier"]
        self.memory.barrier([known for _, known, _ in here], waiting)
        for t in waiting:
            del self.waiting[t]

    def lanes(self, thread: int) -> None:
        """Let the lanes of a warp go on if all of them have come."""
        first = thread - thread % self.threads % 32
        last = min(first + 32, (thread // self.threads + 1) * self.threads)
        lanes = [t for t in range(first, last) if t in self.live]
        requests = [self.waiting.get(t) for t in lanes]
        if not lanes or not all(r is not None and r[0] == "lanes" for r in requests):
            return
        asked = {t: r for t, r in zip(lanes, requests, strict=True) if r is not None}
        if len({r[4] for r in asked.values()}) > 1:
            raise Found("sync", f"lanes of the warp of thread {thread} meet at several operations")
        kind = asked[lanes[0]][1]
        if kind == "sync":
            self.memory.barrier([self.memory.arrive(t) for t in lanes], lanes)
        ballot = sum(bool(r[2]) << t - first for t, r in asked.items())
        for t, (_, _, value, distance, _) in asked.items():
            source = {
                "shfl": first + distance % 32, "shfl_down": t + distance, "shfl_up": t - distance,
                "shfl_xor": first + ((t - first) ^ distance),
            }.get(kind, t)  # fmt: skip
            inside = first <= source < first + 32 and source in asked
            self.replies[t] = ballot if kind == "ballot" else asked[source][2] if inside else value
            del self.waiting[t]


def run(
    code: Code, blocks: int, threads: int, arrays: Mapping[str, Sequence[int]], order: Order
) -> Execution:
    """Execute a launch. `arrays` are its pointers, and the size of the first one the last
    argument."""
    memory = Memory(blocks, threads)
    pointers = [array(name, values) for name, values in arrays.items()]
    size = len(next(iter(arrays.values())))
    shared: dict[tuple[int, str], Pointer] = {}
    launch = _Launch(memory, threads, order)
    for block in range(blocks):

        def variable(name: str, count: int, block: int = block) -> Pointer:
            if (block, name) not in shared:
                shared[block, name] = array(name, [None] * count)
            return shared[block, name]

        for thread in range(threads):
            number = block * threads + thread
            launch.live[number] = code(
                memory, number, variable, _Index(thread), _Index(block), _Index(threads, 1, 1),
                _Index(blocks, 1, 1), *pointers, size,
            )  # fmt: skip
    found = None
    try:
        launch.run()
    except Found as error:
        found = error
    values = [[cell.value for cell in pointer.cells] for pointer in pointers]
    return Execution(found, memory.equal, values)
