# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strides and offsets of memref types.

A dynamic stride or offset is None. `strides_and_offset` gives None for a layout that is no strides
and offset.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IntAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xgpu.core.ir.affine import add, mul
from xgpu.core.ir.construction import operands_of

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import EnumAttr


Known = int | None


def identity_strides(shape: Sequence[int]) -> list[Known]:
    """The strides of a row-major buffer; None where a dynamic size makes them dynamic."""
    strides: list[Known] = []
    stride: Known = 1
    for size in reversed(shape):
        strides.append(stride)
        stride = None if stride is None or size == DYNAMIC_INDEX else stride * size
    return strides[::-1]


def has_identity_layout(kind: MemRefType) -> bool:
    """Whether a memref's layout is the identity."""
    layout = kind.layout
    if isinstance(layout, NoneAttr):
        return True
    if isinstance(layout, AffineMapAttr):
        affine_map = layout.data
        return affine_map.num_symbols == 0 and affine_map == AffineMap.identity(affine_map.num_dims)
    if not isinstance(layout, StridedLayoutAttr):
        return False
    # The map of a strided layout is the identity for one dimension at most.
    strides, offset = [_known(stride) for stride in layout.strides.data], _known(layout.offset)
    return offset == 0 and strides in ([], [1])


def strides_and_offset(kind: MemRefType) -> tuple[list[Known], Known] | None:
    """The strides and offset of a memref type, or None."""
    layout = cast("AffineMapAttr | NoneAttr | StridedLayoutAttr", kind.layout)
    shape = kind.get_shape()
    if isinstance(layout, NoneAttr):
        return identity_strides(shape), 0
    if isinstance(layout, StridedLayoutAttr):
        return [_known(stride) for stride in layout.strides.data], _known(layout.offset)
    return _of_map(layout.data, shape)


def known_description(kind: MemRefType, found: tuple[list[Known], Known]) -> list[Known]:
    """Offset, sizes and strides in one list, as extract_strided_metadata has them.

    `found` is what `strides_and_offset` gives for `kind`.
    """
    return [found[1], *(static(size) for size in kind.get_shape()), *found[0]]


def _known(entry: IntAttr | NoneAttr) -> Known:
    """An entry of a strided layout: its number, None where it is `?`."""
    if isinstance(entry, NoneAttr):
        return None
    return None if entry.data == DYNAMIC_INDEX else entry.data


def _of_map(affine_map: AffineMap, shape: Sequence[int]) -> tuple[list[Known], Known] | None:
    rank = len(shape)
    if affine_map == AffineMap.identity(rank):
        return identity_strides(shape), 0
    if len(affine_map.results) != 1:
        return None
    strides: list[Known] = [0] * rank
    offset: list[Known] = [0]
    if not _collect(affine_map.results[0], 1, strides, offset):
        return None
    # MLIR takes a stride of 0 for a dimension that the map does not mention.
    return strides, offset[0]


def _collect(expr: AffineExpr, factor: Known, strides: list[Known], offset: list[Known]) -> bool:
    """Adds `factor * expr` to the strides and the offset; False if it is no sum of products."""
    if isinstance(expr, AffineDimExpr):
        strides[expr.position] = _plus(strides[expr.position], factor)
        return True
    if isinstance(expr, AffineConstantExpr):
        offset[0] = _plus(offset[0], None if factor is None else factor * expr.value)
        return True
    if not isinstance(expr, AffineBinaryOpExpr):
        offset[0] = None  # a symbol
        return True
    if expr.kind is AffineBinaryOpKind.Add:
        return _collect(expr.lhs, factor, strides, offset) and _collect(
            expr.rhs, factor, strides, offset
        )
    if expr.kind is not AffineBinaryOpKind.Mul:
        if _mentions_dims(expr):
            return False
        offset[0] = None
        return True
    for side, other in ((expr.lhs, expr.rhs), (expr.rhs, expr.lhs)):
        if not _mentions_dims(other):
            scale = other.value if isinstance(other, AffineConstantExpr) else None
            product = None if scale is None or factor is None else factor * scale
            return _collect(side, product, strides, offset)
    return False


def _plus(left: Known, right: Known) -> Known:
    return None if left is None or right is None else left + right


def _mentions_dims(expr: AffineExpr) -> bool:
    if isinstance(expr, AffineBinaryOpExpr):
        return _mentions_dims(expr.lhs) or _mentions_dims(expr.rhs)
    return isinstance(expr, AffineDimExpr)


def strided_type(
    like: MemRefType, shape: Sequence[int], strides: Sequence[Known], offset: Known
) -> MemRefType:
    """A memref with the element type and memory space of `like` and a strided layout."""
    layout = StridedLayoutAttr(list(strides), offset)
    return MemRefType(like.element_type, list(shape), layout, like.memory_space)


def times(left: Known, right: Known) -> Known:
    """A product; dynamic if a factor is."""
    return None if left is None or right is None else left * right


def static(value: int) -> Known:
    """An entry of a static index list or shape: None where it is dynamic."""
    return None if value == DYNAMIC_INDEX else value


def layout_map(memref: Attribute) -> AffineMap:
    """Where the element of an index is: a map of the index, dynamic parts of a strided layout as
    symbols, the offset first."""
    kind = cast("MemRefType", memref)
    layout = cast("AffineMapAttr | NoneAttr | StridedLayoutAttr", kind.layout)
    rank = len(kind.get_shape())
    if isinstance(layout, NoneAttr):
        return AffineMap.identity(rank)
    if not isinstance(layout, StridedLayoutAttr):
        return layout.data
    symbols = 0

    def part(known: Known) -> AffineExpr:
        nonlocal symbols
        if known is not None:
            return AffineConstantExpr(known)
        symbols += 1
        return AffineSymExpr(symbols - 1)

    expr = part(_known(layout.offset))
    for i, stride in enumerate(layout.strides.data):
        expr = add(expr, mul(AffineDimExpr(i), part(_known(stride))))
    return AffineMap(rank, symbols, (expr,))


# -- Strides and offset of memref types.


#: xDSL's mark of a dynamic size: the least 64-bit integer, as MLIR's.
DYNAMIC_SIZE = -(2**63)


def strided_form(ty: MemRefType) -> tuple[list[int | None], int | None] | None:
    """The strides and the offset of `ty`, None for a dynamic one.

    None if the layout is not strided.
    """
    layout = ty.layout
    if isinstance(layout, NoneAttr):
        return contiguous_strides(ty.get_shape()), 0
    if isinstance(layout, StridedLayoutAttr):
        strides = [s.data if isinstance(s, IntAttr) else None for s in layout.strides.data]
        return strides, layout.offset.data if isinstance(layout.offset, IntAttr) else None
    if isinstance(layout, AffineMapAttr):
        return _strides_of_map(ty, layout)
    return None


def has_unit_last_stride(memref: MemRefType) -> bool:
    """Whether elements that differ in the last index alone by one are neighbours."""
    layout = memref.layout
    if isinstance(layout, AffineMapAttr):
        # A map to several results is a permutation; the last must be the last dimension.
        results = layout.data.results
        if len(results) > 1:
            return results[-1] == AffineDimExpr(layout.data.num_dims - 1)
    form = strided_form(memref)
    return form is not None and (not form[0] or form[0][-1] == 1)


def contiguous_strides(shape: Sequence[int]) -> list[int | None]:
    """Row-major strides; a stride is dynamic (None) if a size right of it is."""
    strides: list[int | None] = []
    running: int | None = 1
    for size in reversed(shape):
        strides.append(running)
        running = None if running is None or size == DYNAMIC_SIZE else running * size
    strides.reverse()
    return strides


def _strides_of_map(
    ty: MemRefType, layout: AffineMapAttr
) -> tuple[list[int | None], int | None] | None:
    the_map = layout.data
    rank = ty.get_num_dims()
    if len(the_map.results) != 1:
        identity = the_map.num_dims == rank and all(
            isinstance(e, AffineDimExpr) and e.position == i for i, e in enumerate(the_map.results)
        )
        return (contiguous_strides(ty.get_shape()), 0) if identity else None
    if rank == 1 and isinstance(the_map.results[0], AffineDimExpr):
        return [1], 0
    terms = _linear(the_map.results[0], rank)
    if terms is None:
        return None
    return terms[:rank], terms[rank]


def _linear(expr: AffineExpr, rank: int) -> list[int | None] | None:
    """Coefficients of the dimensions, then the constant; None inside for one with symbols."""
    if isinstance(expr, AffineConstantExpr):
        return [*([0] * rank), expr.value]
    if isinstance(expr, AffineDimExpr):
        return [*(int(i == expr.position) for i in range(rank)), 0]
    if not isinstance(expr, AffineBinaryOpExpr):  # a symbol
        return [0] * rank + [None]
    left, right = _linear(expr.lhs, rank), _linear(expr.rhs, rank)
    if left is None or right is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        return [_plus(a, b) for a, b in zip(left, right, strict=True)]
    if expr.kind is AffineBinaryOpKind.Mul:
        if any(c != 0 for c in left[:rank]):
            if any(c != 0 for c in right[:rank]):
                return None
            left, right = right, left
        factor = left[rank]
        return [_times(factor, c) for c in right]
    # floordiv, ceildiv and mod: only of symbols and constants, whose value is not known here.
    if any(c != 0 for c in left[:rank]) or any(c != 0 for c in right[:rank]):
        return None
    return [0] * rank + [None]


def _times(a: int | None, b: int | None) -> int | None:
    if a == 0 or b == 0:
        return 0
    return None if a is None or b is None else a * b


def is_contiguous(ty: MemRefType) -> bool:
    """Whether the elements lie one after the other, as far as the type says (MLIR's
    `memref::isStaticShapeAndContiguousRowMajor` without the static shape)."""
    form = strided_form(ty)
    if form is None:
        return False
    strides, _ = form
    return strides == contiguous_strides(ty.get_shape())


# -- Memory spaces of memrefs, as attributes of gpu and as numbers.


#: The number of shared memory in nvvm.
_SHARED = 3


def is_workgroup_memory(kind: Attribute) -> bool:
    """Whether a memref is in the memory that a workgroup shares."""
    if not isinstance(kind, MemRefType):
        return False
    space = kind.memory_space
    if isinstance(space, IntegerAttr):
        return space.value.data == _SHARED
    return _is_workgroup(space)


def has_workgroup_attribute(kind: Attribute) -> bool:
    """Whether a memref says by gpu's own attribute that a workgroup shares it."""
    return isinstance(kind, MemRefType) and _is_workgroup(kind.memory_space)


def _is_workgroup(space: Attribute) -> bool:
    return space.name == "gpu.address_space" and cast("EnumAttr", space).data == "workgroup"


# -- Looking through `memref.cast` where the operation takes the uncast memref as well.


Folder = Callable[[Operation, list[Attribute | None]], bool | None]


def uncast(value: SSAValue) -> SSAValue | None:
    """The source of the ranked `memref.cast` that defines `value`, or None."""
    if value.__class__ is not OpResult:
        return None
    op: Any = cast("OpResult", value).op
    if op.name != "memref.cast":
        return None
    source = op.operands[0]
    return source if isinstance(source.type, MemRefType) else None


def fold_casts(op: Operation, skip: SSAValue | None = None) -> bool:
    """Replaces every operand that is a cast of a ranked memref with its source (not `skip`)."""
    changed = False
    for i, value in enumerate(op.operands):
        source = uncast(value) if value is not skip else None
        if source is not None:
            op.operands[i] = source
            changed = True
    return changed


def fold_all_casts(op: Operation, constants: list[Attribute | None]) -> bool | None:
    """A fold hook for operations that take any memref."""
    return fold_casts(op) or None


def fold_cast_operands(*names: str) -> Folder:
    """A fold hook that looks through casts of the operands of these names."""

    def fold(op: Operation, constants: list[Attribute | None]) -> bool | None:
        changed = False
        for i, value in enumerate(operands_of(op)):
            source = uncast(value)
            if source is not None and any(getattr(op, name) is value for name in names):
                op.operands[i] = source
                changed = True
        return changed or None

    return fold


def forgets(source: Attribute, target: Attribute) -> bool:
    """Whether a cast from `source` to `target` makes static sizes, strides or offset dynamic."""
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return False
    for a, b in zip(source.get_shape(), target.get_shape(), strict=True):
        if a != b and b != DYNAMIC_INDEX:
            return False
    mine, theirs = strides_and_offset(source), strides_and_offset(target)
    if mine is None or theirs is None:
        return False
    pairs = [*zip(mine[0], theirs[0], strict=True), (mine[1], theirs[1])]
    return all(a == b or b is None for a, b in pairs)
