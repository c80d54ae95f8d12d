# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`lower-vector-multi-reduction`: vector.multi_reduction by operations on rows; vector.scan by
slices.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, DenseArrayBase, IndexType, IntegerType, VectorType, i64

from xgpu.core.passes.base import Option, Pass
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import is_scalable, masked, masking_op, shape_of, start, zeros
from xgpu.dialects.vector.ops import chosen, combine, vector_type
from xgpu.transforms.vector.shapes import extract_slice, insert_slice
from xgpu.transforms.vector.transfers import broadcast, extract, insert, transpose

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import vector


# --- multi reduction -----------------------------------------------------------------------------
# `lower-vector-multi-reduction`: vector.multi_reduction by operations on rows.
#
# Small steps, each a pattern of its own: what is reduced becomes innermost or outermost; dimensions
# that are side by side become one; then row by row, either a vector.reduction of each row or the
# rows combined with one another. An operation in a vector.mask is replaced together with the mask.
# Source: MLIR 22.1 LowerVectorMultiReduction.cpp.


_NAME = "vector.multi_reduction"


class _Reduction:
    """A multi-reduction: what it reads and what it stands in."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.source, self.acc = op.operands
        self.shape = shape_of(self.source)
        self.flags = scalable_dims(self.source.type)
        dims = cast("DenseArrayBase[IntegerType]", op.properties["reduction_dims"])
        self.reduced = sorted(dims.get_values())
        self.kept = [d for d in range(len(self.shape)) if d not in self.reduced]
        ty = cast("VectorType", self.source.type)
        self.element: Attribute = ty.element_type
        mask = masking_op(op)
        #: what is replaced
        self.root: Operation = op if mask is None else mask
        self.mask: SSAValue | None = None if mask is None else mask.operands[0]

    @property
    def is_arithmetic(self) -> bool:
        """Whether arith has operations on its elements."""
        return isinstance(self.element, IntegerType | IndexType | AnyFloat)

    def start(self, rw: GreedyRewriter) -> None:
        """From here on, build before the operation, or the mask around it."""
        rw.before(self.root)
        rw.location = self.op.location

    def again(
        self,
        rw: GreedyRewriter,
        source: SSAValue,
        acc: SSAValue,
        reduced: Sequence[int],
        mask: SSAValue | None,
    ) -> SSAValue:
        """A multi-reduction of the same kind."""
        properties = {
            "kind": self.op.properties["kind"],
            "reduction_dims": DenseArrayBase.from_list(i64, list(reduced)),
        }
        return masked(rw, mask, _NAME, (source, acc), acc.type, properties)

    def combine(
        self, rw: GreedyRewriter, row: SSAValue, acc: SSAValue, mask: SSAValue | None
    ) -> SSAValue:
        """Two rows, or the second alone where the mask says so."""
        result = combine(rw, self.op.properties["kind"], row, acc)
        return chosen(rw, mask, result, acc)


def _cast(
    rw: GreedyRewriter, value: SSAValue, shape: Sequence[int], flags: Sequence[bool]
) -> SSAValue:
    ty = cast("VectorType", value.type)
    target = vector_type(ty.element_type, shape, flags)
    return rw.value("vector.shape_cast", (value,), target)


def _row(rw: GreedyRewriter, value: SSAValue | None, i: int) -> SSAValue | None:
    return None if value is None else extract(rw, value, i)


def nothing_reduced(op: Operation, rw: GreedyRewriter) -> bool:
    """Each element with what it is added to."""
    red = _Reduction(op)
    if red.reduced or not red.is_arithmetic:
        return False
    red.start(rw)
    rw.replace(red.root, [red.combine(rw, red.source, red.acc, red.mask)])
    return True


# --- the dimensions ------------------------------------------------------------------------------
def one_dim_to_two(op: Operation, rw: GreedyRewriter) -> bool:
    """A vector is the only row of a matrix."""
    red = _Reduction(op)
    if len(red.shape) != 1 or not red.reduced:
        return False
    red.start(rw)
    (length,) = red.shape
    flags = (False, *red.flags)
    source = _cast(rw, red.source, (1, length), flags)
    acc = broadcast(rw, red.acc, VectorType(red.element, [1]))
    mask = red.mask
    if mask is not None:
        mask_type = cast("VectorType", mask.type)
        mask = broadcast(rw, mask, vector_type(mask_type.element_type, (1, length), flags))
    result = red.again(rw, source, acc, (1,), mask)
    rw.replace(red.root, [extract(rw, result, 0)])
    return True


def _sort_dims(op: Operation, rw: GreedyRewriter, *, inner: bool) -> bool:
    """What is reduced becomes `inner`most, or outermost."""
    red = _Reduction(op)
    order = [*red.kept, *red.reduced] if inner else [*red.reduced, *red.kept]
    if not red.kept or order == sorted(order):
        return False
    red.start(rw)
    mask = None if red.mask is None else transpose(rw, red.mask, order)
    source = transpose(rw, red.source, order)
    first = len(red.kept) if inner else 0
    reduced = range(first, first + len(red.reduced))
    rw.replace(red.root, [red.again(rw, source, red.acc, reduced, mask)])
    return True


def _flatten(op: Operation, rw: GreedyRewriter, *, inner: bool) -> bool:
    """Dimensions that stay become one, and so do those that are reduced. At most one may be
    scalable: there is no size for the product of two."""
    red = _Reduction(op)
    rank, kept, reduced = len(red.shape), red.kept, red.reduced
    if rank < 2 or not reduced or list(red.flags).count(True) > 1:
        return False
    if rank == 2 and len(kept) == 1:
        return False
    first = 0 if inner else len(reduced)
    if kept != list(range(first, first + len(kept))):
        return False
    red.start(rw)
    groups = [kept, reduced] if inner else [reduced, kept]
    groups = [dims for dims in groups if dims]
    sizes = [prod(red.shape[d] for d in dims) for dims in groups]
    flags = [any(red.flags[d] for d in dims) for dims in groups]
    mask = None if red.mask is None else _cast(rw, red.mask, sizes, flags)
    source = _cast(rw, red.source, sizes, flags)
    acc = red.acc
    if kept:
        at = groups.index(kept)
        acc = _cast(rw, acc, [sizes[at]], [flags[at]])
    result = red.again(rw, source, acc, [groups.index(reduced)], mask)
    if kept:
        result = _cast(rw, result, [red.shape[d] for d in kept], [red.flags[d] for d in kept])
    rw.replace(red.root, [result])
    return True


# --- the rows ------------------------------------------------------------------------------------
def rows_reduced(op: Operation, rw: GreedyRewriter) -> bool:
    """A vector.reduction of each row of a matrix."""
    red = _Reduction(op)
    if len(red.shape) != 2 or red.reduced != [1] or red.flags[0]:
        return False
    red.start(rw)
    result = zeros(rw, op.results[0].type)
    properties = {"kind": op.properties["kind"]}
    for i in range(red.shape[0]):
        row, acc = extract(rw, red.source, i), extract(rw, red.acc, i)
        mask = _row(rw, red.mask, i)
        value = masked(rw, mask, "vector.reduction", (row, acc), red.element, properties)
        result = insert(rw, value, result, i)
    rw.replace(red.root, [result])
    return True


def rows_combined(op: Operation, rw: GreedyRewriter) -> bool:
    """The rows of a matrix combined with one another."""
    red = _Reduction(op)
    if len(red.shape) != 2 or red.reduced != [0] or red.flags[0] or not red.is_arithmetic:
        return False
    red.start(rw)
    result = red.acc
    for i in range(red.shape[0]):
        row = extract(rw, red.source, i)
        result = red.combine(rw, row, result, _row(rw, red.mask, i))
    rw.replace(red.root, [result])
    return True


def _sort_inner(op: Operation, rw: GreedyRewriter) -> bool:
    return _sort_dims(op, rw, inner=True)


def _sort_outer(op: Operation, rw: GreedyRewriter) -> bool:
    return _sort_dims(op, rw, inner=False)


def _flatten_inner(op: Operation, rw: GreedyRewriter) -> bool:
    return _flatten(op, rw, inner=True)


def _flatten_outer(op: Operation, rw: GreedyRewriter) -> bool:
    return _flatten(op, rw, inner=False)


def patterns(*, inner_reduction: bool) -> dict[str, tuple[Pattern, ...]]:
    """What reduces each row (`inner_reduction`), or combines the rows with one another."""
    if inner_reduction:
        steps = (_sort_inner, _flatten_inner, one_dim_to_two, rows_reduced)
    else:
        steps = (_sort_outer, _flatten_outer, one_dim_to_two, rows_combined)
    return {_NAME: (nothing_reduced, *steps)}


class LowerVectorMultiReduction(Pass):
    """Lowers multi-reductions to operations on rows."""

    name = "lower-vector-multi-reduction"
    summary = "Lower 'vector.multi_reduction' operations"
    anchor = "func.func"
    options = (
        Option(
            "lowering-strategy",
            str,
            "inner-parallel",
            "Select the strategy to control how multi_reduction is lowered.",
            ("inner-parallel", "inner-reduction"),
        ),
    )
    lowering_strategy: str

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns

        apply_patterns(op, patterns(inner_reduction=self.lowering_strategy == "inner-reduction"))


# --- scan ----------------------------------------------------------------------------------------
# vector.scan by operations on slices.
#
# Source: MLIR 22.1 LowerVectorScan.cpp.


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
