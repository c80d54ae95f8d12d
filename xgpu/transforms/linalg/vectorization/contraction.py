# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A named contraction as one vector.contract.

    linalg.matmul ins(%a, %b) outs(%c)
    =>
    vector.contract {maps and iterators of the matmul, kind = add} %va, %vb, %vc

Source: MLIR 22.1 Vectorization.cpp (vectorizeAsLinalgContraction).
"""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.dialects.linalg import ops
from xgpu.dialects.vector.builders import zeros
from xgpu.transforms.linalg.fuse_elementwise_ops import compose
from xgpu.transforms.linalg.vectorization import maps, reductions
from xgpu.transforms.linalg.vectorization.masking import Space
from xgpu.transforms.linalg.vectorization.whole import read_whole, write_whole


def vectorize_contraction(space: Space) -> list[SSAValue] | None:
    """What has been written; None if a vector.contract cannot say what the operation does."""
    op, rw = space.op, space.rw
    kind = reductions.kind_of(reductions.combiner(op, 0))
    indexing = ops.indexing_maps(op)
    read = {d for map_ in indexing[:2] for d in maps.dim_positions(map_)}
    if kind is None or read != set(range(len(space.static))):
        return None
    vectors: list[SSAValue] = []
    for operand, map_ in zip(op.operands, indexing, strict=True):
        rank = len(map_.results)
        element = ops.scalar_type(operand)
        ty = space.vector(element, compose(ops.select(rank, range(rank)), map_))
        vectors.append(read_whole(rw, operand, ty, zeros(rw, element)))
    iterators = ops.iterator_types(op)
    properties: dict[str, Attribute] = {
        "indexing_maps": ArrayAttr([AffineMapAttr(m) for m in indexing]),
        "iterator_types": ArrayAttr([ods.enum("vector.iterator_type", it) for it in iterators]),
        "kind": ods.enum("vector.kind", kind),
    }
    contract = rw.create("vector.contract", vectors, [vectors[2].type], properties)
    result = space.mask(contract).results[0]
    return list(write_whole(rw, result, ops.outputs(op)[0]).results)
