# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The type that a memref with a layout map has when the map is taken into its shape.

    memref<16x14xf32, affine_map<(i, j) -> (i, j floordiv 4, j mod 4)>>  ->  memref<16x4x4xf32>

Sizes are the largest index of each result and one. Where a size is not known only tiles can be
taken in: a quotient and a remainder by one number. Source: MLIR 22.1 Affine/Utils/Utils.cpp.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir.affine import AffineBinaryOpExpr, AffineConstantExpr, AffineDimExpr, AffineExpr

from xgpu.analysis.linear import Form, LinearSystem, combine, constant_bound, of_variable
from xgpu.core.ir.affine import FLOORDIV, MOD, ceildiv
from xgpu.dialects.memref.layout import has_identity_layout, layout_map

if TYPE_CHECKING:
    from xdsl.ir import Attribute
    from xdsl.ir.affine import AffineBinaryOpKind, AffineMap

    MemRef = MemRefType[Attribute]


def tiles(of: AffineMap) -> dict[int, int]:
    """By result that is a quotient, the result that is its remainder; none if one lacks it, or what
    is divided is used in another way."""
    found: dict[int, int] = {}
    for place, expr in enumerate(of.results):
        quotient = _by_number(expr, FLOORDIV)
        if quotient is None:
            continue
        for other, result in enumerate(of.results):
            uses = sum(part == quotient.lhs for part in result.dfs()) if other != place else 0
            if not uses:
                continue
            rest = _by_number(result, MOD)
            if rest is None or (rest.lhs, rest.rhs) != (quotient.lhs, quotient.rhs):
                return {}
            if uses > 1 or place in found:
                return {}
            found[place] = other
    return found


def _by_number(expr: AffineExpr, kind: AffineBinaryOpKind) -> AffineBinaryOpExpr | None:
    """The expression, if it is of that kind and its right side is a number."""
    if not isinstance(expr, AffineBinaryOpExpr) or expr.kind is not kind:
        return None
    return expr if isinstance(expr.rhs, AffineConstantExpr) else None


def size_expression(of: AffineMap, result: int) -> AffineExpr:
    """The size of a result in terms of the sizes of the dimensions: for quotients rounded up, for
    remainders the divisor."""
    expr = of.results[result]
    pairs = tiles(of)
    if result in pairs and isinstance(expr, AffineBinaryOpExpr):
        return ceildiv(expr.lhs, expr.rhs)
    if result in pairs.values() and isinstance(expr, AffineBinaryOpExpr):
        return expr.rhs
    return expr


def normalized_type(kind: MemRef) -> MemRef:
    """The type without a layout; the same one if it has none, or it cannot be taken in."""
    shape = kind.get_shape()
    if not shape or has_identity_layout(kind):
        return kind
    of = layout_map(kind)
    if any(size < 0 for size in shape) and not tiles(of):
        return kind
    sizes = _sizes(of, shape)
    if sizes is None:
        return kind
    return MemRefType(kind.element_type, sizes, NoneAttr(), kind.memory_space)


def _sizes(of: AffineMap, shape: Collection[int]) -> list[int] | None:
    """The sizes of the results; None if one has no bound, or is below zero."""
    system = LinearSystem()
    dims: list[Form] = [of_variable(("dimension", i)) for i in range(of.num_dims)]
    symbols: list[Form] = [of_variable(("symbol", i)) for i in range(of.num_symbols)]
    unknown: set[int] = set()
    for i, size in enumerate(shape):
        if size <= 0:
            unknown.add(i)
            continue
        system.at_least(dims[i], {None: 0})
        system.at_least({None: size - 1}, dims[i])
    forms = [system.expression(expr, dims, symbols) for expr in of.results]
    sizes: list[int] = []
    for expr, form in zip(of.results, forms, strict=True):
        if form is None:
            return None
        if any(isinstance(e, AffineDimExpr) and e.position in unknown for e in expr.dfs()):
            sizes.append(DYNAMIC_INDEX)
            continue
        result = ("result", len(sizes))
        row = combine(form, of_variable(result), times=-1)
        last = constant_bound([*system.rows, row], result, upper=True)
        if last is None or last < 0:
            return None
        sizes.append(last + 1)
    return sizes
