# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewriters that keep the handles of a transform program up to date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xgpu.core.rewriting.greedy import GreedyDriver, GreedyRewriter, Patterns
from xgpu.core.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.worklist import Worklist
    from xgpu.transform_dialect.state import State


class TrackingRewriter(Rewriter):
    """A rewriter for transform operations that change single operations."""

    __slots__ = ("state",)

    def __init__(self, state: State, anchor: Operation | None = None) -> None:
        super().__init__(anchor)
        self.state = state

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        self.state.replaced(op, values)
        super().replace(op, values)

    def erased(self, op: Operation) -> None:
        self.state.erased(op)


class _TrackingGreedyRewriter(GreedyRewriter):
    __slots__ = ("state",)

    def __init__(self, worklist: Worklist, state: State) -> None:
        super().__init__(worklist)
        self.state = state

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        self.state.replaced(op, values)
        super().replace(op, values)

    def erased(self, op: Operation) -> None:
        super().erased(op)
        self.state.erased(op)


def apply_tracked(
    target: Operation,
    patterns: Patterns,
    state: State,
    *,
    max_iterations: int = -1,
    max_rewrites: int = -1,
) -> bool:
    """Rewrites the regions of `target` greedily; whether it converged."""
    converged = True
    for region in target.regions:
        driver = GreedyDriver(
            patterns,
            top_down=False,
            simplify="aggressive",
            max_iterations=max_iterations,
            max_rewrites=max_rewrites,
        )
        driver.rewriter = _TrackingGreedyRewriter(driver.worklist, state)
        converged = driver.run(region) and converged
    return converged
