# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How index values compare: MLIR's ValueBoundsConstraintSet.

From the values that are compared the analysis goes back to what defines them, and says what it
knows of each as linear inequalities: arithmetic, loops, sizes of memrefs, ids and sizes of gpu.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.analysis.bounds.linear import (
    Form,
    Variable,
    combine,
    constant_bound,
    constant_of,
    is_empty,
    of_variable,
    scale,
)
from xgpu.analysis.bounds.system import LinearSystem
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.op_info import traits_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ShapedType


#: What `compare` takes: MLIR's names.
COMPARISONS = ("LT", "LE", "EQ", "GE", "GT")
_ONE: Form = {None: 1}
#: Stands for what a bound is looked for of.
_ASKED: Variable = ("asked", 0)


class Bounds(LinearSystem):
    """What is known of some values and of those that they are made of.

    `ValueBounds` (rules.py) has the rules: by operation, for arguments of its regions,
    its results, and the sizes of a memref that it gives.
    """

    arguments: Mapping[str, Callable[..., None]] = {}
    values: Mapping[str, Callable[..., None]] = {}
    dimensions: Mapping[str, Callable[..., Form | None]] = {}

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[Variable] = set()
        self._pending: list[Variable] = []

    # --- asking --------------------------------------------------------------------------------
    def compare(self, left: Form, comparison: str, right: Form) -> bool:
        """Whether `left comparison right` holds for sure."""
        self._learn()
        if comparison == "EQ":
            return self.compare(left, "LE", right) and self.compare(left, "GE", right)
        if comparison in ("GT", "GE"):
            left, right = right, left
        # Is there a way to be the other way round?
        opposite = combine(left, right, times=-1)
        if comparison in ("LE", "GE"):
            opposite = combine(opposite, _ONE, times=-1)
        return is_empty([*self.rows, opposite])

    def upper(self, form: Form) -> int | None:
        """The largest number that `form` may be, if one can be seen."""
        known = constant_of(form)
        if known is not None:
            return known
        self._learn()
        row = combine(form, of_variable(_ASKED), times=-1)
        return constant_bound([*self.rows, row, scale(row, -1)], _ASKED, upper=True)

    # --- saying --------------------------------------------------------------------------------
    def value(self, value: SSAValue) -> Form:
        """An index value as a form."""
        known = int_of(value)
        return {None: known} if known is not None else self.variable(value)

    def dimension(self, memref: SSAValue, index: int) -> Form:
        """The size of a dimension of a memref."""
        shape = cast("ShapedType", memref.type)
        extent = shape.get_shape()[index]
        return {None: extent} if extent >= 0 else self.variable((memref, index))

    def variable(self, variable: Variable) -> Form:
        """A variable, of which everything that is known is learnt."""
        if variable not in self._seen:
            self._seen.add(variable)
            self._pending.append(variable)
        return of_variable(variable)

    # --- learning ------------------------------------------------------------------------------
    def _learn(self) -> None:
        while self._pending:
            variable = self._pending.pop()
            if isinstance(variable, tuple):
                memref, index = cast("tuple[SSAValue, int]", variable)
                self._learn_dimension(memref, index)
            else:
                self._learn_value(cast("SSAValue", variable))

    def _learn_value(self, value: SSAValue) -> None:
        if isinstance(value, BlockArgument):
            parent = value.block.parent_op()
            rule: Callable[..., None] | None = None
            if parent is not None and parent.regions[0].first_block is value.block:
                rule = self.arguments.get(parent.name)
            if rule is not None:
                rule(self, parent, value)
            return
        owner = value.owner
        assert isinstance(owner, Operation)
        rule = self.values.get(owner.name)
        if rule is not None:
            rule(self, owner, value)

    def _learn_dimension(self, memref: SSAValue, index: int) -> None:
        size = of_variable((memref, index))
        self.at_least(size, {None: 0})
        owner = memref.owner
        rule = self._dimension_rule(owner.name) if isinstance(owner, Operation) else None
        if rule is not None:
            found = rule(self, memref, index)
            if found is not None:
                self.equal(size, found)

    def _dimension_rule(self, name: str) -> Callable[..., Form | None] | None:
        found = self.dimensions.get(name)
        if found is None and "DestinationStyleOpInterface" in traits_of(name):
            return self.dimensions.get("DestinationStyleOpInterface")
        return found


def is_index(value: SSAValue) -> bool:
    """Whether bounds of `value` are looked for."""
    return isinstance(value.type, IndexType)


def is_shaped(value: SSAValue) -> bool:
    """Whether dimensions of `value` are looked for."""
    return isinstance(value.type, MemRefType)
