# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which values may be dimensions and symbols of affine operations.

A symbol is a value that is fixed in its affine scope (a function, usually): defined at the top of
the scope, a constant, or what a pure operation makes of symbols. A dimension is a symbol, the
induction variable of an affine loop, or an affine expression of dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir.errors import op_error
from xgpu.core.ods.registry import op_spec

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr, MemRefType


_LOOPS = frozenset(("affine.for", "affine.parallel"))
_EXPRESSIONS = frozenset(("affine.apply", "affine.delinearize_index", "affine.linearize_index"))
_DIMS = frozenset(("memref.dim", "tensor.dim"))


def _has_trait(op: Operation, name: str) -> bool:
    if op.name == "builtin.module":
        return name in ("AffineScope", "IsolatedFromAbove")
    spec = op_spec(op.name)
    return spec is not None and name in spec.traits


def affine_scope(op: Operation) -> Region | None:
    """The region of the nearest operation that is an affine scope."""
    current = op
    while True:
        region = current.parent_region()
        parent = current.parent_op()
        if parent is None or _has_trait(parent, "AffineScope"):
            return region if parent is not None else None
        current = parent


def _defining_op(value: SSAValue) -> Operation | None:
    return None if isinstance(value.owner, Block) else value.owner


def _region_of(value: SSAValue) -> Region | None:
    owner = value.owner
    return owner.parent if isinstance(owner, Block) else owner.parent_region()


def is_top_level(value: SSAValue, region: Region | None = None) -> bool:
    """Whether `value` is defined directly in `region`, or in that of an affine scope."""
    own = _region_of(value)
    if region is not None:
        return own is region
    return own is not None and own.parent is not None and _has_trait(own.parent, "AffineScope")


def is_valid_dim(value: SSAValue, region: Region | None) -> bool:
    """Whether `value` may be a dimension in the affine scope `region`."""
    if value.type.name != "index":
        return False
    if is_valid_symbol(value, region):
        return True
    op = _defining_op(value)
    if op is None:
        parent = value.owner.parent_op()
        return parent is not None and parent.name in _LOOPS
    if op.name in _EXPRESSIONS:
        return all(is_valid_dim(operand, region) for operand in op.operands)
    if op.name in _DIMS:
        return is_top_level(op.operands[0])
    return False


def is_valid_symbol(value: SSAValue, region: Region | None) -> bool:
    """Whether `value` may be a symbol in the affine scope `region`."""
    if value.type.name != "index":
        return False
    if region is not None and is_top_level(value, region):
        return True
    op = _defining_op(value)
    if op is not None:
        spec = op_spec(op.name)
        if spec is not None and "ConstantLike" in spec.traits:
            return True
        if op.name in _EXPRESSIONS:
            return all(is_valid_symbol(operand, region) for operand in op.operands)
        if op.name in _DIMS:
            return _is_dim_symbol(op, region)
        if (
            spec is not None
            and "Pure" in spec.traits
            and all(is_valid_symbol(operand, region) for operand in op.operands)
        ):
            return True
    parent = None if region is None else region.parent
    if parent is not None and not _has_trait(parent, "IsolatedFromAbove"):
        return is_valid_symbol(value, parent.parent_region())
    return False


def _is_dim_symbol(op: Operation, region: Region | None) -> bool:
    shaped = op.operands[0]
    if is_top_level(shaped):
        return True
    source = _defining_op(shaped)
    index = _defining_op(op.operands[1])
    if source is None or index is None or index.name != "arith.constant":
        return False
    number = cast("IntegerAttr", index.properties["value"]).value.data
    if source.name not in ("memref.alloc", "memref.alloca", "memref.view", "memref.subview"):
        return False
    shape = cast("MemRefType", source.results[0].type)
    sizes = shape.get_shape()
    if not 0 <= number < len(sizes):
        return False
    if sizes[number] >= 0:
        return True
    place = sum(1 for size in sizes[:number] if size < 0)
    spec = op_spec(source.name)
    names = [field.name for field in spec.operands] if spec is not None else []
    group = next((i for i, n in enumerate(names) if n in ("dynamicSizes", "sizes")), None)
    if group is None:
        return False
    values = source.operand_group(group)  # pyright: ignore[reportAttributeAccessIssue]
    return place < len(values) and is_valid_symbol(values[place], region)


def verify_dims_and_symbols(op: Operation, operands: Sequence[SSAValue], num_dims: int) -> None:
    """The operands of a map may be the dimensions and symbols that they are."""
    scope = affine_scope(op)
    for index, operand in enumerate(operands):
        if index < num_dims:
            if not is_valid_dim(operand, scope):
                raise op_error(op, "operand cannot be used as a dimension id")
        elif not is_valid_symbol(operand, scope):
            raise op_error(op, "operand cannot be used as a symbol")
