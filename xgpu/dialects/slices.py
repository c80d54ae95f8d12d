# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slices: offsets, sizes and strides, of numbers and values, as memref and tensor have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX

from xgpu.dialects.memref.layout import Known, static
from xgpu.ir.errors import error

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Operation

    from xgpu.dialects import memref, tensor


_LISTS = ("offsets", "sizes", "strides")


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
