# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations that a greedy rewrite has still to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xdsl.ir import Operation


class Worklist:
    """A stack of operations, each in it at most once."""

    __slots__ = ("index", "stack")

    def __init__(self) -> None:
        self.stack: list[Operation | None] = []
        #: Where each operation is in the stack, by `id`: what is in the stack stays alive.
        self.index: dict[int, int] = {}

    def push(self, op: Operation) -> None:
        key = id(op)
        if key not in self.index:
            self.index[key] = len(self.stack)
            self.stack.append(op)

    #: For an operation that was created just now.
    push_new = push

    def pop(self) -> Operation | None:
        """The operation pushed last, or None if there is none."""
        stack = self.stack
        while stack:
            op = stack.pop()
            if op is not None:
                del self.index[id(op)]
                return op
        return None

    def remove(self, op: Operation) -> None:
        at = self.index.pop(id(op), None)
        if at is not None:
            self.stack[at] = None

    def reverse(self) -> None:
        self.stack.reverse()
        self.index = {id(op): i for i, op in enumerate(self.stack) if op is not None}


class StrictWorklist(Worklist):
    """A worklist of some operations and of new ones only: MLIR's ExistingAndNewOps."""

    __slots__ = ("allowed",)

    def __init__(self, allowed: Iterable[Operation]) -> None:
        super().__init__()
        self.allowed = set(allowed)

    def push(self, op: Operation) -> None:
        if op in self.allowed:
            super().push(op)

    def push_new(self, op: Operation) -> None:
        self.allowed.add(op)
        super().push(op)

    def remove(self, op: Operation) -> None:
        self.allowed.discard(op)
        super().remove(op)
