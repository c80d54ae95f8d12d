# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.apply_patterns.gpu.unroll_vectors_subgroup_mma: shapes that a subgroup's mma takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from xgpu.transform_dialect.interpreter import integer
from xgpu.transforms.vector.unroll import UnrollPatterns, is_elementwise

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AffineMapAttr
    from xdsl.ir.affine import AffineDimExpr, AffineMap

    from xgpu.dialects import vector


def _slice_shape(op: Operation) -> tuple[bool, Sequence[int] | None]:
    """Whether all users take slices of one shape, and that shape."""
    shape: Sequence[int] | None = None
    for use in op.results[0].uses:
        if use.operation.name != "vector.extract_strided_slice":
            return False, None
        ty = cast("VectorType", use.operation.results[0].type)
        if shape is not None and list(shape) != list(ty.get_shape()):
            return False, None
        shape = ty.get_shape()
    return True, shape


def _maps(contract: vector.ContractOp) -> list[AffineMap]:
    return [cast("AffineMapAttr", attr).data for attr in contract.indexing_maps.data]


def _order(op: Operation) -> list[int] | None:
    """Reductions outermost, then what the left operand has: so that it stays in registers."""
    if op.name != "vector.contract":
        return None
    contract = cast("vector.ContractOp", op)
    kinds = [attr.data for attr in contract.iterator_types.data]
    left = {cast("AffineDimExpr", e).position for e in _maps(contract)[0].results}
    indices = range(len(kinds))
    return (
        [i for i in indices if kinds[i] == "reduction"]
        + [i for i in indices if kinds[i] == "parallel" and i in left]
        + [i for i in indices if kinds[i] == "parallel" and i not in left]
    )


def patterns(op: Operation) -> UnrollPatterns:
    """The patterns for the m x n x k of the descriptor `op`."""
    m, n, k = (integer(op, name, 1) for name in "mnk")

    def shape_of(target: Operation) -> Sequence[int] | None:
        if target.name == "vector.contract":
            rank = len(cast("vector.ContractOp", target).iterator_types.data)
            return None if rank < 3 else [*[1] * (rank - 3), m, n, k]
        if target.name == "vector.transfer_write":
            rank = len(cast("VectorType", target.operands[0].type).get_shape())
            return None if rank < 2 else [*[1] * (rank - 2), m, n]
        if target.name == "vector.transfer_read":
            return _slice_shape(target)[1]
        if is_elementwise(target) and len(target.results) == 1:
            ty = target.results[0].type
            if not isinstance(ty, VectorType) or len(ty.get_shape()) < 2:
                return None
            sliced, shape = _slice_shape(target)
            if not sliced:
                return None
            return shape if shape is not None else [*[1] * (len(ty.get_shape()) - 2), m, n]
        return None

    return UnrollPatterns(shape_of, _order)
