# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of views of buffers: subview, view, reinterpret_cast, transpose and reshapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.errors import error, op_error, shown
from xgpu.dialects import memref
from xgpu.dialects.memref_layout import (
    Known,
    has_identity_layout,
    static,
    strided_type,
    strides_and_offset,
    times,
)
from xgpu.dialects.reshapes import (
    Groups,
    groups_of,
    reduced_dims,
    slice_lists,
    verify_bounds,
    verify_slices,
)

# -- Verifiers of reshape, expand_shape and collapse_shape.


def verify_reshape(op: memref.ReshapeOp) -> None:
    """`memref.reshape`"""
    source, result = op.source.type, op.result.type
    if source.element_type != result.element_type:
        raise op_error(
            op, "element types of source and destination memref types should be the same"
        )
    if isinstance(source, MemRefType) and not has_identity_layout(source):
        raise op_error(op, "source memref type should have identity affine map")
    length = op.shape.type.get_shape()[0]
    if not isinstance(result, MemRefType):
        return
    if not has_identity_layout(result):
        raise op_error(op, "result memref type should have identity affine map")
    if length == DYNAMIC_INDEX:
        raise op_error(
            op,
            "cannot use shape operand with dynamic length to reshape to statically-ranked memref "
            "type",
        )
    if length != len(result.get_shape()):
        raise op_error(op, "length of shape operand differs from the result's memref rank")


def _verify_groups(
    op: memref.CollapseShapeOp | memref.ExpandShapeOp,
    collapsed: MemRefType,
    expanded: MemRefType,
    *,
    expands: bool,
) -> list[list[int]]:
    ranks = (len(collapsed.get_shape()), len(expanded.get_shape()))
    if ranks[0] > ranks[1]:
        source, result = ranks if expands else ranks[::-1]
        words = ("an expansion", ">") if expands else ("a collapse", "<")
        raise op_error(
            op,
            f"has source rank {source} and result rank {result}. This is not {words[0]} "
            f"({source} {words[1]} {result}).",
        )
    groups = groups_of(op)
    if len(groups) != ranks[0]:
        raise op_error(
            op,
            f"invalid number of reassociation groups: found {len(groups)}, expected {ranks[0]}",
        )
    next_dim = 0
    for group in groups:
        for index in group:
            if index != next_dim:
                if index >= ranks[1] or index < 0:
                    raise op_error(op, f"reassociation index {index} is out of bounds")
                raise op_error(op, "reassociation indices must be contiguous")
            if index >= ranks[1]:
                raise op_error(op, f"reassociation index {index} is out of bounds")
            next_dim += 1
    if groups and next_dim != ranks[1]:
        raise op_error(
            op,
            f"expected rank of the expanded type({ranks[1]}) to be the number of reassociated "
            "indices",
        )
    _verify_sizes(op, collapsed.get_shape(), expanded.get_shape(), groups)
    return groups


def _verify_sizes(
    op: Operation, collapsed: Sequence[int], expanded: Sequence[int], groups: list[list[int]]
) -> None:
    for place, group in enumerate(groups):
        sizes = [expanded[index] for index in group]
        dynamic = any(size == DYNAMIC_INDEX for size in sizes)
        if dynamic != (collapsed[place] == DYNAMIC_INDEX):
            raise op_error(
                op,
                f"collapsed dim ({place}) must be dynamic if and only if reassociation group is "
                "dynamic",
            )
        if dynamic:
            continue
        product = 1
        for size in sizes:
            product *= size
        if product != collapsed[place]:
            raise op_error(
                op,
                f"collapsed dim size ({collapsed[place]}) must equal reassociation group size "
                f"({product})",
            )
    if not groups and any(size != 1 for size in expanded):
        raise op_error(op, "rank 0 memrefs can only be extended/collapsed with/from ones")


def verify_expand(op: memref.ExpandShapeOp) -> None:
    """`memref.expand_shape`"""
    source, result = op.src.type, op.result.type
    groups = _verify_groups(op, source, result, expands=True)
    expected = expanded_type(source, result.get_shape(), groups)
    if expected is None:
        raise op_error(op, "invalid source layout map")
    _verify_layout(op, expected, result, "expanded")
    shape = list(op.properties["static_output_shape"].get_values())
    rank = len(result.get_shape())
    if len(shape) != rank:
        raise op_error(
            op,
            "expected number of static shape bounds to be equal to the output rank "
            f"({rank}) but found {len(shape)} inputs instead",
        )
    dynamic = sum(1 for size in shape if size == DYNAMIC_INDEX)
    if len(op.operands) - 1 != dynamic:
        raise op_error(
            op,
            "mismatch in dynamic dims in output_shape and static_output_shape: "
            f"static_output_shape has {dynamic} dynamic dims while output_shape has "
            f"{len(op.operands) - 1} values",
        )
    for place, (size, given) in enumerate(zip(shape, result.get_shape(), strict=True)):
        if size != DYNAMIC_INDEX and size != given:
            raise op_error(op, f"invalid output shape provided at pos {place}")


def expanded_type(source: MemRefType, shape: Sequence[int], groups: Groups) -> MemRefType | None:
    """The type after expanding to `shape`, or None if the source is not strided."""
    if has_identity_layout(source):
        return MemRefType(source.element_type, list(shape), NoneAttr(), source.memory_space)
    found = strides_and_offset(source)
    if found is None:
        return None
    strides: list[Known] = []
    for stride, group in zip(found[0], groups, strict=True):
        inner: list[Known] = []
        current: Known = stride
        for index in reversed(group):
            inner.append(current)
            current = times(current, static(shape[index]))
        strides += inner[::-1]
    strides += [1] * (len(shape) - len(strides))
    return strided_type(source, shape, strides, found[1])


def _verify_layout(op: Operation, expected: MemRefType, result: MemRefType, word: str) -> None:
    same = expected == result or (
        expected.element_type == result.element_type
        and expected.memory_space == result.memory_space
        and expected.get_shape() == result.get_shape()
        and expected.layout.name == result.layout.name
        and strides_and_offset(expected) == strides_and_offset(result)
    )
    if not same:
        raise op_error(
            op,
            f"expected {word} type to be '{shown(expected)}' but found '{shown(result)}'",
        )


def verify_collapse(op: memref.CollapseShapeOp) -> None:
    """`memref.collapse_shape`"""
    source, result = op.src.type, op.result.type
    groups = _verify_groups(op, result, source, expands=False)
    expected = collapsed_type(source, groups)
    if expected is None:
        raise op_error(op, "invalid source layout map or collapsing non-contiguous dims")
    _verify_layout(op, expected, result, "collapsed")


def collapsed_type(source: MemRefType, groups: Groups) -> MemRefType | None:
    """The type after collapsing, or None if what is collapsed is not contiguous."""
    shape: list[int] = []
    for group in groups:
        sizes = [source.get_shape()[dim] for dim in group]
        shape.append(DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else prod(sizes))
    if has_identity_layout(source):
        return MemRefType(source.element_type, shape, NoneAttr(), source.memory_space)
    layout = collapsed_layout(source, groups)
    return None if layout is None else strided_type(source, shape, *layout)


def collapsed_layout(
    source: MemRefType, groups: list[list[int]]
) -> tuple[list[Known], Known] | None:
    """The strides and offset after collapsing, or None if what is collapsed is not contiguous."""
    found = strides_and_offset(source)
    if found is None:
        return None
    strides, offset = found
    shape = source.get_shape()
    result: list[Known] = []
    for group in groups:
        kept = list(group)
        # The stride of a group is that of its last dimension that is not 1.
        while len(kept) > 1 and shape[kept[-1]] == 1:
            kept.pop()
        # A dynamic size may turn out to be 1, and another stride to count.
        certain = shape[kept[-1]] != DYNAMIC_INDEX or len(kept) == 1
        result.append(strides[kept[-1]] if certain else None)
    for group, last in zip(groups, result, strict=True):
        stride: Known = last
        for index in reversed(group[1:]):
            stride = times(stride, static(shape[index]))
            outer = strides[index - 1]
            if shape[index - 1] == 1:
                continue
            if stride is not None and outer is not None and stride != outer:
                return None
    return result, offset


RESHAPE_VERIFY: dict[str, Callable[..., None]] = {
    "memref.reshape": verify_reshape,
    "memref.expand_shape": verify_expand,
    "memref.collapse_shape": verify_collapse,
}


# -- subview ------------------------------------------------------------------------------------


# -- Verifiers of subview, view, reinterpret_cast and transpose.


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
    **RESHAPE_VERIFY,
    "memref.view": verify_view,
    "memref.subview": verify_subview,
    "memref.transpose": verify_transpose,
    "memref.reinterpret_cast": verify_reinterpret_cast,
}
