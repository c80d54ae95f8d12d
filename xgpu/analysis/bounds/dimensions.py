# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for sizes of memrefs and tensors, by the operation that gives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerType,
    MemRefType,
    TensorType,
)
from xdsl.ir import OpResult, SSAValue

from xgpu.analysis.bounds.linear import Form, combine
from xgpu.dialects.reshapes import kept_dimensions
from xgpu.dialects.tensor.casts import destination_of

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.analysis.bounds.values import Bounds
    from xgpu.core.ods.operation import OdsOperation

Rule = Callable[["Bounds", OpResult, int], Form | None]


def _shape(value: SSAValue) -> tuple[int, ...] | None:
    return value.type.get_shape() if isinstance(value.type, MemRefType | TensorType) else None


def _group(op: Operation, index: int) -> Sequence[SSAValue]:
    return cast("OdsOperation", op).operand_group(index)


def _allocated(bounds: Bounds, value: OpResult, index: int) -> Form:
    shape = _shape(value) or ()
    position = sum(extent < 0 for extent in shape[:index])
    op = value.op
    sizes = _group(op, 1) if op.name == "gpu.alloc" else _group(op, 0)
    return bounds.value(sizes[position])


def _of_source(bounds: Bounds, value: OpResult, index: int) -> Form | None:
    source = value.op.operands[0]
    return None if _shape(source) is None else bounds.dimension(source, index)


def _of_destination(bounds: Bounds, value: OpResult, index: int) -> Form | None:
    """What an operation writes to has the shape of its result."""
    dest = destination_of(value)
    if dest is None or dest.type != value.type:
        return None
    return bounds.dimension(dest, index)


def _of_slice(bounds: Bounds, value: OpResult, index: int) -> Form | None:
    """The size that a slice takes along a dimension that its result has."""
    op = value.op
    static = cast("DenseArrayBase[IntegerType]", op.properties["static_sizes"]).get_values()
    shape = _shape(value) or ()
    dim = kept_dimensions(static, shape)[index]
    if static[dim] != DYNAMIC_INDEX:
        return {None: static[dim]}
    position = sum(number == DYNAMIC_INDEX for number in static[:dim])
    return bounds.value(_group(op, 2)[position])


def _padded(bounds: Bounds, value: OpResult, index: int) -> Form | None:
    op = value.op
    total = bounds.dimension(op.operands[0], index)
    for group, name in ((1, "static_low"), (2, "static_high")):
        static = cast("DenseArrayBase[IntegerType]", op.properties[name]).get_values()
        if static[index] != DYNAMIC_INDEX:
            total = combine(total, {None: static[index]})
            continue
        position = sum(number == DYNAMIC_INDEX for number in static[:index])
        total = combine(total, bounds.value(_group(op, group)[position]))
    return total


#: Of a dimension of a result.
DIMENSIONS: dict[str, Rule] = {
    "DestinationStyleOpInterface": _of_destination,
    "bufferization.alloc_tensor": _allocated,
    "gpu.alloc": _allocated,
    "memref.alloc": _allocated,
    "memref.alloca": _allocated,
    "memref.cast": _of_source,
    "memref.subview": _of_slice,
    "tensor.cast": _of_source,
    "tensor.empty": _allocated,
    "tensor.extract_slice": _of_slice,
    "tensor.insert": _of_destination,
    "tensor.insert_slice": _of_destination,
    "tensor.pad": _padded,
}
