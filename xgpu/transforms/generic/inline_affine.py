# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which functions may be inlined where affine operations would see other values than before.

What is defined at the top of a function is a symbol there, and nothing in particular inside of a
loop. Source: MLIR 22.1 AffineInlinerInterface.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import BlockArgument, Operation, Region, SSAValue

from xgpu.core.ir.constants import is_constant_op
from xgpu.dialects.affine.maps import affine_scope, is_top_level, is_valid_dim, is_valid_symbol

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AffineMapAttr

#: Operations with one map, whose operands are those after the first so many.
_MAPPED = {
    "affine.apply": 0,
    "affine.load": 1,
    "affine.prefetch": 1,
    "affine.store": 2,
    "affine.vector_load": 1,
    "affine.vector_store": 2,
}
_DIMS = ("memref.dim", "tensor.dim")


def may_inline_into(call: Operation, body: Region, arguments: Sequence[SSAValue]) -> bool:
    """Whether affine operations at the top of `body` stay valid in the place of `call`, which is
    in an affine operation."""
    if len(body.blocks) != 1:
        return False
    scope = affine_scope(call)
    mapping = dict(zip(body.blocks[0].args, arguments, strict=True))
    for op in body.blocks[0].ops:
        if not op.name.startswith("affine."):
            continue
        first = _MAPPED.get(op.name)
        # Of others nobody knows here what their values are for.
        if first is None or not _stays_valid(op, op.operands[first:], body, scope, mapping):
            return False
    return True


def _stays_valid(
    op: Operation,
    operands: Sequence[SSAValue],
    body: Region,
    scope: Region | None,
    mapping: Mapping[BlockArgument, SSAValue],
) -> bool:
    dims = cast("AffineMapAttr", op.properties["map"]).data.num_dims
    for at, value in enumerate(operands):
        if not is_top_level(value, body):
            continue  # it is what it is for another reason, which comes along
        if isinstance(value, BlockArgument):
            is_valid = is_valid_dim if at < dims else is_valid_symbol
            if not is_valid(mapping[value], scope):
                return False
            continue
        owner = value.owner
        if isinstance(owner, Operation) and not is_constant_op(owner) and owner.name not in _DIMS:
            return False
    return True
