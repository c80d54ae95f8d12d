# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of cf operations: branches agree with the blocks that they go to."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.ir.attribute_text import shown
from xgpu.ir.errors import error, op_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, IntegerType
    from xdsl.ir import Block, Operation, SSAValue

    from xgpu.dialects import cf, llvm


def verify_branch(op: cf.BrOp | cf.CondBrOp | cf.SwitchOp) -> None:
    """The operands for each successor match its arguments (MLIR's BranchOpInterface)."""
    for index, (block, operands) in enumerate(zip(op.successors, _groups(op), strict=True)):
        verify_successor(op, index, block, operands)


def verify_successor(
    op: Operation,
    index: int,
    block: Block,
    operands: Sequence[SSAValue],
) -> None:
    """The operands for one successor match its arguments."""
    if len(operands) != len(block.args):
        raise error(
            op,
            f"branch has {len(operands)} operands for successor #{index}, but target block has "
            f"{len(block.args)}",
        )
    for place, (operand, argument) in enumerate(zip(operands, block.args, strict=True)):
        if operand.type != argument.type:
            raise error(
                op,
                f"type mismatch for bb argument #{place} of successor #{index}",
            )


def _groups(op: cf.BrOp | cf.CondBrOp | cf.SwitchOp) -> list[Sequence[SSAValue]]:
    if op.name == "cf.br":  # the class may be made again, the name may not
        return [op.operands]
    if op.name == "cf.cond_br":
        return [op.operand_group(1), op.operand_group(2)]
    return [op.operand_group(1), *switch_operands(cast("cf.SwitchOp", op))]


def switch_operands(op: cf.SwitchOp) -> list[list[SSAValue]]:
    """The operands of each case of a switch."""
    values = list(op.operand_group(2))
    groups: list[list[SSAValue]] = []
    at = 0
    for size in op.case_operand_segments.get_values():
        groups.append(values[at : at + size])
        at += size
    return groups


def verify_weights(op: Operation) -> None:
    """Branch weights: one for each successor, and not all zero."""
    weights = cast("DenseArrayBase[IntegerType] | None", op.properties.get("branch_weights"))
    if weights is None:
        return
    given = weights.get_values()
    if len(given) != len(op.successors):
        raise error(
            op,
            "expects number of branch weights to match number of successors: "
            f"{len(given)} vs {len(op.successors)}",
        )
    if not any(given):
        raise error(op, "branch weights cannot all be zero")


def _cond_br(op: cf.CondBrOp) -> None:
    verify_weights(op)
    verify_branch(op)


def verify_cases(op: Operation, flag: SSAValue) -> None:
    """Case values have the flag's type, and are as many as the cases."""
    values = cast("DenseIntOrFPElementsAttr | None", op.properties.get("case_values"))
    count = len(op.successors) - 1
    if values is None:
        if count:
            raise op_error(
                op,
                f"expects number of case values to match number of case destinations: 0 vs {count}",
            )
        return
    if values.type.element_type != flag.type:
        raise op_error(
            op,
            f"'flag' type ('{shown(flag.type)}') should match case value type "
            f"('{shown(values.type.element_type)}')",
        )
    found = values.type.get_shape()[0]
    if found != count:
        raise op_error(
            op,
            f"number of case values ({found}) should match number of case destinations ({count})",
        )


def verify_segments(op: cf.SwitchOp | llvm.SwitchOp) -> None:
    """Each case of a switch says how many operands it has."""
    sizes, cases = len(op.case_operand_segments), len(op.successors) - 1
    if sizes != cases:
        raise op_error(
            op,
            f"number of case operand segments ({sizes}) should match number of case destinations "
            f"({cases})",
        )


def _switch(op: cf.SwitchOp) -> None:
    verify_cases(op, op.operands[0])
    verify_segments(op)
    verify_branch(op)


VERIFY = {"cf.br": verify_branch, "cf.cond_br": _cond_br, "cf.switch": _switch}
