# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changing IR: a builder that also replaces and erases operations.

Whoever creates an operation through a `Rewriter` gives it the location of the operation that is
being rewritten, so that locations survive every pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.construction import erase_operation, replace_all_uses
from xgpu.core.rewriting.builder import Builder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Operation, SSAValue


class Rewriter(Builder):
    """A builder for what changes IR. Subclasses learn of changes through `inserted`, `replaced` and
    `erased`, which the greedy driver uses for its worklist.
    """

    __slots__ = ()

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Replaces the results of `op` with `values` and erases `op`."""
        for old, new in zip(op.results, values, strict=True):
            if new.name_hint is None and old.name_hint is not None:
                new.name_hint = old.name_hint
            replace_all_uses(old, new)
            self.replaced(new)
        self.erase(op)

    def erase(self, op: Operation) -> None:
        """Erases `op`, which must have no uses left."""
        if op is self.anchor:
            self.anchor = op.next_op
        self.erased(op)
        erase_operation(op)

    def modified(self, op: Operation) -> None:
        """Says that `op` was changed in place."""

    # --- for subclasses --------------------------------------------------------------------
    def replaced(self, new: SSAValue) -> None: ...

    def erased(self, op: Operation) -> None: ...
