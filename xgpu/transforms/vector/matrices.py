# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrices as flat vectors: products and transposes by LLVM's matrix intrinsics, or by a shuffle.

    contract (i,k) (k,j) (i,j)  =>  shape_cast, llvm.intr.matrix.multiply, shape_cast, add
    transpose [1, 0]            =>  shape_cast, llvm.intr.matrix.transpose or shuffle, shape_cast

Source: MLIR 22.1 ConvertVectorToLLVMPass.cpp, LowerVectorTranspose.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, VectorType, i32

from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import is_scalable, start
from xgpu.dialects.vector.ops import is_integer
from xgpu.transforms.vector.contraction import Contraction
from xgpu.transforms.vector.slices import shuffle
from xgpu.transforms.vector.transfers import transpose

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern

#: For the map of each matrix: whether it is to be transposed.
_LEFT: dict[tuple[int, ...], bool] = {(0, 2): False, (2, 0): True}
_RIGHT: dict[tuple[int, ...], bool] = {(2, 1): False, (1, 2): True}
_RESULT: dict[tuple[int, ...], bool] = {(0, 1): False, (1, 0): True}


def _cast(rw: GreedyRewriter, value: SSAValue, shape: tuple[int, ...]) -> SSAValue:
    ty = cast("VectorType", value.type)
    return rw.value("vector.shape_cast", (value,), VectorType(ty.element_type, shape))


def _flat(rw: GreedyRewriter, value: SSAValue) -> SSAValue:
    ty = cast("VectorType", value.type)
    return _cast(rw, value, (ty.element_count(),))


def _sizes(**sizes: int) -> dict[str, Attribute]:
    return {name: IntegerAttr(size, i32) for name, size in sizes.items()}


def multiply(op: Operation, rw: GreedyRewriter) -> bool:
    """A product of matrices by the intrinsic."""
    contraction = Contraction(op)
    ty = cast("VectorType", op.results[0].type)
    if contraction.mask is not None or contraction.kind != "add" or contraction.kinds != "ppr":
        return False
    if not contraction.has_one_element_type or any(scalable_dims(ty)):
        return False
    left_map, right_map, result_map = contraction.maps
    if left_map not in _LEFT or right_map not in _RIGHT or result_map not in _RESULT:
        return False
    start(op, rw)
    left, right = contraction.left, contraction.right
    if _LEFT[left_map]:
        left = transpose(rw, left, (1, 0))
    if _RIGHT[right_map]:
        right = transpose(rw, right, (1, 0))
    (rows, inner), (_, columns) = (
        cast("VectorType", left.type).get_shape(),
        cast("VectorType", right.type).get_shape(),
    )  # pyright: ignore
    product = rw.value(
        "llvm.intr.matrix.multiply",
        (_flat(rw, left), _flat(rw, right)),
        VectorType(ty.element_type, (rows * columns,)),
        _sizes(lhs_rows=rows, lhs_columns=inner, rhs_columns=columns),
    )
    product = _cast(rw, product, (rows, columns))
    if _RESULT[result_map]:
        product = transpose(rw, product, (1, 0))
    add = "arith.addi" if is_integer(ty) else "arith.addf"
    rw.replace(op, [rw.value(add, (contraction.acc, product), ty)])
    return True


def transpose_by_intrinsic(op: Operation, rw: GreedyRewriter) -> bool:
    """The intrinsic's matrices lie column by column, vectors row by row."""
    source = op.operands[0]
    ty = cast("VectorType", op.results[0].type)
    permutation = cast("DenseArrayBase[IntegerType]", op.properties["permutation"])
    if tuple(permutation.get_values()) != (1, 0) or is_scalable(source.type):
        return False
    start(op, rw)
    rows, columns = ty.get_shape()
    flat = _flat(rw, source)
    turned = rw.value(
        "llvm.intr.matrix.transpose", (flat,), flat.type, _sizes(rows=rows, columns=columns)
    )
    rw.replace(op, [_cast(rw, turned, (rows, columns))])
    return True


def transpose_by_shuffle(op: Operation, rw: GreedyRewriter) -> bool:
    """Exactly two dimensions are longer than one, and they change places, one to the end."""
    source = op.operands[0]
    ty = cast("VectorType", op.results[0].type)
    permutation = cast("DenseArrayBase[IntegerType]", op.properties["permutation"])
    order = list(permutation.get_values())
    shape = cast("VectorType", source.type).get_shape()
    long = [dimension for dimension, size in enumerate(shape) if size > 1]
    if is_scalable(source.type) or len(long) != 2 or order[-1] != long[0]:
        return False
    start(op, rw)
    rows, columns = (shape[dimension] for dimension in long)
    flat = _flat(rw, source)
    places = [i * columns + j for j in range(columns) for i in range(rows)]
    rw.replace(op, [_cast(rw, shuffle(rw, flat, flat, places), tuple(ty.get_shape()))])
    return True


def patterns(contraction: str, transposition: str) -> dict[str, tuple[Pattern, ...]]:
    """The patterns for the options of `convert-vector-to-llvm`."""
    found: dict[str, tuple[Pattern, ...]] = {}
    if contraction == "llvmintr":
        found["vector.contract"] = (multiply,)
    if transposition == "llvmintr":
        found["vector.transpose"] = (transpose_by_intrinsic,)
    elif transposition != "eltwise":
        found["vector.transpose"] = (transpose_by_shuffle,)
    return found
