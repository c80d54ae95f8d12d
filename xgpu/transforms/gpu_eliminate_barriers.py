# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-eliminate-barriers: erases barriers between operations that do not conflict.

A barrier goes if no effect before it, back to the previous barrier, conflicts with an effect after
it, up to the next one: same memory (or possibly so), at least one write. Reads after reads, and
accesses of memory that only this thread sees, do not conflict. Source: MLIR 22.1
EliminateBarriers.cpp (after Moses et al., "High-Performance GPU-to-CPU Transpilation", 2023).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerAttr, MemRefType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.ods.effects import effects
from xgpu.transforms.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context

#: (kind, value or None for unknown memory)
Found = list[tuple[str, "SSAValue | None"]]
_ALL: Found = [(kind, None) for kind in ("read", "write", "free", "allocate")]
_CASTS = frozenset(
    {
        "memref.cast",
        "memref.subview",
        "memref.view",
        "memref.reinterpret_cast",
        "memref.expand_shape",
        "memref.collapse_shape",
        "memref.memory_space_cast",
        "memref.transpose",
        "memref.reshape",
    }
)
_PARALLEL = frozenset({"gpu.launch"})
_SEQUENTIAL_LOOPS = frozenset({"scf.for", "scf.while"})
_KNOWN_REGIONS = frozenset({"scf.if", "memref.alloca_scope"})


class GpuEliminateBarriers(Pass):
    """Erases unnecessary barriers."""

    name = "gpu-eliminate-barriers"
    summary = "Erase unnecessary barriers"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.greedy import apply_patterns

        apply_patterns(op, PATTERNS, simplify="aggressive")


def erase_unnecessary_barrier(barrier: Operation, rw: Any) -> bool:
    """The pattern: erases a barrier that keeps nothing apart."""
    if not _is_unnecessary(barrier):
        return False
    rw.erase(barrier)
    return True


PATTERNS = {"gpu.barrier": (erase_unnecessary_barrier,)}


def _is_unnecessary(barrier: Operation) -> bool:
    before: Found = []
    _effects_before(barrier, before, stop_at_barrier=True)
    after: Found = []
    _effects_after(barrier, after, stop_at_barrier=True)
    return not _have_conflict(before, after)


# --- collecting --------------------------------------------------------------------------------
def _collect(op: Operation, found: Found, *, ignore_barriers: bool = True) -> bool:
    """Adds the effects of `op` and its regions; False if they are unknown (all are added then)."""
    if op.name == "gpu.barrier":
        if not ignore_barriers:
            found.extend(_ALL)
        return True
    known = effects(op)
    if known is not None:
        found.extend((e.kind, e.value) for e in known)  # pyright: ignore
        return True
    if op.regions:
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    if not _collect(inner, found, ignore_barriers=ignore_barriers):
                        return False
        return True
    found.extend(_ALL)
    return False


def _is_parallel_boundary(op: Operation | None) -> bool:
    if op is None:
        return True
    if op.name in _PARALLEL:
        return True
    return op.name == "gpu.func" or "__parallel_region_boundary_for_test" in op.attributes


def _effects_before(op: Operation, found: Found, *, stop_at_barrier: bool) -> bool:
    """Effects of what may run before `op`; False if a barrier ends the search."""
    block = op.parent
    if block is None:
        return True
    if block is not _first_block(block):
        found.extend(_ALL)
        return True
    current = op.prev_op
    while current is not None:
        if current.name == "gpu.barrier":
            if stop_at_barrier:
                return True
        elif not _collect(current, found):
            return True
        current = current.prev_op
    parent = op.parent_op()
    if _is_parallel_boundary(parent):
        return True
    assert parent is not None
    if parent.name not in _KNOWN_REGIONS and parent.name not in _SEQUENTIAL_LOOPS:
        found.extend(_ALL)
        return True
    _effects_before(parent, found, stop_at_barrier=stop_at_barrier)
    if parent.name in _SEQUENTIAL_LOOPS:
        # The end of the body runs before its start, in the iteration before.
        _around_loop(parent, op, found, backward=True)
    return True


def _effects_after(op: Operation, found: Found, *, stop_at_barrier: bool) -> bool:
    """Effects of what may run after `op`."""
    block = op.parent
    if block is None:
        return True
    last = block.last_op
    if last is not None and last.successors:
        found.extend(_ALL)
        return True
    current = op.next_op
    while current is not None:
        if current.name == "gpu.barrier":
            if stop_at_barrier:
                return True
        elif not _collect(current, found):
            return True
        current = current.next_op
    parent = op.parent_op()
    if _is_parallel_boundary(parent):
        return True
    assert parent is not None
    if parent.name not in _KNOWN_REGIONS and parent.name not in _SEQUENTIAL_LOOPS:
        found.extend(_ALL)
        return True
    _effects_after(parent, found, stop_at_barrier=stop_at_barrier)
    if parent.name in _SEQUENTIAL_LOOPS:
        _around_loop(parent, op, found, backward=False)
    return True


def _around_loop(loop: Operation, op: Operation, found: Found, *, backward: bool) -> None:
    """Effects of the other iterations, up to the first barrier from that end of the body."""
    for region in loop.regions:
        block = region.blocks.first
        if block is None:
            continue
        ops = list(block.ops)
        for inner in reversed(ops) if backward else ops:
            if inner.name == "gpu.barrier":
                return
            if inner.name.endswith((".yield", ".condition")):
                continue
            if not _collect(inner, found):
                return


def _first_block(block: Block) -> Block | None:
    region = block.parent
    return None if region is None else region.blocks.first


# --- conflicts ---------------------------------------------------------------------------------
def _have_conflict(before: Found, after: Found) -> bool:
    return any(_conflicts(a, b) for a in before for b in after)


def _conflicts(a: tuple[str, SSAValue | None], b: tuple[str, SSAValue | None]) -> bool:
    (kind_a, value_a), (kind_b, value_b) = a, b
    if value_a is not None and value_b is not None and not _may_alias(value_a, value_b):
        return False
    if "allocate" in (kind_a, kind_b):
        # New memory is nobody else's yet.
        return False
    return not (kind_a == "read" and kind_b == "read")


def _base(value: SSAValue) -> SSAValue:
    owner = value.owner
    while isinstance(owner, Operation) and owner.name in _CASTS:
        value = owner.operands[0]
        owner = value.owner
    return value


def _is_allocation(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, Operation) and owner.name in (
        "memref.alloc",
        "memref.alloca",
        "gpu.alloc",
    )


def _is_function_argument(value: SSAValue) -> bool:
    if not isinstance(value, BlockArgument):
        return False
    parent = value.block.parent_op()
    return parent is not None and parent.name.endswith("func")


def _is_captured(value: SSAValue) -> bool:
    """Whether a pointer to allocated memory may be known elsewhere."""
    pending = [value]
    while pending:
        for use in pending.pop().uses:
            user = use.operation
            if user.name in _CASTS:
                pending.append(user.results[0])
            elif user.name == "memref.store":
                if use.index == 0:
                    return True
            elif user.name not in ("memref.load", "memref.dealloc", "memref.copy", "memref.dim"):
                return True
    return False


def _space(value: SSAValue) -> Any:
    ty = value.type
    return ty.memory_space if isinstance(ty, MemRefType) else None


def _may_alias(first: SSAValue, second: SSAValue) -> bool:
    first, second = _base(first), _base(second)
    if first is second:
        return True
    a, b = _space(first), _space(second)
    if isinstance(a, IntegerAttr) and isinstance(b, IntegerAttr) and a != b:
        return False
    globals_ = [_global_name(v) for v in (first, second)]
    if all(globals_):
        return globals_[0] == globals_[1]
    is_a, is_b = _is_allocation(first), _is_allocation(second)
    if is_a and is_b:
        return False
    for allocation, other in ((first, second), (second, first)):
        if _is_allocation(allocation):
            if _is_function_argument(other) or _global_name(other):
                return False
            return _is_captured(allocation)
    return True


def _global_name(value: SSAValue) -> str:
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "memref.get_global":
        return str(owner.properties["name"])
    return ""
