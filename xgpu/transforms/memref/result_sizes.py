# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sizes of what an operation makes, from its operands (MLIR's
ReifyRankedShapedTypeOpInterface).

`size_of_result` gives one size as an integer or a value, made where it is not there yet; None for
an operation that does not say. Whoever uses it in place of the result's `dim` may find that
nothing needs the operation any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Never, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineDimExpr, AffineExpr, AffineMap

from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import folded_apply
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.reshapes import groups_of, kept_dimensions
from xgpu.transforms.memref.view_metadata import mixed, mixed_output_shape, segments

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType, TensorType

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects import bufferization, tensor

#: The size of dimension `dim` of a result.
Sizes = Callable[[Never, int, "Rewriter"], "Mixed | None"]


#: Operations whose sizes MLIR folds the dim of.
_FOLDED_SIZES = ("tensor.extract_slice", "tensor.generate")


def size_of(rw: Rewriter, value: SSAValue, dim: int) -> Mixed:
    """The size of a dimension of a memref or tensor."""
    kind = cast("MemRefType | TensorType", value.type)
    size = kind.get_shape()[dim]
    if size != DYNAMIC_INDEX:
        return size
    name = "tensor.dim" if kind.name == "tensor" else "memref.dim"
    if isinstance(value, OpResult) and value.op.name in _FOLDED_SIZES:
        known = size_of_result(value, dim, rw)
        if known is not None:
            return known
    return rw.value(name, [value, index_constant(rw, dim)], IndexType())


def _as_operand(position: int) -> Sizes:
    """The result has the shape of an operand."""
    return lambda op, dim, rw: size_of(rw, op.operands[position], dim)


def _dynamic_operands(op: Operation, dim: int, rw: Rewriter) -> Mixed:
    """The operands of the operation's last group are the sizes that the type does not know."""
    kind = cast("MemRefType | TensorType", op.results[0].type)
    shape = list(kind.get_shape())
    if shape[dim] != DYNAMIC_INDEX:
        return shape[dim]
    before = shape[:dim].count(DYNAMIC_INDEX)
    return op.operands[len(op.operands) - shape.count(DYNAMIC_INDEX) + before]


def _alloc_tensor(op: bufferization.AllocTensorOp, dim: int, rw: Rewriter) -> Mixed:

    if op.copy is not None:
        return size_of(rw, op.copy, dim)
    shape = list(cast("TensorType", op.result.type).get_shape())
    if shape[dim] != DYNAMIC_INDEX:
        return shape[dim]
    return op.dynamic_sizes[shape[:dim].count(DYNAMIC_INDEX)]


def _concat(op: tensor.ConcatOp, dim: int, rw: Rewriter) -> Mixed:
    """The sum of the sizes along one dimension; along others, a size that any operand knows."""
    operands: Sequence[SSAValue] = op.operands
    if dim == op.properties["dim"].value.data:
        expr: AffineExpr = ap.constant(0)
        for position in range(len(operands)):
            expr = ap.affine.add(expr, ap.symbol(position))
        return folded_apply(rw, expr, [size_of(rw, value, dim) for value in operands])
    for value in operands:
        kind = cast("MemRefType | TensorType", value.type)
        if kind.get_shape()[dim] != DYNAMIC_INDEX:
            return kind.get_shape()[dim]
    return size_of(rw, operands[0], dim)


def _pad(op: tensor.PadOp, dim: int, rw: Rewriter) -> Mixed:
    """What is before, the source, and what is after."""
    low = mixed(op, "low", 1)[dim]
    high = mixed(op, "high", 1 + segments(op)[1])[dim]
    expr = ap.affine.add(ap.affine.add(ap.symbol(0), ap.symbol(1)), ap.symbol(2))
    return folded_apply(rw, expr, [size_of(rw, op.operands[0], dim), low, high])


def _extract_slice(op: Operation, dim: int, rw: Rewriter) -> Mixed:
    """The size that the operation states, of a dimension that the result still has."""
    sizes = mixed(op, "sizes", 1 + segments(op)[1])
    kind = cast("MemRefType | TensorType", op.results[0].type)
    return sizes[kept_dimensions(sizes, kind.get_shape())[dim]]


def _expand_shape(op: Operation, dim: int, rw: Rewriter) -> Mixed:
    return mixed_output_shape(op)[dim]


def _collapse_shape(op: Operation, dim: int, rw: Rewriter) -> Mixed:
    """The product of the sizes of a group."""
    group = groups_of(op)[dim]
    expr: AffineExpr = ap.constant(1)
    for position in range(len(group)):
        expr = ap.affine.mul(expr, ap.symbol(position))
    return folded_apply(rw, expr, [size_of(rw, op.operands[0], i) for i in group])


def _structured(op: Operation, result: OpResult, dim: int, rw: Rewriter) -> Mixed:
    """The size of an output, in terms of inputs where its loops have their sizes from those."""
    outputs = ops.outputs(op)
    first = len(op.operands) - len(outputs)
    maps = ops.indexing_maps(op)
    expr = maps[first + result.index].results[dim]
    sources = _loop_sources(op, maps)
    loops = sorted(_dims(expr))
    if any(loop not in sources or sources[loop][0] >= first for loop in loops):
        return size_of(rw, outputs[result.index], dim)
    places: list[AffineExpr] = [
        ap.symbol(loops.index(loop)) if loop in loops else ap.constant(0)
        for loop in range(maps[0].num_dims)
    ]
    sizes: list[Mixed] = []
    for loop in loops:
        operand, position = sources[loop]
        sizes.append(size_of(rw, op.operands[operand], position))
    return folded_apply(rw, ap.substitute(expr, places, ()), sizes)


def _loop_sources(op: Operation, maps: Sequence[AffineMap]) -> dict[int, tuple[int, int]]:
    """For each loop the first operand, and its dimension, that the loop alone walks along."""
    found: dict[int, tuple[int, int]] = {}
    for operand, map_ in enumerate(maps):
        if ops.shape_of(op.operands[operand]) is None:
            continue
        for dim, expr in enumerate(map_.results):
            if isinstance(expr, AffineDimExpr):
                found.setdefault(expr.position, (operand, dim))
    return found


def _dims(expr: AffineExpr) -> set[int]:
    if isinstance(expr, AffineDimExpr):
        return {expr.position}
    if isinstance(expr, AffineBinaryOpExpr):
        return _dims(expr.lhs) | _dims(expr.rhs)
    return set()


_SIZES: dict[str, Sizes] = {
    "bufferization.alloc_tensor": _alloc_tensor,
    "bufferization.materialize_in_destination": _as_operand(1),
    "linalg.pack": _as_operand(1),
    "linalg.softmax": _as_operand(0),
    "linalg.unpack": _as_operand(1),
    "memref.assume_alignment": _as_operand(0),
    "memref.expand_shape": _expand_shape,
    "tensor.collapse_shape": _collapse_shape,
    "tensor.concat": _concat,
    "tensor.empty": _dynamic_operands,
    "tensor.expand_shape": _expand_shape,
    "tensor.extract_slice": _extract_slice,
    "tensor.generate": _dynamic_operands,
    "tensor.insert_slice": _as_operand(1),
    "tensor.pad": _pad,
    "tensor.splat": _dynamic_operands,
}


def size_of_result(result: OpResult, dim: int, rw: Rewriter) -> Mixed | None:
    """The size of dimension `dim` of `result`; None if its operation does not say."""
    op = result.owner
    kind = cast("MemRefType | TensorType", result.type)
    shape = getattr(kind, "get_shape", None)
    if shape is None or not 0 <= dim < len(shape()):
        return None
    if shape()[dim] != DYNAMIC_INDEX:
        return shape()[dim]
    if ops.is_structured(op):
        return _structured(op, result, dim, rw)
    rule = _SIZES.get(op.name)
    return None if rule is None else rule(cast("Never", op), dim, rw)
