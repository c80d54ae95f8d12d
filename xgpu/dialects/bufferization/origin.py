# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where memrefs come from: which allocations a value may be.

Source: MLIR 22.1 BufferViewFlowAnalysis.cpp. Values are followed back through views, branches and
regions to where nothing is known before them: allocations, arguments of functions, results of
calls and of operations that are not known.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.core.ir.branches import successor_operands, successor_ranges
from xgpu.core.ir.effects import effects
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.region_flow import REGION_ENDS, edges, is_region_branch, region_ends

_VIEW = "ViewLikeOpInterface"


def is_memref(value: SSAValue) -> bool:
    """Whether `value` is memory, of known rank or not."""
    return isinstance(value.type, MemRefType | UnrankedMemRefType)


def has_effect(op: Operation, kind: str, value: SSAValue | None = None) -> bool:
    """Whether `op` itself has the effect `kind`, on `value` if one is given."""
    if "RecursiveMemoryEffects" in traits_of(op.name):
        return False
    return any(
        effect.kind == kind and (value is None or effect.value is value)
        for effect in effects(op) or ()
    )


def is_allocated(value: SSAValue) -> bool:
    """Whether the operation that defines `value` allocates it."""
    owner = value.owner
    return isinstance(owner, Operation) and has_effect(owner, "allocate", value)


def view_base(value: SSAValue) -> SSAValue:
    """What `value` is a view of, if it is one, and so on."""
    owner = value.owner
    while isinstance(owner, Operation) and _VIEW in traits_of(owner.name):
        value = owner.operands[0]
        owner = value.owner
    return value


def is_function_argument(value: SSAValue) -> bool:
    """Whether `value` is an argument of a function."""
    if not isinstance(value, BlockArgument):
        return False
    region = value.block.parent
    parent = value.block.parent_op()
    return (
        region is not None
        and region.first_block is value.block
        and parent is not None
        and "FunctionOpInterface" in traits_of(parent.name)
    )


class BufferOrigins:
    """The origins of all memrefs in `root`."""

    def __init__(self, root: Operation) -> None:
        self._sources: dict[SSAValue, set[SSAValue]] = {}
        self._terminal: set[SSAValue] = set()
        for op in root.walk():
            self._visit(op)

    def origins(self, value: SSAValue) -> set[SSAValue]:
        """Where `value` may come from."""
        seen = {value}
        pending = [value]
        while pending:
            for source in self._sources.get(pending.pop(), ()):
                if source not in seen:
                    seen.add(source)
                    pending.append(source)
        return {v for v in seen if is_memref(v) and v in self._terminal}

    def same_allocation(self, first: SSAValue, second: SSAValue) -> bool | None:
        """Whether two values are of one allocation; None if that is not known."""
        first, second = view_base(first), view_base(second)
        if first is second:
            return True
        a, b = self.origins(first), self.origins(second)
        if not a or not b:
            return None
        if len(a) == 1 and a == b:
            return True
        if a & b:
            return None
        for one, other in ((a, b), (b, a)):
            if all(map(is_allocated, one)) and all(
                is_allocated(v) or is_function_argument(v) for v in other
            ):
                return False
        return None

    # --- collecting ----------------------------------------------------------------------------
    def _link(self, sources: Iterable[SSAValue], values: Iterable[SSAValue]) -> None:
        for source, value in zip(sources, values, strict=False):
            self._sources.setdefault(value, set()).add(source)

    def _visit(self, op: Operation) -> None:
        if op.name == "arith.select":
            self._link(op.operands[1:], [op.results[0]] * 2)
        elif _VIEW in traits_of(op.name):
            self._link(op.operands[:1], op.results[:1])
        elif op.successors and successor_ranges(op) is not None:
            for index, successor in enumerate(op.successors):
                self._link(successor_operands(op, index) or (), successor.args)
        elif is_region_branch(op):
            self._visit_regions(op)
        elif op.name not in REGION_ENDS:
            self._visit_unknown(op)

    def _visit_regions(self, op: Operation) -> None:
        ends = [end for index in range(len(op.regions)) for end in region_ends(op, index)]
        for end in (op, *ends):
            for flow in edges(op, end):
                self._link(flow.operands, flow.inputs)

    def _visit_unknown(self, op: Operation) -> None:
        """Each result may be each operand, or new; so may arguments of regions."""
        self._terminal.update(filter(is_memref, op.results))
        for region in op.regions:
            if region.first_block is not None:
                self._terminal.update(filter(is_memref, region.first_block.args))
        for result in filter(is_memref, op.results):
            for operand in filter(is_memref, op.operands):
                self._link((operand,), (result,))
