# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of cf operations: weights and cases agree with the blocks that are gone to."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error, op_error

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, IntegerType
    from xdsl.ir import Operation, SSAValue

    from xgpu.dialects import cf, llvm


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


VERIFY = {"cf.cond_br": verify_weights, "cf.switch": _switch}
