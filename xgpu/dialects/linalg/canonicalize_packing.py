# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of linalg.pack and linalg.unpack."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from xgpu.dialects.linalg.fills import same_value
from xgpu.dialects.linalg.structure import numbers
from xgpu.dialects.linalg.verify_packing import needs_padding
from xgpu.dialects.slices import Mixed, mixed, parts, settle, slice_operands
from xgpu.dialects.tensor.casts import cast_to, made_by, shape_of, uncast, with_shape
from xgpu.dialects.tensor.destinations import destination_of
from xgpu.dialects.tensor.fold_slices import place_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


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
    inner = cast("OdsOperation | None", made_by(op.operands[0], other))
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
