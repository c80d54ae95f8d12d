# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that launch a graph, called again with the arguments of the call before: the graph is
launched as it is, without the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.api.layouts import layout
from xgpu.api.memory import View
from xgpu.api.packing import Packer
from xgpu.api.programs import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xgpu.runtime.cuda.graph_call import GraphCall

# Arrays of so many shapes may come twice in a row: others get no code.
_MOST = 8


class Repeats:
    """What a function knows of the calls that were made."""

    __slots__ = ("_before", "_keys", "_left", "_made", "_packer", "_program")

    def __init__(self, program: Program, packer: Packer) -> None:
        self._program = program
        self._packer = packer
        self._left = _MOST
        self._before = b""
        self._made: GraphCall | None = None
        self._keys: list[object] = []

    def note(
        self, words: bytes, arguments: tuple[object, ...], views: Sequence[View]
    ) -> Callable[..., int] | None:
        """The program has been called with these, and nobody else has called it since; what comes
        twice in a row is expected to come again. What the next call may ask, see
        `runtime.cuda.graph_call`.
        """
        same, self._before = words == self._before, words
        if same and not any(view.stream for view in views):
            self._arm(words, arguments)
        return None if self._made is None else self._made.call

    def _arm(self, words: bytes, arguments: tuple[object, ...]) -> None:
        expected, where = self._packer.expected(arguments), layout()
        if expected is None or where is None:
            return
        keys: list[object] = [(e.kind, e.key) for e in expected]
        if self._made is None or keys != self._keys:
            if not self._left:
                return
            self._left -= 1
            self._made, self._keys = self._program.graph_call(words, expected, where), keys
        graph = self._program.launched
        if self._made is not None and graph:
            self._made.arm(graph, words)
