# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slices: offsets, sizes and strides, of numbers and values, as memref and tensor have them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, i64
from xdsl.ir import SSAValue

from xgpu.core.ir.errors import error
from xgpu.dialects.memref.layout import Known, static

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute, Operation

    from xgpu.dialects import memref, tensor


_LISTS = ("offsets", "sizes", "strides")
#: Offsets, sizes or strides: numbers, and values where they are not known.
Mixed = list[int | SSAValue]


def mixed(op: Operation, name: str) -> Mixed:
    """`offsets`, `sizes` or `strides` (`low`, `high` of a padding) as numbers and values."""
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
    from xgpu.core.ir.constants import int_of  # verifiers, which need the rest, do not need this

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
    op: memref.ReinterpretCastOp
    | memref.SubviewOp
    | tensor.ExtractSliceOp
    | tensor.InsertSliceOp
    | tensor.ParallelInsertSliceOp,
    ranks: Sequence[int | None],
    first: int = 1,
) -> None:
    """What holds for offsets, sizes and strides (MLIR's OffsetSizeAndStrideOpInterface).

    `ranks` are how many of each there are to be, None for any number; `first` is the number of the
    operands that are offsets.
    """
    lists = [
        list(sizes.get_values())
        for sizes in (op.static_offsets, op.static_sizes, op.static_strides)
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
