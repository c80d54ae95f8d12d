# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that fill a part of a tensor, and what takes the same part out of it (MLIR's
SubsetInsertionOpInterface)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import Operation, OpResult, SSAValue

from xgpu.transforms.bufferization.one_shot.buffers import State
from xgpu.transforms.bufferization.one_shot.values import Operand
from xgpu.transforms.tensor.slices import Slice

if TYPE_CHECKING:
    from xgpu.dialects.affine.maps import Mixed

#: What writes all of the destination.
_COPIES = frozenset({"bufferization.materialize_in_destination", "linalg.copy"})
_SLICES = frozenset({"tensor.insert_slice", "tensor.parallel_insert_slice"})


class Insertion(NamedTuple):
    """An operation that writes `source` to a part of `destination`, or to all of it."""

    op: Operation
    source: Operand
    destination: Operand

    def is_part(self, value: SSAValue, state: State) -> bool:
        """Whether `value` is what stands where the source is written to."""
        if not isinstance(value, OpResult):
            return False
        if self.op.name not in _SLICES:
            return state.are_equivalent(value, self.destination.value)
        if value.op.name != "tensor.extract_slice":
            return False
        mine, other = Slice(self.op), Slice(value.op)
        return (
            state.are_equivalent(value.op.operands[0], self.destination.value)
            and _same(mine.offsets, other.offsets)
            and _same(mine.sizes, other.sizes)
            and _same(mine.strides, other.strides)
        )

    def begins_with_destination(self) -> bool:
        """Whether a tensor of the destination's type is written where its elements would stand."""
        if self.op.name not in _SLICES or self.source.value.type != self.destination.value.type:
            return False
        place = Slice(self.op)
        return all(_known(offset) == 0 for offset in place.offsets) and all(
            _known(stride) == 1 for stride in place.strides
        )


def _known(item: Mixed) -> Mixed:
    from xgpu.core.ir.constants import int_of

    if isinstance(item, int):
        return item
    number = int_of(item)
    return item if number is None else number


def _same(a: list[Mixed], b: list[Mixed]) -> bool:
    return len(a) == len(b) and all(
        _known(x) is _known(y) or (isinstance(_known(x), int) and _known(x) == _known(y))
        for x, y in zip(a, b, strict=True)
    )


def insertion_of(op: Operation) -> Insertion | None:
    """`op` as an insertion, if it is one."""
    if op.name in _SLICES:
        return Insertion(op, Operand(op, 0), Operand(op, 1))
    if op.name in _COPIES:
        return Insertion(op, Operand(op, 0), Operand(op, 1))
    return None
