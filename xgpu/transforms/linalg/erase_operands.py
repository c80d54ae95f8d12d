# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linalg.generic with fewer operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, Region
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.dialects.linalg import ops
from xgpu.transforms.linalg.generalize_named_ops import description

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import linalg


def covers_loops(maps: Sequence[AffineMap]) -> bool:
    """Whether the sizes of all loops follow from operands that are walked by `maps`."""
    found = {r.position for m in maps for r in m.results if isinstance(r, AffineDimExpr)}
    return bool(maps) and len(found) == maps[0].num_dims


def drop_operands(op: Operation, places: set[int], rw: GreedyRewriter) -> None:
    """Replaces `op` by itself without the inputs at `places`, whose values nobody reads."""
    count = len(ops.inputs(cast("linalg.GenericOp", op)))
    kept = [at for at in range(len(op.operands)) if at not in places]
    maps = ops.indexing_maps(op)
    region = Region()
    op.regions[0].move_blocks(region)
    for at in sorted(places, reverse=True):
        region.block.erase_arg(region.block.args[at])
    rw.before(op)
    made = rw.create(
        op.name,
        [
            [op.operands[at] for at in kept if at < count],
            [op.operands[at] for at in kept if at >= count],
        ],
        [result.type for result in op.results],
        description([maps[at] for at in kept], ops.iterator_types(op)),
        op.attributes,
        [region],
    )
    rw.replace(op, made.results)
