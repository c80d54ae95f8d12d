# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the memref dialect. That an access takes the operand of a
`memref.cast` instead is a fold: `fold_all_casts` in `FOLD` of `fold.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.effects import effects
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects import memref
from xgpu.dialects.memref.fold import dropped_dims
from xgpu.dialects.memref.verify_views import collapsed_type, expanded_type, infer_subview
from xgpu.dialects.memref_layout import (
    forgets,
    known_description,
    strided_type,
    strides_and_offset,
    uncast,
)
from xgpu.dialects.reshapes import (
    Mixed,
    collapse_of_collapse,
    collapse_of_expand,
    create_expand,
    expand_of_collapse,
    expand_of_expand,
    groups_of,
    known,
    mixed,
    not_negative,
    not_zero,
    out_of_bounds,
    output_shape,
    parts,
    reassociation,
    settle,
    slice_operands,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# -- Canonicalization patterns of memref.collapse_shape and memref.expand_shape.


def collapse_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """collapse(cast %m) -> cast(collapse %m) where the cast forgets sizes"""
    source = uncast(op.operands[0])
    if source is None or not forgets(source.type, op.operands[0].type):
        return False
    groups = groups_of(op)
    kind = collapsed_type(cast("MemRefType", source.type), groups)
    if kind is None:
        return False
    if kind == op.results[0].type:
        rw.set_operand(op, 0, source)
        return True
    collapsed = rw.value(op.name, (source,), kind, {"reassociation": reassociation(groups)})
    rw.replace_with(op, "memref.cast", (collapsed,), (op.results[0].type,))
    return True


def expand_of_cast(op: memref.ExpandShapeOp, rw: GreedyRewriter) -> bool:
    """expand(cast %m) -> cast(expand %m) where the cast forgets sizes"""
    source = uncast(op.operands[0])
    if source is None or not forgets(source.type, op.operands[0].type):
        return False
    groups, shape = groups_of(op), output_shape(op)
    for place, size in enumerate(shape):
        known = None if isinstance(size, int) else int_of(size)
        shape[place] = size if known is None else known
    before = cast("MemRefType", source.type)
    sizes = [size if isinstance(size, int) else DYNAMIC_INDEX for size in shape]
    for size, group in zip(before.get_shape(), groups, strict=False):
        # A static dimension must not expand to a dynamic one, nor the other way round.
        if (size == DYNAMIC_INDEX) != any(sizes[dim] == DYNAMIC_INDEX for dim in group):
            return False
    kind = expanded_type(before, sizes, groups)
    if kind is None:
        return False
    expanded = create_expand(rw, op, kind, source, groups, shape)
    rw.replace_with(op, "memref.cast", (expanded,), (op.results[0].type,))
    return True


RESHAPE_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "memref.collapse_shape": (collapse_of_collapse, collapse_of_expand, collapse_of_cast),
    "memref.expand_shape": (expand_of_expand, expand_of_collapse, expand_of_cast),
}


# -- Canonicalization patterns of memref.alloca_scope.
#
# A scope frees at its end what was allocated on the stack in it. It may go where that changes
# nothing: if nothing in it can allocate, or if the scope around it ends right after it. An
# operation without stated effects may allocate, so a call keeps the scope around it.


SCOPE = "AutomaticAllocationScope"
#: What allocates on the stack for certain.
_ALLOCATIONS = frozenset({"memref.alloca", "llvm.alloca"})


def is_scope(op: Operation | None) -> bool:
    """Whether what is allocated on the stack in `op` is freed at its end."""
    return op is not None and SCOPE in traits_of(op.name)


def _may_allocate(op: Operation) -> bool:
    """Whether `op` itself, its regions aside, may allocate on the stack."""
    traits = traits_of(op.name)
    if "RecursiveMemoryEffects" in traits:
        return False
    if op.name in _ALLOCATIONS:
        return True
    return "MemoryEffectOpInterface" not in traits and effects(op) is None


def _something_may_allocate(region: Region) -> bool:
    for block in region.blocks:
        for op in block.ops:
            if _may_allocate(op):
                return True
            if not is_scope(op) and any(map(_something_may_allocate, op.regions)):
                return True
    return False


def _is_last(op: Operation) -> bool:
    """Whether only a terminator follows `op`, in a region of one block."""
    block = op.parent
    region = block.parent if block is not None else None
    return (
        block is not None
        and region is not None
        and region.first_block is region.last_block
        and op.next_op is not None
        and op.next_op is block.last_op
        and _may_end_block(op.next_op)
    )


def _may_end_block(op: Operation) -> bool:
    traits = traits_of(op.name)
    return not traits or "Terminator" in traits


def inline_scope(op: Operation, rw: GreedyRewriter) -> bool:
    """alloca_scope around nothing that it could free, or at the end of another scope -> inlined"""
    region = op.regions[0]
    if region.first_block is not region.last_block:
        return False
    if _something_may_allocate(region) and not (is_scope(op.parent_op()) and _is_last(op)):
        return False
    terminator = region.blocks[0].last_op
    assert terminator is not None
    results = list(terminator.operands)
    rw.inline_block(region.blocks[0], op)
    rw.replace(op, results)
    rw.erase(terminator)
    return True


def hoist_allocations(op: Operation, rw: GreedyRewriter) -> bool:
    """Allocations move out of a scope that ends together with the one around it"""
    outermost = op.parent_op()
    if outermost is None or is_scope(outermost) or not _is_last(op) or not _is_last(outermost):
        return False
    while not is_scope(outermost.parent_op()):
        outermost = outermost.parent_op()
        if outermost is None or not _is_last(outermost):
            return False
    inside = next(r for r in outermost.regions if r.is_ancestor(op))
    found = [
        inner
        for inner in op.walk()
        if inner.name in _ALLOCATIONS and not any(_defined_in(inside, v) for v in inner.operands)
    ]
    for inner in found:
        rw.before(outermost)
        copy = rw.insert(inner.clone())
        rw.replace(inner, copy.results)
    return bool(found)


def _defined_in(region: Region, value: SSAValue) -> bool:
    owner = value.owner
    return region.is_ancestor(owner)


# -- Canonicalization patterns of memref's views: subview, reinterpret_cast, reshapes, metadata.


METADATA = "memref.extract_strided_metadata"


def cast_to(rw: GreedyRewriter, value: SSAValue, kind: Attribute) -> SSAValue:
    """`value` as a memref of type `kind`."""
    return value if value.type == kind else rw.value("memref.cast", (value,), kind)


# --- subview -------------------------------------------------------------------------------------
def subview_type(
    source: Attribute, offsets: Mixed, sizes: Mixed, strides: Mixed, dropped: set[int]
) -> MemRefType | None:
    """The type that MLIR infers for a subview without the dimensions `dropped`; None where what is
    known now is out of bounds of the source, which only running it may say."""
    if out_of_bounds(
        cast("MemRefType", source).get_shape(), (known(offsets), known(sizes), known(strides))
    ):
        return None  # it may never run, but it has to stay valid
    full = infer_subview(source, known(offsets), known(sizes), known(strides))
    if full is None or not dropped:
        return full
    found = strides_and_offset(full)
    if found is None:
        return None
    keep = [d for d in range(len(sizes)) if d not in dropped]
    shape = [full.get_shape()[d] for d in keep]
    return strided_type(full, shape, [found[0][d] for d in keep], found[1])


def make_subview(
    rw: GreedyRewriter,
    source: SSAValue,
    kind: Attribute,
    offsets: Mixed,
    sizes: Mixed,
    strides: Mixed,
) -> SSAValue:
    """Creates a memref.subview."""
    groups, properties = slice_operands((offsets, sizes, strides))
    return rw.value("memref.subview", (source, *groups), kind, properties)


def subview_constants(op: memref.SubviewOp, rw: GreedyRewriter) -> bool:
    """subview with constant offsets, sizes or strides -> cast(subview with static ones)"""
    before = [mixed(op, n) for n in ("offsets", "sizes", "strides")]
    after = [
        settle(before[0], not_negative),
        settle(before[1], not_negative),
        settle(before[2], not_zero),
    ]
    if after == before:
        return False
    dropped = dropped_dims(op)
    if dropped is None:
        return False
    kind = subview_type(op.source.type, after[0], after[1], after[2], dropped)
    if kind is None:
        return False
    new = make_subview(rw, op.operands[0], kind, *after)
    rw.replace(op, [cast_to(rw, new, op.results[0].type)])
    return True


def subview_of_cast(op: memref.SubviewOp, rw: GreedyRewriter) -> bool:
    """subview(cast %m) -> cast(subview %m) where the cast forgets sizes"""
    source = uncast(op.operands[0])
    if source is None or any(int_of(v) is not None for v in op.operands[1:]):
        return False
    if not forgets(source.type, op.operands[0].type):
        return False
    dropped = dropped_dims(op)
    if dropped is None:
        return False
    offsets, sizes, strides = (mixed(op, n) for n in ("offsets", "sizes", "strides"))
    kind = subview_type(source.type, offsets, sizes, strides, dropped)
    if kind is None:
        return False
    new = make_subview(rw, source, kind, offsets, sizes, strides)
    rw.replace(op, [cast_to(rw, new, op.results[0].type)])
    return True


def trivial_subview(op: memref.SubviewOp, rw: GreedyRewriter) -> bool:
    """subview %m[0, ...] [all of %m] [1, ...] -> cast %m"""
    source = op.operands[0]
    offsets, sizes, strides = (mixed(op, n) for n in ("offsets", "sizes", "strides"))
    if any(o != 0 for o in offsets) or any(s != 1 for s in strides):
        return False
    kind = cast("MemRefType", source.type)
    if list(kind.get_shape()) != sizes:  # static, and all of it
        return False
    if len(op.results[0].type.get_shape()) != len(sizes):
        return False
    if source.type == op.results[0].type:
        rw.replace(op, [source])
    else:
        rw.replace(op, [rw.value("memref.cast", (source,), op.results[0].type)])
    return True


# --- reinterpret_cast, metadata ------------------------------------------------------------------
def reinterpret_constants(op: memref.ReinterpretCastOp, rw: GreedyRewriter) -> bool:
    """reinterpret_cast with constants -> cast(reinterpret_cast with static numbers)"""
    before = [mixed(op, n) for n in ("offsets", "sizes", "strides")]
    after = [settle(before[0], not_negative), settle(before[1], not_negative), settle(before[2])]
    if after == before:
        return False
    old: MemRefType = op.results[0].type
    shape = [s if isinstance(s, int) else DYNAMIC_INDEX for s in after[1]]
    kind = strided_type(old, shape, known(after[2]), known(after[0])[0])
    o, static_offsets = parts(after[0])
    z, static_sizes = parts(after[1])
    t, static_strides = parts(after[2])
    new = rw.create(
        op.name,
        (op.operands[0], o, z, t),
        (kind,),
        {
            "static_offsets": static_offsets,
            "static_sizes": static_sizes,
            "static_strides": static_strides,
        },
    )
    rw.replace(op, [cast_to(rw, new.results[0], old)])
    return True


def reinterpret_of_metadata(op: memref.ReinterpretCastOp, rw: GreedyRewriter) -> bool:
    """reinterpret_cast(base of %m) -> cast %m where it has the offset, sizes and strides of %m

    Else it takes %m itself: base and memref point to the same memory, and the layout of what is
    reinterpreted does not count.
    """
    metadata = op.operands[0].owner
    if not isinstance(metadata, Operation) or metadata.name != METADATA:
        return False
    source = metadata.operands[0]
    if _description(op) != _described(metadata):
        rw.set_operand(op, 0, source)
        return True
    rw.replace(op, [cast_to(rw, source, op.results[0].type)])
    return True


def _description(op: memref.ReinterpretCastOp) -> Mixed | None:
    """Offset, sizes and strides of a reinterpret_cast; numbers where its type has them."""
    kind: MemRefType = op.results[0].type
    found = strides_and_offset(kind)
    if found is None:
        return None
    numbers = known_description(kind, found)
    entries = [*mixed(op, "offsets"), *mixed(op, "sizes"), *mixed(op, "strides")]
    return [e if n is None else n for e, n in zip(settle(entries), numbers, strict=True)]


def _described(metadata: Operation) -> Mixed | None:
    """Offset, sizes and strides as extract_strided_metadata gives them, likewise."""
    kind = cast("MemRefType", metadata.operands[0].type)
    found = strides_and_offset(kind)
    if found is None:
        return None
    values = list(metadata.results)[1:]
    numbers = known_description(kind, found)
    return [v if n is None else n for v, n in zip(values, numbers, strict=True)]


VIEW_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **RESHAPE_PATTERNS,
    "memref.reinterpret_cast": (reinterpret_constants, reinterpret_of_metadata),
    "memref.subview": (subview_constants, subview_of_cast, trivial_subview),
}


# -- The other operations, and the table of patterns.


def with_shape(kind: MemRefType, shape: list[int]) -> MemRefType:
    """The memref type with another shape."""
    return MemRefType(kind.element_type, shape, kind.layout, kind.memory_space)


def constant_sizes(op: memref.AllocOp | memref.AllocaOp, rw: GreedyRewriter) -> bool:
    """alloc(%c8) : memref<?xf32> -> cast(alloc() : memref<8xf32>)"""
    kind: MemRefType = op.results[0].type
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
    properties = dict(cast("Operation", op).properties)
    del properties["operandSegmentSizes"]
    symbols = list(op.symbol_operands)
    new = rw.create(op.name, (kept, symbols), (new_kind,), properties, dict(op.attributes))
    rw.replace(op, [rw.value("memref.cast", (new.results[0],), kind)])
    return True


def view_constants(op: memref.ViewOp, rw: GreedyRewriter) -> bool:
    """view(%m)[%o][%c8] : memref<?xf32> -> cast(view(%m)[%o][] : memref<8xf32>)"""
    kind: MemRefType = op.results[0].type
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


def view_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """view(cast %m) -> view %m"""
    source = uncast(op.operands[0])
    if source is None:
        return False
    rw.set_operand(op, 0, source)
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
    shape = reshape.operands[1]
    rw.after(reshape)
    loaded = rw.value(
        "memref.load",
        (shape, index),
        cast("MemRefType", shape.type).element_type,
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


def _tensor(value: SSAValue) -> SSAValue | None:
    """The tensor that `value` is the buffer of."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name != "bufferization.to_buffer":
        return None
    return owner.operands[0]


def dim_of_tensor(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of a tensor's buffer is the tensor's."""
    tensor = _tensor(op.operands[0])
    if tensor is None:
        return False
    rw.replace_with(op, "tensor.dim", [tensor, op.operands[1]], [op.results[0].type])
    return True


def load_of_tensor(op: Operation, rw: GreedyRewriter) -> bool:
    """A load from a tensor's buffer reads the tensor."""
    tensor = _tensor(op.operands[0])
    if tensor is None:
        return False
    operands = [tensor, *op.operands[1:]]
    rw.replace_with(op, "tensor.extract", operands, [op.results[0].type])
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **VIEW_PATTERNS,
    "memref.alloc": (constant_sizes, dead_allocation),
    "memref.alloca": (constant_sizes, dead_allocation),
    "memref.alloca_scope": (inline_scope, hoist_allocations),
    "memref.copy": (empty_copy, self_copy),
    "memref.dim": (dim_of_reshape, dim_of_tensor),
    "memref.load": (load_of_tensor,),
    "memref.realloc": (dead_allocation,),
    "memref.view": (view_constants, view_of_cast),
}
