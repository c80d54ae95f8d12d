# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the bufferization dialect, and where memrefs come from.

Source: MLIR 22.1 BufferizationOps.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    MemRefType,
    UnrankedMemRefType,
    i1,
    i32,
)
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.effects import effects
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.region_flow import (
    REGION_ENDS,
    edges,
    is_region_branch,
    region_ends,
    successor_operands,
    successor_ranges,
)
from xgpu.dialects import bufferization
from xgpu.dialects.bufferization import fold
from xgpu.dialects.memref.verify import can_cast

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.core.rewriting.greedy import GreedyRewriter


# -- Where memrefs come from: which allocations a value may be.
#
# Source: MLIR 22.1 BufferViewFlowAnalysis.cpp. Values are followed back through views, branches and
# regions to where nothing is known before them: allocations, arguments of functions, results of
# calls and of operations that are not known.


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


# -- Canonicalization patterns.


def boolean(rw: GreedyRewriter | Rewriter, value: bool) -> SSAValue:
    """A constant i1."""
    return rw.value("arith.constant", (), i1, {"value": IntegerAttr(-1 if value else 0, i1)})


def update(
    op: bufferization.DeallocOp,
    rw: GreedyRewriter,
    memrefs: Sequence[SSAValue],
    conditions: Sequence[SSAValue],
) -> bool:
    """Gives a dealloc other memrefs and conditions; whether they are others."""
    if list(op.memrefs) == list(memrefs) and list(op.conditions) == list(conditions):
        return False
    retained = list(op.retained)
    rw.set_operands(op, [*memrefs, *conditions, *retained])
    sizes = [len(memrefs), len(conditions), len(retained)]
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
    return True


def dealloc(
    rw: GreedyRewriter | Rewriter,
    memrefs: Sequence[SSAValue],
    conditions: Sequence[SSAValue],
    retained: Sequence[SSAValue],
) -> Operation:
    """Creates a dealloc."""
    return rw.create(
        "bufferization.dealloc",
        (list(memrefs), list(conditions), list(retained)),
        [i1] * len(retained),
    )


def _merge_memrefs(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    """A memref that is there twice is freed if one of its conditions holds."""
    found: dict[SSAValue, SSAValue] = {}
    for memref, condition in zip(op.memrefs, op.conditions, strict=True):
        known = found.get(memref)
        if known is not None and known is not condition:
            condition = rw.value("arith.ori", (known, condition), i1)
        found[memref] = condition
    return update(op, rw, list(found), list(found.values()))


def _merge_retained(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    places: dict[SSAValue, int] = {}
    for value in op.retained:
        places.setdefault(value, len(places))
    if len(places) == len(op.retained):
        return False
    new = dealloc(rw, op.memrefs, op.conditions, list(places))
    rw.replace(op, [new.results[places[value]] for value in op.retained])
    return True


def _erase_empty(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    if op.memrefs:
        return False
    false = boolean(rw, False)
    rw.replace(op, [false] * len(op.results))
    return True


def _drop_never_freed(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    pairs = [
        (memref, condition)
        for memref, condition in zip(op.memrefs, op.conditions, strict=True)
        if int_of(condition) != 0
    ]
    return update(op, rw, [memref for memref, _ in pairs], [condition for _, condition in pairs])


def _skip_metadata(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    """The base of what an operation allocates is what it allocates."""
    memrefs: list[SSAValue] = []
    for memref in op.memrefs:
        owner = memref.owner
        if isinstance(owner, Operation) and owner.name == "memref.extract_strided_metadata":
            source = owner.operands[0]
            memrefs.append(source if is_allocated(source) else memref)
        else:
            memrefs.append(memref)
    return update(op, rw, memrefs, op.conditions)


def _drop_unused_allocations(op: bufferization.DeallocOp, rw: GreedyRewriter) -> bool:
    """What is allocated and freed, and nothing else, need not be."""
    memrefs: list[SSAValue] = []
    conditions: list[SSAValue] = []
    unused: list[Operation] = []
    for memref, condition in zip(op.memrefs, op.conditions, strict=True):
        owner = memref.owner
        if (
            isinstance(owner, Operation)
            and is_allocated(memref)
            and len(effects(owner) or ()) == 1
            and memref.has_one_use()
        ):
            unused.append(owner)
        else:
            memrefs.append(memref)
            conditions.append(condition)
    if not update(op, rw, memrefs, conditions):
        return False
    for allocation in unused:
        if all(result.first_use is None for result in allocation.results):
            rw.erase(allocation)
    return True


def _free_of(value: SSAValue) -> tuple[bool, Operation | None]:
    """(whether at most one operation frees `value`, that operation)."""
    found: Operation | None = None
    for use in value.uses:
        if has_effect(use.operation, "free", value):
            # What frees by giving another buffer cannot go.
            if found is not None or use.operation.results:
                return False, None
            found = use.operation
    return True, found


def _simplify_clone(op: Operation, rw: GreedyRewriter) -> bool:
    """A clone whose original is freed before it, or the other way round, is the original."""
    source, clone = op.operands[0], op.results[0]
    if clone.first_use is None:
        rw.erase(op)
        return True
    if source.type != clone.type and not can_cast(source.type, clone.type):
        return False
    one, free_of_clone = _free_of(clone)
    other, free_of_source = _free_of(view_base(source))
    if not one or not other:
        return False
    both = free_of_clone is not None and free_of_source is not None
    if both and free_of_clone.parent is free_of_source.parent:  # pyright: ignore
        return False
    redundant = next(
        (f for f in (free_of_clone, free_of_source) if f is not None and f.parent is op.parent),
        None,
    )
    if redundant is None:
        return False
    between = op.next_op
    while between is not redundant:
        if between is None or has_effect(between, "free"):
            return False
        between = between.next_op
    if source.type != clone.type:
        source = rw.value("memref.cast", (source,), clone.type)
    rw.replace(op, [source])
    rw.erase(redundant)
    return True


PATTERNS = {
    **fold.BUFFER_PATTERNS,
    "bufferization.clone": (_simplify_clone,),
    "bufferization.dealloc": (
        _merge_memrefs,
        _merge_retained,
        _erase_empty,
        _drop_never_freed,
        _skip_metadata,
        _drop_unused_allocations,
    ),
}
