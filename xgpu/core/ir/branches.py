# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operands a branch passes to which successor: MLIR's BranchOpInterface."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Block, Operation, SSAValue

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType


def successor_ranges(op: Operation) -> list[tuple[int, int]] | None:
    """For each successor the range of operands [start, end) that become its arguments.

    None for a terminator that is no branch, or of which this is not known.
    """
    name = op.name
    count = len(op.operands)
    if name in ("cf.br", "llvm.br"):
        return [(0, count)]
    if name in ("cf.cond_br", "llvm.cond_br"):
        _, true, false = segment_sizes(op)
        return [(1, 1 + true), (1 + true, 1 + true + false)]
    if name in ("cf.switch", "llvm.switch"):
        _, default, _ = segment_sizes(op)
        ranges = [(1, 1 + default)]
        at = 1 + default
        for size in case_sizes(op):
            ranges.append((at, at + size))
            at += size
        return ranges
    if name == "llvm.invoke":
        sizes = segment_sizes(op)
        at = sizes[0]
        return [(at, at + sizes[1]), (at + sizes[1], at + sizes[1] + sizes[2])]
    return None


def segment_sizes(op: Operation) -> list[int]:
    """The value of `operandSegmentSizes`."""
    sizes = op.properties.get("operandSegmentSizes") or op.attributes["operandSegmentSizes"]
    return list(cast("DenseArrayBase[IntegerType]", sizes).get_values())


def case_sizes(op: Operation) -> list[int]:
    """The number of operands that a switch passes to each case."""
    sizes = cast("DenseArrayBase[IntegerType] | None", op.properties.get("case_operand_segments"))
    return list(sizes.get_values()) if sizes is not None else []


def successor_operands(op: Operation, index: int) -> list[SSAValue] | None:
    """The operands that the branch `op` passes to its successor `index`."""
    ranges = successor_ranges(op)
    if ranges is None:
        return None
    start, end = ranges[index]
    return list(op.operands[start:end])


def predecessor_edges(block: Block) -> list[tuple[Operation, int]]:
    """The branches to `block`: (terminator, which successor of it)."""
    edges: list[tuple[Operation, int]] = []
    use = block.first_use
    while use is not None:
        if use.operation.parent is not None:
            edges.append((use.operation, use.index))
        use = use._next_use  # pyright: ignore[reportPrivateUsage]
    return edges


def set_successor_operands(op: Operation, index: int, values: list[SSAValue]) -> None:
    """Replaces the operands that the branch `op` passes to its successor `index`."""
    ranges = successor_ranges(op)
    assert ranges is not None
    start, end = ranges[index]
    operands = list(op.operands)
    op.operands = [*operands[:start], *values, *operands[end:]]
    change = len(values) - (end - start)
    if change == 0 or op.name in ("cf.br", "llvm.br"):
        return
    sizes = segment_sizes(op)
    if op.name in ("cf.switch", "llvm.switch"):
        if index == 0:
            sizes[1] += change
        else:
            sizes[2] += change
            cases = case_sizes(op)
            cases[index - 1] += change
            op.properties["case_operand_segments"] = DenseArrayBase.from_list(i32, cases)
    else:
        sizes[index + 1] += change
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)


def erase_block_argument(block: Block, index: int) -> None:
    """Removes an argument without users, and the operands of branches for it."""
    for op, successor in predecessor_edges(block):
        values = successor_operands(op, successor)
        assert values is not None
        set_successor_operands(op, successor, values[:index] + values[index + 1 :])
    block.erase_arg(block.args[index])
