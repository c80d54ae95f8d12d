# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bases of affine.delinearize_index and affine.linearize_index: sizes, numbers or values.

Both may leave out the size of the outermost index. A padded basis has one entry for each index,
None for a size that is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, UnitAttr

from xgpu.dialects.slices import parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects import affine
    from xgpu.dialects.slices import Mixed

DELINEARIZE, LINEARIZE = "affine.delinearize_index", "affine.linearize_index"
#: A basis with an entry for each index.
Padded = list["int | SSAValue | None"]


def basis_of(op: affine.DelinearizeIndexOp | affine.LinearizeIndexOp) -> Mixed:
    """The sizes that the operation has."""
    values = iter(op.dynamic_basis)
    return [next(values) if n == DYNAMIC_INDEX else n for n in op.static_basis.get_values()]


def padded(basis: Mixed, indices: int) -> Padded:
    return [*([None] * (indices - len(basis))), *basis]


def _known(basis: Sequence[int | SSAValue | None]) -> Mixed:
    """The sizes of a padded basis; only the outermost may be left out."""
    return [size for size in basis if size is not None]


def delinearize(
    rw: Rewriter, index: SSAValue, basis: Sequence[int | SSAValue | None]
) -> list[SSAValue]:
    """The indices of `index` in a padded basis: one for each of its entries."""
    values, static = parts(_known(basis))
    kinds = [IndexType() for _ in basis]
    return list(rw.create(DELINEARIZE, [index, *values], kinds, {"static_basis": static}).results)


def linearize(
    rw: Rewriter,
    indices: Sequence[SSAValue],
    basis: Sequence[int | SSAValue | None],
    *,
    disjoint: bool,
) -> SSAValue:
    """The linear index of `indices` in a basis, padded or not."""
    values, static = parts(_known(basis))
    properties: dict[str, Attribute] = {"static_basis": static}
    if disjoint:
        properties["disjoint"] = UnitAttr()
    return rw.value(LINEARIZE, [list(indices), values], IndexType(), properties)


def is_disjoint(op: Operation) -> bool:
    return isinstance(op.properties.get("disjoint"), UnitAttr)


def linearized(value: SSAValue) -> affine.LinearizeIndexOp | None:
    """The operation that gives `value` as a linear index."""
    owner = cast("affine.LinearizeIndexOp", value.owner)
    return owner if getattr(owner, "name", None) == LINEARIZE else None


def delinearized(value: SSAValue) -> affine.DelinearizeIndexOp | None:
    """The operation of which `value` is an index."""
    owner = cast("affine.DelinearizeIndexOp", value.owner)
    return owner if getattr(owner, "name", None) == DELINEARIZE else None


def set_basis(op: Operation, first: Sequence[SSAValue], basis: Mixed) -> None:
    """Changes the basis in place; `first` are the operands before it."""
    values, static = parts(basis)
    op.operands = [*first, *values]
    op.properties["static_basis"] = static
    sizes = cast("DenseArrayBase[IntegerType] | None", op.properties.get("operandSegmentSizes"))
    if sizes is not None:
        new = [len(first), len(values)]
        op.properties["operandSegmentSizes"] = sizes.from_list(sizes.elt_type, new)
