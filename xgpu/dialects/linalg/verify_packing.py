# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verifiers of linalg.pack, unpack and softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error, op_error

if TYPE_CHECKING:
    from xdsl.dialects.builtin import (
        DenseArrayBase,
        IntegerType,
        MemRefType,
        ShapedType,
        TensorType,
    )
    from xdsl.ir import Operation

    from xgpu.dialects import linalg


def _is_open(size: int) -> bool:
    return size == DYNAMIC_INDEX or size < -1


def _compatible(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two shapes may be the same one."""
    return len(first) == len(second) and all(
        a == b or _is_open(a) or _is_open(b) for a, b in zip(first, second, strict=True)
    )


def _values(op: Operation, name: str) -> list[int]:

    found = cast("DenseArrayBase[IntegerType] | None", op.properties.get(name))
    return [] if found is None else [int(n) for n in found.get_values()]


def _is_choice(places: Sequence[int], rank: int) -> bool:
    """Whether these are different dimensions of so many."""
    return len(set(places)) == len(places) and all(0 <= p < rank for p in places)


def packed_shape(
    unpacked: Sequence[int], tiles: Sequence[int], places: Sequence[int], order: Sequence[int]
) -> list[int]:
    """How many tiles there are in each dimension, in their order, and then the tiles' sizes."""
    outer = list(unpacked)
    for place, tile in zip(places, tiles, strict=True):
        if not _is_open(outer[place]):
            outer[place] = DYNAMIC_INDEX if _is_open(tile) else -(-outer[place] // tile)
    if order:
        outer = [outer[n] for n in order]
    return [*outer, *(DYNAMIC_INDEX if _is_open(tile) else tile for tile in tiles)]


def _verify_tiles(
    op: linalg.PackOp | linalg.UnpackOp,
    unpacked: TensorType | MemRefType,
    packed: TensorType | MemRefType,
) -> None:
    """What pack and unpack have in common."""
    tiles = _values(op, "static_inner_tiles")
    places, order = _values(op, "inner_dims_pos"), _values(op, "outer_dims_perm")
    rank = len(unpacked.get_shape())
    if 0 in tiles:
        raise error(op, "invalid zero tile factor")
    if not _is_choice(places, rank):
        raise error(op, "invalid inner_dims_pos vector")
    if not _is_choice(order, rank):
        raise error(op, "invalid outer_dims_perm vector")
    if order and len(order) != rank:
        raise error(op, "outer_dims_perm must be a permutation or empty")
    if len(tiles) > rank:
        raise error(
            op,
            "tiling factors must be less than or equal to the input rank for pack or output rank "
            "for unpack",
        )
    if len(tiles) != len(places):
        raise error(op, "tiling factors must equal the number of dimensions to tile")
    shape = packed.get_shape()
    if len(shape) != rank + len(tiles):
        raise error(
            op,
            f"packed rank != (unpacked rank + num tiling factors), got {len(shape)} != "
            f"{rank + len(tiles)}",
        )
    for size, tile in zip(shape[rank:], tiles, strict=True):
        if _is_open(size) != _is_open(tile) or (not _is_open(tile) and size != tile):
            raise error(
                op,
                "mismatch in inner tile sizes specified and shaped of tiled dimension in the "
                "packed type",
            )
    expected = packed_shape(unpacked.get_shape(), tiles, places, order)
    if not _compatible(expected, shape):
        kind = type(packed)(packed.element_type, expected)
        raise error(
            op,
            f"expected '{shown(kind)}' for the packed domain value, got '{shown(packed)}'",
        )


def verify_pack(op: linalg.PackOp) -> None:
    source, dest = op.source.type, op.dest.type
    _verify_tiles(op, source, dest)
    padding = op.padding_value
    if padding is not None and padding.type != source.element_type:
        raise op_error(
            op,
            f"expected padding_value has '{shown(source.element_type)}' but got: "
            f"'{shown(padding.type)}'",
        )
    if padding is None and needs_padding(op, source.get_shape(), dest.get_shape()):
        raise op_error(
            op,
            "invalid tile factor or output size provided. Only full tiles are supported when "
            "padding_value is not set",
        )


def needs_padding(op: Operation, sizes: Sequence[int], packed: Sequence[int]) -> bool:
    """Whether some dimension ends inside of a tile, as far as that is known."""
    order = _values(op, "outer_dims_perm") or list(range(len(sizes)))
    counts = {dimension: packed[place] for place, dimension in enumerate(order)}
    for place, tile in zip(
        _values(op, "inner_dims_pos"), _values(op, "static_inner_tiles"), strict=True
    ):
        by = counts[place] if _is_open(tile) else tile
        if not _is_open(sizes[place]) and not _is_open(by) and by and sizes[place] % by:
            return True
    return False


def verify_unpack(op: linalg.UnpackOp) -> None:
    _verify_tiles(op, op.dest.type, op.source.type)


def verify_softmax(op: linalg.SoftmaxOp) -> None:

    given = cast("ShapedType", op.input.type).get_shape()
    result = cast("ShapedType", op.output.type).get_shape()
    if not _compatible(given, result):
        raise op_error(op, "incompatible output shape")
    if not 0 <= op.properties["dimension"].value.data < len(given):
        raise op_error(op, "incorrect dimension specified")
