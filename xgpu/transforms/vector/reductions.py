# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vector.multi_reduction and vector.scan by operations on rows.

Source: MLIR 22.1 LowerVectorMultiReduction.cpp, LowerVectorScan.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import VectorType

from xgpu.dialects.vector.builders import is_scalable, masking_op, shape_of, start, zeros
from xgpu.dialects.vector.combining import combine
from xgpu.transforms.vector.slices import extract_slice, insert_slice
from xgpu.transforms.vector.transfers import broadcast, extract, insert, transpose

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AnyFloat
    from xdsl.ir import Operation, SSAValue

    from xgpu.rewriting.greedy import GreedyRewriter, Pattern


def _size(shape: Sequence[int]) -> int:
    total = 1
    for extent in shape:
        total *= extent
    return total


def _reshape(rw: GreedyRewriter, value: SSAValue, shape: Sequence[int]) -> SSAValue:
    """The value, as it is where it has that shape already."""
    if shape_of(value) == tuple(shape) and isinstance(value.type, VectorType):
        return value
    ty = cast("VectorType", value.type)
    return rw.value("vector.shape_cast", (value,), VectorType(ty.element_type, list(shape)))


def _split(op: Operation) -> tuple[list[int], list[int]] | None:
    """Dimensions that stay and dimensions that are reduced, or None if they cannot be taken
    apart."""
    if masking_op(op) is not None or is_scalable(op.operands[0].type):
        return None
    dims: Any = op.properties["reduction_dims"]
    reduced = sorted(dims.get_values())
    kept = [d for d in range(len(shape_of(op.operands[0]))) if d not in reduced]
    return kept, reduced


def reduce_inside(op: Operation, rw: GreedyRewriter) -> bool:
    """What is reduced becomes innermost: a vector.reduction for each element that stays."""
    dims = _split(op)
    if dims is None:
        return False
    kept, reduced = dims
    source, acc = op.operands
    shape = shape_of(source)
    start(op, rw)
    order = [*kept, *reduced]
    if order != sorted(order):
        source = transpose(rw, source, order)
    outer, inner = [shape[d] for d in kept], [shape[d] for d in reduced]
    source_type = cast("VectorType", source.type)
    element = cast("AnyFloat", source_type.element_type)
    properties = {"kind": op.properties["kind"]}
    if len(inner) > 1:
        source = _reshape(rw, source, [*outer, _size(inner)])
    if not outer:
        rw.replace(op, [rw.value("vector.reduction", (source, acc), element, properties)])
        return True
    result = zeros(rw, VectorType(element, [_size(outer)]))
    for i, place in enumerate(product(*map(range, outer))):
        operands = (extract(rw, source, *place), extract(rw, acc, *place))
        value = rw.value("vector.reduction", operands, element, properties)
        result = insert(rw, value, result, i)
    rw.replace(op, [_reshape(rw, result, outer)])
    return True


def reduce_across(op: Operation, rw: GreedyRewriter) -> bool:
    """What is reduced becomes outermost: rows of all that stays are combined."""
    dims = _split(op)
    if dims is None:
        return False
    kept, reduced = dims
    source, acc = op.operands
    shape = shape_of(source)
    start(op, rw)
    outer, inner = [shape[d] for d in reduced], [shape[d] for d in kept]
    count, width = _size(outer), _size(inner)
    if not kept:
        source = _reshape(rw, source, [1, count])
        acc_type = acc.type
        acc = broadcast(rw, acc, VectorType(acc_type, [1]))
        source = transpose(rw, source, [1, 0])
    else:
        order = [*reduced, *kept]
        if order != sorted(order):
            source = transpose(rw, source, order)
        source = _reshape(rw, source, [count, width])
        acc = _reshape(rw, acc, [width])
    for i in range(count):
        acc = combine(rw, op.properties["kind"], extract(rw, source, i), acc)
    rw.replace(op, [_reshape(rw, acc, inner) if kept else extract(rw, acc, 0)])
    return True


def scan(op: Operation, rw: GreedyRewriter) -> bool:
    """Slice by slice along the dimension that is scanned."""
    source, initial = op.operands
    shape = shape_of(source)
    if is_scalable(source.type):
        return False
    properties: Any = op.properties
    dim = properties["reduction_dim"].value.data
    inclusive = bool(properties["inclusive"].value.data)
    start(op, rw)
    sizes = [1 if d == dim else extent for d, extent in enumerate(shape)]
    source_type: Any = source.type
    slice_type = VectorType(source_type.element_type, sizes)
    initial_type: Any = initial.type
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
            output = combine(rw, op.properties["kind"], output, current if inclusive else previous)
        result = insert_slice(rw, output, result, offsets, [1] * len(shape))
        previous = current
    assert output is not None
    if rank == 0:
        reduction = broadcast(rw, extract(rw, output, 0), initial_type)
    else:
        reduction = _reshape(rw, output, initial_type.get_shape())
    rw.replace(op, [result, reduction])
    return True


def patterns(lowering: str) -> dict[str, tuple[Pattern, ...]]:
    """Patterns for multi-reductions: innerreduction or innerparallel."""
    pattern = reduce_inside if lowering == "innerreduction" else reduce_across
    return {"vector.multi_reduction": (pattern,)}


SCAN: dict[str, tuple[Pattern, ...]] = {"vector.scan": (scan,)}
