# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.nvgpu.*: asynchronous copies, their pipelining, mma.sync and TMA."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    Float16Type,
    Float32Type,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    UnitAttr,
    UnrankedMemRefType,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr

from xgpu.core import ods
from xgpu.core.ir import affine
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import Diagnostic
from xgpu.dialects.affine.index_math import apply, as_value, bit_width
from xgpu.dialects.affine.maps import Mixed, symbol
from xgpu.dialects.affine.maps import constant as literal
from xgpu.dialects.arith.builders import attribute_constant, cmpi, index_constant, select
from xgpu.dialects.gpu.ops import parent_of, walk_postorder
from xgpu.dialects.syntax_helpers import i64_array
from xgpu.transform_dialect.interpreter import Results, each, flag, integer
from xgpu.transform_dialect.state import SilenceableError, TrackingRewriter, definite, silenceable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, IntegerType
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.dialects import gpu, nvgpu, vector
    from xgpu.transform_dialect.state import State


# --- async groups --------------------------------------------------------------------------------
# Copies from global to shared memory through registers become asynchronous copies in groups.
#
# Source: MLIR 22.1 CreateAsyncGroups.cpp.


_COPY_BYTES = (4, 8, 16)
_BYPASS_BYTES = 16
_SHARED = 3


def in_shared_memory(ty: Attribute) -> bool:
    """Whether a memref type is in workgroup memory, by either spelling."""
    space = getattr(ty, "memory_space", None)
    if isinstance(space, IntegerAttr):
        return space.value.data == _SHARED
    return space is not None and space.name == "gpu.address_space" and space.data == "workgroup"


def _unit_stride(ty: MemRefType) -> bool:
    if not ty.shape.data:
        return True
    layout = ty.get_strides()
    return layout is not None and layout[-1] == 1


def _is_contiguous_transfer(transfer: Operation) -> bool:
    op = cast("vector.TransferReadOp | vector.TransferWriteOp", transfer)
    if not isinstance(op.base.type, MemRefType):
        return False
    affine_map = op.properties["permutation_map"].data
    bounds = op.properties["in_bounds"].data
    rank = len(affine_map.results)
    minor = all(
        getattr(e, "position", None) == affine_map.num_dims - rank + i
        for i, e in enumerate(affine_map.results)
    )
    return minor and bool(bounds) and bool(bounds[0].value.data) and _unit_stride(op.base.type)


def _is_contiguous_store(op: Operation) -> bool:
    if op.name == "vector.transfer_write":
        return _is_contiguous_transfer(op) and cast("vector.TransferWriteOp", op).mask is None
    return op.name == "vector.store"


def _is_contiguous_read(op: Operation) -> bool:
    if op.name == "vector.transfer_read":
        return _is_contiguous_transfer(op)
    return op.name == "vector.load"


def _mask_source(mask: SSAValue) -> tuple[Operation, list[int]] | None:
    """The create_mask behind the mask, and what is extracted of it; None if it is another mask."""
    owner = mask.owner
    if not isinstance(owner, Operation):
        return None
    if owner.name == "vector.create_mask":
        return owner, []
    if owner.name == "vector.extract":
        inner = owner.operands[0].owner
        if isinstance(inner, Operation) and inner.name == "vector.create_mask":
            position = cast("DenseArrayBase[IntegerType]", owner.properties["static_position"])
            return inner, list(position.get_values())
    return None


def _can_be_copied(op: Operation) -> bool:
    if not _is_contiguous_store(op):
        return False
    write = cast("vector.TransferWriteOp | vector.StoreOp", op)
    stored = write.value_to_store
    ty = stored.type
    if len(ty.get_shape()) != 1:
        return False
    if not in_shared_memory(write.base.type):
        return False
    read = stored.owner
    if not isinstance(read, Operation) or not _is_contiguous_read(read):
        return False
    base = read.operands[0].type
    if in_shared_memory(base):
        return False
    if read.name == "vector.transfer_read":
        transfer = cast("vector.TransferReadOp", read)
        if transfer.mask is not None and (
            int_of(transfer.padding) == 0 or _mask_source(transfer.mask) is None
        ):
            return False
    bits = ty.get_shape()[0] * bit_width(ty.element_type)
    return bits in [8 * size for size in _COPY_BYTES]


def _read_elements(rw: Rewriter, op: Operation) -> SSAValue | None:
    """How many elements a masked read reads."""
    read = cast("vector.TransferReadOp", op)
    if op.name != "vector.transfer_read" or read.mask is None:
        return None
    source = _mask_source(read.mask)
    assert source is not None
    mask, position = source
    if not position:
        return mask.operands[0]
    condition: SSAValue | None = None
    for index, size in zip(position, mask.operands, strict=False):
        inside = cmpi(rw, "slt", index_constant(rw, index), size)
        condition = inside if condition is None else rw.value("arith.andi", [inside, condition], i1)
    assert condition is not None
    last = mask.operands[-1]
    return select(rw, condition, last, index_constant(rw, 0))


def create_async_groups(rw: Rewriter, root: Operation, *, bypass_l1: bool) -> None:
    """Rewrites what is in `root`."""
    pending: dict[Operation, None] = {}
    for region in root.regions:
        for op in walk_postorder(region):
            if _can_be_copied(op):
                pending[op] = None
    while pending:
        first = next(iter(pending))
        del pending[first]
        _emit_group(rw, root, _group_from(first, pending), bypass_l1)


def _group_from(first: Operation, pending: dict[Operation, None]) -> list[Operation]:
    group = [first]
    following = first.next_op
    while following is not None:
        op = following
        following = op.next_op
        if not op.regions and is_memory_effect_free(op):
            continue
        if op.name in ("vector.transfer_read", "vector.load") and not in_shared_memory(
            op.operands[0].type
        ):
            continue
        if op not in pending:
            break
        del pending[op]
        group.append(op)
    return group


def _emit_group(rw: Rewriter, root: Operation, group: list[Operation], bypass_l1: bool) -> None:
    token = cast("nvgpu.DeviceAsyncTokenType", ods.attr_class("nvgpu.device.async.token")())
    tokens: list[SSAValue] = []
    for write in group:
        rw.before(write)
        rw.location = write.location
        target = cast("vector.StoreOp", write)
        stored = target.value_to_store
        read = cast("vector.LoadOp", stored.owner)
        count = stored.type.get_shape()[0]
        properties: dict[str, Attribute] = {"dstElements": IntegerAttr.from_index_int_value(count)}
        if bypass_l1 and count * bit_width(stored.type.element_type) // 8 == _BYPASS_BYTES:
            properties["bypassL1"] = UnitAttr()
        elements = _read_elements(rw, read)
        operands = [
            target.base,
            list(target.indices),
            read.operands[0],
            list(read.indices),
            elements,
        ]
        tokens.append(rw.value("nvgpu.device_async_copy", operands, token, properties))
    rw.location = root.location
    done = rw.value("nvgpu.device_async_create_group", tokens, token)
    rw.create("nvgpu.device_async_wait", [done])
    for write in group:
        rw.erase(write)


# --- mma sync ------------------------------------------------------------------------------------
# A matmul of the size of one mma.sync becomes that instruction, with its loads and stores.
#
# Which element a lane holds is NVIDIA's layout of the fragments (PTX ISA, "Matrix Fragments for
# mma.m16n8k4 / m16n8k16").


_GROUP = affine.floordiv(symbol(0), literal(4))
_IN_GROUP = affine.mod(symbol(0), literal(4))
Place = tuple[AffineExpr, AffineExpr]


def _plus(expr: AffineExpr, value: int) -> AffineExpr:
    return affine.add(expr, literal(value)) if value else expr


def _pair(offset: int) -> AffineExpr:
    """Twice the lane's number in its group, and `offset`."""
    return _plus(affine.mul(_IN_GROUP, literal(2)), offset)


def _rows_of_pairs(columns: tuple[int, ...]) -> list[Place]:
    """Two neighbours in each of the rows g and g + 8, for each block of columns."""
    return [
        (_plus(_GROUP, row), _pair(start + index))
        for start in columns
        for row in (0, 8)
        for index in (0, 1)
    ]


class _Instruction:
    """Where the elements of the operands are, and the shapes of their fragments."""

    __slots__ = ("places", "shapes", "tf32")

    def __init__(self, places: list[list[Place]], shapes: list[list[int]], tf32: bool) -> None:
        self.places = places
        self.shapes = shapes
        self.tf32 = tf32


def _instruction(shape: list[int], elements: Sequence[Attribute]) -> _Instruction | None:
    result = _rows_of_pairs((0,))
    if shape == [16, 8, 4] and all(isinstance(e, Float32Type) for e in elements):
        lhs = [(_GROUP, _IN_GROUP), (_plus(_GROUP, 8), _IN_GROUP)]
        rhs = [(_IN_GROUP, _GROUP)]
        return _Instruction([lhs, rhs, result], [[2, 1], [1, 1], [2, 2]], True)
    if shape == [16, 8, 16] and all(isinstance(e, Float16Type) for e in elements):
        lhs = _rows_of_pairs((0, 8))
        rhs = [(_pair(start + index), _GROUP) for start in (0, 8) for index in (0, 1)]
        return _Instruction([lhs, rhs, result], [[4, 2], [2, 2], [2, 2]], False)
    return None


def rewrite_matmul(rw: Rewriter, op: Operation) -> bool:
    """Replaces the linalg.matmul `op`; whether there is an instruction for it."""
    memrefs = list(op.operands[:3])
    types = [v.type for v in memrefs if isinstance(v.type, MemRefType)]
    if len(types) != len(memrefs) or not all(len(t.get_shape()) == 2 for t in types):
        return False
    shape = [types[0].get_shape()[0], types[1].get_shape()[1], types[0].get_shape()[1]]
    found = _instruction(shape, [t.element_type for t in types])
    rw.before(op)
    rw.location = op.location
    if found is None:
        return False
    lane = rw.value("gpu.thread_id", (), IndexType(), {"dimension": ods.enum("gpu.dim", "x")})
    operands = [
        _load_fragment(rw, lane, memref, places, sizes)
        for memref, places, sizes in zip(memrefs, found.places, found.shapes, strict=True)
    ]
    properties: dict[str, Attribute] = {
        "mmaShape": ArrayAttr([IntegerAttr(size, i64) for size in shape])
    }
    if found.tf32:
        properties["tf32Enabled"] = UnitAttr()
    result = rw.value("nvgpu.mma.sync", operands, operands[2].type, properties)
    _store(rw, lane, result, memrefs[2], found.places[2], found.shapes[2])
    rw.erase(op)
    return True


def _index(rw: Rewriter, lane: SSAValue, place: Place) -> list[SSAValue]:
    return [as_value(rw, apply(rw, expr, [lane])) for expr in place]


def _positions(sizes: list[int]) -> list[list[int]]:
    return [[row, column] for row in range(sizes[0]) for column in range(sizes[1])]


def _load_fragment(
    rw: Rewriter, lane: SSAValue, memref: SSAValue, places: list[Place], sizes: list[int]
) -> SSAValue:
    ty = cast("MemRefType", memref.type)
    element = ty.element_type
    loads = [
        rw.value("memref.load", [memref, *_index(rw, lane, place)], element) for place in places
    ]
    vector = VectorType(element, sizes)
    value = rw.value("vector.broadcast", [loads[0]], vector)
    for loaded, position in zip(loads, _positions(sizes), strict=True):
        properties = {"static_position": i64_array(position)}
        value = rw.value("vector.insert", [loaded, value], vector, properties)
    return value


def _store(
    rw: Rewriter,
    lane: SSAValue,
    vector: SSAValue,
    memref: SSAValue,
    places: list[Place],
    sizes: list[int],
) -> None:
    ty = cast("MemRefType", memref.type)
    values = [
        rw.value(
            "vector.extract", [vector], ty.element_type, {"static_position": i64_array(position)}
        )
        for position in _positions(sizes)
    ]
    for value, place in zip(values, places, strict=True):
        rw.create("memref.store", [value, memref, *_index(rw, lane, place)])


# --- tma copy ------------------------------------------------------------------------------------
# Copies to shared memory in a gpu.launch become TMA loads with one barrier.
#
# Descriptors are made on the host, before the launch. Thread 0 requests the loads and says how many
# bytes are to come; all threads wait.


#: How long a thread waits before it asks again.
_TICKS = 10_000_000


def rewrite_copies(rw: Rewriter, copies: Sequence[Operation], launch: gpu.LaunchOp) -> None:
    """Replaces the linalg.copy operations `copies`, all in `launch`."""
    rw.before(copies[0])
    blocks = [launch.block_size_x, launch.block_size_y, launch.block_size_z]
    threads = apply(rw, _product(3), blocks)
    barrier = _barrier(rw, threads)
    descriptors: list[SSAValue] = []
    for copy in copies:
        rw.before(launch)
        descriptors.append(_descriptor(rw, copy.operands[0]))
    rw.before(copies[0])
    _load_tiles(rw, descriptors, [copy.operands[1] for copy in copies], barrier)
    parity = rw.value("llvm.mlir.constant", (), i1, {"value": IntegerAttr(0, i1)})
    ticks = index_constant(rw, _TICKS)
    rw.create("nvgpu.mbarrier.try_wait.parity", [barrier, parity, ticks, index_constant(rw, 0)])
    for copy in copies:
        rw.erase(copy)


def _product(count: int) -> AffineExpr:
    result = symbol(0)
    for index in range(1, count):
        result = affine.mul(result, symbol(index))
    return result


def _shared() -> Attribute:
    return ods.enum("gpu.address_space", "workgroup")


def _barrier(rw: Rewriter, threads: Mixed) -> SSAValue:
    group = ods.attr_class("nvgpu.mbarrier.group")(_shared(), 1)
    barrier = rw.value("nvgpu.mbarrier.create", (), group)
    zero = index_constant(rw, 0)
    rw.create("nvgpu.mbarrier.init", [barrier, as_value(rw, threads), zero])
    rw.create("gpu.barrier")
    return barrier


def _sizes(rw: Rewriter, memref: SSAValue) -> list[Mixed]:
    ty = cast("MemRefType", memref.type)
    sizes: list[Mixed] = []
    for index, size in enumerate(ty.get_shape()):
        if size < 0:
            sizes.append(rw.value("memref.dim", [memref, index_constant(rw, index)], IndexType()))
        else:
            sizes.append(size)
    return sizes


def _descriptor(rw: Rewriter, memref: SSAValue) -> SSAValue:
    ty = cast("MemRefType", memref.type)
    space = ty.memory_space
    unranked = UnrankedMemRefType(ty.element_type, space if space is not None else NoneAttr())  # type: ignore[call-arg]
    unranked_memref = rw.value("memref.cast", [memref], unranked)
    sizes = [as_value(rw, size) for size in _sizes(rw, memref)]
    tensor = MemRefType(ty.element_type, ty.get_shape(), ty.layout, _shared())
    descriptor = ods.attr_class("nvgpu.tensormap.descriptor")(
        tensor, "none", "none", "zero", "none"
    )
    return rw.value("nvgpu.tma.create.descriptor", [unranked_memref, *sizes], descriptor)


def _load_tiles(
    rw: Rewriter, descriptors: list[SSAValue], targets: list[SSAValue], barrier: SSAValue
) -> None:
    zero = index_constant(rw, 0)
    thread = rw.value("gpu.thread_id", (), IndexType(), {"dimension": ods.enum("gpu.dim", "x")})
    is_first = cmpi(rw, "eq", thread, zero)
    then, other = Block(), Block()
    branch: Operation = rw.create("scf.if", [is_first], regions=[Region(then), Region(other)])
    rw.at_end(then)
    sizes = [
        _request(rw, descriptor, target, barrier)
        for descriptor, target in zip(descriptors, targets, strict=True)
    ]
    _expect(rw, barrier, sizes)
    rw.create("scf.yield")
    rw.at_end(other)
    _expect(rw, barrier, [0])
    rw.create("scf.yield")
    rw.after(branch)


def _request(rw: Rewriter, descriptor: SSAValue, target: SSAValue, barrier: SSAValue) -> Mixed:
    """Requests one load; returns how many bytes it brings."""
    zero = index_constant(rw, 0)
    rw.create("nvgpu.tma.async.load", [target, barrier, descriptor, [zero, zero], zero, None, None])
    sizes = _sizes(rw, target)
    ty = cast("MemRefType", target.type)
    total = affine.mul(_product(len(sizes)), literal(bit_width(ty.element_type) // 8))
    return apply(rw, total, sizes)


def _expect(rw: Rewriter, barrier: SSAValue, sizes: list[Mixed]) -> None:
    total = symbol(0)
    for index in range(1, len(sizes)):
        total = affine.add(total, symbol(index))
    count = as_value(rw, apply(rw, total, sizes))
    rw.create("nvgpu.mbarrier.arrive.expect_tx", [barrier, count, index_constant(rw, 0)])


# --- nvgpu ops -----------------------------------------------------------------------------------
# transform.nvgpu.*: asynchronous copies, their pipelining, mma.sync and TMA.


def _create_async_groups(op: Operation, target: Operation, state: State) -> list[Operation]:
    rw = TrackingRewriter(state, target)
    create_async_groups(rw, target, bypass_l1=flag(op, "bypass_l1"))
    return [target]


# --- pipeline_shared_memory_copies -------------------------------------------------------------


def _loads_for_shared_memory(op: Operation) -> bool:
    """Whether `op` reads global memory for nothing but one write to a memref."""
    if op.name != "vector.transfer_read":
        return False
    ty = op.operands[0].type
    if not isinstance(ty, MemRefType) or not _in_default_space(ty):
        return False
    uses = list(op.results[0].uses)
    if len(uses) != 1:
        return False
    user = uses[0].operation
    return (
        user.name == "vector.transfer_write"
        and uses[0].index == 0
        and isinstance(user.operands[1].type, MemRefType)
    )


def _in_default_space(ty: MemRefType) -> bool:
    space = ty.memory_space
    return (not isinstance(space, IntegerAttr) and space.name == "none") or (
        isinstance(space, IntegerAttr) and space.value.data == 0
    )


def _first_stage(loop: Operation) -> set[Operation] | None:
    """The loads and what must come before them; None where the loop has inner regions."""
    found: set[Operation] = set()
    barriers: list[Operation] = []
    for op in loop.regions[0].block.ops:
        if op.regions:
            return None
        if op.name == "gpu.barrier":
            barriers.append(op)
        elif op.name in ("nvgpu.device_async_copy", "nvgpu.device_async_create_group"):
            found.add(op)
            found.update(barriers)
            barriers = []
        elif _loads_for_shared_memory(op):
            found.add(op)
    return found


def _schedule(loop: Operation, first: set[Operation], depth: int) -> list[tuple[Operation, int]]:
    body = loop.regions[0].block
    needed: set[Operation] = set()
    pending = list(first)
    while pending:
        op = pending.pop()
        if op in needed:
            continue
        needed.add(op)
        for operand in op.operands:
            owner = operand.owner
            if isinstance(owner, Operation) and owner.parent is body:
                pending.append(owner)
    ops = [op for op in body.ops if op.name != "scf.yield"]
    return [(op, depth) for op in ops if op not in needed] + [(op, 0) for op in ops if op in needed]


def _predicated(rw: Rewriter, op: Operation, condition: SSAValue) -> Operation | None:
    if is_memory_effect_free(op) or op.name in (
        "gpu.barrier",
        "nvgpu.device_async_create_group",
        "nvgpu.device_async_wait",
    ):
        return op
    if op.name != "nvgpu.device_async_copy":
        return None
    index = IndexType()
    copy = cast("nvgpu.DeviceAsyncCopyOp", op)
    location, rw.location = rw.location, op.location
    total = attribute_constant(rw, op.properties["dstElements"], index)
    wanted = copy.src_elements if copy.src_elements is not None else total
    zero = index_constant(rw, 0)
    elements = select(rw, condition, wanted, zero)
    new = rw.create(
        "nvgpu.device_async_copy",
        [copy.dst, list(copy.dst_indices), copy.src, list(copy.src_indices), elements],
        [op.results[0].type],
        {"dstElements": op.properties["dstElements"]},
    )
    rw.replace(op, new.results)
    rw.location = location
    return new


def pipeline_shared_memory_copies(
    op: Operation, target: Operation, state: State
) -> list[Operation]:
    from xgpu.transforms.scf.loop_pipelining import CannotPipelineError, Options, pipeline_loop

    depth = integer(op, "depth", 1)
    peel = flag(op, "peel_epilogue")
    first = _first_stage(target)
    if not first:
        text = (
            "cannot find stage 0 ops for pipelining" if first is None else "no shared memory copy"
        )
        raise SilenceableError(Diagnostic("error", text, target.location))

    def annotate(made: Operation, part: str, iteration: int) -> None:
        if made.name != "nvgpu.device_async_wait" or "numGroups" in made.properties:
            return
        groups = depth - 1 - (iteration if part == "epilogue" else 0)
        made.properties["numGroups"] = IntegerAttr(groups, i32)

    location = target.location
    rw = TrackingRewriter(state, target)
    options = Options(
        _schedule(target, first, depth),
        annotate=annotate,
        predicate=None if peel else _predicated,
        peel_epilogue=peel,
    )
    try:
        return [pipeline_loop(rw, target, options)]
    except CannotPipelineError as failure:
        if not failure.changed:
            raise SilenceableError(
                Diagnostic("error", "pipelining preconditions failed", location)
            ) from None
        notes = (
            []
            if peel
            else [
                (location, "couldn't predicate?"),
                (op.location, 'try setting "peel_epilogue"'),
            ]
        )
        raise definite(op, "irreversible pipelining failure", notes) from None


# --- mma.sync and TMA --------------------------------------------------------------------------


def rewrite_matmul_as_mma_sync(op: Operation, target: Operation, state: State) -> None:
    if target.name == "linalg.matmul":
        if _has_own_maps(target):
            raise silenceable(op, "only matmul ops with non-extended semantics are supported")
        if rewrite_matmul(TrackingRewriter(state, target), target):
            return
    from xgpu.core.syntax.printer import print_op

    raise silenceable(
        op,
        f"unsupported target op: {print_op(target, generic=True, local_scope=True)}",
        [(target.location, "target op")],
    )


#: Results of the maps of a plain matmul, as dimensions: (m, n, k).
_MATMUL_MAPS = [(0, 2), (2, 1), (0, 1)]


def _has_own_maps(op: Operation) -> bool:
    maps = cast("ArrayAttr[AffineMapAttr] | None", op.properties.get("indexing_maps"))
    if maps is None:
        return False
    found = [tuple(getattr(e, "position", None) for e in attr.data.results) for attr in maps.data]
    return found != _MATMUL_MAPS


def rewrite_copy_as_tma(op: Operation, state: State) -> Results:
    copies = state.ops(op.operands[0])
    if not copies:
        return []
    common = parent_of(copies[0], "gpu.launch")
    for copy in copies:
        launch = parent_of(copy, "gpu.launch")
        if launch is None or launch is not common or copy.name != "linalg.copy":
            from xgpu.core.syntax.printer import print_op

            first, failing = (
                print_op(o, generic=True, local_scope=True) for o in (copies[0], copy)
            )
            raise silenceable(
                op,
                "target ops must be linalg::CopyOp nested under a common gpu.LaunchOp to be "
                "rewritten because the tma descriptors need to be created on the host.\n"
                f"But got: {first}\nand {failing}",
            )
    rw = TrackingRewriter(state, copies[0])
    rw.location = op.location
    rewrite_copies(rw, list(copies), cast("gpu.LaunchOp", common))
    return []


OPS = {
    "transform.nvgpu.create_async_groups": each(_create_async_groups),
    "transform.nvgpu.pipeline_shared_memory_copies": each(pipeline_shared_memory_copies, "scf.for"),
    "transform.nvgpu.rewrite_copy_as_tma": rewrite_copy_as_tma,
    "transform.nvgpu.rewrite_matmul_as_mma_sync": each(rewrite_matmul_as_mma_sync),
}
