# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Effects of the bufferization dialect that ODS leaves to C++."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.effects import Effect

if TYPE_CHECKING:
    from xgpu.dialects import bufferization


def _materialize(op: bufferization.MaterializeInDestinationOp) -> list[Effect]:
    """A destination in memory is written; one that is a tensor gives a result."""
    if op.dest.type.name == "tensor":
        return []
    return [Effect("write", op.dest)]


EFFECTS = {"bufferization.materialize_in_destination": _materialize}
