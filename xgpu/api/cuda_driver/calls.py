# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the driver's functions: what tests see of them, and which wait for the end of others."""

from __future__ import annotations

import itertools
from _thread import get_ident
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from xgpu.api.cuda_driver.header import Result

C = TypeVar("C")

# -- what tests see


class Call(NamedTuple):
    """A call of a function: results are left out of its `arguments`, structures are copies, and
    arrays are addresses."""

    name: str
    arguments: tuple[object, ...]


class Refusal(NamedTuple):
    """A call that the driver has refused by itself, and with what."""

    call: Call
    result: int


class Recorder:
    """What a driver is called with, and which calls fail, for tests.

    `failures` maps names of functions to results that they give instead of their work. The call
    number `fail_at` gives `fail_with`; if that `is_sticky`, so does each later one that needs a
    context. Calls count if the function needs the driver to be initialized. `observers` maps names
    to what is called before the function, with the arguments as C has them. Without
    `keeps_calls`, calls are counted alone.
    """

    def __init__(
        self, fail_at: int = 0, fail_with: int = Result.INVALID_VALUE, *, is_sticky: bool = False,
        keeps_calls: bool = True,
    ) -> None:  # fmt: skip
        self.fail_at, self.fail_with, self.is_sticky = fail_at, fail_with, is_sticky
        self.keeps_calls = keeps_calls
        self.calls: list[Call] = []
        self.refusals: list[Refusal] = []
        self.failures: dict[str, int] = {}
        self.observers: dict[str, Callable[..., None]] = {}
        self.count = 0
        #: The function whose call was the number `fail_at`.
        self.injected: str | None = None
        #: What has ended with its context only, by its type in C.
        self.ended_with_context: Counter[str] = Counter()
        self._numbers = itertools.count(1)

    def failure(self, name: str, *, needs_context: bool) -> int:
        """The result that the next call of a function gives; 0: it does its work."""
        number = self.count = next(self._numbers)
        if name in self.failures:
            return self.failures[name]
        if number == self.fail_at:
            self.injected = name
            return self.fail_with
        if self.is_sticky and needs_context and self.injected is not None:
            return self.fail_with
        return 0


# -- calls within calls


class Stacks(Protocol[C]):
    """The contexts of the calling thread, the current one last (`state.Threads`)."""

    def stack(self) -> Sequence[C]: ...

    def push(self, context: C, /) -> None: ...

    def pop(self) -> C | None: ...


class Postponed(Generic[C]):
    """Calls that wait until the call that their thread is in has ended.

    Python collects garbage at any time, also where a call holds a lock, and finalizers of programs
    give back what they have. Such a call is made afterwards, in the context of its time. `inside`
    has the threads that are in a call, by Python's numbers.
    """

    def __init__(self, stacks: Stacks[C]) -> None:
        self.inside: set[int] = set()
        self._stacks = stacks
        self._waiting: list[tuple[int, C | None, Callable[[], int]]] = []
        self._catching_up: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, call: Callable[[], int]) -> None:
        """Let a call of this thread wait."""
        stack = self._stacks.stack()
        self._waiting.append((get_ident(), stack[-1] if stack else None, call))

    def catch_up(self) -> None:
        """Make the calls of this thread that wait."""
        me, stacks = get_ident(), self._stacks
        if me in self._catching_up:
            return
        self._catching_up.add(me)
        try:
            while mine := [one for one in self._waiting if one[0] == me]:
                self._waiting.remove(mine[0])
                _, context, call = mine[0]
                if context is None or stacks.stack()[-1:] == [context]:
                    call()
                else:
                    stacks.push(context)
                    call()
                    stacks.pop()
        finally:
            self._catching_up.discard(me)

    def clear(self) -> None:
        """The process was forked: it has none of the threads."""
        for known in (self.inside, self._waiting, self._catching_up):
            known.clear()
