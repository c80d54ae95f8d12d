# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vector.contract and vector.outerproduct: by dot products, by outer products, dimension by
dimension, or by LLVM's matrix intrinsics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    i32,
)
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import is_scalable, masked, masking_op, shape_of, start, zeros
from xgpu.dialects.vector.ops import COMBINING, chosen, is_integer, vector_type
from xgpu.transforms.vector.shapes import shuffle
from xgpu.transforms.vector.transfers import broadcast, extract, insert, transpose

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import vector


# --- contract ------------------------------------------------------------------------------------
# vector.outerproduct and vector.contract: multiplications and reductions of 1-D vectors.


def multiply_and_combine(
    rw: GreedyRewriter,
    left: SSAValue,
    right: SSAValue,
    acc: SSAValue | None,
    kind: str,
    mask: SSAValue | None,
) -> SSAValue | None:
    """left * right, combined with `acc`; where the mask says no, `acc`. None if there is no
    such combination."""
    integers = is_integer(left.type)
    name = COMBINING[kind][0 if integers else 1]
    if name is None:
        return None
    if not integers and acc is not None and isinstance(acc.type, VectorType) and kind == "add":
        result = rw.value("vector.fma", (left, right, acc), acc.type)
        return chosen(rw, mask, result, acc)
    product = rw.value("arith.muli" if integers else "arith.mulf", (left, right), left.type)
    if acc is None:
        return product
    result = rw.value(f"arith.{name}", (product, acc), product.type)
    return chosen(rw, mask, result, acc)


def lower_outerproduct(op: Operation, rw: GreedyRewriter) -> bool:
    """Row by row: the row's element times the right side."""
    left, right, *rest = op.operands
    acc = rest[0] if rest else None
    ty = cast("VectorType", op.results[0].type)
    flags = scalable_dims(ty)
    if len(flags) >= 2 and all(flags):
        return False
    kind: str = cast("vector.KindAttr", op.properties["kind"]).data  # pyright: ignore
    if COMBINING[kind][0 if is_integer(ty) else 1] is None:
        return False
    masking = masking_op(op)
    root = op if masking is None else masking
    mask = None if masking is None else masking.operands[0]
    rw.before(root)
    rw.location = op.location
    if not isinstance(right.type, VectorType):  # a * x + y
        scaled = broadcast(rw, right, left.type)
        result = multiply_and_combine(rw, left, scaled, acc, kind, mask)
        assert result is not None
        rw.replace(root, [result])
        return True
    result = zeros(rw, ty)
    for i in range(ty.get_shape()[0]):
        row = broadcast(rw, extract(rw, left, i), right.type)
        row_acc = None if acc is None else extract(rw, acc, i)
        row_mask = None if mask is None else extract(rw, mask, i)
        value = multiply_and_combine(rw, row, right, row_acc, kind, row_mask)
        assert value is not None
        result = insert(rw, value, result, i)
    rw.replace(root, [result])
    return True


OUTER_PRODUCT_PATTERNS = {"vector.outerproduct": (lower_outerproduct,)}


# --- contraction ---------------------------------------------------------------------------------
# vector.contract: by dot products, by outer products, or dimension by dimension.
#
#     %0 = vector.contract {maps (i, k), (k, j), (i, j)} %a, %b, %c
#     =>  for each i, j: a multiplication of row i and column j, and a reduction   ("dot")
#     =>  for each k: an outer product of column k and row k                      ("outerproduct")
#
# Source: MLIR 22.1 LowerVectorContract.cpp.


class Contraction:
    """The parts of a vector.contract. Maps are tuples of dimensions."""

    __slots__ = ("acc", "iterators", "kind", "left", "maps", "mask", "op", "right", "root")

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.left, self.right, self.acc = op.operands
        maps = cast("ArrayAttr[AffineMapAttr]", op.properties["indexing_maps"])
        self.maps = [
            tuple(cast("AffineDimExpr", e).position for e in item.data.results)
            for item in maps.data
        ]
        iterators = cast("ArrayAttr", op.properties["iterator_types"])
        self.iterators: list[Attribute] = list(iterators.data)
        self.kind: str = cast("vector.KindAttr", op.properties["kind"]).data  # pyright: ignore
        masking = masking_op(op)
        self.root: Operation = op if masking is None else masking
        self.mask: SSAValue | None = None if masking is None else masking.operands[0]

    def is_reduction(self, dimension: int) -> bool:
        return self.iterators[dimension].data == "reduction"  # pyright: ignore

    @property
    def kinds(self) -> str:
        """p for each parallel dimension, r for each reduction."""
        return "".join("r" if self.is_reduction(i) else "p" for i in range(len(self.iterators)))

    @property
    def has_one_element_type(self) -> bool:
        types = [value.type for value in (self.left, self.right, self.acc)]
        elements = [ty.element_type if isinstance(ty, VectorType) else ty for ty in types]
        return elements[0] == elements[1] == elements[2] and isinstance(
            elements[0], IntegerType | AnyFloat
        )


def _multiply(rw: GreedyRewriter, left: SSAValue, right: SSAValue) -> SSAValue:
    name = "arith.muli" if is_integer(left.type) else "arith.mulf"
    return rw.value(name, (left, right), left.type)


def _begin(op: Operation, rw: GreedyRewriter, contraction: Contraction) -> None:
    rw.before(contraction.root)
    rw.location = op.location


# --- dot products ------------------------------------------------------------------------------
#: For the maps of left, right and result: whether the sides swap, and which then are transposed.
_MATRIX = {
    ((0, 2), (2, 1), (0, 1)): (False, False, True),
    ((0, 2), (1, 2), (0, 1)): (False, False, False),
    ((2, 0), (2, 1), (0, 1)): (False, True, True),
    ((2, 0), (1, 2), (0, 1)): (False, True, False),
    ((0, 2), (2, 1), (1, 0)): (True, True, False),
    ((0, 2), (1, 2), (1, 0)): (True, False, False),
    ((2, 0), (2, 1), (1, 0)): (True, True, True),
    ((2, 0), (1, 2), (1, 0)): (True, False, True),
}
_MATRIX_VECTOR = {
    ((0, 1), (1,), (0,)): (False, False, False),
    ((1, 0), (1,), (0,)): (False, True, False),
    ((1,), (0, 1), (0,)): (True, False, False),
    ((1,), (1, 0), (0,)): (True, True, False),
}


def lower_to_dot(op: Operation, rw: GreedyRewriter) -> bool:
    contraction = Contraction(op)
    if contraction.mask is not None or contraction.kind != "add":
        return False
    table = {"ppr": _MATRIX, "pr": _MATRIX_VECTOR}.get(contraction.kinds)
    found = None if table is None else table.get(tuple(contraction.maps))  # pyright: ignore
    ty = cast("VectorType", op.results[0].type)
    if found is None or any(scalable_dims(ty)) or not contraction.has_one_element_type:
        return False
    swap, transpose_left, transpose_right = found
    _begin(op, rw, contraction)
    left, right = contraction.left, contraction.right
    if swap:
        left, right = right, left
    if transpose_left:
        left = transpose(rw, left, (1, 0))
    if transpose_right:
        right = transpose(rw, right, (1, 0))
    shape = ty.get_shape()
    result = zeros(rw, ty)
    columns: list[SSAValue] = []
    kind = {"kind": op.properties["kind"]}
    for i in range(shape[0]):
        row = extract(rw, left, i)
        for j in range(shape[1] if len(shape) > 1 else 1):
            if i == 0:
                columns.append(extract(rw, right, j) if len(shape) > 1 else right)
            product = _multiply(rw, row, columns[j])
            value = rw.value("vector.reduction", (product,), ty.element_type, kind)
            place = (i, j) if len(shape) > 1 else (i,)
            result = insert(rw, value, result, *place)
    add = "arith.addi" if is_integer(ty) else "arith.addf"
    rw.replace(contraction.root, [rw.value(add, (result, contraction.acc), ty)])
    return True


# --- outer products ----------------------------------------------------------------------------
#: As above, but so that the contracted dimension comes first on both sides.
_OUTER = {
    ((0, 2), (2, 1), (0, 1)): (False, True, False),
    ((0, 2), (1, 2), (0, 1)): (False, True, True),
    ((2, 0), (2, 1), (0, 1)): (False, False, False),
    ((2, 0), (1, 2), (0, 1)): (False, False, True),
    ((0, 2), (2, 1), (1, 0)): (True, False, True),
    ((0, 2), (1, 2), (1, 0)): (True, True, True),
    ((2, 0), (2, 1), (1, 0)): (True, False, False),
    ((2, 0), (1, 2), (1, 0)): (True, True, False),
}
_OUTER_VECTOR = {
    ((0, 1), (1,), (0,)): (False, True, False),
    ((1, 0), (1,), (0,)): (False, False, False),
    ((1,), (0, 1), (0,)): (True, True, False),
    ((1,), (1, 0), (0,)): (True, False, False),
}


def lower_to_outer_products(op: Operation, rw: GreedyRewriter) -> bool:
    contraction = Contraction(op)
    table = {"ppr": _OUTER, "pr": _OUTER_VECTOR}.get(contraction.kinds)
    found = None if table is None else table.get(tuple(contraction.maps))  # pyright: ignore
    ty = op.results[0].type
    if contraction.mask is not None or found is None or not contraction.has_one_element_type:
        return False
    swap, transpose_left, transpose_right = found
    left, right = contraction.left, contraction.right
    if swap:
        left, right = right, left
    flags = scalable_dims(left.type)
    contracted = 1 if transpose_left else 0
    if flags[contracted]:
        return False
    _begin(op, rw, contraction)
    if transpose_left:
        left = transpose(rw, left, (1, 0))
    if transpose_right:
        right = transpose(rw, right, (1, 0))
    result = contraction.acc
    kind = {"kind": op.properties["kind"]}
    for k in range(shape_of(left)[0]):
        operands = (extract(rw, left, k), extract(rw, right, k), result)
        result = rw.value("vector.outerproduct", operands, ty, kind)
    rw.replace(contraction.root, [result])
    return True


# --- dimension by dimension --------------------------------------------------------------------
def lower_by_dimension(op: Operation, rw: GreedyRewriter) -> bool:
    """Unrolls one dimension: first those of all three, then those of one side, then reductions."""
    contraction = Contraction(op)
    if not contraction.has_one_element_type:
        return False
    left, right, acc = contraction.maps
    for at, dimension in enumerate(left):
        if dimension in right and dimension in acc and not contraction.is_reduction(dimension):
            return _unroll_parallel(rw, contraction, at, right.index(dimension))
    for at, dimension in enumerate(left):
        if not contraction.is_reduction(dimension):
            return _unroll_parallel(rw, contraction, at, -1)
    for at, dimension in enumerate(right):
        if not contraction.is_reduction(dimension):
            return _unroll_parallel(rw, contraction, -1, at)
    return _unroll_reduction(rw, contraction)


def _lower_attributes(contraction: Contraction, dimension: int) -> dict[str, Attribute]:
    """The attributes of the contraction without `dimension`."""
    maps: list[Attribute] = []
    for results in contraction.maps:
        left = [AffineDimExpr(d - (d > dimension)) for d in results if d != dimension]
        maps.append(AffineMapAttr(AffineMap(len(contraction.iterators) - 1, 0, tuple(left))))
    iterators = [it for i, it in enumerate(contraction.iterators) if i != dimension]
    return {
        "indexing_maps": ArrayAttr(maps),
        "iterator_types": ArrayAttr(iterators),
        "kind": contraction.op.properties["kind"],
    }


def _contract(
    rw: GreedyRewriter,
    operands: tuple[SSAValue, SSAValue, SSAValue],
    properties: dict[str, Attribute],
    mask: SSAValue | None,
) -> SSAValue:
    return masked(rw, mask, "vector.contract", operands, operands[2].type, properties)


def _unroll_parallel(
    rw: GreedyRewriter, contraction: Contraction, left_at: int, right_at: int
) -> bool:
    dimension = contraction.maps[0][left_at] if left_at >= 0 else contraction.maps[1][right_at]
    if dimension not in contraction.maps[2]:
        return False
    acc_at = contraction.maps[2].index(dimension)
    op = contraction.op
    ty = op.results[0].type
    if not isinstance(ty, VectorType) or scalable_dims(ty)[acc_at]:
        return False
    _begin(op, rw, contraction)
    properties = _lower_attributes(contraction, dimension)
    result = zeros(rw, ty)
    for i in range(ty.get_shape()[acc_at]):
        operands = (
            _slice(rw, contraction.left, left_at, i),
            _slice(rw, contraction.right, right_at, i),
            _slice(rw, contraction.acc, acc_at, i),
        )
        mask = contraction.mask
        if mask is not None:
            mask = _slice(rw, mask, dimension, i)
        value = _contract(rw, operands, properties, mask)
        result = _put(rw, value, result, acc_at, i)
    rw.replace(contraction.root, [result])
    return True


def _unroll_reduction(rw: GreedyRewriter, contraction: Contraction) -> bool:
    if isinstance(contraction.acc.type, VectorType):
        return False
    left, right, _ = contraction.maps
    if 0 not in left or 0 not in right:
        return False
    op = contraction.op
    left_at, right_at = left.index(0), right.index(0)
    mask = contraction.mask
    if len(left) == 1:
        _begin(op, rw, contraction)
        product = _multiply(rw, contraction.left, contraction.right)
        operands = (product, contraction.acc)
        kind = {"kind": op.properties["kind"]}
        ty = contraction.acc.type
        if mask is None:
            value = rw.value("vector.reduction", operands, ty, kind)
        else:
            value = masked(rw, mask, "vector.reduction", operands, ty, kind)
        rw.replace(contraction.root, [value])
        return True
    if scalable_dims(contraction.left.type)[left_at]:
        return False
    _begin(op, rw, contraction)
    properties = _lower_attributes(contraction, 0)
    result = contraction.acc
    for i in range(shape_of(contraction.left)[left_at]):
        operands = (
            _slice(rw, contraction.left, left_at, i),
            _slice(rw, contraction.right, right_at, i),
            result,
        )
        row_mask = None if mask is None else _slice(rw, mask, 0, i)
        result = _contract(rw, operands, properties, row_mask)
    rw.replace(contraction.root, [result])
    return True


def _slice(rw: GreedyRewriter, value: SSAValue, at: int, index: int) -> SSAValue:
    """`value` at `index` of dimension `at`; -1 for a value without that dimension."""
    if at == -1:
        return value
    if at == 0:
        return extract(rw, value, index)
    ty = cast("VectorType", value.type)
    rows = [_slice(rw, extract(rw, value, i), at - 1, index) for i in range(ty.get_shape()[0])]
    row_type = rows[0].type
    shape, flags = [len(rows)], [scalable_dims(ty)[0]]
    if isinstance(row_type, VectorType):
        shape += row_type.get_shape()
        flags += scalable_dims(row_type)
    result = zeros(rw, vector_type(ty.element_type, shape, flags))
    for i, row in enumerate(rows):
        result = insert(rw, row, result, i)
    return result


def _put(rw: GreedyRewriter, value: SSAValue, into: SSAValue, at: int, index: int) -> SSAValue:
    """`into` with `value` at `index` of dimension `at`."""
    if at == 0:
        return insert(rw, value, into, index)
    ty = cast("VectorType", into.type)
    for i in range(ty.get_shape()[0]):
        row = extract(rw, into, i)
        row = _put(rw, extract(rw, value, i), row, at - 1, index)
        into = insert(rw, row, into, i)
    return into


def patterns(lowering: str = "dot") -> dict[str, tuple[Pattern, ...]]:
    """Patterns for one of MLIR's ways: dot, outerproduct, or what is left for others."""
    first: tuple[Pattern, ...] = ()
    if lowering == "dot":
        first = (lower_to_dot,)
    elif lowering == "outerproduct":
        first = (lower_to_outer_products,)
    return {"vector.contract": (*first, lower_by_dimension)}


# --- matrices ------------------------------------------------------------------------------------
# Matrices as flat vectors: products and transposes by LLVM's matrix intrinsics, or by a shuffle.
#
#     contract (i,k) (k,j) (i,j)  =>  shape_cast, llvm.intr.matrix.multiply, shape_cast, add
#     transpose [1, 0]            =>  shape_cast, llvm.intr.matrix.transpose or shuffle, shape_cast
#
# Source: MLIR 22.1 ConvertVectorToLLVMPass.cpp, LowerVectorTranspose.cpp.


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


def matrix_patterns(contraction: str, transposition: str) -> dict[str, tuple[Pattern, ...]]:
    """The patterns for the options of `convert-vector-to-llvm`."""
    found: dict[str, tuple[Pattern, ...]] = {}
    if contraction == "llvmintr":
        found["vector.contract"] = (multiply,)
    if transposition == "llvmintr":
        found["vector.transpose"] = (transpose_by_intrinsic,)
    elif transposition != "eltwise":
        found["vector.transpose"] = (transpose_by_shuffle,)
    return found
