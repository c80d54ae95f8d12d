# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slices and reshapes of memrefs and tensors: what both dialects verify, fold and canonicalize."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import defining
from xgpu.core.ir.errors import error
from xgpu.dialects.memref_layout import Known, has_identity_layout, static

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.greedy import GreedyRewriter


# -- Slices: offsets, sizes and strides, of numbers and values, as memref and tensor have them.


_LISTS = ("offsets", "sizes", "strides")
#: Offsets, sizes or strides: numbers, and values where they are not known.
Mixed = list[int | SSAValue]


def mixed(op: Operation, name: str) -> Mixed:
    """`offsets`, `sizes` or `strides` (`low`, `high` of a padding, `output_shape`) as numbers and
    values."""
    values = iter(getattr(op, name))
    static = cast("DenseArrayBase[IntegerType]", op.properties[f"static_{name}"]).get_values()
    return [next(values) if n == DYNAMIC_INDEX else n for n in static]


def parts(entries: Sequence[int | SSAValue]) -> tuple[list[SSAValue], DenseArrayBase]:
    """The values among `entries`, and the static list with a mark for each of them."""
    values = [e for e in entries if isinstance(e, SSAValue)]
    return values, DenseArrayBase.from_list(i64, static_sizes(entries))


def static_sizes(entries: Sequence[int | SSAValue]) -> list[int]:
    """`entries` as a shape has them: a mark for each value."""
    return [e if isinstance(e, int) else DYNAMIC_INDEX for e in entries]


def slice_operands(
    place: Sequence[Sequence[int | SSAValue]],
) -> tuple[list[list[SSAValue]], dict[str, Attribute]]:
    """The groups of operands, and the properties, that say the offsets, sizes and strides."""
    groups: list[list[SSAValue]] = []
    properties: dict[str, Attribute] = {}
    for name, entries in zip(_LISTS, place, strict=True):
        values, numbers = parts(entries)
        groups.append(values)
        properties[f"static_{name}"] = numbers
    return groups, properties


def settle(
    entries: Sequence[int | SSAValue], may_be: Callable[[int], bool] = lambda number: True
) -> Mixed:
    """Values that are constants as numbers, where such a number may stand."""
    settled: Mixed = []
    for entry in entries:
        known = int_of(entry) if isinstance(entry, SSAValue) else None
        settled.append(entry if known is None or not may_be(known) else known)
    return settled


def not_negative(number: int) -> bool:
    return number >= 0


def not_zero(number: int) -> bool:
    return number != 0


def known(entries: Sequence[int | SSAValue]) -> list[Known]:
    return [e if isinstance(e, int) else None for e in entries]


def reduced_dims(
    full: Sequence[int], given: Sequence[int], *, match_dynamic: bool = False
) -> list[int] | None:
    """The dimensions of size 1 that `given` leaves out of `full`, the last that can be; None where
    that is not all. With `match_dynamic` an unknown size is like any other than 1."""
    at = 0
    dropped: list[int] = []
    for dim, size in enumerate(full):
        same = at < len(given) and given[at] == size
        if match_dynamic and at < len(given) and size != 1:
            same = same or DYNAMIC_INDEX in (given[at], size)
        if same:
            at += 1
        elif size == 1:
            dropped.append(dim)
        else:
            return None
    return dropped if at == len(given) else None


def kept_dimensions(sizes: Sequence[int | SSAValue], shape: Sequence[int]) -> list[int]:
    """Which dimensions of a slice of `sizes` a tensor of `shape` has; the others have size 1.

    Where several would do, the last (MLIR's ExtractSliceOp::getDroppedDims).
    """
    kept: list[int] = []
    at = len(shape) - 1
    for dim in reversed(range(len(sizes))):
        if at >= 0 and (sizes[dim] != 1 or shape[at] == 1):
            kept.append(dim)
            at -= 1
    return kept[::-1]


def verify_slices(
    op: OdsOperation,
    ranks: Sequence[int | None],
    first: int = 1,
) -> None:
    """What holds for offsets, sizes and strides (MLIR's OffsetSizeAndStrideOpInterface).

    `ranks` are how many of each there are to be, None for any number; `first` is the number of the
    operands that are offsets.
    """
    lists = [
        cast("DenseArrayBase[IntegerType]", op.properties[f"static_{name}"]).get_values()
        for name in _LISTS
    ]
    groups = [op.operand_group(first + place) for place in range(3)]
    offsets, sizes, strides = map(len, lists)
    if offsets != sizes and not (ranks[0] == 1 and offsets == 1):
        raise error(
            op,
            f"expected mixed offsets rank to match mixed sizes rank ({offsets} vs {sizes}) so the "
            "rank of the result type is well-formed.",
        )
    if sizes != strides:
        raise error(
            op,
            f"expected mixed sizes rank to match mixed strides rank ({sizes} vs {strides}) so the "
            "rank of the result type is well-formed.",
        )
    for name, numbers, values, rank in zip(_LISTS, lists, groups, ranks, strict=True):
        if rank is not None and len(numbers) != rank:
            word = name.removesuffix("s")
            raise error(op, f"expected {rank} {word} values, got {len(numbers)}")
        dynamic = sum(1 for number in numbers if number == DYNAMIC_INDEX)
        if dynamic != len(values):
            raise error(
                op,
                f"expected the number of '{name}' to match the number of dynamic entries in "
                f"'static_{name}' ({len(values)} vs {dynamic})",
            )
    for name, numbers in zip(_LISTS[:2], lists[:2], strict=True):
        for number in numbers:
            if number < 0 and number != DYNAMIC_INDEX:
                raise error(op, f"expected {name} to be non-negative, but got {number}")


def slice_lists(op: Operation) -> tuple[list[Known], list[Known], list[Known]]:
    """The offsets, sizes and strides; None where one is a value."""
    offsets, sizes, strides = (
        [
            static(n)
            for n in cast(
                "DenseArrayBase[IntegerType]", op.properties[f"static_{name}"]
            ).get_values()
        ]
        for name in _LISTS
    )
    return offsets, sizes, strides


def verify_bounds(op: Operation, shape: Sequence[int], lists: Sequence[Sequence[Known]]) -> None:
    """That what is known of a slice is inside of what it is a slice of."""
    problem = out_of_bounds(shape, lists)
    if problem is not None:
        raise error(op, problem)


def out_of_bounds(shape: Sequence[int], lists: Sequence[Sequence[Known]]) -> str | None:
    """What is wrong with a slice (offsets, sizes and strides) of something of `shape`, or None.

    As in MLIR, an empty slice must begin inside.
    """
    for dim, (bound, offset, size, stride) in enumerate(zip(shape, *lists, strict=True)):
        if bound == DYNAMIC_INDEX or offset is None:
            continue
        if offset >= bound:
            return f"offset {dim} is out-of-bounds: {offset} >= {bound}"
        if size is None or stride is None:
            continue
        last = offset + (size - 1) * stride
        if last >= bound:
            return f"slice along dimension {dim} runs out-of-bounds: {last} >= {bound}"
    return None


# -- Which dimensions become one when a shape is collapsed: reassociation groups, and their search.
#
# Groups are lists of dimensions of the larger shape, one list for each dimension of the smaller.
# Source: MLIR 22.1 ReshapeOpsUtils.cpp.


Groups = list[list[int]]
#: The first and the last of neighbouring dimensions.
Span = tuple[int, int]


def groups_of(op: Operation) -> Groups:
    """The groups of a reshape, its `reassociation`."""
    found = cast("ArrayAttr[ArrayAttr[IntegerAttr]]", op.properties["reassociation"])
    return [[i.value.data for i in group.data] for group in found.data]


def reassociation(groups: Groups) -> ArrayAttr:
    """The attribute that states `groups`."""
    return ArrayAttr([ArrayAttr([IntegerAttr(i, i64) for i in group]) for group in groups])


def fold_reshape(
    op: Operation, constants: list[Attribute | None]
) -> list[SSAValue | Attribute] | bool | None:
    """expand(collapse(x)) -> x and the other way round, where the types agree"""
    source = op.operands[0]
    if source.type == op.results[0].type:
        return [source]
    inner = source.owner
    dialect, _, name = op.name.partition(".")
    inverse = "expand_shape" if name == "collapse_shape" else "collapse_shape"
    if getattr(inner, "name", None) != f"{dialect}.{inverse}":
        return None
    before = cast("Operation", inner)
    first = before.operands[0]
    if first.type != op.results[0].type:
        return None
    shape = list(cast("MemRefType | TensorType", first.type).get_shape())
    if shape.count(DYNAMIC_INDEX) < 2:
        return [first]
    groups = groups_of(op)
    if groups != groups_of(before):
        return None
    # What expands and then collapses loses no sizes. The other way round, a group with two
    # dynamic sizes may get them in other parts.
    if inverse == "expand_shape" or all(
        [shape[d] for d in group].count(DYNAMIC_INDEX) < 2 for group in groups
    ):
        return [first]
    return None


def compose(first: Groups, second: Groups) -> Groups | None:
    """The groups of two reshapes in a row, both collapsing or both expanding; None if unclear."""
    if len(first) == len(second):
        return None
    more, fewer = (first, second) if len(first) > len(second) else (second, first)
    if fewer and sum(map(len, fewer)) != len(more):
        return None
    return [[i for dim in group for i in more[dim]] for group in fewer]


def cover(inner: Groups, outer: Groups) -> Groups | None:
    """For each of the groups `outer` those of `inner` that lie in it; None where one crosses."""
    covered: Groups = []
    at = 0
    for group in outer:
        found: list[int] = []
        while at < len(inner):
            end = inner[at][-1]
            if end > group[-1]:
                return None
            found.append(at)
            at += 1
            if end == group[-1]:
                break
        covered.append(found)
    return covered


def collapsing_groups(source: Sequence[int], target: Sequence[int]) -> Groups | None:
    """How `source` collapses into `target`; None if it does not, or not in one way only.

    Dimensions of size 1 may go to either neighbour: that is the only choice there may be.
    """
    if len(source) <= len(target):
        return None
    if not target:
        free = all(size in (1, DYNAMIC_INDEX) for size in source)
        return [list(range(len(source)))] if free else None
    forward = _spans(source, target)
    mirrored = _spans(source[::-1], target[::-1])
    if forward is None or mirrored is None:
        return None
    last = len(source) - 1
    backward = [(last - end, last - start) for start, end in reversed(mirrored)]
    for (start, end), (other_start, other_end) in zip(forward, backward, strict=True):
        mine, theirs = set(range(start, end + 1)), set(range(other_start, other_end + 1))
        if any(source[dim] != 1 for dim in mine ^ theirs):
            return None
    return [list(range(start, end + 1)) for start, end in forward]


def _spans(source: Sequence[int], target: Sequence[int]) -> list[Span] | None:
    """From left to right, for each of `target` the first dimensions that can become it.

    The last one takes all that are left.
    """
    spans: list[Span] = []
    at = 0
    for place, size in enumerate(target):
        search = _dynamic_span if size == DYNAMIC_INDEX else _static_span
        found = search(source, at, size, greedy=place == len(target) - 1)
        if found is None:
            return None
        if found[0] > at:
            # What was passed over can only be part of a dynamic dimension before it.
            if place == 0 or target[place - 1] != DYNAMIC_INDEX:
                return None
            spans[-1] = (spans[-1][0], found[0] - 1)
        spans.append(found)
        at = found[1] + 1
    return spans if spans[-1][1] == len(source) - 1 else None


def _dynamic_span(source: Sequence[int], at: int, size: int, *, greedy: bool) -> Span | None:
    """From `at` to the first dynamic dimension, or to the end."""
    for dim in range(at, len(source)):
        if source[dim] == DYNAMIC_INDEX:
            return at, len(source) - 1 if greedy else dim
    return None


def _static_span(source: Sequence[int], at: int, size: int, *, greedy: bool) -> Span | None:
    """The first static dimensions from `at` on whose product is `size`.

    With `greedy` also the dimensions of size 1 that follow.
    """
    start, product, found = at, 1, None
    for dim in range(at, len(source)):
        if found is not None and not greedy:
            break
        if source[dim] == DYNAMIC_INDEX:
            if found is not None:
                break
            start, product = dim + 1, 1
            continue
        product *= source[dim]
        if product > size and found is not None:
            break
        while product > size and start < dim:
            product //= source[start]
            start += 1
        if product == size:
            found = (start, dim)
    return found


# -- collapse_shape and expand_shape of memrefs and tensors: two of them in a row are one, or
# none.
#
# Of memrefs all three types have to be contiguous: with strides, the type in between says how the
# outer one may group dimensions, and that would be lost. Source: MLIR 22.1 ReshapeOpsUtils.h.


COLLAPSE = "collapse_shape"
EXPAND = "expand_shape"


def _source(op: Operation, name: str) -> Operation | None:
    """The operation `name`, of the dialect of `op`, that defines what `op` reshapes, if one
    does."""
    return defining(op.operands[0], sibling(op, name))


def sibling(op: Operation, name: str) -> str:
    """The full name of the operation `name` in the dialect of `op`."""
    return f"{op.name.partition('.')[0]}.{name}"


def _all_contiguous(inner: Operation, op: Operation) -> bool:
    """Whether the types before, between and after two reshapes have no layout."""
    kinds = (inner.operands[0].type, op.operands[0].type, op.results[0].type)
    return all(not isinstance(kind, MemRefType) or has_identity_layout(kind) for kind in kinds)


def _shape(value: SSAValue) -> list[int]:
    return list(cast("MemRefType | TensorType", value.type).get_shape())


def _rank(value: SSAValue) -> int:
    return len(_shape(value))


def _to_collapse(rw: GreedyRewriter, op: Operation, source: SSAValue, groups: Groups) -> None:
    properties = {"reassociation": reassociation(groups)}
    rw.replace_with(op, sibling(op, COLLAPSE), (source,), (op.results[0].type,), properties)


def _to_expand(
    rw: GreedyRewriter, op: Operation, source: SSAValue, groups: Groups, shape: Mixed
) -> None:
    rw.replace(op, [create_expand(rw, op, op.results[0].type, source, groups, shape)])


def create_expand(
    rw: GreedyRewriter,
    like: Operation,
    kind: Attribute,
    source: SSAValue,
    groups: Groups,
    shape: Sequence[int | SSAValue],
) -> SSAValue:
    """Creates an expand_shape of the dialect of `like`."""
    values, numbers = parts(shape)
    properties = {"reassociation": reassociation(groups), "static_output_shape": numbers}
    return rw.value(sibling(like, EXPAND), (source, *values), kind, properties)


def output_shape(op: Operation) -> Mixed:
    """The sizes that an expand_shape says its result has."""
    return mixed(op, "output_shape")


def collapse_of_collapse(op: Operation, rw: GreedyRewriter) -> bool:
    """collapse(collapse %m) -> collapse %m"""
    inner = _source(op, COLLAPSE)
    if inner is None or not _all_contiguous(inner, op):
        return False
    groups = compose(groups_of(inner), groups_of(op))
    if groups is None:
        return False
    _to_collapse(rw, op, inner.operands[0], groups)
    return True


def expand_of_expand(op: Operation, rw: GreedyRewriter) -> bool:
    """expand(expand %m) -> expand %m"""
    inner = _source(op, EXPAND)
    if inner is None or not _all_contiguous(inner, op):
        return False
    groups = compose(groups_of(inner), groups_of(op))
    if groups is None:
        return False
    _to_expand(rw, op, inner.operands[0], groups, output_shape(op))
    return True


def collapse_of_expand(op: Operation, rw: GreedyRewriter) -> bool:
    """collapse(expand %m) -> collapse %m or expand %m, where one's groups cover the other's"""
    inner = _source(op, EXPAND)
    if inner is None or not _all_contiguous(inner, op):
        return False
    source, result = inner.operands[0], op.results[0]
    if source.type == result.type:
        return False
    collapses = _rank(source) > _rank(result)
    expanded, collapsed = groups_of(inner), groups_of(op)
    groups = cover(expanded, collapsed) if collapses else cover(collapsed, expanded)
    if groups is None:
        return False
    if collapses:
        _to_collapse(rw, op, source, groups)
    elif _rank(source) < _rank(result):
        shape = [_product(rw, sizes) for sizes in _grouped(output_shape(inner), collapsed)]
        _to_expand(rw, op, source, groups, shape)
    else:
        rw.replace_with(op, sibling(op, "cast"), (source,), (result.type,))
    return True


def _grouped(shape: Mixed, groups: Groups) -> list[Mixed]:
    return [[shape[dim] for dim in group] for group in groups]


def _product(rw: GreedyRewriter, sizes: Mixed) -> int | SSAValue:
    """The product of sizes: a number where all of them are known."""
    index = IndexType()
    factor, values = 1, []
    for size in sizes:
        known = size if isinstance(size, int) else int_of(size)
        if known is None:
            values.append(size)
        else:
            factor *= known
    if not values:
        return factor
    product = values[0]
    for value in values[1:]:
        product = rw.value("arith.muli", (product, value), index)
    if factor == 1:
        return product
    constant = rw.value("arith.constant", (), index, {"value": IntegerAttr(factor, index)})
    return rw.value("arith.muli", (product, constant), index)


def expand_of_collapse(op: Operation, rw: GreedyRewriter) -> bool:
    """expand(collapse %m) -> collapse %m or expand %m, where one shape collapses to the other"""
    inner = _source(op, COLLAPSE)
    if inner is None or not _all_contiguous(inner, op):
        return False
    source, result = inner.operands[0], op.results[0]
    ranks = _rank(source), _rank(result)
    if ranks[0] == ranks[1]:
        return False
    larger = (groups_of(inner), _shape(source))
    smaller = (groups_of(op), _shape(result))
    if ranks[0] < ranks[1]:
        larger, smaller = smaller, larger
    groups = _between(*larger, *smaller)
    if groups is None:
        return False
    if ranks[0] > ranks[1]:
        _to_collapse(rw, op, source, groups)
    else:
        _to_expand(rw, op, source, groups, output_shape(op))
    return True


def _between(
    groups: Groups, shape: list[int], small_groups: Groups, small_shape: list[int]
) -> Groups | None:
    """How `shape` collapses to `small_shape` if both collapse to the same, by their groups."""
    if not groups:
        return collapsing_groups(shape, small_shape)
    found: Groups = []
    for dims, small_dims in zip(groups, small_groups, strict=True):
        part, small = [shape[d] for d in dims], [small_shape[d] for d in small_dims]
        if part.count(DYNAMIC_INDEX) > 1 and small.count(DYNAMIC_INDEX) > 1:
            return None
        if len(part) == len(small):
            if part != small:
                return None
            found += [[dim] for dim in dims]
            continue
        inner = collapsing_groups(part, small)
        if inner is None:
            return None
        found += [[dims[0] + dim for dim in group] for group in inner]
    return found
