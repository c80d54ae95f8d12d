# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the memref dialect; those of views are in `memref_views`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType
from xdsl.ir import Block, Operation, SSAValue

from xgpu.dialects.memref.canonicalize_views import VIEW_PATTERNS
from xgpu.ir.constants import int_of
from xgpu.ir.op_info import traits_of

if TYPE_CHECKING:
    from xgpu.rewriting.greedy import GreedyRewriter


def with_shape(kind: Any, shape: list[int]) -> MemRefType:
    """The memref type with another shape."""
    return MemRefType(kind.element_type, shape, kind.layout, kind.memory_space)


def constant_sizes(op: Any, rw: GreedyRewriter) -> bool:
    """alloc(%c8) : memref<?xf32> -> cast(alloc() : memref<8xf32>)"""
    kind: Any = op.results[0].type
    sizes = list(op.dynamic_sizes)
    shape: list[int] = []
    kept: list[SSAValue] = []
    for size in kind.get_shape():
        if size != DYNAMIC_INDEX:
            shape.append(size)
            continue
        value = sizes.pop(0)
        known = int_of(value)
        if known is not None and known >= 0:
            shape.append(known)
        else:
            shape.append(DYNAMIC_INDEX)
            kept.append(value)
    if shape == list(kind.get_shape()):
        return False
    new_kind = with_shape(kind, shape)
    properties = {k: v for k, v in op.properties.items() if k != "operandSegmentSizes"}
    symbols = list(op.symbol_operands)
    new = rw.create(op.name, (kept, symbols), (new_kind,), properties, dict(op.attributes))
    rw.replace(op, [rw.value("memref.cast", (new.results[0],), kind)])
    return True


def view_constants(op: Any, rw: GreedyRewriter) -> bool:
    """view(%m)[%o][%c8] : memref<?xf32> -> cast(view(%m)[%o][] : memref<8xf32>)"""
    kind: Any = op.results[0].type
    source, shift, *sizes = op.operands
    values = iter(sizes)
    shape: list[int] = []
    kept: list[SSAValue] = []
    for size in kind.get_shape():
        value = next(values) if size == DYNAMIC_INDEX else None
        known = size if value is None else int_of(value)
        if known is None or known < 0:
            assert value is not None
            kept.append(value)
        shape.append(DYNAMIC_INDEX if known is None or known < 0 else known)
    if shape == list(kind.get_shape()):
        return False
    new = rw.value("memref.view", (source, shift, *kept), with_shape(kind, shape))
    rw.replace(op, [rw.value("memref.cast", (new,), kind)])
    return True


def view_of_cast(op: Any, rw: GreedyRewriter) -> bool:
    """view(cast(alloc)) -> view(alloc)"""
    cast = op.operands[0].owner
    if not isinstance(cast, Operation) or cast.name != "memref.cast":
        return False
    owner = cast.operands[0].owner
    if not isinstance(owner, Operation) or owner.name != "memref.alloc":
        return False
    rw.set_operand(op, 0, cast.operands[0])
    return True


def dead_allocation(op: Operation, rw: GreedyRewriter) -> bool:
    """An allocation that is only written to and freed goes, with what writes and frees it"""
    users = {use.operation for use in op.results[0].uses}
    for user in users:
        if user.name == "memref.store" and user.operands[0] is not op.results[0]:
            continue
        if user.name != "memref.dealloc":
            return False
    for user in users:
        rw.erase(user)
    rw.erase(op)
    return True


def copy_of_cast(op: Any, rw: GreedyRewriter) -> bool:
    """copy(cast %a, %b) -> copy(%a, %b) where the cast only forgets or learns sizes"""
    changed = False
    for i, value in enumerate(op.operands):
        cast = value.owner
        if not isinstance(cast, Operation) or cast.name != "memref.cast":
            continue
        from_, to = cast.operands[0].type, value.type
        if isinstance(from_, MemRefType) and isinstance(to, MemRefType):
            rw.set_operand(op, i, cast.operands[0])
            changed = True
    return changed


def self_copy(op: Operation, rw: GreedyRewriter) -> bool:
    """copy(%a, %a) -> nothing"""
    if op.operands[0] is not op.operands[1]:
        return False
    rw.erase(op)
    return True


def empty_copy(op: Operation, rw: GreedyRewriter) -> bool:
    """A copy of no elements -> nothing"""
    for value in op.operands:
        if isinstance(value.type, MemRefType) and 0 in value.type.get_shape():
            rw.erase(op)
            return True
    return False


def dim_of_reshape(op: Operation, rw: GreedyRewriter) -> bool:
    """dim(reshape %m(%shape), %i) -> load %shape[%i], right after the reshape"""
    reshape = op.operands[0].owner
    if not isinstance(reshape, Operation) or reshape.name != "memref.reshape":
        return False
    index = op.operands[1]
    if not _is_known_at(index, reshape, op):
        return False
    shape: Any = reshape.operands[1]
    rw.after(reshape)
    loaded = rw.value(
        "memref.load", (shape, index), shape.type.element_type, {"nontemporal": _false()}
    )
    if loaded.type != op.results[0].type:
        loaded = rw.value("arith.index_cast", (loaded,), op.results[0].type)
    rw.replace(op, [loaded])
    return True


def _is_known_at(index: SSAValue, reshape: Operation, dim: Operation) -> bool:
    """Whether an operand of `dim` can be one of an operation right behind `reshape`, too. Constants
    move there."""
    home = index.owner
    if isinstance(home, Operation) and home.parent is reshape.parent:
        if home.is_before_in_block(reshape):
            return True
        if int_of(index) is None:
            return False
        home.detach()
        assert reshape.parent is not None
        reshape.parent.insert_op_before(home, reshape)
        return True
    block = home if isinstance(home, Block) else home.parent
    # What `dim` can use in another block comes before all of its own.
    if block is reshape.parent or dim.parent is reshape.parent:
        return True
    region = block.parent if block is not None else None
    return (
        region is not None
        and reshape.parent is not None
        and (region is not reshape.parent.parent and region.is_ancestor(reshape))
    )


def _false() -> IntegerAttr[Any]:
    return IntegerAttr.from_bool(False)


# --- alloca_scope --------------------------------------------------------------------------------
def _has_allocation(op: Operation) -> bool:
    """Whether something in the scope allocates on the stack."""
    from xgpu.ir.effects import effects

    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                if "AutomaticAllocationScope" in traits_of(inner.name):
                    continue
                if inner.name in ("memref.alloca", "llvm.alloca"):
                    return True
                if inner.regions:
                    if _has_allocation(inner):
                        return True
                elif effects(inner) is None and inner.name.startswith(("test.", "unregistered")):
                    return True
    return False


def _inline_scope(op: Operation, rw: GreedyRewriter) -> None:
    block = op.regions[0].blocks[0]
    terminator = block.last_op
    assert terminator is not None
    results = list(terminator.operands)
    rw.inline_block(block, op)
    rw.replace(op, results)
    rw.erase(terminator)


def scope_without_allocation(op: Operation, rw: GreedyRewriter) -> bool:
    """alloca_scope around nothing that it could free, or last in an allocation scope -> inlined"""
    if op.regions[0].first_block is not op.regions[0].last_block:
        return False
    parent = op.parent_op()
    if parent is None:
        return False
    if "AutomaticAllocationScope" not in traits_of(parent.name) and _has_allocation(op):
        return False
    if "AutomaticAllocationScope" in traits_of(parent.name) and _has_allocation(op):
        after = op.next_op
        if after is None or after.next_op is not None or after.regions:
            return False
    _inline_scope(op, rw)
    return True


PATTERNS: dict[str, tuple[Any, ...]] = {
    **VIEW_PATTERNS,
    "memref.alloc": (constant_sizes, dead_allocation),
    "memref.alloca": (constant_sizes, dead_allocation),
    "memref.alloca_scope": (scope_without_allocation,),
    "memref.copy": (copy_of_cast, empty_copy, self_copy),
    "memref.dim": (dim_of_reshape,),
    "memref.realloc": (dead_allocation,),
    "memref.view": (view_constants, view_of_cast),
}
