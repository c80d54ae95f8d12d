# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which values have an influence on what a program does: MLIR's LivenessAnalysis.

A value lives if an operation with effects uses it, if it leaves the program (a function whose calls
are not all known gives it), or if a value that lives is computed from it. Only code that may run
counts: forward analysis of constants says which does. The facts flow backwards along values,
through calls, branches and regions, each fact once.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from xgpu.analysis.sparse import ConstantDomain, Solver
from xgpu.core.ir import region_flow
from xgpu.core.ir.calls import (
    CallGraph,
    call_arguments,
    first_argument,
    has_body,
    is_call,
    is_function,
    is_return,
)
from xgpu.core.ir.effects import is_trivially_dead
from xgpu.core.ir.liveness import Needed, not_forwarded


class Liveness(Needed):
    """The values inside of `top` that live."""

    def __init__(self, top: Operation) -> None:
        super().__init__()
        solver = Solver(ConstantDomain())
        solver.run(top)
        self._blocks: set[Block] = solver.live
        self._calls: CallGraph = solver.calls
        #: By result or argument of a region, the operands that become it.
        self._sources: dict[SSAValue, list[SSAValue]] = {}
        #: By operation with regions, what lives if one of its results does.
        self._needed: dict[Operation, list[SSAValue]] = {}
        self.need(top.results)
        for op in top.walk():
            if op.parent is None or op.parent in self._blocks:
                self._begin(op)
        self.spread()

    def is_live(self, value: SSAValue) -> bool:
        return value in self.values

    def may_run(self, branch: Operation) -> bool:
        return branch.parent in self._blocks

    # --- what lives for its own sake ---------------------------------------------------------
    def _begin(self, op: Operation) -> None:
        if region_flow.is_region_branch(op):
            self._begin_region_branch(op)
        elif op.successors:
            self.need(not_forwarded(op))
        elif is_call(op):
            self._begin_call(op)
        elif _leaves_region(op):
            pass  # its parent sees to it
        elif is_return(op) and _in_function(op):
            parent = op.parent_op()
            assert parent is not None
            if self._calls.sites(parent) is None:
                self.need(op.operands)
        elif not is_trivially_dead(op, ignore_uses=True):
            self.need(op.operands)

    def _begin_region_branch(self, op: Operation) -> None:
        """Joins what flows along the regions of `op`; other operands live if `op` has effects."""
        forwarded: set[SSAValue] = set()
        others: list[SSAValue] = []
        ends = [op]
        for index in range(len(op.regions)):
            ends += [e for e in region_flow.region_ends(op, index) if e.parent in self._blocks]
        for end in ends:
            places: set[int] = set()
            for flow in region_flow.edges(op, end):
                for operand, value in zip(flow.operands, flow.inputs, strict=False):
                    self._sources.setdefault(value, []).append(operand)
                    forwarded.add(value)
                places |= _places(end, flow.operands)
            others += [v for i, v in enumerate(end.operands) if i not in places]
        for region in op.regions:
            block = region.first_block
            if block is not None:
                others += [arg for arg in block.args if arg not in forwarded]
        self._needed[op] = others
        if not is_trivially_dead(op, ignore_uses=True):
            self.need(others)

    def _begin_call(self, op: Operation) -> None:
        function = self._calls.callee(op)
        if function is None or not has_body(function):
            self.need(op.operands)
            return
        first = first_argument(op)
        last = first + len(call_arguments(op))
        self.need(v for i, v in enumerate(op.operands) if not first <= i < last)

    # --- what lives because something else does ----------------------------------------------
    def follow_result(self, value: OpResult, op: Operation) -> None:
        if op.parent is not None and op.parent not in self._blocks:
            return
        if op in self._needed:
            self.need(self._needed[op])
            self.need(self._sources.get(value, ()))
        elif is_call(op):
            function = self._calls.callee(op)
            ends = None if function is None else self._calls.returns(function)
            for end in ends or ():
                if value.index < len(end.operands) and end.parent in self._blocks:
                    self.need((end.operands[value.index],))
        elif not op.successors:
            self.need(op.operands)

    def follow_argument(self, value: BlockArgument, block: Block) -> None:
        self.need(self._sources.get(value, ()))
        super().follow_argument(value, block)
        function = block.parent_op()
        region = block.parent
        if function is None or region is None or not is_function(function):
            return
        if region.first_block is not block:
            return
        for site in self._calls.all_sites(function):
            arguments = call_arguments(site)
            if value.index < len(arguments) and site.parent in self._blocks:
                self.need((arguments[value.index],))


def _leaves_region(op: Operation) -> bool:
    """Whether `op` ends a region of an operation whose control flow is known."""
    parent = op.parent_op()
    return (
        op.name in region_flow.REGION_ENDS
        and parent is not None
        and region_flow.is_region_branch(parent)
    )


def _in_function(op: Operation) -> bool:
    parent = op.parent_op()
    return parent is not None and is_function(parent)


def _places(end: Operation, forwarded: Iterable[SSAValue]) -> set[int]:
    """The operands of `end` that are forwarded: as many as there are, at its end."""
    count = len(list(forwarded))
    return set(range(len(end.operands) - count, len(end.operands)))
