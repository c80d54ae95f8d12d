# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sccp`, `trivial-dce` and `strip-debuginfo`: constants, dead operations and locations."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.analysis.sparse import ConstantDomain, Solver
from xgpu.core.ir.effects import is_trivially_dead
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.folding import materialize
from xgpu.core.rewriting.greedy import insertion_region

if TYPE_CHECKING:
    from xdsl.context import Context


# --- sccp ----------------------------------------------------------------------------------------
# `sccp`: sparse conditional constant propagation.


class SCCP(Pass):
    """Replaces values that are constant on all paths that can be taken."""

    name = "sccp"
    summary = "Sparse Conditional Constant Propagation"

    def run(self, op: Operation, ctx: Context) -> None:
        domain = ConstantDomain()
        Solver(domain).run(op)
        _Replacement(domain).run(op)


class _Replacement:
    """Puts the constants that were found in place of values.

    A constant stands at the start of the region that its value is in, as far outside as constants
    may move; those that are the same are one.
    """

    def __init__(self, domain: ConstantDomain) -> None:
        self.domain = domain
        self.made: dict[tuple[Region, str, Attribute, Attribute], SSAValue] = {}

    def run(self, top: Operation) -> None:
        stack = self._blocks(top)
        while stack:
            block = stack.pop()
            for op in list(block.ops):
                found = [self._replace(r, block) for r in op.results]
                if op.results and all(found) and is_trivially_dead(op):
                    op.detach()
                    op.erase()
                    continue
                stack.extend(self._blocks(op))
            for argument in block.args:
                if block.parent_op() is not None:
                    self._replace(argument, block)

    def _blocks(self, op: Operation) -> list[Block]:
        return [block for region in op.regions for block in reversed(region.blocks)]

    def _replace(self, value: SSAValue, block: Block) -> bool:
        constant = self.domain.constant(value)
        if constant is None:
            return False
        dialect = self.domain.dialect(value)
        new = self._constant(constant, value.type, dialect, block)
        if new is None:
            return False
        value.replace_all_uses_with(new)
        return True

    def _constant(
        self, attr: Attribute, type_: Attribute, dialect: str, block: Block
    ) -> SSAValue | None:
        region = insertion_region(block)
        if region is None:
            return None
        key = (region, dialect, attr, type_)
        found = self.made.get(key)
        if found is None:
            rw = Rewriter(location=UnknownLoc())  # it may stand for several values
            first = region.first_block
            assert first is not None
            rw.at_start(first)
            found = materialize(rw, attr, type_, dialect)
            if found is None:
                return None
            owner = cast("Operation", found.owner)
            # Another dialect may have been asked for the same constant before.
            same = (region, owner.name.partition(".")[0], attr, type_)
            if same in self.made:
                owner.detach()
                owner.erase()
                found = self.made[same]
            self.made[same] = self.made[key] = found
        return found


# --- trivial dce ---------------------------------------------------------------------------------
# `trivial-dce`: erases operations without effects whose results nothing uses.


def erase_dead(op: Operation) -> None:
    """Erases dead operations inside `op`, users before what they use."""
    for region in op.regions:
        for block in reversed(list(region.blocks)):
            for inner in reversed(list(block.ops)):
                if is_trivially_dead(inner):
                    inner.detach()
                    inner.erase()
                else:
                    erase_dead(inner)


class TrivialDCE(Pass):
    """Erases what is trivially dead, and nothing else."""

    name = "trivial-dce"
    summary = "Trivially dead code elimination"

    def run(self, op: Operation, ctx: Context) -> None:
        erase_dead(op)


# --- strip debuginfo -----------------------------------------------------------------------------
# `strip-debuginfo`: replaces every location with the unknown one.


class StripDebugInfo(Pass):
    """Forgets where everything came from."""

    name = "strip-debuginfo"
    summary = "Strip debug info from all operations"

    def run(self, op: Operation, ctx: Context) -> None:
        unknown = UnknownLoc()
        for inner in op.walk():
            inner.location = unknown
            for region in inner.regions:
                for block in region.blocks:
                    for arg in block.args:
                        if hasattr(arg, "location"):
                            arg.location = unknown
