# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that write their results over operands: MLIR's DestinationStyleOpInterface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from xdsl.dialects.builtin import TensorType, UnrankedTensorType

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ods.registry import op_spec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Operation, SSAValue


class _Grouped(Protocol):
    """What an operation of ours says of its operands."""

    def operand_group(self, index: int) -> Sequence[SSAValue]: ...


TRAIT = "DestinationStyleOpInterface"
#: What definitions call the operands that are written over.
_NAMES = frozenset({"base", "dest", "init", "inits", "output", "outputs"})


def destinations(op: Operation) -> range:
    """The places of the operands that the results of `op` are written over."""
    spec = op_spec(op.name)
    if spec is None or TRAIT not in traits_of(op.name) or op.name == "vector.transfer_read":
        return range(0)
    start = 0
    for place, field in enumerate(spec.operands):
        size = len(cast("_Grouped", op).operand_group(place))
        if field.name in _NAMES:
            return range(start, start + size)
        start += size
    return range(0)


def check_destinations(op: Operation) -> None:
    """A tensor that is written over gives a result of its type, a buffer none."""
    if op.name == "bufferization.materialize_in_destination":
        return  # which says it in words of its own
    kinds = [(place, op.operands[place].type) for place in destinations(op)]
    tensors = [(n, kind) for n, kind in kinds if isinstance(kind, TensorType | UnrankedTensorType)]
    if not kinds:
        return
    results = [r.type for r in op.results if isinstance(r.type, TensorType | UnrankedTensorType)]
    if len(results) != len(tensors):
        raise op_error(
            op,
            f"expected the number of tensor results ({len(results)}) to be equal to the number "
            f"of output tensors ({len(tensors)})",
        )
    for (place, kind), result in zip(tensors, results, strict=True):
        if kind != result:
            raise op_error(
                op,
                f"expected type of operand #{place} ('{shown(kind)}') to match type of "
                f"corresponding result ('{shown(result)}')",
            )
