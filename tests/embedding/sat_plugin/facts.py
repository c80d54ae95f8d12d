# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What xgpu's passes should know of `sat.add`, beyond what its class says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from sat_plugin.dialect import AddOp
from xgpu.plugins import op_error, register_operation

if TYPE_CHECKING:
    from xgpu.plugins import Conversion, GreedyRewriter


def _type(op: Operation) -> IntegerType:
    return cast(IntegerType, op.results[0].type)


def _saturated(value: int, width: int) -> int:
    limit = 1 << (width - 1)
    return max(-limit, min(value, limit - 1))


def fold(op: Operation, constants: Sequence[Attribute | None]) -> list[Attribute] | None:
    """A sum of constants is a constant."""
    first, second = constants
    if not isinstance(first, IntegerAttr) or not isinstance(second, IntegerAttr):
        return None
    type = _type(op)
    total = _saturated(first.value.data + second.value.data, type.width.data)
    return [IntegerAttr(total, type)]


def of_itself_and_zero(op: Operation, rewriter: GreedyRewriter) -> bool:
    """x + 0 -> x"""
    zero = op.operands[1].owner
    if not isinstance(zero, Operation) or zero.name != "arith.constant":
        return False
    value = zero.properties["value"]
    if not isinstance(value, IntegerAttr) or value.value.data != 0:
        return False
    rewriter.replace(op, [op.operands[0]])
    return True


def verify(op: Operation) -> None:
    """There is nothing to stop at in one bit."""
    if _type(op).width.data < 2:
        raise op_error(op, "expected an integer of at least 2 bits")


def to_llvm(op: Operation, operands: Sequence[SSAValue], rewriter: Conversion) -> list[SSAValue]:
    """%s = sat.add %a, %b : i8      %s = llvm.intr.sadd.sat(%a, %b) : (i8, i8) -> i8"""
    return [rewriter.value("llvm.intr.sadd.sat", operands, operands[0].type)]


def register() -> None:
    """Makes the facts known."""
    register_operation(
        AddOp.name,
        {
            "canonicalizations": (of_itself_and_zero,),
            "conversions": {"llvm": to_llvm},
            "fold": fold,
            "verify": verify,
        },
    )
