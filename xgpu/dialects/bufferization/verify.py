# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's BufferizationOps.cpp verifies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.ir.errors import op_error

if TYPE_CHECKING:
    from xgpu.dialects import bufferization


def verify_dealloc(op: bufferization.DeallocOp) -> None:
    """A condition for each memref, a result for each retained one."""
    if len(op.memrefs) != len(op.conditions):
        raise op_error(op, "must have the same number of conditions as memrefs to deallocate")
    if len(op.retained) != len(op.results):
        raise op_error(
            op, "must have the same number of updated conditions (results) as retained operands"
        )


VERIFY = {"bufferization.dealloc": verify_dealloc}
