# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random token programs do: in program order, and in every order that their tokens allow."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from tests.support.token_programs import BUFFERS, OUT_SLOTS, Program, Stmt

_DEVICE = frozenset(("launch", "copy", "fill", "alloc", "free"))
_UNDEFINED = -0x55AA  # what memory holds that was never written, or that is freed


class Step:
    """Something that happens: work of the device, or (`on_host`) of the host.

    `after` has the numbers of the work that must be done before; the host goes on behind work
    that is `blocking` only when it is done.
    """

    __slots__ = ("after", "blocking", "buffers", "kind", "numbers", "on_host", "stmt")

    def __init__(
        self, stmt: Stmt, buffers: tuple[str, ...], after: frozenset[int], blocking: bool
    ) -> None:
        self.stmt = stmt
        self.kind = stmt.kind
        self.buffers = buffers
        self.numbers = stmt.numbers
        self.after = after
        self.blocking = blocking
        self.on_host = stmt.kind not in _DEVICE


class _Return(Exception):
    """Control leaves the program early."""


class _Tracer:
    """Runs the control of a program; `steps` is what happens, in program order."""

    def __init__(self, program: Program) -> None:
        self.steps: list[Step] = []
        self._values = program.values
        self._instances = 0
        with suppress(_Return):
            self._block(program.body, {}, {})

    def _block(
        self, body: Sequence[Stmt], tokens: dict[str, frozenset[int]], names: dict[str, str]
    ) -> None:
        for stmt in body:
            self._stmt(stmt, tokens, names)

    def _stmt(self, stmt: Stmt, tokens: dict[str, frozenset[int]], names: dict[str, str]) -> None:
        kind = stmt.kind
        after = frozenset().union(*(tokens[d] for d in stmt.deps))
        if kind == "join":
            assert stmt.token is not None
            tokens[stmt.token] = after
        elif kind == "leave":
            if self._values[stmt.condition]:
                raise _Return
        elif kind == "call":
            assert stmt.callee is not None
            inside = {p: tokens[d] for p, d in zip(stmt.callee.parameters, stmt.deps, strict=True)}
            self._block(stmt.callee.body, inside, {})
            self._bind(stmt.tokens, [inside[r] for r in stmt.callee.results], tokens)
        elif kind == "loop":
            values = [tokens[i] for i in stmt.inits]
            for _ in range(self._values[stmt.condition]):
                self._bind(stmt.arguments, values, tokens)
                self._block(stmt.bodies[0], tokens, names)
                values = [tokens[y] for y in stmt.yields[0]]
            self._bind(stmt.tokens, values, tokens)
        elif stmt.bodies:
            i = self._choose(stmt)
            self._block(stmt.bodies[i], tokens, names)
            self._bind(stmt.tokens, [tokens[y] for y in stmt.yields[i]], tokens)
        else:
            if kind == "alloc":
                self._instances += 1
                names[stmt.buffers[0]] = f"{stmt.buffers[0]}.{self._instances}"
            buffers = tuple(names.get(b, b) for b in stmt.buffers)
            if stmt.token is not None:
                tokens[stmt.token] = frozenset((len(self.steps),))
            self.steps.append(Step(stmt, buffers, after, stmt.token is None))

    def _bind(
        self, names: Sequence[str], values: Sequence[frozenset[int]],
        tokens: dict[str, frozenset[int]],
    ) -> None:  # fmt: skip
        tokens.update(zip(names, values, strict=True))

    def _choose(self, stmt: Stmt) -> int:
        if stmt.kind == "region":
            return 0
        value = self._values[stmt.condition]
        if stmt.kind == "if":
            return 0 if value else 1
        return value + 1 if value < len(stmt.bodies) - 1 else 0


Memory = tuple[tuple[str, int], ...]


def _apply(step: Step, memory: dict[str, int]) -> None:
    kind, buffers, numbers = step.kind, step.buffers, step.numbers
    if kind == "wait":
        return
    target = buffers[0]
    old = memory.get(target, _UNDEFINED)
    if kind == "launch":
        extra = memory.get(buffers[1], _UNDEFINED) if len(buffers) > 1 else 0
        memory[target] = _wrap(old * numbers[0] + extra + numbers[1])
    elif kind == "copy":
        memory[target] = memory.get(buffers[1], _UNDEFINED)
    elif kind == "fill":
        memory[target] = numbers[0]
    elif kind in ("alloc", "free"):
        memory[target] = _UNDEFINED
    elif kind == "update":
        memory[target] = _wrap(old * numbers[0] + numbers[1])
    else:
        slot = f"out{numbers[0]}"
        memory[slot] = _wrap(memory[slot] * 5 + old)


def _wrap(value: int) -> int:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def _initial(program: Program) -> dict[str, int]:
    memory = {b: program.values[b] for b in BUFFERS}
    return memory | {f"out{i}": 0 for i in range(OUT_SLOTS)}


def _result(memory: dict[str, int]) -> list[int]:
    return [memory[b] for b in (*BUFFERS, *(f"out{i}" for i in range(OUT_SLOTS)))]


def trace(program: Program) -> list[Step]:
    """What happens, in program order."""
    return _Tracer(program).steps


def reference(program: Program) -> list[int]:
    """The final buffers, then `out`, if everything runs in program order."""
    memory = _initial(program)
    for step in trace(program):
        _apply(step, memory)
    return _result(memory)


def can_differ(program: Program, expected: Sequence[int], limit: int = 20000) -> bool | None:
    """Whether some order that tokens and waits allow gives other buffers than `expected`.

    All orders are tried (states that were met before are not met again). None: there are more
    than `limit` states.
    """
    steps = trace(program)
    count = len(steps)
    after = [sum(1 << i for i in s.after) for s in steps]
    device = [i for i, s in enumerate(steps) if not s.on_host]
    wanted = list(expected)
    first = (0, 0, tuple(sorted(_initial(program).items())))
    seen = {first}
    stack = [first]
    while stack:
        at, done, memory = stack.pop()
        following: list[tuple[int, int, Memory]] = []
        # The host goes on: it issues work, waits for it, or does something itself.
        if at < count:
            step = steps[at]
            if not step.on_host:
                if not step.blocking or done >> at & 1:
                    following.append((at + 1, done, memory))
            elif not after[at] & ~done:
                following.append((at + 1, done | 1 << at, _stepped(step, memory)))
        for i in device:
            issued = i < at or (i == at and at < count)
            if issued and not done >> i & 1 and not after[i] & ~done:
                following.append((at, done | 1 << i, _stepped(steps[i], memory)))
        if not following and _result(dict(memory)) != wanted:
            return True
        for state in following:
            if state not in seen:
                seen.add(state)
                stack.append(state)
        if len(seen) > limit:
            return None
    return False


def _stepped(step: Step, memory: Memory) -> Memory:
    if step.kind == "wait":
        return memory
    changed = dict(memory)
    _apply(step, changed)
    return tuple(sorted(changed.items()))
