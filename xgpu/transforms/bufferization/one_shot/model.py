# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bufferization has to know of an operation (MLIR's BufferizableOpInterface).

A `Model` is the fact `bufferization` of an operation's `OpInfo`. It answers for operands that are
tensors: does the operation read or write their buffers, and which values may be the same buffers
afterwards? The answers are about the operation as if each operand wrote where it stands. What is
not overridden is what holds for most operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xgpu.core.ir.op_info import op_info
from xgpu.core.ir.region_flow import edges, is_region_branch, region_ends
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State
from xgpu.transforms.bufferization.one_shot.options import Buffer, is_tensor
from xgpu.transforms.bufferization.one_shot.values import (
    Alias,
    Operand,
    Source,
    has_tensors,
    owner_of,
    tensor_operands,
)


class Model:
    """What holds for an operation that neither reads, writes nor passes on any buffer."""

    __slots__ = ()

    #: Whether its regions may have several blocks.
    several_blocks = False

    def reads(self, use: Operand, state: State) -> bool:
        """Whether the buffer's contents may be read."""
        return False

    def writes(self, use: Operand, state: State) -> bool:
        """Whether the buffer may be written."""
        return False

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        """Values that may share the operand's buffer, if that is not copied."""
        return ()

    def sources(self, value: SSAValue, state: State) -> Sequence[Source]:
        """The other way round: operands that `value`, a result or an argument of a region, may
        share its buffer with."""
        return [
            Source(use, alias.equivalent, alias.definite)
            for use in tensor_operands(owner_of(value))
            for alias in self.aliases(use, state)
            if alias.value is value
        ]

    def must_be_in_place(self, use: Operand, state: State) -> bool:
        """Whether the operand's buffer may never be copied."""
        return False

    def defines_contents(self, result: OpResult, state: State) -> bool:
        """Whether the result has other contents than the operands that it shares buffers with."""
        sources = state.sources(result)
        if not sources or any(state.writes(source.operand) for source in sources):
            return True

        def is_written_inside(value: SSAValue) -> bool:
            return result.op.is_ancestor(owner_of(value)) and state.defines_contents(value)

        return any(
            state.trace(source.operand.value, is_written_inside, leaves=False) for source in sources
        )

    def allocates(self, op: Operation) -> bool:
        """Whether results are new buffers."""
        return False

    def is_elementwise(self, op: Operation, uses: Sequence[Operand], state: State) -> bool:
        """Whether each element is read before it is written, through any of `uses`."""
        return False

    def is_no_conflict(self, read: Operand, write: Operand, state: State) -> bool:
        """Whether `read` cannot see what `write` writes, for a reason that only the model knows."""
        return False

    def is_writable(self, value: SSAValue, state: State) -> bool:
        """Whether the buffer of a result or an argument of a region may be written."""
        return isinstance(value, OpResult)

    def is_repetitive(self, op: Operation, region: int) -> bool:
        """Whether a region may run more than once."""
        if not is_region_branch(op):
            return False
        seen: set[int] = set()
        pending = [region]
        while pending:
            ends = region_ends(op, pending.pop())
            targets = {flow.target for end in ends for flow in edges(op, end)}
            if region in targets:
                return True
            found = [t for t in targets if t is not None and t not in seen]
            seen.update(found)
            pending.extend(found)
        return False

    def is_parallel(self, op: Operation, region: int) -> bool:
        """Whether several may run a region at once."""
        return False

    def verify(self, op: Operation, state: State) -> None:
        """Raises DiagnosticError for what the analysis found and cannot be bufferized."""

    def resolve(self, op: Operation, buffers: Buffers, state: State) -> None:
        """Makes the copies for operands that do not write where they stand."""
        buffers.copy_operands(op, state)

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        """The type that the buffer of a result or an argument of a region has."""
        if isinstance(value, BlockArgument):
            return buffers.unknown_type(value)
        sources = buffers.state.sources(value)
        if sources and sources[0].equivalent:
            return buffers.type_of(sources[0].operand.value, stack)
        return buffers.unknown_type(value)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        """Replaces `op` by operations on buffers."""
        raise NotImplementedError

    def has_tensors(self, op: Operation) -> bool:
        """Whether there is something to bufferize."""
        return has_tensors(op)


class Unknown(Model):
    """An operation of which nothing is known: it may read and write whatever it gets, and each
    result may be each operand."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def writes(self, use: Operand, state: State) -> bool:
        return True

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        values: list[SSAValue] = [*use.op.results]
        for region in use.op.regions:
            if region.first_block is not None:
                values.extend(region.first_block.args)
        return [Alias(value, False, False) for value in values if is_tensor(value.type)]

    def sources(self, value: SSAValue, state: State) -> Sequence[Source]:
        if isinstance(value, BlockArgument):
            region = value.block.parent
            if region is None or region.first_block is not value.block:
                return ()
        return [Source(use, False, False) for use in tensor_operands(owner_of(value))]

    def is_writable(self, value: SSAValue, state: State) -> bool:
        return False


class Destination(Model):
    """An operation that writes its results over operands (MLIR's DestinationStyleOpInterface)."""

    __slots__ = ()

    def inits(self, op: Operation) -> Sequence[int]:
        """The operands that results are written over, in the order of the results."""
        raise NotImplementedError

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def writes(self, use: Operand, state: State) -> bool:
        return use.at in self.inits(use.op)

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        inits = self.inits(use.op)
        if use.at not in inits or not use.op.results:
            return ()
        return (Alias(use.op.results[inits.index(use.at)], True),)

    def sources(self, value: SSAValue, state: State) -> Sequence[Source]:
        if not isinstance(value, OpResult):
            return ()
        return (Source(Operand(value.op, self.inits(value.op)[value.index]), True),)


# --- models by operation ------------------------------------------------------------------------
#: Dialect -> module with what is known of its operations, a table `MODELS`; loaded when asked for.
_MODULES: dict[str, str] = {
    "arith": "computation_models",
    "bufferization": "tensor_models",
    "cf": "control_flow_models",
    "func": "function_models",
    "linalg": "computation_models",
    "scf": "control_flow_models",
    "shape": "control_flow_models",
    "tensor": "tensor_models",
    "vector": "computation_models",
}
_tables: dict[str, Mapping[str, Model]] = {}


def model_of(op: Operation) -> Model | None:
    """The model of `op`: what was registered for it, or what is known of MLIR's operations."""
    registered = op_info(op.name).bufferization
    if registered is not None:
        return registered
    module = _MODULES.get(op.name.partition(".")[0])
    if module is None:
        return None
    table = _tables.get(module)
    if table is None:
        path = f"xgpu.transforms.bufferization.one_shot.{module}"
        table = _tables[module] = import_module(path).MODELS
    return table.get(op.name)
