# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What structured operations say: their indexing maps, and what they reduce with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC

# --- maps ----------------------------------------------------------------------------------------
# Indexing maps of structured operations, and what transfers make of them.


T = TypeVar("T")


def is_zero(expr: AffineExpr) -> bool:
    return isinstance(expr, AffineConstantExpr) and expr.value == 0


def is_projected_permutation(map_: AffineMap, *, allow_zeros: bool = False) -> bool:
    """Whether each result is a dimension of its own; with `allow_zeros`, or zero."""
    positions: list[int] = []
    for result in map_.results:
        if isinstance(result, AffineDimExpr):
            positions.append(result.position)
        elif not (allow_zeros and is_zero(result)):
            return False
    return map_.num_symbols == 0 and len(set(positions)) == len(positions)


def is_permutation(map_: AffineMap) -> bool:
    return len(map_.results) == map_.num_dims and is_projected_permutation(map_)


def dim_positions(map_: AffineMap) -> list[int]:
    """The dimensions among the results, in their order."""
    return [r.position for r in map_.results if isinstance(r, AffineDimExpr)]


def without_zeros(map_: AffineMap) -> AffineMap:
    results = tuple(r for r in map_.results if not is_zero(r))
    return AffineMap(map_.num_dims, map_.num_symbols, results)


def compress(map_: AffineMap) -> AffineMap:
    """The map without the dimensions that it does not use."""
    used = sorted(dim_positions(map_))
    results = tuple(
        AffineDimExpr(used.index(r.position)) if isinstance(r, AffineDimExpr) else r
        for r in map_.results
    )
    return AffineMap(len(used), 0, results)


def inverse(map_: AffineMap) -> AffineMap:
    """Where each dimension is among the results of a map that has all of them."""
    at: dict[int, int] = {}
    for place, result in enumerate(map_.results):
        if isinstance(result, AffineDimExpr):
            at.setdefault(result.position, place)
    return ops.select(len(map_.results), [at[d] for d in sorted(at)])


def inverse_and_broadcast(map_: AffineMap) -> AffineMap:
    """For each dimension where it is among the results, or zero if it is not."""
    results: list[AffineExpr] = [AffineConstantExpr(0)] * map_.num_dims
    for at, result in enumerate(map_.results):
        if isinstance(result, AffineDimExpr):
            results[result.position] = AffineDimExpr(at)
    return AffineMap(len(map_.results), 0, tuple(results))


def identity_of_used(map_: AffineMap) -> AffineMap:
    """The dimensions that `map_` uses, in ascending order."""
    return ops.select(map_.num_dims, sorted(set(dim_positions(map_))))


def pick(map_: AffineMap, items: Sequence[T], zero: T) -> list[T]:
    """`items`, one a dimension, as the results name them."""
    return [items[r.position] if isinstance(r, AffineDimExpr) else zero for r in map_.results]


def loop_sizes(op: Operation) -> list[int]:
    """The static trip count of each loop, DYNAMIC where it is not known."""
    found: dict[int, int] = {}
    maps = ops.indexing_maps(op)
    for operand, map_ in zip(op.operands, maps, strict=True):
        for size, result in zip(ops.shape_of(operand) or (), map_.results, strict=False):
            if isinstance(result, AffineDimExpr):
                found.setdefault(result.position, size)
    return [found.get(d, DYNAMIC) for d in range(len(ops.iterator_types(op)))]


def all_projected_permutations(maps: Iterable[AffineMap]) -> bool:
    return all(is_projected_permutation(m, allow_zeros=True) for m in maps)


# --- reductions ----------------------------------------------------------------------------------
# What a structured operation reduces with, found in its body.
#
# Source: MLIR 22.1 SliceAnalysis.cpp (matchReduction), Vectorization.cpp.


#: The combining kind that an operation of the body stands for.
KINDS = {
    "arith.addf": "add",
    "arith.addi": "add",
    "arith.andi": "and",
    "arith.maximumf": "maximumf",
    "arith.maxnumf": "maxnumf",
    "arith.maxsi": "maxsi",
    "arith.maxui": "maxui",
    "arith.minimumf": "minimumf",
    "arith.minnumf": "minnumf",
    "arith.minsi": "minsi",
    "arith.minui": "minui",
    "arith.mulf": "mul",
    "arith.muli": "mul",
    "arith.ori": "or",
    "arith.xori": "xor",
}


def body_of(op: Operation) -> Block:
    return op.regions[0].blocks[0]


def match(op: Operation, output: int) -> tuple[SSAValue, list[Operation]] | None:
    """What is combined with output `output`, and the operations between the two and the end."""
    block = body_of(op)
    carried = block.args[len(ops.inputs(op)) + output]
    user = _only_user(carried)
    if user is None or len(user.operands) != 2:
        return None
    reduced = user.operands[1] if user.operands[0] is carried else user.operands[0]
    combiners: list[Operation] = []
    while user is not block.last_op:
        if len(user.results) != 1 or user.parent is not block or not is_memory_effect_free(user):
            return None
        combiners.append(user)
        following = _only_user(user.results[0])
        if following is None:
            return None
        user = following
    if not combiners or user.operands[output] is not combiners[-1].results[0]:
        return None
    return reduced, combiners


def combiner(op: Operation, output: int) -> Operation | None:
    """The one operation that combines an iteration with output `output`."""
    found = match(op, output)
    return found[1][0] if found is not None and len(found[1]) == 1 else None


def kind_of(op: Operation | None) -> str | None:
    return None if op is None else KINDS.get(op.name)


def _only_user(value: SSAValue) -> Operation | None:
    uses = list(value.uses)
    return uses[0].operation if len(uses) == 1 else None


def are_reductions(op: Operation) -> bool:
    """Whether `op` reduces, and each output that is not one element an iteration is combined by
    one operation that vectors reduce with."""
    if ops.REDUCTION not in ops.iterator_types(op):
        return False
    indexing = ops.indexing_maps(op)[len(ops.inputs(op)) :]
    return all(
        is_permutation(map_) or kind_of(combiner(op, output)) is not None
        for output, map_ in enumerate(indexing)
    )
