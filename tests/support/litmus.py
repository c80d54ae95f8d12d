# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Litmus tests for PTX: a reader of their text, and the traces of their threads.

The format is that of the herd family, as Dat3M uses it for PTX: initial values, threads as columns
with the block and the GPU that they belong to, and a condition on final values. `read` gives a
`Litmus`, `traces` all that a thread may do when its loads return given values.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

PROXIES = {
    "ld": "generic", "st": "generic", "atom": "generic", "red": "generic", "tld": "texture",
    "suld": "surface", "sust": "surface", "suatom": "surface", "sured": "surface",
    "cold": "constant",
}  # fmt: skip
_LOADS, _STORES = ("ld", "tld", "suld", "cold"), ("st", "sust")
#: Atomic operations without a result.
_REDUCTIONS = ("red", "sured")
_BRANCHES = {
    "beq": operator.eq, "bne": operator.ne, "bge": operator.ge, "ble": operator.le,
    "bgt": operator.gt, "blt": operator.lt,
}  # fmt: skip
_ARITHMETIC = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "and": operator.and_,
    "or": operator.or_, "xor": operator.xor,
}  # fmt: skip


@dataclass(frozen=True)
class Instruction:
    """An instruction: its words between dots (`ld.acquire.gpu`), and its operands."""

    words: tuple[str, ...]
    operands: tuple[str, ...]

    @property
    def scope(self) -> str | None:
        """cta, gpu, sys, or None."""
        return next((word for word in self.words if word in ("cta", "gpu", "sys")), None)

    @property
    def order(self) -> str:
        """weak, relaxed, acquire, release, acq_rel or sc."""
        orders = ("relaxed", "acquire", "release", "acq_rel", "sc")
        return next((word for word in self.words if word in orders), "weak")


@dataclass(frozen=True)
class Thread:
    """A thread of a litmus test."""

    cta: int
    gpu: int
    code: tuple[Instruction, ...]


@dataclass
class Litmus:
    """A test. `initial` has the values of memory, `aliases` for other names of a location its
    proxy and the name that it is another name of. `condition` tells whether final values are those
    asked for: registers by ("P0", "r1"), memory by its name. `quantifier` is exists, ~exists or
    forall."""

    name: str
    threads: list[Thread]
    initial: dict[str, int]
    registers: dict[tuple[int, str], int]
    aliases: dict[str, tuple[str, str]]
    quantifier: str
    condition: str

    def location(self, name: str) -> str:
        """The memory that a name stands for."""
        while name in self.aliases:
            name = self.aliases[name][1]
        return name

    def address(self, name: str) -> str:
        """The generic address of a name: other names of the generic proxy have their own."""
        while name in self.aliases and self.aliases[name][0] != "generic":
            name = self.aliases[name][1]
        return name

    def locations(self) -> list[str]:
        """All memory that the test names."""
        used = {
            self.location(operand)
            for thread in self.threads
            for instruction in thread.code
            if instruction.words[0] in PROXIES
            for operand in instruction.operands
            if not re.fullmatch(r"r\d+|-?\d+", operand)
        }
        return sorted(used | {self.location(name) for name in self.initial})

    def holds(self, values: Mapping[object, int | None]) -> bool:
        """Whether the condition holds of these final values."""
        return bool(eval(self.condition, {"v": values.get}))

    def passes(self, outcomes: Sequence[Mapping[object, int | None]]) -> bool:
        """Whether the test's statement is true of all possible outcomes."""
        if self.quantifier == "forall":
            return all(map(self.holds, outcomes))
        return any(map(self.holds, outcomes)) == (self.quantifier == "exists")


def read(text: str) -> Litmus:
    """The test that a text describes. Raises `ValueError` for what is no litmus test of PTX."""
    text = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
    match = re.match(r"\s*PTX\s+(\S+)(.*?)\{(.*?)\}(.*)", text, re.S)
    if match is None:
        raise ValueError("no litmus test of PTX")
    name, _, declarations, rest = match.groups()
    program, quantifier, condition = re.split(r"(~\s*exists|exists|forall)", rest, maxsplit=1)
    test = Litmus(name, [], {}, {}, {}, quantifier.replace(" ", ""), _condition(condition))
    for declaration in filter(None, map(str.strip, declarations.split(";"))):
        _declare(test, declaration)
    rows = [row.split("|") for row in program.split(";") if row.strip()]
    heads = [re.match(r"\s*P\d+\s*@\s*cta\s+(\d+)\s*,\s*gpu\s+(\d+)", cell) for cell in rows[0]]
    for column, head in enumerate(heads):
        if head is None:
            raise ValueError(f"no thread: {rows[0][column]!r}")
        cells = [row[column].strip() for row in rows[1:] if column < len(row)]
        code = tuple(_instruction(cell) for cell in cells if cell)
        test.threads.append(Thread(int(head[1]), int(head[2]), code))
    return test


def _declare(test: Litmus, text: str) -> None:
    if match := re.fullmatch(r"(\w+)\s*@\s*(\w+)\s+aliases\s+(\w+)", text):
        test.aliases[match[1]] = (match[2], match[3])
    elif match := re.fullmatch(r"P?(\d+)\s*:\s*(\w+)\s*=\s*(-?\d+)", text):
        test.registers[int(match[1]), match[2]] = int(match[3])
    elif match := re.fullmatch(r"(\w+)\s*=\s*(-?\d+)", text):
        test.initial[match[1]] = int(match[2])
    else:
        raise ValueError(f"no declaration: {text!r}")


def _instruction(text: str) -> Instruction:
    if text.endswith(":"):
        return Instruction(("label",), (text[:-1],))
    head, _, operands = text.partition(" ")
    return Instruction(tuple(head.split(".")), tuple(operands.replace(",", " ").split()))


def _condition(text: str) -> str:
    """The condition as an expression of Python, with `v(name)` for final values."""
    tokens = re.findall(r"P?\d+\s*:\s*\w+|/\\|\\/|[=!<>]=|[=<>()~]|\w+", text)
    words: dict[str, str] = {"/\\": "and", "\\/": "or", "~": "not", "=": "=="}
    out: list[str] = []
    for token in map(str, tokens):
        if match := re.fullmatch(r"P?(\d+)\s*:\s*(\w+)", token):
            out.append(f"v(({match[1]}, {match[2]!r}))")
        elif re.fullmatch(r"[A-Za-z_]\w*", token):
            out.append(f"v({token!r})")
        else:
            out.append(words.get(token) or token)
    return " ".join(out)


# What threads may do.


@dataclass(frozen=True)
class Event:
    """What an instruction does: a read R, a write W, a fence F or a barrier B. `rmw` joins the two
    halves of an atomic operation, `reads` are numbers of the thread's events that the value or the
    execution depends on. `barrier` has an identifier, the number of threads that it waits for or
    None, and whether it only arrives. An atomic operation without a result (`red`) is no read
    operation of its own (`is_hidden`): it hands on what its write replaces (PTX ISA, operation
    types)."""

    kind: str
    thread: int
    location: str = ""
    address: str = ""
    proxy: str = "generic"
    order: str = "weak"
    scope: str | None = None
    value: int = 0
    rmw: int = -1
    reads: frozenset[int] = frozenset()
    barrier: tuple[int, int | None, bool] | None = None
    is_hidden: bool = False


@dataclass
class Trace:
    """A thread's events in program order, and its final registers."""

    events: list[Event] = field(default_factory=list)
    registers: dict[str, int] = field(default_factory=dict)


def traces(
    test: Litmus, number: int, domain: Mapping[str, set[int]], jumps: int = 2
) -> Iterator[Trace]:
    """All traces of thread `number` whose loads return values of `domain`, and that go back at
    most `jumps` times."""
    thread = test.threads[number]
    labels = {c.operands[0]: i for i, c in enumerate(thread.code) if c.words[0] == "label"}
    first = {register: value for (n, register), value in test.registers.items() if n == number}
    stack = [_State(0, [], first, {}, frozenset(), jumps)]
    while stack:
        state = stack.pop()
        if state.at == len(thread.code):
            yield Trace(state.events, state.registers)
            continue
        stack.extend(_steps(test, number, state, thread.code[state.at], labels, domain))


@dataclass
class _State:
    """A thread between two instructions. `sources` has the reads that a register comes from,
    `control` those that branches depended on."""

    at: int
    events: list[Event]
    registers: dict[str, int]
    sources: dict[str, frozenset[int]]
    control: frozenset[int]
    jumps: int

    def value(self, operand: str) -> int:
        """Of a register or a number."""
        if operand.startswith("r"):
            return self.registers.get(operand, 0)
        return int(operand)

    def source(self, operand: str) -> frozenset[int]:
        """The reads that an operand comes from."""
        return self.sources.get(operand, frozenset())

    def next(self, *events: Event) -> _State:
        """Behind these events."""
        return _State(
            self.at + 1, [*self.events, *events], self.registers, self.sources, self.control,
            self.jumps,
        )  # fmt: skip

    def setting(self, register: str, value: int, sources: frozenset[int]) -> _State:
        """With a register's new value."""
        self.registers = {**self.registers, register: value}
        self.sources = {**self.sources, register: sources}
        return self


def _steps(
    test: Litmus, number: int, state: _State, code: Instruction, labels: Mapping[str, int],
    domain: Mapping[str, set[int]],
) -> Iterator[_State]:  # fmt: skip
    """The states behind an instruction."""
    name, operands = code.words[0], code.operands
    if name == "label":
        yield state.next()
    elif name == "goto" or name in _BRANCHES:
        yield from _branch(state, code, labels)
    elif name == "fence":
        proxy = code.words[2] if code.words[1] == "proxy" else "generic"
        order = "proxy" if code.words[1] == "proxy" else code.order
        yield state.next(Event("F", number, proxy=proxy, order=order, scope=code.scope))
    elif name == "bar":
        # One number is the barrier; of three the second one, and the last the threads.
        one_number = len(operands) == 1
        identifier = state.value(operands[0] if one_number else operands[1])
        quorum = None if len(operands) < 3 else state.value(operands[2])
        yield state.next(
            Event("B", number, scope="cta", barrier=(identifier, quorum, "arrive" in code.words))
        )
    elif name in ("add", "sub", "mul"):
        value = _ARITHMETIC[name](state.value(operands[1]), state.value(operands[2]))
        sources = state.source(operands[1]) | state.source(operands[2])
        yield state.next().setting(operands[0], value, sources)
    elif name in _LOADS and re.fullmatch(r"r\d+|-?\d+", operands[1]):
        yield state.next().setting(operands[0], state.value(operands[1]), state.source(operands[1]))
    else:
        yield from _access(test, number, state, code, domain)


def _branch(state: _State, code: Instruction, labels: Mapping[str, int]) -> Iterator[_State]:
    taken = code.words[0] == "goto"
    after = state.next()
    if not taken:
        left, right = (state.value(operand) for operand in code.operands[:2])
        taken = _BRANCHES[code.words[0]](left, right)
        after.control = after.control.union(*map(state.source, code.operands[:2]))
    if taken:
        after.at = labels[code.operands[-1]]
        after.jumps -= after.at <= state.at
    if after.jumps >= 0:
        yield after


def _access(
    test: Litmus, number: int, state: _State, code: Instruction, domain: Mapping[str, set[int]]
) -> Iterator[_State]:
    """A load, a store or an atomic operation."""
    name, operands = code.words[0], list(code.operands)
    register = operands.pop(0) if name in _LOADS or name.endswith("atom") else None
    place = operands.pop(0)

    def event(kind: str, order: str, value: int, rmw: int, reads: frozenset[int]) -> Event:
        return Event(
            kind, number, test.location(place), test.address(place), PROXIES[name], order,
            code.scope, value, rmw, reads | state.control, is_hidden=name in _REDUCTIONS,
        )  # fmt: skip

    here = len(state.events)
    if name in _STORES:
        value, reads = state.value(operands[0]), state.source(operands[0])
        yield state.next(event("W", code.order, value, -1, reads))
        return
    atomic = name not in _LOADS
    for old in sorted(domain[test.location(place)]):
        order = {"acq_rel": "acquire", "release": "relaxed"}.get(code.order, code.order)
        read = event("R", order, old, here if atomic else -1, frozenset())
        events = [read]
        operation = code.words[3] if atomic else ""
        swapped = operation != "cas" or state.value(operands[0]) == old
        if atomic and swapped:
            order = {"acq_rel": "release", "acquire": "relaxed"}.get(code.order, code.order)
            values = [state.value(operand) for operand in operands]
            plain = operation in ("cas", "exch")
            new = values[-1] if plain else _ARITHMETIC[operation](old, values[0])
            reads = frozenset[int]().union(*map(state.source, operands))
            reads |= frozenset() if operation == "exch" else {here}
            events.append(event("W", order, new, here, reads))
        after = state.next(*events)
        yield after.setting(register, old, frozenset({here})) if register else after


def domain_of(test: Litmus, jumps: int = 2) -> dict[str, set[int]]:
    """The values that each location may have, from what threads may store; at most four more than
    there were at first, where they depend on one another."""
    domain = {name: {test.initial.get(name, 0)} for name in test.locations()}
    while True:
        size = sum(map(len, domain.values()))
        for number in range(len(test.threads)):
            for trace in traces(test, number, {k: set(v) for k, v in domain.items()}, jumps):
                for event in trace.events:
                    if event.kind == "W" and len(domain[event.location]) < 6:
                        domain[event.location].add(event.value)
        if sum(map(len, domain.values())) == size:
            return domain
