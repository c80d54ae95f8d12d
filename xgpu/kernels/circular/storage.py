# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stages in workgroup memory: a buffer's memref gets a leading dimension, in a variable or, where
the stages are too large for variables, in dynamic shared memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    SymbolRefAttr,
    TypeAttribute,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.analysis.memory import Root, describe, is_view, root_of
from xgpu.core import ods
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.errors import error
from xgpu.core.ir.symbols import lookup, nearest_table, symbol_name
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.affine.index_math import product, strides
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import constant
from xgpu.dialects.gpu.ops import parent_of
from xgpu.dialects.gpu.syntax import WORKGROUP_COUNT, attributions
from xgpu.dialects.memref.canonicalize import make_subview, subview_type
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.numbers import Number
from xgpu.transforms.memref.multi_buffer import replace_uses

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.greedy import GreedyRewriter


# --- launches ------------------------------------------------------------------------------------
# Who starts a kernel.


def launches_of(kernel: Operation) -> list[Operation]:
    """What starts a kernel: all its gpu.launch_func, or the gpu.launch that it is."""
    if kernel.name == "gpu.launch":
        return [kernel]
    module = kernel.parent_op()
    top = kernel
    while (parent := top.parent_op()) is not None:
        top = parent
    if module is None:
        return []
    names = [symbol_name(module), symbol_name(kernel)]
    found: list[Operation] = []
    for op in top.walk():
        reference = op.properties.get("kernel")
        if op.name == "gpu.launch_func" and isinstance(reference, SymbolRefAttr):
            parts = [reference.root_reference, *reference.nested_references]
            if [part.data for part in parts] == names:
                found.append(op)
    return found


# --- dynamic memory ------------------------------------------------------------------------------
# Stages in dynamic shared memory, where they are too many for variables.
#
# A kernel has one array without extent, whose size each launch gives. It begins where variables
# end, so stages begin at the first address in it that has their alignment, which is computed.


#: What a block may have at most, by the leading digits of its chip (CUDA's programming guide,
#: compute capabilities); a chip that is not known here may have as much as any.
LIMITS = {"80": 166912, "86": 101376, "87": 166912, "89": 101376, "90": 232448, "12": 101376}
MOST = 232448
#: The group of a launch's operands that is the size of dynamic shared memory.
_SIZE_GROUP = 10
_SEGMENTS = "operandSegmentSizes"
BUFFER_ATTRIBUTES = "workgroup_attrib_attrs"
ALIGN = "llvm.align"
#: No swizzle of a tensor map needs more (CUDA driver API, CU_TENSOR_MAP_SWIZZLE_128B: 1024).
_ALIGNMENT = 1024


def limit_of(chip: str) -> int:
    """The bytes of shared memory that a block can have on `chip`, such as sm_90a."""
    digits = "".join(c for c in chip if c.isdigit())
    return next((n for key, n in LIMITS.items() if digits.startswith(key)), MOST)


class DynamicMemory:
    """The dynamic shared memory of `kernel`, to which stages are added."""

    def __init__(self, kernel: Operation, loop: Operation) -> None:
        self.kernel = kernel
        self.launches = launches_of(kernel)
        self.begin = 0
        self.size = 0
        if not self.launches:
            raise error(
                kernel,
                "has no gpu.launch_func in this module that could give it more shared memory",
                [(loop.location, "which the stages of this loop need")],
            )
        for launch in self.launches:
            size = _dynamic_size(launch)
            known = 0 if size is None else int_of(size)
            if known is None:
                raise error(
                    launch,
                    "expected a constant size of dynamic shared memory, behind which stages lie",
                    [(loop.location, "the stages of this loop")],
                )
            self.begin = max(self.begin, known)

    def add(self, ty: MemRefType, bytes_: int) -> SSAValue:
        """A memref of `ty` there; launches give as many bytes more."""
        block = self.kernel.regions[0].block
        rw = Rewriter(block.first_op)
        rw.location = self.kernel.location
        base = self._base(rw)
        at = numbers.value(rw, numbers.add(rw, base[1], self.size))
        memory = rw.value("memref.view", [base[0], at], ty)
        self.size += -(-bytes_ // _ALIGNMENT) * _ALIGNMENT
        for launch in self.launches:
            _set_dynamic_size(launch, self.begin + _ALIGNMENT + self.size)
        return memory

    def _base(self, rw: Rewriter) -> tuple[SSAValue, SSAValue]:
        """The array, and the first offset in it that is aligned."""
        space = ods.enum("gpu.address_space", "workgroup")
        everything = rw.value(
            "gpu.dynamic_shared_memory", (), MemRefType(i8, [DYNAMIC_INDEX], memory_space=space)
        )
        start = rw.value("memref.extract_aligned_pointer_as_index", [everything], IndexType())
        first = numbers.add(rw, start, self.begin + _ALIGNMENT - 1)
        mask = numbers.value(rw, -_ALIGNMENT)
        aligned = rw.value("arith.andi", [numbers.value(rw, first), mask], IndexType())
        return everything, numbers.value(rw, numbers.sub(rw, aligned, start))


def _sizes(launch: Operation) -> list[int]:
    segments = cast("DenseArrayBase[IntegerType]", launch.properties[_SEGMENTS])
    return [int(n) for n in segments.get_values()]


def _dynamic_size(launch: Operation) -> SSAValue | None:
    group = cast("OdsOperation", launch).operand_group(_SIZE_GROUP)
    return group[0] if group else None


def _set_dynamic_size(launch: Operation, bytes_: int) -> None:
    sizes = _sizes(launch)
    at = sum(sizes[:_SIZE_GROUP])
    rw = Rewriter(launch)
    value = constant(rw, bytes_, i32)
    operands = list(launch.operands)
    operands[at : at + sizes[_SIZE_GROUP]] = [value]
    sizes[_SIZE_GROUP] = 1
    launch.operands = operands
    launch.properties[_SEGMENTS] = DenseArrayBase.from_list(i32, sizes)


# --- attributions --------------------------------------------------------------------------------
def alignment_of(buffer: BlockArgument) -> int:
    """What a kernel says of the alignment of an attribution; 1 where it says nothing."""
    stated = _entries(buffer)[_position(buffer)].data.get(ALIGN)
    return stated.value.data if isinstance(stated, IntegerAttr) else 1


def align(buffer: BlockArgument, bytes_: int) -> None:
    """Says of an attribution that it is aligned. A gpu.launch has no place for that: outlining
    takes it from an attribute of the same name."""
    entries = _entries(buffer)
    entry = dict(entries[_position(buffer)].data)
    entry[ALIGN] = IntegerAttr(max(alignment_of(buffer), bytes_), i64)
    entries[_position(buffer)] = DictionaryAttr(entry)
    _place(buffer)[BUFFER_ATTRIBUTES] = ArrayAttr(entries)


def erase_attribution(buffer: BlockArgument) -> None:
    """Takes an attribution that nothing uses from its kernel."""
    kernel = _kernel(buffer)
    entries = _entries(buffer)
    if BUFFER_ATTRIBUTES in _place(buffer):
        del entries[_position(buffer)]
        _place(buffer)[BUFFER_ATTRIBUTES] = ArrayAttr(entries)
    count = len(attributions(kernel)[0]) - 1
    kernel.attributes[WORKGROUP_COUNT] = IntegerAttr(count, i64)
    buffer.block.erase_arg(buffer)


def _kernel(buffer: BlockArgument) -> Operation:
    kernel = buffer.block.parent_op()
    assert kernel is not None
    return kernel


def _position(buffer: BlockArgument) -> int:
    return attributions(_kernel(buffer))[0].index(buffer)


def _place(buffer: BlockArgument) -> dict[str, object]:
    kernel = _kernel(buffer)
    place = kernel.properties if kernel.name == "gpu.func" else kernel.attributes
    return cast("dict[str, object]", place)


def _entries(buffer: BlockArgument) -> list[DictionaryAttr]:
    stated = _place(buffer).get(BUFFER_ATTRIBUTES)
    if isinstance(stated, ArrayAttr):
        return [cast("DictionaryAttr", entry) for entry in stated.data]
    return [DictionaryAttr({}) for _ in attributions(_kernel(buffer))[0]]


# --- storage -------------------------------------------------------------------------------------
# A buffer in workgroup memory becomes several: its memref gets a leading dimension.
#
# In the loop's body stands a view of one of them instead, which the copy of the body replaces by
# the view of the iteration's own.


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
            inner = clone_operation(view)
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
