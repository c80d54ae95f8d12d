# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of branches between blocks: arguments of blocks are buffers that may be those of
each branch's operands."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.core.ir.branches import predecessor_edges, successor_operands, successor_ranges
from xgpu.core.ir.errors import op_error
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State
from xgpu.transforms.bufferization.one_shot.model import Model
from xgpu.transforms.bufferization.one_shot.models.scf_loops import retype
from xgpu.transforms.bufferization.one_shot.options import (
    Buffer,
    dynamic_buffer,
    is_tensor,
    tensor_type,
)
from xgpu.transforms.bufferization.one_shot.values import Alias, Operand, Source, owner_of


def _callers(argument: SSAValue) -> list[Operand]:
    """The operands of branches that become this argument of a block."""
    assert isinstance(argument, BlockArgument)
    found: list[Operand] = []
    for op, successor in predecessor_edges(argument.block):
        ranges = successor_ranges(op)
        if ranges is not None:
            found.append(Operand(op, ranges[successor][0] + argument.index))
    return found


def branch_sources(argument: SSAValue) -> list[Source]:
    return [Source(use, True, False) for use in _callers(argument)]


def branch_type(argument: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
    """The type of a block's argument: what branches pass, or of unknown layout if they differ."""
    found: Buffer | None = None
    for use in _callers(argument):
        value = use.value
        if any(value is waiting for waiting in stack):
            continue
        kind = buffers.type_or_buffer(value, stack)
        if found is None or kind == found:
            found = kind
            continue
        if kind.memory_space != found.memory_space:
            raise op_error(
                owner_of(argument),
                "incoming operands of block argument have inconsistent memory spaces",
            )
        found = dynamic_buffer(tensor_type(argument), kind.memory_space)
    if found is None:
        raise op_error(owner_of(argument), "could not infer buffer type of block argument")
    return found


def bufferize_arguments(block: Block, buffers: Buffers) -> None:
    """Gives a block buffers as arguments, and branches to it buffers as operands."""
    types = [buffers.type_of(a) if is_tensor(a.type) else a.type for a in block.args]
    buffers.at_start(block)
    for argument, kind in zip(block.args, types, strict=True):
        retype(argument, kind, buffers)
    for op, successor in predecessor_edges(block):
        values = successor_operands(op, successor)
        if values is None:
            raise op_error(
                op,
                "cannot bufferize ops with block references that do not implement "
                "BranchOpInterface",
            )
        ranges = successor_ranges(op)
        assert ranges is not None
        for at, (value, kind) in enumerate(zip(values, types, strict=True)):
            if value.type == kind or not is_tensor(value.type):
                continue
            buffers.before(op)
            given = buffers.type_of(value)
            buffers.after_value(value)
            buffer = buffers.value("bufferization.to_buffer", (value,), given)
            if given != kind:
                buffer = buffers.value("memref.cast", (buffer,), kind)
            op.operands[ranges[successor][0] + at] = buffer


class Branch(Model):
    """Passes its operands on to arguments of blocks."""

    __slots__ = ()

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        found: list[Alias] = []
        for (start, end), block in zip(
            successor_ranges(use.op) or (), use.op.successors, strict=True
        ):
            if start <= use.at < end:
                found.append(Alias(block.args[use.at - start], True, False))
        return found

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        """The operands change with the block's arguments."""


_BRANCH = Branch()

MODELS: dict[str, Model] = {"cf.br": _BRANCH, "cf.cond_br": _BRANCH}
