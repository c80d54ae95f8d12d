# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`test-single-fold`: each operation is folded once, the last one first.

A constant moves to the start of the function, and equal ones become one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import SSAValue

from xgpu.core.ir.constants import constant_value, is_constant_op
from xgpu.core.ir.effects import is_trivially_dead
from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.folding import fold, materialize

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Block, Operation


class TestConstantFold(Pass):
    """Folds without the greedy driver."""

    __test__ = False
    name = "test-single-fold"
    summary = "Test single-pass operation folding and dead constant elimination"

    def run(self, op: Operation, ctx: Context) -> None:
        folder = _Folder()
        for inner in reversed(list(op.walk())):
            if inner is not op and inner.parent is not None:
                folder.visit(inner)
        for constant in folder.constants.values():
            if is_trivially_dead(constant):
                folder.rw.erase(constant)


class _Folder:
    def __init__(self) -> None:
        self.rw = Rewriter()
        self.constants: dict[object, Operation] = {}

    def visit(self, op: Operation) -> None:
        if is_constant_op(op):
            self._unique(op)
            return
        folded = fold(op)
        if isinstance(folded, bool):
            return
        self.rw.before(op)
        self.rw.location = op.location
        values = [self._value(op, *pair) for pair in zip(folded, op.results, strict=True)]
        self.rw.replace(op, values)

    def _value(self, op: Operation, value: Any, result: SSAValue) -> Any:
        if isinstance(value, SSAValue):
            return value
        made = materialize(self.rw, value, result.type, op.name.partition(".")[0])
        assert made is not None
        return self._unique(made.owner)

    def _unique(self, op: Any) -> SSAValue:
        """The one constant of its value, at the start of its function."""
        block = _outermost_block(op)
        key = (id(block), op.name, constant_value(op), op.results[0].type)
        known = self.constants.setdefault(key, op)
        if known is not op:
            self.rw.replace(op, known.results)
        elif block.first_op is not op:
            op.detach()
            block.insert_op_before(op, block.first_op)
        return known.results[0]


def _outermost_block(op: Operation) -> Block:
    """The first block of the region that constants of an operation stand in."""
    parent: Any = op.parent_op()
    region: Any = op.parent_region()
    while "IsolatedFromAbove" not in traits_of(parent.name) and parent.parent is not None:
        region = parent.parent_region()
        parent = parent.parent_op()
    return region.blocks.first
