# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the linalg dialect, and of tensors that its operations give.

Source: MLIR 22.1 LinalgOps.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xgpu.core.ir import affine
from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.constants import constant_of
from xgpu.core.ir.construction import defining
from xgpu.dialects.affine.index_math import folded_apply
from xgpu.dialects.affine.maps import symbol
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg.bodies import build_region, copying_region
from xgpu.dialects.linalg.ops import (
    MATMULS,
    OPS,
    indexing_maps,
    inputs,
    is_on_buffers,
    is_structured,
    numbers,
    outputs,
    with_operands,
)
from xgpu.dialects.linalg.ops import shape_of as sizes_of
from xgpu.dialects.linalg.verify import needs_padding
from xgpu.dialects.reshapes import Mixed, mixed, parts, settle, slice_operands, static_sizes
from xgpu.dialects.tensor.canonicalize_slices import padding_value
from xgpu.dialects.tensor.casts import (
    cast_to,
    destination_of,
    is_static,
    keeps_sizes,
    may_be_cast,
    shape_of,
    uncast,
    with_shape,
)
from xgpu.dialects.tensor.fold import place_of

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# -- What is made of a tensor full of one value, or of a cast of a structured operation's result:
# canonicalization patterns whose roots are mostly operations of the tensor dialect.
#
#     %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
#     %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
#     =>
#     %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
#     %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<32xf32>) -> tensor<32xf32>


def filled(value: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """What `value` is full of, and what that was written over."""
    op = defining(value, "linalg.fill")
    return None if op is None else (op.operands[0], op.operands[1])


def fill(rw: GreedyRewriter, value: SSAValue, over: SSAValue) -> SSAValue:
    """`over`, full of `value`."""
    region = build_region("linalg.fill", (value, over), {}, 1, rw.location)
    return rw.create("linalg.fill", ([value], [over]), (over.type,), None, None, [region]).results[
        0
    ]


def same_value(first: SSAValue, second: SSAValue) -> bool:
    """Whether two values are one, or constants that are."""
    if first is second:
        return True
    known = constant_of(first)
    return known is not None and known == constant_of(second)


# --- of linalg's own operations --------------------------------------------------------------
def copy_of_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """copy(fill) is a fill, and what is copied over a fill is copied over what was there before."""
    source = filled(op.operands[0])
    if source is not None and op.results:
        rw.replace(op, [fill(rw, source[0], op.operands[1])])
        return True
    target = filled(op.operands[1])
    if target is None:
        return False
    rw.set_operand(op, 1, target[1])
    return True


def transpose_of_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """transpose(fill) -> fill"""
    source = filled(op.operands[0])
    if source is None or not op.results:
        return False
    rw.replace(op, [fill(rw, source[0], op.operands[1])])
    return True


def pack_of_fill(op: OdsOperation, rw: GreedyRewriter) -> bool:
    """pack(fill) -> fill, if the padding is the same and the destination has no other use"""
    source = filled(op.operands[0])
    if source is None:
        return False
    padding = op.operand_group(2)
    if padding and not same_value(padding[0], source[0]):
        return False
    if not op.operands[1].has_one_use():
        return False
    rw.replace(op, [fill(rw, source[0], op.operands[1])])
    return True


# --- of tensors --------------------------------------------------------------------------------
def reshape_of_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """reshape(fill into %t) -> fill into reshape(%t)"""
    source = filled(op.operands[0])
    if source is None:
        return False
    operands = [source[1], *op.operands[1:]]
    kinds = [op.results[0].type]
    with rw.located(location_of(op.operands[0])):
        new = rw.create(op.name, operands, kinds, dict(op.properties), dict(op.attributes))
    rw.replace(op, [fill(rw, source[0], new.results[0])])
    return True


def extract_of_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """An element of what is full of a value is the value."""
    source = filled(op.operands[0])
    if source is None or source[0].type != op.results[0].type:
        return False
    rw.replace(op, [source[0]])
    return True


def pad_of_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """pad(fill) with the same value -> fill of a larger tensor"""
    source = filled(op.operands[0])
    padding = padding_value(op)
    if source is None or padding is None or not same_value(padding, source[0]):
        return False
    sizes = _padded_sizes(op, rw)
    kind = cast("TensorType", op.results[0].type)
    open_sizes = [size for size in sizes if not isinstance(size, int)]
    empty = rw.value("tensor.empty", open_sizes, TensorType(kind.element_type, static_sizes(sizes)))
    rw.replace(op, [cast_to(rw, fill(rw, source[0], empty), kind)])
    return True


def _padded_sizes(op: Operation, rw: GreedyRewriter) -> Mixed:
    """The sizes of what is padded."""
    source, found = op.operands[0], Mixed()
    total = affine.add(affine.add(symbol(0), symbol(1)), symbol(2))
    lists = zip(shape_of(source), mixed(op, "low"), mixed(op, "high"), strict=True)
    for dim, (size, low, high) in enumerate(lists):
        extent = _size(rw, source, dim) if size == DYNAMIC_INDEX else size
        found.append(folded_apply(rw, total, [extent, low, high]))
    return found


def _size(rw: GreedyRewriter, source: SSAValue, dim: int) -> SSAValue:
    return rw.value("tensor.dim", [source, index_constant(rw, dim)], IndexType())


def concat_of_fills(op: Operation, rw: GreedyRewriter) -> bool:
    """concat of fills with one value -> fill of a concat"""
    found = [filled(value) for value in op.operands]
    sources = [source for source in found if source is not None]
    if not sources or len(sources) != len(found):
        return False
    if not all(same_value(value, sources[0][0]) for value, _ in sources):
        return False
    kind = op.results[0].type
    joined = rw.value(op.name, [over for _, over in sources], kind, dict(op.properties))
    rw.replace(op, [fill(rw, sources[0][0], joined)])
    return True


def insert_pad_into_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """What is padded need not be, where it is inserted into what is full of the padding already."""
    pad = defining(op.operands[0], "tensor.pad")
    if pad is None or _is_rank_reducing(op):
        return False
    first = _first_destination(op)
    target = None if first is None else filled(first)
    padding = padding_value(pad)
    if target is None or padding is None or not same_value(padding, target[0]):
        return False
    offsets, _, strides = place_of(op)
    total = affine.add(symbol(0), symbol(1))
    pairs = zip(mixed(pad, "low"), offsets, strict=True)
    moved: Mixed = [folded_apply(rw, total, [low, offset]) for low, offset in pairs]
    source = pad.operands[0]
    sizes: Mixed = [
        _size(rw, source, dim) if size == DYNAMIC_INDEX else size
        for dim, size in enumerate(shape_of(source))
    ]
    groups, properties = slice_operands((moved, sizes, strides))
    operands = [[source], [op.operands[1]], *groups]
    rw.replace_with(op, op.name, operands, [op.results[0].type], properties, dict(op.attributes))
    return True


def _is_rank_reducing(op: Operation) -> bool:
    return len(shape_of(op.operands[0])) != len(shape_of(op.operands[1]))


def _first_destination(op: Operation) -> SSAValue | None:
    """What `op` and the insertions before it, as far as they write elsewhere, insert into."""
    dest = op.operands[1]
    while (before := defining(dest, "tensor.insert_slice")) is not None:
        if _is_rank_reducing(before):
            return None
        if not _are_disjoint(place_of(op), place_of(before)):
            break
        dest = before.operands[1]
    return dest


def _are_disjoint(mine: Sequence[Mixed], theirs: Sequence[Mixed]) -> bool:
    """Whether two slices are known to have no element in common."""
    for entries in zip(*mine, *theirs, strict=True):
        if not all(isinstance(entry, int) for entry in entries):
            continue
        start, size, stride, other, other_size, other_stride = cast("tuple[int, ...]", entries)
        end, other_end = start + (size - 1) * stride, other + (other_size - 1) * other_stride
        if end < other or other_end < start:
            return True
    return False


# --- casts -----------------------------------------------------------------------------------
def cast_of_result(op: Operation, rw: GreedyRewriter) -> bool:
    """A structured operation has the sizes that a cast of its result has; its other users get a
    cast back."""
    source = op.operands[0]
    owner = source.owner
    if not isinstance(source, OpResult) or not isinstance(owner, Operation):
        return False
    if not is_structured(owner) or op.parent is not owner.parent:
        return False
    kind = op.results[0].type
    if not keeps_sizes(source.type, kind) or kind == source.type:
        return False
    rw.at(owner)
    place = len(inputs(owner)) + source.index
    if len(outputs(owner)) != len(owner.results):
        return False
    operands, kinds = list(owner.operands), [result.type for result in owner.results]
    operands[place] = rw.value("tensor.cast", (operands[place],), kind)
    old, kinds[source.index] = kinds[source.index], kind
    new = with_operands(rw, owner, operands, kinds)
    results: list[SSAValue] = list(new.results)
    results[source.index] = cast_to(rw, new.results[source.index], old)
    rw.replace(op, [new.results[source.index]])
    rw.replace(owner, results)
    return True


#: Patterns of operations of the tensor dialect.
TENSOR_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.cast": (cast_of_result,),
    "tensor.collapse_shape": (reshape_of_fill,),
    "tensor.concat": (concat_of_fills,),
    "tensor.expand_shape": (reshape_of_fill,),
    "tensor.extract": (extract_of_fill,),
    "tensor.insert_slice": (insert_pad_into_fill,),
    "tensor.pad": (pad_of_fill,),
}


# -- Canonicalization patterns of linalg.pack and linalg.unpack.


def _is_undone_by(pack: OdsOperation, unpack: OdsOperation) -> bool:
    """Whether both speak of the same tiles in the same order, without padding."""
    orders = [numbers(op, "outer_dims_perm") for op in (pack, unpack)]
    tiles = [settle(mixed(op, "inner_tiles")) for op in (pack, unpack)]
    return (
        not pack.operand_group(2)
        and numbers(pack, "inner_dims_pos") == numbers(unpack, "inner_dims_pos")
        and (orders[0] == orders[1] or all(o == sorted(o) for o in orders))
        and len(tiles[0]) == len(tiles[1])
        and all(_is_same(a, b) for a, b in zip(*tiles, strict=True))
    )


def _is_same(first: int | SSAValue, second: int | SSAValue) -> bool:
    if isinstance(first, SSAValue) and isinstance(second, SSAValue):
        return same_value(first, second)
    return first == second


def undone(op: OdsOperation, rw: GreedyRewriter) -> bool:
    """pack(unpack(%t)) -> %t, unpack(pack(%t)) -> %t"""
    other = "linalg.unpack" if op.name == "linalg.pack" else "linalg.pack"
    inner = cast("OdsOperation | None", defining(op.operands[0], other))
    if inner is None or inner.operands[0].type != op.operands[1].type:
        return False
    pack, unpack = (op, inner) if op.name == "linalg.pack" else (inner, op)
    if not _is_undone_by(pack, unpack):
        return False
    rw.replace(op, [inner.operands[0]])
    return True


def padding_for_nothing(op: OdsOperation, rw: GreedyRewriter) -> bool:
    """A padding that no tile needs is left out."""
    if not op.operand_group(2):
        return False
    shape, places = shape_of(op.operands[0]), numbers(op, "inner_dims_pos")
    tiles = numbers(op, "static_inner_tiles")
    if DYNAMIC_INDEX in tiles or any(shape[place] == DYNAMIC_INDEX for place in places):
        return False
    if needs_padding(op, shape, shape_of(op.operands[1])):
        return False
    _recreate(op, rw, op.operands[0], op.operands[1], mixed(op, "inner_tiles"), with_padding=False)
    return True


def _recreate(
    op: OdsOperation,
    rw: GreedyRewriter,
    source: SSAValue,
    dest: SSAValue,
    tiles: Mixed,
    *,
    with_padding: bool = True,
) -> None:
    """Puts `op` with other operands in its place; its users get the type that they know."""
    values, static = parts(tiles)
    properties: dict[str, Attribute] = {**op.properties, "static_inner_tiles": static}
    properties.pop("operandSegmentSizes", None)
    operands: list[object] = [source, dest, *values]
    if op.name == "linalg.pack":
        operands = [[source], [dest], op.operand_group(2) if with_padding else [], values]
    new = rw.create(op.name, operands, (dest.type,), properties, dict(op.attributes))
    rw.replace(op, [cast_to(rw, new.results[0], op.results[0].type)])


def take_casts_in(op: OdsOperation, rw: GreedyRewriter) -> bool:
    """Casts that forget sizes are looked through; sizes of tiles that the types then know are
    numbers."""
    source, dest = uncast(op.operands[0]), uncast(op.operands[1])
    if source is None and dest is None:
        return False
    source = op.operands[0] if source is None else source
    dest = op.operands[1] if dest is None else dest
    packed = shape_of(dest if op.name == "linalg.pack" else source)
    tiles = mixed(op, "inner_tiles")
    known = packed[len(packed) - len(tiles) :]
    if any(
        isinstance(t, int) and DYNAMIC_INDEX != k != t for t, k in zip(tiles, known, strict=True)
    ):
        return False
    settled: Mixed = [t if k == DYNAMIC_INDEX else k for t, k in zip(tiles, known, strict=True)]
    _recreate(op, rw, source, dest, settled)
    return True


def infer_shapes(op: OdsOperation, rw: GreedyRewriter) -> bool:
    """Dimensions that are not tiled are as large in both."""
    is_pack = op.name == "linalg.pack"
    plain, packed = (0, 1) if is_pack else (1, 0)
    shapes = [shape_of(op.operands[0]), shape_of(op.operands[1])]
    places, order = numbers(op, "inner_dims_pos"), numbers(op, "outer_dims_perm")
    changed = False
    for dim in range(len(shapes[plain])):
        if dim in places:
            continue
        at = order.index(dim) if order else dim
        sizes = {shapes[plain][dim], shapes[packed][at]} - {DYNAMIC_INDEX}
        if len(sizes) != 1 or DYNAMIC_INDEX not in (shapes[plain][dim], shapes[packed][at]):
            continue
        shapes[plain][dim] = shapes[packed][at] = sizes.pop()
        changed = True
    if not changed:
        return False
    values = [
        cast_to(rw, value, with_shape(value.type, shape))
        for value, shape in zip(op.operands[:2], shapes, strict=True)
    ]
    _recreate(op, rw, values[0], values[1], mixed(op, "inner_tiles"))
    return True


def unpack_over_something(op: OdsOperation, rw: GreedyRewriter) -> bool:
    """All of the destination is written: what was written there before does not count."""
    before = destination_of(op.operands[1])
    if before is None or before.type != op.operands[1].type:
        return False
    rw.set_operand(op, 1, before)
    return True


def slice_of_unpack(op: OdsOperation, rw: GreedyRewriter) -> bool:
    """extract_slice(unpack(%t into %d)) -> unpack(%t into extract_slice(%d)), where the slice is
    from the beginning and ends in the last tile"""
    result = op.results[0]
    use = result.first_use
    if use is None or not result.has_one_use():
        return False
    slice_op = use.operation
    if slice_op.name != "tensor.extract_slice" or not _ends_in_last_tile(op, slice_op):
        return False
    groups, properties = slice_operands(place_of(slice_op))
    rw.at(op)
    kind = slice_op.results[0].type
    dest = rw.value(slice_op.name, [[op.operands[1]], *groups], kind, properties)
    values, static = parts(mixed(op, "inner_tiles"))
    new = {**op.properties, "static_inner_tiles": static}
    new.pop("operandSegmentSizes", None)
    operands = [op.operands[0], dest, *values]
    unpacked = rw.value(op.name, operands, kind, new, dict(op.attributes))
    rw.replace(slice_op, [unpacked])
    rw.erase(op)
    return True


def _ends_in_last_tile(op: OdsOperation, slice_op: Operation) -> bool:
    offsets, _, strides = (settle(entries) for entries in place_of(slice_op))
    after = shape_of(slice_op.results[0])
    if len(after) != len(shape_of(op.operands[1])):
        return False
    if any(offset != 0 for offset in offsets) or any(stride != 1 for stride in strides):
        return False
    places, order = numbers(op, "inner_dims_pos"), numbers(op, "outer_dims_perm")
    tiles = dict(zip(places, numbers(op, "static_inner_tiles"), strict=True))
    packed = shape_of(op.operands[0])
    for dim, size in enumerate(after):
        count = packed[order.index(dim) if order else dim]
        tile = tiles.get(dim, 1)
        if DYNAMIC_INDEX in (size, count, tile):
            return False
        if not 0 <= count * tile - size < tile:
            return False
    return True


PACK_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "linalg.pack": (undone, padding_for_nothing, infer_shapes, take_casts_in),
    "linalg.unpack": (
        undone, unpack_over_something, slice_of_unpack, infer_shapes, take_casts_in,
    ),
}  # fmt: skip


# -- Canonicalization patterns of linalg.broadcast and linalg.transpose.


def _create(
    rw: GreedyRewriter, name: str, source: SSAValue, over: SSAValue, dims: Sequence[int]
) -> SSAValue:
    """A broadcast or a transposition of `source`, written over `over`."""
    attribute = "dimensions" if name == "linalg.broadcast" else "permutation"
    properties = {attribute: DenseArrayBase.from_list(i64, list(dims))}
    regions = [copying_region((source, over), rw.location)]
    return rw.create(name, (source, over), (over.type,), properties, None, regions).results[0]


def broadcast_of_broadcast(op: Operation, rw: GreedyRewriter) -> bool:
    """broadcast(broadcast) -> broadcast along the dimensions of both"""
    inner = defining(op.operands[0], op.name)
    if inner is None or not op.results:
        return False
    added = numbers(op, "dimensions")
    kept = [dim for dim in range(len(shape_of(op.operands[1]))) if dim not in added]
    dimensions = sorted([*added, *(kept[dim] for dim in numbers(inner, "dimensions"))])
    rw.replace(op, [_create(rw, op.name, inner.operands[0], op.operands[1], dimensions)])
    return True


def transpose_of_transpose(op: Operation, rw: GreedyRewriter) -> bool:
    """transpose(transpose) -> transpose by both permutations"""
    inner = defining(op.operands[0], op.name)
    if inner is None or not op.results:
        return False
    first = numbers(inner, "permutation")
    both = [first[dim] for dim in numbers(op, "permutation")]
    rw.replace(op, [_create(rw, op.name, inner.operands[0], op.operands[1], both)])
    return True


def transpose_of_broadcast(op: Operation, rw: GreedyRewriter) -> bool:
    """transpose(broadcast) -> broadcast(transpose), which moves fewer elements"""
    inner = defining(op.operands[0], "linalg.broadcast")
    if inner is None or not op.results or not op.operands[0].has_one_use():
        return False
    added, order = numbers(inner, "dimensions"), numbers(op, "permutation")
    kept = [dim for dim in range(len(order)) if dim not in added]
    permutation = [kept.index(dim) for dim in order if dim not in added]
    dimensions = [order.index(dim) for dim in added]
    source = inner.operands[0]
    shape = shape_of(source)
    open_sizes = {
        dim: rw.value("tensor.dim", [source, index_constant(rw, dim)], IndexType())
        for dim, size in enumerate(shape)
        if size == DYNAMIC_INDEX
    }
    sizes = [open_sizes[dim] for dim in permutation if dim in open_sizes]
    element = cast("TensorType", source.type).element_type
    over = rw.value("tensor.empty", sizes, TensorType(element, [shape[dim] for dim in permutation]))
    moved = _create(rw, op.name, source, over, permutation)
    rw.replace(op, [_create(rw, inner.name, moved, op.operands[1], dimensions)])
    return True


TRANSPOSE_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "linalg.broadcast": (broadcast_of_broadcast,),
    "linalg.transpose": (transpose_of_transpose, transpose_of_broadcast),
}


# -- What computes nothing, and sizes that follow from another operand of a structured operation.


def erase_identity(op: Operation, rw: GreedyRewriter) -> bool:
    """An operation whose maps are all the same one and that yields what it is given is that."""
    block = op.regions[0].blocks[0]
    end = block.last_op
    if end is None or end is not block.first_op or end.name != "linalg.yield":
        return False
    maps = indexing_maps(op)
    if any(each != maps[0] for each in maps[1:]):
        return False
    given: list[SSAValue] = []
    for value in end.operands:
        if not isinstance(value, BlockArgument) or value.owner is not block:
            return False
        given.append(op.operands[value.index])
    if is_on_buffers(op):
        return len(outputs(op)) == 1 and erase_self_copy(op, rw)
    if any(value.type.name != "tensor" for value in op.operands) or len(given) != len(op.results):
        return False
    pairs = list(zip(given, [result.type for result in op.results], strict=True))
    if not all(v.type == kind or may_be_cast(v.type, kind) for v, kind in pairs):
        return False
    rw.replace(op, [cast_to(rw, value, kind) for value, kind in pairs])
    return True


def erase_self_copy(op: Operation, rw: GreedyRewriter) -> bool:
    """What is copied to itself stays as it is."""
    if len(op.operands) != 2 or op.operands[0] is not op.operands[1]:
        return False
    rw.replace(op, op.operands[: len(op.results)])
    return True


def erase_dead(op: Operation, rw: GreedyRewriter) -> bool:
    """Nothing is done to a buffer without elements. A tensor without any may stand for others."""
    if op.results or not any(
        isinstance(v.type, MemRefType) and 0 in v.type.get_shape() for v in op.operands
    ):
        return False
    rw.erase(op)
    return True


def infer_static_shape(op: Operation, rw: GreedyRewriter) -> bool:
    """Sizes of operands that others tell: each dimension of the iteration has one extent."""
    if not op.results or any(isinstance(v.type, MemRefType) for v in op.operands):
        return False
    maps = indexing_maps(op)
    if not all(_is_projection(each.results) for each in maps):
        return False
    extents = _extents(op)
    operands, kinds = list(op.operands), [result.type for result in op.results]
    outs = outputs(op)
    for place, (value, each) in enumerate(zip(op.operands, maps, strict=True)):
        shape = sizes_of(value)
        if shape is None or not isinstance(value.type, TensorType):
            continue
        new = [
            extents.get(cast("AffineDimExpr", expr).position, size)
            if size == DYNAMIC_INDEX
            else size
            for expr, size in zip(each.results, shape, strict=True)
        ]
        if list(shape) == new:
            continue
        kind = with_shape(value.type, new)
        operands[place] = rw.value("tensor.cast", (value,), kind)
        if place >= len(operands) - len(outs):
            kinds[place - (len(operands) - len(outs))] = kind
    if all(new is old for new, old in zip(operands, op.operands, strict=True)):
        return False
    old = [result.type for result in op.results]
    new_op = with_operands(rw, op, operands, kinds)
    pairs = zip(new_op.results, old, strict=True)
    rw.replace(op, [cast_to(rw, result, kind) for result, kind in pairs])
    return True


def _is_projection(results: Sequence[object]) -> bool:
    dims = [r.position for r in results if isinstance(r, AffineDimExpr)]
    return len(dims) == len(results) == len(set(dims))


def _extents(op: Operation) -> dict[int, int]:
    """The extents of the iteration's dimensions that are known, the first that is found of each.
    What is cast from known sizes has these."""
    found: dict[int, int] = {}
    for value, each in zip(op.operands, indexing_maps(op), strict=True):
        shape = sizes_of(value)
        if shape is None:
            continue
        source = defining(value, "tensor.cast")
        told: Sequence[int] = shape
        if source is not None and is_static(source.operands[0].type):
            told = sizes_of(source.operands[0]) or shape
        for expr, size, known in zip(each.results, shape, told, strict=True):
            if size != DYNAMIC_INDEX:
                found.setdefault(cast("AffineDimExpr", expr).position, known)
    return found


_STRUCTURED = (
    *MATMULS, *OPS, "linalg.broadcast", "linalg.contract", "linalg.elementwise", "linalg.generic",
    "linalg.map", "linalg.reduce", "linalg.transpose",
)  # fmt: skip
_OWN: dict[str, tuple[Pattern, ...]] = {
    **TRANSPOSE_PATTERNS,
    "linalg.copy": (erase_self_copy, copy_of_fill),
    "linalg.generic": (erase_identity,),
}
_OWN["linalg.broadcast"] = (erase_identity, *_OWN["linalg.broadcast"])
_OWN["linalg.transpose"] = (transpose_of_fill, *_OWN["linalg.transpose"])

#: What MLIR states for the whole dialect.
OF_ALL_STRUCTURED: dict[str, tuple[Pattern, ...]] = dict.fromkeys(
    _STRUCTURED, (erase_dead, infer_static_shape)
)

PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **{n: (*_OWN.get(n, ()), *found) for n, found in OF_ALL_STRUCTURED.items()},
    **PACK_PATTERNS,
}
PATTERNS["linalg.pack"] = (*PATTERNS["linalg.pack"], pack_of_fill)
