# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tokens that operations of the gpu dialect take and give: read and changed in one way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.branches import segment_sizes

if TYPE_CHECKING:
    from xgpu.dialects import gpu


def dependencies_of(op: Operation) -> Sequence[SSAValue]:
    """The tokens that an asynchronous operation waits for; all of them take such as a wait does."""
    return cast("gpu.WaitOp", op).async_dependencies


def token_of(op: Operation) -> SSAValue | None:
    """The token that an asynchronous operation gives."""
    return cast("gpu.WaitOp", op).async_token


def resize_group(op: Operation, index: int, change: int) -> None:
    """Says that a group of operands has grown by `change`, where the operation lists sizes."""
    if "operandSegmentSizes" in op.properties:
        sizes = segment_sizes(op)
        sizes[index] += change
        op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)


def set_dependencies(op: Operation, tokens: Sequence[SSAValue]) -> None:
    """Replaces the tokens that an operation of the gpu dialect depends on."""
    count = len(dependencies_of(op))
    op.operands = [*tokens, *tuple(op.operands)[count:]]
    resize_group(op, 0, len(tokens) - count)
