# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that launch a graph, called again with the arguments of the call before: the graph is
launched as it is, without the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.api.kernels import Packer
from xgpu.api.layouts import layout
from xgpu.api.memory import View
from xgpu.api.programs import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xgpu.runtime.cuda.graph_call import GraphCall

# Arrays of so many shapes may come twice in a row: others get no code.
_MOST = 8


class Repeats:
    """What a function knows of the calls that were made: `call`, if there is one, takes arguments
    and says what came of it, see `runtime.cuda.graph_call`."""

    __slots__ = ("_before", "_keys", "_left", "_made", "_packer", "_program", "call")

    def __init__(self, program: Program, packer: Packer) -> None:
        self._program = program
        self._packer = packer
        self._left = _MOST
        self._before = b""
        self._made: GraphCall | None = None
        self._keys: list[object] = []
        self.call: Callable[..., int] | None = None

    def note(self, words: bytes, arguments: tuple[object, ...], views: Sequence[View]) -> None:
        """The program has been called with these, and nobody else has called it since. What comes
        twice in a row is expected to come again."""
        same, self._before = words == self._before, words
        if not same or any(view.stream for view in views):
            return
        expected, where = self._packer.expected(arguments), layout()
        if expected is None or where is None:
            return
        keys: list[object] = [(e.kind, e.key) for e in expected]
        if self._made is None or keys != self._keys:
            if not self._left:
                return
            self._left -= 1
            self._made, self._keys = self._program.graph_call(words, expected, where), keys
            self.call = None if self._made is None else self._made.call
        graph = self._program.launched
        if self._made is not None and graph:
            self._made.arm(graph, words)
