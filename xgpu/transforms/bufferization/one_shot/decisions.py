# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What has been decided: which operands keep their buffers, and which values share one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from xgpu.transforms.bufferization.one_shot.order import Order
from xgpu.transforms.bufferization.one_shot.state import Undecided
from xgpu.transforms.bufferization.one_shot.values import Operand, tensor_operands, uses_of

if TYPE_CHECKING:
    from xgpu.transforms.bufferization.one_shot.options import Options


class Classes:
    """Sets of values, which are joined."""

    __slots__ = ("_sets",)

    def __init__(self) -> None:
        self._sets: dict[SSAValue, list[SSAValue]] = {}

    def members(self, value: SSAValue) -> Sequence[SSAValue]:
        return self._sets.get(value) or (value,)

    def join(self, a: SSAValue, b: SSAValue) -> None:
        first = self._sets.setdefault(a, [a])
        second = self._sets.setdefault(b, [b])
        if first is second:
            return
        if len(first) < len(second):
            first, second = second, first
        first.extend(second)
        for value in second:
            self._sets[value] = first

    def same(self, a: SSAValue, b: SSAValue) -> bool:
        return a is b or (a in self._sets and self._sets[a] is self._sets.get(b))


class Decisions(Undecided):
    """The decisions for all operands in `root`."""

    def __init__(self, root: Operation, options: Options) -> None:
        super().__init__(options)
        self.alias_sets = Classes()
        self.equivalent_sets = Classes()
        self.order = Order()
        self._in_place: set[Operand] = set()
        self.undefined: set[Operand] = set()
        self._definitions: dict[SSAValue, list[SSAValue]] = {}
        self._is_read: dict[SSAValue, bool] = {}
        self._decide_given(root)

    def _decide_given(self, op: Operation) -> None:
        """Operands that must keep their buffers do."""
        for inner in op.walk():
            model = self.known_model(inner)
            if model is None:
                continue
            for use in tensor_operands(inner):
                if model.must_be_in_place(use, self):
                    self.keep(use)

    # --- what is known -------------------------------------------------------------------------
    def is_in_place(self, use: Operand) -> bool:
        return use in self._in_place

    def is_undefined(self, use: Operand) -> bool:
        return use in self.undefined

    def are_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return self.equivalent_sets.same(a, b)

    def sharing(self, value: SSAValue) -> Sequence[SSAValue] | None:
        return self.alias_sets.members(value)

    def are_aliases(self, a: SSAValue, b: SSAValue) -> bool:
        return self.alias_sets.same(a, b)

    def definitions(self, value: SSAValue) -> list[SSAValue]:
        found = self._definitions.get(value)
        if found is None:
            found = self._definitions[value] = super().definitions(value)
        return found

    def is_read(self, value: SSAValue) -> bool:
        found = self._is_read.get(value)
        if found is None:
            found = self._is_read[value] = super().is_read(value)
        return found

    def is_written(self, value: SSAValue) -> bool:
        """Whether anybody writes the buffer of `value`."""
        return any(
            self.is_in_place(use) and self.writes(use)
            for alias in self.alias_sets.members(value)
            for use in uses_of(alias)
        )

    def forget(self) -> None:
        """Facts of functions have changed, and what follows from them."""
        self._definitions.clear()
        self._is_read.clear()

    def keep(self, use: Operand) -> None:
        """Decides that an operand keeps its buffer."""
        if use in self._in_place:
            return
        self._in_place.add(use)
        for alias in self.aliases(use):
            self.alias_sets.join(alias.value, use.value)
