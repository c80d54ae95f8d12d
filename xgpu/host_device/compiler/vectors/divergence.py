# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where lanes of a vector have parted: between a branch that differs and where its ways meet."""

from __future__ import annotations

from collections.abc import Iterator

from xgpu.host_device.compiler.vectors.shapes import VARYING
from xgpu.host_device.compiler.vectors.uniformity import Uniformity


def divergent_blocks(uniformity: Uniformity) -> set[int]:
    """Blocks that only some lanes of a vector may run at a time."""
    found: set[int] = set()
    for level in uniformity.levels:
        for node in level.order:
            out = level.out[node]
            inner = level.inner.get(node)
            by = (
                uniformity.branch_level[node]
                if inner is None
                else uniformity.loop_level[inner.header]
            )
            if inner is not None and by == VARYING:
                found |= inner.blocks
            if len(out) > 1 and by == VARYING:
                nodes = level.between([level.to(e) for e in out], level.after[node])
                found |= level.blocks_of(nodes)
    return found


def divergent_sides(uniformity: Uniformity) -> Iterator[tuple[set[int], set[int]]]:
    """For each branch at which lanes part, the blocks that only those come to who take one way, for
    two ways; a loop that they leave at different places has such ways too."""
    for level in uniformity.levels:
        for node in level.order:
            out = level.out[node]
            inner = level.inner.get(node)
            by = (
                uniformity.branch_level[node]
                if inner is None
                else uniformity.loop_level[inner.header]
            )
            if len(out) < 2 or by != VARYING:
                continue
            ways = [level.between([level.to(e)], level.after[node]) for e in out]
            for at, way in enumerate(ways):
                for other in ways[at + 1 :]:
                    yield (
                        level.blocks_of(set(way) - set(other)),
                        level.blocks_of(set(other) - set(way)),
                    )
