# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Putting a memref in the place of another one that has its elements elsewhere.

Accesses get new indices: a map of the old ones. Source: MLIR 22.1 Affine/Utils/Utils.cpp
(replaceAllMemRefUsesWith).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.affine.maps import affine_scope, is_valid_dim
from xgpu.dialects.affine.simplify import fully_canonical

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

#: Accesses: the place of the memref among the operands; its indices are behind it.
_AFFINE = {
    "affine.load": 0,
    "affine.prefetch": 0,
    "affine.store": 1,
    "affine.vector_load": 0,
    "affine.vector_store": 1,
}
_PLAIN = {"memref.load": 0, "memref.store": 1}


def can_replace(old: SSAValue) -> bool:
    """Whether all users of a memref can have another one in its place."""
    return all(_can_change(use.operation, use.index) for use in old.uses)


def _can_change(user: Operation, place: int) -> bool:
    if user.name in _AFFINE:
        return place == _AFFINE[user.name]
    if user.name in _PLAIN:
        indices = user.operands[_PLAIN[user.name] + 1 :]
        scope = affine_scope(user)
        return place == _PLAIN[user.name] and all(is_valid_dim(i, scope) for i in indices)
    if user.name.startswith("affine.dma_"):
        return False
    return "MemRefsNormalizable" in traits_of(user.name)


def replace_memref(
    old: SSAValue, new: SSAValue, remap: AffineMap, symbols: Sequence[SSAValue] = ()
) -> None:
    """Lets the users of `old`, which `can_replace`, use `new`, whose element at `remap` of an index
    is the one that `old` has there."""
    for user in dict.fromkeys(use.operation for use in old.uses):
        if user.name in _AFFINE:
            _change_affine(user, new, remap, symbols)
        elif user.name in _PLAIN:
            _change_plain(user, new, remap, symbols)
        else:
            user.operands = [new if value is old else value for value in user.operands]


def _apply(rw: Rewriter, of: AffineMap, values: Sequence[SSAValue]) -> list[SSAValue]:
    """An affine.apply for each result."""
    made: list[SSAValue] = []
    for expr in of.results:
        single = AffineMapAttr(AffineMap(of.num_dims, of.num_symbols, (expr,)))
        made.append(rw.value("affine.apply", values, IndexType(), {"map": single}))
    return made


def _remapped(
    rw: Rewriter, steps: Sequence[tuple[AffineMap, Sequence[SSAValue]]], values: list[SSAValue]
) -> tuple[AffineMap, list[SSAValue]]:
    """One map of what maps after each other, the later ones with more operands, make of values."""
    made: list[SSAValue] = []
    for of, more in steps:
        values = _apply(rw, of, [*values, *more])
        made += values
    identity = AffineMap(len(values), 0, tuple(AffineDimExpr(i) for i in range(len(values))))
    result, operands = fully_canonical(identity, values)
    for value in made:  # those that the next ones use stay, as in MLIR
        if value.first_use is None and isinstance(value.owner, Operation):
            rw.erase(value.owner)
    return result, operands


def _change_affine(
    user: Operation, new: SSAValue, remap: AffineMap, symbols: Sequence[SSAValue]
) -> None:
    at = _AFFINE[user.name]
    own = cast("AffineMapAttr", user.properties["map"]).data
    count = own.num_dims + own.num_symbols
    operands = list(user.operands)
    indices = operands[at + 1 : at + 1 + count]
    is_identity = own == AffineMap.identity(own.num_dims) and not own.num_symbols
    first = [] if is_identity else [(own, ())]
    result, values = _remapped(Rewriter(user), [*first, (remap, symbols)], indices)
    user.properties["map"] = AffineMapAttr(result)
    user.operands = [*operands[:at], new, *values, *operands[at + 1 + count :]]


def _change_plain(
    user: Operation, new: SSAValue, remap: AffineMap, symbols: Sequence[SSAValue]
) -> None:
    at = _PLAIN[user.name]
    operands = list(user.operands)
    rw = Rewriter(user)
    result, values = _remapped(rw, [(remap, symbols)], operands[at + 1 :])
    user.operands = [*operands[:at], new, *_apply(rw, result, values)]
