# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the analysis found, as attributes of operations: for tests of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from xgpu.transforms.bufferization.one_shot.options import is_tensor
from xgpu.transforms.bufferization.one_shot.values import Operand, tensor_operands

if TYPE_CHECKING:
    from xgpu.transforms.bufferization.one_shot.decisions import Decisions

_EQUIVALENT = "__equivalent_func_args__"
_IN_PLACE = "__inplace_operands_attr__"
_RESULTS, _ARGUMENTS = "__opresult_alias_set_attr__", "__bbarg_alias_set_attr__"


def _mark(op: Operation | None, prefix: str, what: str) -> None:
    """Numbers by what is there already, so that a run does not depend on those before it."""
    if op is not None:
        op.attributes[f"{prefix}[{what}]"] = UnitAttr()


def _number(op: Operation, letter: str) -> int:
    """How many marks of this kind there are in the outermost operation."""
    root = op
    while (parent := root.parent_op()) is not None:
        root = parent
    names = {
        name.partition("[")[0]
        for inner in root.walk()
        for name in inner.attributes
        if name.startswith(f"{letter}_") and "[" in name
    }
    return len(names)


def _owner(value: SSAValue) -> tuple[Operation | None, str]:
    owner = value.owner
    if isinstance(owner, Block):
        return owner.parent_op(), f"bbArg {owner.args.index(value)}"
    assert isinstance(value, OpResult)
    return owner, f"result {value.index}"


def mark_conflict(read: Operand, write: Operand, definition: SSAValue) -> None:
    """Names the three that a conflict is between."""
    prefix = f"C_{_number(read.op, 'C')}"
    op, what = _owner(definition)
    _mark(write.op, prefix, f"CONFL-WRITE: {write.at}")
    _mark(read.op, prefix, f"READ: {read.at}")
    _mark(op, prefix, f"DEF: {what}")


def mark_read_only(value: SSAValue) -> None:
    op, what = _owner(value)
    if op is not None:
        _mark(op, f"W_{_number(op, 'W')}", f"NOT-WRITABLE: {what}")


def mark_decisions(root: Operation, state: Decisions) -> None:
    """For each operand "true" if it keeps its buffer, "false", or "none" for what is no tensor."""
    for op in root.walk():
        uses = tensor_operands(op)
        if not uses:
            continue
        words = ["none"] * len(op.operands)
        for use in uses:
            words[use.at] = "true" if state.is_in_place(use) else "false"
        op.attributes[_IN_PLACE] = ArrayAttr([StringAttr(word) for word in words])


def mark_equivalent_arguments(op: Operation, arguments: list[int | None]) -> None:
    """For each operand of a return the number of the argument that it is, or -1."""
    if any(argument is not None for argument in arguments):
        numbers = [IntegerAttr(-1 if at is None else at, i64) for at in arguments]
        op.attributes[_EQUIVALENT] = ArrayAttr(numbers)


def mark_alias_sets(root: Operation, state: Decisions) -> None:
    """For each result and argument the names of all that share its buffer."""
    from xgpu.core.syntax.names import Names

    names = Names(generic=False)
    names.number(root)

    def aliases(value: SSAValue) -> Attribute:
        members = state.alias_sets.members(value)
        return ArrayAttr([StringAttr(names.values[id(v)]) for v in members])

    for op in root.walk():
        results = [aliases(result) for result in op.results if is_tensor(result.type)]
        if results:
            op.attributes[_RESULTS] = ArrayAttr(results)
        regions = [
            ArrayAttr(
                [
                    ArrayAttr([aliases(arg) for arg in block.args if is_tensor(arg.type)])
                    for block in region.blocks
                ]
            )
            for region in op.regions
        ]
        if any(is_tensor(a.type) for r in op.regions for b in r.blocks for a in b.args):
            op.attributes[_ARGUMENTS] = ArrayAttr(regions)
