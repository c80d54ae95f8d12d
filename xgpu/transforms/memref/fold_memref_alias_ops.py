# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`fold-memref-alias-ops`: accesses through subview, expand_shape and collapse_shape go to their
source.

    %v = memref.subview %m[%i, 4] [8, 8] [2, 1] : ...
    memref.load %v[%j, %k]
    =>
    memref.load %m[%i + %j * 2, %k + 4]

Also a subview of a subview becomes one. Source: MLIR 22.1 FoldMemRefAliasOps.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.ir.construction import defining
from xgpu.core.passes.base import Pass
from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import folded_apply
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.reshapes import groups_of
from xgpu.transforms.memref.result_sizes import (
    mixed,
    mixed_output_shape,
    segments,
    subview_dimensions,
)

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import affine, nvgpu
    from xgpu.transforms.vector.transfers import Transfer

#: Operations that access memory -> the operand that is the memref, and how many operands follow the
#: indices.
_ACCESSES = {
    "gpu.subgroup_mma_load_matrix": (0, 0),
    "gpu.subgroup_mma_store_matrix": (1, 0),
    "memref.load": (0, 0),
    "memref.store": (1, 0),
    "nvgpu.ldmatrix": (0, 0),
    "vector.load": (0, 0),
    "vector.maskedload": (0, 2),
    "vector.maskedstore": (0, 2),
    "vector.store": (1, 0),
}
_TRANSFERS = ("vector.transfer_read", "vector.transfer_write")
#: Of these each index is within its dimension; a vector may begin at an index that is not.
_SCALAR = frozenset({"memref.load", "memref.store"})
#: Operations that cannot do with indices into another shape.
_NEED_ROWS = frozenset(
    {"gpu.subgroup_mma_load_matrix", "gpu.subgroup_mma_store_matrix", "nvgpu.ldmatrix"}
)


def value_of(rw: GreedyRewriter, item: Mixed) -> SSAValue:
    if isinstance(item, SSAValue):
        return item
    ty = IndexType()
    return attribute_constant(rw, IntegerAttr(item, ty), ty)


def _view(value: SSAValue) -> Operation | None:
    return defining(value, "memref.subview", "memref.expand_shape", "memref.collapse_shape")


def _subview_parts(view: Operation) -> tuple[list[Mixed], list[Mixed], list[Mixed]]:
    """Offsets, sizes and strides."""
    _, offsets, sizes, _ = segments(view)
    return (
        mixed(view, "offsets", 1),
        mixed(view, "sizes", 1 + offsets),
        mixed(view, "strides", 1 + offsets + sizes),
    )


def source_indices(
    rw: GreedyRewriter, view: Operation, indices: Sequence[Mixed], *, inside: bool = False
) -> list[SSAValue] | None:
    """The indices into the source of `view` for indices into `view`.

    `inside`: whether each of them is within its dimension.
    """
    if view.name == "memref.subview":
        found = _through_subview(rw, view, indices)
    elif view.name == "memref.expand_shape":
        found = _through_expand(rw, view, indices, inside)
    else:
        found = _through_collapse(rw, view, indices)
    return None if found is None else [value_of(rw, item) for item in found]


def _through_subview(rw: GreedyRewriter, view: Operation, indices: Sequence[Mixed]) -> list[Mixed]:
    """offset + index * stride; dropped dimensions have the index zero."""
    offsets, sizes, strides = _subview_parts(view)
    rest = iter(indices)
    kept = set(subview_dimensions(view, sizes))
    expr = ap.affine.add(ap.symbol(0), ap.affine.mul(ap.symbol(1), ap.symbol(2)))
    result: list[Mixed] = []
    for i, (offset, stride) in enumerate(zip(offsets, strides, strict=True)):
        index = next(rest) if i in kept else 0
        result.append(value_of(rw, folded_apply(rw, expr, [offset, index, stride])))
    return result


def _basis(items: Sequence[Mixed]) -> tuple[list[SSAValue], DenseArrayBase[IntegerType]]:
    static = [DYNAMIC_INDEX if isinstance(item, SSAValue) else item for item in items]
    dynamic = [item for item in items if isinstance(item, SSAValue)]
    return dynamic, DenseArrayBase.from_list(i64, static)


def _through_expand(
    rw: GreedyRewriter, view: Operation, indices: Sequence[Mixed], inside: bool
) -> list[Mixed]:
    """The indices of a group are one index, row-major."""
    sizes = mixed_output_shape(view)
    result: list[Mixed] = []
    for group in groups_of(view):
        if len(group) == 1:
            result.append(indices[group[0]])
            continue
        dynamic, static = _basis([sizes[i] for i in group])
        operands = [[value_of(rw, indices[i]) for i in group], dynamic]
        properties: dict[str, Attribute] = {"static_basis": static}
        if inside:
            properties["disjoint"] = UnitAttr()
        linear = rw.create("affine.linearize_index", operands, (IndexType(),), properties)
        result.append(linear.results[0])
    return result


def _through_collapse(
    rw: GreedyRewriter, view: Operation, indices: Sequence[Mixed]
) -> list[Mixed] | None:
    """One index is the indices of a group."""
    source = cast("MemRefType", view.operands[0].type)
    shape = source.get_shape()
    groups = groups_of(view)
    if not groups:
        return [0 for _ in shape]
    result: list[Mixed] = []
    for index, group in zip(indices, groups, strict=True):
        if len(group) == 1:
            result.append(index)
            continue
        sizes: list[Mixed] = []
        for i in group:
            if shape[i] >= 0:
                sizes.append(shape[i])
            else:
                operands = (view.operands[0], value_of(rw, i))
                sizes.append(rw.value("memref.dim", operands, IndexType()))
        dynamic, static = _basis(sizes)
        split = cast(
            "affine.DelinearizeIndexOp",
            rw.create(
                "affine.delinearize_index",
                [value_of(rw, index), *dynamic],
                [IndexType() for _ in group],
                {"static_basis": static},
            ),
        )
        result.extend(split.results)
    return result


def fold_access(op: Operation, rw: GreedyRewriter) -> bool:
    """An operation with a memref and indices into it."""
    at, after = _ACCESSES[op.name]
    operands = list(op.operands)
    view = _view(operands[at])
    if view is None or (op.name in _NEED_ROWS and view.name != "memref.subview"):
        return False
    end = len(operands) - after
    rw.before(op)
    rw.location = op.location
    inside = op.name in _SCALAR
    indices = source_indices(rw, view, operands[at + 1 : end], inside=inside)
    if indices is None:
        return False
    new = rw.create(
        op.name,
        [*operands[:at], view.operands[0], *indices, *operands[end:]],
        [result.type for result in op.results],
        op.properties,
        op.attributes,
    )
    rw.replace(op, list(new.results))
    return True


def fold_transfer(op: Operation, rw: GreedyRewriter) -> bool:
    """A transfer that stays inside, through a subview without steps or an expand_shape."""
    from xgpu.transforms.vector.transfers import Transfer, create_read, create_write

    transfer = Transfer(op)
    view = _view(transfer.base)
    if view is None or transfer.has_out_of_bounds_dim():
        return False
    parent = op.parent_op()
    if parent is not None and parent.name == "vector.mask":
        return False
    if view.name == "memref.subview":
        the_map = _map_through_subview(view, transfer)
    elif view.name == "memref.expand_shape" and transfer.is_read:
        the_map = _map_through_expand(view, transfer)
    else:
        return False
    if the_map is None:
        return False
    rw.before(op)
    rw.location = op.location
    indices = source_indices(rw, view, transfer.indices)
    assert indices is not None
    base, inside = view.operands[0], transfer.in_bounds
    if transfer.is_read:
        assert transfer.padding is not None
        value = create_read(
            rw,
            transfer.vector_type,
            base,
            indices,
            transfer.padding,
            the_map,
            inside,
            transfer.mask,
        )
        rw.replace(op, [value])
    else:
        write = create_write(rw, transfer.vector, base, indices, the_map, inside, transfer.mask)
        rw.replace(op, list(write.results))
    return True


def _map_through_subview(view: Operation, transfer: Transfer) -> AffineMap | None:
    """The permutation map for the source of a subview; None if the subview has steps."""
    _, sizes, strides = _subview_parts(view)
    if any(stride != 1 for stride in strides):
        return None
    kept = subview_dimensions(view, sizes)
    results: list[AffineExpr] = [
        AffineDimExpr(kept[e.position]) if isinstance(e, AffineDimExpr) else e
        for e in transfer.map.results
    ]
    return AffineMap(len(sizes), 0, tuple(results))


def _map_through_expand(view: Operation, transfer: Transfer) -> AffineMap | None:
    """The permutation map for the source of an expand_shape, of the last dimensions alone.

    A step along one of these has to be a step along a dimension of the source: so only the first of
    them may be the last part of a dimension.
    """
    groups = groups_of(view)
    rank, count = len(transfer.indices), len(transfer.map.results)
    if count > len(groups) or transfer.map != _last_dims(rank, count):
        return None
    if any(len(group) > 1 for group in groups[len(groups) - count + 1 :]):
        return None
    return _last_dims(len(groups), count)


def _last_dims(rank: int, count: int) -> AffineMap:
    dims = [AffineDimExpr(dim) for dim in range(rank - count, rank)]
    return AffineMap(rank, 0, tuple(dims))


def fold_async_copy(op: nvgpu.DeviceAsyncCopyOp, rw: GreedyRewriter) -> bool:
    """nvgpu.device_async_copy: the target and the source."""
    target, to, source, start, size = (list(op.operand_group(i)) for i in range(5))
    changed = False
    rw.before(op)
    rw.location = op.location
    for memref, indices in ((source, start), (target, to)):
        view = _view(memref[0])
        if view is not None and view.name == "memref.subview":
            indices[:] = source_indices(rw, view, indices) or []
            memref[0] = view.operands[0]
            changed = True
    if not changed:
        return False
    properties = {
        k: v
        for k, v in cast("dict[str, Attribute]", op.properties).items()
        if k != "operandSegmentSizes"
    }
    new = rw.create(
        op.name,
        [target, to, source, start, size],
        [result.type for result in op.results],
        properties,
        op.attributes,
    )
    rw.replace(op, list(new.results))
    return True


def fold_subview(op: Operation, rw: GreedyRewriter) -> bool:
    """A subview of a subview is one of the source."""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation) or inner.name != "memref.subview":
        return False
    offsets, sizes, strides = _subview_parts(op)
    inner_offsets, inner_sizes, inner_strides = _subview_parts(inner)
    kept = subview_dimensions(inner, inner_sizes)
    rw.before(op)
    rw.location = op.location
    shift = ap.affine.add(ap.symbol(0), ap.affine.mul(ap.symbol(1), ap.symbol(2)))
    product = ap.affine.mul(ap.symbol(0), ap.symbol(1))
    new: tuple[list[Mixed], list[Mixed], list[Mixed]] = ([], [], [])
    for i, (offset, stride) in enumerate(zip(inner_offsets, inner_strides, strict=True)):
        if i not in kept:
            new[0].append(offset)
            new[1].append(1)
            new[2].append(1)
            continue
        at = kept.index(i)
        new[0].append(folded_apply(rw, shift, [offset, offsets[at], stride]))
        new[1].append(sizes[at])
        new[2].append(folded_apply(rw, product, [strides[at], stride]))
    groups: list[SSAValue | list[SSAValue]] = [inner.operands[0]]
    properties: dict[str, Attribute] = {}
    for name, items in zip(("offsets", "sizes", "strides"), new, strict=True):
        dynamic, static = _basis(items)
        groups.append(dynamic)
        properties[f"static_{name}"] = static
    rw.replace(op, [rw.create(op.name, groups, (op.results[0].type,), properties).results[0]])
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **dict.fromkeys(_ACCESSES, (fold_access,)),
    **dict.fromkeys(_TRANSFERS, (fold_transfer,)),
    "memref.subview": (fold_subview,),
    "nvgpu.device_async_copy": (fold_async_copy,),
}


class FoldMemRefAliasOpsPass(Pass):
    """Folds memref alias operations into the operations that use them."""

    name = "fold-memref-alias-ops"
    summary = "Fold memref alias ops into consumer load/store ops"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns

        apply_patterns(op, PATTERNS)
