# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How operations are sharded: their loops, which of them each operand and result follows, and what
an operation becomes on one process.

A sharding of an operation assigns axes of the grid to its loops. That decides the shardings of its
operands and results. What is known of some of them decides the loops, where no two disagree.

Source: MLIR 22.1 ShardingInterface.cpp, ShardingInterfaceImpl.cpp of arith and linalg,
ShardingExtensions.cpp of tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xgpu.core.ir.elements import of_splat
from xgpu.core.ir.errors import op_error
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.linalg import ops as linalg_ops
from xgpu.dialects.shard.sharding import (
    INDEX,
    Sharding,
    build_sharding,
    without_trailing,
)
from xgpu.dialects.syntax_helpers import i64_array
from xgpu.transforms.shard.partitioning import OnProcess, Shardings, partition_reduction

PARALLEL, REDUCTION = "parallel", "reduction"


@dataclass
class ShardingOption:
    """Axes of the grid for each loop of an operation; trailing loops without axes may be left
    out."""

    grid: SymbolRefAttr
    loops: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])


# -- What is known of an operation.


@dataclass(frozen=True)
class Model:
    """The loops of an operation, the map of each operand and then of each result from loops to its
    dimensions, and what it becomes on one process. `option` decides its loops in another way than
    by what is known of its operands and results."""

    loops: Callable[[Operation], Sequence[str]]
    maps: Callable[[Operation], Sequence[AffineMap]]
    partition: Callable[[OnProcess], None]
    option: Callable[[Operation, Shardings, Shardings], ShardingOption | None] | None = None

    def choose(
        self, op: Operation, operands: Shardings, results: Shardings
    ) -> ShardingOption | None:
        """The loops' axes by what is known of operands and results; None where it says nothing
        or contradicts itself."""
        if self.option is not None:
            return self.option(op, operands, results)
        return _Chooser(op, self).choose(operands, results)

    def shardings(self, op: Operation, option: ShardingOption) -> list[Sharding | None] | None:
        """What operands and results must have; None where one cannot be split so."""
        maps = self.maps(op)
        found: list[Sharding | None] = []
        for value, map_ in zip((*op.operands, *op.results), maps, strict=True):
            if not isinstance(value.type, TensorType):
                found.append(None)
                continue
            split = _split_axes(map_, option)
            if split is None:
                return None
            found.append(Sharding(option.grid, split))
        return found


def _split_axes(map_: AffineMap, option: ShardingOption) -> tuple[tuple[int, ...], ...] | None:
    """The axes of each dimension; one loop at most may split a dimension."""
    found: list[tuple[int, ...]] = []
    for expression in map_.results:
        loops = loops_in(expression, map_.num_dims)
        if loops is None:
            return None
        split = [option.loops[at] for at in loops if at < len(option.loops) and option.loops[at]]
        if len(split) > 1:
            return None
        found.append(split[0] if split else ())
    return without_trailing(found) or (((),) if found else ())


def loops_in(expression: AffineExpr, count: int) -> list[int] | None:
    """The loops in a sum of loops times constants, each once; None for anything else."""
    seen: list[int] = []
    pending = [expression]
    while pending:
        part = pending.pop()
        if isinstance(part, AffineBinaryOpExpr) and part.kind is AffineBinaryOpKind.Add:
            pending += (part.lhs, part.rhs)
            continue
        loop = _loop_of(part)
        if loop is None or loop >= count or loop in seen:
            return None
        seen.append(loop)
    return sorted(seen)


def _loop_of(expression: AffineExpr) -> int | None:
    """The loop that an expression is, or that it multiplies by a constant."""
    if isinstance(expression, AffineDimExpr):
        return expression.position
    if not isinstance(expression, AffineBinaryOpExpr):
        return None
    if expression.kind is not AffineBinaryOpKind.Mul:
        return None
    left, right = expression.lhs, expression.rhs
    if isinstance(left, AffineConstantExpr):
        left, right = right, left
    if not isinstance(left, AffineDimExpr) or not isinstance(right, AffineConstantExpr):
        return None
    return left.position


class _Conflict(Exception):
    """What is known of operands and results cannot hold together."""


class _Chooser:
    """Decides the axes of loops."""

    def __init__(self, op: Operation, model: Model) -> None:
        self.maps = list(model.maps(op))
        self.loops: list[tuple[int, ...]] = [()] * len(model.loops(op))
        self.grid: SymbolRefAttr | None = None
        self.seen: set[int] = set()
        self.is_valid = _is_valid(op, self.maps)

    def choose(self, operands: Shardings, results: Shardings) -> ShardingOption | None:
        if not self.is_valid:
            return None
        says_something = False
        try:
            for map_, sharding in zip(self.maps[len(operands) :], results, strict=True):
                if sharding is not None:
                    says_something = True
                    self._by_result(map_, sharding)
            for map_, sharding in zip(self.maps, operands, strict=False):
                if sharding is not None:
                    # As in MLIR, the last operand decides.
                    says_something = bool(sharding.split_axes)
                    self._by_operand(map_, sharding)
        except _Conflict:
            return None
        if not says_something or self.grid is None:
            return None
        return ShardingOption(self.grid, list(without_trailing(self.loops)))

    def _by_result(self, map_: AffineMap, sharding: Sharding) -> None:
        if not sharding.split_axes or not map_.results:
            self.grid = sharding.grid
            return
        for expression, axes in zip(map_.results, sharding.split_axes, strict=False):
            self._assign(cast("AffineDimExpr", expression).position, axes, sharding)

    def _by_operand(self, map_: AffineMap, sharding: Sharding) -> None:
        for expression, axes in zip(map_.results, sharding.split_axes, strict=False):
            loops = loops_in(expression, map_.num_dims)
            if loops is None:
                raise _Conflict
            if len(loops) == 1:
                self._assign(loops[0], axes, sharding)
            elif loops and self.seen.isdisjoint(loops):
                # Which of several loops is split must be known of another operand or result.
                raise _Conflict

    def _assign(self, loop: int, axes: tuple[int, ...], sharding: Sharding) -> None:
        self.seen.add(loop)
        if self.grid not in (None, sharding.grid) or self.loops[loop] not in ((), axes):
            raise _Conflict
        others = (used for at, used in enumerate(self.loops) if at != loop)
        if any(not set(axes).isdisjoint(used) for used in others):
            raise _Conflict
        self.grid = sharding.grid
        self.loops[loop] = axes


def _is_valid(op: Operation, maps: Sequence[AffineMap]) -> bool:
    """Whether each operand and result has a map, and results are split as loops are."""
    values = (*op.operands, *op.results)
    if not maps or len(maps) != len(values):
        return False
    if not all(isinstance(v.type, TensorType) or is_scalar(v.type) for v in values):
        return False
    results = zip(op.results, maps[len(op.operands) :], strict=True)
    return all(isinstance(r.type, TensorType) and is_permutation(m) for r, m in results)


def is_scalar(kind: Attribute) -> bool:
    return isinstance(kind, IntegerType | IndexType | AnyFloat)


def is_permutation(map_: AffineMap) -> bool:
    """Whether each result is another loop."""
    if not all(isinstance(result, AffineDimExpr) for result in map_.results):
        return False
    return not map_.num_symbols and len(set(map_.results)) == len(map_.results)


# -- Elementwise operations, and what creates tensors.


def _rank(kind: Attribute) -> int:
    return len(kind.get_shape()) if isinstance(kind, TensorType) else 0


def _identities(op: Operation, rank: int) -> list[AffineMap]:
    return [AffineMap.identity(rank)] * (len(op.operands) + len(op.results))


def _elementwise_loops(op: Operation) -> list[str]:
    return [PARALLEL] * _rank(op.operands[0].type)


def _elementwise_maps(op: Operation) -> list[AffineMap]:
    if not isinstance(op.operands[0].type, TensorType):
        return []
    return _identities(op, _rank(op.operands[0].type))


def partition_alike(given: OnProcess) -> None:
    """The same operation on shards."""
    given.clone()


ELEMENTWISE = Model(_elementwise_loops, _elementwise_maps, partition_alike)


def _created_loops(op: Operation) -> list[str]:
    return [PARALLEL] * _rank(op.results[0].type)


def _created_maps(op: Operation) -> list[AffineMap]:
    return _identities(op, _rank(op.results[0].type))


def _partition_created(given: OnProcess) -> None:
    """An empty or splat tensor of a shard's shape; extents that are not the same on all processes
    are asked for."""
    op, (sharding,) = given.op, given.results
    whole = cast("TensorType[Attribute]", op.results[0].type)
    part = cast("TensorType[Attribute]", given.shard_type(whole, sharding))
    opened = [
        at
        for at, (before, after) in enumerate(zip(whole.get_shape(), part.get_shape(), strict=True))
        if before != DYNAMIC_INDEX and after == DYNAMIC_INDEX
    ]
    if sharding is None or not opened:
        given.clone()
        return
    if op.name != "tensor.empty":
        raise op_error(op, "cannot be partitioned into shards of different shapes")
    extents = _shard_extents(given, sharding, whole)
    sizes = iter(op.operands)
    kept = [
        extents[at] if at in opened else given.mapping[next(sizes)]
        for at, extent in enumerate(part.get_shape())
        if extent == DYNAMIC_INDEX
    ]
    given.mapping[op.results[0]] = given.rw.value(op.name, kept, part, op.properties)


def _shard_extents(
    given: OnProcess, sharding: Sharding, whole: TensorType[Attribute]
) -> Sequence[SSAValue]:
    """The shape of this process's shard."""
    rw, grid = given.rw, given.grid(sharding)
    made = build_sharding(rw, sharding)
    types = [INDEX] * grid.rank
    device = rw.create("shard.process_multi_index", (), types, {"grid": sharding.grid}).results
    operands = [[given.mapping[size] for size in given.op.operands], [made], list(device)]
    properties = {
        "dims": i64_array(whole.get_shape()),
        "device": i64_array([DYNAMIC_INDEX] * grid.rank),
    }
    rank = len(whole.get_shape())
    return rw.create("shard.shard_shape", operands, [INDEX] * rank, properties).results


CREATED = Model(_created_loops, _created_maps, _partition_created)


# -- Constants.


def _constant_maps(op: Operation) -> list[AffineMap]:
    kind = op.results[0].type
    return [AffineMap.identity(_rank(kind))] if isinstance(kind, TensorType) else []


def _constant_option(
    op: Operation, operands: Shardings, results: Shardings
) -> ShardingOption | None:
    """A tensor is split as its user wants it."""
    (sharding,) = results
    if sharding is None:
        return None
    return ShardingOption(sharding.grid, list(sharding.split_axes))


def _partition_constant(given: OnProcess) -> None:
    op, (sharding,) = given.op, given.results
    value = op.properties["value"]
    if not isinstance(value, DenseIntOrFPElementsAttr):
        given.clone()
        return
    if sharding is None:
        raise op_error(op, "cannot be partitioned: its result has no sharding")
    kind = given.shard_type(op.results[0].type, sharding)
    part = of_splat(value, kind)
    if part is None:
        raise op_error(op, "cannot be partitioned: a constant must have one value everywhere")
    given.mapping[op.results[0]] = attribute_constant(given.rw, part, kind)


CONSTANT = Model(_created_loops, _constant_maps, _partition_constant, _constant_option)


# -- Structured operations of linalg.


def _structured_maps(op: Operation) -> list[AffineMap]:
    maps = linalg_ops.indexing_maps(op)
    return [*maps, *maps[len(linalg_ops.inputs(op)) :][: len(op.results)]]


def _partition_structured(given: OnProcess) -> None:
    op = given.op
    maps = linalg_ops.indexing_maps(op)
    if not all(map(is_permutation, maps)):
        raise op_error(op, "supports indexing maps that are only projected permutation.")
    kinds = linalg_ops.iterator_types(op)
    loops = _loop_axes(given, maps, len(kinds))
    reduced = [
        axis for kind, axes in zip(kinds, loops, strict=True) if kind == REDUCTION for axis in axes
    ]
    if reduced:
        partition_reduction(given, reduced)
    else:
        given.clone()


def _loop_axes(given: OnProcess, maps: Sequence[AffineMap], count: int) -> list[tuple[int, ...]]:
    """The axes that each loop is split along."""
    loops: list[tuple[int, ...] | None] = [None] * count
    for sharding, map_ in zip(given.operands, maps, strict=True):
        if sharding is None:
            continue
        for at, expression in enumerate(map_.results):
            axes = sharding.split_axes[at] if at < len(sharding.split_axes) else ()
            loop = cast("AffineDimExpr", expression).position
            if loops[loop] not in (None, axes):
                raise op_error(given.op, f"has shardings that split loop {loop} differently")
            loops[loop] = axes
    return [axes or () for axes in loops]


STRUCTURED = Model(linalg_ops.iterator_types, _structured_maps, _partition_structured)


# -- By operation.

#: Models by operation name; plugins add theirs with `register_model`.
MODELS: dict[str, Model] = {
    "arith.constant": CONSTANT,
    # Its result, its source and its destination have one sharding.
    "bufferization.materialize_in_destination": ELEMENTWISE,
    "tensor.empty": CREATED,
    "tensor.splat": CREATED,
}


def register_model(name: str, model: Model) -> None:
    """Says how the operation `name` is sharded."""
    MODELS[name] = model


def model_of(op: Operation) -> Model | None:
    """How an operation is sharded; None where that is not known."""
    found = MODELS.get(op.name)
    if found is not None:
        return found
    if linalg_ops.is_structured(op):
        return STRUCTURED
    is_elementwise = "Elementwise" in traits_of(op.name) and op.name.startswith(("arith.", "math."))
    return ELEMENTWISE if is_elementwise and op.operands else None
