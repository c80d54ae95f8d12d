# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which values are constants: sparse conditional constant propagation's domain."""

from __future__ import annotations

from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.analysis.sparse import Domain
from xgpu.core.ir.constants import constant_value, is_constant_op
from xgpu.core.ir.op_info import op_info

#: What is known of a value that is no constant.
VARIES = False


class Constant:
    """A constant, and the dialect whose operation gave it, which knows how to make an operation of
    it. The same constant of two dialects is one constant."""

    __slots__ = ("attribute", "dialect")

    def __init__(self, attribute: Attribute, op: Operation) -> None:
        self.attribute = attribute
        self.dialect = op.name.partition(".")[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and self.attribute == other.attribute

    def __hash__(self) -> int:
        return hash(self.attribute)


class ConstantDomain(Domain):
    """Each value is a `Constant`, or VARIES."""

    def entry(self, value: SSAValue) -> object:
        return VARIES

    def join(self, old: object, new: object) -> object:
        return old if old == new else VARIES

    def constant(self, value: SSAValue) -> Attribute | None:
        known = self.known.get(value)
        return known.attribute if isinstance(known, Constant) else None

    def dialect(self, value: SSAValue) -> str:
        """The dialect that a value's constant is from."""
        return self.known[value].dialect

    def visit(self, op: Operation) -> None:
        if is_constant_op(op):
            value = constant_value(op)
            self.learn(op.results[0], VARIES if value is None else Constant(value, op))
            return
        if op.regions:
            super().visit(op)
            return
        constants: list[Attribute | None] = []
        for operand in op.operands:
            known = self.known.get(operand)
            if known is None:
                return
            constants.append(known.attribute if isinstance(known, Constant) else None)
        folded = _fold(op, constants)
        if folded is None or len(folded) != len(op.results):
            super().visit(op)
            return
        for result, item in zip(op.results, folded, strict=True):
            if isinstance(item, SSAValue):
                what = self.known.get(item)
                self.learn(result, VARIES if what is None else what)
            else:
                self.learn(result, Constant(item, op))


def _fold(op: Operation, constants: list[Attribute | None]) -> list[SSAValue | Attribute] | None:
    """What `op` folds to, given what the operands are; `op` itself stays as it is."""
    folder = op_info(op.name).fold
    if folder is None:
        return None
    operands, properties = list(op.operands), dict(op.properties)
    attributes = dict(op.attributes)
    result: list[SSAValue | Attribute] | bool | None = folder(op, constants)
    # A fold may change the operation and then find a result as well.
    if result is True or op.properties != properties or len(op.operands) != len(operands):
        op.operands = operands
        op.properties = properties
        op.attributes = attributes
    return result if isinstance(result, list) else None
