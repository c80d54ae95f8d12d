# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of views of buffers: subview, view, reinterpret_cast, transpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.memref import verify_reshape
from xgpu.dialects.memref.layout import (
    Known,
    has_identity_layout,
    static,
    strided_type,
    strides_and_offset,
    times,
)
from xgpu.dialects.slices import reduced_dims, slice_lists, verify_bounds, verify_slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Attribute, Operation

    from xgpu.dialects import memref


# -- subview ------------------------------------------------------------------------------------


def infer_subview(
    memref: Attribute,
    offsets: Sequence[int | None],
    sizes: Sequence[int | None],
    strides: Sequence[int | None],
) -> MemRefType | None:
    """The type of a subview that drops no dimension; None if the source is not strided."""
    source = cast("MemRefType", memref)
    found = strides_and_offset(source)
    if found is None:
        return None
    base_strides, base_offset = found
    offset: Known = base_offset
    for index, stride in zip(offsets, base_strides, strict=True):
        product = 0 if index == 0 else times(index, stride)
        offset = None if offset is None or product is None else offset + product
    result = [times(a, b) for a, b in zip(base_strides, strides, strict=True)]
    shape = [DYNAMIC_INDEX if size is None else size for size in sizes]
    return strided_type(source, shape, result, offset)


def verify_subview(op: memref.SubviewOp) -> None:
    """`memref.subview`"""
    source, result = op.source.type, op.result.type
    rank = len(source.get_shape())
    verify_slices(op, (rank, rank, rank))
    offsets, sizes, strides = slice_lists(op)
    if source.memory_space != result.memory_space:
        raise error(
            op,
            f"different memory spaces specified for base memref type '{shown(source)}' and subview "
            f"memref type '{shown(result)}'",
        )
    expected = infer_subview(source, offsets, sizes, strides)
    if expected is None:
        raise error(op, f"base type '{shown(source)}' is not strided")
    _verify_reduced(op, expected, result, sizes)
    verify_bounds(op, source.get_shape(), (offsets, sizes, strides))


def _verify_reduced(
    op: Operation, expected: MemRefType, result: MemRefType, sizes: Sequence[int | None]
) -> None:
    """The result is the expected type, less some dimensions of size 1."""
    full, given = expected.get_shape(), result.get_shape()
    if len(given) > len(full):
        raise error(
            op,
            "expected result rank to be smaller or equal to the source rank, but got "
            f"'{shown(result)}'",
        )
    wanted = f"expected result type to be '{shown(expected)}' or a rank-reduced version. "
    dropped = reduced_dims(full, given)
    if dropped is None:
        raise error(op, f"{wanted}(mismatch of result sizes), but got '{shown(result)}'")
    if expected.element_type != result.element_type:
        raise error(
            op,
            f"expected result element type to be '{shown(expected.element_type)}', but got "
            f"'{shown(result)}'",
        )
    mine, theirs = strides_and_offset(expected), strides_and_offset(result)
    layout = f"{wanted}(mismatch of result layout), but got '{shown(result)}'"
    if mine is None or theirs is None or mine[1] != theirs[1]:
        raise error(op, layout)
    if not _some_reduction(full, mine[0], given, theirs[0]):
        raise error(op, layout)


def _some_reduction(
    full: Sequence[int],
    strides: Sequence[int | None],
    given: Sequence[int],
    result: Sequence[int | None],
) -> bool:
    """Whether sizes and strides agree for some choice of dropped dimensions."""
    pairs, wanted = list(zip(full, strides, strict=True)), list(zip(given, result, strict=True))

    def match(at: int, to: int) -> bool:
        if at == len(pairs):
            return to == len(wanted)
        if to < len(wanted) and pairs[at] == wanted[to] and match(at + 1, to + 1):
            return True
        return pairs[at][0] == 1 and match(at + 1, to)

    return match(0, 0)


# -- reinterpret_cast ---------------------------------------------------------------------------


def _say(value: Known) -> str:
    return "dynamic" if value is None else str(value)


def verify_reinterpret_cast(op: memref.ReinterpretCastOp) -> None:
    """`memref.reinterpret_cast`"""
    source, result = op.operands[0].type, op.results[0].type

    rank = len(result.get_shape())
    verify_slices(op, (1, rank, rank))
    for words, name in (("memory spaces", "memory_space"), ("element types", "element_type")):
        if getattr(source, name) != getattr(result, name):
            raise error(
                op,
                f"different {words} specified for source type '{shown(source)}' and result memref "
                f"type '{shown(result)}'",
            )
    offsets, sizes, strides = slice_lists(op)
    for dim, (size, given) in enumerate(zip(sizes, result.get_shape(), strict=True)):
        if size != static(given) and static(given) is not None:
            raise error(
                op,
                f"expected result type with size = {_say(size)} instead of {_say(static(given))} "
                f"in dim = {dim}",
            )
    found = strides_and_offset(result)
    if found is None:
        raise error(op, f"expected result type to have strided layout but found '{shown(result)}'")
    result_strides, result_offset = found
    if result_offset is not None and offsets[0] != result_offset:
        raise error(
            op,
            f"expected result type with offset = {_say(offsets[0])} instead of {result_offset}",
        )
    for dim, (stride, given) in enumerate(zip(strides, result_strides, strict=True)):
        if given is not None and stride != given:
            raise error(
                op,
                f"expected result type with stride = {_say(stride)} instead of {given} in dim = "
                f"{dim}",
            )


# -- view, transpose ----------------------------------------------------------------------------


def verify_view(op: memref.ViewOp) -> None:
    """`memref.view`"""
    base, view = op.source.type, op.results[0].type
    if not has_identity_layout(base):
        raise error(op, f"unsupported map for base memref type '{shown(base)}'")
    if not has_identity_layout(view):
        raise error(op, f"unsupported map for result memref type '{shown(view)}'")
    if base.memory_space != view.memory_space:
        raise error(
            op,
            f"different memory spaces specified for base memref type '{shown(base)}' and view "
            f"memref type '{shown(view)}'",
        )
    dynamic = sum(1 for size in view.get_shape() if size == DYNAMIC_INDEX)
    sizes = len(op.operands) - 2
    if sizes != dynamic:
        raise op_error(op, f"incorrect number of dynamic sizes, has {sizes}, expected {dynamic}")


def is_permutation(affine_map: AffineMap) -> bool:
    """Whether a map gives each of its dimensions once."""
    places = [e.position for e in affine_map.results if isinstance(e, AffineDimExpr)]
    return sorted(places) == list(range(affine_map.num_dims)) and len(places) == len(
        affine_map.results
    )


def verify_transpose(op: memref.TransposeOp) -> None:
    """`memref.transpose`"""
    permutation = op.properties["permutation"].data
    source, result = op.in_.type, op.results[0].type
    if not is_permutation(permutation):
        raise op_error(op, "expected a permutation map")
    if permutation.num_dims != len(source.get_shape()):
        raise op_error(op, "expected a permutation map of same rank as the input")
    places = [cast("AffineDimExpr", expr).position for expr in permutation.results]
    found = strides_and_offset(source)
    if found is None:
        return
    strides, offset = found
    expected = strided_type(
        source,
        [source.get_shape()[place] for place in places],
        [strides[place] for place in places],
        offset,
    )
    same = expected.get_shape() == result.get_shape() and (
        strides_and_offset(expected) == strides_and_offset(result)
    )
    if not same or expected.element_type != result.element_type:
        raise op_error(
            op,
            f"result type '{shown(result)}' is not equivalent to the canonical transposed input "
            f"type '{shown(expected)}'",
        )


VIEW_VERIFY: dict[str, Callable[..., None]] = {
    "memref.view": verify_view,
    "memref.subview": verify_subview,
    "memref.transpose": verify_transpose,
    "memref.reinterpret_cast": verify_reinterpret_cast,
}
