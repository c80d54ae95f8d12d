# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results of scf operations that do not loop that are known, or not needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, Region

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether `value` is defined in the regions of `op`."""
    owner = value.owner
    inner = owner.parent_op()
    while inner is not None:
        if inner is op:
            return True
        inner = inner.parent_op()
    return False


def drop_results(op: Operation, rw: GreedyRewriter) -> bool:
    """Results go that are not used, that are the same value wherever they come from, and that are
    always another one"""
    if not op.results:
        return False
    yields = _yields(op)
    if not yields:
        return False
    kept: list[int] = []
    places: dict[tuple[SSAValue, ...], int] = {}
    for at, column in enumerate(zip(*(end.operands for end in yields), strict=True)):
        result = op.results[at]
        if result.first_use is None:
            continue
        if all(value is column[0] for value in column) and not is_inside(column[0], op):
            rw.replace_all_uses(result, column[0])
        elif column in places:
            rw.replace_all_uses(result, op.results[places[column]])
        else:
            places[column] = at
            kept.append(at)
    if len(kept) == len(op.results):
        return False
    _keep(op, rw, yields, kept)
    return True


def _yields(op: Operation) -> list[Operation]:
    """What ends the regions of `op` with values for its results; not what never comes back."""
    lasts = [block.last_op for region in op.regions for block in region.blocks]
    return [last for last in lasts if last is not None and last.name == "scf.yield"]


def _keep(
    op: Operation, rw: GreedyRewriter, yields: Sequence[Operation], kept: Sequence[int]
) -> None:
    """Replaces `op` with one that has only the results `kept`; the others have no users."""
    for end in yields:
        rw.set_operands(end, [end.operands[at] for at in kept])
    regions = [op.detach_region(0) for _ in range(len(op.regions))]
    new = rw.create(
        op.name,
        list(op.operands),
        [op.results[at].type for at in kept],
        dict(op.properties),
        dict(op.attributes),
        regions,
    )
    for at, result in zip(kept, new.results, strict=True):
        rw.replace_all_uses(op.results[at], result)
    for _ in regions:
        op.add_region(Region(Block()))
    rw.erase(op)
