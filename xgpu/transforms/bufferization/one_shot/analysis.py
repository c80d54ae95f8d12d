# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operands write where they stand: the analysis of one-shot bufferization.

Each operand is decided once, by default from the last operation to the first. It keeps its buffer
if nobody would then read what the program does not say (`conflicts`), nor write what must not be
written. A decision joins the alias sets of the operand and of what shares its buffer, and later
decisions see that. Source of the algorithm: MLIR 22.1 OneShotAnalysis.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, SSAValue

from xgpu.ir.errors import op_error
from xgpu.ir.region_flow import REGION_ENDS
from xgpu.transforms.bufferization.one_shot import conflicts
from xgpu.transforms.bufferization.one_shot.model import (
    Operand,
    has_tensors,
    tensor_operands,
    uses_of,
)
from xgpu.transforms.bufferization.one_shot.options import is_tensor
from xgpu.transforms.bufferization.one_shot.order import Order, contains
from xgpu.transforms.bufferization.one_shot.state import State

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


def walk_postorder(op: Operation) -> Iterable[Operation]:
    """`op` and what it contains, what is inside before what is around."""
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block.ops):
                yield from walk_postorder(inner)
    yield op


class Analysis(State):
    """The decisions for all operands in `root`."""

    def __init__(self, root: Operation, options: Options) -> None:
        super().__init__(options)
        self.alias_sets = Classes()
        self.equivalent_sets = Classes()
        self.order = Order()
        self._in_place: set[Operand] = set()
        self._undefined: set[Operand] = set()
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
                    self._keep(use)

    # --- what is known -------------------------------------------------------------------------
    def is_in_place(self, use: Operand) -> bool:
        return use in self._in_place

    def is_undefined(self, use: Operand) -> bool:
        return use in self._undefined

    def are_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return self.equivalent_sets.same(a, b)

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

    # --- deciding ------------------------------------------------------------------------------
    def analyze(self, op: Operation) -> None:
        """Decides for `op` and what it contains.

        Raises DiagnosticError where operands that must keep their buffers cannot.
        """
        self.forget()
        self._check(op)
        self._decide(op)
        self._find_equivalences(op)
        self._find_undefined(op)
        for inner in walk_postorder(op):
            model = self.known_model(inner)
            if model is not None:
                model.verify(inner, self)

    def _check(self, op: Operation) -> None:
        operations = [(inner, self.known_model(inner)) for inner in walk_postorder(op)]
        for inner, model in operations:
            if model is None or model.several_blocks:
                continue
            if any(len(region.blocks) > 1 for region in inner.regions):
                raise op_error(
                    inner,
                    "op or BufferizableOpInterface implementation does not support unstructured "
                    "control flow, but at least one region has multiple blocks",
                )
        for inner, model in operations:
            if model is not None:
                self._check_given(inner)

    def _check_given(self, op: Operation) -> None:
        if (
            op.name == "bufferization.to_tensor"
            and "restrict" not in op.properties
            and op.results[0].first_use is not None
            and is_tensor(op.results[0].type)
        ):
            raise op_error(
                op, "to_tensor ops without `restrict` are not supported by One-Shot Analysis"
            )
        for use in tensor_operands(op):
            if conflicts.reads_other_contents(use, self, new=False):
                raise op_error(
                    op, "not bufferizable under the given constraints: cannot avoid RaW conflict"
                )
            if self.is_in_place(use) and conflicts.writes_read_only(use, self, new=False):
                raise op_error(
                    op,
                    "not bufferizable under the given constraints: would write to read-only buffer",
                )

    def _decide(self, op: Operation) -> None:
        operations = [inner for inner in walk_postorder(op) if has_tensors(inner)]
        for inner in self._in_order(op, operations):
            for use in tensor_operands(inner):
                if conflicts.writes_read_only(use, self) or conflicts.reads_other_contents(
                    use, self
                ):
                    continue
                self._keep(use)

    def _in_order(self, op: Operation, operations: list[Operation]) -> Iterable[Operation]:
        heuristic = self.options.analysis_heuristic
        if heuristic == "top-down":
            return operations
        if heuristic == "bottom-up-from-terminators":
            return self._from_terminators(op, operations)
        if heuristic == "fuzzer":
            import random

            random.Random(self.options.analysis_fuzzer_seed).shuffle(operations)
        return reversed(operations)

    def _from_terminators(self, op: Operation, operations: list[Operation]) -> list[Operation]:
        """First what regions yield and what that shares buffers with, then the others."""
        found: dict[Operation, None] = {}
        for end in walk_postorder(op):
            region = end.parent_region()
            if end.name not in REGION_ENDS or end in found or region is None:
                continue
            found[end] = None
            pending = [v for v in end.operands if is_tensor(v.type)]
            while pending:
                value = pending.pop()
                owner = value.owner
                if isinstance(owner, Block) or owner in found:
                    continue
                found[owner] = None
                if region.parent is None or not contains(region.parent, owner):
                    continue
                pending.extend(source.operand.value for source in self.sources(value))
        return [*found, *(inner for inner in reversed(operations) if inner not in found)]

    def _keep(self, use: Operand) -> None:
        if use in self._in_place:
            return
        self._in_place.add(use)
        for alias in self.aliases(use):
            self.alias_sets.join(alias.value, use.value)

    # --- after deciding ------------------------------------------------------------------------
    def _find_equivalences(self, op: Operation) -> None:
        for inner in walk_postorder(op):
            model = self.known_model(inner)
            if model is None:
                continue
            for result in inner.results:
                if is_tensor(result.type):
                    self._find_equivalence(result, model.allocates(inner))

    def _find_equivalence(self, result: SSAValue, allocates: bool) -> None:
        sources = self.sources(result)
        if not sources:
            return
        first = sources[0].operand.value
        for source in sources:
            value, in_place = source.operand.value, self.is_in_place(source.operand)
            if source.equivalent and source.definite and in_place:
                self.equivalent_sets.join(result, value)
                return
            # Whatever path control takes, all have to be one buffer.
            if not source.equivalent or not in_place or not self.are_equivalent(value, first):
                allocates = True
        if not allocates:
            self.equivalent_sets.join(result, first)

    def _find_undefined(self, op: Operation) -> None:
        for inner in walk_postorder(op):
            if self.known_model(inner) is None:
                continue
            for result in inner.results:
                if is_tensor(result.type) and not self.definitions(result):
                    self._undefined.update(uses_of(result))
