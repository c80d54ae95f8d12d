# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies for the operands that do not keep their buffers, as `bufferization.alloc_tensor`s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import Operation, SSAValue

from xgpu.ir.errors import error
from xgpu.transforms.bufferization.one_shot.buffers import Buffers
from xgpu.transforms.bufferization.one_shot.model import tensor_operands, uses_of

if TYPE_CHECKING:
    from xgpu.transforms.bufferization.one_shot.state import State


def insert_copies(root: Operation, state: State) -> None:
    """Makes the copies that the decisions in `state` need, so that afterwards every operand may
    write where it stands."""
    from xgpu.transforms.bufferization.one_shot.analysis import walk_postorder

    buffers = Buffers(state.options)
    for op in list(walk_postorder(root)):
        model = state.known_model(op)
        if model is not None:
            buffers.start(op)
            model.resolve(op, buffers, state)


def copy_operands(op: Operation, buffers: Buffers, state: State) -> None:
    """Copies operands; or the result, where that only shares the operand's buffer and may be less
    of it."""
    operands: list[tuple[int, bool]] = []
    results: list[tuple[SSAValue, bool]] = []
    for use in tensor_operands(op):
        if state.is_in_place(use):
            continue
        if isinstance(use.value.type, UnrankedTensorType):
            raise error(op, "copies of unranked tensors are not supported")
        aliases = state.aliases(use)
        contents = not state.can_omit_copy(use)
        if (
            len(aliases) == 1
            and aliases[0].value.owner is op
            and not state.writes(use)
            and len(state.sources(aliases[0].value)) == 1
        ):
            results.append((aliases[0].value, contents))
        else:
            operands.append((use.index, contents))
    for index, contents in operands:
        buffers.before(op)
        op.operands[index] = buffers.allocate_tensor(op.operands[index], copy=contents)
    for result, contents in results:
        uses = uses_of(result)
        buffers.after(op)
        copy = buffers.allocate_tensor(result, copy=contents)
        for user, index in uses:
            user.operands[index] = copy
