# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies for the operands that do not keep their buffers, as `bufferization.alloc_tensor`s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.transforms.bufferization.one_shot.buffers import Buffers
from xgpu.transforms.bufferization.one_shot.state import Undecided
from xgpu.transforms.bufferization.one_shot.values import walk_postorder

if TYPE_CHECKING:
    from xdsl.ir import Operation


def insert_copies(root: Operation, state: Undecided) -> None:
    """Makes the copies that the decisions in `state` need, so that afterwards every operand may
    write where it stands."""
    buffers = Buffers(Undecided(state.options))
    for op in list(walk_postorder(root)):
        model = state.known_model(op)
        if model is not None:
            buffers.start(op)
            model.resolve(op, buffers, state)
