# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that move elements of tensors and compute nothing: tensor.pad, tensor.insert_slice,
linalg.pack and linalg.unpack.

    linalg.pack %a inner_dims_pos = [1] inner_tiles = [4] into %b
        : tensor<2x8xf32> -> tensor<2x2x4xf32>
    =>
    %r = vector.transfer_read %a[..] : tensor<2x8xf32>, vector<2x8xf32>
    %s = vector.shape_cast %r : vector<2x8xf32> to vector<2x2x4xf32>
    %t = vector.transpose %s, [0, 1, 2]
    vector.transfer_write %t, %b[..]

Source: MLIR 22.1 Vectorization.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import TensorType, VectorType
from xdsl.ir import Operation, SSAValue

from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC, scalable_dims
from xgpu.dialects.vector.builders import zeros
from xgpu.dialects.vector.ops import is_vector, shape, vector_type
from xgpu.transforms.fold_tensor_subset_ops import Slice
from xgpu.transforms.linalg.vectorization.vectors import read_whole, write_whole
from xgpu.transforms.memref.result_sizes import size_of_result
from xgpu.transforms.vector.transfers import transpose

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import OpResult

    from xgpu.core.ods.operation import OdsOperation


def numbers(op: Operation, name: str) -> list[int]:
    attr = cast("DenseArrayBase[IntegerType] | None", op.properties.get(name))
    return [] if attr is None else list(attr.get_values())


def group(op: Operation, index: int) -> Sequence[SSAValue]:
    return cast("OdsOperation", op).operand_group(index)


class Packing:
    """How the dimensions of a packed tensor lie beside those of the plain one."""

    def __init__(self, op: Operation, rank: int) -> None:
        tiled = numbers(op, "inner_dims_pos")
        order = numbers(op, "outer_dims_perm") or list(range(rank))
        #: For each plain dimension: where the packed tensor has its tiles, and what is in one.
        self.groups = [
            [order.index(d), *([rank + tiled.index(d)] if d in tiled else [])] for d in range(rank)
        ]
        #: The packed dimensions, those of one plain dimension beside each other.
        self.sorted = [dim for dims in self.groups for dim in dims]

    def plain(self, packed: VectorType) -> VectorType:
        """The vector type that one of the packed type `packed` unpacks to."""
        sizes, flags = shape(packed), scalable_dims(packed)
        return vector_type(
            packed.element_type,
            [prod(sizes[d] for d in dims) for dims in self.groups],
            [any(flags[d] for d in dims) for dims in self.groups],
        )


def vectorize_pack(rw: Rewriter, op: Operation, sizes: Sequence[int]) -> list[SSAValue] | None:
    source, dest = group(op, 0)[0], group(op, 1)[0]
    padding = group(op, 2)
    extents = ops.shape_of(dest) or ()
    if not sizes and DYNAMIC in extents:
        return None
    packing = Packing(op, ops.rank_of(source))
    packed = VectorType(ops.scalar_type(source), list(sizes) or list(extents))
    value = read_whole(
        rw, source, packing.plain(packed), padding[0] if padding else None, masks=bool(sizes)
    )
    split = vector_type(
        packed.element_type,
        [shape(packed)[d] for d in packing.sorted],
        [False] * len(packing.sorted),
    )
    value = rw.value("vector.shape_cast", [value], split)
    back = [packing.sorted.index(d) for d in range(len(packing.sorted))]
    return list(write_whole(rw, transpose(rw, value, back), dest).results)


def vectorize_unpack(
    rw: Rewriter, op: Operation, sizes: Sequence[int], scalable: Sequence[bool]
) -> list[SSAValue] | None:
    source, dest = group(op, 0)[0], group(op, 1)[0]
    extents = ops.shape_of(source) or ()
    if not sizes and DYNAMIC in extents:
        return None
    packing = Packing(op, ops.rank_of(dest))
    flags = list(scalable) if sizes else [False] * len(extents)
    packed = vector_type(ops.scalar_type(source), list(sizes) or list(extents), flags)
    value = transpose(rw, read_whole(rw, source, packed, masks=bool(sizes)), packing.sorted)
    value = rw.value("vector.shape_cast", [value], packing.plain(packed))
    return list(write_whole(rw, value, dest, masks=bool(sizes)).results)


def constant_padding(op: Operation) -> SSAValue | None:
    """What tensor.pad fills with, if it is the same everywhere: a constant, or from outside."""
    block = op.regions[0].blocks[0]
    end = block.last_op
    if end is None or not end.operands:
        return None
    value = end.operands[0]
    owner = value.owner
    if isinstance(owner, Operation):
        if owner.name == "arith.constant" or not op.is_ancestor(owner):
            return value
        return None
    return None if owner is block else value


def vectorize_pad(rw: Rewriter, op: Operation, sizes: Sequence[int]) -> list[SSAValue] | None:
    found, source = constant_padding(op), group(op, 0)[0]
    if found is None:
        return None
    value = outside(rw, op, found)
    result = cast("OpResult[TensorType]", op.results[0])
    extents: list[Mixed] = []
    for dim, size in enumerate(result.type.get_shape()):
        found = size_of_result(result, dim, rw) if size == DYNAMIC else size
        assert found is not None
        extents.append(found)
    read = read_whole(rw, source, VectorType(value.type, list(sizes)), value)
    dynamic = [extent for extent in extents if isinstance(extent, SSAValue)]
    empty = rw.value("tensor.empty", dynamic, TensorType(value.type, result.type.get_shape()))
    return list(write_whole(rw, read, empty).results)


def outside(rw: Rewriter, op: Operation, value: SSAValue) -> SSAValue:
    """`value` where the pad's region does not have it: a constant of the region is copied."""
    if isinstance(value.owner, Operation) and op.is_ancestor(value.owner):
        return rw.insert(value.owner.clone()).results[0]
    return value


def padding_of(op: Operation) -> SSAValue | None:
    """The scalar that stands around what an insertion inserts, if it is one."""
    value = group(op, 1)[0]
    while True:
        owner = value.owner
        if not isinstance(owner, Operation):
            return None
        match owner.name:
            case "vector.broadcast":
                return None if is_vector(owner.operands[0].type) else owner.operands[0]
            case "linalg.fill":
                return owner.operands[0]
            case "vector.transfer_write":
                value = owner.operands[0]
            case "tensor.insert_slice":
                value = group(owner, 1)[0]
            case _:
                return None


def vectorize_insert_slice(
    rw: Rewriter, op: Operation, sizes: Sequence[int]
) -> list[SSAValue] | None:
    source, dest = group(op, 0)[0], group(op, 1)[0]
    element = ops.scalar_type(source)
    padding = padding_of(op)
    if padding is None:
        padding = zeros(rw, element)
    extents, outer = ops.shape_of(source) or (), ops.shape_of(dest) or ()
    lead = len(outer) - len(extents)
    vector: list[int] = []
    for dim, extent in enumerate(extents):
        if sizes:
            vector.append(sizes[dim])
        elif extent != DYNAMIC:
            vector.append(extent)
        elif outer[dim] != DYNAMIC:
            vector.append(outer[lead + dim])
        else:
            return None
    index_constant(rw, 0)
    value = read_whole(rw, source, VectorType(element, vector), padding, masks=bool(sizes))
    part = Slice(op)
    places = [index_constant(rw, o) if isinstance(o, int) else o for o in part.offsets]
    return list(write_whole(rw, value, dest, places, masks=bool(sizes)).results)
