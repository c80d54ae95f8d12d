# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads of constant globals."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType
from xdsl.ir.affine import AffineConstantExpr

from xgpu.core.ir.constants import make
from xgpu.core.ir.dense_parts import element_at, is_dense
from xgpu.core.ir.elements import element_size, is_splat, unpack
from xgpu.dialects.func.verify import lookup_symbol

if TYPE_CHECKING:
    from xdsl.dialects.builtin import SymbolRefAttr
    from xdsl.ir import Attribute, Operation

    from xgpu.dialects import affine, memref


def constant_loaded(op: affine.LoadOp) -> Attribute | None:
    """What an affine.load of a memref.get_global reads, if it is an element of a constant."""
    made = cast("Operation", op.memref.owner)
    found = lookup_symbol(made, cast("SymbolRefAttr", made.properties["name"]))
    if found is None or found.name != "memref.global":
        return None
    shared = cast("memref.GlobalOp", found)
    elements = shared.initial_value if shared.constant is not None else None
    if not is_dense(elements):
        return None
    kind = op.results[0].type
    size = element_size(kind)
    data: bytes = elements.data.data
    if len(data) and is_splat(data, size):
        return _scalar(kind, data[:size])
    exprs = op.map.data.results
    places = [expr.value for expr in exprs if isinstance(expr, AffineConstantExpr)]
    if len(places) != len(exprs):
        return None
    element = element_at(elements, places)
    return _scalar(kind, element) if element else None


def _scalar(kind: Attribute, data: bytes) -> Attribute | None:
    """A constant of an integer or floating point type."""
    if not isinstance(kind, IntegerType | IndexType | AnyFloat):
        return None
    (value,) = unpack(data, kind)
    return make(kind, value)
