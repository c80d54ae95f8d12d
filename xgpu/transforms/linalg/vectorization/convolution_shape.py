# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which structured operations are convolutions, and which of these have a form on vectors.

A convolution reads its input at sums of two loops, one of which the output walks along and one the
filter. Source: MLIR 22.1 LinalgInterfaces.cpp (isConvolutionInterfaceImpl), Vectorization.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.linalg import ops
from xgpu.transforms.linalg.vectorization import maps, reductions

#: A dimension and what it is multiplied with.
Term = tuple[int, int]


def _term(expr: AffineExpr) -> Term | None:
    if isinstance(expr, AffineDimExpr):
        return expr.position, 1
    if not isinstance(expr, AffineBinaryOpExpr) or expr.kind is not AffineBinaryOpKind.Mul:
        return None
    if not isinstance(expr.lhs, AffineDimExpr) or not isinstance(expr.rhs, AffineConstantExpr):
        return None
    return expr.lhs.position, expr.rhs.value


def _window(expr: AffineExpr) -> tuple[Term, Term] | None:
    """The two terms of a sum."""
    if not isinstance(expr, AffineBinaryOpExpr) or expr.kind is not AffineBinaryOpKind.Add:
        return None
    left, right = _term(expr.lhs), _term(expr.rhs)
    return None if left is None or right is None else (left, right)


def _input_dims(map_: AffineMap) -> tuple[set[int], set[int]] | None:
    """The dimensions that the input has alone, and those that it has in sums."""
    alone: set[int] = set()
    summed: set[int] = set()
    for result in map_.results:
        if isinstance(result, AffineDimExpr):
            if result.position in alone | summed:
                return None
            alone.add(result.position)
            continue
        window = _window(result)
        if window is None or any(dim in alone | summed for dim, _ in window):
            return None
        summed.update(dim for dim, _ in window)
    return alone, summed


def is_convolution(op: Operation) -> bool:
    """Whether each loop is one that a convolution has."""
    indexing = ops.indexing_maps(op)
    if len(ops.inputs(op)) < 2 or len(ops.outputs(op)) != 1:
        return False
    found = _input_dims(indexing[0])
    if found is None or not found[1]:
        return False
    alone, summed = found
    if not all(maps.is_projected_permutation(m) for m in (indexing[1], indexing[-1])):
        return False
    filters, outputs = (set(maps.dim_positions(m)) for m in (indexing[1], indexing[-1]))
    for dim, kind in enumerate(ops.iterator_types(op)):
        if dim in outputs:
            # Batches and places are not the filter's, channels of the output not the input's;
            # what all have is a depth.
            fits = kind == ops.PARALLEL and (dim in alone or (dim in summed) != (dim in filters))
        else:
            fits = kind == ops.REDUCTION and dim in filters and dim in alone | summed
        if not fits:
            return False
    return True


@dataclass(frozen=True)
class Form:
    """A convolution of one dimension that vectors can do."""

    #: "W": only places; "NWC", "NCW": batches, places and channels in this order.
    order: str
    pooling: bool
    depthwise: bool
    stride: int
    dilation: int
    #: What combines an iteration with the output, and what extends the input of a pooling.
    combiner: Operation
    extension: Operation | None


#: Order of the layouts: iterators, then for input, filter and output the loops; w stands for the
#: sum of the output's and the filter's place.
_LAYOUTS: tuple[tuple[str, bool, bool, str, str, str, str, str], ...] = (
    ("W", False, False, "wk", "pr", "w", "k", "w"),
    ("NWC", False, False, "nwfkc", "ppprr", "nwc", "kcf", "nwf"),
    ("NCW", False, False, "nfwck", "ppprr", "ncw", "fck", "nfw"),
    ("NWC", True, False, "nwck", "pppr", "nwc", "k", "nwc"),
    ("NCW", True, False, "ncwk", "pppr", "ncw", "k", "ncw"),
    ("NWC", False, True, "nwck", "pppr", "nwc", "kc", "nwc"),
)


def _letters(map_: AffineMap, names: str) -> str | None:
    """The loops of the results; a sum of w and k counts as w."""
    text = ""
    for result in map_.results:
        if isinstance(result, AffineDimExpr):
            text += names[result.position]
            continue
        window = _window(result)
        if window is None or "".join(names[dim] for dim, _ in window) != "wk":
            return None
        text += "w"
    return text


def form_of(op: Operation) -> Form | None:
    """The form that `op` has, or None."""
    combiner = reductions.combiner(op, 0)
    kind = reductions.kind_of(combiner)
    if combiner is None or kind is None:
        return None
    body = _body_kind(combiner)
    if body is None:
        return None
    pooling, extension = body
    if (pooling and kind not in _POOLINGS) or (not pooling and kind not in ("add", "or")):
        return None
    indexing = ops.indexing_maps(op)
    iterators = "".join(it[0] for it in ops.iterator_types(op))
    for order, is_pool, depthwise, names, kinds, *layout in _LAYOUTS:
        if is_pool != pooling or kinds != iterators:
            continue
        if [_letters(m, names) for m in indexing] != layout:
            continue
        terms = next(w for w in map(_window, indexing[0].results) if w is not None)
        stride, dilation = terms[0][1], terms[1][1]
        if order == "W" and (stride, dilation) != (1, 1):
            return None
        return Form(order, pooling, depthwise, stride, dilation, combiner, extension)
    return None


_POOLINGS = frozenset(
    (
        "add",
        "maximumf",
        "maxnumf",
        "maxsi",
        "maxui",
        "minimumf",
        "minnumf",
        "minsi",
        "minui",
    )
)


def _is_argument_or_cast(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) or _cast_of_argument(value) is not None


def _cast_of_argument(value: SSAValue) -> Operation | None:
    op = value.owner
    if not isinstance(op, Operation) or "CastOpInterface" not in traits_of(op.name):
        return None
    return op if isinstance(op.operands[0], BlockArgument) else None


def _body_kind(combiner: Operation) -> tuple[bool, Operation | None] | None:
    """Whether the body is a pooling's, and what extends its input; None for other bodies."""
    computed: Sequence[SSAValue] = [
        v for v in combiner.operands if not isinstance(v, BlockArgument)
    ]
    if not computed:
        return True, None
    if len(computed) != 1:
        return None
    extension = _cast_of_argument(computed[0])
    if extension is not None:
        return True, extension
    product = computed[0].owner
    if not isinstance(product, Operation) or product.name not in _PRODUCTS:
        return None
    return (False, None) if all(_is_argument_or_cast(v) for v in product.operands) else None


_PRODUCTS = ("arith.andi", "arith.mulf", "arith.muli")
