# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the memref dialect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from xgpu.core.ir.constants import int_value
from xgpu.core.ir.construction import replace_all_uses
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import memref
from xgpu.dialects.interfaces import Constants, Folded, Folder
from xgpu.dialects.memref_layout import (
    fold_all_casts,
    fold_cast_operands,
    forgets,
    known_description,
    static,
    strides_and_offset,
    times,
    uncast,
)
from xgpu.dialects.reshapes import fold_reshape


def _defining(value: SSAValue, *names: str) -> Operation | None:
    op = value.owner
    return op if isinstance(op, Operation) and op.name in names else None


def index(value: int) -> Attribute:
    return IntegerAttr(value, IndexType())


def dynamic_position(shape: Sequence[int], dim: int) -> int:
    """How many dynamic sizes stand before dimension `dim`."""
    return sum(1 for size in list(shape)[:dim] if size == DYNAMIC_INDEX)


def _dim(op: Operation, constants: Constants) -> Folded:
    source = op.operands[0]
    dim = int_value(constants[1])
    kind = source.type
    if isinstance(kind, MemRefType) and dim is not None:
        shape = list(kind.get_shape())
        if not 0 <= dim < len(shape):
            return None
        if shape[dim] != DYNAMIC_INDEX:
            return [index(shape[dim])]
        found = _size_operand(source, shape, dim)
        if found is not None:
            return [found]
    return fold_all_casts(op, constants)


def _size_operand(source: SSAValue, shape: list[int], dim: int) -> SSAValue | Attribute | None:
    """The value that gave dimension `dim` its dynamic size, where the operation says it."""
    maker = source.owner
    if not isinstance(maker, Operation):
        return None
    if maker.name in ("memref.alloc", "memref.alloca", "gpu.alloc"):
        sizes = maker.dynamic_sizes  # type: ignore[attr-defined]
        return sizes[dynamic_position(shape, dim)]
    if maker.name == "memref.view":
        return maker.sizes[dynamic_position(shape, dim)]  # type: ignore[attr-defined]
    if maker.name == "memref.subview":
        return _subview_size(cast("memref.SubviewOp", maker), dim)
    return None


def _subview_size(subview: memref.SubviewOp, dim: int) -> SSAValue | Attribute | None:
    """The size of a dimension of a subview's result, dropped dimensions left out."""
    dropped = dropped_dims(subview)
    if dropped is None:
        return None
    sizes = list(subview.properties["static_sizes"].get_values())
    kept = [d for d in range(len(sizes)) if d not in dropped]
    at = kept[dim]
    if sizes[at] != DYNAMIC_INDEX:
        return index(sizes[at])
    return subview.sizes[dynamic_position(sizes, at)]


def dropped_dims(op: Operation) -> set[int] | None:
    """The dimensions of size 1 that a subview's result leaves out; None if that is not clear.

    Where there are more of size 1 than are left out, those go whose strides the result lacks, and
    of equal strides the first ones (MLIR's computeMemRefRankReductionMask).
    """
    subview = cast("memref.SubviewOp", op)
    source, result = subview.source.type, subview.result.type
    sizes = _static(subview, "sizes")
    count = len(sizes) - len(result.get_shape())
    units = [d for d, size in enumerate(sizes) if size == 1]
    if count == 0:
        return set()
    if len(units) == count:
        return set(units)
    mine, theirs = strides_and_offset(source), strides_and_offset(result)
    if mine is None or theirs is None:
        return None
    steps = _static(subview, "strides")
    stepped = [times(a, static(b)) for a, b in zip(mine[0], steps, strict=True)]
    # MLIR asks for the source's strides alone, which finds nothing where a step changes one.
    found = _without_strides(units, mine[0], theirs[0])
    if found is None or len(found) != count:
        found = _without_strides(units, stepped, theirs[0])
    return found if found is not None and len(found) == count else None


def _without_strides(
    units: list[int], strides: list[int | None], kept: list[int | None]
) -> set[int] | None:
    """The dimensions among `units` whose strides are not in `kept`, as often as they are there."""
    left, wanted = Counter(strides), Counter(kept)
    dropped: set[int] = set()
    for dim in units:
        stride = strides[dim]
        if left[stride] < wanted[stride]:
            return None
        if left[stride] > wanted[stride]:
            left[stride] -= 1
            dropped.add(dim)
    return dropped


def _cast(op: Operation, constants: Constants) -> Folded:
    source = op.operands[0]
    if source.type == op.results[0].type:
        return [source]
    return fold_all_casts(op, constants)


def _memory_space_cast(op: Operation, constants: Constants) -> Folded:
    if op.operands[0].type == op.results[0].type:
        return [op.operands[0]]
    inner = _defining(op.operands[0], op.name)
    if inner is None:
        return None
    op.operands[0] = inner.operands[0]
    return True


def _rank(op: Operation, constants: Constants) -> Folded:
    kind = op.operands[0].type
    return [index(len(kind.get_shape()))] if isinstance(kind, MemRefType) else None


def _store(op: Operation, constants: Constants) -> Folded:
    return fold_cast_operands("memref")(op, constants)


def _static(op: Operation, name: str) -> list[int]:
    return list(cast("DenseArrayBase[IntegerType]", op.properties[f"static_{name}"]).get_values())


def _subview(op: memref.SubviewOp, constants: Constants) -> Folded:
    source = op.operands[0]
    kind = source.type
    result: MemRefType = op.results[0].type
    offsets, sizes, strides = (_static(op, n) for n in ("offsets", "sizes", "strides"))
    if (
        kind == result
        and DYNAMIC_INDEX not in result.get_shape()
        and not any(offsets)
        and all(s == 1 for s in strides)
        and DYNAMIC_INDEX not in offsets
    ):
        return [source]
    # A subview of a subview from the start, with the same sizes, is that subview.
    before = cast("memref.SubviewOp | None", _defining(source, "memref.subview"))
    if before is None or kind != result or any(o != 0 for o in offsets):
        return None
    if any(s != 1 for s in strides) or sizes != _static(before, "sizes"):
        return None
    if list(op.sizes) == list(before.sizes):
        return [source]
    return None


def _reinterpret_cast(op: Operation, constants: Constants) -> Folded:
    """A reinterpret_cast of a view that only changes offset, sizes and strides looks through it."""
    source = op.operands[0]
    before = _defining(source, "memref.reinterpret_cast", "memref.cast")
    if before is not None:
        op.operands[0] = before.operands[0]
        return True
    subview = _defining(source, "memref.subview")
    if subview is not None and not any(o != 0 for o in _static(subview, "offsets")):
        op.operands[0] = subview.operands[0]
        return True
    if (
        source.type == op.results[0].type
        and _static(op, "offsets") == [0]
        and (DYNAMIC_INDEX not in _static(op, "sizes") + _static(op, "strides"))
    ):
        return [source]
    return None


def _transpose(op: Operation, constants: Constants) -> Folded:
    attr = cast("AffineMapAttr", op.properties["permutation"])
    inner = _defining(op.operands[0], "memref.transpose")
    identity = attr.data == AffineMap.identity(attr.data.num_dims)
    if identity and op.operands[0].type == op.results[0].type:
        return [op.operands[0]]
    if inner is None:
        return None
    op.properties["permutation"] = AffineMapAttr(
        attr.data.compose(cast("AffineMapAttr", inner.properties["permutation"]).data)
    )
    op.operands[0] = inner.operands[0]
    return True


def _assume_alignment(op: Operation, constants: Constants) -> Folded:
    """Of two assumptions in a chain with one alignment, one is enough."""
    inner = _defining(op.operands[0], op.name)
    if inner is not None and inner.properties["alignment"] == op.properties["alignment"]:
        return [op.operands[0]]
    return None


def _view(op: Operation, constants: Constants) -> Folded:
    if op.operands[0].type == op.results[0].type and len(op.operands) == 2:
        offset = int_value(constants[1])
        if offset == 0:
            return [op.operands[0]]
    return None


def _copy(op: Operation, constants: Constants) -> Folded:
    """Looks through a cast that forgets sizes or strides."""
    for i, value in enumerate(op.operands):
        source = uncast(value)
        if source is not None and forgets(source.type, value.type):
            op.operands[i] = source
            return True
    return None


def _metadata_uses(op: Operation) -> bool:
    """Offset, sizes and strides that the type has become constants; a cast is looked through."""
    kind = cast("MemRefType", op.operands[0].type)
    found = strides_and_offset(kind)
    changed = False
    rw = Rewriter(op)
    for result, number in zip(
        op.results[1:], known_description(kind, found) if found is not None else (), strict=False
    ):
        if number is not None and result.first_use is not None:
            constant = rw.value("arith.constant", (), IndexType(), {"value": index(number)})
            replace_all_uses(result, constant)
            changed = True
    source = uncast(op.operands[0])
    if source is not None:
        op.operands[0] = source
    return changed or source is not None


FOLD_USES = {"memref.extract_strided_metadata": _metadata_uses}

FOLD: dict[str, Folder] = {
    "memref.assume_alignment": _assume_alignment,
    "memref.atomic_rmw": fold_cast_operands("memref"),
    "memref.cast": _cast,
    "memref.collapse_shape": fold_reshape,
    "memref.copy": _copy,
    "memref.dealloc": fold_all_casts,
    "memref.dim": _dim,
    "memref.dma_start": fold_all_casts,
    "memref.dma_wait": fold_all_casts,
    "memref.expand_shape": fold_reshape,
    "memref.generic_atomic_rmw": fold_all_casts,
    "memref.load": fold_all_casts,
    "memref.memory_space_cast": _memory_space_cast,
    "memref.prefetch": fold_all_casts,
    "memref.rank": _rank,
    "memref.reinterpret_cast": _reinterpret_cast,
    "memref.store": _store,
    "memref.subview": _subview,
    "memref.transpose": _transpose,
    "memref.view": _view,
}
