# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of conditionals and of what ends regions of the scf dialect."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.region_flow import region_ends
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State
from xgpu.transforms.bufferization.one_shot.model import Model
from xgpu.transforms.bufferization.one_shot.models import scf_loops
from xgpu.transforms.bufferization.one_shot.models.cf import (
    branch_sources,
    branch_type,
    bufferize_arguments,
)
from xgpu.transforms.bufferization.one_shot.options import (
    Buffer,
    dynamic_buffer,
    is_tensor,
    tensor_type,
)
from xgpu.transforms.bufferization.one_shot.values import Alias, Operand, Source

_PARENTS = frozenset(
    f"scf.{name}" for name in ("execute_region", "for", "if", "index_switch", "while")
)


def _ends(op: Operation) -> list[Operation]:
    return [end for index in range(len(op.regions)) for end in region_ends(op, index)]


class Conditional(Model):
    """scf.if and scf.index_switch: a result is what one of the regions yields."""

    __slots__ = ("words",)

    def __init__(self, words: str) -> None:
        self.words = words

    def _yields(self, op: Operation) -> list[Operation]:
        """The order in which types are compared: a switch's default comes first."""
        return _ends(op)

    def sources(self, value: SSAValue, state: State) -> Sequence[Source]:
        if not isinstance(value, OpResult):
            return ()
        return [Source(Operand(end, value.index), True, False) for end in _ends(value.op)]

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        assert isinstance(value, OpResult)
        found: Buffer | None = None
        for end in self._yields(value.op):
            kind = buffers.type_or_buffer(end.operands[value.index], stack)
            if found is None or kind == found:
                found = kind
                continue
            if kind.memory_space != found.memory_space:
                raise error(value.op, f"inconsistent memory space on {self.words}")
            found = dynamic_buffer(tensor_type(value), kind.memory_space)
        assert found is not None
        return found

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        types = [buffers.type_of(r) if is_tensor(r.type) else r.type for r in op.results]
        rebuild(op, buffers, op.operands, types)


def rebuild(
    op: Operation, buffers: Buffers, operands: Sequence[SSAValue], types: Sequence[Attribute]
) -> None:
    """Replaces `op` by the same with other operands and results, around the same regions."""
    regions = [Region() for _ in op.regions]
    for old, new in zip(op.regions, regions, strict=True):
        old.move_blocks(new)
    made = buffers.create(op.name, operands, types, op.properties, op.attributes, regions)
    buffers.replace_by(op, made.results)


class ExecuteRegion(Model):
    """A result is what the only yield yields."""

    __slots__ = ()

    several_blocks = True

    def is_writable(self, value: SSAValue, state: State) -> bool:
        return True

    def verify(self, op: Operation, state: State) -> None:
        if len(_ends(op)) != 1:
            raise op_error(op, "op without unique scf.yield is not supported")

    def sources(self, value: SSAValue, state: State) -> Sequence[Source]:
        if not isinstance(value, OpResult):
            return branch_sources(value)
        ends = _ends(value.op)
        return [Source(Operand(ends[0], value.index), True)] if len(ends) == 1 else ()

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        if isinstance(value, OpResult):
            return super().buffer_type(value, buffers, stack)
        return branch_type(value, buffers, stack)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        (end,) = _ends(op)
        buffers.before(end)
        for index, value in enumerate(end.operands):
            if is_tensor(value.type):
                end.operands[index] = buffers.of(value)
        for block in op.regions[0].blocks:
            bufferize_arguments(block, buffers)
        buffers.before(op)
        rebuild(op, buffers, op.operands, [value.type for value in end.operands])


class Yield(Model):
    """What a region yields keeps its buffer: a copy would have to be made in the region."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def must_be_in_place(self, use: Operand, state: State) -> bool:
        return True

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        parent = use.op.parent_op()
        if parent is None or parent.name not in ("scf.if", "scf.execute_region"):
            if parent is not None and parent.name == "scf.index_switch":
                return (Alias(parent.results[use.at], True, False),)
            return ()
        return (Alias(parent.results[use.at], True, parent.name != "scf.if"),)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        parent = op.parent_op()
        assert parent is not None
        if parent.name not in _PARENTS:
            raise error(op, "unsupported scf::YieldOp parent")
        values: list[SSAValue] = []
        for index, value in enumerate(op.operands):
            if not is_tensor(value.type):
                values.append(value)
                continue
            buffer = buffers.of(value)
            kind = _wanted(parent, index, buffers)
            values.append(buffer if kind is None else buffers.cast(buffer, kind))
        buffers.create(op.name, values, (), op.properties, op.attributes)
        buffers.erase(op)


def _wanted(parent: Operation, index: int, buffers: Buffers) -> Buffer | None:
    """The type of what the region is to yield."""
    if parent.name == "scf.execute_region":
        return None
    target: SSAValue
    if parent.name == "scf.while":
        first = parent.regions[0].first_block
        assert isinstance(first, Block)
        target = first.args[index]
    else:
        target = parent.results[index]
    return buffers.type_or_buffer(target, [])


MODELS: dict[str, Model] = {
    **scf_loops.MODELS,
    "scf.execute_region": ExecuteRegion(),
    "scf.if": Conditional("then/else branches"),
    "scf.index_switch": Conditional("switch cases"),
    "scf.yield": Yield(),
}
