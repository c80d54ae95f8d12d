# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operands write where they stand: the analysis of one-shot bufferization.

Each operand is decided once, by default from the last operation to the first. It keeps its buffer
if nobody would then read what the program does not say (`conflicts`), nor write what must not be
written. A decision joins the alias sets of the operand and of what shares its buffer, and later
decisions see that. Source of the algorithm: MLIR 22.1 OneShotAnalysis.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.errors import op_error
from xgpu.core.ir.region_flow import REGION_ENDS
from xgpu.transforms.bufferization.one_shot import conflicts
from xgpu.transforms.bufferization.one_shot.decisions import Decisions
from xgpu.transforms.bufferization.one_shot.options import is_tensor
from xgpu.transforms.bufferization.one_shot.order import contains
from xgpu.transforms.bufferization.one_shot.values import (
    has_tensors,
    tensor_operands,
    uses_of,
    walk_postorder,
)

if TYPE_CHECKING:
    pass


class Analysis(Decisions):
    """Decides for all operands in a root."""

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
                self.keep(use)

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
                    self.undefined.update(uses_of(result))
