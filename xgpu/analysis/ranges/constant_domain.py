# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which values are constants: sparse conditional constant propagation's domain."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.analysis.sparse import Domain
from xgpu.ir.constants import constant_value, is_constant_op
from xgpu.ir.op_info import op_info

#: What is known of a value that is no constant.
VARIES = False


class ConstantDomain(Domain):
    """Each value is a constant (an attribute), or VARIES."""

    def entry(self, value: SSAValue) -> Any:
        return VARIES

    def join(self, old: Any, new: Any) -> Any:
        return old if old == new else VARIES

    def constant(self, value: SSAValue) -> Attribute | None:
        known = self.known.get(value)
        return known if isinstance(known, Attribute) else None

    def visit(self, op: Operation) -> None:
        if is_constant_op(op):
            value = constant_value(op)
            self.learn(op.results[0], VARIES if value is None else value)
            return
        if op.regions:
            super().visit(op)
            return
        constants: list[Attribute | None] = []
        for operand in op.operands:
            known = self.known.get(operand)
            if known is None:
                return
            constants.append(known if isinstance(known, Attribute) else None)
        folded = _fold(op, constants)
        if folded is None or len(folded) != len(op.results):
            super().visit(op)
            return
        for result, item in zip(op.results, folded, strict=True):
            if isinstance(item, SSAValue):
                what = self.known.get(item)
                self.learn(result, VARIES if what is None else what)
            else:
                self.learn(result, item)


def _fold(op: Operation, constants: list[Attribute | None]) -> list[Any] | None:
    """What `op` folds to, given what the operands are; `op` itself stays as it is."""
    folder = op_info(op.name).fold
    if folder is None:
        return None
    operands, properties = list(op.operands), dict(op.properties)
    attributes = dict(op.attributes)
    result = folder(op, constants)
    if result is True:
        op.operands = operands
        op.properties = properties
        op.attributes = attributes
        return None
    return result if isinstance(result, list) else None
