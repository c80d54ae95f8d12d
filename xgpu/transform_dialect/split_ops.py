# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.split: a structured operation as two, before and behind a point of a loop.

    %r = linalg.generic .. ins(%a) outs(%b) -> tensor<100xf32>      after 42 { dimension = 0 }
    =>
    %0 = linalg.generic ins(%a[0..42]) outs(%b[0..42]);   %1 = tensor.insert_slice %0 into %b[0]
    %2 = linalg.generic ins(%a[42..]) outs(%1[42..]);     %r = tensor.insert_slice %2 into %1[42]

A point behind the end leaves the operation as it is. With `multiway` one operation is split at
several points, each counted from the one before. Source: MLIR 22.1 Linalg/Transforms/Split.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineSymExpr

from xgpu.conversion.linalg.linalg_to_loops import loop_sizes
from xgpu.core.ir.constants import int_of
from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.linalg import ops
from xgpu.dialects.transform.handle_effects import kind_of
from xgpu.transform_dialect.failures import definite, silenceable
from xgpu.transform_dialect.interpreter import Results
from xgpu.transform_dialect.tiling import build_tile, extreme
from xgpu.transform_dialect.tracking import TrackingRewriter

if TYPE_CHECKING:
    from xdsl.dialects.linalg import GenericOp

    from xgpu.dialects import transform
    from xgpu.transform_dialect.state import State

_INDEX = IndexType()
_ONE_INDEX = "expected dynamic split point handle to point to a single-result index-typed op"
_ALL_OR_NONE = "expected splitting to produce the second part of all or none of the targets"
_DIFFERENCE = AffineSymExpr(0) - AffineSymExpr(1)


class _Splitting:
    """One operation before and behind a point of the loop `dimension`."""

    def __init__(self, target: Operation, dimension: int, state: State) -> None:
        self.target, self.dimension, self.state = target, dimension, state
        self.rw = TrackingRewriter(state, target)
        ends = loop_sizes(cast("GenericOp", target), self.rw)
        assert ends is not None  # each loop walks along some operand
        self.ends: list[Mixed] = list(ends)

    def run(self, point: Mixed) -> tuple[Operation, Operation | None]:
        """The two parts, or the target where nothing would be left for the second."""
        number = point if isinstance(point, int) else int_of(point)
        point = point if number is None else number
        end = self.ends[self.dimension]
        inside = extreme(self.rw, "affine.min", [AffineSymExpr(0), AffineSymExpr(1)], [point, end])
        left = index_math.apply(self.rw, _DIFFERENCE, [end, inside])
        if left == 0:
            return self.target, None
        outputs = list(ops.outputs(self.target))
        first, outputs = self._part(outputs, 0, inside)
        second, outputs = self._part(outputs, inside, left)
        tensors = [value for value in outputs if value.type.name == "tensor"]
        for result, value in zip(self.target.results, tensors, strict=True):
            self.state.value_replaced(result, value)
            result.replace_all_uses_with(value)
        self.rw.erase(self.target)
        return first, second

    def _part(
        self, outputs: Sequence[SSAValue], offset: Mixed, size: Mixed
    ) -> tuple[Operation, list[SSAValue]]:
        """A part, and the outputs with what it computes."""
        offsets: list[Mixed] = [0] * len(self.ends)
        sizes = list(self.ends)
        offsets[self.dimension], sizes[self.dimension] = offset, size
        tile = build_tile(self.rw, self.target, outputs, offsets, sizes)
        results = iter(tile.op.results)
        found: list[SSAValue] = []
        for value, part in zip(outputs, tile.slices, strict=True):
            if value.type.name != "tensor":
                found.append(value)
                continue
            result = next(results)
            if part is not None:
                result = part.insert(self.rw, result, value, parallel=False).results[0]
            found.append(result)
        return tile.op, found


def _points(op: transform.StructuredSplitOp, state: State, count: int) -> list[Mixed]:
    """The points to split at, one for each of `count` targets unless there is one target only."""
    handle = op.dynamic_chunk_sizes
    if handle is None:
        return [op.static_chunk_sizes.value.data] * count
    points: list[Mixed] = []
    if kind_of(handle.type) == "param":
        points.extend(
            cast("IntegerAttr", parameter).value.data for parameter in state.payload(handle)
        )
    else:
        for producer in state.ops(handle):
            if len(producer.results) != 1 or producer.results[0].type != _INDEX:
                text = (
                    "expected dynamic split point handle to point to a single-result index-typed op"
                )
                raise silenceable(op, text, [(producer.location, "dynamic split point")])
            points.append(producer.results[0])
    if op.multiway is None and len(points) != count:
        raise definite(
            op,
            "expected the dynamic split point handle to point to as many operations "
            f"({len(points)}) as the target handle ({count})",
        )
    return points


def _check(op: transform.StructuredSplitOp, target: Operation) -> None:
    note = [(target.location, "target op")]
    if not ops.is_structured(target):
        raise silenceable(op, "only applies to structured ops", note)
    dimension = op.dimension.value.data
    if not 0 <= dimension < len(ops.iterator_types(target)):
        raise silenceable(op, f"dimension {dimension} does not exist in target op", note)


def split(op: transform.StructuredSplitOp, state: State) -> Results:
    targets = state.ops(op.target)
    if op.multiway is not None and len(targets) != 1:
        raise silenceable(
            op,
            f"requires exactly one target when multiway split is enabled (got {len(targets)})",
        )
    points = _points(op, state, len(targets))
    if op.multiway is not None:
        return [_split_at_all(op, targets[0], points, state)]
    first: list[Operation] = []
    second: list[Operation] = []
    whole: Operation | None = None
    for target, point in zip(targets, points, strict=True):
        _check(op, target)
        head, tail = _Splitting(target, op.dimension.value.data, state).run(point)
        first.append(head)
        if tail is None:
            whole = target
        else:
            second.append(tail)
    if second and whole is not None:
        raise silenceable(
            op,
            "splitting does not produce the second part for a subset of targets",
            [
                (
                    None,
                    "expected splitting to produce the second part of all or none of the targets",
                ),
                (whole.location, "first target with no second part"),
            ],
        )
    return [[*first, *second]]


def _split_at_all(
    op: transform.StructuredSplitOp, target: Operation, points: Sequence[Mixed], state: State
) -> list[Operation]:
    _check(op, target)
    parts: list[Operation] = []
    rest: Operation | None = target
    for point in points:
        if rest is None:
            break
        head, rest = _Splitting(rest, op.dimension.value.data, state).run(point)
        parts.append(head)
    return parts if rest is None else [*parts, rest]


OPS = {"transform.structured.split": split}
