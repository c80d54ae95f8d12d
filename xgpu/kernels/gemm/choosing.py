# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of a product that nobody has given, by the model of `cost`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.kernels.gemm.cost import CHIPS, Choice, Shape, best
from xgpu.kernels.gemm.tiles import COLUMNS, ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xgpu.kernels.gemm.product import Product

#: What a size that is not known is taken for.
_UNKNOWN = 4096
#: Rows and columns of a block's tile.
_TILES = {
    "wgmma": ((64, 64), (64, 128), (64, 256), (128, 64), (128, 128), (128, 256), (256, 128)),
    "tcgen05": ((128, 64), (128, 128), (128, 256), (256, 64), (256, 128), (256, 256)),
}
_MOST_STAGES = 4
#: Columns of a box of 16-bit elements that lie along n.
_BOX_COLUMNS = 64


def shape_of(product: Product) -> Shape:
    batches = 1
    for loop in product.batch:
        batches *= product.static_size(loop) or 1
    m, n, k = (product.static_size(loop) or _UNKNOWN for loop in (product.m, product.n, product.k))
    return Shape(m, n, k, batches)


def choose_for_warpgroups(
    instruction: str,
    product: Product,
    size: int,
    depth: int,
    stages: int,
    results: int,
    *,
    may_share: bool,
) -> Choice:
    """A tile `depth` deep, with as many stages as are given or fit; `may_share` says whether pairs
    of blocks may share copies."""
    is_known = product.static_size(product.m) is not None
    sharers = (1, 2) if may_share and is_known and not product.batch else (1,)
    candidates = [
        Choice(m, n, depth, stages or _MOST_STAGES, count, apart=True)
        for m, n in _TILES[instruction]
        for count in sharers
        if n % (_BOX_COLUMNS * count) == 0  # what each of them asks for is boxes
    ]
    return best(CHIPS[instruction], shape_of(product), size, candidates, results)


def choose_for_warps(product: Product, size: int, step: int, stages: int) -> Choice:
    """A tile no larger than the product."""
    shape = shape_of(product)
    candidates = [
        Choice(m, n, 2 * step, stages or _MOST_STAGES, 1, apart=False)
        for m in _extents(shape.m, ROWS)
        for n in _extents(shape.n, 2 * COLUMNS)
    ]
    return best(CHIPS["mma.sync"], shape, size, candidates, 0)


def _extents(size: int, piece: int) -> Sequence[int]:
    """`piece` times powers of two up to 128, the last of which covers a smaller size."""
    found = [piece]
    while found[-1] < 128 and found[-1] < size:
        found.append(2 * found[-1])
    return found
