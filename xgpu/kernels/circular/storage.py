# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A buffer in workgroup memory becomes several: its memref gets a leading dimension.

In the loop's body stands a view of one of them instead, which whoever copies the body replaces by
the view of the iteration's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard, cast

from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.analysis.memory import describe, is_view, root_of
from xgpu.core.ir.errors import error
from xgpu.core.ir.symbols import lookup, nearest_table
from xgpu.dialects.affine.index_math import product, strides
from xgpu.dialects.gpu.ops import clone_with_locations, parent_of
from xgpu.dialects.gpu.syntax import attributions
from xgpu.dialects.memref.canonicalize import make_subview, subview_type
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.dynamic_memory import align, alignment_of, erase_attribution
from xgpu.transforms.memref.multi_buffer import replace_uses

if TYPE_CHECKING:
    from xdsl.dialects.builtin import TypeAttribute

    from xgpu.analysis.memory import Root
    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects.affine.maps import Mixed
    from xgpu.kernels.circular.dynamic_memory import DynamicMemory
    from xgpu.kernels.circular.numbers import Number

#: Views whose result is the whole of a tile in another shape.
_SHAPES = frozenset({"memref.collapse_shape", "memref.expand_shape"})
_KERNELS = frozenset({"gpu.launch", "gpu.func"})
#: The copy engine writes at multiples of this many bytes (PTX ISA, cp.async.bulk.tensor).
BULK_ALIGNMENT = 128


def is_attribution(root: Root) -> TypeGuard[BlockArgument]:
    """Whether a buffer is an attribution of workgroup memory."""
    if not isinstance(root, BlockArgument):
        return False
    kernel = root.block.parent_op()
    return kernel is not None and kernel.name in _KERNELS and root in attributions(kernel)[0]


class Buffer:
    """A buffer's stages: `memory` is all of them, `turn` the view that stands in the loop."""

    __slots__ = ("memory", "stages", "turn")

    def __init__(self, memory: SSAValue, turn: SSAValue, stages: int) -> None:
        self.memory = memory
        self.turn = turn
        self.stages = stages

    def view(self, rw: Rewriter, slot: Number) -> SSAValue:
        """The stage `slot`, of the type of `turn`."""
        return stage_view(rw, self.memory, numbers.value(rw, slot))


def stage_view(rw: Rewriter, memory: SSAValue, slot: SSAValue) -> SSAValue:
    ty = cast("MemRefType", memory.type)
    shape = list(ty.get_shape())[1:]
    zeros: list[Mixed] = [0] * len(shape)
    offsets: list[Mixed] = [slot, *zeros]
    sizes: list[Mixed] = [1, *shape]
    steps: list[Mixed] = [1] * len(sizes)
    result = subview_type(ty, offsets, sizes, steps, {0})
    assert result is not None
    return make_subview(cast("GreedyRewriter", rw), memory, result, offsets, sizes, steps)


def tile_bytes(ty: MemRefType) -> int:
    width = getattr(ty.element_type, "bitwidth", 8)
    return product(list(ty.get_shape())) * width // 8


def check_tile(loop: Operation, root: Root, ty: MemRefType, *, bulk: bool, stages: int) -> None:
    """Raises where a buffer cannot have stages beside one another."""
    name = describe(root)
    if not isinstance(ty.layout, NoneAttr):
        raise error(loop, f"expected {name} to have the identity layout, but it is {ty}")
    if any(extent < 0 for extent in ty.get_shape()):
        raise error(loop, f"expected {name} to have a static shape, but it is {ty}")
    size = tile_bytes(ty)
    if bulk and stages > 1 and size % BULK_ALIGNMENT:
        raise error(
            loop,
            f"{name} has {size} bytes, which is no multiple of the {BULK_ALIGNMENT} at which "
            "nvgpu.tma.async.load writes: its stages cannot lie beside one another",
        )
    alignment = alignment_of(root) if is_attribution(root) else 1
    if stages > 1 and size % alignment:
        raise error(
            loop,
            f"{name} has {size} bytes, which is no multiple of its alignment of {alignment}: its "
            "stages cannot lie beside one another",
        )


def multi_buffer(
    rw: Rewriter,
    loop: Operation,
    root: Root,
    stages: int,
    dynamic: DynamicMemory | None = None,
    *,
    bulk: bool,
) -> Buffer:
    """Gives the buffer `root` of `loop` so many stages, in `dynamic` memory or where it is."""
    memory = _values_of(root, loop)[0]
    ty = cast("MemRefType", memory.type)
    check_tile(loop, root, ty, bulk=bulk, stages=stages)
    _sink_views(rw, root, loop)
    many = MemRefType(ty.element_type, [stages, *ty.get_shape()], memory_space=ty.memory_space)
    olds = _values_of(root, loop)
    whole = _widened(rw, loop, root, olds[0], many, dynamic, bulk=bulk)
    body = loop.regions[0].block
    rw.at_start(body)
    rw.location = loop.location
    turn = stage_view(rw, whole, numbers.value(rw, 0))
    turn.name_hint = memory.name_hint
    for old in olds:
        _replace(rw, old, turn, whole, dynamic=dynamic is not None)
    return Buffer(whole, turn, stages)


def _values_of(root: Root, loop: Operation) -> list[SSAValue]:
    """The values that are the buffer: for a global there may be several."""
    if not isinstance(root, str):
        assert root is not None
        return [root]
    top = parent_of(loop, "gpu.func", "func.func", "gpu.launch") or loop
    while (outer := parent_of(top, "gpu.func", "func.func", "gpu.launch")) is not None:
        top = outer
    return [
        op.results[0]
        for op in top.walk()
        if op.name == "memref.get_global" and root_of(op.results[0]) == root
    ]


def _sink_views(rw: Rewriter, root: Root, loop: Operation) -> None:
    """Views made outside of the loop are made in it."""
    body = loop.regions[0].block
    for value in _values_of(root, loop):
        for use in list(value.uses):
            view = use.operation
            if not is_view(view) or loop.is_ancestor(view):
                continue
            inner = clone_with_locations(view)
            rw.at_start(body)
            rw.insert(inner)
            for deeper in list(view.results[0].uses):
                if is_view(deeper.operation) or loop.is_ancestor(deeper.operation):
                    deeper.operation.operands[deeper.index] = inner.results[0]
            _pull_in(rw, inner, loop)
            if view.results[0].first_use is None:
                rw.erase(view)


def _pull_in(rw: Rewriter, inner: Operation, loop: Operation) -> None:
    """Views of a view that has been moved into the loop follow it."""
    for use in list(inner.results[0].uses):
        view = use.operation
        if loop.is_ancestor(view):
            continue
        view.detach()
        rw.after(inner)
        rw.insert(view)
        _pull_in(rw, view, loop)


def _widened(
    rw: Rewriter,
    loop: Operation,
    root: Root,
    old: SSAValue,
    ty: MemRefType,
    dynamic: DynamicMemory | None,
    *,
    bulk: bool,
) -> SSAValue:
    """New memory for all stages, where the old was."""
    if isinstance(old, BlockArgument):
        if not is_attribution(old):
            raise error(
                loop,
                f"expected a buffer of the kernel's own, but {describe(root)} comes from its "
                "caller, which knows its size",
            )
        if dynamic is not None:
            return dynamic.add(ty, tile_bytes(ty))
        if bulk:
            align(old, BULK_ALIGNMENT)
        return old.block.insert_arg(ty, old.index)
    owner = old.owner
    assert isinstance(owner, Operation)
    rw.before(owner)
    rw.location = owner.location
    if dynamic is not None:
        return dynamic.add(ty, tile_bytes(ty))
    if isinstance(root, str):
        _widen_global(loop, owner, ty, bulk=bulk)
        return rw.value("memref.get_global", (), ty, dict(owner.properties))
    if owner.name not in ("memref.alloc", "memref.alloca"):
        raise error(
            owner,
            "expected a buffer that is an attribution of workgroup memory, a memref.global or an "
            f"allocation, but found '{owner.name}', whose size others know too",
            [(loop.location, "the loop is here")],
        )
    return rw.value(owner.name, (), ty, dict(owner.properties))


def _widen_global(loop: Operation, get: Operation, ty: MemRefType, *, bulk: bool) -> None:
    name = str(get.properties["name"]).lstrip("@").strip('"')
    table = nearest_table(get)
    found = None
    while table is not None and found is None:
        found = lookup(table, name)
        table = nearest_table(table) if table.parent_op() is not None else None
    if found is None or found.name != "memref.global":
        raise error(get, f"expected a memref.global '{name}'")
    initial = found.properties.get("initial_value")
    if initial is not None and not isinstance(initial, UnitAttr):
        raise error(
            found,
            "is filled by a loop, and has an initial value, which its stages would not have",
            [(loop.location, "the loop is here")],
        )
    found.properties["type"] = cast("TypeAttribute", ty)
    if bulk:
        stated = found.properties.get("alignment")
        bytes_ = stated.value.data if isinstance(stated, IntegerAttr) else 1
        found.properties["alignment"] = IntegerAttr(max(bytes_, BULK_ALIGNMENT), i64)


def _replace(
    rw: Rewriter, old: SSAValue, turn: SSAValue, whole: SSAValue, *, dynamic: bool
) -> None:
    """Uses of the buffer are uses of the stage whose turn it is."""
    for use in list(old.uses):
        if use.operation.name in ("memref.dealloc", "gpu.dealloc"):
            use.operation.operands[use.index] = whole
    replace_uses(rw, old, turn)
    _retype_views(turn)
    if isinstance(old, BlockArgument):
        erase_attribution(old) if dynamic else old.block.erase_arg(old)
    elif isinstance(old.owner, Operation):
        rw.erase(old.owner)


def _retype_views(value: SSAValue) -> None:
    """Views of a stage begin somewhere: their types say so."""
    for use in list(value.uses):
        view = use.operation
        if not is_view(view) and view.name != "memref.extract_aligned_pointer_as_index":
            continue
        if view.name == "memref.subview":
            _retype_views(view.results[0])
            continue
        ty = view.results[0].type
        if view.name not in _SHAPES or not isinstance(ty, MemRefType):
            raise error(view, "cannot be a view of one stage of a buffer, which begins anywhere")
        layout = StridedLayoutAttr(strides(list(ty.get_shape())), None)
        new = MemRefType(ty.element_type, ty.shape, layout, ty.memory_space)
        _retype_views(set_type(view, new))


def set_type(op: Operation, ty: MemRefType) -> SSAValue:
    """Gives the only result of `op` another type."""
    from xdsl.rewriter import Rewriter as XdslRewriter

    return XdslRewriter.replace_value_with_new_type(op.results[0], ty)
