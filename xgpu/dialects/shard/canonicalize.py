# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the shard dialect.

Source: MLIR 22.1 ShardOps.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import defining
from xgpu.dialects import shard
from xgpu.dialects.shard.sharding import Sharding, axes_of
from xgpu.dialects.syntax_helpers import i64_array

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def without_axes(op: Operation, rw: GreedyRewriter) -> bool:
    """all_reduce %a on @grid : type -> same type  =>  %a"""
    if axes_of(op) or op.operands[0].type != op.results[0].type:
        return False
    rw.replace(op, [op.operands[0]])
    return True


def normalize_sharding(op: shard.ShardingOp, rw: GreedyRewriter) -> bool:
    """Constant operands become numbers; halos of 0, and equally spaced offsets, go."""
    given = Sharding.of(op.results[0])
    before = (given.halo_sizes, given.offsets)
    halos, dynamic_halos = _fold_list(given.halo_sizes, given.dynamic_halo_sizes)
    offsets, dynamic_offsets = _fold_list(given.offsets, given.dynamic_offsets)
    if not dynamic_halos and not any(halos):
        halos = []
    if not dynamic_offsets and _are_spaced_equally(offsets):
        offsets = []
    if (tuple(halos), tuple(offsets)) == before:
        return False
    properties = {
        "grid": op.properties["grid"],
        "split_axes": op.properties["split_axes"],
        "static_halo_sizes": i64_array(halos),
        "static_sharded_dims_offsets": i64_array(offsets),
    }
    operands = [dynamic_offsets, dynamic_halos]
    rw.replace_with(op, op.name, operands, [op.results[0].type], properties, op.attributes)
    return True


def _fold_list(
    numbers: Sequence[int], values: Sequence[SSAValue]
) -> tuple[list[int], list[SSAValue]]:
    """The numbers and values with constants among the numbers, unless they are negative."""
    rest = iter(values)
    folded: list[int] = []
    kept: list[SSAValue] = []
    for number in numbers:
        if number != DYNAMIC_INDEX:
            folded.append(number)
            continue
        value = next(rest)
        constant = int_of(value)
        is_number = constant is not None and constant >= 0
        folded.append(constant if is_number and constant is not None else DYNAMIC_INDEX)
        if not is_number:
            kept.append(value)
    return folded, kept


def _are_spaced_equally(offsets: Sequence[int]) -> bool:
    steps = {end - begin for begin, end in pairwise(offsets)}
    return len(offsets) > 2 and len(steps) == 1


def fold_duplicate(op: shard.ShardOp, rw: GreedyRewriter) -> bool:
    """Two shard.shard of one value with one sharding become one; another sharding takes the
    result of the first."""
    source = op.operands[0]
    if defining(source, "shard.shard") is not None:
        return False
    others = [use.operation for use in source.uses if use.operation is not op]
    if not others:
        return False
    other = others[0]
    if other.name != "shard.shard" or other.parent is not op.parent:
        return False
    if not other.is_before_in_block(op):
        return False
    if Sharding.of(op.operands[1]) == Sharding.of(other.operands[1]):
        rw.replace(op, other.results)
    else:
        rw.set_operand(op, 0, other.results[0])
    return True


_COLLECTIVES = (
    *("all_gather", "all_reduce", "all_slice", "all_to_all", "broadcast", "gather", "recv"),
    *("reduce", "reduce_scatter", "scatter", "send"),
)
PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **{f"shard.{name}": (without_axes,) for name in _COLLECTIVES},
    "shard.shard": (fold_duplicate,),
    "shard.sharding": (normalize_sharding,),
}
