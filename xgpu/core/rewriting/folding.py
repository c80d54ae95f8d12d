# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folding one operation: the dialect's `FOLD` hook, and the rules that follow from traits.

MLIR's `Operation::fold`: the results as values or constants; or the operation changed in place; or
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import constant_of
from xgpu.core.ir.fields import operands_of
from xgpu.core.ir.op_info import derived, op_info


class _Rules:
    """What `fold` asks of an operation's name."""

    __slots__ = ("any", "commutative", "folder", "idempotent", "involution", "unary", "uses")

    def __init__(self, name: str) -> None:
        info = op_info(name)
        traits = info.traits
        self.folder = info.fold
        self.commutative = "Commutative" in traits
        self.idempotent = "Idempotent" in traits
        self.involution = "Involution" in traits
        #: Whether a rule follows from traits besides the order of constants.
        self.unary = self.idempotent or self.involution
        self.uses = info.fold_uses
        self.any = (
            self.folder is not None or self.commutative or self.unary or self.uses is not None
        )


_RULES: dict[str, _Rules] = derived()


def fold(op: Operation) -> list[SSAValue | Attribute] | bool:
    """The replacements of the results of `op`; True if it was changed in place; False if it stays.

    A list is never empty.
    """
    rules = _RULES.get(op.name)
    if rules is None:
        rules = _RULES[op.name] = _Rules(op.name)
    if not rules.any:
        return False
    if rules.uses is not None and rules.uses(op):
        return True
    constants = [constant_of(v) for v in operands_of(op)]
    result = rules.folder(op, constants) if rules.folder is not None else None
    if result.__class__ is list and result and result != list(op.results):
        return result
    if result is True:  # its operands may be others now
        return True
    if rules.commutative and len(constants) > 1 and _constants_last(op, constants):
        return True
    if rules.unary:
        by_trait = _fold_unary(op, rules)
        if by_trait is not False:
            return by_trait
    return False


def _fold_unary(op: Operation, rules: _Rules) -> list[SSAValue | Attribute] | bool:
    """f(x, x) -> x, f(f(x)) -> f(x), or for an involution f(f(x)) -> x."""
    operands = op.operands
    if len(op.results) != 1:
        return False
    if rules.idempotent:
        if len(operands) == 2 and operands[0] is operands[1]:
            return [operands[0]]
        if len(operands) == 1 and _same_op(op, operands[0]):
            return [operands[0]]
    if rules.involution and len(operands) == 1 and _same_op(op, operands[0]):
        inner = cast("Operation", operands[0].owner)
        if inner.operands[0].type == op.results[0].type:
            return [inner.operands[0]]
    return False


def _same_op(op: Operation, value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name == op.name


def _constants_last(op: Operation, constants: Sequence[Attribute | None]) -> bool:
    """Moves constant operands behind the others, keeping the order of each; whether it did."""
    seen = False
    for constant in constants:
        if constant is not None:
            seen = True
        elif seen:
            break
    else:
        return False
    operands = op.operands
    order = sorted(range(len(constants)), key=lambda i: constants[i] is not None)
    op.operands = [operands[i] for i in order]
    return True
