# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's BufferizationOps.cpp verifies."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType

from xgpu.core.ir.errors import error, op_error

if TYPE_CHECKING:
    from xgpu.dialects import bufferization


def verify_dealloc(op: bufferization.DeallocOp) -> None:
    """A condition for each memref, a result for each retained one."""
    if len(op.memrefs) != len(op.conditions):
        raise op_error(op, "must have the same number of conditions as memrefs to deallocate")
    if len(op.retained) != len(op.results):
        raise op_error(
            op, "must have the same number of updated conditions (results) as retained operands"
        )


def verify_alloc_tensor(op: bufferization.AllocTensorOp) -> None:
    """A size for each open dimension, or a tensor to copy, which has the sizes."""
    result, copy = cast("TensorType", op.result.type), op.copy
    if copy is not None and len(op.dynamic_sizes):
        raise error(op, "dynamic sizes not needed when copying a tensor")
    if copy is not None and copy.type != result:
        raise error(op, "expected that `copy` and return type match")
    wanted = sum(size == DYNAMIC_INDEX for size in result.get_shape())
    if copy is None and len(op.dynamic_sizes) != wanted:
        raise op_error(
            op,
            f"incorrect number of dynamic sizes, has {len(op.dynamic_sizes)}, expected {wanted}",
        )


def verify_materialize_in_destination(op: bufferization.MaterializeInDestinationOp) -> None:
    """A tensor gives its new value back; a buffer is written, and says so."""
    dest, source = op.dest.type, op.source.type
    is_tensor, results = isinstance(dest, TensorType), len(op.results)
    if not isinstance(dest, TensorType | MemRefType):
        raise op_error(op, "'dest' must be a tensor or a memref")
    if is_tensor and results != 1:
        raise op_error(op, "tensor 'dest' implies exactly one tensor result")
    if not is_tensor and results:
        raise op_error(op, "memref 'dest' implies zero results")
    if is_tensor and "restrict" in op.properties:
        raise op_error(op, "'restrict' is valid only for memref destinations")
    if ("writable" in op.properties) == is_tensor:
        raise op_error(
            op, "'writable' must be specified if and only if the destination is of memref type"
        )
    if results and op.results[0].type != dest:
        raise op_error(op, "result and 'dest' types must match")
    if not isinstance(source, TensorType):
        return  # unranked
    sizes = list(zip(source.get_shape(), dest.get_shape(), strict=False))
    if len(source.get_shape()) != len(dest.get_shape()):
        raise op_error(op, "rank mismatch between source and destination shape")
    if any(a != b and DYNAMIC_INDEX not in (a, b) for a, b in sizes):
        raise op_error(op, "source/destination shapes are incompatible")


VERIFY = {
    "bufferization.alloc_tensor": verify_alloc_tensor,
    "bufferization.dealloc": verify_dealloc,
    "bufferization.materialize_in_destination": verify_materialize_in_destination,
}
