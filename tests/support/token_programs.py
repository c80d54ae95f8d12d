# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random token programs: what they do is the same in every order that their tokens allow.

    program = generate(Random(7))          # or one of the hypothesis strategy `programs()`
    token_program_text.module([program])   # MLIR
    token_program_orders.reference(program)  # the final buffers

A program works on buffers of one i32 each with updates that do not commute, on the device (kernels,
copies, fills, allocations) and on the host (reads into `out`, updates), under control flow of all
kinds. The generator keeps for each buffer a token that covers its last write, and those of the
reads since; what conflicts with them depends on them, directly or through joins, or the host waits.
"""

from __future__ import annotations

from random import Random
from typing import Any

BUFFERS = ("b0", "b1", "b2")
CONDITIONS = ("p0", "p1")
COUNTS = ("n0", "n1")
OUT_SLOTS = 2


class Stmt:
    """A statement. `kind` says which; what else it has depends on that:

    launch, copy, fill, alloc, free: `buffers` (written first, then read), `numbers`, `deps`,
        `token` (None: synchronous)
    join: `deps`, `token`;  wait: `deps`
    read: `buffers`, `numbers` (slot);  update: `buffers`, `numbers` (the host's)
    if, switch, region: `condition`, `bodies`, `yields` (of each body), `tokens` (results), `style`
    loop: `condition` (the count), `inits`, `arguments`, `bodies[0]`, `yields[0]`, `tokens`, `style`
    call: `callee`, `deps` (arguments), `tokens`
    leave: `condition` (return early)
    """

    __slots__ = ("arguments", "bodies", "buffers", "callee", "condition", "deps", "inits", "kind",
                 "numbers", "style", "token", "tokens", "yields")  # fmt: skip

    def __init__(self, kind: str, **fields: Any) -> None:
        self.kind = kind
        self.buffers: tuple[str, ...] = ()
        self.numbers: tuple[int, ...] = ()
        self.deps: list[str] = []
        self.token: str | None = None
        self.condition = self.style = ""
        self.bodies: list[list[Stmt]] = []
        self.yields: list[list[str]] = []
        self.tokens: list[str] = []
        self.inits: list[str] = []
        self.arguments: list[str] = []
        self.callee: Function | None = None
        for name, value in fields.items():
            setattr(self, name, value)


class Function:
    """A callee: its token parameters, body and token results."""

    __slots__ = ("body", "index", "parameters", "results")

    def __init__(self, index: int, parameters: list[str]) -> None:
        self.index = index
        self.parameters = parameters
        self.body: list[Stmt] = []
        self.results: list[str] = []


class Program:
    """`values` are the arguments: initial buffers, conditions, counts."""

    __slots__ = ("body", "functions", "values")

    def __init__(self, body: list[Stmt], functions: list[Function], values: dict[str, int]) -> None:
        self.body = body
        self.functions = functions
        self.values = values

    def statements(self) -> list[Stmt]:
        """All statements, those of callees too."""
        found: list[Stmt] = []
        stack = [self.body, *(f.body for f in self.functions)]
        while stack:
            for stmt in stack.pop():
                found.append(stmt)
                stack += stmt.bodies
        return found


class _State:
    """For each buffer the token of its last write (None: the host has waited), and its reads."""

    def __init__(self, buffers: tuple[str, ...] = BUFFERS) -> None:
        self.write: dict[str, str | None] = dict.fromkeys(buffers)
        self.reads: dict[str, list[str]] = {b: [] for b in buffers}

    def copy(self) -> _State:
        other = _State(())
        other.write = dict(self.write)
        other.reads = {b: list(r) for b, r in self.reads.items()}
        return other

    def tokens(self, buffer: str) -> list[str]:
        """All that an access that writes must follow."""
        write = self.write[buffer]
        return [*([write] if write else []), *self.reads[buffer]]

    def settle(self, buffer: str, token: str | None) -> None:
        self.write[buffer] = token
        self.reads[buffer] = []


class Generator:
    """Makes one program. `size` is about how many operations it has; `flow` allows control flow."""

    def __init__(self, random: Random, size: int = 8, *, flow: bool = True, depth: int = 2) -> None:
        self.random = random
        self._flow = flow
        self._depth = depth
        self._left = size
        self._names = 0
        self.functions: list[Function] = []

    def program(self) -> Program:
        values = {b: self.random.randrange(1, 100) for b in BUFFERS}
        values |= {c: self.random.randrange(2) for c in CONDITIONS}
        values |= {n: self.random.choice((0, 1, 2, 2, 3)) for n in COUNTS}
        body: list[Stmt] = []
        state = _State()
        while self._left > 0:
            self._statement(body, state, [], 0, True)
        if self.random.random() < 0.8:
            self._wait(body, [t for b in BUFFERS for t in state.tokens(b)])
        return Program(body, self.functions, values)

    # -- small things

    def _name(self, prefix: str = "t") -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    def _chance(self, p: float) -> bool:
        return self.random.random() < p

    def _wait(self, body: list[Stmt], deps: list[str]) -> None:
        if deps:
            body.append(Stmt("wait", deps=self._shuffled(deps)))

    def _shuffled(self, deps: list[str]) -> list[str]:
        deps = list(dict.fromkeys(deps))
        self.random.shuffle(deps)
        return deps

    def _joined(self, body: list[Stmt], deps: list[str], scope: list[str]) -> str:
        """One token for several."""
        deps = self._shuffled(deps)
        if len(deps) == 1 and self._chance(0.8):
            return deps[0]
        if len(deps) > 2 and self._chance(0.4):
            cut = self.random.randrange(1, len(deps) - 1)
            deps = [self._joined(body, deps[: cut + 1], scope), *deps[cut + 1 :]]
        token = self._name("j")
        body.append(Stmt("join", deps=deps, token=token))
        scope.append(token)
        return token

    # -- statements

    def _statement(
        self, body: list[Stmt], state: _State, scope: list[str], depth: int, blocks: bool
    ) -> None:
        buffers = tuple(state.write)
        if self._flow and depth < self._depth and self._chance(0.3):
            kinds = [self._branch, self._branch, self._loop, self._loop]
            if depth == 0:
                kinds.append(self._call)
            self.random.choice(kinds)(body, state, scope, depth, blocks)
            return
        roll = self.random.random()
        if roll < 0.1:
            self._host(body, state)
        elif roll < 0.2:
            self._temporary(body, state, scope, buffers)
        elif roll < 0.23 and depth == 0 and self._flow:
            body.append(Stmt("leave", condition=self.random.choice(CONDITIONS)))
        else:
            self._device(body, state, scope, buffers)

    def _device(
        self, body: list[Stmt], state: _State, scope: list[str], buffers: tuple[str, ...]
    ) -> None:
        target = self.random.choice(buffers)
        others = [b for b in buffers if b != target]
        roll = self.random.random()
        if roll < 0.55 or not others:
            numbers = (self.random.choice((3, 5, 7, -3)), self.random.randrange(1, 50))
            sources = [self.random.choice(others)] if others and self._chance(0.5) else []
            self._access(body, state, scope, "launch", (target, *sources), numbers)
        elif roll < 0.85:
            self._access(body, state, scope, "copy", (target, self.random.choice(others)), ())
        else:
            self._access(body, state, scope, "fill", (target,), (self.random.randrange(100),))

    def _access(
        self, body: list[Stmt], state: _State, scope: list[str], kind: str,
        buffers: tuple[str, ...], numbers: tuple[int, ...], token: str | None = None,
    ) -> None:  # fmt: skip
        """An operation of the device: writes the first buffer, reads the others (and it)."""
        self._left -= 1
        target = buffers[0]
        needed = state.tokens(target)
        needed += [w for w in (state.write[b] for b in buffers[1:]) if w]
        deps = self._shuffled(needed)
        if deps and self._chance(0.12):
            self._wait(body, deps)
            deps = deps if self._chance(0.3) else []
        elif deps and self._chance(0.25):
            deps = [self._joined(body, deps, scope)]
        if scope and self._chance(0.12):
            deps.append(self.random.choice(scope))
        if self._chance(0.15):
            body.append(Stmt(kind, buffers=buffers, numbers=numbers, deps=deps))
            state.settle(target, None)
            return
        token = self._name()
        body.append(Stmt(kind, buffers=buffers, numbers=numbers, deps=deps, token=token))
        scope.append(token)
        state.settle(target, token)
        for other in buffers[1:]:
            state.reads[other].append(token)

    def _host(self, body: list[Stmt], state: _State) -> None:
        buffer = self.random.choice([b for b in state.write if b in BUFFERS])
        if self._chance(0.6):
            write = state.write[buffer]
            self._wait(body, [write] if write else [])
            state.write[buffer] = None
            slot = self.random.randrange(OUT_SLOTS)
            body.append(Stmt("read", buffers=(buffer,), numbers=(slot,)))
        else:
            self._wait(body, state.tokens(buffer))
            state.settle(buffer, None)
            numbers = (self.random.choice((3, 5)), self.random.randrange(1, 9))
            body.append(Stmt("update", buffers=(buffer,), numbers=numbers))

    def _temporary(
        self, body: list[Stmt], state: _State, scope: list[str], buffers: tuple[str, ...]
    ) -> None:
        """A buffer that is allocated, filled, used and freed."""
        name = self._name("m")
        is_async = self._chance(0.8)
        token = self._name() if is_async else None
        deps = [self.random.choice(scope)] if scope and self._chance(0.3) else []
        body.append(Stmt("alloc", buffers=(name,), deps=deps, token=token))
        state.settle(name, token)
        source = self.random.choice([b for b in buffers if b in BUFFERS])
        if self._chance(0.7):
            self._access(body, state, scope, "copy", (name, source), ())
        else:
            self._access(body, state, scope, "fill", (name,), (self.random.randrange(100),))
        for _ in range(self.random.randrange(1, 3)):
            target, other = (name, source) if self._chance(0.5) else (source, name)
            numbers = (3, self.random.randrange(9))
            self._access(body, state, scope, "launch", (target, other), numbers)
        deps = self._shuffled(state.tokens(name))
        free = self._name() if self._chance(0.8) else None
        if free is None and deps and self._chance(0.5):
            self._wait(body, deps)
            deps = []
        body.append(Stmt("free", buffers=(name,), deps=deps, token=free))
        del state.write[name], state.reads[name]

    # -- control flow

    def _groups(self, buffers: list[str]) -> list[list[str]]:
        """Which buffers share a token."""
        groups: list[list[str]] = []
        for buffer in self._shuffled(buffers):
            if groups and self._chance(0.35):
                self.random.choice(groups).append(buffer)
            else:
                groups.append([buffer])
        return groups

    def _block(
        self, state: _State, scope: list[str], depth: int, blocks: bool, least: int = 0
    ) -> list[Stmt]:
        body: list[Stmt] = []
        for _ in range(self.random.randrange(least, 3)):
            self._statement(body, state, scope, depth + 1, blocks)
        return body

    def _settled(
        self, body: list[Stmt], state: _State, scope: list[str], groups: list[list[str]]
    ) -> list[str]:
        """One token for each group."""
        found: list[str] = []
        for group in groups:
            tokens = [t for b in group for t in state.tokens(b)]
            found.append(self._joined(body, tokens, list(scope)))
        return found

    def _branch(
        self, body: list[Stmt], state: _State, scope: list[str], depth: int, blocks: bool
    ) -> None:
        kind = self.random.choice(("if", "if", "switch", "region"))
        style = "cf" if blocks and kind != "region" and self._chance(0.5) else "scf"
        count = {"if": 2, "switch": 3, "region": 1}[kind]
        bodies: list[list[Stmt]] = []
        states: list[_State] = []
        scopes: list[list[str]] = []
        for i in range(count):
            states.append(state.copy())
            scopes.append(list(scope))
            inner = style == "cf" or kind == "region"
            bodies.append(self._block(states[i], scopes[i], depth, inner, 1 - min(i, 1)))
        changed = [b for b in state.write if any(s.tokens(b) != state.tokens(b) for s in states)]
        groups, waited = self._groups(changed), []
        if groups and self._chance(0.2):
            waited = groups.pop()
        yields: list[list[str]] = []
        for branch, inside, names in zip(bodies, states, scopes, strict=True):
            self._wait(branch, [t for b in waited for t in inside.tokens(b)])
            yields.append(self._settled(branch, inside, names, groups))
        tokens = [self._name("r") for _ in groups]
        choices = COUNTS if kind == "switch" else CONDITIONS
        body.append(
            Stmt(
                kind, condition=self.random.choice(choices), bodies=bodies, yields=yields,
                tokens=tokens, style=style,
            )
        )  # fmt: skip
        self._merge(state, scope, groups, tokens, waited)

    def _merge(
        self, state: _State, scope: list[str], groups: list[list[str]], tokens: list[str],
        waited: list[str],
    ) -> None:  # fmt: skip
        for buffer in waited:
            state.settle(buffer, None)
        for group, token in zip(groups, tokens, strict=True):
            scope.append(token)
            for buffer in group:
                state.settle(buffer, token)

    def _inside(
        self, body: list[Stmt], state: _State, scope: list[str], names: str
    ) -> tuple[list[list[str]], list[str], list[str], list[str], _State]:
        """For a loop or callee: groups, those waited for, initial tokens, arguments, state."""
        buffers = [b for b in state.write if b in BUFFERS]
        used = self.random.sample(buffers, self.random.randrange(1, len(buffers) + 1))
        groups, waited = self._groups(used), []
        if self._chance(0.2):
            waited = groups.pop()
        self._wait(body, [t for b in waited for t in state.tokens(b)])
        inits = self._settled(body, state, scope, groups)
        arguments = [self._name(names) for _ in groups]
        inside = _State(tuple(used))
        for group, token in zip(groups, arguments, strict=True):
            for buffer in group:
                inside.settle(buffer, token)
        return groups, waited, inits, arguments, inside

    def _loop(
        self, body: list[Stmt], state: _State, scope: list[str], depth: int, blocks: bool
    ) -> None:
        style = self.random.choice(("for", "for", "while", "cf" if blocks else "for"))
        groups, waited, inits, arguments, inside = self._inside(body, state, scope, "i")
        names = [*scope, *arguments]
        inner = self._block(inside, names, depth, style == "cf", 1)
        self._wait(inner, [t for b in waited for t in inside.tokens(b)])
        yields = self._settled(inner, inside, names, groups)
        tokens = [self._name("r") for _ in groups]
        body.append(
            Stmt(
                "loop", condition=self.random.choice(COUNTS), bodies=[inner], yields=[yields],
                inits=inits, arguments=arguments, tokens=tokens, style=style,
            )
        )  # fmt: skip
        self._merge(state, scope, groups, tokens, waited)

    def _call(
        self, body: list[Stmt], state: _State, scope: list[str], depth: int, blocks: bool
    ) -> None:
        groups, waited, inits, arguments, inside = self._inside(body, state, scope, "a")
        function = Function(len(self.functions), arguments)
        self.functions.append(function)
        function.body = self._block(inside, list(arguments), depth, True, 1)
        self._wait(function.body, [t for b in waited for t in inside.tokens(b)])
        function.results = self._settled(function.body, inside, list(arguments), groups)
        # What it does comes out right however often it is called.
        for _ in range(self.random.choice((1, 1, 2))):
            tokens = [self._name("r") for _ in groups]
            body.append(Stmt("call", callee=function, deps=inits, tokens=tokens))
            inits = tokens
        self._merge(state, scope, groups, inits, waited)


def generate(random: Random, size: int = 8, *, flow: bool = True) -> Program:
    """A random program."""
    return Generator(random, size, flow=flow).program()


def programs(size: int = 8, *, flow: bool = True) -> Any:
    """The hypothesis strategy of random programs; a failing one is made smaller by its size."""
    from hypothesis import strategies as st

    seeds, sizes = st.integers(0, (1 << 32) - 1), st.integers(1, size)
    return st.builds(lambda n, seed: generate(Random(seed), n, flow=flow), sizes, seeds)
