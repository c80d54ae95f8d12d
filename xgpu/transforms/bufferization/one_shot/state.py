# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What models say of operations, asked about operands and values (MLIR's AnalysisState).

Without an analysis an operand that is written is copied; `Analysis` of `analysis.py` knows better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, OpResult, Region, SSAValue

from xgpu.transforms.bufferization.one_shot.model import Model, Unknown, model_of
from xgpu.transforms.bufferization.one_shot.values import (
    Alias,
    Operand,
    Source,
    is_cast,
    owner_of,
    uses_of,
)

if TYPE_CHECKING:
    from xgpu.transforms.bufferization.one_shot.buffers import Buffers, FunctionFacts
    from xgpu.transforms.bufferization.one_shot.options import Buffer, Options

_UNKNOWN = Unknown()


class Undecided:
    """Answers about operands and values, before anything has been analyzed."""

    def __init__(self, options: Options) -> None:
        self.options = options
        #: What is known of functions, if their boundaries are bufferized.
        self.functions: FunctionFacts | None = None

    def known_model(self, op: Operation) -> Model | None:
        """The model of `op`; None if it has none, or if it may not be replaced."""
        model = model_of(op)
        if model is None or not self.options.is_allowed(op) or not self.options.is_analyzed(op):
            return None
        return model

    def model(self, op: Operation) -> Model:
        return self.known_model(op) or _UNKNOWN

    # --- operands ------------------------------------------------------------------------------
    def reads(self, use: Operand) -> bool:
        return self.model(use.op).reads(use, self)

    def writes(self, use: Operand) -> bool:
        return self.model(use.op).writes(use, self)

    def aliases(self, use: Operand) -> Sequence[Alias]:
        return self.model(use.op).aliases(use, self)

    def only_passes_on(self, use: Operand) -> bool:
        """Whether the operation neither reads nor writes the buffer, but has an alias of it."""
        if self.known_model(use.op) is None or self.reads(use) or self.writes(use):
            return False
        return bool(self.aliases(use))

    def is_in_place(self, use: Operand) -> bool:
        """Whether the operation takes the operand's buffer as it is, without a copy."""
        if use.op.name == "bufferization.to_buffer":
            return True
        return not self.writes(use)

    # --- values --------------------------------------------------------------------------------
    def sources(self, value: SSAValue) -> Sequence[Source]:
        return self.model(owner_of(value)).sources(value, self)

    def is_writable(self, value: SSAValue) -> bool:
        return self.model(owner_of(value)).is_writable(value, self)

    def defines_contents(self, value: SSAValue) -> bool:
        """Whether `value` has contents that its sources do not have."""
        if not isinstance(value, OpResult):
            return True
        model = self.known_model(value.op)
        return model is None or model.defines_contents(value, self)

    def is_read(self, value: SSAValue) -> bool:
        """Whether anything reads `value`, or what shares its buffer without being written."""
        pending = uses_of(value)
        seen: set[Operand] = set()
        while pending:
            use = pending.pop()
            if use in seen:
                continue
            seen.add(use)
            if self.reads(use):
                return True
            if self.only_passes_on(use):
                for alias in self.aliases(use):
                    pending.extend(uses_of(alias.value))
        return False

    def trace(
        self,
        value: SSAValue,
        found: Callable[[SSAValue], bool],
        *,
        leaves: bool = True,
        equivalent_only: bool = False,
        same_type_only: bool = False,
    ) -> list[SSAValue]:
        """The values that hold `found` on the ways back from `value` through sources; with `leaves`
        also where a way ends without one."""
        result: dict[SSAValue, None] = {}
        visited: set[SSAValue] = set()
        pending: dict[SSAValue, None] = {value: None}
        while pending:
            current, _ = pending.popitem()
            if current in visited:
                if leaves:
                    result[current] = None
                continue
            visited.add(current)
            if found(current):
                result[current] = None
                continue
            sources: Sequence[Source] = ()
            if self.known_model(owner_of(current)) is not None:
                sources = self.sources(current)
            if not sources and leaves:
                result[current] = None
            for source in sources:
                origin = source.operand.value
                ends = (equivalent_only and not source.equivalent) or (
                    same_type_only
                    and origin.type != current.type
                    and not is_cast(owner_of(current))
                )
                if not ends:
                    pending[origin] = None
                elif leaves:
                    result[current] = None
        return list(result)

    def definitions(self, value: SSAValue) -> list[SSAValue]:
        """The values that define what `value` contains; none if that is undefined."""
        return self.trace(value, self.defines_contents, leaves=False)

    def can_omit_copy(self, use: Operand) -> bool:
        """Whether a copy for this operand would not be read."""
        if self.is_undefined(use):
            return True
        if self.reads(use):
            return False
        return self.writes(use) or not any(self.is_read(a.value) for a in self.aliases(use))

    def is_undefined(self, use: Operand) -> bool:
        """Whether an operand has no contents yet."""
        return False

    def are_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether two values are known to be one buffer."""
        return False

    def sharing(self, value: SSAValue) -> Sequence[SSAValue] | None:
        """The values that share the buffer of `value`; None before an analysis."""
        return None

    def type_of(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        """The type that the buffer of `value` has or will have."""
        model = self.known_model(owner_of(value))
        if model is None:
            return buffers.unknown_type(value)
        return model.buffer_type(value, buffers, stack)

    # --- regions -------------------------------------------------------------------------------
    def repetitive_region(self, region: Region | None) -> Region | None:
        """`region` or the innermost region around it that may run more than once."""
        return self._region(region, lambda model, op, at: model.is_repetitive(op, at))

    def parallel_region(self, region: Region | None) -> Region | None:
        """`region` or the innermost region around it that several may run at once."""
        return self._region(region, lambda model, op, at: model.is_parallel(op, at))

    def _region(
        self, region: Region | None, holds: Callable[[Model, Operation, int], bool]
    ) -> Region | None:
        while region is not None:
            op = region.parent
            if op is None:
                return None
            model = self.known_model(op)
            if model is not None and holds(model, op, _number(region)):
                return region
            region = op.parent_region()
        return None


def _number(region: Region) -> int:
    op = region.parent
    assert op is not None
    return next(i for i, other in enumerate(op.regions) if other is region)
