# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vector.scan by operations on slices.

Source: MLIR 22.1 LowerVectorScan.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import VectorType

from xgpu.dialects.vector.builders import is_scalable, shape_of, start, zeros
from xgpu.dialects.vector.ops import combine
from xgpu.transforms.vector.slices import extract_slice, insert_slice
from xgpu.transforms.vector.transfers import broadcast, extract

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import vector


def _reshape(rw: GreedyRewriter, value: SSAValue, shape: Sequence[int]) -> SSAValue:
    """The value, as it is where it has that shape already."""
    if shape_of(value) == tuple(shape) and isinstance(value.type, VectorType):
        return value
    ty = cast("VectorType", value.type)
    return rw.value("vector.shape_cast", (value,), VectorType(ty.element_type, list(shape)))


def scan(op: Operation, rw: GreedyRewriter) -> bool:
    """Slice by slice along the dimension that is scanned."""
    source, initial = op.operands
    shape = shape_of(source)
    if is_scalable(source.type):
        return False
    properties = cast("vector.ScanOp", op).properties
    dim = properties["reduction_dim"].value.data
    inclusive = bool(properties["inclusive"].value.data)
    start(op, rw)
    sizes = [1 if d == dim else extent for d, extent in enumerate(shape)]
    source_type = cast("VectorType", source.type)
    slice_type = VectorType(source_type.element_type, sizes)
    initial_type = cast("VectorType", initial.type)
    rank = initial_type.get_num_dims()
    result = zeros(rw, source.type)
    previous: SSAValue | None = None
    output: SSAValue | None = None
    for i in range(shape[dim]):
        offsets = [i if d == dim else 0 for d in range(len(shape))]
        current = extract_slice(rw, source, offsets, sizes, [1] * len(shape))
        if output is None or previous is None:
            if inclusive:
                output = current
            elif rank == 0:
                output = broadcast(rw, initial, slice_type)
            else:
                output = _reshape(rw, initial, sizes)
        else:
            output = combine(rw, properties["kind"], output, current if inclusive else previous)
        result = insert_slice(rw, output, result, offsets, [1] * len(shape))
        previous = current
    assert output is not None
    if rank == 0:
        reduction = broadcast(rw, extract(rw, output, 0), initial_type)
    else:
        reduction = _reshape(rw, output, initial_type.get_shape())
    rw.replace(op, [result, reduction])
    return True


SCAN: dict[str, tuple[Pattern, ...]] = {"vector.scan": (scan,)}
