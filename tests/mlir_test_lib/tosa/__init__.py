# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A part of the tosa dialect, and how its operations are sharded.

Source: MLIR 22.1 ShardingInterfaceImpl.cpp of tosa.
"""

from __future__ import annotations

from typing import Any

from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ods.foreign import add_package
from xgpu.transforms.shard.interface import (
    ELEMENTWISE,
    PARALLEL,
    REDUCTION,
    Model,
    partition_alike,
    register_model,
)


def _select(count: int, *dims: int) -> AffineMap:
    return AffineMap(count, 0, tuple(AffineDimExpr(dim) for dim in dims))


#: Batches, rows, columns, and what is summed up; zero points are the same everywhere.
_MATMUL = [
    _select(4, 0, 1, 3),
    _select(4, 0, 3, 2),
    _select(4),
    _select(4),
    _select(4, 0, 1, 2),
]


def _negate_maps(op: Any) -> list[AffineMap]:
    rank = len(op.results[0].type.get_shape())
    return [AffineMap.identity(rank), _select(rank), _select(rank), AffineMap.identity(rank)]


def register() -> None:
    """Makes the operations known."""
    add_package("tosa", __name__, "MLIR's test library", partial=True)
    for name in ("abs", "add", "sigmoid", "tanh"):
        register_model(f"tosa.{name}", ELEMENTWISE)
    register_model("tosa.negate", Model(ELEMENTWISE.loops, _negate_maps, partition_alike))
    loops = [PARALLEL, PARALLEL, PARALLEL, REDUCTION]
    register_model("tosa.matmul", Model(lambda op: loops, lambda op: _MATMUL, partition_alike))
