# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a launch tells the runtime: which function, and its arguments in their order.

Rules that build operations and the translation that writes text say the same calls: what an
argument is, a value or the text of one, is theirs. Signatures: xgpu/core/support/abi.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

#: A value of the IR, or the text of one.
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class LaunchCall(Generic[V]):
    """A launch of `function`: sizes along x, y and z as i64 (`cluster` may be empty), the bytes of
    dynamic shared memory as i32, the array of the arguments' addresses, how many there are, and
    the bytes that they take together (graphs copy them; 0 where no graph is)."""

    function: V
    grid: tuple[V, ...]
    block: tuple[V, ...]
    cluster: tuple[V, ...]
    shared: V
    parameters: V
    count: int
    bytes: int = 0

    def on_stream(self, stream: V, null: V, number: Callable[[int], V]) -> tuple[str, list[V]]:
        """The call that launches now; `number` makes an i64, `null` is for what it does not use."""
        sizes = [*self.cluster, *self.grid, *self.block]
        arguments = [self.function, *sizes, self.shared, stream, self.parameters, null]
        if self.cluster:
            return "mgpuLaunchClusterKernel", arguments
        return "mgpuLaunchKernel", [*arguments, number(self.count)]

    def as_node(self, number: Callable[[int], V]) -> tuple[str, list[V]]:
        """The call that adds a node to a graph, without the graph and what the node waits for."""
        name = "mgpuGraphAddClusterKernel" if self.cluster else "mgpuGraphAddKernel"
        sizes = [*self.cluster, *self.grid, *self.block]
        return name, [self.function, *sizes, self.shared, *self._arguments(number)]

    def of_node(self, graph: V, node: V, number: Callable[[int], V]) -> tuple[str, list[V]]:
        """The call that changes a node of an executable graph; such have no clusters."""
        sizes = [*self.grid, *self.block, self.shared]
        arguments = [graph, node, self.function, *sizes, *self._arguments(number)]
        return "mgpuGraphExecKernelSetParams", arguments

    def _arguments(self, number: Callable[[int], V]) -> list[V]:
        """The kernel's arguments, which a graph copies."""
        return [self.parameters, number(self.count), number(self.bytes)]
