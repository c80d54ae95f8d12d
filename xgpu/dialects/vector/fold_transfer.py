# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of transfers: what is known to be in bounds, and casts of memory that say less."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, BoolAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr

from xgpu.dialects.memref.casts import fold_all_casts
from xgpu.ir.constants import int_value

Constants = list[Attribute | None]


def _mark_in_bounds(op: Any, first: int, vector: Any, constants: Constants) -> bool:
    """Sets `in_bounds` where constant indices and static sizes show it."""
    results = op.properties["permutation_map"].data.results
    if not results:
        return False
    old = [bool(flag.value.data) for flag in op.properties["in_bounds"].data]
    memory: Any = op.operands[first].type
    shape, sizes = memory.get_shape(), vector.get_shape()
    new = list(old)
    plain: list[int] = []
    for dim, expr in enumerate(results):
        if not isinstance(expr, AffineDimExpr):
            continue
        plain.append(dim)
        at = expr.position
        start = int_value(constants[first + 1 + at])
        if not old[dim] and start is not None and shape[at] != DYNAMIC_INDEX:
            new[dim] = start >= 0 and start + sizes[dim] <= shape[at]
    # A broadcast reads what the other dimensions read.
    if all(new[dim] for dim in plain):
        new = [True] * len(new)
    if new == old:
        return False
    op.properties["in_bounds"] = ArrayAttr([BoolAttr.from_bool(flag) for flag in new])
    return True


def fold_transfer(op: Any, constants: Constants) -> bool | None:
    """Folds a `vector.transfer_read` or `vector.transfer_write` in place."""
    read = op.name == "vector.transfer_read"
    vector = op.results[0].type if read else op.operands[0].type
    if _mark_in_bounds(op, 0 if read else 1, vector, constants):
        return True
    return fold_all_casts(op, constants)
