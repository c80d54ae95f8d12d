# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-eliminate-barriers: erases barriers between operations that do not conflict.

A barrier goes if no effect before it, back to the previous barrier, conflicts with an effect after
it, up to the next one: same memory (or possibly so), at least one write. Reads after reads, and
accesses of memory that only this thread sees, do not conflict. Source: MLIR 22.1
EliminateBarriers.cpp (after Moses et al., "High-Performance GPU-to-CPU Transpilation", 2023).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.core.ir.effects import effects
from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.greedy import GreedyRewriter

#: (kind, value or None for unknown memory)
Found = list[tuple[str, "SSAValue | None"]]
_ALL: Found = [(kind, None) for kind in ("read", "write", "allocate", "free")]
_BASES = {
    "memref.cast": 0,
    "memref.collapse_shape": 0,
    "memref.expand_shape": 0,
    "memref.subview": 0,
    "memref.transpose": 0,
    "memref.view": 0,
}
_VIEWS = frozenset({"CastOpInterface", "ViewLikeOpInterface"})
_PARALLEL = frozenset({"gpu.func", "gpu.launch"})
_SEQUENTIAL_LOOPS = frozenset({"scf.for"})
#: Operations whose region runs at most once each time they do; so do functions.
_RUN_ONCE = frozenset({"scf.if", "memref.alloca_scope"})
_DISTINCT = frozenset({"memref.alloc", "memref.alloca"})
#: Operations that store a value: which operand that is.
_STORES = {
    "memref.store": 0,
    "vector.maskedstore": 3,
    "vector.store": 0,
    "vector.transfer_write": 0,
}


class GpuEliminateBarriers(Pass):
    """Erases unnecessary barriers."""

    name = "gpu-eliminate-barriers"
    summary = "Erase unnecessary barriers"
    anchor = "func.func"
    options = (
        Option(
            "schedule",
            bool,
            False,
            "Tell memory and stages by the analysis of circular-buffer, which takes different "
            "arguments for different memory.",
        ),
    )
    schedule: bool

    def run(self, op: Operation, ctx: Context) -> None:
        if self.schedule:
            _erase_by_schedule(op)
            return
        from xgpu.core.rewriting.greedy import apply_patterns

        apply_patterns(op, PATTERNS)


def _erase_by_schedule(function: Operation) -> None:
    """Erases barriers one after the other: who is gone keeps nothing apart for the next."""
    from xgpu.analysis.around_barriers import AroundBarriers
    from xgpu.core.rewriting.builder import Rewriter

    around = AroundBarriers(function)
    for barrier in [op for op in function.walk() if op.name == "gpu.barrier"]:
        if not around.is_needed(barrier):
            Rewriter(barrier).erase(barrier)


def erase_unnecessary_barrier(barrier: Operation, rw: GreedyRewriter) -> bool:
    """The pattern: erases a barrier that keeps nothing apart."""
    before: Found = []
    _effects_beside(barrier, before, forward=False)
    after: Found = []
    _effects_beside(barrier, after, forward=True)
    if _have_conflict(before, after):
        return False
    rw.erase(barrier)
    return True


PATTERNS = {"gpu.barrier": (erase_unnecessary_barrier,)}


# --- collecting --------------------------------------------------------------------------------
def _collect(op: Operation, found: Found) -> bool:
    """Adds the effects of `op` and its regions; False if they are unknown (all are added then)."""
    if op.name == "gpu.barrier":
        return True
    if "RecursiveMemoryEffects" in traits_of(op.name):
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    if not _collect(inner, found):
                        return False
        return True
    known = effects(op)
    if known is None:
        found.extend(_ALL)
        return False
    found.extend((effect.kind, effect.value) for effect in known)
    return True


def _effects_in_block(op: Operation | None, found: Found, *, forward: bool) -> bool:
    """Adds the effects of `op` and what follows it in its block, up to a barrier."""
    while op is not None and op.name != "gpu.barrier":
        if not _collect(op, found):
            return False
        op = op.next_op if forward else op.prev_op
    return True


def _effects_beside(op: Operation, found: Found, *, forward: bool) -> bool:
    """Adds the effects of what may run after `op` (`forward`) or before it, up to a barrier.

    False if they are not exact: some are not tied to a value.
    """
    block = op.parent
    region = None if block is None else block.parent
    if block is None or region is None:
        return True
    if region.blocks.first is not region.blocks.last:
        found.extend(_ALL)
        return False
    _effects_in_block(op.next_op if forward else op.prev_op, found, forward=forward)
    parent = op.parent_op()
    if parent is None or _is_parallel_boundary(parent):
        return True
    if "IsolatedFromAbove" in traits_of(parent.name):
        if _is_called(parent):
            # What the callers do next to the call is beside the barrier too.
            found.extend(_ALL)
            return False
    elif not _effects_beside(parent, found, forward=forward):
        return False
    if parent.name in _SEQUENTIAL_LOOPS:
        # The end of the body runs before its start, in the iteration before.
        last = block.last_op
        start = block.first_op if forward else None if last is None else last.prev_op
        return _effects_in_block(start, found, forward=forward)
    if parent.name in _RUN_ONCE or _is_function(parent):
        return True
    return all(_collect(inner, found) for inner in parent.walk())


def _is_parallel_boundary(op: Operation) -> bool:
    return op.name in _PARALLEL or "__parallel_region_boundary_for_test" in op.attributes


def _is_function(op: Operation) -> bool:
    return "FunctionOpInterface" in traits_of(op.name)


def _is_called(function: Operation) -> bool:
    """Whether an operation of the same symbol table refers to `function`."""
    table, name = function.parent_op(), function.properties.get("sym_name")
    if table is None or name is None:
        return False
    return any(
        attr.root_reference == name
        for op in table.walk()
        for attr in (*op.properties.values(), *op.attributes.values())
        if isinstance(attr, SymbolRefAttr)
    )


# --- conflicts ---------------------------------------------------------------------------------
def _have_conflict(before: Found, after: Found) -> bool:
    return any(_conflicts(a, b) for a in before for b in after)


def _conflicts(before: tuple[str, SSAValue | None], after: tuple[str, SSAValue | None]) -> bool:
    (kind_before, value_before), (kind_after, value_after) = before, after
    known = None if value_before is None or value_after is None else (value_before, value_after)
    if known is not None and not _may_alias(*known):
        return False
    if "allocate" in (kind_before, kind_after):
        return False  # new memory has no other user yet
    if kind_before == "free":
        return False  # what comes after it cannot be in the same memory, or the program is wrong
    return not (kind_before == "read" and kind_after == "read")


def _base(value: SSAValue) -> SSAValue:
    owner = value.owner
    while isinstance(owner, Operation) and owner.name in _BASES:
        value = owner.operands[_BASES[owner.name]]
        owner = value.owner
    return value


def _is_distinct(value: SSAValue) -> bool:
    """Whether `value` is memory that no other value of another origin is."""
    return isinstance(value.owner, Operation) and value.owner.name in _DISTINCT


def _function_of(value: SSAValue) -> Operation | None:
    """The function whose argument `value` is, or None."""
    if not isinstance(value, BlockArgument):
        return None
    parent = value.block.parent_op()
    return parent if parent is not None and _is_function(parent) else None


def _is_noalias_argument(value: SSAValue) -> bool:
    function = _function_of(value)
    if function is None:
        return False
    attrs = function.properties.get("arg_attrs")
    if not isinstance(attrs, ArrayAttr) or value.index >= len(attrs.data):  # pyright: ignore
        return False
    return "llvm.noalias" in attrs.data[value.index].data  # pyright: ignore


def _is_captured(value: SSAValue) -> bool:
    """Whether `value` may be known elsewhere: some user may store it in memory."""
    pending = [value]
    while pending:
        for use in pending.pop().uses:
            user = use.operation
            if _VIEWS & traits_of(user.name):
                # Before the effects: MLIR takes a view for an operation that only reads, and so
                # misses that what is stored is the view.
                pending.append(user.results[0])
                continue
            known = None if _is_recursive(user) else effects(user)
            if known is not None and all(effect.kind == "read" for effect in known):
                continue
            if user.name in _STORES:
                if use.index == _STORES[user.name]:
                    return True
            elif user.name != "memref.dealloc":
                return True
    return False


def _is_recursive(op: Operation) -> bool:
    return "RecursiveMemoryEffects" in traits_of(op.name)


def _may_alias(first: SSAValue, second: SSAValue) -> bool:
    first, second = _base(first), _base(second)
    if first is second:
        return True
    names = _global_name(first), _global_name(second)
    if all(names):
        return names[0] == names[1]
    if _is_noalias_argument(first) and _is_noalias_argument(second):
        return False
    distinct = _is_distinct(first), _is_distinct(second)
    if (distinct[0] or names[0]) and (distinct[1] or names[1]):
        return False
    for allocation, other in ((first, second), (second, first)):
        if _is_distinct(allocation) and _function_of(other) is not None:
            return False
    return not any(_is_distinct(value) and not _is_captured(value) for value in (first, second))


def _global_name(value: SSAValue) -> str:
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "memref.get_global":
        return str(owner.properties["name"])
    return ""
